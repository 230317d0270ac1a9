/* main.js - start of the page, its views and keys.
 * SPDX-License-Identifier: GPL-3.0-or-later */

function draw() {
  const name = views[state("view")] ? state("view") : "overview";
  const main = document.getElementById("main");
  const entries = Object.entries(views);
  document.getElementById("views").replaceChildren(...entries.map(([key, [title]], i) =>
    el("a", { href: "#view=" + key, id: "view-" + key,
      title: title + (i < 10 ? " (key " + (i + 1) % 10 + ")" : ""),
      "aria-current": key === name ? "page" : null }, title)));
  const search = document.getElementById("search");
  if (document.activeElement !== search)
    search.value = state("q", "");
  if (main.dataset.view && main.dataset.view !== name)
    scrollTo(0, 0);
  main.replaceChildren(el("h2", { id: "heading" }, views[name][0]),
    ...[views[name][1]()].flat(Infinity)
    .filter((x) => x));
  main.dataset.view = name;
}

/* Digits choose views, / goes to the search, Escape ends it. */
function press(event) {
  const search = document.getElementById("search"), names = Object.keys(views);
  if (event.key === "Escape" && event.target === search) {
    search.value = "";
    go({ q: null });
    search.blur();
  } else if (event.ctrlKey || event.altKey || event.metaKey
    || /INPUT|SELECT/.test(event.target.tagName))
    return;
  else if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (/^\d$/.test(event.key) && names[(Number(event.key) + 9) % 10])
    go({ view: names[(Number(event.key) + 9) % 10] });
}

async function start() {
  try {
    data = await unpack();
  } catch (error) {
    document.getElementById("wait").textContent = "The data of this page cannot be read (" + error
      + "): make it again, or use a browser of 2023 or later.";
    return;
  }
  if (!data.baseline)
    delete views.changes;
  const first = data.processes[0];
  const name = data.program || (first ? first.command.split(" ")[0] : data.profile);
  document.title = "cabprof: " + baseName(name);
  document.getElementById("title").textContent = baseName(name);
  document.getElementById("foot").textContent = "Made by cabprof " + data.version
    + ". Keys: 1 to 9 and 0 choose a view, / searches. The address of a view can be kept or sent.";
  let timer = 0, width = innerWidth;
  document.getElementById("search").addEventListener("input", (e) => {
    clearTimeout(timer);
    timer = setTimeout(() => go({ q: e.target.value }), 200);
  });
  document.getElementById("skip").addEventListener("click", (e) => {
    e.preventDefault();
    document.getElementById("main").focus();
  });
  addEventListener("hashchange", draw);
  addEventListener("keydown", press);
  addEventListener("resize", () => {
    if (innerWidth !== width)
      draw();
    width = innerWidth;
  });
  draw();
}

addEventListener("DOMContentLoaded", start);
