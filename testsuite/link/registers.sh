#!/bin/bash
# registers.sh - a hint to rename a function's registers gives code with a loop of that function as
# -fweb -frename-registers does, to the last instruction, and leaves all other code as it is
# without. -fno-ipa-ra is needed, since otherwise a caller's registers depend on those that the
# function uses.  -ffunction-sections is needed, since otherwise the padding in front of a loop
# depends on the size of the functions before it: GCC 14 aligns loops to more than a function.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/hints.lib"

# flat FILE: print a line for each function, with its instructions, but without the padding that
# follows them.
flat ()
{
  objdump -d --no-show-raw-insn --no-addresses "$1" |
    awk '/^<.*>:$/ { printf "\n%s", $0; next } /^\t| +[a-z]/ { printf "|%s", $0 } END { print "" }' |
    sed -E 's/(\|[ \t]*((data16|cs) )*(nop|xchg +%ax,%ax)[^|]*)+$//' | grep '^<' | sort
}

# renamed COMPILER FILE LEVEL FUNCTIONS: check a hint for each of them alone; the outcome has what
# it applies to.
renamed ()
{
  local compiler=$1 file=$2 level="$3 -fno-ipa-ra -ffunction-sections" function
  enter "$file, registers, $level"
  cp "$src/$file" .
  tables $compiler $file && run_quiet $compiler $level -c $file -o plain.o &&
    run_quiet $compiler $level -fweb -frename-registers -c $file -o option.o ||
    { failed "does not compile"; return; }
  flat plain.o >plain; flat option.o >option
  for function in $4; do
    hints 0 "$function" tables.o "hints['schema'] = 2; row['registers'] = True" >one.hints
    compile $compiler $level -fplugin-arg-cabprof-feedback=one.hints -c $file && [ ! -s words ] ||
      { failed "$function: $(cat words)"; return; }
    python3 "$tests/link/records.py" other.o O |
      awk -F'\t' \
      '/^O/ { f = $2 } /^o/ && $5 ~ /(^|,)registers(,|$)/ { print "<" f ">:\n<" f ".cold>:" }' |
      sort -u >got
    grep -qxF "<$function>:" got || failed "the outcome does not say so of $function: $(cat got)"
    { grep -Ff got option; grep -vFf got plain; } | sort >expected
    flat other.o | diff expected - >difference || failed "$function: $(cut -c 1-200 difference)"
    ! grep -qvFf option <(grep -F "<$function>:" plain) &&
      failed "$function is no test of it: the options change nothing"
  done
  passed
}
renamed $CC kernels.c -O2 "choose words"
renamed $CC kernels.c -O3 "dot macros"
renamed $CXX kernels.cc -O3 "_Z5countRKSt6vectorIiSaIiEEi"
if command -v $FORTRAN >/dev/null; then
  renamed $FORTRAN kernels.f90 -O3 "__kernels_MOD_smooth"
else
  skipped "$FORTRAN is not installed"
fi

# With link-time optimisation the link applies it, and the objects say where; so it is for clones,
# and for code inlined across units.
enter "registers, -flto"
alone="-fno-ipa-ra -ffunction-sections"
cp "$src/kernels.c" .
tables $CC kernels.c
hints 0 "dot words" tables.o "hints['schema'] = 2; row['registers'] = True" >two.hints
compile $CC -O2 -flto $alone -fplugin-arg-cabprof-feedback=two.hints -c kernels.c &&
  mv other.o lto.o && compile $CC -O2 -flto $alone -fplugin-arg-cabprof-outcome lto.o &&
  mv other.o hinted.exe && run_quiet $CC -O2 -flto $alone kernels.c -o plain.exe &&
  run_quiet $CC -O2 -flto $alone -fweb -frename-registers kernels.c -o option.exe ||
  failed "does not link: $(cat words)"
python3 "$tests/link/records.py" hinted.exe O |
  awk -F'\t' \
  '/^O/ { f = $2 } /^o/ && $5 ~ /(^|,)registers(,|$)/ { print "<" f ">:\n<" f ".cold>:" }' |
  sort -u >got
flat plain.exe >plain; flat option.exe >option
{ grep -Ff got option; grep -vFf got plain; } | sort >expected
grep -q . got && flat hinted.exe | diff expected - >difference && ! flat hinted.exe |
  cmp -s - plain && passed || failed "$(cat got) $(cut -c 1-200 difference)"

finish
