// Posterior of the evidence, as in core/inference/infer.py and core/kernels/posterior.py: exact by
// variable elimination if that is fast, otherwise by importance sampling until the error is small.
// The same evidence always gives the same digits.

const OrreryPosterior = (function () {
  "use strict";

  const STEP = 0x9e3779b9, UNIT = 2 ** -32, WARM_UP = 12;
  const ascending = (a, b) => a - b;

  // ---- random numbers from a key ----

  // Scrambles 32 bits (the mixer of MurmurHash3).
  function mix(word) {
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return word ^ (word >>> 16);
  }

  // 64 bits that are the same for the same evidence, in whatever order it is named; words that are
  // named as what all others are do not change them either.
  function keyOf({ closedWorld, present, absent, unknown, on, off }) {
    const said = [closedWorld ? 1 : 0];
    for (const nodes of [present, closedWorld ? [] : absent, closedWorld ? unknown : [], on, off])
      said.push(nodes.length, ...[...nodes].sort(ascending));
    const hash = (seed) => said.reduce((word, value) => mix((word + STEP) ^ Math.imul(value + 1, STEP)), seed);
    return [hash(1), hash(2)];
  }

  // Uniform numbers on [0, 1): sfc32 of PractRand, a stream of its own for every key and round.
  function stream([a, b], round) {
    let c = round | 0, counter = 1;
    const next = () => {
      const made = (a + b + counter++) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = ((c << 21) | (c >>> 11)) + made | 0;
      return (made >>> 0) * UNIT;
    };
    for (let turn = 0; turn < WARM_UP; turn++) next();
    return next;
  }

  // ---- what rounds say ----

  function logSumExp(values) {
    const top = values.reduce((most, value) => Math.max(most, value), -Infinity);
    return top + Math.log(values.reduce((sum, value) => sum + Math.exp(value - top), 0));
  }

  // Weighted mean of every topic in one round.
  function topicMeans({ state, logWeight, logSum }, nTopics) {
    const mean = new Float64Array(nTopics);
    logWeight.forEach((value, s) => {
      const share = Math.exp(value - logSum);
      for (let k = 0; k < nTopics; k++) if (state[s * nTopics + k]) mean[k] += share;
    });
    return mean;
  }

  // Weights of the rounds, with a mean of 1.
  function roundWeights(rounds) {
    const top = Math.max(...rounds.map((round) => round.logSum));
    const share = rounds.map((round) => Math.exp(round.logSum - top));
    const mean = share.reduce((sum, value) => sum + value, 0) / share.length;
    return { weight: share.map((value) => value / mean), logMean: top + Math.log(mean) };
  }

  // A ratio of two sums over rounds, with its standard error by the delta method; `control` is 0 on
  // average and moves with the sum above, so taking it away leaves less to chance.
  function combine(weight, mean, control) {
    const n = weight.length;
    let total = 0, squares = 0;
    for (let r = 0; r < n; r++) total += weight[r] * mean(r) - control(r);
    const value = total / n;
    for (let r = 0; r < n; r++) squares += (weight[r] * (mean(r) - value) - control(r)) ** 2;
    return { value, error: n > 1 ? Math.sqrt(squares / (n * (n - 1))) : 0 };
  }

  // ---- the answer ----

  function drawRounds(local, beliefs, key, settings) {
    const n = local.nTopics, { error, draws, least_rounds, most_rounds, most_enumerated } = settings;
    const round = OrreryGuided.makeDrawer(local, OrreryGuided.makeGuide(local, beliefs), settings);
    const nFree = local.state.reduce((count, state) => count + (state === OrreryLocal.FREE ? 1 : 0), 0);
    const size = nFree <= most_enumerated ? Infinity : draws;
    const rounds = [], probability = new Float64Array(n), errors = new Float64Array(n);
    for (let wanted = least_rounds; rounds.length < wanted; ) {
      while (rounds.length < wanted && !(rounds.length && rounds[0].isExact)) {
        const made = round(size, stream(key, rounds.length));
        made.logSum = logSumExp(made.logWeight);
        made.mean = topicMeans(made, n);
        rounds.push(made);
      }
      const { weight } = roundWeights(rounds);
      for (let k = 0; k < n; k++) {
        const found = combine(weight, (r) => rounds[r].mean[k], (r) => rounds[r].control[k]);
        probability[k] = Math.min(Math.max(found.value, 0), 1);
        errors[k] = found.error;
      }
      if (rounds[0].isExact) break;
      const largest = errors.reduce((most, value) => Math.max(most, value), 0);
      const growth = Math.min((largest / error) ** 2, settings.most_growth);
      wanted = Math.min(Math.max(Math.ceil(growth * rounds.length), rounds.length), most_rounds);
    }
    return { rounds, probability, error: errors };
  }

  // What the draws say of every topic and of the evidence.
  function estimated({ rounds, probability, error }, settings) {
    const { weight, logMean } = roundWeights(rounds), n = rounds.length;
    const largestError = error.reduce((most, value) => Math.max(most, value), 0);
    const squares = weight.reduce((sum, value) => sum + (value - 1) ** 2, 0);
    return {
      probability, error, largestError,
      isExact: rounds[0].isExact,
      isPrecise: largestError <= settings.error,
      logProbability: logMean,
      logProbabilityError: n > 1 ? Math.sqrt(squares / (n * (n - 1))) : 0,
    };
  }

  // What the sum of all states says of them.
  function exactly({ probability, logProbability }) {
    const error = new Float64Array(probability.length);
    return {
      probability, error, largestError: 0, isExact: true, isPrecise: true,
      logProbability, logProbabilityError: 0,
    };
  }

  // Made when it is first asked for, and kept.
  function lazily(make) {
    let made;
    return () => (made ??= make());
  }

  // Topics of the local model with their probabilities and standard errors. Where all states were
  // summed, the draws are there only to see what goes together.
  function infer(model, evidence) {
    const settings = model.inference, local = OrreryLocal.localModel(model, evidence);
    const beliefs = lazily(() => OrreryMessages.propagate(local, settings));
    const draws = lazily(() => drawRounds(local, beliefs(), keyOf(evidence), settings));
    const sums = OrreryElimination.sumStates(local, settings);
    return {
      evidence, local,
      topics: Array.from(local.topics),
      ...(sums ? exactly(sums) : estimated(draws(), settings)),
      get beliefs() {
        return beliefs();
      },
      get rounds() {
        return draws().rounds;
      },
    };
  }

  // Probability that any of some topics is on, by the draws; local numbers.
  function anyOf({ rounds, local }, positions) {
    const n = local.nTopics, { weight } = roundWeights(rounds);
    const means = rounds.map(({ state, logWeight, logSum }) => {
      let mean = 0;
      logWeight.forEach((value, s) => {
        if (positions.some((k) => state[s * n + k])) mean += Math.exp(value - logSum);
      });
      return mean;
    });
    return combine(weight, (r) => means[r], () => 0);
  }

  // Probability, by the draws, that each of some topics is on together with every topic; local numbers.
  function togetherWith({ rounds, local }, places) {
    const n = local.nTopics, { weight } = roundWeights(rounds), joint = new Map(), on = new Int32Array(n);
    for (const k of places) joint.set(k, new Float64Array(n));
    rounds.forEach(({ state, logWeight, logSum }, r) => {
      logWeight.forEach((value, s) => {
        const share = (weight[r] * Math.exp(value - logSum)) / rounds.length;
        let nOn = 0;
        for (let k = 0; k < n; k++) if (state[s * n + k]) on[nOn++] = k;
        for (let i = 0; i < nOn; i++) {
          const row = joint.get(on[i]);
          if (row) for (let j = 0; j < nOn; j++) row[on[j]] += share;
        }
      });
    });
    return places.map((k) => joint.get(k));
  }

  return { infer, anyOf, togetherWith, keyOf };
})();
