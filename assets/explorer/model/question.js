// A question: what one box asks, as typed words with their states, and back to text. The rules are those
// of core/data/query.py, and both are tested with the cases in tests/query_cases.json.

const OrreryQuestion = (function () {
  "use strict";

  // Sign of every state.
  const { signs: SIGNS } = OrreryModel, STATES = Object.keys(SIGNS);
  const ANY_SIGN = `[${Object.values(SIGNS).join("").replace(/./g, "\\$&")}]`;
  // "-memory" or ?"solid state": a sign at the start of a word, not the hyphen inside one.
  const SIGNED = new RegExp(`(?<!\\S)(${ANY_SIGN})(?:"([^"]*)"|(\\S+))`, "g");
  // What a word becomes when it is switched on, in a circle.
  const NEXT = Object.fromEntries(STATES.map((state, i) => [state, STATES[(i + 1) % STATES.length]]));

  // What was typed with the sign of a state, or without one, in pieces that stand apart: the words
  // around one that has a sign are no phrase, nor are two that have one each.
  function stretches(text, state) {
    if (state === "present") return text.replace(SIGNED, "\n").split("\n");
    return [...text.matchAll(SIGNED)]
      .filter(([, sign]) => sign === SIGNS[state])
      .map(([, , quoted, word]) => quoted || word || "");
  }

  function wordsOf(text, state) {
    const { recipe, tokenNumber, vocabulary, wordText } = OrreryModel;
    const parts = stretches(text, state).map((part) => OrreryText.parse(recipe, tokenNumber, part));
    const known = [...new Set(parts.flatMap(({ tokens }) => tokens))].map((token) => {
      const name = wordText(vocabulary[token]);
      return { text: name, state, token, key: "word:" + name };
    });
    const strange = [...new Set(parts.flatMap(({ unknown }) => unknown.map(wordText)))].map((name) => {
      return { text: name, state: "unknown", token: -1, key: "unknown:" + name };
    });
    return { known, strange };
  }

  function inTypedOrder(words, text) {
    const lowered = OrreryModel.wordText(text.toLowerCase()).split(/\s+/).join(" ");
    const place = (word) => {
      const plain = word.text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const found = lowered.search(new RegExp(`(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])`, "u"));
      return found < 0 ? lowered.length : found;
    };
    const places = new Map(words.map((word) => [word, place(word)]));
    return words.sort((a, b) => places.get(a) - places.get(b));
  }

  // `box` is what the address calls the text.
  function read(text, box = "q") {
    const found = new Map(), strangers = new Map(), contradictions = [];
    for (const state of STATES) {
      const { known, strange } = wordsOf(text, state);
      for (const word of strange) if (!strangers.has(word.key)) strangers.set(word.key, word);
      for (const word of known) {
        const first = found.get(word.key);
        if (!first) found.set(word.key, word);
        else if (first.state !== state) contradictions.push({ word: word.text, first: first.state, second: state });
      }
    }
    const typed = inTypedOrder([...strangers.values(), ...found.values()], text);
    return { typed, contradictions, box, strangers: typed.filter(({ token }) => token < 0) };
  }

  function evidence({ typed }, closedWorld, held = new Map()) {
    const tokens = (state) =>
      typed.filter((word) => word.state === state && word.token >= 0).map(({ token }) => token);
    const topics = (state) => [...held].filter(([, how]) => how === state).map(([topic]) => topic);
    return {
      ...Object.fromEntries(STATES.map((state) => [state, tokens(state)])),
      on: topics("on"), off: topics("off"), closedWorld,
    };
  }

  function written(typed, joint = " ") {
    return typed
      .map(({ text, state, token }) => {
        const sign = token < 0 ? "" : SIGNS[state];
        return sign && text.includes(" ") ? `${sign}"${text}"` : sign + text;
      })
      .join(joint);
  }

  // The text with one of its words in another state. Commas keep words apart that would be read as
  // one phrase without.
  function switched({ typed, box }, key, state) {
    const wanted = typed.map((word) => (word.key === key ? { ...word, state } : word));
    const same = (text) => JSON.stringify(read(text, box).typed) === JSON.stringify(wanted);
    const plain = written(wanted);
    return same(plain) ? plain : written(wanted, ", ");
  }

  return { read, evidence, written, switched, NEXT, STATES };
})();
