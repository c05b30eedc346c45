// The address of the page: what is asked, held, selected and open stands after the "#".

const OrreryAddress = (function () {
  "use strict";

  const STATES = ["on", "off"];
  const read = () => new URLSearchParams(location.hash.slice(1));

  // The address with some values changed; null takes one out.
  function withChanges(changes) {
    const next = read();
    for (const name in changes) {
      if (changes[name] === null) next.delete(name);
      else next.set(name, changes[name]);
    }
    return "#" + next.toString();
  }

  const go = (changes) => (location.hash = withChanges(changes));

  // Where a node has a page of its own.
  function pageOf(node) {
    const { isTopic, topic_ids, vocabulary, nTopics } = OrreryModel;
    return withChanges(
      isTopic(node) ? { topic: topic_ids[node], word: null } : { word: vocabulary[node - nTopics], topic: null }
    );
  }

  function openedNode(where) {
    const topic = OrreryModel.topicNumber.get(where.get("topic"));
    if (topic !== undefined) return OrreryModel.whole(topic);
    const token = OrreryModel.tokenOf(where.get("word") ?? "");
    return token === undefined ? -1 : OrreryModel.nTopics + token;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  // Topics held on or off by hand, as the app writes them: "T0012:on,T0040:off". What makes no sense
  // is left out.
  function held(where) {
    const found = new Map();
    for (const part of (where.get("hold") || "").split(",")) {
      const place = part.lastIndexOf(":"), state = part.slice(place + 1);
      const topic = OrreryModel.topicNumber.get(decoded(part.slice(0, Math.max(place, 0))));
      if (topic !== undefined && STATES.includes(state)) found.set(OrreryModel.whole(topic), state);
    }
    return found;
  }

  // Holds a topic; any state but on and off sets it free.
  function hold(topic, state) {
    const all = held(read());
    all.delete(topic);
    if (STATES.includes(state)) all.set(topic, state);
    const parts = [...all].map(([one, how]) => `${encodeURIComponent(OrreryModel.topic_ids[one])}:${how}`);
    go({ hold: parts.join(",") || null });
  }

  return { read, withChanges, go, pageOf, openedNode, held, hold };
})();
