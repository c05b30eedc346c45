// A query's words as token numbers, as core/data/recipe.py and core/data/query.py find them.

const OrreryText = (function () {
  "use strict";

  const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";
  const INNER =
    "(?:[\\p{L}\\p{N}]|[\\u0300-\\u036f\\u0591-\\u05c7\\u064b-\\u065f\\u0900-\\u0963])";
  const NOT_POSSESSIVE = "(?![sS](?![\\p{L}\\p{N}]))";
  // Words of two letters or more, but for letters of these.
  const wordPattern = (but) =>
    `(?<!${but}[\\p{L}\\p{N}])${but}${LETTER}` +
    `(?:(?:${but}${INNER})+|(?<!-.)['-]${NOT_POSSESSIVE}${but}${LETTER}(?:${but}${INNER})*)` +
    `(?:'${NOT_POSSESSIVE}(?:${but}${INNER})+)*`;
  const TOKEN = new RegExp(wordPattern(""), "gu");
  // Signs of scripts that are written without spaces.
  const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
  const HIRAGANA = "\\u3041-\\u3096";
  const KATAKANA = "\\u30a1-\\u30fa\\u30fc";
  const SIGNS = new RegExp(
    `[${HAN}]|[${HIRAGANA}]+|[${KATAKANA}]+|${wordPattern(`(?![${HAN}${HIRAGANA}${KATAKANA}])`)}`,
    "gu"
  );
  const PUNCTUATION = new Set(".,;:!?\"'()[]{}");
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  const CHANGES = {
    str: (text) => text,
    lower: (text) => text.toLowerCase(),
    capitalize: capital,
    title: (text) => text.replace(/\p{L}+/gu, capital),
    upper: (text) => text.toUpperCase(),
  };

  function splitWords(recipe, text) {
    let plain = text.replace(/\u2019/g, "'").replace(/[\u2010\u2011]/g, "-").replace(/\u00ad/g, "");
    plain = plain.normalize("NFKC");
    if (recipe.lowercase) plain = plain.toLowerCase();
    return plain.match(recipe.signs ? SIGNS : TOKEN) || [];
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
    const lemmaOf = new Map(recipe.lemmas);
    const read = splitWords(recipe, text).map((word) => lemmaOf.get(word) ?? word);
    const words = joinPhrases(read, new Set(recipe.phrases));
    const stopWords = new Set(recipe.stop_words);
    return words.filter((word) => !stopWords.has(word.toLowerCase()));
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

  return { parse, tokensOf };
})();
