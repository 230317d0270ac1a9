# lib.sh - functions for the scripts beside it: each case is built in a directory of its own, is
# counted, and prints only when it fails.
# SPDX-License-Identifier: GPL-3.0-or-later
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$top" && cd "${BUILD:-build}" && pwd) || exit 1
CC=${GCC:-gcc}
CXX=$(sed 's/gcc\([^/]*\)$/g++\1/' <<<"$CC")
AR=$(sed 's/gcc\([^/]*\)$/gcc-ar\1/' <<<"$CC")
command -v "$CXX" >/dev/null || { echo "$CXX is not installed"; exit 77; }
# Another version of GCC than the one under test: the one before it, or the one after it.
other_version=$($CC -dumpversion | cut -d. -f1)
if [ -e "$build/cabprof/gcc-$((other_version - 1)).so" ]; then
  other_version=$((other_version - 1))
else
  other_version=$((other_version + 1))
fi
plugin=(-fplugin=$build/cabprof.so)
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
n_passed=0 n_failed=0 n_skipped=0

# Begin case NAME.
enter ()
{
  name=$1
  rm -rf "${here:?}/case"
  mkdir "$here/case" && cd "$here/case" || exit 1
}

passed ()
{
  n_passed=$((n_passed + 1))
}

failed ()
{
  echo "$(basename "$0"): $name: $*"
  n_failed=$((n_failed + 1))
}

# Leave out a case, for the reason WORDS.
skipped ()
{
  echo "skipped 1: $*"
  n_skipped=$((n_skipped + 1))
}

# has_linker FLAGS: return true if the linker that FLAGS choose is installed; else leave out a case.
has_linker ()
{
  case $1 in *-fuse-ld=*) ;; *) return 0 ;; esac
  $CC $1 -Wl,--version >/dev/null 2>&1 && return 0
  skipped "no linker for $1"
  return 1
}

# Run a command that must succeed and print nothing.
run_quiet ()
{
  local said
  if said=$("$@" 2>&1) && [ -z "$said" ]; then
    return 0
  fi
  failed "$*"$'\n'"${said:-failed}"
  return 1
}

# Check that the profile in data/ has N calls of FUNCTION.
check_calls ()
{
  local calls
  calls=$("$build/bin/cabprof" report methods -d data --format=tsv 2>&1 |
    awk -F'\t' -v f="$1" \
    'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } $c["function"] == f { n += $c["calls"] } END { print n + 0 }')
  [ "$calls" = "$2" ] && return 0
  failed "$1 was called $calls times, not $2"
  return 1
}

# Check that every process in data/ ended in an orderly way: the state in its part's header
# (profile.h) is ENDED.
check_ended ()
{
  local part
  for part in data/*.part; do
    [ "$(od -An -tu4 -j24 -N4 "$part" | tr -d ' ')" = 1 ] ||
      { failed "$part has not ended"; return 1; }
  done
}

finish ()
{
  echo "CASES $n_passed $n_failed $n_skipped"
  [ $n_failed = 0 ]
  exit
}
