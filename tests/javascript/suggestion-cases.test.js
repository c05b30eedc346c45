// The explorer suggests known words by the rules of core/data/suggestions.py: the same cases for both.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load, loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const TABLE = JSON.parse(readFileSync(new URL("../suggestion_cases.json", import.meta.url), "utf8"));
const { OrrerySuggest } = load(["assets/shared/suggest.js"], ["OrrerySuggest"]);

for (const { vocabulary: name, word, near } of TABLE.cases) {
  test(`near ${word}`, () => {
    const vocabulary = TABLE.vocabularies[name], found = OrrerySuggest.suggest(vocabulary, word);
    assert.deepEqual(found.map((one) => [one.word, one.why]), near);
    assert.ok(found.every(({ word: shown, token }) => vocabulary[token].replaceAll("_", " ") === shown));
  });
}

for (const { vocabulary: name, text, unknown, near } of TABLE.texts)
  test(`near "${text}"`, () => {
    const found = OrrerySuggest.suggestFor(TABLE.vocabularies[name], text, unknown);
    assert.deepEqual(Object.fromEntries(found.map(({ word, known }) => [word, known.map((one) => one.word)])), near);
  });

const clauses = JSON.parse(readFileSync(new URL("../query_cases.json", import.meta.url), "utf8")).clauses;
const recipe = {
  matrix: true, left_out: ["and", "for", "two", "at", "of"], joints: ["_", " "], longest_phrase: 5,
  changes_of_case: ["str", "lower", "capitalize", "title", "upper"],
};
const page = pageData({ topics: [], words: TABLE.terms, edges: [], leak: TABLE.terms.map(() => 0.1), recipe, clauses });
const { OrreryTermSuggestions } = loadExplorer(["Model", "Text", "Clauses", "TermSuggestions"], page, { OrrerySuggest });

for (const { text, near } of TABLE.term_texts)
  test(`terms near "${text}"`, () => {
    const found = OrreryTermSuggestions.near(text).map(({ word, known }) => [word, known.map((one) => one.word)]);
    assert.deepEqual(found, Object.entries(near));
  });

for (const { text, unknown, known, result } of TABLE.replacements)
  test(`${known} for ${unknown} in "${text}"`, () =>
    assert.equal(OrrerySuggest.withWord(text, unknown, known, ["", "-", "?"]), result));

for (const { vocabulary: name, typed, words } of TABLE.completions)
  test(`completions of "${typed}"`, () =>
    assert.deepEqual(OrrerySuggest.complete(TABLE.vocabularies[name], typed).map(({ word }) => word), words));

test("an offer keeps what was typed before, and its sign; browsers find it by its value or its label", () => {
  const { OrrerySuggest: suggest } = load(["assets/shared/suggest.js"], ["OrrerySuggest"], { document: { createElement: () => ({}) } });
  const offered = (typed) => {
    let found = [];
    suggest.offer({ replaceChildren: (...options) => (found = options) }, TABLE.vocabularies.symptoms, typed);
    for (const { value, label } of found) assert.ok(`${value} ${label ?? ""}`.includes(typed));
    return found.map(({ value }) => value);
  };
  assert.deepEqual(offered("fever, pain in the ne"), ["fever, neck pain"]);
  assert.deepEqual(offered("fever, no fear of lo"), ["fever, no fear of loud sounds"]);
  assert.deepEqual(offered("fever, -pain ne"), ['fever, -"neck pain"']);
  assert.deepEqual(offered("head"), ["headache"]);
});
