// All states summed by a plan, against all states listed.
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { enumerated, generator, pageData, randomModel } from "./small-models.js";

const NAMES = ["Model", "Local", "Order", "Plan", "Elimination"];
const SETTINGS = { most_terms: 1e6, most_neighbours: 20, most_nodes: 100, most_edges: 1000, most_silence: 600 };
const NOTHING = { present: [], absent: [], unknown: [], on: [], off: [] };

function randomEvidence(random, nTopics, nWords) {
  const words = { present: [], absent: [], unknown: [] }, topics = { on: [], off: [] };
  const kinds = ["present", "absent", "unknown", "none"];
  for (let token = 0; token < nWords; token++) words[kinds[Math.floor(4 * random())]]?.push(token);
  for (let topic = 0; topic < nTopics; topic++) if (random() < 0.2) topics[random() < 0.5 ? "on" : "off"].push(topic);
  return { ...words, ...topics, closedWorld: random() < 0.5 };
}

const near = (found, truth) => assert.ok(Math.abs(found - truth) < 1e-9, `${found} is not ${truth}`);

test("sums of random models and evidence are those of enumeration", () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = generator(seed), model = randomModel(random);
    const { OrreryModel, OrreryLocal, OrreryElimination } = loadExplorer(NAMES, pageData(model));
    const evidence = randomEvidence(random, model.topics.length, model.words.length);
    const local = OrreryLocal.localModel(OrreryModel, evidence);
    const found = OrreryElimination.sumStates(local, SETTINGS);
    const truth = enumerated(model, evidence, [...local.topics]);
    near(found.logProbability, truth.logProbability);
    local.topics.forEach((topic, k) => near(found.probability[k], truth.probability[topic]));
  }
});

test("what would take too many terms, or too many neighbours, is left to others", () => {
  const model = randomModel(generator(1));
  const { OrreryModel, OrreryLocal, OrreryElimination } = loadExplorer(NAMES, pageData(model));
  const local = OrreryLocal.localModel(OrreryModel, { ...NOTHING, present: [0, 1, 2, 3], closedWorld: true });
  assert.notEqual(OrreryElimination.sumStates(local, SETTINGS), null);
  for (const limit of ["most_terms", "most_neighbours", "most_nodes", "most_edges", "most_silence"])
    assert.equal(OrreryElimination.sumStates(local, { ...SETTINGS, [limit]: 0 }), null, limit);
});

test("every variable is eliminated once, the ends of a chain before its middle", () => {
  const { OrreryOrder } = loadExplorer(["Model", "Order"], pageData(randomModel(generator(2))));
  const variables = [...Array(40).keys()], links = variables.slice(1).map((v) => [v - 1, v]);
  const order = OrreryOrder.eliminationOrder(variables, links, 1);
  assert.deepEqual([...order].sort((a, b) => a - b), variables);
  // A ring needs two neighbours at a time.
  assert.equal(OrreryOrder.eliminationOrder(variables, [...links, [0, 39]], 1), null);
  assert.equal(OrreryOrder.eliminationOrder(variables, [...links, [0, 39]], 2).length, 40);
});
