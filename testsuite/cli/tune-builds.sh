#!/bin/bash
# tune-builds.sh - cabprof tune follows builds with libtool, shared libraries, two directories,
# Fortran modules, C++ in one command, LTO, and a compiler whose path the build has written down.
# SPDX-License-Identifier: GPL-3.0-or-later
# each: libtool shared directories fortran onestep lto configured
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc g++ make objdump python3
case $1 in fortran) need gfortran ;; esac
write_burn 50 4

# As with libtool, there are two objects of one source, renamed archives, members extracted and
# archived again, and a convenience library.
make_libtool ()
{
  cat >build.sh <<'SH'
set -e
mkdir -p .libs tmp/lax
gcc -O2 -c burn.c -fPIC -DPIC -o .libs/burn.o
gcc -O2 -c burn.c -o burn.tmp >/dev/null 2>&1
mv burn.tmp burn.o
ar cru .libs/libinner.a burn.o
ranlib .libs/libinner.a
(cd tmp/lax && ar x ../../.libs/libinner.a)
ar cru libouter.a $(find tmp/lax -name '*.o')
ranlib libouter.a
rm -rf tmp
gcc -O2 -c main.c -o main.o
gcc -o .libs/prog main.o libouter.a
cp .libs/prog prog
strip prog
SH
  BUILD_COMMAND="sh build.sh"
  CODE=burn.o
}

make_shared ()
{
  cat >Makefile <<'MAKE'
prog: main.c lib/libburn.so
	$(CC) -O2 main.c -o $@ -Llib -lburn -Wl,-rpath,$(CURDIR)/lib
lib/libburn.so: burn.c
	mkdir -p lib
	$(CC) -O2 -fPIC -c burn.c -o lib/burn.o
	$(CC) -shared lib/burn.o -Wl,-soname,libburn.so.1 -o lib/libburn.so.1.0
	ln -sf libburn.so.1.0 lib/libburn.so.1
	ln -sf libburn.so.1 $@
MAKE
  CODE=lib/libburn.so.1.0
}

# make runs in another directory, sources and objects are apart, and there is a response file.
make_directories ()
{
  mkdir src
  mv burn.c main.c src
  cat >Makefile <<'MAKE'
prog: objects/main.o sub
	$(CC) @list -o $@
sub:
	$(MAKE) -C src ../objects/burn.o
objects/main.o: src/main.c
	mkdir -p objects
	$(CC) -O2 -MMD -MF objects/main.d -c -o $@ $<
.PHONY: sub
MAKE
  printf '../objects/burn.o: burn.c\n\tgcc -O2 -Wp,-MD,../objects/burn.dep -c $< -o $@\n' >src/Makefile
  echo "objects/main.o objects/burn.o" >list
  CODE=objects/burn.o
}

make_fortran ()
{
  cat >burn.f90 <<'F'
module burns
  use kinds
contains
  function burn (n) result (x) bind (c)
    use iso_c_binding
    integer (c_int), value :: n
    integer (c_int) :: x
    real (wp) :: y
    integer :: i
    y = 1
    do i = 1, n
      y = y * 0.999_wp + i
    end do
    x = iand (int (y), 1)
  end function
end module
F
  printf 'module kinds\n  integer, parameter :: wp = 8\nend module\n' >kinds.f90
  printf 'prog: kinds.f90 burn.f90 main.c\n\tmkdir -p mod\n\tgfortran -O2 -J mod -c kinds.f90\n\tgfortran -O2 -Jmod -c burn.f90\n\tgfortran -O2 main.c burn.o -o $@\n' >Makefile
  CODE=burn.o
}

make_onestep ()
{
  mv burn.c burn.cc
  sed -i 's/^unsigned$/extern "C" unsigned/' burn.cc
  sed -i 's/^unsigned burn/extern "C" unsigned burn/' main.c
  mv main.c main.cpp
  BUILD_COMMAND="g++ -O3 burn.cc main.cpp -o prog"
  CODE=prog
}

make_lto ()
{
  sed -i 's/^unsigned$/__attribute__ ((noipa)) unsigned/' burn.c
  printf 'prog: burn.o main.o\n\t$(CC) -O2 -flto burn.o main.o -o $@\n%%.o: %%.c\n\t$(CC) -O2 -flto -c $<\n' >Makefile
  CODE=prog
}

# The compiler is written down as CMake and some configure scripts do.
make_configured ()
{
  cat >Makefile <<'MAKE'
prog: main.o burn.o
	$(CC) -O2 main.o burn.o -o $@
%.o: %.c config.mk
	$(CC) -O2 -c $<
config.mk:
	echo "CC = $$(command -v gcc)" >$@
-include config.mk
MAKE
  CODE=burn.o
}

BUILD_COMMAND=make
make_$1
cp -a . ../plain-$1 && mv ../plain-$1 plain
(cd plain && $BUILD_COMMAND) >log 2>&1 || { cat log; fail "does not build"; }
run_tune 0 --build "$BUILD_COMMAND" --run "./prog" $FEW
[ "$(hint_of burn)" = 4 ] || { cat out err; fail "burn has factor '$(hint_of burn)' instead of 4"; }
[ "$(./prog)" = done ] || fail "the tuned program does not run"
[ "$(code_of "plain/$CODE" burn)" = "$(code_of "$CODE" burn)" ] &&
  fail "the hints change nothing in $CODE"

# The build has written what it would have written without cabprof, and that file is not newer:
# nothing is built again.
if [ -e config.mk ]; then
  cmp -s config.mk plain/config.mk || { cat config.mk; fail "config.mk names a compiler of ours"; }
  make -q || { make -n; fail "the tree is to be built again"; }
  touch main.c
  make >log 2>&1 || { cat log; fail "the tree does not build any more"; }
fi

# The same hints by hand give the same code.
rm -rf hand && cp -a plain hand
find hand -name '*.o' -delete
(cd hand && rm -f prog lib/*.so* config.mk && mkdir bin && ln -s "$CGCC" bin/gcc &&
  ln -s "$CGCC" bin/cc && ln -s "$CGCC" bin/g++ && ln -s "$CGCC" bin/gfortran
 PATH=$PWD/bin:$PATH CABPROF_FEEDBACK=$TEST_DIR/loops.hints $BUILD_COMMAND) >log 2>&1 ||
   { cat log; fail "does not build by hand"; }
[ "$(code_of "hand/$CODE" burn)" = "$(code_of "$CODE" burn)" ] ||
  fail "$CODE is not what the hints make of it"

# The files that were there before are still there, and no others.
(cd plain && find . -type f | sort) >before
find . -path ./plain -prune -o -path ./hand -prune -o -path ./cabprof.data -prune -o -type f \
  -print | sort |
  grep -vxE './(out|err|log|before|after|loops.hints)' >after
diff before after || fail "files (>) are new, or (<) gone"
exit 0
