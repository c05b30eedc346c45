// Where the boxes of a map stand: nested rectangles that fill the room, and what of them can be read.
// (Squarified treemap, Bruls, Huizing and van Wijk 2000.) Rectangles are [x, y, width, height].

// Names are wide and low, and so are the boxes.
const ASPECT = 2;
// Between boxes of a family, and between families.
const GAP = 3, FAMILY_GAP = 7;
// Of a family's box, for the name of its topic.
const STRIP = 23;
// A smaller box can neither be read nor clicked.
const SMALLEST = { width: 58, height: 20 };
// Where one box for what cannot be read would take a larger part of the room, it is made smaller.
const WASTE_SHARE = 0.2;
// What the server left out takes at most this part of the room.
const REST_SHARE = 0.08;
// Where topics are too many to be read, the largest get so many times the smallest box on average.
const ROOM_FOR_ONE = 3;
// A box is looked into, where its topics are too many, from this part of the window's width or height on.
const FILLED = 0.6;
// How bold the name of a family is, and that of a topic alone.
const WEIGHTS = { strip: 600, leaf: 400 };

// A tree of boxes from the flat list, in which each comes after the one that it hangs from.
function nested(items) {
  const nodes = items.map((item) => ({ item, size: item.size, count: topicsOf(item), below: [] }));
  const tops = [];
  items.forEach((item, number) => (item.above < 0 ? tops : nodes[item.above].below).push(nodes[number]));
  for (const node of [...nodes].reverse()) node.count += node.below.reduce((sum, { count }) => sum + count, 0);
  nodes.forEach((node) => ranked(node.below));
  const isShelved = nodes.some((node) => isShelf(node) && node.item.key !== ASIDE);
  return { below: ranked(tops), count: tops.reduce((sum, { count }) => sum + count, 0), isShelved };
}

// The largest first, those on no shelf after the others; what stands for the rest comes last, not
// larger than it need be.
function ranked(nodes) {
  const late = (node) => (isRest(node) ? 3 : [NO_SHELF, ASIDE].indexOf(node.item.key) + 1);
  nodes.sort((one, other) => late(one) - late(other) || other.size - one.size);
  const kept = nodes.filter((node) => !isRest(node)).reduce((sum, { size }) => sum + size, 0);
  for (const node of nodes) if (isRest(node) && kept) node.size = Math.min(node.size, REST_SHARE * kept);
  return nodes;
}

const NO_SHELF = "shelf:-1", ASIDE = "shelf:aside";
// How many topics a box is by itself: one for which it is none holds others.
const topicsOf = ({ kind, folded }) => (kind === "rest" ? folded : Number(kind !== "shelf"));
const isRest = (node) => node.item?.kind === "rest";
const isShelf = (node) => node.item?.kind === "shelf";

// Rectangles of given relative sizes, largest first, that fill a room, all of about one shape; and
// after how many of them a row ends, so that what follows is one rectangle too.
function squarify(sizes, [x0, y0, width, height], aspect = ASPECT) {
  // Squares of a room that is stretched are of the wanted shape when it is pressed back.
  let [x, y, wide, tall] = [x0, 0, width, height * aspect];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const areas = sizes.map((size) => (size * wide * tall) / total);
  const spots = [], ends = [];
  while (spots.length < areas.length) {
    const side = Math.min(wide, tall), left = areas.slice(spots.length);
    let count = 1;
    while (count < left.length && worst(left.slice(0, count + 1), side) <= worst(left.slice(0, count), side)) count += 1;
    const thick = left.slice(0, count).reduce((sum, area) => sum + area, 0) / side;
    let along = wide >= tall ? y : x;
    for (const area of left.slice(0, count)) {
      spots.push(wide >= tall ? [x, along, thick, area / thick] : [along, y, area / thick, thick]);
      along += area / thick;
    }
    if (wide >= tall) [x, wide] = [x + thick, wide - thick];
    else [y, tall] = [y + thick, tall - thick];
    ends.push(spots.length);
  }
  return { spots: spots.map(([a, b, w, h]) => [a, y0 + b / aspect, w, h / aspect]), ends };
}

// Highest ratio of long to short side in a row laid along a side (equation in section 3).
function worst(row, side) {
  const total = row.reduce((sum, area) => sum + area, 0);
  return Math.max((side ** 2 * Math.max(...row)) / total ** 2, total ** 2 / (side ** 2 * Math.min(...row)));
}

// What can be seen of a tree whose whole fills a rectangle: boxes with their place, kind and depth.
// `window` is what is seen of it, and `fits` tells whether a name stands in full in a box; places
// within a family are worked out once, when it is first large enough, and stay.
function visible(root, room, window, fits) {
  const found = [];
  placeBelow(root, room, { found, window, fits, depth: 0 });
  return found;
}

function place(node, spot, drawing) {
  if (!overlaps(spot, drawing.window)) return;
  if (!node.item) return placeParted(node, spot, drawing);
  const [x, y, wide, tall] = spot;
  const number = drawing.found.length;
  const strip = node.below.length ? STRIP : tall;
  const box = { node, item: node.item, spot: [x, y, wide, Math.min(strip, tall)], whole: spot, depth: drawing.depth, kind: "strip", folded: 0 };
  drawing.found.push(box);
  const rest = [x, y + strip, wide, tall - strip];
  const inside = { ...drawing, depth: drawing.depth + 1 };
  const isNamed = node.below.length && drawing.fits(node, [x, y, wide, STRIP], WEIGHTS.strip);
  if (isNamed && isReadable(rest)) {
    if (placeBelow(node, rest, inside)) return;
    // A shelf is nothing by itself: its heading stands over the names of what it holds.
    if (isShelf(node)) return drawing.found.push(more(node, node.below, rest, inside));
  }
  drawing.found.length = number + 1;
  Object.assign(box, { spot, kind: isRest(node) ? "rest" : "leaf", folded: isRest(node) ? 0 : node.count - topicsOf(node.item) });
}

// Draw what hangs from a node; false if none of it could be read in there.
function placeBelow(node, room, drawing) {
  const gap = drawing.depth === 0 && node.below.some(({ below }) => below.length) ? FAMILY_GAP : GAP;
  // The gap after the last box lies outside, so that the boxes end where their room does.
  const full = [room[0], room[1], room[2] + gap, room[3] + gap];
  node.plan ||= plan(node.below, full);
  const spots = node.plan.parts.map((part) => within(part, full));
  const kept = legible(node, spots, gap, drawing);
  if (!kept && fills(room, drawing.window) && parted(node, full, gap, drawing)) return placeBelow(node, room, drawing);
  if (!kept && drawing.depth) return false;
  // What cannot be read would be a large empty box, with large topics in it.
  const isWaste = kept && kept < spots.length && !node.isPlanned && areaOf(around(spots.slice(kept))) > WASTE_SHARE * areaOf(full);
  if (isWaste && replanned(node, full, gap, drawing, kept)) return placeBelow(node, room, drawing);
  node.below.slice(0, kept).forEach((child, number) => place(child, inset(spots[number], gap), drawing));
  if (kept < spots.length) {
    const spot = inset(around(spots.slice(kept)), gap);
    drawing.found.push(more(node, node.below.slice(kept), spot, drawing));
  }
  return true;
}

// Topics of which none can be read, for they are too many or one leaves the others no room: as many of
// the largest as can be read stay, and the others become one box, to be looked into by zooming.
function parted(node, room, gap, drawing) {
  const all = node.below, area = SMALLEST.width * SMALLEST.height;
  let first = Math.min(Math.floor(areaOf(room) / (ROOM_FOR_ONE * area)), all.length - 1);
  for (; first >= 1; first = Math.floor(first / 2)) {
    const stay = all.slice(0, first), others = all.slice(first);
    const size = REST_SHARE * stay.reduce((sum, one) => sum + one.size, 0);
    const count = others.reduce((sum, one) => sum + one.count, 0);
    node.below = [...stay, { item: null, size, count, below: others }];
    node.plan = plan(node.below, room);
    const spots = node.plan.parts.map((part) => within(part, room));
    if (legible(node, spots, gap, drawing)) return true;
  }
  Object.assign(node, { below: all, plan: plan(all, room) });
  return false;
}

// A plan in which more topics than `least` can be read, as the others are smaller; false without one.
// The boxes of this plan stay where they are when they come nearer.
function replanned(node, room, gap, drawing, least) {
  const before = node.plan, most = Math.floor(areaOf(room) / (ROOM_FOR_ONE * SMALLEST.width * SMALLEST.height));
  node.isPlanned = true;
  for (let first = Math.min(most, node.below.length - 1); first > least; first -= 1) {
    node.plan = planWithSmallRest(node.below, room, first);
    if (legible(node, node.plan.parts.map((part) => within(part, room)), gap, drawing) >= first) return true;
  }
  node.plan = before;
  return false;
}

function placeParted(node, spot, drawing) {
  if (fills(spot, drawing.window) && isReadable(spot)) placeBelow(node, spot, { ...drawing, depth: 0 });
  else drawing.found.push(more(node, node.below, spot, drawing));
}

// One box for topics that cannot be read.
function more(node, inside, spot, { depth }) {
  const folded = inside.reduce((sum, { count }) => sum + count, 0);
  return { node, item: null, spot, whole: spot, depth, kind: "more", folded, inside };
}

const fills = ([, , wide, tall], [, , width, height]) => wide >= FILLED * width || tall >= FILLED * height;

// Places, and what was parted off, are those of one size of the map.
function forget(node) {
  delete node.plan;
  delete node.isPlanned;
  const last = node.below.at(-1);
  if (!last || last.item) return node.below.forEach(forget);
  node.below = [...node.below.slice(0, -1), ...last.below];
  forget(node);
}

// How many of the boxes below a node are drawn, which stand in whole rows.
function legible(node, spots, gap, drawing) {
  // Of the whole, the largest are there in any case.
  const isNamed = (child, spot) => !drawing.depth || !child.item || isRest(child) || drawing.fits(child, spot, WEIGHTS.leaf);
  const first = node.below.findIndex((child, number) => {
    const spot = inset(spots[number], gap);
    return !isReadable(spot) || !isNamed(child, spot);
  });
  return first < 0 ? spots.length : wholeRows(spots, gap, node.plan.ends, first);
}

// Rectangles as parts of the room that they fill.
function plan(nodes, [, , wide, tall]) {
  const { spots, ends } = squarify(nodes.map(({ size }) => size), [0, 0, wide, tall]);
  return { ends, parts: spots.map(([a, b, w, h]) => [a / wide, b / tall, w / wide, h / tall]) };
}

// The same, where all after the first ones take together the room of a rest.
function planWithSmallRest(nodes, [, , wide, tall], first) {
  const sizes = nodes.map(({ size }) => size), kept = sizes.slice(0, first);
  const { spots, ends } = squarify([...kept, REST_SHARE * kept.reduce((sum, size) => sum + size, 0)], [0, 0, wide, tall]);
  const rest = squarify(sizes.slice(first), spots[first]);
  const parts = [...spots.slice(0, first), ...rest.spots].map(([a, b, w, h]) => [a / wide, b / tall, w / wide, h / tall]);
  return { ends: [...ends.filter((end) => end < first), first, ...rest.ends.map((end) => first + end)], parts };
}

const areaOf = ([, , wide, tall]) => wide * tall;
const within = ([a, b, w, h], [x, y, wide, tall]) => [x + a * wide, y + b * tall, w * wide, h * tall];
const inset = ([x, y, wide, tall], gap) => [x, y, Math.max(wide - gap, 1), Math.max(tall - gap, 1)];
const isReadable = ([, , wide, tall]) => wide >= SMALLEST.width && tall >= SMALLEST.height;
const overlaps = ([x, y, wide, tall], [left, top, width, height]) =>
  x < left + width && x + wide > left && y < top + height && y + tall > top;

// The smallest rectangle around others.
function around(spots) {
  const [left, top] = [0, 1].map((side) => Math.min(...spots.map((spot) => spot[side])));
  const [right, bottom] = [0, 1].map((side) => Math.max(...spots.map((spot) => spot[side] + spot[side + 2])));
  return [left, top, right - left, bottom - top];
}

// How many of the boxes are drawn: rows before the first that cannot be read, and what is left as one box.
function wholeRows(spots, gap, ends, first) {
  const whole = ends.filter((end) => end <= first && isReadable(inset(around(spots.slice(end)), gap)));
  return whole.length ? whole[whole.length - 1] : 0;
}
