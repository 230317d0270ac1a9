/* baseline.js - the older profile that this one is compared with: what was which row, line, frame.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows correspond if they are about the same thing: the same function, variable, kind and so on, on
 * the same line. Names and lines of the older profile are taken for what became of them, as the
 * command has matched them (page_baseline.h). */

/* The columns that say what a row is about. */
const ABOUT = ["function", "caller", "callee", "file", "line", "from_line", "to_line", "variable",
  "member", "type", "kind", "ordinal", "path", "item", "cause", "model", "cache", "from", "access",
  "event", "what", "context", "name", "about", "region", "from_block", "to_block", "via"];
/* Tables whose rows are about something else, or whose lines are the function's own. */
const ABOUT_OF = { sizes: ["kind", "size"], "reuse:curve": ["bytes"],
  methods: ["function", "file"], time: ["function", "file"], timeline: ["function", "file"],
  paths: ["function", "file", "path"] };
/* Tables whose rows are about this run only, or are changes themselves. */
const ALONE = /^(sharing:line|spread|diff:.*)$/;

let becomes = null;    /* what became of functions and lines; made when first asked for */

function know() {
  const b = data.baseline, file = new Map(), name = new Map(), lines = new Map();
  for (const [oldName, oldFile, newName, newFile] of b.functions) {
    name.set(oldName + "\t" + oldFile, newName);
    file.set(oldFile, newFile);
  }
  for (const [from, first, last, to, at] of b.lines) {
    file.set(from, to);
    for (let n = first; n <= last; n++)
      lines.set(from + "\t" + n, [to, at + n - first]);
  }
  becomes = { file, name, lines, was: new Map(),
    now: changedPlaces(b.changed), before: changedPlaces(b.changed_before) };
}

/* Return the functions and the lines of CHANGED as sets. */
function changedPlaces(changed) {
  const functions = new Set(), lines = new Set();
  for (const [name, file, first, last] of changed) {
    functions.add(name + "\t" + file);
    for (let n = first; n <= last; n++)
      lines.add(file + "\t" + n);
  }
  return { functions, lines };
}

/* Return whether row R of T is about a place in the code of a function that has changed. */
function isChanged(key, t, r, places) {
  const about = ABOUT_OF[key] || ABOUT, file = column(t, "file")[r];
  const line = column(t, "line")[r], name = column(t, "function")[r] || column(t, "caller")[r];
  if (about.includes("path") && column(t, "path").length)
    return places.functions.has(name + "\t" + file);
  return about.includes("line") && line > 0 && (name === undefined
    ? places.lines.has(file + "\t" + line) : places.functions.has(name + "\t" + file));
}

/* Return what row R of T is about, as words; OLD: T is the baseline's. */
function aboutOf(key, t, r, old) {
  const wanted = ABOUT_OF[key] || ABOUT, cells = {}, file = column(t, "file")[r] || "";
  t.columns.forEach(([name], c) => {
    if (wanted.includes(name))
      cells[name] = t.data[c][r];
  });
  if (old) {
    for (const name of ["function", "caller", "callee"])
      if (cells[name])
        cells[name] = becomes.name.get(cells[name] + "\t" + file) || cells[name];
    for (const name of ["line", "from_line", "to_line"])
      if (cells[name] && becomes.lines.has(file + "\t" + cells[name]))
        cells[name] = becomes.lines.get(file + "\t" + cells[name])[1];
    if (cells.file)
      cells.file = becomes.file.get(file) || file;
  }
  return wanted.map((name) => cells[name] === undefined ? "" : cells[name]).join("\t");
}

/* Return the numbers of T's rows by what they are about. */
function rowsAbout(key, t, old) {
  const rows = new Map();
  for (let r = 0; r < rowsOf(t); r++) {
    const about = aboutOf(key, t, r, old), list = rows.get(about);
    if (list)
      list.push(r);
    else
      rows.set(about, [r]);
  }
  return rows;
}

/* Return how the table KEY compares: { t, row: the baseline's row of each, -1: none, -2: it is not
   known, gone: the baseline's rows that are no more }. Return null if there is nothing to compare.
   Rows that are about the same thing correspond if there are as many. */
function wasOf(key) {
  const t = table(key), old = data.baseline && data.baseline.tables[key];
  if (!old || old.lacks || t.lacks || ALONE.test(key))
    return null;
  if (!becomes)
    know();
  if (!becomes.was.has(key)) {
    const before = rowsAbout(key, old, true), pairs = new Int32Array(rowsOf(t)).fill(-1);
    for (const [about, rows] of rowsAbout(key, t, false)) {
      const was = before.get(about) || [];
      rows.forEach((r, k) => {
        pairs[r] = isChanged(key, t, r, becomes.now) ? -2
          : was.length === rows.length ? was[k] : was.length || old.left_out ? -2 : -1;
      });
      before.delete(about);
    }
    const gone = [...before.values()].flat()
      .filter((r) => !isChanged(key, old, r, becomes.before));
    becomes.was.set(key, { t: old, row: pairs, gone });
  }
  return becomes.was.get(key);
}

/* Return the cell of COLUMN in the baseline's row for row R: undefined if that is not known, null
   if there was no such row. */
function cellWas(was, r, name) {
  return was.row[r] >= 0 ? column(was.t, name)[was.row[r]] : was.row[r] === -1 ? null : undefined;
}

/* Return by how much a number has changed, as words. */
function changeOf(now, was) {
  return (now > was ? "+" : "") + percent((now - was) / was);
}

/* Return what stands beside a number that was another one before, or null. */
function beside(now, was, type) {
  if (was === undefined || now === was || now === null || (was === null && !now))
    return null;
  const words = was === null ? "new"
    : "was " + shown(was, type) + (was && type !== "share" ? ", " + changeOf(now, was) : "");
  return el("span", { class: "was" }, " " + words);
}

/* Return by how much the cell of COLUMN in row R has changed, for sorting. */
function sizeOfChange(was, t, r, name) {
  const now = column(t, name)[r], before = cellWas(was, r, name);
  return now === null || before === undefined ? -1 : Math.abs(now - (before || 0));
}

/* Return the rows of the baseline that are no more, as a table, or null. */
function goneView(key, was) {
  if (!was || !was.gone.length || table(key).left_out)
    return null;
  const t = { ...was.t, note: null, left_out: 0,
    data: was.t.data.map((cells) => was.gone.map((r) => cells[r])) };
  return el("details", {}, el("summary", {}, "Only in the baseline: " + grouped(was.gone.length)
    + (was.gone.length === 1 ? " row" : " rows")),
    tableView(key + ".gone", { table: t, title: "Only in the baseline", rows: 20 }));
}

/* Return the tree of contexts TREE with the weights of SIDE, "now" or "before"; other: those of the
   other side, by node, 0 where it has none. Contexts correspond by the functions from the root. */
function bothTrees(measure, side) {
  const now = contextTree(measure, data.contexts);
  const old = data.baseline && data.baseline.contexts;
  if (!old || !old.measures.some((m) => m.key === now.measure.key))
    return now;
  if (!becomes)
    know();
  const before = contextTree(now.measure.key, old);
  const face = ([name, file]) =>
    (becomes.name.get(name + "\t" + file) || name) + "\t" + (becomes.file.get(file) || file);
  const ids = new Map(data.contexts.functions.map(([name, file], id) => [name + "\t" + file, id]));
  const faces = old.functions.map((f) => ids.has(face(f)) ? ids.get(face(f)) : -2);
  before.id = before.id.map((id) => id < 0 ? id : faces[id]);
  const drawn = side === "before" ? nameGone(before, old) : now;
  drawn.other = weights(drawn, side === "before" ? now : before);
  drawn.otherTotal = (side === "before" ? now : before).measure.total;
  return drawn;
}

/* Give functions of TREE that are no more a number, behind those that are. */
function nameGone(tree, old) {
  const known = new Map();
  tree.id = tree.id.map((id, i) => {
    if (id !== -2)
      return id;
    const was = old.functions[old.function[i]], name = was[0] + "\t" + was[1];
    if (!known.has(name)) {
      known.set(name, data.contexts.functions.length);
      data.contexts.functions.push(was);
    }
    return known.get(name);
  });
  return tree;
}

/* Return, for each node of TREE, what the context with the same functions weighs in OTHER. */
function weights(tree, other) {
  const sums = new Map(), names = (t) => {
    const of = new Array(t.parent.length).fill("");
    for (let i = 1; i < of.length; i++)
      of[i] = of[t.parent[i]] + "/" + t.id[i];
    return of;
  };
  names(other).forEach((name, i) => sums.set(name, (sums.get(name) || 0) + other.all[i]));
  return names(tree).map((name) => sums.get(name) || 0);
}

/* Return the colour of a frame that weighs NOW, and WAS before: red for more, blue for less. */
function colourOfChange(now, was) {
  const change = (now - was) / Math.max(now, was, 1), much = Math.sqrt(Math.abs(change));
  return "hsl(" + (change > 0 ? 8 : 214) + " " + Math.round(75 * much) + "% "
    + Math.round(88 - 28 * much) + "%)";
}

/* The view of what has changed. */
function viewChanges() {
  const b = data.baseline;
  const kinds = Object.keys(data.tables).filter((key) => key.startsWith("diff:"));
  const changed = b.changed.map(([name, file]) => name + " (" + baseName(file) + ")");
  return [el("p", { class: "note" }, "What has changed from " + b.profile + " to " + data.profile
    + ". In the other views a figure that was another one has that beside it."),
    ranTable(b.processes, "What ran then"),
    b.problems.map((p) => note("The baseline: " + p, true)),
    changed.length ? note("The code of " + changed.slice(0, 20).join(", ")
      + (changed.length > 20 ? " and " + (changed.length - 20) + " others" : "") + " has changed: "
      + "lines and paths in there have nothing that they correspond to.") : null,
    kinds.filter((key) => !data.tables[key].lacks).map((key) => tableView(key, { rows: 15 })),
    kinds.filter((key) => data.tables[key].lacks).map((key) =>
      note("Not compared are " + key.slice(5) + ": " + data.tables[key].lacks + "."))];
}
