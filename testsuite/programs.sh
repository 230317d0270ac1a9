# programs.sh - the real programs of the test suite: how to fetch, build and run each. Read it after
# lib.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   program_fetch NAME              sets P_SOURCES, P_FLAGS, P_LIBS, P_COMPILER; skips the test if
#                                   there is no source
#   program_build NAME DIR FLAGS... compiles each source and links to DIR/NAME
#   program_run NAME DIR SCALE      runs DIR/NAME in DIR over a fixed input; output in DIR/out,
#                                   status in DIR/status
# SCALE is tiny (for tools that slow a program a hundredfold), small (about 0.1 s plain) or bench (1
# to 3 s).

PROGRAMS_C="bzip2 minigzip lua sqlite3"
PROGRAMS_OTHER="containers exceptions shapes stencil lu"
PROGRAMS="$PROGRAMS_C $PROGRAMS_OTHER"

# cab_data BYTES: print the name of a file of BYTES bytes, made of text and code of this machine,
# the same at every call.
cab_data ()
{
  local file=$BUILD/data/$1
  mkdir -p "$BUILD/data"
  (
    flock 9
    [ -s "$file" ] && exit 0
    find /usr/include /usr/lib/gcc /usr/share/doc /usr/share/perl /usr/bin -type f -size +3k \
      2>/dev/null | LC_ALL=C sort | head -n 20000 \
      | tr '\n' '\0' | xargs -0 cat 2>/dev/null | head -c "$1" >"$file.new"
    mv "$file.new" "$file"
  ) 9>"$BUILD/data/.lock"
  [ "$(stat -c %s "$file")" = "$1" ] ||
    fail "not enough data on this machine for a file of $1 bytes"
  echo "$file"
}

# Make SQLite one file, once, from its source tree (its makefile needs tclsh).
program_amalgamation ()
{
  need tclsh
  local place=$BUILD/sources/sqlite3/amalgamation
  (
    flock 9
    [ -e "$place/.done" ] && exit 0
    mkdir -p "$place" && cd "$place" || exit 1
    "$SOURCE/configure" --disable-tcl >log 2>&1 && make sqlite3.c shell.c >>log 2>&1 || exit 1
    touch .done
  ) 9>"$BUILD/sources/.lock.sqlite3" ||
    fail "sqlite3: the amalgamation cannot be made: see $place/log"
  SOURCE=$place
}

# Build Lua so that the paths of its look-ups depend neither on the time nor on addresses: with a
# fixed seed, no cache by address (both by flags), and no hashing of addresses.
program_lua ()
{
  local place=$BUILD/sources/lua5.4/fixed
  (
    flock 9
    [ -e "$place/.done" ] && exit 0
    mkdir -p "$place" && cp "$SOURCE"/src/*.[ch] "$place" || exit 1
    echo '#define DEB_HOST_MULTIARCH "none"' >"$place/lua5.4-deb-multiarch.h"
    sed -i 's/^#define point2uint(p).*/#define point2uint(p) ((void) (p), 0u)/' "$place/llimits.h"
    grep -q 'void) (p), 0u' "$place/llimits.h" || exit 1
    touch "$place/.done"
  ) 9>"$BUILD/sources/.lock.lua" || fail "lua5.4: the source is not as expected"
  SOURCE=$place
}

# Configure GNU awk, once, without what needs other libraries. It is in none of the lists above.
program_gawk ()
{
  local place=$BUILD/sources/gawk/made
  (
    flock 9
    [ -e "$place/.done" ] && exit 0
    mkdir -p "$place" && cd "$place" || exit 1
    "$SOURCE/configure" --disable-extensions --disable-nls --without-readline --without-mpfr >log \
      2>&1 || exit 1
    touch .done
  ) 9>"$BUILD/sources/.lock.gawk" || fail "gawk: cannot be configured: see $place/log"
  P_FLAGS="-DHAVE_CONFIG_H -DGAWK -DDEFPATH=\".\" -DDEFLIBPATH=\".\" -DSHLIBEXT=\"so\" -DLOCALEDIR=\".\" -I$place -I$SOURCE -I$SOURCE/support"
  P_SOURCES="$(ls "$SOURCE"/*.c) $(printf "$SOURCE/support/%s.c " dfa getopt getopt1 localeinfo \
    pma random regex)"
  P_LIBS=-lm
}

program_fetch ()
{
  P_FLAGS= P_LIBS= P_COMPILER=${GCC:-gcc}
  local place=$TOP/testsuite/programs source
  case $1 in
  bzip2)
    need_source bzip2
    P_SOURCES=
    for source in blocksort huffman crctable randtable compress decompress bzlib \
      bzip2; do P_SOURCES+=" $SOURCE/$source.c"; done
    P_FLAGS="-D_FILE_OFFSET_BITS=64" ;;
  minigzip)
    need_source zlib
    P_SOURCES=$(ls "$SOURCE"/*.c | grep -v -e /gzread -e /contrib; ls "$SOURCE"/gzread.c \
      "$SOURCE"/test/minigzip.c)
    P_FLAGS="-I$SOURCE -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1" ;;
  lua)
    need_source lua5.4
    program_lua
    P_SOURCES=$(ls "$SOURCE"/*.c | grep -v /luac.c)
    P_FLAGS="-DLUA_COMPAT_5_3 -DLUA_USE_POSIX -Dluai_makeseed(L)=42u -DSTRCACHE_N=1 -DSTRCACHE_M=2" P_LIBS=-lm ;;
  sqlite3)
    need_source sqlite3
    program_amalgamation
    P_SOURCES="$SOURCE/sqlite3.c $SOURCE/shell.c"
    P_FLAGS="-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=0" P_LIBS=-lm ;;
  gawk)
    need_source gawk
    program_gawk ;;
  containers | exceptions | shapes)
    P_SOURCES=$place/$1.cc P_COMPILER=${GCC:-gcc} P_COMPILER=${P_COMPILER/gcc/g++} \
      P_FLAGS=-std=gnu++17 ;;
  stencil | lu)
    P_SOURCES=$place/$1.f90 P_COMPILER=${GCC:-gcc} P_COMPILER=${P_COMPILER/gcc/gfortran} ;;
  *)
    fail "no program $1" ;;
  esac
  need $P_COMPILER
}

# Compile two sources at a time, since the longest program is one of two files.
program_build ()
{
  local name=$1 dir=$2
  shift 2
  mkdir -p "$dir"
  (
    cd "$dir" || exit 1
    rm -f ./*.o ./*.gcno ./*.gcda
    printf '%s\n' $P_SOURCES | xargs -P 2 -n 1 $P_COMPILER -w $P_FLAGS "$@" -c &&
      $P_COMPILER "$@" -o "$name" ./*.o $P_LIBS
  ) >"$dir/build.log" 2>&1 || { cat "$dir/build.log"; fail "$name does not build with $*"; }
}

# Where it is allowed, run programs without address space randomization, since some hash addresses.
program_run ()
{
  local name=$1 dir=$2 n data fixed=
  setarch -R true 2>/dev/null && fixed="setarch -R"
  (
    cd "$dir" || exit 1
    rm -f out
    case $name:$3 in
    bzip2:small | minigzip:small | gawk:small) data=$(cab_data 1000000) ;;
    bzip2:bench) data=$(cab_data 12000000) ;;
    minigzip:bench) data=$(cab_data 40000000) ;;
    bzip2:tiny | minigzip:tiny | gawk:tiny) data=$(cab_data 60000) ;;
    *:small | *:tiny) n=1 ;;
    lua:bench) n=40 ;;
    sqlite3:bench) n=30 ;;
    *:bench) n=100 ;;
    esac
    case $name in
    bzip2) $fixed ./bzip2 -9 -c "$data" >out && $fixed ./bzip2 -dc out >out.2 &&
      cmp "$data" out.2 ;;
    gawk) $fixed ./gawk \
      '{ n[$1]++; gsub (/[aeiou]+/, "<&>"); t += length ($0) } END { for (w in n) s += n[w] * length (w); print s, t, sprintf ("%08.3f", t / NR) }' "$data" >out ;;
    minigzip) $fixed ./minigzip -c <"$data" >out && $fixed ./minigzip -d <out >out.2 &&
      cmp "$data" out.2 ;;
    lua) $fixed ./lua "$TOP/testsuite/programs/workload.lua" $n >out ;;
    sqlite3) while [ $((n--)) -gt 0 ]; do cat "$TOP/testsuite/programs/workload.sql"
    echo '.open :memory:'; done | $fixed ./sqlite3 :memory: >out ;;
    *) $fixed ./$name $n >out ;;
    esac
    echo $? >status
    rm -f out.2
  ) 2>"$dir/err"
}
