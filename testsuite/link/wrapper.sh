#!/bin/bash
# wrapper.sh - cabprof-gcc in the place of gcc adds the right arguments, leaves others alone, and
# calls the right compiler.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
wrapper=$build/bin/cabprof-gcc
unset CABPROF_PLUGIN_ARGS CABPROF_DISABLE CABPROF_GCC

# The fake compiler prints the arguments that reach it.
mkdir "$here/fake"
printf '#!/bin/sh\necho "$(basename "$0")" "$@"\n' >"$here/fake/gcc"
chmod +x "$here/fake/gcc"
for other in g++ gfortran gcc-7 g++-7 gfortran-7; do cp "$here/fake/gcc" "$here/fake/$other"; done
printf 'x.c -static' >"$here/static.rsp"
printf -- '-c x.c' >"$here/compile.rsp"

# passes EXPECTED COMMAND...: check how the compiler is called; PLUGIN stands for the plugin's
# option and RUNTIME for what a static link needs.
passes ()
{
  local expected=$1 got
  shift
  enter "$*"
  expected=${expected//PLUGIN/-fplugin=$build/cabprof.so}
  local runtime="-x none -Wl,-u,cabprof_attach,-u,cabprof_detach,-u,cab_gthreads"
  expected=${expected//RUNTIME/$runtime $build/lib/libcabprof.a -lpthread}
  got=$(PATH=$here/fake:$PATH env "$@" 2>&1)
  [ "$got" = "$expected" ] && passed || failed "calls"$'\n'"$got"$'\n'"and not"$'\n'"$expected"
}

passes "gcc PLUGIN -c x.c" $wrapper -c x.c
passes "g++ PLUGIN -c x.cc" $build/bin/cabprof-g++ -c x.cc
passes "gfortran PLUGIN -c x.f90" $build/bin/cabprof-gfortran -c x.f90
passes "gcc PLUGIN -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-verbose -c x.c" \
  CABPROF_PLUGIN_ARGS=" events=calls  verbose " $wrapper -c x.c
passes "gcc -c x.c -static" CABPROF_DISABLE=1 CABPROF_PLUGIN_ARGS=verbose $wrapper -c x.c -static
passes "gcc PLUGIN -c x.c" CABPROF_DISABLE=0 $wrapper -c x.c
passes "gcc -fplugin=cabprof -c x.c" $wrapper -fplugin=cabprof -c x.c
passes "gcc PLUGIN -fplugin=other -c x.c" $wrapper -fplugin=other -c x.c
passes "gcc-7 PLUGIN -c x.c" CABPROF_GCC=gcc-7 $wrapper -c x.c
passes "g++-7 PLUGIN -c x.cc" CABPROF_GCC=gcc-7 $build/bin/cabprof-g++ -c x.cc
passes "gfortran-7 PLUGIN x.f" CABPROF_GCC="$here/fake/gcc-7" $build/bin/cabprof-gfortran x.f
passes "gcc PLUGIN -static x.c RUNTIME" $wrapper -static x.c
passes "gcc PLUGIN x.o -static-pie -o x RUNTIME" $wrapper x.o -static-pie -o x
passes "gcc PLUGIN @$here/static.rsp RUNTIME" $wrapper @$here/static.rsp
passes "gcc PLUGIN -static @$here/compile.rsp" $wrapper -static @$here/compile.rsp
for flag in -c -S -E -M -MM -r -shared -fsyntax-only -nostdlib -nodefaultlibs; do
  passes "gcc PLUGIN -static $flag x.c" $wrapper -static $flag x.c
done
for flag in -v --version -dumpversion -print-search-dirs --help; do
  passes "gcc PLUGIN -static $flag" $wrapper -static $flag
done
passes "gcc PLUGIN @no-such-file" $wrapper @no-such-file
mkdir "$here/mask"
ln -s $wrapper "$here/mask/gcc"
ln -s $wrapper "$here/mask/g++"
passes "gcc PLUGIN -c x.c" PATH="$here/mask:$here/fake:$PATH" gcc -c x.c
passes "g++ PLUGIN -c x.c" PATH="$here/mask:$here/fake:$PATH" g++ -c x.c
passes "cabprof-gcc: gcc-77: not found, or this wrapper itself: install it, or name a compiler in CABPROF_GCC" CABPROF_GCC=gcc-77 $wrapper -c x.c
passes "cabprof-gcc: $wrapper: not found, or this wrapper itself: install it, or name a compiler in CABPROF_GCC" CABPROF_GCC=$wrapper $wrapper -c x.c
passes "cabprof-g++: icc: CABPROF_GCC has no \"gcc\" in it to put g++ or gfortran in its place: name GCC's C compiler there" \
  CABPROF_GCC=icc $build/bin/cabprof-g++ -c x.c

# The wrapper is used as a configure script would use it, and for a static program that is profiled.
export CABPROF_GCC=$CC
for question in --version -dumpmachine -dumpversion -print-libgcc-file-name -print-prog-name=ld; do
  enter "answers $question"
  [ "$($wrapper $question 2>&1)" = "$($CC $question 2>&1)" ] && passed ||
    failed "differs from gcc's: $($wrapper $question 2>&1)"
done
enter "-E"
echo '__attribute__ ((noinline, noclone)) int f (int x) { return x; } int main (void) { return f (0); }' >"$here/p.c"
[ "$($wrapper -E -P "$here/p.c")" = "$($CC -E -P "$here/p.c")" ] && passed ||
  failed "differs from gcc's"
for flags in "-O2 -static" "-O2 -static-pie" "-O2 -flto -static" \
  "-O2 -static -Wl,--gc-sections -ffunction-sections" "-O2 -pthread -static" "-O2 -static -x c"; do
  enter "profiles with $flags"
  run_quiet $wrapper $flags "$here/p.c" -o prog || continue
  said=$(CABPROF_OPTIONS=data=$PWD/data ./prog 2>&1) && [ -z "$said" ] ||
    { failed "unexpected message: $said"; continue; }
  check_calls f 1 && check_calls main 1 && passed
done
# GCC's libraries for other languages look for threads by weak symbols: with the runtime they find
# some.
cat >"$here/q.cc" <<'END'
#include <mutex>
#include <stdexcept>
static std::once_flag once;
__attribute__ ((noinline, noclone)) static int risky (int i) { if (i % 3 == 0) throw std::runtime_error ("3"); return i; }
int main ()
{
  int caught = 0;
  for (int i = 0; i < 9; i++)
    try { risky (i); } catch (std::exception &) { caught++; }
  std::call_once (once, [&] { caught++; });
  return caught != 4;
}
END
cat >"$here/q.f90" <<'END'
program p
  character (8) :: word
  integer :: k
  open (7, status='scratch')
  write (7, *) risky (4)
  rewind 7
  read (7, *) k
  write (word, '(i0)') k
  print '(a)', trim (word)
contains
  integer function risky (n)
    integer, intent (in) :: n
    risky = n + 1
  end function
end program
END
for source in q.cc q.f90; do
  for flags in "-O0 -static" "-O2 -static-pie" "-O2 -flto -static -Wl,--gc-sections"; do
    enter "$source profiles with $flags"
    tool=$build/bin/cabprof-g++ printed=
    [ $source = q.cc ] || { tool=$build/bin/cabprof-gfortran printed=5; command \
      -v gfortran >/dev/null || continue; }
    CABPROF_PLUGIN_ARGS=events=paths+calls run_quiet $tool $flags -fno-inline "$here/$source" \
      -o prog || continue
    said=$(CABPROF_OPTIONS=data=$PWD/data ./prog 2>&1) && [ "$said" = "$printed" ] ||
      { failed "unexpected message: $said"; continue; }
    check_calls main 1 && check_ended && passed
  done
done
enter "--cabprof-help"
$wrapper --cabprof-help | grep -q CABPROF_PLUGIN_ARGS && passed || failed "no help"
finish
