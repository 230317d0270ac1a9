/* tree.js - trees of weighted frames: sums, and their merging by function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree is { parent, id, self, all, line }, each a list by node; node 0 is the root, and a parent
 * comes before its children. other: what the other profile of two has there and below. */

/* Return the tree of the contexts C weighed by MEASURE. */
function contextTree(measure, c) {
  const m = c.measures.find((x) => x.key === measure) || c.measures[0];
  const all = m.self.map((n, i) => n + m.rest[i]);
  for (let i = all.length - 1; i > 0; i--)
    all[c.parent[i]] += all[i];
  return { parent: c.parent, id: c.function, self: m.self, all, line: c.line, measure: m };
}

function frameName(id) {
  return id < 0 ? "all" : data.contexts.functions[id][0];
}

function frameFile(id) {
  return id < 0 ? "" : data.contexts.functions[id][1];
}

function frameModule(id) {
  return id < 0 ? "" : data.contexts.functions[id][3];
}

/* Return, for each node, whether no node above it is of the same function. */
function outermost(tree) {
  const first = new Uint8Array(tree.parent.length), children = childrenOf(tree);
  const active = new Map(), stack = [[0, 0]];
  while (stack.length) {
    const top = stack[stack.length - 1], [node, k] = top;
    if (!k) {
      const n = active.get(tree.id[node]) || 0;
      first[node] = n ? 0 : 1;
      active.set(tree.id[node], n + 1);
    }
    if (k < children[node].length) {
      top[1]++;
      stack.push([children[node][k], 0]);
    } else {
      active.set(tree.id[node], active.get(tree.id[node]) - 1);
      stack.pop();
    }
  }
  return first;
}

function childrenOf(tree) {
  const children = tree.parent.map(() => []);
  for (let i = 1; i < tree.parent.length; i++)
    children[tree.parent[i]].push(i);
  return children;
}

/* Return the functions of TREE: [{ id, self, all }], the heaviest first. */
function byFunction(tree) {
  const first = outermost(tree), sums = new Map();
  for (let i = 1; i < tree.parent.length; i++) {
    const id = tree.id[i], sum = sums.get(id) || { id, self: 0, all: 0 };
    sum.self += tree.self[i];
    sum.all += first[i] ? tree.all[i] : 0;
    sums.set(id, sum);
  }
  return [...sums.values()].sort((a, b) => b.self - a.self || b.all - a.all);
}

/* A tree that grows by chains of functions. */
function growing(id) {
  const tree = { parent: [0], id: [id], self: [0], all: [0], line: [0] }, known = new Map();
  tree.child = (node, of) => {
    const key = node + " " + of;
    if (!known.has(key)) {
      known.set(key, tree.parent.length);
      tree.parent.push(node);
      tree.id.push(of);
      tree.self.push(0);
      tree.all.push(0);
      tree.line.push(0);
    }
    return known.get(key);
  };
  return tree;
}

/* Return who called function ID, from it outwards. */
function callersOf(tree, id) {
  const first = outermost(tree), to = growing(id);
  for (let i = 1; i < tree.parent.length; i++) {
    if (tree.id[i] !== id || !first[i])
      continue;
    let node = 0;
    to.all[0] += tree.all[i];
    for (let up = tree.parent[i]; up; up = tree.parent[up]) {
      node = to.child(node, tree.id[up]);
      to.all[node] += tree.all[i];
    }
  }
  return to;
}

/* Return what function ID called. */
function calleesOf(tree, id) {
  const first = outermost(tree), to = growing(id), becomes = new Int32Array(tree.parent.length);
  becomes.fill(-1);
  for (let i = 1; i < tree.parent.length; i++) {
    const up = becomes[tree.parent[i]];
    if (up >= 0)
      becomes[i] = to.child(up, tree.id[i]);
    else if (tree.id[i] === id && first[i])
      becomes[i] = 0;
    if (becomes[i] >= 0) {
      to.all[becomes[i]] += tree.all[i];
      to.self[becomes[i]] += tree.self[i];
    }
  }
  return to;
}
