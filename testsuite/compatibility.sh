#!/bin/bash
# compatibility.sh - run the suite under each version of GCC, and enter the results into
# docs/compatibility.md.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   compatibility.sh [ARGUMENT...]    ARGUMENTs are those of testsuite/run, as --fast or --all
#
# VERSIONS="14 15" in the environment chooses some. A row takes the place of the one that has the
# same version and tests; rows are in the order of versions.
. "$(dirname "$0")/lib.sh"
page=$TOP/docs/compatibility.md
tests="${*:-whole suite}"
status=0
mkdir -p "$BUILD/systems"

# enter VERSION ROW: put ROW into the page.
enter ()
{
  awk -v version="$1" -v tests="$tests" -v row="$2" '
    BEGIN { FS = " *[|] *" }
    /^[|] *[0-9]/ && $2 == version && $5 == tests { next }
    (/^[|] *[0-9]/ && $2 > version + 0 || /^<!-- rows end/) && !done { print row; done = 1 }
    { print }' "$page" >"$page.new" && mv "$page.new" "$page"
}

for version in ${VERSIONS:-11 12 13 14 15 16}; do
  log=$BUILD/systems/gcc-$version.log
  "$TOP/testsuite/system.sh" "$version" "$@" 2>&1 | tee "$log"
  sum=$(tail -n 1 "$log")
  name=$(sed -n 's/^GCC \([0-9.]*\) in \(.*\)/\1 | \2/p' "$log" | tail -n 1)
  [ -n "$name" ] && [[ $sum =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] ||
    { echo "GCC $version: not tested: $sum"; status=1; continue; }
  [ "${BASH_REMATCH[2]}" = 0 ] || status=1
  counts="${BASH_REMATCH[1]} | ${BASH_REMATCH[2]} | ${BASH_REMATCH[3]}"
  enter "$version" "| $version | $name | $tests | $counts | $(date +%F) |"
done
exit $status
