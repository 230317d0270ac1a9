/* probe.c - see probe.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "probe.h"

#include <stdlib.h>

__thread struct cab_ctx __cab_ctx __attribute__ ((aligned (64)));
static uint64_t sink[CAB_MAX_COUNTERS + 2];

#ifndef CAB_TEST_NO_NOTE
__asm__(
  ".pushsection .note.cabprof,\"a\",@note\n\t.balign 4\n\t.long 8, 4, 1\n\t.asciz \"cabprof\"\n"
  "\t.long __cab_ctx@tpoff\n.popsection");
#endif

/* Before the runtime is ready the result is the sink; nothing is enqueued. */
__asm__ (".text\nno_count:\tleaq sink(%rip), %rax\nno_gate:\tret\n");
extern void no_count (void), no_gate (void);
struct cab_module __cab_module = { CAB_ABI_VERSION,
				   sizeof __cab_module,
				   0,
				   { no_count, no_gate, no_gate, no_gate, no_gate },
				   sink,
				   0,
				   0,
				   { 0, 0 },
				   { 0 },
				   { 0 } };

__attribute__ ((constructor (101))) static void
attach (void)
{
  if (getenv ("CAB_TEST_RUN"))
    cabprof_attach (&__cab_module);
}
