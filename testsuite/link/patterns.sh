#!/bin/bash
# patterns.sh - filters of the plugin and of reports take globs and regular expressions between
# slashes, and match the names that reports show.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need g++ gfortran

mkdir -p src/a
cat >src/a/names.c <<'C'
#define F(name) int __attribute__ ((noinline)) name (int i) { return i + 1; }
F (fa) F (fb) F (fab) F (xfa) F (f1) F (f22)
struct point { int x, y; } points[3];
int xs, ys;
int main (void) { points[1].x = xs; points[2].y = ys; return fa (1) + fb (2) + fab (3) + xfa (4) + f1 (5) + f22 (6) - 27; }
C

# chosen OPTION...: print the functions with probes, sorted.
chosen ()
{
  "$CGCC" -O1 -g "${@/#/-fplugin-arg-cabprof-}" "${PATHNAME:-src/a/names.c}" -o names 2>words ||
    fail "$*: $(cat words)"
  "$CABPROF" info --functions --format=tsv names | tail -n +2 | cut -f1 | sort | xargs
}

is "anchored" "$(chosen 'functions=/^f[ab]$/')" 'fa fb'
is "anywhere" "$(chosen 'functions=/fa/')" 'fa fab xfa'
is "with a comma, and a glob" "$(chosen 'functions=/^f[0-9]{1,2}$/,x*')" 'f1 f22 xfa'
is "two, the second with a comma in a bracket" "$(chosen 'functions=/^f1$/,/^x[,f]a/')" 'f1 xfa'
is "exclude" "$(chosen 'exclude=/^(main|f[0-9]+)$/')" 'fa fab fb xfa'
is "a slash in it" "$(chosen 'files=/a/names[.]c$/' 'functions=fa')" 'fa'
is "a file that does not match" "$(chosen 'files=/b/names[.]c$/')" ''
PATHNAME=$PWD/src/a/names.c
is "absolute names are globs" "$(chosen "files=$PWD/src/a/names.c" 'functions=fb')" 'fb'
is "absolute names, listed" "$(chosen "files=/nowhere/x.c,$PWD/src/*/names.c" 'functions=fb')" 'fb'

# accesses OPTION...: print the names of the recorded variables.
accesses ()
{
  rm -rf cabprof.data
  "$CGCC" -O0 -g -fplugin-arg-cabprof-events=memory "${@/#/-fplugin-arg-cabprof-}" src/a/names.c \
    -o names 2>words || fail "$*: $(cat words)"
  ./names || fail "names fails"
  "$CABPROF" report accesses --format=tsv 2>/dev/null | tail -n +2 | cut -f1 | sort -u | xargs
}
is "variables" "$(accesses 'variables=/^[xy]s$/')" 'xs ys'
is "types" "$(accesses 'types=/^(struct )?poi/')" 'points[].x points[].y'

# Filters match the names that the source and reports have, with -flto as well, where GCC forgets
# those of the source.
cat >names.cc <<'C'
#define F __attribute__ ((noipa))
struct counter { int n; F int add (int k) { return n += k; } };
namespace { F int hidden (int n) { return n; } }
namespace deep { template <typename T> F T twice (T t) { return 2 * t; } }
extern "C" F int plain (int n) { return n; }
int main () { counter c = { 0 }; return c.add (deep::twice (hidden (plain (0)))); }
C
cat >names.f90 <<'F'
module m
contains
  subroutine work (k)
    integer, value :: k
    if (k > 3) stop 1
  end subroutine
end module
program p
  use m
  call work (3)
  call other (3)
end program
subroutine other (k)
  integer :: k
  if (k > 3) stop 1
end subroutine
F
# named SOURCE OPTION...: print the linker's names of the functions with probes, with and without
# -flto.
named ()
{
  local wrapper=$CGXX source=$1 flto
  shift
  [ "$source" = names.f90 ] && wrapper=$CGFORTRAN
  for flto in -flto -fno-lto; do
    "$wrapper" -O1 $flto "${@/#/-fplugin-arg-cabprof-}" $source -o names 2>words ||
      fail "$*: $(cat words)"
    "$CABPROF" info --functions --format=tsv names | tail -n +2 | cut -f1 | sort | xargs
  done | uniq
}
is "member" "$(named names.cc 'functions=counter::add')" 'counter::add(int)'
is "unnamed namespace" "$(named names.cc 'functions=(anonymous namespace)::*')" \
  '(anonymous namespace)::hidden(int)'
is "template" "$(named names.cc 'functions=deep::twice<int>,plain')" 'deep::twice<int>(int) plain'
is "Fortran" "$(named names.f90 'functions=work')" 'm::work'
is "Fortran, as reported" "$(named names.f90 'functions=m::*')" 'm::work'
is "Fortran, no module" "$(named names.f90 'functions=other')" 'other'

# One error says where the fault is and why.
for option in 'functions=/f[/' 'exclude=a,/(/' 'files=/*{/' 'variables=/[[:x:]]/' 'types=/a{2/'; do
  "$CGCC" -c -fplugin-arg-cabprof-"$option" src/a/names.c -o names.o 2>words &&
    fail "$option: taken"
  is "$option: errors" "$(grep -c 'error:' words)" 1
  grep -q "${option%%=*}=.*bad regular expression: " words || fail "$option: $(cat words)"
done

# Reports take patterns.
rm -rf cabprof.data
chosen events=paths >/dev/null
./names || fail "names fails"
names ()
{
  "$CABPROF" report methods "$@" --format=tsv | tail -n +2 | cut -f1 | sort | xargs
}
is "report --function" "$(names --function='/^f[ab]/')" 'fa fab fb'
is "report --file" "$(names --file='/a/n[a-z]+[.]c$/' --function='/^f[0-9]/')" 'f1 f22'
"$CABPROF" report methods --function='/f(/' 2>words
[ $? = 2 ] && grep -q 'bad regular expression' words && [ "$(wc -l <words)" = 1 ] ||
  fail "a bad expression for a report: $(cat words)"
"$CABPROF" diff cabprof.data cabprof.data --file='/[/' 2>words
[ $? = 2 ] && grep -q 'bad regular expression' words ||
  fail "a bad expression for diff: $(cat words)"
