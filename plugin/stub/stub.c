/* stub.c - the part of each module (executable or DSO) that makes its probes work without any flag
 * at the link: the gates, the word about the context, and a constructor that finds the runtime.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * stub.h says how this text gets into every object. */
#include "plugin/stub/stub.h"
#include "cabprof/control.h"
#include "cabprof/event.h"
#include "cabprof/gate_front.h"
#include "cabprof/value_cell.h"

typedef int attach_function (struct cab_module *module);
typedef void detach_function (struct cab_module *module);
extern attach_function cabprof_attach WEAK;
extern detach_function cabprof_detach WEAK;

struct dynamic
{
  long tag;
  unsigned long value;
};
extern struct dynamic _DYNAMIC[] WEAK HIDDEN;

extern struct cab_module __cab_module HIDDEN;
extern const char __cab_path[] HIDDEN, __cab_soname[] HIDDEN, __cab_exe[] HIDDEN,
  __cab_begin[] HIDDEN, __cab_not_found[] HIDDEN, __cab_static[] HIDDEN,
  __cab_name_dlopen[] HIDDEN, __cab_name_dlerror[] HIDDEN, __cab_name_errno[] HIDDEN;

HIDDEN IN_BSS int __cab_started;
HIDDEN IN_BSS detach_function *__cab_leave;
HIDDEN IN_BSS struct cab_runtime *__cab_loaded;

_Static_assert (CAB_N_GATES == 5 && offsetof (struct cab_module, ctx_offset) == 8
		&& offsetof (struct cab_module, gate) == 16
		&& offsetof (struct cab_module, control) == 72
		&& offsetof (struct cab_module, early) == 80
		&& offsetof (struct cab_module, front) == 96
		&& offsetof (struct cab_module, inner) == 136 && sizeof (struct cab_module) == 176,
		"the assembly below lays the module out");

/* The first symbol is the message that the linker prints ("multiple definition of ...") where
   objects meet that have stubs of other versions, in other groups. */
asm (".section " SECTION (".data.__cab_module", "aw", "progbits") "\n"
     "	.balign	32\n"
     "	.globl	__cab_objects_of_two_cabprof_versions__compile_all_with_one,"
     " __cab_module, __cab_off\n"
     "	.hidden	__cab_objects_of_two_cabprof_versions__compile_all_with_one,"
     " __cab_module, __cab_off\n"
     "	.type	__cab_module, @object\n"
     "	.size	__cab_module, 176\n"
     "__cab_objects_of_two_cabprof_versions__compile_all_with_one:\n"
     "__cab_module:\n"
     "	.long	" TEXT_OF (CAB_ABI_VERSION) ", 176\n"
     "__cab_off:\n"
     "	.quad	0\n"
     "	.quad	.L_count, .L_id, .L_nothing, .L_nothing, .L_nothing\n"
     "	.quad	__cab_sink, 0, 0, 0, 0\n"
     "	.quad	.L_front_count, .L_front_id, .L_front_event, .L_front_cab, .L_front_words\n"
     "	.quad	0, 0, 0, 0, 0\n"
     "	.section " SECTION (".bss.__cab_sink", "aw", "nobits") "\n"
     "	.balign	64\n"
     "	.globl	__cab_sink\n"
     "	.hidden	__cab_sink\n"
     "	.type	__cab_sink, @object\n"
     "	.size	__cab_sink, 8 * (" TEXT_OF (CAB_MAX_COUNTERS) " + 2)\n"
     "__cab_sink:\n"
     "	.zero	8 * (" TEXT_OF (CAB_MAX_COUNTERS) " + 2)\n");

/* The gates, in the order of enum cab_gate, and their targets without a runtime. */
#define GATE(name, slot) \
  "	.globl	__cab_gate_" name "\n" \
  "	.hidden	__cab_gate_" name "\n" \
  "	.type	__cab_gate_" name ", @function\n" \
  "__cab_gate_" name ":\n" \
  "	.cfi_startproc\n" \
  "	endbr64\n" \
  "	jmp	*__cab_module+16+8*" slot "(%rip)\n" \
  "	.cfi_endproc\n" \
  "	.size	__cab_gate_" name ", .-__cab_gate_" name "\n"
/* The targets of the gates with a runtime. */
#define LINES_OF_(...) #__VA_ARGS__
#define LINES_OF(...) LINES_OF_ (__VA_ARGS__) "\n"
#define FRONT(name, inner) \
  ".L_front_" #name ":\n" \
  "	.cfi_startproc\n" \
  LINES_OF (CAB_FRONT_BEGIN (__cab_module + inner)) \
  "	jmp	.L_front\n" \
  "	.cfi_endproc\n"

asm (".section " SECTION (".text.__cab_gate", "ax", "progbits") "\n"
     "	.balign	16\n"
     "	.globl	__cab_gate_front\n"
     "	.hidden	__cab_gate_front\n"
     "	.type	__cab_gate_front, @function\n"
     "__cab_gate_front:\n"
     FRONT (count, 136) FRONT (id, 144) FRONT (event, 152) FRONT (cab, 160) FRONT (words, 168)
     ".L_front:\n"
     "	.cfi_startproc\n"
     LINES_OF (CAB_FRONT_STATE)
     LINES_OF (CAB_FRONT_BODY)
     "	.cfi_endproc\n"
     "	.size	__cab_gate_front, .-__cab_gate_front\n");
asm (".section " SECTION (".text.__cab_gate", "ax", "progbits") "\n"
     "	.balign	16\n"
     GATE ("count", "0") GATE ("id", "1") GATE ("event", "2") GATE ("cab", "3") GATE ("words", "4")
     ".L_count:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	movq	__cab_module+80(%rip), %rax\n"
     "	leaq	1(%rax), %rax\n"
     "	movq	%rax, __cab_module+80(%rip)\n"
     "	leaq	__cab_sink(%rip), %rax\n"
     "	ret\n"
     "	.cfi_endproc\n"
     ".L_id:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	pushq	%rax\n"
     "	.cfi_adjust_cfa_offset 8\n"
     "	movq	__cab_module+88(%rip), %rax\n"
     "	leaq	1(%rax), %rax\n"
     "	movq	%rax, __cab_module+88(%rip)\n"
     "	popq	%rax\n"
     "	.cfi_adjust_cfa_offset -8\n"
     "	ret\n"
     "	.cfi_endproc\n"
     ".L_nothing:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	ret\n"
     "	.cfi_endproc\n");

/* Vectors and cache lines need up to 64 bytes of alignment: a function that realigns its stack
   reports a frame that is lower by up to that much and the size of the return address. */
#define NEAR_BYTES 128
/* Kinds of events, above CALL. */
#define TAIL_ADDS 8
#define UNDER_ADDS 10

/* Routine `tail' of abi.h.  The mark is for this function if it has the frame of the one that
   jumped and is the target, or lies below and is the target by name.  Else it is stale if another
   function has taken that frame, or it was left.  Else this function was called by foreign code
   that was jumped to. */
asm (".section " SECTION (".text.__cab_gate", "ax", "progbits") "\n"
     "	.globl	__cab_gate_tail\n"
     "	.hidden	__cab_gate_tail\n"
     "	.type	__cab_gate_tail, @function\n"
     "__cab_gate_tail:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	pushq	%rcx\n"
     "	.cfi_adjust_cfa_offset 8\n"
     "	pushq	%rdx\n"
     "	.cfi_adjust_cfa_offset 8\n"
     "	pushq	%rsi\n"
     "	.cfi_adjust_cfa_offset 8\n"
     "	pushq	%rdi\n"
     "	.cfi_adjust_cfa_offset 8\n"
     "	movq	__cab_off(%rip), %rcx\n"
     "	testq	%rcx, %rcx\n"
     "	je	9f\n"
     "	movq	32(%rax), %rdx\n"
     "	movq	%fs:40(%rcx), %rsi\n"
     "	movq	%fs:80(%rcx), %rdi\n"
     "	cmpq	%rsi, %rdx\n"
     "	je	1f\n"
     "	negq	%rsi\n"
     "	leaq	" TEXT_OF (NEAR_BYTES) "(%rdx,%rsi), %rsi\n"
     "	cmpq	$2*" TEXT_OF (NEAR_BYTES) ", %rsi\n"
     "	ja	2f\n"
     "	movq	24(%rax), %rsi\n"
     "	cmpq	%fs:72(%rcx), %rsi\n"
     "	je	1f\n"
     "2:	cmpq	%fs:40(%rcx), %rdx\n"
     "	ja	3f\n"
     "	cmpq	16(%rax), %rdi\n"
     "	je	4f\n"
     "	movl	$" TEXT_OF (UNDER_ADDS) ", %edx\n"
     "	jmp	5f\n"
     "1:	cmpq	$1, %rdi\n"
     "	je	4f\n"
     "	cmpq	16(%rax), %rdi\n"
     "	je	4f\n"
     "3:	movq	(%rax), %rsi\n"
     "	subq	$8, %rsi\n"
     "	movq	%rsi, (%rax)\n"
     "	jmp	6f\n"
     "4:	subq	$8, 8(%rax)\n"
     "	movl	$" TEXT_OF (TAIL_ADDS) ", %edx\n"
     "5:	movq	(%rax), %rsi\n"
     "	shrq	$44, %rsi\n"
     "	shlq	$44, %rsi\n"
     "	addq	%fs:48(%rcx), %rsi\n"
     "	addq	%rdx, %rsi\n"
     "	movq	%rsi, (%rax)\n"
     "	movq	8(%rax), %rsi\n"
     "6:	movq	%rsi, 8(%rax)\n"
     "	movq	%rsi, %fs:32(%rcx)\n"
     "9:	popq	%rdi\n"
     "	.cfi_adjust_cfa_offset -8\n"
     "	popq	%rsi\n"
     "	.cfi_adjust_cfa_offset -8\n"
     "	popq	%rdx\n"
     "	.cfi_adjust_cfa_offset -8\n"
     "	popq	%rcx\n"
     "	.cfi_adjust_cfa_offset -8\n"
     "	ret\n"
     "	.cfi_endproc\n"
     "	.size	__cab_gate_tail, .-__cab_gate_tail\n");
_Static_assert (offsetof (struct cab_ctx, call_word) == 32
		&& offsetof (struct cab_ctx, tail_cfa) == 40
		&& offsetof (struct cab_ctx, tail_site) == 48
		&& offsetof (struct cab_ctx, tail_return) == 72
		&& offsetof (struct cab_ctx, tail_target) == 80 && CAB_CALL_TAIL_MARK == 8,
		"the routine knows these offsets");
_Static_assert (CAB_TAIL_PROBED == 1 && CAB_EV_CALL + TAIL_ADDS == CAB_EV_TAIL
		&& CAB_EV_CALL + UNDER_ADDS == CAB_EV_UNDER && CAB_EV_DEPTH_SHIFT == 44,
		"and these values");

asm (".section " SECTION (".rodata.__cab_stub", "a", "progbits") "\n"
     ".globl __cab_path, __cab_soname, __cab_exe, __cab_begin, __cab_not_found, __cab_static\n"
     ".hidden __cab_path, __cab_soname, __cab_exe, __cab_begin, __cab_not_found, __cab_static\n"
     ".globl __cab_file, __cab_maps, __cab_name_debug, __cab_name_stack, __cab_name_environ\n"
     ".hidden __cab_file, __cab_maps, __cab_name_debug, __cab_name_stack, __cab_name_environ\n"
     ".globl __cab_name_dlopen, __cab_name_dlerror, __cab_name_errno\n"
     ".hidden __cab_name_dlopen, __cab_name_dlerror, __cab_name_errno\n"
     "__cab_path: .asciz \"@CAB_RUNTIME@\"\n"
     "__cab_soname: .asciz \"" CAB_RUNTIME_SONAME "\"\n"
     "__cab_file: .asciz \"/" CAB_RUNTIME_SONAME "\"\n"
     "__cab_maps: .asciz \"/proc/self/maps\"\n"
     "__cab_name_debug: .asciz \"_r_debug\"\n"
     "__cab_name_stack: .asciz \"__libc_stack_end\"\n"
     "__cab_name_environ: .asciz \"environ\"\n"
     "__cab_exe: .asciz \"/proc/self/exe\"\n"
     "__cab_begin: .asciz \"cabprof: \"\n"
     "__cab_not_found: .asciz \": runtime not found: install cabprof, or put " CAB_RUNTIME_SONAME
     " where the loader looks; running unprofiled\\n\"\n"
     "__cab_static: .asciz \": static program without the runtime: link it with cabprof-gcc "
     "-static; running unprofiled\\n\"\n"
     "__cab_name_dlopen: .asciz \"dlopen\"\n"
     "__cab_name_dlerror: .asciz \"dlerror\"\n"
     "__cab_name_errno: .asciz \"__errno_location\"\n");

/* The linker sorts these: this constructor is the first, this destructor the last of the module. */
asm (".section " SECTION (".init_array.00001", "aw", "init_array") "\n"
     "	.balign	8\n"
     "	.quad	__cab_enter\n"
     "	.section " SECTION (".fini_array.00001", "aw", "fini_array") "\n"
     "	.balign	8\n"
     "	.quad	.L_exit\n"
     "	.section " SECTION (".text.__cab_enter", "ax", "progbits") "\n"
     "	.globl	__cab_enter\n"
     "	.hidden	__cab_enter\n"
     "	.type	__cab_enter, @function\n"
     "__cab_enter:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	jmp	__cab_start\n"
     "	.cfi_endproc\n"
     "	.asciz	\"" CAB_NOTE_NAME "\"\n"   /* the mark that rt/libc/symbols.c looks for */
     "	.size	__cab_enter, .-__cab_enter\n"
     ".L_exit:\n"
     "	.cfi_startproc\n"
     "	endbr64\n"
     "	jmp	__cab_end\n"
     "	.cfi_endproc\n");

INLINE char *
append (char *end, const char *limit, const char *text)
{
  while (*text && end < limit)
    *end++ = *text++;
  return end;
}

/* Write one line to stderr by a system call, so that the program's own streams and errno stay as
   they are.  The line is about the program's path if WHAT is null. */
HIDDEN IN_TEXT void
__cab_say (const char *what, const char *problem)
{
  char line[1024], exe[512];
  const char *limit = line + sizeof line;
  char *end = append (line, limit, __cab_begin);
  if (!what)
    {
      long n = system_call (SYS_readlink, (long) __cab_exe, exe, sizeof exe - 1);
      exe[n < 0 ? 0 : n] = 0;
      what = exe;
    }
  end = append (end, limit, what);
  end = append (end, limit, problem);
  system_call (SYS_write, 2, line, end - line);
}

/* Return nonzero if the program is static: without a dynamic section, or position-independent and
   in need of no library. */
HIDDEN IN_TEXT int
__cab_is_static (void)
{
  enum { DT_NEEDED = 1, DT_FLAGS_1 = 0x6ffffffb, DF_1_PIE = 0x08000000 };
  int needs = 0, pie = 0;
  if (!_DYNAMIC)
    return 1;
  for (struct dynamic *d = _DYNAMIC; d->tag; d++)
    {
      needs |= d->tag == DT_NEEDED;
      pie |= d->tag == DT_FLAGS_1 && (d->value & DF_1_PIE);
    }
  return pie && !needs;
}

/* Load the runtime with the dynamic loader: from where cabprof was when this was compiled, else
   from the loader's own search path.  errno is preserved, and the program's next dlerror does not
   report failures of this function. */
HIDDEN IN_TEXT struct cab_runtime *
__cab_open (void)
{
  enum { RTLD_NOW = 2, RTLD_GLOBAL = 0x100, RTLD_NODELETE = 0x1000 };
  void *(*open) (const char *, int) = __cab_symbol (__cab_name_dlopen);
  char *(*error) (void) = __cab_symbol (__cab_name_dlerror);
  int *(*location) (void) = __cab_symbol (__cab_name_errno);
  if (!open || !error || !location)
    return NULL;
  int saved = *location ();
  if (!open (__cab_path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE))
    open (__cab_soname, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  error ();
  *location () = saved;
  return __cab_find ();
}

/* Called before and after calls that may take system calls or files away from the program
   (plugin/paths/confine.cc). */
HIDDEN IN_TEXT void
__cab_confine (unsigned long call, unsigned long a, unsigned long b, unsigned long c,
	       unsigned long d)
{
  const struct cab_confine what = { call, { a, b, c, d } };
  if (__cab_module.control)
    __cab_module.control (CAB_REQUEST_CONFINE, (const char *) &what);
}

HIDDEN IN_TEXT void
__cab_confined (unsigned long result)
{
  if (__cab_module.control)
    __cab_module.control (CAB_REQUEST_CONFINED, (const char *) result);
}

/* Count VALUE in CELL (plugin/paths/gcov.cc).  The cell may be one of functions without
   counters of their own, with anything in it. */
HIDDEN IN_TEXT void
__cab_value (unsigned long *cell, unsigned long value)
{
  unsigned long n = cell[CAB_CELL_N] < CAB_CELL_VALUES ? cell[CAB_CELL_N] : CAB_CELL_VALUES;
  unsigned long *end = cell + CAB_CELL_TABLE + 2 * n, *least = cell + CAB_CELL_TABLE, *at = least;
  cell[CAB_CELL_TOTAL]++;
  cell[CAB_CELL_SUM] += value;
  cell[CAB_CELL_OR] |= value;
  cell[CAB_CELL_POWERS] += value && !(value & (value - 1));
  cell[CAB_CELL_ZEROS] += value == 0;
  cell[CAB_CELL_ONES] += value == 1;
  cell[CAB_CELL_NEGATIVES] += (long) value < 0;
  for (; at < end && at[0] != value; at += 2)
    if (at[1] < least[1])
      least = at;
  if (at == end && n == CAB_CELL_VALUES)
    {
      if (--least[1])
	return;
      at = least;
    }
  else if (at == end)
    {
      at[1] = 0;
      cell[CAB_CELL_N] = n + 1;
    }
  at[0] = value;
  at[1]++;
}

HIDDEN IN_TEXT void
__cab_start (void)
{
  attach_function *attach = cabprof_attach;
  detach_function *detach = cabprof_detach;
  if (__cab_started)
    return;
  __cab_started = 1;
  if (!attach)
    {
      if (__cab_is_static () || !&_r_debug)
	{
	  __cab_say (NULL, __cab_static);
	  return;
	}
      struct cab_runtime *runtime = __cab_find ();
      if (!runtime)
	runtime = __cab_load (__cab_path);
      __cab_loaded = runtime;
      if (!runtime)
	runtime = __cab_open ();
      attach = runtime ? runtime->attach : NULL;
      detach = runtime ? runtime->detach : NULL;
    }
  if (!attach)
    {
      /* Said once per process: by the executable, where it has a stub. */
      if (&__cab_ctx_at || !__cab_context_offset ())
	__cab_say (__cab_path, __cab_not_found);
    }
  else if (attach (&__cab_module) == 0)
    __cab_leave = detach;
}

/* The destructor.  The dynamic loader ends a runtime that it knows; the executable, which ends
   last, ends one that it does not know. */
HIDDEN IN_TEXT void
__cab_end (void)
{
  if (__cab_leave)
    __cab_leave (&__cab_module);
  __cab_leave = NULL;
  if (&__cab_ctx_at && __cab_loaded && __cab_loaded->base)
    __cab_unload (__cab_loaded);
}
