// Most informative questions: words whose answer settles undecided topics, with the exact bits of
// core/inference/questions.py (MATH §11). Where exact inference takes too long, Python estimates them
// from samples, and this page does not. Information is in bits, summed over the topics.

const OrreryInformation = (function () {
  "use strict";

  // Answers with a smaller probability are given.
  const SURE = 1e-12;
  const clipped = (p) => Math.min(Math.max(p, 0), 1);
  const term = (p) => p * Math.log2(Math.max(p, 1e-300));
  const entropy = (p) => -term(p) - term(1 - p);
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  const ifYes = (p, no, pIfNo) => clipped((p - no * pIfNo) / Math.max(1 - no, SURE));
  const bitsOn = (p) => -Math.log2(Math.min(Math.max(1 - p, SURE), 1));
  // What an answer that is "no" with probability `no` tells about a topic with probability p: their
  // mutual information, or the expected evidence that the topic is on.
  const GAINS = {
    information: (p, no, pIfNo) => entropy(p) - no * entropy(pIfNo) - (1 - no) * entropy(ifYes(p, no, pIfNo)),
    confirmation: (p, no, pIfNo) => no * bitsOn(pIfNo) + (1 - no) * bitsOn(ifYes(p, no, pIfNo)) - bitsOn(p),
  };

  // Places of the topics that are not nearly certain; if all are improbable, of the most probable ones.
  function undecided(probability, { undecided: [low, high], likeliest }) {
    const places = [...probability.keys()];
    const chosen = new Set(places.filter((k) => probability[k] > low && probability[k] < high));
    if (probability.every((p) => p <= low))
      places.sort((a, b) => probability[b] - probability[a]).slice(0, likeliest).forEach((k) => chosen.add(k));
    return chosen;
  }

  // The topics that questions are about: none that is held. An improbable topic may be confirmed later.
  function targetsOf({ topics, probability, evidence: { on, off } }, settings, aim) {
    const chosen = aim === "information" ? undecided(probability, settings) : new Set(topics.keys());
    return topics.filter((topic, k) => chosen.has(k) && !on.includes(topic) && !off.includes(topic));
  }

  // Some topics and all topics below them, parents first; and the words that are children of these.
  function below({ children, nTopics }, targets) {
    const topics = new Set(targets), words = new Set();
    for (const topic of topics)
      for (const { node } of children[topic]) (node < nTopics ? topics : words).add(node);
    const ascending = (nodes) => [...nodes].sort((a, b) => a - b);
    return { topics: ascending(topics), words: ascending(words) };
  }

  // Probability that the leak and the parents of a topic turn it on, the parents taken as independent.
  function fromParents(model, topic, row) {
    let off = Math.exp(-model.leak[topic]);
    for (let e = model.parentPtr[topic]; e < model.parentPtr[topic + 1]; e++) off *= 1 - row[model.parentIdx[e]] * -Math.expm1(-model.weight[e]);
    return 1 - off;
  }

  // A probability for every topic: of the local model with a target on and with it off, for each
  // target; all others follow from their parents. Only those below the targets differ from row to row.
  function conditionals(model, posterior, targets, topics) {
    const { local, probability } = posterior, rows = [], whatever = new Float64Array(model.nTopics);
    // Parents have lower numbers.
    for (let node = 0; node < model.nTopics; node++)
      whatever[node] = local.place.has(node) ? probability[local.place.get(node)] : fromParents(model, node, whatever);
    const tell = (of) => {
      const row = whatever.slice();
      posterior.topics.forEach((topic, k) => (row[topic] = clipped(of(k))));
      rows.push(row);
    };
    for (const place of targets.map((target) => local.place.get(target))) {
      const joint = OrreryPosterior.togetherWith(posterior, place), own = probability[place];
      tell((k) => joint[k] / Math.max(own, SURE));
      tell((k) => (probability[k] - joint[k]) / Math.max(1 - own, SURE));
    }
    for (const topic of topics.filter((one) => !local.place.has(one)))
      for (const row of rows) row[topic] = fromParents(model, topic, row);
    return rows;
  }

  // Estimated bits of every word, and its probability: the topics are taken as independent given the
  // evidence and the state of one target.
  function rough(model, posterior, targets, topics, words, gain) {
    const rows = conditionals(model, posterior, targets, topics);
    const own = targets.map((target) => posterior.probability[posterior.local.place.get(target)]);
    return words.map((word) => {
      const edges = [];
      for (let e = model.parentPtr[word]; e < model.parentPtr[word + 1]; e++)
        edges.push([model.parentIdx[e], -Math.expm1(-model.weight[e])]);
      const byLeak = Math.exp(-model.leak[word]);
      const absent = rows.map((row) => edges.reduce((product, [k, effect]) => product * (1 - row[k] * effect), byLeak));
      const no = own.map((q, t) => q * absent[2 * t] + (1 - q) * absent[2 * t + 1]);
      const bits = own.map((q, t) => gain(q, no[t], (q * absent[2 * t]) / Math.max(no[t], SURE)));
      // The mean over the targets counts how each of them depends on the word's other parents.
      return { word, bits: Math.max(sum(bits), 0), yes: 1 - sum(no) / no.length };
    });
  }

  // Bits and probability of yes of every word, exactly; null where that takes too long.
  function exactly(model, evidence, targets, words, gain, { most_terms }) {
    const tokens = words.map((word) => word - model.nTopics);
    const local = OrreryLocal.localModel(model, { ...evidence, absent: [...evidence.absent, ...tokens] });
    const summed = OrreryElimination.summer(local, { ...model.inference, most_terms });
    if (!summed) return null;
    const silence = local.silence.slice(), pulls = words.map((word) => {
      const pull = [];
      for (let e = model.parentPtr[word]; e < model.parentPtr[word + 1]; e++)
        pull.push([local.place.get(model.parentIdx[e]), model.weight[e]]);
      return pull;
    });
    // What is left of a difference of sums that are equal is rounding.
    for (const [k, weight] of pulls.flat()) silence[k] -= weight;
    const without = silence.map((total) => Math.max(total, 0)), open = summed(without);
    if (!open) return null;
    const found = words.map((word, w) => {
      const all = without.slice();
      for (const [k, weight] of pulls[w]) all[k] += weight;
      const given = summed(all);
      if (!given) return null;
      const no = Math.exp(given.logProbability - open.logProbability - model.leak[word]);
      const bits = targets.map((target) => {
        const k = local.place.get(target);
        return gain(open.probability[k], no, given.probability[k]);
      });
      return { word, bits: Math.max(sum(bits), 0), yes: 1 - no };
    });
    return found.every(Boolean) ? found : null;
  }

  // The best words to ask about, in an open world: about the undecided topics of a posterior, or with
  // the aim "confirmation" about all that are not held.
  // Batches of them are computed exactly, in the order of estimates, until one does not improve the
  // best; a batch that would take too long is made smaller. `isExact` is false where even the smallest
  // would: then the bits are estimates.
  function bestQuestions(model, posterior, nQuestions, settings, aim = "information") {
    const gain = GAINS[aim], targets = targetsOf(posterior, settings, aim), { topics, words } = below(model, targets);
    const { present, absent, unknown } = posterior.evidence, asked = new Set([...present, ...absent, ...unknown]);
    const left = rough(model, posterior, targets, topics, words.filter((word) => !asked.has(word - model.nTopics)), gain);
    const strongest = (some) => some.sort((a, b) => b.bits - a.bits);
    const all = [...left], nCandidates = left.length, sizes = [...settings.batches], exact = [];
    strongest(left);
    for (let best = null; left.length && sizes.length; ) {
      const batch = left.slice(0, sizes[0]), found = exactly(model, posterior.evidence, targets, batch.map(({ word }) => word), gain, settings);
      if (!found) {
        sizes.shift();
        continue;
      }
      left.splice(0, batch.length);
      exact.push(...found);
      const top = exact.map(({ bits }) => bits).sort((a, b) => b - a).slice(0, nQuestions);
      if (best?.length === top.length && top.every((bits, q) => bits <= best[q] + settings.same_bits)) break;
      best = top;
    }
    const isExact = !nCandidates || exact.length > 0, byNumber = (a, b) => a.word - b.word;
    const questions = strongest((isExact ? exact : all).sort(byNumber)).slice(0, nQuestions);
    return { questions, targets, nCandidates, isExact, isComplete: exact.length === nCandidates };
  }

  return { bestQuestions };
})();
