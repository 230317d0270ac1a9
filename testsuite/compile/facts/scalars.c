/* scalars.c - loops in C whose scalars are known by construction; see testsuite/compile/scalars.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };
int limit, total;
static double level;
extern int unseen (int);
extern int (*hook) (int);
extern int pure_one (int) __attribute__ ((pure));
static int __attribute__ ((noinline)) seen (int x) { return x * 3 + 1; }

/* Reductions in registers. */
double sum_double (const double *a, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s reduction + oa; i induction 1 c */
    s += a[i];
  return s;
}

int sum_int (const int *a, int n)
{
  int s = 0;
  for (int i = n - 1; i >= 0; i--)  /* LOOP canonical IS s reduction + a; i induction -1 c */
    s -= a[i];
  return s;
}

short sum_short (const short *a, int n)
{
  short s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s reduction + a; i induction 1 c */
    s += a[i];
  return s;
}

float product (const float *a, int n)
{
  float p = 1;
  for (int i = 0; i < n; i += 2)    /* LOOP canonical IS p reduction * oa; i induction 2 c */
    p *= a[i];
  return p;
}

unsigned bits (const unsigned *a, long n)
{
  unsigned all = ~0u, any = 0, odd = 0;
  for (long i = 0; i < n; i++)      /* LOOP canonical IS all reduction & a; any reduction | a */
    {                               /* IS odd reduction ^ a; i induction 1 c */
      all &= a[i];
      any |= a[i];
      odd ^= a[i];
    }
  return all + any + odd;
}

int maximum (const int *a, int n)
{
  int m = a[0];
  for (int i = 1; i < n; i++)       /* LOOP canonical IS m reduction max a; i induction 1 c */
    if (a[i] > m)
      m = a[i];
  return m;
}

double minimum (const double *a, int n)
{
  double m = a[0];
  for (int i = 1; i < n; i++)       /* LOOP canonical IS m reduction min a; i induction 1 c */
    m = m < a[i] ? m : a[i];
  return m;
}

double largest (const double *a, int n)
{
  double m = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS m reduction max a; i induction 1 c */
    m = fmax (m, a[i]);             /* CALLS fmax pure */
  return m;
}

bool all_positive (const int *a, int n)
{
  bool ok = true;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS ok reduction && a; i induction 1 c */
    ok = ok && a[i] > 0;
  return ok;
}

int any_zero (const int *a, int n)
{
  int found = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS found reduction || a; i induction 1 c */
    found = found || !a[i];
  return found;
}

int count_if (const int *a, int n, int x)
{
  int count = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS count reduction + a; i induction 1 c */
    if (a[i] == x)
      count++;
  return count;
}

double sum_nest (double **a, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s reduction + oa; i induction 1 c */
				    /* IS j private - d */
    for (int j = 0; j < n; j++)     /* LOOP canonical IS s reduction + oa; j induction 1 c */
      s += a[i][j];
  return s;
}

/* Dependences in registers. */
double recurrence (double x, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS x carried - a; i induction 1 c */
    x = x * 0.5 + 1;
  return x;
}

int hash (const char *text)
{
  int h = 0;
  for (; *text; text++)             /* LOOP uncounted IS h carried - a; text induction 1 - */
    h = h * 31 + *text;
  return h;
}

int chain (int x, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS x carried - a; i induction 1 c */
    x = seen (x);                   /* CALLS seen probed */
  return x;
}

void prefix (int *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s carried - -; i induction 1 c */
    {
      s += a[i];
      a[i] = s;
    }
}

int pack (int *to, const int *a, int n)
{
  int k = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS k carried - a; i induction 1 c */
    if (a[i])
      to[k++] = a[i];
  return k;
}

int place_of_maximum (const int *a, int n)
{
  int m = a[0], at = 0;
  for (int i = 1; i < n; i++)       /* LOOP canonical IS m carried - -; i induction 1 c */
    if (a[i] > m)                   /* IS at conditional - a */
      {
	m = a[i];
	at = i;
      }
  return at;
}

void differences (int *d, const int *a, int n)
{
  int before = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS before carried - -; i induction 1 c */
    {
      d[i] = a[i] - before;
      before = a[i];
    }
}

int fibonacci (int n)
{
  int a = 0, b = 1;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS a carried - a; b carried - - */
    {                               /* IS t private - d; i induction 1 c */
      int t = a + b;
      a = b;
      b = t;
    }
  return a;
}

int list_length (struct node *p)
{
  int n = 0;
  while (p)                         /* LOOP uncounted IS p carried - -; n induction 1 a */
    {
      n++;
      p = p->next;
    }
  return n;
}

int list_sum (const struct node *head)
{
  int s = 0;
  for (const struct node *p = head; p; p = p->next) /* LOOP uncounted IS p carried - - */
    s += p->value;                  /* IS s reduction + a */
  return s;
}

unsigned collatz (unsigned x)
{
  unsigned steps = 0;
  while (x != 1)                    /* LOOP uncounted IS x carried - -; steps induction 1 a */
    {
      x = x & 1 ? 3 * x + 1 : x / 2;
      steps++;
    }
  return steps;
}

int running_maximum (int *to, const int *a, int n)
{
  int m = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS m carried - a; i induction 1 c */
    {
      if (a[i] > m)
	m = a[i];
      to[i] = m;
    }
  return m;
}

int mixed (const int *a, int n)
{
  int s = 1;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s carried - a; i induction 1 c */
    {
      s += a[i];
      s *= 3;
    }
  return s;
}

int rounded (const double *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s carried - a; i induction 1 c */
    s += a[i];
  return s;
}

int reset (const int *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS s carried - a; i induction 1 c */
    {
      s += a[i];
      if (!a[i])
	s = 0;
    }
  return s;
}

double doubling (double x)
{
  while (x < 100)                   /* LOOP uncounted IS x carried - a */
    x *= 2;
  return x;
}

/* Variables of an iteration. */
void smooth (double *b, const double *a, int n)
{
  double t;
  for (int i = 1; i < n; i++)       /* LOOP canonical IS t private - -; i induction 1 c */
    {
      t = a[i] + a[i - 1];
      b[i] = t * t;
    }
}

double last_value (double *b, const double *a, int n)
{
  double t = 0;
  int i;
  for (i = 0; i < n; i++)           /* LOOP canonical IS t lastprivate - a; i induction 1 ca */
    {
      t = a[i] * 2;
      b[i] = t;
    }
  return t + i;
}

int last_negative (const int *a, int n)
{
  int at = -1;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS at conditional - a; i induction 1 c */
    if (a[i] < 0)
      at = i;
  return at;
}

void either (int *b, const int *a, int n)
{
  int x;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS x private - -; i induction 1 c */
    {
      if (a[i] > 5)
	x = a[i];
      else
	x = 5;
      b[i] = x;
    }
}

void maybe (int *b, const int *a, int n)
{
  int x = 5;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS x carried - -; i induction 1 c */
    {
      if (a[i] > 5)
	x = a[i];
      b[i] = x;
    }
}

void strided (double *a, const double *b, int n, int step)
{
  int k = 3;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS k induction ? -; i induction 1 c */
    {
      a[i] = b[k];
      k += step;
    }
}

void pointers (double *a, const double *end)
{
  for (double *p = a; p != end; p += 2) /* LOOP canonical IS p induction 2 c */
    *p = 0;
}

/* Forms. */
int find (const int *a, int n, int x)
{
  int i;
  for (i = 0; i < n; i++)           /* LOOP break:+1 IS i induction 1 ca */
    if (a[i] == x)
      break;
  return i;
}

int search (const int *a, int n, int x)
{
  for (int i = 0; i < n; i++)       /* LOOP break:+1 IS i induction 1 ca */
    if (a[i] == x)
      return i;
  return -1;
}

void to_limit (int *a)
{
  for (int i = 0; i < limit; i++)   /* LOOP bound:limit IS i induction 1 c; limit shared - - */
    a[i] = i;
}

void to_length (char *s)
{
  for (size_t i = 0; i < strlen (s); i++) /* LOOP call:strlen IS i induction 1 c */
    s[i] = 0;                       /* CALLS strlen pure */
}

void shrinking (int *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP varies IS i induction 1 c; n carried - - */
    if (a[i])
      n--;
}

void jumping (int *a, int n)
{
  for (int i = 0; i != n; i += 3)   /* LOOP unequal IS i induction 3 c */
    a[i] = 0;
}

void at_least_once (int *a, int n)
{
  int i = 0;
  do
    a[i] = i;                       /* LOOP end IS i induction 1 c */
  while (++i < n);
}

void skipping (int *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c */
    {
      if (a[i] < 0)
	continue;
      a[i] = 1;
    }
}

void checked (int *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c */
    {
      if (a[i] < 0)
	abort ();
      a[i] = 1;
    }
}

void until_told (volatile int *told)
{
  while (!*told)                    /* LOOP uncounted */
    ;
}

/* Memory and calls. */
void to_total (const int *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c; total shared - w */
    total += a[i];                  /* UPDATES + - */
}

void histogram (int *h, const int *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c */
    h[a[i]]++;                      /* UPDATES + - */
}

void levels (const double *a, int n)
{
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c; level shared - w */
    {
      level = level + a[i];         /* UPDATES + o */
      printf ("%f\n", level);       /* CALLS printf io */
    }
}

int addressed (int n)
{
  int x = 0, s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c; s reduction + a */
    {                               /* IS x shared - e */
      sscanf ("1", "%d", &x);       /* CALLS sscanf known */
      s += x;
    }
  return s;
}

int callees (int *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)       /* LOOP canonical IS i induction 1 c; s reduction + a */
    {                               /* IS p private - d */
      int *p = malloc (4);          /* CALLS malloc allocation */
      *p = rand ();                 /* CALLS rand state */
      s += unseen (a[i]);           /* CALLS unseen unknown */
      s += hook (*p);               /* CALLS * unknown; IS hook shared - - */
      s += pure_one (a[i]);         /* CALLS pure_one pure */
      s += seen (a[i]);             /* CALLS seen probed */
      a[i] = abs (a[i]);
      free (p);                     /* CALLS free allocation */
    }
  return s;
}
