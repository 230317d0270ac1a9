/* bpf.c - see bpf.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/filters/bpf.h"

#include <stddef.h>

struct machine
{
  uint32_t a, x;
  uint32_t memory[BPF_MEMWORDS];
};

static uint32_t
loaded (const struct machine *m, const struct sock_filter *i, const struct seccomp_data *call)
{
  switch (BPF_MODE (i->code))
    {
    case BPF_IMM: return i->k;
    case BPF_LEN: return sizeof *call;
    case BPF_MEM: return m->memory[i->k % BPF_MEMWORDS];
    default: return ((const uint32_t *) (const void *) call)[i->k / 4 % (sizeof *call / 4)];
    }
}

/* Return the result of OPERATION.  The kernel refuses division by a constant 0; division by an X of
   0 ends the program, which returns 0. */
static uint32_t
calculated (uint32_t a, uint32_t operation, uint32_t b)
{
  switch (operation)
    {
    case BPF_ADD: return a + b;
    case BPF_SUB: return a - b;
    case BPF_MUL: return a * b;
    case BPF_DIV: return a / b;
    case BPF_OR: return a | b;
    case BPF_AND: return a & b;
    case BPF_XOR: return a ^ b;
    case BPF_LSH: return b < 32 ? a << b : 0;
    case BPF_RSH: return b < 32 ? a >> b : 0;
    default: return -a;
    }
}

static int
holds (uint32_t a, uint32_t condition, uint32_t b)
{
  switch (condition)
    {
    case BPF_JEQ: return a == b;
    case BPF_JGT: return a > b;
    case BPF_JGE: return a >= b;
    default: return (a & b) != 0;
    }
}

uint32_t
cab_bpf_run (const struct sock_filter *code, uint32_t n, const struct seccomp_data *call)
{
  struct machine m = { 0 };
  for (uint64_t pc = 0; pc < n; pc++)
    {
      const struct sock_filter *i = &code[pc];
      uint32_t operand = BPF_SRC (i->code) == BPF_X ? m.x : i->k;
      switch (BPF_CLASS (i->code))
	{
	case BPF_LD: m.a = loaded (&m, i, call); break;
	case BPF_LDX: m.x = loaded (&m, i, call); break;
	case BPF_ST: m.memory[i->k % BPF_MEMWORDS] = m.a; break;
	case BPF_STX: m.memory[i->k % BPF_MEMWORDS] = m.x; break;
	case BPF_ALU:
	  if (BPF_OP (i->code) == BPF_DIV && !operand)
	    return SECCOMP_RET_KILL_THREAD;
	  m.a = calculated (m.a, BPF_OP (i->code), operand);
	  break;
	case BPF_JMP:
	  pc += BPF_OP (i->code) == BPF_JA ? i->k
	      : holds (m.a, BPF_OP (i->code), operand) ? i->jt
	      : i->jf;
	  break;
	case BPF_RET: return BPF_RVAL (i->code) == BPF_A ? m.a : i->k;
	default:
	  *(BPF_MISCOP (i->code) == BPF_TAX ? &m.x : &m.a) = BPF_MISCOP (i->code) == BPF_TAX ? m.a
											     : m.x;
	}
    }
  return SECCOMP_RET_KILL_THREAD;
}
