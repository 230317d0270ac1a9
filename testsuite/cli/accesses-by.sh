#!/bin/bash
# accesses-by.sh - accesses by variable, line, function, loop, and variable in a loop are the
# numbers that the source gives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# The accesses are volatile, so the compiler keeps each of them.
cat >touch.c <<'END'
static volatile long a[64], b[64];
static volatile struct { long n, sum; } s;
static inline __attribute__ ((always_inline)) void
each (int n)
{
  for (int i = 0; i < n; i++)                                    /* each: two copies */
    a[i] = i;
}
__attribute__ ((noipa)) static void
product (void)
{
  for (int i = 0; i < 10; i++)                                   /* outer */
    {
      s.n = i;
      for (int j = 0; j < 20; j++) s.sum = a[j]; for (int j = 0; j < 25; j++) b[j] = b[j + 1];    /* inner: two */
      a[0] = b[1];
    }
  s.n = 7;
}
int
main (void)
{
  each (40);
  each (30);
  product ();
  product ();
  s.sum = s.n;                                                   /* alone */
  return 0;
}
END
line () { grep -n "/\* $1" touch.c | cut -d: -f1; }
declared () { grep -n "^$1 (" touch.c | cut -d: -f1; }

# rows BY COLUMNS: print these columns of the report, sorted.
rows ()
{
  "$CABPROF" report -d data accesses --by=$1 --format=tsv >"$1.tsv" 2>err ||
    fail "--by=$1: $(cat err)"
  awk -F'\t' -v wanted="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n = split (wanted, w, " "); for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? " " : "\n" }' "$1.tsv" | LC_ALL=C sort
}

# says BY COLUMNS ROW...: check that the report has these rows and no others.
says ()
{
  rows $1 "$2" >got
  printf '%s\n' "${@:3}" | LC_ALL=C sort >wanted
  diff wanted got || fail "$options: --by=$1: the source (<) and the report (>) differ"
}

each=$(line each) outer=$(line outer) inner=$(line inner)
first=$(awk '/inner: two/ { print index ($0, "< 20") }' touch.c) \
  second=$(awk '/inner: two/ { print index ($0, "< 25") }' touch.c)
for options in -O1 "-O2 -funroll-loops" -O3; do
  probed memory touch.c touch $options
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=accesses ./touch || fail "the program fails"
  says loop-variable "function file line variable reads writes bytes accesses" \
    "main touch.c $each a[] 0 70 560 70" \
    "product touch.c $outer s.n 0 20 160 20" "product touch.c $outer a[] 0 20 160 20" \
    "product touch.c $outer b[] 20 0 160 20" \
    "product touch.c $inner a[] 400 0 3200 400" "product touch.c $inner s.sum 0 400 3200 400" \
    "product touch.c $inner b[] 500 500 8000 1000"
  # Two loops on one line differ by the column of their conditions.
  says loop "variable function line reads writes" " main $each 0 70" " product $outer 20 40" \
    " product $inner 400 400" " product $inner 500 500"
  [ "$(awk -F'\t' -v line=$inner '$4 == line { print $5 }' loop.tsv | sort -n |
    tr '\n' ' ')" = "$first $second " ] || fail "columns of loops: $(cat loop.tsv)"
  # Accesses outside of loops are in this report and not in the ones above.
  says variable "variable function file line column reads writes bytes" \
    "a[]   0 0 400 90 3920" "b[]   0 0 520 500 8160" "s.n   0 0 1 22 184" "s.sum   0 0 0 401 3208"
  says function "variable function line reads writes" " main $(declared main) 1 71" \
    " product $(declared product) 920 942"
  says line "variable function file line reads writes" "  touch.c $((each + 1)) 0 70" \
    "  touch.c $((outer + 2)) 0 20" "  touch.c $inner 900 900" \
    "  touch.c $((inner + 1)) 20 20" "  touch.c $((inner + 3)) 0 2" "  touch.c $(line alone) 1 1"
  rows site "variable line column reads writes" >sites
  [ "$(wc -l <sites)" -ge 11 ] && "$CABPROF" report -d data accesses --format=tsv |
    cmp -s - site.tsv || fail "--by=site is not the default: $(cat sites)"
done

"$CABPROF" report -d data accesses --by=loop-variable --format=json >json || fail "no JSON"
python3 -c '
import json, sys
table = json.load (open ("json"))
sys.exit (not table["total"] == 1930 == sum (row["accesses"] for row in table["rows"]))' ||
  fail "wrong JSON: $(cat json)"
for by in context block; do
  expect 2 "$CABPROF" report -d data accesses --by=$by
  grep -q "^cabprof: $by: accesses are not counted by it, but .${by}s' has them" err ||
    fail "--by=$by: $(cat err)"
done
expect 2 "$CABPROF" report -d data accesses --by=loops
grep -q 'loops: no such thing (site, .*, loop-variable' err || fail "$(cat err)"
expect 2 "$CABPROF" report -d data blocks --by=loop-variable
grep -q 'blocks are not counted by it' err || fail "$(cat err)"

# A filter that lets nothing pass is named when a report of accesses is asked for.
sed 's/^main (void)$/main (int argc, char **argv)/; s/^  each/  if (argc > 5) __builtin_free (__builtin_malloc (argc)); (void) argv;\n&/' touch.c >heap.c
words='[0-9]* accesses in the code were left out by filters when it was compiled: '
gcc -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory \
  -fplugin-arg-cabprof-variables='none*' heap.c -o none || fail "heap.c with a filter"
for argument in "" "1 2 3 4 5"; do
  rm -rf none.data
  CABPROF_OPTIONS=data=none.data ./none $argument || fail "the filtered program fails"
  "$CABPROF" report -d none.data accesses >out 2>&1
  grep -q -e "$words" -e 'variables=, types= and the like left none in the functions that ran' \
    out || fail "$argument: nothing about the filter: $(cat out)"
done
gcc -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory \
  -fplugin-arg-cabprof-variables='none*' touch.c -o none || fail "touch.c with a filter"
rm -rf none.data; CABPROF_OPTIONS=data=none.data ./none || fail "the filtered program fails"
expect 1 "$CABPROF" report -d none.data accesses; grep -q 'left none in the functions that ran' \
  err || fail "nothing about the filter: $(cat err)"
exit 0
