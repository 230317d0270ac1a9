#!/bin/bash
# torture.sh - make torture runs the suite with all crossings, GCC's own execution tests at LEVELS,
# and real programs, all with probes and GCC's internal checks. The last line has the sum.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   torture.sh [PART...]    PARTs are tests, suites, checked and further; all if none is given;
#                           K/N: of each N programs of GCC's tests the Kth
place=$(cd "$(dirname "$0")/oracle" && pwd)
share='' parts=()
for word; do
  case $word in
    tests | suites | checked | further) parts+=("$word") ;;
    [1-9]*/[1-9]*) share=$word ;;
    *)
      echo "torture.sh: $word: no such part: give tests, suites, checked, further or K/N"
      exit 2 ;;
  esac
done
[ ${#parts[@]} != 0 ] || parts=(tests suites checked further)

# Run PART; its last line has its sum.
part ()
{
  # shellcheck disable=SC2086
  case $1 in
    tests) "$place/../run" --no-build --all ;;
    suites) "$place/suites" all $share ${LEVELS:--O2} ;;
    checked) "$place/checked" all ;;
    further) "$place/checked" further ;;
  esac
}

for name in "${parts[@]}"; do part "$name"; done |
  awk -v parts=${#parts[@]} '
  /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
    n++; passed += $1; failed += $3; skipped += $5; print; fflush (); next }
  { print; fflush () }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed || n != parts }'
