#!/bin/bash
# usage.sh - the command and each subcommand have help; wrong usage gives status 2 and one line.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

expect 0 "$CABPROF" --help; quiet; prints '^Usage: cabprof COMMAND'
expect 0 "$CABPROF" --version; quiet; prints '^cabprof [0-9]'
expect 2 "$CABPROF"; prints '^Usage:'
expect 2 "$CABPROF" frobnicate; says 'frobnicate: no such command'
expect 2 "$CABPROF" --frobnicate; says '--frobnicate'

"$CABPROF" --help >commands || fail "--help"
commands=$(sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' commands)
for wanted in record report annotate diff merge export cache info doctor; do
  grep -qx $wanted <<<"$commands" || fail "cabprof --help does not name $wanted"
done
for command in $commands; do
  expect 0 "$CABPROF" $command --help; quiet; prints "^Usage: cabprof $command"
  expect 2 "$CABPROF" $command --frobnicate; says '--frobnicate: '
  expect 2 "$CABPROF" $command -Z; says '-Z: '
done

tally data
for command in 'report methods' 'diff data data' annotate; do
  expect 2 "$CABPROF" $command --format=xml; says 'xml: no such format'
  expect 2 "$CABPROF" $command --format; says 'a value is missing'
done
for command in 'report methods' 'diff data data'; do
  for limit in -1 x '' 1x 99999999999999999999; do
    expect 2 "$CABPROF" $command --limit="$limit"; says 'not a number of rows'
  done
done
expect 2 "$CABPROF" report frobs -d data; says 'frobs: no such report'
expect 2 "$CABPROF" report methods -d data --sort=weight; says 'weight: '
# No option is accepted and then ignored.
for option in --threads --fold-recursion --copies --curve --by=line --level=LL --html=page; do
  for report in methods lines ''; do
    [ "$report$option" != --html=page ] || continue   # that is a page of the whole profile
    expect 2 "$CABPROF" report $report -d data $option; says "${option%=*}: goes with the report"
  done
done
[ ! -e page ] || fail "a page"
for option in --format=json --sort=calls --limit=3; do
  expect 2 "$CABPROF" report -d data $option
  says "${option%=*}: goes with a report, but none is named"
done
expect 2 "$CABPROF" report cache -d data --function=main
says '--function: this report is of the whole program'
expect 2 "$CABPROF" report account -d data --file=tally.c
says '--file: this report is of the whole program'
expect 2 "$CABPROF" report reuse --curve -d data --file=tally.c
says '--file: this report is of the whole program'
expect 2 "$CABPROF" report methods calls; says 'calls: one report at a time'
expect 2 "$CABPROF" export -d data; says 'format: is missing'
expect 2 "$CABPROF" export xml -d data; says 'xml: no such format'
expect 2 "$CABPROF" export lcov folded -d data; says 'folded: one format'
expect 2 "$CABPROF" annotate a b; says 'b: one file'
expect 2 "$CABPROF" diff data; says 'two profiles'
expect 2 "$CABPROF" diff data data data; says 'one profile too many'
expect 2 "$CABPROF" diff --only=frobs data data; says 'frobs: no such kind'
for gate in x '' -3 5% nan inf; do
  expect 2 "$CABPROF" diff --gate="$gate" data data; says 'no percentage'
done
expect 2 "$CABPROF" export lcov -d data -o ''; says 'name is empty'
expect 2 "$CABPROF" merge data; says 'the new profile'
expect 2 "$CABPROF" merge -o new; says 'no profile to merge'
expect 2 "$CABPROF" merge data -o; says 'a value is missing'
expect 2 "$CABPROF" record; [ -s err ] || fail "record without a program says nothing"

# Each option that the help names is taken, with a value if and only if the help shows one.
for command in $commands; do
  "$CABPROF" $command --help >help
  [ -z "$(expand help | awk 'length > 80 && $1 != "Usage:"')" ] ||
    fail "$command --help is wider than 80 columns"
  options=$(sed -n 's/^  \(-[-A-Za-z0-9]*\)\([= ][A-Z]\)\{0,1\}.*/\1\2/p' help | tr ' ' = | sort -u)
  [ -n "$options" ] || fail "$command --help names no options"
  [ $command = trace ] && continue   # its stages have them
  for option in $options; do
    case $option in
      --html) expect 1 "$CABPROF" report --html -d none; says 'none: ' ;;   # its value may lack
      *=*) expect 2 "$CABPROF" $command "${option%=*}"; says "${option%=*}: a value is missing" ;;
      *) expect 2 "$CABPROF" $command "$option=1"; says "$option=1: no such option" ;;
    esac
  done
done
expect 2 "$CABPROF" trace filter --process=0 none; says '0: no number'
expect 2 "$CABPROF" trace filter --compress; says '--compress: a value is missing'
expect 2 "$CABPROF" trace check --analysis=paths --seed=x none; says 'x: not a number'
expect 2 "$CABPROF" top 1 --interval=nan; says 'nan: not a number of seconds'
expect 2 "$CABPROF" record --rate=0 true; says '0: is not a number of samples per second'
