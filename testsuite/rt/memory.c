/* memory.c - threads that cannot be attached for lack of addresses run on at full speed, and the
 * ledger counts their events.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);
ROW (late_row, 9, 12, 1);

#define THREADS 8
#define EVENTS 100000

static void *
work (void *arg)
{
  for (int i = 0; i < EVENTS; i++)
    {
      probe_count (&row, 3);
      probe_count (&late_row, 3);
      probe_enqueue (probe_path (&row, 1));
    }
  if (arg && fork () == 0)
    {
      probe_count (&row, 4);
      _exit (0);
    }
  return arg;
}

/* Lower the limit by an instruction, which the runtime does not notice. */
static void
limit_addresses (void)
{
  unsigned long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");
  CHECK (file && fscanf (file, "%lu", &pages) == 1, "statm");
  fclose (file);
  struct rlimit limit = { pages * 4096 + (100 << 20), pages * 4096 + (100 << 20) };
  long result = SYS_setrlimit;
  __asm__ volatile ("syscall"
		    : "+a" (result)
		    : "D" ((long) RLIMIT_AS), "S" (&limit)
		    : "rcx", "r11", "memory");
  CHECK (result == 0, "setrlimit");
}

static int
program (void)
{
  pthread_attr_t attr;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 256 << 10);
  probe_count (&row, 2);
  limit_addresses ();
  for (intptr_t i = 0; i < THREADS; i++)
    {
      pthread_t thread;
      CHECK (pthread_create (&thread, &attr, work, (void *) (intptr_t) (i == 3)) == 0, "thread");
      pthread_join (thread, NULL);
    }
  while (wait (NULL) > 0)
    ;
  probe_count (&row, 2);
  return 0;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  char dir[512], parts[3][512];
  snprintf (dir, sizeof dir, "%s/data", judge_directory ());
  int status = judge_run (dir, "", "memory", 0);
  CHECK (status == 0, "status %x", status);
  CHECK (judge_parts (dir, parts, 3) == 2, "two parts");
  for (int i = 0; i < 2; i++)
    {
      struct judge_part part = judge_open (parts[i]);
      const struct cab_ledger *l = &part.header->ledger;
      if (part.header->forked_from)
	continue;
      CHECK (judge_count (&part, 1, 2) == 2 && judge_count (&part, 1, 3) == 0, "counts");
      CHECK (l->n_attach_failures == THREADS, "%lu failures", l->n_attach_failures);
      CHECK (l->dropped[CAB_DROP_NO_THREAD] == (uint64_t) THREADS * EVENTS, "%lu events dropped",
	     l->dropped[CAB_DROP_NO_THREAD]);
    }
  return 0;
}
