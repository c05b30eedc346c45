// Most probable joint states of the topics, as core/inference/most_probable.py finds them (MATH §11):
// a local search gives good states; topics that would be on, or off, only in worse ones are settled by
// their probabilities; the others are searched completely, with branch and bound.

const OrreryStates = (function () {
  "use strict";

  const { FREE, HELD_ON } = OrreryLocal;
  // In the first states, all topics above one of these probabilities are on.
  const STARTS = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1];
  // States whose neighbours are tried.
  const MOST_ROUNDS = 120;
  const logOn = (activation) => Math.log(-Math.expm1(-activation));
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // The log-joint of the states in which all topics but `kept` are off. Nodes are the kept topics, then
  // the present words; `into` are their parents among the kept topics, with weights.
  function jointOf(local, kept) {
    const column = new Int32Array(local.nTopics).fill(-1), n = kept.length, nodes = [];
    kept.forEach((k, c) => (column[k] = c));
    const silence = kept.map((k) => local.silence[k]);
    let logScale = local.logScale;
    for (let i = 0; i < local.node.length; i++) {
      const parents = [], weights = [];
      for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++)
        if (column[local.parent[e]] >= 0) {
          parents.push(column[local.parent[e]]);
          weights.push(local.weight[e]);
        }
      if (i >= local.nTopics || column[i] >= 0) nodes.push({ leak: local.leak[i], parents, weights });
      else {
        logScale -= local.leak[i];
        parents.forEach((c, p) => (silence[c] += weights[p]));
      }
    }
    const nWords = new Float64Array(n);
    nodes.slice(n).forEach(({ parents }) => parents.forEach((c) => (nWords[c] += 1)));

    // Sum of the weights from the parents that are wanted.
    const pull = ({ parents, weights }, isWanted) =>
      parents.reduce((total, c, p) => total + (isWanted(c) ? weights[p] : 0), 0);

    function value(state) {
      return logScale + sum(nodes.map((node, i) => {
        const activation = node.leak + pull(node, (c) => state[c]);
        if (i >= n) return logOn(activation);
        return state[i] ? logOn(activation) - silence[i] : -activation;
      }));
    }

    // Upper bound on the log-joint of all states that agree with the fixed topics. Every node is off
    // with the least activation that is possible, and on with the largest. A word is present because of
    // parents that are fixed or are on at no cost, or another parent is on and pays its cost, which a
    // topic shares among its words.
    function bound(state, isFixed) {
      const least = nodes.map((node) => node.leak + pull(node, (c) => isFixed[c] && state[c]));
      const largest = nodes.map((node, i) => least[i] + pull(node, (c) => !isFixed[c]));
      const on = silence.map((quiet, c) => logOn(largest[c]) - quiet), off = least.map((a) => -a);
      const gain = on.map((a, c) => a - off[c]), cost = new Float64Array(n);
      for (let c = 0; c < n; c++)
        if (isFixed[c] && !state[c]) nodes[c].parents.forEach((k, p) => (gain[k] -= nodes[c].weights[p]));
      let total = logScale;
      for (let c = 0; c < n; c++)
        if (isFixed[c]) total += state[c] ? on[c] : off[c];
        else {
          total += off[c] + Math.max(gain[c], 0);
          cost[c] = Math.max(-gain[c], 0) / Math.max(nWords[c], 1);
        }
      for (let i = n; i < nodes.length; i++) {
        const atNoCost = least[i] + pull(nodes[i], (c) => !isFixed[c] && gain[c] >= 0);
        const payers = nodes[i].parents.filter((c) => !isFixed[c] && gain[c] < 0).map((c) => cost[c]);
        total += Math.max(logOn(atNoCost), payers.length ? logOn(largest[i]) - Math.min(...payers) : -Infinity);
      }
      return total;
    }

    return { value, bound, nodes };
  }

  const flipped = (state, k) => state.map((value, place) => (place === k ? 1 - value : value));

  // Good states: the neighbours of the best ones are tried until the best ones stay the same.
  function localSearch(joint, posterior, isFree, { states }) {
    const found = new Map(), done = new Set();
    const tell = (state) => {
      const name = state.join("");
      if (!found.has(name)) found.set(name, { state, value: joint.value(state), name });
    };
    const chance = posterior.probability;
    for (const least of STARTS) tell(Uint8Array.from(chance, (p, k) => (isFree[k] ? p > least : p > 0.5)));
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const best = [...found.values()].sort((a, b) => b.value - a.value).slice(0, states);
      const next = best.find(({ name }) => !done.has(name));
      if (!next) break;
      done.add(next.name);
      isFree.forEach((free, k) => free && tell(flipped(next.state, k)));
    }
    return [...found.values()];
  }

  // All states that are at least as probable as `least`, and the largest bound of those left out where
  // there are too many.
  function branchAndBound(joint, first, isFixed, order, least, mostWork) {
    const mostPartial = Math.max(Math.floor(mostWork / Math.max(joint.nodes.length * order.length, 1)), 1);
    let partial = [{ state: first }], outside = -Infinity;
    for (const k of order) {
      isFixed[k] = 1;
      partial = partial
        .flatMap(({ state }) => [state, flipped(state, k)])
        .map((state) => ({ state, bound: joint.bound(state, isFixed) }))
        .filter(({ bound }) => bound >= least);
      if (partial.length > mostPartial) {
        partial.sort((a, b) => b.bound - a.bound);
        outside = Math.max(outside, partial[mostPartial].bound);
        partial.length = mostPartial;
      }
    }
    return { found: partial.map(({ state }) => ({ state, value: joint.value(state) })), outside };
  }

  // Parents first, then the most probable.
  function orderOf({ nodes }, isFixed, chance) {
    const depth = [];
    for (let c = 0; c < isFixed.length; c++)
      depth.push(nodes[c].parents.reduce((most, parent) => Math.max(most, depth[parent] + 1), 0));
    const open = [...depth.keys()].filter((c) => !isFixed[c]);
    return open.sort((a, b) => depth[a] - depth[b] || chance[b] - chance[a]);
  }

  // Of two states with the same probability, the one with fewer topics on comes first, then the one
  // whose topics have lower numbers.
  function compare(one, other) {
    const fewer = sum(one) - sum(other), k = one.findIndex((value, place) => value !== other[place]);
    return fewer || (k < 0 ? 0 : other[k] - one[k]);
  }

  // The first few different states.
  function ordered(found, count, tie) {
    const all = new Map(found.map((one) => [one.state.join(""), one]));
    const states = [...all.values()].sort((a, b) => b.value - a.value);
    // States of the same probability are a group.
    let group = 0;
    states.forEach((one, s) => {
      if (s && states[s - 1].value - one.value > tie(one.value)) group += 1;
      one.group = group;
    });
    return states.sort((a, b) => a.group - b.group || compare(a.state, b.state)).slice(0, count);
  }

  // The most probable states of all topics of an exact posterior: the topics that are `on`, with the
  // probability of the state; whether no other is more probable than those listed; and a bound on what
  // may be missed, 0 if so.
  function mostProbable(posterior, settings) {
    const { local, probability: chance, logProbability } = posterior, all = [...chance.keys()];
    const tie = (value) => settings.same * (1 + Math.abs(value)), isFree = Array.from(local.state, (held) => held === FREE);
    const good = ordered(localSearch(jointOf(local, all), posterior, isFree, settings), settings.states, tie);
    const threshold = good.length < settings.states ? -Infinity : good.at(-1).value, least = threshold - tie(threshold);
    // No state is more probable than that one of its topics is as it is there.
    const isPoor = (p) => Math.log(p) + logProbability < least;
    const isOn = all.map((k) => local.state[k] === HELD_ON || (isFree[k] && isPoor(1 - chance[k])));
    const kept = all.filter((k) => isOn[k] || (isFree[k] && !isPoor(chance[k])));
    const isFixed = Uint8Array.from(kept, (k) => isOn[k]), joint = jointOf(local, kept);
    const order = orderOf(joint, isFixed, kept.map((k) => chance[k]));
    const { found, outside } = branchAndBound(joint, isFixed.slice(), isFixed, order, threshold === -Infinity ? threshold : least, settings.work);
    const whole = found.map(({ state, value }) => {
      const made = new Uint8Array(all.length);
      kept.forEach((k, c) => (made[k] = state[c]));
      return { state: made, value };
    });
    const states = ordered([...good, ...whole], settings.states, tie).map(({ state, value }) => ({
      on: posterior.topics.filter((_, k) => state[k]), value, probability: Math.exp(value - logProbability),
    }));
    const last = states.at(-1).value, isExact = outside <= last + tie(last);
    const left = Math.max(1 - sum(states.map(({ probability }) => probability)), 0);
    const missed = isExact ? 0 : Math.min(Math.exp(Math.min(outside - logProbability, 0)), left);
    return { states, isExact, missed };
  }

  return { mostProbable };
})();
