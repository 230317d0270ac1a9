#!/bin/bash
# other-system.sh - a fixed sample of the suite passes under GCC 14, in a Debian system that has it,
# and profiles that were made there are read here.
# spare
# timeout: 2400
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"

[ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" != trixie ] ||
  skip "this is that system: its own compilers are tested"
[ -z "${CAB_OTHER_SYSTEM:-}" ] || skip "this runs in a system made for another GCC"
is_fast && skip "make check runs it"
"$TOP/testsuite/system.sh" 14 golden/ unit/test_pathnum unit/test_images compile/loops \
  compile/last-store compile/pass-names link/loops.sh link/carried.sh cli/accesses.sh \
  cli/children >said 2>&1
status=$?
sum=$(tail -n 1 said)
[[ $sum =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] || {
  [ $status = 77 ] && skip "no system with GCC 14: $sum"
  fail "GCC 14: $(tail -n 20 said)"
}
n_passed=${BASH_REMATCH[1]} n_failed=${BASH_REMATCH[2]} n_skipped=${BASH_REMATCH[3]}
[ "$n_passed" -gt 0 ] || fail "no test ran: $sum"
[ "$n_failed" = 0 ] || grep -A 20 ^FAIL said
grep -o 'skipped [0-9]*: [^;]*' said

carried=$BUILD/systems/trixie/root/cabprof-gcc-14/build/carried
if [ -r "$carried/expected" ]; then
  "$TOP/testsuite/link/carried.sh" read "$carried" >carried-said 2>&1
  [[ $(tail -n 1 carried-said) =~ ^CASES\ ([1-9][0-9]*)\ ([0-9]+)\ 0$ ]] ||
    fail "$(cat carried-said)"
  n_passed=$((n_passed + BASH_REMATCH[1])) n_failed=$((n_failed + BASH_REMATCH[2]))
  [ "${BASH_REMATCH[2]}" = 0 ] || cat carried-said
else
  left_out "the profiles of the other system: they belong to another user"
fi
cases
