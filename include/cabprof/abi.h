/* abi.h - what instrumented code, the stub in its module and the runtime agree on.
 *
 * Every symbol that instrumented code refers to begins with __cab_ and stands here.  All of them
 * are hidden and local to a module (an executable or a DSO): instrumented code never names the
 * runtime, so it links with no flag and runs without one.
 *
 * Source:     DESIGN of this project, docs/design.md "The thread's context" and "Counters in
 *             place".
 * Threads:    a struct cab_ctx belongs to its thread; rows are written by the runtime only (except
 *             short_loops), once, under its lock, and read by all threads.  Row slots go from 0 to
 *             their value by one aligned 8-byte store (release); a reader that sees the value sees
 *             what it stands for.
 * Units:      _bytes, or 8-byte words where a name says so.
 */
#ifndef CABPROF_ABI_H
#define CABPROF_ABI_H

#include <stdint.h>

#define CAB_ABI_VERSION 5

/* Where a thread's next event goes.  It lies in the header of its ring, and so in the profile: a
   reader of the ring of a dead process finds where the ring ended.  The thread itself writes it,
   others may read `next'. */
struct cab_cursor
{
  uint64_t next;         /*  0: address of the slot to write, in the process whose ring it is;
			    CAB_CURSOR_BUSY is set while an enqueue is under way */
  uint64_t limit;        /*  8: next >= limit, as unsigned numbers: take the slow path.  0 forces
			    it, and so does a busy cursor */
};
/* Beside each cursor, CAB_CURSOR_MOST bytes after it, is a word `most' for CAB rings: a slot that
   holds a greater word is not written.  0: only CLEAR slots are; CAB_EV_MAGIC - 1: all are, up to
   MAGIC. */
#define CAB_CURSOR_MOST 64
#define CAB_CURSOR_BUSY (UINT64_C (1) << 63)
#define CAB_CURSOR_BUSY_BYTE 0x80   /* the same bit in the last byte of `next' */

/* The context of a thread: thread-local memory of the executable (hidden COMDAT .tbss symbol
   __cab_ctx; __cab_count is its first word under a name and a type of its own), or of the runtime
   where no module of the executable provides one.  All zero means that this thread is not attached;
   each probe then takes its slow path, which attaches it.  Offsets are part of the ABI. */
struct cab_ctx
{
  int64_t count_base;    /*  0: address of this thread's counters minus 2^63; 0 = not attached */
  struct cab_cursor *cursor;   /*  8: of this thread's ring; null = no ring yet */
  uint64_t busy;         /* 16: the runtime's own: nonzero while it is at work on the ring */
  uint64_t error;        /* 24: the runtime's own errno */
  uint64_t call_word;    /* 32: left by the last instrumented caller: depth << 44 | site << 4 | tail
			    mark (bit 3) */
  uint64_t tail_cfa;     /* 40: canonical frame address of the activation that made the last tail
			    call */
  uint64_t tail_site;    /* 48: call site of that tail call << 4 */
  void *thread;          /* 56: the runtime's own */
  uint64_t inside;       /* 64: the runtime's own */
  uint64_t tail_return;  /* 72: return address of the activation that made the last tail call */
  uint64_t tail_target;  /* 80: where that tail call jumped: an address, or CAB_TAIL_* */
  uint64_t sample;       /* 88: N: one piece in N is recorded (CAB_ROW_SAMPLED); 0: none is */
  uint64_t zero[2];      /* 96: always 0: takes the place of a cursor where there is no ring */
  uint64_t stack;        /* 112: the runtime's own: where its stack for this thread begins; 0: not
			    made yet, 1: none could be had */
  uint32_t ended;        /* 120: the runtime's own: the thread's end has been seen; probes may still
			    run */
  uint32_t confined;     /* 124: the runtime's own: which filters of system calls the thread has
			    (rt/filters/filters.h) */
};
#define CAB_CTX_BYTES 128
#define CAB_CALL_TAIL_MARK 8u
#define CAB_TAIL_PROBED 1u    /* to a function that certainly has probes */
#define CAB_TAIL_FOREIGN 2u   /* to a function that has none */

/* The row of a function: one writable variable of 64 bytes, aligned to 64, in section .data.<row>;
   a COMDAT function's row is COMDAT too, hidden, under a name made of the function's assembler name
   and the checksum of its shape.  The probe refers to the row, so the row lives exactly as long as
   the probe.

   count_slot   0, or 2^63 + the byte offset of the function's counters in every thread's counter
		area.  p = ctx.count_base + count_slot is the address of this thread's counters if
		it is > 0 as a signed number; else (thread not attached, function not registered, or
		both) the gate `count` gives p.
   path_slot    0, or fn << 44 | CAB_EV_PATH.  Path event = path_slot + (path << 4); loop event =
		path_slot + what event.h says.
   call_slot    0, or callee << 24 | CAB_EV_CALL.  Call event = call_slot + (call word).
   site_slot    site number of this function's call site 0, << 4; valid once call_slot is not 0.
		Site k of the function is number site_slot/16 + k, k = 0 .. n_sites-1.  If numbers
		ran out: 0, and site_step below is 0.
   info         offset of the function's record in .cabprof_info minus the row's link-time address,
		modulo 2^32: record = section start
		+ (uint32_t) (info + (address of the row - load address of the module)).

   Counters of a function, 8 bytes each: [0] activations (kept where CAB_ROW_ENTRIES is set), [1]
   arrivals over abnormal edges (CAB_ROW_ARRIVALS), [2 + n] executions of path n; then the
   cells of values (value_cell.h).

   Where CAB_ROW_SAMPLED is set they are pairs, one for each place that begins a piece of an
   activation: its entry, then headers of loops.  [2 k] is how many pieces will be passed over
   before the next one is recorded, [2 k + 1] how many were recorded.  A piece begins by
       if (p[2 k]-- == 0)
	 { p[2 k] = ctx.sample - 1; if (ctx.sample) { p[2 k + 1]++; this piece is recorded } }
   so with N = ctx.sample there were N * p[2 k + 1] - p[2 k] pieces, modulo 2^64, whatever ended the
   process. */
struct cab_row
{
  uint64_t count_slot;
  uint64_t path_slot;
  uint64_t call_slot;
  uint64_t site_slot;
  uint32_t magic;       /* CAB_ROW_MAGIC */
  uint16_t abi;         /* CAB_ABI_VERSION of the compiler that made it */
  uint16_t flags;       /* CAB_ROW_* */
  uint32_t info;
  uint32_t checksum;
  uint16_t n_counters;  /* including counters [0] and [1]; 0 if the function counts nothing in
			   place */
  uint16_t n_accesses;  /* process-wide numbers that its accesses and allocations take (A lines,
			   then M lines), in units of CAB_ACCESS_UNIT */
  uint32_t n_sites;
  uint32_t reserved[1];
  uint32_t short_loops; /* bit k: the last execution of loop k (modulo 32) was too short to be
			   timed.  Written by the probes, a hint */
};
#define CAB_ROW_BYTES 64
#define CAB_ROW_MAGIC 0xC0B5170Bu
enum cab_row_flag
{
  CAB_ROW_PATHS_COUNT = 1,  /* paths are counted in place */
  CAB_ROW_PATHS_TRACE = 2,  /* paths are events; counters [0] and [1] are still kept in place */
  CAB_ROW_CALLS = 4,        /* entries are events */
  CAB_ROW_ENTRIES = 8,      /* counter [0] is kept; without it no activation can be abandoned
			       midway */
  CAB_ROW_ARRIVALS = 16,    /* counter [1] is kept */
  CAB_ROW_RING_CAB = 32,    /* its probes use the CAB ring (sentinels), not the chunk ring */
  CAB_ROW_LOOPS = 64,       /* executions of loops are events */
  CAB_ROW_MEMORY = 128,     /* accesses, allocations and releases are events */
  CAB_ROW_CONTEXT = 256,    /* ends of activations are events (RESUME) */
  CAB_ROW_SAMPLED = 512,    /* some pieces of its accesses are recorded: its counters are pairs.
			       Only with MEMORY */
  CAB_ROW_TIME = 1024,      /* its entries are events with a time (TIME), and so are its ends
			       (RESUME).  Only with CALLS */
  CAB_ROW_RING_PEER = 2048  /* the ring is one that cabprof's rings are compared with: with RING_CAB
			       FastForward, else N-way buffering */
};
#define CAB_COUNTER_ENTRIES 0
#define CAB_COUNTER_ARRIVALS 1
#define CAB_COUNTER_PATHS 2
#define CAB_ACCESS_UNIT 16
#define CAB_ROW_ACCESSES_MAX (UINT16_MAX * CAB_ACCESS_UNIT)   /* limit of the accesses of a row */
#define CAB_MAX_COUNTERS 32768u  /* per function: numbering cuts more edges until its paths fit */

/* Gates: the slow paths.  Instrumented code reaches them by  call __cab_gate_<name>  from inline
   assembly, after moving the stack pointer past the red zone.  Convention: one argument in %rax,
   result in %rax, every other register (general, vector, mask, x87, flags of MXCSR) preserved, any
   stack alignment.  The stub's gates jump through `struct cab_module.gate`; before the runtime has
   attached, or without one, they lead to local code that makes the probe harmless.

   count (row)   register ROW, attach the thread; returns p > 0: this thread's counters of ROW.  On
		 failure (no runtime, no memory, other ABI) p is the module's sink,
		 CAB_MAX_COUNTERS + 2 counters that nobody reads.
   id (row)      register ROW; returns ROW.  The caller loads the slots again, and uses them even if
		 they are still 0: an event with function 0 is one that the runtime drops (and
		 counts).
   event (event) the ring has no room (or this thread no ring): make room, store EVENT; or, if the
		 cursor is busy: EVENT comes from a signal handler that interrupted an enqueue: keep
		 it aside, in order, and leave the cursor busy.
   words (words) likewise for the header at *WORDS and the raw words after it.  For ACCESS events.
   All for chunk rings.  For CAB rings:
   cab (event)   the slot may not be written: wrap or wait, store EVENT, advance.

   Enqueue on a chunk ring of an event with n raw words (0: of one that is a word), as the plugin
   emits it (all accesses volatile; the order matters):
       c = ctx.cursor;
       if (!c) gate;
       again: p = c->next;
       if (p >= c->limit) gate;
       last byte of c->next = CAB_CURSOR_BUSY_BYTE;
       if ((uint32_t) c->next != (uint32_t) p) { last byte of c->next = 0; goto again; }
       p[n] = ...; ...; p[1] = ...; p[0] = header; c->next = p + n + 1;
   where gate is  event (ev)  or, of what has raw words,  words (copy of all on the stack).  A
   signal handler that comes before the mark leaves its events in front: the second look at `next'
   sees it.  One that comes after it takes the gate, as p is beyond any limit.  The store that says
   where the next event goes is also the one that ends the enqueue, and comes last: what lies before
   `next' is whole.
   Enqueue on a CAB ring:
       c = ctx.cursor;
       if (!c) gate cab (ev);
       p = c->next;
       if ((int64_t) p <= 0 || *p > most of c) gate cab (ev); else { *p = ev; c->next = p + 1; }
   Enqueue for N-way buffering, on a chunk ring, without the mark:
       c = ctx.cursor;
       if (!c) gate event (ev);
       p = c->next;
       if (p >= c->limit) gate event (ev); else { *p = ev; c->next = p + 1; }

   One more routine is the stub's own, called the same way and never the runtime's:
   tail (a)      what a call word with the tail mark means at an entry.  A[0], A[1] the word, A[2]
		 this function's address (CAB_TAIL_PROBED if nobody else can know it), A[3] its
		 return address, A[4] its canonical frame address.  A[1] becomes the word without
		 the mark, where that was meant for this function or is stale, as does the
		 context's; A[0] what, added to call_slot, is the event.  */
enum cab_gate
{
  CAB_GATE_COUNT,
  CAB_GATE_ID,
  CAB_GATE_EVENT,
  CAB_GATE_CAB,
  CAB_GATE_WORDS,
  CAB_N_GATES
};

/* The module's entry for the runtime, one per module, in its stub, hidden (__cab_module).  The
   stub's constructor (.init_array.00001) finds the runtime (already in the process, else at the
   path baked in, else by its soname) and calls cabprof_attach. */
struct cab_module
{
  uint32_t abi;                     /* CAB_ABI_VERSION of the stub */
  uint32_t bytes;                   /* sizeof (struct cab_module) */
  int64_t ctx_offset;               /* thread pointer + ctx_offset = struct cab_ctx; 0 = none.
				       Filled by the runtime. -fPIC code loads it (hidden symbol
				       __cab_off labels this word) */
  void (*gate[CAB_N_GATES]) (void); /* trampolines of the runtime, convention above */
  void *sink;                       /* the module's sink */
  uint64_t generation;              /* filled by the runtime: which load of a module this is,
				       counted in the process */
  /* Filled by the runtime if `bytes' covers it, and read by cabprof.h in any object of the module:
     do REQUEST (control.h), with NAME if it has one; returns 0, or a negative number.  An ordinary
     C function.  Null: the process runs unprofiled. */
  int (*control) (unsigned request, const char *name);
  uint64_t early[2];                /* calls of the gates `count' and `id' before the runtime was
				       there: functions entered from .preinit_array, or called by
				       resolvers of ifuncs.  A function that takes both gates is
				       counted in each */
  /* If `bytes' covers them: FRONT is what the runtime puts into `gate', code of the stub's own that
     saves registers and blocks signals (gate_front.h); INNER is what this calls, filled by the
     runtime. */
  void (*front[CAB_N_GATES]) (void);
  void (*inner[CAB_N_GATES]) (void);
};
#define CAB_MODULE_BYTES_LEAST 72   /* size without `control' */

/* One per module whose objects record accesses, hidden: uint64_t __cab_known[4], the addresses of
   malloc, calloc, realloc and free, 0: not present.  Filled by the loader; the target of a call
   through a pointer is compared with it. */

/* Attach the module of M: called by its stub, from its constructor.  Fills *M.  Returns 0, or -1 if
   the process runs unprofiled (it has said why).  Any number of calls for one module. */
int cabprof_attach (struct cab_module *m);

/* Detach the module of M: called by the stub's destructor when a module is unloaded or the process
   ends; the rows of M vanish. */
void cabprof_detach (struct cab_module *m);

/* The object at the entry point of libcabprof.so.1, which is not code.  By it a stub finds a
   runtime that is in the process, whether the dynamic loader or another stub has mapped it. */
struct cab_runtime
{
  uint64_t magic;   /* CAB_RUNTIME_MAGIC */
  int (*attach) (struct cab_module *m);
  void (*detach) (struct cab_module *m);
  uint64_t base;    /* where a stub has mapped the file; 0: the dynamic loader has mapped it */
};
#define CAB_RUNTIME_MAGIC UINT64_C (0x454d49545f424143)   /* "CAB_TIME" */

/* ELF note of an executable whose objects bring a context: name "cabprof", type CAB_NOTE_CTX,
   descriptor: one 32-bit signed x@tpoff of __cab_ctx. */
#define CAB_NOTE_NAME "cabprof"
#define CAB_NOTE_CTX 1

#define CAB_RUNTIME_SONAME "libcabprof.so.1"

#endif
