/* finish.c - the states of a process' analyses, with what its rings still held applied to them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "finish.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/heap.h"

static void
problem (struct cab_finish *finish, const struct cab_diag *diag)
{
  finish->problems = XRESIZEVEC (struct cab_diag, finish->problems, finish->n_problems + 1);
  finish->problems[finish->n_problems++] = *diag;
}

/* A copy of arena I, checked. */
static int
load_arena (const struct cab_part *part, uint32_t i, struct cab_finish_arena *one, struct cab_diag *diag)
{
  const struct cab_part_arena *from = &part->header->arenas[i];
  const char *name = cab_part_string (part, from->analysis);
  struct cab_diag inner;
  uint64_t bytes;
  *one = (struct cab_finish_arena) { .analysis = cab_analysis_find (name), .thread = from->thread, .ring = from->ring };
  if (!one->analysis)
    return cab_part_refuse (part->path, diag, "holds results of an analysis \"%.40s\" that this cabprof does not have: they are left out", name);
  void *base = cab_part_area (part, CAB_EXT_ARENA, i, &bytes, diag);
  if (!base && bytes)
    return -1;
  if (from->used_bytes > bytes)
    {
      free (base);
      return cab_part_refuse (part->path, diag, "the state of \"%s\" is said to have %ju of %ju bytes: the file is damaged", name,
			      (uintmax_t) from->used_bytes, (uintmax_t) bytes);
    }
  cab_heap_adopt (&one->arena, base, bytes, from->used_bytes);
  if (one->analysis->check (&one->arena, &inner) == 0)
    return 0;
  cab_heap_fini (&one->arena);
  return cab_part_refuse (part->path, diag, "%s: it is left out", inner.text);
}

void
cab_finish_part (struct cab_finish *finish, const struct cab_part *part)
{
  struct cab_diag diag;
  memset (finish, 0, sizeof *finish);
  finish->arenas = XCNEWVEC (struct cab_finish_arena, part->header->n_arenas + 1);
  for (uint32_t i = 0; i < part->header->n_arenas; i++)
    if (load_arena (part, i, &finish->arenas[finish->n_arenas], &diag) == 0)
      finish->n_arenas++;
    else
      problem (finish, &diag);
}

void
cab_finish_fini (struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    cab_heap_fini (&finish->arenas[i].arena);
  free (finish->arenas);
  free (finish->problems);
  memset (finish, 0, sizeof *finish);
}
