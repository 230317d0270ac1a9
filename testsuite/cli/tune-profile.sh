#!/bin/bash
# tune-profile.sh - cabprof tune --try=profile races builds with the compiler's own profile.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make objdump python3

cat >Makefile <<'MAKE'
CFLAGS = -O2 -g -Wall -Werror
prog: obj/main.o obj/burn.o
	$(CC) $(CFLAGS) -o $@ obj/main.o obj/burn.o
obj/%.o: %.c
	mkdir -p obj
	$(CC) $(CFLAGS) -c -o $@ $<
MAKE

# clean: forget what was built and tuned.
clean () { rm -rf obj prog cabprof.data loops.hints; }

# Variants 1 to 6 are aligned heads and the factors, 7 has the probes, 8 the profile.
write_burn 50 8
run_tune 0 --build make --run ./prog --runs 36 --share 10 --try=profile
[ "$(field '[r["name"] for r in x["races"] if r["kept"]]')" = "['profile']" ] ||
  { cat out err; fail "the profile was not kept"; }
says out "With the profile the program takes"
says out "compile with -fprofile-use=$PWD/cabprof.data/gcda"
says out "loops.hints has none"
# The user's own build with that option is what is in the tree now.
cp obj/burn.o tuned.o && cp obj/main.o tuned-main.o
rm -rf obj
make -s CFLAGS="-O2 -g -fprofile-use=$PWD/cabprof.data/gcda -Werror=missing-profile" ||
  fail "the profile is not found by the user's own build"
[ "$(code_of obj/burn.o)" = "$(code_of tuned.o)" ] || fail "burn.o has another profile"
[ "$(code_of obj/main.o)" = "$(code_of tuned-main.o)" ] || fail "main.o has another profile"
rm -rf obj && make -s
[ "$(code_of obj/burn.o)" = "$(code_of tuned.o)" ] && fail "the profile changes nothing"

# Factor 4 is faster, and faster with the profile; 9 has both.
clean
write_burn "variant == 9 ? 30 : 50" "variant == 4 || variant == 9 ? variant : -2"
run_tune 0 --build make --run ./prog --runs 36 --share 10 --try=profile
[ "$(field '[r["name"] for r in x["races"] if r["kept"]]')" = "['both']" ] ||
  { cat out err; fail "both were not kept"; }
says out "With the profile and the hints the program takes"
[ "$(hint_of burn)" = 4 ] || fail "burn has factor $(hint_of burn) instead of 4"

# A unit that the compiler refuses with a profile: the tune goes on without, and leaves none.
clean
write_burn 50 4
mkdir bin
cat >bin/cc <<'CC'
#!/bin/sh
case "$*" in *-fprofile-use=*burn.c*) echo "corrupted profile info" >&2; exit 1 ;; esac
case "$*" in *burn.c*-fprofile-use=*) echo "corrupted profile info" >&2; exit 1 ;; esac
exec gcc "$@"
CC
chmod +x bin/cc
PATH=$PWD/bin:$PATH run_tune 0 --build "make CC=cc" --run ./prog --runs 36 --share 10 --try=profile
says err "\`profile' is left out: it cannot be built"
[ "$(hint_of burn)" = 4 ] || { cat out err; fail "no hint where the profile cannot be used"; }
[ -e cabprof.data/gcda ] && fail "a profile is left that was not kept"
exit 0
