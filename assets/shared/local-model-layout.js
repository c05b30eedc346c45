// Layout of a local model in the browser: the algorithm of core/drawing/layout.py, zones.py
// and routes.py with their constants. A test holds both to the same positions.

// Boxes have key, layer, width, height and pull; links are pairs of keys, parent first. A placement
// has centre, a map from key to [x, y] with y growing downwards, and width and height of the whole.
function layoutOf(constants) {
  const { gap_x: GAP_X, gap_y: GAP_Y, layer_gap: LAYER_GAP, rounding: ROUNDING, spacious, narrow } = constants;
  const WORDS = 0, SAME_ROW = 1, UNIT = 10 ** constants.digits;
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const mean = (values) => sum(values) / values.length;
  // Lengths that are equal up to rounding are equal.
  const units = (length) => Math.round(length / ROUNDING);
  const lengthOf = (boxes) => sum(boxes.map(({ width }) => width + GAP_X)) - GAP_X;
  const even = (count, pitch) => Array.from({ length: count }, (_, i) => pitch * (i - (count - 1) / 2));
  const pitchOf = (boxes) => Math.max(...boxes.map(({ width }) => width)) + GAP_X;

  function byLayer(boxes) {
    const layers = new Map();
    for (const box of boxes) layers.set(box.layer, [...(layers.get(box.layer) ?? []), box]);
    return layers;
  }

  const ascending = (layers) => [...layers.keys()].sort((a, b) => a - b);

  // ---- order within layers ----

  function relativePlaces(order) {
    const places = new Map();
    for (const keys of order.values()) keys.forEach((key, i) => places.set(key, (i + 0.5) / keys.length));
    return places;
  }

  function countCrossings(order, links, layerOf) {
    const places = relativePlaces(order), groups = new Map();
    for (const [parent, child] of links) {
      const between = `${layerOf.get(parent)} ${layerOf.get(child)}`;
      if (layerOf.get(parent) === layerOf.get(child)) continue;
      if (!groups.has(between)) groups.set(between, []);
      groups.get(between).push([places.get(parent), places.get(child)]);
    }
    let crossings = 0;
    for (const ends of groups.values())
      ends.forEach(([above, below], i) => {
        for (let j = 0; j < i; j++) crossings += (above - ends[j][0]) * (below - ends[j][1]) < 0;
      });
    return crossings;
  }

  // Sweeps up and down order each layer by the mean place of its neighbours; the best order is kept.
  function reduceCrossings(order, links, isKept) {
    const layerOf = new Map([...order].flatMap(([layer, keys]) => keys.map((key) => [key, layer])));
    const upper = new Map([...layerOf.keys()].map((key) => [key, []]));
    const lower = new Map([...layerOf.keys()].map((key) => [key, []]));
    for (const [parent, child] of links) {
      if (layerOf.get(parent) === layerOf.get(child)) continue;
      upper.get(child).push(parent);
      lower.get(parent).push(child);
    }
    const current = new Map(order), layers = ascending(order);
    let best = order, fewest = countCrossings(order, links, layerOf);
    for (let sweep = 0; sweep < constants.sweeps && fewest; sweep++) {
      const isUpward = sweep % 2 === 0, beside = isUpward ? lower : upper;
      for (const layer of isUpward ? layers : [...layers].reverse())
        if (!isKept(layer)) current.set(layer, byBarycentre(current, layer, beside));
      const crossings = countCrossings(current, links, layerOf);
      if (crossings < fewest) [best, fewest] = [new Map(current), crossings];
    }
    return best;
  }

  function byBarycentre(order, layer, beside) {
    const places = relativePlaces(order);
    const around = (key) => (beside.get(key).length ? beside.get(key) : [key]);
    const means = new Map(order.get(layer).map((key) =>
      [key, Math.round(mean(around(key).map((one) => places.get(one))) * UNIT) / UNIT]));
    return [...order.get(layer)].sort((a, b) => means.get(a) - means.get(b));
  }

  // ---- rows ----

  // A row is a list of pairs: a box and its x.
  function line(boxes) {
    let left = -lengthOf(boxes) / 2;
    return boxes.map((box) => {
      const x = left + box.width / 2;
      left += box.width + GAP_X;
      return [box, x];
    });
  }

  function rowsOf(boxes, room) {
    const pitch = pitchOf(boxes);
    const perRow = Math.max(2, Math.floor((room + GAP_X + ROUNDING) / pitch));
    if (boxes.length > perRow) return bricks(boxes, perRow, pitch);
    const xs = even(boxes.length, pitch);
    return [boxes.map((box, i) => [box, xs[i]])];
  }

  // Numbers of boxes in rows of n, n - 1, n, … from the bottom up.
  function brickCounts(total, perRow) {
    const counts = [];
    for (let left = total; left > 0; left -= counts[counts.length - 1])
      counts.push(Math.min(left, Math.max(1, perRow - (counts.length % 2))));
    return counts;
  }

  // Neighbours stay together, and of each group the box with the strongest pull is in the lowest row.
  function bricks(boxes, perRow, pitch) {
    let counts = brickCounts(boxes.length, perRow);
    while (brickCounts(boxes.length, perRow - 1).length === counts.length) counts = brickCounts(boxes.length, --perRow);
    const shift = (row, difference) => ((Math.abs(difference) % 2 === 1) === (row % 2 === 1) ? 0 : pitch / 2);
    const places = counts
      .flatMap((count, row) => even(count, pitch).map((x) => [x + shift(row, count - perRow), row]))
      .sort(([x, row], [otherX, otherRow]) => x - otherX || row - otherRow);
    const rows = counts.map(() => []);
    for (let start = 0; start < boxes.length; start += counts.length) {
      const near = places.slice(start, start + counts.length).sort((a, b) => a[1] - b[1]);
      const strongest = boxes.slice(start, start + counts.length).sort((a, b) => b.pull - a.pull);
      strongest.forEach((box, i) => rows[near[i][1]].push([box, near[i][0]]));
    }
    return rows.map((row) => row.sort((a, b) => a[1] - b[1])).reverse();
  }

  // Positions at least a pitch apart, in order, nearest to those wanted: isotonic regression by
  // pooling adjacent violators.
  function nearestWithoutOverlap(wanted, pitch) {
    const blocks = [];
    wanted.forEach((x, i) => {
      let block = { mean: x - i * pitch, size: 1 };
      while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
        const other = blocks.pop(), size = other.size + block.size;
        block = { mean: (other.mean * other.size + block.mean * block.size) / size, size };
      }
      blocks.push(block);
    });
    return blocks.flatMap((block) => Array(block.size).fill(block.mean)).map((level, i) => level + i * pitch);
  }

  // The boxes of a layer with a single row stand above what is below them.
  function nearChildren(row, centre, below) {
    const placed = row.map(([box]) => below.get(box.key).filter((key) => centre.has(key)).map((key) => centre.get(key)[0]));
    if (!placed.some((xs) => xs.length)) return row;
    const wanted = row.map(([, x], i) => (placed[i].length ? mean(placed[i]) : x));
    const xs = nearestWithoutOverlap(wanted, pitchOf(row.map(([box]) => box)));
    return row.map(([box], i) => [box, xs[i]]);
  }

  // Shift that moves a layer back inside its room, or to the middle where it does not fit.
  function shiftWithin(placed, room) {
    const left = Math.min(...placed.map(([box, x]) => x - box.width / 2));
    const right = Math.max(...placed.map(([box, x]) => x + box.width / 2));
    if (right - left > room) return -(left + right) / 2;
    return Math.max(0, -room / 2 - left) - Math.max(0, right - room / 2);
  }

  // ---- placements ----

  function placeBoxes(boxes, links, room) {
    if (!boxes.length) return { centre: new Map(), width: 0, height: 0 };
    // Words that need several rows are read downwards.
    let words = 0;
    const byKey = new Map(boxes.map((box) => [box.key, box.layer === WORDS ? { ...box, pull: words++ } : box]));
    const layers = byLayer([...byKey.values()]);
    const pairs = links.filter((ends) => ends.every((key) => byKey.has(key)));
    const width = room || Math.max(constants.room,
      Math.sqrt(constants.room_share * sum(boxes.map((box) => (box.width + GAP_X) * (box.height + GAP_Y)))));
    const isFitting = layers.has(WORDS) && lengthOf(layers.get(WORDS)) <= width + ROUNDING;
    const isKept = (layer) => layer === WORDS && isFitting;
    const given = new Map([...layers].map(([layer, members]) => [layer, members.map(({ key }) => key)]));
    const order = reduceCrossings(given, pairs, isKept);
    const below = new Map([...byKey.keys()].map((key) => [key, []]));
    for (const [parent, child] of pairs)
      if (byKey.get(parent).layer > byKey.get(child).layer) below.get(parent).push(child);
    const centre = new Map();
    let top = 0;
    for (const layer of ascending(order)) {
      const members = order.get(layer).map((key) => byKey.get(key));
      let rows = isKept(layer) ? [line(members)] : rowsOf(members, width);
      if (rows.length === 1 && !isKept(layer)) rows = [nearChildren(rows[0], centre, below)];
      const shift = shiftWithin(rows.flat(), width);
      for (const row of [...rows].reverse()) {
        const height = Math.max(...row.map(([box]) => box.height));
        for (const [box, x] of row) centre.set(box.key, [x + shift, top - height / 2]);
        top -= height + GAP_Y;
      }
      top -= LAYER_GAP - GAP_Y;
    }
    return centred(centre, boxes);
  }

  function centred(centre, boxes) {
    const ends = (side, size) => {
      const [least, most] = [-1, 1].map((sign) => boxes.map((box) => centre.get(box.key)[side] + (sign * box[size]) / 2));
      return [Math.min(...least), Math.max(...most)];
    };
    const [left, right] = ends(0, "width"), [top, bottom] = ends(1, "height");
    const middle = [(left + right) / 2, (top + bottom) / 2];
    const moved = new Map([...centre].map(([key, [x, y]]) => [key, [x - middle[0], y - middle[1]]]));
    return { centre: moved, width: right - left, height: bottom - top };
  }

  // Adds boxes to a placement and moves none of its own: each stands at that end of a row of its
  // layer which is nearest to the middle, or beside all others where its layer has no row.
  function withMore({ centre: given, width, height }, placed, more) {
    const centre = new Map(given), boxes = [...placed];
    for (const box of more) {
      const peers = boxes.filter(({ layer }) => layer === box.layer);
      centre.set(box.key, peers.length ? atAnEnd(box, peers, centre) : besideAll(box, boxes, centre));
      boxes.push(box);
    }
    const most = (side, size) => boxes.map((box) => 2 * (Math.abs(centre.get(box.key)[side]) + box[size] / 2));
    return { centre, width: Math.max(width, ...most(0, "width")), height: Math.max(height, ...most(1, "height")) };
  }

  function atAnEnd(box, peers, centre) {
    const ends = [...new Set(peers.map(({ key }) => centre.get(key)[1]))].flatMap((y) => {
      const row = peers.filter(({ key }) => Math.abs(centre.get(key)[1] - y) < SAME_ROW);
      const step = GAP_X + box.width / 2;
      return [[Math.min(...row.map((one) => centre.get(one.key)[0] - one.width / 2)) - step, y],
        [Math.max(...row.map((one) => centre.get(one.key)[0] + one.width / 2)) + step, y]];
    });
    return ends.sort((a, b) => units(Math.abs(a[0])) - units(Math.abs(b[0])) || b[1] - a[1] || a[0] - b[0])[0];
  }

  function besideAll(box, boxes, centre) {
    const right = boxes.length ? Math.max(...boxes.map((one) => centre.get(one.key)[0] + one.width / 2)) : 0;
    const heights = (isOther) => boxes.filter(isOther).map(({ key }) => centre.get(key)[1]);
    const step = LAYER_GAP + box.height;
    const higher = heights(({ layer }) => layer > box.layer), lower = heights(({ layer }) => layer < box.layer);
    const above = higher.length ? Math.max(...higher) : (lower.length ? Math.min(...lower) : 0) - 2 * step;
    const below = lower.length ? Math.min(...lower) : above + 2 * step;
    return [right + GAP_X + box.width / 2, (above + below) / 2];
  }

  // ---- zones ----

  // Places groups of { heading, boxes } in zones from left to right, with their layers at the same
  // heights; on a phone each zone is a single column. Returns a placement with zones, each as
  // [heading, x, width].
  function placeZones(groups, links, isNarrow = false) {
    const { gap, padding } = isNarrow ? narrow : spacious;
    const placed = groups.map(({ boxes }) => (isNarrow ? column(boxes) : placeBoxes(boxes, links, columnsWidth(boxes))));
    const { level, height: tall } = levelsOf(groups, placed);
    const widths = groups.map(({ heading, boxes }, i) =>
      Math.max(isNarrow && boxes.length ? 0 : headingWidth(heading), placed[i].width + 2 * padding));
    const width = sum(widths) + gap * (groups.length - 1), height = constants.zone_head + 2 * padding + tall;
    const centre = new Map(), zones = [];
    let left = -width / 2;
    groups.forEach(({ heading, boxes }, i) => {
      const middle = left + widths[i] / 2;
      zones.push([heading, middle, widths[i]]);
      for (const box of boxes) {
        const [x, y] = placed[i].centre.get(box.key);
        const shift = level.get(box.layer) - bottomOf(boxes, placed[i], box.layer);
        centre.set(box.key, [x + middle, y + shift + height / 2 - padding]);
      }
      left += widths[i] + gap;
    });
    return { centre, width, height, zones };
  }

  function headingWidth(text) {
    const [most, around, letter] = constants.heading;
    return Math.min(most, around + letter * [...text].length);
  }

  // Words in the order given; of topics, the strongest pull is lowest.
  function column(boxes) {
    const centre = new Map(), pull = (box) => (box.layer === WORDS ? 0 : box.pull);
    let bottom = 0, layer = 0;
    for (const box of [...boxes].reverse().sort((a, b) => a.layer - b.layer || pull(b) - pull(a))) {
      if (centre.size) bottom -= box.layer === layer ? GAP_Y : LAYER_GAP;
      layer = box.layer;
      centre.set(box.key, [0, bottom - box.height / 2]);
      bottom -= box.height;
    }
    return { centre, width: Math.max(0, ...boxes.map((box) => box.width)), height: -bottom };
  }

  function columnsWidth(boxes) {
    let widest = 0;
    for (const [layer, members] of byLayer(boxes)) {
      const most = layer === WORDS ? constants.zone_words
        : Math.min(constants.zone_columns, Math.ceil(Math.sqrt(members.length + 1)));
      widest = Math.max(widest, Math.min(members.length, most) * pitchOf(members) - GAP_X);
    }
    return widest;
  }

  const bottomOf = (boxes, { centre }, layer) =>
    Math.max(...boxes.filter((box) => box.layer === layer).map((box) => centre.get(box.key)[1] + box.height / 2));

  // Bottom of every layer, 0 for the lowest, and the height of all.
  function levelsOf(groups, placed) {
    const heights = new Map();
    groups.forEach(({ boxes }, i) => {
      for (const [layer, members] of byLayer(boxes)) {
        const top = Math.min(...members.map((box) => placed[i].centre.get(box.key)[1] - box.height / 2));
        heights.set(layer, Math.max(heights.get(layer) ?? 0, bottomOf(boxes, placed[i], layer) - top));
      }
    });
    const level = new Map();
    let bottom = 0, height = 0;
    for (const layer of ascending(heights)) {
      level.set(layer, bottom);
      height = heights.get(layer) - bottom;
      bottom -= heights.get(layer) + LAYER_GAP;
    }
    return { level, height };
  }

  // ---- bands and routes ----

  // Middle and height of the band behind every layer, lowest first; none where all are single rows.
  function layerBands(boxes, { centre }) {
    const layers = byLayer(boxes), y = ({ key }) => centre.get(key)[1];
    const spread = (members) => Math.max(...members.map(y)) - Math.min(...members.map(y));
    if ([...layers.values()].every((members) => spread(members) < SAME_ROW)) return [];
    return ascending(layers).map((layer) => {
      const top = Math.min(...layers.get(layer).map((box) => y(box) - box.height / 2)) - GAP_Y / 2;
      const bottom = Math.max(...layers.get(layer).map((box) => y(box) + box.height / 2)) + GAP_Y / 2;
      return [(top + bottom) / 2, bottom - top];
    });
  }

  // Points that each arrow passes, in pairs: where it enters the height of a row and leaves it.
  function routeEdges(boxes, { centre }, links) {
    const byKey = new Map(boxes.map((box) => [box.key, box])), rows = gapsOf(boxes, centre);
    return links.map(([parent, child]) => {
      const ends = [byKey.get(parent), byKey.get(child)], [from, to] = ends.map(({ key }) => centre.get(key));
      const goal = [to[0], to[1] - ends[1].height / 2], points = [];
      let x = from[0], y = from[1] + ends[0].height / 2;
      for (const { top, bottom, gaps } of rows) {
        if (top <= y || bottom >= goal[1]) continue;
        const straight = x + (goal[0] - x) * (((top + bottom) / 2 - y) / (goal[1] - y));
        const clearance = Math.max(...gaps.map(([low, high]) => Math.min(straight - low, high - straight)));
        if (clearance >= constants.clearance - ROUNDING) continue;
        const ways = gaps.map(([low, high]) => Math.min(Math.max(straight, low), high));
        const far = (way) => units(Math.abs(way - straight));
        x = ways.reduce((best, way) => (far(way) < far(best) ? way : best));
        y = bottom;
        points.push([x, top], [x, bottom]);
      }
      return points;
    });
  }

  // Upper and lower edge of every row, from the top, and the gaps between its boxes and beside them.
  function gapsOf(boxes, centre) {
    const rows = new Map();
    for (const box of boxes) {
      const y = Math.round(1000 * centre.get(box.key)[1]) / 1000;
      rows.set(y, [...(rows.get(y) ?? []), box]);
    }
    return ascending(rows).map((y) => {
      const members = rows.get(y), half = Math.max(...members.map(({ height }) => height)) / 2, margin = GAP_X / 2;
      const sides = members
        .map(({ key, width }) => [centre.get(key)[0] - width / 2 - margin, centre.get(key)[0] + width / 2 + margin])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      const lows = [-Infinity, ...sides.map(([, right]) => right)], highs = [...sides.map(([left]) => left), Infinity];
      const gaps = lows.map((low, i) => [low, highs[i]]).filter(([low, high]) => low <= high + ROUNDING);
      return { top: y - half, bottom: y + half, gaps };
    });
  }

  return { placeBoxes, placeZones, withMore, layerBands, routeEdges };
}
