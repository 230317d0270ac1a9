/* analysis.h - the interface of an analysis.
 *
 * Model:      a pure function over batches of decoded events.  It knows nothing of rings, threads,
 *             files or processes; all its state lies in an arena of position-independent bytes that
 *             the host gives it.  In a running program the arena is a shared mapping of the part's
 *             file, so the state is on disk at every moment; in the command it is a copy in memory.
 *             The same struct is fed by live threads (placement `thread`), in the program's own
 *             thread (`inline`), by the reader that finishes a dead process' rings, and by tests.
 * Laws:       feed (a then b) = feed (a ++ b); merge is associative and commutative, an arena fresh
 *             from open with the same arguments is its unit; applied() + lost() = rows fed
 *             (cab_batch_events), including those that the analysis has no use for: a row that it
 *             ignores counts as applied; whatever moment the process dies, check accepts the arena,
 *             and applied() + lost() says exactly how many events it has had: the reader feeds it
 *             those that follow, and an analysis that reports fewer gets some twice.
 * Arguments:  each state is opened with those that the process was given, also INTO, the state that
 *             others are merged into.  States of a user's own analysis that have different
 *             arguments are not merged: the command says so, and leaves out those of the later
 *             process.
 * Order:      batches of one kind are in program order.  An analysis of several kinds gets runs: a
 *             batch of calls, paths or accesses ends where an event of another of these kinds
 *             follows; loops and samples follow the batches that they stand among.  Analyses that
 *             CAB_WANTS_NODE get paths and accesses in program order, too, if they take both;
 *             loops and samples between two calls or returns (RESUME) follow the paths, and
 *             precede the accesses, that they stand among.
 * Threads:    one arena is fed by one thread at a time.  Runtime code: no library but libc, no
 *             allocation but the arena's.
 * Errors:     feed cannot fail: when the arena cannot grow, the state counts what it lost (lost())
 *             and continues.
 */
#ifndef CABPROF_ANALYSIS_H
#define CABPROF_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/diag.h"
#include "cabprof/event.h"

#define CAB_ANALYSIS_ABI 6

/* Position-independent memory: `base` may move only in grow; keep offsets, not pointers, across
   calls that may grow.  New bytes are zero.  Only [0, used) is significant. */
struct cab_arena
{
  unsigned char *base;
  size_t used, cap;                                        /* bytes */
  int (*grow) (struct cab_arena *arena, size_t new_cap);   /* 0, or negative: the arena stays as it
							      was */
  void (*publish) (struct cab_arena *arena);               /* publish to readers that `used' has
							      grown; may be null */
  void *host;
};

/* The accesses of one pass through a region of a function's code that are the same in each pass
   except for their addresses. */
struct cab_shape
{
  uint32_t id;                  /* process-wide, from 1, below CAB_ACCESS_MAX, dense, and unique in
				   the process */
  uint32_t n;                   /* accesses, at least 1, in program order; no access occurs twice in
				   it, or in another shape */
  const uint32_t *site;         /* columns as those of ACCESS batches; form is never a range */
  const uint8_t *form;
  const uint64_t *bytes;
};

/* A burst of a run that samples (sample=PERCENT): rows that were sent one after the other, and
   stand for those of some bursts around it. */
struct cab_burst
{
  uint64_t number;              /* greater than that of the burst before; a burst may continue in
				   the next batch, with the same number */
  uint32_t end;                 /* the row after its last one in this batch */
  uint32_t weight;              /* how many bursts it stands for, itself included; never 0 */
};

struct cab_region;

/* An event of a region, whose raw words are at `words', or a part of a nest's event in the same
   form. */
struct cab_region_event
{
  const struct cab_region *region;
  const uint64_t *words;
};

/* A run of events of one kind, of one thread, in program order.  Columns hold N elements; those
   that the kind does not have are null.  CALL, TAIL and UNDER events come in batches of kind
   CAB_EV_CALL; PATH, PATH_LAST and RUN in batches of kind CAB_EV_PATH.  Both have one column,
   `events', which is packed, so that it can be the ring's own memory: event.h takes it apart.  A
   row whose times are not 1 stands for that number of events: an analysis applies it whole or not
   at all, and applied() and lost() count it that number of times. */
struct cab_batch
{
  unsigned kind;                /* enum cab_event_kind */
  uint32_t n;
  uint32_t thread;              /* index of the thread in the part */
  const uint64_t *events;       /* CALL: cab_ev_kind, cab_ev_callee, cab_ev_site, cab_ev_depth;
				   PATH: cab_ev_kind, cab_ev_fn, cab_ev_path, cab_ev_times. Function
				   numbers are those of this process, from 1; a site of 0 is none;
				   depth is modulo 2^20.
				   TIMED: the CALL, TAIL, UNDER or RESUME after a TIME; calls also
				   come in batches of their own */
  const uint32_t *fn;           /* LOOP: function */
  const uint32_t *site;         /* ACCESS: see below */
  const uint8_t *form;          /* LOOP: enum cab_loop_form; ACCESS: enum cab_row_form */
  int has_runs;                 /* PATH: a row's times may differ from 1 */
  const uint32_t *node;         /* ACCESS, PATH, LOOP, SAMPLE, of an analysis that CAB_WANTS_NODE:
				   number of the activation's node in the analysis `tree', 0: the
				   thread's start; else null.  Exact where all code was compiled
				   with `context' (RESUME in event.h) */
  const uint32_t *loop;         /* LOOP: number of the loop in its function */
  const uint64_t *count;        /* LOOP: iterations or cycles, 27 bits of them (event.h); SAMPLE:
				   ns; TIMED: the clock of TIME */
  /* ACCESS: one row per access, in program order; `site' is its process-wide number, from 1 (0: the
     function's record is not available), or that of the allocation, as `form' says. */
  const uint64_t *address;      /* SAMPLE: of an instruction.  ACCESS: of the first byte; ALLOCATED,
				   MOVED: of the new block; 0: there is none, the call failed */
  const uint64_t *other;        /* ACCESS: address of the old block, of MOVED; else 0 */
  const uint64_t *bytes;        /* ACCESS: bytes accessed or allocated */
  /* ACCESS, of an analysis that CAB_WANTS_STRETCHES; null: no row has them.  Where times is not 0,
     the row is part of a stretch, consecutive iterations of a loop that do the same: a row with the
     form CAB_ROW_ITERATES, and after it the accesses of an iteration, up to the next row of a loop
     or the next row whose times is 0.  All of them happen that number of times, one iteration after
     the other, and the addresses grow by `step' each time.  A stretch is in one batch. */
  const uint64_t *times, *step;
  /* ACCESS, of an analysis that CAB_WANTS_SHAPES.  If `shape' is not null, a row is the events of a
     region, and stands for passes[i] * shape[i]->n accesses, each pass in program order; the
     columns above are null.  Accesses that differ between passes (ranges, the last part of a pass,
     allocations, functions without a record) come one by one as above, in batches of their own.
     The order in which rows happened is not recorded. */
  const struct cab_shape *const *shape;   /* not valid after feed: what is needed later must be
					     copied */
  const uint64_t *passes;       /* null: 1 each; never 0 */
  uint64_t accesses;            /* that all rows with a shape or a region stand for */
  /* ACCESS, of an analysis that CAB_WANTS_REGIONS.  If `region' is not null, a row is an event of a
     region; analyses/wire/regions.h says what it stands for.  What has no shape comes access by
     access as above, in batches of its own, and all batches are in program order. */
  const struct cab_region_event *region;   /* not valid after feed */
  /* ACCESS, of programs that were compiled for values (V lines in info.h), access by access; null:
     no row has one. */
  const uint64_t *value;        /* what was read or written, of rows whose type is not 0 */
  const uint8_t *value_type;    /* enum cab_value_type, CAB_VALUE_... */
  /* VALUE: a row for each value, in program order: `site', `form', `value' and `value_type' as
     above.  Values of accesses are in ACCESS batches as well; those of arguments, results and
     variables (CAB_ROW_BARE in form) are in these batches only. */
  /* ACCESS, of an analysis with CAB_KEY_ADDRESS that CAB_WANTS_LOOPS: rows are not cut.  The state
     is part PART, from 0, of N_PARTS; 0: it is the only one.  It gets all rows of loops,
     allocations and releases, and each access and stretch that touches one of its blocks: those
     that cab_keyed_part (analyses/wire/keyed.h) maps to PART. */
  uint32_t part, n_parts;
  /* CALL, PATH and ACCESS, of a run that samples, to an analysis that CAB_TAKES_BURSTS; null: each
     row stands for itself.  A row counts as many times as its burst weighs. */
  const struct cab_burst *burst;
  uint32_t n_bursts;
  /* ACCESS, of an analysis that CAB_WANTS_LEVEL: how many caches the access missed, from D1 on. 0:
     it hit in D1; as many as there are caches: it hit in none. */
  const uint8_t *level;
  /* PATH and ACCESS, of an analysis that CAB_WANTS_STACK: how many frames the stack has, the
     activation that the rows belong to being on top, and how many of them, from the thread's start
     on, have not been left since the last such batch.  A batch of paths without rows says only
     which frames were left. */
  uint32_t depth, kept;
};
#define CAB_BATCH_MAX 1024
/* A level of a row that is no access, or of one for which the caches had no memory. */
#define CAB_LEVEL_NONE 255u

/* Return the weight of row I of BATCH.  *K, 0 before the first row, is the burst of the row before;
   rows are asked for in order. */
static inline uint64_t
cab_batch_weight (const struct cab_batch *batch, uint32_t i, uint32_t *k)
{
  if (!batch->burst)
    return 1;
  while (*k + 1 < batch->n_bursts && batch->burst[*k].end <= i)
    ++*k;
  return batch->burst[*k].weight;
}

/* Return how many events BATCH stands for. */
static inline uint64_t
cab_batch_events (const struct cab_batch *batch)
{
  uint64_t sum = batch->n;
  if (batch->shape || batch->region)
    return batch->accesses;
  if (batch->burst)
    {
      uint32_t k = 0;
      sum = 0;
      for (uint32_t i = 0; i < batch->n; i++)
	sum += cab_batch_weight (batch, i, &k)
	     * (batch->has_runs ? cab_ev_times (batch->events[i]) : 1);
      return sum;
    }
  for (uint32_t i = 0; batch->has_runs && i < batch->n; i++)
    if (cab_ev_is_run (batch->events[i]))
      sum += cab_ev_times (batch->events[i]) - 1;
  for (uint32_t i = 0; batch->times && i < batch->n; i++)
    sum += batch->times[i] ? batch->times[i] - 1 : 0;
  return sum;
}

/* What the host knows about functions: count_offset as in struct cab_part_function; used by
   analyses with a table per function. */
struct cab_functions
{
  void *host;
  /* Set *FIRST to the first counter (index, not bytes) of function FN, and *N to how many counters
     it has.  Returns 0 or a negative number if that is unknown. */
  int (*counters) (void *host, uint32_t fn, uint64_t *first, uint32_t *n);
  /* Return the name that function FN has in the source, *N bytes long, or null if it is not known;
     without an end.  Null: no name is known. */
  const char *(*name) (void *host, uint32_t fn, size_t *n);
  /* Return nonzero if any function that the process has had so far sends its paths as events.
     Null: one may. */
  int (*traces_paths) (void *host);
};

/* Numbers of one process in the terms of another, for merge: new = map[old]; 0 stays 0. */
struct cab_idmap
{
  const uint32_t *fn, *site;
  uint32_t n_fn, n_site;   /* lengths of the maps */
  const uint64_t *first_from, *first_to;  /* by old function number: first counter in the layout of
					     the source, and of the target */
  const uint32_t *n_counters;             /* by old function number */
  const uint32_t *access;                 /* like `site', for the numbers of accesses and
					     allocations (ACCESS batches) */
  uint32_t n_access;
  const uint32_t *node;                   /* for nodes of the same thread's tree, which has been
					     merged before */
  uint32_t n_node;
  uint32_t process;                       /* number of the source's process in the model; it has its
					     own addresses and threads */
};

/* Column `form` of ACCESS batches. */
enum cab_row_form
{
  CAB_ROW_READ = 1,
  CAB_ROW_WRITE = 2,            /* READ | WRITE: one access that does both */
  CAB_ROW_RANGE = 4,            /* with READ or WRITE: a string or block of bytes, not one
				   operand */
  CAB_ROW_ALLOCATED = 8,        /* alone: memory was allocated; site: first_access of the function +
				   its number of A lines + number of the allocation */
  CAB_ROW_RELEASED = 16,        /* alone: memory was released; site as for ALLOCATED */
  CAB_ROW_MOVED = 24,           /* alone: both, in one step */
  /* Of VALUE batches, alone: a value that is not an access's; site as for an access. */
  CAB_ROW_ARGUMENT = 32,        /* an argument of a call, before it */
  CAB_ROW_RETURNED = 64,        /* the result of a call */
  CAB_ROW_NAMED = 96,           /* assigned to a variable that is in a register */
  /* Alone, of an analysis that CAB_WANTS_LOOPS; site: first_access of the function + its numbers of
     accesses and allocations + number of the loop (T lines). */
  CAB_ROW_BEGINS = 128,         /* an execution of a loop begins */
  CAB_ROW_ITERATES = 136,       /* an iteration of it begins */
  CAB_ROW_ENDS = 144            /* the execution has ended */
};
#define CAB_ROW_BARE 96u        /* mask of these */
#define CAB_ROW_LOOP 128u       /* this bit is set in the rows of loops alone */

/* Column `value_type'. */
enum cab_value_type
{
  CAB_VALUE_NONE,
  CAB_VALUE_UNSIGNED,           /* 64 bits */
  CAB_VALUE_SIGNED,
  CAB_VALUE_FLOAT,              /* the low 32 bits */
  CAB_VALUE_DOUBLE,
  CAB_VALUE_BITS
};
#define CAB_VALUE_TYPE 7u       /* mask of these */
#define CAB_VALUE_PART 8u       /* flag: the access is wider than the recorded value */
#define CAB_VALUE_BEFORE 16u    /* flag: the value before an access that reads and writes */

enum cab_shard
{
  CAB_SHARD_THREAD,  /* one state for each ring, which serves one thread after the other
			(begin_thread); merged at the end */
  CAB_SHARD_KEY,     /* N such states for each ring (delegates=N), merged at the end.  `key' says
			what a row's key is, and the key selects the state, so all rows with the
			same key go to one state, in program order.  The analysis may keep nothing
			that depends on rows with different keys, but sums */
  CAB_SHARD_SERIAL   /* one state for all rings.  It is fed chunk by chunk: chunks of one ring are
			in program order, those of several rings in the order in which they are
			analysed, which is also that of a recorded trace.  `begin_thread' and
			`carry' are null, and `wants' is 0 */
};

/* What the key of a row is, for CAB_SHARD_KEY. */
enum cab_key
{
  CAB_KEY_SITE,      /* where it happened.  ACCESS: `site'.  CALL: the call site.  PATH: the
			function.  LOOP: the function and the loop.  SAMPLE: the address */
  CAB_KEY_TARGET,    /* where control goes.  CALL: the callee.  PATH, LOOP: the function.  No other
			kinds */
  CAB_KEY_ADDRESS,   /* which block of 1 << key_log2 bytes it touches.  ACCESS, SAMPLE.  A read or a
			write that reaches into several blocks comes as one row for each, however
			many states there are; one of more than CAB_KEY_PIECES blocks comes whole,
			with the key of the first */
  CAB_KEY_VALUE,     /* what was read or written.  ACCESS; rows without a value have one key */
  CAB_KEY_OWN        /* what `own_key' returns */
};
#define CAB_KEY_LOG2 12u            /* in place of a key_log2 of 0 */
#define CAB_KEY_LOG2_LEAST 6u
#define CAB_KEY_LOG2_MOST 40u
#define CAB_KEY_PIECES (UINT64_C (1) << 20)

struct cab_option
{
  const char *name, *value, *help;   /* value: "BYTES", "N", "yes|no", ...; the table ends with a
					null name */
};

/* What the report of an analysis writes to, in the command: a table with named columns, which the
   host prints as text, TSV or JSON. */
enum cab_sheet_type
{
  CAB_SHEET_TEXT,                /* strings are copied */
  CAB_SHEET_COUNT,               /* in text its thousands are grouped */
  CAB_SHEET_NUMBER,              /* printed as it is; lines, ids */
  CAB_SHEET_SHARE,               /* 0 .. 1 */
  CAB_SHEET_REAL                 /* a value that is not finite is unknown */
};

struct cab_sheet_column
{
  const char *name;              /* letters, digits and _ */
  enum cab_sheet_type type;
};

union cab_sheet_cell
{
  const char *text;
  uint64_t count;
  double real;
};

/* A place in the source.  Strings may be empty and lines 0: unknown. */
struct cab_sheet_place
{
  const char *function, *file;
  const char *name;              /* of an access: the variable or type.field; of an allocation and
				    of a call site: the callee; else empty */
  uint32_t line, column;
};

struct cab_sheet
{
  void *host;
  /* Set the columns, once, before the first row.  COLUMNS must outlive the report. */
  void (*columns) (void *host, const struct cab_sheet_column *columns, int n);
  /* Add a row, with as many cells as there are columns. */
  void (*row) (void *host, const union cab_sheet_cell *cells);
  /* Fill *PLACE for function FN, call site SITE, or access or allocation NUMBER of the merged
     state.  Return 0 if it is not known. */
  int (*function) (void *host, uint32_t fn, struct cab_sheet_place *place);
  int (*site) (void *host, uint32_t site, struct cab_sheet_place *place);
  int (*access) (void *host, uint32_t number, struct cab_sheet_place *place);
  /* Fill *PLACE for NODE of the calling-context tree, of the merged state (map->node): its
     function, and as `name' the context in words, "f < g:12 < main:30", innermost first.  Store the
     caller's node to *PARENT, 0 for the thread's start, and the number of the call site to *SITE, 0
     if there is none; both may be null.  Return 0 if it is not known. */
  int (*node) (void *host, uint32_t node, struct cab_sheet_place *place, uint32_t *parent,
	       uint32_t *site);
};

/* Values of `wants' of an analysis. */
#define CAB_WANTS_SHAPES 1u      /* it takes accesses only, and not their addresses: by shape, see
				    struct cab_batch */
#define CAB_WANTS_NODE 2u        /* column `node': the host runs the analysis `tree' as well.  Not
				    together with CAB_WANTS_SHAPES */
#define CAB_WANTS_REGIONS 4u     /* it takes accesses only, and finds their addresses itself where
				    it can; it also accepts each as a row.  Not with the others */
#define CAB_KEEPS_NODES 16u      /* with CAB_WANTS_NODE: its state keeps nodes of earlier events,
				    and `carry' copies them.  A node's number is then the same in
				    all states of a ring */
#define CAB_WANTS_LEVEL 512u     /* with CAB_WANTS_NODE: column `level'; the host runs the analysis
				    `levels' as well, which simulates caches for each thread.  Each
				    row lies in one line of D1, or is not longer than one: a range,
				    and what is longer, comes as a row for each line that it
				    touches */
#define CAB_WANTS_STACK 1024u    /* with CAB_WANTS_NODE, of kinds PATH and ACCESS, which are then in
				    program order: batches say which activations have ended, so
				    that an access can be given the path of its activation that
				    ends next */
/* Of cabprof's own analyses only: */
#define CAB_WANTS_LOOPS 32u      /* ACCESS batches also have rows of loops (CAB_ROW_LOOP), in
				    program order: of programs with events=memory+loops.  It
				    takes no other kind, and not with the others */
#define CAB_WANTS_STRETCHES 64u  /* with CAB_WANTS_LOOPS: columns `times' and `step'.  It also
				    accepts each iteration by itself */
#define CAB_TAKES_BURSTS 128u    /* it can count by the weights of bursts, so it runs where only
				    some events are read; there accesses come one by one, also with
				    CAB_WANTS_SHAPES.  Not with the others */
#define CAB_GIVES_NODE 8u        /* column `node' of the others has numbers of its nodes */
#define CAB_GIVES_LEVEL 256u     /* column `level' of the others is what its caches say */

struct cab_sectioned;

struct cab_analysis
{
  uint32_t abi;                  /* CAB_ANALYSIS_ABI */
  uint32_t bytes;                /* sizeof (struct cab_analysis); 0 for the analyses that cabprof
				    brings */
  const char *name;
  const char *summary;           /* one line */
  uint32_t kinds;                /* bit 1 << CAB_EV_CALL, 1 << CAB_EV_PATH, ... */
  uint32_t wants;                /* CAB_WANTS_...: the form of its batches; else 0 */
  enum cab_shard shard;
  size_t arena_bytes;            /* initial size */
  const struct cab_option *options;

  /* Make an empty state in ARENA, which is all zero and has arena_bytes.  ARGUMENTS:
     "key=value:..." or empty.  Return 0, or a negative number with words in DIAG. */
  int (*open) (struct cab_arena *arena, const char *arguments, struct cab_diag *diag);
  /* Apply BATCH; the hot path. */
  void (*feed) (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions);
  /* Return how many events were applied so far, exact even if feed was cut off by SIGKILL before it
     returned. */
  uint64_t (*applied) (const struct cab_arena *arena);
  /* Return how many events feed could not hold. */
  uint64_t (*lost) (const struct cab_arena *arena);
  /* Return 0 if the bytes of ARENA, which come from a file, are a state, or a negative number with
     words in DIAG. */
  int (*check) (const struct cab_arena *arena, struct cab_diag *diag);
  /* Add FROM (checked) to INTO. */
  int (*merge) (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		struct cab_diag *diag);
  /* Null, or write the results of the state (checked, merged over the profile) to SHEET, for
     `cabprof report NAME'.  An analysis that cabprof brings may have a report_NAME.c instead, which
     has all of the profile at hand. */
  void (*report) (const struct cab_arena *arena, const struct cab_sheet *sheet);
  /* Null, or write ARGUMENTS to FULL, a text of BYTES bytes, with all that depends on the machine
     filled in; at the start of the program.  Each open gets that text, also in the reader, on any
     machine.  Return 0, or a negative number with words in DIAG. */
  int (*settle) (const char *arguments, char *full, size_t bytes, struct cab_diag *diag);
  /* Null, or take back a step that was interrupted: ARENA, a checked copy of a state, may belong to
     a process that died during the step.  Called before everything except `check', for all that
     read the state. */
  void (*resume) (struct cab_arena *arena);
  /* Null, or forget what is under way: ARENA, a copy of a state that is not yet checked, belongs to
     a running process, and changed while it was made.  Called in place of `resume'. */
  void (*let_go) (struct cab_arena *arena);
  /* Null where nothing in the state belongs to one thread.  The events that follow are those of
     THREAD, and all of the thread before have been fed: forget what belongs to that thread (its
     caches, its stack, its last addresses), and keep what is counted: applied and lost do not
     change.  Not called for the first thread of a state.  It may be cut off by SIGKILL; then it is
     called again, after `check' and `resume', before anything is fed. */
  void (*begin_thread) (struct cab_arena *arena, uint32_t thread);
  /* Null where its counts are not split by region of the source (cabprof.h).  From now on ARENA
     takes the events of THREAD, as FROM, a state with the same arguments, did up to here: make what
     belongs to the thread equal to what it is in FROM, and count nothing.  All states together must
     count what one would have.  The process may be killed during the call; then nothing is fed to
     ARENA any more. */
  void (*carry) (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread);
  /* Of CAB_SHARD_KEY, else 0. */
  enum cab_key key;
  uint32_t key_log2;             /* CAB_KEY_ADDRESS: from CAB_KEY_LOG2_LEAST to _MOST, or 0 */
  /* CAB_KEY_OWN, else null: return the key of row ROW of BATCH, any number.  It depends on that row
     alone.  Called by the thread that decodes, while other threads may run `feed'. */
  uint64_t (*own_key) (const struct cab_batch *batch, uint32_t row);

  /* The rest is of cabprof's own analyses only, else null. */

  /* The name of the analysis that runs beside this one where samples are taken. */
  const char *with_samples;
  /* How two threads share the work of feeding it, and how repeated rounds of accesses are counted
     without being fed (analyses/live/cache/sectioned.h). */
  const struct cab_sectioned *sectioned;
};

/* Do nothing: the `carry' of an analysis that has nothing but counts. */
static inline void
cab_carry_nothing (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) arena, (void) from, (void) thread;
}

/* The analysis of a user (docs/own-analysis.md), exported by a shared object NAME.so, with `name'
   being NAME.  The runtime loads it when the program starts, by
   CABPROF_OPTIONS=analyses=PATH/NAME.so, or by NAME alone from the directories of CABPROF_ANALYSES;
   so does the command when it reports: a profile names analyses, and no files.  Loading allocates
   on the program's heap; from then on it runs in the analysis thread, or with placement=inline in
   the program's threads, at any point of them: it must not allocate, lock, print or throw there,
   nor call code that has probes.  If it crashes, the program crashes; if it crashes in the command,
   that says which one was loaded.  In `report' it is free of these limits. */
#ifdef __cplusplus   /* where a const object would have internal linkage */
extern "C"
{
  extern const struct cab_analysis cab_own_analysis __attribute__ ((visibility ("default")));
}
#define CAB_ANALYSIS_EXPORT const struct cab_analysis cab_own_analysis
#else
#define CAB_ANALYSIS_EXPORT \
  const struct cab_analysis cab_own_analysis __attribute__ ((visibility ("default")))
#endif
#define CAB_ANALYSIS_HEAD .abi = CAB_ANALYSIS_ABI, .bytes = sizeof (struct cab_analysis)

/* The analyses that cabprof brings, in alphabetical order; ends with null.  The build collects them
   from analyses/live (registry.c). */
extern const struct cab_analysis *const cab_analyses[];
/* The analyses that run where the options name none: together they take each kind of event, and one
   that gets no events costs nothing. */
#define CAB_ANALYSES_DEFAULT "tree+paths+loops+accesses"
/* Return the analysis with NAME, or null. */
const struct cab_analysis *cab_analysis_find (const char *name);
/* Return analysis number I of all that are known, with those of users after the others; null after
   the last. */
const struct cab_analysis *cab_analysis_at (uint32_t i);
/* Add a user's analysis.  Return 0, or a negative number if there is another one with its name, or
   if there are too many. */
#define CAB_OWN_ANALYSES 8
int cab_analysis_add (const struct cab_analysis *analysis);

#endif
