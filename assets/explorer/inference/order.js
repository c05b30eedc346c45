// In which order to sum variables out, so that few of them ever meet in one table; as
// core/kernels/elimination_order.py has it. Sets of variables are rows of bits.

const OrreryOrder = (function () {
  "use strict";

  const has = (row, v) => (row[v >>> 5] >>> (v & 31)) & 1;
  const add = (row, v) => (row[v >>> 5] |= 1 << (v & 31));
  const discard = (row, v) => (row[v >>> 5] &= ~(1 << (v & 31)));

  function bitCount(word) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }

  function size(row) {
    let count = 0;
    for (const word of row) count += bitCount(word);
    return count;
  }

  function members(row) {
    const found = [];
    row.forEach((word, w) => {
      for (let rest = word; rest; rest &= rest - 1) found.push(32 * w + 31 - Math.clz32(rest & -rest));
    });
    return found;
  }

  // A graph that knows of each variable how many pairs of its neighbours are not linked.
  function graphOf(nVariables) {
    const neighbours = Array.from({ length: nVariables }, () => new Uint32Array((nVariables + 31) >>> 5));
    const missing = new Int32Array(nVariables);

    function link(u, v) {
      if (has(neighbours[u], v)) return;
      const common = members(neighbours[u].map((word, w) => word & neighbours[v][w]));
      for (const w of common) missing[w] -= 1;
      missing[u] += size(neighbours[u]) - common.length;
      missing[v] += size(neighbours[v]) - common.length;
      add(neighbours[u], v);
      add(neighbours[v], u);
    }

    // Links all neighbours of v, which then goes.
    function eliminate(v) {
      const around = members(neighbours[v]);
      around.forEach((u, place) => around.slice(0, place).forEach((w) => link(u, w)));
      for (const u of around) {
        discard(neighbours[u], v);
        missing[u] -= size(neighbours[u]) - (around.length - 1);
      }
    }

    return { missing, link, eliminate, degree: (v) => size(neighbours[v]) };
  }

  // The variables in the order of fewest new links first (min-fill), of these the last; null where
  // one of them would have more than `mostNeighbours` when it is its turn. `links` are pairs of
  // variables that stand in one table.
  function eliminationOrder(variables, links, mostNeighbours) {
    const left = [...variables].sort((a, b) => b - a), order = [];
    const { missing, link, eliminate, degree } = graphOf((left[0] ?? -1) + 1);
    for (const [u, v] of links) link(u, v);
    while (left.length) {
      let first = 0;
      for (let place = 1; place < left.length; place++)
        if (missing[left[place]] < missing[left[first]]) first = place;
      const [v] = left.splice(first, 1);
      if (degree(v) > mostNeighbours) return null;
      order.push(v);
      eliminate(v);
    }
    return order;
  }

  return { eliminationOrder };
})();
