/* gates.c - the slow paths keep every register at any stack alignment: the first time, when they
 * attach, map files and start a thread, and later.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <string.h>

#include "judge.h"
#include "probe.h"

ROW (row_0, 15, 12, 1);
ROW (row_1, 15, 12, 1);
ROW (row_2, 15, 12, 1);
ROW (row_3, 15, 12, 1);

/* The assembler code below uses these offsets. */
struct registers
{
  uint64_t general[14];        /* rcx rdx rsi rdi r8-r15 rbx rbp */
  uint64_t flags;
  uint32_t mxcsr;
  uint16_t x87_control, pad;
  unsigned char vectors[32][64];
  uint64_t masks[8];
};
_Static_assert (offsetof (struct registers, mxcsr) == 120
		 && offsetof (struct registers, vectors) == 128
		 && offsetof (struct registers, masks) == 2176,
	       "offsets");

/* Load all of IN, call GATE with ARGUMENT in %rax and the stack off by MISALIGN, store all to OUT;
   return the result. LEVEL: 0 SSE, 1 AVX, 2 AVX-512. */
uint64_t call_with (void (*gate) (void), uint64_t argument, const struct registers *in,
		    struct registers *out, uint64_t misalign, int level);

__asm__(
  ".text\ncall_with:\n"
  "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
  "mov %rdi, gate_at(%rip); mov %rsi, argument_at(%rip); mov %rcx, out_at(%rip); mov %r9d, "
  "level_at(%rip)\n"
  "mov %rsp, rsp_at(%rip); stmxcsr mxcsr_at(%rip); fnstcw x87_at(%rip)\n"
  "sub %r8, %rsp\n"
  "mov %rdx, %rax\n"
  "ldmxcsr 120(%rax); fldcw 124(%rax)\n"
  "cmpl $1, level_at(%rip); jb 1f; je 2f\n"
  ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
  "vmovdqu64 128+64*\\i(%rax), %zmm\\i\n.endr\n"
  ".irp i,0,1,2,3,4,5,6,7; kmovw 2176+8*\\i(%rax), %k\\i; .endr\n"
  "jmp 3f\n"
  "2: .irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; vmovdqu 128+64*\\i(%rax), %ymm\\i; .endr\n"
  "jmp 3f\n"
  "1: .irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; movdqu 128+64*\\i(%rax), %xmm\\i; .endr\n"
  "3: push 112(%rax); popf\n"
  "mov (%rax), %rcx; mov 8(%rax), %rdx; mov 16(%rax), %rsi; mov 24(%rax), %rdi; mov 32(%rax), %r8; "
  "mov 40(%rax), %r9\n"
  "mov 48(%rax), %r10; mov 56(%rax), %r11; mov 64(%rax), %r12; mov 72(%rax), %r13; mov 80(%rax), "
  "%r14; mov 88(%rax), %r15\n"
  "mov 96(%rax), %rbx; mov 104(%rax), %rbp\n"
  "mov argument_at(%rip), %rax\n"
  "call *gate_at(%rip)\n"
  "mov %rax, result_at(%rip)\n"
  "mov out_at(%rip), %rax\n"
  "mov %rcx, (%rax); mov %rdx, 8(%rax); mov %rsi, 16(%rax); mov %rdi, 24(%rax); mov %r8, 32(%rax); "
  "mov %r9, 40(%rax)\n"
  "mov %r10, 48(%rax); mov %r11, 56(%rax); mov %r12, 64(%rax); mov %r13, 72(%rax); mov %r14, "
  "80(%rax); mov %r15, 88(%rax)\n"
  "mov %rbx, 96(%rax); mov %rbp, 104(%rax)\n"
  "pushf; pop 112(%rax); cld\n"
  "stmxcsr 120(%rax); fnstcw 124(%rax)\n"
  "cmpl $1, level_at(%rip); jb 1f; je 2f\n"
  ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
  "vmovdqu64 %zmm\\i, 128+64*\\i(%rax)\n.endr\n"
  ".irp i,0,1,2,3,4,5,6,7; kmovw %k\\i, 2176+8*\\i(%rax); .endr\n"
  "jmp 3f\n"
  "2: .irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; vmovdqu %ymm\\i, 128+64*\\i(%rax); .endr; "
  "vzeroupper\n"
  "jmp 3f\n"
  "1: .irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; movdqu %xmm\\i, 128+64*\\i(%rax); .endr\n"
  "3: mov rsp_at(%rip), %rsp; ldmxcsr mxcsr_at(%rip); fldcw x87_at(%rip); mov result_at(%rip), "
  "%rax\n"
  "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
  "ret\n"
  ".local gate_at, argument_at, out_at, level_at, rsp_at, result_at, mxcsr_at, x87_at\n"
  ".irp v,gate_at,argument_at,out_at,level_at,rsp_at,result_at,mxcsr_at,x87_at; .comm \\v,8,8; "
  ".endr\n");

static int
find_level (void)
{
  return __builtin_cpu_supports ("avx512f") ? 2 : __builtin_cpu_supports ("avx") ? 1 : 0;
}

static void
fill (struct registers *r, int level, unsigned seed)
{
  unsigned char *p = (unsigned char *) r;
  memset (r, 0, sizeof *r);
  for (size_t i = 0; i < sizeof r->general; i++)
    p[i] = seed += 37;
  for (int v = 0; v < (level == 2 ? 32 : 16); v++)
    for (int i = 0; i < 16 << level; i++)
      r->vectors[v][i] = seed += 41;
  for (int i = 0; i < 8 && level == 2; i++)
    r->masks[i] = (seed += 12345) & 0xffff;
  r->flags = 0xed7 & ~0x100;   /* CF PF AF ZF SF IF DF OF, and the bit that is always set */
  r->mxcsr = 0x1f80 | 0x6000;  /* round to zero */
  r->x87_control = 0x37f | 0xc00;
}

static uint64_t
check_gate (enum cab_gate gate, uint64_t argument, uint64_t misalign)
{
  static struct registers in, out;
  int level = find_level ();
  fill (&in, level, gate * 1000 + misalign);
  memset (&out, 0, sizeof out);
  uint64_t result = call_with (__cab_module.gate[gate], argument, &in, &out, 4096 + misalign,
			       level);
  CHECK (memcmp (&in, &out, sizeof in) == 0, "gate %d, stack off by %lu: a register changed", gate,
	 misalign);
  return result;
}

static int
program (void)
{
  struct cab_row *rows[] = { &row_0, &row_1, &row_2, &row_3 };
  for (int i = 0; i < 4; i++)
    {
      uint64_t p = check_gate (CAB_GATE_COUNT, (uintptr_t) rows[i], i * 3);
      CHECK (p == (uint64_t) __cab_ctx.count_base + rows[i]->count_slot, "count: %lx", p);
      CHECK (check_gate (CAB_GATE_ID, (uintptr_t) rows[i], i * 5) == (uintptr_t) rows[i], "id");
    }
  for (int i = 0; i < 3000; i++)
    {
      __cab_ctx.busy = i % 3 == 0;
      check_gate (CAB_GATE_EVENT, probe_path (&row_1, 3), i % 64);
      __cab_ctx.busy = 0;
    }
  check_gate (CAB_GATE_CAB, probe_path (&row_2, 4), 9);
  return 0;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  char dir[512], parts[2][512];
  snprintf (dir, sizeof dir, "%s/data", judge_directory ());
  int status = judge_run (dir, "ring=512:chunk=64", "gates", 0);
  char log[600], line[300] = "";
  snprintf (log, sizeof log, "%s-err", dir);
  FILE *file = fopen (log, "r");
  CHECK (status == 0, "status %x: %s", status, file && fgets (line, sizeof line, file) ? line : "");
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  CHECK (judge_paths (&part, 2, 3) == 3000, "%lu of 3000", judge_paths (&part, 2, 3));
  CHECK (judge_paths (&part, 3, 4) == 1, "%lu of 1", judge_paths (&part, 3, 4));
  return 0;
}
