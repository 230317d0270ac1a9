/* allocate.cc - allocates in many contexts, each call on a line of its own, all of it in this file:
 * for blocks by calling context.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

struct node
{
  node *left, *right;
  long key;
  explicit node (long k) : left (nullptr), right (nullptr), key (k) {}
};

static void *
get (size_t n)
{
  return malloc (n);
}

/* Recurse, with a context at each depth. */
static node *
grow (int depth)
{
  if (!depth)
    return nullptr;
  node *n = new node (depth);
  n->left = grow (depth - 1);
  n->right = grow (depth - 2 < 0 ? 0 : depth - 2);
  return n;
}

static long
fell (node *n)
{
  if (!n)
    return 0;
  long sum = n->key + fell (n->left) + fell (n->right);
  delete n;
  return sum;
}

/* Recurse mutually, through pointers. */
static char *odd (int n);
static char *
even (int n)
{
  char *(*next) (int) = odd;
  return n ? next (n - 1) : (char *) get (24);
}

static char *
odd (int n)
{
  char *(*next) (int) = even;
  return n ? next (n - 1) : (char *) get (40);
}

/* A block grows: each realloc is a block of its own place. */
template <class T> struct list
{
  T *items = nullptr;
  size_t n = 0, room = 0;
  void add (T item)
  {
    if (n == room)
      {
	room = 2 * room + 4;
	items = static_cast<T *> (realloc (items, room * sizeof (T)));
      }
    items[n++] = item;
  }
  ~list () { free (items); }
};

static long
fill (int n)
{
  list<long> numbers;
  list<short> small;
  long sum = 0;
  for (int i = 0; i < n; i++)
    {
      numbers.add (i);
      small.add (i);
    }
  for (size_t i = 0; i < numbers.n; i++)
    sum += numbers.items[i] * small.items[i];
  return sum;
}

struct shape
{
  virtual ~shape () {}
  virtual long area () = 0;
};

struct square : shape
{
  long *side;
  explicit square (long n) : side (new long (n)) {}
  ~square () override { delete side; }
  long area () override { return *side * *side; }
};

static shape *
make (long n)
{
  return new square (n);
}

static int
compare (const void *a, const void *b)
{
  free (get (16));   /* from below a library's function */
  return *(const int *) a - *(const int *) b;
}

/* Catching leaves frames that have not returned: what comes next has the context of the catching
   function. */
static void
thrower (int n)
{
  char *text = (char *) get (n + 1);
  free (text);
  if (n)
    throw n;
}

static void *
work (void *number)
{
  long sum = 0, n = (long) number;
  for (long i = 0; i < n; i++)
    sum += fell (grow (4));
  sum += fill (20 * n);
  return (void *) sum;
}

int
main ()
{
  static char buffer[1024];
  setvbuf (stdout, buffer, _IOFBF, sizeof buffer);
  long sum = fell (grow (9)) + fill (100);
  for (int i = 0; i < 6; i++)
    {
      char *p = even (i);
      free (p);
      p = strdup ("a line");
      sum += strlen (p);
      free (p);
    }
  for (long i = 1; i < 8; i++)
    {
      shape *s = make (i);
      sum += s->area ();
      delete s;
    }
  int numbers[] = { 5, 3, 1, 4, 2 };
  qsort (numbers, 5, sizeof *numbers, compare);
  for (int i = 0; i < 3; i++)
    try
      {
	thrower (i);
      }
    catch (int n)
      {
	free (get (100 + n));
      }
  pthread_t threads[3];
  for (long i = 0; i < 3; i++)
    pthread_create (&threads[i], nullptr, work, (void *) (i + 1));
  for (pthread_t t : threads)
    {
      void *result;
      pthread_join (t, &result);
      sum += (long) result;
    }
  long *kept = (long *) calloc (3, sizeof *kept);
  kept[1] = sum;
  printf ("%ld\n", kept[1]);
}
