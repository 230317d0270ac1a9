# torturesources.py - GCC's own execution tests: where they are, and how they want to be compiled.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import shutil
import subprocess

import lib

PLACE = os.path.join(lib.BUILD, "torture")


def extract():
    """The directory of the programs, unpacked once out of the Debian package gcc-12-source."""
    programs = os.path.join(PLACE, "execute")
    if os.path.isdir(programs):
        return programs
    tarballs = glob.glob("/usr/src/gcc-12/gcc-12*.tar.xz")
    if not tarballs:
        lib.skip("the package gcc-12-source is not installed")
    temporary = os.path.join(PLACE, "unpack.%d" % os.getpid())
    os.makedirs(temporary)
    subprocess.run(["tar", "-xJf", tarballs[0], "-C", temporary, "--wildcards", "*/gcc/testsuite/gcc.c-torture/execute/*",
                    "--strip-components=4"], check=True)
    try:
        os.rename(os.path.join(temporary, "execute"), programs)
    except OSError:
        pass    # another part was faster
    shutil.rmtree(temporary)
    return programs


def options_of(source):
    with open(source, errors="replace") as file:
        text = file.read()
    words = []
    for match in re.finditer(r'\{ *dg-(?:additional-)?options +"([^"]*)" *\}', text):
        words += match[1].split()
    return [w for w in words if not w.startswith("-O") and w != "-flto"]
