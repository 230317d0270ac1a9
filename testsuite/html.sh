#!/bin/bash
# html.sh - the pages of four real profiles in a browser: each view, the figures of each report, and
# screenshots at two widths below $BUILD/html, for people to look at. `make check-html' runs it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$TOP/testsuite/programs.sh"
need_build
need chromedriver chromium python3
shots=$BUILD/html
mkdir -p "$shots"
REPORTS="methods calls paths lines layout account trips reuse blocks sharing values deps accesses
  timeline accesses:variable accesses:line offenders:variable offenders:line offenders:context
  sharing:line"

# tables DIR: write the TSV of each report of the profile DIR that has one, and name them in TABLES.
tables ()
{
  local key what
  TABLES=()
  for key in $REPORTS; do
    what=${key#*:}
    "$CABPROF" report "${key%:*}" -d "$1" $([ "$what" = "$key" ] || echo "--by=$what") \
      --format=tsv >"$1-$key.tsv" 2>/dev/null && TABLES+=("$key=$1-$key.tsv")
  done
}

for name in lua minigzip containers lu; do
  program_fetch $name
  program_build $name . -O1 -g -fplugin="$PLUGIN" \
    -fplugin-arg-cabprof-events=paths+calls+time+loops+memory -fplugin-arg-cabprof-context ||
    fail "$name does not compile"
  analyses=layout+blocks+contexts+loops+offenders+reuse+tree+timeline
  CABPROF_OPTIONS=analyses=$analyses:data=$name.data \
    program_run $name . tiny
  page=$name.html
  "$CABPROF" report --html -d $name.data -o "$page" || fail "$name: no page"
  tables $name.data
  if "$TOP/testsuite/browser.py" --shots "$shots" "$page" "${TABLES[@]}"; then
    passed
  else
    failed "$name"
  fi
done
echo "screenshots: $shots"
cases
