#!/bin/bash
# experiments-peers.sh - each word arrives through each queue that is compared, and a wrong sum
# is noticed; a peer whose package is not installed is left out, and the package is named.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3
need_build
export BUILD=$BUILD PLACE=$PWD/place QUICK=1 EXPERIMENTS=peers
experiments=$TOP/testsuite/experiments

# To this compiler, one package is not installed.
mkdir bin
printf '#!/bin/sh\ncase " $* " in *" ck_ring.h "*) exit 1;; esac\nexec %s "$@"\n' "${GCC:-gcc}" \
  >bin/lacking-gcc
chmod +x bin/lacking-gcc
GCC=$PWD/bin/lacking-gcc "$experiments/run" >out 2>&1 || fail "$(cat out)"
is "lines about a package" "$(grep -c '^peers: ck_ring is left out: install libck-dev$' out)" 2
grep -q 'does not build' out && fail "$(cat out)"

# Each queue has a row for each amount of work; events are missed only
# where the producer never waits.
awk -F'\t' '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  {
    n[$at["words"], $at["queue"]]++
    bad += $at["least"] > $at["added_ns"] || $at["greatest"] < $at["added_ns"]
    bad += $at["waiting_ns"] < 0 || $at["missed_percent"] > 0 && $at["queue"] != "one-way stream"
    bad += $at["queue"] == "ck_ring" || $at["between_ns"] <= 0
  }
  END {
    split ("chunk,cab,pipa,fastforward,store stream,one-way stream", queues, ",")
    for (i in queues)
      bad += n[1, queues[i]] != 2
    bad += n[3, "chunk"] != 2 || n[3, "store stream"] != 2 || n[3, "one-way stream"] != 2
    exit bad > 0
  }' place/peers.tsv || fail "$(cat place/peers.tsv)"
for words in 1 3; do
  grep -q "^| $words | chunk, of one-way stream |" place/peers.md || fail "$(cat place/peers.md)"
done
for picture in peers peers-three; do
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse (sys.argv[1])' \
    "place/$picture.svg" || fail "$picture.svg is not XML"
done

# loop QUEUE WORDS: build the loop with a queue of ours.
loop ()
{
  ${GCC:-gcc} -O2 -D_GNU_SOURCE -DWORDS="$2" -DQUEUE="\"$PWD/$1.h\"" -o "$1" \
    "$experiments/peers/loop.c" -lpthread || fail "$1 does not compile"
}
sed 's/  taken += n;/  taken += n, *sum += 1;/' "$experiments/peers/stream.h" >wrong.h
cmp -s wrong.h "$experiments/peers/stream.h" && fail "wrong.h is right"
for words in 1 3; do
  loop wrong $words
  ./wrong 100000 0 262144 -1 -1 >out 2>err && fail "a wrong sum passes"
  grep -q 'the words that arrived add up to' err || fail "$(cat err)"
done
./wrong 100000 0 100 -1 -1 >out 2>err && fail "a ring of 100 slots passes"
grep -q '^usage: ' err || fail "$(cat err)"
