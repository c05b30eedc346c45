// The model that the page holds: its numbers, its names, and the links between what is shown.

const OrreryModel = (function () {
  "use strict";

  const stronger = (a, b) => b.probability - a.probability || a.node - b.node;
  const data = JSON.parse(document.getElementById("data").textContent);
  const nTopics = data.topic_ids.length;
  const parentPtr = numbers(data.parent_ptr, Int32Array), parentIdx = numbers(data.parent_idx, Int32Array);
  const weight = numbers(data.weight, Float64Array), leak = numbers(data.leak, Float64Array);
  const hiddenTopics = new Set(data.hidden), wordless = new Set(data.wordless), setAside = new Set(data.set_aside), shownAs = new Map(data.shown_as);
  const prior = numbers(data.prior, Float32Array);
  const strength = (e) => -Math.expm1(-weight[e]);

  function numbers(text, Kind) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Kind(bytes.buffer);
  }

  // Children of every topic, strongest first; the sum of the weights to them; and the layer of
  // every node from the words upward.
  function downward() {
    const children = Array.from({ length: nTopics }, () => []);
    const height = new Int32Array(parentPtr.length - 1), childTotal = new Float64Array(nTopics);
    for (let node = height.length - 1; node >= 0; node--) {
      if (node < nTopics && !height[node]) height[node] = 1;
      for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++) {
        const parent = parentIdx[e];
        children[parent].push({ node, probability: strength(e) });
        childTotal[parent] += weight[e];
        height[parent] = Math.max(height[parent], height[node] + 1);
      }
    }
    children.forEach((links) => links.sort(stronger));
    return { children, height, childTotal };
  }

  const { children, height, childTotal } = downward();
  const wordText = (word) => word.replaceAll("_", " ");
  const tokenNumber = new Map(data.vocabulary.map((word, token) => [word, token]));
  const shownNumber = new Map(data.vocabulary.map((word, token) => [wordText(word), token]));
  const isTopic = (node) => node < nTopics;
  const nameOf = (node) => (isTopic(node) ? data.labels[node] : wordText(data.vocabulary[node - nTopics]));

  // A topic may be shown as part of another one, which then has the links of both.
  const whole = (node) => shownAs.get(node) ?? node;
  const partsOf = (node) => [node, ...[...shownAs].filter(([, shown]) => shown === node).map(([part]) => part)];

  function united(node, links) {
    const best = new Map();
    for (const link of links) {
      const other = whole(link.node);
      if (other !== node && !wordless.has(other) && !(best.has(other) && best.get(other) >= link.probability))
        best.set(other, link.probability);
    }
    return [...best].map(([other, probability]) => ({ node: other, probability })).sort(stronger);
  }

  function parentsOf(node) {
    const links = [];
    for (const part of partsOf(node))
      for (let e = parentPtr[part]; e < parentPtr[part + 1]; e++)
        links.push({ node: parentIdx[e], probability: strength(e) });
    return united(node, links);
  }

  // Whether no topic has a part in most occurrences of a word, its topics taken as independent.
  function isOrdinary(node) {
    const chance = -Math.expm1(-leak[node]);
    let untold = 1;
    for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++) untold *= 1 - prior[parentIdx[e]] * strength(e);
    return 2 * chance * untold > 1 - (1 - chance) * untold;
  }

  return Object.freeze({
    ...data, nTopics, parentPtr, parentIdx, weight, leak, children, height, childTotal, hiddenTopics, wordless, setAside,
    totalLeak: leak.reduce((sum, value) => sum + value, 0),
    // `displayedPrior` is the prior probability of a topic or one of the parts that are shown as it;
    // `family` includes all topics below it.
    prior, displayedPrior: numbers(data.displayed_prior, Float32Array), family: numbers(data.family, Float32Array),
    // What brings each node most often, and it hangs from; -1 where it hangs from nothing.
    mainParent: numbers(data.main_parent, Int32Array),
    // Number of each topic's shelf, -1 for none; the names of the shelves are in `shelves`.
    shelfOf: numbers(data.shelf_of, Int32Array),
    tokenNumber,
    // Number of a word as it is stored, or as the app shows it; undefined if there is none.
    tokenOf: (word) => tokenNumber.get(word) ?? shownNumber.get(wordText(word)),
    topicNumber: new Map(data.topic_ids.map((name, topic) => [name, topic])),
    wordText, isTopic, isOrdinary, nameOf, whole, partsOf, parentsOf,
    // A person may have hidden a topic; one without words is never shown.
    isShown: (node) => !hiddenTopics.has(node) && !wordless.has(node),
    childrenOf: (topic) => united(topic, partsOf(topic).flatMap((part) => children[part])),
    // Key of a node in pictures and in the address, as the app has it.
    keyOf: (node) => (isTopic(node) ? "topic:" + data.topic_ids[node] : "word:" + nameOf(node)),
  });
})();
