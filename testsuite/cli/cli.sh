# cli.sh - functions that the tests beside it share; they read it by `. "$(dirname "$0")/cli.sh"`.
# SPDX-License-Identifier: GPL-3.0-or-later
SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/src" && pwd)
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need_build
unset CABPROF_OPTIONS CABPROF_SESSION

# build PROGRAM SOURCE [FLAG...]: compile with probes for paths and calls.
build ()
{
  local program=$1 source=$2
  shift 2
  ${GCC:-gcc} -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths,calls "$@" "$source" \
    -o "$program" >build.log 2>&1 ||
    fail "$source does not compile: $(cat build.log)"
}

# profile DIR PROGRAM [ARGUMENT...]: run PROGRAM with its profile in DIR.
profile ()
{
  local dir=$1
  shift
  CABPROF_OPTIONS=data=$PWD/$dir "$@" >run.out 2>run.err || fail "$1 ended with $?: $(cat run.err)"
  [ ! -s run.err ] || fail "$1 printed: $(cat run.err)"
}

# tally DIR [ROUNDS]: profile src/tally.c, built here without optimisation.
tally ()
{
  local dir=$1
  shift
  [ -e tally.c ] || cp "$SRC/tally.c" .
  [ -x tally ] || build tally tally.c -O0
  profile "$dir" ./tally "${1:-60}"
}

# expect STATUS COMMAND...: run COMMAND, check its status, and leave its output in out and its
# messages in err.
expect ()
{
  local wanted=$1 status
  shift
  "$@" >out 2>err
  status=$?
  [ $status = "$wanted" ] || fail "$*: exit status $status instead of $wanted: $(cat err)"
}

# cells FILE COLUMN VALUE COLUMN VALUE WANTED...: print the columns WANTED of the rows of a TSV file
# in which both columns have these values, one line per row.
cells ()
{
  awk -F'\t' -v a="$2" -v is_a="$3" -v b="$4" -v is_b="$5" -v wanted="${*:6}" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at[a] == is_a && $at[b] == is_b { n = split (wanted, w, " ")
      for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? " " : "\n" }' "$1"
}

# quiet: check that the last command wrote nothing to standard error.
quiet ()
{
  [ ! -s err ] || fail "unexpected words: $(cat err)"
}

# says WORDS: check that the last command wrote one message, that it contains WORDS, and that it has
# three parts: what was given, what is wrong, what to do.
says ()
{
  [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
  grep -Eq '^cabprof: [^:]+(:[^:]+)*: .*: .' err ||
    fail "not of the form \`cabprof: what: why: what to do': $(cat err)"
  grep -Fq -- "$1" err || fail "\`$1' is not in: $(cat err)"
}

# prints REGEX [FILE]: check that a line of out (or FILE) matches.
prints ()
{
  grep -Eq -- "$1" "${2:-out}" || fail "no line matches \`$1' in ${2:-out}: $(cat "${2:-out}")"
}

# sum COLUMN=VALUE...: print the samples of the rows of data.tsv that have these values.
sum ()
{
  python3 - "$@" <<'P'
import csv, sys
rows = csv.DictReader((l for l in open("data.tsv") if not l.startswith("#")), delimiter="\t")
want = [w.split("=", 1) for w in sys.argv[1:]]
print(sum(int(r["samples"]) for r in rows if all(r[k] == v for k, v in want)))
P
}

# are NUMBER COLUMN=VALUE...: check that the rows with these values have NUMBER samples.
are ()
{
  local n=$1
  shift
  [ "$(sum "$@")" = "$n" ] || { cat data.tsv; fail "$*: $(sum "$@") samples, not $n"; }
}
