#!/bin/bash
# openmp-package.sh - the loops of a Debian package that its authors run in parallel, by OpenMP, are
# parallel by `report deps' too, with the same reductions, or a reason is given that holds.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc python3
need_source libimagequant
[ -e "$SOURCE/mediancut.c" ] || skip "libimagequant here is not the one that is written in C"

# The compiler does not get -fopenmp, so the directives change nothing.
cat >drive.c <<'C'
#include <stdio.h>
#include "libimagequant.h"
#define SIDE 96
static unsigned char pixels[SIDE * SIDE * 4], indices[SIDE * SIDE];
int
main (void)
{
  unsigned x = 1, sum = 0;
  for (int i = 0; i < SIDE * SIDE * 4; i++)
    {
      x = x * 1664525 + 1013904223;
      pixels[i] = i % 4 == 3 ? 255 : (i / 4 % SIDE) * (i % 4 + 1) + (x >> 27);
    }
  liq_attr *attr = liq_attr_create ();
  liq_set_max_colors (attr, 32);
  liq_image *image = liq_image_create_rgba (attr, pixels, SIDE, SIDE, 0);
  liq_result *result;
  if (liq_image_quantize (image, attr, &result) != LIQ_OK)
    return 1;
  liq_set_dithering_level (result, 0);
  liq_write_remapped_image (result, image, indices, sizeof indices);
  for (int i = 0; i < SIDE * SIDE; i++)
    sum = sum * 31 + indices[i];
  printf ("%u %u\n", liq_get_palette (result)->count, sum);
  return 0;
}
C
mapfile -t files < <(find "$SOURCE" -maxdepth 1 -name '*.c' ! -name example.c)
flags=(-std=gnu11 -O2 -g -w -DNDEBUG "-I$SOURCE" drive.c "${files[@]}" -lm)
"${GCC:-gcc}" "${flags[@]}" -o plain 2>words || fail "it does not compile: $(cat words)"
"${GCC:-gcc}" "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory+loops "${flags[@]}" -o probed \
  2>words || fail "it does not compile with probes: $(cat words)"
CABPROF_OPTIONS=analyses=deps ./probed >out 2>words || fail "it does not run: $(cat words)"
./plain | cmp -s - out || fail "with probes it prints $(cat out)"
"$CABPROF" report deps --limit=0 --format=tsv >deps.tsv || fail "report deps"

python3 - "${files[@]}" <<'PY' || exit
import csv, re, sys
lines = [line for line in open("deps.tsv") if not line.startswith("#")]
rows = {(r["file"].split("/")[-1], int(r["line"])): r
        for r in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}
good = bad = 0
for path in sys.argv[1:]:
    text = open(path).read().replace("\\\n", " \\n").split("\n")
    number = 0
    wanted = None
    for line in text:
        number += 1
        if re.search(r"#\s*pragma omp parallel for", line):
            wanted = re.findall(r"reduction\(\+:(\w+)\)", line)
        number += line.count(" \\n")
        if wanted is None or not re.match(r"\s*for\s*\(", line):
            continue
        row = rows.get((path.split("/")[-1], number))
        # What a call through a pointer does is not known; it is said, and that holds here.
        holds = row and (row["verdict"] in ("parallel", "parallel after")
                         or (row["verdict"].startswith("unknown")
                             and "a call through a pointer" in "\t".join(row.values())))
        missing = [name for name in wanted
                   if row and "reduction of %s (+)" % name not in row["in_the_way"]]
        if not row or not holds or missing:
            print("FAILED: %s:%d: %s, %s is not named" % (path, number, row, missing))
            bad += 1
        else:
            good += 1
        wanted = None
if good + bad != 5:
    print("FAILED: there are %d loops with directives" % (good + bad))
    bad += 1
print("CASES %d %d 0" % (good, bad))
sys.exit(bad > 0)
PY
