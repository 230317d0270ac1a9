/* rt.h - the state of the runtime in this process, and which lock guards it.
 *
 * Model:      one struct cab_rt, zero at start.  The profile's areas are reached from here.
 * Threads:    `lock` guards all of it except where noted.  Its holder has all signals blocked.
 *             Lock order: a ring's consumer lock, then `lock`.  Under `lock` nothing of the C
 *             library is called (libc.h), except dlopen of a user's analysis, at the start, when no
 *             other thread can wait for it.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RT_H
#define CAB_RT_RT_H

#include <stdbool.h>
#include "cabprof/abi.h"
#include "rt/base/area.h"
#include "rt/common/options.h"
#include "rt/base/part.h"
#include "rt/common/sys.h"

enum cab_rt_state
{
  CAB_RT_NEW,
  CAB_RT_ON,
  CAB_RT_OFF    /* unprofiled: by choice, or after trouble that was reported */
};

struct cab_rt_thread;
struct cab_counts;
struct cab_ring;
struct cab_rt_module;

#define CAB_NO_NUMBER UINT32_MAX   /* in place of a number in the part */

struct cab_rt
{
  uint32_t lock;
  uint32_t state;              /* enum cab_rt_state; read without the lock */
  int64_t ctx_offset;          /* thread pointer + ctx_offset = struct cab_ctx; constant once
				  attached */
  uint64_t generation;         /* modules attached so far */
  struct cab_rt_options options;
  struct cab_part_file part;
  struct cab_area strings, modules, functions, threads, control;
  uint64_t strings_used;
  uint64_t counts_used;        /* bytes of each counter area that are allotted to functions */
  size_t counts_reserve;       /* address space of each counter area; its last CAB_SINK_BYTES are
				  the sink */
  uint32_t next_site, next_access;
  uint32_t n_modules, n_functions;   /* as in the part's header, which a copied process shares with
					its parent (fork.h) */
  uint32_t row_flags;          /* CAB_ROW_* that any function registered so far has */
  uint32_t n_counts;
  struct cab_rt_module *loaded;   /* modules that are loaded now */
  struct cab_counts *counts;   /* all counter areas */
  struct cab_rt_thread *live;     /* attached threads */
  struct cab_rt_thread *spare;    /* memory of ended threads, for new ones */
};
extern struct cab_rt cab_rt;

static inline bool
cab_rt_on (void)
{
  return __atomic_load_n (&cab_rt.state, __ATOMIC_ACQUIRE) == CAB_RT_ON;
}

static inline struct cab_ctx *
cab_ctx_self (void)
{
  return (struct cab_ctx *) ((char *) __builtin_thread_pointer () + cab_rt.ctx_offset);
}

static inline struct cab_ledger *
cab_ledger (void)
{
  return &cab_rt.part.header->ledger;
}

static inline void
cab_ledger_add (uint64_t *field, uint64_t n)
{
  __atomic_fetch_add (field, n, __ATOMIC_RELAXED);
}

/* Store in the profile which share of what happens is recorded. */
void cab_rt_note_rates (void);

/* Append the N bytes at S, and a NUL, to the strings of the part.  Return their offset, or 0 (the
   empty string) if there is no room, after reporting it. */
uint32_t cab_strings_add (const char *s, size_t n);

/* Report that the part cannot grow, for the reason ERROR (-EOVERFLOW: a table of it is full).  The
   message is written once (before the program's work starts it says that it runs unprofiled); each
   lack of disk space is counted. */
void cab_rt_no_room (int error);

/* Return how many bytes of addresses to reserve: BYTES, but at most 1/PART of what RLIMIT_AS
   allows. */
size_t cab_rt_reserve_bytes (size_t bytes, unsigned part);

#endif
