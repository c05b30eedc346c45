// The page: what is asked and what is open stand in the address, and everything follows from it.

(function () {
  "use strict";

  const ON = 0.5, QUIET = 0.02, OFF_SHOWN = 8, ALTERNATIVES = 2, LEAST_LINK = 0.02;
  const FOUND_SHOWN = 14, LINKS_SHOWN = 15, FAMILIES_SHOWN = 60, CHILDREN_SHOWN = 6;
  const TYPING_PAUSE = 150;

  const stronger = (a, b) => b.probability - a.probability || a.node - b.node;
  const model = unpack(JSON.parse(document.getElementById("data").textContent));
  const view = document.getElementById("view"), queryBox = document.getElementById("query");
  const findBox = document.getElementById("find"), found = document.getElementById("found");

  // ---- the model ----

  function numbers(text, Kind) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Kind(bytes.buffer);
  }

  function termsOf({ coefficient, rate, error }) {
    const arrays = { coefficient: numbers(coefficient, Float64Array), rate: numbers(rate, Float64Array) };
    return { ...arrays, error };
  }

  function unpack(data) {
    const nTopics = data.topic_ids.length;
    const made = {
      ...data,
      nTopics,
      parentPtr: numbers(data.parent_ptr, Int32Array),
      parentIdx: numbers(data.parent_idx, Int32Array),
      weight: numbers(data.weight, Float64Array),
      leak: numbers(data.leak, Float64Array),
      prior: numbers(data.prior, Float32Array),
      hiddenTopics: new Set(data.hidden),
      shownAs: new Map(data.shown_as),
      tokenNumber: new Map(data.vocabulary.map((word, token) => [word, token])),
      topicNumber: new Map(data.topic_ids.map((name, topic) => [name, topic])),
      terms: termsOf(data.terms),
      coarse: termsOf(data.coarse),
    };
    return Object.assign(made, downward(made));
  }

  // Children of every topic, strongest first, and the layer of every node from the words upward.
  function downward({ nTopics, parentPtr, parentIdx, weight }) {
    const children = Array.from({ length: nTopics }, () => []);
    const height = new Int32Array(parentPtr.length - 1);
    for (let node = height.length - 1; node >= 0; node--) {
      if (node < nTopics && !height[node]) height[node] = 1;
      for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++) {
        const parent = parentIdx[e];
        children[parent].push({ node, probability: -Math.expm1(-weight[e]) });
        height[parent] = Math.max(height[parent], height[node] + 1);
      }
    }
    children.forEach((links) => links.sort(stronger));
    return { children, height };
  }

  const wordText = (word) => word.replaceAll("_", " ");
  const isTopic = (node) => node < model.nTopics;
  const nameOf = (node) =>
    isTopic(node) ? model.labels[node] : wordText(model.vocabulary[node - model.nTopics]);
  const isShown = (node) => !model.hiddenTopics.has(node);

  // A topic may be shown as part of another one, which then has the links of both.
  const whole = (node) => model.shownAs.get(node) ?? node;
  const partsOf = (node) => [node, ...[...model.shownAs].filter(([, shown]) => shown === node).map(([part]) => part)];

  function united(node, links) {
    const best = new Map();
    for (const link of links) {
      const other = whole(link.node);
      if (other !== node && !(best.has(other) && best.get(other) >= link.probability))
        best.set(other, link.probability);
    }
    return [...best].map(([other, probability]) => ({ node: other, probability })).sort(stronger);
  }

  function parentsOf(node) {
    const links = [];
    for (const part of partsOf(node))
      for (let e = model.parentPtr[part]; e < model.parentPtr[part + 1]; e++)
        links.push({ node: model.parentIdx[e], probability: -Math.expm1(-model.weight[e]) });
    return united(node, links);
  }

  const childrenOf = (topic) => united(topic, partsOf(topic).flatMap((part) => model.children[part]));

  function percent(probability) {
    const value = 100 * probability;
    if (value > 0 && value < 0.1) return "<0.1\u00a0%";
    return (value > 0 && value < 1 ? value.toFixed(1) : value.toFixed(0)) + "\u00a0%";
  }

  function figures(probability) {
    if (probability > 0 && probability < 0.005) return "<0.01";
    if (probability >= 0.995 && probability < 1) return ">0.99";
    return probability.toFixed(2);
  }

  // ---- the address ----

  const address = () => new URLSearchParams(location.hash.slice(1));

  function addressWith(changes) {
    const next = address();
    for (const name in changes) {
      if (changes[name]) next.set(name, changes[name]);
      else next.delete(name);
    }
    return "#" + next.toString();
  }

  function keyOf(node) {
    return isTopic(node)
      ? { topic: model.topic_ids[node], word: "" }
      : { word: model.vocabulary[node - model.nTopics], topic: "" };
  }

  function openedNode(where) {
    const topic = model.topicNumber.get(where.get("topic"));
    if (topic !== undefined) return whole(topic);
    const token = model.tokenNumber.get(where.get("word"));
    return token === undefined ? -1 : model.nTopics + token;
  }

  // ---- pieces of the page; every text goes in as text ----

  function make(tag, className, ...content) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...content);
    return made;
  }

  function linkTo(node, className) {
    const made = make("a", className, nameOf(node));
    made.href = addressWith(keyOf(node));
    return made;
  }

  function row(node, probability, small) {
    const bar = make("i", "");
    bar.style.width = 100 * Math.min(1, probability) + "%";
    const line = make("div", "line", make("span", "", linkTo(node)), make("span", "", percent(probability)));
    const made = make("div", "row", line, make("div", "bar", bar));
    if (small) made.append(make("small", "", small));
    return made;
  }

  function column(title, links, nothing) {
    const shown = links.slice(0, LINKS_SHOWN);
    const made = make("section", "", make("h2", "", title));
    made.append(...shown.map((link) => row(link.node, link.probability)));
    if (!links.length) made.append(make("p", "faint", nothing));
    const rest = links.length - shown.length;
    if (rest > 0) made.append(make("p", "faint", `and ${rest} weaker`));
    return made;
  }

  const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

  // ---- everything: families of topics ----

  function showAll() {
    const below = new Map(), held = [];
    for (let topic = 0; topic < model.nTopics; topic++) {
      if (!isShown(topic) || whole(topic) !== topic) continue;
      const above = parentsOf(topic).find((l) => isShown(l.node) && l.probability >= LEAST_LINK);
      if (above) held.push([above.node, topic]);
      else below.set(topic, []);
    }
    for (const [parent, topic] of held) if (below.has(parent)) below.get(parent).push(topic);
    const families = [...below].sort(
      ([a, x], [b, y]) => !x.length - !y.length || model.prior[b] - model.prior[a]
    );
    const cards = make("div", "cards");
    const together = families.filter(([, links]) => links.length).slice(0, FAMILIES_SHOWN);
    for (const [root, links] of together) {
      links.sort((a, b) => model.prior[b] - model.prior[a]);
      const card = make("div", "card", linkTo(root), ...links.slice(0, CHILDREN_SHOWN).map((t) => linkTo(t)));
      if (links.length > CHILDREN_SHOWN)
        card.append(make("span", "faint", `+${links.length - CHILDREN_SHOWN} topics below`));
      cards.append(card);
    }
    const alone = families.filter(([, links]) => !links.length).map(([root]) => root);
    if (alone.length) {
      const links = alone.slice(0, FAMILIES_SHOWN).map((topic) => linkTo(topic));
      links[0].style.fontWeight = "inherit";
      cards.append(make("div", "card", ...links));
    }
    const hidden = model.hiddenTopics.size ? ` +${model.hiddenTopics.size} hidden.` : "";
    const sentence = "Each stands below its strongest parent; open one to see all its links." + hidden;
    view.replaceChildren(make("h1", "", "All topics"), make("p", "sentence", sentence), cards);
  }

  // ---- one topic or word ----

  function showNode(node) {
    const path = [];
    for (let above = parentsOf(node); above.length; above = parentsOf(path[0])) path.unshift(above[0].node);
    const trail = make("p", "path");
    const home = make("a", "", address().get("q") ? "Answer" : "All topics");
    home.href = addressWith({ topic: "", word: "" });
    trail.append(home, ...path.flatMap((topic) => [" › ", linkTo(topic)]));
    const parts = [trail, make("h1", "", nameOf(node)), make("p", "sentence", described(node))];
    const columns = make("div", "columns");
    columns.append(column("Above", parentsOf(node), isTopic(node)
      ? "Nothing: one of the most general topics."
      : "No topic brings this word; it occurs by chance only."));
    if (isTopic(node)) {
      const below = childrenOf(node).filter((link) => isTopic(link.node));
      const words = model.words[node].map(([token, probability]) => ({ node: model.nTopics + token, probability }));
      columns.append(column("Below", below, "No topics below."), column("Words", words, "No words."));
    }
    view.replaceChildren(...parts, columns);
  }

  function described(node) {
    if (!isTopic(node)) return "A word, and the topics that bring it.";
    const said = [model.topic_ids[node], `on in ${percent(model.prior[node])} of all documents by the model`];
    if (model.labels[node] !== model.made_labels[node]) said.push(`its words: ${model.made_labels[node]}`);
    if (!isShown(node)) said.push("hidden in pictures");
    return said.join(" · ");
  }

  // ---- a query ----

  function showAnswer(where) {
    const question = OrreryText.read(model.recipe, model.tokenNumber, where.get("q"));
    const remarks = [];
    if (question.unknown.length) remarks.push(`Not known, so it counts for nothing: ${question.unknown.join(", ")}.`);
    if (!question.present.length) {
      const sentence = question.unknown.length
        ? "Try words from its texts." : "No word here counts; type words that a topic could be about.";
      view.replaceChildren(make("p", "note", [...remarks, sentence].join(" ")));
      return;
    }
    const closed = where.get("others") === "absent";
    const answer = OrreryInference.infer(model, question.present, question.absent, closed);
    const topics = answer.topics
      .map((topic, i) => ({ topic, probability: answer.probability[i] }))
      .sort((a, b) => b.probability - a.probability);
    view.dataset.answer = JSON.stringify({
      bound: answer.bound,
      topics: topics.map(({ topic, probability }) => [model.topic_ids[topic], probability]),
      unknown: question.unknown,
    });
    const shown = together(topics);
    const nHidden = new Set(topics.map(({ topic }) => whole(topic)).filter((t) => !isShown(t))).size;
    const on = shown.filter(({ probability }) => probability > ON);
    const list = make("section", "on", make("h2", "", "Topics that are on"));
    list.append(...on.map(({ topic, probability }) => onRow(topic, probability)));
    if (!on.length) list.append(make("p", "faint", nearest(shown)));
    const left = make("div", "", ...pictureOf(question, shown, nHidden, where));
    const parts = remarks.map((text) => make("p", "note", text));
    view.replaceChildren(...parts, make("div", "answer", left, list));
  }

  // What is shown, the likeliest first; of topics shown as one, whether any of them is on.
  function together(topics) {
    const off = new Map();
    for (const { topic, probability } of topics)
      off.set(whole(topic), (off.get(whole(topic)) ?? 1) * (1 - probability));
    return [...off]
      .filter(([topic]) => isShown(topic))
      .map(([topic, none]) => ({ topic, probability: 1 - none }))
      .sort((a, b) => b.probability - a.probability);
  }

  function onRow(topic, probability) {
    const words = model.words[topic].slice(0, 6).map(([token]) => wordText(model.vocabulary[token]));
    const made = row(topic, probability, words.join(", "));
    made.querySelector(".line span:last-child").textContent = figures(probability);
    return made;
  }

  function nearest(shown) {
    if (!shown.length) return "No topic is on, and none is linked with these words.";
    const [first] = shown;
    return `No topic is on. The nearest is “${nameOf(first.topic)}” with ${figures(first.probability)}.`;
  }

  function pictureOf(question, shown, nHidden, where) {
    const hide = new Set((where.get("hide") || "").split(",").filter(Boolean));
    const kept = new Set(question.present.flatMap((token) =>
      parentsOf(model.nTopics + token).slice(0, ALTERNATIVES).map((link) => link.node)));
    const off = shown.filter(({ probability }) => probability <= ON);
    const faintest = Math.max(QUIET, off.length >= OFF_SHOWN ? off[OFF_SHOWN - 1].probability : 0);
    const isQuiet = ({ topic, probability }) => probability < faintest && !kept.has(topic);
    const nQuiet = shown.filter(isQuiet).length;
    const drawn = shown.filter((t) => where.get("quiet") || !isQuiet(t));
    const nodes = drawn.map(topicNode).filter((node) => !hide.has(node.kind));
    if (!hide.has("words")) nodes.push(...wordNodes(question));
    const counts = {
      on: drawn.filter(({ probability }) => probability > ON).length,
      off: drawn.filter(({ probability }) => probability <= ON).length,
      quiet: nQuiet, hidden: nHidden,
    };
    const stage = make("div", "stage");
    if (nodes.length)
      stage.append(OrreryPicture.draw(nodes, linksOf(nodes), `Picture of ${plural(nodes.length, "node", "nodes")}`, openKey));
    else stage.append(make("p", "faint", "Everything is switched off above. Switch something on to see it."));
    return [keysOf(question, counts, hide, where), stage];
  }

  function topicNode({ topic, probability }) {
    const code = model.topic_ids[topic], kind = probability > ON ? "on" : "off";
    return {
      key: "topic:" + code, topic, node: topic, kind, probability, code, label: nameOf(topic),
      figures: figures(probability), layer: model.height[topic],
      hover: `${nameOf(topic)}\n${code} · ${kind}, probability ${figures(probability)}`,
    };
  }

  function wordNodes(question) {
    const known = (token, kind) => {
      const node = model.nTopics + token, label = nameOf(node);
      return { key: "word:" + model.vocabulary[token], node, kind, label, layer: 0, hover: label };
    };
    return [
      ...question.present.map((token) => known(token, "present")),
      ...question.absent.map((token) => known(token, "absent")),
      ...question.unknown.map((word) => ({
        key: "unknown:" + word, node: -1, kind: "unknown", label: word, layer: 0, hover: word + "\nnot known",
      })),
    ];
  }

  function linksOf(nodes) {
    const byNode = new Map(nodes.map((node) => [node.node, node]));
    return nodes.flatMap((child) => child.node < 0 ? [] : parentsOf(child.node)
      .filter((link) => byNode.has(link.node))
      .map((link) => ({ parent: byNode.get(link.node), child, probability: link.probability })));
  }

  function keysOf(question, counts, hide, where) {
    const made = make("div", "keys");
    const add = (kind, text, name, isPressed, next) => {
      const sign = make("i", kind, kind === "on" ? "●" : kind === "off" ? "○" : "");
      const entry = make(name ? "button" : "span", name ? "" : "sign", sign, text);
      if (name) {
        entry.type = "button";
        entry.setAttribute("aria-pressed", isPressed);
        entry.addEventListener("click", () => (location.hash = addressWith(next)));
      }
      made.append(entry);
    };
    const turn = (kind) => {
      const next = new Set(hide);
      if (!next.delete(kind)) next.add(kind);
      return { hide: [...next].sort().join(",") };
    };
    add("on", `on ${counts.on}`, "on", !hide.has("on"), turn("on"));
    add("off", `off ${counts.off}`, "off", !hide.has("off"), turn("off"));
    add("present", "word", "words", !hide.has("words"), turn("words"));
    if (question.absent.length) add("absent", "word said absent");
    if (question.unknown.length) add("unknown", "word not known");
    if (counts.quiet) {
      const isOpen = Boolean(where.get("quiet"));
      const text = `+${plural(counts.quiet, "quiet topic", "quiet topics")}`;
      add("fold", text, "quiet", isOpen, { quiet: isOpen ? "" : "1" });
    }
    if (counts.hidden) add("fold", `+${counts.hidden} hidden`);
    return made;
  }

  function openKey(key) {
    const place = key.indexOf(":");
    const kind = key.slice(0, place), other = kind === "topic" ? "word" : "topic";
    location.hash = addressWith({ [kind]: key.slice(place + 1), [other]: "" });
  }

  // ---- finding ----

  function find() {
    const wanted = findBox.value.toLowerCase().trim().split(/\s+/).join(" ");
    if (!wanted) return found.replaceChildren(...home());
    const nodes = new Set();
    model.labels.forEach((label, topic) => {
      if (label.toLowerCase().includes(wanted) || model.topic_ids[topic].toLowerCase() === wanted) nodes.add(whole(topic));
    });
    model.vocabulary.forEach((word, token) => {
      if (wordText(word).toLowerCase() !== wanted) return;
      nodes.add(model.nTopics + token);
      parentsOf(model.nTopics + token).forEach((link) => link.probability >= 0.01 && nodes.add(link.node));
    });
    model.vocabulary.forEach((word, token) => {
      if (wordText(word).toLowerCase().startsWith(wanted)) nodes.add(model.nTopics + token);
    });
    const links = [...nodes].slice(0, FOUND_SHOWN).map((node) => {
      const made = linkTo(node, "found");
      made.append(" ", make("span", "code", isTopic(node) ? model.topic_ids[node] : "word"));
      return made;
    });
    if (!links.length) links.push(make("p", "faint", `Nothing is called “${findBox.value.trim()}”.`));
    if (nodes.size > FOUND_SHOWN) links.push(make("p", "faint", `${nodes.size - FOUND_SHOWN} more found.`));
    found.replaceChildren(...links);
  }

  function home() {
    const all = make("a", "found", "All topics");
    all.href = "#";
    return [all];
  }

  // ---- all of it ----

  function draw() {
    const where = address(), node = openedNode(where), query = where.get("q") || "";
    if (document.activeElement !== queryBox || !query) queryBox.value = query;
    const others = where.get("others") === "absent" ? "absent" : "unknown";
    document.querySelector(`input[name=others][value=${others}]`).checked = true;
    delete view.dataset.answer;
    if (node >= 0) showNode(node);
    else if (query.trim()) showAnswer(where);
    else showAll();
    find();
  }

  function ask() {
    const others = document.querySelector("input[name=others]:checked").value;
    const next = addressWith({
      q: queryBox.value, topic: "", word: "", hide: "", quiet: "", others: others === "absent" ? others : "",
    });
    if (next === location.hash) return;
    // Typing makes no history of half words.
    history.replaceState(null, "", next);
    draw();
  }

  document.querySelector(".name").textContent = model.title;
  document.querySelector(".size").textContent =
    `${plural(model.nTopics, "topic", "topics")}, ${plural(model.vocabulary.length, "word", "words")}`;
  let waiting = 0;
  queryBox.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, TYPING_PAUSE);
  });
  document.getElementById("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  document.querySelectorAll("input[name=others]").forEach((box) => box.addEventListener("change", ask));
  findBox.addEventListener("input", find);
  window.addEventListener("hashchange", draw);
  draw();
})();
