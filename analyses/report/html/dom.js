/* dom.js - making elements, and writing numbers. Texts of the profile become text nodes only.
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* Give NODE its ATTRIBUTES and CHILDREN. A function is a listener; null is left out. */
function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (typeof value === "function")
      node.addEventListener(name, value);
    else if (name === "vars")
      for (const [key, v] of Object.entries(value))
        node.style.setProperty(key, v);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value);
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined)
      node.append(child);
  return node;
}

function el(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function grouped(n) {
  return n === null || n === undefined ? "-" : Math.round(n).toLocaleString("en-US");
}

function percent(share) {
  return share === null || !isFinite(share) ? "-" : (100 * share).toFixed(1) + " %";
}

/* Write N in the UNIT of a measure. */
function inUnit(n, unit) {
  if (unit === "ns")
    return n >= 1e9 ? (n / 1e9).toFixed(3) + " s" : (n / 1e6).toFixed(3) + " ms";
  return grouped(n) + " " + unit;
}

/* Write a cell of a column of TYPE for people. */
function shown(value, type) {
  if (value === null || value === undefined)
    return "-";
  switch (type) {
    case "count": case "change": return grouped(value);
    case "share": return percent(value);
    case "real": return value.toFixed(2);
    case "relative": return (value > 0 ? "+" : "") + percent(value);
    case "line": return value ? String(value) : "-";
    default: return String(value);
  }
}

function isText(type) {
  return type === "text" || type === "path" || type === "function" || type === "chain";
}

/* Return the last part of a path. */
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

function note(text, wrong) {
  return text ? el("p", { class: wrong ? "note wrong" : "note" }, text) : null;
}

/* Return a list to choose from; CHOICES are [value, text], CHOOSE gets the value. */
function chooser(label, choices, value, choose) {
  return el("label", {}, label + " ", el("select", { change: (e) => choose(e.target.value) },
    choices.map(([v, text]) =>
      el("option", { value: v, selected: v === value ? "" : null }, text))));
}
