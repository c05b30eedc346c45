// What if: switch a word, hold a topic, and everything follows; the address remembers it.

const OrreryWhatIf = (function () {
  "use strict";

  const MARKS = { on: "●", off: "○" };
  const { make, button, choice } = OrreryPieces;
  const { nameOf, keyOf, topicNumber, whole } = OrreryModel;
  const { strings, say } = OrreryStrings;
  const WORD_STATES = Object.entries(strings.word_states), TOPIC_STATES = Object.entries(strings.topic_states);
  const address = OrreryAddress;

  // A word as the first question that has it has it.
  const wordIn = ({ question }, key) => question.typed.find((word) => word.key === key && word.token >= 0);
  const wordOf = (answers, key) => answers.map((answer) => wordIn(answer, key)).find(Boolean);

  function topicOf(key) {
    const topic = topicNumber.get(key.startsWith("topic:") ? key.slice(6) : "");
    return topic === undefined ? -1 : whole(topic);
  }

  // How probable a topic is that nobody holds, in the answer that is surest of it; else -1.
  const surest = (answers, topic) =>
    Math.max(...answers.map((answer) => answer.freely(topic)?.probability ?? -1));

  // Writes the state of a word into the boxes in which it has the state that is shown.
  function write(answers, key, state) {
    const shown = wordOf(answers, key).state, changes = {};
    for (const answer of answers)
      if (wordIn(answer, key)?.state === shown)
        changes[answer.question.box] = OrreryQuestion.switched(answer.question, key, state);
    address.go(changes);
  }

  // Switches a word or a topic of the picture to its next state.
  function turn(answers, key) {
    const word = wordOf(answers, key), topic = topicOf(key);
    if (word) write(answers, key, OrreryQuestion.NEXT[word.state]);
    else if (topic >= 0) {
      const now = address.held(address.read()).get(topic) || "free";
      const wasOn = surest(answers, topic) > OrreryAnswer.ON;
      address.hold(topic, OrreryAnswer.nextState(now, wasOn));
    }
  }

  // The switch of what is selected, in all questions that have it.
  function switchOf(answers, selected) {
    const word = wordOf(answers, selected), topic = topicOf(selected);
    const held = address.held(address.read());
    const isAsked = topic >= 0 && (held.has(topic) || surest(answers, topic) >= 0);
    if (!word && !isAsked) return [];
    const label = say("what_if");
    const made = word
      ? choice(label, "state", WORD_STATES, word.state, (state) => write(answers, selected, state))
      : choice(label, "state", TOPIC_STATES, held.get(topic) || "free", (state) => address.hold(topic, state));
    return [make("p", "faint asked", label), made];
  }

  // Clamped topics: a click makes one automatic again, and a button all of them.
  function heldList() {
    const held = address.held(address.read());
    if (!held.size) return [];
    const made = make("section", "hand", make("h2", "", say("clamped_title")));
    for (const [topic, how] of held) {
      const text = make("span", "", `${MARKS[how]} ${nameOf(topic)}`);
      const free = button("plain", "free-" + keyOf(topic), () => address.hold(topic, "free"), text, make("span", "faint", "✕"));
      free.title = say("free_one");
      made.append(free);
    }
    made.append(button("", "free-all", () => address.go({ hold: null }), say("free_all")));
    return [made];
  }

  return { turn, switchOf, heldList };
})();
