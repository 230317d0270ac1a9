#!/bin/bash
# align.sh - a hint to align a loop's head puts each head that is left of the loop on a multiple of
# so many bytes, and changes no instruction: the assembler's text without the directives is the text
# without the hint.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/hints.lib"

# assembly LEVEL BYTES FILE: write the text of kernels with heads aligned to BYTES.
assembly ()
{
  hints 0 "$functions" tables.o "hints['schema'] = 3; row['align'] = $2" >one.hints
  compile $compiler $1 -fplugin-arg-cabprof-feedback=one.hints -S $file && [ ! -s words ] &&
    mv other.o "$3"
}

# Print the text $1 without the directives, the comments around them, and the records.
without ()
{
  grep -v -e $'^\t.balign \(16\|32\|64\)$' -e '^#APP$' -e '^#NO_APP$' -e $'^\t.asciz' "$1"
}

# Print the labels that follow a directive in the text $1, with their addresses in its object.
heads ()
{
  $CC -c -Wa,-L -x assembler "$1" -o kept.o && nm kept.o >symbols || return
  awk 'FNR == NR { address[$3] = $1; next } /^\t\.balign/ { is_next = 1 }
    is_next && /^\.L[0-9]*:/ { sub (/:/, ""); print $1, address[$1]; is_next = 0 }
    is_next && /^\t[a-z]/ { print "no label" }' symbols "$1"
}

# aligned COMPILER FILE LEVEL FUNCTIONS
aligned ()
{
  local compiler=$1 file=$2 level=$3 functions=$4 bytes
  enter "$file, align, $level"
  cp "$src/$file" .
  tables $compiler $file && assembly "$level" 0 plain.s || { failed "$(head -n 3 words)"; return; }
  for bytes in 16 32 64; do
    assembly "$level" $bytes aligned.s || { failed "$(cat words)"; return; }
    diff <(without plain.s) <(without aligned.s) >difference ||
      failed "$bytes: $(head -n 5 difference)"
    heads aligned.s >places
    [ "$(wc -l <places)" -ge "$5" ] ||
      failed "$bytes: $(wc -l <places) heads"
    while read -r label address; do
      [ $((16#$address % bytes)) = 0 ] && grep -q "^	j[a-z]*	$label$" aligned.s ||
	failed "$bytes: the head $label is at $address"
    done <places
  done
  $CC -c aligned.s -o aligned.o &&
    python3 "$tests/link/records.py" aligned.o O | awk -F'\t' '/^o/ { print $2, $5 }' >outcomes
  for function in $functions; do
    grep -q "^$function .*aligned:64" outcomes ||
      failed "the outcome of $function: $(cat outcomes)"
  done
  passed
}
aligned $CC kernels.c -O2 "choose words" 2
aligned $CC kernels.c -O3 "dot macros" 2
aligned $CC kernels.c "-O2 -fno-align-loops" "dot choose" 2
aligned $CXX kernels.cc -O3 "_Z5countRKSt6vectorIiSaIiEEi" 1
if command -v $FORTRAN >/dev/null; then
  aligned $FORTRAN kernels.f90 -O3 "__kernels_MOD_smooth" 1
else
  skipped "$FORTRAN is not installed"
fi

# What is not to grow stays as it is.
enter "align, -Os"
cp "$src/kernels.c" .
compiler=$CC file=kernels.c functions="dot choose"
tables $CC kernels.c && assembly -Os 64 small.s && ! grep -q balign small.s && passed ||
  failed "$(grep balign small.s) $(head -n 3 words)"

# With link-time optimisation the link does it, also for code inlined across units.
enter "align, -flto"
cp "$src/kernels.c" .
tables $CC kernels.c
hints 0 "dot words" tables.o "hints['schema'] = 3; row['align'] = 64" >two.hints
compile $CC -O2 -flto -fplugin-arg-cabprof-feedback=two.hints -c kernels.c &&
  mv other.o lto.o && compile $CC -O2 -flto -save-temps -fplugin-arg-cabprof-outcome lto.o &&
  grep -q $'^\t.balign 64$' ./*.ltrans0.ltrans.s &&
  python3 "$tests/link/records.py" other.o O | grep -q "^o	dot	.*aligned:64" && passed ||
  failed "$(head -n 3 words)"
finish
