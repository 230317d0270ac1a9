#!/bin/bash
# fork.sh - a child that fills its ring many times after its parent's analysis thread has started
# gets a thread of its own: every call of both is counted, and neither waits for ever.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >calls.c <<'end'
#include <sys/wait.h>
#include <unistd.h>
__attribute__ ((noipa)) static int one (int x) { return x + 1; }
int main (void)
{
  int sum = 0, status;
  for (int i = 0; i < 20000; i++)
    sum += one (i);
  pid_t pid = fork ();
  for (int i = 0; i < 20000; i++)
    sum += one (i);
  if (!pid)
    _exit (sum == 0);
  waitpid (pid, &status, 0);
  return status != 0 || sum == 0;
}
end
probed calls calls.c calls -O2
for placement in thread inline; do
  rm -rf data
  CABPROF_OPTIONS=ring=512:chunk=64:analyses=methods:data=data:placement=$placement timeout -k 1 \
    60 ./calls || fail "$placement: the program ends with $?"
  expect 0 "$CABPROF" report methods -d data --format=tsv; quiet
  prints $'^one\tcalls.c\t3\t60000\t-$'
done
