#!/usr/bin/env python3
"""rows.py - list the rows of an ELF file: rows.py [-n] FILE

Print the assembler name in the record of each row. Fail if a row is malformed or its record is not
one, or if a note about the context does not agree with the symbol __cab_ctx. With -n the file must
carry such a note.
SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import re
import struct
import sys

MAGIC = 0xC0B5170B
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "cabprof",
                       "abi.h")) as header:
    ABI = int(re.search(r"^#define CAB_ABI_VERSION (\d+)$", header.read(), re.M).group(1))


def fail(message):
    sys.exit(f"rows.py: {sys.argv[-1]}: {message}")


def c_string(data, at):
    return data[at:data.index(b"\0", at)]


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        (offset,) = struct.unpack_from("<Q", self.data, 40)
        size, count, names = struct.unpack_from("<HHH", self.data, 58)
        raw = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + i * size)
               for i in range(count)]
        base = raw[names][4]
        self.sections = [(c_string(self.data, base + s[0]).decode(), s) for s in raw]

    def content(self, section):
        return b"" if section[1] == 8 else self.data[section[4]:section[4] + section[5]]

    def find(self, name):
        return [s for n, s in self.sections if n == name]

    def symbol(self, name):
        for table in [s for n, s in self.sections if s[1] == 2]:
            strings = self.sections[table[6]][1][4]
            for at in range(table[4], table[4] + table[5], 24):
                st_name, _, _, index, value, _ = struct.unpack_from("<IBBHQQ", self.data, at)
                if index and c_string(self.data, strings + st_name) == name:
                    return value
        return None


def rows(elf):
    info = b"".join(elf.content(s) for s in elf.find(".cabprof_info")[:1])
    for name, section in elf.sections:
        flags, address = section[2], section[3]
        if not flags & 2 or not flags & 1:
            continue
        content = elf.content(section)
        for at in range(-address % 64, len(content) - 63, 64):
            magic, abi, _, offset = struct.unpack_from("<IHHI", content, at + 32)
            if magic != MAGIC:
                continue
            record = (offset + address + at) % (1 << 32)
            if abi != ABI or content[at:at + 32].strip(b"\0"):
                fail(f"row at {address + at:#x} in {name}: wrong ABI or slots that are not 0")
            if info[record:record + 4] != b"\1F1\t":
                fail(f"row at {address + at:#x} in {name}: no record at {record:#x}")
            yield info[record + 4:].split(b"\t", 1)[0].decode()


def check_note(elf, wanted):
    context = elf.symbol(b"__cab_ctx")
    notes = elf.find(".note.cabprof")
    if not notes:
        if wanted or context is not None:
            fail("no note about the context")
        return
    name_bytes, bytes_, kind, name, offset = struct.unpack("<III8si", elf.content(notes[0])[:24])
    if (name_bytes, bytes_, kind, name) != (8, 4, 1, b"cabprof\0"):
        fail("the note is malformed")
    tls = [s for n, s in elf.sections if s[2] & 0x400]
    start = min(s[3] for s in tls)
    align = max(s[8] for s in tls)
    size = max(s[3] + s[5] for s in tls) - start
    if context is not None and offset != context - -(-size // align) * align:
        fail(f"the note says {offset}, the symbol {context} of {size}")


elf_file = Elf(sys.argv[-1])
check_note(elf_file, "-n" in sys.argv)
print("\n".join(sorted(rows(elf_file))))
