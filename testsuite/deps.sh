#!/bin/bash
# deps.sh - install the missing packages of .packages; without the right to do so, print the command
# to type.
# SPDX-License-Identifier: GPL-3.0-or-later
cd "$(dirname "$0")/.." || exit 1

is_installed ()
{
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
while read -r package; do
  is_installed "$package" || missing+=("$package")
done < <(sed '/^#/d; /^$/d' .packages)
[ ${#missing[@]} = 0 ] && exit 0

install="apt-get install -y --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "cabprof: apt-get: not found: install what these Debian packages hold, then try again: ${missing[*]}" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as_root=env
elif sudo -n true 2>/dev/null; then
  as_root="sudo -n env"
else
  echo "cabprof: packages are missing: type this as root, then try again:  $install" >&2
  exit 1
fi
echo "cabprof: installing ${missing[*]}"
$as_root apt-get update -qq && $as_root DEBIAN_FRONTEND=noninteractive $install >/dev/null && exit 0
echo "cabprof: apt-get: did not install all packages: type this as root to see why:  $install" >&2
exit 1
