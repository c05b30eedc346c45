// What to multiply in order to sum all states of a local model, as core/kernels/elimination.py plans
// it (MATH §10). Every topic and word has two variables: whether it *is* on, and whether anything has
// *caused* it. Causes of one node are put together by OR wherever they meet, and a node's own variable
// may go before all its causes are known: what is left says what follows, *given* what the other
// causes will have done.

const OrreryPlan = (function () {
  "use strict";

  const { FREE, HELD_ON } = OrreryLocal;
  const ascending = (a, b) => a - b;
  const union = (a, b) => [...new Set([...a, ...b])].sort(ascending);

  // Variable k is whether topic k is on, nTopics + i whether node i has been caused. A table has its
  // variables in `scope`, ascending, and values for each of them off and on, the first changing
  // fastest. A variable "caused" tells of the causes that its table knows of, or, if it is in
  // `given`, of those that the table does not know of.
  // The table of a topic that is free has the topic's silence; `quietless` is what it is without.
  function makeTables({ nTopics, node, ptr, parent, effect, survival, leakOn, leakOff, silence, state }) {
    const tables = [], ofTopic = new Map(), quietless = new Map(), exchange = new Map(), variables = [];
    const tell = (scope, values, given = []) => {
      tables.push({ scope, given, values: Float64Array.from(values) });
      return tables.at(-1);
    };
    for (let i = 0; i < node.length; i++) {
      const cause = nTopics + i, isTopic = i < nTopics, isFree = isTopic && state[i] === FREE;
      let on = leakOn[i], off = leakOff[i], hasFreeParent = false;
      for (let e = ptr[i]; e < ptr[i + 1]; e++)
        if (state[parent[e]] === FREE) {
          tell([parent[e], cause], [1, survival[e], 0, effect[e]]);
          hasFreeParent = true;
        } else if (state[parent[e]] === HELD_ON) {
          on += off * effect[e];
          off *= survival[e];
        }
      const quiet = isFree ? Math.exp(-silence[i]) : 1;
      if (isFree) {
        variables.push(i);
        quietless.set(i, hasFreeParent ? 1 : on);
      }
      if (isFree && !hasFreeParent) {
        ofTopic.set(i, tell([i], [off, on * quiet]));
        continue;
      }
      variables.push(cause);
      tell([cause], [off, on]);
      if (isFree) {
        ofTopic.set(i, tell([i], [1, quiet]));
        exchange.set(i, cause).set(cause, i);
      } else tell([cause], isTopic && state[i] !== HELD_ON ? [1, 0] : [0, 1], [cause]);
    }
    // Whether a table has a variable "caused" that tells of the causes it knows of.
    const isCaused = ({ given }, u) => u >= nTopics && !given.includes(u);
    return { tables, ofTopic, quietless, exchange, variables, isCaused };
  }

  // Brings the two tables of the fewest variables to the end.
  function twoSmallestLast(bucket) {
    for (let place = bucket.length - 1; place > bucket.length - 3; place--) {
      let smallest = place;
      for (let b = 0; b < place; b++)
        if (bucket[b].scope.length < bucket[smallest].scope.length) smallest = b;
      [bucket[place], bucket[smallest]] = [bucket[smallest], bucket[place]];
    }
  }

  // Size of a step: the states of all its variables; and the same with each of them doubled whose
  // causes are put together.
  function countTerms(isCaused, left, right, gone) {
    const isDoubled = (u) =>
      u !== gone && right.scope.includes(u) && (isCaused(left, u) || isCaused(right, u));
    const states = 2 ** union(left.scope, right.scope).length;
    return { states, terms: states * 2 ** left.scope.filter(isDoubled).length };
  }

  // Multiplies two tables, after which a variable may be gone: summed out, or exchanged for the other
  // one of its node, "is" for "caused" or the other way round.
  function stepOf(left, right, gone, other) {
    const scope = union(left.scope, right.scope).filter((u) => u !== gone);
    const given = union(left.given, right.given).filter((u) => u !== gone);
    const isExchange = other !== undefined;
    const made = {
      scope: isExchange ? union(scope, [other]) : scope,
      given: isExchange && gone < other ? union(given, [other]) : given,
    };
    return { left, right, made, gone, other };
  }

  // The steps, or null where they would take more terms than are allowed, and more states than are
  // allowed in place of that.
  function makePlan(model, { most_terms, most_states, most_neighbours }) {
    const { tables, variables, isCaused } = model, exchange = new Map(model.exchange), steps = [];
    const links = [...tables.map(({ scope }) => scope).filter(({ length }) => length === 2), ...exchange];
    const order = OrreryOrder.eliminationOrder(variables, links, most_neighbours);
    const nothing = { scope: [], given: [], values: Float64Array.of(1) };
    let live = tables, nTerms = 0, nStates = 0;
    for (const v of order || []) {
      const bucket = live.filter(({ scope }) => scope.includes(v)), other = exchange.get(v);
      live = live.filter(({ scope }) => !scope.includes(v));
      for (let isLast = false; !isLast; ) {
        if (bucket.length > 1) twoSmallestLast(bucket);
        else bucket.push(nothing);
        const right = bucket.pop(), left = bucket.pop(), isAlone = right === nothing;
        // It is exchanged in a table that has all that is known of it, and summed out with the last.
        isLast = isAlone || (other === undefined && !bucket.length);
        const gone = isLast ? v : undefined;
        const { terms, states } = countTerms(isCaused, left, right, gone);
        nTerms += terms;
        nStates += states;
        if (nTerms > most_terms && nStates > most_states) return null;
        steps.push(stepOf(left, right, gone, isLast ? other : undefined));
        bucket.push(steps.at(-1).made);
      }
      exchange.delete(other);
      live.push(...bucket);
    }
    return order && steps;
  }

  return { makeTables, makePlan };
})();
