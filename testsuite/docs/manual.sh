#!/bin/bash
# manual.sh - the manual and the programs have the same options of the plugin, of the runtime and of
# each command, the same variables and columns.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc scdoc
man=$TOP/docs/man

# same WHAT FILE-OF-THE-PROGRAM FILE-OF-THE-MANUAL: check that both have the same lines; < marks
# what only the program has.
same ()
{
  if [ -s "$2" ] && diff "$2" "$3" >difference; then
    passed
  else
    failed "$1: the program (<) and the manual (>) differ, or the program says nothing:"
    grep '^[<>]' difference
  fi
}

# section PAGE TITLE: print the lines below a heading, up to the next one as high or higher.
section ()
{
  awk -v title="$2" '
    /^#+ / { level = index ($0, " ") - 1; name = substr ($0, level + 2)
	     if (inside && level <= inside) inside = 0
	     if (name == title) { inside = level; next } }
    inside' "$man/$1.scd"
}

# Print the word in bold that begins each unindented line of the input: *a=*_B_ -> a.
entries ()
{
  sed -n 's/^\*\([^*=]*\)[*=].*/\1/p'
}

check_pages ()
{
  local page name
  for page in "$man"/*.scd; do
    name=$(basename "$page" .scd)
    if ! scdoc <"$page" >"$name" 2>words || [ -s words ]; then
      failed "$name: scdoc: $(cat words)"
    # A full stop at the beginning of a line is lost.
    elif grep -n '^[[:space:]]*[.]' "$page"; then
      failed "$name: a line begins with a point"
    elif ! command -v groff >/dev/null; then
      left_out "$name: groff is not installed"
    elif groff -man -t -ww -Kutf8 -Tutf8 -z "$name" 2>&1 | grep . ; then
      failed "$name: groff warns"
    else
      passed
    fi
  done
}

check_plugin ()
{
  gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-none-such -x c -c /dev/null -o none.o 2>&1 |
    sed -n 's/.*known are //p' | tr -d ' =' | tr , '\n' | sort >known
  section cabprof-plugin.7 OPTIONS | entries | sort >told
  same "options of the plugin" known told
  local key value
  for key in events paths loops ring; do
    gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-$key=none-such -x c -c /dev/null -o none.o 2>&1 |
      sed -n 's/.*: give //p' | sed 's/or several.*//' | tr -d ' ' | tr , '\n' | grep . |
      sort >known
    section cabprof-plugin.7 OPTIONS |
      awk -v key="*$key=" 'index ($0, "*") == 1 { in_it = index ($0, key) == 1 } in_it' >entry
    while read -r value; do
      grep -q "[*|]$value[*|]" entry && echo "$value"
    done <known >told
    same "values of $key=" known told
  done
}

check_runtime ()
{
  echo 'int main (void) { return 0; }' >tiny.c
  gcc -fplugin="$PLUGIN" tiny.c -o tiny || fail "tiny.c does not compile"
  CABPROF_OPTIONS=none-such ./tiny 2>&1 | sed -n 's/.*known are //p' | sed 's/;.*//; s/=[^,]*//g' |
    tr -d ' ' | tr , '\n' | sort >known
  section cabprof-environment.7 "OPTIONS OF THE RUNTIME" | grep -v '^\*CABPROF' | entries |
    sort >told
  same "options of the runtime" known told
  CABPROF_OPTIONS=analyses=none-such ./tiny 2>&1 | sed -n 's/.*known are //p' | sed 's/;.*//' |
    tr -d ' ' | tr , '\n' | sort >known
  section cabprof-environment.7 "OPTIONS OF THE RUNTIME" | sed -n '/^\*analyses=/,/^\*/p' |
    tr -s '\n\t' '  ' | grep -o '\*[a-z]*\* (' | tr -d '*( ' | sort >told
  same "analyses" known told
}

check_variables ()
{
  {
    grep -roh 'getenv ("[A-Z_]*")' "$TOP"/{rt,analyses,plugin,loopfb/formats} |
      sed 's/.*"\(.*\)".*/\1/'
    grep -oh '"CABPROF_[A-Z_]*=' "$TOP"/plugin/stub/*.c | tr -d '"='   # it has no getenv
  } | sort -u >known
  section cabprof-environment.7 VARIABLES |  grep '^\*' | grep -o '[A-Z][A-Z_]*' | sort -u >told
  same "variables" known told
  sed -n '/Environment:/,$p' < <("$CGCC" --cabprof-help) | grep -o '^  [A-Z][A-Z_]*' | tr -d ' ' |
    sort >known
  section cabprof-gcc.1 ENVIRONMENT | entries | sort >told
  same "variables of cabprof-gcc" known told
}

check_commands ()
{
  local command
  "$CABPROF" --help | grep -o '^  [a-z]*' | tr -d ' ' | sort >known
  section cabprof.1 SYNOPSIS | grep -o '^\*cabprof [a-z]\+' | sed 's/.* //' | sort >told
  same "commands" known told
  for command in $(cat known); do
    # A command without options prints at least this.
    { echo --help; "$CABPROF" $command --help | grep -oE '^  --?[A-Za-z0-9-]+' | tr -d ' '; } |
      sort -u >options
    { echo --help; section cabprof.1 "${command^^}" | grep '^\*-' | grep -oE '\*--?[A-Za-z0-9-]+' |
      tr -d '*'; } | sort -u >told
    same "options of cabprof $command" options told
  done
}

# columns TITLE COMMAND...: check that the header that COMMAND prints has the columns of the section
# TITLE, in order.
columns ()
{
  local title=$1
  shift
  "$CABPROF" "$@" --format=tsv 2>/dev/null | grep -v '^#' | head -n 1 | tr '\t' '\n' >known
  section cabprof-formats.5 "$title" | grep '^\*' | grep -o '\*[a-z0-9_]*\*' | tr -d '*' >told
  same "columns of $*" known told
}

check_columns ()
{
  local report name
  printf '#include <cabprof/cabprof.h>\nint main (int n, char **v) { int s = cabprof_region_begin ("all"); for (int i = 0; i < n; i++) s += v[i] != 0; return s != n; }\n' >tiny.c
  probed paths+calls+time+loops+memory+values tiny.c tiny -I"$TOP"/include
  # Each analysis runs, also one that is new.
  for name in $(CABPROF_OPTIONS=analyses=none-such ./tiny 2>&1 |
    sed -n 's/.*known are \(.*\), count, layout;.*/\1/p' | tr , ' '); do
    CABPROF_OPTIONS=data=one:analyses=$name ./tiny || fail "tiny does not run"
  done
  CABPROF_OPTIONS=data=two ./tiny || fail "tiny does not run"
  CABPROF_OPTIONS=data=share:sample=100%:chunk=64 ./tiny || fail "tiny does not run"
  CABPROF_OPTIONS=data=divided:analyses=values:delegates=2 ./tiny || fail "tiny does not run"
  echo '{"schema":1,"format":"cabprof samples","source":{"name":"cpu-clock","kind":"perf",
    "randomised":"no","period":1,"unit":"ns"},"n":1,
    "lost":0,"weight":1,"unknown":0,"unknown_weight":0,"kernel":1,"kernel_weight":1,"overhead":null,"overhead_how":"","modules":[],
    "addresses":[],"data":[[6,-1,0,-1,0,0,0,1,1,0]]}' >one/samples.json
  # Samples with contexts need a run that takes a while.
  echo 'int main (void) { volatile long n = 0; for (long i = 0; i < 100000000; i++) n += i; return 0; }' >spin.c
  gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls -g spin.c -o spin && "$CABPROF" record \
    -d sampled ./spin || fail "spin does not run"
  for report in $("$CABPROF" report --help | sed -n '/^$/,/^$/p' | grep -o '^  [a-z]*' |
    tr -d ' '); do
    case $report in
      delegates) columns $report report $report -d divided ;;
      tree | hotcontexts) columns $report report $report -d sampled ;;
      methods | calls | paths | lines | accesses) columns $report report $report -d share ;;
      *) columns $report report $report -d one ;;
    esac
  done
  columns "reuse --curve" report reuse --curve -d one
  columns "sharing --by=line" report sharing --by=line -d one
  columns "timeline list" timeline list -d one
  columns "timeline histogram" timeline histogram -d one
  columns annotate annotate -d share
  columns diff diff one two
  echo 'I  400000,4' >trace
  columns cache cache trace
  for report in functions units skipped; do
    columns "info --$report" info -d one --$report
  done
}

check_pages
check_plugin
check_runtime
check_variables
check_commands
check_columns
cases
