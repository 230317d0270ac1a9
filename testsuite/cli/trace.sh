#!/bin/bash
# trace.sh - replaying a recorded trace gives what the analyses gave live; filters, forks, kills,
# limits and damage are handled.
# timeout: 300
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc zstd

cp "$SRC/traced.c" prog.c
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls prog.c -o prog \
  -lpthread >build.log 2>&1 || fail "$(cat build.log)"

# alike DIR DIR REPORT...: check that the reports of two profiles are the same to the byte.
alike ()
{
  local a=$1 b=$2 report
  shift 2
  for report; do
    "$CABPROF" report $report -d "$a" --format=tsv >one 2>err || fail "$report of $a: $(cat err)"
    "$CABPROF" report $report -d "$b" --format=tsv >two 2>err || fail "$report of $b: $(cat err)"
    [ "$(wc -l <one)" -gt 1 ] || fail "$report of $a is empty"
    cmp one two || fail "$report of $a and $b differ"
  done
}

for placement in thread inline; do
  options=data=live-$placement:placement=$placement:chunk=4K:ring=64K
  CABPROF_OPTIONS=$options:analyses=tree+calls+methods+accesses+blocks:trace=$placement.trace \
    ./prog 2>err || fail "$placement: $?"
  quiet
  expect 0 "$CABPROF" trace replay -d again-$placement $placement.trace; quiet
  alike live-$placement again-$placement methods calls tree accesses blocks
done
# The program itself predicts words, in its own file.
for placement in thread inline; do
  options=data=live-small:placement=$placement:chunk=4K:ring=64K:analyses=tree+accesses
  CABPROF_OPTIONS=$options:compress=predicted:trace=small.$placement ./prog 2>err ||
    fail "predicted, $placement: $?"
  quiet
  [ $(($(stat -c %s small.$placement) * 5)) -lt $(stat -c %s $placement.trace) ] ||
    fail "not predicted: $(stat -c %s small.$placement) bytes"
  expect 0 "$CABPROF" trace replay -d again-small small.$placement; quiet
  alike live-small again-small tree accesses
  rm -rf live-small again-small
done
CABPROF_OPTIONS=compress=zstd:trace=no.trace ./prog 2>err
says "no such compression 'zstd': write none or predicted"
CABPROF_OPTIONS=trace=tcp:localhost:1 ./prog 2>err
says 'run it by `cabprof record --trace=tcp:HOST:PORT'; [ ! -e tcp:localhost:1 ] ||
  fail "a file tcp:localhost:1"
# Replay runs other analyses than those that ran live.
expect 0 "$CABPROF" trace replay -d other --analyses=accesses thread.trace; quiet
alike live-thread other accesses
expect 1 "$CABPROF" trace replay -d other thread.trace; says 'other: exists'
expect 2 "$CABPROF" trace replay -d new --analyses=none-such thread.trace

# The source has 2 threads, 200 walks of 100 items, with 2 reads each.
expect 0 "$CABPROF" trace filter --function=walk --kind=read --variable='item.*' -o walk.rows \
  thread.trace; quiet
expect 0 "$CABPROF" trace stat --format=tsv walk.rows; quiet
prints $'^1\t1\tread\t40000\t240000$'; prints $'^1\t2\tread\t40000\t240000$'
cp out plain.stat
zstd -q walk.rows -o walk.rows.zst
expect 0 "$CABPROF" trace stat --format=tsv walk.rows.zst; quiet
sed 's/walk.rows.zst/walk.rows/' out | cmp -s - plain.stat ||
  fail "rows in zstd's format: $(diff out plain.stat)"
# In a pipe a trace needs no name.
"$CABPROF" trace filter --function=walk thread.trace | "$CABPROF" cache --mark --D1=1K/2/64 \
  --LL=8K,4,64 2>err | "$CABPROF" offenders >out 2>>err || fail "a pipe: $(cat err)"
"$CABPROF" trace filter --function=walk thread.trace | "$CABPROF" cache --mark --D1=1K,2,64 \
  --LL=8K/4/64 - | "$CABPROF" offenders - | cmp -s out - ||
  fail "a pipe without names"
"$CABPROF" trace filter --thread=2 thread.trace | "$CABPROF" trace filter --variable=item.next - |
  "$CABPROF" trace stat --format=tsv - >out
prints $'^1\t2\tread\t20[0-9]*\t[0-9]*$'; [ "$(wc -l <out)" = 3 ] || fail "$(cat out)"
expect 0 "$CABPROF" trace stat --format=tsv thread.trace
for kind in call allocated released; do prints $'^1\t2\t'$kind$'\t[0-9]+\t'; done
prints $'^1\t1\tallocated\t100\t'; prints $'^1\t1\treleased\t100\t'
expect 0 "$CABPROF" trace dump thread.trace
prints '^1\.2 read 0x[0-9a-f]+ 4 item\.value\[\] walk prog\.c:18:'
prints '^1\.1 call depth 0 main'; prints '^1\.1 allocated 0x[0-9a-f]+ 24 malloc work prog\.c:'
lines=$(wc -l <out)
expect 0 "$CABPROF" trace dump --format=json thread.trace; [ "$(wc -l <out)" = "$lines" ] ||
  fail "json has other lines"
python3 -c 'import json, sys; [json.loads (line) for line in sys.stdin]' <out || fail "json is none"
address=$(grep -m 1 '"kind":"read".*"name":"table' out | sed 's/.*"address":\([0-9]*\).*/\1/')
[ -n "$address" ] || address=$(grep -m 1 '"name":"table' out | sed 's/.*"address":\([0-9]*\).*/\1/')
"$CABPROF" trace filter --address=$(printf %x-%x $address $((address + 400))) thread.trace |
  "$CABPROF" trace dump --format=tsv - >out
[ "$(cut -f 14 out | sort -u | tr '\n' ' ')" = "name table[] " ] ||
  fail "others than table[] in its range: $(cut -f 14 out | sort | uniq -c)"
for wrong in --kind=none --address=5 --address=7-3 --time=x-y --thread=0 --none; do expect 2 \
  "$CABPROF" trace filter $wrong thread.trace; says "see "; done
expect 2 "$CABPROF" trace; expect 2 "$CABPROF" trace none; expect 2 "$CABPROF" trace dump
expect 2 "$CABPROF" trace dump a b

# A packed result has whole chunks, and is a trace like any other, also when compressed.
"$CABPROF" trace filter --format=packed -o whole.packed thread.trace ||
  fail "filter --format=packed"
expect 0 "$CABPROF" trace replay -d packed --analyses=accesses whole.packed; quiet
alike other packed accesses
"$CABPROF" trace filter --format=packed --compress=zstd --thread=2 --process=1 \
  thread.trace >second.packed || fail "filter --compress"
[ "$(head -c 4 second.packed | od -An -tx1 | tr -d ' ')" = 28b52ffd ] || fail "not compressed"
"$CABPROF" trace filter --format=packed --compress=predicted -o predicted.packed second.packed ||
  fail "filter --compress=predicted"
[ "$(head -c 7 predicted.packed)" = CABTRAC ] || fail "predicted, and no packed trace"
for trace in second.packed thread.trace predicted.packed; do
  "$CABPROF" trace filter --thread=2 $trace | "$CABPROF" trace dump - >dump-$trace
done
cmp dump-second.packed dump-thread.trace ||
  fail "filter --format=packed --thread=2 leaves out something"
cmp dump-second.packed dump-predicted.packed || fail "filter --compress=predicted: another trace"
"$CABPROF" trace stat --format=tsv second.packed | cut -f 2 | sort -u >out
[ "$(cat out)" = $'2\nthread' ] || fail "other threads: $(cat out)"
# A name that nothing has is a mistake; names that never occur together are none, and give a trace
# without rows.
for wrong in --function=nothing --file=nothing.c --variable=nothing; do
  expect 1 "$CABPROF" trace filter $wrong -o none.rows thread.trace
  says "cabprof: ${wrong#*=}: nothing in it is of a $(tr \
    -d - <<<"${wrong%%=*}") of this name: \`cabprof trace dump thread.trace' shows what is"
  expect 0 "$CABPROF" trace stat --format=tsv none.rows
done
expect 1 "$CABPROF" trace filter --function=walk --variable=nothing -o none.rows thread.trace
says 'nothing: nothing in it is of a variable'
expect 0 "$CABPROF" trace filter --function=main --variable=item.next --kind=call -o none.rows \
  thread.trace; quiet
expect 2 "$CABPROF" trace filter --format=packed --kind=read thread.trace
says 'cabprof: --kind: chooses single rows'
expect 2 "$CABPROF" trace filter --compress=zstd thread.trace; says 'is for packed traces'
expect 1 "$CABPROF" trace filter --format=packed walk.rows; says 'walk.rows'

# Rows are marked: a list of 100 items of 32 bytes fits into 8 KB, and not into 1 KB.
"$CABPROF" trace filter --thread=1 --function=walk --variable=item.next thread.trace >next.rows
for size in 8K 1K; do
  "$CABPROF" cache --mark --D1=$size,2,64 --L2=256K,8,64 --LL=1M,16,64 next.rows 2>err |
    "$CABPROF" trace dump --format=tsv - >out
  quiet
  cut -f 15 out | sort | uniq -c | awk '{ print $2, $1 }' >levels-$size
done
[ "$(awk '$1 == "L1" { print ($2 >= 19900) }' levels-8K)" = 1 ] || fail "8K: $(cat levels-8K)"
[ "$(awk '$1 == "L2" { print ($2 > 8000) }' levels-1K)" = 1 ] || fail "1K: $(cat levels-1K)"
[ "$(awk '$1 ~ /^(L.|none)$/ { n += $2 } END { print n }' levels-1K)" = 20000 ] ||
  fail "not each is marked: $(cat levels-1K)"
expect 1 "$CABPROF" cache --mark prog.c; says 'is no trace'

# A fork gets a trace of its own; an existing file of that name stays.
CABPROF_OPTIONS=data=forked:trace=fork.trace ./prog fork 2>err || fail "fork: $?"
quiet
[ "$(ls fork.trace* | wc -l)" = 2 ] || fail "not two traces: $(ls fork.trace*)"
for file in fork.trace*; do expect 0 "$CABPROF" trace stat $file; quiet; done
sum=$(sha256sum thread.trace)
CABPROF_OPTIONS=data=taken:trace=thread.trace ./prog 2>err || fail "taken: $?"
says 'is there already'
[ "$sum" = "$(sha256sum thread.trace)" ] || fail "a trace that was there has changed"
CABPROF_OPTIONS=data=percent:trace=percent-%p ./prog || fail "percent: $?"
ls percent-*-* >/dev/null || fail "no percent-PID-START"

# After a kill, what is there is readable, and the message says that the end is missing, or that it
# was cut off if a write was interrupted.
CABPROF_OPTIONS=data=killed:chunk=4K:ring=64K:trace=killed.trace ./prog 9 2>/dev/null
expect 1 "$CABPROF" trace stat killed.trace
grep -q 'the trace is cut off: what came before is whole' err || says '1 of 1 processes have no end'

# Without room there is one line, the program goes on, and what was written stays readable.
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
  CABPROF_OPTIONS=data=small.data:trace=small/trace:chunk=4K:ring=64K:analyses=accesses ./prog \
    2>err; status=$?
  cp small/trace small.trace
  umount small
  [ $status = 0 ] || fail "no room: exit status $status: $(cat err)"
  says 'small/trace: cannot write the trace: No space left on device'
  expect 1 "$CABPROF" trace stat small.trace; says 'small.trace: '; prints $'allocated'
  expect 0 "$CABPROF" report accesses -d small.data --format=tsv; cp out whole
  "$CABPROF" report accesses -d live-thread --format=tsv | cmp - whole ||
    fail "no room: the profile has other accesses"
fi
CABPROF_OPTIONS=data=nowhere.data:trace=nowhere/x ./prog 2>err || fail "nowhere: $?"
says 'nowhere/x: cannot write the trace: No such file or directory'

# A trace that is cut off or mangled anywhere gives a message, never a crash.
bytes=$(stat -c %s thread.trace)
for at in 0 5 8 12 16 20 60 100 700 5000 $((bytes / 2)) $((bytes - 1)); do
  head -c $at thread.trace >cut.trace
  expect 1 "$CABPROF" trace stat cut.trace; says 'cut.trace: '
done
echo 'this is a text, and no trace of anything' >text
expect 1 "$CABPROF" trace stat text; says 'text: at offset 16: is no trace'
expect 1 "$CABPROF" trace dump none; says 'none: cannot open'
cat >mangle.py <<'EOF'
import random, sys
rng = random.Random (int (sys.argv[3]))
data = bytearray (open (sys.argv[1], "rb").read ())
near = rng.choice ([60, 2000, len (data)])
for _ in range (rng.choice ([1, 3, 20])):
    data[rng.randrange (min (near, len (data)))] = rng.choice ([0, 1, 0x7f, 0xff, rng.randrange (256)])
open (sys.argv[2], "wb").write (data)
EOF
CABPROF_OPTIONS=data=short:trace=short.trace:analyses=methods ./prog
head -c 40000 short.trace >head.trace
for seed in $(seq 15); do
  python3 mangle.py head.trace bad.trace $seed
  rm -rf bad.data
  for command in stat 'dump --format=tsv' 'replay -d bad.data'; do
    timeout 60 "$CABPROF" trace $command bad.trace >out 2>err
    [ $? -le 1 ] || fail "seed $seed: $command: $(tail -n 3 err)"
    ! grep -v '^cabprof: ' err || fail "seed $seed: $command: other words"
  done
done
