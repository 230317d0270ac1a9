#!/bin/bash
# install.sh - make install into another directory works, the result can be used from there, and
# make uninstall leaves nothing.
# SPDX-License-Identifier: GPL-3.0-or-later
# serial
. "$(dirname "$0")/lib.sh"
root=$here/root
prefix=/opt/cab
unset CABPROF_PLUGIN_ARGS CABPROF_DISABLE CABPROF_GCC
installed=$root$prefix
mk () { make -s -C "$top" BUILD="$build" PREFIX=$prefix DESTDIR="$root" "$@"; }

enter "make install"
run_quiet mk install && passed

enter "what is there"
plugins=$($CC -print-file-name=plugin)
missing=
for file in "$installed"/bin/cabprof{,-gcc,-g++,-gfortran} \
  "$installed"/lib/{cabprof.so,libcabprof.so.1,libcabprof-{sample,heap}.so,libcabprof.a} \
  "$installed"/include/cabprof/event.h "$installed"/share/man/man1/cabprof.1 \
  "$installed/lib/cabprof/gcc-$($CC -dumpversion | cut -d. -f1).so"; do
  [ -e "$file" ] || missing+=" $file"
done
[ "$(readlink "$root$plugins/cabprof.so")" = $prefix/lib/cabprof.so ] ||
  missing+=" $root$plugins/cabprof.so"
[ -z "$missing" ] && passed || failed "missing:$missing"

# A program that is compiled with the installed files finds the installed runtime.
cat >"$here/p.c" <<'END'
__attribute__ ((noinline, noclone)) int f (int x) { return x; }
int main (void) { return f (0); }
END
uses ()
{
  enter "$1"
  shift
  run_quiet "$@" -O2 "$here/p.c" -o prog || return
  strings -a prog | grep -qx "$installed/lib/libcabprof.so.1" ||
    { failed "looks for another runtime"; return; }
  said=$(CABPROF_OPTIONS=data=$PWD/data ./prog 2>&1) && [ -z "$said" ] ||
    { failed "unexpected message: $said"; return; }
  check_calls f 1 && passed
}
uses "by path" $CC -fplugin="$installed/lib/cabprof.so"
CABPROF_GCC=$CC uses "by the wrapper" "$installed/bin/cabprof-gcc"
# GCC's own directory of plugins is as it would be without DESTDIR.
ln -sf "$installed/lib/cabprof.so" "$root$plugins/cabprof.so"
uses "by a link in the directory of plugins" $CC -fplugin="$root$plugins/cabprof.so"
# The loader finds the library by its soname, as with its cache.
LD_LIBRARY_PATH=$installed/lib uses "-fplugin=cabprof.so" $CC -fplugin=cabprof.so
enter "a cache of the loader's"
printf '%s\n' "$installed/lib" >conf
/sbin/ldconfig -X -f conf -C cache 2>/dev/null &&
  { /sbin/ldconfig -p -C cache | grep -q '^[[:space:]]*cabprof.so ' && passed ||
  failed "has no cabprof.so"; }

enter "the runtime is gone"
cp -a "$installed" gone
run_quiet $CC -fplugin="$PWD/gone/lib/cabprof.so" -O2 "$here/p.c" -o prog
rm gone/lib/libcabprof.so.1
said=$(cd / && "$here/case/prog" 2>&1)
status=$?
[ $status = 0 ] &&
  [ "$said" = "cabprof: $PWD/gone/lib/libcabprof.so.1: runtime not found: install cabprof, or put libcabprof.so.1 where the loader looks; running unprofiled" ] \
  && passed || failed "exit status $status: $said"

enter "the runtime is gone: one line, however many modules miss it"
cp -a "$installed" gone
echo 'int g (int x) { return x; }' >g.c
run_quiet $CC -fplugin="$PWD/gone/lib/cabprof.so" -O2 -fPIC -shared g.c -o libg.so &&
  run_quiet $CC -fplugin="$PWD/gone/lib/cabprof.so" -O2 "$here/p.c" \
  -Wl,--no-as-needed ./libg.so -o prog
rm gone/lib/libcabprof.so.1
[ "$(./prog 2>&1 | grep -c "runtime not found")" = 1 ] && passed || failed "$(./prog 2>&1)"

enter "make uninstall"
run_quiet mk uninstall
left=$(find "$root" ! -type d)
[ -z "$left" ] && passed || failed "leaves $left"
finish
