#!/bin/bash
# steady.sh - the memory of access analyses does not grow with the length of the run: ten times the
# accesses to the same memory make states of the same size, live and replayed, and commands that
# read traces need no more memory.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc
caches=D1=4K/2/64,LL=16K/4/64
analyses=tree+accesses+blocks+reuse+cache,$caches+offenders,$caches+sharing+contexts

printf 'pool_get allocates size=2\npool_put releases pointer=2\n' >pools
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls \
  -fplugin-arg-cabprof-context -fplugin-arg-cabprof-allocators=pools \
  -pthread "$SRC/pooled.c" -o pooled >build.log 2>&1 ||
  fail "pooled.c does not compile: $(cat build.log)"

# Print the states in a part of a profile: analysis, thread, bytes in use; then the bytes of all
# states' areas.
cat >states.c <<'END2'
#include <stdio.h>
#include <cabprof/profile.h>
static struct cab_part_header h;
static char strings[1 << 20];
int
main (int argc, char **argv)
{
  FILE *f = argc == 2 ? fopen (argv[1], "rb") : NULL;
  uint64_t bytes = 0;
  if (!f || fread (&h, sizeof h, 1, f) != 1)
    return 1;
  for (uint32_t i = 0; i < h.n_extents; i++)
    if (h.extents[i].kind == CAB_EXT_STRINGS && h.extents[i].area_offset + h.extents[i].bytes <= sizeof strings)
      {
	fseek (f, h.extents[i].file_offset, SEEK_SET);
	if (fread (strings + h.extents[i].area_offset, 1, h.extents[i].bytes, f) != h.extents[i].bytes)
	  return 1;
      }
    else if (h.extents[i].kind == CAB_EXT_ARENA)
      bytes += h.extents[i].bytes;
  for (uint32_t i = 0; i < h.n_arenas; i++)
    printf ("%s %u %ju\n", strings + h.arenas[i].analysis, h.arenas[i].thread, (uintmax_t) h.arenas[i].used_bytes);
  printf ("all %ju\n", (uintmax_t) bytes);
  return 0;
}
END2
gcc -Wall -Wextra -I"$TOP/include" states.c -o states || fail "states.c does not compile"

# States are compared live, in both placements, and replayed.
for rounds in 20 200; do
  for placement in thread inline; do
    options=data=$placement-$rounds:placement=$placement:analyses=$analyses
    CABPROF_OPTIONS=$options:trace=$placement-$rounds.trace ./pooled $rounds 2>err ||
      fail "$placement, $rounds rounds: $?"
    quiet
  done
  expect 0 "$CABPROF" trace replay -d replay-$rounds thread-$rounds.trace; quiet
done
for how in thread inline replay; do
  for rounds in 20 200; do
    ./states $how-$rounds/*.part | sort >$how-$rounds.states || fail "$how: no states"
  done
  [ "$(cut -d' ' -f1,2 $how-20.states | grep -c '^[a-z]* [01]$')" = 16 ] ||
    fail "$how: not 8 states for each thread: $(cat $how-20.states)"
  diff $how-20.states $how-200.states || fail "$how: states grow with the length of the run"
done
accesses ()
{
  "$CABPROF" report accesses -d $1 --format=tsv | awk -F'\t' 'NR > 1 { n += $8 } END { print n }'
}
[ "$(accesses thread-200)" -gt $((8 * $(accesses thread-20))) ] ||
  fail "not some ten times the accesses: $(accesses thread-20) $(accesses thread-200)"

# Print the most memory that a command has had, in KB. This is in C, since a child reports its
# parent's memory as its own until it runs another program.
cat >most.c <<'END2'
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int
main (int argc, char **argv)
{
  int status = 0;
  struct rusage usage;
  if (argc < 2 || vfork () == 0)
    {
      dup2 (open ("/dev/null", O_WRONLY), 1);
      execv (argv[1], argv + 1);
      _exit (127);
    }
  if (wait (&status) < 0 || getrusage (RUSAGE_CHILDREN, &usage) || status)
    return !!printf ("fails\n");
  return !printf ("%ld\n", usage.ru_maxrss);
}
END2
gcc -O1 most.c -o most || fail "most.c does not compile"
[ "$(stat -c %s thread-200.trace)" -gt 5000000 ] ||
  fail "a trace that is too small to be seen in memory"
# TRACE and ROWS are the trace of a run, and the same with levels.
for command in 'trace replay -d again TRACE' 'cache --mark TRACE' 'offenders ROWS' 'data TRACE' \
  'layout -d thread-20 --try=TRACE'; do
  for rounds in 20 200; do
    [ -e $rounds.rows ] || "$CABPROF" cache --mark thread-$rounds.trace >$rounds.rows ||
      fail "cache --mark"
    rm -rf again
    line=${command/TRACE/thread-$rounds.trace}
    ./most "$CABPROF" ${line/ROWS/$rounds.rows} >most-$rounds 2>err
    grep -q '^[0-9]' most-$rounds || fail "$command: $(cat most-$rounds err)"
  done
  [ $(($(cat most-200) - $(cat most-20))) -lt 1024 ] ||
    fail "$command: $(cat most-20) KB, for ten times the accesses $(cat most-200) KB"
done
exit 0
