// The model that a page holds, its figures, and its address.
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

// A topic above two, of which the second is shown as part of the first.
const MODEL = {
  topics: ["sky", "space", "orbit", "empty"],
  words: ["moon", "launch_pad"],
  edges: [[0, 1, 1], [0, 2, 0.5], [1, 4, 2], [2, 4, 3], [2, 5, 0.1], [3, 5, 4]],
  leak: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
  shown_as: [[2, 1]], wordless: [3], hidden: [0],
};
const [SKY, SPACE, ORBIT, EMPTY, MOON, PAD] = [0, 1, 2, 3, 4, 5];

test("layers count from the words, and what is shown as one has the links of both", () => {
  const { OrreryModel: model } = loadExplorer(["Model"], pageData(MODEL));
  assert.deepEqual([...model.height], [2, 1, 1, 1, 0, 0]);
  assert.deepEqual(model.childrenOf(SPACE).map(({ node }) => node), [MOON, PAD]);
  assert.equal(model.childrenOf(SPACE)[0].probability, -Math.expm1(-3));
  assert.deepEqual(model.parentsOf(MOON).map(({ node }) => node), [SPACE]);
  assert.deepEqual(model.parentsOf(SPACE), [{ node: SKY, probability: -Math.expm1(-1) }]);
  // A topic without words is no parent of anything that is shown.
  assert.deepEqual(model.parentsOf(PAD).map(({ node }) => node), [SPACE]);
  assert.deepEqual([SKY, SPACE, ORBIT, EMPTY].map(model.isShown), [false, true, true, false]);
  assert.deepEqual([model.keyOf(SPACE), model.keyOf(PAD)], ["topic:space", "word:launch pad"]);
  assert.ok(Math.abs(model.totalLeak - 0.6) < 1e-12);
});

test("a word is ordinary where no topic has a part in most of its occurrences", () => {
  const prior = Buffer.from(Float32Array.from([0, 0.5, 0, 0]).buffer).toString("base64");
  for (const [leak, isOrdinary] of [[0.001, false], [0.4, false], [1.2, false], [1.5, true], [5, true]]) {
    const page = pageData({ ...MODEL, leak: [0.1, 0.1, 0.1, 0.1, leak, 0.1] });
    const { OrreryModel: model } = loadExplorer(["Model"], { ...page, prior });
    assert.equal(model.isOrdinary(MOON), isOrdinary, `a leak of ${leak}`);
    // What no topic brings in any text is there by chance alone.
    assert.ok(model.isOrdinary(PAD));
  }
});

test("a topic is as frequent as it and its parts together", () => {
  const packed = (...numbers) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
  const page = { ...pageData(MODEL), prior: packed(0.1, 0.01, 0.5, 0), displayed_prior: packed(0.1, 0.505, 0, 0), strings: {} };
  const { OrrerySizes: sizes } = loadExplorer(["Model", "Figures", "Strings", "Sizes"], page);
  assert.equal(sizes.figures(sizes.own(SPACE)), "50\u00a0%");
});

test("a probability never reads as certain unless it is, and has no more digits than it deserves", () => {
  const { figures, percent, signed, listed } = loadExplorer(["Model", "Figures"], pageData(MODEL)).OrreryFigures;
  for (const probability of [1e-9, 0.004, 0.0051, 0.5, 0.994, 0.9951, 1 - 1e-9])
    for (const error of [0, 0.001, 0.02]) {
      const text = figures({ probability, error });
      assert.doesNotMatch(text, /^(0\.0+|1\.0+)$/, `${probability} ± ${error} reads ${text}`);
      assert.match(text, error > 0.005 ? /^[<>]?0\.\d$/ : /^[<>]?0\.\d\d$/);
    }
  assert.equal(figures({ probability: 1 }), "1.00");
  // Beyond the last figure only where that is sure.
  assert.equal(figures({ probability: 0.004, error: 0.001 }), "<0.01");
  assert.equal(figures({ probability: 0.004, error: 0.004 }), "0.01");
  assert.deepEqual([0, 0.0004, 0.004, 0.4].map(percent), ["0", "<0.1", "0.4", "40"].map((text) => `${text}\u00a0%`));
  assert.deepEqual([-0.96, -0.94, 2].map(signed), ["−1.0", "−0.94", "+2.0"]);
  assert.equal(listed(["a", "b", "c"], 2), "“a”, “b” and 1 more");
  assert.equal(listed(["a", "b", "c"]), "“a”, “b” and “c”");
});

test("an address holds topics by hand, and what makes no sense in it is left out", () => {
  const location = { hash: "" };
  const { OrreryAddress: address } = loadExplorer(["Model", "Address"], pageData(MODEL), { location });
  address.go({ q: "moon & <b>" });
  assert.equal(address.read().get("q"), "moon & <b>");
  address.hold(SPACE, "on");
  address.hold(SKY, "off");
  assert.deepEqual([...address.held(address.read())], [[SPACE, "on"], [SKY, "off"]]);
  address.hold(SPACE, "free");
  assert.deepEqual([...address.held(address.read())], [[SKY, "off"]]);
  location.hash = "#hold=nobody:on,sky:maybe,:on,%E0:off,orbit:off,sky";
  // A part is held as what it is shown as.
  assert.deepEqual([...address.held(address.read())], [[SPACE, "off"]]);
  location.hash = "#topic=nobody&word=moon";
  assert.equal(address.openedNode(address.read()), MOON);
  location.hash = "#topic=orbit";
  assert.equal(address.openedNode(address.read()), SPACE);
  location.hash = "#word=nothing";
  assert.equal(address.openedNode(address.read()), -1);
  location.hash = "";
  assert.equal(address.openedNode(address.read()), -1);
});

test("a word is opened as it is stored, and as the app shows it", () => {
  const location = { hash: "" }, words = ["chest pain", "solid_state", "a b_c"];
  const page = pageData({ topics: [], words, edges: [], leak: [0.1, 0.1, 0.1] });
  const { OrreryAddress: address } = loadExplorer(["Model", "Address"], page, { location });
  for (const [text, node] of [["chest pain", 0], ["solid state", 1], ["solid_state", 1], ["a b c", 2]]) {
    address.go({ word: text });
    assert.equal(address.openedNode(address.read()), node, text);
  }
});
