#!/bin/bash
# tune-trials.sh - cabprof tune begins with trials of the hot loops in one build, builds what they
# choose, and proves it; loops that trials do not decide are measured by builds, and why is said.
# SPDX-License-Identifier: GPL-3.0-or-later
# each: decided beside moved loose placed none taken all fetch misses noisy wide short refused lto
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make python3
METHOD=

cat >Makefile <<'MAKE'
CFLAGS = -O2 -g -Wall -Werror
prog: main.o burn.o
	$(CC) $(CFLAGS) -o $@ main.o burn.o
%.o: %.c
	$(CC) $(CFLAGS) -c -o $@ $<
MAKE

# What copies take is under control, too: the run's command replaces the rounds that the program
# has measured. FAKE=HINT:COST,... is what an execution of the copies with these hints takes (none:
# as the compiler has it, elsewhere: the second one of these, aligned, equal: the second one of
# these, a factor, alignN, prefetchN); others take 1000.
# COSTxTIMES is that many times the cost in each second round.
# There are $ROUNDS rounds of functions in copies, $BESIDE of loops in copies side by side.
cat >fake.py <<'PY'
import glob, os, sys
costs = dict(word.split(":") for word in os.environ["FAKE"].split(",") if word)
costs.setdefault("elsewhere", costs.get("none", 1000))

def cost(name, k):
    often, times = (str(costs.get(name, 1000)) + "x1").split("x")[:2]
    return int(often) * (float(times) if k % 2 else 1)

for path in glob.glob(sys.argv[1] + "/trials-*.tsv"):
    lines = [line.split("\t") for line in open(path).read().splitlines()]
    out, names, controls = [], {}, ["none", "elsewhere", "aligned", "equal"]
    for line in lines:
        if line[0] == "f":
            names, rounds = {}, os.environ.get("BESIDE" if ".loop" in line[1] else "ROUNDS") or 20
        if line[0] == "v" and int(line[6]) not in names:
            names[int(line[6])] = (controls[len(names)] if len(names) < 4 else
                                   "counts" if line[8] == "counts" else
                                   line[2] if line[2] != "0" else
                                   "prefetch" + line[5] if line[5] != "0" else
                                   "vec" + line[3] if line[3] != "-" else "align" + line[4])
        if line[0] != "r":
            out.append("\t".join(line))
        if line[0] == "i":
            for k in range(int(rounds)):
                out.append("r\t" + "\t".join(
                    "%d:100" % (100 * (cost(names[n], k) + k % 3)) for n in sorted(names)))
    open(path, "w").write("\n".join(out) + "\n")
PY
cat >run.sh <<'SH'
#!/bin/sh
"$CABPROF_PROGRAM" || exit
[ -z "$CABPROF_TRIALS" ] || python3 fake.py "$CABPROF_TRIALS"
SH
chmod +x run.sh
export FAKE ROUNDS BESIDE

# clean: forget what was built and tuned.
clean () { rm -rf ./*.o prog cabprof.data loops.hints; }
# tuned OPTION...: tune from a clean tree.
tuned ()
{
  clean
  run_tune 0 --build make --run ./run.sh --program prog --share 10 "$@"
}
# stages: print which variants were measured, by stage, each once.
stages ()
{
  python3 -c '
import json
runs = json.load (open ("cabprof.data/tune/state.json"))["runs"]
seen = []
for r in runs:
    if (r["stage"], r["variant"]) not in seen:
        seen.append ((r["stage"], r["variant"]))
print ("; ".join (stage + ": " + ", ".join (v for s, v in seen if s == stage)
                  for stage in dict.fromkeys (s for s, _ in seen)))'
}

# hints: print the hints of loops.hints, as factor, vectorize and alignment.
hints ()
{
  python3 -c '
import json
for r in json.load (open ("loops.hints"))["loops"]:
    print (r["unroll"], r.get ("vectorize"), r.get ("align"))'
}
# took BUILDS STAGE...: check how many builds there were, and the steps.
took ()
{
  local builds=$1 steps
  shift
  steps=$(printf '; %s' "$@")
  [ "$(stages)" = "${steps#; }" ] || { cat out err; fail "the steps are: $(stages)"; }
  [ "$(field 'x["measured_with"]["builds"]')" = "$builds" ] ||
    fail "$(field 'x["measured_with"]["builds"]') builds"
  [ "$(field 'x["measured_with"]["measurements"] <= 25')" = True ] ||
    fail "more than 25 measurements"
}

# Variants are 0 the default, 1 with trials, 2 what they chose, 3 the same without alignment.
case_decided ()
{
  FAKE=4:800
  write_burn 50 2
  tuned --keep
  took 5 "default: build" "trials: copies" "race: default, trials, unaligned" \
      "confirming: default, trials" "counting trips: trips"
  [ "$(field '[r["name"] for r in x["races"] if r["kept"]]')" = "['trials']" ] ||
    { cat out err; fail "what the trials chose was not kept"; }
  [ "$(hints)" = "4 None 64" ] || { cat loops.hints; fail "the hint is not what the trials chose"; }
  local words="trials: factor 4 took 0.800 of its function's time (0.800 to 0.800; equal copies"
  says out "$words 1.000 to 1.000"
  says out "): kept"
  says err "trying 1 loop in one build"
  [ "$(field 'x["measured_with"]["method"]')" = trials ] || fail "loops.json has another method"
  [ "$(field '[(t["decided"], t["unroll"], t["align"], round (t["ratio"]["ratio"], 2),
                t["rounds"] % 20, l["predicted"] < .81) for l in x["loops"] for t in [l["trial"]]]'
    )" = "[(True, 4, 64, 0.8, 0, True)]" ] ||
    fail "loops.json: $(field '[l["trial"] for l in x["loops"]]')"
  [ "$(./prog)" = done ] || fail "the tuned program does not run"
  "$CABPROF" report loops >report || fail "report loops"
  says report "Trials in one run"
  says report "trials: factor 4 took 0.8"
  "$CABPROF" trials | grep -q "unroll 4, align to 64 .*fastest" || fail "cabprof trials"
  "$CABPROF" report loops --html=page.html || fail "report loops as HTML"
}

# A loop whose function is executed too rarely is tried in copies of its own.
case_beside ()
{
  FAKE=4:800 ROUNDS=0
  write_burn 50 3
  tuned --keep
  took 6 "default: build" "trials: copies, beside" "race: default, trials, unaligned" \
      "confirming: default, trials" "counting trips: trips"
  says err "trying 1 loop again, in copies of the loop alone"
  [ "$(hints)" = "4 None 64" ] || { cat loops.hints; fail "the hint is not what the trials chose"; }
  says out "trials: factor 4 took 0.800 of its function's time"
  "$CABPROF" trials | grep -q "unroll 4, align to 64 .*fastest" || fail "cabprof trials"
}

# addresses FILE: print where its functions are.
addresses () { nm "$1" | awk '$3 == "main" || $3 == "burn" { print $3, $1 }' | sort; }

# Each round runs builds that are linked with other padding, which a linker that collects unused
# sections keeps; what is installed has none.
case_moved ()
{
  FAKE=4:800
  write_burn 50 2
  sed -i 's/-o $@ main.o/-Wl,--gc-sections -o $@ main.o/' Makefile
  tuned --keep
  [ "$(field '[m["links"] >= 2 * p["n"] and p["n"] > 1 and p["low"] <= 1 <= p["high"]
               for m in [x["measured_with"]] for p in [m["by_place"], x["loops"][0]["by_place"]]]'
    )" = "[True, True]" ] || fail "places: $(field '[x["measured_with"], x["loops"]]')"
  says out " places in memory the default takes "
  cp "$(find cabprof.data/tune/v/000 -path '*/out/*' -name prog)" placed && cp prog kept ||
    fail "the default's program"
  rm -f ./*.o prog
  make >words 2>&1 || fail "make: $(cat words)"
  [ "$(join <(addresses placed) <(addresses prog) | awk '$2 != $3' | wc -l)" = 2 ] ||
    fail "the last place: $(addresses placed), none: $(addresses prog)"
  rm -f ./*.o prog
  make CC="$CGCC -fplugin-arg-cabprof-feedback=$PWD/loops.hints" >words 2>&1 ||
    fail "make with hints: $(cat words)"
  [ "$(addresses kept)" = "$(addresses prog)" ] ||
    fail "what is installed has padding: $(addresses kept), none: $(addresses prog)"
}

# Without alignment it is as fast: variant 3 wins.
case_loose ()
{
  FAKE=4:800
  write_burn 50 3
  tuned --runs 23
  [ "$(hints)" = "4 None None" ] || { cat out loops.hints; fail "the hint has an alignment"; }
  says out "kept, without alignment"
}

# Only the place of the head matters: there is one candidate, and no race.
case_placed ()
{
  FAKE=none:1300,elsewhere:1500
  write_burn 50 2
  tuned --keep
  took 4 "default: build" "trials: copies" "confirming: default, trials" "counting trips: trips"
  [ "$(hints)" = "0 None 64" ] || { cat out loops.hints; fail "the hint is not to align"; }
  says out "trials: aligned heads are faster"
  says out "; its place alone makes 1.15"
}

# Nothing is faster: nothing is proved.
case_none ()
{
  FAKE=
  write_burn 50 2
  tuned --keep
  took 3 "default: build" "trials: copies" "counting trips: trips"
  says out "trials: nothing is faster (equal copies 1.000 to 1.000"
  says out "there are no hints"
  "$CABPROF" report loops >report && says report "trials: nothing is faster" ||
    fail "report loops without a hint"
}

# The proof judges each loop by itself, too: drag takes twice as long with the hint that trials
# chose, though the program as a whole is faster, and loses it.
case_taken ()
{
  FAKE=4:800
  write_two "variant >= 2 ? 20 : 60" "hinted ? 40 : 20"
  tuned --runs 40
  says err "1 hint made its loop slower: taken back"
  [ "$(hint_of burn) $(hint_of drag)" = "4 " ] ||
    { cat out err loops.hints; fail "the hint was not taken back"; }
  says out "its hint made it slower, "
}

# Only --try=all looks at other alignments, and at other registers.
case_all ()
{
  FAKE=align32:500
  write_burn 50 2
  tuned --keep
  took 3 "default: build" "trials: copies" "counting trips: trips"
  tuned --try=all --keep
  took 5 "default: build" "trials: copies" "race: default, trials, registers" \
      "confirming: default, trials" "counting trips: trips"
  [ "$(hints)" = "0 None 32" ] || { cat out loops.hints; fail "the hint is not to align to 32"; }
}

# Distances of prefetches are tried alike; a list asks for more than one thing.
case_fetch ()
{
  FAKE=prefetch16:500,4:400
  write_burn 50 2
  cat >burn.c <<'C'
unsigned at[1 << 20], value[1 << 20];
unsigned
burn (unsigned n)
{
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 1664525 + value[at[i]];
  return x;
}
C
  tuned --try=prefetch --keep
  took 5 "default: build" "trials: copies" "race: default, trials, unaligned" \
      "confirming: default, trials" "counting trips: trips"
  says out "trials: prefetching 16 ahead took 0.5"
  [ "$(grep -c '"prefetch": 16' loops.hints)" = 1 ] || { cat loops.hints; fail "no prefetches"; }
  write_burn "variant == 5 ? 30 : 50" "variant == 3 || variant == 5 ? variant : -2"
  sed -i 's/1664525 + i/1664525 + (i ^ n)/' burn.c
  FAKE=4:800
  tuned --try=all,profile --keep
  took 7 "default: build" "trials: copies" "profiling: profiled" \
      "race: default, trials, profile, both" "confirming: default, both" "counting trips: trips"
  [ "$(hints)" = "4 None 64" ] || { cat out loops.hints; fail "the hints beside the profile"; }
  says out "With the profile and the hints the program takes"
}

# A profile that says which loads miss decides which loops get prefetches.
case_misses ()
{
  local size
  FAKE=prefetch16:500
  write_burn 50 2
  cat >burn.c <<'C'
#ifndef SIZE
#define SIZE 1000000
#endif
unsigned value[SIZE];
unsigned
burn (unsigned n)
{
  unsigned x = 1;
  for (unsigned k = 0; k < n; k += SIZE)
    for (unsigned i = 0; i < SIZE; i++)
      x = x * 1664525 + value[i];
  return x;
}
C
  for size in 1000 1000000; do
    clean
    $CGCC -O2 -g -DSIZE=$size -fplugin-arg-cabprof-events=memory burn.c main.c -o counted &&
      CABPROF_OPTIONS=analyses=cache ./counted >/dev/null 2>words || fail "no profile: $(cat words)"
    run_tune 0 --build "make CFLAGS='-O2 -g -DSIZE=$size'" --run ./run.sh --program prog \
      --share 10 --try=prefetch
    [ $size = 1000 ] || break
    says err "by the profile in cabprof.data the loads of 0 loops miss: only these get prefetches"
    [ -z "$(hints)" ] || { cat loops.hints; fail "a loop gets prefetches whose loads do not miss"; }
  done
  says err "by the profile in cabprof.data the loads of 1 loop miss: only these get prefetches"
  [ "$(grep -c '"prefetch": 16' loops.hints)" = 1 ] || { cat loops.hints; fail "no prefetches"; }
}

# slow WHY STAGES: loops that trials do not decide go the way of builds, and why is said. There,
# variant 6 is factor 8.
slow ()
{
  tuned --keep
  local steps="default: build; ${2}matrix: aligned, 1, 2, 4, 8, 16"
  [ "$(stages | sed -E 's/; (race|confirming).*//')" = "$steps" ] ||
    { cat out err; fail "$1: the steps are: $(stages)"; }
  says err "$1"
  says out "$1"
  [ "$(hint_of burn)" = 8 ] || { cat out err; fail "$1: factor $(hint_of burn) instead of 8"; }
}
case_noisy ()
{
  write_burn 50 6
  FAKE=4:800,equal:1100
  slow "not measurable by trials: equal copies took 1.1" "trials: copies; "
}
case_wide ()
{
  write_burn 50 6
  FAKE=aligned:1000x2,equal:2000x0.5
  slow "too noisy for trials: equal copies took 0." "trials: copies; "
}
case_short ()
{
  write_burn 50 7
  FAKE=4:800 ROUNDS=0 BESIDE=0
  slow "the run is too short for trials: 0 rounds, 8 are needed" "trials: copies, beside; "
  # Loops with the same reason share a line.
  write_two "variant < 0 ? 40 : 30" "hinted ? 30 : 31"
  tuned --runs 20
  grep -qE 'burn.c:[0-9]+, burn.c:[0-9]+: the run is too short for trials: 0 rounds' err ||
    { cat err; fail "two loops with the same reason"; }
}
case_refused ()
{
  write_burn 50 6
  sed -i '1i #include <setjmp.h>\nstatic jmp_buf env;
    /^burn (unsigned n)/ { n; s/{/{ if (setjmp (env)) return 0;/ }' burn.c
  FAKE=
  slow "not tried: its function calls setjmp" ""
}

# Where trials are not possible at all, builds choose as ever.
case_lto ()
{
  write_burn 50 5
  clean
  run_tune 0 --build 'make CFLAGS="-O2 -flto"' --run ./prog $FEW
  says err \
    "no trials: objects for -flto have no copies of functions: separate builds measure the loops"
  says out "All was measured at one place in memory: it is made at the link (-flto)"
  [ "$(field '(x["measured_with"]["method"],
               "-flto" in x["measured_with"]["no_trials_because"])')" = "('builds', True)" ] ||
    fail "loops.json does not say why there were no trials"
  clean
  run_tune 1 --build 'make CFLAGS="-O2 -flto"' --run ./prog --runs 20 --share 10
  local words="no trials are possible (objects for -flto have no copies of functions)"
  says err "--runs=20: $words, and separate builds need 26 measurements: give --runs=26"
}

case_$1
exit 0
