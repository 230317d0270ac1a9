/* source.js - the view of the source, with counts, time, misses and dependences in its margin.
 * SPDX-License-Identifier: GPL-3.0-or-later */

const RIBBONS = ["#d1495b", "#2a7fb8", "#3a9d5d", "#a560c4", "#c98a1b"];

/* The columns beside the source, and their heads. */
const MARGINS = { count: "count", time: "time", accesses: "accesses", D1: "D1 misses",
  LL: "LL misses" };

function sourceOf(file) {
  return data.sources.find((s) => s.file === file);
}

/* Add the cells of COLUMN of the table KEY that belong to FILE to MARGIN, by line. */
function addMargin(margin, key, name, as, file) {
  const t = table(key);
  if (t.lacks)
    return;
  const files = column(t, "file"), lines = column(t, "line"), cells = column(t, name);
  const was = wasOf(key);
  for (let r = 0; r < files.length; r++)
    if (files[r] === file && lines[r] && cells[r] !== null) {
      const at = margin.get(lines[r]) || { was: {} };
      const before = was ? cellWas(was, r, name) : undefined;
      at.was[as] = before === undefined || (as in at && at.was[as] === undefined) ? undefined
        : before === null && !(as in at) ? null : (at.was[as] || 0) + (before || 0);
      at[as] = (at[as] || 0) + cells[r];
      margin.set(lines[r], at);
    }
}

function marginOf(file) {
  const margin = new Map();
  addMargin(margin, "lines", "count", "count", file);
  addMargin(margin, "hotlines", "share", "time", file);
  for (const name of ["reads", "writes"])
    addMargin(margin, "accesses:line", name, "accesses", file);
  for (const name of ["read_misses", "write_misses"])
    addMargin(margin, "offenders:line", name, "D1", file);
  for (const name of ["ll_read_misses", "ll_write_misses"])
    addMargin(margin, "offenders:line", name, "LL", file);
  return margin;
}

/* Return the columns that MARGIN has. */
function namesOf(margin) {
  return Object.keys(MARGINS)
    .filter((name) => [...margin.values()].some((at) => at[name] !== undefined));
}

/* Return [[file or null, first, last], ...] of the lines of a path, as "12-15,list.h:3". */
function rangesOf(lines) {
  return lines.split(",").map((part) => /^(?:(.*):)?(\d+)(?:-(\d+))?$/.exec(part)).filter((m) => m)
    .map((m) => [m[1] || null, Number(m[2]), Number(m[3] || m[2])]);
}

/* Return the hottest paths of FILE, a ribbon for each. */
function pathsOf(file) {
  const t = table("paths"), paths = [];
  if (t.lacks)
    return paths;
  const files = column(t, "file");
  for (let r = 0; r < files.length && paths.length < RIBBONS.length; r++)
    if (files[r] === file)
      paths.push({ ...row(t, r), colour: RIBBONS[paths.length],
        ranges: rangesOf(row(t, r).lines) });
  return paths;
}

/* Return the dependences of FILE by line of the loop. */
function dependences(file) {
  const t = table("deps"), at = new Map();
  for (let r = 0; r < rowsOf(t); r++) {
    const d = row(t, r);
    if (d.file === file)
      at.set(d.line, d.verdict + (d.in_the_way ? ": " + d.in_the_way : ""));
  }
  return at;
}

/* Return rows of other files' lines that PATHS go through after LINE: inlined code. */
function inlinedAfter(paths, line, width) {
  const rows = [], seen = new Set();
  for (const path of paths)
    path.ranges.forEach(([file, first, last], k) => {
      const before = path.ranges.slice(0, k).reverse().find((r) => !r[0]);
      if (!file || !before || before[2] !== line || seen.has(file + first))
        return;
      seen.add(file + first);
      const source = data.sources.find((s) => baseName(s.file) === file);
      for (let n = first; n <= Math.min(last, first + 20); n++)
        rows.push(el("tr", { class: "inlined" }, el("td", {}, el("span", { class: "ribbon",
          vars: { background: path.colour } })), el("td", { class: "n" }, file + ":" + n),
          el("td", { colspan: width }), el("td", { class: "code" }, "    "
            + (source && source.lines && source.lines[n - 1] || ""))));
    });
  return rows;
}

function sourceRow(n, text, margin, names, paths, dependence) {
  const at = margin.get(n) || { was: {} };
  const ribbons = paths.filter((p) => p.ranges.some(([f, a, b]) => !f && n >= a && n <= b));
  return el("tr", { id: "line-" + n, class: Number(state("line")) === n ? "target" : null },
    el("td", {}, ribbons.map((p) => el("span", { class: "ribbon", vars: { background: p.colour },
      title: p.function + ", path " + p.path + ": " + grouped(p.count) }))),
    el("td", { class: "n" }, String(n)),
    names.map((name) => el("td", { class: name === "count" && at.count === 0 ? "n never" : "n",
      title: MARGINS[name] },
      at[name] === undefined ? "" : name === "time" ? percent(at[name])
        : name === "count" && !at.count ? "never" : grouped(at[name]),
      at[name] === undefined ? null
        : beside(at[name], at.was[name], name === "time" ? "share" : "count"))),
    el("td", {}, dependence ? el("abbr", { title: dependence }, dependence.split(":")[0]) : ""),
    el("td", { class: "code" }, text));
}

/* Return the line of FILE, with MARGIN, that has the most time, else misses, accesses or counts,
   else its heaviest loop; 0 if there is none. */
function hottestLine(file, margin) {
  const names = namesOf(margin), loops = [...dependences(file).keys()];
  const name = ["time", "D1", "accesses", "count"].find((n) => names.includes(n));
  let hottest = 0;
  if (!name)
    return loops[0] || 0;
  for (const [line, at] of margin)
    if (at[name] > (hottest ? margin.get(hottest)[name] : 0))
      hottest = line;
  return hottest;
}

/* Return the source of FILE with MARGIN beside it. */
function sourceTable(source, margin) {
  const paths = pathsOf(source.file);
  const deps = dependences(source.file);
  const names = namesOf(margin);
  const last = source.lines ? source.lines.length : Math.max(0, ...margin.keys());
  const query = state("q", "").toLowerCase(), rows = [];
  const numbers = source.lines ? [...Array(last).keys()].map((i) => i + 1)
    : [...margin.keys()].sort((a, b) => a - b);
  const most = 20000;
  for (const n of numbers.slice(0, most)) {
    const text = source.lines ? source.lines[n - 1] : "";
    if (query && !text.toLowerCase().includes(query))
      continue;
    rows.push(sourceRow(n, text, margin, names, paths, deps.get(n)),
      ...inlinedAfter(paths, n, names.length + 1));
  }
  return [note(source.wrong, true), paths.length ? el("p", { class: "note" }, "Hottest paths: ",
    paths.map((p) => [el("span", { class: "ribbon", vars: { background: p.colour } }),
      p.function + " " + grouped(p.count) + "  "])) : null,
    numbers.length > most ? note("Only the first " + grouped(most) + " lines are shown.") : null,
    el("div", { class: "wide" }, el("table", { class: "source" },
      el("caption", {}, source.file), el("thead", {}, el("tr", {},
        ["path", "line", ...names.map((n) => MARGINS[n]), "loop", "source"]
          .map((h) =>
            el("th", { class: h === "source" || h === "path" ? null : "n", scope: "col" }, h)))),
      el("tbody", {}, rows)))];
}

/* The view opens at the line that is asked for, else at the hottest one. */
function viewSource() {
  if (!data.sources.length)
    return note("Nothing to show: no line of a source was counted: compile with -g and "
      + "-fplugin-arg-cabprof-events=paths, or run by cabprof record.");
  const source = sourceOf(state("file", "")) || data.sources[0];
  const list = el("ul", { class: "files" }, data.sources.map((s) => el("li", {}, el("a",
    { href: address({ file: s.file, line: null }), title: s.file,
      "aria-current": s === source ? "true" : null },
    baseName(s.file)), s.lines ? null : " (no text)")));
  const margin = marginOf(source.file);
  const at = state("line") || state("q") ? state("line") : hottestLine(source.file, margin);
  setTimeout(() => {
    const line = document.getElementById("line-" + at);
    if (line)
      line.scrollIntoView({ block: "center" });
  }, 0);
  return el("div", { class: "split" },
    el("div", { class: "aside" }, el("h3", {}, "Files, the hottest first"), list),
    el("div", {}, sourceTable(source, margin)));
}
