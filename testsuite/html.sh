#!/bin/bash
# html.sh - the pages of four real profiles in a browser: each view, the figures of each report, and
# screenshots at two widths below $BUILD/html, for people to look at; one of a program with 10 MB of
# names; and one of the profiles in speedscope. `make check-html' runs it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$TOP/testsuite/programs.sh"
need_build
need chromedriver chromium python3
shots=$BUILD/html
mkdir -p "$shots"
REPORTS="methods calls paths lines layout account trips reuse blocks sharing values deps accesses
  timeline accesses:variable accesses:line offenders:variable offenders:line offenders:context
  sharing:line"

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

for name in lua minigzip containers lu; do
  program_fetch $name
  program_build $name . -O1 -g -fplugin="$PLUGIN" \
    -fplugin-arg-cabprof-events=paths+calls+time+loops+memory -fplugin-arg-cabprof-context ||
    fail "$name does not compile"
  analyses=layout+blocks+contexts+loops+offenders+reuse+tree+timeline
  CABPROF_OPTIONS=analyses=$analyses:data=$name.data \
    program_run $name . tiny
  page=$name.html
  "$CABPROF" report --html -d $name.data -o "$page" || fail "$name: no page"
  tables $name.data
  if "$TOP/testsuite/browser.py" --shots "$shots" "$page" "${TABLES[@]}"; then
    passed
  else
    failed "$name"
  fi
done
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
