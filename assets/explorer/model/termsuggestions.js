// Known terms near the unknown words of a query to a ready-made vocabulary, by the rules of
// core/data/term_suggestions.py; both are tested with the cases in tests/suggestion_cases.json.

const OrreryTermSuggestions = (function () {
  "use strict";

  const MOST_GROUPS = 20, MOST_GROUP_WORDS = 10, MOST = 4, MOST_ENTRIES = 5, MOST_REPLACED = 3, UNMATCHED = 0.5;
  const LEAST_SPELT = 5, LONG_SPELT = 8, LONG_IN_TERM = 10, LEAST_SHARED = 4, LEAST_BEGINNING = 3;
  const ENDINGS = new Set((" a al ary ate ated ation d e ed edly en er es ety ful ia ic ied ies ily iness ing ings ion " +
    "ions ish ity ive less ly ness ous r s tion ure y").split(" "));
  const IRREGULAR = {
    bled: "bleeding", feet: "foot", fell: "falling", lost: "loss", swollen: "swelling", teeth: "tooth",
  };
  const EDGES = /^[.,;:!?"'()[\]{}\-+]+|[.,;:!?"'()[\]{}\-+]+$/gu;
  const { plain, edits, nearPhrases } = OrrerySuggest;
  const INNER = new Set(OrreryModel.clauses.inner);

  function isEnding(word, begin) {
    const ending = word.slice(begin);
    // Before some endings, the last letter is doubled: "spotting".
    return ENDINGS.has(ending) || (ending[0] === word[begin - 1] && ENDINGS.has(ending.slice(1)));
  }

  // Whether two words differ only in their endings.
  function areForms(one, other) {
    const shortest = Math.min(one.length, other.length);
    let shared = 0;
    while (shared < shortest && one[shared] === other[shared]) shared++;
    for (let begin = shared; begin >= LEAST_BEGINNING; begin--)
      if ((begin >= LEAST_SHARED || begin === shortest) && isEnding(one, begin) && isEnding(other, begin)) return true;
    return false;
  }

  // Letters that are wrong in a word, 0 for a form of the known word, null for another word. A word that
  // begins the known one, as "heart" in "heartbeat", counts as one wrong letter.
  function difference(word, known) {
    if (areForms(IRREGULAR[word] ?? word, IRREGULAR[known] ?? known)) return 0;
    if (word.length >= LEAST_SPELT && known.startsWith(word)) return 1;
    if (known.length < LEAST_SPELT || Math.abs(word.length - known.length) > 2) return null;
    const wrong = edits(Array.from(word), Array.from(known));
    return wrong <= 1 + (Math.min(word.length, known.length) >= LONG_SPELT) ? wrong : null;
  }

  // The words of every term, and by their first letter, which no misspelling changes.
  let terms = null;
  function index() {
    if (terms) return terms;
    const words = OrreryModel.vocabulary.map((term) => plain(term).split(" ").filter((word) => word && !INNER.has(word)));
    const byWord = new Map(), byLetter = new Map();
    words.forEach((own, token) => {
      for (const word of new Set(own)) {
        if (!byWord.has(word)) byLetter.set(word[0], [...(byLetter.get(word[0]) ?? []), word]);
        byWord.set(word, [...(byWord.get(word) ?? []), token]);
      }
    });
    return (terms = { words, byWord, byLetter });
  }

  function wordsOf(text, { begin: start, end, inner }) {
    const found = [];
    for (const { 0: word, index: at } of text.slice(start, end).matchAll(/[^\s_]+/gu)) {
      const bare = word.replace(EDGES, ""), begin = start + at + (bare ? word.indexOf(bare) : 0);
      if (plain(bare) && !INNER.has(plain(bare))) found.push({ begin, end: begin + bare.length, plain: plain(bare), kind: "" });
    }
    if (found.length && inner.length) found.at(-1).kind = "inner";
    return found;
  }

  // Unknown words beside each other, and the known terms beside them. Words such as "of" may be before
  // unknown words; only a space is before a known term.
  function groupsOf(text, items) {
    const groups = [];
    let last = null;
    for (const item of items) {
      const isUnknown = item.token < 0;
      if (isUnknown && OrreryClauses.isNegation(item.text)) {
        last = null;
        continue;
      }
      const gap = last ? text.slice(last.end, item.begin).split(/\s+/).filter(Boolean) : [];
      const isBeside = last && last.end < item.begin && !last.inner.length && !item.isSigned && item.denial === last.denial &&
        gap.every((word) => INNER.has(word.toLowerCase()));
      if (isUnknown) {
        if (!isBeside || last.token >= 0) {
          const isPart = isBeside && !last.isSigned;
          groups.push(isPart ? [{ begin: last.begin, end: last.end, plain: plain(last.text), kind: "before" }] : []);
        }
        groups.at(-1).push(...wordsOf(text, item));
      } else if (isBeside && !gap.length && last.token < 0)
        groups.at(-1).push({ begin: item.begin, end: item.end, plain: plain(item.text), kind: "next" });
      last = item;
    }
    return groups;
  }

  function compareRanks(one, other) {
    const at = one.rank.findIndex((value, k) => value !== other.rank[k]);
    return at < 0 ? 0 : one.rank[at] - other.rank[at];
  }

  // Terms that have an unknown word of a group. If a known term follows, as in "leg swelling", a term has
  // a word of it too, or the unknown word is its last.
  function matchesOf(group) {
    const { words: wordsOfTerm, byWord, byLetter } = index(), has = new Map();
    group.forEach((word, place) => {
      // The last word of a known term says what it is.
      const one = word.plain.split(" ").at(-1);
      for (const known of byLetter.get(one[0]) ?? []) {
        const cost = difference(one, known);
        for (const token of cost === null ? [] : byWord.get(known)) {
          const words = wordsOfTerm[token];
          if (cost > 1 && words.length > 1 && known.length < LONG_IN_TERM) continue;
          if (!has.has(token)) has.set(token, new Map());
          if (!has.get(token).has(place)) has.get(token).set(place, { cost, at: words.indexOf(known) });
        }
      }
    });
    const nextPlace = group.at(-1).kind === "next" ? group.length - 1 : -1, found = [];
    for (const [token, pairs] of has) {
      // A known term before is replaced only with the words right after it.
      const isApart = group[0].kind === "before" && [...pairs.keys()].sort((a, b) => a - b).some((place, n) => place !== n);
      if (isApart) pairs.delete(0);
      const words = wordsOfTerm[token], places = [...pairs.keys()].sort((a, b) => a - b), ats = [...pairs.values()].map(({ at }) => at);
      if (places.every((place) => group[place].kind)) continue;
      if (nextPlace >= 0 && !pairs.has(nextPlace) && !ats.includes(words.length - 1)) continue;
      const score = UNMATCHED * (words.length - new Set(ats).size) - places.length;
      const wrong = [...pairs.values()].reduce((sum, { cost }) => sum + cost, 0);
      found.push({ token, places, rank: [score, wrong, places[0], Array.from(OrreryModel.vocabulary[token]).length, token] });
    }
    return found.sort(compareRanks);
  }

  // Entries for words beside each other, in typed order.
  function nearGroup(text, group, typed) {
    const unknown = group.filter(({ kind }) => !kind);
    if (!unknown.length) return [];
    let [phrase, known] = ["", []], first, last;
    for (const { plain: word } of unknown) {
      [phrase, known] = nearPhrases(OrreryModel.vocabulary, text.slice(group[0].begin, group.at(-1).end), word);
      if (known.length) break;
    }
    if (known.length) {
      const parts = phrase.split(" "), places = group.flatMap((word, place) => (parts.includes(word.plain) ? [place] : []));
      [first, last] = [places[0], places.at(-1)];
    } else {
      const matches = matchesOf(group), [best] = matches;
      if (!best) return [];
      [first, last] = [best.places[0], best.places.at(-1)];
      if (first === last) {
        if (unknown.length > MOST_REPLACED) return unknown.flatMap((word) => nearGroup(text, [word], typed));
        [first, last] = [Number(group[0].kind === "before"), group.length - 1 - (group.at(-1).kind === "next")];
      }
      const isWhole = first < last && best.places.length > 1 && unknown.length === group.length;
      // Where the query already has the nearest term, there is nothing to offer.
      const inside = matches.filter(({ places, token }) => !typed.has(best.token) && !typed.has(token) &&
        first <= places[0] && places.at(-1) <= last && (!isWhole || places.length > 1) &&
        // A term that replaces a known one before the unknown words has a word of it too.
        (group[first].kind !== "before" || places[0] === first));
      phrase = text.slice(group[first].begin, group[last].end).split(/\s+/).filter(Boolean).join(" ");
      known = inside.map(({ token }) => ({ word: OrreryModel.wordText(OrreryModel.vocabulary[token]), token, why: "form" }));
    }
    return [...nearGroup(text, group.slice(0, first), typed), { word: phrase, known }, ...nearGroup(text, group.slice(last + 1), typed)];
  }

  function near(text, count = MOST) {
    const { items } = OrreryClauses.read(text), typed = new Set(items.map(({ token }) => token)), found = new Map();
    for (const group of groupsOf(text, items).slice(0, MOST_GROUPS))
      for (const { word, known } of nearGroup(text, group.slice(0, MOST_GROUP_WORDS), typed))
        if (known.length && found.size < MOST_ENTRIES && !found.has(word)) found.set(word, { word, known: known.slice(0, count) });
    return [...found.values()];
  }

  return { near };
})();
