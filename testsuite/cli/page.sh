#!/bin/bash
# page.sh - cabprof report --html: the page of a real profile opens in a browser from the disk,
# shows the figures of the reports, and is not harmed by names with markup; bad input.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3
unset CABPROF_OPTIONS CABPROF_SESSION

cat >list.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct node { long key; char pad[40]; struct node *next; long hits; char name[64]; };
static struct node *table[256];
static double grid[64][64];
static struct node *
find (long key)
{
  for (struct node *n = table[key % 256]; n; n = n->next)
    if (n->key == key)
      return n;
  return NULL;
}
static void
insert (long key)
{
  struct node *n = calloc (1, sizeof *n);
  n->key = key;
  n->next = table[key % 256];
  table[key % 256] = n;
}
static void __attribute__ ((noipa)) f_gone (void) { }
int
main (void)
{
  long found = 0;
  f_gone ();
  for (long k = 0; k < 2000; k++)
    insert (k);
  for (long k = 0; k < 4000; k += 3)
    found += find (k) != NULL;
  for (int i = 1; i < 64; i++)
    for (int j = 1; j < 64; j++)
      grid[i][j] = grid[i - 1][j] + grid[i][j - 1] + 1;
  return found == 0;
}
C
probed paths+calls+time+loops+memory+values list.c list -O1 -fplugin-arg-cabprof-context
analyses=layout+blocks+contexts+loops+offenders+reuse+tree+timeline
CABPROF_OPTIONS=analyses=$analyses:data=data ./list ||
  fail "list: exit status $?"

# page DIR FILE: write the page, without a word.
page () { expect 0 "$CABPROF" report --html -d "$1" -o "$2"; quiet; }

page data page.html
[ "$(stat -c %s page.html)" -lt 1000000 ] || fail "the page has $(stat -c %s page.html) bytes"
grep -E 'src="|url\(|@import|href="[^#]' page.html && fail "the page loads something"
tables=()
for key in methods calls paths lines layout account trips reuse contexts accesses:variable \
  accesses:line offenders offenders:variable offenders:line offenders:context blocks timeline; do
  what=${key#*:}
  "$CABPROF" report "${key%:*}" -d data $([ "$what" = "$key" ] || echo "--by=$what") \
    --format=tsv >"$key.tsv" || fail "no report $key"
  tables+=("$key=$key.tsv")
done
"$CABPROF" report reuse --curve -d data --format=tsv >reuse:curve.tsv || fail "no curve"
tables+=(reuse:curve=reuse:curve.tsv)

# What the page leaves out it says.
expect 0 "$CABPROF" report --html=cut.html -d data --limit=3; quiet
[ "$(stat -c %s cut.html)" -lt "$(stat -c %s page.html)" ] || fail "--limit leaves nothing out"

# A later version of the program: its lines have moved, one function has another shape, one is new
# and one is gone, and two loops make other rounds.
sed -e '4i/* A line' -e '4imore. */' -e 's/^  n->next = table/  if (key < 0)\n    return;\n&/' \
  -e 's/k < 4000; k += 3/k < 4500; k += 3/' -e 's/k < 2000/k < 2500/' -e 's/\<f_gone\>/f_new/' \
  list.c >later.c
mkdir later && mv later.c later/list.c
(cd later && probed paths+calls+time+loops+memory+values list.c list -O1 \
  -fplugin-arg-cabprof-context && CABPROF_OPTIONS=analyses=$analyses:data=../later.data ./list) ||
  fail "later/list: exit status $?"
expect 0 "$CABPROF" report --html=later.html -d later.data --baseline=data; quiet
"$CABPROF" diff data later.data --format=tsv >diff.tsv || fail "no differences"
later=()
for key in methods calls paths lines; do
  "$CABPROF" report $key -d later.data --format=tsv >later-$key.tsv || fail "no report $key"
  later+=("$key=later-$key.tsv")
done

# Names with markup and with bytes that are no UTF-8 stay text, and so do arguments.
printf '#line 1 "</script><script>window.hacked=1</script>\377<img src=x onerror=window.hacked=1>.c"\n%s\n' \
  'int f (int n) { return n ? f (n - 1) + 1 : 0; }' \
  'int main (int argc, char **argv) { return f (argc) != 2 || !argv; }' >hostile.c
build hostile hostile.c -O0
profile hostile.data ./hostile '<img src=x onerror=window.hacked=1>'
page hostile.data hostile.html
grep -aq 'window.hacked' hostile.html && fail "a name stands in the page as it is"

need chromedriver chromium
"$TOP/testsuite/browser.py" page.html "${tables[@]}" || fail "the page of list"
"$TOP/testsuite/browser.py" later.html diff=diff.tsv "${later[@]}" ||
  fail "the page with a baseline"
"$TOP/testsuite/browser.py" cut.html || fail "the page with few rows"
"$TOP/testsuite/browser.py" hostile.html || fail "the page of hostile names"

# Bad input: one message, and what was there before stays.
cp page.html kept.html
expect 1 "$CABPROF" report --html -d nosuch -o page.html; says 'nosuch: '
cmp page.html kept.html || fail "the page changed without a profile"
expect 1 "$CABPROF" report --html -d data -o nosuch/page.html; says 'nosuch/page.html: cannot write'
if [ -w /dev/full ]; then
  expect 1 "$CABPROF" report --html -d data -o /dev/full; says '/dev/full: cannot write'
fi
(ulimit -f 8; trap '' XFSZ; "$CABPROF" report --html -d data -o page.html) >out 2>err &&
  fail "a page that does not fit into the file is good"
cmp page.html kept.html || fail "the old page is gone after a failed write"
ls page.html.tmp-* 2>/dev/null && fail "a part of a page is left"
expect 2 "$CABPROF" report -d data -o page.html; says '-o: goes with --html only'
expect 1 "$CABPROF" report --html=page.html -d data --baseline=nosuch; says 'nosuch: '
cmp page.html kept.html || fail "the page changed without a baseline"
expect 2 "$CABPROF" report methods -d data --baseline=data; says '--baseline: goes with --html'
expect 2 "$CABPROF" report --html=a -d data --baseline=data --region=r; says 'leave --region out'
expect 2 "$CABPROF" report methods -d data --html; says '--html: goes with the report'
expect 2 "$CABPROF" report --html -d data --function=main; says 'a page is of the whole program'
expect 2 "$CABPROF" report --html=a -o b -d data; says '-o: the page has a file already'
exit 0
