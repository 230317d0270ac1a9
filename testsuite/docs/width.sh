#!/bin/bash
# width.sh - code, comments and documents are at most 100 columns wide.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"

# Tables of formats, assembly, and files that would grow over 600 lines and are to be divided first.
ALLOWED="include/cabprof/abi.h include/cabprof/info.h
plugin/emit/ctx.cc plugin/emit/enqueue.cc plugin/emit/enqueue_words.cc plugin/stub/stub.c
rt/engine/ring/ring.c rt/engine/ring/ring_chunk.c"

cd "$TOP" || fail "no sources"
find analyses loopfb plugin rt include docs README.md \
  '(' -name '*.[ch]' -o -name '*.cc' -o -name '*.md' -o -name '*.scd' ')' | sort >"$TEST_DIR/files"
[ "$(wc -l <"$TEST_DIR/files")" -gt 600 ] || fail "only $(wc -l <"$TEST_DIR/files") files found"

# Tables, pictures and code in documents, and what has no space in it, may be as wide as they are.
wide ()
{
  local file=$1
  expand "$file" | awk -v file="$file" -v document="$([[ $file =~ (md|scd)$ ]] && echo 1)" '
    document && /^[ ]*```/ { code = !code }
    length > 100 && !(document && (code || /^ *[|[\]]/ || /^    /)) { print file ":" FNR }'
}
while read -r file; do
  case " ${ALLOWED//$'\n'/ } " in
    *" $file "*) [ -n "$(wide "$file")" ] || fail "$file is no wider: take it off the list" ;;
    *) wide "$file" ;;
  esac
done <"$TEST_DIR/files" >"$TEST_DIR/said"
[ ! -s "$TEST_DIR/said" ] || fail "wider than 100 columns: $(cat "$TEST_DIR/said")"

printf '%0101d\n' 0 >"$TEST_DIR/wide.c"
[ -n "$(wide "$TEST_DIR/wide.c")" ] || fail "a wide line was not noticed"
