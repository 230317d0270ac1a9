#!/bin/bash
# corpus.sh - the readers, under the sanitizers, survive the inputs that fuzzing began with and
# found, whole and cut off.
# SPDX-License-Identifier: GPL-3.0-or-later
# needs: fuzz/readers
. "$(dirname "$0")/cli.sh"
readers=$BUILD/fuzz/readers
[ -x "$readers" ] || fail "$readers is not built: run make test-programs"

for kind in trace part records hints lackey; do
  files=("$TOP"/testsuite/fuzz/corpus/$kind/*)
  [ -e "${files[0]}" ] || fail "no corpus of $kind"
  n=0
  for file in "${files[@]}"; do
    for tenths in 1 3 5 7 9; do
      head -c $(($(stat -c %s "$file") * tenths / 10)) "$file" >cut-$((n++))
    done
  done
  timeout 120 "$readers" $kind "${files[@]}" cut-* >out 2>&1 || fail "$kind: $(head -n 20 out)"
  [ ! -s out ] || fail "$kind: unexpected words: $(head -n 5 out)"
  rm -f cut-*
done
# A seed that is refused at its beginning tests nothing, so each whole one must give some output.
for seed in packed predicted compressed values rows; do
  expect 0 "$CABPROF" trace stat --format=tsv "$TOP/testsuite/fuzz/corpus/trace/$seed"; quiet
  prints '^1	1	[a-z]+	[0-9]+	'
done
expect 2 "$readers" none-such; expect 2 "$readers"
