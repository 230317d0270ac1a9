#!/bin/bash
# export-timeline.sh - `cabprof export chrome' and `export perfetto' have the same calls, to the
# nanosecond, as `cabprof timeline list', whatever bytes are in names.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3

cat >calls.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <sys/prctl.h>
#include <unistd.h>
static jmp_buf env;
static volatile unsigned sink;
__attribute__ ((noipa)) static void leaf (int n) { for (int i = 0; i < n; i++) sink += i; }
__attribute__ ((noipa)) static void
deep (int n) { if (n) deep (n - 1); else longjmp (env, 1); sink++; }
__attribute__ ((noipa)) static void handle (int n) { leaf (n); leaf (n == 9 ? 200000 : 1); sink++; }
__attribute__ ((noipa)) static void *
work (void *n)
{
  prctl (PR_SET_NAME, "caf\xe9\"<b>");
  for (long i = 0; i < (long) n; i++)
    handle (i);
  return NULL;
}
int
main (void)
{
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, (void *) (10 + 10 * i));
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  if (!setjmp (env))
    deep (3);
  usleep (2000);
  if (fork () == 0)
    handle (4);
  return 0;
}
C
probed calls+time calls.c calls -O2 -pthread
CABPROF_OPTIONS=analyses=timeline ./calls || fail "calls: exit status $?"
sleep 0.1   # the child

cat >spans.py <<'C'
"""spans.py FILE: the slices of Chrome's JSON: thread, begin, duration, name."""
import json, re, sys
events = json.loads (open (sys.argv[1]).read (), parse_float=str)['traceEvents']
ns = lambda us: int (us.replace ('.', ''))
names = {}
for e in events:
    if e['ph'] == 'M':
        names[(e['pid'], e['tid'], e['name'])] = e['args']['name']
        continue
    assert e['ph'] == 'X' and re.fullmatch (r'\d+\.\d{3}', e['ts']) and e['cat'] == 'call'
    assert (e['pid'], e['tid'], 'thread_name') in names
    print (e['tid'], ns (e['ts']), ns (e['dur']), e['name'], sep='\t')
assert 'caf\u00e9"<b>' in names.values (), names
C
for options in "" "--longer=20us"; do
  "$CABPROF" timeline list $options --program=all --format=tsv >list.tsv || fail "timeline list"
  awk -F'\t' -v OFS='\t' 'NR > 1 && !/^#/ { print $9, $1, $2, $4 }' list.tsv | sort >wanted
  "$CABPROF" export chrome $options -o calls.json || fail "export chrome"
  python3 spans.py calls.json | sort >chrome || fail "Chrome's JSON"
  cmp wanted chrome || fail "chrome $options: $(diff wanted chrome | head)"
  "$CABPROF" export perfetto $options -o calls.pftrace || fail "export perfetto"
  python3 "$TOP"/testsuite/cli/perfetto.py calls.pftrace >perfetto || fail "TrackEvents"
  sort perfetto | cmp wanted - || fail "perfetto $options: $(sort perfetto | diff wanted - | head)"
  [ -s wanted ] || fail "nothing was compared"
done
[ "$(wc -l <wanted)" -lt 20 ] || fail "--longer leaves all in"
wrong () { "${@:3}" >out 2>&1; [ $? = "$1" ] && grep -q "$2" out || fail "$*: $(cat out)"; }
wrong 2 "is for chrome and perfetto" "$CABPROF" export folded --longer=1ms
wrong 2 "not a time" "$CABPROF" export chrome --longer=ages
probed calls calls.c plain -O2 -pthread
CABPROF_OPTIONS=data=plain.d ./plain
wrong 1 "compile with -fplugin-arg-cabprof-events=calls+time" \
  "$CABPROF" export perfetto -d plain.d -o no
[ ! -e no ] || fail "a file without a timeline"
exit 0
