/* finish_stream.c - events from another source than a process' rings: cab_finish_stream in
 * finish.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish_rest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/finish/finish_keyed.h"
#include "analyses/profile/finish/finish_levels.h"
#include "analyses/profile/finish/finish_words.h"

static void
add (struct cab_finish *finish, const char *analysis)
{
  size_t at = strlen (finish->analyses);
  if (!cab_finish_chose (finish, analysis))
    snprintf (finish->analyses + at, sizeof finish->analyses - at, "+%s", analysis);
}

/* Add the analyses that give others columns, as a running process does by itself. */
static void
add_givers (struct cab_finish *finish)
{
  if (cab_finish_kinds_with_nodes (finish))
    add (finish, "tree");
  if (cab_finish_wants_levels (finish))
    add (finish, "levels");
}

struct cab_finish_stream
{
  struct cab_finish *finish;
  const struct cab_part *part;
  const struct cab_decode_records *records;
  uint32_t n_rings;
  struct cab_finish_rest **rings;
};

struct cab_finish_stream *
cab_finish_stream_new (struct cab_finish *finish, const struct cab_part *part, const char *analyses,
		       const struct cab_decode_records *records)
{
  struct cab_finish_stream *s = XCNEW (struct cab_finish_stream);
  memset (finish, 0, sizeof *finish);
  snprintf (finish->analyses, sizeof finish->analyses, "%s", analyses);
  s->finish = finish;
  s->part = part;
  add_givers (finish);
  cab_finish_note_accesses (finish);
  s->records = finish->shapes || finish->rows ? records : NULL;
  return s;
}

static struct cab_finish_rest *
ring_of (struct cab_finish_stream *s, uint32_t number)
{
  for (uint32_t i = 0; i < s->n_rings; i++)
    if (s->rings[i]->number == number)
      return s->rings[i];
  struct cab_finish_rest *rest = XCNEW (struct cab_finish_rest);
  *rest = (struct cab_finish_rest) {
    .finish = s->finish, .part = s->part, .number = number, .header = XCNEW (struct cab_ring_header)
  };
  rest->decode = XCNEW (struct cab_decode);
  rest->decode->records = s->records;
  cab_finish_begin_context (rest);
  s->rings = XRESIZEVEC (struct cab_finish_rest *, s->rings, s->n_rings + 1);
  s->rings[s->n_rings++] = rest;
  return rest;
}

void
cab_finish_stream_words (struct cab_finish_stream *s, uint32_t ring, uint32_t thread,
			 const uint64_t *words, size_t n)
{
  struct cab_finish_rest *rest = ring_of (s, ring);
  ((struct cab_ring_header *) rest->header)->thread = thread;
  cab_finish_words (rest, words, n, true);
}

void
cab_finish_stream_free (struct cab_finish_stream *s)
{
  for (uint32_t i = 0; i < s->n_rings; i++)
    {
      free ((struct cab_ring_header *) s->rings[i]->header);
      cab_finish_keyed_free (s->rings[i]->keyed);
      free (s->rings[i]->level_rows);
      free (s->rings[i]->context);
      free (s->rings[i]->decode);
      free (s->rings[i]);
    }
  free (s->rings);
  free (s);
}
