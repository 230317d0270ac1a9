#!/bin/bash
# scalars.sh - `cabprof report scalars' shows what records say of loops; of profiles without that it
# says so; records that are damaged hurt no others.
# SPDX-License-Identifier: GPL-3.0-or-later
# fast

. "$(dirname "$0")/../lib.sh"
need_build
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int never (int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main (int argc, char **argv)
{
  double a[50], s = 0, x = 1;
  for (int i = 0; i < 50; i++)
    {
      a[i] = i;
      s += a[i];
      x = x * 0.5 + 1;
    }
  for (int i = 0; i < 7; i++)
    {
      if (a[i] < 0)
	break;
      printf ("%g\n", a[i]);
    }
  printf ("%g %g\n", s, x);
  return argc > 9 ? never (argc) : 0;
}
END
probed loops prog.c prog -O2
./prog >/dev/null || fail "prog fails"

# Text has the loops that ran, by their iterations; what hinders most stands first.
"$CABPROF" report scalars >text || fail "report scalars"
is "loops in text" "$(grep -c ' loop  ' text)" 2
grep -Eq '^main +prog.c +7 +50 +variable +x +carried +11 +each iteration needs the one before' text ||
  fail "x is not carried: $(cat text)"
grep -Eq '^main +prog.c +7 +50 +variable +s +reduction +10 +by \+, rounding depends on the order' \
  text || fail "s is not reduced: $(cat text)"
grep -Eq '^main +prog.c +13 +7 +loop +- +other +- +line 15 may leave it' text ||
  fail "the loop with break: $(cat text)"
is "order" "$(grep -o 'variable  [sxi] ' text | tr -d '\n')" \
  "variable  x variable  s variable  i variable  i "

# TSV has all loops; flags and words are those of the record.
rows scalars | cut -f1,3,6-11 | grep -v '^never' >got
cat >wanted <<'END'
main	7	50	loop	-	canonical	canonical	0
main	7	50	variable	x	carried	-	11
main	7	50	variable	s	reduction	+	10
main	7	50	variable	i	induction	1	7
main	13	7	loop	-	other	break:15	0
main	13	7	variable	i	induction	1	13
main	13	7	call	printf	io	-	17
END
diff wanted got || fail "TSV differs"
is "never's loop" "$(rows scalars --function=never | cut -f6-8,12 | head -1 | cut -f2,3)" "loop	-"
"$CABPROF" report scalars --format=json | python3 -m json.tool >/dev/null || fail "bad JSON"

# A profile of an earlier version has none of these lines.
cp -r cabprof.data old
for file in old/modules/*.info; do
  perl -0777 -pi -e 's/\n[cvku]\t/\nx\t/g' "$file"
done
"$CABPROF" report scalars -d old >out 2>err && fail "an old profile has scalars: $(cat out)"
grep -q 'no records of what the source does in loops: compile with' err || fail "says: $(cat err)"
"$CABPROF" report trips -d old | grep -q main || fail "no trips in an old profile"

# Damaged lines: whatever they are, the reader neither crashes nor invents loops.
for change in 's/\nv\t\d/\nv\t9/g' 's/\nc\t\d\t/\nc\t-1\t/' 's/\tcarried\t/\tstrange\t/' \
  's/\nk\t/\nk\t\t/g' 's/(\nv\t[^\n]*)\t[^\t\n]*\n/$1\n/g' 's/\nc\t/\nx\t/'; do
  rm -rf bad && cp -r cabprof.data bad
  for file in bad/modules/*.info; do
    perl -0777 -pi -e "$change" "$file"
  done
  "$CABPROF" report scalars -d bad --format=tsv >out 2>err
  [ $? -lt 2 ] || fail "$change: status $?: $(cat err)"
done
rm -rf bad && cp -r cabprof.data bad && perl -0777 -pi -e 's/\tcarried\t/\tstrange\t/' \
  bad/modules/*.info
is "a class of later versions" "$(rows scalars -d bad | grep -c '	x	?	')" 1
