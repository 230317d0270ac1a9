#!/bin/bash
# join.sh - report join: bad words, what the build or the run lacks, a fork, delegates; and an
# analysis of the user's that takes the same levels and contexts.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
caches=D1=1K/2/64,LL=8K/4/64
source=$TOP/testsuite/oracle/src/join.c
probed calls,memory "$source" prog -O2 -fplugin-arg-cabprof-context -pthread

# refused STATUS WORDS ARGUMENT...: cabprof fails and says why.
refused ()
{
  local status=0
  "$CABPROF" "${@:3}" >out 2>err || status=$?
  is "$3 $4: exit status" $status "$1"
  grep -q "$2" err || fail "${*:3}: $(cat err)"
}

CABPROF_OPTIONS=data=data:analyses=levels,$caches+join:placement=inline ./prog || fail "it fails"
for wrong in '' nothing variable,nothing variable,variable ,variable variable, variable,,line; do
  refused 2 "not a list of different ones of these: variable, line," report join -d data \
    --by="$wrong"
done
refused 2 "no such thing (site, variable" report offenders -d data --by=variable,line
refused 1 "no L2 was simulated: run with .*levels,L2=" report join -d data --level=L2

# Without the analysis, and without calls, the report says what to do.
CABPROF_OPTIONS=data=other:analyses=levels,$caches ./prog 0
refused 1 "accesses were not joined: compile with .*analyses=join" report join -d other
probed memory "$source" plain -O2 -pthread
CABPROF_OPTIONS=data=plain.data:analyses=levels,$caches+join ./plain 0
refused 1 "contexts were not recorded: compile with .*or leave .context. out" report join \
  -d plain.data --by=variable,context
[ "$(rows join -d plain.data --by=level | wc -l)" = 3 ] || fail "no rows without calls"

refused 1 "paths were not recorded among the accesses: compile .*or leave .path. out" report join \
  -d data --by=path,variable

# Paths are those of `report paths'.
probed paths,calls,memory "$source" paths -O2 -fplugin-arg-cabprof-paths=trace \
  -fplugin-arg-cabprof-context -pthread
CABPROF_OPTIONS=data=paths.data:analyses=levels,$caches+join+paths ./paths 0
rows join -d paths.data --by=path | cut -f10-12 | sort -u >joined
rows paths -d paths.data | cut -f1,4,7 | sort -u >counted
[ "$(wc -l <joined)" -gt 8 ] || fail "few paths: $(cat joined)"
comm -23 joined counted | grep . && fail "these are no paths of report paths"

# In code without paths, accesses of an activation beyond those that are held are in rows of their
# own: of the 6,000 of `many', 4,096 and those that are like the last of them are held.
cat >many.c <<'END'
int a[1000], b[1000], c[1000], d[1000], e[1000], f[1000];
int
many (void)
{
  int s = 0;
  for (int i = 0; i < 1000; i++)
    s += a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
  return s;
}
END
echo 'int many (void); static volatile int v; int main () { v = 1; return many (); }' >main.c
for unit in many:calls,memory main:paths,calls,memory; do
  gcc -g -O1 -c -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=${unit#*:} \
    -fplugin-arg-cabprof-paths=trace -fplugin-arg-cabprof-context ${unit%:*}.c ||
    fail "${unit%:*}.c does not compile"
done
gcc -fplugin="$PLUGIN" main.o many.o -o wide || fail "many does not link"
CABPROF_OPTIONS=data=many.data:analyses=levels,$caches+join ./wide || fail "many fails"
"$CABPROF" report join -d many.data --by=path --format=tsv >many.tsv
rows join -d many.data --by=path | cut -f10,13,14 | sort >many.rows
is "paths of many" "$(cut -f1 many.rows | tr '\n' ',')" "(path not held),(path not known),main,"
awk -F'\t' '{ n[$1] = $2; sum += $2 } END { print n["(path not known)"] >= 4096, sum }' \
  many.rows >held
is "accesses of many" "$(cat held)" "1 6000"
n=$(awk -F'\t' '$1 == "(path not held)" { print $2 }' many.rows)
is "the note of many" "$(grep '^#' many.tsv | tr -d ,)" \
  "# $n accesses have no path: too many came before it ended"

# sums DIR: print reads, writes and misses of both caches, by `join' and by `levels'.
sums ()
{
  rows join -d "$1" --by=line,block,context |
    awk -F'\t' '{ r += $13; w += $14; d += $16; l += $18 } END { print r, w, d, l }'
  rows levels -d "$1" | awk -F'\t' '
    { r += $2; w += $3; n[$1] = $2 + $3 } END { print r, w, n["LL"] + n["memory"], n["memory"] }'
}

# A child counts its own accesses; delegates of another analysis change nothing.
CABPROF_OPTIONS=data=forked:analyses=levels,$caches+join ./prog f
sums forked >forked.sums
is "sums of join and levels" "$(head -1 forked.sums)" "$(tail -1 forked.sums)"
[ "$(rows join -d forked --by=thread | cut -f8 | sort -u | wc -l)" = 2 ] || fail "one process"
CABPROF_OPTIONS=data=many:analyses=levels,$caches+join+values:delegates=3 ./prog 0
CABPROF_OPTIONS=data=one:analyses=levels,$caches+join+values ./prog 0
for data in one many; do   # where blocks lie, and so what misses, differs where threads are started
  rows join -d $data --by=variable,line,loop,block,context | cut -f1-15,22 | sort >$data.rows
done
diff one.rows many.rows || fail "delegates change rows"
is "delegates: sums" "$(sums many | head -1)" "$(sums many | tail -1)"

# The caches are those of `offenders', also beside analyses that take accesses otherwise.
CABPROF_OPTIONS=data=beside:analyses=accesses+offenders,$caches+levels,$caches+join ./prog
rows offenders -d beside | awk -F'\t' '{ r += $6; w += $7; d += $8 + $9; l += $12 + $13 }
  END { print r, w, d, l }' >offenders
is "misses of join and offenders" "$(sums beside | head -1)" "$(cat offenders)"

# agree RUN ANALYSIS LEAST: the analysis and join tell the same misses by context, more than LEAST.
agree ()
{
  rows "$2" -d own | awk -F'\t' '{ n[$1] += $3 } END { for (c in n) print n[c], c }' | sort >missed
  rows join -d own --by=context | awk -F'\t' '$16 { n[$22] += $16 }
    END { for (c in n) print n[c], c }' | sort >joined
  [ "$(wc -l <missed)" -gt "$3" ] || fail "$1: few contexts: $(cat missed)"
  diff missed joined || fail "$1: the user's misses (<) differ from those of join (>)"
}

# An analysis of the user's: misses by context, as docs/own-analysis.md makes of `where'.
sed -n '/^`where.c`:/,$p' "$TOP/docs/own-analysis.md" | sed -n '/^```c/,/^```$/p' | sed '1d;$d' |
  sed 's/CAB_WANTS_NODE/CAB_WANTS_NODE | CAB_WANTS_LEVEL/
    s/b->form\[i\] & (CAB_ROW_READ | CAB_ROW_WRITE)/b->level[i] \&\& b->level[i] != CAB_LEVEL_NONE/
    s/"where"/"missed"/' >missed.c
gcc -O2 -Wall -Werror -shared -fPIC -I"$TOP/include" missed.c -o missed.so ||
  fail "missed.c does not compile"
for run in thread:0:0 thread:9:137 inline:0:0 inline:9:137; do
  IFS=: read -r placement what status <<<"$run"
  rm -rf own
  options=data=own:ring=64K:chunk=4K:placement=$placement
  (CABPROF_OPTIONS=$options:analyses=./missed.so+levels,$caches+join ./prog $what) 2>/dev/null
  is "$run: exit status" $? $status
  agree "$run" ./missed.so 5
done

# Killed between the feeds of the caches and of join, which get the same levels afterwards.
sed 's/^#include.*/&\n#include <signal.h>\n#include <stdlib.h>/
  s/^    if (b->level/    if (getenv ("CUT") \&\& ++n_rows == atoi (getenv ("CUT")))\
      raise (SIGKILL);\
    else if (b->level/
  s/"missed"/"cut"/
  s/^#define S/static int n_rows;\n&/' missed.c >cut.c
gcc -O2 -Wall -Werror -shared -fPIC -I"$TOP/include" cut.c -o cut.so ||
  fail "cut.c does not compile"
for run in thread:300 thread:5000 inline:300 inline:301 inline:305 inline:5000; do
  rm -rf own
  options=data=own:ring=64K:chunk=4K:placement=${run%:*}:analyses=./cut.so+levels,$caches+join
  (CUT=${run#*:} CABPROF_OPTIONS=$options ./prog 0) 2>/dev/null
  is "$run: exit status" $? 137
  agree "cut at $run" ./cut.so 2
  is "$run: sums of join and levels" "$(sums own | head -1)" "$(sums own | tail -1)"
done
sed 's/CAB_ANALYSIS_HEAD,/& .shard = CAB_SHARD_KEY, .key = CAB_KEY_SITE,/' missed.c >keyed.c
gcc -shared -fPIC -I"$TOP/include" keyed.c -o missed.so
CABPROF_OPTIONS=data=none:analyses=./missed.so ./prog 2>err
grep -q "sharded by key, and wants levels" err || fail "a key: $(cat err)"
