/* finish.c - the states of a process' analyses, with the events that its rings still held applied
 * to them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/base/heap.h"
#include "analyses/wire/keyed.h"
#include "analyses/live/user_analysis.h"
#include "analyses/profile/finish/finish_keyed.h"
#include "analyses/profile/finish/finish_records.h"
#include "analyses/profile/finish/finish_rest.h"
#include "analyses/profile/finish/finish_words.h"
#include "analyses/profile/finish/live_rings.h"
#include "analyses/profile/part_control.h"

static void
problem (struct cab_finish *finish, const struct cab_diag *diag)
{
  /* Each part of a state, and each ring's state, may have the same. */
  if (finish->n_problems && !strcmp (finish->problems[finish->n_problems - 1].text, diag->text))
    return;
  finish->problems = XRESIZEVEC (struct cab_diag, finish->problems, finish->n_problems + 1);
  finish->problems[finish->n_problems++] = *diag;
}

/* Set ONE to a checked copy of arena I. */
static int
load_arena (const struct cab_part *part, uint32_t i, uint32_t set,
	    const struct cab_part_arena_part *key, struct cab_finish_arena *one,
	    struct cab_diag *diag)
{
  const struct cab_part_arena *from = &part->header->arenas[i];
  const char *name = cab_part_string (part, from->analysis);
  struct cab_diag inner;
  uint64_t bytes;
  *one = (struct cab_finish_arena) {
    .analysis = cab_user_find (name, &inner), .thread = from->thread, .ring = from->ring, .set = set
  };
  one->key = key ? *key : one->key;
  if (one->key.n_parts != CAB_PART_SERIAL
      && (one->key.n_parts > CAB_KEYED_PARTS
	  || (one->key.n_parts && one->key.part > one->key.n_parts)))
    return cab_refuse (part->path, diag,
		       "the state of \"%s\" is said to be part %u of %u: the file is damaged", name,
		       one->key.part, one->key.n_parts);
  one->is_check = one->key.n_parts && one->key.part == one->key.n_parts;
  one->present = from->present ? from->present : from->thread + 1;
  if (!one->analysis && inner.text[0])
    return cab_refuse (part->path, diag,
		       "holds results of an analysis \"%.40s\", which are left out: %.300s", name,
		       inner.text);
  if (!one->analysis)
    return cab_refuse (part->path, diag,
		       "holds results of an analysis \"%.40s\" that this cabprof does not have: "
		       "they are left out; if it is your "
		       "own, report it as PATH/%.40s.so, or name its directory in CABPROF_ANALYSES",
		       name, name);
  void *base = cab_part_area (part, CAB_EXT_ARENA, i, &bytes, diag);
  if (!base && bytes)
    return -1;
  if (from->used_bytes > bytes)
    {
      free (base);
      return cab_refuse (
	part->path, diag,
	"the state of \"%s\" is said to have %ju of %ju bytes: the file is damaged", name,
	(uintmax_t) from->used_bytes, (uintmax_t) bytes);
    }
  cab_heap_adopt (&one->arena, base, bytes, from->used_bytes);
  if (part->alive && one->analysis->let_go)
    one->analysis->let_go (&one->arena);
  if (one->analysis->check (&one->arena, &inner) == 0)
    {
      if (!part->alive && one->analysis->resume)
	one->analysis->resume (&one->arena);
      one->begun = one->key.n_parts == CAB_PART_SERIAL;
      one->before = one->begun ? one->analysis->applied (&one->arena)
				 + one->analysis->lost (&one->arena)
			       : 0;
      return 0;
    }
  cab_heap_fini (&one->arena);
  return inner.text[0]
	 ? cab_refuse (part->path, diag, "%s: it is left out", inner.text)
	 : cab_refuse (part->path, diag,
		       "the state of \"%s\" does not pass its check: it is left out", name);
}

const struct cab_analysis *
cab_finish_analysis (const char *item)
{
  char name[CAB_OWN_NAME_BYTES];
  struct cab_diag diag;
  cab_user_name (item, name);
  return cab_user_find (name, &diag);
}

/* Make ARENA an empty state of ANALYSIS with the arguments that the process gave it.  An analysis
   that refuses them has no arena, and is fed nothing. */
static void
open_arena (struct cab_finish *finish, const struct cab_analysis *analysis, struct cab_arena *arena)
{
  char arguments[CAB_CHOICE_BYTES];
  struct cab_diag inner = { "" }, diag;
  *arena = (struct cab_arena) { .base = NULL };
  if (cab_heap_open_with (arena, analysis, cab_finish_arguments (finish, analysis, arguments),
			  &inner)
      == 0)
    return;
  snprintf (diag.text, sizeof diag.text,
	    "analysis %s does not take the arguments \"%.200s\" that the process gave it: %.200s",
	    analysis->name, arguments, inner.text);
  problem (finish, &diag);
}

/* Return true if the process had made ARENA, but not yet opened the state in it.  States begin with
   a mark; one without it that is empty is no loss. */
static bool
unopened (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  bool zero = arena->used < sizeof (uint32_t) || !*(const uint32_t *) arena->base;
  return zero && !analysis->applied (arena) && !analysis->lost (arena);
}

/* Let ONE get events of THREAD from now on, which may be another thread than before, since that has
   ended. */
static void
take_thread (struct cab_finish_arena *one, uint32_t thread)
{
  if (one->present == thread + 1)
    return;
  if (one->analysis->begin_thread && one->arena.base)
    one->analysis->begin_thread (&one->arena, thread);
  one->present = thread + 1;
  one->thread = UINT32_MAX;
}

/* Return true if ONE has events of ring NUMBER. */
static bool
is_of (const struct cab_finish_arena *one, uint32_t number)
{
  return one->ring == number || one->key.n_parts == CAB_PART_SERIAL;
}

struct cab_finish_arena *
cab_finish_find (struct cab_finish_rest *rest, const struct cab_analysis *analysis)
{
  bool is_split = cab_finish_is_split (rest->finish, analysis);
  for (struct cab_finish_arena *one = rest->finish->arenas;
       one < rest->finish->arenas + rest->finish->n_arenas; one++)
    if (one->analysis == analysis && is_of (one, rest->number)
	&& (!is_split || one->set == rest->header->set))
      return one;
  return NULL;
}

struct cab_finish_arena *
cab_finish_find_part (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
		      uint32_t part, uint32_t n_parts)
{
  struct cab_finish_arena *one = cab_finish_find (rest, analysis),
			  *end = rest->finish->arenas + rest->finish->n_arenas;
  uint32_t set = one ? one->set : 0;
  for (; one && one < end; one++)
    if (one->analysis == analysis && is_of (one, rest->number) && one->set == set
	&& (n_parts == CAB_PART_SERIAL || one->key.part == part) && one->key.n_parts == n_parts)
      return one;
  return NULL;
}

/* Add up what the states of ONE's ring and analysis for other sets have had: their events came
   before those that the ring holds. */
static void
sum_elsewhere (const struct cab_finish *finish, struct cab_finish_arena *one)
{
  for (uint32_t i = 0; i < finish->n_arenas && !one->summed; i++)
    {
      const struct cab_finish_arena *other = &finish->arenas[i];
      if (other != one && other->analysis == one->analysis && other->ring == one->ring
	  && other->arena.base)
	one->elsewhere += one->analysis->applied (&other->arena)
			+ one->analysis->lost (&other->arena);
    }
  one->summed = true;
}

struct cab_finish_arena *
cab_finish_arena_of (struct cab_finish_rest *rest, const struct cab_analysis *analysis)
{
  struct cab_finish_arena *one = cab_finish_part_of (rest, analysis, 0, 0);
  sum_elsewhere (rest->finish, one);
  return one;
}

struct cab_finish_arena *
cab_finish_part_of (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
		    uint32_t part, uint32_t n_parts)
{
  struct cab_finish *finish = rest->finish;
  struct cab_finish_arena *found = cab_finish_find_part (rest, analysis, part, n_parts);
  if (found)
    {
      take_thread (found, rest->header->thread);
      if (found->arena.base && unopened (analysis, &found->arena))
	{
	  cab_heap_fini (&found->arena);
	  open_arena (finish, analysis, &found->arena);
	}
      return found;
    }
  finish->arenas = XRESIZEVEC (struct cab_finish_arena, finish->arenas, finish->n_arenas + 1);
  struct cab_finish_arena *one = &finish->arenas[finish->n_arenas++];
  *one = (struct cab_finish_arena) { .analysis = analysis,
				     .thread = rest->header->thread,
				     .ring = n_parts == CAB_PART_SERIAL ? UINT32_MAX : rest->number,
				     .present = rest->header->thread + 1,
				     .key = { part, n_parts, { 0, 0 } } };
  one->set = !rest->header->set || cab_finish_is_split (finish, analysis) ? rest->header->set
									  : CAB_SET_ANY;
  open_arena (finish, analysis, &one->arena);
  return one;
}

/* Return the number of words of a CAB ring from WORDS up to the first CLEAR, at most N. */
uint64_t
cab_finish_written (const uint64_t *words, uint64_t n)
{
  uint64_t i = 0;
  while (i < n && words[i] != CAB_EV_CLEAR)
    i++;
  return i;
}

static void
finish_chunks (struct cab_finish_rest *rest)
{
  const struct cab_ring_header *h = rest->header;
  uint64_t stride = h->chunk_slots + CAB_RING_RED_SLOTS;
  for (uint64_t c = h->tail; c < h->head; c++)
    {
      uint32_t used = h->used[c % h->n_chunks];
      cab_finish_words (rest, rest->slots + c % h->n_chunks * stride, used < stride ? used : 0,
			true);
    }
  cab_finish_words (rest, rest->slots + h->head % h->n_chunks * stride,
		    cab_ring_open_words (h, h->head), false);
}

/* Finish a CAB ring, from the tail around the end up to the first CLEAR. */
static void
finish_cab (struct cab_finish_rest *rest)
{
  uint64_t from = rest->header->tail % rest->n_slots;
  uint64_t n = cab_finish_written (rest->slots + from, rest->n_slots - from);
  cab_finish_words (rest, rest->slots + from, n, false);
  if (from + n == rest->n_slots)
    cab_finish_words (rest, rest->slots, cab_finish_written (rest->slots, from), false);
}

/* Return true if the header is possible for a ring of BYTES bytes. */
bool
cab_finish_sound (const struct cab_ring_header *h, uint64_t bytes)
{
  bool chunks = h->type == CAB_RING_CHUNK;
  if (bytes < CAB_RING_HEADER_BYTES || h->n_chunks < 1 || (chunks && h->n_chunks > 256)
      || !h->chunk_slots || h->chunk_slots > 1u << 28)
    return false;
  uint64_t slots = (uint64_t) h->n_chunks * (h->chunk_slots + (chunks ? CAB_RING_RED_SLOTS : 0))
		 + !chunks;
  return (chunks || h->type == CAB_RING_CAB || h->type == CAB_RING_SAMPLED)
	 && slots <= (bytes - CAB_RING_HEADER_BYTES) / 8
	 && (!chunks || (h->head >= h->tail && h->head - h->tail <= h->n_chunks));
}

void
cab_finish_note_accesses (struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      if (analysis && analysis->kinds & (1u << CAB_EV_ACCESS | 1u << CAB_EV_VALUE))
	*(analysis->wants & CAB_WANTS_SHAPES ? &finish->shapes : &finish->rows) = true;
    }
}

/* Return how many words the ring H, of a process that reads only some events, holds after its
   tail. */
static uint64_t
left_of (const struct cab_ring_header *h)
{
  uint64_t slots = (uint64_t) h->n_chunks * h->chunk_slots, sum = 0;
  if (h->type == CAB_RING_SAMPLED)
    {
      uint64_t at = (h->cursor.next - h->slots_address) / 8;
      sum = h->head * slots + (h->head == h->entered && at <= slots ? at : 0);
      return sum > h->tail ? sum - h->tail : 0;
    }
  for (uint64_t c = h->tail; h->type == CAB_RING_CHUNK && c < h->head; c++)
    sum += h->used[c % h->n_chunks];
  return sum + (h->type == CAB_RING_CHUNK ? cab_ring_open_words (h, h->head) : 0);
}

/* Pass what the ring H of a process holds that reads only some events: none of it was chosen. */
static void
pass_ring (struct cab_finish *finish, const struct cab_ring_header *h)
{
  uint64_t left = left_of (h);
  finish->n_passed += left;
  finish->n_unpublished += h->type == CAB_RING_CHUNK ? cab_ring_open_words (h, h->head) : left;
}

static void
finish_ring (struct cab_finish *finish, const struct cab_part *part, uint32_t number,
	     const struct cab_decode_records *records)
{
  struct cab_diag diag;
  uint64_t bytes;
  struct cab_live_ring *live = part->alive ? cab_live_ring_of (finish->live, number) : NULL;
  void *copy = cab_part_area (part, CAB_EXT_RING, number, &bytes, &diag);
  const struct cab_ring_header *h = copy;
  if (part->alive && !(live && copy && cab_live_ring_holds (live, copy, bytes)))
    {
      free (copy);
      return;
    }
  if (!copy)
    {
      if (bytes)
	problem (finish, &diag);
      return;
    }
  if (!cab_finish_sound (h, bytes))
    {
      bool earlier = bytes >= CAB_RING_HEADER_BYTES && h->type == CAB_RING_EARLIER;
      cab_refuse (
	part->path, &diag,
	earlier
	  ? "ring %u was written by an earlier version of cabprof: what it still held is lost here"
	  : "ring %u is damaged: what it still held is lost",
	number);
      problem (finish, &diag);
      free (copy);
      return;
    }
  struct cab_part_control control;
  if (cab_part_control (part, &control) && control.share.burst_bytes)
    {
      pass_ring (finish, h);
      free (copy);
      return;
    }
  struct cab_finish_rest rest = { .finish = finish,
				  .part = part,
				  .number = number,
				  .header = h,
				  .n_slots = (uint64_t) h->n_chunks * h->chunk_slots };
  rest.slots = (const uint64_t *) ((const char *) copy + CAB_RING_HEADER_BYTES);
  rest.decode = XCNEW (struct cab_decode);
  rest.decode->records = records;
  unsigned bank = (h->type == CAB_RING_CHUNK ? h->tail : h->tail / h->chunk_slots) & 1;
  memcpy (rest.seen, h->seen[bank], sizeof h->seen[bank]);
  rest.seen[CAB_EV_TIMED] = h->timed[bank];
  rest.levelled = h->levelled[bank];
  cab_finish_begin_context (&rest);
  cab_finish_serial (&rest);
  if (h->type == CAB_RING_CHUNK)
    finish_chunks (&rest);
  else
    finish_cab (&rest);
  cab_finish_keyed_free (rest.keyed);
  free (rest.level_rows);
  free (rest.context);
  free (rest.decode);
  free (copy);
}

/* Return the ring whose events serial states were fed last, or -1 if there are no such states. */
static int64_t
serial_ring (const struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    if (finish->arenas[i].key.n_parts == CAB_PART_SERIAL)
      return finish->arenas[i].key.part;
  return -1;
}

/* Apply the events that rings hold: of a running process those that FINISH->live vouches for, of
   one that was killed all of them. */
static void
finish_rings (struct cab_finish *finish, const struct cab_part *part)
{
  uint32_t cursor = 0;
  cab_finish_note_accesses (finish);
  struct cab_finish_records *records = finish->shapes || finish->rows
				       ? cab_finish_records_open (part)
				       : NULL;
  for (uint32_t i = 0; i < finish->n_arenas && !part->alive; i++)
    cab_finish_ahead (&finish->arenas[i], records ? cab_finish_records_source (records) : NULL);
  int64_t first = serial_ring (finish);
  if (first >= 0)
    finish_ring (finish, part, first, records ? cab_finish_records_source (records) : NULL);
  for (int64_t ring; (ring = cab_part_next_owner (part, CAB_EXT_RING, &cursor)) >= 0;)
    if (ring != first)
      finish_ring (finish, part, ring, records ? cab_finish_records_source (records) : NULL);
  if (records)
    cab_finish_records_close (records);
}

/* Sort the states by ring.  The order in which they were created depends on which thread's events
   came first, and reports number what they find in that order, but the same run must give the same
   report each time.  A ring's states keep their order. */
static void
sort_by_ring (struct cab_finish *finish)
{
  for (uint32_t i = 1; i < finish->n_arenas; i++)
    {
      struct cab_finish_arena one = finish->arenas[i];
      uint32_t at = i;
      for (; at > 0 && finish->arenas[at - 1].ring > one.ring; at--)
	finish->arenas[at] = finish->arenas[at - 1];
      finish->arenas[at] = one;
    }
}

void
cab_finish_part (struct cab_finish *finish, const struct cab_part *part)
{
  struct cab_diag diag;
  memset (finish, 0, sizeof *finish);
  finish->arenas = XCNEWVEC (struct cab_finish_arena, part->header->n_arenas + 1);
  cab_finish_chosen (cab_part_string (part, part->header->options), finish->analyses,
		     sizeof finish->analyses);
  finish->live = part->alive ? cab_live_rings_new (part) : NULL;
  finish->sets = cab_part_arena_sets (part, &finish->n_sets);
  finish->keys = cab_part_arena_parts (part, &finish->n_keys);
  for (uint32_t i = 0; i < part->header->n_arenas; i++)
    if (load_arena (part, i, i < finish->n_sets ? finish->sets[i] : 0,
		    i < finish->n_keys ? &finish->keys[i] : NULL,
		    &finish->arenas[finish->n_arenas], &diag)
	== 0)
      finish->n_arenas++;
    else
      problem (finish, &diag);
  finish_rings (finish, part);
  cab_live_rings_free (finish->live);
  finish->live = NULL;
  sort_by_ring (finish);
}

void
cab_finish_fini (struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    cab_heap_fini (&finish->arenas[i].arena);
  free (finish->arenas);
  free (finish->sets);
  free (finish->keys);
  free (finish->problems);
  memset (finish, 0, sizeof *finish);
}
