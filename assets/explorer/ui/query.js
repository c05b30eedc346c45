// The page of one answer: its picture, the topics that are on, what is selected, and why.

const OrreryQuery = (function () {
  "use strict";

  const WORDS_SHOWN = 6;
  const {
    fine_error: FINE_ERROR, sure_errors: SURE_ERRORS, most_listed: MOST_LISTED,
  } = OrreryModel.thresholds;
  const { nameOf, wordText, vocabulary, words, nTopics, tokenNumber, topicNumber, isOrdinary } = OrreryModel;
  const { make, button, linkTo, row } = OrreryPieces;
  const { figures, plural, listed } = OrreryFigures;
  const { say, sayCounted } = OrreryStrings;
  const { isOn } = OrreryAnswer;
  const address = OrreryAddress;

  // ---- what is said above the picture ----

  function remarks({ strangers }) {
    if (!strangers.length) return [];
    const unknown = listed(strangers.map(({ text }) => text));
    return [make("p", "note", sayCounted("unknown_words", strangers.length, { words: unknown }))];
  }

  function nothingToShow({ strangers }) {
    if (!strangers.length) return say("nothing_left");
    return say("nothing_known", { words: listed(strangers.map(({ text }) => text)) });
  }

  // A question that gives a word two states has no answer.
  const refusals = ({ contradictions }) => contradictions.map(({ word, first, second }) =>
    make("p", "note", say("contradiction", { word, first, second })));

  // Few words are little evidence against many absent ones: offers to leave the others open.
  function offer({ question, posterior, shown }) {
    if (!posterior.evidence.closedWorld || [...shown.values()].some(isOn)) return [];
    const open = OrreryAnswer.ask(question, address.held(address.read()), false);
    const count = [...open.shown.values()].filter(isOn).length;
    if (!count) return [];
    const take = button("", "offer", () => address.go({ others: null }), say("take_offer"));
    return [make("p", "note offer", make("span", "", sayCounted("offer", count)), take)];
  }

  // How far off the figures may be where draws ran out.
  function roughness(posteriors) {
    const error = Math.max(...posteriors.map(({ largestError }) => largestError));
    if (error <= FINE_ERROR) return [];
    const margin = (Math.ceil(100 * SURE_ERRORS * error) / 100).toFixed(2);
    return [make("p", "faint", say("roughness", { margin }))];
  }

  // ---- the picture and its legend ----

  const read = (where) => new Set((where.get("hide") || "").split(",").filter(Boolean));

  function legend(where, typed, counts) {
    const made = make("div", "keys"), hide = read(where);
    const add = (kind, text, name, isPressed, next) => {
      const sign = make("i", kind, kind === "on" ? "●" : kind === "off" ? "○" : "");
      if (!name) return made.append(make("span", "sign", sign, text));
      const entry = button("", "hide-" + name, () => address.go(next), sign, text);
      entry.setAttribute("aria-pressed", isPressed);
      made.append(entry);
    };
    const turned = (kind) => {
      const next = new Set(hide);
      if (!next.delete(kind)) next.add(kind);
      return { hide: [...next].sort().join(",") || null };
    };
    add("on", `on ${counts.on}`, "on", !hide.has("on"), turned("on"));
    add("off", `off ${counts.off}`, "off", !hide.has("off"), turned("off"));
    add("present", "word", "words", !hide.has("words"), turned("words"));
    if (counts.unsure) add("unsure", "unsure");
    if (typed.some(({ state }) => state === "absent")) add("absent", "word said absent");
    if (typed.some(({ state }) => state === "unknown")) add("unknown", "word not known");
    if (counts.held) add("pin", "held by hand");
    if (counts.quiet) {
      const isOpen = Boolean(where.get("quiet"));
      add("fold", `+${plural(counts.quiet, "quiet topic", "quiet topics")}`, "quiet", isOpen, { quiet: isOpen ? null : "1" });
    }
    if (counts.hidden) add("fold", `+${counts.hidden} hidden`);
    return made;
  }

  function pictureOf(answer, where, room, acts) {
    const { nodes, links, counts } = OrreryChosen.picture(answer, read(where), where.get("quiet"));
    const stage = make("div", "stage");
    const description = `Local model of the query: ${plural(counts.on, "topic", "topics")} on, ` +
      `${plural(counts.off, "topic", "topics")} off, ${plural(answer.question.typed.length, "word", "words")}.`;
    if (nodes.length) stage.append(OrreryPicture.draw({ nodes, links, room, description, acts }));
    else stage.append(make("p", "faint", "Everything is switched off above. Switch something on to see it."));
    return [legend(where, answer.question.typed, counts), stage];
  }

  // ---- beside the picture ----

  const tellingWords = (topic) =>
    words[topic].slice(0, WORDS_SHOWN).map(([token]) => wordText(vocabulary[token])).join(", ");

  // What is selected: its name, which leads to its page, and what is said of it.
  function card(selected, said) {
    const name = selected.slice(selected.indexOf(":") + 1);
    if (selected.startsWith("unknown:"))
      return [make("section", "chosen", make("h2", "", name), make("p", "faint", say("stranger")))];
    const token = tokenNumber.get(name) ?? tokenNumber.get(name.replaceAll(" ", "_"));
    const node = selected.startsWith("topic:") ? topicNumber.get(name) : token === undefined ? token : nTopics + token;
    if (node === undefined) return [];
    const made = make("section", "chosen", make("h2", "", linkTo(node)));
    made.append(...said(node).map((line) => make("p", "faint", line)));
    return [made];
  }

  // Whether a topic is on or off, and how surely.
  function standing(estimate) {
    const state = isOn(estimate) ? "on" : "off";
    const said = OrreryFigures.isUnsure(estimate.probability) ? say("rather", { state }) : state;
    return say("standing", { state: said, figures: figures(estimate) });
  }

  function saidOf({ shown, before }, node) {
    if (node >= nTopics) return [];
    const lines = [`${OrreryModel.topic_ids[node]} · ${tellingWords(node)}`], now = shown.get(node);
    const how = address.held(address.read()).get(node);
    if (now) lines.push(how ? `held ${how} by hand` : standing(now));
    if (before?.has(node)) lines.push(say("before", { figures: figures(before.get(node)) }));
    return lines;
  }

  function onList({ shown, posterior }) {
    const held = address.held(address.read()), isHeld = (topic) => held.has(topic);
    const made = make("section", "on", make("h2", "", say("on_title")));
    for (const [topic, estimate] of shown)
      if (isOn(estimate)) made.append(row(linkTo(topic), isHeld(topic) ? "held" : figures(estimate), estimate.probability, tellingWords(topic)));
    if (made.children.length > 1) return [made];
    const [first] = shown;
    made.append(make("p", "faint", first
      ? say("nearest", { name: nameOf(first[0]), figures: figures(first[1]), advice: advice(posterior.evidence.present) })
      : say("nothing_on")));
    return [made];
  }

  // What to do, or that the words tell of no topic at all.
  function advice(present) {
    if (!present.length || !present.every((token) => isOrdinary(nTopics + token))) return say("another_word");
    if (present.length > MOST_LISTED) return say("all_ordinary");
    return sayCounted("ordinary", present.length, { words: listed(present.map((token) => wordText(vocabulary[token]))) });
  }

  function beside(answers, selected, said) {
    return [
      ...(selected ? card(selected, said) : []),
      ...OrreryWhatIf.switchOf(answers, selected),
      ...OrreryWhatIf.heldList(),
    ];
  }

  // ---- all of it ----

  function page(answer, where, room, acts) {
    const selected = where.get("sel") || "";
    const picture = make("div", "picture", ...pictureOf(answer, where, room, acts), ...roughness([answer.posterior]),
      make("p", "faint hint", say("hint_picture", { where: "" })));
    const side = make("div", "side", ...beside([answer], selected, (node) => saidOf(answer, node)), ...onList(answer));
    const why = make("div", "reasons", ...OrreryWhyPanel.panel(answer, selected));
    return [...offer(answer), ...OrrerySenses.chips(answer), make("div", "answer", picture, side, why)];
  }

  return { page, remarks, refusals, nothingToShow, roughness, beside, tellingWords };
})();
