/* memory_writer.c - writes a profile of accesses to memory by hand.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one process of two threads. The first makes a list of 40 items, and reads it three
 *             times, from two places; the second counts, beside a counter of the first. All
 *             analyses of accesses had their events, and there is a trace of them.
 */
#include "profile_writer.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/an_tree.h"
#include "cabprof/abi.h"
#include "part_writer.h"
#include "trace_writer.h"

/* list.c as GCC saw it, by lines: 3 struct item { struct item *next; long value, tags[2]; }; 4
   struct counters { long made, seen; } counters; 7 make: 8 malloc, 9 value, 10 next; 14 sum: 17
   loop, 18 value; 22 main: 25 make in a loop, 27 and 28 sum, 29 made; 33 watch: 35 seen. */
static const char *const records[] = {
  "\1U1\tlist.c\t/src\tGNU C17 12.2.0\t-O2 events=calls+memory+values context\n",
  "\1Y1\tb0a71e5\titem\t32\t8\t-\nf\tlist.c\nD\t0\t3\t8\nm\t0\t8\t8\t-\tnext\tstruct item "
  "*next\nm\t8\t8\t8\t-\tvalue\tlong value\n"
  "m\t16\t16\t8\t-\ttags\tlong tags[2]\n",
  "\1Y1\tc0a71e5\tcounters\t16\t8\t-\nf\tlist.c\nD\t0\t4\t8\nm\t0\t8\t8\t-\tmade\tlong "
  "made\nm\t8\t8\t8\t-\tseen\tlong seen\n",
  "\1F1\tmake\tmake\nf\tlist.c\nD\t0\t7\t1\t12\nC\t101\tl\t0\t1\nB\t3\t0\nb\t2\t0:7,8,9,10,"
  "11\nk\t0\t2\t0:8:20\tmalloc\t-\n",
  "\1F1\tmain\tmain\nf\tlist.c\nD\t0\t22\t1\t31\nC\t102\tl\t0\t3\nB\t3\t0\nb\t2\t0:22,25,27,28,"
  "29\nk\t0\t2\t0:25:12\tmake\t-\n"
  "k\t1\t2\t0:27:7\tsum\t-\nk\t2\t2\t0:28:8\tsum\t-\n",
  "\1F1\tsum\tsum\nf\tlist.c\nD\t0\t14\t1\t20\nC\t103\tl\t0\t0\nB\t3\t0\nb\t2\t0:14,17,18\n",
  "\1F1\twatch\twatch\nf\tlist.c\nD\t0\t33\t1\t37\nC\t104\tl\t0\t0\nB\t3\t0\nb\t2\t0:33,35\n",
  "\1F1\tmake\tmake\nf\tlist.c\nD\t0\t7\t1\t12\nC\t201\tm\t0\t0\nR\t0\t4\t-\nA\t0\t0\t0:9:"
  "12\tw\t8\t0\t8\t-\t0\t-\titem.value\tb0a71e5:8\nV\t1\ts\n"
  "A\t1\t0\t0:10:11\tw\t8\t2\t0\t-\t0\t-\titem.next\tb0a71e5:0\nV\t3\tu\nM\t0\t0:8:"
  "20\tmalloc\titem\tb0a71e5\n",
  "\1F1\tmain\tmain\nf\tlist.c\nD\t0\t22\t1\t31\nC\t202\tm\t0\t0\nR\t0\t2\t-\n"
  "A\t0\t0\t0:29:17\trw\t8\t0\t0\t-\t0\t-\tcounters.made\tc0a71e5:0\nV\t1\tso\n",
  "\1F1\tsum\tsum\nf\tlist.c\nD\t0\t14\t1\t20\nC\t203\tm\t0\t0\nR\t0\t4\t-\nA\t0\t0\t0:18:"
  "11\tr\t8\t0\t8\t-\t0\t0\titem.value\tb0a71e5:8\nV\t1\ts\n"
  "A\t1\t0\t0:17:33\tr\t8\t2\t0\t-\t0\t0\titem.next\tb0a71e5:0\nV\t3\tu\nT\t0\t0:17:3\t0\tsum\t-\n",
  "\1F1\twatch\twatch\nf\tlist.c\nD\t0\t33\t1\t37\nC\t204\tm\t0\t0\nR\t0\t2\t-\n"
  "A\t0\t0\t0:35:17\trw\t8\t0\t0\t-\t0\t-\tcounters.seen\tc0a71e5:8\nV\t1\ts\n",
  NULL
};
static uint32_t offsets[16];
struct item { uint64_t next, value, tags[2]; };
struct counters { uint64_t made, seen; };

enum { FN_MAKE = 1, FN_MAIN, FN_SUM, FN_WATCH, N_CALLS = 4, N_FUNCTIONS = 8 };
/* These are the numbers of accesses, and of the allocation. */
enum { VALUE_WRITTEN = 1, NEXT_WRITTEN, ALLOCATED, MADE, VALUE_READ, NEXT_READ, SEEN };
enum { N_ITEMS = 40, ITEM_AT = 0x10010, ITEM_STEP = 48, COUNTERS_AT = 0x601040 };

#define MOST 1024
/* The events of a thread, and their rows. */
struct events
{
  uint32_t thread, n_calls, n;
  uint64_t call[MOST];
  uint32_t site[MOST], node[MOST];
  uint8_t form[MOST];
  uint64_t address[MOST], other[MOST], bytes[MOST], value[MOST];
  uint8_t value_type[MOST], level[MOST];
};

static void
call (struct events *e, uint32_t fn, uint32_t site, uint32_t depth)
{
  e->call[e->n_calls++] = cab_ev_call (CAB_EV_CALL, depth, fn, site);
}

static void
access_at (struct events *e, uint32_t site, uint32_t node, unsigned form, uint64_t address,
	   uint64_t bytes)
{
  uint32_t i = e->n++;
  e->site[i] = site;
  e->node[i] = node;
  e->form[i] = form;
  e->address[i] = address;
  e->bytes[i] = bytes;
}

/* Store what the last access has read or written. */
static void
value (struct events *e, unsigned type, uint64_t is)
{
  e->value_type[e->n - 1] = type;
  e->value[e->n - 1] = is;
}

/* Make the first thread. Nodes are numbered as they come: main 1, make 2, sum 3 and 4. */
static void
make_first (struct events *e)
{
  call (e, FN_MAIN, 0, 0);
  for (uint64_t i = 0; i < N_ITEMS; i++)
    {
      call (e, FN_MAKE, 2, 1);
      access_at (e, ALLOCATED, 2, CAB_ROW_ALLOCATED, ITEM_AT + i * ITEM_STEP, 32);
      access_at (e, VALUE_WRITTEN, 2, CAB_ROW_WRITE, ITEM_AT + i * ITEM_STEP + 8, 8);
      value (e, CAB_VALUE_SIGNED, i / 8 - 1);
      access_at (e, NEXT_WRITTEN, 2, CAB_ROW_WRITE, ITEM_AT + i * ITEM_STEP, 8);
      value (e, CAB_VALUE_UNSIGNED, i ? ITEM_AT + (i - 1) * ITEM_STEP : 0);
    }
  for (int pass = 0; pass < 3; pass++)
    {
      call (e, FN_SUM, pass ? 4 : 3, 1);
      for (uint64_t i = N_ITEMS; i-- > 0;)
	{
	  access_at (e, VALUE_READ, pass ? 4 : 3, CAB_ROW_READ, ITEM_AT + i * ITEM_STEP + 8, 8);
	  value (e, CAB_VALUE_SIGNED, i / 8 - 1);
	  access_at (e, NEXT_READ, pass ? 4 : 3, CAB_ROW_READ, ITEM_AT + i * ITEM_STEP, 8);
	  value (e, CAB_VALUE_UNSIGNED, i ? ITEM_AT + (i - 1) * ITEM_STEP : 0);
	}
      access_at (e, MADE, 1, CAB_ROW_READ | CAB_ROW_WRITE, COUNTERS_AT, 8);
      value (e, CAB_VALUE_SIGNED | CAB_VALUE_BEFORE, pass);
    }
}

static void
make_second (struct events *e)
{
  e->thread = 1;
  call (e, FN_WATCH, 0, 0);
  for (int i = 0; i < 25; i++)
    {
      access_at (e, SEEN, 1, CAB_ROW_READ | CAB_ROW_WRITE, COUNTERS_AT + 8, 8);
      value (e, CAB_VALUE_SIGNED, i + 1);
    }
}

/* Store the batches of a thread's events to BATCH, one of each kind.  Return how many. */
static int
batches_of (const struct events *e, struct cab_batch batch[6])
{
  static uint64_t path[MOST], count[MOST];
  static uint32_t fn[MOST], loop[MOST];
  static uint8_t form[MOST];
  for (uint32_t i = 0; i < e->n_calls; i++)
    {
      fn[i] = cab_ev_callee (e->call[i]);
      path[i] = (uint64_t) fn[i] << CAB_EV_FN_SHIFT | CAB_EV_PATH_LAST;
      form[i] = CAB_LOOP_LEFT;
      count[i] = i + 1;
    }
  batch[0] = (struct cab_batch) { .kind = CAB_EV_CALL, .n = e->n_calls, .events = e->call };
  batch[1] = (struct cab_batch) { .kind = CAB_EV_ACCESS,
				  .n = e->n,
				  .site = e->site,
				  .node = e->node,
				  .form = e->form,
				  .address = e->address,
				  .other = e->other,
				  .bytes = e->bytes,
				  .value = e->value,
				  .value_type = e->value_type,
				  .level = e->level };
  batch[2] = batch[1];
  batch[2].kind = CAB_EV_VALUE;
  batch[3] = (struct cab_batch) {
    .kind = CAB_EV_PATH, .n = e->n_calls, .events = path, .node = e->node
  };
  batch[4] = (struct cab_batch) { .kind = CAB_EV_LOOP,
				  .n = e->n_calls,
				  .fn = fn,
				  .loop = loop,
				  .form = form,
				  .count = count,
				  .node = e->node };
  batch[5] = (struct cab_batch) {
    .kind = CAB_EV_SAMPLE, .n = e->n_calls, .address = e->address, .count = count, .node = e->node
  };
  return 6;
}

/* Store the state that ANALYSIS makes of a thread's events: of accesses, if it takes these. */
static void
add_state (struct part *p, const struct cab_analysis *analysis, const char *arguments,
	   const struct events *e)
{
  struct cab_arena arena;
  struct cab_batch batch[6];
  if (cab_heap_open_with (&arena, analysis, arguments, NULL) < 0)
    abort ();
  uint32_t of_memory = 1u << CAB_EV_ACCESS | 1u << CAB_EV_VALUE, kinds = analysis->kinds;
  kinds = kinds & of_memory ? kinds & of_memory : kinds;
  for (int i = 0, n = batches_of (e, batch); i < n; i++)
    if (kinds & 1u << batch[i].kind)
      {
	batch[i].thread = e->thread;
	analysis->feed (&arena, &batch[i], NULL);
      }
  uint32_t i = p->header.n_arenas++;
  uint32_t name = part_string (p, analysis->name);
  p->header.arenas[i] = (struct cab_part_arena) { name, e->thread + 1, e->thread, e->thread,
						  arena.used };
  part_extent (p, CAB_EXT_ARENA, i, arena.base, arena.used);
  cab_heap_fini (&arena);
}

/* Store the level of each access of E in CACHES. */
static void
find_levels (struct events *e, const char *caches)
{
  struct cab_arena arena;
  if (cab_heap_open_with (&arena, &cab_levels, caches, NULL) < 0)
    abort ();
  for (uint32_t i = 0; i < e->n; i++)
    {
      struct cab_batch one = { .kind = CAB_EV_ACCESS,
			       .n = 1,
			       .form = &e->form[i],
			       .address = &e->address[i],
			       .bytes = &e->bytes[i] };
      cab_levels.feed (&arena, &one, NULL);
      e->level[i] = cab_levels_last (&arena)[0];
    }
  cab_heap_fini (&arena);
}

/* Return true if the profile has a state of ANALYSIS: if it takes accesses or values, or if its
   report is its own. */
static bool
is_here (const struct cab_analysis *analysis)
{
  return analysis->report || analysis->kinds & (1u << CAB_EV_ACCESS | 1u << CAB_EV_VALUE);
}

/* Store all states.  The arguments that depend on the machine are CACHES. */
static void
add_states (struct part *p, const char *caches, const struct events *e)
{
  add_state (p, &cab_tree, "", e);
  for (int a = 0; cab_analyses[a]; a++)
    if (cab_analyses[a] != &cab_tree && is_here (cab_analyses[a]))
      add_state (p, cab_analyses[a], cab_analyses[a]->settle ? caches : "", e);
}

/* Add to the strings, after the states. TRACE, if not null, gets the same. */
static void
add_tables (struct part *p, const char *program, struct trace *trace)
{
  static const uint32_t first_site[N_CALLS] = { 1, 2, 0, 0 }, n_sites[N_CALLS] = { 1, 3, 0, 0 };
  static const uint32_t first_access[N_CALLS] = { VALUE_WRITTEN, MADE, VALUE_READ, SEEN };
  struct cab_part_function functions[N_FUNCTIONS];
  struct cab_part_module module = { part_string (p, program), part_string (p, "list"), 0 };
  struct cab_part_thread threads[] = { { 201, PART_START, PART_START + 9, ~0u, 0, "list" },
    { 202, PART_START + 1, PART_START + 8, ~0u, 1, "watch" } };
  for (uint32_t i = 0; i < N_CALLS; i++)
    {
      functions[i] = (struct cab_part_function) {
	0, offsets[3 + i], 0x101 + i, CAB_ROW_CALLS, 0, 0, n_sites[i], first_site[i], 0
      };
      functions[N_CALLS + i] = (struct cab_part_function) {
	0, offsets[7 + i], 0x201 + i, CAB_ROW_MEMORY, 0, 0, 0, 0, first_access[i]
      };
    }
  part_extent (p, CAB_EXT_STRINGS, 0, p->strings, p->n_strings);
  part_extent (p, CAB_EXT_MODULES, 0, &module, sizeof module);
  part_extent (p, CAB_EXT_FUNCTIONS, 0, functions, sizeof functions);
  part_extent (p, CAB_EXT_THREADS, 0, threads, sizeof threads);
  p->header.n_modules = 1;
  p->header.n_functions = N_FUNCTIONS;
  p->header.n_threads = p->header.n_rings = 2;
  if (!trace)
    return;
  trace_table (trace, CAB_EXT_STRINGS, p->strings, p->n_strings);
  trace_table (trace, CAB_EXT_MODULES, &module, sizeof module);
  trace_table (trace, CAB_EXT_FUNCTIONS, functions, sizeof functions);
  trace_table (trace, CAB_EXT_THREADS, threads, sizeof threads);
}

/* Store the events that E's accesses came from in WORDS, each access with the value that it has
   read or written; return the number of words. */
static size_t
words_of (const struct events *e, uint64_t *words)
{
  size_t n = 0;
  for (uint32_t i = 0; i < e->n; i++)
    {
      uint32_t site = e->site[i];
      bool is_allocation = site == ALLOCATED, is_item = site == VALUE_WRITTEN || site == VALUE_READ,
	   is_next = site == NEXT_WRITTEN || site == NEXT_READ;
      uint64_t fn = N_CALLS
		  + (is_allocation || site == VALUE_WRITTEN ? FN_MAKE
		     : site == VALUE_READ ? FN_SUM
		     : site == MADE ? FN_MAIN
		     : FN_WATCH);
      if (!is_next)   /* the word is of the same region */
	words[n++] = fn << CAB_EV_FN_SHIFT
		   | (uint64_t) (is_allocation ? CAB_ACCESS_ALLOCATED : CAB_ACCESS_REGION)
		       << CAB_EV_ACCESS_FORM_SHIFT
		   | (is_item ? 4u : 2u) << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
      words[n++] = e->address[i] - (is_item ? offsetof (struct item, value) : 0);
      words[n++] = is_allocation ? e->bytes[i] : e->value[i];
    }
  return n;
}

/* Write DIR/list.trace, of the program DIR/list. */
static int
write_trace (const char *dir, const struct events *first, const struct events *second)
{
  static const struct trace_symbol symbols[] = {
    { "counters", COUNTERS_AT, sizeof (struct counters) }, { "unused", COUNTERS_AT + 64, 8 }
  };
  char *path = concat (dir, "/list.trace", NULL), *program = concat (dir, "/list", NULL),
       *info = concat (dir, "/modules/list.info", NULL);
  struct part *p = part_new (201, "./list\1" "40", "trace=list.trace");
  struct trace *trace = trace_new (path, &p->header);
  uint64_t *words = XNEWVEC (uint64_t, 3 * MOST);
  add_tables (p, program, trace);
  trace_records (trace, info);
  trace_chunk (trace, 0, words, words_of (first, words));
  trace_chunk (trace, 1, words, words_of (second, words));
  p->header.state = CAB_PART_ENDED;
  int bad = trace_save (trace, &p->header) | trace_program (program, symbols, 2);
  free (words);
  free (info);
  free (program);
  free (path);
  free (p->data);
  free (p);
  return bad;
}

int
write_memory_profile (const char *dir, const char *caches)
{
  struct events *first = XCNEW (struct events), *second = XCNEW (struct events);
  char *modules = concat (dir, "/modules", NULL);
  struct part *p = part_new (
    201,
    "./list\1"
    "40",
    "analyses=tree+accesses+values+blocks+reuse+cache+offenders+sharing+contexts+levels+join");
  mkdir (dir, 0777);
  mkdir (modules, 0777);
  make_first (first);
  make_second (second);
  find_levels (first, caches);
  find_levels (second, caches);
  int bad = part_save_info (dir, "list", records, offsets);
  add_states (p, caches, first);
  add_states (p, caches, second);
  add_tables (p, "/src/list", NULL);
  uint64_t accesses = first->n + second->n, events = accesses + first->n_calls + second->n_calls;
  p->header.state = CAB_PART_ENDED;
  p->header.end_realtime_ns = p->header.start_realtime_ns + 2000000;
  p->header.ledger = (struct cab_ledger) {
    .enqueued = events, .analysed = events, .accesses = accesses, .sample = 1
  };
  bad |= write_trace (dir, first, second);
  free (modules);
  free (first);
  free (second);
  return part_save (p, dir) < 0 ? -1 : bad;
}
