#!/bin/bash
# compatibility.sh - run the suite under each version of GCC, and enter the results into
# docs/compatibility.md.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   compatibility.sh [ARGUMENT...]    ARGUMENTs are those of testsuite/run, as --fast or --all
#
# VERSIONS="14 15" in the environment chooses some.
. "$(dirname "$0")/lib.sh"
page=$TOP/docs/compatibility.md
tests="${*:-whole suite}"
status=0

for version in ${VERSIONS:-11 12 13 14 15 16}; do
  log=$BUILD/systems/gcc-$version.log
  mkdir -p "$BUILD/systems"
  "$TOP/testsuite/system.sh" "$version" "$@" 2>&1 | tee "$log"
  sum=$(tail -n 1 "$log")
  [[ $sum =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] ||
    { echo "GCC $version: not tested: $sum"; status=1; continue; }
  [ "${BASH_REMATCH[2]}" = 0 ] || status=1
  name=$("$TOP/testsuite/system.sh" "$version" -- bash -c \
    'echo "$(gcc-$0 -dumpfullversion) | $(. /etc/os-release && echo "$PRETTY_NAME")"' "$version" |
    tail -n 1)
  row="| $version | $name | $tests | ${BASH_REMATCH[1]} | ${BASH_REMATCH[2]} | ${BASH_REMATCH[3]} |"
  row="$row $(date +%F) |"
  awk -v key="| $version |" -v tests="| $tests |" -v row="$row" '
    index ($0, key) == 1 && index ($0, tests) { if (!done) print row; done = 1; next }
    /^<!-- rows end/ && !done { print row }
    { print }' "$page" >"$page.new" && mv "$page.new" "$page"
done
exit $status
