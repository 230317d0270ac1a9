# assemble.sh PAGE STYLE SCRIPT... - print the page with STYLE and the SCRIPTs inside it, and with
# their hashes in its policy, as numbers of bytes, separated by commas.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
page=$1 style=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A policy hashes what stands between the tags, with the newlines after and before them.
{ echo; cat "$style"; } >"$work/style"
{ echo; echo '"use strict";'; cat "$@"; } >"$work/script"

# hash FILE: print its hash as a policy has it.
hash ()
{
  printf 'sha256-%s' "$(sha256sum "$1" | cut -d' ' -f1 | tr a-f A-F | basenc -d --base16 | base64)"
}
awk -v dir="$work" -v style="$(hash "$work/style")" -v script="$(hash "$work/script")" '
  function put (file,  line) { while ((getline line < file) > 0) print line }
  { gsub (/@STYLE-HASH@/, style); gsub (/@SCRIPT-HASH@/, script) }
  /@STYLE@/ { printf "%s", "<style>"; put(dir "/style"); print "</style>"; next }
  /@SCRIPT@/ { printf "%s", "<script>"; put(dir "/script"); print "</script>"; next }
  { print }' "$page" | od -An -v -tu1 | sed 's/  *\([0-9][0-9]*\)/\1,/g'
