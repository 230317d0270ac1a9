/* layouts.c - objects of every size and nesting, read and written by name, by pointer, whole and in
   part; no function of the C library touches them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

struct inner { char tag; short half; float part; };
struct outer { struct inner in[2]; double weight; struct outer *next; union { long all; char bytes[8]; } u; };
struct bits { unsigned a : 3, b : 11; unsigned short plain; };
struct block { long words[7]; char rest; };

static char letters[40];
static short shorts[20];
static int numbers[20], matrix[5][6];
static long longs[10];
static float floats[12];
static double doubles[12];
static void *pointers[8];
static struct outer outers[4];
static struct bits fields[3];
static struct block blocks[3];
static volatile int port;
static int atomic_cell;
static unsigned char flags[16];

__attribute__ ((noipa)) static void
scalars (int n)
{
  for (int i = 0; i < n; i++)
    {
      letters[i] = i + 3;
      shorts[i % 20] += letters[i / 2];
      numbers[i % 20] = shorts[i % 7] * 2;
      longs[i % 10] ^= numbers[(i + 5) % 20];
      floats[i % 12] = longs[i % 10] & 255;
      doubles[i % 12] += floats[(i + 1) % 12];
      pointers[i % 8] = &doubles[i % 12];
      *(double *) pointers[i % 8] -= 1;
      flags[i % 16] |= letters[i] > 9;
    }
}

__attribute__ ((noipa)) static int
nested (struct outer *o, int rounds)
{
  int sum = 0;
  while (rounds-- > 0)
    {
      o->in[rounds & 1].half += o->in[0].tag;
      o->in[1].part = o->in[rounds & 1].half;
      o->u.all += rounds;
      sum += o->u.bytes[1] + o->next->in[1].tag;
      o->weight = o->next->weight + 1;
      o = o->next;
    }
  return sum;
}

__attribute__ ((noipa)) static void
planes (int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      matrix[i][j] = matrix[(i + 1) % n][j] + numbers[i * 3 + j];
}

__attribute__ ((noipa)) static struct block
copies (const struct block *from, int k)
{
  struct block own = *from;
  own.words[k] = from->words[k + 1] + own.rest;
  blocks[2] = own;
  return own;
}

__attribute__ ((noipa)) static int
odd (int k)
{
  fields[k].a = 5;
  fields[k].b += 9;
  fields[k].plain++;
  port = k;
  port += port;
  __atomic_fetch_add (&atomic_cell, k, __ATOMIC_SEQ_CST);
  __atomic_store_n (&atomic_cell, __atomic_load_n (&atomic_cell, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
  return fields[k].b + atomic_cell;
}

__attribute__ ((noipa)) static int
recursive (int *above, int depth)
{
  int own[3] = { depth, *above, 2 };
  own[depth % 3]++;
  return depth ? recursive (own, depth - 1) + own[1] : *above;
}

int
main (void)
{
  int sum = 0, base = 1;
  for (int i = 0; i < 4; i++)
    outers[i].next = &outers[(i + 3) % 4], outers[i].in[1].tag = i;
  scalars (40);
  sum += nested (outers, 60);
  planes (5, 6);
  for (int i = 0; i < 7; i++)
    blocks[0].words[i] = i;
  blocks[1] = copies (&blocks[0], 2);
  for (int i = 0; i < 3; i++)
    sum += odd (i);
  sum += recursive (&base, 20) + blocks[1].words[2] + matrix[3][4] + flags[5] + (int) doubles[3];
  printf ("%d\n", sum);
  return 0;
}
