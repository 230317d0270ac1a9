/* accesslog.c - a runtime that writes down each event of accesses, whatever it is, for tests;
   linked into the program.
   SPDX-License-Identifier: GPL-3.0-or-later

   No thread of the program gets a ring, so all probes take their slow paths, which lead here.  The
   log is a shared mapping of the file ACCESSLOG: word 0 says how many words are in use, word 1 how
   many functions have numbers; children that are forked go on with both.  Each entry is a word,
   thread << 16 | kind << 8 | n, and n words: kind 1, an event and its raw words; kind 2, the
   number, the row, and the offset of the record of a function; kind 3, a single event.  Room is
   taken before it is written, so a handler's entry follows that which it interrupts.  Of programs
   with "memory-sample" one piece in ACCESSLOG_SAMPLE is recorded, or all.  */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <link.h>
#include "cabprof/abi.h"
#include "cabprof/event.h"

#define WORDS (UINT64_C (1) << 23)
#define FUNCTIONS 4096
#define COUNTERS 4096   /* of a function that is sampled */

extern __thread struct cab_ctx __cab_ctx __attribute__ ((visibility ("hidden"),
							 tls_model ("initial-exec")));
static uint64_t *log_words, sink[CAB_MAX_COUNTERS + 2], sample = 1;
static struct cab_module *modules[64];
static uint64_t bases[64];
static unsigned n_modules;
static __thread uint64_t thread_id __attribute__ ((tls_model ("initial-exec")));

static uint64_t
this_thread (void)
{
  if (!thread_id)
    {
      register long number asm ("rax") = SYS_gettid;
      asm volatile ("syscall" : "+r" (number) : : "rcx", "r11", "memory");
      thread_id = number;
    }
  return thread_id;
}

static void
append (unsigned kind, const uint64_t *words, unsigned n)
{
  if (!log_words)
    return;
  uint64_t at = __atomic_fetch_add (log_words, n + 1, __ATOMIC_RELAXED);
  if (at + n + 1 > WORDS)
    return;
  for (unsigned i = 0; i < n; i++)
    log_words[at + 1 + i] = words[i];
  log_words[at] = this_thread () << 16 | kind << 8 | n;
}

__attribute__ ((used)) uint64_t
log_words_c (const uint64_t *words)
{
  append (1, words, 1 + cab_ev_words (words[0]));
  return 0;
}

__attribute__ ((used)) uint64_t
log_event_c (uint64_t event)
{
  append (3, &event, 1);
  return event;
}

/* Return the module that holds ROW: the one with the greatest base below it. */
static uint64_t
base_of (struct cab_row *row)
{
  uint64_t best = 0;
  for (unsigned i = 0; i < n_modules; i++)
    if (bases[i] <= (uint64_t) row && bases[i] > best)
      best = bases[i];
  return best;
}

__attribute__ ((used)) uint64_t
log_id_c (struct cab_row *row)
{
  if (!row->path_slot)
    {
      static uint64_t unused;
      uint64_t fn = __atomic_add_fetch (log_words ? log_words + 1 : &unused, 1, __ATOMIC_RELAXED);
      uint64_t entry[3] = { fn, (uint64_t) row,
			    row->info + (uint32_t) ((uint64_t) row - base_of (row)) };
      append (2, entry, 3);
      row->site_slot = 1 << CAB_EV_SITE_SHIFT;
      row->path_slot = fn << CAB_EV_FN_SHIFT | CAB_EV_PATH;
      row->call_slot = fn << CAB_EV_CALLEE_SHIFT | CAB_EV_CALL;
    }
  return (uint64_t) row;
}

/* No slot is ever given, so each activation comes here. */
__attribute__ ((used)) uint64_t
log_count_c (struct cab_row *row)
{
  static __thread uint64_t (*counters)[COUNTERS] __attribute__ ((tls_model ("initial-exec")));
  if (!(row->flags & CAB_ROW_SAMPLED))
    return (uint64_t) sink;
  if (!counters)
    counters = mmap (NULL, FUNCTIONS * sizeof *counters, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  uint64_t fn = ((struct cab_row *) log_id_c (row))->path_slot >> CAB_EV_FN_SHIFT;
  __cab_ctx.sample = fn < FUNCTIONS ? sample : 0;
  return (uint64_t) (fn < FUNCTIONS ? counters[fn] : sink);
}

/* The handlers above are compiled for general registers only, so only these must be saved. */
#define TRAMPOLINE(name) \
  asm (".globl tramp_" #name "\ntramp_" #name ":\n\tpushq %rbp\n\tmovq %rsp, %rbp\n" \
       "\tpushfq\n\tpushq %rcx\n\tpushq %rdx\n\tpushq %rsi\n\t" \
       "pushq %rdi\n\tpushq %r8\n\tpushq %r9\n\tpushq %r10\n\tpushq %r11\n\tpushq %rbx\n" \
       "movq %rsp, %rbx\n\tandq $-16, %rsp\n\tcld\n\t" \
       "movq %rax, %rdi\n\tcall log_" #name "_c\n" \
       "movq %rbx, %rsp\n\tpopq %rbx\n\tpopq %r11\n\tpopq %r10\n\tpopq %r9\n\tpopq %r8\n\t" \
       "popq %rdi\n\tpopq %rsi\n\tpopq %rdx\n\tpopq %rcx\n\tpopfq\n\tpopq %rbp\n\tret"); \
  extern void tramp_##name (void)
TRAMPOLINE (words);
TRAMPOLINE (event);
TRAMPOLINE (count);
TRAMPOLINE (id);

static void
forget_thread (void)
{
  thread_id = 0;
}

static void
open_log (void)
{
  const char *name = getenv ("ACCESSLOG"), *every = getenv ("ACCESSLOG_SAMPLE");
  sample = every ? strtoul (every, NULL, 10) : 1;
  int fd = name ? open (name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (fd < 0 || ftruncate (fd, WORDS * 8))
    return;
  log_words = mmap (NULL, WORDS * 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  if (log_words == MAP_FAILED)
    log_words = NULL;
  else
    log_words[0] = 2;
  pthread_atfork (NULL, NULL, forget_thread);
}

static int
find_base (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      if (info->dlpi_phdr[i].p_type == PT_LOAD && (uint64_t) data >= start
	  && (uint64_t) data < start + info->dlpi_phdr[i].p_memsz)
	{
	  bases[n_modules] = info->dlpi_addr;
	  return 1;
	}
    }
  return 0;
}

int
cabprof_attach (struct cab_module *m)
{
  if (!log_words)
    open_log ();
  m->ctx_offset = (char *) &__cab_ctx - (char *) __builtin_thread_pointer ();
  m->gate[CAB_GATE_COUNT] = tramp_count;
  m->gate[CAB_GATE_ID] = tramp_id;
  m->gate[CAB_GATE_EVENT] = tramp_event;
  m->gate[CAB_GATE_WORDS] = tramp_words;
  dl_iterate_phdr (find_base, m);
  modules[n_modules++] = m;
  return 0;
}

void
cabprof_detach (struct cab_module *m)
{
  (void) m;
}
