// Two answers side by side, what both share in the middle; what is switched is so in both.

const OrreryCompare = (function () {
  "use strict";

  const FIRST = 0, BOTH = 1, SECOND = 2, { most_named: MOST_NAMED, least_change: LEAST_CHANGE, most_heading: MOST_HEADING } = OrreryModel.thresholds;
  // Begins the key of a word of the second query that has another state in the first one.
  const OTHER_STATE = "second:";
  const { nTopics, nameOf, keyOf, height, topic_ids, whole } = OrreryModel;
  const { make } = OrreryPieces;
  const { composeZones } = OrreryPicture.composer(OrreryModel.picture), { strings: pictureStrings } = OrreryModel.picture;
  const { figures, groupOf, listed, NOTHING } = OrreryFigures;
  const { isOn } = OrreryAnswer;
  const { strings, fill, say } = OrreryStrings;
  const zoneOf = (first, second) => (first && second ? BOTH : first ? FIRST : SECOND);

  // Topics that are not off only in the first, in both, only in the second; the surest first.
  function topicsByZone(sides) {
    const zones = [[], [], []];
    const chance = (side, topic) => side.get(topic)?.probability ?? 0;
    const sum = (topic) => chance(sides[0], topic) + chance(sides[1], topic);
    const all = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort((a, b) => sum(b) - sum(a));
    for (const topic of all) {
      const on = sides.map((side) => side.has(topic) && groupOf(side.get(topic)) !== "off");
      if (on.some(Boolean)) zones[zoneOf(...on)].push(topic);
    }
    return zones;
  }

  // Keys of the words that have another state in the second query, such as absent.
  function inTwoStates(answers) {
    const [first, second] = answers.map((answer) => new Map(OrreryChosen.drawnWords(answer).map(({ key, state }) => [key, state])));
    return new Set([...second].filter(([key, state]) => first.has(key) && first.get(key) !== state).map(([key]) => key));
  }

  // A word that has another state in the second query is drawn on both sides.
  function wordsByZone(answers, twice) {
    const keys = answers.map((answer) => new Set(OrreryChosen.drawnWords(answer).map(({ key }) => key)));
    const zones = [[], [], []];
    // A word that both have is drawn once, as the first has it.
    const all = new Map([...answers].reverse().flatMap((answer) => OrreryChosen.drawnWords(answer).map((word) => [word.key, word])));
    for (const word of all.values()) if (!twice.has(word.key)) zones[zoneOf(...keys.map((one) => one.has(word.key)))].push(word);
    const sides = answers.map((answer) => OrreryChosen.drawnWords(answer).filter(({ key }) => twice.has(key)));
    zones[FIRST].push(...sides[0]);
    zones[SECOND].push(...sides[1].map((word) => ({ ...word, key: OTHER_STATE + word.key })));
    return zones;
  }

  const plainKey = (key) => (key.startsWith(OTHER_STATE) ? key.slice(OTHER_STATE.length) : key);

  // Links of both; a word that is drawn on both sides has on each those of its query.
  function edges(answers, twice) {
    const best = new Map();
    answers.forEach(({ posterior }, side) => {
      for (const edge of OrreryChosen.edgesOf(OrreryChosen.localLinks([posterior]), () => true)) {
        const child = side === 1 && twice.has(edge.child) ? OTHER_STATE + edge.child : edge.child, name = `${edge.parent} ${child}`;
        if (!(best.get(name)?.probability >= edge.probability)) best.set(name, { ...edge, child });
      }
    });
    return [...best.values()];
  }

  // By name, or by side where a name is too long.
  function headings(answers) {
    const names = answers.map(({ question }) => OrreryQuestion.nameOf(question));
    if (names.some((name) => [...name].length > MOST_HEADING)) return strings.only_sides;
    return names.map((query) => say("only", { query }));
  }

  const shownFigures = (estimate) => (estimate ? figures(estimate) : NOTHING);

  function sidesSaid(estimates) {
    return strings.side_figures.map((side, i) =>
      fill(side, { figures: estimates[i] ? figures(estimates[i]) : say("no_word_below") }));
  }

  function topicNode(topic, estimates, held) {
    const probability = Math.max(...estimates.map((estimate) => estimate?.probability ?? 0));
    const label = nameOf(topic), code = topic_ids[topic];
    return {
      key: keyOf(topic), kind: isOn({ probability }) ? "on" : "off", label, code, probability, clamped: held, importance: probability,
      layer: height[topic], hover: [label, code, ...sidesSaid(estimates)],
      figures: estimates.map(shownFigures).join(" | "),
    };
  }

  function groupsOf(answers, zones, twice) {
    const held = new Set(answers.flatMap(({ posterior }) => posterior.evidence.on.map(whole)));
    const topics = zones.map((zone) => zone.map((topic) =>
      topicNode(topic, answers.map(({ shown }) => shown.get(topic)), held.has(topic))));
    const [left, right] = headings(answers);
    const words = wordsByZone(answers, twice).map((zone) => zone.map((word) => OrreryChosen.wordNode(word)));
    return [left, say("both"), right].map((heading, i) => ({ heading, nodes: [...topics[i], ...words[i]] }));
  }

  function legend(answers, nodes) {
    const isUnsure = nodes.some(({ probability }) => probability !== undefined && OrreryFigures.isUnsure(probability));
    const typed = answers.flatMap(OrreryChosen.drawnWords), hidden = new Set(answers.flatMap((answer) => answer.hidden));
    const { unsure, words, pin, hidden: more } =
      OrreryChosen.statesLegend(typed, isUnsure, nodes.some(({ clamped }) => clamped), hidden.size);
    const sign = (kind) => ({ kind, text: pictureStrings[kind] });
    return [sign("on"), ...unsure, sign("present"), ...words, ...pin, ...more, ...OrreryChosen.EDGES];
  }

  // How the two differ: the topic whose probability does most, then the topics of each zone.
  function sentences(answers, zones) {
    const different = mostDifferent(answers), found = [difference(answers, different)];
    if (!zones.some((zone) => zone.length)) return [...found, say("none_on")];
    answers.forEach((answer, i) => {
      const only = zones[i === 0 ? FIRST : SECOND], query = OrreryQuestion.nameOf(answer.question);
      if (only.length) found.push(...onlyOn(only, different, answer.shown, query));
      else if (!zones[BOTH].length) found.push(say("silent", { query }));
    });
    const isSilent = !zones[BOTH].length && !(zones[FIRST].length && zones[SECOND].length);
    return isSilent ? found : [...found, shared(answers, zones, different)];
  }

  // The topic whose probability differs most; a query that is not linked with a topic leaves it at its
  // prior probability. -1 where none differs.
  function mostDifferent(answers) {
    const of = (topic) => answers.map(({ shown }) => shown.get(topic)?.probability ?? OrreryModel.displayedPrior[topic]);
    let most = LEAST_CHANGE, found = -1;
    for (const topic of [...new Set(answers.flatMap(({ shown }) => [...shown.keys()]))].sort((a, b) => a - b)) {
      const [first, second] = of(topic), change = Math.abs(first - second);
      if (change > most || (found < 0 && change === most)) [most, found] = [change, topic];
    }
    return found;
  }

  function difference(answers, found) {
    if (found < 0) return say("no_difference");
    const [first, second] = answers.map(({ shown, question }) => {
      const query = OrreryQuestion.nameOf(question), known = shown.get(found);
      return known ? say("with_query", { figures: figures(known), query }) : say("not_linked", { query });
    });
    return say("difference", { name: nameOf(found), first, second });
  }

  // The topic that has been named before is not named again.
  function onlyOn(topics, different, shown, query) {
    const chance = (topic) => shown.get(topic).probability, more = topics.filter((topic) => topic !== different);
    if (!more.length) return [];
    const named = [...more].sort((a, b) => chance(b) - chance(a)).slice(0, MOST_NAMED).map((topic) =>
      say("answer_topic", { name: `“${nameOf(topic)}”`, figures: figures(shown.get(topic)) }));
    const count = more.length - named.length;
    if (count) named.push(say("answer_more", { count }));
    return [say(more.length < topics.length ? "also_only_on" : "only_on", { query, topics: named.join(", ") })];
  }

  // Which topics both switch on; where none, which words both ask for.
  function shared(answers, zones, different) {
    const both = zones[BOTH].filter((topic) => topic !== different), names = listed(both.map(nameOf), MOST_NAMED);
    if (both.length) return say(both.length < zones[BOTH].length ? "also_shared_on" : "shared_on", { names });
    if (zones[BOTH].length) return say("no_other_shared");
    const [first, second] = answers.map((answer) => OrreryChosen.drawnWords(answer).filter(({ state }) => state === "present"));
    const asked = first.filter(({ key }) => second.some((word) => word.key === key)).map(({ text }) => text);
    if (asked.length) return say("shared_given", { names: listed(asked, MOST_NAMED) });
    return say("shared_nothing");
  }

  // Key of the topic that is explained by default: the first one of both, or else of one query.
  function surest(zones) {
    const first = [zones[BOTH], zones[FIRST], zones[SECOND]].flat()[0];
    return first === undefined ? "" : keyOf(first);
  }

  // Why the selected topic is on or off, under each query that is linked with it.
  function why(answers, selected) {
    const linked = answers.filter(({ shown }) => [...shown.keys()].some((topic) => keyOf(topic) === selected));
    return linked.flatMap((answer) => [
      make("p", "faint under", say("under", { query: OrreryQuestion.nameOf(answer.question) })),
      ...OrreryWhyPanel.panel(answer, selected),
    ]);
  }

  function page(answers, where, turn) {
    const selected = where.get("sel") || "", zones = topicsByZone(answers.map(({ shown }) => shown));
    const twice = inTwoStates(answers), groups = groupsOf(answers, zones, twice), nodes = groups.flatMap((group) => group.nodes);
    const [first, both, second] = zones.map((zone) => zone.length);
    const description = say("two_queries", { first, both, second });
    // All that is drawn is on or unsure in one of the two.
    const data = composeZones({ groups, edges: edges(answers, twice), description, legend: legend(answers, nodes) });
    const name = answers.map(({ question }) => OrreryQuestion.nameOf(question)).join(" ");
    // A word that is drawn on the right only is switched in the right query.
    const turnWord = (key) => (key === plainKey(key) ? turn(key) : OrreryWhatIf.turn(answers.slice(1), plainKey(key)));
    const picture = make("div", "picture", ...sentences(answers, zones).map((line) => make("p", "shared", line)), 
      OrreryQuery.pictureOf(data, where, turnWord, name, plainKey),
      ...OrreryQuery.roughness(answers.map(({ posterior }) => posterior)),
      make("p", "faint hint", `${say("sides")} ${say("hint_comparison", { where: "" })}`));
    const said = (node) => node >= nTopics ? [] : [
      `${topic_ids[node]} · ${OrreryQuery.tellingWords(node)}`,
      sidesSaid(answers.map(({ shown }) => shown.get(node))).join(" · "),
    ];
    const side = make("div", "side", ...OrreryQuery.beside(answers, selected, said));
    if (!side.children.length) side.append(make("p", "faint", say("card_here")));
    return [make("div", "answer", picture, side, make("div", "reasons", ...why(answers, selected || surest(zones))))];
  }

  return { page };
})();
