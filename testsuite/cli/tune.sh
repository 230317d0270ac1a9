#!/bin/bash
# tune.sh - cabprof tune finds the factor that is faster, proves it, and leaves it in the program;
# if there is none, everything stays as it was.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tune.lib"
need_build
need gcc make objdump python3

cat >Makefile <<'MAKE'
CFLAGS = -O2 -g
prog: main.o libburn.a
	$(CC) $(CFLAGS) -o $@ main.o -L. -lburn
libburn.a: burn.o
	rm -f $@
	$(AR) cr $@ burn.o
	ranlib $@
%.o: %.c
	$(CC) $(CFLAGS) -MD -MP -c -o $@ $<
MAKE

# Variant 0 is the default, 1 has aligned heads, as have the others: factor 4 is variant 4. Entries
# and iterations are the rounded means over the runs.
write_burn 50 4
make -s && mkdir plain && mv prog burn.o main.o plain && rm -f ./*.o ./*.a ./*.d || fail "make"
run_tune 0 --build make --run ./prog --share 10
[ "$(hint_of burn)" = 4 ] || { cat out err; fail "burn has factor $(hint_of burn) instead of 4"; }
says out "the program takes"
[ "$(field '[r["name"] for r in x["races"] if r["kept"]]')" = "['4']" ] ||
  fail "loops.json does not say what was kept"
[ "$(field '[l["choice"] for l in x["loops"] if l["function"] == "burn"][0]')" = 4 ] ||
  fail "loops.json has another choice"
[ "$(field '[c["name"] for c in x["columns"]]')" = "['aligned', '1', '2', '4', '8', '16']" ] ||
  fail "columns"
[ "$(field '(all (c["align"] == 64 for c in x["columns"]),
            all ("aligned:64" in o for l in x["loops"] if l["function"] == "burn"
                 for o in l["outcome"]))')" = "(True, True)" ] ||
  fail "the heads are not aligned alike: $(field '[l["outcome"] for l in x["loops"]]')"
[ "$(field 'x["measured_with"]["measurements"] <= 40')" = True ] || fail "more than 40 measurements"
[ "$(field 'len (x["loops"][0]["stalls"])')" = 6 ] || fail "stalls"
[ "$(field \
  '[(t["entries"] > 5, abs (t["iterations"] - t["entries"] * 1000000) < 1000000, t["mean"]) for t in (l["trip"] for l in x["loops"] if l["function"] == "burn")]')" = "[(True, True, 1000000.0)]" ] ||
  fail "trips of burn: $(field '[l["trip"] for l in x["loops"]]')"
[ -d cabprof.data/tune ] && fail "the work is left over"

# In the tree, objects with hints were made again, the rest is as it was, and make has nothing to
# do.
[ "$(make -n)" = "make: 'prog' is up to date." ] || fail "make wants to build again: $(make -n)"
[ "$(./prog)" = done ] || fail "the tuned program does not run"
CABPROF_FEEDBACK=loops.hints "$CGCC" -O2 -g -c burn.c -o reference.o ||
  fail "the hints cannot be used"
[ "$(code_of burn.o burn)" = "$(code_of reference.o burn)" ] ||
  fail "burn.o is not what the hints make of it"
[ "$(code_of prog burn)" = "$(code_of reference.o burn)" ] || fail "prog does not have it"
[ "$(code_of plain/burn.o burn)" = "$(code_of burn.o burn)" ] && fail "the hints change nothing"
[ "$(code_of plain/main.o)" = "$(code_of main.o)" ] || fail "main.o is not what it was"
grep -q 'main.o: main.c' main.d || fail "dependencies are gone"
find . -name '*.cabprof' -o -name '*.new' | grep . && fail "temporary files are left over"

# --try=all has five more columns: variant 7 does not vectorize. A continued tune uses the same
# columns.
rm -rf ./*.o ./*.a prog cabprof.data loops.hints
write_burn 50 7
run_tune 0 --build make --run ./prog --runs 50 --share 10 --try=all --keep
says out "no-vec took"
[ "$(field '" ".join (c["name"] for c in x["columns"][-5:])')" = \
  "no-vec vec default registers prefetch-16" ] ||
  fail "columns of --try=all"
grep -A 20 '"function": "burn"' loops.hints | grep -q '"vectorize": false' ||
  { cat out loops.hints; fail "no hint not to vectorize burn"; }
[ "$(hint_of burn)" = 0 ] || fail "burn has a factor too"
"$CABPROF" report loops >report || fail "report loops after --try=all"
says report "do not vectorize"
[ "$("$CABPROF" report loops --format=json | python3 -c 'import json, sys
print ([r["vectorize"] for r in json.load (sys.stdin)["rows"] if r["function"] == "burn"][0])')" = no ] || fail "report loops as JSON: vectorize"
"$CABPROF" report loops --html=page.html && says page.html "no-vec"
"$CABPROF" tune --method=builds --resume --build make --run ./prog --try=factors $FEW >out 2>err &&
  fail "--resume goes on with other columns"
says err "is of a tune with another --try"
run_tune 1 --resume --budget 2
says err "start again, without --resume"
[ "$(hint_of burn)" = 0 ] || fail "the hints are gone"
run_tune 2 --build make --run ./prog --try=some
says err "is not factors, prefetch, profile or all"

# Variant 9 renames the registers of burn; the other function of the file, which is not hot, keeps
# its own.
rm -rf ./*.o ./*.a prog cabprof.data loops.hints
write_burn 50 9
cat >>burn.c <<'C'
unsigned
other (const unsigned *a, unsigned n)
{
  unsigned x = 0;
  for (unsigned i = 0; i < n; i++)
    x ^= a[i];
  return x;
}
C
run_tune 0 --build make --run ./prog --runs 50 --share 10 --try=all
says out "registers took"
[ "$(python3 -c 'import json; x = json.load (open ("loops.hints"))
print (x["schema"], x["gcc"], [(r["function"], r["unroll"], r["registers"], "vectorize" in r) for r in x["loops"]])')" = \
  "4 $(gcc -dumpversion | cut -d. -f1) [('burn', 0, True, False)]" ] ||
  { cat out loops.hints; fail "the hints are not to rename the registers of burn"; }
[ "$(field \
  '[(c["unroll"], c["registers"]) for c in x["columns"] if c["name"] == "registers"]')" = "[(0, True)]" ] || fail "loops.json: the column"
python3 "$TOP/testsuite/link/records.py" burn.o O >records
[ "$(awk -F'\t' '/^o/ && $5 ~ /registers/ { print $2 }' records)" = burn ] ||
  { cat records; fail "the registers of burn were not renamed, or others were too"; }
"$CABPROF" report loops >report || fail "report loops with registers"
says report "rename registers"
[ "$("$CABPROF" report loops --format=json | python3 -c 'import json, sys
print ([r["registers"] for r in json.load (sys.stdin)["rows"] if r["function"] == "burn"][0])')" = yes ] || fail "report loops as JSON: registers"
"$CABPROF" annotate --loops burn >margin && says margin "rename register"
"$CABPROF" hints --patch >patch 2>err && [ ! -s patch ] &&
  says err "rename registers for burn: GCC has no directive for it"

# If nothing is faster there is no hint, and the program is the compiler's.
rm -rf ./*.o ./*.a prog cabprof.data loops.hints
write_burn 100 -1
run_tune 0 --build make --run ./prog $FEW --sample off
[ -z "$(hint_of burn)" ] || { cat out; fail "there is a hint though nothing is faster"; }
says out "there are no hints"
says out "loops.hints has none, with the reason for each loop; "
[ "$(code_of prog burn)" = "$(code_of plain/prog burn)" ] || fail "the program is not the default's"
says err "no samples (--sample off)"
[ "$(field 'x["measured_with"]["no_trips_because"]')" = "no loop was tuned by itself" ] ||
  fail "loops.json does not say why there are no trip counts"

# An inner loop that does not exist in the default build shares the hint of the loop around it,
# since it can have no samples.
rm -rf ./*.o ./*.a prog cabprof.data loops.hints
write_burn 50 4
sed -i 's/    x = x \* 1664525 + i;/    for (unsigned k = 0; k < 4; k++)\n      x = x * 1664525 + (i ^ k);/' burn.c
run_tune 0 --build 'make CFLAGS="-O3 -g"' --run ./prog $FEW --keep
[ "$(python3 \
  -c 'import json; print ([(l["function"], l["line"], l["owner"]) for l in json.load (open ("cabprof.data/tune/state.json"))["inner"]])')" = "[('burn', 6, 0)]" ] ||
  { cat cabprof.data/tune/state.json; fail "the loop inside is not known as one"; }
[ "$(python3 \
  -c 'import json; print (sorted ((l["line"], l["unroll"]) for l in json.load (open ("loops.hints"))["loops"]))')" = "[(5, 4), (6, 4)]" ] ||
  { cat out loops.hints; fail "the hints are not those of both loops"; }
says out "With hints for 1 loop"
exit 0
