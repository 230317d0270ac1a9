#!/bin/bash
# tune-slower.sh - cabprof tune takes back a hint that makes its loop slower, even if the program as
# a whole is faster with it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make python3

# There are two loops. Factor 4 (variant 4) is good for burn, factor 8 (variant 5) for drag; but
# with both hints together, from variant 7 on, burn takes a third of its time and drag twice as
# long.
write_two "variant == 4 ? 45 : variant >= 7 ? 20 : 60" \
  "variant == 5 ? 14 : variant >= 7 && hinted ? 40 : 20"
printf 'prog: main.o burn.o\n\t$(CC) -O2 -g -o $@ main.o burn.o\n%%.o: %%.c\n\t$(CC) -O2 -g -c -o $@ $<\n' >Makefile

run_tune 0 --build make --run ./prog --share 5 --runs 90
[ "$(hint_of burn)" = 4 ] || { cat out err; fail "burn has factor $(hint_of burn) instead of 4"; }
[ -z "$(hint_of drag)" ] || { cat out err; fail "drag has a hint that makes it slower"; }
says err "made its loop slower: taken back"
says out "its hint made it slower, "
says err ": at least 26 of them, "
exit 0
