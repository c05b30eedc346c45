// Selection of what is drawn of an answer, as core/drawing/selection.py and local_model.py make it, and
// the data of its picture.

const OrreryChosen = (function () {
  "use strict";

  const INFLUENCES = 3, WORD_IMPORTANCE = 2;
  const {
    on: ON, quiet: QUIET, off_shown: OFF_SHOWN, alternatives: ALTERNATIVES, most_alternatives: MOST_ALTERNATIVES,
    long_query: LONG_QUERY, links_kept: LINKS_KEPT, sure_errors: SURE_ERRORS, text_words_shown: TEXT_WORDS_SHOWN,
  } = OrreryModel.thresholds;
  const {
    nTopics, nameOf, keyOf, isShown, isTopic, whole, wordless, parentsOf, parentPtr, parentIdx, weight, leak, topic_ids, height,
  } = OrreryModel;
  const { strings } = OrreryModel.picture;
  const { figures, percent, isUnsure, groupOf } = OrreryFigures;
  const { isOn } = OrreryAnswer, { STATES } = OrreryQuestion;
  const { compose } = OrreryPicture.composer(OrreryModel.picture);

  // ---- topics ----

  // Topics too improbable to be drawn unless asked for. The strongest topics of each word are not
  // among them: they are the meanings that the other words ruled out. Causes in a graph are no meanings.
  // No word is without any of its topics.
  function faintTopics({ evidence: { present, on, off } }, shown, isText) {
    const meanings = (isText || !OrreryModel.has_texts ? [] : present)
      .flatMap((token) => parentsOf(nTopics + token).slice(0, ALTERNATIVES))
      .sort((a, b) => b.probability - a.probability);
    const isOff = (topic) => groupOf(shown.get(topic)) === "off";
    const isRuledOut = ({ node }) => shown.has(node) && isOff(node);
    const ruledOut = [...new Set(meanings.filter(isRuledOut).map(({ node }) => node))];
    const kept = new Set([...ruledOut.slice(0, MOST_ALTERNATIVES), ...[...on, ...off].map(whole)]);
    const allOff = [...shown.keys()].filter(isOff), last = shown.get(allOff[OFF_SHOWN - 1]);
    const least = isText ? 1 : Math.max(QUIET, last?.probability ?? 0);
    const faint = new Set(allOff.filter((topic) => shown.get(topic).probability < least && !kept.has(topic)));
    for (const token of isText ? [] : present) {
      const topics = parentsOf(nTopics + token).map(({ node }) => node).filter((topic) => shown.has(topic));
      const probability = (topic) => shown.get(topic).probability;
      if (topics.length && topics.every((topic) => faint.has(topic)))
        faint.delete(topics.reduce((best, topic) => (probability(topic) > probability(best) ? topic : best)));
    }
    return faint;
  }

  // Tokens that the topics of a whole text explain best: the best of every topic first, then the second.
  function supportingWords({ local, probability, evidence }, shown) {
    const byTopic = new Map();
    for (const token of [...evidence.present].sort((a, b) => a - b)) {
      const node = nTopics + token, pulls = new Map();
      let total = leak[node];
      for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++) {
        const k = local.place.get(parentIdx[e]);
        if (k === undefined) continue;
        const topic = whole(parentIdx[e]), pull = weight[e] * probability[k];
        total += pull;
        if (shown.has(topic) && groupOf(shown.get(topic)) !== "off") pulls.set(topic, (pulls.get(topic) ?? 0) + pull);
      }
      const [best, pull] = [...pulls].reduce((one, other) => (other[1] > one[1] ? other : one), [-1, 0]);
      if (best >= 0 && pull > leak[node]) byTopic.set(best, [...(byTopic.get(best) ?? []), [pull / total, token]]);
    }
    const order = ([a, one], [b, other]) => b - a || one - other;
    const ranked = [...byTopic.values()].flatMap((words) => words.sort(order).map(([share, token], rank) => [rank, share, token]));
    ranked.sort(([a, ...one], [b, ...other]) => a - b || order(one, other));
    return new Set(ranked.slice(0, TEXT_WORDS_SHOWN).map(([, , token]) => token));
  }

  // The words of a query that are drawn: of a whole text those that support its topics.
  function drawnWords({ question: { typed, body }, posterior, shown }) {
    // The page names the unknown words; here they would look like words that are left open.
    const known = typed.filter(({ token }) => token >= 0);
    if (!body) return known;
    const kept = supportingWords(posterior, shown);
    return known.filter(({ state, token }) => state !== "present" || kept.has(token));
  }

  // A topic that was drawn before any topic was held stays: the picture shows what became of it.
  function quietTopics({ question: { body }, posterior, shown, free, before }) {
    const isText = Boolean(body), faint = faintTopics(posterior, shown, isText);
    const faintBefore = before ? faintTopics(free, before, isText) : faint;
    return new Set([...faint].filter((topic) => faintBefore.has(topic)));
  }

  // Topics in the order of the model, which the layout begins with.
  const inOrder = ({ topics }, shown) => [...new Set(topics.map(whole))].filter((topic) => shown.has(topic));

  function standing(estimate) {
    const state = isOn(estimate) ? strings.on : strings.off;
    const said = isUnsure(estimate.probability) ? OrreryStrings.say("rather", { state }) : state;
    return OrreryStrings.say("standing", { state: said, figures: figures(estimate) });
  }

  // The probability, and what it was where holding others by hand has moved it by more than both
  // errors may do.
  function topicFigures(estimate, before, isHeld) {
    if (isHeld) return strings.clamped[isOn(estimate) ? "on" : "off"];
    const now = figures(estimate), was = before ? figures(before) : now;
    const moved = before && Math.abs(estimate.probability - before.probability) > SURE_ERRORS * Math.hypot(estimate.error, before.error);
    return moved && now !== was ? `${was} → ${now}` : now;
  }

  function topicNode(topic, estimate, { before, held = new Set(), influences = new Map() } = {}) {
    const code = topic_ids[topic], label = nameOf(topic), clamped = held.has(topic);
    const note = before ? [OrreryStrings.say("before", { figures: figures(before) })] : [];
    return {
      key: keyOf(topic), kind: isOn(estimate) ? "on" : "off", code, label, clamped, layer: height[topic],
      probability: estimate.probability, figures: topicFigures(estimate, before, clamped),
      importance: clamped ? WORD_IMPORTANCE : estimate.probability,
      // A node of a graph may have its label as its id.
      hover: [label, code === label ? standing(estimate) : `${code} · ${standing(estimate)}`, ...note, ...(influences.get(topic) ?? [])],
    };
  }

  // ---- words and links ----

  function wordNode({ key, text, state, token }, influences = new Map()) {
    const meaning = token < 0 ? strings.stranger : strings[state];
    return {
      key, kind: state, label: text, layer: 0, importance: WORD_IMPORTANCE,
      hover: [text, meaning, ...(token < 0 ? [] : influences.get(nTopics + token) ?? [])],
    };
  }

  // Given words that are no nodes of the local model: those absent or left open.
  function outerWords({ local, evidence }) {
    const inner = new Set(local.node);
    return STATES.flatMap((state) => evidence[state]).map((token) => nTopics + token).filter((node) => !inner.has(node));
  }

  // Links of local models between what is shown, strongest first: all of their edges, and those from
  // their topics to the words outside.
  function localLinks(posteriors) {
    const best = new Map();
    const add = (parent, child, e) => {
      const ends = [whole(parent), whole(child)], name = ends.join(), probability = -Math.expm1(-weight[e]);
      if (ends[0] === ends[1] || ends.some((node) => wordless.has(node) || (isTopic(node) && !isShown(node)))) return;
      if (!(best.get(name)?.probability >= probability)) best.set(name, { parent: ends[0], child: ends[1], probability });
    };
    for (const posterior of posteriors) {
      const { local, topics } = posterior;
      local.node.forEach((node, i) => {
        for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++) add(local.topics[local.parent[e]], node, local.edge[e]);
      });
      const among = new Set(topics);
      for (const node of outerWords(posterior))
        for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++) if (among.has(parentIdx[e])) add(parentIdx[e], node, e);
    }
    return [...best.values()].sort((a, b) => b.probability - a.probability);
  }

  // Of a long query each word and topic keeps the strongest links from above.
  function strongestLinks(links) {
    const above = new Map();
    for (const link of links) above.set(link.child, [...(above.get(link.child) ?? []), link]);
    return [...above.values()].flatMap((some) => some.slice(0, LINKS_KEPT));
  }

  // Lines about the strongest links at every node, each by what it does here.
  function influencesOf(links, shown) {
    const felt = new Map(), add = (node, line) => felt.set(node, [...(felt.get(node) ?? []), line]);
    for (const { parent, child, probability } of links) {
      const here = probability * shown.get(parent).probability;
      add(child, [here, `from ${nameOf(parent)}: ${percent(probability)}`]);
      add(parent, [here, `to ${nameOf(child)}: ${percent(probability)}`]);
    }
    const strongest = (lines) => lines.sort(([a, one], [b, other]) => b - a || (one < other ? 1 : -1)).slice(0, INFLUENCES);
    return new Map([...felt].map(([node, lines]) => [node, strongest(lines).map(([, line]) => line)]));
  }

  const edgesOf = (links, isStrong) => links.map(({ parent, child, probability }) =>
    ({ parent: keyOf(parent), child: keyOf(child), probability, strong: isStrong(parent) && isStrong(child) }));

  // ---- legend ----

  const EDGES = strings.edges.map((text, step) => ({ kind: `edge${step}`, text }));

  function statesLegend(typed, unsure, nHeld, nHidden) {
    const states = new Set(typed.map(({ state }) => state)), sign = (kind) => ({ kind, text: strings[kind] });
    return {
      unsure: unsure ? [{ kind: "unsure", text: strings.unsure_limits }] : [],
      words: STATES.filter((state) => state !== "present" && states.has(state)).map(sign),
      pin: nHeld ? [sign("pin")] : [],
      hidden: nHidden ? [{ kind: "fold", text: `+${nHidden} hidden` }] : [],
    };
  }

  function legend(counts, typed, hide, showQuiet) {
    const turned = (kind, text, name) => ({ kind, text, switch: name, pressed: !hide.has(name) });
    const { words, pin, hidden } = statesLegend(typed, false, counts.held, counts.hidden);
    const quiet = OrreryStrings.sayCounted("quiet", counts.quiet);
    const limits = { on: "", unsure: ` (${strings.limits})`, off: "" };
    return [
      ...["on", "unsure", "off"].map((name) => turned(name, `${strings[name]} ${counts[name]}${limits[name]}`, name)),
      ...(counts.quiet ? [{ kind: "fold", text: quiet, switch: "quiet", pressed: showQuiet }] : []),
      turned("present", strings.present, "words"), ...words, ...pin, ...hidden, ...EDGES,
    ];
  }

  // ---- all of it ----

  // Data of the picture of an answer; `hide` names kinds that are not drawn.
  function picture(answer, hide, showQuiet) {
    const { question: { body }, posterior, shown, free, before, hidden } = answer, { evidence } = posterior;
    const typed = drawnWords(answer), inText = new Set(typed.map(({ token }) => nTopics + token));
    const links = localLinks([posterior]).filter(({ child }) => !body || isTopic(child) || inText.has(child));
    const influences = influencesOf(links, shown);
    const held = new Set([...evidence.on, ...evidence.off].map(whole));
    const quiet = quietTopics(answer), folded = showQuiet ? new Set() : quiet;
    const seen = (found, without) => found.filter(([topic, node]) => !without.has(topic) && !hide.has(groupOf(node))).map(([, node]) => node);
    const topics = inOrder(posterior, shown).map((topic) =>
      [topic, topicNode(topic, shown.get(topic), { before: before?.get(topic), held, influences })]);
    const words = hide.has("words") ? [] : typed.map((word) => wordNode(word, influences));
    const nodes = [...seen(topics, folded), ...words];
    const outer = new Set(outerWords(posterior));
    const isStrong = (node) => (isTopic(node) ? shown.get(node)?.probability > ON : !outer.has(node));
    const edges = edgesOf(typed.length > LONG_QUERY ? strongestLinks(links) : links, isStrong);
    const settled = before ? [...seen(
      inOrder(free, before).map((topic) => [topic, topicNode(topic, before.get(topic))]),
      showQuiet ? new Set() : faintTopics(free, before, Boolean(body))), ...words] : [];
    const count = (name) => topics.filter(([, node]) => groupOf(node) === name).length;
    const counts = {
      on: count("on"), unsure: count("unsure"), off: count("off"), words: typed.length,
      quiet: quiet.size, hidden: hidden.length, held: topics.filter(([, { clamped }]) => clamped).length,
    };
    const description = OrreryStrings.say("described", { on: counts.on, unsure: counts.unsure, off: counts.off, words: counts.words });
    const made = compose({ nodes, edges, settled, description, legend: legend(counts, typed, hide, showQuiet) });
    if (made.edges.some(({ strong }) => !strong)) made.legend.push({ kind: "edge-pale", text: strings.ends_off });
    return made;
  }

  return { picture, drawnWords, localLinks, edgesOf, wordNode, statesLegend, EDGES };
})();
