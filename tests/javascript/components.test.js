// What the app's map of topics does with room: nested boxes, letters that fit, and keys.
import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeElement, load } from "./loading.js";
import { generator } from "./small-models.js";

const SCRIPTS = ["parts", "topic-map", "topic-map-nesting", "topic-map-saving"].map((name) => `assets/shared/${name}.js`);
const { fitted, shorten, nearest, nested, squarify, visible, forget, namesInside, figuresOf, SMALLEST } = load(SCRIPTS, ["fitted", "shorten", "nearest", "nested", "squarify", "visible", "forget", "namesInside", "figuresOf", "SMALLEST"]);

// Letters half as wide as they are high.
const canvas = {
  font: "",
  measureText(text) {
    return { width: text.length * Number(/ ([\d.]+)px/.exec(this.font)[1]) / 2 };
  },
};
const FONT = { font: "sans-serif", bold: 400 };
const plain = (text) => text.replaceAll("\u00a0", " ");

test("a label is lettered as large as fits, and never across the border", () => {
  const random = generator(3), labels = ["shakespeare · sonnet · play", "a", "space · nasa", "internationalisation"];
  for (let turn = 0; turn < 300; turn++) {
    const label = labels[turn % labels.length], room = [5 + 200 * random(), 5 + 60 * random()];
    const { size, lines, whole } = fitted(canvas, label, room, FONT);
    // A single word that is too long for a line is divided.
    const read = plain(lines.join(" "));
    if (whole) assert.equal(label.includes(" ") ? read : read.replaceAll("- ", ""), label);
    canvas.font = `400 ${size}px sans-serif`;
    for (const line of lines)
      // A single letter and its dots are the least that is shown.
      assert.ok(canvas.measureText(line).width <= room[0] || line.length <= 2, `${line} in ${room}`);
    assert.ok(lines.length <= 1 || lines.length * size * 1.22 <= room[1] + 1.01);
    const larger = fitted(canvas, label, room.map((side) => 2 * side), FONT);
    assert.ok(larger.size >= size);
  }
});

test("a name that is no list of words is never cut without a sign", () => {
  const name = "Premier league and champions cup", shown = new Set();
  for (let wide = 14; wide < 300; wide += 3)
    for (const tall of [14, 28]) {
      const { lines, whole } = fitted(canvas, name, [wide, tall], FONT), text = plain(lines.join(" "));
      if (lines.length) assert.ok(whole ? text === name : text.endsWith("…") && name.startsWith(text.replace(/ ?…$/, "")), text);
      shown.add(text);
    }
  assert.ok(shown.size > 5);
  // A list of words may leave some of them out.
  assert.ok([...Array(60).keys()].some((n) => fitted(canvas, "league · champions · cup", [14 + 3 * n, 14], FONT).lines.at(-1) === "league"));
});

test("a long word is divided where it would be cut, and no part is a single letter", () => {
  const { lines, whole } = fitted(canvas, "diverticulosis", [48, 30], FONT);
  assert.ok(whole && lines.length === 2 && lines[0].endsWith("-"), lines.join("|"));
  assert.ok(Math.min(...lines.map((line) => line.length)) > 2);
  assert.equal(lines.join("").replace("-", ""), "diverticulosis");
  assert.ok(fitted(canvas, "diverticulosis", [48, 14], FONT).lines[0].endsWith("…"));
});

test("what does not fit ends in dots, without a sign before them", () => {
  canvas.font = "400 10px sans-serif";
  assert.equal(shorten(canvas, "space · nasa", 1000), "space · nasa");
  assert.equal(shorten(canvas, "space · nasa", 45), "space…");
});

test("a key goes to the nearest box that lies ahead", () => {
  const middles = [[0, 0], [100, 0], [60, 50], [0, 80], [300, 5]];
  assert.equal(nearest(middles, middles[0], [1, 0]), 1);
  assert.equal(nearest(middles, middles[1], [1, 0]), 4);
  assert.equal(nearest(middles, middles[0], [0, 1]), 3);
  assert.equal(nearest(middles, middles[0], [-1, 0]), -1);
});

test("a key leads from a strip to a box below it and back, wherever in the family that is", () => {
  const strip = [200, 10, 200, 10], boxes = [strip, [50, 60, 50, 30], [250, 60, 150, 30], [650, 35, 200, 25]];
  assert.ok([1, 2].includes(nearest(boxes, strip, [0, 1])));
  assert.equal(nearest(boxes, boxes[1], [0, -1]), 0);
  assert.equal(nearest(boxes, boxes[2], [0, -1]), 0);
});

const ROOM = [0, 0, 1000, 600];
const area = ([, , wide, tall]) => wide * tall;
const shared = (one, other) => [0, 1].map((side) =>
  Math.min(one[side] + one[side + 2], other[side] + other[side + 2]) - Math.max(one[side], other[side]));

// Topics that hang from any one before them, or from none; the last of some families counts a rest.
function family(random, count) {
  const items = [];
  for (let number = 0; number < count; number++)
    items.push({ key: `topic:${number}`, kind: "topic", size: 1 + 9 * random(), above: Math.floor(random() * (number + 1)) - 1, folded: 0 });
  for (const above of [-1, 0, 1].slice(0, 1 + count)) items.push({ key: `in:${above}`, kind: "rest", above, size: 30, folded: 7 });
  for (const item of items.slice(0, count).reverse())
    item.size = Math.max(item.size, ...items.filter(({ above }) => items[above] === item).map(({ size }) => size));
  return items;
}

test("rectangles fill their room in the proportion of their sizes, and what follows a row is one too", () => {
  const random = generator(5);
  for (let turn = 0; turn < 50; turn++) {
    const sizes = Array.from({ length: 1 + turn }, () => 0.01 + random()).sort((one, other) => other - one);
    const total = sizes.reduce((sum, size) => sum + size), { spots, ends } = squarify(sizes, [10, 20, 300, 200]);
    spots.forEach((spot, number) => assert.ok(Math.abs(area(spot) - (sizes[number] / total) * 60000) < 1e-6));
    for (const end of ends.slice(0, -1)) {
      const left = spots.slice(end), corner = [0, 1].map((side) => Math.min(...left.map((spot) => spot[side])));
      const far = [0, 1].map((side) => Math.max(...left.map((spot) => spot[side] + spot[side + 2])));
      const filled = left.reduce((sum, spot) => sum + area(spot), 0);
      assert.ok(Math.abs((far[0] - corner[0]) * (far[1] - corner[1]) - filled) < 1e-6);
    }
  }
});

// Names of two words: beside each other, or below.
const isNamed = (node, [, , wide, tall]) => wide >= 90 || tall >= 45;

test("no box lies over another, all can be read, and every topic is drawn or counted once", () => {
  const random = generator(6);
  for (const count of [1, 2, 5, 30, 200, 1500]) {
    const boxes = visible(nested(family(random, count)), ROOM, ROOM, isNamed);
    boxes.forEach(({ spot, item, depth, node }, number) => {
      if (depth && item?.kind === "topic") assert.ok(isNamed(node, spot), String(spot));
      assert.ok(spot[0] >= 0 && spot[1] >= 0 && spot[0] + spot[2] <= 1000.1 && spot[1] + spot[3] <= 600.1);
      if (boxes.length > 1) assert.ok(spot[2] >= SMALLEST.width && spot[3] >= SMALLEST.height, String(spot));
      for (const other of boxes.slice(0, number)) assert.ok(Math.min(...shared(spot, other.spot)) < 0.01);
    });
    const drawn = boxes.filter(({ item }) => item?.kind === "topic").length;
    const rests = boxes.filter(({ item }) => item?.kind === "rest").length;
    const folded = boxes.reduce((sum, box) => sum + box.folded, 0);
    assert.equal(drawn + folded + 7 * rests, count + 7 * Math.min(3, 1 + count));
  }
});

test("every topic is reached by zooming in to what is too small", () => {
  for (const [turn, count] of [30, 200, 300].entries()) {
    const root = nested(family(generator(turn), count)), reached = new Set();
    const explore = (room, steps) => {
      assert.ok(steps < 40);
      for (const { item, kind, folded, whole } of visible(root, room, room, isNamed)) {
        if (item) reached.add(item.key);
        if (kind !== "more" && !(kind === "leaf" && folded)) continue;
        // As a click does: bring the box nearer until it fills the window.
        const grown = Math.max(1.5, Math.min(1000 / whole[2], 600 / whole[3]));
        explore([(room[0] - whole[0]) * grown, (room[1] - whole[1]) * grown, room[2] * grown, room[3] * grown], steps + 1);
      }
    };
    explore(ROOM, 0);
    assert.equal(reached.size, count + 3);
  }
});

test("of equals that are too many, as many as can be read stand beside one box for the others", () => {
  for (const count of [1500, 20000]) {
    const items = Array.from({ length: count }, (_, number) => ({ key: `topic:${number}`, kind: "topic", size: 1 + number / 1e6, above: -1, folded: 0 }));
    items.push({ key: "in:-1", kind: "rest", above: -1, size: 1e5, folded: 7 });
    const root = nested(items), boxes = visible(root, ROOM, ROOM, isNamed);
    const drawn = boxes.filter(({ item }) => item?.kind === "topic"), [more, none] = boxes.filter(({ kind }) => kind === "more");
    assert.ok(drawn.length > 50 && !none, String(boxes.length));
    assert.equal(drawn.length + more.folded, count + 7);
    assert.equal(more.inside.reduce((sum, one) => sum + one.count, 0), more.folded);
    assert.ok(boxes.every(({ spot }) => spot[2] >= SMALLEST.width && spot[3] >= SMALLEST.height));
    // Nearer, others are seen; a map of another size begins anew.
    const grown = Math.min(1000 / more.whole[2], 600 / more.whole[3]);
    const near = visible(root, [-more.whole[0] * grown, -more.whole[1] * grown, 1000 * grown, 600 * grown], ROOM, isNamed);
    const before = new Set(drawn.map(({ item }) => item.key));
    assert.ok(near.filter(({ item }) => item && !before.has(item.key)).length > 10);
    forget(root);
    assert.equal(root.below.length, count + 1);
  }
});

test("a shelf is a heading over its topics, or over their names where none can be read", () => {
  const MANY = 1, LONG = 2, sizes = [4, 400, 2, 4, 4, 4];
  const shelves = sizes.map((_, shelf) => ({ key: `shelf:${shelf}`, kind: "shelf", size: 40, above: -1, folded: 0 }));
  const topics = sizes.flatMap((count, shelf) => Array.from({ length: count }, (_, number) => (
    { key: `topic:${shelf}.${number}`, kind: "topic", size: 40 / count, above: shelf, folded: 0 })));
  // One name is too long for a heading.
  const named = (node, spot) => isNamed(node, spot) && (node.item.key !== `shelf:${LONG}` || spot[3] > 45);
  const root = nested([...shelves, ...topics]), boxes = visible(root, ROOM, ROOM, named);
  assert.equal(root.count, topics.length);
  const drawn = (key) => boxes.filter(({ item }) => item?.key === key).map(({ kind, folded }) => [kind, folded]);
  assert.deepEqual([0, MANY, LONG].map((shelf) => drawn(`shelf:${shelf}`)), [[["strip", 0]], [["strip", 0]], [["leaf", 2]]]);
  assert.deepEqual(drawn("topic:0.3"), [["leaf", 0]]);
  const [more] = boxes.filter(({ kind }) => kind === "more");
  assert.deepEqual([more.folded, more.inside.length], [400, 400]);
  assert.equal(boxes.filter(({ item }) => item?.kind === "topic").length + boxes.reduce((sum, box) => sum + box.folded, 0), topics.length);
});

test("beside one topic that takes the whole room, the others are one box", () => {
  const sizes = [1000, ...Array.from({ length: 40 }, () => 0.1)];
  const top = { key: "top", kind: "topic", size: 1000, above: -1, folded: 0 };
  const root = nested([top, ...sizes.map((size, number) => ({ key: `topic:${number}`, kind: "topic", size, above: 0, folded: 0 }))]);
  const boxes = visible(root, ROOM, ROOM, isNamed);
  assert.deepEqual(boxes.map(({ kind, folded }) => [kind, folded]), [["strip", 0], ["leaf", 0], ["more", 40]]);
  assert.ok(boxes.every(({ spot }) => spot[2] >= SMALLEST.width && spot[3] >= SMALLEST.height));
});

test("words are whole as long as one fits", () => {
  const { lines, whole } = fitted(canvas, "ab · cd · internationalisation", [70, 12], FONT);
  assert.equal(whole, false);
  assert.equal(plain(lines.join(" ")), "ab · cd …");
  assert.deepEqual(fitted(canvas, "internationalisation · cd", [30, 12], FONT).lines, ["cd"]);
});

test("a saved picture is as fine as a canvas can be, and keeps its shape", () => {
  const { fineness } = load(["assets/shared/parts.js", "app/components/png.js"], ["fineness"]);
  assert.equal(fineness(800, 600), 2);
  for (const [wide, tall] of [[800, 12000], [40000, 300], [20000, 20000], [1, 100000]]) {
    const scale = fineness(wide, tall);
    assert.ok(scale < 2 && Math.max(wide, tall) * scale <= 16000.01 && wide * tall * scale * scale <= 200e6 * 1.0001);
  }
});

test("a box of which nothing inside is drawn has its own figures; one for many topics names also the largest inside them", () => {
  const item = { label: "notice", figures: "129 (33 by itself)", short: "129", inner: "election", inner_figures: "123" };
  const closed = { kind: "leaf", folded: 2 }, open = { kind: "strip", folded: 0 }, alone = { kind: "leaf", folded: 0 };
  assert.deepEqual(figuresOf(closed, item), ["129 (33 by itself) · +2", "129 · +2"]);
  assert.deepEqual(figuresOf(open, item), ["129 (33 by itself)", "129"]);
  const inside = [{ item }, { item: { label: "budget", inner: "" } }, { item: { label: "+3", kind: "rest" } }, { item: null }];
  assert.deepEqual(namesInside({ inside }), ["notice", "election", "budget"]);
  assert.deepEqual(figuresOf(alone, { label: "a", figures: "", folded: 0 }), []);
});

// A drawn map of topics on a page of fake elements.
function drawnMap(items) {
  const document = { createElement: () => new FakeElement() };
  const window = { innerHeight: 800, innerWidth: 1200 };
  const { draw } = load(SCRIPTS, ["draw"], { document, window, getComputedStyle: () => ({ fontFamily: "sans-serif" }) });
  const part = () => new FakeElement();
  const map = {
    box: part(), room: part(), said: part(), foot: part(), tip: part(), tools: part(), back: part(), canvas, size: "",
    view: { x: 0, y: 0, scale: 1 }, data: { small: true, description: "", more: [] },
  };
  const show = (next) => {
    map.tree = nested(next);
    draw(map);
  };
  show(items);
  return { map, show };
}

test("a map with other topics or of another size keeps the keys at the topic where they were", () => {
  const topics = (keys) => keys.map((key) => ({ key, kind: "topic", label: key, size: 1, above: -1, folded: 0, hover: [] }));
  const { map, show } = drawnMap(topics(["a", "b", "c"]));
  show(topics(["a", "b"]));
  assert.equal(FakeElement.focused, null);
  const random = generator(9);
  for (let turn = 0; turn < 100; turn++) {
    const keys = ["a", "b", "c", "d", "e"].filter(() => random() < 0.7);
    const held = FakeElement.focused?.dataset.key;
    map.box.clientWidth = 500 + Math.floor(3 * random());
    show(topics(keys));
    const inRoom = map.buttons.includes(FakeElement.focused);
    if (held && keys.length) assert.equal(FakeElement.focused?.dataset.key, keys.includes(held) ? held : map.items[0].key);
    else assert.ok(!inRoom);
    if (keys.length) map.buttons[Math.floor(keys.length * random())].focus();
  }
});

test("a saved map has no sign that XML does not allow", () => {
  const signs = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join(""), saved = [];
  const { saveSvg } = load(SCRIPTS, ["saveSvg"], {
    document: { createElementNS: () => new FakeElement(), createElement: () => Object.assign(new FakeElement(), { click() {} }) },
    XMLSerializer: class { serializeToString() { return `<title>${signs}\u{1F600}é</title>`; } },
    Blob: class { constructor(parts) { saved.push(parts.join("")); } },
    URL: { createObjectURL: () => "" }, setTimeout() {}, getComputedStyle: () => new FakeElement().style,
  });
  saveSvg({ room: new FakeElement(), buttons: [], items: [], data: { description: "", save: "map" } });
  assert.match(saved[0], /^[\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
  for (const sign of ["\t", "\n", "a", "~", "\u{1F600}é</title>"]) assert.ok(saved[0].includes(sign), sign);
});
