// What the app's map of topics does with room: letters that fit, and the box that a key goes to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./loading.js";
import { generator } from "./small-models.js";

const FOLDER = "app/components/map_component";
const SCRIPTS = ["app/components/parts.js", `${FOLDER}/map.js`, `${FOLDER}/saving.js`];
const { fitted, shorten, nearest } = load(SCRIPTS, ["fitted", "shorten", "nearest"]);

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
    if (whole) assert.equal(plain(lines.join(" ")), label);
    canvas.font = `400 ${size}px sans-serif`;
    for (const line of lines)
      // A single letter and its dots are the least that is shown.
      assert.ok(canvas.measureText(line).width <= room[0] || line.length <= 2, `${line} in ${room}`);
    assert.ok(lines.length <= 1 || lines.length * size * 1.22 <= room[1] + 1.01);
    const larger = fitted(canvas, label, room.map((side) => 2 * side), FONT);
    assert.ok(larger.size >= size);
  }
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

test("a saved picture is as fine as a canvas can be, and keeps its shape", () => {
  const { fineness } = load(["app/components/parts.js", "app/components/png_component/png.js"], ["fineness"]);
  assert.equal(fineness(800, 600), 2);
  for (const [wide, tall] of [[800, 12000], [40000, 300], [20000, 20000], [1, 100000]]) {
    const scale = fineness(wide, tall);
    assert.ok(scale < 2 && Math.max(wide, tall) * scale <= 16000.01 && wide * tall * scale * scale <= 200e6 * 1.0001);
  }
});
