#!/bin/bash
# cache.sh - cabprof cache reads traces from files and pipes, simulates each model, and refuses
# wrong geometries and foreign or malformed traces.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# counts ROW FILE: print accesses and misses of the row "CACHE access" of a table.
counts ()
{
  awk -F'\t' -v row="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["cache"] " " $at["access"] == row { print $at["accesses"], $at["misses"] }' "$2"
}

# expect_row "CACHE access" "ACCESSES MISSES": check the counts of that row.
expect_row ()
{
  local got
  got=$(counts "$1" out)
  [ "$got" = "$2" ] || fail "$1: $got instead of $2"
}

cat >trace <<'END'
==1== Lackey, an example Valgrind tool
I  00401000,4
 L 1fff000100,8
I  00401004,4
 S 1fff000138,16
 M 1fff000100,4
words of the program
I  0040103e,4
 L 1fff000180,512
==1== Exit code:       0
END
small=(--I1=128,1,64 --D1=128,1,64 --LL=1K,2,64)

expect 0 "$CABPROF" cache "${small[@]}" --format=tsv trace; quiet
expect_row "I1 fetch" "3 2"
expect_row "D1 read" "3 2"
expect_row "D1 write" "1 1"
# The first line of the write was in LL, and its second was not.
expect_row "LL write" "1 1"
expect_row "LL fetch" "2 2"
[ "$(cut -f 1,6 out | sort -u | tr '\t\n' ' ;')" = "cachegrind given;model from;" ] ||
  fail "model or origin: $(cat out)"
cp out first
expect 0 "$CABPROF" cache "${small[@]}" --format=tsv --threads=2 trace; quiet
cmp out first || fail "two threads count otherwise"
expect 0 "$CABPROF" cache "${small[@]}" --format=tsv - <trace; quiet
cmp out first || fail "standard input counts otherwise"
expect 0 "$CABPROF" cache "${small[@]}" trace; quiet; prints '^Simulated caches, cachegrind model'
prints '^LL +1,024 +2 +64 +given +write +1 +1'
expect 0 "$CABPROF" cache "${small[@]}" --format=json trace; quiet; prints '"profile": *"trace"'

# The long load touches eight lines, each counted by the other models: one miss, but more lines
# leave D1.
(cat trace; echo ' L 1fff000340,8') >longer
for model in non-inclusive inclusive; do
  expect 0 "$CABPROF" cache "${small[@]}" --model=$model --L2=none --format=tsv longer; quiet
  expect_row "D1 read" "4 2"
done
expect 0 "$CABPROF" cache "${small[@]}" --L2=512,2,64 --format=tsv trace; quiet
prints '^non-inclusive.L2.512.2.64.given.read.2.2'

# Without geometries there are three caches, and the report says where each comes from.
expect 0 "$CABPROF" cache --format=tsv trace; quiet
[ "$(cut -f 6 out | grep -Ec '^(kernel|default)')" = 6 ] ||
  fail "origin of the defaults: $(cat out)"

# Of a damaged trace the good lines are counted, and the bad ones are reported.
(cat trace; echo 'I  xyz,4'; echo ' L 10,0'; printf ' S 1ff') >bad
expect 1 "$CABPROF" cache "${small[@]}" --format=tsv bad
says "bad: 3 malformed lines are left out, the first is line 11, \`I  xyz,4'"
cmp out first || fail "malformed lines count"
printf 'I  %s\nbinary \0 \377\n' "$(printf '\1\2\377')" >binary
expect 1 "$CABPROF" cache binary; says '1 malformed lines are left out, the first is line 1'
[ ! -s out ] || fail "a table of nothing"
for file in /dev/null "$CABPROF"; do
  expect 1 "$CABPROF" cache "$file"; says 'no access is in it'
done
expect 1 "$CABPROF" cache nowhere; says 'nowhere: cannot open: No such file'
expect 1 "$CABPROF" cache .; says '.: cannot read: Is a directory'
expect 1 "$CABPROF" cache --I1=64,1,64 --threads=2 trace
says '--threads=2: the sets of these caches can be dealt out to 1 threads at most'

expect 2 "$CABPROF" cache; says 'trace: is missing'
expect 2 "$CABPROF" cache trace trace; says 'one trace at a time'
for geometry in '' 1 1,2 1,2,3,4 a,b,c ,, -1,8,64 32K,8 32K,8, 32G,8,64 32768,8K,64 \
  99999999999999999999,8,64; do
  expect 2 "$CABPROF" cache --D1="$geometry" trace; says 'not of the form SIZE,ASSOC,LINE'
done
expect 2 "$CABPROF" cache --LL=32768,0,64 trace
says '32768,0,64: --LL is no cache: its associativity is 0'
expect 2 "$CABPROF" cache --I1=32768,8,48 trace; says 'its lines are no power of two'
expect 2 "$CABPROF" cache --I1=1000,8,64 trace; says 'its size is no multiple'
expect 2 "$CABPROF" cache --LL=4000M,8,64 trace; says 'its size is not between'
expect 2 "$CABPROF" cache --L2=nonsense trace; says 'nonsense: neither SIZE,ASSOC,LINE nor none'
expect 2 "$CABPROF" cache --L2=512,2,64 --model=cachegrind trace; says 'no second level'
expect 2 "$CABPROF" cache "${small[@]}" --L2=512,2,32 trace; says 'L2: its lines are shorter'
expect 2 "$CABPROF" cache --model=exclusive trace; says 'exclusive: no such model'
for threads in 0 3 -2 x 128 ''; do
  expect 2 "$CABPROF" cache --threads="$threads" trace; says 'not a number of threads'
done
: >nothing
expect 1 "$CABPROF" cache nothing; says "no access is in it: give what"
says "a trace of cabprof's goes with --mark"
