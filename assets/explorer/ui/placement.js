// Where the boxes of a picture stand: in layers, words at the bottom in the order typed, few
// crossings, no overlap; of two answers in three zones beside each other.

const OrreryPlacement = (function () {
  "use strict";

  const GAP_X = 12, GAP_Y = 16, LAYER_GAP = 60, SWEEPS = 6;
  const HEAD = 34, MOST_COLUMNS = 3, MOST_WORDS = 4;
  // Between zones, and around the boxes of one; three single columns fit on a phone.
  const SPACIOUS = { gap: 14, padding: 16 }, NARROW = { gap: 5, padding: 8 };
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  // Places at least a pitch apart, in order, nearest to those wanted (pool adjacent violators).
  function apart(wanted, pitch) {
    const blocks = [];
    wanted.forEach((x, i) => {
      let block = { mean: x - i * pitch, size: 1 };
      while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
        const other = blocks.pop(), size = other.size + block.size;
        block = { mean: (other.mean * other.size + block.mean * block.size) / size, size };
      }
      blocks.push(block);
    });
    const levels = blocks.flatMap((block) => Array(block.size).fill(block.mean));
    return levels.map((level, i) => level + i * pitch);
  }

  function neighbours(nodes, links) {
    const near = new Map(nodes.map((node) => [node, []]));
    for (const { parent, child } of links) {
      if (!near.has(parent) || !near.has(child)) continue;
      near.get(parent).push(child);
      near.get(child).push(parent);
    }
    return near;
  }

  // Nodes of every layer, lowest first, from left to right with few crossings; words as given.
  function ordered(nodes, near) {
    const layers = [...new Set(nodes.map((node) => node.layer))].sort((a, b) => a - b);
    const order = new Map(layers.map((layer) => [layer, nodes.filter((node) => node.layer === layer)]));
    const rank = () => order.forEach((row) => row.forEach((node, i) => (node.x = (i + 0.5) / row.length)));
    rank();
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
        if (layer === 0) continue;
        const side = (node) =>
          near.get(node).filter((other) => (sweep % 2 ? other.layer > layer : other.layer < layer));
        const want = new Map(order.get(layer).map((node) =>
          [node, side(node).length ? mean(side(node).map(({ x }) => x)) : node.x]));
        order.get(layer).sort((a, b) => want.get(a) - want.get(b));
        rank();
      }
    return order;
  }

  // Rows of a layer from the bottom up: those with the strongest pull below; words as typed.
  function rowsOf(row, size, isTopics) {
    const ranked = isTopics ? [...row].sort((a, b) => b.pull - a.pull) : row;
    const rows = [];
    for (let first = 0; first < row.length; first += size) {
      const part = new Set(ranked.slice(first, first + size));
      rows.push(row.filter((node) => part.has(node)));
    }
    return isTopics ? rows : rows.reverse();
  }

  function placeRow(row, bottom, isFree, near, room) {
    const height = Math.max(...row.map((node) => node.height));
    const pitch = Math.max(...row.map((node) => node.width)) + GAP_X;
    const even = row.map((_, i) => (i - (row.length - 1) / 2) * pitch);
    const below = row.map((node) => near.get(node).filter((other) => other.layer < node.layer));
    const wanted = row.map((_, i) => (below[i].length ? mean(below[i].map(({ x }) => x)) : even[i]));
    const xs = isFree ? apart(wanted, pitch) : even;
    // A row that leans over to one side still fits.
    const most = Math.max(0, (room - pitch + GAP_X) / 2);
    const shift = Math.min(0, most - xs[xs.length - 1]) + Math.max(0, -most - xs[0]);
    row.forEach((node, i) => Object.assign(node, { x: xs[i] + shift, y: bottom - height / 2 }));
    return bottom - height;
  }

  // Gives every node x and y, the middle at 0; rows are filled from the bottom layer up.
  function place(nodes, links, room) {
    const near = neighbours(nodes, links);
    let bottom = 0;
    for (const [layer, row] of ordered(nodes, near)) {
      const widest = Math.max(...row.map((node) => node.width));
      const perRow = Math.max(1, Math.floor((room + GAP_X) / (widest + GAP_X)));
      const count = Math.ceil(row.length / perRow);
      const rows = rowsOf(row, Math.ceil(row.length / count), layer > 0);
      rows.forEach((part, r) => {
        bottom = placeRow(part, bottom, layer > 0 && count === 1, near, room);
        if (r < count - 1) bottom -= GAP_Y;
      });
      bottom -= LAYER_GAP;
    }
  }

  const leftOf = (node) => node.x - node.width / 2, rightOf = (node) => node.x + node.width / 2;
  const topOf = (node) => node.y - node.height / 2, bottomOf = (node) => node.y + node.height / 2;

  function extent(nodes) {
    return {
      left: Math.min(...nodes.map(leftOf)), right: Math.max(...nodes.map(rightOf)),
      top: Math.min(...nodes.map(topOf)), bottom: Math.max(...nodes.map(bottomOf)),
    };
  }

  // Room for the boxes of the fullest layer in few rows.
  function columnsWidth(nodes) {
    let widest = 0;
    for (const layer of new Set(nodes.map((node) => node.layer))) {
      const row = nodes.filter((node) => node.layer === layer);
      const many = Math.ceil(Math.sqrt(row.length + 1));
      const columns = Math.min(row.length, layer ? Math.min(MOST_COLUMNS, many) : MOST_WORDS);
      widest = Math.max(widest, columns * (Math.max(...row.map((node) => node.width)) + GAP_X) - GAP_X);
    }
    return widest;
  }

  // Places each group in a zone of its own, from left to right, with the layers at the same heights,
  // on a phone one box below the other; returns the panels behind them.
  function placeZones(groups, links, isNarrow = false) {
    const { gap, padding } = isNarrow ? NARROW : SPACIOUS, tall = new Map();
    for (const { nodes } of groups) {
      place(nodes, links, isNarrow ? 1 : columnsWidth(nodes));
      for (const layer of new Set(nodes.map((node) => node.layer))) {
        const { top, bottom } = extent(nodes.filter((node) => node.layer === layer));
        tall.set(layer, Math.max(tall.get(layer) || 0, bottom - top));
      }
    }
    const level = new Map();
    let ground = 0, left = 0;
    for (const layer of [...tall.keys()].sort((a, b) => a - b)) {
      level.set(layer, ground);
      ground -= tall.get(layer) + LAYER_GAP;
    }
    const top = ground + LAYER_GAP - padding - HEAD;
    return groups.map(({ heading, nodes }) => {
      const size = nodes.length ? extent(nodes) : { left: 0, right: 0 };
      const least = isNarrow && nodes.length ? 0 : headingWidth(heading);
      const width = Math.max(least, size.right - size.left + 2 * padding);
      const shift = left + width / 2 - (size.left + size.right) / 2;
      const lowest = new Map([...level].map(([layer]) =>
        [layer, Math.max(...nodes.filter((node) => node.layer === layer).map(bottomOf))]));
      for (const node of nodes) {
        node.y += level.get(node.layer) - lowest.get(node.layer);
        node.x += shift;
      }
      const zone = { heading, left, top, width, height: padding - top };
      left += width + gap;
      return zone;
    });
  }

  // A heading has as much as it needs, but no more than this by itself.
  const headingWidth = (text) => Math.min(170, 34 + 7.6 * text.length);

  return { place, placeZones, extent };
})();
