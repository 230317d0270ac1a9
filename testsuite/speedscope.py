#!/usr/bin/env python3
# speedscope.py - open a file of `cabprof export speedscope' in speedscope.
# SPDX-License-Identifier: GPL-3.0-or-later
"""speedscope.py PACKAGE FILE FUNCTION...

Open FILE in the speedscope of the npm package that is unpacked in PACKAGE, in Chromium, and fail
unless it lists each FUNCTION, or if the browser has something to say."""

import base64
import json
import os
import sys

from browser import Browser


def wrap(path, to):
    """Write PATH to TO as a script that gives it to speedscope, which is how files are opened."""
    with open(path, "rb") as file:
        text = base64.b64encode(file.read()).decode()
    with open(to, "w") as file:
        file.write("speedscope.loadFileFromBase64(%s, %s)"
                   % (json.dumps(os.path.basename(path)), json.dumps(text)))


def main(package, path, *functions):
    script = os.path.abspath(path) + ".js"
    wrap(path, script)
    browser = Browser()
    try:
        browser.post("/url", {"url": "file://%s/dist/release/index.html#localProfilePath=%s"
                              % (os.path.abspath(package), script)})
        browser.wait("return document.body.innerText.includes('Sandwich')")
        browser.run("""[...document.querySelectorAll("div")]
            .find((d) => d.textContent.endsWith("Sandwich") && !d.children[1]).click()""")
        for name in functions:
            browser.wait("return document.body.innerText.includes(arguments[0])", name)
        said = [m for m in browser.messages() if m["level"] == "SEVERE"]
        if said:
            sys.exit("%s: speedscope says: %s" % (path, said))
        print("speedscope lists %d functions" % len(functions))
    finally:
        browser.close()


main(*sys.argv[1:])
