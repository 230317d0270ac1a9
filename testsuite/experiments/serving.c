/* serving.c - measure what it takes to route the events of a trace to delegates, and to serve them:
 * what experiments/delegates.py simulates delegates with.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage:   serving ANALYSIS DELEGATES TRACE >TSV
 * Model:   one thread does the work of all, chunk by chunk, with the runtime's own code and its
 *          slots of rows: it decodes a chunk and sorts its rows, then feeds the slots in their
 *          order. With 0 delegates the analysis gets its rows undivided.
 * Output:  "slot" for each slot: its delegate, its rows, the time of decoding and sorting in this
 *          chunk before it was put, and that of feeding it; "end" for each chunk: its words, and
 *          the time of decoding and sorting in it. Times are in ns.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/profile/finish/finish.h"
#include "analyses/trace/trace_read.h"
#include "analyses/wire/keyed.h"
#include "cabprof/analysis.h"

#define NAME "serving"
#define MOST_WAITING 4096u

/* Rows that wait to be fed to STATE, or if ROWS is null a batch that was fed at once. */
struct slot
{
  struct cab_arena *state;
  struct cab_keyed_rows *rows;
  uint32_t part, n;
  int64_t put_ns, serve_ns;
};

static struct
{
  const struct cab_analysis *analysis;
  struct cab_analysis stand_in;
  uint32_t n_parts;                           /* 0: undivided */
  struct cab_keyed_split split;
  struct cab_arena **states;                  /* by ring: one for each part */
  uint32_t n_rings;
  struct cab_arena *of_ring;                  /* the states of the ring that is being fed */
  const struct cab_functions *functions;
  struct slot slot[MOST_WAITING];
  uint32_t n_slots, open[CAB_KEYED_PARTS];    /* 1 + the slot of each part that is being filled */
  int64_t began_ns, served_ns;                /* the chunk; what feeding has taken in it so far */
} run;

static int64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

/* Return the time of decoding and sorting in this chunk so far. */
static int64_t
routed_ns (void)
{
  return now_ns () - run.began_ns - run.served_ns;
}

static void
put (uint32_t part)
{
  if (run.open[part])
    run.slot[run.open[part] - 1].put_ns = routed_ns ();
  run.open[part] = 0;
}

/* Feed and print all slots. */
static void
serve (void)
{
  int64_t began = now_ns ();
  for (uint32_t part = 0; part < run.n_parts; part++)
    put (part);
  for (uint32_t i = 0; i < run.n_slots; i++)
    {
      struct slot *s = &run.slot[i];
      int64_t since = now_ns ();
      if (s->rows)
	{
	  s->n = s->rows->batch.n;
	  run.analysis->feed (s->state, &s->rows->batch, run.functions);
	  s->serve_ns = now_ns () - since;
	}
      printf ("slot\t%u\t%u\t%lld\t%lld\n", s->part, s->n, (long long) s->put_ns,
	      (long long) s->serve_ns);
    }
  run.n_slots = 0;
  run.served_ns += now_ns () - began;
}

/* Return the next slot, for STATE. */
static struct slot *
next_slot (struct cab_arena *state, uint32_t part)
{
  if (run.n_slots == MOST_WAITING)
    serve ();
  struct slot *s = &run.slot[run.n_slots++];
  s->state = state;
  s->part = part;
  return s;
}

static struct cab_keyed_rows *
room (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  (void) host;
  if (run.open[part] && cab_keyed_fits (run.slot[run.open[part] - 1].rows, batch, n))
    return run.slot[run.open[part] - 1].rows;
  put (part);
  struct slot *s = next_slot (&run.of_ring[part], part);
  s->rows = s->rows ? s->rows : XNEW (struct cab_keyed_rows);
  cab_keyed_begin (s->rows, batch);
  run.open[part] = s - run.slot + 1;
  return s->rows;
}

static void
feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions)
{
  const struct cab_keyed_host host = { NULL, room };
  run.of_ring = run.states[*(const uint32_t *) arena->base];
  run.functions = functions;
  if (run.n_parts)
    {
      cab_keyed_rows (&run.split, run.analysis, batch, run.n_parts, &host);
      return;
    }
  struct slot *s = next_slot (run.of_ring, 0);
  int64_t since = now_ns ();
  s->put_ns = since - run.began_ns - run.served_ns;
  s->n = batch->n;
  run.analysis->feed (s->state, batch, functions);
  s->serve_ns = now_ns () - since;
  run.served_ns += s->serve_ns;
}

static int
open_ring (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  uint32_t ring = run.n_rings++;
  run.states = XRESIZEVEC (struct cab_arena *, run.states, run.n_rings);
  run.states[ring] = XNEWVEC (struct cab_arena, CAB_KEYED_PARTS);
  for (uint32_t i = 0; i < (run.n_parts ? run.n_parts : 1); i++)
    if (cab_heap_open_with (&run.states[ring][i], run.analysis, arguments, diag) < 0)
      return -1;
  *(uint32_t *) arena->base = ring;
  arena->used = sizeof ring;
  return 0;
}

static void
begin_thread (struct cab_arena *arena, uint32_t thread)
{
  struct cab_arena *states = run.states[*(const uint32_t *) arena->base];
  for (uint32_t i = 0; i < (run.n_parts ? run.n_parts : 1) && run.analysis->begin_thread; i++)
    run.analysis->begin_thread (&states[i], thread);
}

static uint64_t
none (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static int
check (const struct cab_arena *arena, struct cab_diag *diag)
{
  (void) arena, (void) diag;
  return 0;
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) into, (void) from, (void) map, (void) diag;
  return 0;
}

/* Add an analysis that gets what ANALYSIS would get. */
static bool
stand_in (const struct cab_analysis *analysis)
{
  run.analysis = analysis;
  run.stand_in = (struct cab_analysis) { .abi = CAB_ANALYSIS_ABI,
					 .bytes = sizeof run.stand_in,
					 .name = NAME,
					 .summary = analysis->summary,
					 .kinds = analysis->kinds,
					 .wants = analysis->wants,
					 .shard = CAB_SHARD_THREAD,
					 .arena_bytes = sizeof (uint64_t),
					 .open = open_ring,
					 .feed = feed,
					 .applied = none,
					 .lost = none,
					 .check = check,
					 .merge = merge,
					 .begin_thread = begin_thread };
  return cab_analysis_add (&run.stand_in) == 0;
}

/* Feed the trace of one process.  Return 0, or negative with words in DIAG. */
static int
feed_trace (struct cab_trace_reader *reader, struct cab_diag *diag)
{
  struct cab_finish finish = { 0 };
  struct cab_finish_stream *stream = NULL;
  int result;
  while ((result = cab_trace_next (reader, diag)) > 0)
    if (reader->frame.kind == CAB_TRACE_CHUNK && reader->process->number == 1)
      {
	struct cab_trace_process *p = reader->process;
	stream = stream ? stream : cab_finish_stream_new (&finish, &p->part, NAME, &p->records);
	run.served_ns = 0;
	run.began_ns = now_ns ();
	cab_finish_stream_words (stream, reader->frame.owner, reader->frame.thread, reader->words,
				 reader->n_words);
	int64_t ns = routed_ns ();
	serve ();
	printf ("end\t\t%zu\t%lld\t\n", reader->n_words, (long long) ns);
      }
  if (stream)
    cab_finish_stream_free (stream);
  return result;
}

int
main (int argc, char **argv)
{
  struct cab_trace_reader reader;
  struct cab_diag diag = { "no such analysis by key, or too many delegates" };
  const struct cab_analysis *analysis = argc == 4 ? cab_analysis_find (argv[1]) : NULL;
  int fd = analysis ? open (argv[3], O_RDONLY) : -1;
  run.n_parts = argc == 4 ? strtoul (argv[2], NULL, 10) : 0;
  if (fd < 0 || analysis->shard != CAB_SHARD_KEY || run.n_parts > CAB_KEYED_PARTS
      || !stand_in (analysis) || cab_trace_open (&reader, fd, argv[3], &diag) < 0
      || feed_trace (&reader, &diag) < 0)
    {
      fprintf (stderr, "serving ANALYSIS DELEGATES TRACE: %s\n", diag.text);
      return 1;
    }
  cab_trace_close (&reader);
  return fflush (stdout) ? 1 : 0;
}
