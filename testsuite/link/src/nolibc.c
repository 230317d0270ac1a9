/* The program has no C library: its thread-local storage comes from the dynamic loader only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
__attribute__ ((noinline)) static int
triple (int n)
{
  return n > 4 ? 3 * n : n + n + n;
}

void __attribute__ ((force_align_arg_pointer))
_start (void)
{
  int status = triple (14) == 42 ? 7 : 1;
  __asm__ volatile ("syscall" : : "a" (231), "D" (status) : "rcx", "r11", "memory");
  __builtin_unreachable ();
}
