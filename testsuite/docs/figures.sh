#!/bin/bash
# figures.sh - docs/fill-figures puts a table of figures into the page, once or again, and leaves the rest of it as it is.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3
mkdir docs && cp "$TOP"/docs/{fill-figures,figures.md} docs || fail "no copy"
printf '%s\n' 'program	column	ratio	least	greatest	median_seconds	compile_ratio	code_ratio' \
  'one	plain	1.000	1.000	1.000	2.5000	1.00	1.00' 'one	paths	1.100	1.090	1.110	2.7500	1.20	1.50' \
  'two	plain	1.000	1.000	1.000	1.0000	1.00	1.00' 'two	paths	4.400	4.000	5.000	4.4000	1.20	6.00' >bench.tsv
docs/fill-figures bench.tsv "a machine" && cp docs/figures.md once && docs/fill-figures bench.tsv "a machine" || fail "fill-figures fails"
cmp once docs/figures.md || fail "the second time gives another page"
for line in '| plain | 2.50 s | 1.00 s |  |' '| paths | 1.10 | 4.40 | 2.20 |' '| paths | 1.20 | 3.00 |' 'Measured on: a machine.'; do
  grep -qF -e "$line" docs/figures.md || fail "not in the page: $line"
done
rest ()
{
  sed '/^<!-- figures/,/^<!-- end/d' "$1"
}
diff <(rest "$TOP/docs/figures.md") <(rest docs/figures.md) || fail "the rest of the page has changed"
