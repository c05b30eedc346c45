// The page of one answer: its picture, the topics that are on, what is selected, and why.

const OrreryQuery = (function () {
  "use strict";

  const WORDS_SHOWN = 6, MOST_LISTED = 4;
  const { nameOf, wordText, vocabulary, words, nTopics, tokenNumber, topicNumber, isOrdinary } = OrreryModel;
  const { make, button, linkTo, row } = OrreryPieces;
  const { figures, plural, listed } = OrreryFigures;
  const { isOn } = OrreryAnswer;
  const address = OrreryAddress;

  // ---- what is said above the picture ----

  function remarks({ strangers, contradictory }) {
    const said = [];
    if (strangers.length === 1)
      said.push(`The model does not know ${listed([strangers[0].text])}, so it is ignored here.`);
    if (strangers.length > 1)
      said.push(`The model does not know ${listed(strangers.map(({ text }) => text))}, so they are ignored here.`);
    if (contradictory.length)
      said.push(`Typed both as present and as absent, taken as present: ${contradictory.join(", ")}.`);
    return said.map((text) => make("p", "note", text));
  }

  function nothingToShow({ strangers }) {
    if (!strangers.length) return "No word here counts; very common ones are left out. Type others.";
    return `The model knows none of these words: ${listed(strangers.map(({ text }) => text))}. Try words from its texts.`;
  }

  // Few words are little evidence against many absent ones: offers to leave the others open.
  function offer({ question, posterior, shown }) {
    if (!posterior.evidence.closedWorld || [...shown.values()].some(isOn)) return [];
    const open = OrreryAnswer.ask(question, address.held(address.read()), false);
    const count = [...open.shown.values()].filter(isOn).length;
    if (!count) return [];
    const are = plural(count, "topic is", "topics are");
    const text = `Nothing is on if all other words are absent; ${are} on if they are unknown.`;
    const take = button("", "offer", () => address.go({ others: null }), "Treat them as unknown");
    return [make("p", "note offer", make("span", "", text), take)];
  }

  // How far off the figures may be where draws ran out.
  function roughness(posteriors) {
    if (posteriors.every(({ isPrecise }) => isPrecise)) return [];
    const most = 2 * Math.max(...posteriors.map(({ largestError }) => largestError));
    return [make("p", "faint", `The figures are rough here, to within ±${(Math.ceil(100 * most) / 100).toFixed(2)}.`)];
  }

  // ---- the picture ----

  // One for all pages, so that a click that changes the page leaves its zoom and what was dragged.
  const host = make("div", "graph"), root = host.attachShadow({ mode: "open" });
  root.append(make("style", "", OrreryModel.picture_style), make("div", "orrery-graph"));
  const { strings } = OrreryModel.picture;
  let waiting = null;

  const hidden = (where) => new Set((where.get("hide") || "").split(",").filter(Boolean));

  function switched(where, name) {
    const next = hidden(where);
    if (!next.delete(name)) next.add(name);
    address.go(name === "quiet" ? { quiet: where.get("quiet") ? null : "1" } : { hide: [...next].sort().join(",") || null });
  }

  // Puts a picture into the page; it is drawn once it is there and has its room. `turn` switches a
  // node, and `name` is that of its files.
  function pictureOf(data, where, turn, name) {
    const selected = where.get("sel") || "";
    const acts = {
      clicked: (key) => address.go({ sel: key === selected || key === "nothing" ? null : key }),
      opened: (key) => { if (nodeOf(key) !== undefined) location.hash = address.pageOf(nodeOf(key)); },
      switched: (key) => switched(where, key),
      turned: turn,
    };
    waiting = {
      data: {
        ...data, selected, answers: Infinity, opens: true, turns: true, buttons: strings.buttons, keys: strings.keys,
        save: { name: name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "query" },
      },
      parentElement: root, setTriggerValue: (act, [, value]) => acts[act](value),
    };
    return host;
  }

  function drawPicture() {
    if (waiting && host.isConnected) OrreryPicture.drawLocalModel(waiting);
    waiting = null;
  }

  // What the picture loses when it is moved to another page, to be given back there.
  function heldByPicture() {
    const focused = root.activeElement, stage = root.querySelector(".stage"), left = stage?.scrollLeft;
    return () => {
      focused?.focus({ preventScroll: true });
      if (stage) stage.scrollLeft = left;
    };
  }

  // ---- beside the picture ----

  const tellingWords = (topic) =>
    words[topic].slice(0, WORDS_SHOWN).map(([token]) => wordText(vocabulary[token])).join(", ");

  // Node of a key; undefined where the model has none.
  function nodeOf(key) {
    const name = key.slice(key.indexOf(":") + 1), token = tokenNumber.get(name) ?? tokenNumber.get(name.replaceAll(" ", "_"));
    if (key.startsWith("topic:")) return topicNumber.get(name);
    return key.startsWith("unknown:") || token === undefined ? undefined : nTopics + token;
  }

  // What is selected: its name, which leads to its page, and what is said of it.
  function card(selected, said) {
    const name = selected.slice(selected.indexOf(":") + 1);
    if (selected.startsWith("unknown:"))
      return [make("section", "chosen", make("h2", "", name), make("p", "faint", "The model does not know this word."))];
    const node = nodeOf(selected);
    if (node === undefined) return [];
    const made = make("section", "chosen", make("h2", "", linkTo(node)));
    made.append(...said(node).map((line) => make("p", "faint", line)));
    return [made];
  }

  function saidOf({ shown, before }, node) {
    if (node >= nTopics) return [];
    const lines = [`${OrreryModel.topic_ids[node]} · ${tellingWords(node)}`], now = shown.get(node);
    const how = address.held(address.read()).get(node);
    if (now) lines.push(how ? `held ${how} by hand` : `probability ${figures(now)}`);
    if (before?.has(node)) lines.push(`without what is held: ${figures(before.get(node))}`);
    return lines;
  }

  function onList({ shown, posterior }) {
    const held = address.held(address.read()), isHeld = (topic) => held.has(topic);
    const made = make("section", "on", make("h2", "", "Topics that are on"));
    for (const [topic, estimate] of shown)
      if (isOn(estimate)) made.append(row(linkTo(topic), isHeld(topic) ? "held" : figures(estimate), estimate.probability, tellingWords(topic)));
    if (made.children.length > 1) return [made];
    const [first] = shown;
    made.append(make("p", "faint", first
      ? `No topic is on. The nearest is “${nameOf(first[0])}” with ${figures(first[1])}; ${advice(posterior.evidence.present)}.`
      : "No topic is on, and none is linked with these words."));
    return [made];
  }

  // What to do, or that the words tell of no topic at all.
  function advice(present) {
    if (!present.length || !present.every((token) => isOrdinary(nTopics + token))) return "another word may help";
    if (present.length > MOST_LISTED) return "all these words mostly occur without any topic";
    const names = present.map((token) => wordText(vocabulary[token]));
    return `${listed(names)} mostly ${names.length > 1 ? "occur" : "occurs"} without any topic`;
  }

  function beside(answers, selected, said) {
    return [
      ...(selected ? card(selected, said) : []),
      ...OrreryWhatIf.switchOf(answers, selected),
      ...OrreryWhatIf.heldList(),
    ];
  }

  // ---- all of it ----

  function page(answer, where, turn) {
    const selected = where.get("sel") || "", data = OrreryChosen.picture(answer, hidden(where), Boolean(where.get("quiet")));
    const empty = data.nodes.length ? [] : [make("p", "faint", "Everything is switched off in the legend. Switch something on to see it.")];
    const picture = make("div", "picture", pictureOf(data, where, turn, `query ${OrreryQuestion.written(answer.question.typed)}`), ...empty,
      ...roughness([answer.posterior]),
      make("p", "faint hint", "Click to select, shift click to switch, double click to open."));
    const side = make("div", "side", ...beside([answer], selected, (node) => saidOf(answer, node)), ...onList(answer));
    const why = make("div", "reasons", ...OrreryWhyPanel.panel(answer, selected));
    return [...offer(answer), ...OrrerySenses.chips(answer), make("div", "answer", picture, side, why)];
  }

  return { page, remarks, nothingToShow, roughness, beside, tellingWords, pictureOf, drawPicture, heldByPicture };
})();
