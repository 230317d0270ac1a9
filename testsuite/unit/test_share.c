/* test_share.c - two threads share a line in the right way, from rows written here, and the
 * proposed remedy is worth it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <string.h>
#include "analyses/sharing/share_pair.h"
#include "analyses/sharing/share_remedy.h"
#include "analyses/live/an_sharing.h"

#define BYTES(first, n) (((UINT64_C (1) << (n)) - 1) << (first))
/* Accesses of 8 bytes, the Kth of the line: N times. */
#define READ(k, n) { .read = BYTES (8 * (k), 8), .reads = (n) }
#define WRITE(k, n) { .read = BYTES (8 * (k), 8), .written = BYTES (8 * (k), 8), .writes = (n) }
/* The same in memory of its own, or by line in other; bytes [FIRST, FIRST + M). */
#define OWN(first, m, n) \
  { \
    .own = true, .by_line = true, .written = BYTES (first, m), .writes = (n) \
  }
#define LINE(first, m, n) { .by_line = true, .written = BYTES (first, m), .writes = (n) }

struct side
{
  struct cab_share share;
  const struct cab_sharing_row *pointers[4];
};

static void
side_of (struct side *side, const struct cab_sharing_row rows[4])
{
  memset (side, 0, sizeof *side);
  side->share.rows = side->pointers;
  for (int i = 0; i < 4; i++)
    if (rows[i].read | rows[i].written)
      cab_share_add (&side->share, &rows[i]);
}

/* Return how A and B share their line; it is the same if they are exchanged. */
static struct cab_share_pair
pair_of (const struct cab_sharing_row a[4], const struct cab_sharing_row b[4])
{
  struct side x, y;
  side_of (&x, a);
  side_of (&y, b);
  struct cab_share_pair one = cab_share_pair (&x.share, &y.share),
			other = cab_share_pair (&y.share, &x.share);
  CU_ASSERT_EQUAL (one.kind, other.kind);
  CU_ASSERT_EQUAL (one.falsely, other.falsely);
  CU_ASSERT_EQUAL (one.apart[0], other.apart[1]);
  CU_ASSERT_EQUAL (one.apart[1], other.apart[0]);
  return one;
}

struct expected
{
  struct cab_sharing_row a[4], b[4];
  int kind;
  uint64_t falsely, apart[2];
};

static void
check (const struct expected *e, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      struct cab_share_pair pair = pair_of (e[i].a, e[i].b);
      CU_ASSERT_EQUAL (pair.kind, e[i].kind);
      CU_ASSERT_EQUAL (pair.falsely, e[i].falsely);
      CU_ASSERT_EQUAL (pair.apart[0], e[i].apart[0]);
      CU_ASSERT_EQUAL (pair.apart[1], e[i].apart[1]);
    }
}

#define BOTH (CAB_SHARE_TRUE | CAB_SHARE_FALSE)

static void
test_bytes (void)
{
  static const struct expected cases[] = {
    { { READ (0, 9) }, { READ (0, 9), READ (1, 9) }, 0, 0, { 0, 0 } },
    /* One counter, of one width or two, and two of them under one lock: nothing can be
       separated. */
    { { WRITE (0, 100) }, { WRITE (0, 300) }, CAB_SHARE_TRUE, 0, { 0, 0 } },
    { { WRITE (0, 100) }, { { .read = BYTES (0, 4), .reads = 300 } }, CAB_SHARE_TRUE, 0, { 0, 0 } },
    { { WRITE (0, 100), WRITE (1, 900) },
      { WRITE (0, 900), WRITE (1, 100) },
      CAB_SHARE_TRUE,
      0,
      { 0, 0 } },
    { { WRITE (0, 100) },
      { WRITE (1, 300) },
      CAB_SHARE_FALSE,
      100,
      { BYTES (0, 8), BYTES (8, 8) } },
    /* A value that is read is disturbed once for each write. */
    { { WRITE (0, 5) }, { READ (1, 300) }, CAB_SHARE_FALSE, 5, { BYTES (0, 8), BYTES (8, 8) } },
    /* Each has its own, and they have a third one in common, however often. */
    { { WRITE (1, 1000), WRITE (0, 10) },
      { WRITE (2, 1000), WRITE (0, 10) },
      BOTH,
      1000,
      { BYTES (8, 8), BYTES (16, 8) } },
    { { WRITE (1, 10), WRITE (0, 1000) },
      { WRITE (2, 10), WRITE (0, 1000) },
      BOTH,
      10,
      { BYTES (8, 8), BYTES (16, 8) } },
    /* Both read a setting, beside which one writes; and another one that both write. */
    { { READ (0, 50), WRITE (1, 70), WRITE (2, 1) },
      { READ (0, 60), WRITE (2, 1) },
      BOTH,
      61,
      { BYTES (0, 16), BYTES (0, 8) } },
  };
  check (cases, sizeof cases / sizeof *cases);
}

static void
test_counts (void)
{
  static const struct expected cases[] = {
    /* One counts beside the flag that the other one waits for, or reads what the other one has
       counted, in the end. */
    { { WRITE (1, 1000), WRITE (0, 1) },
      { READ (0, 1000) },
      BOTH,
      1000,
      { BYTES (8, 8), BYTES (0, 8) } },
    { { WRITE (1, 1000), READ (0, 1) },
      { WRITE (0, 1000) },
      BOTH,
      1000,
      { BYTES (8, 8), BYTES (0, 8) } },
    /* A neighbour that is read, or written, whenever the lock is taken belongs to it; one read much
       more often does not. */
    { { WRITE (0, 200), READ (1, 100) }, { WRITE (0, 200) }, CAB_SHARE_TRUE, 0, { 0, 0 } },
    { { WRITE (0, 200), WRITE (1, 100) }, { WRITE (0, 200) }, CAB_SHARE_TRUE, 0, { 0, 0 } },
    { { WRITE (0, 10), READ (1, 1000) },
      { WRITE (0, 1000) },
      BOTH,
      1000,
      { BYTES (8, 8), BYTES (0, 8) } },
    /* A thread that fills a structure once disturbs nobody, even if it fills more often than the
       other uses it. */
    { { WRITE (0, 1), WRITE (1, 1), WRITE (2, 1) },
      { WRITE (0, 1000) },
      CAB_SHARE_TRUE,
      0,
      { 0, 0 } },
    { { WRITE (0, 1), WRITE (1, 1), WRITE (2, 1) },
      { WRITE (0, 100) },
      BOTH,
      2,
      { BYTES (8, 16), BYTES (0, 8) } },
  };
  check (cases, sizeof cases / sizeof *cases);
}

static void
test_own (void)
{
  static const struct expected cases[] = {
    /* Own memory of both was released in between where it is the same; otherwise it lies side by
       side. */
    { { OWN (0, 8, 10) }, { OWN (0, 16, 10) }, 0, 0, { 0, 0 } },
    { { OWN (0, 8, 10) },
      { OWN (8, 16, 10) },
      CAB_SHARE_FALSE,
      10,
      { BYTES (0, 8), BYTES (8, 16) } },
    { { OWN (0, 8, 10) }, { WRITE (0, 20) }, CAB_SHARE_TRUE, 0, { 0, 0 } },
    /* Each uses all of the other's block as well: no bytes can be separated, in whichever they
       are. */
    { { OWN (0, 8, 10), LINE (8, 8, 10) },
      { OWN (8, 8, 10), LINE (0, 8, 10) },
      CAB_SHARE_TRUE,
      0,
      { 0, 0 } },
    /* By line, accesses are distributed evenly over the bytes: 30 of 40 are separate. */
    { { LINE (0, 32, 40) }, { LINE (24, 8, 100) }, BOTH, 30, { BYTES (0, 24), BYTES (24, 8) } },
    { { LINE (0, 32, 40) }, { LINE (8, 24, 100) }, CAB_SHARE_TRUE, 0, { 0, 0 } },
  };
  check (cases, sizeof cases / sizeof *cases);
}

static void
remedy_is (struct cab_share_use use, uint64_t padding, const char *text)
{
  struct cab_share_remedy remedy;
  cab_share_remedy (&use, &remedy);
  CU_ASSERT_EQUAL (remedy.padding, padding);
  CU_ASSERT_STRING_EQUAL (remedy.text, text);
}

static void
test_remedy (void)
{
  struct cab_share_use use = { .within = true,
			       .bytes = 64,
			       .element = 8,
			       .accesses = 1000,
			       .falsely = 1000,
			       .lines = 1,
			       .threads = 2 };
  remedy_is (use, 56, "align to 64, pad each element of 8 to 64");
  use.falsely = 30;
  remedy_is (use, 56, "align to 64, pad each element of 8 to 64, for at most 3 % of its accesses");
  use.falsely = 9;
  remedy_is (use, UINT64_MAX, "none is worth it: at most 9 of 1000 accesses suffer");
  use.falsely = 0;
  remedy_is (use, 56, "align to 64, pad each element of 8 to 64");
  use.falsely = 10;
  use.lines = 12500;
  remedy_is (use, UINT64_MAX,
	     "align to 64, let each thread's elements begin at a multiple of 8 of them (each "
	     "padded to 64: 8 times the memory), for at most 1 % of its accesses");
  use.falsely = 1000;
  use.element = 24;
  remedy_is (use, UINT64_MAX,
	     "align to 64, let each thread's elements begin at a multiple of 8 of them (each "
	     "padded to 64: 2.7 times the memory)");
  use.element = 100;
  remedy_is (use, UINT64_MAX,
	     "align to 64, let each thread's elements begin at a multiple of 16 of them (each "
	     "padded to 128: 1.3 times the memory)");
  use.element = 128;
  remedy_is (use, 0, "align each element to 64");
  use.element = 0;
  remedy_is (use, UINT64_MAX, "align to 64, keep what different threads access 64 apart");
  use.within = false;
  remedy_is (use, 0, "align to 64");
  use.bytes = 100;
  remedy_is (use, 28, "align to 64, pad from 100 to 128");
  use.bytes = 0;
  remedy_is (use, UINT64_MAX, "align to 64, pad to a multiple of 64");
}

/* An element for each of many threads is padded, a few more too. */
static void
test_slots (void)
{
  struct cab_share_use use = {
    .within = true, .element = 8, .accesses = 1000, .falsely = 1000, .threads = 64
  };
  use.lines = 8;
  remedy_is (use, 56, "align to 64, pad each element of 8 to 64");
  use.lines = 33;
  remedy_is (use, 56, "align to 64, pad each element of 8 to 64");
  use.lines = 34;
  remedy_is (use, UINT64_MAX,
	     "align to 64, let each thread's elements begin at a multiple of 8 of them (each "
	     "padded to 64: 8 times the memory)");
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("share", NULL, NULL);
  CU_add_test (suite, "by bytes", test_bytes);
  CU_add_test (suite, "by counts", test_counts);
  CU_add_test (suite, "own memory, and rows by line", test_own);
  CU_add_test (suite, "what keeps it apart", test_remedy);
  CU_add_test (suite, "an element for each thread", test_slots);
  CU_basic_run_tests ();
  int failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
