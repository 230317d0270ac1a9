/* state.js - the data of the page, and its state, which is the fragment of its address.
 * SPDX-License-Identifier: GPL-3.0-or-later */

let data = null;

/* Unpack the data that the page contains. */
async function unpack() {
  const text = atob(document.getElementById("data").textContent);
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function state(key, otherwise) {
  const value = new URLSearchParams(location.hash.slice(1)).get(key);
  return value === null ? otherwise : value;
}

/* Return the address of the page with CHANGES of its state; those of another view start anew. */
function address(changes) {
  const now = new URLSearchParams(changes.view && changes.view !== state("view", "overview")
    ? "" : location.hash.slice(1));
  for (const [key, value] of Object.entries(changes))
    if (value === null || value === "")
      now.delete(key);
    else
      now.set(key, value);
  return "#" + now.toString();
}

function go(changes) {
  location.hash = address(changes);
}

/* Return the table KEY, or one that lacks all. */
function table(key) {
  return data.tables[key] || { name: key, lacks: "This profile has no such table." };
}

/* Return the cells of COLUMN of TABLE; an empty list if there are none. */
function column(t, name) {
  const c = t.columns ? t.columns.findIndex((col) => col[0] === name) : -1;
  return c < 0 ? [] : t.data[c];
}

function rowsOf(t) {
  return t.data && t.data.length ? t.data[0].length : 0;
}

/* Return row R of TABLE by the names of its columns. */
function row(t, r) {
  return Object.fromEntries(t.columns.map(([name], c) => [name, t.data[c][r]]));
}
