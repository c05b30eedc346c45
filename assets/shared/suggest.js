// Known words near a word that the model does not know, by the rules of core/data/suggestions.py;
// both are tested with the cases in tests/suggestion_cases.json.

const OrrerySuggest = (function () {
  "use strict";

  const MOST = 4, LEAST_LETTERS = 3, LEAST_STEM = 4, LONGEST_ENDING = 5;
  const LEAST_STEM_SHARE = 0.5, LEAST_BEGINNING_SHARE = 0.4, LEAST_SIMILARITY = 0.7;
  const BEGINNING_BONUS = 0.1, PHRASE_SIMILARITY = 0.8;
  const LEAST_INNER = 4, LEAST_PART = 4, LONG_PART = 8, STEM_SIMILARITY = 0.9, PART_SIMILARITY = 0.8;
  const LETTERS_PER_EDIT = 3, STEM_ENDINGS = ["ing", "es", "ed", "s"];
  const STRETCH_END = /[,;.!?\n]+(?=\s|$)|\n/, EDGE = /^[-?"'()[\]{}:]+|[-?"'()[\]{}:]+$/g;
  // Words that are completed together, and words within a term (`INNER` of core/data/clauses.py).
  const MAX_COMPLETED = 4, PIECE_SIGNS = /^[-?+"]+/, PIECE_END = /[.!?:)]$/;
  const INNER = new Set("a an during from in of on the to when".split(" "));
  const shown = (word) => word.replaceAll("_", " ");
  // A word in lower case without accents, as it is compared.
  const plain = (word) =>
    shown(word).toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").split(/\s+/).filter(Boolean).join(" ");

  function sharedBeginning(one, other) {
    let length = 0;
    while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++;
    return length;
  }

  function areForms(begin, one, other) {
    const shorter = Math.min(one, other), longer = Math.max(one, other);
    if (begin === shorter) return begin >= LEAST_BEGINNING_SHARE * longer;
    return begin >= LEAST_STEM && begin >= LEAST_STEM_SHARE * longer && longer - begin <= LONGEST_ENDING;
  }

  // Fewest letters to insert, remove, replace or swap with the next, each letter changed once.
  function edits(word, known) {
    let before = [], last = Array.from({ length: known.length + 1 }, (_, column) => column);
    for (let row = 1; row <= word.length; row++) {
      const current = [row];
      for (let column = 1; column <= known.length; column++) {
        const isOther = word[row - 1] !== known[column - 1];
        let cost = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + isOther);
        const isSwap = row > 1 && column > 1 && word[row - 1] === known[column - 2] && known[column - 1] === word[row - 2];
        if (isSwap) cost = Math.min(cost, before[column - 2] + 1);
        current.push(cost);
      }
      before = last;
      last = current;
    }
    return last[known.length];
  }

  // Similarity of two words, as lists of letters, and why they are near.
  function compare(letters, word, known) {
    if (word === known) return [1, "spelling"];
    const other = Array.from(known), one = letters.length, two = other.length;
    const begin = sharedBeginning(letters, other);
    let found = [0, null];
    if (known.includes(" ") && known.split(" ").includes(word)) found = [PHRASE_SIMILARITY + (BEGINNING_BONUS * one) / two, "part"];
    else if (word.includes(" ") && word.split(" ").includes(known)) found = [(PHRASE_SIMILARITY * two) / one, "part"];
    else if (begin >= LEAST_LETTERS && areForms(begin, one, two))
      found = [(2 * begin) / (one + two) + (begin === one ? BEGINNING_BONUS : 0), "form"];
    else if ((one > LEAST_INNER || known.includes(` ${word}`)) && one > LEAST_LETTERS && known.includes(word))
      found = [(2 * one) / (one + two), "part"];
    const longest = Math.max(one, two);
    if (Math.abs(one - two) <= (1 - LEAST_SIMILARITY) * longest + 1e-9) {
      const similarity = 1 - edits(letters, other) / longest;
      if (similarity >= LEAST_SIMILARITY && similarity > found[0]) return [similarity, "spelling"];
    }
    return found;
  }

  // Word without its ending, if enough letters remain.
  function stemOf(word) {
    const ending = STEM_ENDINGS.find((end) => word.endsWith(end) && Array.from(word).length - end.length >= LEAST_PART);
    return ending ? word.slice(0, -ending.length) : word;
  }

  // Similarity of a misspelt word with the stem of a known one, or with a word of a phrase.
  function compareParts(letters, word, known) {
    const parts = known.split(" "), isPhrase = parts.length > 1;
    let best = 0;
    for (const stem of new Set([...parts, ...parts.map(stemOf)])) {
      const other = Array.from(stem), allowed = other.length >= LONG_PART ? 2 : 1;
      if (Math.min(letters.length, other.length) < LEAST_PART || other[0] !== letters[0]) continue;
      if (Math.abs(letters.length - other.length) > allowed) continue;
      const wrong = edits(letters, other), longest = Math.max(letters.length, other.length);
      if (wrong <= allowed) best = Math.max(best, (isPhrase ? PART_SIMILARITY : STEM_SIMILARITY) * (1 - wrong / longest));
    }
    return best ? [best, isPhrase ? "part" : "spelling"] : [0, null];
  }

  // The words of a vocabulary as they are shown and compared, made once.
  const preparedFor = new WeakMap();
  function prepared(vocabulary) {
    if (!preparedFor.has(vocabulary)) {
      preparedFor.set(vocabulary, vocabulary.map((entry, token) => {
        const word = shown(entry);
        return { token, word, known: plain(entry), parts: plain(entry).split(" "), length: Array.from(word).length };
      }));
    }
    return preparedFor.get(vocabulary);
  }

  function near(words, typed) {
    const letters = Array.from(typed), found = [];
    if (letters.length < LEAST_LETTERS) return [];
    // A misspelt part is less certain, so it is only offered if nothing else is near.
    for (const rule of [compare, compareParts]) {
      if (found.length) break;
      for (const { token, word, known, length } of words) {
        const [similarity, why] = rule(letters, typed, known);
        if (why) found.push({ similarity, length, word, token, why });
      }
    }
    found.sort((a, b) => b.similarity - a.similarity || a.length - b.length || a.token - b.token);
    return found.map(({ word: name, token, why }) => ({ word: name, token, why }));
  }

  const suggest = (vocabulary, typed, count = MOST) => near(prepared(vocabulary), plain(typed)).slice(0, count);

  // Phrases whose every word is spelt like the one at its place, the most similar first.
  function speltLike(words, typed) {
    const whole = Array.from(typed.join(" ")), found = [];
    for (const { token, word, known } of words) {
      const parts = known.split(" "), other = Array.from(known), longest = Math.max(whole.length, other.length);
      if (parts.length !== typed.length || Math.abs(whole.length - other.length) > (1 - LEAST_SIMILARITY) * longest) continue;
      const isSpelt = typed.every((one, place) => {
        const letters = Array.from(one);
        return one === parts[place] || edits(letters, Array.from(parts[place])) <= Math.floor(letters.length / LETTERS_PER_EDIT);
      });
      const wrong = isSpelt ? edits(whole, other) : Infinity;
      if (wrong <= (1 - LEAST_SIMILARITY) * longest + 1e-9) found.push({ wrong, word, token, why: "spelling" });
    }
    found.sort((a, b) => a.wrong - b.wrong || a.token - b.token);
    return found.map(({ word, token, why }) => ({ word, token, why }));
  }

  // The longest stretch of a query with a word that nearly spells phrases, and these phrases.
  function nearPhrases(words, text, unknown) {
    const stretches = text.split(STRETCH_END).map((part) =>
      plain(part).split(" ").map((word) => word.replace(EDGE, "")));
    for (let size = Math.max(1, ...words.map(({ known }) => known.split(" ").length)); size > 1; size--)
      for (const typed of stretches)
        for (let begin = 0; begin + size <= typed.length; begin++) {
          const window = typed.slice(begin, begin + size);
          const phrases = window.includes(unknown) ? speltLike(words, window) : [];
          if (phrases.length) return [window.join(" "), phrases];
        }
    return ["", []];
  }

  // Known words near each unknown word of a query, or near it and its neighbours: "sore throte".
  function suggestFor(vocabulary, text, unknown, count = MOST) {
    const done = new Set(), found = [];
    for (const word of unknown) {
      if (done.has(plain(word))) continue;
      const [phrase, phrases] = nearPhrases(prepared(vocabulary), text, plain(word));
      const known = phrases.length ? phrases.slice(0, count) : suggest(vocabulary, word, count);
      for (const part of phrase.split(" ")) done.add(part);
      if (known.length) found.push({ word: phrase || word, known });
    }
    return found;
  }

  // The last words of a text that may be a phrase, and where they begin, the longest tail first.
  function tailsOf(typed) {
    const pieces = [...typed.matchAll(/[^\s,;]+/g)].slice(-MAX_COMPLETED).reverse(), tails = [];
    let end = typed.length;
    for (const { 0: piece, index: begin } of pieces) {
      const after = typed.slice(begin + piece.length, end);
      if (after.trim() || (!tails.length && after) || (tails.length && PIECE_END.test(piece))) break;
      const words = plain(piece.replace(PIECE_SIGNS, "")).split(" ").filter(Boolean);
      if (!words.length) break;
      tails.push({ at: begin, words: [...words, ...(tails.at(-1)?.words ?? [])] });
      end = begin;
      if (PIECE_SIGNS.test(piece)) break;
    }
    return tails.reverse();
  }

  // Whether each typed word begins another word of a phrase.
  function areBegun(words, parts) {
    const rest = [...parts];
    return words.every((word, place) => {
      const isLast = place === words.length - 1, isInPhrase = isLast && place > 0;
      const isLong = isInPhrase || Array.from(word).length >= (isLast ? LEAST_LETTERS : LEAST_INNER);
      const found = rest.findIndex((part) => part === word || (isLong && part.startsWith(word)));
      return found >= 0 && rest.splice(found, 1).length;
    });
  }

  function begunByWords(vocabulary, words) {
    const phrase = words.join(" "), counted = words.filter((word, n) => n === words.length - 1 || !INNER.has(word));
    const begun = prepared(vocabulary).filter(({ known, parts }) => known.startsWith(phrase) || areBegun(counted, parts));
    const isOther = ({ known }) => Number(!known.startsWith(phrase));
    return begun.sort((a, b) => isOther(a) - isOther(b) || a.length - b.length || a.token - b.token);
  }

  // Known words of which every typed word begins a part, for a search.
  function begunBy(vocabulary, text) {
    const words = plain(text).split(" ").filter(Boolean);
    return words.length ? begunByWords(vocabulary, words) : [];
  }

  // Known words that the last typed words begin, then other forms of the last one: "short of br" begins
  // "shortness of breath". `at` is where the words begin that one replaces.
  function complete(vocabulary, typed, count = MOST) {
    const tails = tailsOf(typed), found = new Map();
    if (!tails.length) return [];
    // Of the longest tail that begins any word.
    for (const { at, words } of tails) {
      for (const { word, token } of begunByWords(vocabulary, words)) found.set(token, { word, token, at });
      if (found.size) break;
    }
    const { at, words } = tails.at(-1), last = words.at(-1);
    // Two forms of a word begin with the same letters.
    const alike = found.size < count ? prepared(vocabulary).filter(({ known }) => known.startsWith(last.slice(0, LEAST_LETTERS))) : [];
    const forms = near(alike, last).filter(({ why, token }) => why === "form" && !found.has(token));
    return [...found.values(), ...forms.map((form) => ({ ...form, at }))].slice(0, count);
  }

  // Offers known words for the last typed words, as options of the list of a query box. Browsers show the
  // options that contain the typed text, so others have it in their label.
  function offer(list, vocabulary, typed) {
    const options = complete(vocabulary, typed).map(({ word, at }) => {
      const made = document.createElement("option"), [sign] = typed.slice(at).match(/^[-?+]?/);
      made.value = typed.slice(0, at) + (sign && word.includes(" ") ? `${sign}"${word}"` : sign + word);
      if (!made.value.toLowerCase().includes(typed.toLowerCase())) made.label = `${typed} → ${word}`;
      return made;
    });
    list.replaceChildren(...options.filter(({ value }) => value !== typed));
  }

  // The query with a known word in place of an unknown one, under the same sign.
  function withWord(text, unknown, known, signs) {
    const escaped = (part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    const parts = shown(unknown).split(/\s+/).filter(Boolean).map(escaped).join("[\\s_]+");
    const letter = "[\\p{L}\\p{M}\\p{N}_]";
    const place = new RegExp(`(?<!${letter})(?:((?<!\\S)(?:${signs.filter(Boolean).map(escaped).join("|")}))"?${parts}"?|${parts})(?!${letter})`, "giu");
    let count = 0;
    const changed = text.replace(place, (_, sign = "") => {
      count++;
      return sign && known.includes(" ") ? `${sign}"${known}"` : sign + known;
    });
    return count ? changed : `${text} ${known}`.trim();
  }

  const nearPhrasesOf = (vocabulary, text, unknown) => nearPhrases(prepared(vocabulary), text, unknown);

  return { suggest, suggestFor, begunBy, complete, offer, withWord, plain, edits, nearPhrases: nearPhrasesOf };
})();
