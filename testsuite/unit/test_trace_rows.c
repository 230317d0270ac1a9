/* test_trace_rows.c - rows of traces are read as they were written, whole or column by column; cut
 * off at any byte, foreign, mangled.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_rows.h"
#include "analyses/trace/trace_rows_layout.h"

#define N_ROWS 5000
static const char names[] = "F\t1\t7\tns::f\t_ZN2ns1fEv\ta.cc\t12\n"
			    "A\t1\t3\t7\ta.cc\t13\t4\tnode.v\\\\t\ta.cc:13:2\n"
			    "M\t1\t4\t7\ta.cc\t14\t4\tnode\tmalloc\n"
			    "C\t1\t3\t7\ta.cc\t15\t4\t*\n"
			    "Z\t1\t1\n"
			    "L\t0\t3\n"
			    "L\t0\t2\n";
static uint64_t seed = 1;

static uint64_t
draw (uint64_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (seed >> 33) % below;
}

static struct cab_trace_row
row_at (size_t i)
{
  return (struct cab_trace_row) { .time = i,
				  .address = i * 8,
				  .bytes = i & 7,
				  .other = ~i,
				  .times = 1,
				  .process = 1,
				  .thread = 2,
				  .fn = 7,
				  .site = 3,
				  .depth = i,
				  .kind = CAB_EV_ACCESS,
				  .form = 1,
				  .level = i & 255 };
}

static int
file_of (const void *bytes, size_t n)
{
  int fd = memfd_create ("rows", 0);
  if (write (fd, bytes, n) != (ssize_t) n)
    abort ();
  lseek (fd, 0, SEEK_SET);
  return fd;
}

/* Return a whole trace in memory. */
static char *
make (size_t *n)
{
  struct cab_rows_writer w;
  int fd = memfd_create ("rows", 0);
  cab_rows_begin (&w, fd);
  cab_rows_write_names (&w, names, sizeof names - 1);
  for (size_t i = 0; i < N_ROWS; i++)
    {
      struct cab_trace_row row = row_at (i);
      cab_rows_write (&w, &row, 1);
    }
  CU_ASSERT_EQUAL (cab_rows_end (&w), 0);
  *n = lseek (fd, 0, SEEK_END);
  char *bytes = xmalloc (*n);
  CU_ASSERT_EQUAL (pread (fd, bytes, *n, 0), (ssize_t) *n);
  close (fd);
  return bytes;
}

/* Read rows up to the end or an error; return -1 with the words in DIAG. */
static int
read_back (const void *bytes, size_t n, size_t *rows, bool check, struct cab_diag *diag)
{
  struct cab_rows_reader r;
  int fd = file_of (bytes, n), kind = cab_rows_open (&r, fd, "x", diag);
  bool opened = kind == 0;
  *rows = 0;
  while (opened && (kind = cab_rows_next (&r, diag)) > 0)
    for (size_t i = 0; kind == CAB_ROWS_ROWS && i < r.n_rows; i++, ++*rows)
      {
	struct cab_trace_row want = row_at (*rows);
	if (check && memcmp (&r.rows[i], &want, sizeof want))
	  CU_FAIL ("another row");
      }
  if (check && opened)
    {
      const struct cab_row_place *place = cab_rows_access (&r, 1, 3),
				 *block = cab_rows_access (&r, 1, 4);
      CU_ASSERT_FATAL (place && block && cab_rows_call (&r, 1, 3) && cab_rows_function (&r, 1, 7));
      CU_ASSERT (!strcmp (place->name, "node.v\\t") && place->line == 13 && place->fn == 7
		 && !strcmp (place->loop, "a.cc:13:2"));
      CU_ASSERT (block->is_allocation && !strcmp (block->callee, "malloc")
		 && !strcmp (block->name, "node"));
      CU_ASSERT_STRING_EQUAL (cab_rows_function (&r, 1, 7)->name, "ns::f");
      CU_ASSERT_PTR_NULL (cab_rows_access (&r, 2, 3));
      CU_ASSERT_EQUAL (cab_rows_caches (&r), 3);
    }
  if (opened)
    cab_rows_close (&r);
  close (fd);
  return kind;
}

static void
round_trip (void)
{
  struct cab_diag diag;
  size_t n, rows;
  char *bytes = make (&n);
  CU_ASSERT_EQUAL (read_back (bytes, n, &rows, true, &diag), CAB_ROWS_END);
  CU_ASSERT_EQUAL (rows, N_ROWS);
  free (bytes);
}

/* The columns are in another order, with an unknown one. */
static void
other_layout (void)
{
  struct cab_diag diag;
  size_t n, rows, to = 0;
  char *bytes = make (&n), *other = xcalloc (2, n);
  const size_t width = sizeof (struct cab_trace_row) + 8, columns = sizeof (struct cab_rows_header);
  memcpy (other, bytes, n);
  ((struct cab_rows_header *) other)->row_bytes = width;
  struct cab_rows_column *c = (struct cab_rows_column *) (other + columns);
  for (int i = 0; i < CAB_ROWS_COLUMNS; i++)
    c[i].offset = width - 8 - c[i].offset - c[i].bytes;
  to = columns + CAB_ROWS_COLUMNS * sizeof *c;
  for (size_t from = to; from < n;)
    {
      struct cab_rows_block_header h;
      memcpy (&h, bytes + from, sizeof h);
      from += sizeof h;
      size_t had = h.bytes;
      if (h.kind == CAB_ROWS_ROWS)
	h.bytes = h.n * width;
      memcpy (other + to, &h, sizeof h);
      to += sizeof h;
      if (h.kind != CAB_ROWS_ROWS)
	memcpy (other + to, bytes + from, had);
      else
	for (size_t k = 0; k < h.n; k++)
	  for (int i = 0; i < CAB_ROWS_COLUMNS; i++)
	    memcpy (other + to + k * width + c[i].offset,
		    bytes + from + k * sizeof (struct cab_trace_row) + cab_rows_columns[i].offset,
		    c[i].bytes);
      from += had;
      to += h.bytes;
    }
  CU_ASSERT_EQUAL (read_back (other, to, &rows, true, &diag), CAB_ROWS_END);
  CU_ASSERT_EQUAL (rows, N_ROWS);
  free (other);
  free (bytes);
}

static void
cut_off (void)
{
  struct cab_diag diag;
  size_t n, rows;
  char *bytes = make (&n);
  for (size_t k = 0; k < n; k += k < 1500 ? 1 : 997)
    {
      CU_ASSERT_EQUAL (read_back (bytes, k, &rows, false, &diag), -1);
      CU_ASSERT (!strncmp (diag.text, "x: at offset ", 13));
      if (k > 8 && !strstr (diag.text, "cut off"))
	CU_FAIL ("not said to be cut off");
    }
  CU_ASSERT_EQUAL (read_back ("this is a text", 14, &rows, false, &diag), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (diag.text, "is no trace of rows"));
  free (bytes);
}

static void
refused (size_t offset, uint32_t value, const char *words)
{
  struct cab_diag diag;
  size_t n, rows;
  char *bytes = make (&n);
  memcpy (bytes + offset, &value, sizeof value);
  CU_ASSERT_EQUAL (read_back (bytes, n, &rows, false, &diag), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (diag.text, words));
  free (bytes);
}

static void
foreign (void)
{
  refused (offsetof (struct cab_rows_header, version), 2, "another version");
  refused (offsetof (struct cab_rows_header, byte_order), 0x04030201, "another byte order");
  refused (offsetof (struct cab_rows_header, row_bytes), 0, "header is damaged");
  refused (offsetof (struct cab_rows_header, row_bytes), 8, "column lies outside");
  refused (offsetof (struct cab_rows_header, n_columns), UINT32_MAX, "header is damaged");
}

/* Any bytes give an error with a message, or other rows. */
static void
mangled (void)
{
  struct cab_diag diag;
  size_t n, rows;
  char *bytes = make (&n), *copy = xmalloc (n);
  for (int round = 0; round < 600; round++)
    {
      memcpy (copy, bytes, n);
      for (int k = draw (4); k >= 0; k--)
	copy[draw (draw (2) ? 800 : n)] = draw (256);
      diag.text[0] = 0;
      if (read_back (copy, n, &rows, false, &diag) < 0 && !diag.text[0])
	CU_FAIL ("an error without words");
    }
  free (copy);
  free (bytes);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("trace_rows", NULL, NULL);
  CU_add_test (suite, "round trip", round_trip);
  CU_add_test (suite, "other layout", other_layout);
  CU_add_test (suite, "cut off", cut_off);
  CU_add_test (suite, "foreign", foreign);
  CU_add_test (suite, "mangled", mangled);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures () != 0;
  CU_cleanup_registry ();
  return failed;
}
