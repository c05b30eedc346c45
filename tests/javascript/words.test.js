// Words of every script, as Python finds them: tests/core/data/test_words.py writes the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const { recipes, cases } = JSON.parse(readFileSync(new URL("../word_cases.json", import.meta.url), "utf-8"));
const { OrreryText } = loadExplorer(["Model", "Text"], pageData({ topics: [], words: [], edges: [], leak: [] }));

for (const name of Object.keys(recipes))
  test(`words of the recipe ${name} are those of Python`, () => {
    const own = cases.filter(([recipe]) => recipe === name);
    assert.ok(own.length > 0);
    for (const [, text, words] of own)
      assert.deepEqual([...OrreryText.splitWords(recipes[name], text)], words, JSON.stringify(text));
  });
