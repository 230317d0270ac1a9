#!/usr/bin/env python3
"""records.py - print the records of an ELF file's .cabprof_info: records.py FILE LETTER
SPDX-License-Identifier: GPL-3.0-or-later"""

import struct
import sys


def sections(elf):
    """Return (name, contents) of each section of a 64-bit little-endian ELF file; an object has
    several of one name.
    """
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, n, names = struct.unpack_from("<HHH", elf, 0x3a)
    heads = [struct.unpack_from("<IIQQQQIIQQ", elf, table + i * size)
             for i in range(n or struct.unpack_from("<Q", elf, table + 32)[0])]
    if names == 0xffff:
        names = heads[0][6]
    start = heads[names][4]
    for name, kind, _, _, offset, length, *_ in heads:
        if kind not in (0, 8):
            yield elf[start + name:elf.index(b"\0", start + name)].decode(), elf[offset:offset
                                                                                 + length]


def records(path, letter):
    with open(path, "rb") as file:
        elf = file.read()
    for name, contents in sections(elf):
        if name == ".cabprof_info":
            for record in contents.split(b"\0"):
                if record[:1] == b"\1" and chr(record[1]) == letter:
                    yield record[1:].decode().rstrip("\n")


if __name__ == "__main__":
    for text in records(*sys.argv[1:]):
        print(text)
