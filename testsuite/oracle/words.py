# words.py - count words, calls and paths in the events of a packed trace, read as docs/trace.md and
# docs/events.md describe it, without cabprof.
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import struct

CALLS = {1: "CALL", 9: "TAIL", 11: "UNDER"}
PATHS = {2: "PATH", 10: "PATH_LAST"}
RUN, RUN_HIGH, PACK = 12, 13, 8
CHUNK = 4


def chunks(data):
    """Yield the words of each chunk."""
    magic, version, order = struct.unpack_from("<8sII", data)
    if (magic, version, order) != (b"CABTRAC\0", 2, 0x01020304):
        raise ValueError("no packed trace")
    place = 16
    while place < len(data):
        mark, kind, method = struct.unpack_from("<IHH", data, place)
        n_bytes, = struct.unpack_from("<Q", data, place + 40)
        if mark != 0x4d524643 or method:
            raise ValueError("no frame at %d, or a predicted one" % place)
        if kind == CHUNK:
            yield struct.unpack_from("<%dQ" % (n_bytes // 8), data, place + 48)
        place += 48 + n_bytes


def paths_in(word):
    """Return how many executions of paths the event WORD stands for."""
    kind = word & 15
    if kind in PATHS:
        return 1
    if kind in (RUN, RUN_HIGH):
        return (word >> 19 & 0x1ffffff) << (25 if kind == RUN_HIGH else 0)
    if kind == PACK:
        width, top = word >> 4 & 15, (word >> 12 & 0xffffffff).bit_length() - 1
        return (top - 31 % width) // width
    return 0


def counts(path):
    """Return a Counter: events, calls, paths; and events of each kind by number."""
    found = collections.Counter()
    with open(path, "rb") as file:
        data = file.read()
    for words in chunks(data):
        for word in words:
            if word & 15 not in CALLS and not paths_in(word):
                raise ValueError("an event that was not asked for: %#x" % word)
            found["events"] += 1
            found["calls"] += word & 15 in CALLS
            found["paths"] += paths_in(word)
            found[word & 15] += 1
    return found
