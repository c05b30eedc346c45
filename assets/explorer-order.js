// In which order to sum variables out, so that few of them ever meet in one table; as
// core/kernels/elimination_order.py has it. Sets of variables are rows of bits.

const OrreryOrder = (function () {
  "use strict";

  const add = (row, v) => (row[v >>> 5] |= 1 << (v & 31));
  const discard = (row, v) => (row[v >>> 5] &= ~(1 << (v & 31)));
  const unite = (row, other) => other.forEach((word, w) => (row[w] |= word));

  function bitCount(word) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }

  function members(row) {
    const found = [];
    row.forEach((word, w) => {
      for (let rest = word; rest; rest &= rest - 1) found.push(32 * w + 31 - Math.clz32(rest & -rest));
    });
    return found;
  }

  // Pairs of neighbours of v, counted twice, that are not yet neighbours of each other.
  function newLinks(v, neighbours) {
    const row = neighbours[v];
    let missing = 0;
    for (const u of members(row)) {
      const other = neighbours[u];
      for (let w = 0; w < row.length; w++) missing += bitCount(row[w] & ~other[w]);
      missing -= 1;
    }
    return missing;
  }

  // The variables in the order of fewest new links first (min-fill), of these the last; null where
  // one of them would have more than `mostNeighbours` when it is its turn. `links` are pairs of
  // variables that stand in one table.
  function eliminationOrder(variables, links, mostNeighbours) {
    const nVariables = Math.max(-1, ...variables) + 1, order = [], left = new Set(variables);
    const row = () => new Uint32Array((nVariables + 31) >>> 5);
    const neighbours = Array.from({ length: nVariables }, row);
    for (const [u, v] of links) {
      add(neighbours[u], v);
      add(neighbours[v], u);
    }
    const missing = neighbours.map((_, v) => newLinks(v, neighbours));
    while (left.size) {
      let v = -1;
      for (const u of left) if (v < 0 || missing[u] < missing[v] || (missing[u] === missing[v] && u > v)) v = u;
      const around = members(neighbours[v]), touched = neighbours[v].slice();
      if (around.length > mostNeighbours) return null;
      order.push(v);
      left.delete(v);
      for (const u of around) {
        unite(neighbours[u], neighbours[v]);
        discard(neighbours[u], u);
        discard(neighbours[u], v);
        unite(touched, neighbours[u]);
      }
      for (const u of members(touched)) if (left.has(u)) missing[u] = newLinks(u, neighbours);
    }
    return order;
  }

  return { eliminationOrder };
})();
