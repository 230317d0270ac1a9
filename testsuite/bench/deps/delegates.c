/* delegates.c - how much faster an analysis would be with N delegates, from measured times.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a recorded trace is decoded, and its rows are routed to the parts of the analysis and
 *             fed to them, one after the other in this thread; the processor time of each step is
 *             measured.  From these times the end of a run is computed in which the draining thread
 *             and each of N delegates have a processor of their own: a batch is served when it has
 *             been routed and the part's batch before was served, and at the end of each chunk the
 *             draining thread waits for all, as it does in a program.  What caches and the memory's
 *             bandwidth do to processors that work at once is not in it, nor that the draining
 *             thread helps.
 * Output:     a line of TSV: see main.
 * Usage:      delegates TRACE ANALYSIS N [ROWS-IN-A-MESSAGE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/wire/keyed.h"

#define CHUNK_ROWS 10922u
#define PIECES 64u   /* of a part, from one batch */

static struct
{
  const struct cab_analysis *analysis;
  uint32_t n_parts, message;   /* message: rows that are routed at once; 0: as they come */
  struct cab_arena whole, part[CAB_KEYED_PARTS];
  struct cab_keyed_split split;
  struct cab_keyed_rows *pieces[CAB_KEYED_PARTS][PIECES];
  uint32_t n_pieces[CAB_KEYED_PARTS];
  uint64_t rows, messages, events, chunk;
  double decode, route, serve, alone, served[CAB_KEYED_PARTS];   /* seconds */
  double last;                                /* when the last batch had been dealt with */
  double drained, ready[CAB_KEYED_PARTS];     /* in the run that is computed */
} run;

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static struct cab_keyed_rows *
room (void *host, uint32_t p, const struct cab_batch *batch, uint32_t n)
{
  uint32_t have = run.n_pieces[p];
  (void) host;
  if (have && cab_keyed_fits (run.pieces[p][have - 1], batch, n))
    return run.pieces[p][have - 1];
  if (have == PIECES)
    return NULL;
  if (!run.pieces[p][have])
    run.pieces[p][have] = XNEW (struct cab_keyed_rows);
  run.n_pieces[p]++;
  run.messages++;
  cab_keyed_begin (run.pieces[p][have], batch);
  return run.pieces[p][have];
}

/* Let the draining thread, who has DRAINED the batch, and the delegates, who take SERVED for it, go
   on in the run that is computed. */
static void
go_on (double drained, const double *served, uint32_t rows)
{
  run.drained += drained;
  run.chunk += rows;
  for (uint32_t p = 0; p < run.n_parts; p++)
    if (served[p] > 0)
      run.ready[p] = (run.ready[p] > run.drained ? run.ready[p] : run.drained) + served[p];
  for (uint32_t p = 0; run.chunk >= CHUNK_ROWS && p < run.n_parts; p++)
    run.drained = run.ready[p] > run.drained ? run.ready[p] : run.drained;
  run.chunk = run.chunk >= CHUNK_ROWS ? 0 : run.chunk;
}

/* Route BATCH, and feed it to the parts. */
static void
deal (const struct cab_batch *batch, double decoded, const struct cab_functions *functions)
{
  const struct cab_keyed_host host = { NULL, room };
  double served[CAB_KEYED_PARTS] = { 0 }, start = now ();
  memset (run.n_pieces, 0, sizeof run.n_pieces);
  cab_keyed_rows (&run.split, run.analysis, batch, run.n_parts, &host);
  double routed = now () - start;
  for (uint32_t p = 0; p < run.n_parts; p++)
    {
      double before = now ();
      for (uint32_t k = 0; k < run.n_pieces[p]; k++)
	run.analysis->feed (&run.part[p], &run.pieces[p][k]->batch, functions);
      served[p] = run.n_pieces[p] ? now () - before : 0;
      run.serve += served[p];
      run.served[p] += served[p];
    }
  run.route += routed;
  go_on (decoded + routed, served, batch->n);
}

static struct cab_batch
slice (const struct cab_batch *batch, uint32_t at, uint32_t n)
{
  struct cab_batch part = *batch;
#define COLUMN(name) part.name = batch->name ? batch->name + at : NULL
  COLUMN (site), COLUMN (form), COLUMN (address), COLUMN (other), COLUMN (bytes), COLUMN (value);
  COLUMN (value_type), COLUMN (node);
#undef COLUMN
  part.n = n;
  return part;
}

static void
feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions)
{
  double decoded = now () - run.last, before = now ();
  (void) arena;
  run.analysis->feed (&run.whole, batch, functions);
  run.alone += now () - before;
  run.decode += decoded;
  run.rows += batch->n;
  run.events += cab_batch_events (batch);
  if (!run.message || batch->times)
    deal (batch, decoded, functions);
  for (uint32_t at = 0, n; run.message && !batch->times && at < batch->n; at += n)
    {
      n = batch->n - at < run.message ? batch->n - at : run.message;
      struct cab_batch part = slice (batch, at, n);
      deal (&part, at ? 0 : decoded, functions);
    }
  run.last = now ();
}

static int
open_run (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  int status = cab_heap_open_with (&run.whole, run.analysis, arguments, diag);
  for (uint32_t p = 0; p < run.n_parts && status == 0; p++)
    status = cab_heap_open_with (&run.part[p], run.analysis, arguments, diag);
  *(uint32_t *) arena->base = 1;
  arena->used = sizeof (uint32_t);
  run.last = now ();
  return status;
}

static uint64_t
applied (const struct cab_arena *arena)
{
  (void) arena;
  return run.events;
}

static uint64_t
lost (const struct cab_arena *arena)
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

static struct cab_analysis stand_in
  = { .abi = CAB_ANALYSIS_ABI, .bytes = sizeof stand_in, .name = "measured", .summary = "measured",
      .shard = CAB_SHARD_THREAD, .arena_bytes = sizeof (uint64_t), .open = open_run, .feed = feed,
      .applied = applied, .lost = lost, .check = check, .merge = merge };

int
main (int argc, char **argv)
{
  run.analysis = argc > 3 ? cab_analysis_find (argv[2]) : NULL;
  run.n_parts = argc > 3 ? atoi (argv[3]) : 0;
  run.message = argc > 4 ? atoi (argv[4]) : 0;
  if (!run.analysis || run.analysis->shard != CAB_SHARD_KEY || run.n_parts - 1 >= CAB_KEYED_PARTS)
    {
      fprintf (stderr, "usage: delegates TRACE values|deps N [ROWS-IN-A-MESSAGE]\n");
      return 2;
    }
  stand_in.kinds = run.analysis->kinds;
  stand_in.wants = run.analysis->wants;
  if (cab_analysis_add (&stand_in) < 0 || cab_trace_feed (argv[1], stand_in.name) != 0 || !run.rows)
    return 1;
  double end = run.drained, busiest = 0;
  for (uint32_t p = 0; p < run.n_parts; p++)
    {
      end = run.ready[p] > end ? run.ready[p] : end;
      busiest = run.served[p] > busiest ? run.served[p] : busiest;
    }
  /* analysis, delegates, rows, rows a message, ns a row: decode, feed whole, route, feed the parts;
     the busiest part's share of that; how much faster than one thread. */
  printf ("%s\t%u\t%llu\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.3f\t%.2f\n", run.analysis->name,
	  run.n_parts, (unsigned long long) run.rows, (double) run.rows / run.messages,
	  run.decode / run.rows * 1e9, run.alone / run.rows * 1e9, run.route / run.rows * 1e9,
	  run.serve / run.rows * 1e9, run.serve > 0 ? busiest / run.serve : 0,
	  (run.decode + run.alone) / end);
  return 0;
}
