/* test_trace_words.c - words of chunks are packed and unpacked: strides, cycles, any bits at all;
 * mangled bytes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_unpack.h"
#include "cabprof/event.h"

#define N 4096
static uint64_t seed = 7;

static uint64_t
draw (void)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return seed >> 20 ^ seed << 40;
}

static uint64_t
access_header (unsigned region, unsigned raw)
{
  return UINT64_C (5) << CAB_EV_FN_SHIFT | (uint64_t) region << CAB_EV_REGION_SHIFT
       | (uint64_t) raw << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
}

enum kind { WALKS, LISTS, ANY_BITS, LONG_EVENTS, N_KINDS };

/* LISTS: one that is walked again and again; LONG_EVENTS: of 0 to 40 raw words, so that codes fill
   words of eight bytes and more. */
static void
make (enum kind kind, uint64_t *words, uint64_t *cursor)
{
  for (size_t i = 0; i < N;)
    {
      unsigned raw = kind == WALKS ? 2 : kind == LISTS ? 1 : draw () % (kind == ANY_BITS ? 8 : 41);
      words[i] = kind == ANY_BITS && draw () % 4 == 0
		 ? draw ()
		 : access_header (kind == ANY_BITS ? draw () % 3 : 0, raw);
      i++;
      for (unsigned k = 0; k < raw && i < N; k++, ++*cursor)
	words[i++] = kind == WALKS ? 0x7000 * k + *cursor * 8
		   : kind == LISTS ? (*cursor % 97 * 7919 % 97) << 6
		   : draw () >> draw () % 64;
    }
}

/* Check that the packed words take at most MOST bytes a word. */
static void
round_trip (enum kind kind, double most)
{
  struct cab_words *to = XCNEW (struct cab_words), *from = XCNEW (struct cab_words);
  uint64_t *words = XNEWVEC (uint64_t, N), *back = XNEWVEC (uint64_t, N), cursor = 0;
  size_t sum = 0;
  for (int chunk = 0; chunk < 20; chunk++)
    {
      make (kind, words, &cursor);
      size_t n = chunk == 3 ? 0 : N - draw () % 3;
      unsigned char *packed = xmalloc (cab_words_room (n));
      size_t bytes = cab_words_pack (to, words, n, packed);
      CU_ASSERT (bytes <= cab_words_room (n));
      packed = xrealloc (packed, bytes);
      CU_ASSERT_EQUAL (cab_words_packed (packed, bytes), (int64_t) n);
      CU_ASSERT_EQUAL (cab_words_unpack (from, packed, bytes, back, n), 0);
      CU_ASSERT (!memcmp (words, back, n * sizeof *words));
      sum += bytes;
      free (packed);
    }
  CU_ASSERT (sum < most * 20 * N);
  free (to);
  free (from);
  free (words);
  free (back);
}

/* Two bytes for three words say how they were found. */
static void
walks (void)
{
  round_trip (WALKS, 0.7);
}

static void
lists (void)
{
  round_trip (LISTS, 1.6);
}

static void
any_bits (void)
{
  round_trip (ANY_BITS, 9);
  round_trip (LONG_EVENTS, 9);
}

/* A word that differs in every bit from its prediction needs the most room: alone, as a header, and
   after one. */
static void
worst (void)
{
  struct cab_words *to = XCNEW (struct cab_words), *from = XCNEW (struct cab_words);
  uint64_t words[512], back[512];
  for (int i = 0; i < 512; i++)
    words[i] = i & 1 ? UINT64_C (1) << 63 | draw () : (draw () & ~UINT64_C (15)) | CAB_EV_PATH;
  unsigned char *packed = xmalloc (cab_words_room (512));
  size_t bytes = cab_words_pack (to, words, 512, packed);
  CU_ASSERT (bytes <= cab_words_room (512));
  CU_ASSERT (cab_words_unpack (from, packed, bytes, back, 512) == 0
	     && !memcmp (words, back, sizeof words));
  free (packed);
  free (to);
  free (from);
}

/* Whatever the bytes are, reading ends, inside the words. */
static void
mangled (void)
{
  uint64_t *words = XNEWVEC (uint64_t, N), *back = XNEWVEC (uint64_t, 200), cursor = 0;
  unsigned char *packed = xmalloc (cab_words_room (200));
  int refused = 0, cut = 0;
  for (int round = 0; round < 300; round++)
    {
      struct cab_words *to = XCNEW (struct cab_words), *from = XCNEW (struct cab_words);
      make (round % N_KINDS, words, &cursor);
      size_t bytes = cab_words_pack (to, words, 200, packed),
	     less = round % 5 ? 0 : 1 + draw () % (bytes - 8);
      unsigned char *copy = xmemdup (packed, bytes - less, bytes - less);
      if (!less)
	copy[8 + draw () % (bytes - 8)] = draw ();
      bool bad = cab_words_unpack (from, copy, bytes - less, back, 200) < 0;
      refused += bad;
      cut += less != 0;
      CU_ASSERT (bad || !less);
      free (copy);
      free (to);
      free (from);
    }
  CU_ASSERT (cut == 60 && refused >= 120);
  CU_ASSERT_EQUAL (cab_words_packed ((const unsigned char *) "\1\2\3", 3), -1);
  CU_ASSERT_EQUAL (cab_words_packed ((const unsigned char *) "\1\2\3\4\5\6\7\10\0\0\0\0\0\0\0", 16),
		   -1);
  free (words);
  free (back);
  free (packed);
}

/* Unused bytes are an error: after the data, or after what says how words were found. */
static void
too_many (void)
{
  const uint64_t word = access_header (1, 0);
  for (int where = 0; where < 3; where++)
    {
      struct cab_words *to = XCNEW (struct cab_words), *from = XCNEW (struct cab_words);
      unsigned char *packed = XCNEWVEC (unsigned char, cab_words_room (1) + 1);
      uint64_t back;
      size_t bytes = cab_words_pack (to, &word, 1, packed);
      /* A byte more at the end; and the first of the data is taken for one that says how. */
      bytes += where == 1;
      packed[8] += where == 2;
      CU_ASSERT_EQUAL (cab_words_unpack (from, packed, bytes, &back, 1), where ? -1 : 0);
      free (packed);
      free (to);
      free (from);
    }
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("trace_words", NULL, NULL);
  CU_add_test (suite, "walks", walks);
  CU_add_test (suite, "lists", lists);
  CU_add_test (suite, "any bits", any_bits);
  CU_add_test (suite, "worst", worst);
  CU_add_test (suite, "mangled", mangled);
  CU_add_test (suite, "too many", too_many);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures () != 0;
  CU_cleanup_registry ();
  return failed;
}
