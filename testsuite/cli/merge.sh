#!/bin/bash
# merge.sh - one profile of several has the sums, nothing is overwritten, and a failure leaves
# nothing.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally one; tally two 80; tally three 100

calls ()
{
  "$CABPROF" report methods -d "$1" --format=tsv | awk -F'\t' -v f="$2" '$1 == f { print $4 }'
}

expect 0 "$CABPROF" merge -o all one two/ three; quiet
[ "$(calls all kind)" = 240 ] && [ "$(calls all factorial)" = 15 ] ||
  fail "counts do not add up: $("$CABPROF" report methods -d all)"
[ "$(ls all/*.part | wc -l)" = 3 ] && [ "$(ls all/modules | wc -l)" = 1 ] ||
  fail "files: $(ls -R all)"
[ "$(calls one kind)" = 60 ] || fail "an input changed"
expect 0 "$CABPROF" merge -o nested/ all 2>/dev/null; [ "$(calls nested kind)" = 240 ] ||
  fail "a merge of a merge"

# The result stays when its inputs are gone.
cp -r two spare; rm -r two
[ "$(calls all kind)" = 240 ] || fail "the result lives in its inputs"

# The target exists as a file, a directory or a dangling link.
mkdir empty; touch file; ln -s nowhere link
for target in one empty file link; do
  find . -printf '%p %s %m\n' | grep -v '^./\(out\|err\|was\) ' | sort >was
  expect 1 "$CABPROF" merge -o $target spare three; says "$target: exists"
  find . -printf '%p %s %m\n' | grep -v '^./\(out\|err\|was\) ' | sort | diff was - ||
    fail "$target: something changed"
done

# Giving the same process twice would count it twice.
expect 1 "$CABPROF" merge -o twice one one; says 'would count twice'
expect 1 "$CABPROF" merge -o twice all one; says 'would count twice'
expect 1 "$CABPROF" merge -o twice one nowhere; says 'nowhere: there is no profile'
expect 1 "$CABPROF" merge -o twice one empty; says 'empty: holds no part'
expect 1 "$CABPROF" merge -o twice one file; says 'file: there is no profile'
expect 1 "$CABPROF" merge -o no/where/new one; says 'no/where/new'
[ -z "$(ls -d twice* no* 2>/dev/null)" ] || fail "left over: $(ls)"

# Modules have the same key but different records.
cp -r one forged && mv forged/*.part forged/1-1.part && echo x >>"$(ls forged/modules/*)"
expect 1 "$CABPROF" merge -o twice one forged; says 'other records under this name'

# A damaged part is merged with the others, and is named.
cp -r spare hurt && mv hurt/*.part hurt/2-2.part && truncate -s 5000 hurt/2-2.part
expect 1 "$CABPROF" merge -o kept one hurt; says 'hurt/2-2.part'
[ -e kept/2-2.part ] && [ "$(ls kept/*.part | wc -l)" = 2 ] || fail "the damaged part is lost"

# Where links are not possible, files are copied, with holes as holes.
if other=$(mktemp -d /dev/shm/cabprof-test.XXXXXX 2>/dev/null) &&
  [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ]; then
  trap 'rm -rf "$other"' EXIT
  expect 0 "$CABPROF" merge -o "$other/all" one spare; quiet
  [ "$(calls "$other/all" kind)" = 140 ] || fail "copies differ"
  for part in one/*.part; do
    cmp "$part" "$other/all/$(basename "$part")" || fail "the copy differs"
    [ "$(stat -c %b "$other/all/$(basename "$part")")" -le $(($(stat -c %b "$part") + 64)) ] ||
      fail "the copy has no holes"
  done
fi

# Of a process that still runs, the merge has what it did until now.
cat >slow.c <<'END'
#include <unistd.h>
int main (void) { write (1, "x", 1); char c; return read (0, &c, 1) < 0; }
END
build slow slow.c -O0; mkfifo hold ready
CABPROF_OPTIONS=data=$PWD/live ./slow <hold >ready &
exec 9>hold; head -c 1 ready >/dev/null
expect 0 "$CABPROF" merge -o running live; says 'still running'
exec 9>&-; wait
[ ! running/*.part -ef "$(ls live/*.part)" ] || fail "the part of a running process was linked"
