#!/usr/bin/env python3
# browser.py - open pages of `cabprof report --html' in Chromium and check them.
# SPDX-License-Identifier: GPL-3.0-or-later
"""browser.py [--shots DIR] PAGE [KEY=TSV...] [diff=TSV]
browser.py --time PAGE

Open PAGE from the disk, go to each view by its link, and fail on any message of the browser.  For
each KEY compare the table KEY that the page shows with the TSV of the same report; for diff, what
stands beside figures that have changed with what `cabprof diff' prints.  Write shots of all views
at two widths to DIR.  With --time only print how many seconds it takes until the page shows its
overview, and then its contexts.  Chromium is driven by chromedriver (WebDriver, W3C)."""

import base64
import http.client
import json
import os
import re
import subprocess
import sys
import time

WIDTHS = [1024, 2560]
LONG = 4000            # bytes of a text that the page does not cut off
SECONDS = 30           # that the browser may take for an answer, on a busy machine


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        started = (re.search(r"started successfully on port (\d+)", line)
                   for line in self.driver.stdout)
        port = next(match[1] for match in started if match)
        self.http = http.client.HTTPConnection("127.0.0.1", int(port), timeout=SECONDS)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1024,900"]
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]

    def ask(self, method, path, body=None):
        self.http.request(method, path, json.dumps(body) if body is not None else None,
                          {"Content-Type": "application/json"})
        answer = json.loads(self.http.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            sys.exit("%s: %s" % (path, answer.get("message", answer["error"])))
        return answer

    def post(self, path, body):
        return self.ask("POST", self.session + path, body)

    def run(self, script, *arguments):
        """Return what the body of a function, SCRIPT, returns in the page."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        end = time.time() + SECONDS
        while not self.run(script, *arguments):
            if time.time() > end:
                sys.exit("not so after %d seconds: %s: %s" % (SECONDS, script, self.messages()))
            time.sleep(0.05)

    def click(self, selector):
        """Click on what SELECTOR finds, once it can be seen, in one step: the page may be drawn
        anew at any time, as when the window gets its size."""
        self.wait("""
            const it = document.querySelector(arguments[0]), box = it.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const seen = document.elementFromPoint(x, y) === it;
            if (seen)
              it.click();
            return seen;""", selector)

    def messages(self):
        return self.post("/se/log", {"type": "browser"})

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))

    def close(self):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()


def open_page(browser, page):
    browser.post("/url", {"url": "file://" + os.path.abspath(page)})
    browser.wait("return document.getElementById('main').dataset.view === 'overview'")
    names = browser.run("return [...document.querySelectorAll('nav a')].map((a) => a.id.slice(5))")
    if len(names) < 10:
        sys.exit("%s: only these views: %s" % (page, names))
    return names


def visit(browser, name):
    browser.click("#view-" + name)
    browser.wait("return document.getElementById('main').dataset.view === arguments[0]", name)
    if not browser.run("return document.getElementById('main').innerText.length > 40"):
        sys.exit("the view %s is empty" % name)


def rows_of(path):
    with open(path, errors="surrogateescape") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return lines[0], lines[1:]


def number(text):
    """Return what a cell of the page says as a number, or None."""
    text = text.replace(",", "")
    try:
        return float(text[:-2]) / 100 if text.endswith(" %") else float(text)
    except ValueError:
        return None


def same(shown, wanted, type_name):
    if type_name in ("count", "number", "change", "line", "share", "real", "relative"):
        if wanted == "-" or (type_name == "line" and wanted == "0"):
            return shown == "-"
        value = number(shown)
        if type_name in ("share", "real", "relative"):
            return value is not None and abs(value - float(wanted)) < 0.0051
        return value == float(wanted)
    wanted = wanted.replace("\\t", "\t").replace("\\n", "\n").replace("\\\\", "\\")
    wanted = " ".join((wanted.split("/")[-1] if type_name == "path" else wanted).split())
    if len(wanted) > LONG and shown.endswith("..."):
        return wanted.startswith(shown[:-3])
    return wanted == shown


def differs(heads, shown, at, row):
    """Return the name and both texts of the first cell of a row of the page, SHOWN, that is not what
    ROW of the report has, or None; the number of cells that are the same.
    """
    compared = 0
    for (name, type_name), cell in zip(heads, shown):
        if name in at:
            compared += 1
            if not same(cell, row[at[name]], type_name):
                return (name, cell, row[at[name]]), compared
    return None, compared


def compare(browser, key, path):
    """Compare the rows that the table KEY shows with those of the TSV file PATH, which are in
    another order where the page has only those that weigh most.
    """
    browser.run("location.hash = 'view=tables&table=' + encodeURIComponent(arguments[0])", key)
    browser.wait("return !!document.querySelector(`section[data-table='${arguments[0]}']`)", key)
    left_out, heads, cells = browser.run("""
        const s = document.querySelector(`section[data-table='${arguments[0]}']`);
        const types = Object.fromEntries(table(arguments[0]).columns.map(([n, t]) => [n, t]));
        s.querySelectorAll(".was").forEach((was) => was.remove());
        const clean = (x) => x.textContent.replace(/\\s+/g, " ").trim();
        const heads = [...s.querySelector("thead tr").children];
        const names = heads.map((h) => clean(h).replace(/ /g, "_"));
        return [table(arguments[0]).left_out, names.map((n) => [n, types[n]]),
          [...s.querySelector("tbody").children].map((r) => [...r.children].map(clean))];""", key)
    names, wanted = rows_of(path)
    at = {name: i for i, name in enumerate(names)}
    compared = 0
    for number, shown in enumerate(cells):
        candidates = wanted if left_out else wanted[number:number + 1]
        found = [differs(heads, shown, at, row) for row in candidates]
        compared += max((n for _, n in found), default=0)
        if found and not any(difference is None for difference, _ in found):
            sys.exit("%s: %s is %.300r in the page, %.300r in the report"
                     % (key, *min(found, key=lambda one: -one[1])[0]))
    if (wanted and not compared) or len(cells) != min(len(wanted), 50):
        sys.exit("%s: %d rows in the page, %d in the report" % (key, len(cells), len(wanted)))


BESIDE = {
    "methods": """
        const t = table("methods"), r = column(t, "function").indexOf(arguments[0]);
        const rows = document.querySelectorAll("section[data-table=methods] tbody tr");
        return r < 0 ? "" : rows[r].children[3].textContent;""",
    "lines": """
        const row = document.getElementById("line-" + arguments[0]);
        return row ? row.children[2].textContent : "";""",
}


def compare_before(browser, path):
    """Compare the counts beside those of the functions and lines that PATH has, cabprof diff's."""
    names, rows = rows_of(path)
    seen = {"methods": 0, "lines": 0}
    for row in (dict(zip(names, cells)) for cells in rows):
        kind, before, after = row["kind"], int(row["before"]), int(row["after"])
        if kind not in BESIDE or row["note"] not in ("", "only after") or row["lines"]:
            continue
        state = ("view=tables&table=methods" if kind == "methods"
                 else "view=source&file=" + row["file"])
        browser.run("location.hash = arguments[0]", state)
        browser.wait("return !!document.querySelector(arguments[0])",
                     "section[data-table=methods]" if kind == "methods" else "table.source")
        shown = browser.run(BESIDE[kind], row["function" if kind == "methods" else "line"])
        now, _, was = shown.replace("never", "0").partition(" ")
        wanted = "new" if row["note"] else "was {:,}".format(before)
        if now.replace(",", "") != str(after) or was.split(", ")[0] != wanted:
            sys.exit("%s: the page has %r instead of %d, %s" % (row, shown, after, wanted))
        seen[kind] += 1
    if not all(seen.values()):
        sys.exit("nothing to compare: %s" % seen)


def zoom(browser):
    """Check that the timeline draws each thread, and that a call that is chosen fills the time."""
    browser.run("location.hash = 'view=timeline'")
    browser.wait("return document.getElementById('main').dataset.view === 'timeline'")
    threads, boxes, call = browser.run("""
        const t = data.timeline, boxes = [...document.querySelectorAll("#time rect[aria-label]")];
        const threads = [...document.querySelectorAll("#time text")]
          .filter((x) => x.textContent.startsWith("thread "));
        const box = boxes.find((b) => Number(b.getAttribute("width")) < 900) || boxes[0];
        const words = box.getAttribute("aria-label");
        box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return [threads.length === t.threads.length, boxes.length, words.split(", itself ")[0]];""")
    if not threads or not boxes:
        sys.exit("the timeline lacks threads or calls")
    own, strip, drawn = browser.run("""
        const t = data.timeline, rows = table("timeline"), own = column(rows, "self_ns");
        const most = own.indexOf(Math.max(...own)), name = column(rows, "function")[most];
        const id = t.functions.findIndex(([f]) => f === name);
        const sum = (thread) => thread.most.reduce((ns, f, k) =>
          ns + (f === id ? thread.percent[k] / 100 * t.part_ns : 0), 0);
        return [own[most], t.threads.reduce((ns, thread) => ns + sum(thread), 0),
          document.querySelectorAll("#time rect:not([aria-label])").length];""")
    if not drawn or not own * 0.5 < strip <= own * 1.001:
        sys.exit("the strip gives %d ns to the function that had %d ns" % (strip, own))
    browser.wait("return location.hash.includes('from=')")
    browser.wait("""
        const boxes = [...document.querySelectorAll("#time rect[aria-label]")];
        return boxes.some((b) => b.getAttribute("aria-label").startsWith(arguments[0])
          && Number(b.getAttribute("width")) > 300);""", call + ",")


def at_hottest(browser):
    """Check that the source opens where its first file is hottest, on a screen of few lines."""
    browser.post("/window/rect", {"width": 1024, "height": 500})
    browser.run("location.hash = 'view=source'")
    browser.wait("return document.getElementById('main').dataset.view === 'source'")
    time.sleep(0.2)
    line, top, height = browser.run("""
        const file = data.sources[0].file, name = ["time", "D1", "accesses", "count"]
          .find((n) => [...marginOf(file).values()].some((at) => at[n] !== undefined));
        const [line] = [...marginOf(file)].sort((a, b) => (b[1][name] || 0) - (a[1][name] || 0))[0];
        const box = document.getElementById("line-" + line).getBoundingClientRect();
        return [line, box.top, window.innerHeight];""")
    if not 0 < top < height:
        sys.exit("line %d, the hottest one, is not on the screen" % line)


def harmless(browser):
    """Check that nothing of the data has become a script or an element of its own."""
    found = browser.run("""return [typeof window.hacked, document.scripts.length,
        document.querySelectorAll("main script, img, iframe, object, link, base").length]""")
    if found != ["undefined", 2, 0]:
        sys.exit("something of the data has become part of the page: %s" % found)


def print_times(page):
    browser = Browser()
    try:
        begin = time.monotonic()
        open_page(browser, page)
        opened = time.monotonic()
        visit(browser, "contexts")
        print("%.2f %.2f" % (opened - begin, time.monotonic() - opened))
    finally:
        browser.close()


def main(words):
    if words[0] == "--time":
        return print_times(words[1])
    shots = words[1] if words[0] == "--shots" else None
    page, tables = (words[2:] if shots else words)[0], (words[2:] if shots else words)[1:]
    browser = Browser()
    try:
        names = open_page(browser, page)
        for name in names:
            visit(browser, name)
            harmless(browser)
            for width in WIDTHS if shots else []:
                browser.post("/window/rect", {"width": width, "height": 1300})
                time.sleep(0.3)
                browser.shot("%s/%s-%s-%d.png" % (shots, os.path.basename(page)[:-5], name, width))
        for form in ("icicle", "sandwich"):
            browser.run("location.hash = 'view=contexts&form=' + arguments[0]", form)
            time.sleep(0.2)
        browser.run("location.hash = 'view=contexts&colours=module'")
        if browser.run("return !!(data.contexts && data.contexts.measures.length)"):
            browser.wait("""return document.getElementById('main').innerText
                .includes('Colours are modules')""")
            modules = browser.run("return new Set(data.contexts.functions.map((f) => f[3])).size")
            hues = browser.run("""return new Set([...document.querySelectorAll('.frame-box')]
                .map((box) => (box.getAttribute('fill') || box.style.fill).split(' ')[0])).size""")
            if not 1 <= hues <= modules + 1:
                sys.exit("%d colours for %d modules" % (hues, modules))
        if browser.run("return data.sources.some((s) => marginOf(s.file).size)"):
            at_hottest(browser)
        if browser.run("return !!data.timeline"):
            zoom(browser)
        for pair in tables:
            key, path = pair.split("=", 1)
            if key == "diff":
                compare_before(browser, path)
            else:
                compare(browser, key, path)
        said = browser.messages()
        if said:
            sys.exit("%s: the browser says: %s" % (page, said))
        print("%d views, %d tables" % (len(names), len(tables)))
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
