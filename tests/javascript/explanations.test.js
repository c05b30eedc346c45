// The explorer's most probable states and most informative words are those that Python finds, and its
// states those of enumeration.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const CASES = JSON.parse(readFileSync(new URL("../explanation_cases.json", import.meta.url), "utf8"));
const NAMES = [
  "Model", "Local", "Messages", "Order", "Plan", "Elimination", "Guided", "Posterior", "States", "Information",
];
const N_TOPICS = 7, N_WORDS = 9, N_QUESTIONS = 4;
const INFERENCE = {
  error: 0.01, most_terms: 1e6, most_neighbours: 20, most_nodes: 100, most_edges: 1000, most_silence: 300,
  draws: 256, least_rounds: 8, most_rounds: 250, most_enumerated: 12, most_growth: 2, belief_tolerance: 1e-6,
  max_sweeps: 50, sweeps_before_damping: 10, largest_message: 700, smallest_off: 1e-300, least_chance: 0.01,
};
const EXPLANATIONS = { states: 5, same: 1e-9, work: 2 ** 20 };
const QUESTIONS = { undecided: [0.05, 0.95], likeliest: 5, batches: [24, 16, 6], same_bits: 1e-12, most_terms: 2 ** 17 };

const near = (found, truth) => assert.ok(Math.abs(found - truth) < 1e-9, `${found} is not ${truth}`);

function loaded({ edges, leak, evidence, closed_world: closedWorld }) {
  const topics = Array.from({ length: N_TOPICS }, (_, k) => `T${k}`), words = Array.from({ length: N_WORDS }, (_, i) => `word${i}`);
  const page = loadExplorer(NAMES, pageData({ topics, words, edges, leak, inference: INFERENCE }));
  return { ...page, posterior: page.OrreryPosterior.infer(page.OrreryModel, { ...evidence, closedWorld }) };
}

CASES.forEach((one, number) => {
  test(`the states and questions of case ${number}`, () => {
    const { OrreryModel, OrreryStates, OrreryInformation, posterior } = loaded(one), { expected } = one;
    const { states, isExact, missed } = OrreryStates.mostProbable(posterior, EXPLANATIONS);
    assert.deepEqual(states.map(({ on }) => on), expected.states.map(([on]) => on));
    states.forEach(({ probability }, s) => near(probability, expected.states[s][1]));
    assert.deepEqual([isExact, missed], [true, 0]);
    if (one.closed_world) return;
    for (const [aim, list] of [["information", expected.questions], ["confirmation", expected.confirmations]]) {
      const found = OrreryInformation.bestQuestions(OrreryModel, posterior, N_QUESTIONS, QUESTIONS, aim);
      if (aim === "information") assert.deepEqual(found.targets, expected.targets);
      assert.deepEqual(found.questions.map(({ word }) => word - N_TOPICS), list.map(([token]) => token));
      found.questions.forEach(({ bits, yes }, q) => {
        near(bits, list[q][1]);
        near(yes, list[q][2]);
      });
      assert.ok(found.isExact);
    }
  });
});

test("what is out of reach is bounded, or said to be an estimate", () => {
  let nBounded = 0;
  for (const one of CASES) {
    const { OrreryModel, OrreryStates, OrreryInformation, posterior } = loaded(one), { expected } = one;
    const { states, isExact, missed } = OrreryStates.mostProbable(posterior, { ...EXPLANATIONS, work: 0 });
    const names = new Set(states.map(({ on }) => on.join()));
    const unfound = expected.states.filter(([on]) => !names.has(on.join()));
    for (const [, probability] of unfound) assert.ok(!isExact && probability <= missed + 1e-9);
    nBounded += isExact ? 0 : 1;
    if (one.closed_world || !expected.questions.length) continue;
    const rough = OrreryInformation.bestQuestions(OrreryModel, posterior, N_QUESTIONS, { ...QUESTIONS, most_terms: 0 });
    assert.equal(rough.isExact, false);
    assert.equal(rough.questions.length, expected.questions.length);
    const exact = OrreryInformation.bestQuestions(OrreryModel, posterior, N_WORDS, { ...QUESTIONS, batches: [N_WORDS] });
    assert.ok(exact.isComplete);
    const truth = new Map(exact.questions.map((question) => [question.word, question]));
    for (const { word, bits, yes } of rough.questions) {
      assert.ok(bits >= 0 && bits <= rough.targets.length);
      assert.ok(Math.abs(yes - truth.get(word).yes) < 0.1, `${yes} is not about ${truth.get(word).yes}`);
    }
  }
  assert.ok(nBounded > 0);
});

test("estimates count all parents of a word, also those that the evidence does not concern", () => {
  const edges = [[0, 2, 1], [0, 3, 3], [1, 3, 3], [0, 4, 1.2]];
  const two = { topics: ["T0", "T1"], words: ["w0", "w1", "w2"], edges, leak: [0.5, 2, 0.3, 0.01, 0.01], inference: INFERENCE };
  const { OrreryModel, OrreryPosterior, OrreryInformation } = loadExplorer(NAMES, pageData(two));
  const posterior = OrreryPosterior.infer(OrreryModel, { present: [0], absent: [], unknown: [], on: [], off: [], closedWorld: false });
  const asked = (more) => OrreryInformation.bestQuestions(OrreryModel, posterior, 2, { ...QUESTIONS, ...more });
  const exact = asked({}), rough = asked({ most_terms: 0 });
  assert.deepEqual([exact.isExact, rough.isExact], [true, false]);
  assert.deepEqual(rough.questions.map(({ word }) => word), exact.questions.map(({ word }) => word));
  // One target, and all parents independent: the estimates are exact up to the draws.
  exact.questions.forEach(({ bits, yes }, q) => {
    assert.ok(Math.abs(rough.questions[q].bits - bits) < 0.01, `${rough.questions[q].bits} is not about ${bits}`);
    assert.ok(Math.abs(rough.questions[q].yes - yes) < 0.01, `${rough.questions[q].yes} is not about ${yes}`);
  });
  const { bits, yes } = exact.questions.find(({ word }) => word === 3);
  assert.deepEqual([bits.toFixed(3), yes.toFixed(2)], ["0.074", "0.93"]);
});

test("of states with the same probability, the one with fewer topics comes first, then lower topics", () => {
  const topics = Array.from({ length: 7 }, (_, k) => `T${k}`);
  const twins = { topics, words: ["word"], edges: topics.map((_, k) => [k, 7, 1]), leak: [...topics.map(() => 0.1), 1e-6], inference: INFERENCE };
  const { OrreryModel, OrreryPosterior, OrreryStates } = loadExplorer(NAMES, pageData(twins));
  const posterior = OrreryPosterior.infer(OrreryModel, { present: [0], absent: [], unknown: [], on: [], off: [], closedWorld: false });
  const found = OrreryStates.mostProbable(posterior, EXPLANATIONS);
  assert.deepEqual(found.states.map(({ on }) => on), [[0], [1], [2], [3], [4]]);
});
