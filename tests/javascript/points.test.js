// What the map of documents does with room: places, zoom, names, the line of a hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeElement, load } from "./loading.js";
import { generator } from "./small-models.js";

const FOLDER = "app/components/points_component";
const SCRIPTS = ["points", "points_view", "points_drawing", "points_labels", "points_hand", "points_marks"];
const names = [
  "boundsOf", "fitted", "toScreen", "toPlace", "zoomed", "moved", "nearestPoint", "simplified", "areaText",
  "placedLabels", "pointSize",
];
const {
  boundsOf, fitted: fittedView, toScreen, toPlace, zoomed, moved, nearestPoint, simplified, areaText, placedLabels,
  pointSize,
} = load(
  ["assets/shared/parts.js", ...SCRIPTS.map((name) => `${FOLDER}/${name}.js`)], names, { window: {} }
);
const [WIDE, TALL] = [800, 500];
const near = (a, b) => assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-6, `${a} and ${b}`);

function randomPlaces(random, count) {
  return Uint16Array.from({ length: 2 * count }, () => Math.floor(65536 * random()));
}

test("the whole map is in view, as large as fits", () => {
  const place = randomPlaces(generator(1), 200), bounds = boundsOf(place);
  const view = fittedView(bounds, WIDE, TALL);
  let most = 0;
  for (let i = 0; i < place.length; i += 2) {
    const [x, y] = toScreen(view, [place[i], place[i + 1]], WIDE, TALL);
    assert.ok(x >= 0 && x <= WIDE && y >= 0 && y <= TALL);
    most = Math.max(most, Math.abs(x - WIDE / 2) / WIDE, Math.abs(y - TALL / 2) / TALL);
  }
  assert.ok(most > 0.4);
  assert.ok(Number.isFinite(fittedView(boundsOf(new Uint16Array(0)), WIDE, TALL).scale));
  assert.ok(Number.isFinite(fittedView(boundsOf(Uint16Array.of(7, 7)), WIDE, TALL).scale));
});

test("screen and map are each other's inverse, and a zoom keeps what is below the pointer", () => {
  const random = generator(2);
  for (let turn = 0; turn < 100; turn++) {
    const view = { x: 65535 * random(), y: 65535 * random(), scale: 0.01 + random() };
    const at = [WIDE * random(), TALL * random()];
    near(toScreen(view, toPlace(view, at, WIDE, TALL), WIDE, TALL), at);
    const closer = zoomed(view, 0.3 + 3 * random(), at, WIDE, TALL, 1e-4);
    near(toScreen(closer, toPlace(view, at, WIDE, TALL), WIDE, TALL), at);
    near(toScreen(moved(view, 12, -7), toPlace(view, at, WIDE, TALL), WIDE, TALL), [at[0] + 12, at[1] - 7]);
  }
  const least = 0.01;
  assert.equal(zoomed({ x: 0, y: 0, scale: 0.02 }, 1e-9, [0, 0], WIDE, TALL, least).scale, least);
  assert.ok(zoomed({ x: 0, y: 0, scale: 0.02 }, 1e9, [0, 0], WIDE, TALL, least).scale <= 400 * least);
});

test("the nearest point is a lit one, within reach", () => {
  const random = generator(3), place = randomPlaces(random, 300);
  const look = Uint8Array.from({ length: 300 }, () => Math.floor(256 * random()));
  const view = fittedView(boundsOf(place), WIDE, TALL);
  for (let turn = 0; turn < 50; turn++) {
    const at = [WIDE * random(), TALL * random()];
    const far = [...look].map((value, i) => {
      const [x, y] = toScreen(view, [place[2 * i], place[2 * i + 1]], WIDE, TALL);
      return value & 1 ? Math.hypot(x - at[0], y - at[1]) : Infinity;
    });
    const least = Math.min(...far), found = nearestPoint(place, look, view, at, [WIDE, TALL], 12);
    if (least > 12) assert.equal(found, -1);
    else assert.ok(Math.abs(far[found] - least) < 1e-6);
  }
});

test("a line of the hand keeps its shape with few corners", () => {
  const line = Array.from({ length: 900 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 900, far = 100 + 20 * Math.sin(5 * angle);
    return [300 + far * Math.cos(angle), 250 + far * Math.sin(angle)];
  });
  const kept = simplified(line, 48);
  assert.ok(kept.length > 10 && kept.length <= 48);
  assert.deepEqual([kept[0], kept[kept.length - 1]], [line[0], line[899]]);
  const area = (some) => Math.abs(some.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = some[(i + 1) % some.length];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0));
  assert.ok(Math.abs(area(kept) / area(line) - 1) < 0.05);
  assert.deepEqual(simplified([[0, 0], [1, 1]], 48), [[0, 0], [1, 1]]);
});

test("an area is whole numbers on the map", () => {
  assert.equal(areaText([[-3, 1.4], [70000, 2.6], [5, 6]]), "0.1.65535.3.5.6");
});

const measure = (text, size) => (text.length * size) / 2;

test("no name stands over another or over the buttons, and more are seen from nearer", () => {
  const random = generator(4);
  const labels = Array.from({ length: 400 }, (_, i) => [`topic ${i}`, 65535 * random(), 65535 * random()]);
  const whole = fittedView([0, 0, 65535, 65535], WIDE, TALL), buttons = { x: 700, y: 20, half: { x: 100, y: 15 } };
  const seen = new Set();
  for (const factor of [1, 3, 9]) {
    const view = zoomed(whole, factor, [WIDE / 2, TALL / 2], WIDE, TALL, whole.scale);
    const placed = placedLabels(labels, view, [WIDE, TALL], measure, [buttons]);
    placed.forEach((one, number) => {
      assert.ok(one.x - one.half.x >= -1e-9 && one.x + one.half.x <= WIDE + 1e-9);
      for (const other of [...placed.slice(0, number), buttons])
        assert.ok(
          Math.abs(one.x - other.x) >= one.half.x + other.half.x - 1e-9 ||
          Math.abs(one.y - other.y) >= one.half.y + other.half.y - 1e-9
        );
      seen.add(one.text);
    });
    assert.ok(placed.length > 3);
  }
  const first = placedLabels(labels, whole, [WIDE, TALL], measure, []);
  assert.equal(first[0].text, "topic 0");
  assert.ok(seen.size > first.length);
});

test("points are larger where there are few, and grow as one comes nearer", () => {
  assert.ok(pointSize(100, WIDE, TALL, 1) > pointSize(10_000, WIDE, TALL, 1));
  assert.ok(pointSize(500_000, WIDE, TALL, 1) >= 1.5);
  assert.ok(pointSize(500_000, WIDE, TALL, 50) > pointSize(500_000, WIDE, TALL, 1));
  assert.ok(pointSize(0, WIDE, TALL, 1) < 20);
});

// The scripts with a page of fake elements in light colours.
function opened() {
  const known = {
    window: {}, document: { createElement: () => new FakeElement() }, getComputedStyle: () => ({ color: "rgb(0, 0, 0)" }),
    requestAnimationFrame: () => 1,
  };
  return load(["assets/shared/parts.js", ...SCRIPTS.map((name) => `${FOLDER}/${name}.js`)], ["fillLegend", "press"], known);
}

test("the legend keeps its buttons while it says the same, and the keys at the entry where they were", () => {
  const { fillLegend } = opened(), random = generator(7), sent = [];
  const data = { palette: { light: ["#111111", "#222222"] }, legend: [] };
  const map = { box: new FakeElement(), legend: new FakeElement(), data, send: (...event) => sent.push(event) };
  const buttonOf = (key) => map.legend.children[map.data.legend.findIndex(([one]) => one === key)];
  for (let turn = 0; turn < 100; turn++) {
    const keys = ["a", "b", "c", "d", "e"].filter(() => random() < 0.8);
    map.data = { ...data, legend: keys.map((key) => [key, `name of ${key}`, String(turn % 3), 0, random() < 0.5]) };
    const held = FakeElement.focused?.dataset.key;
    fillLegend(map);
    const buttons = [...map.legend.children];
    assert.equal(FakeElement.focused, buttonOf(held) ?? null);
    fillLegend(map);
    assert.deepEqual(map.legend.children.map((made, i) => made === buttons[i]), buttons.map(() => true));
    const key = keys[Math.floor(keys.length * random())];
    buttonOf(key)?.focus();
    buttonOf(key)?.listeners.click();
    assert.deepEqual(sent.at(-1), key && ["legend", key]);
  }
});

test("Enter opens the document in the middle, wherever the pointer is, and no key does anything before there are points", () => {
  const { press } = opened(), random = generator(8);
  for (let turn = 0; turn < 60; turn++) {
    const sent = [], stage = new FakeElement(), place = randomPlaces(random, 40), looks = new Uint8Array(40).fill(turn % 5 ? 1 : 0);
    const view = { x: 65535 * random(), y: 65535 * random(), scale: 0.01 }, size = [WIDE, TALL];
    const map = {
      stage, size, hovered: Math.floor(41 * random()) - 1, byKeys: random() < 0.5, fingers: new Map(), tips: new Map(),
      tip: new FakeElement(), data: { names: {} }, frame: 1, send: (...event) => sent.push(event),
    };
    for (const key of ["Enter", "+", "-", "0", "s", "ArrowLeft", "Tab"]) press(map, { key, target: stage, preventDefault() {} });
    assert.deepEqual(sent, []);
    Object.assign(map, { place, looks, view });
    press(map, { key: "Enter", target: stage, preventDefault() {} });
    const inMiddle = nearestPoint(place, looks, view, [WIDE / 2, TALL / 2], size, Infinity);
    assert.deepEqual(sent, inMiddle < 0 ? [] : [["opened", inMiddle]]);
    clearTimeout(map.resting);
  }
});
