/* There is one function for each reason to leave it alone, and for each way to overrule the command
 * line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <cabprof/cabprof.h>
#include <stdio.h>

static int helper (void) { return 1; }
static int other (int x) { return x + 1; }
static int (*resolve (void)) (int) { return helper () ? other : 0; }
int by_ifunc (int) __attribute__ ((ifunc ("resolve")));

__attribute__ ((naked)) void bare (void) { __asm__ ("ret"); }
__attribute__ ((no_instrument_function)) int plain (int x) { return x + 2; }
__attribute__ ((no_profile_instrument_function)) int unprofiled (int x) { return x + 2; }
struct frame;
__attribute__ ((interrupt, target ("general-regs-only"))) void handler (struct frame *f)
{ (void) f; }
CABPROF_NEVER int never (int x) { return x * 3; }
CABPROF_ALWAYS int always (int x) { return x * 5; }
int __cab_mine (int x) { return x + 9; }
int __attribute__ ((const, noinline)) pure_one (int x) { return x * 7; }
__attribute__ ((target_clones ("avx2", "default"))) int cloned (int x) { return x * 2; }
int skipped_caller (int x) { return pure_one (x) + pure_one (x); }
int CABPROF_ALWAYS x_not_a_function;
int main (void)
{
  bare ();
  printf ("%d\n", by_ifunc (1) + plain (1) + unprofiled (2) + never (1) + always (1)
	  + __cab_mine (1) + skipped_caller (4) + cloned (3));
}
