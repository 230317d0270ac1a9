#!/bin/bash
# carried.sh - a profile is read where its programs and sources are not, and by a command that
# another GCC has built, with the same words. Reports that ask the program for its variables, as
# `layout' does, are left out.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   carried.sh             make profiles, read them here, and again without programs and sources. In
#                          a system made for another GCC (system.sh), keep them in $BUILD/carried
#   carried.sh read PLACE  read those of another system, in PLACE, and compare
. "$(dirname "$0")/../lib.sh"

# read_all PLACE INTO: write what the command says of the profiles in PLACE to files in INTO.
read_all ()
{
  local into=$2 profile report
  mkdir -p "$into"
  cd "$1" || exit 1
  for profile in *.data; do
    "$CABPROF" report -d "$profile" >"$into/$profile"
    for report in $(<"$profile/reports"); do
      "$CABPROF" report "$report" -d "$profile" --limit=0 --format=tsv >"$into/$profile.$report"
    done
    "$CABPROF" export callgrind -d "$profile" -o - >"$into/$profile.callgrind"
  done >"$into/said" 2>&1
  cd "$TEST_DIR" || exit 1
}

# compare EXPECTED GOT: compare the files of two directories.
compare ()
{
  local file
  for file in "$1"/*; do
    cmp -s "$file" "$2/${file##*/}" && passed ||
      failed "${file##*/}: $(diff "$file" "$2/${file##*/}" | head -n 5)"
  done
}

if [ "${1:-}" = read ]; then
  read_all "$2" "$TEST_DIR/read"
  compare "$2/expected" "$TEST_DIR/read"
  cases
  exit
fi

need_build
calls="account calls edges lines methods paths tree trips"
memory="accesses blocks cache offenders reuse sizes spread"
while read -r name events analyses reports; do
  for source in cli/src/offenders.c programs/containers.cc programs/stencil.f90; do
    case $source in *.c) compiler=$CGCC ;; *.cc) compiler=$CGXX ;; *) compiler=$CGFORTRAN ;; esac
    program=$(basename "${source%.*}")-$name
    cp "$TOP/testsuite/$source" . && "$compiler" -O2 -g -pthread \
      "-fplugin-arg-cabprof-events=$events" "$(basename "$source")" -o "$program" >build.log 2>&1 ||
      fail "$source does not compile: $(cat build.log)"
    mkdir -p made
    CABPROF_OPTIONS=data=made/$program.data:analyses=$analyses "./$program" >out \
      2>&1 || fail "$program ends with $?: $(cat out)"
    eval "echo $reports" >"made/$program.data/reports"
  done
done <<'end'
calls paths+calls+loops paths+calls+tree+loops $calls
memory paths+calls+memory accesses+blocks+cache+offenders+reuse $memory
values paths+memory+values paths+values values
end
read_all "$TEST_DIR/made" "$TEST_DIR/made/expected"
[ "$(cat made/expected/said)" = "" ] || fail "reports say: $(cat made/expected/said)"

mkdir elsewhere && cp -r made elsewhere && rm -f offenders* containers* stencil*
read_all "$TEST_DIR/elsewhere/made" "$TEST_DIR/elsewhere/read"
compare made/expected elsewhere/read
[ -z "${CAB_OTHER_SYSTEM:-}" ] || { rm -rf "$BUILD/carried" && cp -r made "$BUILD/carried"; }
cases
