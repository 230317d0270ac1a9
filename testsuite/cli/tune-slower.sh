#!/bin/bash
# tune-slower.sh - cabprof tune takes back a hint that makes its loop slower, even if the program as
# a whole is faster with it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make python3

# There are two loops. Factor 4 (variant 3) is good for burn, factor 8 (variant 4) for drag; but
# with both hints together, from variant 6 on, burn takes a third of its time and drag twice as
# long. The program reads in its own hints file whether drag has one.
cat >burn.c <<'C'
unsigned
burn (unsigned n)
{
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 1664525 + i;
  return x;
}

unsigned
drag (unsigned n)
{
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 22695477 + i;
  return x;
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
unsigned burn (unsigned);
unsigned drag (unsigned);

static int
has_hint (char *path, const char *function)
{
  static char text[1 << 16];
  char *at = strstr (path, "/tune/v/");
  strcpy (at + strlen ("/tune/v/000"), "/hints");
  FILE *file = fopen (path, "r");
  int n = file ? fread (text, 1, sizeof text - 1, file) : 0;
  (void) n;
  return strstr (text, function) != NULL;
}

int
main (void)
{
  char path[4096], *at;
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  at = strstr (path, "/tune/v/");
  int variant = at ? atoi (at + 8) : -1, hinted = at && has_hint (path, "\"drag\"");
  unsigned sum = 0;
  clock_t for_burn = variant == 3 ? 45000 : variant >= 6 ? 20000 : 60000;
  clock_t for_drag = variant == 4 ? 14000 : variant >= 6 && hinted ? 40000 : 20000;
  clock_t end = clock () + for_burn;
  while (clock () < end)
    sum += burn (1000000);
  end = clock () + for_drag;
  while (clock () < end)
    sum += drag (1000000);
  puts ("done");
  return sum == 12345;
}
C
printf 'prog: main.o burn.o\n\t$(CC) -O2 -g -o $@ main.o burn.o\n%%.o: %%.c\n\t$(CC) -O2 -g -c -o $@ $<\n' >Makefile

run_tune 0 --build make --run ./prog --share 5 --runs 90
[ "$(hint_of burn)" = 4 ] || { cat out err; fail "burn has factor $(hint_of burn) instead of 4"; }
[ -z "$(hint_of drag)" ] || { cat out err; fail "drag has a hint that makes it slower"; }
says err "made its loop slower: taken back"
says out "its hint made it slower, "
says err ": at least 26 of them, "
exit 0
