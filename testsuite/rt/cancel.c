/* cancel.c - threads that are cancelled before their first event work: the runtime's own system
 * calls are not points of cancellation.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);

#define THREADS 20
#define EVENTS 100000

static int cancelled, sent;

/* This thread is cancelled before it has sent anything; it ends where it asks. */
static void *
late (void *unused)
{
  while (!__atomic_load_n (&cancelled, __ATOMIC_ACQUIRE))
    ;
  for (int i = 0; i < EVENTS; i++)
    {
      probe_count (&row, 2);
      probe_enqueue (probe_path (&row, i % 10));
    }
  __atomic_fetch_add (&sent, EVENTS, __ATOMIC_RELEASE);
  pthread_testcancel ();
  return unused;
}

static int
run (void)
{
  for (int i = 0; i < THREADS; i++)
    {
      pthread_t id;
      void *result;
      __atomic_store_n (&cancelled, 0, __ATOMIC_RELEASE);
      pthread_create (&id, NULL, late, NULL);
      pthread_cancel (id);
      __atomic_store_n (&cancelled, 1, __ATOMIC_RELEASE);
      pthread_join (id, &result);
      if (result != PTHREAD_CANCELED)
	return 1;
    }
  return sent != THREADS * EVENTS;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return run ();
  static const char *const options[] = { "ring=4K:chunk=512", "placement=inline", "" };
  const char *base = judge_directory ();
  for (int i = 0; i < 3; i++)
    {
      char dir[512], parts[2][512];
      snprintf (dir, sizeof dir, "%s/%d", base, i);
      CHECK (judge_run (dir, options[i], "late", 0) == 0, "%s", options[i]);
      CHECK (judge_parts (dir, parts, 2) == 1, "one part");
      struct judge_part part = judge_open (parts[0]);
      uint64_t sum = 0;
      for (int path = 0; path < 10; path++)
	sum += judge_paths (&part, 1, path);
      CHECK (sum == (uint64_t) THREADS * EVENTS, "%s: %lu events", options[i], sum);
      CHECK (judge_count (&part, 1, 2) == (uint64_t) THREADS * EVENTS, "%s: counts", options[i]);
      judge_close (&part);
    }
  return 0;
}
