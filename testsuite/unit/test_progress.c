/* test_progress.c - a line of progress appears when it should, by a clock of the test's, and
 * nothing of it stays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <CUnit/Basic.h>
#include "analyses/base/progress.h"

static int terminal = -1, saved = -1;
static char text[512];
static long now_ms = 1000;

int
clock_gettime (clockid_t clock, struct timespec *t)
{
  (void) clock;
  *t = (struct timespec) { now_ms / 1000, now_ms % 1000 * 1000000 };
  return 0;
}

/* Make standard error a terminal of the test's own, or what FILE is. */
static void
begin (const char *file)
{
  int to;
  saved = dup (2);
  if (file)
    to = open (file, O_RDWR | O_NOCTTY | O_CREAT | O_TRUNC, 0600);
  else
    {
      terminal = posix_openpt (O_RDWR | O_NOCTTY);
      CU_ASSERT_FATAL (terminal >= 0 && grantpt (terminal) == 0 && unlockpt (terminal) == 0);
      to = open (ptsname (terminal), O_RDWR | O_NOCTTY);
    }
  CU_ASSERT_FATAL (to >= 0);
  dup2 (to, 2);
  close (to);
}

/* Return what has been written so far. A terminal has it at once; if something is expected there is
   time. */
static const char *
written (bool something)
{
  struct pollfd fd = { terminal, POLLIN, 0 };
  ssize_t n = poll (&fd, 1, something ? 10000 : 100) > 0 ? read (terminal, text, sizeof text - 1)
							 : 0;
  text[n > 0 ? n : 0] = 0;
  return text;
}

static void
end (void)
{
  dup2 (saved, 2);
  close (saved);
  if (terminal >= 0)
    close (terminal);
  terminal = -1;
}

static void
work (void)
{
  cab_progress ("work", 1, 9);
  now_ms += 500;
  cab_progress ("work", 2, 9);
  now_ms += 99;
  cab_progress ("work", 3, 9);
}

static void
test_terminal (void)
{
  setenv ("TERM", "xterm", 1);
  begin (NULL);
  work ();
  CU_ASSERT_STRING_EQUAL (written (true), "\r\033[Kcabprof: work: 2 of 9");
  cab_progress_end ();
  CU_ASSERT_STRING_EQUAL (written (true), "\r\033[K");
  cab_progress ("more", 1, 9);
  cab_progress_end ();
  CU_ASSERT_STRING_EQUAL (written (false), "");
  cab_progress ("more", 1, 0);
  now_ms += 500;
  cab_progress ("more", 2, 0);
  CU_ASSERT_STRING_EQUAL (written (true), "\r\033[Kcabprof: more: 2");
  cab_progress_end ();
  end ();
}

static void
test_dumb_terminal (void)
{
  setenv ("TERM", "dumb", 1);
  begin (NULL);
  work ();
  cab_progress_end ();
  CU_ASSERT_STRING_EQUAL (written (false), "");
  end ();
}

static void
test_no_terminal (void)
{
  char name[] = "/tmp/cabprof-progress-XXXXXX";
  int file = mkstemp (name);
  CU_ASSERT_FATAL (file >= 0);
  setenv ("TERM", "xterm", 1);
  begin (name);
  work ();
  cab_progress_end ();
  end ();
  CU_ASSERT_EQUAL (lseek (file, 0, SEEK_END), 0);
  close (file);
  unlink (name);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("progress", NULL, NULL);
  CU_ADD_TEST (suite, test_terminal);
  CU_ADD_TEST (suite, test_dumb_terminal);
  CU_ADD_TEST (suite, test_no_terminal);
  CU_basic_run_tests ();
  unsigned n_failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return n_failed != 0;
}
