#!/bin/bash
# build-systems.sh - an installed cabprof works in real builds: without root, with pkg-config,
# CMake, Meson and Autoconf.
# SPDX-License-Identifier: GPL-3.0-or-later
# serial
. "$(dirname "$0")/lib.sh"
unset CABPROF_PLUGIN_ARGS CABPROF_DISABLE CABPROF_GCC CFLAGS CXXFLAGS FFLAGS LDFLAGS
export CC CXX
chmod 755 "$here"
installed=$here/root/opt/cab
run_quiet make -s -C "$top" BUILD="$build" PREFIX=/opt/cab DESTDIR="$here/root" install || finish
export PKG_CONFIG_PATH=$installed/lib/pkgconfig

# Write a program whose function f is called twice.
program ()
{
  cat >f.c <<'END'
int f (int x) { return x + 1; }
END
  cat >p.c <<'END'
extern int f (int);
int main (void) { return f (f (-2)); }
END
}

# Run PROGRAM, and check that its profile has two calls of f.
counted ()
{
  rm -rf data
  CABPROF_OPTIONS=data=$PWD/data "$@" >said 2>&1 && [ ! -s said ] ||
    { failed "$*: exit status $?: $(cat said)"; return 1; }
  check_calls f 2
}

# Check that no configure test has left a profile below this directory.
no_profiles ()
{
  local found
  found=$(find . -name 'cabprof.data*')
  [ -z "$found" ] || { failed "the configuration leaves $found"; return 1; }
}

# available COMMAND: skip the case if COMMAND is not installed.
available ()
{
  command -v "$1" >/dev/null || { skipped "$1 is not installed"; return 1; }
}

nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
enter "make install without root"
chown 65534 .
if [ "$(id -u)" != 0 ]; then
  nobody=(env)
fi
plugins=$($CC -print-file-name=plugin)
before=$(readlink "$plugins/cabprof.so")
if ! "${nobody[@]}" test -r "$top/Makefile" -a -r "$build/bin/cabprof" 2>/dev/null; then
  skipped "another user cannot read $top"
elif "${nobody[@]}" make -s -C "$top" BUILD="$build" PREFIX="$PWD/x" install >said 2>&1; then
  program
  [ "$(readlink "$plugins/cabprof.so")" = "$before" ] || failed "it wrote into $plugins"
  grep -q \
    "^cabprof: .*plugin: cannot be written, so -fplugin=cabprof does not work: use $PWD/x/bin/cabprof-gcc, or gcc \$($PWD/x/bin/cabprof --cflags)$" said \
    || failed "unexpected message: $(cat said)"
  run_quiet $CC $(x/bin/cabprof --cflags events=calls) f.c p.c -o prog && counted ./prog && passed
else
  failed "exit status $?: $(cat said)"
fi

enter "cabprof --cflags, --libs"
program
[ -z "$("$installed/bin/cabprof" --libs)" ] ||
  failed "--libs prints $("$installed/bin/cabprof" --libs)"
run_quiet $CC -static $("$installed/bin/cabprof" --cflags events=calls) f.c p.c \
  $("$installed/bin/cabprof" --libs --static) -o prog && counted ./prog && passed

enter "cabprof --cflags of a place with a blank"
cp -a "$installed" "a b"
said=$("a b/bin/cabprof" --cflags 2>&1) && failed "prints $said" ||
  { grep -q "has a blank in its name" <<<"$said" && passed || failed "unexpected message: $said"; }

enter "pkg-config"
if available pkg-config; then
  program
  run_quiet $CC $(pkg-config --cflags cabprof) -fplugin-arg-cabprof-events=calls f.c p.c \
    $(pkg-config --libs cabprof) -o prog && counted ./prog \
    && run_quiet $CC -static $(pkg-config --cflags cabprof) -fplugin-arg-cabprof-events=calls f.c \
    p.c $(pkg-config --static --libs cabprof) -o prog \
    && counted ./prog && passed
fi

# cmake_build NAME OPTION...: configure and build the current directory into NAME/.
cmake_build ()
{
  local name=$1
  shift
  cmake -S . -B "$name" -DCMAKE_PREFIX_PATH="$installed" "$@" >log 2>&1 &&
    cmake --build "$name" >>log 2>&1 || { failed "$(tail -n 5 log)"; return 1; }
}

enter "CMake"
if available cmake; then
  program
  cat >q.cc <<'END'
#include <cabprof/cabprof.h>
extern "C" int f (int x) { return x + 1; }
int main () { return f (f (-2)); }
END
  cat >CMakeLists.txt <<'END'
cmake_minimum_required (VERSION 3.13)
project (p C CXX)
include (CheckCSourceRuns)
check_c_source_runs ("int main (void) { return 0; }" RUNS)
find_package (cabprof 0.1 REQUIRED)
add_executable (p f.c p.c)
cabprof_instrument (p EVENTS calls paths OPTIONS exclude=log_* verbose)
add_executable (q q.cc)
cabprof_instrument (q EVENTS calls)
add_library (shared SHARED f.c)
cabprof_instrument (shared EVENTS calls)
add_executable (user p.c)
target_link_libraries (user shared)
add_executable (alone f.c p.c)
target_link_options (alone PRIVATE -static)
cabprof_instrument (alone EVENTS calls STATIC)
add_executable (plain f.c p.c)
END
  cmake_build b && no_profiles && counted b/p && counted b/q && counted b/user && counted b/alone \
    && { strings -a b/plain | grep -q libcabprof &&
    failed "a target is instrumented without being asked" || passed; }
fi

enter "CMake with the wrapper, which also sees the tests of the configuration"
if available cmake; then
  program
  printf 'cmake_minimum_required (VERSION 3.13)\nproject (p C CXX)\ninclude (CheckCSourceRuns)\n%s\nadd_executable (p f.c p.c)\n' \
    'check_c_source_runs ("int main (void) { return 0; }" RUNS)' >CMakeLists.txt
  export CABPROF_PLUGIN_ARGS=events=calls
  cmake_build b -DCMAKE_C_COMPILER="$installed/bin/cabprof-gcc" \
    -DCMAKE_CXX_COMPILER="$installed/bin/cabprof-g++" && no_profiles && counted b/p && passed
  unset CABPROF_PLUGIN_ARGS
fi

enter "CMake with arguments that are none"
if available cmake; then
  program
  printf 'cmake_minimum_required (VERSION 3.13)\nproject (p C)\nfind_package (cabprof REQUIRED)\nadd_executable (p f.c p.c)\ncabprof_instrument (p calls)\n' \
    >CMakeLists.txt
  cmake -S . -B b -DCMAKE_PREFIX_PATH="$installed" >log 2>&1 && failed "is taken" ||
    { grep -q "cabprof_instrument (p calls): wrong arguments" log && passed \
    || failed "$(cat log)"; }
fi

enter "Meson"
if available meson && available ninja; then
  program
  cat >meson.build <<'END'
project ('p', 'c')
cabprof = dependency ('cabprof')
meson.get_compiler ('c').run ('int main (void) { return 0; }')
executable ('p', 'f.c', 'p.c', dependencies : cabprof, c_args : '-fplugin-arg-cabprof-events=calls')
END
  { meson setup b && ninja -C b; } >log 2>&1 || failed "$(tail -n 5 log)"
  no_profiles && counted b/p && passed
fi

# autoconf_build WORD...: configure the current directory with WORDs, and make it.
autoconf_build ()
{
  ./configure "$@" >log 2>&1 && no_profiles && make >>log 2>&1 ||
    { failed "$(tail -n 5 log)"; return 1; }
}

for how in wrapper flags; do
  enter "Autoconf, $how"
  available autoconf || continue
  program
  cat >configure.ac <<'END'
AC_INIT([p], [1])
AC_PROG_CC
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [])], [], [AC_MSG_ERROR([no program runs])])
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNCS([strlcpy mmap])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
  printf 'p: f.o p.o\n\t@CC@ @CFLAGS@ f.o p.o -o p\n.c.o:\n\t@CC@ @CFLAGS@ -c $<\n' >Makefile.in
  autoconf >log 2>&1 || { failed "$(cat log)"; continue; }
  if [ $how = wrapper ]; then
    autoconf_build CC="$installed/bin/cabprof-gcc -fplugin-arg-cabprof-events=calls"
  else
    autoconf_build CFLAGS="-O2 $("$installed/bin/cabprof" --cflags events=calls)"
  fi && counted ./p && passed
done
finish
