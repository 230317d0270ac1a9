/* probe.h - stands in for the plugin in tests of the runtime alone: a context, a stub, rows, and
 * probes by the same convention.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test is one executable: without CAB_TEST_RUN in the environment it is the judge, which starts
 * itself again with it and reads the part.
 */
#ifndef CAB_TEST_PROBE_H
#define CAB_TEST_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "cabprof/abi.h"
#include "cabprof/event.h"

extern __thread struct cab_ctx __cab_ctx;
extern struct cab_module __cab_module;

#define STRING_(x) #x
#define STRING(x) STRING_ (x)

/* Define a row NAME with its record. */
#define ROW(name, flags, counters, sites) \
  __asm__( \
    ".pushsection .cabprof_info,\"MS\",@progbits,1\n" \
    "1:\t.asciz \"\\001F1\\t" #name "\\t" #name "\\n\"\n" \
    ".popsection\n" \
    ".pushsection .data\n\t.balign 64\n" \
    ".globl " #name "\n.hidden " #name "\n" #name ":\n" \
    "\t.quad 0, 0, 0, 0\n" \
    "\t.long " STRING (CAB_ROW_MAGIC_TEXT) "\n\t.short " STRING (CAB_ABI_VERSION) ", " STRING ( \
      flags) "\n" \
	     "\t.long 1b - " #name \
	     "\n\t.long 4711\n\t.long " STRING (counters) ", " STRING (sites) ", 0, 0\n" \
									      ".popsection\n"); \
  extern struct cab_row name __attribute__ ((visibility ("hidden")))
#define CAB_ROW_MAGIC_TEXT 0xC0B5170B

/* Count; gates keep every register but %rax. */
static inline uint64_t
probe_gate (enum cab_gate gate, uint64_t argument)
{
  void (*to) (void) = __cab_module.gate[gate];
  __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tcall *%1\n\tleaq 128(%%rsp), %%rsp"
		   : "+a"(argument)
		   : "r"(to)
		   : "memory", "cc");
  return argument;
}

#define VOLATILE(x) (*(volatile __typeof__ (x) *) &(x))
/* Load the slot; this is a plain load on x86-64. */
#define SLOT(x) __atomic_load_n (&(x), __ATOMIC_ACQUIRE)

static inline void
probe_count (struct cab_row *row, uint32_t counter)
{
  int64_t p = VOLATILE (__cab_ctx.count_base) + (int64_t) SLOT (row->count_slot);
  if (p <= 0)
    p = probe_gate (CAB_GATE_COUNT, (uintptr_t) row);
  ((volatile uint64_t *) p)[counter]++;
}

/* Store the words. These are plain moves on x86-64; TSan needs their meaning. */
static inline uint64_t
probe_next (const struct cab_cursor *c)
{
  return __atomic_load_n (&c->next, __ATOMIC_RELAXED);
}

static inline void
probe_mark (struct cab_cursor *c, uint8_t busy)
{
  __atomic_store_n ((uint8_t *) &c->next + 7, busy, __ATOMIC_RELAXED);
}

static inline void
probe_enqueue (uint64_t event)
{
  struct cab_cursor *c = VOLATILE (__cab_ctx.cursor);
  while (c)
    {
      uint64_t p = probe_next (c);
      if (p >= __atomic_load_n (&c->limit, __ATOMIC_RELAXED))
	break;
      probe_mark (c, CAB_CURSOR_BUSY_BYTE);
      if ((uint32_t) probe_next (c) == (uint32_t) p)
	{
	  VOLATILE (*(uint64_t *) p) = event;
	  __atomic_store_n (&c->next, p + 8, __ATOMIC_RELEASE);
	  return;
	}
      probe_mark (c, 0);
    }
  probe_gate (CAB_GATE_EVENT, event);
}

static inline void
probe_enqueue_cab (uint64_t event)
{
  struct cab_cursor *c = VOLATILE (__cab_ctx.cursor);
  uint64_t *p = c ? (uint64_t *) probe_next (c) : NULL;
  const uint64_t *most = (const uint64_t *) ((const char *) c + CAB_CURSOR_MOST);
  if ((intptr_t) p <= 0
      || __atomic_load_n (p, __ATOMIC_ACQUIRE) > __atomic_load_n (most, __ATOMIC_RELAXED))
    probe_gate (CAB_GATE_CAB, event);
  else
    {
      __atomic_store_n (p, event, __ATOMIC_RELEASE);
      __atomic_store_n (&c->next, (uintptr_t) (p + 1), __ATOMIC_RELAXED);
    }
}

static inline void
probe_enqueue_pipa (uint64_t event)
{
  struct cab_cursor *c = VOLATILE (__cab_ctx.cursor);
  uint64_t *p = c ? (uint64_t *) probe_next (c) : NULL;
  if (!c || (uintptr_t) p >= __atomic_load_n (&c->limit, __ATOMIC_RELAXED))
    probe_gate (CAB_GATE_EVENT, event);
  else
    {
      VOLATILE (*p) = event;
      __atomic_store_n (&c->next, (uintptr_t) (p + 1), __ATOMIC_RELEASE);
    }
}

/* Return the enqueue of the ring that KIND names: chunk unless it is another one.  From now on, the
   N ROWS, which have not been registered, are of functions that were compiled for that ring. */
static inline void (*probe_ring (const char *kind, struct cab_row *const *rows, int n)) (uint64_t)
{
  bool fastforward = strstr (kind, "fastforward"), pipa = strstr (kind, "pipa"),
       cab = fastforward || strstr (kind, "cab");
  for (int i = 0; i < n; i++)
    rows[i]->flags |= (cab ? CAB_ROW_RING_CAB : 0) | (pipa || fastforward ? CAB_ROW_RING_PEER : 0);
  return cab ? probe_enqueue_cab : pipa ? probe_enqueue_pipa : probe_enqueue;
}

/* Return the event word of a path of ROW. */
static inline uint64_t
probe_path (struct cab_row *row, uint64_t path)
{
  if (!SLOT (row->path_slot))
    probe_gate (CAB_GATE_ID, (uintptr_t) row);
  return SLOT (row->path_slot) + (path << CAB_EV_PATH_SHIFT);
}

/* Return the event word of an entry of ROW at DEPTH, called from SITE. */
static inline uint64_t
probe_call (struct cab_row *row, uint64_t depth, uint64_t site)
{
  if (!SLOT (row->call_slot))
    probe_gate (CAB_GATE_ID, (uintptr_t) row);
  return SLOT (row->call_slot) + (depth << CAB_EV_DEPTH_SHIFT | site << CAB_EV_SITE_SHIFT);
}

#endif
