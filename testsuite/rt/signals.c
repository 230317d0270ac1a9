/* signals.c - handlers run instrumented code at any moment, under a storm of timers; some leave by
 * siglongjmp. No event is lost or counted twice.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (main_row, 14, 12, 1);
ROW (handler_row, 14, 12, 1);
ROW (late_row, 9, 12, 0);

#define EVENTS 3000000
#define THREADS 2

static uint64_t handled[THREADS + 1];
static __thread int self;
static sigjmp_buf back;

static void
handle (int sig)
{
  (void) sig;
  int saved = errno;
  probe_count (&handler_row, 2);
  for (int i = 0; i < 3; i++)
    {
      probe_enqueue (probe_call (&handler_row, 0, 0));
      probe_enqueue (probe_path (&handler_row, i));
    }
  handled[self]++;
  probe_count (&late_row, 5);
  errno = saved;
}

static void *
work (void *arg)
{
  self = (intptr_t) arg;
  for (int i = 0; i < EVENTS; i++)
    {
      probe_count (&main_row, 2);
      probe_enqueue (probe_path (&main_row, i % 10));
    }
  return NULL;
}

static int
storm (const char *path)
{
  struct itimerval timer = { { 0, 50 }, { 0, 50 } };
  struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
  pthread_t threads[THREADS];
  sigaction (SIGPROF, &action, NULL);
  setitimer (ITIMER_PROF, &timer, NULL);
  for (intptr_t k = 0; k < THREADS; k++)
    pthread_create (&threads[k], NULL, work, (void *) (k + 1));
  /* On a busy machine the threads may end before the first signal. */
  while (!__atomic_load_n (&handled[0], __ATOMIC_RELAXED)
	 && !__atomic_load_n (&handled[1], __ATOMIC_RELAXED)
	 && !__atomic_load_n (&handled[2], __ATOMIC_RELAXED))
    ;
  for (int k = 0; k < THREADS; k++)
    pthread_join (threads[k], NULL);
  timer = (struct itimerval) { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_PROF, &timer, NULL);
  FILE *file = fopen (path, "w");
  fprintf (file, "%lu\n", handled[0] + handled[1] + handled[2]);
  fclose (file);
  return 0;
}

static void
jump (int sig)
{
  (void) sig;
  siglongjmp (back, 1);
}

/* Act as if the signal had come between two instructions of an enqueue: the cursor stays busy. */
static int
leave (void)
{
  struct sigaction action = { .sa_handler = jump, .sa_flags = SA_NODEFER };
  sigaction (SIGUSR1, &action, NULL);
  probe_enqueue (probe_path (&main_row, 0));
  if (sigsetjmp (back, 1) == 0)
    {
      probe_mark (__cab_ctx.cursor, CAB_CURSOR_BUSY_BYTE);
      raise (SIGUSR1);
    }
  for (int i = 0; i < 200000; i++)
    probe_enqueue (probe_path (&main_row, i % 10));
  return probe_next (__cab_ctx.cursor) >> 63;
}

#define FLOOD 300000

static void
flood (int sig)
{
  (void) sig;
  for (int i = 0; i < FLOOD; i++)
    probe_enqueue (probe_path (&handler_row, i % 10));
}

/* Let handlers send more than is kept aside, while enqueues are interrupted that go on after them,
   at the beginning of a chunk and further on; the last instructions of these enqueues are written
   here once more. NO_ROOM: the ring cannot move except for the first time; where it stays, they do
   not go on. */
static int
overtake (bool no_room)
{
  struct sigaction action = { .sa_handler = flood };
  sigaction (SIGUSR1, &action, NULL);
  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < 1 + 5000 * k; i++)
	probe_enqueue (probe_path (&main_row, i % 10));
      struct cab_cursor *c = __cab_ctx.cursor;
      uint64_t p = probe_next (c);
      bool stays = k && no_room;
      if (stays)
	setrlimit (RLIMIT_DATA, &(struct rlimit) { 1, 1 });
      probe_mark (c, CAB_CURSOR_BUSY_BYTE);
      raise (SIGUSR1);
      if (k < 2 && !stays)
	{
	  VOLATILE (*(uint64_t *) p) = probe_path (&main_row, 0);
	  __atomic_store_n (&c->next, p + 8, __ATOMIC_RELEASE);
	}
      if (!stays && (uint32_t) probe_next (c) == (uint32_t) p)
	return 1;   /* the second look */
    }
  for (int i = 0; i < 100000; i++)
    probe_enqueue (probe_path (&main_row, i % 10));
  return 0;
}

static uint64_t
all_paths (const struct judge_part *part, uint32_t fn, int n)
{
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += judge_paths (part, fn, i);
  return sum;
}

static uint32_t
find_function (const struct judge_part *part, uint32_t flags, uint64_t paths)
{
  size_t n;
  struct cab_part_function *f = judge_area (part, CAB_EXT_FUNCTIONS, 0, &n);
  for (uint32_t i = 0; i < part->header->n_functions; i++)
    if (f[i].flags == flags && all_paths (part, i + 1, 10) == paths)
      return i + 1;
  return 0;
}

static void
check_storm (const char *base, const char *options, int run)
{
  char dir[512], path[512], parts[2][512];
  uint64_t n = 0;
  snprintf (dir, sizeof dir, "%s/data%d", base, run);
  snprintf (path, sizeof path, "%s/handled%d", base, run);
  int status = judge_run (dir, options, path, 0);
  CHECK (status == 0, "%s: status %x", options, status);
  FILE *file = fopen (path, "r");
  CHECK (file && fscanf (file, "%lu", &n) == 1 && n > 0, "no signal came");
  fclose (file);
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  uint32_t main_fn = find_function (&part, 14, (uint64_t) EVENTS * THREADS),
	   handler_fn = find_function (&part, 14, n * 3);
  CHECK (main_fn, "%s: not %d events of the threads", options, EVENTS * THREADS);
  CHECK (handler_fn, "%s: not %lu events of handlers; stashed %lu", options, n * 3,
	 part.header->ledger.stashed);
  CHECK (judge_count (&part, main_fn, 2) == (uint64_t) EVENTS * THREADS, "%s: counts", options);
  for (int i = 0; i < CAB_N_DROPS; i++)
    CHECK (part.header->ledger.dropped[i] == 0, "%s: %lu dropped by cause %d", options,
	   part.header->ledger.dropped[i], i);
}

static void
check_overtake (const char *base, const char *argument, const char *options, uint64_t lost)
{
  char dir[512], parts[2][512];
  snprintf (dir, sizeof dir, "%s/%s%s", base, argument, options);
  for (char *at = dir + strlen (base); (at = strchr (at, ':')); *at = '-')
    ;
  CHECK (judge_run (dir, options, argument, 0) == 0,
	 "%s: an enqueue that was overtaken still finds its ring", options);
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  CHECK (find_function (&part, 14, 115003), "%s: not 115003 events", options);
  CHECK (find_function (&part, 14, 3 * FLOOD), "%s: not %d events of handlers", options, 3 * FLOOD);
  for (int i = 0; i < CAB_N_DROPS; i++)
    CHECK (part.header->ledger.dropped[i] == (i == CAB_DROP_NO_MEMORY ? lost : 0),
	   "%s: %lu dropped by cause %d", options, part.header->ledger.dropped[i], i);
}

int
main (void)
{
  const char *argument = getenv ("CAB_TEST_RUN");
  if (argument)
    return !strcmp (argument, "leave") ? leave ()
	 : !strcmp (argument, "overtake") ? overtake (false)
	 : !strcmp (argument, "no room") ? overtake (true)
	 : storm (argument);
  const char *base = judge_directory ();
  check_storm (base, "ring=512:chunk=64", 0);
  check_storm (base, "placement=inline", 1);
  check_storm (base, "", 2);
  char dir[512], parts[2][512];
  snprintf (dir, sizeof dir, "%s/leave", base);
  CHECK (judge_run (dir, "", "leave", 0) == 0, "the ring did not come back after siglongjmp");
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  CHECK (all_paths (&part, 1, 10) == 200001, "%lu of 200001", all_paths (&part, 1, 10));
  check_overtake (base, "overtake", "", 2);
  check_overtake (base, "overtake", "ring=512:chunk=64", 2);
  check_overtake (base, "overtake", "placement=inline", 2);
  check_overtake (base, "no room", "", 3);
  return 0;
}
