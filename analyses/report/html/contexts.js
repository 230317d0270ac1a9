/* contexts.js - the view of calling contexts: flame graph, icicle, sandwich.
 * SPDX-License-Identifier: GPL-3.0-or-later */

function viewContexts() {
  const c = data.contexts;
  if (!c || !c.measures.length)
    return [note("Nothing to show: no calls were recorded: compile with "
      + "-fplugin-arg-cabprof-events=paths,calls"), tableView("hotcontexts")];
  const key = state("measure", (c.measures.find((m) => m.key === "time") || c.measures[0]).key);
  const side = state("side", "now"), tree = bothTrees(key, side), form = state("form", "flame");
  const tools = el("div", { class: "tools" },
    chooser("Measure", c.measures.map((m) => [m.key, m.title]), tree.measure.key,
      (measure) => go({ measure })),
    chooser("Form",
      [["flame", "Flame graph"], ["icicle", "Icicle"], ["sandwich", "Sandwich"]], form,
      (f) => go({ form: f })),
    tree.other ? chooser("Widths", [["now", "Now"], ["before", "The baseline"]], side,
      (s) => go({ side: s })) : null,
    chooser("Colours", [...tree.other ? [["change", "By change"]] : [], ["file", "By file"],
      ["module", "By module"]], coloursOf(tree), (colours) => go({ colours })),
    el("span", { id: "measure-total" }, "Total: " + inUnit(tree.measure.total, tree.measure.unit)
      + (tree.other ? (side === "now" ? ", was " : ", now ") + inUnit(tree.otherTotal,
        tree.measure.unit) : "")));
  const rest = c.left_out ? note(grouped(c.left_out)
    + " contexts with little weight were left out; "
    + "what they have is in their callers, and blank above them.") : null;
  return [tools, form === "sandwich" ? sandwich(tree) : graph(tree, form), rest,
    note({ change: "Red frames weigh more than in the baseline, blue ones less.",
      file: "Colours are files.", module: "Colours are modules, programs and libraries."
    }[coloursOf(tree)]
      + " A frame's children are sorted by weight. Enter or a click goes into a frame."),
    contextTable(tree)];
}

function graph(tree, form) {
  const root = Math.min(Number(state("root", 0)) || 0, tree.parent.length - 1);
  const file = frameFile(tree.id[root]);
  const line = root ? data.contexts.functions[tree.id[root]][2] : 0;
  const back = root ? el("div", { class: "tools" },
    el("button", { type: "button", click: () => go({ root: null }) }, "All"),
    el("button", { type: "button", click: () => go({ root: tree.parent[root] || null }) },
      "Caller"),
    el("span", {}, frameName(tree.id[root]) + ": " + inUnit(tree.all[root], tree.measure.unit)),
    sourceOf(file) ? el("a", { href: address({ view: "source", file, line }) }, "Source") : null,
    el("a", { href: address({ form: "sandwich", function: tree.id[root] }) },
      "Callers and callees"))
    : null;
  return [back, flame(tree, { up: form === "flame", root, unit: tree.measure.unit,
    label: "Calling contexts, by " + tree.measure.title,
    choose: (node) => go({ root: node || null }) })];
}

function sandwich(tree) {
  const all = byFunction(tree), wanted = Number(state("function", all[0].id));
  const id = all.some((f) => f.id === wanted) ? wanted : all[0].id;
  const options = { unit: tree.measure.unit,
    choose: (node) => go({ function: node.id }) };
  const draw = (part, up) => flame(part, { ...options, up, label: up ? "Callers" : "Callees",
    choose: (node) => go({ function: part.id[node] }) });
  return [el("h3", {}, frameName(id)), el("p", { class: "note" }, "Callers:"),
    draw(callersOf(tree, id), true), el("p", { class: "note" }, "Itself, and what it calls:"),
    draw(calleesOf(tree, id), false)];
}

/* Return the table of functions behind the picture. */
function contextTable(tree) {
  const unit = tree.measure.unit, all = byFunction(tree).filter((f) => f.all);
  const missing = data.contexts.left_out
    ? "without what is in the " + grouped(data.contexts.left_out) + " contexts that were left out: "
      + inUnit(tree.measure.total - all.reduce((sum, f) => sum + f.self, 0), unit) : null;
  const others = tree.other ? new Map(byFunction({ ...tree, all: tree.other }).map((f) =>
    [f.id, f.all])) : null;
  const t = { name: "functions", left_out: 0, note: missing,
    total: tree.measure.total, total_column: "self",
    columns: [["function", "function"], ["file", "path"], ["line", "line"], ["self", "count"],
      ["with_callees", "count"], ["share", "share"], ...others
        ? [[state("side", "now") === "now" ? "was_with_callees" : "now_with_callees", "count"]]
        : []],
    data: [all.map((f) => frameName(f.id)), all.map((f) => frameFile(f.id)),
      all.map((f) => data.contexts.functions[f.id][2]), all.map((f) => f.self),
      all.map((f) => f.all),
      all.map((f) => f.self / tree.measure.total), ...others
        ? [all.map((f) => others.get(f.id) || 0)] : []] };
  return tableView("functions",
    { table: t, title: tree.measure.title + " by function, in " + unit });
}
