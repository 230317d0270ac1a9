/* sum.c - the least that a consumer can do: add up the events, or the addresses of accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <cabprof/analysis.h>

struct state
{
  uint64_t n, sum, first;   /* first: the first word */
};
#define STATE(arena) ((struct state *) (arena)->base)

static int
open_state (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  arena->used = sizeof (struct state);
  return 0;
}

static void
feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions)
{
  const uint64_t *words = batch->kind == CAB_EV_ACCESS ? batch->address : batch->events;
  uint64_t sum = 0;
  (void) functions;
  for (uint32_t i = 0; i < batch->n; i++)
    sum += words[i];
  if (!STATE (arena)->n)
    STATE (arena)->first = words[0];
  STATE (arena)->sum += sum;
  STATE (arena)->n += batch->n;
}

static uint64_t
applied (const struct cab_arena *arena)
{
  return arena->used ? STATE (arena)->n : 0;
}

static uint64_t
lost (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static int
check (const struct cab_arena *arena, struct cab_diag *diag)
{
  (void) diag;
  return arena->used && arena->used < sizeof (struct state) ? -1 : 0;
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) map, (void) diag;
  if (!applied (into) && applied (from))
    STATE (into)->first = STATE (from)->first;
  STATE (into)->n += applied (from);
  STATE (into)->sum += from->used ? STATE (from)->sum : 0;
  return 0;
}

static void
report (const struct cab_arena *arena, const struct cab_sheet *sheet)
{
  static const struct cab_sheet_column columns[] = { { "words", CAB_SHEET_COUNT },
						     { "sum", CAB_SHEET_COUNT },
						     { "first", CAB_SHEET_COUNT } };
  sheet->columns (sheet->host, columns, 3);
  if (applied (arena))
    {
      union cab_sheet_cell row[] = { { .count = applied (arena) },
				     { .count = STATE (arena)->sum },
				     { .count = STATE (arena)->first } };
      sheet->row (sheet->host, row);
    }
}

CAB_ANALYSIS_EXPORT = {
  CAB_ANALYSIS_HEAD, .name = "sum", .summary = "Events, added up", .kinds = 1u << CAB_EV_PATH
      | 1u << CAB_EV_CALL | 1u << CAB_EV_ACCESS,
  .arena_bytes = 4096, .open = open_state, .feed = feed, .applied = applied, .lost = lost,
  .check = check, .merge = merge, .report = report
};
