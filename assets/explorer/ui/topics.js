// The page of one topic or word, with its links.

const OrreryTopics = (function () {
  "use strict";

  const { nTopics, isTopic, isShown, nameOf, parentsOf, childrenOf, mainParent, shelfOf, shelves } = OrreryModel;
  const { make, linkTo, column } = OrreryPieces;
  const { say } = OrreryStrings;

  function one(node) {
    const path = [];
    for (let above = mainParent[node]; above >= 0; above = mainParent[above]) path.unshift(above);
    const home = make("a", "", OrreryAddress.read().get("q") ? "Answer" : say("whole"));
    home.href = OrreryAddress.withChanges({ topic: null, word: null });
    const trail = make("p", "path", home, ...path.flatMap((topic) => [" › ", linkTo(topic)]));
    const columns = make("div", "columns");
    const below = isTopic(node) ? childrenOf(node).filter((link) => isTopic(link.node)) : [];
    columns.append(column(say("above"), parentsOf(node),
      say(!isTopic(node) ? "no_topics" : below.length ? "no_parents" : "alone")));
    if (isTopic(node)) {
      const words = OrreryModel.words[node].map(([token, probability]) => ({ node: nTopics + token, probability }));
      columns.append(column(say("below"), below, say("nothing_below")), column(say("words"), words, say("no_words")));
    }
    return [trail, make("h1", "", nameOf(node)), make("p", "sentence", described(node)), columns,
      ...(isTopic(node) ? OrreryCourse.parts(node) : [])];
  }

  function described(node) {
    if (!isTopic(node)) return say("word_title");
    const { topic_ids, labels, made_labels } = OrreryModel;
    const own = OrrerySizes.said(OrrerySizes.own(node)), all = OrrerySizes.said(OrrerySizes.withBelow(node));
    const said = [topic_ids[node], own];
    if (all !== own) said.push(say("with_below", { size: all }));
    if (OrreryModel.stability) said.push(say("found_again", { found: OrreryModel.stability.found[node], times: OrreryModel.stability.times }));
    if (labels[node] !== made_labels[node]) said.push(`its words: ${made_labels[node]}`);
    if (shelfOf[node] >= 0) said.push(`in the group ${shelves[shelfOf[node]]}`);
    if (!isShown(node)) said.push("hidden in pictures");
    return said.join(" · ");
  }

  return { one };
})();
