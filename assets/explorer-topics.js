// Pages of the model itself: all topics in families, and one topic or word with its links.

const OrreryTopics = (function () {
  "use strict";

  const LEAST_LINK = 0.02, FAMILIES_SHOWN = 60, CHILDREN_SHOWN = 6;
  const { nTopics, prior, family, isTopic, isShown, nameOf, whole, parentsOf, childrenOf } = OrreryModel;
  const { make, linkTo, column } = OrreryPieces;
  const { percent } = OrreryFigures;

  // Topics with those that hang from them by their strongest link.
  function families() {
    const below = new Map(), held = [];
    for (let topic = 0; topic < nTopics; topic++) {
      if (!isShown(topic) || whole(topic) !== topic) continue;
      const above = parentsOf(topic).find((l) => isShown(l.node) && l.probability >= LEAST_LINK);
      if (above) held.push([above.node, topic]);
      else below.set(topic, []);
    }
    for (const [parent, topic] of held) if (below.has(parent)) below.get(parent).push(topic);
    return [...below].sort(([a, x], [b, y]) => !x.length - !y.length || family[b] - family[a]);
  }

  function all() {
    const cards = make("div", "cards"), found = families();
    for (const [root, links] of found.filter(([, below]) => below.length).slice(0, FAMILIES_SHOWN)) {
      links.sort((a, b) => family[b] - family[a]);
      const card = make("div", "card", linkTo(root), ...links.slice(0, CHILDREN_SHOWN).map((t) => linkTo(t)));
      if (links.length > CHILDREN_SHOWN)
        card.append(make("span", "faint", `+${links.length - CHILDREN_SHOWN} topics below`));
      cards.append(card);
    }
    const alone = found.filter(([, links]) => !links.length).map(([root]) => root);
    if (alone.length) {
      const links = alone.slice(0, FAMILIES_SHOWN).map((topic) => linkTo(topic));
      links[0].style.fontWeight = "inherit";
      cards.append(make("div", "card", ...links));
    }
    const hidden = OrreryModel.hiddenTopics.size ? ` +${OrreryModel.hiddenTopics.size} hidden.` : "";
    const sentence = "Each stands below its strongest parent; open one to see all its links." + hidden;
    return [make("h1", "", "All topics"), make("p", "sentence", sentence), cards];
  }

  function one(node) {
    const path = [];
    for (let above = parentsOf(node); above.length; above = parentsOf(path[0])) path.unshift(above[0].node);
    const home = make("a", "", OrreryAddress.read().get("q") ? "Answer" : "All topics");
    home.href = OrreryAddress.withChanges({ topic: null, word: null });
    const trail = make("p", "path", home, ...path.flatMap((topic) => [" › ", linkTo(topic)]));
    const columns = make("div", "columns");
    columns.append(column("Above", parentsOf(node), isTopic(node)
      ? "Nothing: one of the most general topics."
      : "No topic brings this word; it occurs by chance only."));
    if (isTopic(node)) {
      const below = childrenOf(node).filter((link) => isTopic(link.node));
      const words = OrreryModel.words[node].map(([token, probability]) => ({ node: nTopics + token, probability }));
      columns.append(column("Below", below, "No topics below."), column("Words", words, "No words."));
    }
    return [trail, make("h1", "", nameOf(node)), make("p", "sentence", described(node)), columns];
  }

  function described(node) {
    if (!isTopic(node)) return "A word, and the topics that bring it.";
    const { topic_ids, labels, made_labels } = OrreryModel;
    const said = [topic_ids[node], `on in ${percent(prior[node])} of all documents by the model`];
    if (percent(family[node]) !== percent(prior[node])) said.push(`with the topics below it in ${percent(family[node])}`);
    if (labels[node] !== made_labels[node]) said.push(`its words: ${made_labels[node]}`);
    if (!isShown(node)) said.push("hidden in pictures");
    return said.join(" · ");
  }

  return { all, one };
})();
