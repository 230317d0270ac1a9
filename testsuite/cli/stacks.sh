#!/bin/bash
# stacks.sh - a context or coroutine of 4 KB, plus 2 KB more than the kernel needs for a signal, is
# enough for code with probes of any kind, also where no probe ran before; and debuggers,
# collectors, sanitizers and valgrind find what they expect on stacks.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
cp "$SRC/small-stacks.c" "$SRC/collector.c" "$SRC/inside.c" .

# program NAME EVENTS [FLAG...]: build NAME from small-stacks.c.
program ()
{
  local name=$1 events=$2
  shift 2
  gcc -O2 -g ${SANITIZE:-} -DHOST -c small-stacks.c -o host.o && gcc -O2 -g -fplugin="$PLUGIN" \
    -fplugin-arg-cabprof-events="$events" "$@" -c small-stacks.c -o probed.o &&
    gcc -pthread ${SANITIZE:-} host.o probed.o -o "$name" ||
    fail "small-stacks.c does not compile: $events $*"
}

# works PROGRAM [ARGUMENT...]: check that it prints what it prints without probes.
works ()
{
  rm -rf data
  timeout -k 1 120 "$@" >run.out 2>run.err ||
    fail "$CABPROF_OPTIONS: $* ended with $?: $(head -c 1000 run.err)"
  [ "$(cat run.out)" = 100000 ] && [ ! -s run.err ] ||
    fail "$CABPROF_OPTIONS: $* printed $(cat run.out run.err | head -c 1000)"
}

# counts N: check that f3 was called N times.
counts ()
{
  expect 0 "$CABPROF" report methods -d data --format=tsv
  [ "$(awk -F'\t' '$1 == "f3" { print $4 }' out)" = "$1" ] ||
    fail "$CABPROF_OPTIONS: not $1 calls of f3: $(cat out)"
}

for events in paths calls memory loops paths+calls+loops paths+calls+memory+loops; do
  program small $events
  for options in placement=thread \
    placement=inline:analyses=cache+reuse+sharing+blocks+offenders+tree; do
    export CABPROF_OPTIONS=data=data:ring=512:chunk=64:$options
    for how in "c 4096" "o 4096" "s +2048"; do
      works ./small $how
      case $events$options in *paths*thread) counts 2000 ;; esac
      works ./small $how thread
    done
  done
done
program small paths -fplugin-arg-cabprof-paths=trace
works ./small o 4096
program small calls -fplugin-arg-cabprof-context -fplugin-arg-cabprof-ring=cab
works ./small c 4096

# Code that libc calls back jumps out of the runtime: everything goes on, but for the event under
# way.
gcc -O2 -DHOST -c inside.c -o host.o && gcc -O2 -g -fplugin="$PLUGIN" \
  -fplugin-arg-cabprof-events=paths+calls -c inside.c -o probed.o &&
  gcc -pthread host.o probed.o -o inside || fail "inside.c does not compile"
export CABPROF_OPTIONS=data=data:ring=512:chunk=64
works ./inside
expect 0 "$CABPROF" report methods -d data --format=tsv; quiet
grep -q $'^work\tinside.c\t[0-9]*\t100000\t' out || fail "inside: $(cat out)"

# Valgrind takes stacks that are less than --max-stackframe apart for one; 2 MB unless told.
program small paths+memory
if command -v valgrind >/dev/null; then
  for how in "x 0" "c 4096" "s 8192 thread"; do
    works valgrind -q --max-stackframe=100000 --error-exitcode=9 ./small $how
  done
else
  echo "valgrind is not installed: left out"
fi

# gdb unwinds from each instruction of a slow path, except from its returns, which it takes for the
# ends of functions, and from the C function (call *%r12). A step over popfq leaves the trap flag
# set.
if command -v gdb >/dev/null; then
  for gate in count words; do
    cat >steps <<script
set pagination off
set confirm off
set style enabled off
set breakpoint pending on
set startup-with-shell off
set environment LD_PRELOAD $BUILD/lib/libcabprof.so.1
break cab_register_row
run
bt
delete
tbreak *__cab_gate_$gate
continue
set \$steps = 0
while \$steps++ < 125
  x/i \$pc
  bt 7
  if (*(unsigned int *) \$pc & 0xffffff) == 0xd4ff41
    tbreak *(\$pc + 3)
    set var \$eflags = ((int) \$eflags) & ~0x100
    continue
  else
    stepi
  end
end
script
    timeout -k 1 120 gdb -q -batch -x steps --args ./small o 4096 >trace 2>trace.err
    grep -q '^#[0-9]* .* in body ()' trace ||
      fail "gdb does not find the way back from the runtime: $(head -n 30 trace)"
    awk '/^=>/ { if (n++ && !found && last !~ /ret/) print last; last = $0; found = 0 }
         /^#[0-9]+ +(0x[0-9a-f]+ in )?(all|f[0-9]) \(/ { found = 1 }
      END { if (n < 60) print n " steps" }' trace >lost
    [ ! -s lost ] || fail "gdb is lost at: $(cat lost)"
  done
else
  echo "gdb is not installed: left out"
fi

for sanitizer in address thread; do
  SANITIZE=-fsanitize=$sanitizer program clean paths+calls+memory -fsanitize=$sanitizer
  for placement in thread inline; do
    export CABPROF_OPTIONS=data=data:ring=512:chunk=64:placement=$placement
    works ./clean x 0
    works ./clean x 0 thread
    [ $placement = thread ] || works ./clean s 65536 thread
  done
done

if gcc -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+calls+memory collector.c -lgc \
  -pthread -o collector 2>/dev/null; then
  for placement in thread inline; do
    rm -rf data
    export CABPROF_OPTIONS=data=data:ring=512:chunk=64:placement=$placement
    timeout -k 1 200 ./collector >run.out 2>&1 && [ "$(cat run.out)" = "0 wrong, collected: 1" ] ||
      fail "collector, $placement: $(cat run.out)"
  done
else
  echo "libgc is not installed: left out"
fi
