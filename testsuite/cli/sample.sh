#!/bin/bash
# sample.sh - with the sampling switch, the first of each N pieces of activations is recorded with
# all its accesses, and the account says how many.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# src/sample.c prints what belongs to which piece.
# timeout: 120

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need_build
plugin=(-fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory)
source=$TOP/testsuite/cli/src/sample.c

# same WHAT EXPECTED GOT: count a case, which passes if both are equal.
same () { [ "$2" = "$3" ] && passed || fail "$1: $(diff <(echo "$2") <(echo "$3") | head -20)"; }

build () { gcc -g -pthread "$source" "${plugin[@]}" "$@" || fail "the compiler: $*"; }

# trace PROGRAM RATE [ARGUMENT]: run it, and leave out, dump and profile.
trace ()
{
  rm -rf profile trace
  CABPROF_OPTIONS=data=profile:trace=trace:sample=$2 "./$1" ${3:+$3} >out
  "$CABPROF" trace dump trace >dump 2>said || [ "${3:-}" = kill ] || fail "trace dump: $(cat said)"
}

# addresses THREAD FUNCTION VARIABLE: print those in the dump, in order.
addresses ()
{
  awk -v t="1.$1" -v f="$2" -v v="$3" '$1 == t && $6 == f && index ($5, v) == 1 { print $3 }' dump
}

# each FUNCTION RATE FROM: print each RATE-th of the pieces that the program printed, from number
# FROM on.
each () { grep "^$1 " out | awk -v n="$2" -v k="$3" 'NR >= k && (NR - k) % n == 0 { print $2 }'; }

# account WHAT: print the number beside it.
account ()
{
  "$CABPROF" report -d profile |
    awk -v what="$1" 'index ($0, "  " what) == 1 { sub (what, ""); gsub (",", "", $1); print $1 }'
}

for level in -O0 -O2; do
  build $level -fplugin-arg-cabprof-memory-sample -o sampled
  build $level -o whole
  for rate in 1 3 7 64 1000; do
    trace sampled $rate
    same "$level, 1 in $rate: entries" "$(each get $rate 1)" "$(addresses 1 get table)"
    same "$level, 1 in $rate: recursion" "$(each depth $rate 1 | sort)" \
      "$(addresses 1 depth table | sort)"
    if [ $level = -O2 ]; then
      same "$level, 1 in $rate: iterations" "$(each walk $rate 1)" "$(addresses 1 walk node.value)"
      same "$level, 1 in $rate: loops that are one event" "$(each fill $rate 1)" \
        "$(addresses 1 fill p | awk 'NR % 10 == 1')"
    fi
    grep -q . <(addresses 1 walk_on node.value) ||
      fail "$level, 1 in $rate: nothing of what cannot be copied"
  done

  # At rate 1 the trace equals that without the switch, line by line.
  trace whole 1
  awk '{ $3 = ""; print }' dump >whole.dump
  trace sampled 1
  same "$level: all" "$(cat whole.dump)" "$(awk '{ $3 = ""; print }' dump)"

  # At rate 0 nothing is recorded; allocations of functions with probes would still be.
  trace sampled 0
  same "$level: none" "" "$(cat dump)"
  same "$level: none recorded" 0 "$(account '  of them recorded')"
done

# The account is right for a process that ended, for one that was killed, and with two threads,
# whose pieces are counted separately.
trace sampled 7
pieces=$(account "pieces of activations to sample") recorded=$(account "  of them recorded")
same "account" 1 $((pieces > 300 && pieces > 6 * recorded && pieces <= 7 * recorded))
same "account, recorded and passed over" "$pieces" $((recorded + $(account "  passed over")))
trace sampled 7 kill 2>/dev/null
same "account of a killed process" "$pieces $recorded" \
  "$(account "pieces of activations to sample") $(account "  of them recorded")"
trace sampled 7 threads
same "account of two threads" "$((2 * pieces)) $((2 * recorded))" \
  "$(account "pieces of activations to sample") $(account "  of them recorded")"
same "the second thread" "$(each get 7 1)" "$(addresses 2 get table)"

# Reports say what was sampled, and do not scale it.
says="one piece in 7 of the activations was recorded, $((2 * recorded)) of $((2 * pieces))"
"$CABPROF" report -d profile accesses | grep -qF "($says" || "$CABPROF" report -d profile accesses |
  tr '\n' ' ' | grep -qF "recorded" || fail "text without its note"
"$CABPROF" report -d profile --format=tsv accesses | head -1 | grep -qF "# sampled: $says" &&
  passed || fail "tsv without its note"
"$CABPROF" report -d profile --format=json accesses | grep -qF "\"note\": \"sampled: $says" &&
  passed || fail "json without its note"
"$CABPROF" layout -d profile >/dev/null 2>words
grep -qF "cabprof: profile: sampled: $says" words && passed ||
  fail "layout without its note: $(cat words)"
for format in rows packed; do
  "$CABPROF" trace filter --format=$format trace | "$CABPROF" trace stat --format=tsv - >stat ||
    fail "trace stat of $format"
  same "a stage's rate, $format" \
    "# sampled: of the activations one piece in 7 was recorded; accesses are counted as recorded, not scaled" "$(head -1 stat)"
done
"$CABPROF" trace filter --format=rows trace | "$CABPROF" cache --mark - >marked &&
  "$CABPROF" offenders --format=tsv marked >misses || fail "cache --mark"
same "a rate through a cache" \
  "# sampled: of the activations one piece in 7 was recorded; accesses are counted as recorded, not scaled" "$(head -1 misses)"
"$CABPROF" data --format=tsv trace >data || fail "data"
same "a rate of what data counts" \
  "# sampled: of the activations one piece in 7 was recorded; accesses are counted as recorded, not scaled" "$(head -1 data)"

# Runs at different rates are added up.
mv profile seven && trace sampled 3 && "$CABPROF" merge -o both seven profile || fail "merge"
n=$(account "  of them recorded") of=$(account "pieces of activations to sample")
same "merged" \
  "# sampled: one piece in 3 to 7 of the activations was recorded, $((n + 2 * recorded)) of $((of + 2 * pieces)); accesses are counted as recorded, not scaled" \
  "$("$CABPROF" report -d both --format=tsv accesses | sed -n '1s/\([0-9]\),\([0-9]\)/\1\2/gp')"
trace sampled 1
"$CABPROF" trace stat --format=tsv trace | grep -q "^#" && fail "a rate of a trace that has all" ||
  passed
"$CABPROF" data --format=tsv trace | grep -q "^#" && fail "a rate of data that has all" || passed
"$CABPROF" report -d profile --format=json accesses | grep -qF '"note"' &&
  fail "a note though all was recorded" || passed
trace whole 7
"$CABPROF" report -d profile --format=tsv accesses |
  grep -q "^# a rate was asked for.*all accesses were recorded" && passed || fail "whole: no note"

# Paths are counted in full.
for way in "" -fplugin-arg-cabprof-memory-sample; do
  gcc -O2 -g -pthread "$source" -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+memory $way \
    -o paths || fail "the compiler"
  rm -rf profile
  CABPROF_OPTIONS=data=profile:sample=5 ./paths >out
  "$CABPROF" report -d profile --format=tsv paths >table${way:+.sampled} || fail "report paths"
  "$CABPROF" report -d profile --format=tsv methods >>table${way:+.sampled}
done
same "paths" "$(cat table)" "$(cat table.sampled)"

# Sampling works at the link, and in code for shared objects.
for way in -flto -fPIC; do
  build -O2 $way -fplugin-arg-cabprof-memory-sample -o sampled
  trace sampled 7
  same "$way" "$(each get 7 1)" "$(addresses 1 get table)"
done

# Variables are recorded in full, as blocks are.
for way in "" -fplugin-arg-cabprof-memory-sample; do
  build -O2 -fplugin-arg-cabprof-locals $way -o locals
  trace locals 9
  awk '$2 == "allocated" || $2 == "released" { $3 = ""; print }' dump >table${way:+.sampled}
done
[ -s table ] && same "locals" "$(cat table)" "$(cat table.sampled)"

# Some code stays one copy.
build -O2 -fplugin-arg-cabprof-memory-sample -fplugin-arg-cabprof-verbose -o sampled 2>said
same "verbose" walk_on \
  "$(sed -n "s/.*‘\(.*\)’ has one copy for sampling.*/\1/p; s/.*'\(.*\)' has one copy for sampling.*/\1/p" said)"
CABPROF_OPTIONS=data=bad:sample=two ./sampled 2>said >out
grep -qF "bad rate 'two': write N" said && passed || fail "bad rate: $(cat said)"
cases
