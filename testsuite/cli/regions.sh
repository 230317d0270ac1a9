#!/bin/bash
# regions.sh - events are split by region of the source: each analysis that can keeps them apart
# exactly, and their sum is what one state would have counted.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
include=-I$TOP/include

cat >regions.c <<'C'
#include <cabprof/cabprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct node { long value; };
static int on;
static long field[64 * 1024];
static struct node nodes[5];
CABPROF_NEVER static int begin (const char *name) { return on ? cabprof_region_begin (name) : 0; }
CABPROF_NEVER static int end (const char *name) { return on ? cabprof_region_end (name) : 0; }
static int __attribute__ ((noinline)) leaf (struct node *p) { return ++p->value; }
static void __attribute__ ((noinline)) work (struct node *p, int n) { for (int i = 0; i < n; i++) leaf (p); }
static void __attribute__ ((noinline)) sweep (long *p, int n) { for (int i = 0; i < n; i++) p[i * 8] += i; }
static int __attribute__ ((noinline))
deep (struct node *p, int n)
{
  if (n)
    return 1 + deep (p, n - 1);
  int error = begin ("deep");
  leaf (p);
  return error;
}
static void *
thread (void *p)
{
  int errors = begin ("outer");
  work (p, 50);
  errors |= begin ("inner");
  work (p, 7);
  errors |= end ("outer");   /* regions may overlap */
  work (p, 5);
  return errors ? NULL : p;  /* the end of the thread ends the region `inner' */
}
/* A child that is forked in a region is in none. */
static void
child (void)
{
  work (&nodes[0], 8);
  _exit (on && end ("solve") >= 0);
}
int
main (int argc, char **argv)
{
  pthread_t t[4];
  int errors = 0, status = 0;
  const char *how = argc > 1 ? argv[1] : "";
  int forks = strstr (how, "fork") != NULL, whole = strstr (how, "whole") != NULL;
  on = !strstr (how, "plain");
  work (&nodes[0], 100);
  sweep (field, 1000);
  for (int i = 0; i < 3; i++)
    {
      errors |= begin ("solve");
      work (&nodes[0], 10);
      sweep (field, 1000);
      errors |= begin ("inner") | begin ("inner");
      work (&nodes[0], 3);
      errors |= end ("inner");
      work (&nodes[0], 1);
      if (i == 0 && forks)
	{
	  pid_t pid = fork ();
	  if (!pid)
	    child ();
	  errors |= waitpid (pid, &status, 0) != pid || status;
	}
      errors |= end ("inner") | end ("solve");
      work (&nodes[0], 1000);
      sweep (field, 1000);
    }
  for (int i = 0; i < 4; i++)
    {
      void *result;
      pthread_create (&t[i], NULL, thread, &nodes[i + 1]);
      pthread_join (t[i], &result);
      errors |= !result;
    }
  errors |= deep (&nodes[0], 30) != 30;
  work (&nodes[0], 2);
  errors |= end ("deep") | begin ("paused");
  if (on && !whole)
    {
      errors |= cabprof_pause ();
      work (&nodes[0], 11);
      errors |= cabprof_resume ();
    }
  errors |= end ("paused") | begin ("rest");
  work (&nodes[0], 20);
  if (errors)
    return 1;
  puts ("done");
  fflush (stdout);
  if (strstr (how, "wait"))
    pause ();
  return 0;
}
C

rows () { "$CABPROF" report "$@" --format=tsv 2>words | grep -v '^#' | tail -n +2; }
# sum REPORT FUNCTION-COLUMN COLUMN FUNCTION ARGUMENT...: sum COLUMN over the rows of FUNCTION.
sum ()
{
  local report=$1 of=$2 column=$3 function=$4
  shift 4
  rows "$report" "$@" | awk -F'\t' -v of="$of" -v column="$column" -v f="$function" \
    '$of == f { n += $column } END { print n + 0 }'
}

# judge WHAT: check the calls and accesses of leaf in each region.
judge ()
{
  local one region wanted
  for one in solve:42 inner:60 outer:228 deep:3 paused:0 rest:20; do
    region=${one%:*} wanted=${one#*:}
    is "$1: calls in $region" "$(sum calls 2 5 leaf --region=$region)" "$wanted"
    is "$1: tree in $region" "$(sum tree 4 5 leaf --region=$region)" "$wanted"
    is "$1: reads in $region" "$(sum accesses 2 6 leaf --region=$region)" "$wanted"
  done
  is "$1: calls" "$(sum calls 2 5 leaf)" 3413
  is "$1: all accesses of sweep" "$(sum accesses 2 6 sweep)" 7000
  is "$1: accesses of sweep in a region" "$(sum accesses 2 6 sweep --region=solve)" 3000
  is "$1: depth of the tree" \
    "$(rows tree --region=deep | awk -F'\t' '$4 == "leaf" && $5 == 1 { print $3 }')" 32
  is "$1: regions" "$(rows regions | cut -f1-3,5 | sort | xargs)" \
    'deep 1 0 4 inner 7 0 74 outer 4 0 236 paused 1 0 0 rest 1 1 21 solve 3 0 54'
}

for ring in chunk cab; do
  events=calls+memory
  [ $ring = chunk ] || events=calls
  "$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-ring=$ring \
    -fplugin-arg-cabprof-events=$events regions.c -o regions || fail "compile"
  for placement in thread inline; do
    rm -rf cabprof.data
    analyses=calls+tree+accesses
    [ $ring = chunk ] || analyses=calls+tree
    CABPROF_OPTIONS=placement=$placement:analyses=$analyses ./regions on >out ||
      fail "$ring $placement: the program reports an error"
    if [ $ring = chunk ]; then
      judge "$placement"
    else
      for one in solve:42 inner:60 outer:228 deep:3 rest:20; do
	is "cab, $placement: calls in ${one%:*}" "$(sum tree 4 5 leaf --region="${one%:*}")" \
  "${one#*:}"
      done
    fi
  done
done

# Check a process that ended, and one that was killed.
"$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-events=calls+memory regions.c -o regions ||
  fail "compile"
rm -rf cabprof.data out
mkfifo out
CABPROF_OPTIONS=analyses=calls+tree+accesses ./regions on-wait >out &
pid=$!
read -r _ <out
judge live
"$CABPROF" ctl $pid snapshot here >/dev/null || fail "snapshot"
kill -9 $pid
wait $pid 2>/dev/null >&2
judge killed
is "a snapshot" "$(sum calls 2 5 leaf --region=inner --snapshot=here)" 60
"$CABPROF" merge -o merged cabprof.data || fail "merge"
is "merged" "$("$CABPROF" report tree -d merged --region=outer --format=tsv |
  awk -F'\t' '$4 == "leaf" { n += $5 } END { print n }')" 228
"$CABPROF" info | grep -q '^regions  .*outer' || fail "info names no region"

# Check a child.
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=calls+tree ./regions on-fork >/dev/null || fail "with a child"
is "with a child: in the region" "$(sum tree 4 5 leaf --region=solve)" 42
is "with a child: in all" "$(sum tree 4 5 leaf)" 3421

# All states together count what one would have: for each analysis, function by function, a run with
# regions and one without give the same report.
"$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-events=calls+memory+values+loops regions.c \
  -o both || fail "compile"
filter=--function=/^\(leaf\|work\|sweep\)$/
rows_of ()
{
  case $1 in
    tree) rows tree | awk -F'\t' '$4 == "leaf" || $4 == "sweep" { print $3, $4, $5 }' ;;
    values) rows values "$filter" |
      cut -f1-10,13-16 ;;   \
      # without tables of values, which lose different ones when each is filled alone
    trips) rows trips "$filter" | cut -f1-15 ;;   # the other columns are cycles
    *) rows "$1" "$filter" ;;
  esac
}
for one in tree+calls+accesses+loops:tree:calls:accesses:trips values:values reuse:reuse \
  cache:offenders offenders:offenders; do
  IFS=: read -r analyses reports <<<"$one"
  for how in plain whole; do
    rm -rf cabprof.data
    CABPROF_OPTIONS=analyses=$analyses setarch -R ./both $how >/dev/null || fail "$analyses, $how"
    for report in ${reports//:/ }; do
      rows_of "$report" | sort >"$how.$report"
    done
  done
  for report in ${reports//:/ }; do
    diff "plain.$report" "whole.$report" >difference ||
      fail "$report: regions change the whole: $(cat difference)"
    [ -s "whole.$report" ] || fail "$report: no rows"
  done
done

# Reports that cannot tell regions apart say so.
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=blocks+accesses+tree ./both on >/dev/null || fail "blocks"
for report in account time loops; do
  "$CABPROF" report $report --region=inner >out.text 2>words && fail "$report was split by region"
  [ "$(wc -l <words)" = 1 ] && [ ! -s out.text ] || fail "$report: $(cat words out.text)"
done
is "beside them" "$(sum accesses 2 6 leaf --region=inner)" 60
exit 0
