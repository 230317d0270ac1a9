/* join-tables.c - threads that fill tables by chains, tail calls, calls by pointers and jumps back
 * over several frames; for the oracle `join'.  No function with accesses is inlined or calls
 * itself; no head of a loop reads memory but that of `find', which is not copied.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__ ((noipa))
#define SIDE 12
struct entry { struct entry *next; int key, hits; };
struct table { struct entry *chain[64]; int n; char *log; int length, room; };
struct matrix { double cell[SIDE][SIDE]; };
union mixed { double real; int half[2]; short quarter[4]; };
static union mixed shared[256];
static const unsigned char code[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
OWN static void
append (struct table *t, const char *text, int n)
{
  if (t->length + n > t->room)
    {
      t->room = t->room * 2 + 24;
      t->log = realloc (t->log, t->room);
    }
  memcpy (t->log + t->length, text, n);
  t->length += n;
}
OWN static struct entry *
add (struct table *t, int key)
{
  struct entry *e = malloc (sizeof *e);
  e->key = key;
  e->hits = 0;
  e->next = t->chain[key & 63];
  t->chain[key & 63] = e;
  t->n++;
  return e;
}
OWN static struct entry *
find (struct table *t, int key)
{
  struct entry *e = t->chain[key & 63];
  while (e && e->key != key)
    e = e->next;
  if (e)
    return e;
  return add (t, key);
}
OWN static int
touch (struct table *t, int key, jmp_buf out)
{
  struct entry *e = find (t, key);
  if (++e->hits == 9)
    longjmp (out, 1);
  append (t, (const char *) code + (key & 7), key % 9);
  return e->hits;
}
OWN static int
plain (struct table *t, int key, jmp_buf out)
{
  return touch (t, key, out) + shared[key & 255].half[1];
}
OWN static int
mixed (struct table *t, int key, jmp_buf out)
{
  shared[key & 255].quarter[key & 3]++;
  return touch (t, key + 1, out);
}
static int (*const ways[2]) (struct table *, int, jmp_buf) = { plain, mixed };
OWN static int
round_of (struct table *t, int seed)
{
  jmp_buf out;
  volatile int done = 0;
  if (setjmp (out) == 0)
    for (int i = 0; i < 200; i++)
      done += ways[i & 1](t, code[i & 15] * (i + seed) % 97, out);
  return done;
}
OWN static void
multiply (struct matrix *to, const struct matrix *a, const struct matrix *b)
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      {
        double sum = 0;
        for (int k = 0; k < SIDE; k++)
          sum += a->cell[i][k] * b->cell[k][j];
        to->cell[i][j] = sum;
      }
}
OWN static void
fill (struct matrix *m, int seed)
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      m->cell[i][j] = i * seed - j;
}
OWN static void
shift (struct matrix *m, int k)
{
  memmove (m->cell[1], m->cell[0], (5 + k) * sizeof m->cell[0]);
}
OWN static void
end (struct table *t)
{
  for (int i = 0; i < 64; i++)
    {
      struct entry *e = t->chain[i];
      while (e)
        {
          struct entry *next = e->next;
          free (e);
          e = next;
        }
    }
  free (t->log);
}
OWN static void *
work (void *argument)
{
  int seed = *(int *) argument;
  struct table *t = calloc (1, sizeof *t);
  struct matrix *m[3];
  for (int i = 0; i < 3; i++)
    fill (m[i] = malloc (sizeof **m), seed + i);
  for (int i = 0; i < 2 + seed; i++)
    {
      round_of (t, seed + i);
      multiply (m[i % 3], m[(i + 1) % 3], m[(i + 2) % 3]);
      shift (m[i % 3], i);
    }
  end (t);
  for (int i = 0; i < 3; i++)
    free (m[i]);
  free (t);
  return NULL;
}
int
main (void)
{
  pthread_t threads[3];
  int number[4] = { 1, 2, 3, 4 };
  for (int i = 0; i < 3; i++)
    if (pthread_create (&threads[i], NULL, work, &number[i]))
      return 1;
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  work (&number[3]);
  return 0;
}
