/* stub.h - what the files of the stub share (stub.c, stub_load.c, stub_symbol.c).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      these files are compiled to assembler once, when cabprof is built, with fixed flags;
 *             the text is put into every object (stub.cc), in one COMDAT group, so that a module
 *             has it once.  All of it lies in sections of that group, which GCC cannot ask for: a
 *             section's name carries its flags, and a # hides those that GCC adds.  All names begin
 *             with __cab_, because they are visible in the user's object.
 * Needs:      nothing.  The runtime is weak, and so are three variables of libc's and the
 *             loader's.  No function is called by a name that the program may define, and nothing
 *             is allocated, except by dlopen where __cab_load fails.
 */
#ifndef CABPROF_STUB_H
#define CABPROF_STUB_H

#include "cabprof/abi.h"
#include <stddef.h>
#include <sys/syscall.h>

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_ (x)
#ifndef GROUP
# define GROUP "__cab_stub_" TEXT_OF (CAB_ABI_VERSION)
#endif
#define SECTION(name, flags, type) name ",\"" flags "G\",@" type "," GROUP ",comdat"
#define IN_TEXT __attribute__ ((section (SECTION (".text.__cab_stub", "ax", "progbits") "#"), used))
#define IN_BSS __attribute__ ((section (SECTION (".bss.__cab_stub", "aw", "nobits") "#"), used))
#define HIDDEN __attribute__ ((visibility ("hidden")))
#define WEAK __attribute__ ((weak))
/* A function that is not inlined would appear in the user's object, under a name that the user may
   have. */
#define INLINE static inline __attribute__ ((always_inline))

/* The loader's list of loaded objects, the place of the process' arguments, and the environment. */
struct r_debug;
extern struct r_debug _r_debug WEAK;
extern void *__libc_stack_end WEAK;
extern char **environ WEAK;
extern const int __cab_ctx_at WEAK HIDDEN;   /* in executables that bring a context: its x@tpoff */

extern const char __cab_maps[] HIDDEN, __cab_file[] HIDDEN;
extern const char __cab_name_debug[] HIDDEN, __cab_name_stack[] HIDDEN, __cab_name_environ[] HIDDEN;

/* Return the runtime, if some module of the process has brought it in; else null. */
extern struct cab_runtime *__cab_find (void) HIDDEN;
/* Return the offset of the executable's context from the thread pointer, from its note; 0 if it has
   none. */
extern long __cab_context_offset (void) HIDDEN;
/* Load the runtime PATH into a process whose executable has a context; null if that is not possible
   this way. */
extern struct cab_runtime *__cab_load (const char *path) HIDDEN;
/* Return 1 if the strings A and B are equal. */
extern int __cab_equal (const char *a, const char *b) HIDDEN;
/* Return the C library's own function NAME, or null if it is not there. */
extern void *__cab_symbol (const char *name) HIDDEN;
/* End RUNTIME, which __cab_load has brought in. */
extern void __cab_unload (struct cab_runtime *runtime) HIDDEN;

INLINE long
system_call6 (long number, long a, long b, long c, long d, long e, long f)
{
  long result = number;
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  __asm__ volatile("syscall"
		   : "+a"(result)
		   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		   : "rcx", "r11", "memory");
  return result;
}

INLINE long
system_call (long number, long a, const void *b, long c)
{
  return system_call6 (number, a, (long) b, c, 0, 0, 0);
}

#endif
