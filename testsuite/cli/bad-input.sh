#!/bin/bash
# bad-input.sh - a fault in a trace, a socket, a table, a cache or an analysis is reported in one
# line, and what was good before stays.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3

cat >prog.c <<'EOF2'
#include <stdlib.h>
#include <unistd.h>
static volatile int table[3000];
int
main (int argc, char **argv)
{
  (void) argv;
  while (argc > 1 && access ("closed", F_OK))
    usleep (1000);
  int *block = malloc (100);
  for (int i = 0; i < 3000; i++)
    table[i] = block != NULL;
  free (block);
  return 0;
}
EOF2
memory=(-g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls)
gcc "${memory[@]}" prog.c -o prog >build.log 2>&1 || fail "$(cat build.log)"
record=(timeout 60 "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=64K)
"${record[@]}" --trace=good.trace -- ./prog 2>err || fail "$(cat err)"
"${record[@]}" --trace=good.zst --compress=zstd -- ./prog 2>err || fail "$(cat err)"
"${record[@]}" --trace=good.rows --trace-format=rows -- ./prog 2>err || fail "$(cat err)"
quiet
"$CABPROF" report accesses --format=tsv >good.report 2>err || fail "$(cat err)"

# wrong FILE OFFSET BYTES WORDS: check that the good file of its kind, with these bytes there, is
# refused with WORDS.
wrong ()
{
  cp "$1" bad
  printf "$3" | dd of=bad bs=1 seek="$2" conv=notrunc 2>/dev/null
  for command in 'trace stat' 'trace dump' 'trace filter' 'cache --mark'; do
    expect 1 "$CABPROF" $command bad; says "$4"
  done
}
for file in good.trace good.rows; do
  wrong $file 0 X 'is no '
  wrong $file 8 '\x09' 'which this cabprof reads: use the cabprof that wrote it'
  wrong $file 12 '\x01\x02\x03\x04' \
    'was written on a machine of another byte order, or is damaged: read it on a machine like that'
done
wrong good.trace 8 '\x01' \
  'of another version than 2, which this cabprof reads: use the cabprof that wrote it'
wrong good.trace 16 X 'a frame is damaged: what came before is whole'
wrong good.zst 8 '\xff\xff\xff' 'bad: at offset '
for file in good.trace good.zst good.rows; do
  for part in 3 10; do
    head -c $(($(stat -c %s $file) * part / 11)) $file >bad
    expect 1 "$CABPROF" trace dump bad; says 'bad: at offset '
    [ "$part $file" != '10 good.trace' ] || prints ' write 0x'   # what came before
    [ $file != good.zst ] || says 'the trace is cut off'
  done
  expect 1 "$CABPROF" trace stat - <bad; says '-: at offset '
done
expect 1 "$CABPROF" trace replay -d new bad; says 'bad: at offset '
expect 2 "$CABPROF" trace replay -d new --analyses=cache,D1=77 bad
says 'simulated caches: D1=77: write SIZE/WAYS/LINE'
expect 2 "$CABPROF" trace replay -d new --analyses=nonsense bad
says "analysis 'nonsense' is not known: known are accesses"
expect 1 "$CABPROF" trace stat prog; says 'is no trace'
for part in cabprof.data/*.part; do expect 1 "$CABPROF" trace stat $part; says 'is no trace'; done

# A table that begins without bytes gives no rows, and no crash (found by fuzzing).
python3 -c '
import struct, sys
data = open ("good.trace", "rb").read ()
first = 16 + 48 + struct.unpack_from ("<Q", data, 16 + 40)[0]
empty = struct.pack ("<IHHIIIIQQQ", 0x4d524643, 2, 0, 1, 2, 0, 0, 0, 0, 0)
open ("bad", "wb").write (data[:first] + empty + data[first:])'
expect 0 "$CABPROF" trace stat bad; quiet

# The listener goes away: there is one line, the program ends well, its profile is whole.
for kind in unix tcp; do
  rm -f port socket closed
  python3 - $kind <<'EOF2' &
import os, socket, sys
s = socket.socket (socket.AF_UNIX if sys.argv[1] == "unix" else socket.AF_INET)
s.bind ("socket" if sys.argv[1] == "unix" else ("127.0.0.1", 0))
s.listen (1)
open ("port.new", "w").write ("" if sys.argv[1] == "unix" else str (s.getsockname ()[1]))
os.rename ("port.new", "port")
s.accept ()[0].close ()
open ("closed", "w")
EOF2
  for _ in $(seq 200); do [ -e port ] && break; sleep 0.05; done
  address=unix:socket
  [ $kind = unix ] || address=tcp:localhost:$(cat port)
  "${record[@]}" --trace=$address -- ./prog waits 2>err
  [ $? -le 1 ] || fail "$kind: $(cat err)"
  says "$address: cannot write the trace: "
  wait
  "$CABPROF" report accesses --format=tsv 2>err | cmp - good.report ||
    fail "$kind: the profile has other accesses"
done

# The listener is gone before the first word.
exec 3> >(:)
wait $!
"${record[@]}" --trace=- -- ./prog >&3 2>err
[ $? -le 1 ] || fail "--trace=- without a reader: $(cat err)"
exec 3>&-
says '-: cannot write the trace: '
"$CABPROF" report accesses --format=tsv 2>err | cmp - good.report ||
  fail "without a reader: the profile has other accesses"

# An error in a table of allocators is an error of the compilation, with its line, and there is no
# object.
printf '# ours\npool_get allocates size=none\n' >table
expect 1 gcc "${memory[@]}" -fplugin-arg-cabprof-allocators=table -c prog.c -o bad.o
grep -q 'table:2: ' err || fail "the table's line is not in: $(cat err)"
[ ! -e bad.o ] || fail "an object in spite of the table"

# With impossible caches, and with analyses that do not exist or are of another version, the program
# goes on unprofiled and says why once.
cp -r cabprof.data before
mkdir own
for analysis in cache,D1=3K/7/48 cache,D1=32K/8/64,LL=0/0/0 none-such cache,size=3 ./own/old.so; do
  if [ $analysis = ./own/old.so ]; then
    sed 's/CAB_ANALYSIS_HEAD/.abi = 77, .bytes = sizeof (struct cab_analysis)/' >own/old.c <<'EOF2'
#include "cabprof/analysis.h"
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "old" };
EOF2
    gcc -shared -fPIC -I "$TOP/include" own/old.c -o own/old.so || fail "own/old.c does not compile"
  fi
  CABPROF_OPTIONS=data=unprofiled:analyses=$analysis ./prog 2>err ||
    fail "$analysis: the program ended with $?"
  says 'running unprofiled'
  [ ! -e unprofiled ] || fail "$analysis: a profile all the same"
done

# If a user's analysis crashes the command, the message names it.
cat >own/falls.c <<'EOF2'
#include "cabprof/analysis.h"
static int open_state (struct cab_arena *a, const char *arguments, struct cab_diag *diag) { a->used = 8; return 0; }
static void feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f) { *(uint64_t *) a->base += b->n; }
static uint64_t applied (const struct cab_arena *a) { return a->used ? *(uint64_t *) a->base : 0; }
static uint64_t lost (const struct cab_arena *a) { return 0; }
static int check (const struct cab_arena *a, struct cab_diag *diag) { return 0; }
static int merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag) { return 0; }
static void report (const struct cab_arena *a, const struct cab_sheet *to) { __builtin_trap (); }
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "falls", .summary = "falls", .kinds = 1u << CAB_EV_ACCESS, .arena_bytes = 4096, .open = open_state,
  .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report };
EOF2
gcc -shared -fPIC -I "$TOP/include" own/falls.c -o own/falls.so ||
  fail "own/falls.c does not compile"
CABPROF_OPTIONS=data=fallen:analyses=./own/falls.so ./prog 2>err ||
  fail "falls: the program ended with $?"
expect 132 "$CABPROF" report ./own/falls.so -d fallen
says './own/falls.so: cabprof crashed with this analysis loaded'
for geometry in 3K,7,48 32K,8,63 0,0,0 1K,1000,64; do
  expect 2 "$CABPROF" cache --D1=$geometry good.trace; says "$geometry: "
done
diff -r before cabprof.data || fail "the profile has changed"
