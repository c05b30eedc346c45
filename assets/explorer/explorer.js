// The page: what is asked and what is open stand in the address, and everything follows from it.

(function () {
  "use strict";

  const FOUND_SHOWN = 14, MAX_FOUND = 150, TYPING_PAUSE = 150;
  const { least_link_found: LEAST_LINK_FOUND } = OrreryModel.thresholds;
  const { nTopics, labels, topic_ids, vocabulary, wordText, isTopic, whole, parentsOf, wordless } = OrreryModel;
  const { make, button, linkTo } = OrreryPieces;
  const { say, sayCounted } = OrreryStrings;
  const address = OrreryAddress;
  const element = (name) => document.getElementById(name);
  const view = element("view"), findBox = element("find"), found = element("found");
  const boxes = { q: element("query"), q2: element("second") };

  // ---- answers ----

  // Whether all other words are absent; null where the text decides.
  const chosenReading = (where) => ({ absent: true, unknown: false })[where.get("others")] ?? null;

  function answerTo(where) {
    const texts = Object.keys(boxes).filter((box) => (where.get(box) || "").trim());
    const questions = texts.map((box) => OrreryQuestion.readTyped(where.get(box), box, chosenReading(where)));
    const notes = [], answers = [];
    for (const question of questions) {
      if (question.strangers.length === question.typed.length)
        notes.push(...OrreryQuery.nothingToShow(question));
      else if (question.contradictions.length) notes.push(...OrreryQuery.refusals(question));
      else {
        notes.push(...OrreryQuery.remarks(question));
        answers.push(OrreryAnswer.ask(question, address.held(where)));
      }
    }
    view.dataset.answer = JSON.stringify(answers.map(reported));
    const turn = (key) => OrreryWhatIf.turn(answers, key);
    if (answers.length > 1) return [...notes, ...OrreryCompare.page(answers, where, turn)];
    return [...notes, ...answers.flatMap((answer) => OrreryQuery.page(answer, where, turn))];
  }

  // All that is known of an answer, for whoever reads the page by machine.
  function reported({ question, posterior }) {
    return {
      topics: posterior.topics.map((topic, k) => [topic_ids[topic], posterior.probability[k], posterior.error[k]]),
      log_probability: posterior.logProbability,
      log_probability_error: posterior.logProbabilityError,
      is_exact: posterior.isExact,
      unknown: question.strangers.map(({ text }) => text),
    };
  }

  // ---- finding ----

  // The text of which all that was found is shown.
  let openedFor = null;

  function find() {
    const wanted = findBox.value.toLowerCase().trim().split(/\s+/).join(" "), parts = wanted.split(" ");
    if (!wanted) {
      const all = make("a", "found", say("whole"));
      all.href = "#";
      return found.replaceChildren(all);
    }
    const nodes = new Set();
    labels.forEach((label, topic) => {
      const isNamed = parts.every((part) => label.toLowerCase().includes(part)) || topic_ids[topic].toLowerCase() === wanted;
      if (isNamed && !wordless.has(topic)) nodes.add(whole(topic));
    });
    vocabulary.forEach((word, token) => {
      if (wordText(word).toLowerCase() !== wanted) return;
      nodes.add(nTopics + token);
      parentsOf(nTopics + token).forEach((link) => link.probability >= LEAST_LINK_FOUND && nodes.add(link.node));
    });
    for (const { token } of OrrerySuggest.begunBy(vocabulary, wanted)) nodes.add(nTopics + token);
    const most = openedFor === wanted ? MAX_FOUND : FOUND_SHOWN;
    const links = [...nodes].slice(0, most).map((node) => {
      const made = linkTo(node, "found"), kind = isTopic(node) ? say("a_topic") : say("a_word");
      // A node of a graph may have its label as its id.
      const code = isTopic(node) && topic_ids[node] !== labels[node] ? topic_ids[node] : kind;
      made.append(" ", make("span", "code", code));
      return made;
    });
    if (!links.length) {
      const near = OrrerySuggest.suggest(vocabulary, wanted).map(({ token }) => linkTo(nTopics + token, "found"));
      links.push(make("p", "faint", say("nothing_found", { text: findBox.value.trim() })));
      if (near.length) links.push(make("p", "faint", say("near_words", { word: findBox.value.trim() })), ...near);
    }
    const open = () => {
      openedFor = wanted;
      find();
    };
    if (nodes.size > most && most === MAX_FOUND) links.push(make("p", "faint", say("more_found", { count: nodes.size - most })));
    else if (nodes.size > most) links.push(button("found", "found-all", open, say("show_found", { count: nodes.size - most })));
    found.replaceChildren(...links);
  }

  // ---- all of it ----

  // Puts new parts in place of the old; what had the focus has it again.
  function show(page, where) {
    const focused = document.activeElement?.dataset.key, giveBack = OrreryQuery.heldByPicture();
    view.replaceChildren(...page(where));
    giveBack();
    OrreryQuery.drawPicture();
    if (focused && document.activeElement === document.body) {
      const same = view.querySelector(`[data-key="${CSS.escape(focused)}"]`);
      // The buttons of a question disappear with it; the next one has the focus.
      const next = focused.startsWith("next-") ? view.querySelector(".next button") : null;
      (same ?? next)?.focus({ preventScroll: true });
    }
  }

  function fillBoxes(where) {
    for (const [name, box] of Object.entries(boxes)) {
      const text = where.get(name) || "";
      if (document.activeElement !== box || !text) box.value = text;
    }
    element("beside").hidden = !where.has("q2");
    element("compare").hidden = where.has("q2");
    const others = (chosenReading(where) ?? OrreryQuestion.isWholeText(where.get("q") || "")) ? "absent" : "unknown";
    document.querySelector(`input[name=others][value=${others}]`).checked = true;
  }

  function draw() {
    const where = address.read(), node = address.openedNode(where);
    fillBoxes(where);
    OrreryStory.show(where, element("story"));
    delete view.dataset.answer;
    view.dataset.address = location.hash;
    const isAsked = Object.keys(boxes).some((box) => (where.get(box) || "").trim());
    const unasked = () => OrreryStory.instead(where, view.clientWidth) ?? OrreryOverview.page(where);
    show(node >= 0 ? () => OrreryTopics.one(node) : isAsked ? answerTo : unasked, where);
    find();
  }

  function ask() {
    const before = address.read(), second = before.has("q2") ? boxes.q2.value : null;
    const isText = (text) => OrreryQuestion.isWholeText(text || "");
    // A text of the other kind decides how it is read.
    const isOther = isText(before.get("q")) !== isText(boxes.q.value) || isText(before.get("q2")) !== isText(second);
    // What was selected in the picture before is not selected in a new one; a first query without a
    // word of the one before, but for stop words, frees the topics that were switched.
    const common = new Set(OrreryModel.english_stop_words);
    const wordsOf = (text) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || []).filter((word) => !common.has(word));
    const first = before.get("q") || "", isOtherFirst = first !== boxes.q.value, old = new Set(wordsOf(first));
    const isChanged = isOtherFirst || before.get("q2") !== second, isNew = isOtherFirst && !wordsOf(boxes.q.value).some((word) => old.has(word));
    const next = address.withChanges({
      q: boxes.q.value || null, q2: second, topic: null, word: null, hide: null, quiet: null,
      ...(isChanged ? { sel: null } : {}), ...(isNew ? { hold: null } : {}), ...(isOther ? { others: null } : {}),
    });
    if (next === location.hash) return;
    // Typing makes no history of half words.
    history.replaceState(null, "", next);
    draw();
  }

  element("name").textContent = OrreryModel.title;
  const { counted } = OrrerySizes;
  element("size").textContent =
    `${sayCounted("n_topics", nTopics, { count: counted(nTopics) })}, ${sayCounted("n_words", vocabulary.length, { count: counted(vocabulary.length) })}`;
  const { assumed_rate: assumed } = OrreryModel;
  element("assumed").textContent = assumed === null ? "" : say("assumed_rate", { share: OrreryFigures.percent(assumed) });
  element("told").replaceChildren(...OrreryStory.entry());
  let waiting = 0;
  for (const box of Object.values(boxes)) {
    box.addEventListener("input", () => {
      OrrerySuggest.offer(element("completions"), vocabulary, box.value);
      clearTimeout(waiting);
      waiting = setTimeout(ask, TYPING_PAUSE);
    });
    // Whoever leaves the box before the pause is over has typed all the same.
    box.addEventListener("change", ask);
  }
  element("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  // A click on what the text decides anyway leaves it to the next text. Two texts may decide differently.
  document.querySelectorAll("input[name=others]").forEach((box) => box.addEventListener("change", () => {
    const decided = OrreryQuestion.isWholeText(boxes.q.value) ? "absent" : "unknown";
    address.go({ others: box.value === decided && !address.read().has("q2") ? null : box.value });
  }));
  element("compare").addEventListener("click", () => {
    address.go({ q2: "" });
    element("beside").hidden = false;
    boxes.q2.focus();
  });
  element("close").addEventListener("click", () => address.go({ q2: null }));
  findBox.addEventListener("input", find);
  // Enter opens the best hit.
  findBox.addEventListener("keydown", ({ key }) => { if (key === "Enter") found.querySelector("a")?.click(); });
  window.addEventListener("hashchange", draw);
  let width = view.clientWidth;
  window.addEventListener("resize", () => {
    if (view.clientWidth !== width) draw();
    width = view.clientWidth;
  });
  OrreryStory.begin();
  draw();
})();
