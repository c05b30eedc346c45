// Most probable joint states of the topics, as core/inference/most_probable.py finds them (MATH §11):
// a local search gives good states; topics that would be on, or off, only in worse ones are settled by
// their probabilities; the others are searched completely, with branch and bound.

const OrreryStates = (function () {
  "use strict";

  const { FREE, HELD_ON } = OrreryLocal;
  // In the first states, all topics above one of these probabilities are on.
  const STARTS = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1];
  // States whose neighbours are tried.
  const CENTRES = 120;
  const logOn = (activation) => Math.log(-Math.expm1(-activation));
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // The log-joint of the states in which all topics but `kept` are off. Nodes are the kept topics, then
  // the present words; the parents of node i among the kept topics are parent[ptr[i]] up to
  // parent[ptr[i + 1]].
  function jointOf(local, kept) {
    const column = new Int32Array(local.nTopics).fill(-1), n = kept.length;
    kept.forEach((k, c) => (column[k] = c));
    const silence = Float64Array.from(kept, (k) => local.silence[k]);
    const leak = [], ptr = [0], parent = [], weight = [], nWords = new Float64Array(n);
    let logScale = local.logScale;
    for (let i = 0; i < local.node.length; i++) {
      const isOff = i < local.nTopics && column[i] < 0;
      for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++) {
        const c = column[local.parent[e]];
        if (c >= 0 && isOff) silence[c] += local.weight[e];
        if (c >= 0 && !isOff) {
          parent.push(c);
          weight.push(local.weight[e]);
          if (i >= local.nTopics) nWords[c] += 1;
        }
      }
      if (isOff) logScale -= local.leak[i];
      else {
        leak.push(local.leak[i]);
        ptr.push(parent.length);
      }
    }

    function value(state) {
      let total = logScale;
      for (let i = 0; i < leak.length; i++) {
        let activation = leak[i];
        for (let e = ptr[i]; e < ptr[i + 1]; e++) if (state[parent[e]]) activation += weight[e];
        if (i >= n) total += logOn(activation);
        else total += state[i] ? logOn(activation) - silence[i] : -activation;
      }
      return total;
    }

    const off = new Float64Array(n), gain = new Float64Array(n);
    const least = new Float64Array(leak.length), largest = new Float64Array(leak.length);

    // Upper bound on the log-joint of all states that agree with the fixed topics. Every node is off
    // with the least activation that is possible, and on with the largest. A topic that is off lowers
    // its parents.
    function bound(state, isFixed) {
      let total = logScale;
      for (let i = 0; i < leak.length; i++) {
        least[i] = largest[i] = leak[i];
        for (let e = ptr[i]; e < ptr[i + 1]; e++)
          if (!isFixed[parent[e]]) largest[i] += weight[e];
          else if (state[parent[e]]) {
            least[i] += weight[e];
            largest[i] += weight[e];
          }
      }
      gain.fill(0);
      for (let c = 0; c < n; c++) {
        off[c] = -least[c];
        if (isFixed[c] && state[c]) total += logOn(largest[c]) - silence[c];
        else total += off[c];
        if (!isFixed[c]) gain[c] += logOn(largest[c]) - silence[c] - off[c];
        else if (!state[c]) for (let e = ptr[c]; e < ptr[c + 1]; e++) gain[parent[e]] -= weight[e];
      }
      for (let c = 0; c < n; c++) if (!isFixed[c] && gain[c] > 0) total += gain[c];
      for (let i = n; i < leak.length; i++) total += wordBound(i, isFixed);
      return total;
    }

    // A word is present because of parents that are fixed or are on at no cost, or another parent is on
    // and pays its cost, which a topic shares among its words.
    function wordBound(i, isFixed) {
      let atNoCost = least[i], cost = Infinity;
      for (let e = ptr[i]; e < ptr[i + 1]; e++) {
        const c = parent[e];
        if (!isFixed[c] && gain[c] >= 0) atNoCost += weight[e];
        else if (!isFixed[c]) cost = Math.min(cost, -gain[c] / Math.max(nWords[c], 1));
      }
      return Math.max(logOn(atNoCost), logOn(largest[i]) - cost);
    }

    const parentsOf = (i) => parent.slice(ptr[i], ptr[i + 1]);
    return { value, bound, parentsOf, nNodes: leak.length };
  }

  function flipped(state, k) {
    const other = state.slice();
    other[k] = 1 - other[k];
    return other;
  }

  // Good states: the neighbours of the best ones are tried until the best ones stay the same.
  function localSearch(joint, posterior, isFree, { states }) {
    const found = new Map(), done = new Set();
    const tell = (state) => {
      const name = state.join("");
      if (!found.has(name)) found.set(name, { state, value: joint.value(state), name });
    };
    const chance = posterior.probability;
    for (const least of STARTS) tell(Uint8Array.from(chance, (p, k) => (isFree[k] ? p > least : p > 0.5)));
    for (let round = 0; round < CENTRES; round++) {
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
    const mostPartial = Math.max(Math.floor(mostWork / Math.max(joint.nNodes * order.length, 1)), 1);
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
  function orderOf({ parentsOf }, isFixed, chance) {
    const depth = [];
    for (let c = 0; c < isFixed.length; c++)
      depth.push(parentsOf(c).reduce((most, parent) => Math.max(most, depth[parent] + 1), 0));
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
