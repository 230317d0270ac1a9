#!/bin/bash
# children.sh - every call of every kind of child is counted exactly once: made by libc or by the
# system call, with and without its parent's memory, from a thread, in a pid namespace, and on
# kernels without MADV_WIPEONFORK.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# Only the children of FRESH call work; for KNOWN the parent calls it too, so its counters exist
# before a child is made.
FRESH="fork clone files clone3 childs-thread grandchild grandchild-raw daemon namespace exit"
KNOWN="spawn vm vfork thread system popen fork files grandchild exit"

# calls WORK EVENTS NAME COMMAND...: check that NAME has WORK calls after COMMAND.
calls ()
{
  local wanted=$1 what=$2
  shift 2
  rm -rf data
  timeout -k 1 300 "$@" >run.out 2>run.err || fail "$what: $* ended with $?: $(cat run.out run.err)"
  [ ! -s run.err ] || fail "$what: $* printed: $(cat run.err)"
  expect 0 "$CABPROF" report methods -d data --format=tsv
  quiet
  awk -F'\t' '$1 == "work" { print $4 }' out >found
  [ "$(cat found)" = "$wanted" ] || fail "$what: $*: work $(cat found), not $wanted: $(cat out)"
}

cp "$SRC/children.c" "$SRC/old-kernel.c" .
gcc -O2 old-kernel.c -o old-kernel || fail "old-kernel.c does not compile"
for events in paths+calls paths+memory; do
  probed $events children.c children -O2 -pthread
  for placement in thread inline direct; do
    export CABPROF_OPTIONS=data=data:placement=$placement:ring=512:chunk=64
    calls 4000 "$events $placement" ./children $FRESH
    calls 4000 "$events $placement" ./children $KNOWN
    calls 4000 "$events $placement, in a thread" ./children -t $FRESH
  done
done
calls 4000 "no page is cleared" ./old-kernel ./children $FRESH
calls 4000 "no page is cleared" ./old-kernel ./children $KNOWN

# What a copy sends to its parent's ring before its first slow path is there once, and so is what it
# sends later, to a ring of its own.
cat >ring.c <<'end'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long x;
__attribute__ ((noipa)) static void work (int i) { x += i; }
int main (int argc, char **argv)
{
  int n = argc > 1 ? 100000 : 100, status;
  for (int i = 0; i < 1000; i++)
    work (i);
  for (int k = 0; k < 3; k++)
    {
      pid_t pid = syscall (SYS_fork);
      for (int i = 0; i < n && pid == 0; i++)
	work (i);
      if (pid == 0)
	syscall (SYS_exit_group, 0);
      waitpid (pid, &status, 0);
      for (int i = 0; i < 1000; i++)
	work (i);
    }
  return 0;
}
end
probed calls ring.c ring -O2
for placement in thread inline direct; do
  export CABPROF_OPTIONS=data=data:placement=$placement:ring=512:chunk=64:analyses=methods
  calls 4300 "$placement" ./ring
  calls 304000 "$placement" ./ring much
done

# A copy made by the system call gets its part late, after its parent has added names; its own names
# end where they ended.
cat >names.c <<'end'
#define _GNU_SOURCE
#include <cabprof/cabprof.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long x;
__attribute__ ((noipa)) static void work (int i) { x += i; }
int main (void)
{
  int ends[2], status;
  char byte = 0;
  if (pipe (ends))
    return 1;
  work (1);
  pid_t pid = syscall (SYS_fork);
  if (pid == 0)
    {
      if (read (ends[0], &byte, 1) != 1)
	syscall (SYS_exit_group, 1);
      cabprof_region_begin ("short");
      work (2);
      cabprof_region_end ("short");
      syscall (SYS_exit_group, 0);
    }
  cabprof_region_begin ("a-name-that-is-rather-long");
  work (3);
  cabprof_region_end ("a-name-that-is-rather-long");
  return write (ends[1], &byte, 1) != 1 || waitpid (pid, &status, 0) != pid || status;
}
end
gcc -O2 -g -I"$TOP/include" -fplugin="$PLUGIN" names.c -o names || fail "names.c does not compile"
rm -rf data
CABPROF_OPTIONS=data=data ./names || fail "names: $?"
expect 0 "$CABPROF" report regions -d data --format=tsv
for name in short a-name-that-is-rather-long; do
  grep -q "^$name	" out || fail "no region $name: $(cat out)"
done
