/* late.c - the last events are counted too: in atexit handlers, in destructors that run after the
 * runtime's own, in destructors of thread keys, in threads that outlive main, and before _exit.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);

static pthread_key_t key;
static int running;

static void
send (int n, int path)
{
  for (int i = 0; i < n; i++)
    {
      probe_enqueue (probe_path (&row, path));
      probe_count (&row, 2 + path);
    }
}

static void
at_exit (void)
{
  send (100, 1);
}

/* Destructors of the executable run before those of libraries, and the runtime's is one of a
   library. */
__attribute__ ((destructor (101))) static void
destructor (void)
{
  if (getenv ("CAB_TEST_RUN"))
    send (100, 2);
}

static void
key_destructor (void *value)
{
  intptr_t round = (intptr_t) value;
  send (10, 3);
  if (round < 4)
    pthread_setspecific (key, (void *) (round + 1));
}

static void *
with_key (void *arg)
{
  pthread_setspecific (key, (void *) 1);
  send (10, 4);
  return arg;
}

static void *
outlive (void *arg)
{
  send (1000, 5);
  __atomic_store_n (&running, 1, __ATOMIC_RELEASE);
  for (;;)
    pause ();
  return arg;
}

static int
program (const char *how)
{
  pthread_t thread;
  pthread_key_create (&key, key_destructor);
  atexit (at_exit);
  send (50, 0);
  for (int i = 0; i < 3; i++)
    {
      pthread_create (&thread, NULL, with_key, NULL);
      pthread_join (thread, NULL);
    }
  if (strstr (how, "outlive"))
    {
      pthread_create (&thread, NULL, outlive, NULL);
      while (!__atomic_load_n (&running, __ATOMIC_ACQUIRE))
	usleep (100);
    }
  if (strstr (how, "_exit"))
    _exit (0);
  return 0;
}

static void
check (const char *base, const char *options, const char *how)
{
  static int run;
  char dir[512], parts[2][512];
  snprintf (dir, sizeof dir, "%s/data%d", base, run++);
  int status = judge_run (dir, options, how, 0);
  CHECK (status == 0, "%s %s: status %x", options, how, status);
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  bool exits = !strstr (how, "_exit");
  uint64_t wanted[6] = {
    50, exits ? 100 : 0, exits ? 100 : 0, 120, 30, strstr (how, "outlive") ? 1000 : 0
  };
  for (int i = 0; i < 6; i++)
    {
      uint64_t traced = judge_paths (&part, 1, i), counted = judge_count (&part, 1, 2 + i);
      CHECK (counted == wanted[i], "%s %s: counted %d: %lu of %lu", options, how, i, counted,
	     wanted[i]);
      CHECK (traced == wanted[i], "%s %s: traced %d: %lu of %lu", options, how, i, traced,
	     wanted[i]);
    }
  CHECK ((part.header->end_realtime_ns != 0) == exits, "end time");
  judge_close (&part);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  const char *options[] = { "ring=512:chunk=64", "placement=inline", "" };
  const char *base = judge_directory ();
  for (int i = 0; i < 3; i++)
    {
      check (base, options[i], "plain");
      check (base, options[i], "outlive");
      check (base, options[i], "_exit");
      check (base, options[i], "outlive _exit");
    }
  return 0;
}
