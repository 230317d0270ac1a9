#!/bin/bash
# offenders.sh - misses by calling context and by allocation are those that the analyses `cache', `contexts' and `blocks' count one by one; also of a
# process that kills itself, and in a replayed trace.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3

options=(-O2 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=calls,memory -fplugin-arg-cabprof-context)
gcc "${options[@]}" "$TOP/testsuite/cli/src/offenders.c" -o prog || fail "the program does not compile"
caches=D1=1K/2/64,LL=32K/4/64

# table DIR REPORT OPTION...: as TSV.
table ()
{
  "$CABPROF" report -d "$1" --format=tsv "${@:2}" >"$1-$2${3:+-${3#--by=}}.tsv" 2>err || fail "$*: $(cat err)"
}

# check DIR: sums of the tables of one profile agree.
check ()
{
  table "$1" contexts
  table "$1" blocks
  for by in site variable line function context block; do
    table "$1" offenders --by=$by
  done
  python3 - "$1" <<'PY' || fail "$1: the reports differ"
import collections, csv, sys

def rows (name):
    return list (csv.DictReader (open (f'{sys.argv[1]}-{name}.tsv'), delimiter='\t', quoting=csv.QUOTE_NONE))

def sums (table, key, *values):
    result = collections.Counter ()
    for row in table:
        for value in values:
            if int (row[value]):
                result[tuple (row[k] for k in key) + (value,)] += int (row[value])
    return result

def same (what, a, b):
    if a != b or not a:
        sys.exit (f'{what}: {a - b} here, {b - a} there')

counts = ('reads', 'writes', 'read_misses', 'write_misses', 'll_read_misses', 'll_write_misses')
context, block, site = rows ('offenders-context'), rows ('offenders-block'), rows ('offenders-site')
same ('sites of contexts', sums (context, ('function', 'line', 'column'), *counts), sums (site, ('function', 'line', 'column'), *counts))
for by in ('variable', 'line', 'function', 'block'):
    same (by, sums (rows ('offenders-' + by), (), *counts), sums (site, (), *counts))
told = [dict (row, reads=row['count'] if row['event'] == 'read' else 0, writes=row['count'] if row['event'] == 'write' else 0)
        for row in rows ('contexts')]
same ('contexts', sums (context, ('line', 'context'), 'reads', 'writes'), sums (told, ('line', 'context'), 'reads', 'writes'))
made = [dict (row, bytes=row['sum'], blocks=row['count']) for row in rows ('contexts') if row['event'] in ('allocate', 'move')]
same ('allocations', sums (block, ('line', 'context'), 'blocks', 'bytes'), sums (made, ('line', 'context'), 'blocks', 'bytes'))
blocks = [dict (row, line=row['line'] if row['function'] != '(no block)' else '0') for row in rows ('blocks')]
same ('blocks', sums (block, ('line',), 'reads', 'writes', 'blocks', 'bytes'), sums (blocks, ('line',), 'reads', 'writes', 'blocks', 'bytes'))
chains = {row['context'].split (':')[0] for row in block if row['function'] == 'make'}
if chains != {'make < few', 'make < many'}:
    sys.exit (f'chains of make: {chains}')
PY
}

run ()
{
  CABPROF_OPTIONS=data=$1:analyses=offenders,$caches+cache,$caches+contexts+blocks:$2 ./prog "${@:3}" >/dev/null
}
run whole "trace=whole.trace" || fail "the program fails"
check whole
run inline placement=inline || fail "the program fails"
check inline
(run killed "ring=64K:chunk=4K" x) 2>/dev/null && fail "it was not killed"
check killed
"$CABPROF" trace replay whole.trace -d replayed || fail "replay fails"
check replayed
for report in offenders-context offenders-block cache; do
  [ $report != cache ] || { table whole cache; table replayed cache; }
  diff whole-$report.tsv replayed-$report.tsv || fail "$report: the replayed trace gives another one than the live run"
done

# As stages of a pipe.  One thread, and no range: what the run counted while it ran; of a marked trace by anything.
for by in site variable line function loop; do
  for level in D1 LL; do
    "$CABPROF" report -d whole offenders --by=$by --level=$level --format=tsv | cut -f 1-14 >live.tsv
    "$CABPROF" trace filter --thread=1 whole.trace | "$CABPROF" cache --mark --D1=1K,2,64 --LL=32K,4,64 - |
      "$CABPROF" offenders --by=$by --level=$level --format=tsv - 2>err | cut -f 1-14 >stage.tsv
    [ ! -s err ] && [ "$(wc -l <stage.tsv)" -ge 2 ] || fail "offenders: $(cat err stage.tsv)"
    diff live.tsv stage.tsv || fail "--by=$by --level=$level: a stage (>) counts otherwise than the run (<)"
  done
done
"$CABPROF" report -d whole offenders >live
"$CABPROF" cache --mark --D1=1K,2,64 --LL=32K,4,64 whole.trace | "$CABPROF" offenders - >stage
diff live stage || fail "text differs"
"$CABPROF" offenders whole.trace 2>err && fail "a trace without levels is taken"
grep -q 'have no level: pass the trace through `cabprof cache --mark'"'"' first' err || fail "$(cat err)"
"$CABPROF" trace filter --kind=call whole.trace | "$CABPROF" offenders - 2>err && fail "a trace without accesses is taken"
grep -q 'no access is in it' err || fail "$(cat err)"
"$CABPROF" offenders --by=block whole.trace 2>err; [ $? = 2 ] || fail "--by=block of a trace: $(cat err)"

# Without `cache' the same misses; the other reports of caches take them from there.
CABPROF_OPTIONS=data=alone:analyses=offenders,$caches ./prog >/dev/null || fail "the program fails"
for report in cache spread offenders; do
  table whole $report
  table alone $report
  diff whole-$report.tsv alone-$report.tsv || fail "$report: another one without cache"
done
CABPROF_OPTIONS=data=without:analyses=cache ./prog >/dev/null
"$CABPROF" report -d without offenders --by=block 2>err && fail "--by=block without its analysis"
grep -q 'CABPROF_OPTIONS=analyses=offenders$' err || fail "$(cat err)"
# A stage of a pipe cannot, and says who can.
"$CABPROF" offenders --by=context - </dev/null 2>err
[ $? = 2 ] && grep -q 'profiles do, with analyses=offenders' err || fail "--by=context of a trace: $(cat err)"
# Contexts that are wider than the terminal stand below their rows, whole.
COLUMNS=60 "$CABPROF" report -d whole offenders --by=context --limit=0 >narrow || fail "no report"
"$CABPROF" report -d whole offenders --by=context --format=tsv | awk -F'\t' 'NR > 1 { print $NF }' | tr -d ' \n' >chains
grep '^    ' narrow | tail -n +2 | tr -d ' \n' >below
[ -s chains ] && cmp chains below || fail "narrow: other contexts: $(head narrow)"
exit 0
