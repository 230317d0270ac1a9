#!/bin/bash
# system.sh - run the test suite in a Debian system that has a given version of GCC.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   system.sh VERSION [ARGUMENT...]   build in a clean copy, then testsuite/run ARGUMENT...
#   system.sh VERSION -- COMMAND...   run COMMAND... in a clean copy of the sources
#
# Where this system is the one that is wanted, it is used itself, with a copy below $BUILD/systems.
# Else the system is made once, in $BUILD/systems/NAME: by debootstrap for root, by mmdebstrap in a
# user namespace for others.  Its mirror is the one that apt uses here.  Nothing outside of $BUILD
# is changed, and file systems are mounted in a mount namespace only, which ends with the command.
. "$(dirname "$0")/lib.sh"

# Print the first release of Debian that has GCC $1.
release_of ()
{
  case $1 in
    11 | 12) echo bookworm ;;
    13 | 14) echo trixie ;;
    1[5-9] | [2-9]?) echo forky ;;
    *) return 1 ;;
  esac
}

# Run "$@" as root of the user namespace in which mmdebstrap's files belong to somebody, or as root.
as_owner ()
{
  if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-root-user --map-auto "$@"; fi
}

# make_system RELEASE PLACE: make a minimal system, or fail with words.
make_system ()
{
  local release=$1 place=$2 mirror script
  mirror=$(cab_debian_sources | awk '{ print $(NF - 2); exit }')
  [ -n "$mirror" ] || { echo "no Debian entries in the system's source lists"; return 1; }
  as_owner rm -rf "$place" && mkdir -p "$place.apt" || return 1
  if [ "$(id -u)" = 0 ]; then
    command -v debootstrap >/dev/null || { echo "debootstrap is not installed"; return 1; }
    script=/usr/share/debootstrap/scripts/$release
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    debootstrap --variant=minbase "$release" "$place" "$mirror" "$script" >"$place.log" 2>&1
  else
    command -v mmdebstrap >/dev/null || { echo "mmdebstrap is not installed"; return 1; }
    mmdebstrap --mode=unshare --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
      "$release" "$place" "$mirror" >"$place.log" 2>&1
  fi || { echo "no system of $release could be made: $(tail -n 1 "$place.log")"; return 1; }
  # The lists of a mirror that is a snapshot run out, which does not matter to a test.
  echo 'Acquire::Check-Valid-Until "false";' | as_owner tee "$place/etc/apt/apt.conf.d/90cabprof" \
    >/dev/null
  apt-config dump Acquire::http::Proxy | as_owner tee "$place/etc/apt/apt.conf.d/91proxy" >/dev/null
  printf 'deb %s %s main\n' "$mirror" "$release" | as_owner tee "$place/etc/apt/sources.list" \
    >/dev/null
  touch "$place.done"
}

# The first command in the system, as root of its namespaces.
enter='
  place=$1; shift
  mount --make-rprivate / && mount --rbind /dev "$place/dev" && mount -t proc proc "$place/proc" &&
  { mount --rbind /sys "$place/sys" 2>/dev/null; mount -t tmpfs tmpfs "$place/tmp"; } &&
  cp -L /etc/resolv.conf "$place/etc/resolv.conf" && cp /etc/hosts "$place/etc/hosts" &&
  exec chroot "$place" /usr/bin/env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"'

# in_system PLACE COMMAND...: run COMMAND in the system.
in_system ()
{
  [ "$release" != "$here" ] || { shift && "$@"; return; }
  as_owner unshare --mount --pid --fork --kill-child bash -c "$enter" enter "$@"
}

version=${1:-}
release=$(release_of "$version") ||
  fail "system.sh: $version: no version of GCC: give a number from 11 on, as in GCC=14"
shift
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
place=$BUILD/systems/$release
mkdir -p "$BUILD/systems"
exec 9>"$place.lock"
flock 9
if [ "$release" = "$here" ]; then
  place='' copy=$BUILD/systems/gcc-$version
  rm -rf "$copy" && mkdir -p "$copy" || exit 1
else
  [ -e "$place.done" ] || said=$(make_system "$release" "$place") || { echo "$said"; exit 77; }
  in_system "$place" true 2>"$place.log" ||
    { echo "no file systems can be mounted here: $(tail -n 1 "$place.log")"; exit 77; }
  copy=/root/cabprof-gcc-$version
  as_owner rm -rf "$place$copy" && as_owner mkdir -p "$place$copy" || exit 1
fi
(cd "$TOP" && { git ls-files -z -co --exclude-standard 2>/dev/null ||
		find . -path ./build -prune -o -type f -print0; } |
   tar -c --null --ignore-failed-read -f - -T - 2>/dev/null) | 
  if [ -n "$place" ]; then as_owner tar -C "$place$copy" -xf -; else tar -C "$copy" -xf -; fi
unset TEST_DIR MAKEFLAGS MAKELEVEL
export BUILD=build
if [ "${1:-}" = -- ]; then
  shift
  in_system "$place" bash -c 'cd "$1" && shift && "$@"' command "$copy" "$@"
else
  in_system "$place" bash -c '
    cd "$1" && version=$2 && shift 2 || exit 1
    command -v make >/dev/null ||
      { apt-get update -qq && apt-get install -y -qq --no-install-recommends make >/dev/null; } ||
      { echo "no packages for the system: no network"; exit 77; }
    make deps GCC="gcc-$version" || { echo "no packages for the system: no network"; exit 77; }
    make all test-programs GCC="gcc-$version" &&
      GCC="gcc-$version" testsuite/run --no-build "$@"' check "$copy" "$version" "$@"
fi
