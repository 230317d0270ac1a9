/* memory.js - the views of memory: variables, structures as cache lines, sharing, reuse, values.
 * SPDX-License-Identifier: GPL-3.0-or-later */

const LINE_BYTES = 64;

function heat(share) {
  return "rgba(var(--heat)," + (0.08 + 0.72 * Math.sqrt(Math.max(0, share))).toFixed(3) + ")";
}

/* Return the structures of the table of layouts, each with its units. */
function structures() {
  const t = table("layout"), all = new Map();
  for (let r = 0; r < rowsOf(t); r++) {
    const unit = row(t, r), key = [unit.type, unit.file, unit.line, unit.size].join("\t");
    if (!all.has(key))
      all.set(key, []);
    all.get(key).push(unit);
  }
  return [...all.values()];
}

const FEW_LINES = 3;   // whole lines of one unit that are drawn each

/* Return UNITS at the offsets that OFFSET gives as cache lines of a grid; most: greatest count.
   Many lines of one unit, as of an array, are one row. */
function asLines(units, offset, most) {
  const cells = [], sorted = units.slice().sort((a, b) => offset(a) - offset(b));
  let at = 0;
  const put = (bytes, content) => {
    while (bytes > 0) {
      const here = Math.min(bytes, LINE_BYTES - at % LINE_BYTES);
      const whole = here === LINE_BYTES ? Math.floor(bytes / LINE_BYTES) : 1;
      const lines = whole > FEW_LINES ? whole : 1;
      cells.push(content(here, lines));
      at += here * lines;
      bytes -= here * lines;
    }
  };
  for (const unit of sorted.slice(0, 600)) {
    if (offset(unit) > at)
      put(offset(unit) - at, (n, lines) => el("div", { class: "hole",
        vars: { "grid-column": "span " + n }, title: n * lines + " bytes of padding" },
        lines > 1 ? grouped(lines) + " lines" : ""));
    put(unit.bytes, (n, lines) => el("div", { vars: { "grid-column": "span " + n,
      background: heat(unit.accesses / most) }, title: unit.member + ", " + unit.bytes + " bytes: "
      + grouped(unit.accesses) + " accesses, " + unit.used },
      lines > 1 ? unit.member + ", " + grouped(lines) + " lines" : n > 2 ? unit.member : ""));
  }
  return el("div", { class: "lines" }, cells);
}

function structureView(units) {
  const s = units[0], most = Math.max(1, ...units.map((u) => u.accesses));
  const changes = units.some((u) => u.goes_to !== "stays");
  const hot = units.filter((u) => u.goes_to !== "cold");
  const cold = units.filter((u) => u.goes_to === "cold");
  return el("section", {}, el("h3", {}, s.type + ", " + s.size + " bytes"
    + (s.instances !== null ? ", " + grouped(s.instances) + " instances" : "")),
    el("p", { class: "note" }, "Advice: " + (s.advice || "none")
      + (s.saved_bytes ? "; this would save " + grouped(s.saved_bytes) + " bytes" : "") + ". ",
      sourceOf(s.file) ? el("a", { href: address({ view: "source", file: s.file, line: s.line }) },
        baseName(s.file) + ":" + s.line) : null),
    el("div", { class: "pair" }, el("div", {},
      el("p", { class: "note" }, "As it is; a row is a cache line:"),
      asLines(units, (u) => u.offset, most)),
    changes ? el("div", {}, el("p", { class: "note" }, "As proposed:"),
      asLines(hot, (u) => u.new_offset, most),
      cold.length ? [el("p", { class: "note" }, "and apart from it:"),
        asLines(cold, (u) => u.new_offset, most)] : null) : null));
}

function viewMemory() {
  const layouts = structures(), query = state("q", "").toLowerCase();
  const wanted = layouts.filter((units) => !query || units.some((u) =>
    (u.type + " " + u.member).toLowerCase().includes(query)));
  const by = table("offenders:variable").lacks ? "accesses:variable" : "offenders:variable";
  return [tableView(by, { rows: 25 }), by === "accesses:variable" ? null
    : tableView("accesses:variable", { rows: 15 }),
    table("addresses").lacks ? null
      : [tableView("addresses:variable", { rows: 15 }),
        tableView("addresses", { rows: 15, title: "The same by places in the source" })],
    el("h2", {}, "Structures as cache lines"),
    table("layout").lacks ? note("Nothing to show: " + table("layout").lacks) : null,
    wanted.length > 20 ? note("The 20 most accessed of " + wanted.length + " are drawn.") : null,
    wanted.slice(0, 20).map(structureView),
    table("layout").lacks ? null : el("details", {}, el("summary", {}, "The same as a table"),
      tableView("layout")),
    tableView("blocks", { rows: 20 }), tableView("cache")];
}

/* Return the bytes that TEXT names, as "0-7,16", as a row of cells of class LOOK. */
function byteMap(text, look) {
  const used = new Uint8Array(LINE_BYTES);
  for (const [, first, last] of rangesOf(text))
    used.fill(1, first, last + 1);
  return el("span", { class: "bytes", role: "img", "aria-label": "bytes " + text },
    [...used].map((u) => el("i", { class: u ? look : null })));
}

function viewSharing() {
  const t = table("sharing:line");
  const rows = foundRows(t.lacks ? { columns: [], data: [] } : t, state("q", ""));
  const map = t.lacks ? null : el("div", { class: "wide" }, el("table", {},
    el("caption", {}, "Lines of memory that threads share: bytes read (blue), written (red), "
      + "or part of an access that begins in another line (grey); a row for each thread"),
    el("thead", {}, el("tr", {}, ["line", "kind", "thread", "bytes 0 to 63", "reads",
      "writes", "variables"]
      .map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, rows.slice(0, 200).map((r) => {
      const s = row(t, r);
      return el("tr", {}, el("td", { class: "code" }, s.address), el("td", {}, s.kind),
        el("td", { class: "n" }, String(s.thread)), el("td", {}, byteMap(s.bytes, s.writes > 0 ? "w"
          : s.reads > 0 ? "r" : "x")),
        el("td", { class: "n" }, grouped(s.reads)), el("td", { class: "n" }, grouped(s.writes)),
        el("td", {}, s.variables));
    }))));
  return [map,
    rows.length > 200
      ? note("The first 200 of " + grouped(rows.length) + " rows are drawn.") : null,
    tableView("sharing"), t.lacks ? null : el("details", {},
      el("summary", {}, "The map as a table"),
      tableView("sharing:line"))];
}

/* Return the points of the baseline's curve; none if there is no baseline. */
function curveBefore() {
  const t = data.baseline && data.baseline.tables["reuse:curve"];
  const bytes = t ? column(t, "bytes") : [];
  return bytes.map((b, i) => [b, column(t, "ratio")[i]]);
}

/* Draw the points [x, y] with a logarithmic x; y is a share. BEFORE: the same of the baseline. */
function curve(points, label, before) {
  const w = Math.min(1100, document.getElementById("main").clientWidth - 40), h = 280, left = 48;
  const lo = Math.log2(points[0][0]);
  const hi = Math.max(lo + 1, ...points.concat(before).map((p) => Math.log2(p[0])));
  const x = (v) => left + (Math.log2(v) - lo) / (hi - lo) * (w - left - 12);
  const top = Math.max(...points.concat(before).map((p) => p[1])) || 1;
  const y = (v) => h - 26 - v / top * (h - 40);
  const size = (v) => v >= 1 << 20 ? (v >> 20) + " MB" : v >= 1024 ? (v >> 10) + " kB" : v + " B";
  const ticks = points.filter((p) => Math.log2(p[0]) % 2 === 0);
  return svg("svg", { width: w, height: h, role: "img", "aria-label": label },
    [0, 0.25, 0.5, 0.75, 1].map((f) => [svg("line", { class: "axis",
      x1: left, x2: w, y1: y(f * top),
      y2: y(f * top) }), svg("text", { x: 0, y: y(f * top) + 4 }, percent(f * top))]),
    ticks.map(([v]) => svg("text", { x: Math.min(x(v) - 12, w - 42), y: h - 6 }, size(v))),
    before.length ? svg("polyline", { class: "curve before",
      points: before.map((p) => x(p[0]) + "," + y(p[1])).join(" ") },
      svg("title", {}, "The baseline")) : null,
    svg("polyline", { class: "curve",
      points: points.map((p) => x(p[0]) + "," + y(p[1])).join(" ") }),
    points.map((p) => svg("circle", { cx: x(p[0]), cy: y(p[1]), r: 3, fill: "var(--link)" },
      svg("title", {}, size(p[0]) + ": " + percent(p[1])))));
}

function viewReuse() {
  const t = table("reuse:curve"), bytes = column(t, "bytes"), ratio = column(t, "ratio");
  return [bytes.length ? [el("h3", {}, "Misses of a fully associative cache, by its size"),
    curve(bytes.map((b, i) => [b, ratio[i]]),
      "Share of uses that miss, by size of the cache", curveBefore())] : null,
    tableView("reuse:curve"), tableView("reuse")];
}

function viewValues() {
  return tableView("values");
}
