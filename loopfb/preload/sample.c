/* sample.c - libcabprof-sample.so: samples a program by timers of its threads' CPU time, where the
 * kernel's events are not available.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Preloaded by `cabprof record' and `cabprof tune'.  Each thread has a timer of its own CPU time
 * that sends it one signal at a time, SIGRTMAX - 1; the handler records the interrupted address
 * with the CPU time since the last one, and sets the timer again, with a random part.  The kernel
 * checks such timers on its tick, so there is at most one sample per tick. A profiled program's
 * runtime gets each sample, too, and puts it among the thread's events (cabprof/sampler.h).
 *
 * Threads are those that pthread_create and thrd_create start.  Children continue to be sampled: a
 * forked one with a segment of its own, one that executes another program by the inherited
 * environment. The program keeps control of its signals: it may block all of them (ours stays
 * unblocked, as the C library's own do), and if it sets a handler for ours, sampling ends and the
 * signal is the program's.  The handler and all it calls use system calls, atomic operations and
 * static memory only. No function of the C library is called that the program may define
 * (rt/libc/libc.h), except those that the program has called here, which call the next definition.
 */
#include "loopfb/preload/segment.h"
#include "loopfb/preload/put_number.h"
#include "rt/libc/libc_found.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))
#define PROBES 24            /* slots that are tried for one address */
#define MOST_RANGES 512
#define REREAD_EACH 64       /* addresses outside of all known files that are seen before the maps
				are read again */

struct thread
{
  int timer;                 /* the kernel's number of it */
  bool has_timer;
  uint64_t last_ns, random;
  uint64_t untold_ns;        /* time that the runtime has not recorded */
};

static __thread struct thread self __attribute__ ((tls_model ("initial-exec")));

static struct
{
  uint64_t period_ns, spread_ns;
  char directory[3840];
  int signal;
  bool active;
  _Atomic (struct cab_segment *) segment;
  atomic_flag growing;
  uint64_t number;           /* of the next segment */
  size_t bytes[64];          /* of the segments, to unmap them in a forked child */
  struct cab_segment *mapped[64];
  pthread_key_t key;
} sampler = { .growing = ATOMIC_FLAG_INIT };

/* Where code is mapped. */
static struct
{
  atomic_flag reading;
  atomic_uint n;
  struct { _Atomic uint64_t start, end; } range[MOST_RANGES];
  atomic_uint n_outside;
} files = { .reading = ATOMIC_FLAG_INIT };

EXPORT struct cab_sampler cabprof_sampler = { .abi = CAB_SAMPLER_ABI,
					      .bytes = sizeof (struct cab_sampler) };

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

static struct cab_segment_slot *
slots_of (struct cab_segment *s)
{
  return (struct cab_segment_slot *) ((char *) s + CAB_SEGMENT_HEADER_BYTES + CAB_SEGMENT_MAPS);
}

/* Create the file of the next segment and map it.  Its blocks are allocated: a hole in it would be
   a bus error on a full disk. */
static struct cab_segment *
map_file (size_t bytes)
{
  char path[sizeof sampler.directory + 72];
  size_t n = strlen (sampler.directory);
  memcpy (path, sampler.directory, n);
  char *to = path + n;
  *to++ = '/';
  to = put_number (to, getpid ());
  *to++ = '-';
  to = put_number (to, clock_ns (CLOCK_REALTIME));
  *to++ = '-';
  to = put_number (to, sampler.number);
  *to = 0;
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return NULL;
  void *base = syscall (SYS_fallocate, fd, 0, (off_t) 0, (off_t) bytes) == 0
	       ? mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
	       : MAP_FAILED;
  if (base == MAP_FAILED)
    unlink (path);
  close (fd);
  return base == MAP_FAILED ? NULL : base;
}

static void
note_line (struct cab_segment *s, const char *line, size_t n)
{
  if (s->maps_bytes + n + 1 > CAB_SEGMENT_MAPS)
    return;
  char *to = (char *) s + CAB_SEGMENT_HEADER_BYTES + s->maps_bytes;
  memcpy (to, line, n);
  to[n] = '\n';
  s->maps_bytes += n + 1;
}

static uint64_t
hex (const char **text)
{
  uint64_t value = 0;
  for (;; (*text)++)
    {
      char c = **text;
      if (c >= '0' && c <= '9')
	value = value << 4 | (uint64_t) (c - '0');
      else if (c >= 'a' && c <= 'f')
	value = value << 4 | (uint64_t) (c - 'a' + 10);
      else
	return value;
    }
}

/* Take a line of the maps: code of any kind becomes a known range, and what has a file is written
   to the segment. */
static void
take_line (struct cab_segment *s, const char *line, size_t n)
{
  const char *at = line;
  uint64_t start = hex (&at);
  at++;
  uint64_t end = hex (&at);
  unsigned count = atomic_load (&files.n);
  if (at + 5 >= line + n || at[3] != 'x')
    return;
  if (count < MOST_RANGES)
    {
      atomic_store (&files.range[count].start, start);
      atomic_store (&files.range[count].end, end);
      /* Release: pairs with the acquire in is_known. */
      atomic_store_explicit (&files.n, count + 1, memory_order_release);
    }
  if (memchr (line, '/', n) || memchr (line, '[', n))
    note_line (s, line, n);
}

/* Read /proc/self/maps by system calls only.  A line longer than the buffer is skipped. */
static void
read_maps (struct cab_segment *s)
{
  static char text[16384];
  size_t have = 0;
  ssize_t n;
  if (atomic_flag_test_and_set (&files.reading))
    return;
  int fd = open ("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  atomic_store (&files.n, 0);
  while (fd >= 0 && (n = read (fd, text + have, sizeof text - have)) > 0)
    {
      char *line = text, *end;
      have += n;
      while ((end = memchr (line, '\n', text + have - line)))
	{
	  take_line (s, line, end - line);
	  line = end + 1;
	}
      have -= line - text;
      memmove (text, line, have);
      if (have == sizeof text)
	have = 0;
    }
  if (fd >= 0)
    close (fd);
  atomic_flag_clear (&files.reading);
}

/* Continue in a new segment; return null if there is none. */
static struct cab_segment *
grow (void)
{
  if (sampler.number >= sizeof sampler.mapped / sizeof *sampler.mapped
      || atomic_flag_test_and_set (&sampler.growing))
    return NULL;
  uint64_t n_slots = (uint64_t) CAB_SEGMENT_SLOTS << (2 * sampler.number);
  if (n_slots > CAB_SEGMENT_MOST_SLOTS || sampler.number > 16)
    n_slots = CAB_SEGMENT_MOST_SLOTS;
  size_t bytes = CAB_SEGMENT_HEADER_BYTES + CAB_SEGMENT_MAPS
	       + n_slots * sizeof (struct cab_segment_slot);
  struct cab_segment *s = map_file (bytes);
  if (s)
    {
      s->n_slots = n_slots;
      s->pid = getpid ();
      s->number = sampler.number;
      sampler.mapped[sampler.number] = s;
      sampler.bytes[sampler.number++] = bytes;
      read_maps (s);
      s->magic = CAB_SEGMENT_MAGIC;
      /* Release: pairs with the acquire in count_address. */
      atomic_store_explicit (&sampler.segment, s, memory_order_release);
    }
  atomic_flag_clear (&sampler.growing);
  return s;
}

static bool
is_known (uint64_t address)
{
  unsigned n = atomic_load_explicit (&files.n, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    if (address >= atomic_load (&files.range[i].start)
	&& address < atomic_load (&files.range[i].end))
      return true;
  return false;
}

static bool
count_in (struct cab_segment *s, uint64_t address, uint64_t ns)
{
  struct cab_segment_slot *slots = slots_of (s);
  uint64_t i = (address * UINT64_C (0x9e3779b97f4a7c15) >> 32) % s->n_slots;
  if (__atomic_load_n (&s->n_used, __ATOMIC_RELAXED) > s->n_slots / 4 * 3)
    return false;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) % s->n_slots)
    {
      uint64_t seen = 0;
      if (__atomic_compare_exchange_n (&slots[i].address, &seen, address, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED))
	__atomic_fetch_add (&s->n_used, 1, __ATOMIC_RELAXED);
      else if (seen != address)
	continue;
      __atomic_fetch_add (&slots[i].ns, ns, __ATOMIC_RELAXED);
      __atomic_fetch_add (&slots[i].n, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add (&s->n, 1, __ATOMIC_RELAXED);
      return true;
    }
  return false;
}

static void
count_address (uint64_t address, uint64_t ns)
{
  struct cab_segment *s = atomic_load_explicit (&sampler.segment, memory_order_acquire), *next;
  if (!is_known (address) && atomic_fetch_add (&files.n_outside, 1) % REREAD_EACH == 0)
    read_maps (s);
  if (count_in (s, address, ns))
    return;
  next = grow ();
  if (next && count_in (next, address, ns))
    return;
  __atomic_fetch_add (&s->lost, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&s->lost_ns, ns, __ATOMIC_RELAXED);
}

static void
arm (void)
{
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  uint64_t ns = sampler.period_ns + (sampler.spread_ns ? self.random % sampler.spread_ns : 0);
  struct itimerspec when = { .it_value = { ns / 1000000000, ns % 1000000000 } };
  syscall (SYS_timer_settime, self.timer, 0, &when, NULL);
}

/* The signal is not from our timer: do what it would have done without us. */
static void
pass_on (int number)
{
  struct sigaction plain = { .sa_handler = SIG_DFL };
  sigset_t one;
  syscall (SYS_rt_sigaction, number, &plain, NULL, 8);
  tgkill (getpid (), gettid (), number);
  sigemptyset (&one);
  sigaddset (&one, number);
  syscall (SYS_rt_sigprocmask, SIG_UNBLOCK, &one, NULL, 8);
}

/* Do the handler's work: this thread was at ADDRESS. */
static void
take_sample (uint64_t address)
{
  uint64_t before = clock_ns (CLOCK_MONOTONIC), now = clock_ns (CLOCK_THREAD_CPUTIME_ID),
	   ns = now - self.last_ns;
  uint64_t (*note) (uint64_t, uint64_t) = __atomic_load_n (&cabprof_sampler.note, __ATOMIC_ACQUIRE);
  count_address (address, ns);
  if (note)
    self.untold_ns = note (address, ns + self.untold_ns);
  self.last_ns = now;
  arm ();
  struct cab_segment *s = atomic_load (&sampler.segment);
  __atomic_fetch_add (&s->handler_ns, clock_ns (CLOCK_MONOTONIC) - before, __ATOMIC_RELAXED);
}

static void
on_expiry (int number, siginfo_t *info, void *context)
{
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &sampler)
    pass_on (number);
  else if (sampler.active && self.has_timer)
    take_sample (((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP]);
}

static void
begin_thread (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
			    .sigev_signo = sampler.signal,
			    .sigev_value.sival_ptr = &sampler };
  event._sigev_un._tid = syscall (SYS_gettid);
  if (syscall (SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &self.timer) < 0)
    return;
  self.last_ns = clock_ns (CLOCK_THREAD_CPUTIME_ID);
  self.random = (clock_ns (CLOCK_REALTIME) ^ (uint64_t) event._sigev_un._tid << 32) | 1;
  self.has_timer = true;
  pthread_setspecific (sampler.key, &sampler);
  arm ();
}

/* The destructor of the key: the thread ends. */
static void
end_thread (void *unused)
{
  (void) unused;
  if (self.has_timer)
    syscall (SYS_timer_delete, self.timer);
  self.has_timer = false;
}

/* A forked child has none of its parent's timers, and gets segments of its own. */
static void
in_child (void)
{
  self.has_timer = false;
  if (!sampler.active)
    return;
  for (uint64_t i = 0; i < sampler.number; i++)
    munmap (sampler.mapped[i], sampler.bytes[i]);
  sampler.number = 0;
  atomic_flag_clear (&sampler.growing);
  atomic_flag_clear (&files.reading);
  sampler.active = grow () != NULL;
  if (sampler.active)
    begin_thread ();
}

static bool
read_environment (void)
{
  const char *text = getenv (CAB_SEGMENT_VARIABLE);
  char *end;
  if (!text)
    return false;
  sampler.period_ns = strtoull (text, &end, 10);
  if (*end != ':')
    return false;
  sampler.spread_ns = strtoull (end + 1, &end, 10);
  if (*end != ':' || !sampler.period_ns || strlen (end + 1) >= sizeof sampler.directory)
    return false;
  strcpy (sampler.directory, end + 1);
  return true;
}

/* Return the function that the program would have called by NAME without us. */
static void *
next (const char *name)
{
  static bool found;
  if (!__atomic_load_n (&found, __ATOMIC_ACQUIRE) && cab_libc_find ())
    __atomic_store_n (&found, true, __ATOMIC_RELEASE);
  return dlsym (RTLD_NEXT, name);
}

static __attribute__ ((constructor)) void
begin (void)
{
  struct sigaction action = { .sa_sigaction = on_expiry,
			      .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK },
		   had;
  int (*real) (int, const struct sigaction *, struct sigaction *) = next ("sigaction");
  sampler.signal = _NSIG - 2;   /* SIGRTMAX - 1 */
  if (!read_environment () || !real || real (sampler.signal, NULL, &had) < 0
      || had.sa_handler != SIG_DFL)
    return;
  sigfillset (&action.sa_mask);
  sampler.active = grow () && pthread_key_create (&sampler.key, end_thread) == 0
		&& pthread_atfork (NULL, NULL, in_child) == 0
		&& real (sampler.signal, &action, NULL) == 0;
  if (sampler.active)
    begin_thread ();
}

/* End sampling, since the program wants the signal. */
static void
give_up (void)
{
  sampler.active = false;
  end_thread (NULL);
  atomic_load (&sampler.segment)->given_up = 1;
}

EXPORT int
sigaction (int number, const struct sigaction *action, struct sigaction *had)
{
  int (*real) (int, const struct sigaction *, struct sigaction *) = next ("sigaction");
  static const struct sigaction plain = { .sa_handler = SIG_DFL };
  if (sampler.active && number == sampler.signal)
    {
      if (had)
	*had = plain;
      if (!action)
	return 0;
      give_up ();
      return real (number, action, NULL);
    }
  return real (number, action, had);
}

EXPORT __sighandler_t
signal (int number, __sighandler_t handler)
{
  __sighandler_t (*real) (int, __sighandler_t) = next ("signal");
  if (!sampler.active || number != sampler.signal)
    return real (number, handler);
  give_up ();
  real (number, handler);
  return SIG_DFL;
}

/* Return SET, or a copy of it in COPY without our signal if SET is to be blocked. */
static const sigset_t *
without_ours (int how, const sigset_t *set, sigset_t *copy)
{
  if (!set || !sampler.active || how == SIG_UNBLOCK)
    return set;
  *copy = *set;
  sigdelset (copy, sampler.signal);
  return copy;
}

EXPORT int
sigprocmask (int how, const sigset_t *set, sigset_t *had)
{
  int (*real) (int, const sigset_t *, sigset_t *) = next ("sigprocmask");
  sigset_t copy;
  return real (how, without_ours (how, set, &copy), had);
}

EXPORT int
pthread_sigmask (int how, const sigset_t *set, sigset_t *had)
{
  int (*real) (int, const sigset_t *, sigset_t *) = next ("pthread_sigmask");
  sigset_t copy;
  return real (how, without_ours (how, set, &copy), had);
}

/* What a thread was created to run. */
struct start
{
  void *(*run) (void *);
  int (*run_c11) (void *);
  void *argument;
};

/* Copy START to pages of its own: the program's heap stays as it would be without us. */
static struct start *
new_start (struct start start)
{
  struct start *copy = MAP_FAILED;
  if (sampler.active)
    copy = mmap (NULL, sizeof *copy, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED)
    return NULL;
  *copy = start;
  return copy;
}

static void *
run_thread (void *argument)
{
  struct start start = *(struct start *) argument;
  munmap (argument, sizeof start);
  if (sampler.active)
    begin_thread ();
  return start.run (start.argument);
}

static int
run_c11_thread (void *argument)
{
  struct start start = *(struct start *) argument;
  munmap (argument, sizeof start);
  if (sampler.active)
    begin_thread ();
  return start.run_c11 (start.argument);
}

EXPORT int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *),
		void *argument)
{
  int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) = next (
    "pthread_create");
  struct start *start = new_start ((struct start) { .run = run, .argument = argument });
  if (!start)
    return real (thread, attributes, run, argument);
  int error = real (thread, attributes, run_thread, start);
  if (error)
    munmap (start, sizeof *start);
  return error;
}

EXPORT int
thrd_create (thrd_t *thread, thrd_start_t run, void *argument)
{
  int (*real) (thrd_t *, thrd_start_t, void *) = next ("thrd_create");
  struct start *start = new_start ((struct start) { .run_c11 = run, .argument = argument });
  if (!start)
    return real (thread, run, argument);
  int error = real (thread, run_c11_thread, start);
  if (error != thrd_success)
    munmap (start, sizeof *start);
  return error;
}
