#!/bin/bash
# sources.sh - the suite finds Debian's own entries in apt's source lists: both formats, releases
# by code name, testing and unstable by their names.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"

cat >one.list <<'end'
# deb http://a.example/debian forky main
deb https://a.example/debian forky main contrib
deb [arch=amd64 signed-by=/k.gpg] http://b.example/debian-security forky-security main
deb http://c.example/chrome/deb stable main
deb http://d.example/debian sid contrib
end
cat >two.sources <<'end'
Types: deb deb-src
URIs: http://e.example/debian
Suites: unstable experimental
Components: main
Signed-By: /e.gpg
end

is "the entries of a code name" "$(debian_entries forky . one.list two.sources)" \
  "deb-src [signed-by=/k.gpg] http://b.example/debian-security forky-security main
deb-src https://a.example/debian forky main"
is "the entries of unstable" \
  "$(debian_entries 'stable|unstable|sid' /debian one.list two.sources)" \
  "deb-src [signed-by=/e.gpg] http://e.example/debian unstable main"
is "entries of another release" "$(debian_entries trixie . one.list two.sources)" ""
