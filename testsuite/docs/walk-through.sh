#!/bin/bash
# walk-through.sh - the commands of docs/walk-through-layout.md, with fewer names, find what the
# page says, its change leaves the program's output alone, and the predicted misses come true.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 900
. "$(dirname "$0")/../lib.sh"
need_build
need gcc make patch python3 zstd
need_source tree
page=$TOP/docs/walk-through-layout.md

# block LANGUAGE: print all blocks of that language.
block ()
{
  awk -v mark="\`\`\`$1" '$0 == mark { inside = 1; next } /^```/ { inside = 0 } inside' "$page"
}
cp -r "$SOURCE" tree-2.1.0
block diff >next.diff
block sh | sed -e '/^apt-get source tree$/d' -e 's/n++ < 6000/n++ < 1000/' \
  -e 's/range (25)/range (1)/' -e 's/ratios\[[0-9]*\]/ratios[0]/g' >script.sh
[ "$(grep -c -e '1000' -e 'range (1)' script.sh)" = 2 ] ||
  fail "not the commands that this test knows"
PATH=$BUILD/bin:$PATH bash -e script.sh >output 2>errors ||
  fail "the commands fail: $(tail -n 20 output errors)"
grep '^cabprof' errors | grep -qv -e 'of CPU time has no sample' -e ', recorded in ' &&
  fail "words on standard error: $(grep '^cabprof' errors)"
[ "$(wc -l <drawn)" = 1004 ] || fail "not a drawing of 1000 names: $(tail -n 2 drawn)"

# The first table of the report shows two members with nearly all misses.
awk '/^variable/ { n++ } n == 1 && / 9[0-9]\.[0-9]%$/ && /^_info\.(name|next) / { found = 1 } END { exit !found }' output ||
  fail "two members do not make nine misses of ten: $(grep _info output)"
grep -q '^  char \*name;  /\* at 0, ' output && grep -q '^  struct _info \*next;  /\* at 8, ' \
  output || fail "wrong order: $(cat output)"

# What lies beside the name no longer misses.
awk '/^file_getfulltree  _info.next .* -(9[89]|100)\.[0-9]%$/ { n++ } END { exit !n }' output ||
  fail "not what changed: $(grep _info.next output)"

# The misses in the first level are those predicted for the split and for the order, and those of
# the changed program.
awk '/^as it ran/ { before = $5 } /^as proposed/ { predicted[++n] = $9 } /^D1 / { after += $7 }
  END {
    print n, before, predicted[1], predicted[2], after
  }' <(sed 's/\([0-9]\),\([0-9]\)/\1\2/g; s/\([0-9]\),\([0-9]\)/\1\2/g' output) >misses
read -r n before split order after <misses
echo "misses: as it ran $before, split $split, other order $order, changed $after"
[ "$n" = 2 ] || fail "not two predictions: $(cat output)"
awk '{ near = $5 <= 1.1 * $4 && $4 <= 1.1 * $5; exit !(near && $3 < 0.6 * $2 && $5 < 0.6 * $2) }' \
  misses || fail "misses are not as predicted: $(cat misses)"

# The simulated caches give the same for the original program in both places.
[ "$(PATH=$BUILD/bin:$PATH cabprof report cache --format=tsv |
  awk -F'\t' '$2 == "D1" { n += $9 } END { print n }')" = "$before" ] ||
  fail "the analysis and the trial count other misses: $before"
