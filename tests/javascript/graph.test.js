// What the picture of a graph shows of answers that come after its clicks, and so out of date.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./loading.js";
import { generator } from "./small-models.js";

const SCRIPTS = ["assets/shared/parts.js", "app/components/graph_component/graph.js"];

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
