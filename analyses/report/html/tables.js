/* tables.js - a report's table: sorted, searched, cut.
 * SPDX-License-Identifier: GPL-3.0-or-later */

const ROWS_AT_ONCE = 50;
const COMPARED = ["count", "share", "real"];   /* types of columns that have what they were */
const LONG = 16;   /* letters: a text that is longer is not squeezed into less */
const FOLDED = 150;   /* letters: a longer text has three lines until it is chosen */

/* Return the numbers of the rows of T that have the text that is searched for. */
function foundRows(t, query) {
  const all = [...Array(rowsOf(t)).keys()], words = query.toLowerCase();
  const texts = t.columns.map(([, type], c) => isText(type) || type === "line" ? c : -1)
    .filter((c) => c >= 0);
  return words
    ? all.filter((r) => texts.some((c) => String(t.data[c][r]).toLowerCase().includes(words)))
    : all;
}

/* Return what an unknown number counts as when rows are sorted. */
function known(n) {
  return n === null ? -Infinity : n;
}

/* Sort ROWS of T by COLUMN: numbers descending, texts ascending; "-" first turns that round, "~"
   sorts by how much they have changed since WAS. */
function sortRows(t, rows, sort, was) {
  const back = sort.startsWith("-"), name = sort.replace(/^[-~]/, "");
  const c = t.columns.findIndex((col) => col[0] === name);
  if (c < 0)
    return rows;
  if (sort.startsWith("~")) {
    const sizes = new Map(rows.map((r) => [r, was ? sizeOfChange(was, t, r, name) : 0]));
    return rows.slice().sort((a, b) => sizes.get(b) - sizes.get(a));
  }
  const cells = t.data[c], sign = back ? -1 : 1;
  const order = isText(t.columns[c][1])
    ? (a, b) => cells[a] < cells[b] ? -1 : cells[a] > cells[b] ? 1 : 0
    : (a, b) => known(cells[b]) - known(cells[a]);
  return rows.slice().sort((a, b) => sign * (order(a, b) || 0));
}

/* Return where a row leads: to its line of the source, if it has one. */
function linkOf(t, r) {
  const file = column(t, "file")[r], line = column(t, "line")[r];
  return file && line && sourceOf(file) ? address({ view: "source", file, line }) : null;
}

/* Return the order that a click on the head of a column chooses after SORT. */
function nextSort(sort, name, was) {
  return sort === name ? "-" + name : sort === "-" + name && was ? "~" + name : name;
}

function cellOf(t, r, c, most, was) {
  const [name, type] = t.columns[c], value = t.data[c][r];
  if (isText(type)) {
    const link = (name === "function" || name === "variable" || name === "lines") && value
      ? linkOf(t, r) : null;
    const kind = name === "source" ? "code" : value && value.length > LONG ? "long" : "short";
    if (value && value.length > FOLDED && !link && kind === "long")
      return el("td", { class: "folded" }, el("div", { tabindex: 0, title: value }, value));
    return el("td", { class: kind, title: type === "path" ? value : null },
      link ? el("a", { href: link }, value) : type === "path" ? baseName(value) : value);
  }
  const bar = most[c] > 0 && value > 0;
  return el("td", { class: bar ? "n barred" : "n",
    vars: bar ? { "--w": (100 * value / most[c]).toFixed(1) + "%" } : {} }, shown(value, type),
  was && COMPARED.includes(type) && !(ABOUT_OF[t.name] || ABOUT).includes(name)
    ? beside(value, cellWas(was, r, name), type) : null);
}

/* Return what is said below a table: its remark, and what was left out. */
function remarks(t) {
  const out = t.left_out ? grouped(t.left_out) + " more rows were left out of this page"
    + (t.left_out_weight !== undefined && t.total
      ? ", with " + percent(t.left_out_weight / t.total) + " of the total" : "")
    + ": cabprof report --html --limit=0 keeps all." : null;
  return [note(t.note), note(out)];
}

/* Return whether no row of T says anything in column C. */
function isEmpty(t, c) {
  const type = t.columns[c][1];
  return rowsOf(t) > 0 && t.data[c].every((value) => value === null || value === "" || value === "-"
    || (type === "line" && value === 0));
}

/* Return what is shown of the table KEY. OPTIONS: table (in place of the data's), title, rows (that
   are shown at first), whole (columns that are for programs are shown, too). Columns that say
   nothing are left out. */
function tableView(key, options = {}) {
  const t = options.table || table(key);
  if (t.lacks)
    return el("section", {},
      el("h3", {}, options.title || t.name[0].toUpperCase() + t.name.slice(1)),
      note("Nothing to show: " + t.lacks));
  const id = "sort." + key, sort = state(id, ""), query = state("q", "");
  const was = options.table ? null : wasOf(key);
  const rows = sortRows(t, foundRows(t, query), sort, was);
  const first = rows.slice(0, 5000);
  const most = t.columns.map(([name, type], c) =>
    type === "share" || type === "count" && rows.length > 1 && name === (t.total_column || "")
      ? Math.max(...first.map((r) => t.data[c][r] || 0)) : 0);
  const chosen = t.columns.map((col, c) => c)
    .filter((c) => t.columns[c][0] !== "column" && !isEmpty(t, c)
      && (options.whole || !t.columns[c][2])
      && !(t.columns[c][0] === "kind" && key.startsWith("diff:")));
  const body = el("tbody", {});
  let upTo = 0;
  const more = el("button", { type: "button", click: extend }, "");
  function extend() {
    const next = Math.min(rows.length, upTo + (upTo ? 500 : options.rows || ROWS_AT_ONCE));
    for (; upTo < next; upTo++)
      body.append(el("tr", {}, chosen.map((c) => cellOf(t, rows[upTo], c, most, was))));
    more.textContent = "More rows (" + grouped(rows.length - upTo) + ")";
    more.hidden = upTo >= rows.length;
  }
  extend();
  const heads = chosen.map((c) => {
    const [name, type] = t.columns[c];
    const now = nextSort(sort, name, was && COMPARED.includes(type));
    return el("th", { class: isText(type) ? null : "n", scope: "col",
      "aria-sort": sort === name ? "descending" : sort === "-" + name ? "ascending" : null },
      el("button", { type: "button", click: () => go({ [id]: now }) }, name.replace(/_/g, " ")
        + (sort === "~" + name ? ", most changed first" : "")));
  });
  return el("section", { "data-table": key }, el("div", { class: "wide" }, el("table", {},
    el("caption", {}, (options.title || t.title || t.name)
      + (query ? " (" + grouped(rows.length) + " rows with “" + query + "”)" : "")),
    el("thead", {}, el("tr", {}, heads)), body)),
    rows.length ? null : note("There is no row."), more, remarks(t), goneView(key, was));
}
