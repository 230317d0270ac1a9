/* space.c - what the states of all analyses have in common.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/space.h"

/* Append WORDS to TEXT of SIZE bytes, which ends at AT.  Return where it ends now. */
static size_t
append (char *text, size_t at, size_t size, const char *words)
{
  while (*words && at + 1 < size)
    text[at++] = *words++;
  text[at] = 0;
  return at;
}

int
cab_state_refuse (struct cab_diag *diag, const char *analysis, const char *what)
{
  if (diag)
    {
      size_t at = append (diag->text, 0, sizeof diag->text, "analysis ");
      at = append (diag->text, at, sizeof diag->text, analysis);
      at = append (diag->text, at, sizeof diag->text, ": ");
      append (diag->text, at, sizeof diag->text, what);
    }
  return -1;
}

int
cab_state_open (struct cab_arena *arena, size_t bytes, uint32_t magic, const char *analysis,
		const char *arguments, struct cab_diag *diag)
{
  if (arguments && *arguments)
    return cab_state_refuse (diag, analysis, "takes no arguments: leave them out");
  if (cab_space_reserve (arena, bytes) < 0)
    return cab_state_refuse (diag, analysis, "no memory for its state: free some");
  memset (arena->base, 0, bytes);
  arena->used = bytes;
  if (arena->publish)
    arena->publish (arena);
  cab_space_order ();
  *(uint32_t *) arena->base = magic;
  cab_space_order ();
  return 0;
}

int
cab_state_apart (const struct cab_arena *arena, const struct cab_state_table *tables, int n,
		 size_t bytes)
{
  for (int i = 0; i < n; i++)
    {
      uint64_t table = tables[i].table;
      if (table && table < bytes)
	return 0;
      uint64_t size = sizeof (struct cab_table_head)
		    + cab_space_capacity (arena, table) * tables[i].element;
      for (int k = 0; k < n; k++)
	if (k != i && table && tables[k].table >= table && tables[k].table - table < size)
	  return 0;
    }
  return 1;
}

uint64_t
cab_state_sum (const uint64_t *counters, uint64_t n)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++)
    sum += counters[i];
  return sum;
}
