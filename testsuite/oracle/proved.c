/* proved.c - read the trace of a program that was compiled with "memory-proof", while it is made,
 * and check that the accesses of its encoding are those that are sent one by one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      of each access there are two rows: the encoding's and one from an event of its own.
 *             In each thread the rows of the one kind, in their order, equal those of the other:
 *             the same access of the same function, with the same name and place in the source,
 *             address, bytes and direction. A region's event comes after its accesses, so the kind
 *             that is ahead waits in a queue.
 * Exit:       0, and how many accesses there were; 1 and the first difference.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_source.h"

struct told
{
  uint64_t address, bytes;
  uint32_t site;                   /* the encoding's number */
  uint32_t form;
};

/* Rows of one kind that the other kind has not yet, from FIRST on, around the end. */
struct queue
{
  struct told *rows;
  size_t room, first, n;           /* room: 0 or a power of two */
};

struct thread
{
  uint32_t process, thread;
  struct queue dense, single;
  uint64_t n;                      /* accesses that were equal */
};

/* The accesses of a function: numbers first .. first + half - 1 are the encoding's, the next HALF
   those of separate events. */
struct halves
{
  uint32_t first, half;            /* 0: not looked for yet */
};

struct process
{
  struct halves *functions;        /* by number */
  uint32_t n;
};

static struct cab_rows_reader reader;
static struct thread *threads;
static struct process *processes;
static unsigned char *compared;    /* by number: its name and place were looked at; of the first
				      process */
static uint32_t n_threads, n_processes, n_compared;

static void
push (struct queue *queue, const struct told *row)
{
  if (queue->n == queue->room)
    {
      size_t room = queue->room ? 2 * queue->room : 1024;
      queue->rows = XRESIZEVEC (struct told, queue->rows, room);
      memcpy (queue->rows + queue->room, queue->rows, queue->first * sizeof *row);
      queue->room = room;
    }
  queue->rows[(queue->first + queue->n++) & (queue->room - 1)] = *row;
}

static struct told
pop (struct queue *queue)
{
  struct told row = queue->rows[queue->first];
  queue->first = (queue->first + 1) & (queue->room - 1);
  queue->n--;
  return row;
}

static struct thread *
thread_of (uint32_t process, uint32_t thread)
{
  static uint32_t last;
  if (last < n_threads && threads[last].process == process && threads[last].thread == thread)
    return &threads[last];
  for (last = 0; last < n_threads; last++)
    if (threads[last].process == process && threads[last].thread == thread)
      return &threads[last];
  threads = XRESIZEVEC (struct thread, threads, ++n_threads);
  threads[last] = (struct thread) { .process = process, .thread = thread };
  return &threads[last];
}

/* Return half of the number of A lines of the record at TEXT. */
static uint32_t
half_of (const char *text)
{
  uint32_t n = 0;
  for (const char *line = text; (line = strstr (line, "\nA\t")); line++)
    n++;
  return n / 2;
}

/* Return those of function FN of PROCESS. */
static const struct halves *
halves_of (uint32_t process, uint32_t fn)
{
  while (n_processes < process)
    {
      processes = XRESIZEVEC (struct process, processes, n_processes + 1);
      processes[n_processes++] = (struct process) { .n = 0 };
    }
  struct process *p = &processes[process - 1];
  if (fn >= p->n)
    {
      uint32_t n = 2 * fn + 1;
      p->functions = XRESIZEVEC (struct halves, p->functions, n);
      memset (p->functions + p->n, 0, (n - p->n) * sizeof *p->functions);
      p->n = n;
    }
  struct halves *halves = &p->functions[fn];
  if (!halves->first)
    {
      const struct cab_trace_process *told = cab_source_packed (&reader)->processes[process - 1];
      const struct cab_part_function *f = &told->part.functions[fn - 1];
      *halves = (struct halves) { f->first_access,
				  half_of (told->info[f->module].text + f->info_offset) };
    }
  return halves;
}

static void
show (const char *kind, uint32_t process, const struct told *row, uint32_t site)
{
  const struct cab_row_place *place = cab_rows_access (&reader, process, site);
  const struct cab_row_function *function
    = place ? cab_rows_function (&reader, process, place->fn) : NULL;
  printf ("  %s: form %u, %#" PRIx64 ", %" PRIu64 " bytes, access %u", kind, row->form,
	  row->address, row->bytes, site);
  if (place)
    printf (", %s in %s, %s:%u:%u", place->name, function ? function->assembler : "?", place->file,
	    place->line, place->column);
  puts ("");
}

static bool
same_place (uint32_t process, uint32_t site, uint32_t other)
{
  if (process == 1 && site < n_compared && compared[site])
    return true;
  const struct cab_row_place *a = cab_rows_access (&reader, process, site);
  const struct cab_row_place *b = cab_rows_access (&reader, process, other);
  if (!a || !b || a->line != b->line || a->column != b->column || strcmp (a->file, b->file)
      || strcmp (a->name, b->name) || strcmp (a->loop, b->loop))
    return false;
  if (process == 1 && site >= n_compared)
    {
      compared = xrealloc (compared, 2 * site + 1);
      memset (compared + n_compared, 0, 2 * site + 1 - n_compared);
      n_compared = 2 * site + 1;
    }
  if (process == 1)
    compared[site] = 1;
  return true;
}

static void
take (const struct cab_trace_row *row)
{
  if (row->kind != CAB_EV_ACCESS || row->form & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
    return;
  const struct halves *halves = halves_of (row->process, row->fn);
  bool is_single = row->site >= halves->first + halves->half;
  struct thread *t = thread_of (row->process, row->thread);
  struct queue *own = is_single ? &t->single : &t->dense;
  struct queue *other = is_single ? &t->dense : &t->single;
  struct told told = { row->address, row->bytes, row->site - (is_single ? halves->half : 0),
		       row->form };
  if (!other->n)
    {
      push (own, &told);
      return;
    }
  struct told match = pop (other);
  if (match.address == told.address && match.bytes == told.bytes && match.site == told.site
      && match.form == told.form
      && same_place (row->process, told.site, told.site + halves->half))
    {
      t->n++;
      return;
    }
  printf ("process %u, thread %u, access %" PRIu64 ":\n", row->process, row->thread, t->n);
  const struct told *dense = is_single ? &match : &told, *single = is_single ? &told : &match;
  show ("the encoding", row->process, dense, dense->site);
  show ("by itself", row->process, single, single->site + halves->half);
  exit (1);
}

int
main (void)
{
  struct cab_diag diag;
  uint64_t n = 0;
  int block, status = 0;
  if (cab_source_open (&reader, STDIN_FILENO, "-", &diag) < 0)
    {
      puts (diag.text);
      return 1;
    }
  while ((block = cab_rows_next (&reader, &diag)) > 0)
    for (size_t i = 0; block == CAB_ROWS_ROWS && i < reader.n_rows; i++)
      take (&reader.rows[i]);
  if (block < 0)
    puts (diag.text);
  for (uint32_t i = 0; i < n_threads; i++)
    {
      struct thread *t = &threads[i];
      n += t->n;
      if (!t->dense.n && !t->single.n)
	continue;
      printf ("process %u, thread %u: after %" PRIu64 " accesses %zu more "
	      "by the encoding, and %zu by themselves\n", t->process, t->thread, t->n, t->dense.n,
	      t->single.n);
      status = 1;
    }
  printf ("%" PRIu64 " accesses\n", n);
  return block < 0 || status;
}
