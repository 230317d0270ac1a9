#!/bin/bash
# late-functions.sh - accesses of functions that first run after many calls, nested more deeply than
# there were functions, are counted: the depth of a call is not mistaken for the number of a
# function.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc
cat >late.c <<'END'
static long cell[64];
#define F(n) __attribute__ ((noipa)) static void f##n (long i) { cell[i] += n; }
#define TEN(n) F (n##0) F (n##1) F (n##2) F (n##3) F (n##4) F (n##5) F (n##6) F (n##7) F (n##8) F (n##9)
#define G(n) f##n (i);
#define TEN_CALLS(n) G (n##0) G (n##1) G (n##2) G (n##3) G (n##4) G (n##5) G (n##6) G (n##7) G (n##8) G (n##9)
TEN (1) TEN (2) TEN (3) TEN (4)
__attribute__ ((noipa)) static void deep (long i) { cell[i]++; if (i < 50) deep (i + 1); cell[i]--; }
int main (void)
{
  for (int k = 0; k < 100; k++) deep (0);
  for (long i = 0; i < 50; i++) { TEN_CALLS (1) TEN_CALLS (2) TEN_CALLS (3) TEN_CALLS (4) }
  return 0;
}
END
${GCC:-gcc} -O1 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls+memory late.c \
  -o late >build.log 2>&1 || fail "late.c does not compile: $(cat build.log)"
for analyses in cache accesses offenders cache+accesses+offenders; do
  for placement in inline thread; do
    rm -rf profile
    CABPROF_OPTIONS=data=profile:analyses=$analyses:placement=$placement:ring=4K:chunk=512 ./late ||
      fail "late: $?"
    "$CABPROF" report account -d profile --format=tsv >account || fail "no account"
    # Each call of deep and of the others reads and writes its cell; deep does so twice.
    awk -F'\t' \
      '$1 == "accesses_told" { told = $2 } $1 == "dropped_unregistered" { dropped = $2 } END { exit !(told == 100 * 51 * 4 + 50 * 40 * 2 && dropped == 0) }' account ||
      fail "$analyses, $placement: $(grep -e accesses_told -e dropped account)"
  done
done
exit 0
