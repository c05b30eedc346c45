// Senses: topics that would each explain the words, and so exclude each other; as core/inference/senses.py.

const OrrerySenses = (function () {
  "use strict";

  // A sense less probable than this is not worth a choice, two exclude each other where both are on
  // at most this share of the times that chance would have it, and together they are most of it.
  const {
    least_share: LEAST_SHARE, most_together: MOST_TOGETHER, least_covered: LEAST_COVERED,
  } = OrreryModel.thresholds;
  const { nTopics, nameOf, keyOf, parentsOf } = OrreryModel;
  const { make, button } = OrreryPieces;
  const { strings, say, sayCounted } = OrreryStrings;

  // Senses of a word that is asked for alone, the most probable first: its topics with their shares.
  function senses({ question, posterior, free, shown }) {
    const [word] = question.typed;
    if (question.typed.length !== 1 || word.state !== "present" || posterior !== free) return [];
    const topics = parentsOf(nTopics + word.token).map(({ node }) => node).filter((node) => shown.has(node));
    // Joined topics are represented by the one that a click holds.
    const position = (topic) => posterior.local.place.get(OrreryAnswer.surestPart(posterior, topic));
    // Probability that a topic is on and others are not, by what is known of any of them being on.
    const any = (...of) => OrreryPosterior.anyOf(posterior, of.map(position)).value;
    const both = (one, other) => any(one) + any(other) - any(one, other);
    const found = [];
    for (let covered = 0; ; ) {
      const isApart = (topic) =>
        found.every(([other]) => both(topic, other) <= MOST_TOGETHER * any(topic) * any(other));
      const left = topics
        .filter((topic) => !found.some(([other]) => other === topic) && isApart(topic))
        .map((topic) => [topic, any(topic, ...found.map(([other]) => other)) - covered])
        .sort(([, a], [, b]) => b - a);
      if (!left.length || left[0][1] < LEAST_SHARE) return found.length > 1 && covered >= LEAST_COVERED ? found : [];
      found.push(left[0]);
      covered += left[0][1];
    }
  }

  // Each sense is a click from being held on.
  function chips(answer) {
    const found = senses(answer);
    if (!found.length) return [];
    const [{ text: word }] = answer.question.typed;
    const number = strings.numbers[found.length] ?? found.length;
    const title = make("span", "faint", say("senses_title", { number, words: sayCounted("senses_words", 1, { word }) }));
    title.title = say("senses_help", { figure: "" });
    const made = make("p", "senses", title);
    for (const [topic] of found)
      made.append(button("", "sense-" + keyOf(topic), () => OrreryAddress.hold(topic, "on"), nameOf(topic)));
    return [made];
  }

  return { chips };
})();
