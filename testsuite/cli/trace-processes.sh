#!/bin/bash
# trace-processes.sh - processes of one trace whose functions have different numbers, since they ran
# in another order, are each reported as if alone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >prog.c <<'END'
static struct { int one; long two; char three[8]; } all;
__attribute__ ((noipa)) static void first (int i) { all.one += i; }
__attribute__ ((noipa)) static void second (int i) { all.two = all.two * i; all.three[i & 7] = 1; }
__attribute__ ((noipa)) static long third (int i) { return all.three[i & 7]; }
int main (int argc, char **argv)
{
  long sum = 0;
  (void) argv;
  for (int i = 0; i < 100; i++)
    switch ((i + argc) % 3)
      {
      case 0: first (i); break;
      case 1: second (i); break;
      default: sum += third (i);
      }
  return sum < 0;
}
END
probed calls+memory prog.c prog -O2

# record TRACE COMMAND: run COMMAND with its trace in TRACE.
record ()
{
  expect 0 "$CABPROF" record --quiet --sample=off --options=analyses=tree --trace="$1" -- setarch \
    -R sh -c "$2"
  quiet
}

# rows TRACE PROCESS: print its rows, without times and the number of the process.
rows ()
{
  "$CABPROF" trace dump --format=tsv "$1" | awk -F '\t' -v process="$2" '$2 == process' | cut -f 3-
}

record all.trace './prog; ./prog 2; ./prog 2 3'
n=1
for arguments in '' 2 '2 3'; do
  record alone.trace "./prog $arguments"
  rows alone.trace 1 >wanted
  rows all.trace $n >got
  [ "$(wc -l <wanted)" -ge 300 ] || fail "few rows: $(wc -l <wanted)"
  diff wanted got >difference || fail "process $n is not reported as alone: $(head -20 difference)"
  n=$((n + 1))
done
