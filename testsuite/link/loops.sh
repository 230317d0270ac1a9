#!/bin/bash
# loops.sh - source loops have one identity and one checksum at every level, with and without
# probes, -g and -flto, in another directory and by every compiler of the language; the checksum
# changes only when the loop itself changes.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
tests=$top/testsuite/link
src=$tests/src/loops

compiler_of ()
{
  case $1 in *.cc) echo $CXX ;; *.c) echo $CC ;; *) sed 's/gcc\([^/]*\)$/gfortran\1/' <<<"$CC" ;; \
    esac
}

# table FILE: print a line per loop of an ELF file: function, file, line and column, ordinal, last
# line, checksum, parent, depth, flags.
table ()
{
  python3 "$tests/records.py" "$1" L | awk -F'\t' -v OFS='\t' '
    /^L/ { function_ = $2; n = 0 }
    /^f/ { file[n++] = $2 }
    /^l/ { i = index ($2, ":"); print function_, file[substr ($2, 1, i - 1)], substr ($2, i + 1), $3, $4, $5, $6, $7, $8 }' | sort
}

# in_file FILE: of a table, keep the loops in FILE. A loop over a vector is made of functions of
# the C++ library, of which each compiler has its own: it has no checksum here.
in_file ()
{
  awk -F'\t' -v OFS='\t' -v file="$1" '$1 ~ /St6vector/ { $6 = "-" } $2 == file'
}

# same NAME EXPECTED ELF [FILE]: check that the loops of ELF, or those that are in FILE, are those
# in the file EXPECTED.
same ()
{
  name=$1
  table "$3" | if [ -n "${4:-}" ]; then in_file "$4"; else cat; fi >"$3.table"
  diff "$2" "$3.table" >difference && passed || failed "other loops:"$'\n'"$(head -n 6 difference)"
}

enter "identity"
cp "$src"/kernels.* .
for file in kernels.c kernels.cc kernels.f90; do
  compiler=$(compiler_of $file)
  command -v $compiler >/dev/null || { skipped "$compiler is not installed"; continue; }
  run_quiet $compiler "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c $file -o first.o ||
    continue
  table first.o >expected
  [ "$(wc -l <expected)" -ge 5 ] || failed "$file: $(wc -l <expected) loops"
  while read -r flags; do
    run_quiet $compiler "${plugin[@]}" $flags -c $file -o other.o && same "$file $flags" expected \
      other.o
  done <<'end'
-O1 -fplugin-arg-cabprof-events=none
-O3 -fplugin-arg-cabprof-events=none -g
-Ofast -fplugin-arg-cabprof-events=none -march=x86-64-v3 -funroll-loops
-O1 -g -fplugin-arg-cabprof-events=loops
-O2 -fplugin-arg-cabprof-events=paths+calls
-O3 -g -fplugin-arg-cabprof-events=paths+calls+loops -fplugin-arg-cabprof-outcome
-Ofast -fplugin-arg-cabprof-paths=trace -fplugin-arg-cabprof-ring=cab
-O2 -fplugin-arg-cabprof-outcome
-O2 -flto -ffat-lto-objects -fplugin-arg-cabprof-events=none
end
  # The link compiles objects that hold only GIMPLE.
  run_quiet $compiler "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -flto -c $file \
    -o other.o &&
    run_quiet $compiler -O2 -flto other.o -o program && same "$file -flto, linked" expected program
  # In another directory the file name differs, unless a prefix map restores it.
  mkdir -p elsewhere/deep && cp $file elsewhere/deep
  run_quiet $compiler "${plugin[@]}" -fplugin-arg-cabprof-events=none -O3 \
    -g "-ffile-prefix-map=$PWD/elsewhere/deep/=" \
    -c "$PWD/elsewhere/deep/$file" -o other.o && same "$file elsewhere, mapped" expected other.o
  run_quiet $compiler "${plugin[@]}" -fplugin-arg-cabprof-events=none -O3 -c elsewhere/deep/$file \
    -o other.o &&
    sed "s:\\t$file:\\telsewhere/deep/$file:" expected >moved && same "$file elsewhere" moved \
    other.o
  # Another compiler of the language gives the same places and the same structure of loops. It may
  # have a C++ library of its own, with other loops.
  other=${compiler%-[0-9]*}-${other_version}
  if ! command -v "$other" >/dev/null || ! [ -e "$build/cabprof/gcc-$other_version.so" ]; then
    skipped "$file by $other: it is not installed, or no module was built for it"
  else
    run_quiet $other "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c $file -o other.o &&
      in_file $file <expected >own &&
      same "$file $other" own other.o $file
  fi
done

# Two loops of one macro have the same place, so they have ordinals; a destructor's loop that exists
# twice is flagged.
enter "equals"
cp "$src"/kernels.c .
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c kernels.c -o first.o
table first.o >expected
[ "$(awk -F'\t' '$1 == "macros" { printf "%s%s ", $4, $9 }' expected)" = "0m 1m " ] && passed ||
  failed "loops of a macro: $(grep macros expected)"
[ "$(awk -F'\t' '$1 == "words" { printf "%s/%s ", $7, $8 }' expected)" = "-/1 0/2 1/3 " ] &&
  passed || failed "nesting: $(grep words expected)"
printf 'real function both (a, b)\n  real :: a(:), b(:)\n  both = sum (a) + sum (b)\nend function\n' >both.f90
name="two sums on a line"
if command -v $(compiler_of both.f90) >/dev/null; then
  run_quiet $(compiler_of both.f90) "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 \
    -c both.f90 -o both.o
  [ "$(table both.o | awk -F'\t' '{ printf "%s%s ", $4, $9 }')" = "0u 1u " ] && passed ||
    failed "loops that nothing tells apart: $(table both.o)"
else
  skipped "$(compiler_of both.f90) is not installed"
fi

# changed NAME WANTED COMMAND-OF-SED: check which functions' loops get another checksum, whatever
# their lines, if kernels.c is edited by the command.
changed ()
{
  name=$1
  sed "$3" "$src/kernels.c" >kernels.c
  ! cmp -s kernels.c "$src/kernels.c" || { failed "the edit changes nothing"; return; }
  run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c kernels.c -o other.o ||
    return
  local are
  are=$(diff <(cut -f 1,6 expected | sort) <(table other.o | cut -f 1,6 | sort) |
    sed -n 's/^> //p' | cut -f 1 | sort -u | tr '\n' ' ')
  [ "$are" = "$2" ] && passed || failed "the checksums of \`$are' changed, not those of \`$2'"
}
name="calls that headers of another C library rename"
cat >calls.c <<'C'
long NAME (const char *p, char **end, int base) __asm__ ("NAME");
long add (const char **p, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += NAME (p[i], 0, 10);
  return s;
}
C
for called in strtol __isoc23_strtol strtoul; do
  sed "s/NAME/$called/g" calls.c >$called.c
  run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c $called.c -o other.o
  table other.o | cut -f 6 >$called.sum
done
cmp -s strtol.sum __isoc23_strtol.sum && ! cmp -s strtol.sum strtoul.sum && passed ||
  failed "$(cat ./*.sum)"
changed "a line above" "" '3a /* a remark */'
changed "arithmetic" "" 's/y\[i\] += a \* x\[i\]/y[i] += 3 * a * x[i]/'
changed "another bound" "" '/^three/,/^}/s/i < 3/i < 5/'
changed "a call" "saxpy " 's/y\[i\] += a \* x\[i\]/y[i] += a * rand ()/'
changed "an exit" "add " '/^add/,/^}/s/a\[i\] += b\[i\];/{ if (!b[i]) return; a[i] += b[i]; }/'
changed "a loop inside" "add " \
  '/^add/,/^}/s/a\[i\] += b\[i\];/for (int k = 0; k < n; k++) a[i] += b[k];/'
finish
