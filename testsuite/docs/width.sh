#!/bin/bash
# width.sh - code, comments and documents are at most 100 columns wide, makefiles at most 120.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3

# Programs under test, whose lines are named or carry what is expected of them; tables; outputs.
PROGRAMS='^testsuite/(.*/(src|loops|kernels|memory|threads)/.*[.](c|cc|h|f90)|bench/.*programs)$'
PROGRAMS+='|^testsuite/(programs|golden/expected|fuzz/corpus)/|[.](tsv|json|js|pyc)$'

cd "$TOP" || fail "no sources"
find analyses loopfb plugin rt include docs README.md \
  '(' -name '*.[ch]' -o -name '*.cc' -o -name '*.js' -o -name '*.css' -o -name '*.md' \
  -o -name '*.scd' ')' | sort >"$TEST_DIR/files"
[ "$(wc -l <"$TEST_DIR/files")" -gt 600 ] || fail "only $(wc -l <"$TEST_DIR/files") files found"
find testsuite -type f | grep -vE "$PROGRAMS" | sort >"$TEST_DIR/tests"
[ "$(wc -l <"$TEST_DIR/tests")" -gt 280 ] || fail "only $(wc -l <"$TEST_DIR/tests") tests found"
find Makefile analyses loopfb plugin rt docs -name Makefile -o -name '*.mk' >"$TEST_DIR/makefiles"
cat "$TEST_DIR/tests" "$TEST_DIR/makefiles" >>"$TEST_DIR/files"

# wide: print FILE:LINE of each line that is too wide, in the files that standard input names.
# Tables, pictures and code in documents, and what has no space in it, may be as wide as they are.
# So may, in tests, programs in here-documents and in quotes, and lines with a long quoted string.
cat >"$TEST_DIR/wide.py" <<'END'
import re
import sys

MARKS = ('"""', "'", '"')
QUOTED = re.compile(r'"(?:[^"\\]|\\.){60,}"|' + r"'[^']{60,}'")


def of_document(lines):
    code = False
    for line in lines:
        code ^= line.lstrip(" ").startswith("```")
        yield code or re.match(r" *[|\[\]]|    ", line)


def of_program(lines, is_shell):
    """Yield whether a line is within a here-document or a quotation, or has a long one."""
    mark, end = "", ""
    for line in lines:
        inside = mark or end
        if end:
            end = "" if line.strip() == end else end
        else:
            mark = mark_after(line, mark, is_shell)
            found = is_shell and not mark and re.search(r"(?<!<)<<-?\s*['\"\\]?(\w+)", line)
            end = found[1] if found else ""
        yield inside or mark or QUOTED.search(line)


def mark_after(line, mark, is_shell):
    """Return the quotation mark that is open after LINE, where MARK is before it."""
    at = 0
    while at < len(line):
        found = next((m for m in MARKS if line.startswith(m, at)), "")
        if line[at] == "\\" and not (is_shell and mark == "'"):
            at += 1
        elif not mark and line[at] == "#" and (at == 0 or line[at - 1].isspace()):
            break
        elif found and mark in ("", found):
            mark = "" if mark else found
            at += len(found) - 1
        at += 1
    return mark if is_shell or mark == '"""' else ""


for path in sys.stdin.read().split():
    with open(path, errors="replace") as file:
        lines = [line.expandtabs(8) for line in file.read().splitlines()]
    most, excused = 100, [False] * len(lines)
    if path.endswith(("Makefile", ".mk")):
        most = 120
    elif path.endswith((".md", ".scd")):
        excused = of_document(lines)
    elif path.startswith("testsuite/") and not path.endswith((".c", ".h")):
        python = path.endswith(".py") or lines[0].endswith("python3")
        excused = of_program(lines, not python)
    for number, (line, is_excused) in enumerate(zip(lines, excused), 1):
        if len(line) > most and not is_excused:
            print("%s:%d" % (path, number))
END
wide () { python3 "$TEST_DIR/wide.py"; }

wide <"$TEST_DIR/files" >"$TEST_DIR/said"
[ ! -s "$TEST_DIR/said" ] || fail "too wide: $(cat "$TEST_DIR/said")"

# A wide line is found in each kind of file, also after a here-document and a quotation.
cd "$TEST_DIR" || exit 1
mkdir testsuite
words=$(printf 'word %.0s' {1..30})
echo "/* $words */" >wide.c
echo "# $words" | tee wide.mk testsuite/wide.py >testsuite/wide
printf '%s\n' "cat <<'END'" "$words" END "awk '" "$words' x" "echo $words" >testsuite/wide.sh
printf '%s\n' '```' "$words" '```' "$words" >wide.md
printf '%s\n' wide.c wide.mk testsuite/wide.py testsuite/wide testsuite/wide.sh wide.md |
  wide | xargs >found
[ "$(cat found)" = "wide.c:1 wide.mk:1 testsuite/wide.py:1 testsuite/wide:1 testsuite/wide.sh:6 wide.md:4" ] ||
  fail "wide lines that were noticed: $(cat found)"
