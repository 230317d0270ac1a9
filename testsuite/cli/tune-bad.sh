#!/bin/bash
# tune-bad.sh - cabprof tune answers bad input with one clear message and loses nothing; an
# interrupted tune can be continued.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make python3
printf 'prog: main.o burn.o\n\t$(CC) -O2 main.o burn.o -o $@\n%%.o: %%.c\n\t$(CC) -O2 -c $<\n' >Makefile

clean ()
{
  rm -f ./*.o prog loops.hints
}

# refused STATUS TEXT OPTION...: start from a clean tree, and check that only the build's own files
# are there afterwards.
refused ()
{
  local status=$1 text=$2
  shift 2
  clean
  run_tune "$status" "$@"
  says err "$text"
  [ "$(grep -c '^cabprof: [^t]\|^cabprof: tune: [^abrmn0-9]' err)" -le 1 ] ||
    { cat err; fail "more than one message: $*"; }
  [ -e loops.hints ] && fail "$*: there are hints"
  return 0
}

write_burn 100 -1
refused 2 "--build: is required" --run ./prog
refused 2 "--run: is required" --build make
# If the hints cannot be written, the message comes before anything is built.
mkdir -p taken.hints
refused 1 \
  "nowhere/x.hints: the hints cannot be written there: No such file or directory: choose another file with -o" --build make --run ./prog -o nowhere/x.hints
[ -e prog ] && fail "the program was built though there is no place for its hints"
refused 1 \
  "taken.hints: the hints cannot be written there: Is a directory: choose another file with -o" \
  --build make --run ./prog -o taken.hints
refused 2 "give one" --build make --rebuild make --run ./prog
refused 2 "is not a number of runs" --build make --run ./prog --runs 0
refused 2 "neither trials nor builds" --build make --run ./prog --method guess
refused 2 "with --try=factors at least 26 measurements are needed" --build make --run ./prog \
  --runs 25
refused 2 "with --try=all at least 36 measurements are needed" --build make --run ./prog --try=all \
  --runs 31
# A budget that is too small is reported as soon as the program's time is known, and nothing is
# built for it.
refused 1 "--budget=0.5: a measurement takes" --build make --run ./prog --budget 0.5
says err "in all: give --budget="
[ -e cabprof.data/tune/v/001 ] && fail "variants were built though the budget is too small"
rm -rf loops.hints prog ./*.o cabprof.data
refused 1 "the build failed, exit status 2" --build "make no-such-target" --run ./prog
refused 1 "the build failed, exit status 3" --build "make && exit 3" --run ./prog
refused 1 "no compilation was seen" --build "true" --run ./prog
refused 1 "no word of it names a program that the build has linked" --build make --run "/bin/true"
refused 1 "the build has not linked it" --build make --run "/bin/true" --program ./Makefile
refused 1 "export it before cabprof is called" --build make --run "LD_LIBRARY_PATH=. ./prog"
refused 1 "there is nothing to go on with" --resume -d nowhere
make -s
run_tune 1 --build make --run ./prog
says err "no compilation was seen"

EXTRA='abort ();' write_burn 100 -1
refused 1 "killed by signal 6" --build make --run ./prog
EXTRA='puts ("x"); return 3;' write_burn 100 -1
refused 1 "exit status 3" --build make --run ./prog
EXTRA='printf ("%d\n", (int) getpid ());' write_burn 100 -1
refused 1 "the program itself says something else each time" --build make --run ./prog
says err "line 1 of its standard output"
write_burn 100 -1
sed -i 's/percent \* 600/0/' main.c
refused 1 "give it more to do" --build make --run ./prog
# Hints change the program's output: the program looks at its variant, since there is no compiler
# here that miscompiles it.
EXTRA='printf ("%d\n", variant == 4);' write_burn 100 -1
refused 1 "these hints change what the program does" --build make --run ./prog --sample off
says err "now:     1"
[ -e cabprof.data/tune/v/004/hints ] || fail "the guilty variant's tree is gone"

EXTRA='if (variant == 4) abort ();' write_burn 100 -1
refused 1 "killed by signal 6 (Aborted), as built for \`8': the default ran; its tree is kept" \
  --build make --run ./prog --sample off

# The build deletes what its compilers have read.
write_burn 100 -1
sed -i '1i #include "made.h"' burn.c
refused 1 "failed (what it reads must stay; else --rebuild)" --build \
  'touch made.h && make && rm made.h' --run ./prog --sample off
says err "made.h: No such file or directory"

# One build rebuilds nothing, and one does.
write_burn 50 4
refused 1 "was rebuilt" --rebuild true --run ./prog
refused 1 "was not rebuilt" --rebuild make --run ./prog --sample off
clean
run_tune 0 --rebuild "make -B CC=$CGCC" --run ./prog $FEW
[ "$(hint_of burn)" = 4 ] ||
  { cat out err; fail "rebuilt: burn has factor '$(hint_of burn)' instead of 4"; }

# The program has no symbols: there is one factor for all loops, and nothing is aligned.
write_burn 50 3
printf 'prog: main.o burn.o\n\t$(CC) -O2 -s main.o burn.o -o $@\n%%.o: %%.c\n\t$(CC) -O2 -c $<\n' >stripped.mk
clean
run_tune 0 --build "make -f stripped.mk" --run ./prog $FEW
says err "the program is stripped"
says out "With factor 4 for all innermost loops"
grep -q '"every": 4' loops.hints || fail "stripped: no factor for all in the hints"

# --check judges in place of the output; a script finds the program in its environment.
EXTRA='printf ("%d\n", (int) getpid ());' write_burn 50 4
printf '#!/bin/sh\nexec "$CABPROF_PROGRAM"\n' >script.sh
chmod +x script.sh
clean
run_tune 0 --build make --run ./script.sh --program prog --check \
  'tail -n 1 "$CABPROF_OUTPUT" | grep -qx done && [ "$CABPROF_STATUS" = 0 ]' $FEW
[ "$(hint_of burn)" = 4 ] ||
  { cat out err; fail "with --check: burn has factor '$(hint_of burn)' instead of 4"; }
refused 1 "--check says no" --build make --run ./prog --check false

# The interrupt comes before there is anything to continue from.
refused 130 "interrupted: nothing was measured yet: start again, from a clean tree" --build \
  'kill -INT $PPID; make' --run ./prog
[ -e cabprof.data/tune/state.json ] && fail "interrupted in the build, but there is a state"

# The interrupt comes during the measurements.
write_burn 50 4
clean
setsid "$CABPROF" tune --method=builds --build make --run ./prog $FEW >out 2>err &
tune=$!
for ((i = 0; i < 600; i++)); do
  [ "$(grep -c '"stage": "matrix"' cabprof.data/tune/state.json 2>/dev/null)" -ge 4 ] 2>/dev/null &&
    break
  kill -0 $tune 2>/dev/null || { cat err; fail "tune has ended early"; }
  sleep 0.2
done
kill -INT $tune
wait $tune
[ $? = 130 ] || { cat err; fail "status after an interrupt"; }
says err "are kept: \`cabprof tune --resume' goes on"
kept=$(grep -c '"stage"' cabprof.data/tune/state.json)
trees=$(stat -c %Y.%i cabprof.data/tune/v/000/done)
[ "$kept" -ge 4 ] || fail "$kept measurements are kept"
[ -e loops.hints ] && fail "hints after an interrupt"
cp burn.c was.c
echo "/* changed */" >>burn.c
run_tune 1 --resume
says err "burn.c: has changed since the build: start again, without --resume"
cp was.c burn.c
METHOD=trials run_tune 1 --resume
says err "is of a tune with another --method: give the same"
run_tune 1 --resume --build "make all" --run ./prog
says err "is of a tune with another --build: give the same"
for other in "--try all" "--share 50" "--sample timer" "--check true"; do
  run_tune 1 --resume $other
  says err "is of a tune with another ${other% *}: give the same"
done
run_tune 0 --resume $FEW --keep --try factors --sample auto
[ "$(hint_of burn)" = 4 ] ||
  { cat out err; fail "resumed: burn has factor '$(hint_of burn)' instead of 4"; }
[ "$(stat -c %Y.%i cabprof.data/tune/v/000/done)" = "$trees" ] ||
  fail "resumed: trees are built again"
[ "$(field 'x["measured_with"]["measurements"]')" -gt "$kept" ] ||
  fail "resumed: nothing was measured"
python3 - $kept <<'PY' || fail "resumed: the journal is another"
import json, sys
runs = json.load (open ("cabprof.data/tune/state.json"))["runs"]
seen = [(r["variant"], r["stage"], r["round"]) for r in runs]
sys.exit (len (seen) != len (set (seen)) or len (runs) <= int (sys.argv[1]))
PY
exit 0
