// The picture of a local model: answers that come late, clicks, and what a saved file holds.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./loading.js";
import { generator } from "./small-models.js";

const SCRIPTS = ["shared/parts", "shared/local-model", "shared/local-model-shapes"].map((name) => `assets/${name}.js`);

// A picture under a clock, and a page that answers; what is shown is written down.
function opened(answers = 0) {
  const clock = { now: 0 }, shown = [], told = [];
  const { send, take: accept, LONGEST_ANSWER_MS } = load(SCRIPTS, ["send", "take", "LONGEST_ANSWER_MS"], {
    performance: { now: () => clock.now },
  });
  const picture = { tell: (name, value) => told.push([name, value]) };
  const take = (number) => accept(picture, { answers: number }, (_, data) => shown.push(data.answers));
  take(answers);
  return { clock, shown, told, take, click: (value) => send(picture, "clicked", value), patience: LONGEST_ANSWER_MS };
}

test("every click has a number of its own, after those of a picture that stood here before", () => {
  const { click, told } = opened(7);
  click("a");
  click("b");
  assert.deepEqual(told, [["clicked", [8, "a"]], ["clicked", [9, "b"]]]);
});

test("an answer to an older click than the last is never shown, and that to the last always is", () => {
  const random = generator(4);
  for (let turn = 0; turn < 100; turn++) {
    const { clock, shown, take, click } = opened();
    let [asked, answered] = [0, 0];
    for (let step = 0; step < 30; step++) {
      clock.now += 50 * random();
      if (random() < 0.5) click(`node ${++asked}`);
      else {
        // Some clicks are answered together; a page that is drawn again says what it said last.
        answered += Math.floor((asked - answered + 1) * random());
        const before = shown.length;
        take(answered);
        assert.equal(shown.length - before, Number(answered === asked));
      }
    }
  }
});

test("where an answer is lost, others are shown after a while", () => {
  const { clock, shown, take, click, patience } = opened();
  click("a");
  clock.now = patience - 1;
  take(0);
  assert.deepEqual(shown, [0]);
  clock.now = patience;
  take(0);
  assert.deepEqual(shown, [0, 0]);
});

// A picture that reports clicks, under a clock.
function clicked(options, clicks) {
  const clock = { now: 1000 }, told = [];
  const { tap } = load(SCRIPTS, ["tap"], { performance: { now: () => clock.now } });
  const picture = {
    asked: { number: 0, at: 0 }, tell: (name, [, value]) => told.push([name, value]), tip: {},
    data: { opens: true, turns: true, ...options }, selected: "", pressed: { id: "", at: 0 },
    shapes: new Map(), arrows: [], byId: new Map(),
  };
  for (const [wait, id, isShifted] of clicks) {
    clock.now += wait;
    tap(picture, id, isShifted);
  }
  return told;
}

test("a click selects, a quick second one opens, a slow second one clears", () => {
  assert.deepEqual(clicked({}, [[0, "a"]]), [["clicked", "a"]]);
  assert.deepEqual(clicked({}, [[0, "a"], [200, "a"]]), [["clicked", "a"], ["opened", "a"]]);
  assert.deepEqual(clicked({}, [[0, "a"], [200, "b"]]), [["clicked", "a"], ["clicked", "b"]]);
  assert.deepEqual(clicked({}, [[0, "a"], [400, "a"]]), [["clicked", "a"], ["clicked", "a"]]);
  // A third click is none of the double click.
  assert.deepEqual(clicked({}, [[0, "a"], [200, "a"], [200, "a"]]).length, 3);
  assert.deepEqual(clicked({}, [[0, "a"], [200, "a"], [200, "a"]])[2], ["clicked", "a"]);
});

test("a click beside all boxes clears what is selected, and is nothing where nothing is", () => {
  assert.deepEqual(clicked({}, [[0, ""]]), []);
  assert.deepEqual(clicked({}, [[0, "a"], [500, ""]]), [["clicked", "a"], ["clicked", "nothing"]]);
  assert.deepEqual(clicked({ opens: false }, [[0, ""]]), []);
});

test("with the shift key a click switches, however quick, where that is possible", () => {
  assert.deepEqual(clicked({}, [[0, "a", true], [100, "a", true]]), [["turned", "a"], ["turned", "a"]]);
  assert.deepEqual(clicked({ turns: false }, [[0, "a", true]]), [["clicked", "a"]]);
});

test("where a click leads on, a second one soon after it is not for what comes", () => {
  assert.deepEqual(clicked({ opens: false }, [[0, "a"], [300, "b"]]), [["clicked", "a"]]);
  assert.deepEqual(clicked({ opens: false }, [[0, "a"], [500, "b"]]), [["clicked", "a"], ["clicked", "b"]]);
});
