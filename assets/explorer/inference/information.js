// Most informative questions: words whose answer settles undecided topics, with the exact bits of
// core/inference/questions.py (MATH §11). Where exact inference takes too long, Python estimates them
// from samples, and this page does not. Information is in bits, summed over the topics.

const OrreryInformation = (function () {
  "use strict";

  // Answers with a smaller probability are given.
  const SURE = 1e-12;
  const clipped = (p) => Math.min(Math.max(p, 0), 1);
  const entropy = (p) => {
    const off = 1 - p;
    return -(p * Math.log2(Math.max(p, 1e-300))) - off * Math.log2(Math.max(off, 1e-300));
  };
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  const ifYes = (p, no, pIfNo) => clipped((p - no * pIfNo) / Math.max(1 - no, SURE));
  const bitsOn = (p) => -Math.log2(Math.min(Math.max(1 - p, SURE), 1));
  // What an answer that is "no" with probability `no` tells about a topic with probability p, of which
  // `of(p)` is known: their mutual information, or the expected evidence that the topic is on.
  const GAINS = {
    information: {
      of: entropy,
      gain: (before, p, no, pIfNo) => before - no * entropy(pIfNo) - (1 - no) * entropy(ifYes(p, no, pIfNo)),
    },
    confirmation: {
      of: bitsOn,
      gain: (before, p, no, pIfNo) => no * bitsOn(pIfNo) + (1 - no) * bitsOn(ifYes(p, no, pIfNo)) - before,
    },
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
  function below({ children, nTopics, leak }, targets) {
    const isBelow = new Uint8Array(leak.length);
    for (const topic of targets) isBelow[topic] = 1;
    const topics = [], words = [];
    // Parents have lower numbers.
    for (let node = 0; node < isBelow.length; node++) {
      if (!isBelow[node]) continue;
      (node < nTopics ? topics : words).push(node);
      if (node < nTopics) for (const link of children[node]) isBelow[link.node] = 1;
    }
    return { topics, words };
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
    const places = targets.map((target) => local.place.get(target));
    OrreryPosterior.togetherWith(posterior, places).forEach((joint, t) => {
      const own = probability[places[t]];
      tell((k) => joint[k] / Math.max(own, SURE));
      tell((k) => (probability[k] - joint[k]) / Math.max(1 - own, SURE));
    });
    for (const topic of topics.filter((one) => !local.place.has(one)))
      for (const row of rows) row[topic] = fromParents(model, topic, row);
    return rows;
  }

  // One probability of each row beside the other, for every topic.
  function transposed(rows) {
    const n = rows.length, table = new Float64Array(n * rows[0].length);
    rows.forEach((row, r) => row.forEach((p, topic) => (table[topic * n + r] = p)));
    return table;
  }

  // Estimated bits of every word, and its probability: the topics are taken as independent given the
  // evidence and the state of one target. Loops, because there are thousands of words and dozens of rows.
  function rough(model, posterior, targets, topics, words, { of, gain }) {
    if (!targets.length) return [];
    const { parentPtr, parentIdx, weight, leak } = model, n = 2 * targets.length;
    const table = transposed(conditionals(model, posterior, targets, topics)), absent = new Float64Array(n);
    const own = targets.map((target) => posterior.probability[posterior.local.place.get(target)]), before = own.map(of);
    return words.map((word) => {
      absent.fill(Math.exp(-leak[word]));
      for (let e = parentPtr[word]; e < parentPtr[word + 1]; e++) {
        const effect = -Math.expm1(-weight[e]), at = parentIdx[e] * n;
        for (let r = 0; r < n; r++) absent[r] *= 1 - table[at + r] * effect;
      }
      let bits = 0, sumNo = 0;
      for (let t = 0; t < own.length; t++) {
        const q = own[t], bothNo = q * absent[2 * t], no = bothNo + (1 - q) * absent[2 * t + 1];
        bits += gain(before[t], q, no, bothNo / Math.max(no, SURE));
        sumNo += no;
      }
      // The mean over the targets counts how each of them depends on the word's other parents.
      return { word, bits: Math.max(bits, 0), yes: 1 - sumNo / own.length };
    });
  }

  // Bits and probability of yes of every word, exactly; null where that takes too long.
  function exactly(model, evidence, targets, words, { of, gain }, { most_terms }) {
    const tokens = words.map((word) => word - model.nTopics);
    const local = OrreryLocal.localModel(model, { ...evidence, absent: [...evidence.absent, ...tokens] });
    const summed = OrreryElimination.summer(local, { ...model.inference, most_terms, most_small_states: 0 });
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
        return gain(of(open.probability[k]), open.probability[k], no, given.probability[k]);
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
    const nCandidates = left.length, sizes = [...settings.batches], exact = [];
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
    // Equally good words are in the order of their numbers.
    const questions = (isExact ? strongest(exact.sort(byNumber)) : left).slice(0, nQuestions);
    return { questions, targets, nCandidates, isExact, isComplete: exact.length === nCandidates };
  }

  return { bestQuestions };
})();
