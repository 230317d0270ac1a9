#!/bin/bash
# links.sh - each link of README.md and docs/ leads to a file of the tree and, where it names one,
# to a heading of it; each source that the documents name by its path exists.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3

cat >links.py <<'end'
import glob, os, re, sys

os.chdir (sys.argv[1])
ROOTS = ("analyses/", "docs/", "include/", "loopfb/", "plugin/", "rt/", "testsuite/")

def without_code (text):
    return re.sub (r"^ *```.*?^ *```", "", text, flags=re.M | re.S)

# The anchor that a heading gets in HTML: lower case, spaces to hyphens, all other signs gone.
def anchors (path):
    heads = re.findall (r"^#+ (.*)$", without_code (open (path).read ()), flags=re.M)
    return {re.sub (r"[^\w -]", "", head.lower ()).replace (" ", "-") for head in heads}

n = 0
for page in ["README.md"] + sorted (glob.glob ("docs/*.md")):
    text = without_code (open (page).read ())
    for target in re.findall (r"\]\(([^)]*)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition ("#")
        path = os.path.normpath (os.path.join (os.path.dirname (page), path)) if path else page
        n += 1
        if not os.path.exists (path):
            print (f"{page}: {target}: no such file")
        elif anchor and anchor not in anchors (path):
            print (f"{page}: {target}: no such heading")
    if page == "docs/hacking.md":      # it names files that its reader is to make
        continue
    for name in re.findall (r"`([a-z][\w./-]*)`", text):
        if name.startswith (ROOTS) and not os.path.exists (name) and not glob.glob (name + ".*"):
            print (f"{page}: {name}: no such file")
if n < 50:
    print (f"only {n} links found")
end
python3 links.py "$TOP" >said
[ ! -s said ] || fail "$(cat said)"

# A link to nowhere is noticed.
mkdir -p copy/docs && cp "$TOP/README.md" copy && cp "$TOP"/docs/*.md copy/docs
printf '[x](none.md) [y](design.md#none)\n' >>copy/docs/paths.md
python3 links.py copy >said
for wanted in 'docs/paths.md: none.md: no such file' \
  'docs/paths.md: design.md#none: no such heading'; do
  grep -qxF "$wanted" said || fail "not noticed: $wanted"
done
