#!/bin/bash
# trace-record.sh - cabprof record --trace writes the same to files, pipes and sockets, in all
# formats; kills, forks and failing targets lose nothing unreported.
# timeout: 300
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3
cp "$SRC/traced.c" prog.c
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls prog.c -o prog \
  -lpthread >build.log 2>&1 || fail "$(cat build.log)"

# traced STATUS TRACE-OPTION... [-- ARGUMENT...]: record the program, and expect STATUS.
traced ()
{
  local wanted=$1 options=() status
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# = 0 ] || shift
  timeout 60 "$CABPROF" record --quiet --sample=off \
    --options=chunk=4K:ring=64K:analyses=tree+accesses "${options[@]}" -- ./prog "$@" >out 2>err
  status=$?
  [ $status = $wanted ] ||
    fail "record ${options[*]}: exit status $status instead of $wanted: $(cat err)"
}

# tells TRACE: check that it has the events of the source, of two threads.
tells ()
{
  "$CABPROF" trace filter --function=walk --kind=read "$1" 2>words | "$CABPROF" trace stat \
    --format=tsv - >told 2>>words
  [ ! -s words ] || fail "$1: $(cat words)"
  printf 'process\tthread\tkind\tevents\tbytes\n1\t1\tread\t40000\t240000\n1\t2\tread\t40000\t240000\n' | diff - told || fail "$1 has other counts"
}

# as_live TRACE: check that analyses of it give what they gave live.
as_live ()
{
  local report
  rm -rf again
  "$CABPROF" trace replay -d again "$1" 2>words || fail "replay of $1: $(cat words)"
  for report in tree calls accesses; do
    "$CABPROF" report $report --format=tsv >one 2>words || fail "$report: $(cat words)"
    "$CABPROF" report $report -d again --format=tsv >two 2>words ||
      fail "$report of $1: $(cat words)"
    cmp one two || fail "$1: $report differs"
  done
}

# listen ADDRESS: accept one connection, and write what it sends to the file `received'.
listen ()
{
  rm -f received ready
  python3 - "$1" <<'EOF' &
import os, socket, sys
kind, place = sys.argv[1].split (":", 1)
s = socket.socket (socket.AF_UNIX if kind == "unix" else socket.AF_INET)
s.bind (place if kind == "unix" else ("127.0.0.1", 0))
s.listen (1)
open ("ready.new", "w").write ("" if kind == "unix" else str (s.getsockname ()[1]))
os.rename ("ready.new", "ready")
c = s.accept ()[0]
with open ("received", "wb") as f:
    while data := c.recv (1 << 16):
        f.write (data)
EOF
  listener=$!
  for _ in $(seq 200); do [ -e ready ] && break; sleep 0.05; done
  [ -e ready ] || fail "the listener did not start"
}

traced 0 --trace=plain.trace; quiet; tells plain.trace; as_live plain.trace
traced 0 --trace=small.trace --compress=zstd; quiet; tells small.trace; as_live small.trace
plain=$(stat -c %s plain.trace) small=$(stat -c %s small.trace)
[ $((small * 10)) -lt $plain ] || fail "$small bytes compressed, $plain plain"
traced 0 --trace=medium.trace --compress=predicted; quiet; tells medium.trace; as_live medium.trace
medium=$(stat -c %s medium.trace)
[ $((medium * 5)) -lt $plain ] && [ $medium -gt $small ] ||
  fail "$medium bytes predicted, $plain plain, $small with zstd"
traced 0 --trace=some.rows --trace-format=rows; quiet; tells some.rows
traced 0 --trace=some.text --trace-format=text; quiet
[ "$(grep -c '^1\.[12] read .* walk prog.c' some.text)" = 80000 ] || fail "text has other counts"
timeout 60 "$CABPROF" record --quiet --sample=off --trace=- -- ./prog 2>err |
  "$CABPROF" trace filter - >piped.rows || fail "pipe: $(cat err)"
quiet; tells piped.rows
listen unix:socket; traced 0 --trace=unix:socket --compress=zstd; quiet; wait $listener
tells received; as_live received
listen tcp:; traced 0 --trace=tcp:localhost:$(cat ready); quiet; wait $listener; tells received

# What a killed process still held is taken from its profile, so nothing is missing.
for compress in none predicted zstd; do
  traced 137 --trace=killed.trace --compress=$compress -- 9; tells killed.trace
  as_live killed.trace
done
# Chunks this large never fill, so no full chunk was sent; the result is the same.
timeout 60 "$CABPROF" record --quiet --sample=off --options=analyses=tree+accesses \
  --trace=large.trace -- ./prog 9 2>err; [ $? = 137 ] || fail "$(cat err)"
tells large.trace; as_live large.trace
# The process is killed when it has sent only its header: records and everything else come from the
# profile.
cat >early.c <<'EOF'
#include <signal.h>
static volatile int table[100];
int
main (void)
{
  for (int i = 0; i < 100; i++)
    table[i] = i;
  return raise (SIGKILL);
}
EOF
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls early.c \
  -o early >build.log 2>&1 || fail "$(cat build.log)"
for format in packed rows; do
  timeout 60 "$CABPROF" record --quiet --sample=off --options=analyses=tree+accesses \
    --trace=early.$format --trace-format=$format -- ./early 2>err
  [ $? = 137 ] || fail "early: $(cat err)"
  expect 0 "$CABPROF" trace stat --format=tsv early.$format; quiet
  prints '^1	1	write	100	400$'
done
as_live early.packed

# The other ring counts its places in words; a kill loses nothing there either.
cat >calling.c <<'EOF'
#include <signal.h>
__attribute__ ((noipa)) static int
next (int i)
{
  return i + 1;
}
int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 30000; i++)
    sum = next (sum);
  return raise (SIGKILL) + sum;
}
EOF
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls \
  -fplugin-arg-cabprof-ring=cab calling.c -o calling >build.log 2>&1 || fail "$(cat build.log)"
for compress in none predicted zstd; do
  timeout 60 "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=64K \
    --compress=$compress --trace=calling.trace -- ./calling 2>err
  [ $? = 137 ] || fail "calling: $(cat err)"
  expect 0 "$CABPROF" trace stat --format=tsv calling.trace; quiet
  prints '^1	1	call	30001	'
done

# All processes of a run are in one trace.
for compress in none zstd; do
  traced 0 --trace=forked.trace --compress=$compress -- fork; quiet
  "$CABPROF" trace filter --function=walk --kind=read forked.trace | "$CABPROF" trace stat \
    --format=tsv - | cut -f 1,4 | sort | tr '\n\t' ' :' >told
  [ "$(cat told)" = "1:40000 1:40000 2:40000 process:events " ] || fail "forked: $(cat told)"
  as_live forked.trace
done

# A program that closes unknown descriptors again and again goes on with another connection, and
# what it sent earlier comes first. This holds also if several connections wait to be read at once
# because the recorder was stopped (what one of them gets meanwhile fits into its buffer).
cat >closing.c <<'EOF'
#include <signal.h>
#include <unistd.h>
static volatile int table[1000];
int
main (void)
{
  for (int round = 0; round < 200; round++)
    {
      if (round == 0)
	kill (getppid (), SIGSTOP);
      if (round == 20)
	kill (getppid (), SIGCONT);
      for (int i = 0; i < 1000; i++)
	table[i * 7 % 1000] = i;
      if (round % 10 == 0 || (round < 20 && round % 2 == 0))
	for (int fd = 3; fd < 1024; fd++)
	  close (fd);
    }
  return 0;
}
EOF
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory closing.c \
  -o closing >build.log 2>&1 || fail "$(cat build.log)"
for compress in none zstd; do
  timeout 60 "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=32K \
    --compress=$compress --trace=closing.trace -- ./closing 2>err || fail "closing: $(cat err)"
  quiet; expect 0 "$CABPROF" trace stat --format=tsv closing.trace; quiet
  prints '^1	1	write	200000	800000$'
  "$CABPROF" trace dump --format=tsv closing.trace | tail -n +2 | cut -f 1 | sort -c -n 2>words ||
    fail "closing, $compress: not in order: $(cat words)"
done

# If a target fails there is one line, the program goes on, the status says so unless the program
# has one of its own, and the account says what is missing.
for compress in zstd predicted none; do
  traced 1 --trace=/dev/full --compress=$compress
  says '/dev/full: cannot write the trace: No space left on device'
done
traced 137 --trace=/dev/full -- 9; says '/dev/full: cannot write the trace: No space left on device'
"$CABPROF" report >out; prints 'words that are not in the trace +[0-9,]+'
timeout 60 "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=64K --trace=- -- ./prog \
  2>err | head -c 100 >out
says 'cannot write the trace: Broken pipe'
timeout 60 "$CABPROF" record --quiet --sample=off --trace=nowhere/x -- ./prog 2>err; [ $? = 1 ] ||
  fail "nowhere"; says 'nowhere/x: No such file'
timeout 60 "$CABPROF" record --quiet --sample=off --trace=tcp:nothing -- ./prog 2>err; [ $? = 1 ] ||
  fail "tcp"; says 'has no host and port'
timeout 60 "$CABPROF" record --quiet --sample=off --trace=unix:none -- ./prog 2>err; [ $? = 1 ] ||
  fail "unix"; says 'start the reader first'
for wrong in --trace= --trace-format=none --compress=none-such \
  '--trace=x --trace-format=text --compress=zstd'; do
  timeout 60 "$CABPROF" record $wrong -- ./prog 2>err; [ $? = 2 ] || fail "$wrong"; says 'see '
done

# The other languages work as well.
for source in shapes.cc stencil.f90; do
  case $source in *.cc) compiler=$CGXX ;; *) compiler=$CGFORTRAN ;; esac
  command -v g++ >/dev/null && command -v gfortran >/dev/null || continue
  CABPROF_PLUGIN_ARGS= "$compiler" -g -O2 -fplugin-arg-cabprof-events=memory,calls \
    "$TOP/testsuite/programs/$source" -o other >build.log 2>&1 ||
    fail "$source: $(cat build.log)"
  timeout 60 "$CABPROF" record --quiet --sample=off --options=analyses=tree+accesses \
    --compress=zstd --trace=other.trace -- ./other >/dev/null 2>err ||
    fail "$source: $(cat err)"
  quiet; as_live other.trace
done

# If the recorder is killed, the program says so once, and ends as before.
cat >slow.c <<'EOF'
#include <stdio.h>
#include <unistd.h>
static volatile int sum;
int
main (void)
{
  kill_me_first:
  for (int i = 0; i < 20000; i++)
    sum += i;
  if (access ("gone", F_OK) < 0)
    {
      FILE *f = fopen ("begun", "w");
      fclose (f);
      usleep (20000);
      goto kill_me_first;
    }
  for (int i = 0; i < 2000000; i++)
    sum += i;
  FILE *f = fopen ("ended", "w");
  fclose (f);
  return 0;
}
EOF
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory slow.c -o slow >build.log \
  2>&1 || fail "$(cat build.log)"
mkdir left   # its socket, which nobody removes
TMPDIR=$PWD/left "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=64K \
  --trace=orphan.trace -- ./slow 2>err &
recorder=$!
for _ in $(seq 400); do [ -e begun ] && "$CABPROF" trace stat orphan.trace 2>/dev/null |
  grep -q read && break; sleep 0.05; done
kill -9 $recorder; wait $recorder 2>/dev/null
touch gone
for _ in $(seq 600); do [ -e ended ] && break; sleep 0.05; done
[ -e ended ] || fail "the program did not go on"
for _ in $(seq 600); do grep -q 'cannot write the trace' err && break; sleep 0.05; done
says 'cannot write the trace'
expect 1 "$CABPROF" trace stat orphan.trace; says 'orphan.trace: '; prints 'read'
