// Selection of what is drawn of an answer, as core/drawing/selection.py and local_model.py make it, and
// the data of its picture.

const OrreryChosen = (function () {
  "use strict";

  const INFLUENCES = 3, WORD_IMPORTANCE = 2;
  const {
    on: ON, quiet: QUIET, off_shown: OFF_SHOWN, alternatives: ALTERNATIVES, most_alternatives: MOST_ALTERNATIVES,
    long_query: LONG_QUERY, links_kept: LINKS_KEPT, sure_errors: SURE_ERRORS,
  } = OrreryModel.thresholds;
  const {
    nTopics, nameOf, keyOf, isShown, isTopic, whole, wordless, parentsOf, parentPtr, parentIdx, weight, topic_ids, height,
  } = OrreryModel;
  const { strings } = OrreryModel.picture;
  const { figures, percent, plural, isUnsure } = OrreryFigures;
  const { isOn } = OrreryAnswer, { STATES } = OrreryQuestion;
  const { compose } = OrreryPicture.composer(OrreryModel.picture);

  // ---- topics ----

  // Topics too improbable to be drawn unless asked for. The strongest topics of each word are not
  // among them: they are the meanings that the other words ruled out.
  function faintTopics({ evidence: { present, on, off } }, shown) {
    const meanings = present
      .flatMap((token) => parentsOf(nTopics + token).slice(0, ALTERNATIVES))
      .sort((a, b) => b.probability - a.probability);
    const isRuledOut = ({ node }) => shown.has(node) && !isOn(shown.get(node));
    const ruledOut = [...new Set(meanings.filter(isRuledOut).map(({ node }) => node))];
    const kept = new Set([...ruledOut.slice(0, MOST_ALTERNATIVES), ...[...on, ...off].map(whole)]);
    const last = [...shown.values()].filter((estimate) => !isOn(estimate))[OFF_SHOWN - 1];
    const least = Math.max(QUIET, last?.probability ?? 0);
    return new Set([...shown.keys()].filter((topic) => shown.get(topic).probability < least && !kept.has(topic)));
  }

  // A topic that was drawn before any topic was held stays: the picture shows what became of it.
  function quietTopics({ posterior, shown, free, before }) {
    const faint = faintTopics(posterior, shown), faintBefore = before ? faintTopics(free, before) : faint;
    return new Set([...faint].filter((topic) => faintBefore.has(topic)));
  }

  // Topics in the order of the model, which the layout begins with.
  const inOrder = ({ topics }, shown) => [...new Set(topics.map(whole))].filter((topic) => shown.has(topic));

  function standing(estimate) {
    const state = isOn(estimate) ? "on" : "off", said = isUnsure(estimate.probability) ? `${strings.unsure}, rather ${state}` : state;
    return `${said}, probability ${figures(estimate)}`;
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
      hover: [label, `${code} · ${standing(estimate)}`, ...note, ...(influences.get(topic) ?? [])],
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
      unsure: unsure ? [sign("unsure")] : [],
      words: STATES.filter((state) => state !== "present" && states.has(state)).map(sign),
      pin: nHeld ? [sign("pin")] : [],
      hidden: nHidden ? [{ kind: "fold", text: `+${nHidden} hidden` }] : [],
    };
  }

  function legend(counts, typed, hide, showQuiet) {
    const turned = (kind, text, name) => ({ kind, text, switch: name, pressed: !hide.has(name) });
    const { unsure, words, pin, hidden } = statesLegend(typed, counts.unsure, counts.held, counts.hidden);
    const quiet = `+${plural(counts.quiet, "quiet topic", "quiet topics")}`;
    return [
      turned("on", `${strings.on} ${counts.on}`, "on"), turned("off", `${strings.off} ${counts.off}`, "off"), ...unsure,
      turned("present", strings.present, "words"), ...words, ...pin,
      ...(counts.quiet ? [{ kind: "fold", text: quiet, switch: "quiet", pressed: showQuiet }] : []), ...hidden, ...EDGES,
    ];
  }

  // ---- all of it ----

  // Data of the picture of an answer; `hide` names kinds that are not drawn.
  function picture(answer, hide, showQuiet) {
    const { question: { typed }, posterior, shown, free, before, hidden } = answer, { evidence } = posterior;
    const links = localLinks([posterior]), influences = influencesOf(links, shown);
    const held = new Set([...evidence.on, ...evidence.off].map(whole));
    const quiet = quietTopics(answer), folded = showQuiet ? new Set() : quiet;
    const seen = (found, without) => found.filter(([topic, { kind }]) => !without.has(topic) && !hide.has(kind)).map(([, node]) => node);
    const topics = inOrder(posterior, shown).map((topic) =>
      [topic, topicNode(topic, shown.get(topic), { before: before?.get(topic), held, influences })]);
    const words = hide.has("words") ? [] : typed.map((word) => wordNode(word, influences));
    const nodes = [...seen(topics, folded), ...words];
    const outer = new Set(outerWords(posterior));
    const isStrong = (node) => (isTopic(node) ? shown.get(node)?.probability > ON : !outer.has(node));
    const edges = edgesOf(typed.length > LONG_QUERY ? strongestLinks(links) : links, isStrong);
    const settled = before ? [...seen(
      inOrder(free, before).map((topic) => [topic, topicNode(topic, before.get(topic))]),
      showQuiet ? new Set() : faintTopics(free, before)), ...words] : [];
    const on = topics.filter(([, { kind }]) => kind === "on").length, off = topics.length - on - folded.size;
    const counts = {
      on, off, quiet: quiet.size, hidden: hidden.length, held: topics.filter(([, { clamped }]) => clamped).length,
      unsure: nodes.some(({ probability }) => probability !== undefined && isUnsure(probability)),
    };
    const description = `Local model of the query: ${on} topics on, ${off} topics off, ${typed.length} words.`;
    const made = compose({ nodes, edges, settled, description, legend: legend(counts, typed, hide, showQuiet) });
    if (made.edges.some(({ strong }) => !strong)) made.legend.push({ kind: "edge-pale", text: strings.ends_off });
    return made;
  }

  return { picture, localLinks, edgesOf, wordNode, statesLegend, EDGES };
})();
