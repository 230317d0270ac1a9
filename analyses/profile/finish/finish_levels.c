/* finish_levels.c - see finish_levels.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish_levels.h"
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/level_rows.h"
#include "analyses/profile/finish/finish_words.h"

bool
cab_finish_wants_levels (const struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      if (analysis && cab_context_level_wanted (analysis))
	return true;
    }
  return false;
}

uint64_t
cab_finish_placed (const struct cab_finish_rest *rest, const struct cab_analysis *analysis)
{
  uint64_t sum = 0;
  for (int kind = 1; kind < CAB_FINISH_KINDS; kind++)
    if (kind == CAB_EV_ACCESS && cab_context_level_wanted (analysis))
      sum += rest->levelled;
    else if (analysis->kinds >> kind & 1)
      sum += rest->seen[kind] + rest->placed[kind];
  return sum;
}

/* Store the levels of the N rows that follow BEFORE to LEVEL, as far as ONE has had them. */
static void
copy_had (const struct cab_finish_arena *one, uint64_t before, uint32_t n, uint8_t *level)
{
  for (uint32_t i = 0; i < n; i++)
    level[i] = before + i < one->elsewhere
	       ? CAB_LEVEL_NONE
	       : cab_levels_at (&one->arena, before + i - one->elsewhere);
}

/* Feed rows that have been cut: first to the caches those that they have not had. */
static void
feed_rows (void *host, const struct cab_batch *batch)
{
  struct cab_finish_rest *rest = host;
  struct cab_batch rows = *batch;
  struct cab_finish_arena *levels = cab_finish_arena_of (rest, &cab_levels);
  uint8_t *level = rest->level_rows->level;
  const char *names = rest->finish->analyses;
  struct cab_choice choice;
  if (!levels->in_step)
    copy_had (levels, rest->levelled, rows.n, level);
  uint32_t had = cab_finish_feed (rest, levels, rows, rest->levelled);
  if (had < rows.n)
    memcpy (level + had, cab_levels_last (&levels->arena), rows.n - had);
  rows.level = level;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      if (analysis && cab_context_level_wanted (analysis))
	cab_finish_feed (rest, cab_finish_arena_of (rest, analysis), rows,
			 cab_finish_placed (rest, analysis));
    }
  rest->levelled += rows.n;
}

void
cab_finish_levels (struct cab_finish_rest *rest, const struct cab_batch *batch)
{
  struct cab_finish_arena *levels = cab_finish_arena_of (rest, &cab_levels);
  if (!levels->arena.base)
    return;
  if (!rest->level_rows)
    rest->level_rows = XNEW (struct cab_level_rows);
  cab_level_rows_cut (rest->level_rows, batch, cab_levels_line_log2 (&levels->arena), rest,
		      feed_rows);
}
