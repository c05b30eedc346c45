// The page of one topic or word, with its links.

const OrreryTopics = (function () {
  "use strict";

  const { nTopics, isTopic, isShown, nameOf, parentsOf, childrenOf, mainParent, shelfOf, shelves } = OrreryModel;
  const { make, linkTo, column } = OrreryPieces;
  function one(node) {
    const path = [];
    for (let above = mainParent[node]; above >= 0; above = mainParent[above]) path.unshift(above);
    const home = make("a", "", OrreryAddress.read().get("q") ? "Answer" : "All topics");
    home.href = OrreryAddress.withChanges({ topic: null, word: null });
    const trail = make("p", "path", home, ...path.flatMap((topic) => [" › ", linkTo(topic)]));
    const columns = make("div", "columns");
    const below = isTopic(node) ? childrenOf(node).filter((link) => isTopic(link.node)) : [];
    columns.append(column("Above", parentsOf(node), !isTopic(node)
      ? "No topic brings this word; it occurs by chance only."
      : below.length ? "Nothing: one of the most general topics." : "No topics above."));
    if (isTopic(node)) {
      const words = OrreryModel.words[node].map(([token, probability]) => ({ node: nTopics + token, probability }));
      columns.append(column("Below", below, "No topics below."), column("Words", words, "No words."));
    }
    return [trail, make("h1", "", nameOf(node)), make("p", "sentence", described(node)), columns,
      ...(isTopic(node) ? OrreryCourse.parts(node) : [])];
  }

  function described(node) {
    if (!isTopic(node)) return "A word, and the topics that bring it.";
    const { topic_ids, labels, made_labels } = OrreryModel;
    const own = OrrerySizes.said(OrrerySizes.own(node)), all = OrrerySizes.said(OrrerySizes.withBelow(node));
    const said = [topic_ids[node], `on in ${own}`];
    if (all !== own) said.push(`with the topics below it in ${all}`);
    if (labels[node] !== made_labels[node]) said.push(`its words: ${made_labels[node]}`);
    if (shelfOf[node] >= 0) said.push(`on the shelf ${shelves[shelfOf[node]]}`);
    if (!isShown(node)) said.push("hidden in pictures");
    return said.join(" · ");
  }

  return { one };
})();
