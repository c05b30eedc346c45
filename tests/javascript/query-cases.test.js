// The explorer reads a query by the rules of core/data/query.py: the same table of cases for both.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const { recipes } = JSON.parse(readFileSync(new URL("../word_cases.json", import.meta.url), "utf8"));
const TABLE = JSON.parse(readFileSync(new URL("../query_cases.json", import.meta.url), "utf8"));

// The scripts over a vocabulary; the recipe is written as core/export/explorer.py does.
function loaded({ recipe, vocabulary }) {
  const model = { topics: [], words: vocabulary, edges: [], leak: vocabulary.map(() => 0.1) };
  const given = {
    ...recipes.plain, matrix: recipe.matrix ?? false, phrases: recipe.phrase_list ?? [],
    stop_words: recipe.stop_words ?? [], left_out: recipe.matrix ? ["a", "all", "and", "any", "at", "for", "had", "have", "her", "in", "more", "my", "of", "only", "or", "she", "since", "the", "three", "two"] : [],
    longest_phrase: Math.max(...vocabulary.map((word) => word.split(/[_ ]/).length)),
    changes_of_case: ["str", "lower", "capitalize", "title", "upper"],
  };
  const thresholds = { text_words: 8, sentence_words: 4, least_sentences: 2, listed_words: 4 };
  const data = pageData({ ...model, recipe: given, thresholds, clauses: TABLE.clauses });
  return loadExplorer(["Model", "Text", "Clauses", "Question"], data).OrreryQuestion;
}

const questions = Object.fromEntries(
  Object.entries(TABLE.vocabularies).map(([name, known]) => [name, loaded(known)])
);

for (const found of TABLE.cases) {
  const { query, vocabulary: name, closed_world: closed, contradictions, unknown } = found;
  test(`${query || "nothing"}${closed ? " (closed)" : ""}`, () => {
    const { vocabulary } = TABLE.vocabularies[name], question = questions[name].read(query);
    assert.deepEqual(question.contradictions.map(({ word, first, second }) => [word, first, second]), contradictions);
    assert.deepEqual(question.strangers.map(({ text }) => text).sort(), [...unknown].sort());
    if (contradictions.length) return;
    const { closedWorld, ...evidence } = questions[name].evidence(question, closed);
    assert.equal(closedWorld, closed);
    const named = [...evidence.present, ...evidence.absent, ...evidence.unknown];
    const rest = vocabulary.map((_, token) => token).filter((token) => !named.includes(token));
    const words = (tokens) => tokens.map((token) => vocabulary[token]).sort();
    assert.deepEqual(evidence.present.map((token) => vocabulary[token]), found.present);
    assert.deepEqual(words([...evidence.absent, ...(closed ? rest : [])]), [...found.absent].sort());
    assert.deepEqual(words([...evidence.unknown, ...(closed ? [] : rest)]), [...found.open].sort());
  });
}

test("the name of a text is its beginning, as core/drawing/style.py shortens it", () => {
  const name = (body) => questions.texts.nameOf({ typed: [], body });
  assert.equal(name("A short\ntext."), "A short text.");
  assert.equal(name("Some words that are longer than a label"), "Some words that are …");
  assert.equal(name("x".repeat(40)), "x".repeat(25) + "…");
});

for (const [word, denies] of Object.entries(TABLE.negations))
  test(`whether "${word}" denies the next word`, () => assert.equal(questions.texts.isNegation(word), denies));

for (const { query, is_text: isText } of TABLE.whole_texts)
  test(`whether "${query}" is a whole text`, () => assert.equal(questions.sky.isWholeText(query), isText));

for (const { vocabulary, query, denied } of TABLE.denials)
  test(`what is denied in "${query}"`, () =>
    assert.deepEqual(Object.fromEntries(questions[vocabulary].read(query).denied), denied));

const tokenOf = (word) => TABLE.vocabularies.symptoms.vocabulary.findIndex((name) => name.replaceAll("_", " ") === word);

for (const { query, word, state, text } of TABLE.switches)
  test(`${word} of "${query}" is switched: ${state}`, () => {
    const asked = questions.symptoms.read(query);
    assert.equal(questions.symptoms.switched(asked, `word:${word}`, state), text);
  });

for (const { query, word, state, text } of TABLE.additions)
  test(`${word} is added to "${query}": ${state}`, () =>
    assert.equal(questions.symptoms.withWord(questions.symptoms.read(query), tokenOf(word), state), text));

for (const { query, parts } of TABLE.parts_used)
  test(`the known part of "${query}" is named`, () => {
    const found = questions.symptoms.partsUsed(questions.symptoms.read(query));
    assert.deepEqual(found.map(({ phrase, token }) => [phrase, TABLE.vocabularies.symptoms.vocabulary[token]]), parts);
  });

for (const { query, text } of TABLE.all_denied)
  test(`all words after the denial of "${query}"`, () =>
    assert.deepEqual(questions.symptoms.allDenied(questions.symptoms.read(query)), text));

for (const { query, switches } of TABLE.denial_switches)
  test(`the other states of words of "${query}"`, () => {
    const found = questions.symptoms.denialSwitches(questions.symptoms.read(query));
    assert.deepEqual(found.map(({ word, state }) => [word.text, state]), switches);
  });

test("a word that begins with a sign is written so that it is read again", () => {
  for (const state of ["present", "absent", "unknown"]) {
    const word = { text: "-itis", state, token: 0, key: "word:-itis" };
    assert.deepEqual(questions.endings.read(questions.endings.written([word])).typed, [word]);
  }
});

test("names of a table form no text", () => {
  const names = Array.from({ length: 12 }, (_, i) => `name${i}`), text = names.join(" ");
  for (const matrix of [false, true]) {
    const question = loaded({ recipe: { matrix }, vocabulary: names });
    assert.equal(question.readTyped(text).closedWorld, !matrix);
  }
});
