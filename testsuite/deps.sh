#!/bin/bash
# deps.sh - install the packages of .packages that are missing; without the right to do so, print
# what to type.  GCC=gcc-N in the environment names another compiler than the system's own.
# SPDX-License-Identifier: GPL-3.0-or-later
cd "$(dirname "$0")/.." || exit 1

is_installed ()
{
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Print the version of package $1 that apt would install; nothing if there is none.
candidate ()
{
  apt-cache policy "$1" 2>/dev/null | sed -n '/(none)/d; s/^ *Candidate: \([0-9]*:\)\?//p'
}

# Set MISSING to the packages that are missing, and, if apt has lists, UNKNOWN to those among them
# that the system does not have.
look ()
{
  local major=${GCC:-gcc} both=() package name
  case $major in
    *gcc-[0-9]*) major=${major##*-} both=("$major") ;;
    *)
      major=$($major -dumpversion 2>/dev/null || candidate gcc) major=${major%%.*}
      both=("$major")
      is_installed gcc-$((major - 1)) || [ -n "$(candidate gcc-$((major - 1)))" ] &&
	both+=($((major - 1)))
      ;;
  esac
  missing=() unknown=()
  while read -r package; do
    for name in "${both[@]}"; do
      name=${package//@/$name} name=${name//%/$major}
      is_installed "$name" || [[ " ${missing[*]} ${unknown[*]} " = *" $name "* ]] && continue
      if [ -z "$(candidate "$name")" ] && [ -n "$(candidate make)" ]; then
	unknown+=("$name")
      else
	missing+=("$name")
      fi
    done
  done < <(sed '/^#/d; /^$/d' .packages)
}

look
[ ${#missing[@]} = 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "cabprof: apt-get: not found: install what these Debian packages hold, then try again:" \
    "${missing[*]}" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as_root=env
elif sudo -n true 2>/dev/null; then
  as_root="sudo -n env"
else
  echo "cabprof: packages are missing: type this as root, then try again: " \
    "apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
$as_root apt-get update -qq || exit 1
look
[ ${#unknown[@]} = 0 ] ||
  echo "cabprof: this system has no ${unknown[*]}: tests that need them are skipped" >&2
[ ${#missing[@]} = 0 ] && exit 0
install="apt-get install -y --no-install-recommends ${missing[*]}"
echo "cabprof: installing ${missing[*]}"
$as_root DEBIAN_FRONTEND=noninteractive $install >/dev/null && exit 0
echo "cabprof: apt-get: did not install all packages: type this as root to see why:  $install" >&2
exit 1
