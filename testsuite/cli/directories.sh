#!/bin/bash
# directories.sh - links, files and other users' directories in the place of a profile or in it are
# never followed, written to or removed; the program runs unprofiled and says why in one line.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# Other users can reach this directory, which has a program and the runtime in it.
place=$(mktemp -d /tmp/cabprof-directories.XXXXXX) || fail "no directory in /tmp"
trap 'rm -rf "$place"' EXIT
chmod 1777 "$place" && cp "$BUILD"/lib/libcabprof.so.1 "$place" && cd "$place" || fail "$place"
export LD_LIBRARY_PATH=$place
cat >prog.c <<'end'
#include <stdio.h>
static int __attribute__ ((noipa)) twice (int i) { return 2 * i; }
int main (void) { puts (twice (21) == 42 ? "done" : "wrong"); return 0; }
end
build prog prog.c -O1
chmod 755 prog

# This prefix runs a command as another user than root.
other='setpriv --reuid=65534 --regid=65534 --clear-groups'

# fresh: remove the profile and whatever took its place.
fresh () { rm -rf cabprof.data cabprof.data.old victim; mkdir victim; echo precious >victim/notes; }

# run [PREFIX...]: run the program alone, so that it may move an older profile, and check its
# output.
run ()
{
  timeout -s KILL 20 setsid -w "$@" ./prog >out 2>err </dev/null ||
    fail "the program ended with $?: $(cat err)"
  [ "$(cat out)" = done ] || fail "the program's output: $(cat out)"
  [ "$(ls -A victim)" = notes ] && [ "$(cat victim/notes)" = precious ] ||
    fail "the victim: $(ls -A victim)"
}

# refused WORDS [PREFIX...]: check that a run is unprofiled, and that one line says WORDS.
refused ()
{
  local words=$1
  shift
  run "$@"
  [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
  grep -Fq "$words" err && grep -q 'running unprofiled$' err ||
    fail "'$words' is not in: $(cat err)"
}

# counted [PREFIX...]: check that a run is in the profile, and is the only one there.
counted ()
{
  run "$@"
  [ ! -s err ] || fail "unexpected message: $(cat err)"
  expect 0 "$CABPROF" report methods --format=tsv; prints $'^twice\t'
}

# Something else is in the place of the directory.
fresh; ln -s /nowhere/x cabprof.data; refused 'cabprof.data: is a symbolic link'
fresh; ln -s cabprof.data cabprof.data; refused 'cabprof.data: is a symbolic link'
fresh; ln -s victim cabprof.data; refused 'cabprof.data: is a symbolic link'
fresh; echo text >cabprof.data; refused 'cabprof.data: is no directory'
[ "$(cat cabprof.data)" = text ] || fail "the file was changed"
fresh; mkfifo cabprof.data; refused 'cabprof.data: is no directory'
fresh; ln -s /nowhere/x link; refused 'link: is a symbolic link' env CABPROF_OPTIONS=data=link
rm link

# Something else is inside the directory.
fresh; mkdir cabprof.data; ln -s ../victim cabprof.data/modules
refused 'cabprof.data/modules: is a symbolic link'
fresh; mkdir cabprof.data; echo text >cabprof.data/modules
refused 'cabprof.data/modules: is no directory'
fresh; mkdir cabprof.data; mkfifo cabprof.data/run; refused 'cabprof.data/run: is no regular file'
fresh; mkdir cabprof.data; ln -s ../victim/notes cabprof.data/run
refused 'cabprof.data/run: is a symbolic link'
fresh; counted; rm cabprof.data/*.part; records=$(echo cabprof.data/modules/*.info)
rm "$records"; ln -s ../../victim/notes "$records"; refused "$records: is a symbolic link"
rm "$records"; mkfifo "$records"; refused "$records: is no regular file"
[ -z "$(ls cabprof.data/*.part 2>/dev/null)" ] || fail "a part of a refused run stays"
fresh; counted; ln -s ../victim/notes cabprof.data/1-1.part; mkfifo cabprof.data/2-2.part
counted; [ "$(ls cabprof.data.old/*.part | wc -l)" = 3 ] ||
  fail "the older profile was not moved: $(ls cabprof.data.old)"
run; grep -q 'cabprof.data.old: holds other files' err ||
  fail "a link in the older profile: $(cat err)"
[ -L cabprof.data.old/1-1.part ] && [ "$(ls cabprof.data/*.part | wc -l)" = 2 ] ||
  fail "a link among older parts is no profile"

# Something else is in the place of the older profile.
fresh; counted; ln -s victim cabprof.data.old; refused 'cabprof.data.old: is a symbolic link'
fresh; counted; echo text >cabprof.data.old; refused 'cabprof.data.old: is no directory'
fresh; counted; mkdir -p cabprof.data.old/modules; echo mine >cabprof.data.old/modules/notes; run
[ "$(cat cabprof.data.old/modules/notes)" = mine ] && [ "$(ls cabprof.data/*.part | wc -l)" = 2 ] ||
  fail "a foreign file among records"

# The path that leads to the directory is the user's choice.
fresh; mkdir real; ln -s real way
CABPROF_OPTIONS=data=way/profile run; [ ! -s err ] && [ -n "$(ls real/profile/*.part)" ] ||
  fail "a link above data=: $(cat err)"
rm -r real way

# A part gets its name when its mark is complete, however the process ends; what a process left
# before that is reported, and is no failure.
fresh; counted
for k in $(seq 15); do
  (CABPROF_OPTIONS=data=cabprof.data ./prog >/dev/null 2>&1 & pid=$!; \
    for ((i = 0; i < k * 50; i++)); do :; done; kill -9 $pid; wait $pid) 2>/dev/null
done
expect 0 "$CABPROF" report methods --format=tsv
! grep -v 'ended before it was set up: nothing of it was counted$' err ||
  fail "killed early: $(cat err)"
fresh; counted; : >cabprof.data/999999999-1a.new
expect 0 "$CABPROF" report methods --format=tsv
says '999999999-1a.new: process 999999999 ended before it was set up'; prints $'^twice\t'
expect 0 "$CABPROF" info; says 'process 999999999 ended before it was set up'
counted; counted; [ ! -e cabprof.data.old/999999999-1a.new ] ||
  fail "what a process left early stays"

# The command obeys the same rules.
fresh; ln -s victim cabprof.data; expect 1 "$CABPROF" record -- ./prog
says 'cabprof.data: is a symbolic link'
fresh; mkdir cabprof.data; ln -s victim cabprof.data.old; expect 1 "$CABPROF" record -- ./prog
says 'cabprof.data.old: is a symbolic link'
[ -L cabprof.data.old ] || fail "record removed a link"
fresh; mkdir -p cabprof.data cabprof.data.old/modules; echo mine >cabprof.data.old/modules/notes
expect 1 "$CABPROF" record -- ./prog; says 'cabprof.data.old: exists and is no profile'
[ -e cabprof.data.old/modules/notes ] || fail "record removed a file"
fresh; counted; records=$(basename cabprof.data/modules/*); cp cabprof.data/modules/"$records" \
  victim; rm victim/notes
mv cabprof.data/modules elsewhere; ln -s "$place"/elsewhere cabprof.data/modules
expect 1 "$CABPROF" report methods --format=tsv; says 'symbolic link'
rm -rf elsewhere

# With anything in the place of a file of the profile, no command waits for it or follows it: one
# line, and exit status 1.
other_in_place ()
{
  rm -rf "$1"
  case $2 in
    fifo) mkfifo "$1" ;;
    link) ln -s "$place"/victim/notes "$1" ;;
    dangling) ln -s /nowhere/x "$1" ;;
    directory) mkdir "$1" ;;
    device) mknod "$1" c 1 3 ;;
    theirs) echo '{}' >"$1" && chown 65534 "$1" ;;
  esac 2>/dev/null
}

# refuses WORDS COMMAND...: check for exit status 1 within some seconds, and one line with WORDS.
refuses ()
{
  local words=$1
  shift
  timeout -s KILL 20 "$@" >out 2>err </dev/null
  [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -Fq "$words" err ||
    fail "$*: not one line with '$words': $(cat err)"
}
kinds='fifo link dangling directory'
[ "$(id -u)" != 0 ] || kinds="$kinds device theirs"
fresh; counted
for kind in $kinds; do
  for file in samples.json loops.json; do
    other_in_place cabprof.data/$file $kind || continue
    [ $file = loops.json ] || refuses $file: "$CABPROF" report -d cabprof.data
    [ $file = loops.json ] || refuses $file: "$CABPROF" report time -d cabprof.data
    refuses $file: "$CABPROF" report loops -d cabprof.data
    rm -rf cabprof.data/$file
  done
  other_in_place cabprof.data/1-1.part $kind && refuses 1-1.part: "$CABPROF" report methods \
    -d cabprof.data
  rm -rf cabprof.data/1-1.part
  rm -f records; cp cabprof.data/modules/*.info records; records=$(echo cabprof.data/modules/*.info)
  other_in_place "$records" $kind && refuses "$(basename "$records"):" "$CABPROF" report methods \
    -d cabprof.data
  rm -rf "$records"; cp records "$records"
done

# `tune' makes its directory as `record' does.
tune () { "$CABPROF" tune -d "$1" --build true --run ./prog; }
fresh; ln -s victim cabprof.data; expect 1 tune cabprof.data
says 'cabprof.data: is a symbolic link'
fresh; echo text >cabprof.data; expect 1 tune cabprof.data; says 'cabprof.data: is no directory'
for name in tune tune.old; do
  fresh; mkdir cabprof.data; ln -s ../victim cabprof.data/$name; expect 1 tune cabprof.data
  says "cabprof.data/$name: is a symbolic link"
  fresh; mkdir cabprof.data; mkfifo cabprof.data/$name; expect 1 tune cabprof.data
  says "cabprof.data/$name: is no directory"
  [ -p cabprof.data/$name ] && [ "$(cat victim/notes)" = precious ] ||
    fail "tune has removed what was in place of $name"
done
fresh; mkdir -p cabprof.data/tune; mkfifo cabprof.data/tune/state.json
expect 1 timeout -s KILL 20 "$CABPROF" tune -d cabprof.data --resume --build true --run ./prog
says 'state.json: is no regular file'

# Two users share a directory.
[ "$(id -u)" = 0 ] || { echo "the cases of two users want root"; exit 0; }
need setpriv
fresh; $other ./prog >out 2>err; [ "$(stat -c %u cabprof.data)" = 65534 ] ||
  skip "no other user can run programs here: $(cat err)"
refused 'cabprof.data: belongs to another user'; [ "$(ls cabprof.data/*.part | wc -l)" = 1 ] ||
  fail "root added to another user's profile"
expect 1 "$CABPROF" record -- ./prog; says 'cabprof.data: belongs to another user'
fresh; counted; refused 'cabprof.data: belongs to another user' $other
fresh; mkdir cabprof.data; chmod 1777 cabprof.data; $other mkdir cabprof.data/modules
refused 'cabprof.data/modules: belongs to another user'
fresh; $other mkdir cabprof.data.old; counted; refused 'cabprof.data.old: belongs to another user'
fresh; counted; chmod 1777 cabprof.data/modules; records=$(echo cabprof.data/modules/*)
rm cabprof.data/*.part "$records"
$other sh -c "echo mine >$records"; refused "$records: belongs to another user"
fresh; $other mkdir cabprof.data; expect 1 tune cabprof.data
says 'cabprof.data: belongs to another user'
fresh; mkdir cabprof.data; chmod 1777 cabprof.data; $other mkdir cabprof.data/tune
expect 1 tune cabprof.data; says 'cabprof.data/tune: belongs to another user'
# Anybody may lock a file that he can open; the program waits for some seconds, then adds its part.
fresh; counted; $other flock --no-fork cabprof.data sleep 100 >/dev/null 2>&1 & sleep 0.5; run
kill %1
[ ! -s err ] && [ "$(ls cabprof.data/*.part | wc -l)" = 2 ] ||
  fail "locked by another user: $(cat err)"
exit 0
