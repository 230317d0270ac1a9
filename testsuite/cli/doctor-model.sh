#!/bin/bash
# doctor-model.sh - `cabprof doctor --model' prints each term of the model and a choice that follows
# from them; on one processor the choice is inline; without a compiler it says so and fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc taskset

ns='[0-9]+\.[0-9]+'
all=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)
last=${all##*[,-]}

# follows: check that each choice in out is the cheaper one of its two figures, by a tenth, and that
# both follow from the terms; figures are rounded to 0.01 ns.
follows ()
{
  awk '
    function off(a, b) { return a - b > 0.031 || b - a > 0.031 }
    $2 == "program" || $2 == "enqueue" { fill += $3 }
    $2 == "communication" { crossing = $1 == "ok" ? $(NF - 3) : 0; alone = $1 == "-" }
    $2 == "analysis" { analysis[$3] = $4 }
    $2 == "placement" {
      gsub (/[(),:]/, "")
      for (i = 5; i <= NF; i++)
        if ($i == "inline") here = $(i + 1)
        else if ($i == "thread" && $(i + 1) ~ /^[0-9]/) there = $(i + 1)
      reader = analysis[$3] + crossing
      wanted = alone ? fill + reader : reader > fill ? reader : fill
      chosen = $4
      if (off(here, fill + analysis[$3]) || off(there, wanted) ||
          (there > 0.9 * here + 0.03 && chosen != "inline") ||
          (there < 0.9 * here - 0.03 && chosen != "thread")) {
        print "does not follow: " $0
        exit 1
      }
      n++
    }
    END { if (n != 2) { print n + 0 " choices"; exit 1 } }' out >wrong ||
    fail "$(cat wrong): $(cat out)"
}

expect 0 "$CABPROF" doctor --model; quiet
prints "^ok    program  *$ns ns an event, without probes$"
prints "^ok    enqueue  *$ns ns an event, with its probe$"
moved="ok    communication  *$ns ns a cache line from processor [0-9]+ to [0-9]+, $ns ns an event"
prints "^($moved|-     communication  *the process may run on one processor only)$"
for analysis in calls tree; do
  prints "^ok    analysis $analysis  *$ns ns an event$"
  costs="inline $ns ns an event, thread $ns, of these blocked $ns"
  prints "^ok    placement $analysis  *(inline|thread): .* \($costs\)$"
done
[ "$(wc -l <out)" = 7 ] || fail "not seven lines: $(cat out)"
follows
! grep -Eq 'program +0\.00 ns' out || fail "the program takes no time: $(cat out)"

expect 0 taskset -c "$last" "$CABPROF" doctor --model; quiet
prints '^-     communication  *the process may run on one processor only$'
[ "$(grep -c '^ok    placement .*  *inline: there is one processor' out)" = 2 ] ||
  fail "a thread on one processor: $(cat out)"
follows

mkdir none
PATH=$PWD/none expect 1 "$CABPROF" doctor --model
prints '^no    gcc  *the program that is measured does not compile'
expect 2 "$CABPROF" doctor --model words
says 'takes no arguments'
exit 0
