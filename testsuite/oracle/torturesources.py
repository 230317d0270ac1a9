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
    """Return the directory NAME below PLACE, with the files that match PATTERNS of the Debian
    package gcc-N-source, N the version of the compiler that is tested; they are unpacked once.
    """
    version = subprocess.run([lib.GCC, "-dumpversion"], capture_output=True, check=True,
                             text=True).stdout.split(".")[0].strip()
    name = "gcc-%s/%s" % (version, name)
    there = os.path.join(PLACE, name)
    if os.path.isdir(there):
        return there
    tarballs = glob.glob("/usr/src/gcc-%s/gcc-%s*.tar.xz" % (version, version))
    if not tarballs:
        lib.skip("the package gcc-%s-source is not installed" % version)
    temporary = os.path.join(PLACE, "unpack.%d" % os.getpid())
    os.makedirs(os.path.join(temporary, name))
    subprocess.run(["tar", "-xJf", tarballs[0], "-C", os.path.join(temporary, name),
                    "--strip-components=%d" % strip, "--wildcards"] + patterns, check=True)
    os.makedirs(os.path.dirname(there), exist_ok=True)
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
              "g++.dg/eh", "gfortran.fortran-torture/execute", "gfortran.dg"]
    return unpack("all-suites", ["*/gcc/testsuite/%s/*" % suite for suite in suites], 3)


def options_of(source):
    with open(source, errors="replace") as file:
        text = file.read()
    words = []
    for match in re.finditer(r'\{ *dg-(?:additional-)?options +"([^"]*)" *\}', text):
        words += match[1].split()
    return [w for w in words if not w.startswith("-O") and w != "-flto"]
