/* acyclic regions.c - blocks whose accesses are sent together: joins, ways out, many ways, ends in
   calls, jumps back and out, handlers in between.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64

struct node
{
  int key, n;
  struct node *left, *right;
  unsigned char bits[8];
};

static int a[N], b[N], c[N];
static volatile int port;
static jmp_buf out;
static struct node nodes[N];

__attribute__ ((noipa)) static int
foreign (int x)
{
  return x + port;
}

/* Ways out have more words each time, up to more than an event has. */
__attribute__ ((noipa)) static int
compare (const unsigned char *p, const unsigned char *q, int *budget)
{
  if (p[0] != q[0])
    return p[0] > q[0];
  if (p[1] != q[2])
    return p[1] > q[2];
  p += a[0] & 3, q += a[1] & 3;
  if (p[3] != q[3])
    return p[3] > q[3];
  p += a[2] & 3, q += a[3] & 3;
  if (p[4] != q[4])
    return p[4] > q[4];
  p += a[4] & 3, q += a[5] & 3;
  if (p[5] != q[5])
    return p[5] > q[5];
  --*budget;
  return p[6] > q[6];
}

/* Ways meet again, four times: more than are kept apart. */
__attribute__ ((noipa)) static int
meet (int i, int x)
{
  int sum = a[i];
  if (x & 1)
    sum += b[i];
  else
    c[i]++;
  if (x & 2)
    sum += b[(i + 1) % N];
  if (x & 4)
    sum -= c[(i + 3) % N];
  else if (x & 8)
    a[(i + sum) & (N - 1)] = x;
  sum += b[(i + 2) % N];
  if (x & 16)
    sum += foreign (a[i]);
  if (x & 32)
    return sum;
  b[i] = sum;
  return sum + a[i];
}

__attribute__ ((noipa)) static int
choose (struct node *n, int what)
{
  int k = n->key;
  switch (what & 7)
    {
    case 0: return k + n->n;
    case 1: n->n++; break;
    case 2: n = n->left; break;
    case 3: n = n->right; n->key ^= k; break;
    case 4: k = foreign (n->n); break;
    case 5: n->bits[k & 3] = what; /* fallthrough */
    case 6: n->bits[what & 3]++; break;
    }
  return n->key + n->bits[k & 7];
}

/* A jump leads back into the middle: a loop with two ways in. */
__attribute__ ((noipa)) static int
enter (int i, int n)
{
  int s = a[i];
  if (n & 1)
    goto middle;
again:
  s += b[i & (N - 1)];
  if (s & 1)
    c[i & (N - 1)] ^= s;
middle:
  s += c[(i + n) & (N - 1)];
  if (--n > 0)
    {
      i += s & 3;
      goto again;
    }
  return s;
}

__attribute__ ((noipa)) static void
leave (int x)
{
  a[x & (N - 1)]++;
  if (b[x & (N - 1)] & 1)
    {
      c[x & (N - 1)]++;
      longjmp (out, 1 + (x & 3));
    }
  b[x & (N - 1)]++;
}

__attribute__ ((noipa)) static int
land (int x)
{
  volatile int kept = a[x & (N - 1)];
  volatile int times = 0;
  int how = setjmp (out);
  times++;
  if (how == 2)
    kept += c[1];
  if (times < 3)
    leave (x + times);
  if (how)
    kept += b[how];
  else
    kept += a[3];
  return kept + c[2];
}

static struct node *
insert (struct node *root, struct node *new)
{
  struct node **at = &root;
  while (*at)
    {
      (*at)->n++;
      if (new->key == (*at)->key)
	return root;
      at = new->key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
  *at = new;
  return root;
}

/* A barrier or a probe in between must come after the events before it. */
__attribute__ ((noipa)) static int
barrier (int i)
{
  int s = a[i];
  if (s & 1)
    {
      s += b[i];
      asm volatile ("" ::: "memory");
      s += c[i];
    }
  else if (s & 2)
    asm volatile ("nop");
  if (s & 4)
    {
      memcpy (a + i, b + i, sizeof *a * (s & 1 ? 1 : 2));
      port = s;
    }
  return s + strlen ((char *) nodes[i].bits + 7);
}

__attribute__ ((noipa)) static int
computed (int i, int n)
{
  static void *const to[] = { &&one, &&two, &&three, &&end };
  int s = 0;
  goto *to[a[i] & 3];
one:
  s += a[i];
  if (s & 1)
    s += b[i];
  goto *to[(n & 3) | 1];
two:
  s += c[i];
  if (n > 3)
    c[i] = n;
three:
  s ^= b[i];
  if (--n > 0)
    goto *to[s & 3];
end:
  return s + a[i];
}

static void
handle (int signal)
{
  (void) signal;
}

int
main (void)
{
  unsigned char text[2 * N];
  int sum = 0, budget = 100;
  signal (SIGUSR1, handle);
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7 % 5, b[i] = i * 11 % 7, c[i] = i % 3;
      nodes[i].key = i * 37 % 53;
      nodes[i].bits[7] = 0;
    }
  struct node *root = NULL;
  for (int i = 0; i < N; i++)
    root = insert (root, nodes + i);
  for (int i = 0; i < 2 * N; i++)
    text[i] = i % 16 / 15;
  for (int i = 0; i < N; i++)
    {
      sum += compare (text + i, text + i * 3 % 48, &budget);
      sum += meet (i, i);
      sum += choose (nodes + i / 2, nodes[i / 2].left && nodes[i / 2].right ? i : 6);
      sum += enter (i, i % 9);
      sum += land (i);
      sum += barrier (i % (N - 2));
      sum += computed (i, i % 11);
      if (i % 8 == 0)
	raise (SIGUSR1);
    }
  printf ("%d %d\n", sum, budget);
  return 0;
}
