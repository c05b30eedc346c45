// A question: what one box asks, as typed words with their states, and back to text. The rules are those
// of core/data/query.py, and both are tested with the cases in tests/query_cases.json.

const OrreryQuestion = (function () {
  "use strict";

  // Sign of every state.
  const NAME_LETTERS = 26;
  const { signs: SIGNS } = OrreryModel, STATES = Object.keys(SIGNS);
  const ANY_SIGN = `[${Object.values(SIGNS).join("").replace(/./g, "\\$&")}]`;
  // "-memory" or ?"solid state": a sign at the start of a word, not the hyphen inside one.
  const SIGNED = new RegExp(`(?<!\\S)(${ANY_SIGN})(?:"([^"]*)"|(\\S+))`, "g");
  const { isNegation } = OrreryClauses;
  const SENTENCE_END = /[.!?](?=\s|$)/g;
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

  const loweredOf = (text) => OrreryModel.wordText(text.toLowerCase()).split(/\s+/).join(" ").trim();

  // Where a word begins in a text, ascending.
  function placesOf(word, lowered) {
    const plain = word.text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])`, "gu");
    return Array.from(lowered.matchAll(pattern), ({ index }) => index);
  }

  function inTypedOrder(words, text) {
    const lowered = loweredOf(text);
    const places = new Map(words.map((word) => [word, placesOf(word, lowered)[0] ?? lowered.length]));
    return words.sort((a, b) => places.get(a) - places.get(b));
  }

  const isDenial = ({ text, token }) => token < 0 && isNegation(text);

  // Denials with the known word after them in a sentence, if it is read as present.
  function deniedWords(typed, text) {
    const denied = new Map();
    if (!typed.some(isDenial)) return denied;
    for (const sentence of loweredOf(text).split(SENTENCE_END)) {
      const spots = typed.flatMap((word, n) => placesOf(word, sentence).map((at) => ({ at, n, word })));
      let denials = [];
      for (const { word } of spots.sort((a, b) => a.at - b.at || a.n - b.n))
        if (word.token < 0) denials.push(...(isDenial(word) ? [word.text] : []));
        else {
          if (word.state === "present") denials.filter((name) => !denied.has(name)).forEach((name) => denied.set(name, word.text));
          denials = [];
        }
    }
    return denied;
  }

  // `box` is what the address calls the text.
  function read(text, box = "q") {
    return OrreryModel.recipe.matrix ? readTerms(text, box) : readWords(text, box);
  }

  // A query to a ready-made vocabulary.
  function readTerms(text, box) {
    const { vocabulary, wordText } = OrreryModel, { items, leftOut } = OrreryClauses.read(text);
    const known = items.filter(({ token, state }) => token >= 0 && state), stateOf = new Map(), contradictions = [];
    for (const state of STATES)
      for (const token of new Set(known.filter((item) => item.state === state).map((item) => item.token))) {
        const first = stateOf.get(token);
        if (first) contradictions.push({ word: wordText(vocabulary[token]), first, second: state });
        else stateOf.set(token, state);
      }
    const typed = new Map();
    for (const { token, text: name } of items) {
      const shown = wordText(token < 0 ? name : vocabulary[token]), key = (token < 0 ? "unknown:" : "word:") + shown;
      if (!typed.has(key)) typed.set(key, { text: shown, state: stateOf.get(token) ?? "unknown", token, key });
    }
    const words = [...typed.values()], strangers = words.filter(({ token }) => token < 0);
    return { typed: words, contradictions, box, leftOut, strangers, denied: deniedWords(words, text), items, text };
  }

  function readWords(text, box) {
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
    const strange = typed.filter(({ token }) => token < 0), denied = deniedWords(typed, text);
    return { typed, contradictions, box, leftOut: [], strangers: strange, denied, items: [], text: "" };
  }

  // ---- whole texts ----

  const LIST_MARK = /[,;\n]/;
  const BULLET = /^[ \t]*[-?]/gm;
  // Signed words after the end of a whole text; a sign within it is punctuation.
  const LAST_SIGNS = /(?:(?<=\s)[-?](?:"[^"]*"|[^\s"]+)\s*)+$/;

  function splitSigns(text) {
    const found = LAST_SIGNS.exec(text);
    return found ? [text.slice(0, found.index).trimEnd(), found[0]] : [text.trim(), ""];
  }

  function wordsOfText(text) {
    const { recipe, tokenNumber, vocabulary, wordText } = OrreryModel;
    return OrreryText.tokensOf(recipe, tokenNumber, text).map((token) => {
      const name = wordText(vocabulary[token]);
      return { text: name, state: "present", token, key: "word:" + name };
    });
  }

  // Text without the signs at the beginning of lines, if several lines have one.
  function withoutBullets(text) {
    return (text.match(BULLET) ?? []).length > 1 ? text.replace(BULLET, "") : text;
  }

  // Whether a query is a whole text by default, not a few words.
  function isWholeText(text) {
    const {
      text_words: TEXT_WORDS, sentence_words: SENTENCE_WORDS, least_sentences: SENTENCES, listed_words: LISTED_WORDS,
    } = OrreryModel.thresholds;
    // Of a matrix or an adopted graph, words are names, which form no text.
    if (OrreryModel.recipe.matrix) return false;
    const [body] = splitSigns(text), nSentences = (body.match(SENTENCE_END) ?? []).length;
    const parts = body.split(LIST_MARK).map((part) => part.split(/\s+/).filter(Boolean).length);
    if (!nSentences && parts.length > 1 && Math.max(...parts) <= LISTED_WORDS) return false;
    // Known words with signs make it a list, unless it has the end of a sentence.
    const line = withoutBullets(body);
    if (!nSentences && STATES.some((state) => SIGNS[state] && wordsOf(line, state).known.length)) return false;
    return wordsOfText(body).length >= (nSentences >= SENTENCES ? SENTENCE_WORDS : TEXT_WORDS);
  }

  function readText(text, box) {
    const [body, signs] = splitSigns(text), words = new Map(wordsOfText(body).map((word) => [word.token, word]));
    for (const word of read(signs).typed) if (word.token >= 0 && word.state !== "present") words.set(word.token, word);
    const unknown = OrreryText.unknownOf(OrreryModel.recipe, OrreryModel.tokenNumber, body);
    return { typed: [...words.values()], contradictions: [], box, leftOut: [], strangers: [], items: [], closedWorld: true, body, unknown };
  }

  // A query read as a few words or as a whole text; `closedWorld` is null where the text decides.
  function readTyped(text, box = "q", closedWorld = null) {
    const isText = isWholeText(text), isClosed = closedWorld ?? isText;
    return isText && isClosed ? readText(text, box) : { ...read(text, box), closedWorld: isClosed, body: "" };
  }

  // The query as a heading; of a whole text, its beginning.
  function nameOf({ typed, body }) {
    if (!body) return written(typed);
    const text = body.split(/\s+/).join(" "), letters = [...text];
    if (letters.length <= NAME_LETTERS) return text;
    const kept = letters.slice(0, NAME_LETTERS - 1).join(""), end = kept.lastIndexOf(" ");
    const stripped = (part) => part.replace(/[ ·]+$/, "");
    const whole = stripped(kept.slice(0, Math.max(end, 0)));
    return whole ? `${whole} …` : `${stripped(kept)}…`;
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
        // A name such as "-itis" begins as an absent word does.
        const isQuoted = Object.values(SIGNS).includes(text[0]) || (sign && text.includes(" "));
        return isQuoted ? `${sign}"${text}"` : sign + text;
      })
      .join(joint);
  }

  // Words as a person would type them. Commas keep words apart that would be read as one phrase without.
  function typedAs(wanted, box) {
    const plain = written(wanted), isSame = JSON.stringify(read(plain, box).typed) === JSON.stringify(wanted);
    return isSame ? plain : written(wanted, ", ");
  }

  // Spellings of a word in a state, the plainest first.
  function formsOf(text, state) {
    const [sign] = Object.entries(OrreryClauses.SIGN_OF).find(([, given]) => given === state), quoted = `${sign}"${text}"`;
    if (state === "present") return [text, sign + text, quoted];
    return text.includes(" ") ? [quoted, sign + text] : [sign + text, quoted];
  }

  // The first text that is read as these words; else a list of them with their signs.
  function firstReadAs(wanted, texts) {
    const sorted = (words) => JSON.stringify(words.map(({ key, state }) => [key, state]).sort());
    const isSame = (text) => {
      const found = read(text);
      return !found.contradictions.length && sorted(found.typed) === sorted(wanted);
    };
    const listed = () => wanted.filter(({ token }) => token >= 0).map(({ text, state }) => formsOf(text, state).at(-1)).join(", ");
    return texts.find(isSame) ?? listed();
  }

  // The text with another spelling of some words, by their tokens, wherever they occur.
  function withForms({ text, items }, forms) {
    const parts = [];
    let last = 0;
    for (const { token, begin, end } of items)
      if (forms.has(token)) {
        parts.push(text.slice(last, begin), forms.get(token));
        last = end;
      }
    return parts.join("") + text.slice(last);
  }

  // The text with another spelling of a word in place of its denial.
  function withoutDenial({ text, items }, token, form) {
    const found = items.filter((item) => item.token === token), [item] = found;
    if (found.length !== 1 || !item.denial) return [];
    const begin = text.lastIndexOf(item.denial, item.begin - item.denial.length);
    return [text.slice(0, begin) + text.slice(begin + item.denial.length, item.begin).trimStart() + form + text.slice(item.end)];
  }

  // The text with one of its words in another state. A denial of the word alone is left out.
  function switched(question, key, state) {
    const { typed, box, body } = question;
    const wanted = typed.map((word) => (word.key === key ? { ...word, state } : word));
    if (OrreryModel.recipe.matrix) {
      const word = typed.find((one) => one.key === key && one.token >= 0);
      if (!word || word.state === state) return question.text;
      // Without a sign, a denied word is absent.
      const forms = [word.text, ...formsOf(word.text, state)];
      return firstReadAs(wanted, [
        ...forms.flatMap((form) => withoutDenial(question, word.token, form)), ...forms.map((form) => withForms(question, new Map([[word.token, form]]))),
      ]);
    }
    // Behind a whole text stand the words that are absent or unknown, with their signs.
    if (body) {
      const within = new Set(wordsOfText(body).map(({ token }) => token));
      const more = wanted.filter((word) => word.state === "present" && !within.has(word.token));
      const signed = wanted.filter((word) => word.state !== "present");
      return [body, written(more), written(signed)].filter(Boolean).join(" ");
    }
    return typedAs(wanted, box);
  }

  // The text with one more word in a state.
  function withWord({ typed, box, body, text: asked }, token, state) {
    const text = OrreryModel.wordText(OrreryModel.vocabulary[token]);
    const wanted = [...typed, { text, state, token, key: "word:" + text }];
    if (OrreryModel.recipe.matrix)
      return firstReadAs(wanted, formsOf(text, state).map((form) => asked + (asked.trim() ? ", " : "") + form));
    if (body) return `${body} ${written(wanted.slice(-1))}`;
    return typedAs(wanted, box);
  }

  // ---- what was guessed in reading a query to a ready-made vocabulary ----

  // Words whose reading depends on a denial, each with its other state: the denied ones, and those
  // after the comma at which a denial ends.
  function denialSwitches({ typed, items }) {
    const other = { absent: "present", present: "absent" };
    const guessed = items.filter(({ denial, state, isAfterDenial }) => (denial && state) || (isAfterDenial && state === "present"));
    const tokens = new Set(guessed.map(({ token }) => token));
    const words = typed.filter(({ token }) => token >= 0 && tokens.has(token));
    if (!words.some(({ state }) => state === "absent")) return [];
    return words.filter(({ state }) => other[state]).map((word) => ({ word, state: other[word.state] }));
  }

  // The text that makes the present words absent, too, after the comma at which a denial ends.
  function allDenied(question) {
    const words = denialSwitches(question).filter(({ state }) => state === "absent").map(({ word }) => word);
    if (!words.length) return question.text;
    const denied = new Set(words.map(({ token }) => token));
    const wanted = question.typed.map((word) => (denied.has(word.token) ? { ...word, state: "absent" } : word));
    const longest = (forms) => (forms[0].length > forms[1].length ? forms[0] : forms[1]);
    const texts = [(forms) => forms[0], longest].map((choose) =>
      withForms(question, new Map(words.map(({ text, token }) => [token, choose(formsOf(text, "absent"))]))));
    return firstReadAs(wanted, texts);
  }

  // Whether two terms are parts of a phrase, without signs, and both denied or both not.
  function areBeside(text, first, second) {
    const isPart = ({ isSigned, state, inner, token, text: name }) =>
      !isSigned && state && !inner.length && (token >= 0 || !isNegation(name));
    const gap = text.slice(first.end, second.begin), within = new Set(OrreryModel.clauses.inner);
    const isPhrase = first.denial === second.denial && isPart(first) && isPart(second) && !gap.includes("\n");
    return isPhrase && gap.split(/\s+/).filter(Boolean).every((word) => within.has(word.toLowerCase()));
  }

  // Phrases such as "pain in the jaw" of which the model knows one term, which is used.
  function partsUsed({ items, text }) {
    const { wordText } = OrreryModel, owner = items.map(() => -1), belonging = new Map(), found = new Map();
    for (let n = items.length - 1; n >= 0; n--) {
      if (items[n].token >= 0) owner[n] = n;
      else if (n + 1 < items.length && areBeside(text, items[n], items[n + 1])) owner[n] = owner[n + 1];
    }
    for (let n = 1; n < items.length; n++)
      if (owner[n] < 0 && items[n].token < 0 && areBeside(text, items[n - 1], items[n])) owner[n] = owner[n - 1];
    owner.forEach((known, n) => {
      if (known < 0) return;
      if (!belonging.has(known)) belonging.set(known, []);
      belonging.get(known).push(items[n]);
    });
    for (const [known, own] of belonging) {
      const strangers = own.filter((item) => item.token < 0);
      if (!strangers.length) continue;
      const phrase = text.slice(own[0].begin, own.at(-1).end).split(/\s+/).join(" ");
      found.set(phrase, { phrase, token: items[known].token, strangers: strangers.map((item) => wordText(item.text)) });
    }
    return [...found.values()];
  }

  // Unknown words of which a note says what is used and what is not.
  function notedStrangers(question) {
    const terms = question.items.filter(({ inner }) => inner.length).map(({ text }) => OrreryModel.wordText(text));
    return new Set([...partsUsed(question).flatMap(({ strangers }) => strangers), ...terms]);
  }

  // A term as it is typed behind the sign of a state, which overrides a denial.
  const signedForm = (text, state) => formsOf(text, state).find((form) => form !== text && form.includes('"') === text.includes(" "));

  return { read, denialSwitches, allDenied, partsUsed, notedStrangers, signedForm, readTyped, isWholeText, isNegation, isDenial, nameOf, evidence, written, switched, withWord, NEXT, STATES };
})();
