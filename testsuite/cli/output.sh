#!/bin/bash
# output.sh - if output cannot be written there is a message and status 1, and the file that was
# there before is still there.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally cabprof.data; tally other 40

# Standard output is a full disk.
for command in report 'report methods' 'report methods --format=json' 'report paths --format=tsv' \
  annotate \
  'export lcov' 'export callgrind' 'export folded' info doctor --help 'report --help' \
  'diff cabprof.data other' 'diff cabprof.data other --format=tsv'; do
  "$CABPROF" $command >/dev/full 2>err
  [ $? = 1 ] || fail "$command: no failure on a full disk"
  says 'standard output: cannot write'
done

# The overview fits the terminal: no line is too long, and no word is lost.
"$CABPROF" report | tr -s ' \n' '\n\n' >words
for width in 80 61 40; do
  COLUMNS=$width expect 0 "$CABPROF" report
  sed -n '1,/^$/p; /^Account/,$p' out >prose
  ! grep -E ".{$((width + 1))}" prose || fail "lines of more than $width columns"
  sed -n '/^Account/,$p' out | tr -s ' \n' '\n\n' >narrow
  sed -n '/^Account/,$p' words | diff - narrow || fail "$width columns: other words"
done
COLUMNS=80 expect 0 "$CABPROF" report; prints '^ {46}their lines$'

# Where a table does not fit, functions lose their C++ parameter types; otherwise, and in TSV, they
# keep them.
cat >long.cc <<'END'
#include <string>
#include <vector>
typedef std::vector<std::vector<std::string>> table;
__attribute__ ((noipa)) int rows_of_the_table (const table &t, const std::vector<int> &) { return t.size (); }
int main () { return rows_of_the_table (table (), std::vector<int> ()); }
END
GCC=g++ build long long.cc -O2 -pthread && profile long.data ./long
COLUMNS=80 expect 0 "$CABPROF" report methods -d long.data
prints '^rows_of_the_table  *[a-z.]*long.cc '
# A pipe has 160 columns, unless --wide is given.
expect 0 env -u COLUMNS "$CABPROF" report methods -d long.data
prints '^rows_of_the_table  *[a-z.]*long.cc '
for wide in "env -u COLUMNS $CABPROF report --wide" "env COLUMNS=0 $CABPROF report" \
  "env COLUMNS=40 $CABPROF report --wide"; do
  expect 0 $wide methods -d long.data
  prints "^rows_of_the_table\\(std::vector<.*> const&\\)  *long.cc "
done
# Tables keep to the width and say what they left out; the other formats leave nothing out.
for report in methods calls tree paths edges lines; do
  for width in 160 80 60 50; do
    COLUMNS=$width expect 0 "$CABPROF" report $report -d cabprof.data
    ! grep -E ".{$((width + 1))}" out || fail "$report: lines of more than $width columns"
  done
done
COLUMNS=34 expect 0 "$CABPROF" report edges; prints '^\(no room for [a-z_, ]*_block'
COLUMNS=34 expect 0 "$CABPROF" report edges --format=tsv; prints 'to_block'
COLUMNS=1000 expect 0 "$CABPROF" report methods -d long.data
prints "^rows_of_the_table\\(std::vector<.*> const&\\)  *long.cc "
COLUMNS=80 expect 0 "$CABPROF" report methods -d long.data --format=tsv
prints "^rows_of_the_table\\(std::vector<.*> const&\\)	long.cc"

# The file of -o cannot be created, or is something else.
mkdir directory
for file in no/such/file directory tally.c/file; do
  expect 1 "$CABPROF" export lcov -o $file; says "$file: cannot write"
done
expect 1 "$CABPROF" export folded -o /dev/full; says '/dev/full: cannot write: No space left'
[ -c /dev/full ] || fail "/dev/full was replaced"
"$CABPROF" export folded >stacks
mkfifo pipe; cat pipe >got & 
expect 0 "$CABPROF" export folded -o pipe; quiet; wait; [ -p pipe ] && cmp got stacks ||
  fail "a pipe"
expect 0 "$CABPROF" export folded -o /dev/null; quiet; [ -c /dev/null ] ||
  fail "/dev/null was replaced"

# The file may not grow: the old one stays, and nothing else is left.
for i in $(seq 99); do echo "int f$i (int n) { return n + $i; }"; done >many.c
echo 'int main (void) { return 0; }' >>many.c
build many many.c -O0 && profile many.data ./many
echo old >file; ls -A >was
(ulimit -f 1; trap '' XFSZ; "$CABPROF" export lcov -d many.data -o file >out 2>err) &&
  fail "no failure where the file may not grow"
says 'file: cannot write: File too large'
[ "$(cat file)" = old ] || fail "the old file is gone"
ls -A | diff was - || fail "something is left"

# The disk is full.
mkdir tiny
if mount -t tmpfs -o size=16k,nr_inodes=20 none tiny 2>/dev/null; then
  trap 'umount tiny' EXIT
  echo old >tiny/file; dd if=/dev/zero of=tiny/rest bs=1024 status=none 2>/dev/null
  expect 1 "$CABPROF" export lcov -d many.data -o tiny/file
  says 'tiny/file: cannot write: No space left'
  [ "$(cat tiny/file)" = old ] && [ "$(ls tiny | tr '\n' ' ')" = 'file rest ' ] ||
    fail "a full disk: $(ls tiny)"
  expect 1 "$CABPROF" merge -o tiny/all cabprof.data other; says 'No space left'
  [ "$(ls tiny | tr '\n' ' ')" = 'file rest ' ] || fail "merge on a full disk left $(ls tiny)"
else
  echo "no right to mount a tmpfs: the full disk is tried by /dev/full and ulimit alone"
fi

# A reader that closes the pipe causes no crash.
"$CABPROF" report lines --format=tsv 2>err | true
status=${PIPESTATUS[0]}
[ "$status" -le 1 ] || [ "$status" = 141 ] || fail "a closed pipe: exit status $status"
