// The local model of some evidence as a factor graph, as core/inference/evidence.py and core/kernels/factors.py.

const OrreryLocal = (function () {
  "use strict";

  const HELD_OFF = 0, HELD_ON = 1, FREE = 2;

  // In one order, however they were typed, so that sums are the same to the last digit.
  const nodesOf = ({ nTopics }, tokens) =>
    Array.from(tokens, (token) => nTopics + token).sort((a, b) => a - b);

  // All ancestors of some nodes, parents first; topics among the nodes count as their own.
  function ancestors({ nTopics, parentPtr, parentIdx }, nodes) {
    const found = new Set(nodes.filter((node) => node < nTopics)), waiting = [...nodes];
    while (waiting.length) {
      const node = waiting.pop();
      for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++)
        if (!found.has(parentIdx[e])) {
          found.add(parentIdx[e]);
          waiting.push(parentIdx[e]);
        }
    }
    return Int32Array.from(found).sort();
  }

  // Nodes are numbered topics first, then the present words. A position in `parent` is the number
  // of that edge; those from topic k down are childEdge[childPtr[k]] up to childPtr[k + 1].
  function graphOf({ parentPtr, parentIdx }, topics, words) {
    const place = new Map(), node = Int32Array.from([...topics, ...words]);
    topics.forEach((topic, position) => place.set(topic, position));
    const ptr = new Int32Array(node.length + 1), childPtr = new Int32Array(topics.length + 1);
    node.forEach((global, i) => (ptr[i + 1] = ptr[i] + parentPtr[global + 1] - parentPtr[global]));
    const nEdges = ptr[node.length];
    const parent = new Int32Array(nEdges), edge = new Int32Array(nEdges);
    node.forEach((global, i) => {
      for (let e = ptr[i]; e < ptr[i + 1]; e++) {
        edge[e] = e + parentPtr[global] - ptr[i];
        parent[e] = place.get(parentIdx[edge[e]]);
        childPtr[parent[e] + 1] += 1;
      }
    });
    for (let k = 0; k < topics.length; k++) childPtr[k + 1] += childPtr[k];
    const child = new Int32Array(nEdges), childEdge = new Int32Array(nEdges);
    const filled = childPtr.slice();
    for (let i = 0; i < node.length; i++)
      for (let e = ptr[i]; e < ptr[i + 1]; e++) {
        const slot = filled[parent[e]]++;
        child[slot] = i;
        childEdge[slot] = e;
      }
    return { node, topics, place, nTopics: topics.length, ptr, parent, edge, childPtr, child, childEdge };
  }

  // Total weight from each topic to what was observed to be absent, and the log-probability that
  // none of that is there by chance (MATH §2 and §6).
  function absentTotals(model, graph, evidence) {
    const silence = new Float64Array(graph.nTopics);
    let logScale = 0;
    const count = (nodes, sign) => {
      for (const node of nodes) {
        logScale -= sign * model.leak[node];
        for (let e = model.parentPtr[node]; e < model.parentPtr[node + 1]; e++) {
          const k = graph.place.get(model.parentIdx[e]);
          if (k !== undefined) silence[k] += sign * model.weight[e];
        }
      }
    };
    if (evidence.closedWorld) {
      graph.topics.forEach((topic, k) => (silence[k] = model.childTotal[topic]));
      logScale = -model.totalLeak;
      count(nodesOf(model, evidence.unknown), -1);
      count(graph.node, -1);
      // What is left of a difference of sums that are equal is rounding.
      silence.forEach((total, k) => (silence[k] = Math.max(total, 0)));
    } else count(nodesOf(model, evidence.absent), 1);
    return { silence, logScale };
  }

  function heldStates(graph, { on, off }) {
    const state = new Int8Array(graph.nTopics).fill(FREE);
    for (const topic of on) state[graph.place.get(topic)] = HELD_ON;
    for (const topic of off) state[graph.place.get(topic)] = HELD_OFF;
    return state;
  }

  // Evidence has tokens `present`, `absent` and `unknown`, topics held `on` and `off`, whether the
  // world is closed, and topics to be `asked` after although nothing observed may be below them.
  function localModel(model, evidence) {
    const words = nodesOf(model, evidence.present);
    // A closed world takes as off what is above nothing but absent words.
    const others = nodesOf(model, evidence.closedWorld ? evidence.unknown : evidence.absent);
    const held = [...evidence.on, ...evidence.off, ...(evidence.asked || [])];
    const graph = graphOf(model, ancestors(model, [...words, ...others, ...held]), words);
    const weight = Float64Array.from(graph.edge, (e) => model.weight[e]);
    const leak = Float64Array.from(graph.node, (i) => model.leak[i]);
    return {
      ...graph,
      weight,
      effect: weight.map((w) => -Math.expm1(-w)),
      survival: weight.map((w) => Math.exp(-w)),
      leak,
      leakOn: leak.map((w) => -Math.expm1(-w)),
      leakOff: leak.map((w) => Math.exp(-w)),
      ...absentTotals(model, graph, evidence),
      state: heldStates(graph, evidence),
    };
  }

  return { localModel, HELD_OFF, HELD_ON, FREE };
})();
