// Answer of the model to a query, with or without clamped topics.

const OrreryAnswer = (function () {
  "use strict";

  const MOST_KEPT = 60;
  const { whole, partsOf, isShown, hiddenTopics } = OrreryModel, { on: ON } = OrreryModel.thresholds;
  const isOn = ({ probability }) => probability > ON;
  const known = new Map();

  // What was asked before is not worked out again: a click or a step back shows it at once.
  function infer(evidence) {
    const name = JSON.stringify(evidence);
    const found = known.get(name) || OrreryPosterior.infer(OrreryModel, evidence);
    known.delete(name);
    known.set(name, found);
    if (known.size > MOST_KEPT) known.delete(known.keys().next().value);
    return found;
  }

  // Probability and error of one topic; null where the local model has no such topic.
  function estimateIn({ local, probability, error }, topic) {
    const k = local.place.get(topic);
    return k === undefined ? null : { probability: probability[k], error: error[k] };
  }

  // Every topic of the local model with its estimate; of those shown as one, that any of them is on.
  function joined(posterior) {
    const places = new Map();
    posterior.topics.forEach((topic, k) => {
      if (!places.has(whole(topic))) places.set(whole(topic), []);
      places.get(whole(topic)).push(k);
    });
    const estimates = [...places].map(([topic, parts]) => {
      if (parts.length === 1) return [topic, estimateIn(posterior, posterior.topics[parts[0]])];
      const { value, error } = OrreryPosterior.anyOf(posterior, parts);
      return [topic, { probability: value, error }];
    });
    return new Map(estimates.sort(([, a], [, b]) => b.probability - a.probability));
  }

  // The topic that is likeliest on among those that are shown as this one.
  function surestPart(posterior, topic) {
    const parts = posterior.topics.filter((part) => whole(part) === topic);
    const chance = (part) => posterior.probability[posterior.local.place.get(part)];
    return parts.length ? parts.reduce((best, part) => (chance(part) > chance(best) ? part : best)) : topic;
  }

  // What holding means where several topics are shown as one: all of them off, or the likeliest on.
  function heldParts(free, held) {
    const found = new Map();
    for (const [topic, how] of held) {
      if (how === "off") partsOf(topic).forEach((part) => found.set(part, how));
      else found.set(surestPart(free, topic), how);
    }
    return found;
  }

  function ask(question, held, closedWorld = question.closedWorld) {
    const free = infer(OrreryQuestion.evidence(question, closedWorld));
    const parts = heldParts(free, held);
    const posterior = parts.size ? infer(OrreryQuestion.evidence(question, closedWorld, parts)) : free;
    const all = joined(posterior), allFree = parts.size ? joined(free) : all;
    const visible = (estimates) => new Map([...estimates].filter(([topic]) => isShown(topic)));
    const shown = visible(all);
    return {
      question, posterior, free, held: parts, shown,
      // Without what is held, to compare with; null where nothing is.
      before: parts.size ? visible(allFree) : null,
      hidden: [...all.keys()].filter((topic) => hiddenTopics.has(topic)),
      isWithin: (topic) => allFree.has(topic),
      freely: (topic) => allFree.get(topic),
    };
  }

  // What a topic becomes when it is switched: the contrary of what it is when free, that, free.
  function nextState(state, wasOn) {
    const [contrary, same] = wasOn ? ["off", "on"] : ["on", "off"];
    return { [contrary]: same, [same]: "free" }[state] || contrary;
  }

  return { ask, infer, estimateIn, surestPart, nextState, isOn, ON };
})();
