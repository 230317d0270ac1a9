#!/usr/bin/env python3
"""outcomes.py OBJECT MESSAGES LEAST GCC - compare an object's record of what became of its loops
with GCC's -fopt-info.

Both are by line: all loops of a kernel are on one. Print what differs, and fail if anything does,
or if fewer than LEAST lines have loops.  GCC is the compiler's version.
SPDX-License-Identifier: GPL-3.0-or-later"""

import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "link"))
from records import records


def words_by_line(path):
    """Return line -> the words of each of its loops' outcomes."""
    lines = collections.defaultdict(list)
    for text in records(path, "O"):
        for row in text.split("\n"):
            if row.startswith("o\t"):
                _, _, place, _, words = row.split("\t")
                lines[int(place.split(":")[1])].append(words)
    return lines


def messages_by_line(path):
    lines = collections.defaultdict(list)
    with open(path) as file:
        for row in file:
            found = re.match(r"[^:]*:(\d+):\d+: optimized:\s+(.*)", row)
            if found:
                lines[int(found[1])].append(found[2])
    return lines


def largest(pattern, texts):
    return max((int(n) for text in texts for n in re.findall(pattern, text)), default=0)


def ours(words):
    facts = {"vector": largest(r"\bvector:(\d+)", words),
             "unrolled": largest(r"\bunrolled:(\d+)", words)}
    for word in ("peeled", "split", "distributed", "versioned", "interchanged",
                 "mem(?:set|cpy|move)"):
        facts[word] = any(re.search(r"\b%s\b" % word, text) for text in words)
    return facts


def theirs(texts):
    """Ignore complete unrolling of the rest of a vector loop, which is not the loop."""
    loop_vector = largest(r"loop vectorized using (\d+) byte", texts)
    unrolled = largest(r"loop unrolled (\d+) times", texts)
    patterns = {"split": r"^loop split", "distributed": r"split to [1-9]\d* loops",
                "interchanged": "loops interchanged",
                "versioned": "versioned|[Uu]nswitching|unswitched",
                "mem(?:set|cpy|move)": r"and [1-9]\d* library calls"}
    facts = {word: any(re.search(pattern, text) for text in texts)
             for word, pattern in patterns.items()}
    facts["peeled"] = not loop_vector and any("completely unrolled" in text for text in texts)
    facts["vector"], facts["unrolled"] = loop_vector, unrolled + 1 if unrolled else 0
    if loop_vector:
        # A vector loop of one round is no longer a loop: GCC does not always say so.
        del facts["peeled"]
    return facts


def main():
    words, messages = words_by_line(sys.argv[1]), messages_by_line(sys.argv[2])
    bad = 0
    for line in sorted(words):
        mine, other = ours(words[line]), theirs(messages[line])
        # Blocks of vectors belong to a loop only where one is left, such as one around an inner
        # loop that was unrolled.
        if mine["vector"] and mine["vector"] == largest(
                r"basic block part vectorized using (\d+) byte", messages[line]):
            other["vector"] = mine["vector"]
        # From GCC 15 on the vectorizer makes versions for numbers of iterations without a word.
        if int(sys.argv[4]) >= 15 and mine["vector"] and mine["versioned"]:
            del other["versioned"]
        for fact in sorted(other):
            if mine[fact] != other[fact]:
                bad += 1
                print("line %d: %s: %s by our record (%s), %s by GCC (%s)"
                      % (line, fact, mine[fact], "; ".join(words[line]), other[fact],
                         "; ".join(messages[line])))
    if len(words) < int(sys.argv[3]):
        bad += 1
        print("%d lines have loops, fewer than %s" % (len(words), sys.argv[3]))
    sys.exit(bad != 0)


main()
