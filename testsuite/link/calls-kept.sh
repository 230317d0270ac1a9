#!/bin/bash
# calls-kept.sh - memory probes leave calls as they are: the compiler's call graph is whole, no call
# becomes another one, and none is lost.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc g++

MEMORY="-fplugin=$PLUGIN -fplugin-arg-cabprof-events=memory"
LEVELS="-O0 -Og -O1 -O2 -O3 -Os"

# GCC asks for a summary of the call whose result is returned (local-pure-const).
cat >account.c <<'end'
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
long total;
void *mine (size_t n) { if (!n) return NULL; void *p = malloc (n); if (!p) exit (1); total += n; return p; }
void *away (void *p, size_t n) { if (!p) return NULL; free (p); total -= n; return NULL; }
void *
grow (void *data, size_t old, size_t new, int copy)
{
  void *fresh;
  if (!data && !old)
    return mine (new);
  if (!data || !old || !new)
    exit (1);
  if (old == new)
    return data;
  if (copy)
    {
      fresh = mine (new);
      memcpy (fresh, data, old < new ? old : new);
      away (data, old);
    }
  else
    {
      fresh = realloc (data, new);
      if (!fresh)
	exit (1);
      total += new - old;
    }
  return fresh;
}
int main (void) { char *p = grow (grow (grow (0, 0, 10, 0), 10, 20, 1), 20, 40, 0); puts (total == 40 ? "ok" : "bad"); return !p; }
end
# Builtins are called without arguments.
cat >nothing.c <<'end'
#include <stdarg.h>
int never (int n) { if (n > 3) __builtin_unreachable (); if (n == 2) __builtin_trap (); return n; }
void *frame (void) { return __builtin_dwarf_cfa (); }
int sum (int n, ...) { va_list list; int s = 0; va_start (list, n); while (n--) s += va_arg (list, int); va_end (list); return s; }
int main (void) { return never (1) != 1 || !frame () || sum (2, 3, 4) != 7; }
end
for level in $LEVELS "-O2 -flto"; do
  for more in "" -fplugin-arg-cabprof-locals; do
    for source in account nothing; do
      # shellcheck disable=SC2086
      gcc $level -g -fchecking=2 $MEMORY $more $source.c -o prog >words 2>&1 ||
        fail "$source.c $level $more: $(head -n 20 words)"
      ./prog >out 2>&1 || fail "$source.c $level $more: $(cat out)"
    done
  done
done

# The program calls no function that GCC alone would not call.
cat >strings.c <<'end'
#define _GNU_SOURCE
#include <string.h>
char a[100], b[100], *volatile word = "word";
void copy (void) { strcpy (a, word); }
char *copy_too (char *to) { return strcpy (to, word); }
void append (void) { strcat (b, word); }
void bounded (int n) { strncpy (a, word, n); }
char *twice (void) { return strdup (word); }
end
cat >main.c <<'end'
#include <stdlib.h>
#include <string.h>
extern char a[100], b[100];
void copy (void), append (void), bounded (int);
char *copy_too (char *), *twice (void);
char *stpcpy (char *to, const char *from) { abort (); }
char *stpncpy (char *to, const char *from, size_t n) { abort (); }
int main (void) { copy (); append (); bounded (9); return strcmp (a, "word") || strcmp (b, "word") || strcmp (copy_too (a), twice ()); }
end
calls_of () { nm -u "$1" | awk '{ print $NF }' | grep '^_*st[a-z]*\(_chk\)*$' | sort; }
for level in $LEVELS "-O2 -D_FORTIFY_SOURCE=2"; do
  # shellcheck disable=SC2086
  gcc $level -c strings.c -o plain.o && gcc $level $MEMORY -c strings.c -o ours.o ||
    fail "strings.c $level: does not compile"
  [ "$(calls_of plain.o)" = "$(calls_of ours.o)" ] ||
    fail "strings.c $level: calls $(calls_of ours.o | tr '\n' ' '), GCC alone $(calls_of plain.o |
    tr '\n' ' ')"
  gcc -w -fno-builtin main.c ours.o -o prog && ./prog ||
    fail "strings.c $level: the program does not run as without the plugin"
done

# A pair of new and delete stays removed: the addresses that probes of earlier functions have taken
# make no difference to the optimisers.
cat >pair.cc <<'end'
static int deleted;
void operator delete (void *) noexcept { deleted = 1; }
struct thrower { ~thrower () noexcept (false) { throw 1; } };
int
pair ()
{
  deleted = 0;
  thrower *p = new thrower;
  try { delete p; }
  catch (...) { return deleted != 1; }
  return 1;
}
int main () { return pair (); }
end
# From 15 on, GCC assumes that operators new and delete change no variable, unless told otherwise.
told=-fno-assume-sane-operators-new-delete
g++ $told -E -x c++ /dev/null >/dev/null 2>&1 || told=
for level in $LEVELS; do
  # shellcheck disable=SC2086
  g++ $level $told -w $MEMORY pair.cc -o prog && ./prog ||
    fail "pair.cc $level: the call of operator delete is gone"
done
