// The explorer suggests known words by the rules of core/data/suggestions.py: the same cases for both.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load } from "./loading.js";

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

for (const { text, unknown, known, result } of TABLE.replacements)
  test(`${known} for ${unknown} in "${text}"`, () =>
    assert.equal(OrrerySuggest.withWord(text, unknown, known, ["", "-", "?"]), result));

for (const { vocabulary: name, typed, words } of TABLE.completions)
  test(`completions of "${typed}"`, () =>
    assert.deepEqual(OrrerySuggest.complete(TABLE.vocabularies[name], typed).map(({ word }) => word), words));
