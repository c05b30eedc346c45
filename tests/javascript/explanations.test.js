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
    for (const { bits } of rough.questions) assert.ok(bits >= 0 && bits <= rough.targets.length);
  }
  assert.ok(nBounded > 0);
});

test("of states with the same probability, the one with fewer topics comes first, then lower topics", () => {
  const topics = Array.from({ length: 7 }, (_, k) => `T${k}`);
  const twins = { topics, words: ["word"], edges: topics.map((_, k) => [k, 7, 1]), leak: [...topics.map(() => 0.1), 1e-6], inference: INFERENCE };
  const { OrreryModel, OrreryPosterior, OrreryStates } = loadExplorer(NAMES, pageData(twins));
  const posterior = OrreryPosterior.infer(OrreryModel, { present: [0], absent: [], unknown: [], on: [], off: [], closedWorld: false });
  const found = OrreryStates.mostProbable(posterior, EXPLANATIONS);
  assert.deepEqual(found.states.map(({ on }) => on), [[0], [1], [2], [3], [4]]);
});
