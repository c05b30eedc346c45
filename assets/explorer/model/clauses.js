// A query to a ready-made vocabulary as terms with their states, by the rules of core/data/clauses.py:
// signs before terms, and denials such as "no fever". Both are tested with tests/query_cases.json.

const OrreryClauses = (function () {
  "use strict";

  const { recipe, clauses, sign_states: SIGN_OF, vocabulary } = OrreryModel;
  const sets = Object.fromEntries(Object.entries(clauses).map(([name, words]) => [name, new Set(words)]));
  const { negations, denying, not_denying, cancelling, list_joints, clause_ends, denial_ends, heads, neutral, inner, ordinary, places, durations } = sets;
  const LONGEST_LIST = 60, COMMON = new Set(recipe.left_out);
  const SIGNS = Object.keys(SIGN_OF).map((sign) => (/[-\\\]^]/.test(sign) ? "\\" : "") + sign).join("");
  // A comma between two letters divides words, as in "headache,fever", unless terms contain one.
  const DIVIDER = /(?<=\p{L})[,;](?=[-?+]?"?\p{L})/u;
  const WORD = vocabulary.some((word) => DIVIDER.test(word)) ? "\\S+" : "(?:(?<![\\p{L}\"])[,;]|[,;](?![-?+]?\"?\\p{L})|[^\\s,;])+[,;]*";
  const PIECE = new RegExp(`(?<![^\\s,;])[${SIGNS}]"[^"]+"(?![^\\s.,;:!?)\\]}])|${WORD}`, "gu"), SENTENCE_END = /[.!?;]["')\]}]*$/u;
  const EDGES = /^[.,;:!?"'()[\]{}]+|[.,;:!?"'()[\]{}]+$/gu;

  const lowered = (word) => word.toLowerCase().replaceAll("’", "'");
  function isNegation(word) {
    const plain = lowered(word);
    return negations.has(plain) || denying.has(plain) || plain.endsWith("n't");
  }
  const denies = (word) => isNegation(word) && !not_denying.has(lowered(word));
  const stripped = (raw) => raw.replace(EDGES, "");

  function afterOf(raw) {
    if (SENTENCE_END.test(raw)) return "sentence";
    if (/([)\]}]|\),)$/u.test(raw)) return "denial";
    if (/:$|^[-–—]$/u.test(raw)) return "break";
    return /,"?$|^\/$/u.test(raw) ? "comma" : "";
  }

  // The words of a query, each with its sign and with what follows it.
  function split(text) {
    const found = [...text.matchAll(PIECE)];
    return found.map(({ 0: match, index: begin }, number) => {
      const sign = match.length > 1 && SIGN_OF[match[0]] ? match[0] : "", signless = sign ? match.slice(1) : match;
      const isQuoted = Boolean(sign) && signless.length > 2 && signless.startsWith('"') && signless.endsWith('"');
      const raw = isQuoted ? signless.slice(1, -1) : signless, end = begin + match.length;
      const isLineEnd = text.slice(end, found[number + 1]?.index ?? text.length).includes("\n");
      const after = isLineEnd ? "sentence" : isQuoted ? "" : afterOf(raw);
      const bare = /[\p{L}\p{N}]/u.test(raw) ? stripped(raw) : "";
      return { begin, end, raw, sign, isQuoted, after, bare, word: lowered(bare) };
    });
  }

  // Terms in typed order and ordinary words that are none.
  function read(text) {
    const pieces = split(text), items = [], leftOut = new Set();
    let place = 0, denial = null;
    // Whether a term was denied, whether one was since the denial or an "or", and whether a comma ended a denial.
    let hasDenied = false, isBegun = false, isAfterDenial = false;

    function stranger({ begin, end, bare }) {
      items.push({ begin, end, text: bare, token: -1, state: "present", isSigned: false, denial: "", inner: [], isAfterDenial: false });
    }

    function cancel() {
      if (denial && !hasDenied) stranger(denial);
      denial = null;
      hasDenied = isBegun = isAfterDenial = false;
    }

    function termAt(at) {
      const near = pieces.slice(at, at + recipe.longest_phrase), [first] = near;
      if (first.isQuoted) {
        const words = first.raw.split(/\s+/).filter(Boolean);
        let found = OrreryText.lookup([first.raw]);
        if (!found && words.length) {
          found = OrreryText.lookup(words);
          if (found?.size !== words.length) found = null;
        }
        return found && { ...found, size: 1 };
      }
      const next = near.findIndex(({ sign }, k) => k && sign);
      return OrreryText.lookup(near.slice(0, next < 0 ? near.length : next).map(({ raw }) => raw));
    }

    function inside({ raw }) {
      const tokens = [];
      for (let words = raw.split(/\s+/).filter(Boolean); words.length; ) {
        const found = OrreryText.lookup(words.slice(0, recipe.longest_phrase));
        if (found) tokens.push(found.token);
        words = words.slice(found?.size ?? 1);
      }
      return tokens;
    }

    const isNumber = (word) => /^\p{Nd}+$/u.test(word);
    const isOrdinary = ({ word }) =>
      COMMON.has(word) || denial_ends.has(word) || ordinary.has(word) || isNumber(word);

    // An unknown term at the place ends at punctuation, a sign, a denial or an ordinary word, or with a known term.
    function unknownTerm() {
      let last = place;
      for (let end = place; end < pieces.length; end++) {
        const piece = pieces[end];
        if (end > place) {
          if (piece.sign || isNegation(piece.bare)) break;
          const found = termAt(end);
          if (found) return { size: end + found.size - place, inner: [found.token] };
          if (!piece.bare || (!inner.has(piece.word) && isOrdinary(piece))) break;
        }
        if (!inner.has(piece.word)) last = end;
        if (piece.after) break;
      }
      return { size: last + 1 - place, inner: [] };
    }

    function isUnknownWord(piece) {
      const isInner = [inner, neutral, heads].some((words) => words.has(piece.word));
      return piece.bare !== "" && !isInner && !isOrdinary(piece);
    }

    // Whether a term follows an "or", after a place a known one; "any" may be between.
    function isEntry(from, last, isPlace) {
      for (let at = from; at < last; at++) {
        if (termAt(at)) return true;
        if (isUnknownWord(pieces[at])) return !isPlace;
        const { word, after } = pieces[at];
        if (after || ordinary.has(word) || isNumber(word)) return false;
      }
      return false;
    }

    // Whether "or" joins the list from the place on, as in "no fever, cough or rash".
    function closedByOr() {
      const last = Math.min(place + LONGEST_LIST, pieces.length);
      // Whether an entry of the list is right before, and whether it is a place.
      let isListed = true, isPlace = false;
      for (let at = place; at < last; ) {
        const found = termAt(at), { word } = pieces[at];
        if (!found) {
          if (list_joints.has(word) && isListed && isEntry(at + 1, last, isPlace)) return true;
          const isEnd = [denial_ends, clause_ends, durations].some((words) => words.has(word)) || isNumber(word);
          if (isEnd || denies(word)) return false;
        }
        isListed = Boolean(found) || isUnknownWord(pieces[at]);
        at += found?.size ?? 1;
        const { after } = pieces[at - 1];
        if (after && after !== "comma") return false;
        isListed ||= after === "comma";
        isPlace = (isPlace || places.has(word)) && after !== "comma";
      }
      return false;
    }

    // Punctuation ends the denial, except a comma after a verb such as "denies" or in a list with "or", and
    // a dash or a colon right after the denial.
    function pass(after, count = 1) {
      place += count;
      if (after === "sentence" || after === "denial") cancel();
      else if (after && hasDenied && !(after === "comma" && (denying.has(denial.word) || closedByOr()))) {
        cancel();
        isAfterDenial = true;
      }
    }

    function add(size, found, state, tokens = [], isSigned = false) {
      const own = pieces.slice(place, place + size), first = own[0], last = own.at(-1);
      const raw = own.map((piece) => piece.raw).join(" "), isExact = first.isQuoted || Boolean(found?.isExact);
      let { begin } = first, { end } = last;
      if (!isExact) {
        end -= raw.length - raw.replace(/[.,;:!?"'()[\]{}]+$/u, "").length;
        if (!isSigned) begin += raw.length - raw.replace(/^[.,;:!?"'()[\]{}]+/u, "").length;
      }
      items.push({
        begin, end, text: isExact ? raw : stripped(raw), token: found?.token ?? -1, state, isSigned,
        denial: denial && !isSigned ? denial.bare : "", inner: tokens, isAfterDenial: isAfterDenial && !isSigned,
      });
      hasDenied = isBegun = denial !== null;
      pass(found?.isExact ? "" : last.after, size);
    }

    function beginDenial(piece, following) {
      cancel();
      if (cancelling.has(following) && !piece.after) leftOut.add(piece.bare);
      else if (piece.after && piece.after !== "break") stranger(piece);
      else denial = piece;
      pass(piece.after);
    }

    // A word that begins no term.
    function step(piece) {
      const { word } = piece, following = pieces[place + 1]?.word ?? "";
      const isNeutral = denial && (neutral.has(word) || (heads.has(word) && following === "of"));
      if (list_joints.has(word) && denial) isBegun = false;
      else if (denies(word)) return beginDenial(piece, following);
      else if (clause_ends.has(word) || (denial_ends.has(word) && (isBegun || isAfterDenial))) cancel();
      else if (isNegation(word)) {
        stranger(piece);
        return pass(piece.after);
      } else if (!isOrdinary(piece) && !isNeutral) {
        if (!denial) return add(1, null, "present");
        const { size, inner: tokens } = unknownTerm();
        return add(size, null, "absent", tokens);
      }
      leftOut.add(piece.bare);
      pass(piece.after);
    }

    function signed(piece, found) {
      const state = SIGN_OF[piece.sign];
      if (found) add(found.size, found, state, [], true);
      else if (piece.isQuoted) add(1, null, state, inside(piece), true);
      else if (piece.bare) {
        const { size, inner: tokens } = unknownTerm();
        add(size, null, state, tokens, true);
      } else pass(piece.after);
    }

    while (place < pieces.length) {
      const piece = pieces[place], found = termAt(place);
      if (piece.sign) signed(piece, found);
      else if (found) add(found.size, found, denial ? "absent" : "present");
      else if (piece.bare) step(piece);
      else pass(piece.after);
    }
    cancel();
    // A sign is no guess, so it overrides a denial elsewhere.
    const withSign = new Set(items.filter(({ isSigned, token }) => isSigned && token >= 0).map(({ token }) => token));
    for (const item of items)
      if (item.denial && withSign.has(item.token)) Object.assign(item, { state: "", denial: "" });
    return { items: items.sort((a, b) => a.begin - b.begin), leftOut: [...leftOut] };
  }

  return { read, isNegation, SIGN_OF };
})();
