// Part "Taken together": the most probable states of all topics, and how probable the words are.

const OrreryTogether = (function () {
  "use strict";

  const {
    many_words: MANY_WORDS, least_unlisted: LEAST_UNLISTED, least_state: LEAST_STATE, least_best: LEAST_BEST,
    most_in_state: MOST_IN_STATE, on: ON,
  } = OrreryModel.thresholds;
  const { nameOf, whole, hiddenTopics, has_texts: hasTexts } = OrreryModel;
  const { make } = OrreryPieces;
  const { figures, listed } = OrreryFigures;
  const { say, sayKind } = OrreryStrings;
  const TIMES = 1.5, LEAST = 1e-9, MOST_LOG = 700, MANY_TIMES = 1000;
  const known = new WeakMap();

  // What was worked out for a posterior is kept as long as it is.
  function statesOf(posterior) {
    if (!known.has(posterior)) known.set(posterior, OrreryStates.mostProbable(posterior, OrreryModel.explanations));
    return known.get(posterior);
  }

  // States of the topics that are shown, the most probable first: those that differ only in hidden
  // topics, or in topics joined with others, are one, of which not all may have been found.
  function shownStates({ states }, topics) {
    const lines = new Map();
    for (const { on, probability } of states) {
      const shown = [...new Set(on.map(whole))].filter((topic) => !hiddenTopics.has(topic)).sort((a, b) => a - b);
      const line = lines.get(shown.join()) ?? { on: shown, share: 0, count: 0 };
      lines.set(shown.join(), { ...line, share: line.share + probability, count: line.count + 1 });
    }
    const partsOf = (topic) => topics.filter((one) => whole(one) === topic).length;
    const nHidden = topics.filter((topic) => hiddenTopics.has(whole(topic))).length;
    const unlisted = 1 - states.reduce((sum, { probability }) => sum + probability, 0);
    const countOf = (on) => on.reduce((count, topic) => count * (2 ** partsOf(topic) - 1), 2 ** nHidden);
    return [...lines.values()]
      .map(({ on, share, count }) => ({ on, share, isBound: unlisted >= LEAST_UNLISTED && count < countOf(on) }))
      .sort((a, b) => b.share - a.share);
  }

  const shareOf = (probability) => (probability >= LEAST_STATE ? figures({ probability }) : "<0.01");
  const figureOf = ({ share, isBound }) =>
    isBound && share >= LEAST_STATE ? say("at_least", { share: shareOf(share) }) : shareOf(share);
  // Whether the probability of every state is known and too small to be named.
  const areImprobable = (lines) => lines.every(({ share, isBound }) => !isBound && share < LEAST_BEST);
  const noBestState = (missed) =>
    missed < LEAST_BEST ? say("no_best_state") : say("no_best_found", { share: shareOf(missed) });
  const named = (topics) => listed(topics.map(nameOf), MOST_IN_STATE);

  function mostProbable(line, others) {
    const { on, share, isBound } = line, figure = figureOf(line);
    const state = on.length ? say("state", { topics: named(on), rest: sayKind("the_rest", others) }) : sayKind("no_state", others);
    // Without the digits that tell it from one half, it is not less probable than the others.
    if (figure === shareOf(ON)) return say("even_state", { state, figure });
    return say(share < ON && !isBound ? "unlikely_state" : "best_state", { state, figure });
  }

  function changed(line, first) {
    const more = line.on.filter((topic) => !first.on.includes(topic));
    const fewer = first.on.filter((topic) => !line.on.includes(topic));
    const kind = more.length && fewer.length ? "instead" : more.length ? "with" : "without";
    const topics = named(more.length ? more : fewer);
    return `${figureOf(line)} ${say(kind, { topics, others: named(fewer) })}`;
  }

  // Probability of the present words, by the product of the probability of each alone; null for one
  // word, a whole text, or a query with other evidence.
  function timesExpected({ evidence, logProbability }) {
    const { present, absent, on, off, closedWorld } = evidence;
    if (present.length < 2 || closedWorld || absent.length + on.length + off.length) return null;
    const nothing = { absent: [], unknown: [], on: [], off: [], closedWorld };
    const alone = present.map((token) => OrreryAnswer.infer({ present: [token], ...nothing }).logProbability);
    return Math.exp(Math.min(logProbability - alone.reduce((sum, value) => sum + value, 0), MOST_LOG));
  }

  function factorOf(times) {
    if (times > MANY_TIMES) return say("many_times");
    return times.toFixed(times < 10 ? 1 : 0);
  }

  function howOften(probability, times) {
    const cases = sayKind("cases", hasTexts ? "texts" : "cases");
    const count = OrrerySizes.counted(Number((1 / probability).toPrecision(2)));
    const expected = probability >= 0.5 ? say("expected_most", { cases }) :
      probability < LEAST ? say("expected_rarely", { cases }) : say("expected", { count, cases });
    if (times === null) return `${expected}.`;
    if (times >= TIMES) return say("as_often", { expected, factor: factorOf(times) });
    if (times <= 1 / TIMES) return say("as_seldom", { expected, factor: factorOf(1 / times) });
    return say("as_unrelated", { expected });
  }

  // Nothing for a long text, whose topics have too many combinations, or without topics that are shown.
  function part({ posterior, shown }) {
    const { evidence, topics } = posterior;
    if (evidence.present.length > MANY_WORDS || !posterior.isExact || !shown.size) return [];
    const found = statesOf(posterior), [first, ...all] = shownStates(found, topics);
    // Without digits, another line tells nothing.
    const others = all.filter(({ share }) => share >= LEAST_STATE);
    const title = make("h2", "", say("together_title"));
    title.title = say("together_help");
    const made = make("section", "together", title);
    if (areImprobable([first, ...all])) made.append(make("p", "", noBestState(found.missed)));
    else {
      made.append(make("p", "", mostProbable(first, evidence.closedWorld ? "absent" : "unknown")));
      if (others.length) made.append(make("ul", "", ...others.map((line) => make("li", "", changed(line, first)))));
      if (!found.isExact) made.append(make("p", "faint", say("search_ended", { share: shareOf(found.missed) })));
    }
    made.append(make("p", "faint", howOften(Math.exp(posterior.logProbability), timesExpected(posterior))));
    return [made];
  }

  return { part, shownStates };
})();
