// A query's words as token numbers, as core/data/recipe.py and core/data/query.py find them.

const OrreryText = (function () {
  "use strict";

  const PUNCTUATION = new Set(".,;:!?\"'()[]{}");
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  const CHANGES = {
    str: (text) => text,
    lower: (text) => text.toLowerCase(),
    capitalize: capital,
    title: (text) => text.replace(/\p{L}+/gu, capital),
    upper: (text) => text.toUpperCase(),
  };

  // The function of a step to the normal form, as in core/data/spelling.py.
  function stepFunction({ kind, pattern, becomes }) {
    if (kind === "nfkc") return (text) => text.normalize("NFKC");
    if (kind === "lower") return (text) => text.toLowerCase();
    const replacement = new Map(becomes);
    const found = new RegExp(pattern, kind === "blank" ? "giu" : "gu");
    if (kind === "blank") return (text) => text.replace(found, (match) => " ".repeat(match.length));
    return (text) => text.replace(found, (match) => replacement.get(match) ?? "");
  }

  const MARK = /\p{M}/uy, HAN = /\p{sc=Han}/u;

  // Letters of the longest known word that begins here and does not end before a mark.
  function longest(word, here, known, most) {
    for (let size = Math.min(most, word.length - here); size > 0; size--) {
      MARK.lastIndex = here + size;
      if (known.has(word.slice(here, here + size)) && !MARK.test(word)) return size;
    }
    return 0;
  }

  // A word divided into known words and what is between them, as in core/data/segments.py.
  function divide(word, known, most) {
    const parts = [], length = (part) => Array.from(part).length;
    let start = 0, here = 0;
    while (here <= word.length) {
      const size = longest(word, here, known, most), between = word.slice(start, here);
      if ((size || here === word.length) && length(between) >= 2) parts.push(between);
      const part = word.slice(here, here + size);
      if (size) {
        if (length(part) >= 2 || HAN.test(part)) parts.push(part);
        start = here + size;
      }
      here += size || 1;
    }
    return parts;
  }

  // Functions, patterns and sets of a recipe, made once: every typed letter is read with them.
  const prepared = new WeakMap();

  function prepare(recipe) {
    if (!prepared.has(recipe)) {
      prepared.set(recipe, {
        steps: recipe.steps.map(stepFunction), pattern: new RegExp(recipe.pattern, "gu"),
        segments: new Set(recipe.segments),
        longestSegment: recipe.segments.reduce((most, word) => Math.max(most, word.length), 0),
        lemmaOf: new Map(recipe.lemmas), phrases: new Set(recipe.phrases), stopWords: new Set(recipe.stop_words),
        commonWords: new Set(recipe.common_words),
      });
    }
    return prepared.get(recipe);
  }

  function splitWords(recipe, text) {
    const { steps, pattern, segments, longestSegment } = prepare(recipe);
    const words = steps.reduce((read, step) => step(read), text).match(pattern) || [];
    return segments.size ? words.flatMap((word) => divide(word, segments, longestSegment)) : words;
  }

  function joinPhrases(words, phrases) {
    const joined = [];
    for (let place = 0; place < words.length; ) {
      const pair = words[place] + "_" + words[place + 1];
      const isPhrase = place + 1 < words.length && phrases.has(pair);
      joined.push(isPhrase ? pair : words[place]);
      place += isPhrase ? 2 : 1;
    }
    return joined;
  }

  function tokenize(recipe, text) {
    if (recipe.matrix) return text.split(/\s+/).filter(Boolean);
    const { lemmaOf, phrases, stopWords } = prepare(recipe);
    const read = splitWords(recipe, text).map((word) => lemmaOf.get(word) ?? word);
    return joinPhrases(read, phrases).filter((word) => !stopWords.has(word.toLowerCase()));
  }

  function bare(text) {
    let begin = 0, end = text.length;
    while (begin < end && PUNCTUATION.has(text[begin])) begin++;
    while (end > begin && PUNCTUATION.has(text[end - 1])) end--;
    return text.slice(begin, end);
  }

  // Spellings to look up, the longest phrase first, and how many words each takes.
  function candidates(recipe, words) {
    if (!recipe.matrix) return [[1, words[0]]];
    const found = [];
    for (let size = words.length; size > 0; size--) {
      for (const joint of size > 1 ? recipe.joints : recipe.joints.slice(0, 1)) {
        const exact = words.slice(0, size).join(joint);
        for (const spelling of new Set([exact, bare(exact)]))
          for (const change of recipe.changes_of_case) found.push([size, CHANGES[change](spelling)]);
      }
    }
    return found;
  }

  // The longest term at the beginning of some words of a query to a ready-made vocabulary; whether the
  // punctuation around the words belongs to it.
  function lookup(words) {
    const { recipe, tokenNumber } = OrreryModel;
    const found = candidates(recipe, words).find(([, spelling]) => tokenNumber.has(spelling));
    if (!found) return null;
    const [size, spelling] = found, raw = recipe.joints.map((joint) => words.slice(0, size).join(joint));
    const isExact = raw.some((text) => bare(text) !== text) && spelling.length === raw[0].length;
    return { size, token: tokenNumber.get(spelling), isExact };
  }

  // Token numbers in the order typed, and the words that are not in the vocabulary.
  function parse(recipe, tokenNumber, text) {
    const present = new Set(), unknown = new Set();
    // A comma between two words keeps them apart; one inside a number does not, and a ready-made
    // vocabulary keeps its commas.
    const stretches = recipe.matrix ? [text] : text.split(/,(?=\s|$)/);
    const words = stretches.flatMap((stretch) => tokenize(recipe, stretch));
    for (let place = 0; place < words.length; ) {
      const near = words.slice(place, place + recipe.longest_phrase);
      const found = candidates(recipe, near).find(([, spelling]) => tokenNumber.has(spelling));
      if (found) {
        present.add(tokenNumber.get(found[1]));
        place += found[0];
        continue;
      }
      const parts = words[place].split("_");
      for (const part of parts) {
        if (parts.length > 1 && tokenNumber.has(part)) present.add(tokenNumber.get(part));
        else if (bare(part)) unknown.add(bare(part));
      }
      place++;
    }
    return { tokens: [...present], unknown: [...unknown] };
  }

  // Token numbers of a whole text, as of a document, each once.
  function tokensOf(recipe, tokenNumber, text) {
    if (recipe.matrix) return parse(recipe, tokenNumber, text).tokens;
    return [...new Set(tokenize(recipe, text).filter((word) => tokenNumber.has(word)).map((word) => tokenNumber.get(word)))];
  }

  // Words of a whole text that are not in the vocabulary, and how often each occurs, the most frequent
  // first.
  function unknownOf(recipe, tokenNumber, text) {
    const { commonWords } = prepare(recipe), counts = new Map();
    for (const word of tokenize(recipe, text))
      if (!tokenNumber.has(word) && !commonWords.has(word.toLowerCase())) {
        const name = word.replaceAll("_", " ");
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    return [...counts].sort(([, a], [, b]) => b - a);
  }

  return { lookup, parse, splitWords, tokensOf, unknownOf };
})();
