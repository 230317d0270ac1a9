#!/bin/bash
# demo.sh - the tour of `make demo': bzip2 is built from Debian's source by the compiler wrapper,
# profiled over a real file, and tuned.
# SPDX-License-Identifier: GPL-3.0-or-later

TEST_DIR=none
. "$(dirname "$0")/lib.sh"
. "$TOP/testsuite/programs.sh"
need_build
TEST_DIR=$BUILD/demo
rm -rf "$TEST_DIR" && mkdir -p "$TEST_DIR" && cd "$TEST_DIR" || exit 1

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') \
  plain_text=$(printf '\033[0m'); else bold= plain_text=; fi
unset MAKEFLAGS MAKELEVEL   # of the make that runs this
ROUNDS=5
BYTES=24000000
TUNE_BYTES=8000000
TUNE_SECONDS=90

title ()
{
  printf '\n%s%s%s\n' "$bold" "$*" "$plain_text"
}

# show COMMAND...: print it as one would type it, then run it.
show ()
{
  local line="$*"
  printf '\n%s$ %s%s\n' "$bold" "${line//$BUILD\/bin\//}" "$plain_text"
  "$@"
}

# build NAME COMPILER [OPTIONS OF THE PLUGIN]: build bzip2 into one program, with the sources of
# Debian's shared library.
build ()
{
  local sources
  sources=$(cd "$SOURCE" && ls blocksort.c huffman.c crctable.c randtable.c compress.c \
    decompress.c bzlib.c bzip2.c)
  mkdir "$1"
  (cd "$SOURCE" && CABPROF_PLUGIN_ARGS=${3:-} "$2" -O2 -g -D_FILE_OFFSET_BITS=64 $sources \
    -o "$TEST_DIR/$1/bzip2") >"$1.log" 2>&1 ||
    { cat "$1.log"; fail "bzip2 does not build with $2"; }
}

# milliseconds COMMAND...: print how long it took, by the clock.
milliseconds ()
{
  local start end
  start=$(date +%s%N)
  "$@" >/dev/null 2>&1
  end=$(date +%s%N)
  echo $(((end - start) / 1000000))
}

median ()
{
  printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print v[int ((NR + 1) / 2)] }'
}

measure ()
{
  local round which
  declare -A times
  for ((round = 0; round < ROUNDS; round++)); do
    for which in plain paths both; do
      times[$which]+=" $(CABPROF_OPTIONS=data=$PWD/measured milliseconds "$which/bzip2" -9 \
        -c input)"
    done
    rm -rf measured
  done
  local base
  base=$(median ${times[plain]})
  for which in plain paths both; do
    case $which in
    plain) words="gcc -O2" ;;
    paths) words="with path counters" ;;
    both) words="with path counters, call tree" ;;
    esac
    printf '%s\n' ${times[$which]} | sort -n | awk -v words="$words" -v base="$base" \
      '{ v[NR] = $1 }
       END { m = v[int ((NR + 1) / 2)]; printf "  %-32s %6.2f s   (%.2f to %.2f)   %.2f x\n", words, m / 1000, v[1] / 1000, v[NR] / 1000, m / base }'
  done
}

title "1. bzip2 from Debian's source, once by gcc, twice by cabprof-gcc"
SOURCE=$(cab_source bzip2) || fail "the source of bzip2 cannot be fetched"
build plain "${GCC:-gcc}"
build paths "$CGCC"
build both "$CGCC" "events=paths+calls"
echo "  built: $(cd "$SOURCE" && cat ./*.c | wc -l) lines of C; code $(size -A plain/bzip2 |
  awk '$1 == ".text" { print $2 }') bytes plain," \
  "$(size -A paths/bzip2 | awk '$1 == ".text" { print $2 }') with path probes, $(size \
  -A both/bzip2 | awk '$1 == ".text" { print $2 }') with call probes too"

title "2. A run over a real file: $((BYTES / 1000000)) MB of this machine's text and code"
ln -s "$(cab_data $BYTES)" input
plain/bzip2 -9 -c input >plain.bz2 || fail "the plain bzip2 does not run"
printf '\n%s$ cabprof record -d bzip2.data -- ./bzip2 -9 -c input >ours.bz2%s\n' "$bold" \
  "$plain_text"
"$CABPROF" record -d bzip2.data -- both/bzip2 -9 -c input >ours.bz2 || fail "cabprof record"
cmp plain.bz2 ours.bz2 || fail "the output of the instrumented bzip2 differs"
echo "  output: $(stat -c %s ours.bz2) bytes, bit for bit that of the plain build"

title "3. What it did"
show "$CABPROF" report methods -d bzip2.data --limit=10
show "$CABPROF" report tree -d bzip2.data --limit=24
show "$CABPROF" report paths -d bzip2.data --limit=8

title "4. The overview, with the ledger: what was recorded, and what was not"
show "$CABPROF" report -d bzip2.data

title "5. What it costs: $ROUNDS rounds, interleaved, medians (load of the machine: $(cut -d' ' \
  -f1-3 /proc/loadavg))"
measure
title "6. Faster: unroll factors for the hot loops, measured, raced against gcc's default ($TUNE_SECONDS s of runs, and builds)"
# Some 30 runs have to fit in the budget, so a slow or busy machine gets less to compress.
ln -s "$(cab_data $TUNE_BYTES)" tune-input
took=$(milliseconds plain/bzip2 -9 -c tune-input)
if [ "$took" -gt 1200 ]; then
  ln -sf "$(cab_data $((TUNE_BYTES / took * 1200)))" tune-input
  echo "  this machine takes $took ms for $TUNE_BYTES bytes: $((TUNE_BYTES / took * 1200)) are used"
fi
cp -a "$SOURCE" tuned && cp -a "$SOURCE" rebuilt || fail "no copy of the source"
plain/bzip2 -9 -c tune-input >tune.bz2 || fail "the plain bzip2 does not run"
cd tuned || exit 1
printf '\n%s$ export LD_LIBRARY_PATH=$PWD%s\n' "$bold" "$plain_text"
LD_LIBRARY_PATH=$PWD show "$CABPROF" tune --build "make bzip2" --run "./bzip2 -9 -c ../tune-input" \
  --budget=$TUNE_SECONDS || fail "cabprof tune"
show "$CABPROF" report loops
title "7. The same by hand: Debian's makefile, gcc, the plugin, and the hints"
hints=$PWD/loops.hints
cd ../rebuilt || exit 1
show make -s bzip2 \
  CFLAGS="-O2 -g -D_FILE_OFFSET_BITS=64 -fplugin=$PLUGIN -fplugin-arg-cabprof-feedback=$hints" ||
  fail "the hints cannot be used"
cd ..
for which in tuned rebuilt; do
  LD_LIBRARY_PATH=$PWD/$which $which/bzip2 -9 -c tune-input >$which.bz2 ||
    fail "the $which bzip2 does not run"
  cmp tune.bz2 $which.bz2 || fail "the output of the $which bzip2 differs"
done
LD_LIBRARY_PATH=$PWD/tuned tuned/bzip2 -dc <tune.bz2 | cmp - tune-input ||
  fail "the tuned bzip2 does not unpack it"
echo "  output of both: $(stat \
  -c %s tuned.bz2) bytes, bit for bit that of the plain build; unpacked again, it is the input"
n_hints=$(grep -c '"unroll"' "$hints")
[ "$n_hints" != 0 ] && echo "  $n_hints loops have hints" ||
  echo "  no factor is significantly faster on this machine: no hints, and bzip2 is gcc's own"

title "The profile stays in $TEST_DIR/bzip2.data: try  $CABPROF annotate -d $TEST_DIR/bzip2.data"
