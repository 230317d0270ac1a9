/* stub.h - what the files of the stub share (stub.c, stub_load.c).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      these files are compiled to assembler once, when cabprof is built, with fixed flags; the text is put into every object (stub.cc), in
 *             one COMDAT group, so that a module has it once.  All of it lies in sections of that group, which GCC cannot ask for: a section's
 *             name carries its flags, and a # hides those that GCC adds.  All names begin with __cab_, as they stand in the user's object.
 * Needs:      nothing.  dlsym and the runtime are weak; no libc function is called but through dlsym, nothing is allocated.
 */
#ifndef CABPROF_STUB_H
#define CABPROF_STUB_H

#include "cabprof/abi.h"
#include <stddef.h>
#include <sys/syscall.h>

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_ (x)
#define GROUP "__cab_stub_" TEXT_OF (CAB_ABI_VERSION)
#define SECTION(name, flags, type) name ",\"" flags "G\",@" type "," GROUP ",comdat"
#define IN_TEXT __attribute__ ((section (SECTION (".text.__cab_stub", "ax", "progbits") "#"), used))
#define IN_BSS __attribute__ ((section (SECTION (".bss.__cab_stub", "aw", "nobits") "#"), used))
#define HIDDEN __attribute__ ((visibility ("hidden")))
#define WEAK __attribute__ ((weak))

extern void *dlsym (void *handle, const char *name) WEAK;
extern const int __cab_ctx_at WEAK HIDDEN;   /* executables that bring a context: its x@tpoff */

extern const char __cab_maps[] HIDDEN, __cab_file[] HIDDEN, __cab_name_getauxval[] HIDDEN;

/* The runtime, if some module of the process has brought it in; else null. */
extern struct cab_runtime *__cab_find (void) HIDDEN;
/* The offset of the executable's context from the thread pointer, from its note; 0: it has none. */
extern long __cab_context_offset (void) HIDDEN;
/* Bring in the runtime PATH, for a process whose executable has a context; null: not possible this way. */
extern struct cab_runtime *__cab_load (const char *path) HIDDEN;
/* End a runtime that __cab_load has brought in. */
extern void __cab_unload (struct cab_runtime *runtime) HIDDEN;

static inline long
system_call6 (long number, long a, long b, long c, long d, long e, long f)
{
  long result = number;
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  __asm__ volatile ("syscall" : "+a" (result) : "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9) : "rcx", "r11", "memory");
  return result;
}

static inline long
system_call (long number, long a, const void *b, long c)
{
  return system_call6 (number, a, (long) b, c, 0, 0, 0);
}

#endif
