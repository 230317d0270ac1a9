/* event.h - the event word, the one unit that passes through a ring.
 *
 * Source:     Ha et al., CAB (OOPSLA 2009), 3.1: one word per event, CLEAR and MAGIC are illegal
 *             events.
 * Model:      an event is one 64-bit word.  Its low four bits are the kind; the rest depends on the
 *             kind.  A word that may hold any value never stands in a ring as it is: it follows an
 *             ESCAPE header, and only a ring without sentinels (the chunk ring) carries escapes.
 * Shapes:
 *     kind      63        44 43        24 23         4 3    0
 *     CALL     [ depth : 20 ][callee : 20][ site : 20 ][ 0001 ]
 *              entry of CALLEE, called at SITE, below DEPTH frames
 *     TAIL     [ depth : 20 ][callee : 20][ site : 20 ][ 1001 ]
 *              entry of CALLEE by a jump in tail position: see below
 *     UNDER    [ depth : 20 ][callee : 20][ site : 20 ][ 1011 ]
 *              entry of CALLEE, called back by foreign code that was tail called
 *     PATH     [ fn    : 20 ][        path : 40       ][ 0010 ]
 *              path number PATH of function FN ended
 *     PATH_LAST[ fn    : 20 ][        path : 40       ][ 1010 ]
 *              path number PATH of function FN ended, and with it the activation
 *     LOOP     [ fn : 20 ][ loop : 10 ][ form : 3 ][ n : 27 ][ 0011 ]
 *              an execution of loop LOOP of function FN: see below
 *     ACCESS   [ fn : 20 ][ region : 20 ][ form : 8 ][ n : 12 ][ 0100 ]
 *              n raw words follow: see below
 *     SAMPLE   [ units : 13 ][        address : 47     ][ 0101 ]
 *              the thread was at ADDRESS when it was interrupted: see below
 *     RESUME   [ depth : 20 ][  fn : 20  ][  0 : 20   ][ 0111 ]
 *              all activations at DEPTH or above have ended: see below
 *     TIME     [                 clock : 60           ][ 0110 ]
 *              the CALL, TAIL, UNDER or RESUME that follows was sent at CLOCK: see below
 *     RUN      [ fn : 20 ][ n : 25 ][ path  : 15      ][ 1100 ]
 *              path number PATH of FN ended n times in a row, with nothing in between
 *     RUN_HIGH [ fn : 20 ][ n : 25 ][ path  : 15      ][ 1101 ]
 *              path number PATH of FN ended n * 2^25 times in a row; a RUN follows
 *     PACK     [ fn : 20 ][ paths : 32 ][ 0 : 4 ][ bits : 4 ][ 1000 ]
 *              several paths of FN ended in a row: see below
 *     ESCAPE   [ payload : 40 ][type : 8][ n_words : 12][ 1110 ]
 *              n_words raw words follow
 *   Kinds 0000 and 1111 are illegal: so no event equals CLEAR (0) or MAGIC (~0).
 *
 *   depth   number of instrumented frames below the callee, modulo 2^20.  A consumer that knows its
 *           stack's depth D takes the largest depth <= D + 1 that agrees; that is exact unless 2^20
 *           frames are left at once.
 *   callee, fn   the function's number in this process, 1 .. 2^20-1, assigned at its first
 *           execution.
 *   site    the call site's number in this process, 1 .. 2^20-1; 0: none (a thread's first
 *           function), or numbers ran out.
 *
 *   A loop that calls nothing and whose iterations all take one path counts them and sends the path
 *   once, when it is left.
 *
 *   A loop that calls nothing, including the loops in it, sends the paths that end in it several at
 *   a time.  PATHS of a PACK are numbers of BITS bits, the last one in the low bits; at most as
 *   many as fit in 31 bits: bit pad + bits * n is the topmost that is set, n being how many there
 *   are, and pad = 31 % bits.
 *
 *   How a consumer follows calls: it keeps, per depth, a NODE and a BASE.
 *     CALL  at depth d: parent = node[d-1] (or the root);
 *                       node[d] = base[d] = child (parent, callee, site)
 *     TAIL  at depth d: parent = node[d];
 *                       node[d] = base[d] = child (parent, callee, site)
 *     UNDER at depth d: parent = base[d];
 *                       node[d] = child (parent, callee, site); base[d] stays
 *   and in each case everything above depth d is dropped.  A PATH_LAST of the function on top takes
 *   it off (but node[d] and base[d] stay readable: a TAIL or UNDER at that depth may follow); a
 *   PATH or RUN of another function than the one on top means that the frames above it were left by
 *   longjmp or an exception.  So a ring that carries both kinds gives each path its tree node.
 *
 *   Where the events of an activation must be separated from those of the functions that it calls
 *   (plugin option `context'), each activation also reports its end:
 *     RESUME at depth d: frames 0 .. d-1 are left, and that of depth d-1 continues; d is taken as
 *     the largest that is not above the stack's depth
 *   An activation that was entered at depth d sends it as its last word, unless it ends in a jump
 *   (the function that it jumps to sends it; d is one more where it was called back by foreign code
 *   that was jumped to).  One that finds after a call, where an exception lands, or where setjmp
 *   returns again, that others above it were abandoned (the context's call word is not as it left
 *   it) sends RESUME with its own depth + 1.  So between two words of CALL, TAIL, UNDER and RESUME
 *   all events belong to the activation on top.
 *
 *   Where times are recorded (plugin events `time'), a TIME precedes each CALL, TAIL and UNDER, and
 *   each RESUME with which an activation ends; both words are stored at once.  CLOCK is the time
 *   stamp counter, or ns (profile.h, clock_varies).  Each activation sends its end, as with
 *   `context', and FN of that RESUME is its function, else 0; one that ends in a jump sends it
 *   before the jump, so a TAIL or UNDER may follow it.  What longjmp or an exception left is not
 *   told by itself: it had ended when the next of these events at its depth or below was sent.
 *
 *   loop    the loop's number in its function: the L lines of the function's record (info.h) say
 *           which source loop that is.  An execution of a loop sends up to five words, between
 *           which others may stand (of loops inside it, of calls):
 *     ENTER        it begins; only of loops that control may leave by other ways than the edges of
 *                  the function (L flag m)
 *     CYCLES_HIGH  n * 2^27 further cycles of the time stamp counter; only where there are that
 *                  many, directly before CYCLES
 *     CYCLES       n cycles were counted from its begin to its end; only of an execution that was
 *                  timed
 *     LEFT_HIGH    n * 2^27 further iterations; only where there are that many, directly before
 *                  LEFT
 *     LEFT         it ended, over an edge of the function, and its body had n iterations; always
 *   The words of its end stand together, in this order, except for those of a signal handler.
 *
 *   form    of ACCESS, what happened:
 *     REGION      the accesses of region REGION of FN, as the A lines of its record say (info.h);
 *                 the raw words are what these refer to
 *     ALLOCATED   two words: address, bytes.  REGION is the number of the allocation in FN (the M
 *                 lines)
 *     RELEASED    one word: address
 *     MOVED       three words: old address, new address, bytes (realloc)
 *   Addresses may be 0: nothing was allocated (the call failed), nothing was released (free (0)).
 *   MOVED to 0: with 0 bytes the old block was released, else it stays.  An ACCESS and its raw
 *   words stand together in a chunk, with nothing in between; n is at most CAB_ACCESS_WORDS.  Raw
 *   words may have any value, also those of CLEAR and MAGIC; only chunk rings carry them, and a
 *   reader that walks a ring steps over them.  A region's event is sent when the region has been
 *   left, by an edge or before a call; so its accesses happened between the thread's previous event
 *   and this one.
 *
 *   SAMPLE  a sampler in the process records where the thread is: the address of the next
 *           instruction, and the thread's CPU time since the sample before, in units of 2^16 ns.
 *           CAB_EV_ADDRESS_RUNTIME stands for all addresses in cabprof's runtime.  Only a thread
 *           that has sent another event sends it.  The functions on its stack follow from the
 *           events before it, but some at the top may have ended without an event yet: the address
 *           says in which function the thread is.
 *
 * Order:      the words of one thread's ring are in program order, whatever their kinds.  Words of
 *             different threads are ordered only by the stamps that ring chunks carry.
 */
#ifndef CABPROF_EVENT_H
#define CABPROF_EVENT_H

#include <stdint.h>

#define CAB_EV_CLEAR UINT64_C (0)
#define CAB_EV_MAGIC (~UINT64_C (0))

#define CAB_EV_KIND_MASK 15u
enum cab_event_kind
{
  CAB_EV_CALL = 1,
  CAB_EV_PATH = 2,
  CAB_EV_LOOP = 3,
  CAB_EV_ACCESS = 4,
  CAB_EV_SAMPLE = 5,
  CAB_EV_TIME = 6,              /* of rings alone */
  CAB_EV_VALUE = 6,             /* of batches alone: values that ACCESS events record */
  CAB_EV_RESUME = 7,
  CAB_EV_PACK = 8,              /* of rings alone */
  CAB_EV_TIMED = 8,             /* of batches alone: events that a TIME precedes */
  CAB_EV_TAIL = 9,
  CAB_EV_PATH_LAST = 10,
  CAB_EV_UNDER = 11,
  CAB_EV_RUN = 12,
  CAB_EV_RUN_HIGH = 13,
  CAB_EV_ESCAPE = 14
};

/* Positions of the fields. */
#define CAB_EV_SITE_SHIFT 4
#define CAB_EV_CALLEE_SHIFT 24
#define CAB_EV_DEPTH_SHIFT 44
#define CAB_EV_FN_SHIFT 44
#define CAB_EV_PATH_SHIFT 4
#define CAB_EV_ID_MASK UINT64_C (0xfffff)         /* 20 bits: depth, callee, fn, site */
#define CAB_EV_PATH_MASK UINT64_C (0xffffffffff)  /* 40 bits */
#define CAB_EV_ID_MAX 0xfffffu
#define CAB_EV_TIME_SHIFT 4
#define CAB_EV_RUN_SHIFT 19                       /* position of n */
#define CAB_EV_RUN_BITS 25
#define CAB_EV_RUN_MASK 0x1ffffffu
#define CAB_EV_RUN_PATH_MASK 0x7fffu              /* 15 bits: enough for all paths of a function */

#define CAB_EV_PACK_SHIFT 12                      /* position of the paths */
#define CAB_EV_PACK_BITS 31                       /* bits of the paths, without the topmost that is
						     set */
#define CAB_EV_PACK_MOST 31                       /* most paths in a PACK */
#define CAB_EV_PACK_WIDTH_MASK 15u
#define CAB_EV_ADDRESS_SHIFT 4
#define CAB_EV_ADDRESS_MASK UINT64_C (0x7fffffffffff)   /* 47 bits: all addresses of a program */
#define CAB_EV_ADDRESS_RUNTIME 0
#define CAB_EV_UNITS_SHIFT 51
#define CAB_EV_UNITS_MAX 0x1fffu
#define CAB_EV_UNIT_NS_SHIFT 16

/* Forms of LOOP. */
enum cab_loop_form
{
  CAB_LOOP_LEFT,
  CAB_LOOP_LEFT_HIGH,
  CAB_LOOP_CYCLES,
  CAB_LOOP_CYCLES_HIGH,
  CAB_LOOP_ENTER
};
#define CAB_EV_LOOP_SHIFT 34
#define CAB_EV_LOOP_FORM_SHIFT 31
#define CAB_EV_LOOP_N_SHIFT 4
#define CAB_EV_LOOP_N_BITS 27
#define CAB_EV_LOOP_N_MASK UINT64_C (0x7ffffff)
#define CAB_EV_LOOP_MAX 0x3ffu

/* Forms of ACCESS. */
enum cab_access_form
{
  CAB_ACCESS_REGION,
  CAB_ACCESS_ALLOCATED,
  CAB_ACCESS_RELEASED,
  CAB_ACCESS_MOVED
};
#define CAB_EV_REGION_SHIFT 24
#define CAB_EV_ACCESS_FORM_SHIFT 16
#define CAB_EV_WORDS_SHIFT 4
#define CAB_EV_WORDS_MASK 0xfffu
#define CAB_ACCESS_MAX 0xfffffffu                 /* limit of the numbers of accesses; functions
						     that come later have none */
#define CAB_ACCESS_WORDS 14                       /* a chunk's spare slots hold this many raw words
						     and a sentinel */

static inline unsigned
cab_ev_kind (uint64_t word)
{
  return word & CAB_EV_KIND_MASK;
}

static inline uint32_t
cab_ev_site (uint64_t word)
{
  return word >> CAB_EV_SITE_SHIFT & CAB_EV_ID_MASK;
}

static inline uint32_t
cab_ev_callee (uint64_t word)
{
  return word >> CAB_EV_CALLEE_SHIFT & CAB_EV_ID_MASK;
}

static inline uint32_t
cab_ev_depth (uint64_t word)
{
  return word >> CAB_EV_DEPTH_SHIFT & CAB_EV_ID_MASK;
}

/* Return a CALL, TAIL or UNDER event; DEPTH is taken modulo 2^20. */
static inline uint64_t
cab_ev_call (enum cab_event_kind kind, uint32_t depth, uint32_t callee, uint32_t site)
{
  return (depth & CAB_EV_ID_MASK) << CAB_EV_DEPTH_SHIFT | (uint64_t) callee << CAB_EV_CALLEE_SHIFT
       | (uint64_t) site << CAB_EV_SITE_SHIFT | kind;
}

static inline uint32_t
cab_ev_fn (uint64_t word)
{
  return word >> CAB_EV_FN_SHIFT & CAB_EV_ID_MASK;
}

static inline int
cab_ev_is_run (uint64_t word)
{
  return (word & (CAB_EV_KIND_MASK & ~1u)) == CAB_EV_RUN;   /* or RUN_HIGH */
}

/* Return the path's number in a PATH, PATH_LAST, RUN or RUN_HIGH. */
static inline uint64_t
cab_ev_path (uint64_t word)
{
  return word >> CAB_EV_PATH_SHIFT
       & (cab_ev_is_run (word) ? CAB_EV_RUN_PATH_MASK : CAB_EV_PATH_MASK);
}

/* Return how often the path of a PATH, PATH_LAST, RUN or RUN_HIGH was executed. */
static inline uint64_t
cab_ev_times (uint64_t word)
{
  uint64_t n = (word >> CAB_EV_RUN_SHIFT & CAB_EV_RUN_MASK) << (word & 1 ? CAB_EV_RUN_BITS : 0);
  return cab_ev_is_run (word) ? n : 1;
}

/* Return how many bits each path number in a PACK has. */
static inline unsigned
cab_ev_pack_width (uint64_t word)
{
  return word >> 4 & CAB_EV_PACK_WIDTH_MASK;
}

/* Number of paths in a PACK of WIDTH whose topmost set bit is bit TOP; 0 if there is no such
   PACK. */
#define CAB_EV_PACK_SPARE(width) (CAB_EV_PACK_BITS % (width))
#define CAB_EV_PACK_HAS(width, top) \
  ((top) > CAB_EV_PACK_SPARE (width) && ((top) -CAB_EV_PACK_SPARE (width)) % (width) == 0 \
     ? ((top) -CAB_EV_PACK_SPARE (width)) / (width) \
     : 0)
#define CAB_EV_PACK_HAS_8(width, top) \
  CAB_EV_PACK_HAS (width, top), CAB_EV_PACK_HAS (width, top + 1), \
    CAB_EV_PACK_HAS (width, top + 2), CAB_EV_PACK_HAS (width, top + 3), \
    CAB_EV_PACK_HAS (width, top + 4), CAB_EV_PACK_HAS (width, top + 5), \
    CAB_EV_PACK_HAS (width, top + 6), CAB_EV_PACK_HAS (width, top + 7)
#define CAB_EV_PACK_OF(width) \
  { \
    CAB_EV_PACK_HAS_8 (width, 0), CAB_EV_PACK_HAS_8 (width, 8), CAB_EV_PACK_HAS_8 (width, 16), \
      CAB_EV_PACK_HAS_8 (width, 24) \
  }

/* Return the number of paths in a PACK, or 0 if WORD is no valid one.  By a table: a division takes
   longer than the rest of an event. */
static inline unsigned
cab_ev_pack_n (uint64_t word)
{
  static const uint8_t n[CAB_EV_PACK_WIDTH_MASK + 1][32] = { { 0 },
							     CAB_EV_PACK_OF (1),
							     CAB_EV_PACK_OF (2),
							     CAB_EV_PACK_OF (3),
							     CAB_EV_PACK_OF (4),
							     CAB_EV_PACK_OF (5),
							     CAB_EV_PACK_OF (6),
							     CAB_EV_PACK_OF (7),
							     CAB_EV_PACK_OF (8),
							     CAB_EV_PACK_OF (9),
							     CAB_EV_PACK_OF (10),
							     CAB_EV_PACK_OF (11),
							     CAB_EV_PACK_OF (12),
							     CAB_EV_PACK_OF (13),
							     CAB_EV_PACK_OF (14),
							     CAB_EV_PACK_OF (15) };
  uint32_t paths = word >> CAB_EV_PACK_SHIFT;
  return n[cab_ev_pack_width (word)][31 - __builtin_clz (paths | 1)];
}

/* Return the PATH event that path I of the N in a PACK stands for. */
static inline uint64_t
cab_ev_pack_path (uint64_t word, unsigned n, unsigned i)
{
  unsigned width = cab_ev_pack_width (word);
  uint64_t number = word >> (CAB_EV_PACK_SHIFT + width * (n - 1 - i)) & ((1u << width) - 1);
  return (word & ~((UINT64_C (1) << CAB_EV_FN_SHIFT) - 1)) | number << CAB_EV_PATH_SHIFT
       | CAB_EV_PATH;
}

static inline uint32_t
cab_ev_loop (uint64_t word)
{
  return word >> CAB_EV_LOOP_SHIFT & CAB_EV_LOOP_MAX;
}

static inline unsigned
cab_ev_loop_form (uint64_t word)
{
  return word >> CAB_EV_LOOP_FORM_SHIFT & 7;
}

static inline uint64_t
cab_ev_loop_n (uint64_t word)
{
  return word >> CAB_EV_LOOP_N_SHIFT & CAB_EV_LOOP_N_MASK;
}

static inline uint32_t
cab_ev_region (uint64_t word)
{
  return word >> CAB_EV_REGION_SHIFT & CAB_EV_ID_MASK;
}

static inline unsigned
cab_ev_access_form (uint64_t word)
{
  return word >> CAB_EV_ACCESS_FORM_SHIFT & 0xff;
}

/* Return how many raw words follow an ACCESS or ESCAPE. */
static inline unsigned
cab_ev_words (uint64_t word)
{
  return word >> CAB_EV_WORDS_SHIFT & CAB_EV_WORDS_MASK;
}

/* Return the address of a SAMPLE. */
static inline uint64_t
cab_ev_address (uint64_t word)
{
  return word >> CAB_EV_ADDRESS_SHIFT & CAB_EV_ADDRESS_MASK;
}

/* Return the CPU time of a SAMPLE, in ns. */
static inline uint64_t
cab_ev_ns (uint64_t word)
{
  return word >> CAB_EV_UNITS_SHIFT << CAB_EV_UNIT_NS_SHIFT;
}

#endif
