// The page of one answer: its picture, the topics that are on, what is selected, and why.

const OrreryQuery = (function () {
  "use strict";

  const WORDS_SHOWN = 6;
  const {
    fine_error: FINE_ERROR, sure_errors: SURE_ERRORS, most_listed: MOST_LISTED, most_named: MOST_NAMED,
    likeliest_shown: LIKELIEST, most_unknown: MOST_UNKNOWN, most_switches: MAX_SWITCHES,
  } = OrreryModel.thresholds;
  const {
    nameOf, wordText, vocabulary, words, nTopics, tokenOf, topicNumber, isOrdinary, isShown, whole, displayedPrior,
  } = OrreryModel;
  const { make, button, linkTo, row } = OrreryPieces;
  const { figures, groupOf, listed } = OrreryFigures;
  const { say, sayCounted, sayKind } = OrreryStrings;
  const { isOn } = OrreryAnswer;
  const address = OrreryAddress;

  // ---- what is said above the picture ----

  const { isDenial } = OrreryQuestion;

  // What was guessed in reading a query, as `notes` of core/drawing/question.py says it.
  function notesOn(question) {
    const { items } = question, nameOfToken = (token) => wordText(vocabulary[token]), terms = new Set();
    for (const { text, state, inner } of items)
      if (inner.length) {
        const known = nameOfToken(inner[0]), example = OrreryQuestion.signedForm(known, state);
        terms.add(say("unknown_term", { term: wordText(text), state, inner: known, example }));
      }
    for (const { phrase, token } of OrreryQuestion.partsUsed(question)) terms.add(say("used_alone", { phrase, known: nameOfToken(token) }));
    const said = (notes) => [...notes].map((note) => make("p", "note", note));
    return [...said(denialNote(question)), ...denialSwitches(question), ...said(terms), ...idleNote(question)];
  }

  function denialNote({ items, typed }) {
    const denied = items.filter(({ denial, token }) => denial && token >= 0);
    if (!denied.length) return [];
    const inState = (state) => typed.filter((word) => word.state === state).map(({ text }) => text);
    const names = denied.map(({ token }) => wordText(vocabulary[token])), present = inState("present");
    // A rule for the first denial of each kind.
    const denials = new Map();
    for (const denial of denied.map((item) => item.denial.toLowerCase())) {
      const kind = OrreryModel.clauses.denying.includes(denial) ? "verb" : "word";
      if (!denials.has(kind)) denials.set(kind, denial);
    }
    const rules = [...denials].map(([kind, denial]) => sayKind("denial_holds", kind, { denial }));
    return [say(present.length ? "denied" : "denied_all", {
      absent: listed([...new Set([...names, ...inState("absent")])]), present: present.length ? listed(present) : "",
      rule: rules.join(" "), example: OrreryQuestion.signedForm(names[0], "present").slice(1),
    })];
  }

  // For the first words whose reading depends on a denial, buttons that change it.
  function denialSwitches(question) {
    const { box } = question, switches = OrreryQuestion.denialSwitches(question);
    const buttons = switches.slice(0, MAX_SWITCHES).map(({ word, state }) => {
      const put = () => address.go({ [box]: OrreryQuestion.switched(question, word.key, state) });
      const made = button("near", `denied:${box}:${word.key}`, put, sayKind("switch_denied", state, { word: word.text }));
      made.title = say("switch_help", { word: word.text, state: OrreryModel.strings.word_states[state] });
      return made;
    });
    const names = switches.filter(({ state }) => state === "absent").map(({ word }) => word.text);
    const putAll = () => address.go({ [box]: OrreryQuestion.allDenied(question) });
    if (names.length > 1) buttons.push(button("near", `denied-all:${box}`, putAll, say("switch_all", { words: listed(names, MAX_SWITCHES) })));
    return buttons.length ? [make("p", "senses", ...buttons)] : [];
  }

  // Which word is read as present after a word such as "no" that changes nothing.
  function idleNote({ strangers, denied: said }) {
    const denials = strangers.filter(isDenial), deniedBy = ({ text }) => said.get(text) ?? "";
    if (!denials.length) return [];
    const denial = denials.find(deniedBy) ?? denials[0], denied = deniedBy(denial), example = denied.includes(" ") ? `"${denied}"` : denied;
    return [make("p", "note", say(denied ? "negation" : "negation_alone", { word: denial.text, denied, example }))];
  }

  // The most frequent words of a text that the model does not know; a click shows all.
  function unknownOfText(unknown) {
    if (!unknown.length) return [];
    const { counted } = OrrerySizes;
    const told = unknown.slice(0, MOST_UNKNOWN).map(([word, count]) => count > 1 ? say("times_in_text", { word, count }) : `“${word}”`);
    const first = told.slice(0, MOST_LISTED).join(", "), isOnce = unknown[0][1] === 1;
    const which = unknown.length <= MOST_LISTED ? first : say(isOnce ? "for_example" : "often", { words: first });
    const summary = sayCounted("unknown_of_text", unknown.length, { count: counted(unknown.length), words: which });
    const more = unknown.length - told.length, rest = more ? [say("more_unknown", { count: counted(more) })] : [];
    return [make("details", "unknown-words", make("summary", "", summary), make("p", "", [...told, ...rest].join(", ")))];
  }

  function remarks(question) {
    const { strangers, body, typed, unknown: notKnown } = question;
    if (body) return [make("p", "note", say("read_as_text", { known: typed.length })), ...unknownOfText(notKnown)];
    const notes = notesOn(question);
    if (!strangers.length) return notes;
    const unknown = namedUnknown(question, OrreryQuestion.notedStrangers(question));
    const said = unknown.length ? [make("p", "note warning", sayCounted("unknown_words", unknown.length, { words: listed(unknown) }))] : [];
    return [...notes, ...said, ...near(question)];
  }

  function nothingToShow(question) {
    const { strangers } = question;
    if (!strangers.length) return [make("p", "note", say("nothing_left"))];
    const named = namedUnknown(question), unknown = listed(named.length ? named : strangers.map(({ text }) => text));
    const hint = nearOf(question).length ? [] : [say(OrreryModel.has_texts ? "try_texts" : "try_terms")];
    return [make("p", "note warning", [say("nothing_known", { words: unknown }), ...hint].join(" ")), ...notesOn(question), ...near(question)];
  }

  function nearOf({ strangers, box }) {
    if (OrreryModel.recipe.matrix) return OrreryTermSuggestions.near(address.read().get(box) ?? "");
    const unknown = strangers.filter((word) => !isDenial(word)).slice(0, MOST_LISTED).map(({ text }) => text);
    return OrrerySuggest.suggestFor(vocabulary, address.read().get(box) ?? "", unknown);
  }

  // Words that the model does not know; in place of those in a phrase with offers, the phrase.
  // Those in `noted` are left out, because a note is about them.
  function namedUnknown({ strangers, box }, noted = new Set()) {
    const phraseOf = new Map(nearOf({ strangers, box }).flatMap(({ word }) => word.toLowerCase().split(" ").map((part) => [part, word])));
    const unknown = strangers.filter((word) => !isDenial(word) && !noted.has(word.text)).map(({ text }) => text);
    return [...new Set(unknown.map((word) => phraseOf.get(word.toLowerCase()) ?? word))];
  }

  const putIn = (text, word, known) => OrrerySuggest.withWord(text, word, known, Object.values(OrreryModel.signs));

  // The nearest known word of each unknown one, all with one click.
  function offerAll(found, box) {
    if (found.length < 2) return [];
    const put = () => address.go({ [box]: found.reduce((text, { word, known }) => putIn(text, word, known[0].word), address.read().get(box)) });
    const firsts = [...new Set(found.map(({ known }) => known[0].word))].join(", ");
    return [make("p", "senses", button("near", "near-all", put, say("did_you_mean", { words: firsts })))];
  }

  // For each word that the model does not know, known words to put in its place.
  function near(question) {
    const { box } = question, found = nearOf(question);
    return [...offerAll(found, box), ...found.map(({ word, known: offers }) => {
      const buttons = offers.map(({ word: known }) => {
        const put = () => address.go({ [box]: putIn(address.read().get(box), word, known) });
        const made = button("near", `near:${word}:${known}`, put, known);
        made.title = say("near_help", { word, known });
        return made;
      });
      return make("p", "senses", make("span", "", say("near_words", { word })), ...buttons);
    })];
  }

  // A question that gives a word two states has no answer.
  const refusals = (question) => [...notesOn(question), ...question.contradictions.map(({ word, first, second }) =>
    make("p", "note", say("contradiction", { word, first, second })))];

  // Few words are little evidence against many absent ones: offers to leave the others open.
  function offer({ question, posterior, shown }) {
    const isSure = (estimate) => groupOf(estimate) === "on";
    if (!posterior.evidence.closedWorld || [...shown.values()].some(isSure)) return [];
    const open = OrreryAnswer.ask(question, address.held(address.read()), false);
    const count = [...open.shown.values()].filter(isSure).length;
    if (!count) return [];
    const take = button("", "offer", () => address.go({ others: "unknown" }), say("take_offer"));
    return [make("p", "note offer", make("span", "", sayCounted("offer", count)), take)];
  }

  // How far off the figures may be where draws ran out.
  function roughness(posteriors) {
    const error = Math.max(...posteriors.map(({ largestError }) => largestError));
    if (error <= FINE_ERROR) return [];
    const margin = (Math.ceil(100 * SURE_ERRORS * error) / 100).toFixed(2);
    return [make("p", "faint", say("roughness", { margin }))];
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
  // node, `name` is that of its files, and `plain` gives the key by which the rest of the page knows a node.
  function pictureOf(data, where, turn, name, plain = (key) => key) {
    const selected = where.get("sel") || "";
    const acts = {
      clicked: (key) => address.go({ sel: plain(key) === selected || key === "nothing" ? null : plain(key) }),
      opened: (key) => { if (nodeOf(plain(key)) !== undefined) location.hash = address.pageOf(nodeOf(plain(key))); },
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
    const name = key.slice(key.indexOf(":") + 1), token = tokenOf(name);
    if (key.startsWith("topic:")) return topicNumber.get(name);
    return key.startsWith("unknown:") || token === undefined ? undefined : nTopics + token;
  }

  // What is selected: its name, which leads to its page, and what is said of it.
  function card(selected, said) {
    const name = selected.slice(selected.indexOf(":") + 1);
    if (selected.startsWith("unknown:"))
      return [make("section", "chosen", make("h2", "", name), make("p", "faint", say("stranger")))];
    const node = nodeOf(selected);
    if (node === undefined) return [];
    const made = make("section", "chosen", make("h2", "", linkTo(node)));
    made.append(...said(node).map((line) => make("p", "faint", line)));
    return [made];
  }

  // Whether a topic is on or off, and how surely.
  function standing(estimate) {
    const state = isOn(estimate) ? OrreryModel.picture.strings.on : OrreryModel.picture.strings.off;
    const said = OrreryFigures.isUnsure(estimate.probability) ? say("rather", { state }) : state;
    return say("standing", { state: said, figures: figures(estimate) });
  }

  function saidOf({ shown, before }, node) {
    if (node >= nTopics) return [];
    const lines = [`${OrreryModel.topic_ids[node]} · ${tellingWords(node)}`], now = shown.get(node);
    const how = address.held(address.read()).get(node);
    if (now) lines.push(how ? `switched ${how} by you` : standing(now));
    if (before?.has(node)) lines.push(say("before", { figures: figures(before.get(node)) }));
    return lines;
  }

  // Topics of an answer, each in one group, the most probable first; the most frequent ones where no
  // topic is linked with the words.
  function groupsOf({ shown }) {
    const groups = { on: [], unsure: [], off: [], prior: [] };
    for (const entry of shown) groups[groupOf(entry[1])].push(entry);
    if (!shown.size) {
      const topics = [...displayedPrior.keys()].filter((topic) => isShown(topic) && whole(topic) === topic);
      topics.sort((a, b) => displayedPrior[b] - displayedPrior[a]);
      groups.prior = topics.slice(0, LIKELIEST).map((topic) => [topic, { probability: displayedPrior[topic], error: 0 }]);
    }
    return { ...groups, group: groups.on.length ? "on" : groups.unsure.length ? "unsure" : "off" };
  }

  // Whether all topics that are linked with the words are hidden.
  const isHidden = ({ shown, hidden: topics }) => !shown.size && topics.length > 0;

  // The answer in a sentence.
  function sentence(answer) {
    const groups = groupsOf(answer), { group } = groups;
    if (!answer.shown.size) return say(isHidden(answer) ? "hidden_answer" : "unlinked_answer");
    const names = groups[group].slice(0, MOST_NAMED).map(([topic, estimate]) =>
      say("answer_topic", { name: nameOf(topic), figures: figures(estimate) }));
    const nMore = groups[group].length - names.length;
    const more = nMore && group !== "off" ? [say("answer_more", { count: nMore })] : [];
    return sayKind("answer", group, { topics: [...names, ...more].join(", ") });
  }

  function lists(answer) {
    const held = address.held(address.read()), groups = groupsOf(answer), { group, on, unsure, off, prior: frequent } = groups;
    const likeliest = [...on, ...unsure, ...off, ...frequent].slice(0, LIKELIEST);
    const shown = group === "on" ? [["on_title", on], ["unsure_title", unsure]]
      : [[frequent.length ? "unlinked" : "likeliest_title", likeliest]];
    const made = shown.filter(([, topics]) => topics.length).map(([title, topics]) => {
      const section = make("section", "listed-topics", make("h2", "", say(title)));
      for (const [topic, estimate] of topics) {
        const said = held.has(topic) ? say("set", { state: held.get(topic) }) : figures(estimate);
        const one = row(linkTo(topic), said, estimate.probability, tellingWords(topic));
        one.classList.add(groupOf(estimate));
        section.append(one);
      }
      return section;
    });
    if (group !== "on" && !isHidden(answer)) made.push(make("p", "faint", advice(answer.posterior.evidence.present)));
    return made;
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

  function page(answer, where, turn) {
    const selected = where.get("sel") || "", data = OrreryChosen.picture(answer, hidden(where), Boolean(where.get("quiet")));
    const empty = data.nodes.length ? [] : [make("p", "faint", "Everything is hidden in the legend; click an entry to show it.")];
    const picture = make("div", "picture", pictureOf(data, where, turn, `query ${OrreryQuestion.nameOf(answer.question)}`), ...empty,
      ...roughness([answer.posterior]),
      make("p", "faint hint", say("hint_picture", { where: "" })));
    const next = OrreryNext.part(answer), isLeading = !OrreryModel.has_texts;
    const side = make("div", "side", ...(isLeading ? next : []), ...beside([answer], selected, (node) => saidOf(answer, node)),
      ...lists(answer), ...OrreryTogether.part(answer), ...(isLeading ? [] : next));
    const why = make("div", "reasons", ...OrreryWhyPanel.panel(answer, selected));
    return [make("p", "found-answer", sentence(answer)), ...offer(answer), ...OrrerySenses.chips(answer), make("div", "answer", picture, side, why)];
  }

  return { page, remarks, refusals, nothingToShow, roughness, beside, tellingWords, pictureOf, drawPicture, heldByPicture };
})();
