/* timeline.js - the view of calls over time: threads below each other, calls below their callers.
 * SPDX-License-Identifier: GPL-3.0-or-later */

const SPAN = 17, THREAD_GAP = 28, LEVELS = 40, STRIP = 8;
const spanEnds = ["returned", "left by longjmp or an exception", "had not ended",
  "began before the record"];

/* Write a time for people. */
function inTime(ns) {
  const [n, unit] = ns >= 1e9 ? [ns / 1e9, " s"] : ns >= 1e6 ? [ns / 1e6, " ms"]
    : ns >= 1e3 ? [ns / 1e3, " us"] : [ns, " ns"];
  return (unit === " ns" ? String(n) : n.toFixed(3)) + unit;
}

function spanName(t, i) {
  return t.function[i] < 0 ? "?" : t.functions[t.function[i]][0];
}

/* Return what part of time is shown: [from, to] in ns after the first event. */
function timeWindow(t) {
  const whole = Math.max(t.whole_ns, 1);
  const from = Math.min(Math.max(Number(state("from", 0)) || 0, 0), whole - 1);
  const to = Math.min(Number(state("to", whole)) || whole, whole);
  return to > from ? [from, to] : [0, whole];
}

/* Show the part of time from FROM to TO, within what there is. */
function goTime(t, from, to) {
  const whole = Math.max(t.whole_ns, 1), length = Math.min(Math.max(to - from, 10), whole);
  const begin = Math.min(Math.max(from, 0), whole - length);
  go(length >= whole ? { from: null, to: null }
    : { from: String(Math.round(begin)), to: String(Math.round(begin + length)) });
}

/* Return the boxes of thread K at height TOP. Calls that are narrower than half a pixel, and begin
   in the same pixel as the one before at their depth, are left out. */
function spansOf(t, k, top, width, from, to) {
  const boxes = [], last = [], query = state("q", "").toLowerCase();
  const scale = width / (to - from);
  for (let i = 0; i < t.n; i++) {
    if (t.thread[i] !== k || t.depth[i] >= LEVELS || t.begin[i] > to
      || t.begin[i] + t.duration[i] < from)
      continue;
    const x = Math.max((t.begin[i] - from) * scale, 0);
    const px = Math.min((t.begin[i] + t.duration[i] - from) * scale, width) - x;
    if (px < 0.5 && last[t.depth[i]] === Math.floor(x))
      continue;
    last[t.depth[i]] = Math.floor(x);
    boxes.push(spanBox(t, i, x, px, top + SPAN * t.depth[i], query));
  }
  return boxes;
}

function spanBox(t, i, x, px, y, query) {
  const name = spanName(t, i), hit = query && name.toLowerCase().includes(query);
  const words = name + ": " + inTime(t.duration[i]) + ", itself " + inTime(t.self[i])
    + ", from " + inTime(t.begin[i]) + " on" + (t.end[i] ? ", " + spanEnds[t.end[i]] : "");
  const act = () => goTime(t, t.begin[i], t.begin[i] + t.duration[i]);
  const room = Math.floor((px - 8) / 6.6);
  return svg("g", {},
    svg("rect", { class: px < 3 ? "thin" : "frame-box", x, y, width: Math.max(px, 0.7),
      height: SPAN, fill: hit ? "#e64fd0" : "hsl(" + hueOf(name) + " 58% 72%)",
      "stroke-dasharray": t.end[i] ? "3 2" : null, tabindex: px > 40 ? 0 : null, role: "button",
      "aria-label": words, click: act,
      keydown: (e) => {
        if (e.key === "Enter" || e.key === " ") {
          e.preventDefault();
          act();
        }
      } }, svg("title", {}, words)),
    room > 2 ? svg("text", { class: "frame", x: x + 4, y: y + 13 },
      name.length > room ? name.slice(0, room - 1) + "…" : name) : null);
}

/* Return the strip of THREAD at height TOP: what most of each pixel's time was spent in, calls that
   are not in the page among it. */
function stripOf(t, thread, top, width, from, to) {
  const boxes = [], at = (x) => from + x * (to - from) / width;
  let begin = 0, now = null;
  const end = (x) => {
    if (now && now.id >= 0)
      boxes.push(svg("rect", { x: begin, y: top, width: x - begin, height: STRIP,
        fill: "hsl(" + hueOf(t.functions[now.id][0]) + " 58% 58%)" },
        svg("title", {}, t.functions[now.id][0] + ", from "
          + inTime(Math.round(at(begin))) + " to " + inTime(Math.round(at(x))) + ": "
          + Math.round(now.ns / (now.parts * t.part_ns) * 100) + " % by itself")));
    begin = x;
    now = null;
  };
  for (let x = 0; x < width; x++) {
    const most = mostOf(t, thread, at(x), at(x + 1));
    if (now && now.id !== most.id)
      end(x);
    now = now ? { id: now.id, ns: now.ns + most.ns, parts: now.parts + most.parts } : most;
  }
  end(width);
  return boxes;
}

/* Return what most of THREAD's time from FROM to TO was spent in: { id, ns, parts }, with the
   number of parts of time that were looked at. */
function mostOf(t, thread, from, to) {
  const first = Math.floor(from / t.part_ns), sums = new Map();
  const last = Math.max(first, Math.ceil(to / t.part_ns) - 1);
  let best = { id: -1, ns: 0 };
  for (let k = first; k <= last && k < thread.most.length; k++) {
    const id = thread.most[k], ns = (sums.get(id) || 0) + thread.percent[k] / 100 * t.part_ns;
    sums.set(id, ns);
    if (id >= 0 && ns > best.ns)
      best = { id, ns };
  }
  return { ...best, parts: last - first + 1 };
}

/* Return the picture of the time from FROM to TO. */
function timePicture(t, from, to) {
  const width = Math.max(320, document.getElementById("main").clientWidth - 34), parts = [];
  let top = 18;
  for (let i = 0; i <= 4; i++)
    parts.push(svg("text", { x: i * width / 4, y: 12,
      "text-anchor": ["start", "middle", "middle", "middle", "end"][i] },
      inTime(Math.round(from + i * (to - from) / 4))));
  t.threads.forEach((thread, k) => {
    parts.push(svg("text", { x: 0, y: top + 14 },
      "thread " + thread.tid + (thread.name ? " (" + thread.name + ")" : "") + " of process "
      + thread.process));
    parts.push(...stripOf(t, thread, top + 20, width, from, to),
      ...spansOf(t, k, top + 22 + STRIP, width, from, to));
    top += SPAN * Math.min(thread.depth + 1, LEVELS) + THREAD_GAP + STRIP;
  });
  return svg("svg", { id: "time", width, height: top, viewBox: "0 0 " + width + " " + top,
    role: "group", "aria-label": "Calls over time" }, parts);
}

/* Return the calls that are shown, the longest first, as a table. */
function spanTable(t, from, to) {
  const shownSpans = [], query = state("q", "").toLowerCase();
  for (let i = 0; i < t.n; i++)
    if (t.begin[i] <= to && t.begin[i] + t.duration[i] >= from
      && (!query || spanName(t, i).toLowerCase().includes(query)))
      shownSpans.push(i);
  shownSpans.sort((a, b) => t.duration[b] - t.duration[a]);
  const table = { name: "calls", left_out: 0, note: null,
    columns: [["function", "function"], ["file", "path"], ["line", "line"],
      ["duration_ns", "count"], ["self_ns", "count"], ["begin_ns", "count"], ["thread", "number"],
      ["end", "text"]],
    data: [shownSpans.map((i) => spanName(t, i)),
      shownSpans.map((i) => t.function[i] < 0 ? "" : t.functions[t.function[i]][1]),
      shownSpans.map((i) => t.function[i] < 0 ? 0 : t.functions[t.function[i]][2]),
      shownSpans.map((i) => t.duration[i]), shownSpans.map((i) => t.self[i]),
      shownSpans.map((i) => t.begin[i]),
      shownSpans.map((i) => t.threads[t.thread[i]].tid),
      shownSpans.map((i) => spanEnds[t.end[i]])] };
  return tableView("calls", { table, title: "The longest calls in this time", rows: 20 });
}

function viewTimeline() {
  const t = data.timeline;
  if (!t || !t.n)
    return [tableView("timeline")];
  const [from, to] = timeWindow(t), length = to - from, middle = from + length / 2;
  const button = (text, a, b, label) => el("button", { type: "button", "aria-label": label,
    click: () => goTime(t, a, b) }, text);
  return [el("div", { class: "tools" },
    button("All", 0, t.whole_ns, "All of the time"),
    button("+", middle - length / 4, middle + length / 4, "Half of the time"),
    button("−", middle - length, middle + length, "Twice the time"),
    button("←", from - length / 2, to - length / 2, "Earlier"),
    button("→", from + length / 2, to + length / 2, "Later"),
    el("span", { id: "time-window" }, inTime(Math.round(from)) + " to " + inTime(Math.round(to))
      + ", of " + inTime(t.whole_ns))),
  timePicture(t, from, to),
  t.left_out ? note(grouped(t.left_out) + " calls shorter than " + inTime(t.shorter_ns)
    + " are not in this page, except in the strip above each thread's calls, which has what most "
    + "of the time was spent in: cabprof timeline list shows them.") : null,
  note(t.remark),
  note("A click or Enter shows the time of a call. Dashed: its begin or its end is not known."),
  spanTable(t, from, to), tableView("timeline")];
}
