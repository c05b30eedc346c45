// Why a topic is on or off, as core/inference/explanation.py and app/views/query/reasons.py say it: every message that reaches
// it, what they come to, and what the topic would be without each piece of the evidence.

const OrreryWhy = (function () {
  "use strict";

  const LEAST_ERROR = 1e-9, TRACE = 1e-9;
  const {
    // Beliefs and posterior differ clearly by more errors than this, and by more than can be seen.
    clear_errors: CLEAR_ERRORS, clear_difference: CLEAR_DIFFERENCE,
    // More bars than this are folded into one, and one that moves nothing to be seen is no bar.
    most_bars: MOST_BARS, least_log_odds: LEAST_LOG_ODDS,
    // With more pieces of evidence, leaving out each would take too long.
    most_pieces: MOST_PIECES,
    most_named: MOST_NAMED, most_topics: MOST_TOPICS, most_against: MOST_AGAINST,
    least_words_log_odds: LEAST_WORDS_LOG_ODDS, least_topic_log_odds: LEAST_TOPIC_LOG_ODDS,
    least_named_share: LEAST_NAMED_SHARE,
  } = OrreryModel.thresholds;
  const { nTopics, nameOf } = OrreryModel;
  const { figures, groupOf, listed, percent } = OrreryFigures;
  const { say, sayCounted, sayReason } = OrreryStrings;
  const { chanceOf, chanceAbove } = OrreryMessages;
  const total = (messages) => messages.reduce((sum, { logOdds }) => sum + logOdds, 0);

  // Messages have a source, a node of the model or null, and what they add to the log-odds; those of a
  // parent also its probability by everything but the topic.
  function explain({ local, beliefs, evidence, probability, error }, topic) {
    const k = local.place.get(topic);
    const named = absentMessages(local, k, evidence);
    const messages = [
      ...messagesFromAbove(local, k, beliefs),
      ...messagesFromBelow(local, k, beliefs),
      ...named,
      // Rounding may leave a trace of what was named, or of nothing at all.
      { source: "absent", node: null, logOdds: -local.silence[k] - total(named) },
    ];
    const difference = probability[k] - chanceOf(beliefs.logOdds[k]);
    const isFree = local.state[k] === OrreryLocal.FREE;
    if (isFree && Math.abs(difference) > CLEAR_ERRORS * error[k] + CLEAR_DIFFERENCE) {
      const least = Math.max(error[k], LEAST_ERROR);
      const sure = Math.min(Math.max(probability[k], least), 1 - least);
      const logOdds = Math.log(sure / (1 - sure)) - beliefs.logOdds[k];
      messages.push({ source: "together", node: null, logOdds });
    }
    return messages;
  }

  // What all messages come to.
  const sumOf = (messages) => ({ probability: chanceOf(total(messages)) });

  // What chance alone would say, and what parents add, shared out by what each would do alone.
  function messagesFromAbove(local, k, beliefs) {
    const byChance = Math.log(local.leakOn[k] / local.leakOff[k]), parents = [];
    for (let e = local.ptr[k]; e < local.ptr[k + 1]; e++) {
      const itself = chanceAbove(e, local, beliefs);
      parents.push({ node: local.node[local.parent[e]], itself, pull: -Math.log1p(-itself * local.effect[e]) });
    }
    const all = parents.reduce((sum, { pull }) => sum + pull, 0);
    const rest = beliefs.above[k] - byChance;
    return [
      { source: "leak", node: null, logOdds: byChance },
      ...parents.map(({ node, itself, pull }) => ({ source: "parent", node, itself, logOdds: all > 0 ? (pull / all) * rest : 0 })),
    ];
  }

  function messagesFromBelow(local, k, beliefs) {
    const messages = [];
    for (let slot = local.childPtr[k]; slot < local.childPtr[k + 1]; slot++) {
      const child = local.child[slot];
      const source = child < local.nTopics ? "child" : "token";
      messages.push({ source, node: local.node[child], logOdds: beliefs.upward[local.childEdge[slot]] });
    }
    return messages;
  }

  // What each word that was said to be absent takes from a topic that would bring it.
  function absentMessages(local, k, { absent }) {
    const { parentPtr, parentIdx, weight } = OrreryModel, messages = [];
    for (const token of absent)
      for (let node = nTopics + token, e = parentPtr[node]; e < parentPtr[node + 1]; e++)
        if (parentIdx[e] === local.node[k]) messages.push({ source: "absent", node, logOdds: -weight[e] });
    return messages;
  }

  // ---- in words ----

  const REASONS = { parent: "parent", child: "child", token: "word", absent: "absent_word", together: "together" };

  function label({ source, node, logOdds }) {
    if (source === "leak") return say("itself");
    if (source === "absent" && node === null) return say("absent_words");
    return sayReason(REASONS[source], logOdds >= 0, { name: node === null ? "" : nameOf(node) });
  }

  // Bars that follow each other, from chance to the sum of all: label, start, end, logOdds, kind.
  function bars(messages, estimate) {
    const of = (source) => messages.filter((message) => message.source === source);
    const size = ({ logOdds }) => Math.abs(logOdds);
    const others = messages
      .filter(({ source, logOdds }) => source !== "leak" && source !== "together" && logOdds !== 0)
      .sort((a, b) => size(b) - size(a));
    const room = MOST_BARS - of("together").length;
    const nShown = others.length <= room ? room : room - 1;
    const shown = others.slice(0, nShown).filter((message) => size(message) >= LEAST_LOG_ODDS);
    const folded = others.slice(shown.length), rest = total(folded);
    // What speaks for the topic first, then what speaks against it, each the strongest first.
    shown.sort((a, b) => (a.logOdds < 0) - (b.logOdds < 0) || size(b) - size(a));
    const steps = [...of("leak"), ...shown].map((message) => [label(message), message.logOdds]);
    if (Math.abs(rest) >= LEAST_LOG_ODDS)
      steps.push([sayCounted("other_reasons", folded.length), rest]);
    steps.push(...of("together").map((message) => [label(message), message.logOdds]));
    return falling(steps, estimate);
  }

  // Bars that follow each other, and their sum.
  function falling(steps, estimate) {
    let level = 0;
    const made = steps.map(([text, logOdds]) => {
      const start = level;
      level += logOdds;
      return { label: text, start, end: level, logOdds, kind: logOdds >= 0 ? "for" : "against" };
    });
    made.push({ label: say("total", { figures: figures(estimate) }), start: 0, end: level, logOdds: level, kind: "sum" });
    return made;
  }

  // A topic above which is off without this one is no reason for it.
  const isReason = ({ itself }) => itself === undefined || OrreryAnswer.isOn({ probability: itself });

  const logOddsOf = (probability) => {
    const sure = Math.min(Math.max(probability, TRACE), 1 - TRACE);
    return Math.log(sure / (1 - sure));
  };

  // Messages sorted into the reasons of a short explanation: log-odds before any word, from the prior
  // probability; words and topics for the topic; what is against it; and the correction for their dependence.
  // `elsewhere` has the words without which the topic would be more probable.
  function sorted(messages, chance, elsewhere = new Set()) {
    const size = ({ logOdds }) => Math.abs(logOdds);
    // Rounding leaves traces of messages that are 0.
    const isReal = (message) => !["leak", "together"].includes(message.source) && size(message) > TRACE;
    const others = messages.filter((message) => isReason(message) && isReal(message)).sort((a, b) => size(b) - size(a));
    const speaking = others.filter(({ logOdds }) => logOdds > 0), words = speaking.filter(({ source }) => source === "token");
    const together = messages.find(({ source }) => source === "together");
    // A positive correction means that the reasons support each other, not that they overlap.
    const isOverlap = Boolean(together && together.logOdds < 0);
    const isJoint = words.length > 0 && (isOverlap || words.some(({ node }) => elsewhere.has(node)));
    return {
      words, together, base: logOddsOf(chance), topics: speaking.filter(({ source }) => source !== "token"),
      against: others.filter(({ logOdds }) => logOdds < 0), isJoint,
      nCircular: messages.filter((message) => message.source === "parent" && !isReason(message)).length,
      forWords: total(words) + (isJoint && together ? together.logOdds : 0),
    };
  }

  // Few bars, in the order of the sentences; many words, words that overlap, and words of which one is in
  // `elsewhere` are one.
  function shortBars(messages, chance, estimate, elsewhere) {
    const { words, topics, against, base, together, isJoint, forWords, nCircular } = sorted(messages, chance, elsewhere);
    const steps = [[say("leak"), base]];
    const isOne = isJoint || words.length > MOST_NAMED, isOverlap = isJoint && words.length > 1;
    if (isOne) steps.push([isOverlap ? say("joint", { names: names(words) }) : names(words), forWords]);
    const apart = isOne ? [] : words;
    const shown = [...apart.slice(0, MOST_NAMED), ...topics.slice(0, MOST_TOPICS), ...against.slice(0, MOST_AGAINST)]
      .filter(({ logOdds }) => Math.abs(logOdds) >= LEAST_LOG_ODDS);
    steps.push(...shown.map((message) => [label(message), message.logOdds]));
    // The prior counts topics above too, so that something may remain if each reason has a bar.
    const nOthers = Math.max(apart.length + topics.length + against.length - shown.length + nCircular, 1);
    const isLast = together && !isJoint;
    const rest = total(messages) - steps.reduce((sum, [, logOdds]) => sum + logOdds, 0) - (isLast ? together.logOdds : 0);
    if (Math.abs(rest) >= LEAST_LOG_ODDS) steps.push([sayCounted("other_reasons", nOthers), rest]);
    if (isLast) steps.push([label(together), together.logOdds]);
    return falling(steps, estimate);
  }

  const names = (messages) => listed(messages.map(({ node }) => nameOf(node)), MOST_NAMED);

  // How rare a topic is, and whether this was only assumed.
  function rateOf(chance) {
    const { assumed_rate: assumed } = OrreryModel, isAssumed = assumed !== null && Math.abs(chance - assumed) < 1e-6;
    return say(isAssumed ? "rate_assumed" : "rate", { share: percent(chance) });
  }

  // At most three sentences about what decides: words first, then topics. No sentence names a word in
  // `elsewhere` as a reason: without it the topic would be more probable.
  function mainReason(messages, estimate, chance, { held, free, elsewhere = new Set() } = {}) {
    if (held) return `${say("held", { state: held })} ${free ? say("without_held", { figures: figures(free) }) : ""}`.trim();
    const found = sorted(messages, chance, elsewhere), { base, against } = found, group = groupOf(estimate), sentences = [];
    const strong = found.words.filter(({ logOdds }) => logOdds >= LEAST_NAMED_SHARE * found.words[0].logOdds);
    const [words, others] = [false, true].map((isElsewhere) => strong.filter(({ node }) => elsewhere.has(node) === isElsewhere));
    const hasWords = found.forWords >= LEAST_WORDS_LOG_ODDS && words.length > 0;
    const topics = found.topics.slice(0, MOST_TOPICS).filter(({ logOdds }) => logOdds >= LEAST_TOPIC_LOG_ODDS);
    const isRarest = base < 0 && (!against.length || base <= against[0].logOdds), rate = rateOf(chance);
    const counted = (name, some) => sayCounted(name, some.length, { names: names(some), rate });
    if (group === "on") {
      if (hasWords) sentences.push(counted("words_for", words));
      if (topics.length) sentences.push(counted(hasWords ? "topics_too" : "topics_for", topics));
      if (others.length) sentences.push(counted("words_elsewhere", others));
      return sentences.join(" ") || say(base < 0 ? "neither" : "common", { share: percent(chance) });
    }
    if (hasWords) sentences.push(counted(isRarest ? "words_but_rare" : "words_but", words));
    else if (topics.length) sentences.push(counted("topics_but", topics));
    else if (isRarest && group === "off" && !others.length) sentences.push(say("rare", { rate }));
    if (others.length) sentences.push(counted("words_elsewhere", others));
    if (against.length && against[0].logOdds <= -LEAST_WORDS_LOG_ODDS && !isRarest) sentences.push(say("against", { reason: label(against[0]) }));
    return sentences.join(" ") || say("neither");
  }

  // By what a message multiplies the odds, or divides them.
  function times(logOdds) {
    const factor = Math.exp(Math.min(Math.abs(logOdds), 50));
    const text = factor > 1000 ? say("many_times") : factor < 10 ? String(+factor.toPrecision(3)) : factor.toFixed(0);
    return say(logOdds >= 0 ? "times" : "divided", { factor: text });
  }

  // ---- without one piece of the evidence ----

  // States of words that can be left out: all but those left open.
  const WORD_PIECES = OrreryQuestion.STATES.filter((state) => state !== "unknown");

  // Pieces that can be left out, each with its node and a function that gives the topic's estimate.
  function omissions({ evidence }, topic) {
    const pieces = [...WORD_PIECES, "on", "off"].flatMap((piece) =>
      evidence[piece]
        .filter((node) => WORD_PIECES.includes(piece) || node !== topic)
        .map((node) => [piece, node]));
    if (pieces.length < 2 || pieces.length > MOST_PIECES) return [];
    return pieces.map(([piece, one]) => {
      const rest = { ...evidence, [piece]: evidence[piece].filter((node) => node !== one) };
      const isWord = WORD_PIECES.includes(piece);
      return { piece, isWord, node: isWord ? nTopics + one : one, without: () => estimateOf(rest, topic) };
    });
  }

  // Of a topic that the evidence does not reach: without any; where all else is absent it is off.
  function estimateOf(evidence, topic) {
    const { estimateIn, infer } = OrreryAnswer, found = estimateIn(infer(evidence), topic);
    if (found) return found;
    return evidence.closedWorld
      ? { probability: 0, error: 0 }
      : estimateIn(infer({ ...evidence, asked: [topic] }), topic);
  }

  return { explain, sumOf, bars, shortBars, mainReason, times, omissions };
})();
