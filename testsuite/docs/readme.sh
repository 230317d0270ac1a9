#!/bin/bash
# readme.sh - README.md shows what its commands print, to the last digit, except for times and
# process numbers.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc

awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$TOP/README.md" |
  sed "s|-fplugin=cabprof |-fplugin=$PLUGIN |" >script.sh
mkdir here && (cd here && PATH=$BUILD/bin:$PATH sh -e ../script.sh) >output 2>words </dev/null ||
  fail "the commands fail: $(cat words)"
awk '/^```text$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$TOP/README.md" |
  grep -v -e '^make ' -e '^\.\.\.$' -e '^    pid ' >shown
[ "$(wc -l <shown)" -gt 20 ] || fail "README.md shows no output"
missing=0
while IFS= read -r line; do
  grep -qxF -e "$line" output || { echo "not printed: $line"; missing=1; }
done <shown
exit $missing
