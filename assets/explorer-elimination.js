// All states of a local model summed, one variable after the other, as core/kernels/elimination.py
// has it (MATH §10): every topic and word has two variables, whether it *is* on, and whether anything
// has *caused* it. Causes of one node are put together by OR wherever they meet, and a node's own
// variable may go before all its causes are known: what is left says what follows, *given* what the
// other causes will have done. The chances of all topics are derivatives of the sum, backwards.

const OrreryElimination = (function () {
  "use strict";

  const { FREE, HELD_ON } = OrreryLocal;
  // What happens to a variable in a product: its terms beside that of off, off, off; each says
  // whether it is on in the product, in the left table and in the right.
  const SAME = [[1, 1, 1]], SUM = [[0, 1, 1]], NO_FURTHER = [];
  const EITHER = [[1, 0, 1], [1, 1, 0], [1, 1, 1]];
  const CAUSE_GIVEN = [[0, 1, 1], [1, 0, 1], [1, 1, 1]];
  const GIVEN_CAUSE = [[0, 1, 1], [1, 1, 0], [1, 1, 1]];
  // Terms of the inner loop; longer lists of them take longer to make than they save.
  const INNER = 256;

  const ascending = (a, b) => a - b;
  const union = (a, b) => [...new Set([...a, ...b])].sort(ascending);

  // ---- the model before anything is summed ----

  // Variable k is whether topic k is on, nTopics + i whether node i has been caused. A table has its
  // variables in `scope`, ascending, and values for each of them off and on, the first changing
  // fastest. A variable "caused" tells of the causes that its table knows of, or, if it is in
  // `given`, of those that the table does not know of.
  function makeTables({ nTopics, node, ptr, parent, effect, survival, leakOn, leakOff, silence, state }) {
    const tables = [], ofTopic = new Map(), exchange = new Map(), variables = [];
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
      const quiet = isTopic ? Math.exp(-silence[i]) : 1;
      if (isFree) variables.push(i);
      if (isFree && !hasFreeParent) {
        ofTopic.set(i, tell([i], [off, on * quiet]));
        continue;
      }
      variables.push(cause);
      tell([cause], [off, on]);
      if (isFree) {
        ofTopic.set(i, tell([i], [1, quiet]));
        exchange.set(i, cause).set(cause, i);
      } else tell([cause], isTopic && state[i] !== HELD_ON ? [1, 0] : [0, quiet], [cause]);
    }
    return { nTopics, tables, ofTopic, exchange, variables };
  }

  // ---- what is to be multiplied ----

  // Brings the two tables of the fewest variables to the end.
  function twoSmallestLast(bucket) {
    for (let place = bucket.length - 1; place > bucket.length - 3; place--) {
      let smallest = place;
      for (let b = 0; b < place; b++)
        if (bucket[b].scope.length < bucket[smallest].scope.length) smallest = b;
      [bucket[place], bucket[smallest]] = [bucket[smallest], bucket[place]];
    }
  }

  // How many products of two numbers a step takes: as many as the states of all its variables, and
  // twice that for each whose causes are put together.
  function countTerms({ nTopics }, left, right, gone) {
    const isCaused = ({ given }, u) => u >= nTopics && !given.includes(u);
    const isDoubled = (u) => u !== gone && right.scope.includes(u) && (isCaused(left, u) || isCaused(right, u));
    return 2 ** (union(left.scope, right.scope).length + left.scope.filter(isDoubled).length);
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

  // The steps, or null where they would take more terms than are allowed.
  function makePlan(model, { most_terms, most_neighbours }) {
    const { tables, variables } = model, exchange = new Map(model.exchange), steps = [];
    const links = [...tables.map(({ scope }) => scope).filter(({ length }) => length === 2), ...exchange];
    const order = OrreryOrder.eliminationOrder(variables, links, most_neighbours);
    const nothing = { scope: [], given: [], values: Float64Array.of(1) };
    let live = tables, nTerms = 0;
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
        nTerms += countTerms(model, left, right, gone);
        if (nTerms > most_terms) return null;
        steps.push(stepOf(left, right, gone, isLast ? other : undefined));
        bucket.push(steps.at(-1).made);
      }
      exchange.delete(other);
      live.push(...bucket);
    }
    return order && steps;
  }

  // ---- the products ----

  // How far apart a table's values are for a variable off and on; 0 if it does not have it.
  const strideIn = ({ scope }, u) => (scope.includes(u) ? 2 ** scope.indexOf(u) : 0);

  // What becomes of a variable in a step, and how far apart its values are in the three tables.
  function axisOf(u, { left, right, made, gone, other }, nTopics) {
    const isCaused = ({ given }) => u >= nTopics && !given.includes(u);
    const axis = { made: strideIn(made, u), left: strideIn(left, u), leftToo: 0, right: strideIn(right, u) };
    if (u === other) {
      // The left table may know both variables of the node.
      const isKnown = axis.left > 0;
      const rule = isKnown && gone < other ? GIVEN_CAUSE : SAME;
      return { ...axis, rule, left: strideIn(left, gone), leftToo: axis.left };
    }
    if (u === gone) return { ...axis, rule: !axis.right && left.given.includes(u) ? NO_FURTHER : SUM };
    if (!axis.left || !axis.right) return { ...axis, rule: SAME };
    if (isCaused(left)) return { ...axis, rule: isCaused(right) ? EITHER : CAUSE_GIVEN };
    return { ...axis, rule: isCaused(right) ? GIVEN_CAUSE : SAME };
  }

  // A list of terms with one more variable.
  function extended(terms, { rule, made, left, leftToo, right }) {
    const n = terms.made.length;
    const longer = (places, further) => {
      const all = new Uint32Array(n * (rule.length + 1));
      all.set(places);
      rule.forEach((term, r) => {
        for (let t = 0; t < n; t++) all[(r + 1) * n + t] = places[t] + further(term);
      });
      return all;
    };
    return {
      made: longer(terms.made, ([x]) => x * made),
      left: longer(terms.left, ([, y, z]) => y * left + z * leftToo),
      right: longer(terms.right, ([, , z]) => z * right),
    };
  }

  // Places of all terms of a step in its three tables: one list for some of the variables and one for
  // the others, a term being the sum of one of each.
  function termsOf(step, nTopics) {
    const { made, gone, other } = step, none = Uint32Array.of(0);
    const axes = (gone === undefined || other !== undefined ? [] : [gone])
      .concat(made.scope)
      .map((u) => axisOf(u, step, nTopics));
    let inner = { made: none, left: none, right: none }, outer = inner;
    // Those with a term for each value come first: sums that follow each other then go elsewhere.
    for (const axis of [...axes.filter(({ rule }) => rule === SAME), ...axes.filter(({ rule }) => rule !== SAME)])
      if (inner.made.length < INNER) inner = extended(inner, axis);
      else outer = extended(outer, axis);
    return { inner, outer };
  }

  function divide(values, by) {
    for (let at = 0; at < values.length; at++) values[at] /= by;
  }

  // Makes the largest value 1; returns what it was.
  function scaled(values) {
    let largest = 0;
    for (const value of values) if (value > largest) largest = value;
    if (largest > 0) divide(values, largest);
    return largest;
  }

  function multiply({ inner, outer }, made, left, right) {
    const { made: inMade, left: inLeft, right: inRight } = inner;
    for (let h = 0; h < outer.made.length; h++) {
      const madeH = outer.made[h], leftH = outer.left[h], rightH = outer.right[h];
      for (let t = 0; t < inMade.length; t++)
        made[madeH + inMade[t]] += left[leftH + inLeft[t]] * right[rightH + inRight[t]];
    }
  }

  // What the product's slopes, divided by its scale, say of the slopes of its two tables.
  function multiplyBack({ inner, outer }, { made, scale, left, right }) {
    const { made: inMade, left: inLeft, right: inRight } = inner, slopes = made.slopes;
    const { values: leftValues, slopes: toLeft } = left, { values: rightValues, slopes: toRight } = right;
    divide(slopes, scale);
    for (let h = 0; h < outer.made.length; h++) {
      const madeH = outer.made[h], leftH = outer.left[h], rightH = outer.right[h];
      for (let t = 0; t < inMade.length; t++) {
        const slope = slopes[madeH + inMade[t]], atLeft = leftH + inLeft[t], atRight = rightH + inRight[t];
        toLeft[atLeft] += slope * rightValues[atRight];
        toRight[atRight] += slope * leftValues[atLeft];
      }
    }
  }

  // Probability of every topic and log-probability of the evidence; null where that would take too
  // long, or where the evidence is too improbable for a number.
  function sumStates(local, settings) {
    const model = makeTables(local), steps = makePlan(model, settings);
    if (!steps) return null;
    let logProbability = local.logScale;
    for (const step of steps) {
      const { left, right, made } = step;
      step.terms = termsOf(step, model.nTopics);
      made.values = new Float64Array(2 ** made.scope.length);
      multiply(step.terms, made.values, left.values, right.values);
      step.scale = scaled(made.values);
      logProbability += Math.log(step.scale);
    }
    if (logProbability === -Infinity) return null;
    for (const { left, right, made } of steps)
      for (const table of [left, right, made]) {
        table.slopes ??= new Float64Array(table.values.length);
        if (!table.scope.length) table.slopes[0] = 1;
      }
    for (const step of steps.reverse()) multiplyBack(step.terms, step);
    const probability = Float64Array.from(local.state, (state, k) => {
      if (state !== FREE) return state;
      const { values, slopes } = model.ofTopic.get(k), isOn = values[1] * slopes[1];
      return isOn / (values[0] * slopes[0] + isOn);
    });
    return { probability, logProbability };
  }

  return { sumStates };
})();
