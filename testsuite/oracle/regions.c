/* regions.c - carry out a script of allocations, accesses and regions, and log what was done.
 * Only the functions on top have probes: each sends one event of memory.
 * Usage: regions SCRIPT THREADS [kill | MICROSECONDS].  The script has lines "thread what slot
 * size"; log.THREAD gets the number of lines that were done, and an address for each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include <cabprof/cabprof.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROBED __attribute__ ((noipa))
enum { MOST = 20000, SLOTS = 64, THREADS = 4 };

struct step { int what, slot, size; };
struct log { volatile unsigned long n, address[MOST]; };
struct script
{
  int thread, n;
  struct step steps[MOST];
  char *slots[SLOTS];
  struct log *log;
};

CABPROF_NEVER static void run (struct script *s);

PROBED static void *make (size_t n) { return malloc (n); }
PROBED static void *one (size_t n) { return make (n); }
PROBED static void *two (size_t n) { return make (n); }
PROBED static void *clear (size_t n) { return calloc (n, 1); }
PROBED static void *resize (void *p, size_t n) { return realloc (p, n); }
PROBED static void drop (void *p) { free (p); }
PROBED static int get (const volatile char *p) { return *p; }
PROBED static void put (volatile char *p) { *p = 1; }
PROBED static int left (const char *p) { return get (p) + 1; }
PROBED static int right (const char *p) { return get (p) + 2; }
PROBED static int store (char *p) { put (p); return 0; }
PROBED static int nest (struct script *s) { run (s); return 0; }

static struct script scripts[THREADS];
static pthread_barrier_t all;

CABPROF_NEVER static void
check (int good)
{
  if (!good)
    _exit (3);
}

/* Blocks of the first thread have slots from SLOTS on in those of the others. */
CABPROF_NEVER static char *
place (struct script *s, struct step step)
{
  char *p = step.slot < SLOTS ? s->slots[step.slot] : scripts[0].slots[step.slot - SLOTS];
  return p + step.size;
}

/* Do STEP.  Return the address that it concerns. */
CABPROF_NEVER static void *
act (struct script *s, struct step step)
{
  char name[2] = { 'a' + step.size }, *p = step.slot < SLOTS ? s->slots[step.slot] : NULL;
  switch (step.what)
    {
    case 'o': return s->slots[step.slot] = one (step.size);
    case 't': return s->slots[step.slot] = two (step.size);
    case 'm': return s->slots[step.slot] = make (step.size);
    case 'c': return s->slots[step.slot] = clear (step.size);
    case 'r': return s->slots[step.slot] = resize (p, step.size);
    case 'f': drop (p); s->slots[step.slot] = NULL; return p;
    case 'L': left (place (s, step)); return place (s, step);
    case 'R': right (place (s, step)); return place (s, step);
    case 'W': store (place (s, step)); return place (s, step);
    case 'b': check (cabprof_region_begin (name) == 0); return NULL;
    case 'e': check (cabprof_region_end (name) == 0); return NULL;
    default: nest (s); return NULL;
    }
}

CABPROF_NEVER static void
run (struct script *s)
{
  while (s->log->n < (unsigned long) s->n)
    {
      struct step step = s->steps[s->log->n];
      if (step.what == '(' || step.what == ')')
	s->log->n++;
      if (step.what == ')')
	return;
      void *address = act (s, step);
      if (step.what == '(')
	continue;
      s->log->address[s->log->n] = (unsigned long) address;
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
      s->log->n++;
    }
}

CABPROF_NEVER static void
read_script (const char *path)
{
  FILE *file = fopen (path, "r");
  struct step step;
  int thread;
  char what;
  check (file != NULL);
  while (fscanf (file, "%d %c %d %d", &thread, &what, &step.slot, &step.size) == 4)
    {
      step.what = what;
      scripts[thread].steps[scripts[thread].n++] = step;
    }
  fclose (file);
}

CABPROF_NEVER static void
open_log (int thread)
{
  char path[] = { 'l', 'o', 'g', '.', '0' + thread, 0 };
  int fd = open (path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  check (ftruncate (fd, sizeof (struct log)) == 0);
  scripts[thread].log = mmap (NULL, sizeof (struct log), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  check (scripts[thread].log != MAP_FAILED);
}

/* All threads live until all have done what they do, so that none has the memory of another. */
CABPROF_NEVER static void *
thread (void *s)
{
  pthread_barrier_wait (&all);
  run (s);
  pthread_barrier_wait (&all);
  pthread_barrier_wait (&all);
  return NULL;
}

CABPROF_NEVER static void *
killer (void *microseconds)
{
  while (scripts[0].log->n < 50)
    usleep (100);
  usleep (*(int *) microseconds);
  kill (getpid (), SIGKILL);
  return NULL;
}

CABPROF_NEVER int
main (int argc, char **argv)
{
  int n = atoi (argv[2]), late = argc > 3 ? atoi (argv[3]) : 0;
  pthread_t threads[THREADS + 1];
  read_script (argv[1]);
  for (int i = 0; i < n; i++)
    open_log (i);
  pthread_barrier_init (&all, NULL, n);
  if (late)
    pthread_create (&threads[THREADS], NULL, killer, &late);
  run (&scripts[0]);
  for (int i = 1; i < n; i++)
    pthread_create (&threads[i], NULL, thread, &scripts[i]);
  pthread_barrier_wait (&all);
  pthread_barrier_wait (&all);
  if (argc > 3)
    kill (getpid (), SIGKILL);
  pthread_barrier_wait (&all);
  for (int i = 1; i < n; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
