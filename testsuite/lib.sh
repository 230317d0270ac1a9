# lib.sh - what the scripts of the test suite share; they read it as `testsuite/lib.sh'.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# It sets TOP, BUILD (absolute), TEST_DIR (the runner's scratch directory, or one of its own),
# CABPROF, CGCC, CGXX, CGFORTRAN. A test fails by `fail WORDS' and skips by `skip REASON'.

set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$TOP/$BUILD ;; esac
if [ -z "${TEST_DIR:-}" ]; then
  TEST_DIR=$BUILD/test/by-hand-$(basename "$0")${1:+-$1}
  rm -rf "$TEST_DIR"
  mkdir -p "$TEST_DIR"
  cd "$TEST_DIR" || exit 1
fi
CABPROF=$BUILD/bin/cabprof
CGCC=$BUILD/bin/cabprof-gcc
CGXX=$BUILD/bin/cabprof-g++
CGFORTRAN=$BUILD/bin/cabprof-gfortran
PLUGIN=$BUILD/cabprof.so
export TOP BUILD TEST_DIR CABPROF CGCC CGXX CGFORTRAN PLUGIN LC_ALL=C

fail ()
{
  echo "FAILED: $*"
  exit 1
}

skip ()
{
  echo "$*"
  exit 77
}

# need COMMAND...: skip the test unless all are installed.
need ()
{
  local command
  for command; do
    command -v "$command" >/dev/null || skip "$command is not installed"
  done
}

# Return true if the run has this extent (testsuite/run): everything, or the smallest sample.
is_all () { [ "${CAB_EXTENT:-check}" = all ]; }
is_fast () { [ "${CAB_EXTENT:-check}" = fast ]; }

# A script that counts cases calls passed or failed for each, and cases at its end.
n_passed=0 n_failed=0 n_skipped=0
passed () { n_passed=$((n_passed + 1)); }

# failed [WORDS]: count a case that fails, and say why.
failed ()
{
  [ $# = 0 ] || echo "FAILED: $*"
  n_failed=$((n_failed + 1))
}

# left_out REASON: count a case that is skipped.
left_out ()
{
  echo "skipped 1: $*"
  n_skipped=$((n_skipped + 1))
}

# cases: print the counts for the runner; return false if a case failed.
cases ()
{
  echo "CASES $n_passed $n_failed $n_skipped"
  [ $n_failed = 0 ]
}

# probed EVENTS SOURCE PROGRAM [FLAG...]: compile SOURCE to PROGRAM with probes for EVENTS.
probed ()
{
  gcc -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events="$1" "${@:4}" "$2" -o "$3" ||
    fail "$2 does not compile"
}

# is WHAT GOT WANTED: check that GOT equals WANTED.
is () { [ "$2" = "$3" ] || fail "$1: $2 instead of $3"; }

# rows REPORT ARGUMENT...: print the rows of a report, without heading and notes.
rows () { "$CABPROF" report "$@" --format=tsv | grep -v '^#' | tail -n +2; }

need_build ()
{
  [ -x "$CABPROF" ] && [ -e "$PLUGIN" ] || fail "$BUILD: no plugin or command there: run make first"
}

# debian_entries SUITE URI FILE...: print the entries of apt's source lists FILE whose suite and URI
# match these regular expressions and that have the component main, as deb-src lines. Both formats
# are read.
debian_entries ()
{
  awk -v wanted="^($1)(-|$)" -v place="$2" '
    function flush (  i, n, uri, suite, k, m) {
      if (uris != "" && types ~ /deb/ && components ~ /(^| )main( |$)/) {
	n = split (uris, uri, " "); m = split (suites, suite, " ");
	for (i = 1; i <= n; i++) for (k = 1; k <= m; k++)
	  if (suite[k] ~ wanted && uri[i] ~ place)
	    print "deb-src " (signed != "" ? "[signed-by=" signed "] " : "") uri[i] " " suite[k] " main";
      }
      uris = suites = types = components = signed = "";
    }
    FNR == 1 { flush() }
    FILENAME ~ /\.list$/ {
      if ($1 != "deb") next;
      i = 2; signed = "";
      if ($2 ~ /^\[/) {
	for (; i <= NF; i++) {
	  if (match ($i, /signed-by=[^] ]+/)) signed = substr ($i, RSTART + 10, RLENGTH - 10);
	  if ($i ~ /\]$/) break;
	}
	i++;
      }
      uris = $i; suites = $(i + 1); types = "deb"; components = "";
      for (k = i + 2; k <= NF; k++) components = components " " $k;
      flush(); next
    }
    /^#/ { next }
    /^[ \t]*$/ { flush(); next }
    { key = tolower ($1); $1 = ""; sub (/^ /, "") }
    key == "types:" { types = $0 }
    key == "uris:" { uris = $0 }
    key == "suites:" { suites = $0 }
    key == "components:" { components = $0 }
    key == "signed-by:" { signed = $0 }
    END { flush() }' "${@:3}" | sort -u
}

# Print Debian's own entries in the system's source lists, as deb-src lines: those of the system's
# code name, else those of stable, testing or unstable in a folder named debian.
cab_debian_sources ()
{
  local codename files
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mapfile -t files < <(ls /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
    /etc/apt/sources.list.d/*.sources 2>/dev/null)
  [ ${#files[@]} != 0 ] || return 0
  debian_entries "$codename" . "${files[@]}" | grep . ||
    debian_entries 'stable|testing|unstable|sid' /debian "${files[@]}"
}

# Run apt-get with its own lists and entries under $BUILD/apt; the system's files stay as they are.
cab_apt ()
{
  apt-get -q -o Dir::Etc::SourceList="$BUILD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$BUILD/apt/lists" \
    -o Dir::Cache="$BUILD/apt/cache" -o APT::Sandbox::User= -o \
    APT::Update::Post-Invoke-Success= -o APT::Get::Only-Source=true \
    -o Acquire::Languages=none "$@"
}

# cab_source PACKAGE: unpack Debian's source of PACKAGE (patches applied), once, and print its
# directory. Fail with words on stderr.
cab_source ()
{
  local package=$1 place=$BUILD/sources/$1
  mkdir -p "$BUILD/sources" "$BUILD/apt/lists/partial" "$BUILD/apt/cache/archives/partial"
  (
    flock 9
    [ -e "$place/.done" ] && exit 0
    if [ ! -e "$BUILD/apt/updated" ]; then
      cab_debian_sources >"$BUILD/apt/sources.list"
      [ -s "$BUILD/apt/sources.list" ] ||
        { echo "no Debian entries in the system's source lists" >&2; exit 1; }
      cab_apt update >"$BUILD/apt/log" 2>&1 || { echo "no package lists: no network?" >&2; exit 1; }
      touch "$BUILD/apt/updated"
    fi
    rm -rf "$place" && mkdir -p "$place" && cd "$place" || exit 1
    cab_apt source --download-only "$package" >>"$BUILD/apt/log" 2>&1 ||
      { echo "source of $package cannot be fetched" >&2; exit 1; }
    dpkg-source -x ./*.dsc tree >>"$BUILD/apt/log" 2>&1 ||
      { echo "source of $package cannot be unpacked" >&2; exit 1; }
    touch .done
  ) 9>"$BUILD/sources/.lock" 1>&2 || return 1
  echo "$place/tree"
}

# need_source PACKAGE: set SOURCE to the directory of cab_source, or skip the test.
need_source ()
{
  SOURCE=$(cab_source "$1" 2>"$TEST_DIR/source.log") ||
    skip "source of $1: $(tail -n 1 "$TEST_DIR/source.log")"
}
