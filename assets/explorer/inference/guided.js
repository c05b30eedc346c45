// Importance sampling of the topics with a belief-propagation proposal, as in
// core/kernels/importance_sampling.py: samples are split at each topic, and probable states are
// enumerated instead of sampled (MATH §10.2).

const OrreryGuided = (function () {
  "use strict";

  const { FREE, HELD_ON } = OrreryLocal;
  // Products are kept between this and its inverse; what is beyond goes into their logarithm.
  const SMALL = 1e-100, LARGE = 1e100;
  const isPlain = (product) => product > SMALL && product < LARGE;

  // What sum-product says of every edge, in the order of `local.child`: the chances that the parents
  // drawn later switch the child on, or fail to, and that it is on by all that is below it.
  function makeGuide(local, beliefs) {
    const { ptr, parent, effect, survival, childEdge } = local, nEdges = parent.length;
    const laterOn = new Float64Array(nEdges), laterOff = new Float64Array(nEdges);
    const below = new Float64Array(nEdges);
    for (let i = 0; i < ptr.length - 1; i++) {
      const chance = OrreryMessages.chanceBelow(i, local, beliefs);
      let on = 0, off = 1;
      for (let e = ptr[i + 1] - 1; e >= ptr[i]; e--) {
        laterOn[e] = on;
        laterOff[e] = off;
        below[e] = chance;
        const acts = OrreryMessages.chanceAbove(e, local, beliefs) * effect[e];
        on = acts + (1 - acts) * on;
        off *= 1 - acts;
      }
    }
    const bySlot = (values) => Float64Array.from(childEdge, (e) => values[e]);
    return {
      effect: bySlot(effect), survival: bySlot(survival),
      laterOn: bySlot(laterOn), laterOff: bySlot(laterOff), below: bySlot(below),
    };
  }

  // Returns a function that makes rounds: all states of one beside each other in `state`, with their
  // log-weights; `control`, 0 on average; and whether nothing was left to chance.
  function makeDrawer(local, guide, { least_chance, smallest_off }) {
    const { nTopics: n, childPtr, child, silence, state, leakOn, leakOff } = local;
    const { effect, survival, laterOn, laterOff, below } = guide;
    const nodeOn = leakOn.slice(), nodeOff = leakOff.slice();
    const keptOn = new Float64Array(child.length), keptOff = new Float64Array(child.length);
    const table = () => new Float64Array(n + 1);
    const draws = table(), product = table(), logWeight = table();
    const onDraws = table(), onProduct = table();
    const x = new Uint8Array(n), isWaiting = new Uint8Array(n);

    // Probability that topic k is on given what is drawn before it, by the guide.
    function guidedChance(k) {
      let odds = nodeOn[k] / nodeOff[k], logOdds = -silence[k];
      for (let slot = childPtr[k]; slot < childPtr[k + 1]; slot++) {
        const c = child[slot], b = below[slot];
        const othersOff = Math.max(nodeOff[c] * laterOff[slot], smallest_off);
        const othersOn = nodeOn[c] + nodeOff[c] * laterOn[slot];
        const ifOff = b * othersOn + (1 - b) * othersOff;
        odds *= 1 + ((2 * b - 1) * othersOff * effect[slot]) / ifOff;
        if (!isPlain(odds)) {
          logOdds += Math.log(odds);
          odds = 1;
        }
      }
      const chance = 1 / (1 + Math.exp(-logOdds - Math.log(odds)));
      return Math.min(Math.max(chance, least_chance), 1 - least_chance);
    }

    // The weight of the draws with topic k off, and on, before they part.
    function beginParts(k) {
      if (!isPlain(product[k])) {
        logWeight[k] += Math.log(product[k]);
        product[k] = 1;
      }
      logWeight[k + 1] = logWeight[k];
      product[k + 1] = product[k] * nodeOff[k];
      onProduct[k] = product[k] * nodeOn[k];
    }

    // Goes on with topic k on, which acts on its children; what they were is kept.
    function switchOn(k) {
      draws[k + 1] = onDraws[k];
      product[k + 1] = onProduct[k];
      logWeight[k + 1] = logWeight[k] - silence[k];
      for (let slot = childPtr[k]; slot < childPtr[k + 1]; slot++) {
        const c = child[slot], on = nodeOn[c], off = nodeOff[c];
        keptOn[slot] = on;
        keptOff[slot] = off;
        nodeOn[c] = on + off * effect[slot];
        nodeOff[c] = Math.max(off * survival[slot], smallest_off);
      }
    }

    function switchBack(k) {
      for (let slot = childPtr[k]; slot < childPtr[k + 1]; slot++) {
        nodeOn[child[slot]] = keptOn[slot];
        nodeOff[child[slot]] = keptOff[slot];
      }
    }

    // Log-weight of a whole state, with the present words, all of whose parents are drawn.
    function logWeightAtEnd() {
      let last = product[n], total = logWeight[n];
      for (let j = n; j < nodeOn.length; j++) {
        if (!isPlain(last)) {
          total += Math.log(last);
          last = 1;
        }
        last *= nodeOn[j];
      }
      return total + Math.log(last);
    }

    return function round(nDraws, random) {
      const weights = [], control = new Float64Array(n);
      let states = new Uint8Array(64 * n), isExact = true, k = 0, isNew = true;
      draws[0] = nDraws;
      product[0] = 1;
      logWeight[0] = local.logScale;

      // Parts the draws at topic k; of one draw or more each part goes on with its share, of less
      // one draw goes on or none. Returns whether any go on with the topic off.
      function partDraws() {
        const chance = guidedChance(k), all = draws[k];
        let off = all * (1 - chance), on = all * chance, number = 0;
        if (Math.min(off, on) < 1) {
          number = random();
          isExact = false;
        }
        isWaiting[k] = number < on ? 1 : 0;
        const goesOff = number >= 1 - off;
        if (on < 1) {
          onProduct[k] /= on;
          on = 1;
        }
        if (off < 1) {
          product[k + 1] /= off;
          off = 1;
        }
        draws[k + 1] = off;
        onDraws[k] = on;
        control[k] += isWaiting[k] * on - all * chance;
        return goesOff;
      }

      while (k >= 0) {
        if (k === n) {
          if ((weights.length + 1) * n > states.length) {
            const more = new Uint8Array(2 * states.length);
            more.set(states);
            states = more;
          }
          states.set(x, weights.length * n);
          weights.push(logWeightAtEnd());
          k -= 1;
          isNew = false;
        } else if (isNew) {
          beginParts(k);
          if (state[k] === FREE) isNew = partDraws();
          else {
            draws[k + 1] = onDraws[k] = draws[k];
            isWaiting[k] = state[k] === HELD_ON ? 1 : 0;
            isNew = !isWaiting[k];
          }
          if (isNew) k += 1;
        } else if (isWaiting[k]) {
          isWaiting[k] = 0;
          x[k] = 1;
          switchOn(k);
          k += 1;
          isNew = true;
        } else {
          if (x[k]) switchBack(k);
          x[k] = 0;
          k -= 1;
        }
      }
      for (k = 0; k < n; k++) control[k] = isExact ? 0 : control[k] / nDraws;
      const drawn = states.subarray(0, weights.length * n);
      return { state: drawn, logWeight: Float64Array.from(weights), control, isExact };
    };
  }

  return { makeGuide, makeDrawer };
})();
