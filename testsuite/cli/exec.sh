#!/bin/bash
# exec.sh - what a process did before it became another program is in its profile: calls, and
# accesses that nothing else would have sent.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >again.c <<'end'
#include <unistd.h>
static int table[8];
int
main (int argc, char **argv)
{
  char *again[] = { argv[0], argc < 3 ? "x" : NULL, argc < 2 ? NULL : "y", NULL };
  table[argc] = 1;
  table[7] += 2;
  if (argc < 3)
    BECOME;
  else
    execl ("/bin/true", "true", (char *) 0);
  return 1;
}
end
# One process runs three programs, each with two writes and a read.
for become in 'execv (argv[0], again)' 'execve (argv[0], again, environ)' \
  'execvp (argv[0], again)' \
  'execl (argv[0], argv[0], again[1], again[2], (char *) 0)' \
  'execlp (argv[0], argv[0], again[1], again[2], (char *) 0)'; do
  for how in "-O0 loop" "-O2 loop" "-O2 chain" "-O2 access"; do
    read -r level encoding <<<"$how"
    gcc -D_GNU_SOURCE "-DBECOME=$become" $level -g -fplugin="$PLUGIN" \
      -fplugin-arg-cabprof-events=memory+calls \
      -fplugin-arg-cabprof-memory-encoding=$encoding again.c -o again ||
      fail "$become: does not compile"
    rm -rf data
    profile data ./again
    expect 0 "$CABPROF" report accesses -d data --format=tsv; quiet
    told=$(awk -F'\t' '$1 ~ /^table/ { r += $6; w += $7 } END { print r + 0, w + 0 }' out)
    [ "$told" = "3 6" ] || fail "$become, $how: reads and writes of the table: $told: $(cat out)"
    expect 0 "$CABPROF" report methods -d data --format=tsv; quiet
    prints $'^main\tagain.c\t4\t3\t-$'
  done
done
