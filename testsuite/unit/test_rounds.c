/* test_rounds.c - repeated words are left out only after as many equal rounds as are wanted, and
 * all words are accounted for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/event.h"
#include "analyses/wire/decode.h"
#include "rt/engine/feed/rounds.h"
#include "testsuite/unit/seeded.h"

#define MOST (1u << 22)
#define ACCESSES 5000u   /* of an event */

/* Words as they are made, and what of them was fed, or counted. */
struct stream
{
  uint64_t *words;
  size_t n;
};

static uint64_t out[MOST];
static size_t n_out, n_left_out;

/* Add an event of N raw words, one of KINDS of them. */
static void
put_event (struct stream *s, uint64_t kinds)
{
  uint64_t what = draw (kinds), raw = what % 5;
  if (s->n + 6 > MOST)
    abort ();
  s->words[s->n++] = (1 + what / 5) % (1u << 20) << CAB_EV_FN_SHIFT
		   | (uint64_t) CAB_ACCESS_REGION << CAB_EV_ACCESS_FORM_SHIFT
		   | raw << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
  for (uint64_t i = 0; i < raw; i++)
    s->words[s->n++] = what * (i + 1) << 4;
}

/* Add SOME words of the stream, TIMES times more. */
static void
put_again (struct stream *s, size_t from, size_t n, size_t times)
{
  for (; times > 0 && s->n + n <= MOST; times--, s->n += n)
    memcpy (s->words + s->n, s->words + from, n * sizeof *s->words);
}

static void
feed (const uint64_t *words, size_t n)
{
  CU_ASSERT_FATAL (n_out + n <= MOST);
  memcpy (out + n_out, words, n * sizeof *words);
  n_out += n;
}

/* Return true if the last TIMES * N words that came are the N words of ROUND, TIMES times. */
static bool
is_proved (const uint64_t *round, size_t n, size_t times)
{
  bool good = n_out >= n * times;
  for (size_t i = 0; good && i < times; i++)
    good = !memcmp (out + n_out - (i + 1) * n, round, n * sizeof *round);
  return good;
}

/* Check that all that was left out is reported, and feed it. */
static void
leave (struct cab_rounds *r)
{
  for (uint64_t i = cab_rounds_tell (r); i > 0; i--)
    feed (r->round, r->length);
  feed (r->round, r->at);
  cab_rounds_leave (r);
}

/* Do what the caller does, with FED equal rounds in a row; REFUSING: now and then it cannot. */
static void
take (struct cab_rounds *r, const uint64_t *words, size_t n, unsigned fed, bool refusing)
{
  static uint64_t room[CAB_ROUNDS_MOST];
  uint64_t accesses = 0;
  for (size_t taken; n > 0; words += taken, n -= taken)
    {
      enum cab_rounds_what what = cab_rounds_next (r, words, n, accesses + n_out * ACCESSES,
						   &taken);
      size_t events = 0;
      while (events < taken)
	events += 1 + cab_decode_raw (words[events]);
      CU_ASSERT_FATAL (taken <= n && events == taken
		       && (taken > 0) == (what == CAB_ROUNDS_FEED || what == CAB_ROUNDS_SKIP));
      if (what == CAB_ROUNDS_FEED)
	feed (words, taken);
      else if (what == CAB_ROUNDS_SKIP)
	n_left_out += taken;
      else if (what == CAB_ROUNDS_LEAVE)
	leave (r);
      else if (refusing && !draw (4))
	cab_rounds_refuse (r);
      else
	{
	  CU_ASSERT_FATAL (r->length > 0 && r->length <= CAB_ROUNDS_MOST);
	  CU_ASSERT (what == CAB_ROUNDS_ROOM || is_proved (r->round, r->length, r->times));
	  CU_ASSERT (what != CAB_ROUNDS_END || r->times > 0);
	  if (what == CAB_ROUNDS_END && r->times < fed)
	    cab_rounds_more (r);
	  else
	    cab_rounds_go_on (r, room);
	}
    }
}

/* Send S in pieces, as they are reported; all of it has come in the end. REFUSING: some pieces are
   not reported, either. */
static void
check (const struct stream *s, unsigned fed, bool refusing)
{
  struct cab_rounds *r = XCNEW (struct cab_rounds);
  static uint64_t kept[CAB_ROUNDS_MOST];
  n_out = n_left_out = 0;
  cab_rounds_clear (r);
  r->kept = draw (4) ? kept : NULL;
  for (size_t at = 0; at < s->n;)
    {
      size_t some = at, want = at + 1 + draw (draw (2) ? 100 : 20000);
      while (some < s->n && some < want)
	some += 1 + cab_decode_raw (s->words[some]);
      if (refusing && !draw (20))   /* it was fed by another way */
	{
	  if (r->state == CAB_ROUNDS_SAME)
	    leave (r);
	  feed (s->words + at, some - at);
	  cab_rounds_miss (r, some - at);
	}
      else
	take (r, s->words + at, some - at, fed, refusing);
      at = some;
    }
  if (r->state == CAB_ROUNDS_SAME)
    leave (r);
  CU_ASSERT (n_out == s->n && !memcmp (out, s->words, s->n * sizeof *out));
  free (r);
}

/* Events of all sorts come, some stretches of which are repeated, once or often, and parts of these
   as well. */
static void
test_any (void)
{
  struct stream s = { XNEWVEC (uint64_t, MOST), 0 };
  size_t left_out = 0;
  for (int i = 0; i < 150; i++)
    {
      uint64_t kinds = draw (2) ? 6 : 20000;
      s.n = 0;
      for (uint64_t n = draw (8) + 1; n > 0; n--)
	{
	  size_t from = s.n, length = 1 + draw (draw (3) ? 300 : 20000);
	  while (s.n < from + length)
	    {
	      size_t inner = s.n;
	      put_event (&s, kinds);
	      if (!draw (300))
		put_again (&s, inner, s.n - inner, draw (40));
	    }
	  if (draw (2) && (s.n - from) < MOST / 200)
	    put_again (&s, from, s.n - from, draw (20));
	  if (s.n > MOST / 2)
	    break;
	}
      check (&s, 2 + draw (4), !draw (3));
      left_out += n_left_out;
    }
  CU_ASSERT (left_out > 1000000);
  free (s.words);
}

/* A plain round is found soon, whatever its length. So it mostly is where a round has the same
   twice; of long ones, depending on the words drawn, one of some 40 is not. */
static void
test_found (void)
{
  static const size_t lengths[] = { 3, 40, 900, 30000, 200000 };
  struct stream s = { XNEWVEC (uint64_t, MOST), 0 };
  int n_missed = 0;
  for (int i = 0; i < 30; i++)
    {
      size_t length = lengths[i % 5], from;
      s.n = 0;
      for (uint64_t n = draw (2000); n > 0; n--)
	put_event (&s, 20000);
      from = s.n;
      while (s.n < from + length)
	put_event (&s, 1000000);
      if (i % 2 && length < 100000)   /* the same twice, then something else */
	{
	  put_again (&s, from, s.n - from, 1);
	  put_event (&s, 1000000);
	}
      length = s.n - from;
      put_again (&s, from, length, length < 100000 ? 400000 / length : 15);
      check (&s, 3, false);
      bool found = n_left_out > (s.n - from) / 4;
      if (!found)
	printf ("%zu words, %zu of %zu left out\n", length, n_left_out, s.n);
      n_missed += !found;
      CU_ASSERT (found || (i % 2 && length > 40000));
    }
  CU_ASSERT (n_missed <= 2);
  free (s.words);
}

/* Where nothing is repeated the search is rare, but a later repetition is still found. */
static void
test_late (void)
{
  struct stream s = { XNEWVEC (uint64_t, MOST), 0 };
  while (s.n < MOST / 4)
    put_event (&s, UINT64_C (1) << 40);
  size_t from = s.n;
  while (s.n < from + 5000)
    put_event (&s, UINT64_C (1) << 40);
  put_again (&s, from, s.n - from, (MOST - s.n) / (s.n - from));
  check (&s, 3, false);
  CU_ASSERT (n_left_out > MOST / 8);
  free (s.words);
}

/* Rounds between which words were missed do not follow each other. */
static void
test_missed (void)
{
  struct stream s = { XNEWVEC (uint64_t, MOST), 0 };
  struct cab_rounds *r = XCNEW (struct cab_rounds);
  while (s.n < 300)
    put_event (&s, 1000000);
  size_t round = s.n;
  put_event (&s, 1000000);
  n_out = n_left_out = 0;
  cab_rounds_clear (r);
  for (int i = 0; i < 200; i++)
    {
      for (uint64_t n = 1 + draw (2); n > 0; n--)
	take (r, s.words, round, 3, false);
      feed (s.words + round, s.n - round);
      cab_rounds_miss (r, s.n - round);
    }
  CU_ASSERT_EQUAL (n_left_out, 0);
  for (int i = 0; i < 9000; i++)
    take (r, s.words, round, 3, false);
  CU_ASSERT (n_left_out > 1000 * round);
  free (r);
  free (s.words);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "any words", test_any },
    { "rounds are found", test_found },
    { "late ones, too", test_late },
    { "words that were missed", test_missed },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "rounds", tests);
}
