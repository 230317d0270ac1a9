/* host_caches.c - the caches of this machine, from the files that the kernel shows of them.  The
 * runtime has no stdio.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/host_caches.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analyses/live/choice.h"

#define INDICES 16

/* Read the first word of a file.  Return false if there is none. */
static bool
read_word (const char *dir, int idx, const char *name, char word[32])
{
  char path[512];
  const char digits[] = { '0' + idx / 10, '0' + idx % 10 };
  size_t at = cab_choice_append (path, 0, sizeof path, dir, SIZE_MAX);
  at = cab_choice_append (path, at, sizeof path, "/index", SIZE_MAX);
  at = cab_choice_append (path, at, sizeof path, digits + (idx < 10), 2 - (idx < 10));
  at = cab_choice_append (path, at, sizeof path, "/", SIZE_MAX);
  cab_choice_append (path, at, sizeof path, name, SIZE_MAX);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read (fd, word, 31);
  if (fd >= 0)
    close (fd);
  word[n > 0 ? n : 0] = '\0';
  word[strcspn (word, " \t\n")] = '\0';
  return *word;
}

/* Read the number in a file, with K or M.  Return 0 if there is none. */
static uint64_t
read_number (const char *dir, int idx, const char *name)
{
  char word[32], *end;
  if (!read_word (dir, idx, name, word) || word[0] == '-')
    return 0;
  uint64_t n = strtoull (word, &end, 10);
  unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
  return n > UINT64_MAX >> 20 ? 0 : n << shift;
}

/* Fill CACHE with what the kernel reports in index IDX, field by field; the rest keeps its
   default. */
static void
take (struct cab_host_cache *cache, const char *dir, int idx)
{
  uint64_t size = read_number (dir, idx, "size"),
	   assoc = read_number (dir, idx, "ways_of_associativity");
  uint64_t line = read_number (dir, idx, "coherency_line_size");
  const struct cab_cache_geometry by_default = cache->geometry;
  bool small = assoc <= UINT32_MAX && line <= UINT32_MAX;
  cache->geometry = (struct cab_cache_geometry) { size, small ? assoc : 0, small ? line : 0 };
  cache->origin = "kernel";
  if (!cab_cache_wrong (&cache->geometry))
    return;
  cache->geometry.assoc = by_default.assoc;
  cache->origin = "kernel, but ways by default";
  if (!cab_cache_wrong (&cache->geometry))
    return;
  cache->geometry = by_default;
  cache->origin = "default: the kernel's is impossible";
}

void
cab_host_caches (const char *dir, struct cab_host_caches *caches)
{
  static const char none[] = "default: the kernel reports none";
  const struct cab_cache_geometry l1 = { 32 << 10, 8, 64 };
  char type[32];
  uint64_t last = 1;
  *caches = (struct cab_host_caches) {
    { l1, none }, { l1, none }, { { 512 << 10, 8, 64 }, none }, { { 8 << 20, 16, 64 }, none }, false
  };
  for (int idx = 0; idx < INDICES && read_word (dir, idx, "type", type); idx++)
    {
      uint64_t level = read_number (dir, idx, "level");
      if (level == 1 && strcmp (type, "Data"))
	take (&caches->i1, dir, idx);
      if (level == 1 && strcmp (type, "Instruction"))
	take (&caches->d1, dir, idx);
      if (level == 2 && strcmp (type, "Instruction"))
	take (&caches->l2, dir, idx);
      if (level > last && strcmp (type, "Instruction"))
	{
	  caches->ll = (struct cab_host_cache) { { 8 << 20, 16, 64 }, none };
	  take (&caches->ll, dir, idx);
	  last = level;
	}
    }
  caches->has_l2 = last > 2 && caches->l2.origin != none;
}
