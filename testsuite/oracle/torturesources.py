# torturesources.py - GCC's own execution tests: where they are, and how they are compiled.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import shutil
import subprocess

import lib

PLACE = os.path.join(lib.BUILD, "torture")


def unpack(name, patterns, strip):
    """Return the directory NAME below PLACE, with the files of the Debian package gcc-12-source
    that match PATTERNS, unpacked once.
    """
    there = os.path.join(PLACE, name)
    if os.path.isdir(there):
        return there
    tarballs = glob.glob("/usr/src/gcc-12/gcc-12*.tar.xz")
    if not tarballs:
        lib.skip("the package gcc-12-source is not installed")
    temporary = os.path.join(PLACE, "unpack.%d" % os.getpid())
    os.makedirs(os.path.join(temporary, name))
    subprocess.run(["tar", "-xJf", tarballs[0], "-C", os.path.join(temporary, name),
                    "--strip-components=%d" % strip, "--wildcards"] + patterns, check=True)
    try:
        os.rename(os.path.join(temporary, name), there)
    except OSError:
        pass    # another part was faster
    shutil.rmtree(temporary)
    return there


def extract():
    """Return the directory of the programs of gcc.c-torture/execute."""
    return unpack("execute", ["*/gcc/testsuite/gcc.c-torture/execute/*"], 5)


def extract_suites():
    """Return the directory of the suites whose programs are compiled, and most of them run."""
    suites = ["gcc.c-torture/execute", "gcc.c-torture/compile", "gcc.dg/torture", "g++.dg/torture",
              "g++.dg/eh", "gfortran.fortran-torture/execute"]
    return unpack("whole-suites", ["*/gcc/testsuite/%s/*" % suite for suite in suites], 3)


def options_of(source):
    with open(source, errors="replace") as file:
        text = file.read()
    words = []
    for match in re.finditer(r'\{ *dg-(?:additional-)?options +"([^"]*)" *\}', text):
        words += match[1].split()
    return [w for w in words if not w.startswith("-O") and w != "-flto"]
