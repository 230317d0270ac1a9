/* accesses.c - accesses of every kind that Valgrind tells apart: of all sizes, across lines,
 * modifying, atomic, long, repeated.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 3000

struct node
{
  struct node *next;
  uint64_t value;
  char rest[41];         /* nodes lie at odd places */
} __attribute__ ((packed));

static unsigned char bytes[1 << 15];
static unsigned char image[512] __attribute__ ((aligned (16)));

static uint64_t
walk (struct node *nodes, int n)
{
  struct node *head = NULL;
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    {
      struct node *node = &nodes[i * 7919 % n];
      node->next = head;
      node->value = i;
      head = node;
    }
  for (struct node *node = head; node; node = node->next)
    sum += node->value++;
  return sum;
}

/* Loads and stores of 1 to 16 bytes, unaligned, some across lines. */
static uint64_t
sizes (void)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < N; i++)
    {
      unsigned char *p = bytes + i * 37 % (sizeof bytes - 16);
      uint16_t two;
      uint32_t four;
      long double ten;
      memcpy (&two, p, 2);
      memcpy (&four, p + 1, 4);
      four += two + *p;
      memcpy (p + 3, &four, 4);
      ten = four;
      memcpy (p, &ten, 10);
      sum += four;
    }
  return sum;
}

static uint64_t
atomics (void)
{
  static uint64_t cells[64];
  uint64_t sum = 0;
  for (unsigned i = 0; i < N; i++)
    {
      uint64_t *cell = &cells[i * 29 % 64], old = *cell;
      __atomic_fetch_add (cell, i, __ATOMIC_SEQ_CST);
      sum += __atomic_compare_exchange_n (cell, &old, i, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      sum += __atomic_exchange_n (cell, sum, __ATOMIC_SEQ_CST);
    }
  return sum;
}

/* Run an instruction that a helper of Valgrind does, with 512 bytes at once; and string
   instructions. */
static void
helped (void)
{
#ifdef __x86_64__
  for (unsigned i = 0; i < 20; i++)
    {
      void *from = bytes + i * 91, *to = bytes + 20000 + i * 53;
      unsigned long n = 100 + i;
      __asm__ volatile ("fxsave64 %0" : "=m" (image));
      __asm__ volatile ("rep movsb" : "+S" (from), "+D" (to), "+c" (n) : : "memory");
      __asm__ volatile ("fxrstor64 %0" : : "m" (image));
    }
#endif
}

int
main (void)
{
  struct node *nodes = calloc (N, sizeof *nodes);
  if (!nodes)
    return 1;
  uint64_t sum = walk (nodes, N);
  sum += sizes ();
  sum += atomics ();
  helped ();
  free (nodes);
  printf ("%llu\n", (unsigned long long) sum);
  return 0;
}
