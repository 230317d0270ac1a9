#!/bin/bash
# runner.sh - testsuite/run counts, orders and chooses tests as documented; the tests it runs here
# are made up.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3

place=$TEST_DIR/place
mkdir -p "$place/unit" "$place/test"

# made NAME COMMAND: make a test of that name.
made ()
{
  printf '#!/bin/sh\n%s\n' "$2" >"$place/unit/$1"
  chmod +x "$place/unit/$1"
}

# run_it STATUS OPTION...: run the runner over the made-up tests, with its output in out.
run_it ()
{
  local want=$1
  shift
  BUILD=$place MAKELEVEL=1 "$TOP/testsuite/run" "$@" >out 2>err
  local status=$?
  [ $status = "$want" ] ||
    { cat out err; fail "testsuite/run $*: status $status instead of $want"; }
}

says ()
{
  grep -qE -- "$2" "$1" || { cat "$1"; fail "$1 has no line with $2"; }
}

made good-zq 'exit 0'
made many-zq 'echo CASES 3 0 1; echo "skipped 1: no reason"'
run_it 0 unit/good-zq unit/many-zq
says out '^pass unit/many-zq \(4 cases\) [0-9.]+ s: skipped 1: no reason$'
says out '^4 passed, 0 failed, 1 skipped$'

# A test that skips cases without a reason fails; so does one with another exit status, and its
# output is shown.
made bad-zq 'echo because; exit 3'
made silent-zq 'echo CASES 3 0 1'
made away-zq 'echo not here; exit 77'
run_it 1 zq
says out '^    because$'
says out '^FAIL unit/silent-zq .*: 1 cases skipped, reasons given for 0$'
says out '^skip unit/away-zq .*: not here$'
says out '^7 passed, 2 failed, 3 skipped$'

# A spare test goes last, and is left out after some time, unless all are wanted.
printf '#!/bin/sh\n# spare\nexit 0\n' >"$place/unit/a-spare-zq"
chmod +x "$place/unit/a-spare-zq"
run_it 0 --list unit/a-spare-zq unit/good-zq
[ "$(tr '\n' ' ' <out)" = "unit/good-zq unit/a-spare-zq " ] || { cat out; fail "spare, not last"; }
CAB_SPARE_SECONDS=-1 run_it 0 unit/a-spare-zq
says out '^skip unit/a-spare-zq .*: the machine is slow: the other tests took 0 minutes'
says out '^0 passed, 0 failed, 1 skipped$'
CAB_SPARE_SECONDS=-1 run_it 0 --all unit/a-spare-zq
says out '^1 passed, 0 failed, 0 skipped$'
rm "$place/unit/a-spare-zq"

# Only failed tests run, until they pass.
run_it 0 --failed --list
[ "$(sort out | tr '\n' ' ')" = "unit/bad-zq unit/silent-zq " ] ||
  { cat out; fail "other tests failed"; }
made bad-zq 'exit 0'
run_it 1 --failed
run_it 0 --failed --list
[ "$(cat out)" = unit/silent-zq ] ||
  { cat out; fail "a test that passes now is still listed as failed"; }

# The longest tests go first.
printf '%s\t%s\n' unit/away-zq 7 unit/good-zq 9 unit/bad-zq 8 >"$place/test/times.tsv"
run_it 0 --list zq
[ "$(head -n 3 out | tr '\n' ' ')" = "unit/good-zq unit/bad-zq unit/away-zq " ] ||
  { cat out; fail "another order"; }

# A short run takes a part of the tests, and tells each test that it is short.
run_it 0 --list
sort out >whole
run_it 0 --list --fast
sort out >fast
[ -z "$(comm -13 whole fast)" ] || fail "a short run has tests of its own: $(comm -13 whole fast)"
[ "$(wc -l <fast)" -lt "$(wc -l <whole)" ] || fail "a short run is not shorter"
for extent in fast all; do
  made told-zq "[ \$CAB_EXTENT = $extent ]"
  run_it 0 --$extent told-zq
done

# A test that waits without working is ended before one that works for too long; the output of both
# is shown.
python3 - "$TOP/testsuite/run" <<'END' || fail "a hang is not found"
import runpy, subprocess, sys
wait_for = runpy.run_path (sys.argv[1], run_name="runner")["wait_for"]
def end_of (command, timeout, idle, busy=600, extent="check"):
    wait_for.__globals__.update (IDLE_TIMEOUT=idle, CPU_TIMEOUT=busy, POLL=0.2)
    process = subprocess.Popen (["sh", "-c", "echo begun; " + command], stdout=subprocess.PIPE,
                                start_new_session=True)
    return wait_for (process, timeout, extent)
for command, timeout, idle, wanted in (
        ("sleep 600", 600, 2, (b"begun\n", "hangs: no processor time for 2 s")),
        ("sleep 600 & wait", 600, 2, (b"begun\n", "hangs: no processor time for 2 s")),
        ("while :; do :; done", 2, 600, (b"begun\n", "no end after 2 s")),
        ("exit 1", 600, 600, (b"begun\n", None))):
    got = end_of (command, timeout, idle)
    if got != wanted:
        sys.exit (f"{command}: {got} instead of {wanted}")
loop = "while :; do :; done"
assert end_of (loop, 600, 600, 1)[1] == "loops: no end after 1 s of processor time"
assert end_of (loop, 5, 600, 1, "all")[1] == "no end after 5 s"
END

run_it 2 --nonsense
says err '^cabprof: testsuite/run: --nonsense: no such option: see testsuite/run --help$'
run_it 2 no-such-test
says err 'no test matches'

# Makefiles have no line over 120 columns.
wide=$(cd "$TOP" && awk 'length > 120 { print FILENAME ": line " FNR }' Makefile ./*/*.mk \
  testsuite/*/*.mk)
[ -z "$wide" ] || fail "over 120 columns: $wide"
