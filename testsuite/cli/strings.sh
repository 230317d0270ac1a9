#!/bin/bash
# strings.sh - functions of the C library that copy strings have the right numbers of bytes read and
# written, at each level, and the right results; calls that hide their accesses are in the account.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >prog.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { int key; char name[20]; } items[1000];
static char both[40];
#define OWN __attribute__ ((noipa))
OWN static char *copy (char *to, const char *from) { return strcpy (to, from); }
OWN static void copy_only (char *to, const char *from) { strcpy (to, from); }
OWN static void bounded (char *to, const char *from, size_t n) { strncpy (to, from, n); }
OWN static char *append (char *to, const char *from) { return strcat (to, from); }
OWN static void to_end (char *to, const char *from) { stpcpy (to, from); }
OWN static int compare (const char *a, const char *b) { return strcmp (a, b); }
int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "seven..";
  for (int i = 0; i < 1000; i++)
    {
      memset (items[i].name, '*', 20);
      if (copy (items[i].name, word) != items[i].name || compare (items[i].name, word) || items[i].name[8] != '*')
	abort ();
      copy_only (items[i].name, word);
      bounded (items[i].name, word, 12);
      if (items[i].name[11] || items[i].name[12] != '*')
	abort ();
      bounded (items[i].name, word, 4);
      both[0] = 0;
      if (append (both, word) != both || append (both, word) != both || compare (both, "seven..seven.."))
	abort ();
      to_end (both, word);
    }
  printf ("%d\n", (int) (strchr (both, '.') - both));
  return 0;
}
end

# The columns are function, reads, writes, bytes, accesses: strncpy has 12 of 8 and 4 of 4 bytes;
# strcat searches for the end of 0, then of 7 bytes.
sort >wanted <<'end'
append 2000 0 16000 2000
append 2000 0 9000 2000
append 0 2000 16000 2000
bounded 2000 0 12000 2000
bounded 0 2000 16000 2000
copy 1000 0 8000 1000
copy 0 1000 8000 1000
copy_only 1000 0 8000 1000
copy_only 0 1000 8000 1000
to_end 1000 0 8000 1000
to_end 0 1000 8000 1000
end
for options in -O0 -Og -O1 -O2 "-O2 -D_FORTIFY_SOURCE=2" "-O2 -flto" \
  "-O3 -fcompare-elim -fno-tree-ter"; do
  # shellcheck disable=SC2086
  gcc $options -w "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory prog.c -o prog ||
    fail "$options: does not compile"
  rm -rf profile
  CABPROF_OPTIONS=data=profile ./prog >out 2>&1 || fail "$options: $(cat out)"
  [ "$(cat out)" = 5 ] || fail "$options: prints $(cat out)"
  "$CABPROF" report -d profile accesses --format=tsv |
    awk -F'\t' 'NR > 1 && $2 != "main" { print $2, $6, $7, $8, $9 }' | sort >found
  cmp -s found wanted || fail "$options: $(diff wanted found)"
  "$CABPROF" report -d profile account --format=tsv |
    awk -F'\t' '$1 == "calls_unseen" { print $2, $3 }' | sort >found
  case $options in
  *FORTIFY*) grep -q '^1 strcmp$' found || fail "$options: $(cat found)" ;;
  *) printf '%s\n' '1 printf' '1 strchr' '1 strcmp' '3 ' | cmp -s - found ||
    fail "$options: $(cat found)" ;;
  esac
  "$CABPROF" info -d profile --skipped |
    grep -q 'compare .* 1 calls whose accesses are not seen: strcmp' ||
    fail "$options: $("$CABPROF" info -d profile --skipped)"
done

# A program's own strcpy is called.
cat >own.c <<'end'
int called;
char *strcpy (char *to, const char *from) { char *p = to; called++; while ((*p++ = *from++)) ; return to; }
int main (int argc, char **argv) { char text[200]; strcpy (text, argc > 9 ? argv[9] : "ours"); return called == 1 && text[3] == 's' ? 0 : 1; }
end
gcc -O1 -w "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory own.c -o own &&
  CABPROF_OPTIONS=data=profile ./own || fail "a program's own strcpy is not called"
