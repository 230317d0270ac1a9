/* gate.h - the slow paths of the probes: trampolines in trampoline.S, and the functions in gate.c
 * that they call.
 *
 * Model:      abi.h "Gates".  A trampoline keeps every register, blocks all signals and changes to
 *             a stack of the runtime's (gate_stack.h); the C function that it calls marks the
 *             thread as inside, so that instrumented code that libc calls back (a program's own
 *             malloc) does not enter the runtime twice.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_GATE_H
#define CAB_RT_GATE_H

#include <stdbool.h>
#include <stdint.h>
#include "cabprof/abi.h"

/* Set the gates of M (release).  They are set again once a filter of system calls is known
   (filters.h), since the stub's own gates do not ask it. */
void cab_gate_fill (struct cab_module *m);

/* Counters that are never read: for functions without any, of threads without any. */
extern uint64_t cab_gate_sink[CAB_MAX_COUNTERS + 2];

/* Find out what the trampolines save; once, before the first cab_gate_fill. */
void cab_gate_start (void);

#endif
