// What a question's words become.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const MODEL = { topics: [], words: [], edges: [], leak: [] };
const { OrreryText } = loadExplorer(["Model", "Text"], pageData(MODEL));
const { recipes } = JSON.parse(readFileSync(new URL("../word_cases.json", import.meta.url), "utf8"));
const RECIPE = { ...recipes.plain, longest_phrase: 3, changes_of_case: ["str", "lower", "title"] };

function parsed(text, vocabulary, recipe = {}) {
  const numbers = new Map(vocabulary.map((word, token) => [word, token]));
  const { tokens, unknown } = OrreryText.parse({ ...RECIPE, ...recipe }, numbers, text);
  return { words: tokens.map((token) => vocabulary[token]), unknown };
}

test("words lose their case, their possessives, and the signs around them", () => {
  const found = parsed("The MOON’s “Rover”, state-of-the-art; x 42", ["moon", "rover", "state-of-the-art"]);
  assert.deepEqual(found.words.slice(0, 2), ["moon", "rover"]);
  assert.ok(found.unknown.includes("the") && !found.unknown.includes("x") && !found.unknown.includes("42"));
});

test("a word that is asked twice is asked once", () => {
  assert.deepEqual(parsed("moon Moon sun sun", ["moon"]), { words: ["moon"], unknown: ["sun"] });
});

test("phrases join two words from the left, and fall back to their parts", () => {
  const phrases = ["new_york", "york_city"];
  const words = ["new_york", "city"];
  assert.deepEqual(parsed("New York City", words, { phrases }), { words, unknown: [] });
  assert.deepEqual(parsed("new york", ["york"], { phrases }), { words: ["york"], unknown: ["new"] });
});

test("stop words and lemmas are those of the corpus", () => {
  const recipe = { stop_words: ["the"], lemmas: [["moons", "moon"]] };
  assert.deepEqual(parsed("the moons", ["moon", "the"], recipe), { words: ["moon"], unknown: [] });
});

test("where signs are words, each of them is one, and kana go together", () => {
  const found = parsed("東京タワーへ go", ["東", "京", "タワー", "へ", "go"], recipes.characters);
  assert.deepEqual(found.words, ["東", "京", "タワー", "へ", "go"]);
});

test("names of a table's columns are found as they are written, the longest first", () => {
  const vocabulary = ["sore", "Sore Throat", "fever"], recipe = { matrix: true };
  assert.deepEqual(parsed("sore throat, FEVER!", vocabulary, recipe), { words: ["Sore Throat", "fever"], unknown: [] });
});
