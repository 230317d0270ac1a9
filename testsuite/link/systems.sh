#!/bin/bash
# systems.sh - testsuite/system.sh says why it makes no system, and uses none that is half made;
# compatibility.sh enters each result once. Stand-ins take the place of debootstrap and the suite.
# fast
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"

export BUILD=$TEST_DIR/build
system=$TOP/testsuite/system.sh
version=13 release=trixie
[ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" != trixie ] || version=12 release=bookworm
place=$BUILD/systems/$release

# said STATUS WORDS COMMAND...: check that COMMAND ends with STATUS, and its last line has WORDS.
said ()
{
  local status
  "${@:3}" >out 2>&1
  status=$?
  [ $status = "$1" ] && tail -n 1 out | grep -qF -- "$2" && { passed; return; }
  failed "${*:3}: status $status: $(cat out)"
}

for wrong in 9 10 foo 9x 14.2 ''; do
  said 2 "cabprof: GCC=$wrong: not a version that cabprof supports: give a number" "$system" \
    "$wrong"
  [ "$(wc -l <out)" = 1 ] && passed || failed "GCC=$wrong: more than one line: $(cat out)"
done

# A stand-in for debootstrap (root's) and mmdebstrap: it cannot fetch, or is killed half way.
mkdir fake
cat >fake/debootstrap <<'end'
#!/bin/bash
place=${3:-}
[ ! -d "$place" ] || { ls -A "$place" >>"$FAKE.found"; mkdir -p "$place/etc"; }
echo "$@" >>"$FAKE.calls"
[ ! -e "$FAKE.kill" ] || kill -9 0
echo "E: Failed getting release file" >&2
exit 1
end
chmod +x fake/debootstrap
ln -s debootstrap fake/mmdebstrap
export FAKE=$TEST_DIR/fake/said PATH=$TEST_DIR/fake:$PATH
if [ -z "$(cab_debian_sources)" ]; then
  left_out "no Debian entries in the system's source lists"
elif ! unshare --map-root-user --mount true 2>/dev/null; then
  left_out "no namespaces here"
else
  said 77 "no system of $release could be made: no network? E: Failed getting release file" \
    "$system" $version
  touch "$FAKE.kill"
  setsid --wait "$system" $version >/dev/null 2>&1
  [ -e "$place" ] && failed "a system that is half made looks whole" || passed
  rm "$FAKE.kill"
  said 77 "no system of $release could be made" "$system" $version
  [ "$(wc -l <"$FAKE.calls")" = 3 ] && passed || failed "not three calls: $(cat "$FAKE.calls")"
  [ ! -s "$FAKE.found" ] && passed || failed "installed over what was there: $(cat "$FAKE.found")"
fi

# The rows of the page, with a stand-in for the suite.
mkdir -p tree/testsuite tree/docs
cp "$TOP/testsuite/compatibility.sh" "$TOP/testsuite/lib.sh" tree/testsuite
cat >tree/testsuite/system.sh <<'end'
#!/bin/bash
[ "$1" != 13 ] || { echo "no network"; exit 77; }
echo "GCC $1.2.0 in Debian GNU/Linux 13 (trixie)"
echo "${N:-7} passed, 0 failed, 1 skipped"
end
chmod +x tree/testsuite/system.sh
printf 'words\n| GCC | rest |\n|---|---|\n<!-- rows end -->\nmore\n' >tree/docs/compatibility.md
enter () { env "$@" >out 2>&1; }
rows=tree/testsuite/compatibility.sh
enter VERSIONS="16 14" $rows || failed "16 and 14: $(cat out)"
enter VERSIONS="13" $rows && failed "13 was not tested: $(cat out)"
grep -qx "GCC 13: not tested: no network" out && passed || failed "13: $(cat out)"
enter VERSIONS="14 15" $rows --fast link/ || failed "--fast: $(cat out)"
enter VERSIONS="14" N=8 $rows || failed "14: $(cat out)"
sed -i "s/| [0-9]*-[0-9]*-[0-9]* |$/| DAY |/" tree/docs/compatibility.md
cat >wanted <<'end'
words
| GCC | rest |
|---|---|
| 14 | 14.2.0 | Debian GNU/Linux 13 (trixie) | --fast link/ | 7 | 0 | 1 | DAY |
| 14 | 14.2.0 | Debian GNU/Linux 13 (trixie) | whole suite | 8 | 0 | 1 | DAY |
| 15 | 15.2.0 | Debian GNU/Linux 13 (trixie) | --fast link/ | 7 | 0 | 1 | DAY |
| 16 | 16.2.0 | Debian GNU/Linux 13 (trixie) | whole suite | 7 | 0 | 1 | DAY |
<!-- rows end -->
more
end
diff wanted tree/docs/compatibility.md && passed || failed "the rows are not as wanted"
cases
