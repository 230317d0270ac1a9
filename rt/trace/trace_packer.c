/* trace_packer.c - see trace_packer.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/trace/trace_packer.h"

#include <sys/mman.h>

#include "rt/common/sys.h"
#include "analyses/wire/trace_words.h"

static struct cab_words *tables;
static unsigned char *packed;
static size_t room;

/* Return nonzero if there is memory for N words, after mapping it if need be. */
static int
prepare (size_t n)
{
  if (!tables)
    tables = cab_sys_map (sizeof *tables);
  if (cab_words_room (n) > room)
    {
      if (packed)
	munmap (packed, room);
      room = cab_round_up (cab_words_room (n), CAB_PAGE_BYTES);
      packed = cab_sys_map (room);
      room = packed ? room : 0;
    }
  return tables && packed;
}

const unsigned char *
cab_trace_packer_pack (const uint64_t *words, size_t n, uint64_t *bytes)
{
  if (n > CAB_WORDS_MAX || !prepare (n))
    return NULL;
  *bytes = cab_words_pack (tables, words, n, packed);
  return packed;
}

void
cab_trace_packer_reset (void)
{
  if (tables)
    madvise (tables, sizeof *tables, MADV_DONTNEED);
}
