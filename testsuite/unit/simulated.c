/* simulated.c - see simulated.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/simulated.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_arguments.h"

struct cab_cachesim *
make_caches (struct cab_cachesim_config *config, void **memory)
{
  struct cab_diag diag;
  cab_cache_configure (cache_arguments, config, &diag);
  *memory = aligned_alloc (64, (cab_cachesim_bytes (config, &diag) + 63) & -64);
  memset (*memory, 0, cab_cachesim_bytes (config, &diag));
  return cab_cachesim_init (*memory, config);
}

void
simulate_pieces (struct cab_cachesim *sim, uint32_t d1_line, const struct events *e, size_t i,
		 void (*take) (struct rows *rows, uint64_t key, bool write, uint8_t mark),
		 struct rows *rows, uint64_t key)
{
  uint64_t at = e->address[i], end = at + e->bytes[i];
  bool cut = (e->access_form[i] & CAB_ROW_RANGE) || e->bytes[i] > d1_line,
       write = (e->access_form[i] & 3) == CAB_ROW_WRITE;
  while (at < end)
    {
      uint64_t to = cut && (at | (d1_line - 1)) + 1 < end ? (at | (d1_line - 1)) + 1 : end;
      struct cab_access access = { at, to - at, write ? CAB_ACCESS_WRITE : CAB_ACCESS_READ };
      uint8_t mark;
      cab_cachesim_feed (sim, &access, 1, &mark);
      take (rows, key, write, mark);
      at = to;
    }
}

/* Make the level in the row that ROWS has at least that of MARK. */
static void
take_deepest (struct rows *rows, uint64_t key, bool write, uint8_t mark)
{
  uint64_t level = __builtin_popcount (mark);
  (void) key;
  (void) write;
  rows->row->count = level > rows->row->count ? level : rows->row->count;
}

uint8_t *
simulated_levels (const struct events *e, size_t to)
{
  struct cab_cachesim_config config;
  void *memory;
  struct cab_cachesim *sim = make_caches (&config, &memory);
  uint8_t *levels = XNEWVEC (uint8_t, to + 1);
  struct rows deepest = { 0 };
  add (&deepest, 0, 0);
  for (size_t i = 0; i < to; i++)
    {
      bool is_access = e->access_form[i] & 3 && e->bytes[i];
      deepest.row->count = 0;
      if (is_access)
	simulate_pieces (sim, config.d1.line, e, i, take_deepest, &deepest, 0);
      levels[i] = is_access ? deepest.row->count : CAB_LEVEL_NONE;
    }
  free (deepest.row);
  free (memory);
  return levels;
}
