#!/bin/bash
# warnings.sh - code without warnings of GCC has none with probes either, its warnings have the same
# words, and it passes -fcompare-debug.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc g++

cat >clean.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct text { char *bytes; size_t n, room; };
char *grow (char *p, size_t n) { p = realloc (p, n); return p; }
int
put (struct text *t, char c)
{
  if (t->n == t->room)
    {
      char *more = realloc (t->bytes, t->room = 2 * t->room + 16);
      if (!more)
	{
	  free (t->bytes);
	  return -1;
	}
      t->bytes = more;
    }
  t->bytes[t->n++] = c;
  return 0;
}
char *twice (const char *s) { char *p = malloc (2 * strlen (s) + 1); if (p) { strcpy (p, s); strcat (p, s); } return p; }
struct list { struct list *next; int *values; };
struct list *behind (struct list *l) { struct list *next = l->next; free (l->values); free (l); return next; }
void drop (struct text *t) { free (t->bytes); memset (t, 0, sizeof *t); }
int sum (const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static char message[80];
struct named { int n; char name[16], rest[16]; };
void say (const char *s) { strncpy (message, s, sizeof message); message[sizeof message - 1] = 0; }
void name (struct named *d, const char *s) { strncpy (d->name, s, sizeof d->name); d->name[15] = 0; }
void shorten (char *d, const char *s, int n) { if (n) strncpy (d, s, 9); else strncpy (d, "some", 9); d[8] = 0; }
void show (const struct text *t) { char line[16]; snprintf (line, sizeof line, "%zu", t->n); puts (line); }
C
cat >clean.cc <<'C'
#include <memory>
#include <string>
#include <vector>
struct node { std::unique_ptr<node> next; std::string name; };
void add (std::vector<node> &v, const std::string &s) { v.push_back ({ nullptr, s }); if (v.size () > 9) v.erase (v.begin ()); }
int count (const node *n) { int i = 0; for (; n; n = n->next.get ()) i++; return i; }
char *again (char *p) { p = static_cast<char *> (__builtin_realloc (p, 9)); return p; }
C
cat >dirty.c <<'C'
#include <stdlib.h>
#include <string.h>
int g (int n) { int a[4], i; if (n) i = 1; return a[i]; }
char text[8], other[8];
void cut (const char *s) { strncpy (text, s, sizeof text); other[7] = 0; }
char *h (char *p) { char *q = realloc (p, 9); return q ? p : q; }
C
cat >old.c <<'C'
#include <stdarg.h>
#include <stdlib.h>
f (int n, ...)
{
  va_list args;
  va_start (args, n);
  if (va_arg (args, int) != 10) abort ();
  if (va_arg (args, long) != 10000000000L) abort ();
  if (va_arg (args, int) != 11) abort ();
  if (va_arg (args, long double) != 3.14L) abort ();
  if (va_arg (args, int) != 12) abort ();
  if (va_arg (args, double) != 2.72) abort ();
  va_end (args);
}
C

n=0
for level in 0 1 2; do
  for events in paths+calls memory memory+values+calls+loops; do
    for source in clean.c clean.cc dirty.c old.c; do
      flags="-O$level -Wall -Wextra -Wpedantic -Wuse-after-free=3"
      compiler=gcc wrapper=$CGCC
      [ $source = clean.cc ] && compiler=g++ wrapper=$CGXX
      # From GCC 14 on it compiles as gnu89 only.
      standard=
      [ $source = old.c ] && standard=-std=gnu89
      flags+=" $standard"
      $compiler $flags -c $source -o plain.o 2>plain ||
        { cat plain; fail "$source does not compile"; }
      CABPROF_PLUGIN_ARGS=events=$events "$wrapper" $flags -c $source -o probed.o 2>probed ||
        { cat probed; fail "$source does not compile with probes"; }
      cmp -s plain probed ||
        { diff plain probed; fail "$source, -O$level, events=$events: other warnings"; }
      [ $source != dirty.c ] || [ $level = 0 ] || [ -s plain ] || fail "dirty.c: nothing to warn of"
      # The code is the same with -g.
      [ $level = 0 ] || CABPROF_PLUGIN_ARGS=events=$events "$wrapper" -O$level $standard -w \
        -fcompare-debug -c $source -o compared.o 2>words ||
        fail "$source, -O$level, events=$events: $(cat words)"
      n=$((n + 1))
    done
  done
done
echo "CASES $n 0 0"
