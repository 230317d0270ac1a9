/* profile.h - a profile on disk: a directory with one part per process.
 *
 *     cabprof.data/
 *         PID-START.part        one process: everything that it measured.  START: hex nanoseconds
 *                               of CLOCK_REALTIME at attach
 *         modules/KEY.info      the .cabprof_info section of one executable or DSO, copied once,
 *                               whole, by temporary name and link(2), shared by all parts.  KEY:
 *                               build id in hex, or dev-ino-size-mtime_ns in hex where there is
 *                               none
 *         run                   which run the parts belong to (rt/rotate.h); `cabprof record` needs
 *                               none
 *         PID-START-N.paused    what the process has counted in pauses (control.h)
 *         snapshots/NAME/       parts as above, at the moment when their processes took a snapshot
 *                               of that name
 *         meta.json             optional, by `cabprof record`: command, times, load of the machine
 *
 * Model:      the part is the memory of the profiler: the runtime maps its extents and works in
 *             them, so the file is whole at every moment, whatever ends the process.  The reader
 *             applies what rings still hold, and what analyses had not yet seen ("finishing").
 *             Nothing in it is a pointer except the cursors of rings, which come with the address
 *             that they count from.
 * Shapes:     struct cab_part_header at offset 0; then extents, page aligned, in the order of their
 *             creation; the extent table lies in the header's page(s).  An *area* (function
 *             registry, one thread's counters, an analysis' arena, ...) is the concatenation of its
 *             extents by area_offset.
 * Units:      bytes, or as named.  Little endian, as byte_order shows.
 * Threads:    extents are appended under the runtime's lock; n_extents is stored last (release).  A
 *             reader of a live file takes n_extents first and sees whole extents.
 * Errors:     every reader treats every field as hostile.
 */
#ifndef CABPROF_PROFILE_H
#define CABPROF_PROFILE_H

#include <stdint.h>

#include "cabprof/abi.h"

#define CAB_PART_MAGIC "CABPART"  /* with its NUL: 8 bytes */
#define CAB_PART_VERSION 3
#define CAB_PART_FRONT_VERSION 2   /* since this version the header up to its tables is unchanged:
				      traces contain that part of it */
#define CAB_PART_BYTE_ORDER 0x01020304u
#define CAB_PART_EXTENTS 65536  /* the tables below are long, and mostly a hole in the file */
#define CAB_PART_ARENAS 32768
#define CAB_PART_SUFFIX ".part"
#define CAB_PART_NEW_SUFFIX ".new"   /* in place of CAB_PART_SUFFIX until the header is whole: a
					process that ends before has counted nothing */

enum cab_extent_kind
{
  CAB_EXT_FREE = 0,       /* given back; its bytes mean nothing */
  CAB_EXT_STRINGS = 1,    /* NUL-terminated strings, appended; referred to by offset in the area */
  CAB_EXT_MODULES = 2,    /* struct cab_part_module[] */
  CAB_EXT_FUNCTIONS = 3,  /* struct cab_part_function[]; function number = index + 1 */
  CAB_EXT_THREADS = 4,    /* struct cab_part_thread[] */
  CAB_EXT_COUNTS = 5,     /* uint64_t[]: counters; owner = number of the counter area */
  CAB_EXT_RING = 6,       /* struct cab_ring_header, then its slots; owner = number of the ring */
  CAB_EXT_ARENA = 7,      /* an analysis' state; owner = index in the arenas table */
  CAB_EXT_CONTROL = 8,    /* struct cab_part_control (control.h) */
  CAB_EXT_REGIONS = 9,    /* struct cab_part_region[] (control.h); none if the program has no
			     regions */
  CAB_EXT_REGION = 10,    /* uint64_t[][2]: counters of a region; owner = its row in REGIONS */
  CAB_EXT_SETS = 11,      /* struct cab_part_set[] (control.h); none if the program has no
			     regions */
  CAB_EXT_ARENA_SETS = 12, /* uint32_t[] (control.h); none if the program has no regions */
  CAB_EXT_ARENA_PARTS = 13, /* struct cab_part_arena_part[], by index in the arenas table; none if
			       no state is a part of several */
  CAB_EXT_DELEGATES = 14    /* struct cab_part_delegate[]; none if the process has none */
};

struct cab_extent
{
  uint32_t kind;
  uint32_t owner;
  uint64_t file_offset;
  uint64_t area_offset;
  uint64_t bytes;
};

enum cab_part_state
{
  CAB_PART_RUNNING = 0,  /* or killed: see start_ticks */
  CAB_PART_ENDED = 1     /* rings drained, ring extents freed */
};

/* Causes of a dropped event; index of ledger.dropped. */
enum cab_drop
{
  CAB_DROP_UNREGISTERED,  /* the function had no number (numbers ran out, other ABI) */
  CAB_DROP_NO_MEMORY,     /* no room for counters, a ring, an arena (of one of the analyses; others
			     may have the event) or the signal stash; or a handler has sent more
			     than that holds during the event's enqueue */
  CAB_DROP_NO_THREAD,     /* the thread could not be attached */
  CAB_DROP_DISK,          /* the part could not grow */
  CAB_DROP_UNWANTED,      /* no chosen analysis takes such events */
  CAB_DROP_SANDBOX,       /* after a filter of system calls: the ring was full, or the event was a
			     signal handler's; and entries of functions, or of threads, without
			     counters */
  CAB_N_DROPS = 8
};

#define CAB_CLOCK_PAIRS 3
/* Values of clock_varies: the processor does not say that the counter is steady; times are not of
   the counter, but nanoseconds of CLOCK_MONOTONIC, and so are both parts of each pair. */
#define CAB_CLOCK_VARIES 1u
#define CAB_CLOCK_IS_CALL 2u

/* Sums over the process; each writer adds with relaxed atomics or under the lock. */
struct cab_ledger
{
  uint64_t enqueued;               /* words that rings took, as far as published; the reader adds
				      the unpublished ones.  For a ring that was read to its end:
				      raw_words + analysed + the events that were dropped after
				      it */
  uint64_t analysed;               /* events that were fed to all of the analyses that take them,
				      each counted once */
  uint64_t dropped[CAB_N_DROPS];   /* events, dropped before a ring or after it */
  uint64_t blocked_ns;             /* time that producers waited for room */
  uint64_t n_blocked;              /* how often producers waited for room */
  uint64_t inline_ns;              /* time that analyses took in the program's own threads */
  uint64_t stashed;                /* events that were kept in a signal stash */
  uint64_t n_attach_failures;
  uint64_t n_functions_refused;    /* registrations that failed */
  uint64_t raw_words;              /* words in rings that were no events: the raw words of accesses,
				      and empty ones */
  uint64_t accesses;               /* accesses and allocations that the events stand for
				      (analysis.h, rows of ACCESS batches) */
  uint64_t traced, untraced;       /* words of rings that were written to a trace, and that should
				      have been but were not (trace.h) */
  uint64_t sample;                 /* not a sum: N of sample=N.  Functions with CAB_ROW_SAMPLED
				      recorded one piece in N; 0: none */
  uint64_t early;                  /* functions entered before the runtime was there: not counted
				      otherwise */
  /* Not sums: the time stamp counter beside CLOCK_MONOTONIC, at the start of the process, and later
     on; of the others, that with the greater time is the latest.  A pair without a time is not
     valid. */
  struct cab_clock_pair
  {
    uint64_t clock, ns;
  } clocks[CAB_CLOCK_PAIRS];
  uint64_t clock_varies;           /* CAB_CLOCK_VARIES, CAB_CLOCK_IS_CALL; else 0 */
  uint64_t reserved[1];
};

struct cab_part_header
{
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint32_t header_bytes;      /* sizeof (struct cab_part_header) */
  uint32_t page_bytes;
  uint32_t state;             /* enum cab_part_state */
  uint32_t n_extents;
  uint64_t file_bytes;        /* end of the last extent */
  uint64_t pid, ppid;
  uint64_t start_realtime_ns, end_realtime_ns;  /* CLOCK_REALTIME; end 0 while running */
  uint64_t start_ticks;       /* field 22 of /proc/PID/stat: distinguishes a live process from a
				 reused pid */
  uint64_t forked_from;       /* START of the parent's part, 0 if none */
  uint32_t exe, cwd, cmdline, options, version_text;  /* offsets in STRINGS; cmdline: arguments
							 separated by \1 */
  /* rows in use of each table, stored last */
  uint32_t n_modules, n_functions, n_threads, n_counts, n_rings, n_arenas;
  uint64_t counts_bytes;      /* every counter area is valid for this many bytes */
  struct cab_ledger ledger;
  struct cab_part_arena
  {
    uint32_t analysis;        /* name, offset in STRINGS */
    uint32_t present;         /* 1 + index in THREADS of the thread whose events it takes now; 0: it
				 is `thread' */
    uint32_t thread;          /* index in THREADS of the only thread whose events it has taken, or
				 ~0: several, one after the other */
    uint32_t ring;            /* the ring that feeds it, or ~0 */
    uint64_t used_bytes;
  } arenas[CAB_PART_ARENAS];
  struct cab_extent extents[CAB_PART_EXTENTS];
};

/* Row of area CAB_EXT_ARENA_PARTS: the state is part PART of N_PARTS, by keys (analysis.h).
   N_PARTS 0, and rows after the end: it is whole.  PART is N_PARTS: it has had the rows of all
   parts, to be compared with these (check-serializer).  N_PARTS is CAB_PART_SERIAL: it is one for
   all rings, and PART is the number of the ring whose events it was fed last: only of that one it
   may have had events that lie after the tail. */
#define CAB_PART_SERIAL UINT32_MAX
struct cab_part_arena_part
{
  uint32_t part, n_parts;
  uint64_t fed[2];             /* events that the state was fed up to the tail of its ring: index
				  and order as those of `seen' in struct cab_ring_header */
};

/* Row of area CAB_EXT_DELEGATES: what delegate K, which serves part K of all rings, has done. */
struct cab_part_delegate
{
  uint64_t exists;             /* 1; 0 in rows after the last delegate */
  uint64_t rows;               /* of batches that were sent to it */
  uint64_t helped;             /* of these, fed by the threads that sent them, instead of waiting */
  uint64_t busy_ns;            /* time that it fed the others */
  uint64_t longest;            /* most rows that waited for it at once, in one ring */
};

struct cab_part_module
{
  uint32_t path;        /* offset in STRINGS: file as loaded */
  uint32_t key;         /* offset in STRINGS: KEY of modules/KEY.info */
  uint64_t load_bias;
};

/* Functions have numbers in the order in which they first ran, except those with this flag: they
   were registered before that, with all others that had not run, because the process was about to
   forbid itself system calls. */
#define CAB_PART_UNORDERED (UINT32_C (1) << 16)

struct cab_part_function
{
  uint32_t module;         /* index in MODULES */
  uint32_t info_offset;    /* of its record in the module's .cabprof_info */
  uint32_t checksum;
  uint32_t flags;          /* CAB_ROW_*, CAB_PART_UNORDERED */
  uint64_t count_offset;   /* bytes, in every counter area (paths traced: in every `paths` arena
			      too) */
  uint32_t n_counters;
  uint32_t n_sites;
  uint32_t first_site;     /* process-wide number of its site 0; 0 = none */
  uint32_t first_access;   /* process-wide number of its access 0; 0 = none */
};

struct cab_part_thread
{
  uint64_t tid;
  uint64_t start_realtime_ns, end_realtime_ns;
  uint32_t counts;   /* number of the counter area that it adds to, ~0 = none.  Areas of ended
			threads are reused: counters are sums */
  uint32_t ring;     /* number of its ring, ~0 = none */
  char name[16];
};

enum cab_ring_type
{
  CAB_RING_EARLIER = 1,  /* a chunk ring before ABI 4, whose open chunk ended where a word was 0: no
			    longer read */
  CAB_RING_CAB = 2,      /* also FastForward: a chunk is one slot */
  CAB_RING_CHUNK = 3,    /* also N-way buffering */
  CAB_RING_SAMPLED = 4   /* a CAB ring whose producer overwrites what was not read */
};

#define CAB_SEEN_LOOP_ROWS 7   /* no batch has this kind */
#define CAB_SEEN_KINDS 8       /* those of `seen' in struct cab_ring_header */

/* A ring: this header in its own page, then n_chunks * chunk_slots slots of 8 bytes (CAB: + 1 for
   MAGIC; chunk ring: each chunk is followed by CAB_RING_RED_SLOTS spare slots, so chunk i begins at
   slot i * (chunk_slots + CAB_RING_RED_SLOTS)).

   What a reader finds in the ring of a dead process, chunk ring: the chunks tail .. head - 1,
   used[i] words each; then the open chunk i = head % n_chunks, if entered = head + 1 (else it still
   holds what was consumed): its words before the cursor, see cab_ring_open_words.  CAB: the words
   from slot tail % slots on, around the end, up to the first 0.  0 inside a chunk is no event.
   A process that reads only some events (share in control.h) leaves nothing to be read: what
   its rings hold was neither chosen nor passed. */
#define CAB_RING_HEADER_BYTES 4096
#define CAB_RING_RED_SLOTS 16
struct cab_ring_header
{
  uint32_t type;
  uint32_t thread;             /* index in THREADS of its present producer */
  uint32_t n_chunks;           /* changes only while no word is after tail */
  uint32_t chunk_slots;
  uint32_t ended;              /* the producer has gone; all is published */
  uint32_t pad0;
  /* Written by the producer. */
  _Alignas (64) uint64_t head; /* chunks published, ever (chunk ring); laps (CAB), also one that
				  is about to begin (sampled) */
  uint32_t head_futex;
  uint64_t entered;            /* chunk ring: 1 + the number of the chunk that the producer has
				  begun to write; sampled: laps begun, stored once the cursor is in
				  the new lap */
  /* Written by the consumer. */
  _Alignas (64) uint64_t tail; /* chunks consumed and given back, ever (chunk ring); slots consumed,
				  ever (CAB: whole chunks) */
  uint64_t seen[2][CAB_SEEN_KINDS];
			       /* events (rows: of ACCESS) of each batch kind (CALL stands for TAIL
				  and UNDER, PATH for PATH_LAST) fed to the analyses up to `tail':
				  seen[chunks consumed & 1]; the other bank is written before tail
				  moves.  Together with an analysis' own account of what it has
				  applied this shows how far it was inside the chunk after tail when
				  the process died. [0]: the tree's position at `tail', if an
				  analysis wants nodes: frames << 32 | node on top.
				  [CAB_SEEN_LOOP_ROWS]: rows of ACCESS with those of loops, if an
				  analysis wants these */
  uint32_t tail_futex;
  uint32_t analysing;          /* nonzero while words of it are being fed to the analyses */
  /* Chunk ring: slots used in chunk i, and the stamp (CLOCK_MONOTONIC ns) at its publication. */
  _Alignas (64) uint32_t used[256];
  uint64_t stamp[256];
  /* Written by the producer with each event. */
  _Alignas (128) struct cab_cursor cursor;
  uint64_t slots_address;      /* of slot 0, in the process whose ring it is */
  /* control.h */
  struct cab_cursor paused;    /* of the producer while it is paused, into memory of its own */
  uint64_t obeys;              /* value of `pause' when the producer last read it */
  uint64_t flushed;            /* value of `flush' when the producer last read it */
  uint32_t set;                /* number of the set of regions of the words after tail: the ring is
				  empty while it changes */
  uint32_t n_switches;         /* how often it, or n_chunks, has changed */
  uint64_t most;               /* of `cursor': abi.h */
  uint64_t timed[2];           /* events of kind TIMED; else as `seen' */
  uint64_t paused_most;        /* of `paused' */
  uint64_t levelled[2];        /* rows of ACCESS with their levels (CAB_WANTS_LEVEL); else as
				  `seen' */
};

/* Return the number of words of whole events in chunk number CHUNK of the chunk ring H, if that is
   the one that its producer entered last, else 0.  The producer may live, and continue, as long as
   the ring's tail is not moved beyond CHUNK. n_chunks and chunk_slots of H are sound, all else may
   be anything; the result is less than the size of a chunk.  Loads `entered' and `next' with
   acquire. */
static inline uint64_t
cab_ring_open_words (const struct cab_ring_header *h, uint64_t chunk)
{
  uint64_t stride = h->chunk_slots + CAB_RING_RED_SLOTS,
	   entered = __atomic_load_n (&h->entered, __ATOMIC_ACQUIRE);
  uint64_t slots = ((__atomic_load_n (&h->cursor.next, __ATOMIC_ACQUIRE) & ~CAB_CURSOR_BUSY)
		    - h->slots_address)
		 / 8;
  return entered == chunk + 1 && slots / stride == chunk % h->n_chunks ? slots % stride : 0;
}

#endif
