#!/bin/bash
# commands.sh - every command that README.md and docs/*.md show in a block fenced as sh works as
# typed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One shell runs the blocks of a document in their order, in a directory of its own, with the
# command and the wrappers in PATH. -fplugin=cabprof means what it means after installation. Blocks
# fenced as text, c, diff and so on are not run.
. "$(dirname "$0")/../lib.sh"
need_build
unset CABPROF_OPTIONS CABPROF_SESSION

# gcc and its siblings find the plugin by name, as if it were installed.
mkdir -p bin
for compiler in gcc g++ gfortran; do
  real=$(command -v "$(sed "s/gcc/$compiler/" <<<"${GCC:-gcc}")") || continue
  cat >bin/$compiler <<END
#!/bin/bash
n=\$#
for argument; do
  case \$argument in -fplugin=cabprof | -fplugin=cabprof.so) argument=-fplugin=$PLUGIN ;; esac
  set -- "\$@" "\$argument"
done
shift \$n
exec $real "\$@"
END
  chmod +x bin/$compiler
done
PATH=$PWD/bin:$BUILD/bin:$PATH

# Print the blocks of DOCUMENT as one script; each begins with a line that names it.
script_of ()
{
  awk -v name="$(basename "$1")" '
    /^ *```/ && inside { inside = 0; next }
    /^ *```sh *$/ { inside = 1; printf ": %s line %d\n", name, FNR + 1; next }
    /^ *```/ { inside = 2; next }
    inside == 1 { print }' "$1"
}

for document in "$TOP/README.md" "$TOP"/docs/*.md; do
  name=$(basename "$document")
  case $name in own-analysis.md | walk-through-layout.md) continue ;; esac   \
    # their tests run them, with the files that they need
  script_of "$document" >script.sh
  [ -s script.sh ] || continue
  rm -rf here && mkdir here
  if (cd here && sh -e -x ../script.sh) >output 2>trace </dev/null; then
    passed
  else
    failed "$name: failed after:"
    tail -n 20 trace
    tail -n 5 output
  fi
  if grep '^cabprof: ' trace | grep -v -e '^cabprof: tune: ' -e 'of CPU time has no sample' \
    -e ', recorded in '; then   # tune reports what it does; others may use the processor
    failed "$name: a command complains, see above"
  fi
done
[ $((n_passed + n_failed)) -gt 0 ] ||
  fail "no document shows a command: are the blocks fenced as sh?"
cases
