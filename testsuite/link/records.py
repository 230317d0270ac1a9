#!/usr/bin/env python3
"""records.py - print the records of an ELF file's .cabprof_info: records.py FILE LETTER
SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import subprocess
import sys
import tempfile

file, letter = sys.argv[1:]
with tempfile.TemporaryDirectory() as directory:
    out = os.path.join(directory, "info")
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.cabprof_info", "--set-section-flags", ".cabprof_info=alloc", file, out],
                   check=True)
    with open(out, "rb") as content:
        for record in content.read().split(b"\0"):
            if record[:1] == b"\1" and chr(record[1]) == letter:
                print(record[1:].decode().rstrip("\n"))
