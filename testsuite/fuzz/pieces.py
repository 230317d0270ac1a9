#!/usr/bin/env python3
# pieces.py - write a part of a profile as its pieces that are not zero, for `readers part':
# pieces.py FILE.part >PIECES
# SPDX-License-Identifier: GPL-3.0-or-later
import struct
import sys

GAP = 16

data = open(sys.argv[1], "rb").read()
out = [struct.pack("<I", len(data))]
at = 0
while at < len(data):
    if not data[at]:
        at += 1
        continue
    end = at
    while end < len(data) and end - at < 0xffff and any(data[end:end + GAP]):
        end += 1
    out.append(struct.pack("<IH", at, end - at) + data[at:end])
    at = end
sys.stdout.buffer.write(b"".join(out))
