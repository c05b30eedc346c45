// Sum-product on the local model, as core/kernels/sum_product.py has it (MATH §10.1).

const OrreryMessages = (function () {
  "use strict";

  const { FREE } = OrreryLocal;
  const chanceOf = (logOdds) => 1 / (1 + Math.exp(-logOdds));

  // Probability of a topic with these log-odds, or the state that it is held at.
  const topicChance = (state, logOdds) => (state === FREE ? chanceOf(logOdds) : state);

  // Beliefs: `logOdds` of every topic, to which `-silence`, `above` and the `upward` messages of its
  // child edges add up.
  function propagate(local, settings) {
    const { nTopics, ptr, parent, childPtr, child, effect, survival, leakOn, leakOff, state } = local;
    const { belief_tolerance, max_sweeps, sweeps_before_damping, largest_message, smallest_off } = settings;
    const nNodes = ptr.length - 1, nEdges = parent.length;
    const upward = new Float64Array(nEdges), acts = new Float64Array(nEdges);
    const beforeOn = new Float64Array(nEdges), beforeOff = new Float64Array(nEdges);
    const above = new Float64Array(nTopics), isDue = new Uint8Array(nNodes).fill(1);
    const logOdds = local.silence.map((total) => -total), settled = logOdds.slice();
    const clipped = (message) => Math.min(Math.max(message, -largest_message), largest_message);

    // Marks the factors around topic k if it has moved since it last did.
    function noteMove(k) {
      // No chance moves by more than a quarter of its log-odds.
      if (state[k] !== FREE || Math.abs(logOdds[k] - settled[k]) <= 4 * belief_tolerance) return false;
      if (Math.abs(chanceOf(logOdds[k]) - chanceOf(settled[k])) <= belief_tolerance) return false;
      settled[k] = logOdds[k];
      isDue[k] = 1;
      for (let slot = childPtr[k]; slot < childPtr[k + 1]; slot++) isDue[child[slot]] = 1;
      return true;
    }

    // Tells every parent of node i what the node, and its other causes, say of the parent.
    function sendUpward(i, below, step) {
      let afterOn = 0, afterOff = 1;
      for (let e = ptr[i + 1] - 1; e >= ptr[i]; e--) {
        const othersOff = Math.max(beforeOff[e] * afterOff, smallest_off);
        const othersOn = beforeOn[e] + beforeOff[e] * afterOn;
        const withOn = othersOn + othersOff * effect[e], withOff = othersOff * survival[e];
        const ifOn = below * withOn + (1 - below) * withOff;
        const ifOff = below * othersOn + (1 - below) * othersOff;
        const moved = step * (clipped(Math.log(ifOn / ifOff)) - upward[e]);
        upward[e] += moved;
        logOdds[parent[e]] += moved;
        afterOn = acts[e] + (1 - acts[e]) * afterOn;
        afterOff *= 1 - acts[e];
      }
    }

    // Sends all messages of the factor of node i; returns whether a belief has moved.
    function passMessages(i, step) {
      isDue[i] = 0;
      let on = leakOn[i], off = leakOff[i], below = 1, hasMoved = false;
      for (let e = ptr[i]; e < ptr[i + 1]; e++) {
        // What the node itself has told a parent is left out.
        acts[e] = topicChance(state[parent[e]], logOdds[parent[e]] - upward[e]) * effect[e];
        beforeOn[e] = on;
        beforeOff[e] = off;
        on += off * acts[e];
        off *= 1 - acts[e];
      }
      if (i < nTopics) {
        const moved = step * (clipped(Math.log(on / Math.max(off, smallest_off))) - above[i]);
        above[i] += moved;
        logOdds[i] += moved;
        below = topicChance(state[i], logOdds[i] - above[i]);
        hasMoved = noteMove(i);
      }
      sendUpward(i, below, step);
      for (let e = ptr[i]; e < ptr[i + 1]; e++) hasMoved = noteMove(parent[e]) || hasMoved;
      return hasMoved;
    }

    // Every topic first hears what chance and its parents say: half a sweep, the way down.
    for (let i = 0; i < nTopics; i++) passMessages(i, 1);
    isDue.fill(1);
    for (let sweep = 1; sweep < max_sweeps; sweep++) {
      const step = sweep < sweeps_before_damping ? 1 : 0.5;
      let hasMoved = false;
      for (let turn = 0; turn < nNodes + nTopics; turn++) {
        const i = turn < nNodes ? nNodes - 1 - turn : turn - nNodes;
        if (isDue[i]) hasMoved = passMessages(i, step) || hasMoved;
      }
      if (!hasMoved) break;
    }
    return { logOdds, above, upward };
  }

  // Probability that the parent of an edge is on, leaving out what the child says of it.
  function chanceAbove(e, local, beliefs) {
    const k = local.parent[e];
    return topicChance(local.state[k], beliefs.logOdds[k] - beliefs.upward[e]);
  }

  // Probability that node i is on, leaving out what chance and its parents say of it.
  function chanceBelow(i, local, beliefs) {
    return i >= local.nTopics ? 1 : topicChance(local.state[i], beliefs.logOdds[i] - beliefs.above[i]);
  }

  return { propagate, chanceAbove, chanceBelow, chanceOf };
})();
