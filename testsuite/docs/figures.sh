#!/bin/bash
# figures.sh - docs/fill-figures puts a table of figures into the page, also again, and leaves the
# rest of the page as it is.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3
mkdir docs && cp "$TOP"/docs/{fill-figures,figures.md} docs || fail "no copy"
printf '%s\n' \
  'program	column	ratio	least	greatest	median_seconds	compile_ratio	code_ratio' \
  'one	plain	1.000	1.000	1.000	2.5000	1.00	1.00' \
  'one	paths	1.100	1.090	1.110	2.7500	1.20	1.50' \
  'two	plain	1.000	1.000	1.000	1.0000	1.00	1.00' \
  'two	paths	4.400	4.000	5.000	4.4000	1.20	6.00' >bench.tsv
docs/fill-figures bench.tsv "a machine" && cp docs/figures.md once && docs/fill-figures bench.tsv \
  "a machine" || fail "fill-figures fails"
cmp once docs/figures.md || fail "the second time gives another page"
for line in '| plain | 2.50 s | 1.00 s |  |' '| paths | 1.10 | 4.40 | 2.20 |' \
  '| paths | 1.20 | 3.00 |' 'Measured on: a machine.'; do
  grep -qF -e "$line" docs/figures.md || fail "not in the page: $line"
done
printf '%s\n' \
  'program	kind	column	ratio	low	high	rounds	median_seconds	code_bytes	same_code_as' \
  'one	kernel	-O3	1.0000	1.0000	1.0000	7	2.5000	1000	' \
  'one	kernel	factor 4	0.8000	0.7900	0.8100	7	2.0000	1000	' \
  'one	kernel	cabprof, all	0.9000	0.8800	0.9200	7	2.2500	1000	' \
  'two	irregular	-O3	1.0000	1.0000	1.0000	7	1.0000	1000	' \
  'two	irregular	factor 4	1.2500	1.2000	1.3000	7	1.2500	1000	' \
  'two	irregular	cabprof, all	1.0000	1.0000	1.0000	7	1.0000	1000	-O3' >loops.tsv
cp docs/figures.md first
docs/fill-figures loops.tsv "another" && cp docs/figures.md once && docs/fill-figures loops.tsv \
  "another" || fail "fill-figures fails on loops"
cmp once docs/figures.md || fail "the second time gives another page of loops"
for line in '| one | 2.50 s | 0.800 | 0.900 (0.880-0.920) |' '| two | 1.00 s | 1.250 | 1.000= |' \
  '| geomean, all |  | 1.000 | 0.949 |' '| geomean, irregular kernels |  | 1.250 | 1.000 |' \
  'Measured on: another.'; do
  grep -qF -e "$line" docs/figures.md || fail "not in the page: $line"
done
grep -qF 'Measured on: a machine.' docs/figures.md || fail "the other figures are gone"
printf '%s\n' \
  'ring	multiplications	ns_between	added_ns	least	greatest	waiting_ns' \
  'chunk	3	4.100	0.512	0.300	0.900	0.010' >rings.tsv
docs/fill-figures rings.tsv "a third" && cp docs/figures.md once && docs/fill-figures rings.tsv \
  "a third" || fail "fill-figures fails on rings"
cmp once docs/figures.md || fail "the second time gives another page of rings"
grep -qF '| chunk | 4.10 | 0.51 | 0.30 to 0.90 | 0.01 |' docs/figures.md ||
  fail "no figures of rings in the page"
sed -i '/^<!-- rings/,/^<!-- end of rings/d' docs/figures.md first
sed -i '/^<!-- loops/,/^<!-- end of loops/d' docs/figures.md first
diff first docs/figures.md || fail "figures of loops have changed the rest of the page"
cp "$TOP/docs/figures.md" page && sed -i -e '/^<!-- loops/,/^<!-- end of loops/d' \
  -e '/^<!-- rings/,/^<!-- end of rings/d' page
rest ()
{
  sed '/^<!-- figures/,/^<!-- end/d' "$1"
}
diff <(rest page) <(rest docs/figures.md) || fail "the rest of the page has changed"
