// Coordinate ascent on the exact mean-field bound, as core/inference.py and core/kernels/exact.py.

const OrreryInference = (function () {
  "use strict";

  // Local graph: all ancestors of what is observed, parents first, then the present tokens.
  function localGraph(model, present, observed) {
    const { parentPtr, parentIdx } = model;
    const found = new Set(), waiting = [...observed];
    while (waiting.length) {
      const node = waiting.pop();
      for (let e = parentPtr[node]; e < parentPtr[node + 1]; e++)
        if (!found.has(parentIdx[e])) {
          found.add(parentIdx[e]);
          waiting.push(parentIdx[e]);
        }
    }
    const topics = [...found].sort((a, b) => a - b);
    const place = new Map(topics.map((topic, position) => [topic, position]));
    const node = topics.concat(present);
    const ptr = [0], parent = [], edge = [], children = topics.map(() => []);
    node.forEach((global, i) => {
      for (let e = parentPtr[global]; e < parentPtr[global + 1]; e++) {
        const k = place.get(parentIdx[e]);
        children[k].push([i, edge.length]);
        parent.push(k);
        edge.push(e);
      }
      ptr.push(edge.length);
    });
    return { node, topics, place, nTopics: topics.length, ptr, parent, edge, children };
  }

  // Weights from every local topic to what counts, and the leaks that count (MATH §2 and §6).
  function totals(model, local, absent, closedWorld) {
    const W = new Float64Array(local.nTopics);
    let totalLeak = 0;
    if (closedWorld) {
      model.parentIdx.forEach((parent, e) => {
        if (local.place.has(parent)) W[local.place.get(parent)] += model.weight[e];
      });
      for (const leak of model.leak) totalLeak += leak;
      return { W, totalLeak };
    }
    local.edge.forEach((global, e) => (W[local.parent[e]] += model.weight[global]));
    for (const node of local.node) totalLeak += model.leak[node];
    for (const node of absent) {
      totalLeak += model.leak[node];
      for (let e = model.parentPtr[node]; e < model.parentPtr[node + 1]; e++)
        W[local.place.get(model.parentIdx[e])] += model.weight[e];
    }
    return { W, totalLeak };
  }

  function problemOf(model, present, absent, closedWorld) {
    const shifted = (tokens) => tokens.map((token) => model.nTopics + token);
    const local = localGraph(
      model, shifted(present), shifted(closedWorld ? present : present.concat(absent))
    );
    const w = Float64Array.from(local.edge, (e) => model.weight[e]);
    const w0 = Float64Array.from(local.node, (i) => model.leak[i]);
    return { local, w, w0, ...totals(model, local, shifted(absent), closedWorld) };
  }

  // The problem with the exponentials of a sum: the terms of the bound, or the coarse ones.
  function withTerms(problem, terms) {
    const { w } = problem, M = terms.rate.length, t = new Float64Array(w.length * M);
    w.forEach((weight, e) => terms.rate.forEach((s, m) => (t[e * M + m] = Math.exp(-s * weight))));
    return { ...problem, terms, t, M };
  }

  // P[i, m] = -c_m exp(-s_m w0_i) prod_k (1 - q_k + q_k t_kim)
  function fillTerms(problem, q, P) {
    const { local, w0, terms, t, M } = problem;
    for (let i = 0; i < local.node.length; i++)
      for (let m = 0; m < M; m++) {
        let value = -terms.coefficient[m] * Math.exp(-terms.rate[m] * w0[i]);
        for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++)
          value *= 1 - q[local.parent[e]] + q[local.parent[e]] * t[e * M + m];
        P[i * M + m] = value;
      }
  }

  // Log-odds of topic i given all others.
  function field(i, problem, q, P) {
    const { local, w, w0, W, terms, t, M } = problem;
    let sum = w0[i] - W[i] - terms.error;
    for (let m = 0; m < M; m++) sum += P[i * M + m];
    for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++) sum += w[e] * q[local.parent[e]];
    for (const [c, e] of local.children[i]) {
      let gain = w[e];
      for (let m = 0; m < M; m++) {
        const survives = t[e * M + m];
        gain += (P[c * M + m] * (survives - 1)) / (1 - q[i] + q[i] * survives);
      }
      sum += q[c] * gain;
    }
    return sum;
  }

  function replace(i, value, problem, q, P) {
    const { local, t, M } = problem;
    for (const [c, e] of local.children[i])
      for (let m = 0; m < M; m++) {
        const survives = t[e * M + m];
        P[c * M + m] *= (1 - value + value * survives) / (1 - q[i] + q[i] * survives);
      }
    q[i] = value;
  }

  // Whether nothing around topic i has moved since its last visit.
  function isSettled(i, { local }, moved, visited) {
    return moved[i] <= visited[i] && local.children[i].every(([c]) => moved[c] <= visited[i]);
  }

  function ascend(problem, search, tolerance, q) {
    const { local } = problem, P = new Float64Array(local.node.length * problem.M);
    const moved = new Int32Array(local.node.length), visited = new Int32Array(local.nTopics).fill(-1);
    let now = 0;
    for (let sweep = 0; sweep < search.max_sweeps; sweep++) {
      if (sweep % search.refresh === 0) fillTerms(problem, q, P);
      const before = now;
      for (let i = local.nTopics - 1; i >= 0; i--) {
        if (isSettled(i, problem, moved, visited)) continue;
        const free = 1 / (1 + Math.exp(-field(i, problem, q, P)));
        const value = Math.min(Math.max(free, search.clip), 1 - search.clip);
        const change = Math.abs(value - q[i]);
        if (change > search.smallest_change) replace(i, value, problem, q, P);
        if (change > Math.max(tolerance, search.smallest_change)) {
          now += 1;
          moved[i] = now;
          for (const [c] of local.children[i]) moved[c] = now;
        }
        visited[i] = now;
      }
      if (now === before) break;
    }
    return boundOf(problem, q, P);
  }

  function boundOf(problem, q, P) {
    const { local, w, w0, W, terms, M, totalLeak } = problem;
    fillTerms(problem, q, P);
    let bound = -totalLeak;
    for (let i = 0; i < local.node.length; i++) {
      let activation = w0[i] - terms.error;
      for (let m = 0; m < M; m++) activation += P[i * M + m];
      for (let e = local.ptr[i]; e < local.ptr[i + 1]; e++) activation += w[e] * q[local.parent[e]];
      bound += q[i] * activation;
    }
    for (let k = 0; k < local.nTopics; k++)
      bound -= q[k] * W[k] + q[k] * Math.log(q[k]) + (1 - q[k]) * Math.log(1 - q[k]);
    return bound;
  }

  function isSameEnd(one, other, search) {
    return one.every((value, k) => Math.abs(value - other[k]) < search.same_end);
  }

  // Topics of the local model with their probabilities, and the bound in nats: ascents on the
  // coarse terms from every start, then on those of the bound; the best end wins.
  function infer(model, present, absent, closedWorld) {
    const problem = problemOf(model, present, absent, closedWorld);
    const { local } = problem, { search } = model;
    const coarse = withTerms(problem, model.coarse), exact = withTerms(problem, model.terms);
    const tolerance = Math.max(search.tolerance, search.coarse_tolerance), ends = [];
    let best = null;
    for (const start of search.starts) {
      const q = new Float64Array(local.node.length).fill(1);
      q.fill(start, 0, local.nTopics);
      ascend(coarse, search, tolerance, q);
      const isKnown = ends.some((end) => isSameEnd(end, q, search));
      ends.push(q.slice());
      if (isKnown) continue;
      const bound = ascend(exact, search, search.tolerance, q);
      if (!best || bound > best.bound) best = { bound, q };
    }
    const probability = Array.from(best.q.slice(0, local.nTopics));
    return { topics: local.topics, probability, bound: best.bound };
  }

  return { infer };
})();
