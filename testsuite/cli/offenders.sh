#!/bin/bash
# offenders.sh - misses by calling context and by allocation equal those that the analyses `cache',
# `contexts' and `blocks' count one by one; also for a process that kills itself, in a replayed
# trace, and with two or three levels of caches.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3 setarch

options=(-O2 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=calls,memory \
  -fplugin-arg-cabprof-context)
gcc "${options[@]}" "$TOP/testsuite/cli/src/offenders.c" -o prog ||
  fail "the program does not compile"
two=D1=1K/2/64,LL=32K/4/64
three=D1=1K/2/64,L2=4K/4/64,LL=32K/4/64
caches=$two

# table DIR REPORT OPTION...: write the report as TSV.
table ()
{
  "$CABPROF" report -d "$1" --format=tsv "${@:2}" >"$1-$2${3:+-${3#--by=}}.tsv" 2>err ||
    fail "$*: $(cat err)"
}

# titled DIR BY: check that the title counts the loads of the table, no others.
titled ()
{
  "$CABPROF" report -d "$1" offenders --by=$2 --level=D1 >text || fail "$2: no text"
  said=$(sed -n '1s/.* make 80 % of its \([0-9,]*\) read misses.*/\1/p' text | tr -d ,)
  [ "$said" = "$(awk -F'\t' '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "read_misses") at = i; next }
    { sum += $at } END { print sum + 0 }' "$1-offenders-$2.tsv")" ] ||
    fail "--by=$2: its title says $said read misses: $(head -n 1 text)"
}

# check DIR: check that the sums over the tables of one profile agree.
check ()
{
  table "$1" contexts
  table "$1" blocks
  table "$1" cache
  for by in site variable line function loop loop-variable context block; do
    table "$1" offenders --by=$by
    titled "$1" $by
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

prefixes = { row['cache']: { 'D1': '', 'L2': 'l2_', 'LL': 'll_' }[row['cache']] for row in rows ('cache') }
misses = tuple (prefix + access for prefix in prefixes.values () for access in ('read_misses', 'write_misses'))
counts = ('reads', 'writes') + misses
context, block, site = rows ('offenders-context'), rows ('offenders-block'), rows ('offenders-site')
same ('sites of contexts', sums (context, ('function', 'line', 'column'), *counts), sums (site, ('function', 'line', 'column'), *counts))
for by in ('variable', 'line', 'function', 'block'):
    same (by, sums (rows ('offenders-' + by), (), *counts), sums (site, (), *counts))
in_caches = collections.Counter ()
for row in rows ('cache'):
    if int (row['misses']):
        in_caches[prefixes[row['cache']] + row['access'] + '_misses',] = int (row['misses'])
same ('caches', sums (site, (), *misses), in_caches)
if not all (in_caches[prefix + 'read_misses',] for prefix in prefixes.values ()):
    sys.exit (f'a level misses nothing: {in_caches}')
if ('L2' in prefixes) == all (row['l2_read_misses'] == row['l2_write_misses'] == '-' for row in site):
    sys.exit ('a level that was not simulated is known, or one that was is not')
loop = ('function', 'file', 'line', 'column')
same ('loops', sums (rows ('offenders-loop-variable'), loop, *counts), sums (rows ('offenders-loop'), loop, *counts))
touched = {(row['function'], row['variable']) for row in rows ('offenders-loop-variable') if int (row['reads'])}
if not {('sum', 'node.next'), ('sum', 'node.value'), ('look', 'table[].key')} <= touched:
    sys.exit (f'variables in loops: {touched}')
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

# profile OPTIONS ARGUMENT...: run the program with its stack at the same addresses, so that the
# misses are the same. The environment is on the stack, so it is of one size.
profile ()
{
  local fill
  printf -v fill "%$((400 - ${#1}))s" ""
  CABPROF_OPTIONS=$1 FILL=$fill setarch -R ./prog "${@:2}" >/dev/null
}

run ()
{
  profile "data=$1:analyses=offenders,$caches+cache,$caches+contexts+blocks:$2" "${@:3}"
}
run whole "trace=whole.trace" || fail "the program fails"
check whole
run inline placement=inline || fail "the program fails"
check inline
caches=$three run levels "trace=levels.trace" || fail "the program fails"
check levels
(run killed "ring=64K:chunk=4K" x) 2>/dev/null && fail "it was not killed"
check killed
"$CABPROF" trace replay whole.trace -d replayed || fail "replay fails"
check replayed
for report in offenders-context offenders-block cache; do
  [ $report != cache ] || { table whole cache; table replayed cache; }
  diff whole-$report.tsv replayed-$report.tsv ||
    fail "$report: the replayed trace gives another one than the live run"
done

# stage DIR BY LEVEL CACHE...: compare the report with that of a stage of a pipe. Without marks, one
# thread and no range give what the run itself counted; a marked trace is grouped in any way.
stage ()
{
  "$CABPROF" report -d "$1" offenders --by=$2 --level=$3 --format=tsv | cut -f 1-16 >live.tsv
  "$CABPROF" trace filter --thread=1 $1.trace | "$CABPROF" cache --mark "${@:4}" - |
    "$CABPROF" offenders --by=$2 --level=$3 --format=tsv - 2>err | cut -f 1-16 >stage.tsv
  [ ! -s err ] && [ "$(wc -l <stage.tsv)" -ge 2 ] || fail "offenders: $(cat err stage.tsv)"
  diff live.tsv stage.tsv ||
    fail "$1: --by=$2 --level=$3: a stage (>) counts otherwise than the run (<)"
}
for by in site variable line function loop loop-variable; do
  for level in D1 LL; do
    stage whole $by $level --D1=1K,2,64 --LL=32K,4,64
    stage levels $by $level --D1=1K,2,64 --L2=4K,4,64 --LL=32K,4,64
  done
  stage levels $by L2 --D1=1K,2,64 --L2=4K,4,64 --LL=32K,4,64
done
awk -F'\t' \
  'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } 
   { sum += $at["misses"]; bad += $at["misses"] != $at["l2_read_misses"] + $at["l2_write_misses"] }
  END { exit bad || !sum }' live.tsv || fail "misses are not those of L2: $(cat live.tsv)"
"$CABPROF" report -d whole offenders >live
"$CABPROF" cache --mark --D1=1K,2,64 --LL=32K,4,64 whole.trace | "$CABPROF" offenders - >stage
diff live stage || fail "text differs"
# A level that does not exist gives one message; if rows were marked twice, the levels of the last
# stage count.
"$CABPROF" report -d whole spread --level=L2 2>err; [ $? = 1 ] &&
  grep -q 'no L2 was simulated: run with CABPROF_OPTIONS=' err || fail "no L2: $(cat err)"
two=(--D1=1K,2,64 --LL=32K,4,64) three=(--D1=1K,2,64 --L2=4K,4,64 --LL=32K,4,64)
"$CABPROF" cache --mark "${two[@]}" whole.trace >marked
"$CABPROF" offenders --level=L2 marked 2>err >out && fail "L2 of two levels: $(cat out)"
[ "$(wc -l <err)" = 1 ] && [ ! -s out ] &&
  grep -q 'no L2 was simulated: give `cabprof cache --mark'"'"' an --L2' err ||
  fail "no L2: $(cat err out)"
"$CABPROF" cache --mark "${three[@]}" marked | "$CABPROF" trace filter - | "$CABPROF" offenders \
  --level=L2 - >out 2>err || fail "marked again: $(cat err)"
"$CABPROF" cache --mark "${three[@]}" whole.trace | "$CABPROF" offenders --level=L2 - >stage
diff out stage || fail "marked once (>) and again (<) differ"
"$CABPROF" cache --mark "${three[@]}" whole.trace | "$CABPROF" cache --mark "${two[@]}" - |
  "$CABPROF" offenders --level=L2 - 2>err && fail "L2 of before"
"$CABPROF" offenders --level=L3 marked 2>err; [ $? = 2 ] && grep -q 'no such level (D1, L2, LL)' \
  err || fail "L3: $(cat err)"
"$CABPROF" offenders whole.trace 2>err && fail "a trace without levels is taken"
grep -q 'have no level: pass the trace through `cabprof cache --mark'"'"' first' err ||
  fail "$(cat err)"
"$CABPROF" trace filter --kind=call whole.trace | "$CABPROF" offenders - 2>err &&
  fail "a trace without accesses is taken"
grep -q 'no access is in it' err || fail "$(cat err)"
"$CABPROF" offenders --by=block whole.trace 2>err; [ $? = 2 ] ||
  fail "--by=block of a trace: $(cat err)"

# Without `cache' the misses are the same, and the other reports of caches take them from here.
# Each thread that begins moves the heap by some bytes of the C library's, so none does.
profile data=alone:analyses=offenders,$caches:placement=inline || fail "the program fails"
for report in cache spread offenders; do
  table inline $report
  table alone $report
  diff inline-$report.tsv alone-$report.tsv || fail "$report: another one without cache"
done
CABPROF_OPTIONS=data=without:analyses=cache ./prog >/dev/null
"$CABPROF" report -d without offenders --by=block 2>err && fail "--by=block without its analysis"
grep -q 'CABPROF_OPTIONS=analyses=offenders$' err || fail "$(cat err)"
# A profile that has runs with two levels and with three says so.
"$CABPROF" merge -o both whole levels || fail "merge"
for report in offenders spread; do
  "$CABPROF" report -d both $report --format=tsv | grep -q '^# processes had different caches' ||
    fail "$report of different caches says nothing"
  "$CABPROF" report -d levels $report --format=tsv | grep '^#' &&
    fail "$report of the same caches has a note"
done
# A stage of a pipe cannot do this, and says which command can.
"$CABPROF" offenders --by=context - </dev/null 2>err
[ $? = 2 ] && grep -q 'profiles do, with analyses=offenders' err ||
  fail "--by=context of a trace: $(cat err)"
# Contexts that are wider than the terminal are printed whole below their rows.
COLUMNS=60 "$CABPROF" report -d whole offenders --by=context --limit=0 >narrow || fail "no report"
"$CABPROF" report -d whole offenders --by=context --format=tsv | awk -F'\t' 'NR > 1 { print $NF }' |
  tr -d ' \n' >chains
awk '/^ +context$/ { on = 1; next } on && /^    /' narrow | tr -d ' \n' >below
[ -s chains ] && cmp chains below || fail "narrow: other contexts: $(head narrow)"
exit 0
