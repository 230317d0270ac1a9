/* test_counted.c - events of regions counted by their headers: as many headers as meet in the
 * decoder's table, and words that look like them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "testsuite/unit/one_function.h"
#include "testsuite/unit/seeded.h"

#define N_REGIONS 20000   /* accesses 2 * I and 2 * I + 1 are of region I */
#define N_EVENTS 60000

enum form
{
  SINGLE,    /* a pass per event */
  COUNTED,   /* as many passes as the word says */
  RANGED,    /* a pass, with a range */
  RANGES     /* a range and nothing else */
};

static enum form
form_of (uint64_t region)
{
  return region % 64 < 4 ? region % 64 : region & 1;
}

static uint64_t words[2 * N_EVENTS];

static uint64_t
header_of (uint64_t region)
{
  return header (FN, region, CAB_ACCESS_REGION, 1);
}

static void
make_table (void)
{
  size_t room = N_REGIONS * 200, n = 0;
  char *text = XNEWVEC (char, room);
  for (int i = 0; i < 2 * N_REGIONS; i++)
    {
      if (i % 2 == 0)
	n += snprintf (text + n, room - n, "R\t%d\t1\t%s\n", i / 2,
		       form_of (i / 2) == COUNTED ? "0" : "-");
      bool range = form_of (i / 2) == RANGES || (form_of (i / 2) == RANGED && !(i & 1));
      n += snprintf (text + n, room - n, "A\t%d\t%d\t0:1:1\t%s\t%d\t%s\t0\t-\t0\t-\tx\n", i, i / 2,
		     range ? "rg" : "r", range ? 0 : 4, form_of (i / 2) == COUNTED ? "-" : "0");
    }
  CU_ASSERT_FATAL (parse (text));
  free (text);
}

/* Make events, most of them of a few hundred regions for a while; TIMES: of each access. */
static void
make_words (uint64_t *times)
{
  uint64_t from = 0;
  for (size_t i = 0; i < N_EVENTS; i++)
    {
      from = draw (3000) ? from : draw (N_REGIONS);
      uint64_t region = draw (20) ? (from + draw (400) * 41) % N_REGIONS : draw (N_REGIONS);
      words[2 * i] = header_of (region);
      words[2 * i + 1] = form_of (region) == COUNTED ? (1 + draw (9)) << 8 : draw (UINT64_MAX);
      times[2 * region] += form_of (region) == COUNTED ? words[2 * i + 1] >> 8 : 1;
      times[2 * region + 1] = times[2 * region];
    }
}

/* Decode the next batch of D; return how many words it took. */
static size_t
decode (struct cab_decode *d, size_t at)
{
  d->by_shape = true;
  return cab_decode (d, words + at, 2 * N_EVENTS - at, 0);
}

static bool
is_same (const struct cab_decode *a, const struct cab_decode *b)
{
  return a->shapes.n == b->shapes.n && a->access.n == b->access.n
      && !memcmp (a->shape, b->shape, a->shapes.n * sizeof *a->shape)
      && !memcmp (a->passes, b->passes, a->shapes.n * sizeof *a->passes)
      && !memcmp (a->rows.site, b->rows.site, a->rows.n * sizeof *a->rows.site)
      && !memcmp (a->rows.bytes, b->rows.bytes, a->rows.n * sizeof *a->rows.bytes);
}

/* Add the counts of D's batches to TIMES, by access; return how many shapes have more than one
   row. */
static size_t
add_times (const struct cab_decode *d, uint64_t *times)
{
  uint32_t *rows = XCNEWVEC (uint32_t, N_REGIONS);
  size_t twice = 0;
  for (uint32_t i = 0; i < d->shapes.n; i++)
    {
      const struct cab_shape *shape = d->shape[i];
      for (uint32_t k = 0; k < shape->n; k++)
	times[shape->site[k] - FIRST] += d->passes[i];
      twice += rows[(shape->site[0] - FIRST) / 2]++ == 1;
    }
  for (uint32_t i = 0; i < d->rows.n; i++)
    times[d->rows.site[i] - FIRST]++;
  free (rows);
  return twice;
}

/* Rows are the same whatever came before, and together give the number of passes. Return how many
   headers have had no place. */
static size_t
decode_words (void)
{
  struct cab_decode *warm = XCNEW (struct cab_decode), *fresh = XCNEW (struct cab_decode);
  uint64_t *want = XCNEWVEC (uint64_t, 2 * N_REGIONS), *got = XCNEWVEC (uint64_t, 2 * N_REGIONS);
  size_t twice = 0;
  make_words (want);
  warm->records = &records;
  for (size_t at = 0, taken; at < 2 * N_EVENTS; at += taken)
    {
      memset (fresh, 0, sizeof *fresh);
      fresh->records = &records;
      taken = decode (fresh, at);
      CU_ASSERT_FATAL (taken > 0 && taken == decode (warm, at) && !warm->n_unknown);
      CU_ASSERT (is_same (warm, fresh));
      twice += add_times (warm, got);
      while (cab_decode_pending (warm))
	{
	  cab_decode (warm, words, 0, 0);
	  add_times (warm, got);
	}
    }
  CU_ASSERT (!memcmp (got, want, 2 * N_REGIONS * sizeof *got));
  free (got);
  free (want);
  free (warm);
  free (fresh);
  return twice;
}

/* Of 300 seeds one makes words whose headers all have a place. */
static void
test_many_headers (void)
{
  size_t twice = 0;
  make_table ();
  for (unsigned tries = 0; !twice && tries < 20; tries++)
    twice = decode_words ();
  CU_ASSERT (twice > 0);
}

/* Words of other kinds differ from the header of counted events in their kind only. */
static void
test_likeness (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  make_table ();
  d->records = &records;
  for (unsigned kind = 1; kind < 15; kind++)
    {
      uint64_t like = header_of (1) ^ CAB_EV_ACCESS ^ kind, stream[40] = {
	header_of (1), 5 << 8, header_of (4), 0, like, header_of (1), 1 << 8
      };
      if (kind == CAB_EV_ACCESS || kind == CAB_EV_ESCAPE)
	continue;
      d->by_shape = true;
      d->n_accesses = 0;
      CU_ASSERT_EQUAL (cab_decode (d, stream, 40, 0), 40);
      CU_ASSERT (d->n_accesses == 3 && d->shapes.n == 2 && d->passes[0] == 6 && d->passes[1] == 1);
      CU_ASSERT_EQUAL (d->call.n, cab_decode_kind (like) == CAB_EV_CALL);
    }
  free (d);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "many headers", test_many_headers },
    { "words that look like headers", test_likeness },
    CU_TEST_INFO_NULL
  };
  int status = run_seeded (argc, argv, "counted", tests);
  free (table);
  return status;
}
