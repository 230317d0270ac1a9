# programs-further.sh - further real programs, for `make torture ARGS=further': from packages that
# no other test uses. Read it after programs.sh, whose program_build builds them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   further_fetch NAME          as program_fetch
#   further_run NAME DIR        as program_run; what the times of the run decide is left out

FURTHER="lz4 zopfli jsoncpp cjson yajl tinyxml2 hybrd lmder libyaml jansson xxhash"

# further_made PACKAGE COMMAND: run COMMAND once in a directory of PACKAGE for what is made of its
# sources, $SOURCE, and set MADE to that directory.
further_made ()
{
  MADE=$BUILD/sources/$1/made
  (
    flock 9
    [ -e "$MADE/.done" ] && exit 0
    mkdir -p "$MADE" && cd "$MADE" && eval "$2" >log 2>&1 && touch .done
  ) 9>"$BUILD/sources/.lock.$1" || fail "$1: cannot be configured: see $MADE/log"
}

further_fetch ()
{
  P_FLAGS='' P_LIBS='' P_COMPILER=${GCC:-gcc}
  case $1 in
  hybrd | lmder) need_source minpack ;;
  jsoncpp) need_source libjsoncpp ;;
  *) need_source "$1" ;;
  esac
  case $1 in
  lz4)
    P_SOURCES=$(ls "$SOURCE"/lib/*.c "$SOURCE"/programs/*.c)
    P_FLAGS="-I$SOURCE/lib -DXXH_NAMESPACE=LZ4_" P_LIBS=-pthread ;;
  zopfli)
    P_SOURCES=$(ls "$SOURCE"/src/zopfli/*.c) P_LIBS=-lm ;;
  jsoncpp)
    P_SOURCES=$(ls "$SOURCE"/src/lib_json/*.cpp "$SOURCE/src/jsontestrunner/main.cpp")
    P_FLAGS=-I$SOURCE/include P_COMPILER=${P_COMPILER/gcc/g++} ;;
  cjson)
    P_SOURCES="$SOURCE/tests/misc_tests.c $SOURCE/tests/unity/src/unity.c" P_LIBS=-lm ;;
  yajl)
    further_made yajl 'mkdir yajl && cp "$SOURCE"/src/api/*.h yajl && sed "s/[$]{YAJL_M[A-Z]*}/2/" \
      "$SOURCE/src/api/yajl_version.h.cmake" >yajl/yajl_version.h'
    P_SOURCES=$(ls "$SOURCE"/src/*.c "$SOURCE"/reformatter/json_reformat.c)
    P_FLAGS="-I$MADE -I$SOURCE/src" ;;
  tinyxml2)
    P_SOURCES="$SOURCE/tinyxml2.cpp $SOURCE/xmltest.cpp" P_COMPILER=${P_COMPILER/gcc/g++} ;;
  hybrd | lmder)
    # Its sums depend on the order of operations, which vectors change.
    further_made minpack 'cp "$SOURCE/ex/file15" t_hybrd.f && cp "$SOURCE/ex/file17" t_lmder.f'
    P_SOURCES=$(ls "$SOURCE"/*.f "$MADE/t_$1.f") P_COMPILER=${P_COMPILER/gcc/gfortran}
    P_FLAGS="-std=legacy -fno-tree-vectorize" ;;
  libyaml)
    P_SOURCES=$(ls "$SOURCE"/src/*.c "$SOURCE/tests/run-parser-test-suite.c")
    P_FLAGS="-I$SOURCE/include -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2"
    P_FLAGS+=" -DYAML_VERSION_PATCH=0 -DYAML_VERSION_STRING=\"0.2\"" ;;
  jansson)
    further_made jansson 'sed -e "s/@json_inline@/inline/" -e "s/@json_have_[a-z_]*@/1/" \
      "$SOURCE/src/jansson_config.h.in" >jansson_config.h && >jansson_private_config.h'
    P_SOURCES=$(ls "$SOURCE"/src/*.c "$SOURCE/test/bin/json_process.c")
    P_FLAGS="-I$MADE -I$SOURCE/src -DHAVE_STDINT_H -DHAVE_LOCALE_H -DHAVE_STRTOLL" ;;
  xxhash)
    P_SOURCES=$(ls "$SOURCE"/xxhash.c "$SOURCE"/cli/*.c) P_FLAGS=-DXSUM_NO_TESTS=1 ;;
  *)
    fail "no program $1" ;;
  esac
  need "$P_COMPILER"
}

# Run "$@" over the inputs of NAME's package.
further_work ()
{
  local name=$1 data file
  case $name in
  lz4)
    data=$(cab_data 60000)
    for file in -1 -9 -12; do
      ./lz4 $file -c <"$data" >packed && ./lz4 -dc <packed | cmp "$data" && cat packed || return 1
    done ;;
  zopfli) head -c 20000 "$(cab_data 60000)" >text && ./zopfli -c --i3 text ;;
  jsoncpp)
    mkdir -p data && cp "$SOURCE"/test/data/*.json data
    for file in data/*.json; do
      ./jsoncpp "$file" 2>&1
      echo "status $?"
    done
    cat data/*.actual data/*.rewrite ;;
  cjson) ./cjson ;;
  yajl)
    for file in "$SOURCE"/test/parsing/cases/*.json; do
      ./yajl <"$file" 2>&1
      echo "status $?"
    done ;;
  tinyxml2)
    cp -r "$SOURCE/resources" . && mkdir -p resources/out && ./tinyxml2 2>&1 |
      grep -v -i -e 'time' -e 'clock' -e 'seconds' -e 'speed' ;;
  hybrd) ./hybrd <"$SOURCE/ex/file21" ;;
  lmder) ./lmder <"$SOURCE/ex/file22" ;;
  libyaml)
    for file in "$SOURCE"/examples/*.yaml; do ./libyaml "$file" || return 1; done ;;
  jansson)
    for file in "$SOURCE"/test/suites/{valid,invalid}/*/; do
      HASHSEED=1 ./jansson "$file" 2>&1
      echo "status $?"
      [ ! -e "$file/output" ] || cat "$file/output"
    done ;;
  xxhash)
    data=$(cab_data 60000)
    for file in 0 1 2 3; do ./xxhash -q -H$file "$data" || return 1; done ;;
  esac
}

further_run ()
{
  (
    cd "$2" || exit 1
    further_work "$1" >out 2>err
    echo $? >status
  )
}
