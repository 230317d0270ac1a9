#!/bin/bash
# html.sh - the pages of six real profiles in a browser, and of one of sampled data: each view, the
# figures of each report, and screenshots at two widths below $BUILD/html, for people to look at;
# one of a program with 10 MB of names; one of a profile of a gigabyte, with the time that it takes
# to make and to open; and one of the profiles in speedscope. `make check-html' runs it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$TOP/testsuite/programs.sh"
need_build
need chromedriver chromium python3
shots=$BUILD/html
mkdir -p "$shots"
REPORTS="methods calls paths lines layout account trips reuse blocks sharing values deps accesses
  timeline accesses:variable accesses:line offenders:variable offenders:line offenders:context
  sharing:line addresses addresses:variable"

# tables DIR: write the TSV of each report of the profile DIR that has one, and name them in TABLES.
tables ()
{
  local key what
  TABLES=()
  for key in $REPORTS; do
    what=${key#*:}
    "$CABPROF" report "${key%:*}" -d "$1" $([ "$what" = "$key" ] || echo "--by=$what") \
      --format=tsv >"$1-$key.tsv" 2>/dev/null && TABLES+=("$key=$1-$key.tsv")
  done
}

# looked_at NAME: check the page of the profile NAME.data.
looked_at ()
{
  "$CABPROF" report --html -d "$1.data" -o "$1.html" || fail "$1: no page"
  tables "$1.data"
  if "$TOP/testsuite/browser.py" --shots "$shots" "$1.html" "${TABLES[@]}"; then
    passed
  else
    failed "$1"
  fi
}

for name in lua minigzip gawk sqlite3 containers lu; do
  program_fetch $name
  program_build $name . -O1 -g -fplugin="$PLUGIN" \
    -fplugin-arg-cabprof-events=paths+calls+time+loops+memory -fplugin-arg-cabprof-context ||
    fail "$name does not compile"
  analyses=layout+blocks+contexts+loops+offenders+reuse+tree+timeline
  CABPROF_OPTIONS=analyses=$analyses:data=$name.data \
    program_run $name . tiny
  looked_at $name
done

# Page faults are samples with addresses that each machine has.
program_fetch containers
program_build containers faults -O1 -g || fail "containers does not compile"
if "$CABPROF" record --data --sample=page-faults -d faults.data -- faults/containers 50 >out \
  2>record.log; then
  looked_at faults
else
  left_out "sampled data: $(tail -n 1 record.log)"
fi

# A hundred thousand walks through random functions: each context is another one, so the profile has
# more than a gigabyte, of which the page has what weighs most.
python3 - >walks.c <<'P'
print ("""#include <stdlib.h>
static unsigned long state = 88172645463325252u;
static unsigned draw (void)
{ state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state >> 40; }
static void go (int depth);""")
for n in range (10):
    print ("__attribute__ ((noinline)) static void f%d (int depth) { go (depth); }" % n)
print ("__attribute__ ((noinline)) static void go (int depth) { if (depth) switch (draw () % 10) {")
print (" ".join ("case %d: f%d (depth - 1); break;" % (n, n) for n in range (10)))
print ("}} int main (void) { for (int i = 0; i < 100000; i++) go (20); return 0; }")
P
if $CGCC -O1 -g -fplugin-arg-cabprof-events=calls walks.c -o walks &&
  CABPROF_OPTIONS=analyses=tree:data=walks.data ./walks &&
  [ "$(du -sb walks.data | cut -f 1)" -gt 1000000000 ] &&
  seconds=$( { TIMEFORMAT=%R; time "$CABPROF" report --html -d walks.data -o walks.html; } 2>&1) &&
  [ "$(stat -c %s walks.html)" -lt 1000000 ] && "$TOP/testsuite/browser.py" walks.html &&
  opened=$("$TOP/testsuite/browser.py" --time walks.html); then
  echo "a profile of 1 GB: its page is made in $seconds s, opened in ${opened% *} s, and shows its" \
    "contexts ${opened#* } s later"
  passed
else
  failed "a profile of 1 GB"
fi
rm -rf walks.data

# 2,000 functions with names of 5,000 letters, in a file whose name is markup.
python3 - >names.c <<'P'
names = ["f%d_%s" % (i, "long" * 1250) for i in range (2000)]
print ('#line 1 "<img src=x onerror=window.hacked=1>.c"')
print ("\n".join ("void %s (void) { }" % name for name in names))
print ("int main (void) { %s return 0; }" % " ".join (name + " ();" for name in names))
P
if $CGCC -O0 -g -fplugin-arg-cabprof-events=paths+calls names.c -o names &&
  CABPROF_OPTIONS=analyses=tree:data=names.data ./names &&
  "$CABPROF" report --html -d names.data -o names.html &&
  [ "$(stat -c %s names.html)" -lt 10000000 ] && "$TOP/testsuite/browser.py" names.html; then
  passed
else
  failed "10 MB of names"
fi

# speedscope comes from npm's registry.
if ! command -v npm >/dev/null; then
  left_out "speedscope: npm is not installed"
elif ! npm install --silent --prefix "$BUILD/npm" speedscope@1 >npm.log 2>&1; then
  left_out "speedscope: the package cannot be fetched: no network? $(tail -n 1 npm.log)"
elif "$CABPROF" export speedscope -d lua.data -o lua.json &&
  "$TOP/testsuite/speedscope.py" "$BUILD/npm/node_modules/speedscope" lua.json luaV_execute; then
  passed
else
  failed "speedscope"
fi
echo "screenshots: $shots"
cases
