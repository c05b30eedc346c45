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

// A page whose pieces are kept as plain objects, with the answers to its queries.
function answering(names, { topics, words, edges, leak, ...more }) {
  const createElement = () => ({ dataset: {}, content: [], append(...parts) { this.content.push(...parts); }, setAttribute() {}, addEventListener(_, act) { this.act = act; } });
  const thresholds = { on: 0.5, least_share: 0.15, most_together: 0.5, least_covered: 0.6, many_words: 8, questions: 2, least_bits: 0, sure_enough: 0.9 };
  const senses = { senses_title: "", senses_words: ["", ""], senses_help: "", numbers: {} };
  const asking = { next_answers: {}, next_question: "", next_question_help: "", next_no_question: "", next_sure: "", next_yes: "", next_rough: "", sure_enough: "", ask_on: "" };
  const data = pageData({
    topics, words, edges, leak, inference: INFERENCE, questions: QUESTIONS, thresholds, has_texts: false,
    recipe: { matrix: true }, strings: { ...senses, ...asking }, ...more,
  });
  const document = { createElement, getElementById: () => ({ textContent: JSON.stringify(data) }) };
  const OrreryQuestion = {
    evidence: ({ typed }, closedWorld, parts = new Map()) => ({
      present: typed.map(({ token }) => token), absent: [], unknown: [], closedWorld,
      on: [...parts].filter(([, how]) => how === "on").map(([topic]) => topic),
      off: [...parts].filter(([, how]) => how === "off").map(([topic]) => topic),
    }),
  };
  const known = { document, OrreryQuestion, dispatchEvent() {}, HashChangeEvent: class {} };
  const page = loadExplorer([...NAMES, "Strings", "Figures", "Answer", "Pieces", ...names], data, known);
  const ask = (...tokens) =>
    page.OrreryAnswer.ask({ typed: tokens.map((token) => ({ token, state: "present", text: words[token] })) }, new Map(), false);
  return { ...page, ask };
}
const keysIn = (parts) => parts.flatMap((part) => (part.dataset ? [part.dataset.key, ...keysIn(part.content)] : [])).filter(Boolean);

test("a sense may be a topic that others are shown as", () => {
  // Two topics cause the word; one is shown as a topic that does not.
  const model = {
    topics: ["sea", "rivers", "music"], words: ["bass", "wave"], edges: [[1, 3, 3], [2, 3, 3], [0, 4, 1]],
    leak: [0.01, 0.01, 0.01, 1e-4, 0.1],
  };
  for (const shown_as of [[], [[1, 0]]]) {
    const { OrrerySenses, ask } = answering(["Senses"], { ...model, shown_as });
    const offered = keysIn(OrrerySenses.chips(ask(0)));
    assert.deepEqual(offered.sort(), ["sense-topic:music", shown_as.length ? "sense-topic:sea" : "sense-topic:rivers"]);
  }
});

test("more is asked of the topic for which it was asked, not of the next one", () => {
  const model = {
    topics: ["flu", "gout"], words: ["cough", "fever", "pain", "swelling"], leak: [0.1, 0.1, 1e-4, 0.01, 1e-4, 0.01],
    edges: [[0, 2, 3], [0, 3, 1], [1, 4, 3], [1, 5, 1]],
  };
  const { OrreryNext, ask } = answering(["Next"], model);
  const hasEnd = (...tokens) => keysIn(OrreryNext.part(ask(...tokens))).includes("next-on");
  assert.ok(hasEnd(0) && hasEnd(2));
  const buttons = (parts) => parts.flatMap((part) => (part.dataset ? [part, ...buttons(part.content)] : []));
  buttons(OrreryNext.part(ask(0))).find(({ dataset }) => dataset.key === "next-on").act();
  assert.ok(!hasEnd(0));
  assert.ok(!hasEnd(0, 1));
  assert.ok(hasEnd(2));
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
