/* views.js - the overview, loops, the account, and all tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* Return a card that leads to a view. */
function card(title, text, changes) {
  return el("a", { class: "card", href: address(changes) }, el("b", {}, title), text);
}

/* Return the first row of the table KEY, or null. */
function firstOf(key) {
  return rowsOf(table(key)) ? row(table(key), 0) : null;
}

function place(r) {
  return sourceOf(r.file) && r.line ? { view: "source", file: r.file, line: r.line } : null;
}

/* What is worth looking at, the most telling first: functions that return a card, or null. */
const worth = [
  () => {
    const key = ["diff:D1-misses", "diff:accesses", "diff:lines", "diff:methods"].find(firstOf);
    const r = data.baseline && key && firstOf(key);
    return r && card("Most changed since " + baseName(data.baseline.profile), (r.variable
      ? r.variable + " in " : "") + r.function + ": " + key.slice(5) + " " + grouped(r.before)
      + " before, " + grouped(r.after) + " now", { view: "changes" });
  },
  () => {
    const r = firstOf("time");
    return r && card("Most time", r.function + ": " + percent(r.share) + " of all samples",
      place(r) || { view: "tables", table: "time" });
  },
  () => {
    const r = firstOf("hotlines");
    return r && card("Hottest line", baseName(r.file) + ":" + r.line + " in " + r.function + ": "
      + percent(r.share) + " of all samples", place(r) || { view: "tables", table: "hotlines" });
  },
  () => {
    const r = firstOf("offenders:variable");
    return r && r.misses > 0 && card("Most misses in D1", r.variable + ": " + grouped(r.misses)
      + " misses, " + percent(r.share) + " of all", { view: "memory" });
  },
  () => {
    const s = structures().find((units) => units[0].goes_to !== "stays");
    return s && card("A better layout", s[0].type + ": " + s[0].advice
      + (s[0].saved_bytes ? ", which saves " + grouped(s[0].saved_bytes) + " bytes" : ""),
      { view: "memory" });
  },
  () => {
    const t = table("sharing"), r = column(t, "kind").findIndex((k) => k.startsWith("false"));
    return r < 0 ? null : card("False sharing", column(t, "variable")[r], { view: "sharing" });
  },
  () => {
    const t = table("deps"), at = column(t, "verdict").findIndex((v) => v.startsWith("parallel"));
    const r = at >= 0 && column(t, "share")[at] >= 0.05 ? row(t, at) : firstOf("deps");
    return r && card(r.verdict.startsWith("parallel") ? "A loop for several cores"
      : "Heaviest loop", r.function + ", line " + r.line + ": " + r.verdict + ", "
      + percent(r.share) + " of the " + r.share_of, place(r) || { view: "loops" });
  },
  () => {
    const r = firstOf("paths");
    return r && card("Hottest path", r.function + ", lines " + r.lines + ": " + grouped(r.count)
      + " times", place(r) || { view: "tables", table: "paths" });
  },
  () => {
    const c = data.contexts;
    if (!c || !c.measures.length)
      return null;
    const m = c.measures.find((x) => x.key === "time") || c.measures[0];
    const i = m.self.reduce((best, n, k) => n > m.self[best] ? k : best, 0);
    return card("Heaviest context", frameName(c.function[i]) + ": " + inUnit(m.self[i], m.unit)
      + " in one context", { view: "contexts", measure: m.key, root: c.parent[i] || null });
  },
  () => {
    const r = firstOf("methods");
    return r && card("Most calls", r.function + ": " + grouped(r.calls), place(r)
      || { view: "tables", table: "methods" });
  },
  () => {
    const r = firstOf("accesses:variable");
    return r && card("Most accesses", r.variable + ": " + grouped(r.accesses), { view: "memory" });
  },
];

/* Return the table of PROCESSES. */
function ranTable(processes, title) {
  return el("div", { class: "wide" }, el("table", {}, el("caption", {}, title),
    el("thead", {}, el("tr", {}, ["command", "pid", "seconds", "threads", "functions", "state"]
      .map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, processes.map((p) => el("tr", {}, el("td", { class: "code command" },
      p.command),
      el("td", { class: "n" }, String(p.pid)), el("td", { class: "n" }, p.seconds.toFixed(3)),
      el("td", { class: "n" }, grouped(p.threads)), el("td", { class: "n" }, grouped(p.functions)),
      el("td", {}, p.state))))));
}

function viewOverview() {
  const cards = [];
  for (const make of worth) {
    const made = cards.length < 5 ? make() : null;
    if (made)
      cards.push(made);
  }
  return [el("p", { class: "note" }, "Profile " + data.profile + ", of "
    + (data.n_processes === 1 ? "1 process." : grouped(data.n_processes) + " processes."),
    data.baseline ? [" Compared with " + data.baseline.profile + ": ",
      el("a", { href: address({ view: "changes" }) }, "what has changed"), "."] : null),
    ranTable(data.processes, "What ran"),
    el("h3", {}, "Worth looking at"), el("div", { class: "cards", id: "worth" }, cards),
    table("time").lacks ? null : tableView("time", { rows: 10 }),
    rowsOf(table("methods")) || table("methods").lacks ? tableView("methods", { rows: 10 }) : null];
}

/* Return true if the column NAME of the table KEY has a number above 0. */
function hasCounts(key, name) {
  return column(table(key), name).some((n) => n > 0);
}

/* Return the tables of loops: those that say most come first, one without a count is folded. */
function loopTables() {
  const timed = data.matrix || hasCounts("loops", "share");
  const trips = hasCounts("trips", "iterations"), names = tableView("loops");
  return [timed ? names : null, trips ? tableView("trips") : null, tableView("deps"),
    trips ? null : tableView("trips"), table("deps:line").lacks ? null : tableView("deps:line"),
    tableView("scalars"),
    timed ? null : el("details", {}, el("summary", {}, "Every loop by name, without time"), names)];
}

function viewLoops() {
  const m = data.matrix;
  const colour = (x) => x === null ? ""
    : x < 1 ? "rgba(40,150,80," + Math.min(0.8, (1 - x) * 3) + ")"
    : "rgba(var(--heat)," + Math.min(0.8, (x - 1) * 3) + ")";
  return [m ? el("div", { class: "wide" }, el("table", { id: "matrix" },
    el("caption", {},
      "Stalls of each loop in each build, relative to the first: less (green) is better"),
    el("thead", {}, el("tr", {}, ["loop", ...m.columns].map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, m.rows.map((r) => el("tr", {}, el("th", { scope: "row" }, r.loop),
      r.ratios.map((x, j) => el("td", { class: "heat", title: r.outcomes[j],
        vars: { background: colour(x) } }, x === null ? "-" : x.toFixed(3))))))))
    : note("There is no matrix of builds: cabprof tune makes one."), loopTables()];
}

function viewAccount() {
  const t = table("account"), query = state("q", ""), was = wasOf("account");
  const what = column(t, "what"), cause = column(t, "cause"), count = column(t, "count");
  const told = column(t, "item").map((item, r) => item.endsWith("_ns") ? inUnit(count[r], "ns")
    : grouped(count[r]));
  const said = what.map((w, r) => [w, cause[r], count[r],
    [told[r], was && !column(t, "item")[r].endsWith("_ns")
      ? beside(count[r], cellWas(was, r, "count"), "count") : null]])
    .filter(([w, c, n]) => n && !c && w.toLowerCase().includes(query.toLowerCase()));
  return [el("h3", {}, "In plain words"),
    el("ul", {}, said.map(([w, , , n]) => el("li", {}, w + ": ", n))),
    data.problems.length ? [el("h3", {}, "Problems of this profile"),
      el("ul", {}, data.problems.map((p) => el("li", { class: "wrong" }, p)))] : null,
    tableView("account", { rows: 200 }), tableView("regions")];
}

function viewTables() {
  const keys = Object.keys(data.tables).sort();
  const key = state("table", keys.includes("methods") ? "methods" : keys[0]);
  return [el("div", { class: "tools" }, chooser("Report", keys.map((k) => [k, k
    + (data.tables[k].lacks ? " (nothing recorded)" : "")]), key, (t) => go({ table: t }))),
    tableView(key, { whole: true })];
}

const views = {
  overview: ["Overview", viewOverview], contexts: ["Contexts", viewContexts],
  timeline: ["Timeline", viewTimeline],
  source: ["Source", viewSource], memory: ["Memory", viewMemory], sharing: ["Sharing", viewSharing],
  loops: ["Loops", viewLoops], reuse: ["Reuse", viewReuse], values: ["Values", viewValues],
  account: ["Account", viewAccount], tables: ["All tables", viewTables],
  changes: ["Changes", viewChanges],
};
