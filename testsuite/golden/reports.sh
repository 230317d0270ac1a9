#!/bin/bash
# reports.sh - every report of a profile written by hand is the text checked in beside this script
# (expected/).
#
# BLESS=1 writes the reports there; review the difference before it is committed.
# SPDX-License-Identifier: GPL-3.0-or-later
# needs: golden/cabprof golden/write-profile
# fast

here=$(dirname "$(realpath "$0")")
cabprof=$BUILD/golden/cabprof
export COLUMNS=100 TZ=UTC LC_ALL=C
failed=0
"$BUILD/golden/write-profile" cabprof.data memory levels || exit 1

# check NAME ARGUMENT...: compare standard output, standard error and exit status.
check () {
  local name=$1; shift
  { "$cabprof" "$@" 2>stderr; status=$?; sed 's/^/stderr: /' stderr; [ $status = 0 ] ||
    echo "exit status $status"; } >got
  if [ -n "$BLESS" ]; then
    cp got "$here/expected/$name"
  elif ! diff -u "$here/expected/$name" got; then
    echo "$name: cabprof $* prints something else"
    failed=$((failed + 1))
  fi
  count=$((count + 1))
}

check overview.txt report
mkdir -p timed && cp cabprof.data/102-* "$here/samples.json" timed
# Each report that --help lists, of the first of these profiles that has its events; if none has,
# in text.
for report in $("$cabprof" report --help | sed -n '/^$/,/^$/p' | grep -o '^  [a-z]*'); do
  formats=
  for dir in cabprof.data memory timed; do
    [ -z "$("$cabprof" report $report -d $dir 2>/dev/null)" ] || { formats='tsv json'; break; }
  done
  check $report.txt report $report -d $dir
  for format in $formats; do
    check $report.$format report $report -d $dir --format=$format
  done
done
check tree-folded.txt report tree --fold-recursion
check tree-threads.txt report tree --threads
check tree-by-name.tsv report tree --sort=function --format=tsv
check tree-of-cmp.tsv report tree --function=cmp --format=tsv
check methods-limited.txt report methods --limit=2 --sort=function
check methods-of-file.tsv report methods --file='a.cc' --format=tsv
check methods-by-name.tsv report methods --function='*twin*' --format=tsv
check paths-unfinished.txt report methods --sort=not_returned --limit=1
check bad-column.txt report methods --sort=nonsense
check bad-format.txt report methods --format=xml
check bad-report.txt report nonsense
check bad-limit.txt report paths --limit=-3
check bad-option.txt report --nonsense
check no-command.txt nonsense
check help.txt --help
check info.txt info
check info-functions.tsv info --functions --format=tsv
check info-skipped.txt info --skipped
check info-units.json info --units --format=json
check info-missing.txt info nosuch
COLUMNS=48 check narrow.txt report paths
check nowhere.txt report -d nosuch
# The ring of a killed process still holds events that another version wrote.
mkdir -p earlier && cp cabprof.data/102-* earlier &&
  ring=$(grep -obUaP -m1 '\x03\0\0\0\0\0\0\0\x08\0\0\0\0\x02\0\0' earlier/102-* | cut -d: -f1) \
  && printf '\1' | dd of="$(echo earlier/102-*)" bs=1 seek="$ring" conv=notrunc status=none &&
  check earlier-ring.txt report account -d earlier
check timed-overview.txt report -d timed
check time-of-kernel.json report time -d timed --format=json --function='[k]*'
check no-samples.txt report time
rm -rf sampled && mkdir sampled && cp "$here/samples.json" sampled && check sampled-overview.txt \
  report -d sampled
mkdir -p empty && check empty.txt report -d empty
rm -rf lone && mkdir -p lone && cp cabprof.data/101-* lone && check no-records.txt report methods \
  -d lone
truncate -s 700000 lone/101-* && check truncated.txt report methods -d lone
printf 'XABPART' | dd of="$(echo lone/101-*)" conv=notrunc status=none && check foreign.txt report \
  methods -d lone
check blocks-by-context.txt report blocks -d memory --by=context
check blocks-by-context.tsv report blocks -d memory --by=context --format=tsv
check blocks-by-context.json report blocks -d memory --by=context --format=json
check sharing-by-line.txt report sharing -d memory --by=line
check sharing-by-line.tsv report sharing -d memory --by=line --format=tsv
check sharing-by-line.json report sharing -d memory --by=line --format=json
for by in variable line function loop loop-variable context block; do
  check offenders-by-$by.txt report offenders -d memory --by=$by
done
check offenders-in-ll.txt report offenders -d memory --level=LL
check offenders-in-no-l2.txt report offenders -d memory --level=L2
# The same accesses go through three levels of caches.
for report in cache offenders spread; do
  check $report-of-levels.txt report $report -d levels
done
check offenders-of-levels.tsv report offenders -d levels --format=tsv
check offenders-of-levels.json report offenders -d levels --format=json
check offenders-in-l2.txt report offenders -d levels --level=L2
check spread-in-l2.txt report spread -d levels --level=L2
for by in context,variable level,block,thread line,loop; do
  check join-by-${by//,/-}.txt report join -d memory --by=$by
done
check join-by-all.tsv report join -d levels --by=variable,line,loop,level,block,thread,context \
  --format=tsv
check join-by-all.json report join -d levels --by=level,context --format=json --level=L2
check join-by-nothing.txt report join -d memory --by=level,nothing
check join-in-no-l2.txt report join -d memory --level=L2
check offenders-in-l2-by-block.txt report offenders -d levels --level=L2 --by=block
for by in variable line function loop loop-variable context block; do
  check accesses-by-$by.txt report accesses -d memory --by=$by
done
check accesses-by-loop-variable.tsv report accesses -d memory --by=loop-variable --format=tsv
check accesses-by-loop-variable.json report accesses -d memory --by=loop-variable --format=json
check reuse-curve.txt report reuse -d memory --curve
check data.txt data memory/list.trace
check data.tsv data --format=tsv memory/list.trace
check data.json data --format=json memory/list.trace
check memory-overview.txt report -d memory
check no-blocks.txt report blocks
cp cabprof.data/102-* lone && check one-of-two.tsv report methods -d lone --format=tsv

echo "CASES $((count - failed)) $failed 0"
[ $failed = 0 ]
