/* fork.c - forked children have a part of their own, the parent's numbers, zero counters and no
 * ring; also from threads and out of handlers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (parent_row, 13, 4, 1);
ROW (child_row, 13, 4, 1);
ROW (traced_row, 10, 12, 0);
ROW (aside_row, 10, 12, 0);

static void (*enqueue) (uint64_t);

static void
count (int parent, int child, int traced)
{
  while (parent-- > 0)
    probe_count (&parent_row, 2);
  while (child-- > 0)
    probe_count (&child_row, 3);
  while (traced-- > 0)
    enqueue (probe_path (&traced_row, 5));
}

static void
child_work (int how)
{
  count (7, 11, 1300);
  if (how == 0)
    exit (0);
  _exit (0);
}

static void *
fork_from_thread (void *arg)
{
  (void) arg;
  count (1, 0, 5);
  volatile uint64_t *held = (uint64_t *) (__cab_ctx.count_base + (int64_t) parent_row.count_slot);
  pid_t pid = fork ();
  if (pid == 0)
    {
      /* A pointer that a register held over the fork must lead to the child's own counters. */
      held[2]++;
      child_work (1);
    }
  waitpid (pid, NULL, 0);
  return NULL;
}

static volatile sig_atomic_t forked;

static void
send_aside (int n)
{
  while (n-- > 0)
    enqueue (probe_path (&aside_row, 5));
}

static void
fork_from_handler (int sig)
{
  (void) sig;
  count (1, 0, 1);
  send_aside (2);
  pid_t pid = fork ();
  if (pid == 0)
    {
      count (0, 3, 0);
      forked = 1;
      return;
    }
  waitpid (pid, NULL, 0);
}

static void *
spin (void *stop)
{
  while (!__atomic_load_n ((int *) stop, __ATOMIC_ACQUIRE))
    count (1, 1, 3);
  return NULL;
}

/* The handler comes between two instructions of an enqueue on a chunk ring: its events before the
   fork are kept aside and belong to the parent; so does the event under way. */
static void
fork_in_an_enqueue (void)
{
  send_aside (1);
  struct cab_cursor *c = __cab_ctx.cursor;
  uint64_t at = probe_next (c);
  probe_mark (c, CAB_CURSOR_BUSY_BYTE);
  raise (SIGUSR1);
  VOLATILE (*(uint64_t *) at) = probe_path (&aside_row, 5);
  __atomic_store_n (&c->next, at + 8, __ATOMIC_RELEASE);
  send_aside (forked ? 9 : 4);
}

static int
program (const char *kind)
{
  struct cab_row *const rows[] = { &parent_row, &child_row, &traced_row, &aside_row };
  enqueue = probe_ring (kind, rows, 4);
  pthread_t thread, spinner;
  int stop = 0;
  count (100, 0, 2000);
  if (fork () == 0)
    child_work (0);
  wait (NULL);
  count (100, 0, 2000);
  pthread_create (&thread, NULL, fork_from_thread, NULL);
  pthread_join (thread, NULL);
  pthread_create (&spinner, NULL, spin, &stop);
  for (int i = 0; i < 20; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	child_work (i % 2);
      waitpid (pid, NULL, 0);
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELEASE);
  pthread_join (spinner, NULL);
  signal (SIGUSR1, fork_from_handler);
  if (strcmp (kind, "chunk") == 0)
    fork_in_an_enqueue ();
  else
    send_aside (1 + 2 + 1 + 4);
  if (forked)
    _exit (0);
  return 0;
}

struct sums
{
  uint64_t parent, child, traced, aside;
};

static struct sums
read_part (const char *path, uint64_t *forked_from)
{
  struct judge_part part = judge_open (path);
  struct sums s = { .parent = 0 };
  *forked_from = part.header->forked_from;
  /* parent_row, traced_row, child_row and aside_row are in the order of their first executions. */
  s.parent = part.header->n_functions >= 1 ? judge_count (&part, 1, 2) : 0;
  s.traced = part.header->n_functions >= 2 ? judge_paths (&part, 2, 5) : 0;
  s.child = part.header->n_functions >= 3 ? judge_count (&part, 3, 3) : 0;
  s.aside = part.header->n_functions >= 4 ? judge_paths (&part, 4, 5) : 0;
  judge_close (&part);
  return s;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  static const char *const modes[][2] = {
    { "ring=512:chunk=64", "chunk" }, { "placement=inline", "chunk" }, { "threads=2", "chunk" },
    { "ring=auto:chunk=64", "chunk" }, { "ring=512:chunk=64", "cab" },
    { "ring=512:chunk=64", "pipa" }, { "ring=512:chunk=64", "fastforward" }
  };
  static char parts[64][512];
  const char *base = judge_directory ();
  for (unsigned mode = 0; mode < sizeof modes / sizeof *modes; mode++)
    {
      char dir[512];
      const char *options = modes[mode][0], *kind = modes[mode][1];
      int handled = strcmp (kind, "chunk") == 0;
      snprintf (dir, sizeof dir, "%s/data%u", base, mode);
      int status = judge_run (dir, options, kind, 0);
      CHECK (status == 0, "%s %s: status %x", options, kind, status);
      int n = judge_parts (dir, parts, 64), roots = 0, plain = 0, held = 0, handlers = 0;
      CHECK (n == 1 + 1 + 1 + 20 + handled, "%s %s: %d parts", options, kind, n);
      for (int i = 0; i < n; i++)
	{
	  uint64_t from;
	  struct sums s = read_part (parts[i], &from);
	  roots += from == 0 && s.aside == 1 + 2 + 1 + 4;
	  plain += from != 0 && s.parent == 7 && s.child == 11 && s.traced == 1300;
	  held += from != 0 && s.parent == 8 && s.child == 11 && s.traced == 1300;
	  handlers += from != 0 && s.parent == 0 && s.child == 3 && s.traced == 0 && s.aside == 9;
	}
      CHECK (roots == 1 && plain == 21 && held == 1 && handlers == handled, "%s %s: %d %d %d %d",
	     options, kind, roots, plain, held, handlers);
    }
  return 0;
}
