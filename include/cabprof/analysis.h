/* analysis.h - what an analysis is.
 *
 * Model:      a pure function over batches of decoded events.  It knows nothing of rings, threads,
 *             files or processes; all its state lies in an arena of position-independent bytes that
 *             the host gives it.  In a running program the arena is a shared mapping of the part's
 *             file, so the state is on disk at every moment; in the command it is a copy in memory.
 *             The same struct is fed by live threads (placement `thread`), in the program's own
 *             thread (`inline`), by the reader that finishes a dead process' rings, and by tests.
 * Laws:       feed (a then b) = feed (a ++ b);  merge is associative and commutative, an arena
 *             fresh from open with the same arguments is its unit; applied() + lost() = rows fed
 *             (cab_batch_events), those included that the analysis has no use for: what it passes
 *             over it counts as applied; whatever moment the process dies, check accepts the arena,
 *             and applied() + lost() says exactly how many events it has had: the reader feeds it
 *             those that follow, and an analysis that says less gets some twice.
 * Arguments:  each state is opened with those that the process was given, also the one that states
 *             are merged into, INTO.  Of an analysis of the user's own states with different
 *             arguments are not merged: the command says so, and leaves out what is of the later
 *             process.
 * Order:      batches of one kind are in program order.  An analysis of several kinds gets runs: a
 *             batch of calls, paths or accesses ends where an event of another of these kinds
 *             follows; loops and samples come behind the batches that they stand among.  One that
 *             CAB_WANTS_NODE gets, of what lies between two words that tell who is on top (calls,
 *             and returns of the code compiled with `context'), first the paths, then loops,
 *             samples, accesses: so a path may come before the accesses that were made on it.
 *             Where order between kinds matters, do not ask for nodes.
 * Threads:    one arena is fed by one thread at a time.  Runtime code: no library but libc, no
 *             allocation but the arena's.
 * Errors:     feed cannot fail: when the arena cannot grow, the state counts what it lost (lost())
 *             and goes on.
 */
#ifndef CABPROF_ANALYSIS_H
#define CABPROF_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/diag.h"
#include "cabprof/event.h"

#define CAB_ANALYSIS_ABI 4

/* Position-independent memory: `base` may move only in grow; hold offsets, not pointers, across
   calls that may grow. New bytes are zero.  [0, used) is what counts. */
struct cab_arena
{
  unsigned char *base;
  size_t used, cap;                                        /* bytes */
  int (*grow) (struct cab_arena *arena, size_t new_cap);   /* 0, or negative: stays as it was */
  void (*publish) (struct cab_arena *arena);               /* `used` has grown: make it known to a
							      reader; may be null */
  void *host;
};

/* The accesses of one pass through a region of a function's code that are the same each time but
   for their addresses. */
struct cab_shape
{
  uint32_t id;                  /* process-wide, from 1, below CAB_ACCESS_MAX, and dense: no other
				   shape of the process has it */
  uint32_t n;                   /* accesses, at least 1, in program order; no access is twice in it,
				   or in another shape */
  const uint32_t *site;         /* columns as those of ACCESS batches; form is never a range */
  const uint8_t *form;
  const uint64_t *bytes;
};

struct cab_region;

/* An event of a region, whose raw words are at `words', or a part of a nest's that was made to look
   like one. */
struct cab_region_event
{
  const struct cab_region *region;
  const uint64_t *words;
};

/* A run of events of one kind, of one thread, in program order.  Columns hold N elements; those
   that the kind does not have are null. CALL, TAIL and UNDER events come in batches of kind
   CAB_EV_CALL; PATH, PATH_LAST and RUN in batches of kind CAB_EV_PATH.  Both have one column,
   `events`, which is packed, so that it can be the ring's own memory: event.h takes it apart.  A
   row whose times are not 1 stands for so many events: an analysis applies it whole or not at all,
   and applied() and lost() count it so often. */
struct cab_batch
{
  unsigned kind;                /* enum cab_event_kind */
  uint32_t n;
  uint32_t thread;              /* index of the thread in the part */
  const uint64_t *events;       /* CALL: cab_ev_kind, cab_ev_callee, cab_ev_site, cab_ev_depth;
				   PATH: cab_ev_kind, cab_ev_fn, cab_ev_path, cab_ev_times. Function
				   numbers are those of this process, from 1; a site of 0 is none;
				   depth is modulo 2^20 */
  const uint32_t *fn;           /* LOOP: function */
  const uint32_t *site;         /* ACCESS: see below */
  const uint8_t *form;          /* LOOP: enum cab_loop_form; ACCESS: enum cab_row_form */
  int has_runs;                 /* PATH: a row's times may differ from 1 */
  const uint32_t *node;         /* ACCESS, PATH, LOOP, SAMPLE, of an analysis that CAB_WANTS_NODE:
				   number of the `tree` analysis' node of the activation, 0: the
				   thread's start; else null.  Exact where all code was compiled
				   with `context' (RESUME in event.h) */
  const uint32_t *loop;         /* LOOP: number of the loop in its function */
  const uint64_t *count;        /* LOOP: iterations or cycles, 27 bits of them (event.h); SAMPLE:
				   ns */
  /* ACCESS: one row per access, in program order; `site` is its process-wide number, from 1 (0: the
     function's record is not to be had), or that of the allocation: form tells. */
  const uint64_t *address;      /* SAMPLE: of an instruction.  ACCESS: of the first byte; ALLOCATED,
				   MOVED: of the new block; 0: there is none, the call failed */
  const uint64_t *other;        /* ACCESS: address of the old block, of MOVED; else 0 */
  const uint64_t *bytes;        /* ACCESS: bytes accessed or allocated */
  /* ACCESS, of an analysis that CAB_WANTS_SHAPES.  If `shape' is not null, a row is events of a
     region, and stands for passes[i] * shape[i]->n accesses, each pass in program order; the
     columns above are null.  What is not the same each time (ranges, the last part of a pass,
     allocations, functions without a record) comes access by access as above, in batches of its
     own.  In what order rows happened is not told. */
  const struct cab_shape *const *shape;   /* not valid behind feed: what is needed later is
					     copied */
  const uint64_t *passes;       /* null: 1 each; never 0 */
  uint64_t accesses;            /* that all rows with a shape or a region stand for */
  /* ACCESS, of an analysis that CAB_WANTS_REGIONS.  If `region' is not null, a row is an event of a
     region; analyses/wire/regions.h says what it stands for.  What has no shape comes access by
     access as above, in batches of its own, and all batches are in program order. */
  const struct cab_region_event *region;   /* not valid behind feed */
  /* ACCESS, of programs that were compiled for values (V lines in info.h), access by access; null:
     no row has one. */
  const uint64_t *value;        /* what was read or written, of rows whose type is not 0 */
  const uint8_t *value_type;    /* enum cab_value_type, CAB_VALUE_... */
  /* VALUE: a row for each value, in program order: `site', `form', `value' and `value_type' as
     above.  Those of accesses are in ACCESS batches as well; those of arguments, results and
     variables (CAB_ROW_BARE in form) are in these batches alone. */
};
#define CAB_BATCH_MAX 1024

/* How many events BATCH stands for. */
static inline uint64_t
cab_batch_events (const struct cab_batch *batch)
{
  uint64_t sum = batch->n;
  if (batch->shape || batch->region)
    return batch->accesses;
  for (uint32_t i = 0; batch->has_runs && i < batch->n; i++)
    if (cab_ev_is_run (batch->events[i]))
      sum += cab_ev_times (batch->events[i]) - 1;
  return sum;
}

/* What the host can tell of functions: count_offset as in struct cab_part_function; used by
   analyses with a table per function. */
struct cab_functions
{
  void *host;
  /* First counter (index, not bytes) of function FN, and how many counters it has; 0 or negative:
     unknown. */
  int (*counters) (void *host, uint32_t fn, uint64_t *first, uint32_t *n);
};

/* Numbers of one process in the terms of another, for merge: new = map[old]; 0 stays 0. */
struct cab_idmap
{
  const uint32_t *fn, *site;
  uint32_t n_fn, n_site;   /* lengths of the maps */
  const uint64_t *first_from, *first_to;  /* per OLD function number: first counter in the source's,
					     and in the target's layout */
  const uint32_t *n_counters;             /* per old function number */
  const uint32_t *access;                 /* as `site`, of the numbers of accesses and allocations
					     (ACCESS batches) */
  uint32_t n_access;
  const uint32_t *node;                   /* of nodes of the same thread's tree, which has been
					     merged before */
  uint32_t n_node;
  uint32_t process;                       /* number of the process that the source is of, in the
					     model: addresses and threads are its own */
};

/* Column `form` of ACCESS batches. */
enum cab_row_form
{
  CAB_ROW_READ = 1,
  CAB_ROW_WRITE = 2,            /* READ | WRITE: one access that does both */
  CAB_ROW_RANGE = 4,            /* with READ or WRITE: a string or block of bytes, not one
				   operand */
  CAB_ROW_ALLOCATED = 8,        /* alone: memory came to be, site: first_access of the function +
				   its number of A lines + number of the allocation */
  CAB_ROW_RELEASED = 16,        /* alone: memory is given back; site as above */
  CAB_ROW_MOVED = 24,           /* alone: both, in one step */
  /* Of VALUE batches, alone: a value that is not of an access, site as of one. */
  CAB_ROW_ARGUMENT = 32,        /* of a call, before it */
  CAB_ROW_RETURNED = 64,        /* by a call */
  CAB_ROW_NAMED = 96            /* given to a variable that is in a register */
};
#define CAB_ROW_BARE 96u        /* mask of these */

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
#define CAB_VALUE_PART 8u       /* and: the access is wider than what is told */
#define CAB_VALUE_BEFORE 16u    /* and: of an access that does both, what was there before */

enum cab_shard
{
  CAB_SHARD_THREAD,  /* one state for each ring, which has one thread after the other
			(begin_thread); merged at the end */
  CAB_SHARD_KEY,     /* reserved: an analysis that asks for it, or for the next one, is refused when
			it is loaded */
  CAB_SHARD_SERIAL   /* reserved */
};

struct cab_option
{
  const char *name, *value, *help;   /* value: "BYTES", "N", "yes|no", ...; the table ends with a
					null name */
};

/* Events for the next stage; `emit` may be null. */
struct cab_out
{
  void *host;
  void (*emit) (void *host, const struct cab_batch *batch);
};

/* What the report of an analysis writes to, in the command: a table with named columns, which the
   host shows as text, TSV or JSON. */
enum cab_sheet_type
{
  CAB_SHEET_TEXT,                /* texts are copied */
  CAB_SHEET_COUNT,               /* text shows it with its thousands grouped */
  CAB_SHEET_NUMBER,              /* as it is; lines, ids */
  CAB_SHEET_SHARE,               /* 0 .. 1 */
  CAB_SHEET_REAL                 /* one that is not finite is unknown */
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

/* Where something stands in the source.  Texts may be empty, lines 0: unknown. */
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
  /* Once, before the first row.  COLUMNS must outlive the report. */
  void (*columns) (void *host, const struct cab_sheet_column *columns, int n);
  /* A row: as many cells as there are columns. */
  void (*row) (void *host, const union cab_sheet_cell *cells);
  /* Where function FN, call site SITE, access or allocation NUMBER of the merged state stands; 0:
     not known. */
  int (*function) (void *host, uint32_t fn, struct cab_sheet_place *place);
  int (*site) (void *host, uint32_t site, struct cab_sheet_place *place);
  int (*access) (void *host, uint32_t number, struct cab_sheet_place *place);
};

/* `wants' of an analysis. */
#define CAB_WANTS_SHAPES 1u      /* it takes accesses alone, and not their addresses: by shape, see
				    struct cab_batch */
#define CAB_WANTS_NODE 2u        /* column `node': the host runs the analysis `tree' as well.  Not
				    together with CAB_WANTS_SHAPES */
#define CAB_WANTS_REGIONS 4u     /* it takes accesses alone, and finds their addresses itself where
				    it can; it also takes each as a row.  Not with the others */

struct cab_analysis
{
  uint32_t abi;                  /* CAB_ANALYSIS_ABI */
  uint32_t bytes;                /* sizeof (struct cab_analysis); of those that cabprof brings: 0 */
  const char *name;
  const char *summary;           /* one line */
  uint32_t kinds;                /* bit 1 << CAB_EV_CALL, 1 << CAB_EV_PATH, ... */
  uint32_t wants;                /* CAB_WANTS_...: how batches are to be; else 0 */
  enum cab_shard shard;
  size_t arena_bytes;            /* initial size */
  const struct cab_option *options;

  /* Make an empty state in ARENA, which is all zero and has arena_bytes.  ARGUMENTS:
     "key=value:..." or empty.  0, or negative with words. */
  int (*open) (struct cab_arena *arena, const char *arguments, struct cab_diag *diag);
  /* Apply BATCH; the hot path. */
  void (*feed) (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions, const struct cab_out *out);
  /* Events applied so far, exact even if feed was cut off by SIGKILL in its midst. */
  uint64_t (*applied) (const struct cab_arena *arena);
  /* Events that feed could not hold. */
  uint64_t (*lost) (const struct cab_arena *arena);
  /* Are these bytes, which come from a file, a state?  0, or negative with words. */
  int (*check) (const struct cab_arena *arena, struct cab_diag *diag);
  /* Add FROM (checked) to INTO. */
  int (*merge) (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		struct cab_diag *diag);
  /* Of a user's analysis, or null: write what the state (checked, merged over the profile) says to
     SHEET, for `cabprof report NAME'. */
  void (*report) (const struct cab_arena *arena, const struct cab_sheet *sheet);
  /* At the start of the program, or null: ARGUMENTS with all that depends on the machine filled in,
     as FULL, a text of BYTES bytes.  That is what each open gets, also in the reader, on whatever
     machine.  0, or negative with words. */
  int (*settle) (const char *arguments, char *full, size_t bytes, struct cab_diag *diag);
  /* Or null: a copy of a state, checked, may be of a process that died in the midst of a step: take
     that back, for all who read the state then.  Before all but `check'. */
  void (*resume) (struct cab_arena *arena);
  /* Or null: a copy of a state, not yet checked, is of a process that runs, and changed while it
     was made: forget what is under way.  Instead of `resume'. */
  void (*let_go) (struct cab_arena *arena);
  /* Or null: nothing in the state belongs to one thread.  The events that follow are those of
     THREAD, all of the thread before have been fed: forget what is that thread's own (its caches,
     its stack, its last addresses), and keep what is counted: applied and lost stay as they are.
     Not called for the first thread of a state.  May be cut off by SIGKILL; then it is called
     again, after `check' and `resume', before anything is fed. */
  void (*begin_thread) (struct cab_arena *arena, uint32_t thread);
  /* Or null: its counts are not split by region of the source (cabprof.h).  From now on ARENA takes
     the events of THREAD, as FROM, a state with the same arguments, has up to here: make what is
     the thread's own what it is in FROM, and count nothing.  All states together are to count what
     one would have.  The process may be killed during the call; then nothing is fed to ARENA any
     more. */
  void (*carry) (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread);
};

/* The carry of an analysis that has nothing but counts. */
static inline void
cab_carry_nothing (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) arena, (void) from, (void) thread;
}

/* A user's own analysis (docs/own-analysis.md) is a shared object NAME.so that exports this, with
   `name' being NAME.  The runtime loads it when the program starts, by
   CABPROF_OPTIONS=analyses=PATH/NAME.so, or by NAME alone from the directories of CABPROF_ANALYSES,
   and the command when it reports, likewise: a profile names analyses, and no files.  Loading
   allocates on the program's heap; from then on it runs in the analysis thread, or with
   placement=inline in the program's, wherever that may be: it must not allocate, lock, print or
   throw there, nor call code that has probes.  If it crashes, the program does; if it does so in
   the command, that says which one was loaded.  In `report' it may do what it likes. */
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

/* The registry: analyses/live/registry.c. */
extern const struct cab_analysis *const cab_analyses[];   /* ends with null */
/* Those that run where the options name none: together they take each kind of event, and one to
   which none comes costs nothing. */
#define CAB_ANALYSES_DEFAULT "tree+paths+loops+accesses"
const struct cab_analysis *cab_analysis_find (const char *name);
/* Number I of all that are known, those that users brought behind the others; null behind the
   last. */
const struct cab_analysis *cab_analysis_at (uint32_t i);
/* A user's, known from now on; negative: there is another of its name, or too many. */
#define CAB_OWN_ANALYSES 8
int cab_analysis_add (const struct cab_analysis *analysis);

#endif
