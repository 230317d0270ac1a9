/* sectioned.h - the calls by which a host feeds an analysis by sections, and leaves out rounds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a host knows no analysis by name; it finds these calls in struct cab_analysis.  Each
 *             is described where it is declared: in cache_section.h, cache_commit.h, and
 *             cache_rounds.h.
 * Threads:    as the state.
 */
#ifndef CAB_SECTIONED_H
#define CAB_SECTIONED_H

#include "analyses/live/cache/cache_rounds.h"
#include "analyses/live/cache/cache_section.h"

struct cab_sectioned
{
  /* cab_cache_sections_begin */
  bool (*begin) (struct cab_section_caches *caches, struct cab_arena *arena);
  /* cab_cache_take_section */
  void (*take) (struct cab_arena *arena, struct cab_section_worker *worker,
		const struct cab_section_caches *caches, struct cab_section *section);
  /* cab_cache_rounds_fed */
  unsigned (*rounds_fed) (const struct cab_arena *arena);
  /* cab_cache_round_words, _begin, _end and _repeat */
  uint64_t (*round_words) (const struct cab_arena *arena);
  void (*round_begin) (struct cab_section_round *round, const struct cab_arena *arena,
		       uint64_t *words);
  bool (*round_end) (struct cab_section_round *round, struct cab_arena *arena);
  void (*round_repeat) (const struct cab_section_round *round, struct cab_arena *arena, uint64_t n,
			uint64_t ahead, uint64_t rows);
  /* cab_cache_ahead_room, cab_cache_ahead and cab_cache_ahead_end */
  uint64_t *(*ahead_room) (struct cab_arena *arena, uint64_t n);
  uint64_t (*ahead) (const struct cab_arena *arena, const uint64_t **words, uint64_t *rows_had);
  void (*ahead_end) (struct cab_arena *arena);
};

#endif
