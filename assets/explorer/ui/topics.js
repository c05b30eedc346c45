// The page of one topic or word, with its links.

const OrreryTopics = (function () {
  "use strict";

  const { nTopics, isTopic, isShown, nameOf, parentsOf, childrenOf, mainParent, shelfOf, shelves } = OrreryModel;
  const { make, linkTo, column } = OrreryPieces;
  const { say } = OrreryStrings;
  const hasLayers = mainParent.slice(0, nTopics).some((above) => above >= 0);

  function one(node) {
    const path = [];
    for (let above = mainParent[node]; above >= 0; above = mainParent[above]) path.unshift(above);
    const isAsked = Boolean(OrreryAddress.read().get("q")), home = make("a", "", say(isAsked ? "back_to_answer" : "whole"));
    home.href = OrreryAddress.withChanges({ topic: null, word: null });
    const trail = make("p", "path", home, ...path.flatMap((topic) => [" › ", linkTo(topic)]));
    const columns = make("div", "columns"), isFlat = !OrreryModel.has_texts && !hasLayers;
    const below = isTopic(node) ? childrenOf(node).filter((link) => isTopic(link.node)) : [];
    const isAlone = isFlat && isTopic(node);
    if (!isAlone) columns.append(column(say("above"), parentsOf(node),
      say(!isTopic(node) ? "no_topics" : below.length ? "no_parents" : "alone")));
    if (isTopic(node) && !isAlone) columns.append(column(say("below"), below, say("nothing_below")));
    if (isTopic(node)) columns.append(column(say("words"), wordsOf(node), say("no_words"), say(OrreryModel.has_texts ? "words_note" : "links_note")));
    return [trail, make("h1", "", nameOf(node)), make("p", "sentence", described(node)), columns,
      ...(isTopic(node) ? OrreryCourse.parts(node) : [])];
  }

  // The words of a topic of texts, as often as they occur with it; of a graph the links to words, as in
  // pictures. By decreasing figure, as a list is read.
  function wordsOf(topic) {
    const linked = childrenOf(topic).filter((link) => !isTopic(link.node));
    const words = OrreryModel.words[topic].map(([token, probability]) => ({ node: nTopics + token, probability }));
    return (OrreryModel.has_texts ? words : linked).sort((a, b) => b.probability - a.probability);
  }

  function described(node) {
    if (!isTopic(node)) return say("word_title");
    const { topic_ids, labels, made_labels } = OrreryModel;
    const own = OrrerySizes.said(OrrerySizes.own(node)), all = OrrerySizes.said(OrrerySizes.withBelow(node));
    // A node of a graph may have its label as its id.
    const said = topic_ids[node] === labels[node] ? [own] : [topic_ids[node], own];
    if (OrreryModel.assumed_rate !== null) said.push(say("as_assumed"));
    if (all !== own) said.push(say("with_below", { size: all }));
    if (OrreryModel.stability) said.push(say("found_again", { found: OrreryModel.stability.found[node], times: OrreryModel.stability.times }));
    if (labels[node] !== made_labels[node]) said.push(say(OrreryModel.has_texts ? "made_of_words" : "named_in_graph", { name: made_labels[node] }));
    if (shelfOf[node] >= 0) said.push(`in the group ${shelves[shelfOf[node]]}`);
    if (!isShown(node)) said.push("hidden in pictures");
    return said.join(" · ");
  }

  return { one };
})();
