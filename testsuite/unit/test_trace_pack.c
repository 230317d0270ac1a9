/* test_trace_pack.c - words of chunks, packed and unpacked: strides, cycles, any bits at all; mangled bytes.
 * LINK: analyses/trace_pack.c */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/trace_pack.h"
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
  return UINT64_C (5) << CAB_EV_FN_SHIFT | (uint64_t) region << CAB_EV_REGION_SHIFT | (uint64_t) raw << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
}

/* KIND 0: walks; 1: a list that is walked again and again; 2: any bits. */
static void
make (int kind, uint64_t *words, uint64_t *cursor)
{
  for (size_t i = 0; i < N;)
    {
      unsigned raw = kind == 0 ? 2 : kind == 1 ? 1 : draw () % 8;
      words[i] = kind == 2 && draw () % 4 == 0 ? draw () : access_header (kind == 2 ? draw () % 3 : 0, raw);
      i++;
      for (unsigned k = 0; k < raw && i < N; k++, ++*cursor)
	words[i++] = kind == 0 ? 0x7000 * k + *cursor * 8 : kind == 1 ? (*cursor % 97 * 7919 % 97) << 6 : draw ();
    }
}

static void
round_trip (int kind, double most)
{
  struct cab_trace_pack *to = cab_trace_pack_new (), *from = cab_trace_pack_new ();
  uint64_t *words = XNEWVEC (uint64_t, N), *back = XNEWVEC (uint64_t, N), cursor = 0;
  size_t bytes = 0, sum = 0;
  for (int chunk = 0; chunk < 20; chunk++)
    {
      make (kind, words, &cursor);
      size_t n = chunk == 3 ? 0 : N - draw () % 3;
      const unsigned char *packed = cab_trace_pack_words (to, words, n, &bytes);
      CU_ASSERT_EQUAL (cab_trace_packed_words (packed, bytes), (int64_t) n);
      CU_ASSERT_EQUAL (cab_trace_unpack (from, packed, bytes, back, n), 0);
      CU_ASSERT (!memcmp (words, back, n * sizeof *words));
      sum += bytes;
    }
  CU_ASSERT (sum < most * 20 * N);
  cab_trace_pack_free (to);
  cab_trace_pack_free (from);
  free (words);
  free (back);
}

static void
walks (void)
{
  round_trip (0, 0.2);
}

static void
lists (void)
{
  round_trip (1, 1.6);
}

static void
any_bits (void)
{
  round_trip (2, 12);
}

/* Whatever the bytes are, it ends, inside the words. */
static void
mangled (void)
{
  uint64_t *words = XNEWVEC (uint64_t, N), *back = XNEWVEC (uint64_t, N), cursor = 0;
  size_t bytes;
  int refused = 0;
  for (int round = 0; round < 300; round++)
    {
      struct cab_trace_pack *to = cab_trace_pack_new (), *from = cab_trace_pack_new ();
      make (round % 3, words, &cursor);
      const unsigned char *packed = cab_trace_pack_words (to, words, 200, &bytes);
      unsigned char *copy = xmemdup (packed, bytes, bytes);
      if (round % 5)
	copy[8 + draw () % (bytes - 8)] = draw ();
      else
	bytes -= 1 + draw () % (bytes - 8);
      refused += cab_trace_unpack (from, copy, bytes, back, 200) < 0;
      free (copy);
      cab_trace_pack_free (to);
      cab_trace_pack_free (from);
    }
  CU_ASSERT (refused >= 60);
  CU_ASSERT_EQUAL (cab_trace_packed_words ((const unsigned char *) "\1\2\3", 3), -1);
  CU_ASSERT_EQUAL (cab_trace_packed_words ((const unsigned char *) "\1\2\3\4\5\6\7\10", 8), -1);
  free (words);
  free (back);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("trace_pack", NULL, NULL);
  CU_add_test (suite, "walks", walks);
  CU_add_test (suite, "lists", lists);
  CU_add_test (suite, "any bits", any_bits);
  CU_add_test (suite, "mangled", mangled);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures () != 0;
  CU_cleanup_registry ();
  return failed;
}
