#!/bin/bash
# damage.sh - a profile that is missing, cut off, mangled, foreign, newer, or of a program that was
# built again gives one clear message and status 1, and what is whole is still reported.
# timeout: 600
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally good; tally second 40

# poke FILE OFFSET BYTES: overwrite bytes, given as printf takes them.
poke ()
{
  printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# both: make a profile of two parts, one of which is $part.
both ()
{
  rm -rf both && mkdir both && cp -r good/modules both/ && cp good/*.part second/*.part both/
  part=$(ls both/*.part | grep "$(basename good/*.part)")
}

# complains WORDS: check that every command that reads the profile prints WORDS and counts the other
# part.
complains ()
{
  expect 1 "$CABPROF" report methods -d both --format=tsv; says "$1"
  prints $'^kind\ttally.c\t23\t'"${2:-40}"$'\t0$'
  expect 1 "$CABPROF" export lcov -d both; says "$1"; prints "^FNDA:${2:-40},kind$"
  expect 1 "$CABPROF" export callgrind -d both; says "$1"
  expect 1 "$CABPROF" export folded -d both; says "$1"
  expect 1 "$CABPROF" annotate kind -d both; says "$1"; prints " ${2:-40} .* 25 "
  expect 1 "$CABPROF" diff second both --only=methods; says "$1"
}

# There is no profile.
for command in report 'report paths' annotate 'export lcov' 'export folded' 'export callgrind'; do
  expect 1 "$CABPROF" $command -d nowhere; says 'nowhere: there is no profile'
  expect 1 "$CABPROF" $command -d tally.c; says 'tally.c: there is no profile'
  mkdir -p empty
  expect 1 "$CABPROF" $command -d empty; says 'empty: holds no part'
  (mkdir -p void && cd void && expect 1 "$CABPROF" $command &&
    says 'cabprof.data: there is no profile') || exit 1
done

# A part is damaged at a known place.
both; truncate -s 0 $part; complains "$part: ends at offset 0"
both; truncate -s 100 $part; complains "$part: ends at offset 100"
both; truncate -s 5000 $part; complains "$part: ends at offset 5000"
both; truncate -s -4096 $part; complains 'cut off'
both; echo 'this is a text' >$part; complains "$part: is no part of a profile"
both; cp "$CABPROF" $part; complains "$part: is no part of a profile"
both; poke $part 8 '\x04'; complains \
  "$part: has version 4, this cabprof reads version 3: use the cabprof that wrote it"
both; poke $part 12 '\x01\x02\x03\x04'; complains 'another byte order'
both; poke $part 28 '\xff\xff\xff\xff'; complains 'the file is damaged'
both; rm $part; mkdir $part; complains "$part"
both; rm $part; ln -s nowhere $part; complains "$part: is, or lies below, a symbolic link"
both; rm $part; mkfifo $part; complains "$part: is no regular file"
if [ "$(id -u)" != 0 ]; then
  both; chmod 0 $part; complains 'Permission denied'
fi

# A part is cut off anywhere.
size=$(stat -c %s good/*.part)
for k in $(seq 24); do
  both; truncate -s $((size * k / 25)) $part
  expect 1 "$CABPROF" report methods -d both --format=tsv; says "$part: "
  prints $'^kind\ttally.c\t23\t40\t0$'
done

# A part is damaged all over; nothing crashes, and the other part is still counted.
for seed in $(seq 20); do
  both
  python3 - $part $seed <<'END'
import random, sys
rng = random.Random (int (sys.argv[2]))
with open (sys.argv[1], "r+b") as file:
    data = bytearray (file.read ())
    used = [i for i in range (0, len (data), 8) if any (data[i:i + 8])]
    for _ in range (rng.choice ([1, 3, 30])):
        at = rng.choice (used) + rng.randrange (8)
        data[at] = rng.choice ([0, 1, 0x7f, 0xff, rng.randrange (256)])
    file.seek (0)
    file.write (data)
END
  for command in 'report methods' 'report tree' 'report calls' 'report paths' 'report edges' \
    'report lines' report \
    'annotate kind' 'export lcov' 'export callgrind' 'export folded' info; do
    timeout 60 "$CABPROF" $command -d both >out 2>err
    status=$?
    [ $status -le 1 ] || fail "seed $seed: $command: exit status $status: $(tail -n 3 err)"
    [ $status = 0 ] || [ -s err ] || fail "seed $seed: $command: fails without a word"
    ! grep -v '^cabprof: ' err || fail "seed $seed: $command: other words: $(cat err)"
  done
  timeout 60 "$CABPROF" diff second both >out 2>err
  [ $? -le 1 ] || fail "seed $seed: diff: $(tail -n 3 err)"
done

# Records are damaged.
records=$(basename good/modules/*)
both; rm both/modules/$records
expect 1 "$CABPROF" report methods -d both --format=tsv; says "$records"
prints $'\t100\t-$'
both; echo 'not records' >both/modules/$records
expect 1 "$CABPROF" report methods -d both --format=tsv; [ -s err ] ||
  fail "foreign records: no word"
both; truncate -s 300 both/modules/$records
expect 1 "$CABPROF" report methods -d both --format=tsv; [ -s err ] ||
  fail "records cut off: no word"
both; sed -i 's/F1/F2/g' both/modules/$records
expect 1 "$CABPROF" report methods -d both --format=tsv; [ -s err ] ||
  fail "newer records: no message"
for seed in $(seq 20); do
  both
  python3 - both/modules/$records $seed <<'END'
import random, sys
rng = random.Random (int (sys.argv[2]))
with open (sys.argv[1], "r+b") as file:
    data = bytearray (file.read ())
    for _ in range (rng.choice ([1, 3, 10])):
        at = rng.randrange (len (data))
        data[at] = rng.choice (b"0123456789\t\n,;:-" + bytes ([0, 1, 255, rng.randrange (256)]))
    file.seek (0)
    file.write (data)
END
  for command in 'report methods' 'report paths' 'report edges' 'report lines' 'report calls' \
    'annotate kind' 'export lcov' 'export callgrind' 'diff second'; do
    target='-d both'
    [ "$command" != 'diff second' ] || target=both
    timeout 60 "$CABPROF" $command $target >out 2>err
    status=$?
    [ $status -le 1 ] || fail "seed $seed: $command: exit status $status: $(tail -n 3 err)"
    [ $status = 0 ] || [ -s err ] || fail "seed $seed: $command: fails without a word"
  done
done

# After the program is built again, the profile keeps the records of what ran.
cp -r good old
sed 's/i % 3 == 0/i % 5 == 0/' tally.c >new.c && mv new.c tally.c && build tally tally.c -O2
expect 0 "$CABPROF" report methods -d old --format=tsv; quiet; prints $'^kind\ttally.c\t23\t60\t0$'
expect 0 "$CABPROF" annotate kind -d old; says 'tally.c: has changed since the program ran'
profile old ./tally 10
expect 0 "$CABPROF" report methods -d old --format=tsv; quiet
[ "$(awk -F'\t' '$1 == "kind" { n += $4 } END { print n }' out)" = 70 ] ||
  fail "two builds: $(cat out)"
expect 0 "$CABPROF" report methods -d old; quiet; prints '^kind \[build [0-9a-f]{8}\]'
