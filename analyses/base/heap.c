/* heap.c - arenas on the heap, for the command and for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/heap.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static int
grow (struct cab_arena *arena, size_t cap)
{
  unsigned char *base = cap < arena->cap ? NULL : realloc (arena->base, cap);
  if (!base)
    return -1;
  memset (base + arena->cap, 0, cap - arena->cap);
  arena->base = base;
  arena->cap = cap;
  return 0;
}

void
cab_heap_adopt (struct cab_arena *arena, void *base, size_t bytes, size_t used)
{
  *arena = (struct cab_arena) { .base = base, .cap = bytes, .used = used, .grow = grow };
}

int
cab_heap_open_with (struct cab_arena *arena, const struct cab_analysis *analysis,
		    const char *arguments, struct cab_diag *diag)
{
  struct cab_diag ignored;
  cab_heap_adopt (arena, xcalloc (1, analysis->arena_bytes), analysis->arena_bytes, 0);
  if (analysis->open (arena, arguments, diag ? diag : &ignored) == 0)
    return 0;
  cab_heap_fini (arena);
  return -1;
}

void
cab_heap_open (struct cab_arena *arena, const struct cab_analysis *analysis)
{
  if (cab_heap_open_with (arena, analysis, "", NULL) < 0)
    xmalloc_failed (analysis->arena_bytes);
}

void
cab_heap_fini (struct cab_arena *arena)
{
  free (arena->base);
  memset (arena, 0, sizeof *arena);
}
