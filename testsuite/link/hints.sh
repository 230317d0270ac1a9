#!/bin/bash
# hints.sh - in the second compilation a hint has the effect of the directive in the source, to the
# last instruction, or is refused with a message.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/hints.lib"

# code FILE: print its instructions.
code ()
{
  objdump -d --no-show-raw-insn --no-addresses "$1" | sed 1,3d
}

# below ARGUMENTS...: run $CC in the directory deep/down, for kernels.c.
below ()
{
  mkdir -p deep/down
  (cd deep/down && $CC "${plugin[@]}" "$@" -c ../../kernels.c -o ../../other.o 2>../../words)
}

# alike COMPILER FILE DIRECTIVE FUNCTIONS: check that a hint on the loops marked LOOP and the
# directive in front of them give the same code, and other code than neither.
alike ()
{
  local compiler=$1 file=$2 functions=$4 level
  command -v $compiler >/dev/null || { skipped "$compiler is not installed"; return; }
  enter "$file as by directive"
  cp "$src/$file" .
  mkdir directive
  sed "/LOOP/i $3" "$src/$file" >directive/$file
  tables $compiler $file || { failed "does not compile"; return; }
  hints 4 "$functions" tables.o >loops.hints
  for level in -O2 -O3; do
    name="$file as by directive, $level"
    compile $compiler $level -fplugin-arg-cabprof-feedback=loops.hints -c $file && [ ! -s words ] ||
      { failed "$(cat words)"; continue; }
    run_quiet $compiler $level -c directive/$file -o directive.o
    run_quiet $compiler $level -c $file -o plain.o
    code other.o >hinted.s; code directive.o >directive.s; code plain.o >plain.s
    diff directive.s hinted.s >difference ||
      failed "other code than by the directive: $(head difference)"
    ! cmp -s hinted.s plain.s || failed "the hint changes nothing"
    ! nm other.o | grep -q ' [^n] __cab' || failed "there are probes, or what they need"
    passed
  done
  # A link without the plugin treats hints as it treats directives: GCC loses the mark that a
  # function has them.
  name="$file as by directive, -flto"
  compile $compiler -O2 -flto -fplugin-arg-cabprof-feedback=loops.hints -c $file &&
    mv other.o lto.o && run_quiet $compiler -O2 -flto lto.o -o hinted &&
    run_quiet $compiler -O2 -flto directive/$file -o directive.exe ||
    { failed "does not compile: $(cat words)"; return; }
  code hinted >hinted.s; code directive.exe >directive.s
  diff directive.s hinted.s >difference && passed ||
    failed "other code than by the directive: $(head difference)"
  # A link with the plugin applies them.
  name="$file, -flto, linked with the plugin"
  compile $compiler -O2 -flto -fplugin-arg-cabprof-feedback=loops.hints lto.o ||
    { failed "does not link: $(cat words)"; return; }
  python3 "$tests/link/records.py" other.o O >records
  awk -F'\t' -v functions="$functions" \
    '/^o/ && index (" " functions " ", " " $2 " ") { print $5 }' records >became
  # From GCC 16 on the vectorizer may follow a factor.
  local followed='unrolled:4.*hinted:4'
  [ "$($CC -dumpversion | cut -d. -f1)" -lt 16 ] || followed+='\|vector:16,hinted:4'
  grep -q "$followed" became && ! grep -qv "$followed\|peeled,hinted:4" became &&
    passed || failed "loops became: $(cat became)"
}
alike $CC kernels.c "#pragma GCC unroll 4" "saxpy dot find"
alike $CXX kernels.cc "#pragma GCC unroll 4" \
  "_ZNK3Row5totalEd _Z3sumIdET_PKS0_i _Z3sumIiET_PKS0_i _Z5countRKSt6vectorIiSaIiEEi"
alike $FORTRAN kernels.f90 '!GCC$ unroll 4' "__kernels_MOD_smooth"

# The tests below compare kernels.c compiled with certain hints with what it is without hints, and
# with a good one.
enter "refusals"
cp "$src/kernels.c" .
tables $CC kernels.c
run_quiet $CC -O2 -c kernels.c -o plain.o && code plain.o >plain.s
hints 4 saxpy tables.o >good.hints
compile $CC -O2 -fplugin-arg-cabprof-feedback=good.hints -c kernels.c && code other.o >good.s
cmp -s plain.s good.s && failed "a hint for saxpy changes nothing"
line=$(grep -n 'LOOP' kernels.c | head -n 1 | cut -d : -f 1)

# gives NAME plain|good WORDS COMMAND...: check that the code is that without hints, or with the
# good one, and that the compiler prints WORDS, or nothing if they are empty.
gives ()
{
  local like=$2 expected=$3
  name=$1
  shift 3
  "$@" || { failed "does not compile: $(cat words)"; return; }
  code other.o | cmp -s - $like.s || { failed "the code is not $like.s"; return; }
  if [ -z "$expected" ]; then
    [ ! -s words ] || { failed "unexpected message: $(cat words)"; return; }
  else
    grep -q -- "$expected" words || { failed "the message lacks: \`$expected': $(cat words)"; \
      return; }
    [ "$(grep -c 'warning:' words)" = 1 ] || { failed "more than a warning: $(cat words)"; return; }
  fi
  passed
}

# row NAME plain|good EDIT WORDS: check a hint for saxpy that EDIT has changed.
row ()
{
  hints 4 saxpy tables.o "$3" >edited.hints
  gives "$1" $2 "$4" compile $CC -O2 -fplugin-arg-cabprof-feedback=edited.hints -c kernels.c
}
row "checksum" plain "row['checksum'] = '1'" \
  "^kernels.c:$line:[0-9]*: warning: cabprof: edited.hints: hint for line $line refused: the loop has changed"
row "line" plain "row['line'] += 1" \
  "kernels.c:[0-9]*:[0-9]*: warning: cabprof: edited.hints: hint for line $((line + 1)), column [0-9]* refused: .*saxpy. has no such"
row "column" plain "row['column'] += 1" "hint for line $line, column [0-9]* refused"
row "ordinal" plain "row['ordinal'] = 1" "hint for line $line, column [0-9]* refused"
row "function that is gone" plain "row['function'] = row['name'] = 'gone'" \
  "warning: cabprof: edited.hints: hints for .gone. refused: kernels.c has no such"
row "function of another file that is not here" plain \
  "row['function'] = 'gone'; row['file'] = 'other.c'" ""
row "function of this name in another file" plain "row['file'] = 'other.c'" ""
row "suffix of the file" good "row['file'] = '/somewhere/else/kernels.c'" ""
row "no suffix on a border" plain "row['file'] = 'mykernels.c'" ""
row "factor 0" plain "row['unroll'] = 0" ""
# Hints that were measured with another version of GCC are used where the loop is the same.
foreign="hints['gcc'] = $other_version"
row "another GCC" good "$foreign" ""
row "another GCC, another loop" plain "$foreign; row['checksum'] = '1'" \
  "hint for line $line refused: it was measured with GCC $other_version, for which the loop differs"
row "another GCC, no such loop" plain "$foreign; row['line'] += 1" \
  "hint for line $((line + 1)), column [0-9]* refused: it was measured with GCC $other_version, and .*saxpy. has no such"
row "this GCC" plain "hints['gcc'] = $($CC -dumpversion | cut -d. -f1); row['checksum'] = '1'" \
  "hint for line $line refused: the loop has changed"
other=${CC%-[0-9]*}-$other_version
if command -v "$other" >/dev/null && [ -e "$build/cabprof/gcc-$other_version.so" ]; then
  tables $other kernels.c
  hints 4 saxpy tables.o "$foreign" >foreign.hints
  gives "made by $other" good "" compile $CC -O2 -fplugin-arg-cabprof-feedback=foreign.hints \
    -c kernels.c
else
  skipped "$other or its module is not installed"
fi
tables $CC kernels.c
hints 4 saxpy tables.o >loops.hints
gives "another way to the same file" good "" below -O2 \
  -fplugin-arg-cabprof-feedback=../../loops.hints

# Hints for loops that cannot be told apart are refused even if the file asks for them.
if command -v $FORTRAN >/dev/null; then
  name="loops that cannot be told apart"
  tables $FORTRAN "$src/kernels.f90"
  hints 4 MAIN__ tables.o >untold.hints
  compile $FORTRAN -O2 -fplugin-arg-cabprof-feedback=untold.hints -c "$src/kernels.f90"
  grep -q 'refused: other loops at the same place cannot be distinguished' words && passed ||
    failed "is not refused: $(cat words)"
fi

# Files with errors are refused.
bad ()
{
  name="bad file: $1"
  printf '%s' "$1" >bad.hints
  if compile $CC -O2 -fplugin-arg-cabprof-feedback=bad.hints -c kernels.c; then
    failed "compiles"
  elif grep -q "error: cabprof: bad.hints: .*$2" words && [ "$(grep -c error words)" = 1 ]; then
    passed
  else
    failed "unexpected message: $(cat words)"
  fi
}
bad '' "is not JSON"
bad '{ "schema": 1, "format": "cabprof hints", "loops": [' "line 1: is not JSON"
bad '[]' "is no hints file"
bad '{ "schema": 1, "format": "cabprof loops", "loops": [] }' "is no hints file"
bad '{ "schema": 5, "format": "cabprof hints", "loops": [] }' \
  'its "schema" is none that this cabprof knows'
bad '{ "schema": 2, "format": "cabprof hints", "loops": [ { "function": "f", "file": "kernels.c", "line": 1, "column": 1, "ordinal": 0, "checksum": "1",
  "registers": "yes" } ] }' '"registers" is neither true nor false'
bad '{ "schema": 1, "format": "cabprof hints" }' '"loops" is not a list'
bad '{ "schema": 1, "format": "cabprof hints", "loops": [ { "function": "f" } ] }' \
  'loops\[0\]: "file" is not a text'
bad '{ "schema": 1, "format": "cabprof hints", "every": 65, "loops": [] }' \
  '"every" is not a number from 0 to 64'

# The file is found where it should be.
name="no file"
compile $CC -O2 -fplugin-arg-cabprof-feedback=none.hints -c kernels.c && failed "compiles"
grep -q 'error: cabprof: none.hints: No such file' words && passed ||
  failed "unexpected message: $(cat words)"
gives "in the directory" good "" compile $CC -O2 -fplugin-arg-cabprof-feedback -c kernels.c
gives "in a directory above" good "" below -O2 -fplugin-arg-cabprof-feedback
echo '{ "schema": 1, "format": "cabprof hints", "loops": [] }' >deep/loops.hints
gives "in the nearest directory above" plain "" below -O2 -fplugin-arg-cabprof-feedback
rm loops.hints
name="nowhere"
if compile $CC -O2 -fplugin-arg-cabprof-feedback -c kernels.c; then
  failed "compiles"
else
  grep -q 'error: cabprof: loops.hints: there is none in ' words && passed ||
    failed "unexpected message: $(cat words)"
fi
export CABPROF_FEEDBACK=good.hints
gives "variable over the option" good "" compile $CC -O2 -fplugin-arg-cabprof-feedback=none.hints \
  -c kernels.c
gives "variable without the option" good "" compile $CC -O2 -c kernels.c
export CABPROF_FEEDBACK=
gives "empty variable" plain "" compile $CC -O2 -fplugin-arg-cabprof-events=none -c kernels.c
unset CABPROF_FEEDBACK

# A hints file may ask for other things.
echo '{ "schema": 1, "format": "cabprof hints", "every": 4, "loops": [] }' >every.hints
sed '/^\(saxpy\|dot\|add\|overlap\) /,/^}/s/^  \(for\|while\) (/#pragma GCC unroll 4\n&/' \
  "$src/kernels.c" >directives.c
# In sections of their own, functions have no padding that depends on others.
run_quiet $CC -O2 -ffunction-sections -c directives.c -o directives.o
name="every loop"
compile $CC -O2 -ffunction-sections -fplugin-arg-cabprof-feedback=every.hints -c kernels.c
for function in saxpy dot add overlap; do
  diff <(objdump -d --no-show-raw-insn --no-addresses --disassemble=$function directives.o |
    sed 1,3d) \
    <(objdump -d --no-show-raw-insn --no-addresses --disassemble=$function other.o |
    sed 1,3d) >difference || failed "$function: $(head difference)"
done
passed
name="no vectorisation"
tables $CC kernels.c
hints 0 add tables.o "row['vectorize'] = False" >scalar.hints
run_quiet $CC -O3 -c kernels.c -o plain.o
compile $CC -O3 -fplugin-arg-cabprof-feedback=scalar.hints -c kernels.c
packed () { objdump -d --disassemble=add "$1" | grep -c paddd; }
[ "$(packed plain.o)" != 0 ] && [ "$(packed other.o)" = 0 ] && passed ||
  failed "paddd in add: $(packed plain.o) without the hint, $(packed other.o) with it"
name="vectorisation"
hints 0 add tables.o "row['vectorize'] = True" >vector.hints
compile $CC -O2 -fno-tree-vectorize -fplugin-arg-cabprof-feedback=vector.hints -c kernels.c
[ "$(packed other.o)" != 0 ] && passed || failed "no paddd in add"

# Probes are inserted on request as well; the hints still apply.
name="probes on request"
compile $CC -O2 -fplugin-arg-cabprof-feedback=good.hints -fplugin-arg-cabprof-events=paths \
  -c kernels.c
nm other.o | grep -q __cab_gate || failed "no probes"
python3 "$tests/link/records.py" other.o O | awk '/^O1/ { f = $2 } f == "saxpy"' |
  grep -q 'unrolled:4.*hinted:4' && passed ||
  failed "saxpy: $(python3 "$tests/link/records.py" other.o O | grep -A 3 saxpy)"
finish
