// What of a local model is worth drawing, and as which boxes and arrows; as core/drawing/selection.py.

const OrreryChosen = (function () {
  "use strict";

  const INFLUENCES = 3;
  const {
    quiet: QUIET, off_shown: OFF_SHOWN, alternatives: ALTERNATIVES, most_alternatives: MOST_ALTERNATIVES,
    long_query: LONG_QUERY, links_kept: LINKS_KEPT,
  } = OrreryModel.thresholds;
  const { nTopics, nameOf, keyOf, isShown, whole, parentsOf, topic_ids, height } = OrreryModel;
  const { figures, percent } = OrreryFigures;
  const { isOn } = OrreryAnswer;
  const MEANING = { present: "word", absent: "word said absent", unknown: "word not known" };

  // Topics too improbable to be drawn unless asked for. The strongest topics of each word are not
  // among them: they are the meanings that the other words ruled out. Where topics are held, the
  // picture is that without, so that all boxes keep their places, and what is on now.
  function quietTopics({ posterior, shown, before }) {
    const { present, on, off } = posterior.evidence, usual = before ?? shown;
    const meanings = present
      .flatMap((token) => parentsOf(nTopics + token).slice(0, ALTERNATIVES))
      .sort((a, b) => b.probability - a.probability);
    const isRuledOut = ({ node }) => usual.has(node) && !isOn(usual.get(node));
    const ruledOut = [...new Set(meanings.filter(isRuledOut).map(({ node }) => node))];
    const kept = new Set([...ruledOut.slice(0, MOST_ALTERNATIVES), ...[...on, ...off].map(whole)]);
    const faintest = [...usual.values()].filter((estimate) => !isOn(estimate))[OFF_SHOWN - 1];
    const least = Math.max(QUIET, faintest ? faintest.probability : 0);
    const isFaint = (topic) => !(usual.get(topic)?.probability >= least);
    const isQuiet = ([topic, now]) => isFaint(topic) && !kept.has(topic) && !isOn(now);
    return new Set([...shown].filter(isQuiet).map(([topic]) => topic));
  }

  // The probability in its box, and what it was where holding others by hand has moved it.
  function topicFigures(estimate, before, held) {
    if (held) return isOn(estimate) ? "held on" : "held off";
    const now = figures(estimate), was = before ? figures(before) : now;
    return now === was ? now : `${was} → ${now}`;
  }

  function topicNode(answer, topic, estimate) {
    const code = topic_ids[topic], label = nameOf(topic), kind = isOn(estimate) ? "on" : "off";
    const before = answer.before?.get(topic);
    const { on, off } = answer.posterior.evidence;
    const held = [...on, ...off].some((one) => whole(one) === topic);
    const hover = [label, `${code} · ${kind}, probability ${figures(estimate)}`];
    if (before) hover.push(OrreryStrings.say("before", { figures: figures(before) }));
    return {
      key: keyOf(topic), isTopic: true, node: topic, kind, code, label, held, hover,
      layer: height[topic], probability: estimate.probability,
      figures: topicFigures(estimate, before, held),
      // Holding a topic moves no other to another row.
      pull: (before ?? estimate).probability,
    };
  }

  function wordNode(word) {
    const node = word.token < 0 ? -1 : nTopics + word.token;
    const hover = [word.text, word.token < 0 ? "the model does not know this word" : MEANING[word.state]];
    return { key: word.key, isTopic: false, node, kind: word.state, label: word.text, layer: 0, hover };
  }

  // Links between what is drawn; of a long query each box keeps the strongest from above.
  function linksOf(nodes, isLong) {
    const byNode = new Map(nodes.map((node) => [node.node, node]));
    return nodes.filter((child) => child.node >= 0).flatMap((child) =>
      parentsOf(child.node)
        .filter(({ node }) => byNode.has(node) && isShown(node))
        .slice(0, isLong ? LINKS_KEPT : Infinity)
        .map(({ node, probability }) => ({ parent: byNode.get(node), child, probability })));
  }

  // Adds to every box what the strongest links at it say, each by what it does here.
  function addInfluences(nodes, links) {
    const felt = new Map(nodes.map((node) => [node, []]));
    for (const { parent, child, probability } of links) {
      const weight = probability * parent.probability;
      felt.get(child).push([weight, `from ${parent.label}: ${percent(probability)}`]);
      felt.get(parent).push([weight, `to ${child.label}: ${percent(probability)}`]);
    }
    for (const [node, lines] of felt)
      node.hover.push(...lines.sort(([a], [b]) => b - a).slice(0, INFLUENCES).map(([, line]) => line));
  }

  // Boxes and arrows of an answer; `hide` names kinds that are not drawn.
  function picture(answer, hide, showQuiet) {
    const { typed } = answer.question, quiet = quietTopics(answer);
    const topics = [...answer.shown]
      .filter(([topic]) => showQuiet || !quiet.has(topic))
      .map(([topic, estimate]) => topicNode(answer, topic, estimate))
      .sort((a, b) => b.pull - a.pull);
    const nodes = topics.filter(({ kind }) => !hide.has(kind));
    if (!hide.has("words")) nodes.push(...typed.map(wordNode));
    const links = linksOf(nodes, typed.length > LONG_QUERY);
    addInfluences(nodes, links);
    const count = (isCounted) => topics.filter(isCounted).length;
    return {
      nodes, links,
      counts: {
        on: count(({ kind }) => kind === "on"), off: count(({ kind }) => kind === "off"),
        unsure: count((node) => !node.held && OrreryFigures.isUnsure(node.probability)),
        held: count(({ held }) => held), quiet: quiet.size, hidden: answer.nHidden,
      },
    };
  }

  return { picture, linksOf, wordNode };
})();
