// Part "Most informative next": words whose presence settles most, each with yes, no and skip.

const OrreryNext = (function () {
  "use strict";

  const {
    many_words: MANY_WORDS, questions: QUESTIONS, least_bits: LEAST_BITS, sure_enough: SURE_ENOUGH,
  } = OrreryModel.thresholds;
  const { nTopics, nameOf, keyOf, whole, has_texts: hasTexts } = OrreryModel;
  const { make, button } = OrreryPieces;
  const { figures } = OrreryFigures;
  const { strings, say, sayKind } = OrreryStrings;
  // Without texts, the questions lead to one topic that is nearly certain.
  const AIM = hasTexts ? "information" : "confirmation";
  const known = new WeakMap();
  // The nearly certain topics despite which more is asked.
  const askedOn = new Set();

  // What was worked out for a posterior is kept as long as it is.
  function questionsOf(posterior) {
    if (!known.has(posterior))
      known.set(posterior, OrreryInformation.bestQuestions(OrreryModel, posterior, QUESTIONS, OrreryModel.questions, AIM));
    return known.get(posterior);
  }

  // A word with the probability of a yes, and a button for each answer, which becomes a word of the
  // query.
  function row(question, { word, yes }) {
    const name = nameOf(word), token = word - nTopics;
    const answers = Object.entries(strings.next_answers).map(([state, label]) => {
      const put = () => OrreryAddress.go({ [question.box]: OrreryQuestion.withWord(question, token, state) });
      const made = button(state === "unknown" ? "plain" : "", `next-${state}:${keyOf(word)}`, put, label);
      made.title = sayKind("next_answers_help", state, { word: name, figure: figures({ probability: yes }) });
      made.setAttribute("aria-label", `${name}: ${label}`);
      return made;
    });
    const figure = make("span", "faint", say("next_yes", { figure: figures({ probability: yes }) }));
    return make("div", "asked-word", make("span", "", name, " ", figure), make("span", "answers", ...answers));
  }

  // The topic that is nearly certain; it ends the questions of a model without texts.
  function surest({ shown, held }) {
    const isHeld = new Set([...held.keys()].map(whole));
    const open = [...shown].filter(([topic]) => !isHeld.has(topic));
    return open.find(([, { probability }]) => probability >= SURE_ENOUGH);
  }

  function lines({ question, posterior, ...answer }) {
    const sure = hasTexts ? undefined : surest(answer);
    if (!sure) askedOn.clear();
    const end = sure ? [make("p", "", say("sure_enough", { name: nameOf(sure[0]), figures: figures(sure[1]) }))] : [];
    const askOn = () => {
      askedOn.add(sure[0]);
      dispatchEvent(new HashChangeEvent("hashchange"));
    };
    if (sure && !askedOn.has(sure[0])) return [...end, button("", "next-on", askOn, say("ask_on"))];
    return [...end, ...questions(question, posterior)];
  }

  function questions(question, posterior) {
    const found = questionsOf(posterior);
    if (!found.targets.length) return [make("p", "faint", say("next_sure"))];
    const asked = found.questions.filter(({ bits }) => bits >= LEAST_BITS).map((one) => row(question, one));
    if (!asked.length) return [make("p", "faint", say(hasTexts ? "next_nothing" : "next_no_question"))];
    return found.isExact ? asked : [...asked, make("p", "faint", say("next_rough"))];
  }

  // Nothing for a whole text, with every word known, or without topics.
  function part(answer) {
    const { posterior, question } = answer;
    if (question.closedWorld || posterior.evidence.present.length > MANY_WORDS || !posterior.topics.length) return [];
    const title = make("h2", "", say(hasTexts ? "next_title" : "next_question"));
    title.title = say(hasTexts ? "next_help" : "next_question_help");
    return [make("section", "next", title, ...lines(answer))];
  }

  return { part };
})();
