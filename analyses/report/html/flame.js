/* flame.js - a tree drawn as a flame graph (growing up) or an icicle (growing down).
 * SPDX-License-Identifier: GPL-3.0-or-later */

const FRAME = 19, DEEPEST = 120;

function hueOf(text) {
  let h = 7;
  for (const c of text)
    h = (h * 31 + c.codePointAt(0)) % 360;
  return h;
}

/* Return the frames of TREE from ROOT on: [{ node, x, width, depth }], in units of the whole, and
   how many levels were not drawn. */
function framesOf(tree, root, least) {
  const children = childrenOf(tree), frames = [], stack = [[root, 0, 0]];
  const whole = tree.all[root] || 1;
  let cut = 0;
  while (stack.length) {
    const [node, x, depth] = stack.pop(), width = tree.all[node] / whole;
    if (width < least)
      continue;
    if (depth >= DEEPEST) {
      cut++;
      continue;
    }
    frames.push({ node, x, width, depth });
    let at = x;
    for (const child of children[node].slice().sort((a, b) => tree.all[b] - tree.all[a])) {
      stack.push([child, at, depth + 1]);
      at += tree.all[child] / whole;
    }
  }
  return { frames, cut };
}

/* Return what the colours of TREE's frames mean: change, file or module. */
function coloursOf(tree) {
  const wanted = state("colours", tree.other ? "change" : "file");
  return wanted === "change" && !tree.other ? "file" : wanted;
}

/* Return the picture. OPTIONS: up (it grows up), root, unit, choose (gets the node). */
function flame(tree, options) {
  const width = Math.max(320, document.getElementById("main").clientWidth - 34);
  const root = options.root || 0;
  const { frames, cut } = framesOf(tree, root, 0.5 / width);
  const height = FRAME * (1 + Math.max(...frames.map((f) => f.depth)));
  const total = tree.all[0] || 1, query = state("q", "").toLowerCase();
  const boxes = frames.map(({ node, x, width: w, depth }) => {
    const name = frameName(tree.id[node]), px = w * width;
    const y = options.up ? height - FRAME * (depth + 1) : FRAME * depth;
    const hit = query && name.toLowerCase().includes(query);
    const before = state("side", "now") === "before", other = tree.other && tree.other[node];
    const fill = hit ? "#e64fd0" : coloursOf(tree) === "change"
      ? colourOfChange(before ? other : tree.all[node], before ? tree.all[node] : other)
      : "hsl(" + hueOf((coloursOf(tree) === "module" ? frameModule : frameFile)(tree.id[node]))
      + " 62% "
      + (66 + hueOf(name) % 14) + "%)";
    const words = name + ": " + inUnit(tree.all[node], options.unit) + ", "
      + percent(tree.all[node] / total) + ", itself " + inUnit(tree.self[node], options.unit)
      + (tree.line[node] ? ", called in line " + tree.line[node] : "")
      + (tree.other ? (before ? ", now " : ", was ") + inUnit(other, options.unit) : "");
    const act = () => options.choose(node);
    const room = Math.floor((px - 8) / 6.6);
    return svg("g", {},
      svg("rect", { class: "frame-box", x: x * width, y, width: Math.max(px, 0.5),
        height: FRAME, fill,
        tabindex: px > 40 ? 0 : null, role: "button", "aria-label": words, click: act,
        keydown: (e) => {
          if (e.key === "Enter" || e.key === " ") {
            e.preventDefault();
            act();
          }
        } },
        svg("title", {}, words)),
      room > 2 ? svg("text", { class: "frame", x: x * width + 4, y: y + 14 },
        name.length > room ? name.slice(0, room - 1) + "…" : name) : null);
  });
  return [svg("svg", { width, height, viewBox: "0 0 " + width + " " + height, role: "group",
    "aria-label": options.label }, boxes),
    cut ? note("Deeper than " + DEEPEST + " frames is not drawn: choose a frame to go on from it.")
      : null];
}
