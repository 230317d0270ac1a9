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
#
# Exit status 77, with the reason on the last line: there is no such system, and none can be made.
. "$(dirname "$0")/lib.sh"

# Print the first release of Debian that has GCC $1.
release_of ()
{
  case $1 in
    11 | 12) echo bookworm ;;
    13 | 14) echo trixie ;;
    15 | 16) echo forky ;;
    1[7-9] | [2-9][0-9]) echo sid ;;
    *) return 1 ;;
  esac
}

# Run "$@" as the owner of the system's files: root, or the root of a user namespace.
as_owner ()
{
  if [ "$(id -u)" = 0 ] || [ -z "$place" ]; then
    "$@"
  else
    unshare --map-root-user --map-auto "$@"
  fi
}

# install_system RELEASE PLACE MIRROR: install a minimal system in the empty directory PLACE.
install_system ()
{
  local script=/usr/share/debootstrap/scripts/$1
  if [ "$(id -u)" = 0 ]; then
    # The namespace takes along what debootstrap mounts, also if it is killed.
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    unshare --mount debootstrap --variant=minbase "$1" "$2" "$3" "$script"
  else
    # The archive has the system's own user numbers; those of mmdebstrap's namespace are others.
    set -o pipefail
    mmdebstrap --mode=unshare --variant=minbase --format=tar \
      --aptopt='Acquire::Check-Valid-Until "false"' "$1" - "$3" |
      as_owner tar -C "$2" --exclude='./dev/*' -xf -
  fi
}

# make_system RELEASE PLACE: make a minimal system in PLACE, which appears when it is whole, or fail
# with words.
make_system ()
{
  local mirror tool=mmdebstrap
  [ "$(id -u)" = 0 ] && tool=debootstrap
  command -v $tool >/dev/null || { echo "$tool is not installed: run 'make deps'"; return 1; }
  mirror=$(cab_debian_sources | awk '$(NF - 1) !~ /-/ { print $(NF - 2); exit }')
  [ -n "$mirror" ] || { echo "no Debian entries in the system's source lists"; return 1; }
  as_owner rm -rf "$2.new" && mkdir -p "$2.new" || return 1
  (install_system "$1" "$2.new" "$mirror") >"$2.log" 2>&1 || {
    echo "no system of $1 could be made: no network?" \
      "$(grep -E '^(E|.*: [Ee]rror):|not permitted|denied' "$2.log" | tail -n 1) ($2.log)"
    return 1
  }
  # The lists of a mirror that is a snapshot run out, which does not matter to a test.
  as_owner bash -c 'cat >"$0/etc/apt/apt.conf.d/90cabprof"' "$2.new" <<<"
Acquire::Check-Valid-Until \"false\";
$(apt-config dump Acquire::http::Proxy)"
  as_owner bash -c 'cat >"$0/etc/apt/sources.list"' "$2.new" <<<"deb $mirror $1 main"
  as_owner mv "$2.new" "$2"
}

# The first command in the system, as root of its namespaces.
enter='
  place=$1; shift
  mount --make-rprivate / && mount --rbind /dev "$place/dev" && mount -t proc proc "$place/proc" &&
  mount -t tmpfs tmpfs "$place/tmp" || exit 1
  mount --rbind /sys "$place/sys" 2>/dev/null
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$place/dev/pts" 2>/dev/null
  cp -L /etc/resolv.conf "$place/etc/resolv.conf" 2>/dev/null
  cp /etc/hosts "$place/etc/hosts"
  exec chroot "$place" /usr/bin/env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"'

# in_system COMMAND...: run COMMAND in the system.
in_system ()
{
  [ -n "$place" ] || { "$@"; return; }
  as_owner unshare --mount --pid --fork --kill-child bash -c "$enter" enter "$place" "$@"
}

# Install make, if it is missing, for GCC $1, which the system has.
prepare='
  version=$1
  if ! command -v make >/dev/null || ! command -v "gcc-$version" >/dev/null; then
    [ "$(id -u)" != 0 ] || apt-get update -qq
    release=$(. /etc/os-release && echo "$PRETTY_NAME")
    [ -n "$(apt-cache search --names-only "^make$")" ] ||
      { echo "GCC $version: no packages for $release: no network?"; exit 77; }
    [ -n "$(apt-cache search --names-only "^gcc-$version$")" ] ||
      { echo "GCC $version: $release has no gcc-$version"; exit 77; }
    command -v make >/dev/null || apt-get install -y -qq --no-install-recommends make >/dev/null ||
      { echo "GCC $version: make cannot be installed: no network?"; exit 77; }
  fi'

# Build in directory $1, and run the suite with GCC $2 and the other arguments.
suite='
  cd "$1" && version=$2 && shift 2 || exit 1
  make deps GCC="gcc-$version" || { echo "GCC $version: packages are missing, see above"; exit 77; }
  make -j"$(nproc)" all test-programs GCC="gcc-$version" || exit 1
  echo "GCC $("gcc-$version" -dumpfullversion) in $(. /etc/os-release && echo "$PRETTY_NAME")"
  export CAB_OTHER_SYSTEM=1
  GCC="gcc-$version" testsuite/run --no-build "$@"'

# Copy the sources, without what was built, to directory $1.
copy_sources ()
{
  as_owner rm -rf "$1" && as_owner mkdir -p "$1" && cd "$TOP" || exit 1
  { git ls-files -z -co --exclude-standard 2>/dev/null ||
      find . \( -path ./.git -o -path "./${BUILD#"$TOP/"}" \) -prune -o ! -type d -print0; } |
    tar -c --null --ignore-failed-read -f - -T - 2>/dev/null | as_owner tar -C "$1" -xf -
}

version=${1:-}
release=$(release_of "$version") || {
  echo "cabprof: GCC=$version: not a version that cabprof supports:" \
    "give a number from 11 on, as in 'make check-gcc GCC=14'" >&2
  exit 2
}
shift
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
place=$BUILD/systems/$release
mkdir -p "$BUILD/systems"
exec 9>"$place.lock"
flock -n 9 || { echo "$place: in use: waiting"; flock 9; }
if [ "$release" = "$here" ]; then
  place='' copy=$BUILD/systems/gcc-$version
  copy_sources "$copy"
else
  [ -e "$place" ] || make_system "$release" "$place" || exit 77
  in_system true 2>"$place.log" ||
    { echo "no file systems can be mounted here: $(tail -n 1 "$place.log")"; exit 77; }
  copy=/root/cabprof-gcc-$version
  copy_sources "$place$copy"
fi
unset TEST_DIR MAKEFLAGS MAKELEVEL
export BUILD=build
in_system bash -c "$prepare" prepare "$version" || exit
if [ "${1:-}" = -- ]; then
  shift
  in_system bash -c 'cd "$1" && shift && "$@"' command "$copy" "$@"
else
  in_system bash -c "$suite" suite "$copy" "$version" "$@"
fi
