#!/bin/bash
# examples.sh - every line of the manual's EXAMPLES works as typed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc g++ make

mkdir bin here
for tool in cabprof cabprof-gcc cabprof-g++ cabprof-gfortran; do
  ln -s "$BUILD/bin/$tool" bin
done
# GCC finds the plugin by name, as after installation.
cat >bin/gcc <<end
#!/bin/bash
exec $(command -v gcc) "\${@/%-fplugin=cabprof/-fplugin=$PLUGIN}"
end
chmod +x bin/gcc
export PATH=$PWD/bin:$PATH

cd here || exit 1
ln -s "$BUILD" build
cat >prog.c <<'end'
#include <stdio.h>
static int
collatz (unsigned long n)
{
  int steps = 0;
  for (; n != 1; steps++)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}
int
main (void)
{
  int longest = 0;
  for (unsigned n = 1; n < 1000; n++)
    {
      int steps = collatz (n);
      longest = steps > longest ? steps : longest;
    }
  return printf ("%d\n", longest) < 0;
}
end
cp prog.c prog.cc
echo '{ "schema": 1, "format": "cabprof hints", "loops": [] }' >loops.hints
printf 'prog: prog.c\n\t$(CC) -O2 -g prog.c -o prog\n' >Makefile

for page in "$TOP"/docs/man/*.scd; do
  while IFS= read -r line; do
    case $line in
      *genhtml*) command -v genhtml >/dev/null ||
        { left_out "genhtml is not installed"; continue; } ;;
      make*) rm -f prog ;;
    esac
    if bash -e -c "$line" </dev/null >../output 2>&1 && ! grep '^cabprof: ' ../output |
      grep -qv ', recorded in '; then
      passed
    else
      failed "$(basename "$page"): $line"
      tail -n 5 ../output
    fi
    [ ! -e prog ] || cp prog prog2
  done < <(awk \
    '/^# / { inside = $2 == "EXAMPLES" } inside && /^```/ { block = !block; next } inside && block' "$page")
done
# The programs of cabprof-api(3) are compiled with each kind of probe and run: none prints an error,
# and no profile has what its program did in a pause.
api=$TOP/docs/man/cabprof-api.3.scd
for language in C C++ Fortran; do
  case $language in
    C) compiler=$CGCC file=example.c count=1 ;;
    C++) compiler=$CGXX file=example.cc count=1 ;;
    Fortran) compiler=$CGFORTRAN file=example.f90 count=1 ;;
  esac
  if [ $language = Fortran ] && ! command -v gfortran >/dev/null; then
    left_out "gfortran is not installed"
    continue
  fi
  awk -v start="In $language:" \
    '$0 == start { on = 1 } on && /^```/ { if (block++) exit; next } block == 1' "$api" >$file
  sources=$file
  [ $language != Fortran ] || sources="$TOP/include/cabprof/cabprof.f90 $file"
  rm -rf cabprof.data
  # shellcheck disable=SC2086
  if "$compiler" -O0 -g -I"$TOP/include" $sources -o example >../output 2>&1 &&
    ./example >>../output 2>&1 \
     && n=$("$CABPROF" report methods --region=solve --format=tsv |
     awk -F'\t' '$1 ~ /(solve|square)/ { n += $4 } END { print n }') && [ "$n" = $count ]; then
    passed
  else
    failed "cabprof-api(3): the example in $language: $n $(tail -n 5 ../output)"
  fi
done
[ $n_passed -gt 5 ] || failed "only $n_passed examples"
cases
