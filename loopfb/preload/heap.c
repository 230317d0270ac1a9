/* heap.c - libcabprof-heap.so: records the allocations and releases of a program whose data
 * addresses are sampled.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Preloaded by `cabprof record --data'.  It is a library apart from the sampler's, so that programs
 * whose data are not sampled call their allocator directly.  Each function calls the next one of
 * its name, that of the C library or of another allocator, and writes an event to the log
 * (heap_log.h).  The site is the return address of the outermost call: what an allocator calls
 * inside is not recorded.  C++'s operator new may throw, and so hands its return address on to the
 * malloc that it calls; where none is called, it records the block itself.
 *
 * The state is in pages that the kernel clears in a forked child, which so begins a log of its own
 * with its first allocation, however it was forked.  Before the next functions are found, memory
 * comes from a static buffer: the loader's dlsym may allocate.  A signal handler that allocates
 * while this thread writes an event is served, and the event counts as lost.  No function of the C
 * library is called that the program may define (rt/libc/libc.h), but those that it has called
 * here.
 */
#include "loopfb/preload/heap_log.h"
#include "loopfb/preload/put_number.h"
#include "rt/libc/libc_found.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))
#define CALLER ((uint64_t) __builtin_return_address (0))
#define MOST_NUMBERS 100000      /* of files of one process */
#define ALIGNED 16

struct thread
{
  unsigned inside;           /* calls of an allocator that have not returned */
  bool noting, noted;        /* noted: the malloc that operator new called has recorded the block */
  uint64_t site;             /* the one that operator new hands on, or 0 */
};

static __thread struct thread self __attribute__ ((tls_model ("initial-exec")));

/* Cleared in a forked child. */
struct state
{
  _Atomic (struct cab_heap_header *) log;
  atomic_flag growing;
  _Atomic bool full;
  unsigned n_files, number;
};

static struct state *state;
static char directory[3840];
static bool decided, own_allocator;

static struct
{
  void *(*malloc) (size_t);
  void *(*calloc) (size_t, size_t);
  void *(*realloc) (void *, size_t);
  void *(*reallocarray) (void *, size_t, size_t);
  void (*free) (void *);
  int (*posix_memalign) (void **, size_t, size_t);
  void *(*aligned_alloc) (size_t, size_t);
  void *(*memalign) (size_t, size_t);
  void *(*valloc) (size_t);
  void *(*pvalloc) (size_t);
} next;

static _Atomic bool found;
static __thread bool finding __attribute__ ((tls_model ("initial-exec")));

static struct
{
  atomic_size_t used;
  char bytes[65536] __attribute__ ((aligned (ALIGNED)));
} early;

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

/* Create the next file of this process; return its descriptor, or -1. */
static int
create_file (void)
{
  char path[sizeof directory + 48];
  size_t n = strlen (directory);
  int fd = -1;
  memcpy (path, directory, n);
  strcpy (path + n, "/" CAB_HEAP_PREFIX);
  char *to = put_number (path + strlen (path), getpid ());
  *to++ = '-';
  /* A program that the process executed before may have made files. */
  for (errno = EEXIST; fd < 0 && errno == EEXIST && state->number < MOST_NUMBERS; state->number++)
    {
      *put_number (to, state->number) = 0;
      errno = 0;
      fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
  return fd;
}

/* Create the next file and map it; return null if there is none.  Its blocks are allocated: a hole
   in it would be a bus error on a full disk. */
static struct cab_heap_header *
map_file (void)
{
  uint64_t n_room = (uint64_t) CAB_HEAP_FIRST_EVENTS << (2 * state->n_files);
  size_t bytes = CAB_HEAP_HEADER_BYTES + n_room * sizeof (struct cab_heap_event);
  int fd = state->n_files < CAB_HEAP_FILES ? create_file () : -1;
  if (fd < 0)
    return NULL;
  struct cab_heap_header *h = syscall (SYS_fallocate, fd, 0, (off_t) 0, (off_t) bytes) == 0
			      ? mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
			      : MAP_FAILED;
  close (fd);
  if (h == MAP_FAILED)
    return NULL;
  madvise (h, bytes, MADV_DONTFORK);
  state->n_files++;
  h->pid = getpid ();
  h->start = now_ns ();
  h->n_room = n_room;
  h->own_allocator = own_allocator;
  h->magic = CAB_HEAP_MAGIC;
  return h;
}

/* Return the log that follows OLD, which is full or null; null: there is none. */
static struct cab_heap_header *
grow (struct cab_heap_header *old)
{
  while (atomic_flag_test_and_set_explicit (&state->growing, memory_order_acquire))
    sched_yield ();
  struct cab_heap_header *log = atomic_load (&state->log);
  if (log == old)
    {
      log = atomic_load (&state->full) ? NULL : map_file ();
      if (log)
	/* Release: pairs with the acquire in write_event. */
	atomic_store_explicit (&state->log, log, memory_order_release);
      else
	atomic_store (&state->full, true);
    }
  atomic_flag_clear_explicit (&state->growing, memory_order_release);
  return log;
}

static void
count_lost (struct cab_heap_header *log, uint64_t time)
{
  uint64_t none = 0;
  __atomic_fetch_add (&log->lost, 1, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n (&log->full, &none, time, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void
write_event (const struct cab_heap_event *event)
{
  struct cab_heap_header *log = atomic_load_explicit (&state->log, memory_order_acquire), *last;
  do
    {
      last = log;
      uint64_t i = log && !atomic_load (&state->full)
		   ? __atomic_fetch_add (&log->n, 1, __ATOMIC_RELAXED)
		   : UINT64_MAX;
      if (log && i < log->n_room)
	{
	  struct cab_heap_event *to = (struct cab_heap_event *) ((char *) log
								 + CAB_HEAP_HEADER_BYTES)
				    + i;
	  memcpy (to, event, offsetof (struct cab_heap_event, kind));
	  /* Release: whoever reads the file while the process runs sees a whole event. */
	  __atomic_store_n (&to->kind, event->kind, __ATOMIC_RELEASE);
	  return;
	}
      log = grow (log);
    }
  while (log);
  if (last)
    count_lost (last, event->time);
}

/* Return true if a log is to be written.  The environment is not there before the C library's first
   constructor; what is allocated until then is in no log. */
static bool
is_wanted (void)
{
  if (!decided && environ)
    {
      const char *name = getenv (CAB_HEAP_VARIABLE);
      void *page = name && strlen (name) < sizeof directory
		   ? mmap (NULL, sizeof *state, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
		   : MAP_FAILED;
      if (page != MAP_FAILED && madvise (page, sizeof *state, MADV_WIPEONFORK) == 0)
	{
	  strcpy (directory, name);
	  state = page;
	}
      decided = true;
    }
  return state;
}

static void
note (enum cab_heap_kind kind, const void *block, size_t bytes, uint64_t site, uint64_t before)
{
  struct cab_heap_event event = { .address = (uintptr_t) block, .bytes = bytes, .site = site,
				  .kind = kind };
  event.time = now_ns ();
  uint64_t took = before ? event.time - before : 0;
  event.took_ns = took < UINT32_MAX ? took : UINT32_MAX;
  self.noting = true;
  write_event (&event);
  self.noting = false;
}

/* Find the next functions.  Return false within dlsym, which has to do with early memory. */
static bool
find (void)
{
  if (atomic_load_explicit (&found, memory_order_acquire))
    return true;
  if (finding)
    return false;
  finding = true;
  if (!cab_libc_find ())
    __builtin_trap ();
#define FIND(name) next.name = dlsym (RTLD_NEXT, #name)
  FIND (malloc);
  FIND (calloc);
  FIND (realloc);
  FIND (reallocarray);
  FIND (free);
  FIND (posix_memalign);
  FIND (aligned_alloc);
  FIND (memalign);
  FIND (valloc);
  FIND (pvalloc);
  /* Release: pairs with the acquire above. */
  atomic_store_explicit (&found, true, memory_order_release);
  finding = false;
  return true;
}

/* Return zeroed memory that is never given back; null: there is no more. */
static void *
early_allocate (size_t bytes)
{
  size_t n = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED, at = 0;
  if (n < bytes || n > sizeof early.bytes)
    return NULL;
  at = atomic_fetch_add (&early.used, n);
  return at <= sizeof early.bytes - n ? early.bytes + at : NULL;
}

static bool
is_early (const void *block)
{
  return (const char *) block >= early.bytes
      && (const char *) block < early.bytes + sizeof early.bytes;
}

/* One call of an allocator. */
struct call
{
  uint64_t site, before;     /* before: 0 if nothing is recorded */
};

static struct call
enter (uint64_t caller)
{
  struct call call = { .site = self.site ? self.site : caller };
  if (self.inside++ || !is_wanted ())
    return call;
  self.site = 0;
  call.before = now_ns ();
  if (self.noting)
    {
      struct cab_heap_header *log = atomic_load (&state->log);
      if (log)
	count_lost (log, call.before);
      call.before = 0;
    }
  return call;
}

static void *
leave (const struct call *call, void *block, size_t bytes)
{
  if (call->before && block)
    {
      note (CAB_HEAP_ALLOCATED, block, bytes, call->site, call->before);
      self.noted = true;
    }
  self.inside--;
  return block;
}

/* Define the function NAME, with PARAMETERS, whose block has BYTES bytes, for the program to
   call. */
#define ALLOCATOR(name, parameters, arguments, size) \
  EXPORT void *name parameters \
  { \
    if (!find ()) \
      return early_allocate (size); \
    struct call call = enter (CALLER); \
    return leave (&call, next.name arguments, size); \
  }

ALLOCATOR (malloc, (size_t bytes), (bytes), bytes)
ALLOCATOR (calloc, (size_t n, size_t each), (n, each), n *each)
ALLOCATOR (aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATOR (memalign, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATOR (valloc, (size_t bytes), (bytes), bytes)
ALLOCATOR (pvalloc, (size_t bytes), (bytes), bytes)

EXPORT int
posix_memalign (void **to, size_t alignment, size_t bytes)
{
  if (!find ())
    return ENOMEM;
  struct call call = enter (CALLER);
  int error = next.posix_memalign (to, alignment, bytes);
  leave (&call, error ? NULL : *to, bytes);
  return error;
}

/* Record that a call has made BLOCK of BYTES bytes out of OLD. */
static void *
leave_moved (const struct call *call, void *old, void *block, size_t bytes)
{
  /* With a null result and no bytes, the C library has released the block. */
  if (call->before && old && (block || !bytes))
    note (CAB_HEAP_RELEASED, old, 0, 0, call->before);
  return leave (call, block, bytes);
}

/* Return a copy of the early BLOCK with BYTES bytes. */
static void *
move_early (const void *block, size_t bytes)
{
  size_t had = early.bytes + sizeof early.bytes - (const char *) block;
  void *copy = malloc (bytes);
  if (copy)
    memcpy (copy, block, bytes < had ? bytes : had);
  return copy;
}

EXPORT void *
realloc (void *old, size_t bytes)
{
  if (is_early (old))
    return move_early (old, bytes);
  if (!find ())
    return early_allocate (bytes);
  struct call call = enter (CALLER);
  return leave_moved (&call, old, next.realloc (old, bytes), bytes);
}

EXPORT void *
reallocarray (void *old, size_t n, size_t each)
{
  size_t bytes;
  if (__builtin_mul_overflow (n, each, &bytes))
    bytes = SIZE_MAX;        /* more than there is */
  if (bytes == SIZE_MAX || is_early (old) || !find ())
    return realloc (old, bytes);
  struct call call = enter (CALLER);
  return leave_moved (&call, old, next.reallocarray (old, n, each), bytes);
}

/* Record the release of BLOCK, unless within another call. */
static void
release (void *block)
{
  struct call call = enter (0);
  if (call.before)
    note (CAB_HEAP_RELEASED, block, 0, 0, 0);
}

EXPORT void
free (void *block)
{
  if (!block || is_early (block) || !find ())
    return;
  release (block);
  next.free (block);
  self.inside--;
}

/* Return the C++ library's function NAME, null if there is none.  A library that was loaded with
   dlopen is not among the next ones. */
static void *
find_operator (const char *name)
{
  static const char *const libraries[] = { "libstdc++.so.6", "libc++.so.1", "libc++abi.so.1" };
  void *function = find () ? dlsym (RTLD_NEXT, name) : NULL;
  for (int i = 0; !function && i < 3; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);
      function = library ? dlsym (library, name) : NULL;
    }
  return function;
}

/* Record the block that operator new has returned, unless the malloc that it called has. */
static void *
leave_new (void *block, size_t bytes, uint64_t site, uint64_t before)
{
  self.site = 0;
  if (before && block && !self.noted)
    note (CAB_HEAP_ALLOCATED, block, bytes, site, before);
  self.noted = true;         /* for operator new[], which calls operator new */
  return block;
}

/* Define operator new of the mangled NAME; OTHERWISE does its work without a C++ library. */
#define NEW(name, parameters, arguments, otherwise) \
  EXPORT void *name parameters; \
  void *name parameters \
  { \
    static void *_Atomic function; \
    void *(*real) parameters = atomic_load (&function); \
    if (!real) \
      atomic_store (&function, real = find_operator (#name)); \
    uint64_t site = self.site ? self.site : CALLER, \
	     before = !self.inside && is_wanted () && !self.noting ? now_ns () : 0; \
    if (!self.inside) \
      self.site = site; \
    self.noted = false; \
    return leave_new (real ? real arguments : otherwise, bytes, site, before); \
  }

#define NEW_FORMS(name) \
  NEW (name, (size_t bytes), (bytes), malloc (bytes)) \
  NEW (name##RKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag), malloc (bytes)) \
  NEW (name##St11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment), \
       memalign (alignment, bytes)) \
  NEW (name##St11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *tag), \
       (bytes, alignment, tag), memalign (alignment, bytes))
NEW_FORMS (_Znwm)
NEW_FORMS (_Znam)

/* Define operator delete of the mangled NAME. */
#define DELETE(name, parameters, arguments) \
  EXPORT void name parameters; \
  void name parameters \
  { \
    static void *_Atomic function; \
    void (*real) parameters = atomic_load (&function); \
    if (!real) \
      atomic_store (&function, real = find_operator (#name)); \
    if (!real) \
      free (block); \
    else if (block) \
      { \
	release (block); \
	real arguments; \
	self.inside--; \
      } \
  }

#define DELETE_FORMS(name) \
  DELETE (name, (void *block), (block)) \
  DELETE (name##m, (void *block, size_t bytes), (block, bytes)) \
  DELETE (name##RKSt9nothrow_t, (void *block, const void *tag), (block, tag)) \
  DELETE (name##St11align_val_t, (void *block, size_t alignment), (block, alignment)) \
  DELETE (name##mSt11align_val_t, (void *block, size_t bytes, size_t alignment), \
	  (block, bytes, alignment)) \
  DELETE (name##St11align_val_tRKSt9nothrow_t, \
	  (void *block, size_t alignment, const void *tag), (block, alignment, tag))
DELETE_FORMS (_ZdlPv)
DELETE_FORMS (_ZdaPv)

/* Our malloc, by a name that is nobody else's. */
extern __typeof__ (malloc) cab_heap_malloc
  __attribute__ ((alias ("malloc"), copy (malloc), visibility ("hidden")));

/* Begin the log, so that a process without allocations has one, too. */
static __attribute__ ((constructor)) void
begin (void)
{
  if (!find () || !is_wanted ())
    return;
  own_allocator = dlsym (RTLD_DEFAULT, "malloc") != (void *) cab_heap_malloc;
  struct cab_heap_header *log = atomic_load (&state->log);
  if (!log)
    log = grow (NULL);
  if (log)
    log->own_allocator = own_allocator;
}
