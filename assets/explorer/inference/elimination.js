// All states of a local model summed by a plan, one variable after the other, as
// core/kernels/elimination.py has it (MATH §10). The chances of all topics are derivatives of the sum,
// taken backwards through the same products.

const OrreryElimination = (function () {
  "use strict";

  // What happens to a variable in a product: its terms beside that of off, off, off; each says
  // whether it is on in the product, in the left table and in the right.
  const SAME = [[1, 1, 1]], SUM = [[0, 1, 1]];
  const EITHER = [[1, 0, 1], [1, 1, 0], [1, 1, 1]];
  const CAUSE_GIVEN = [[0, 1, 1], [1, 0, 1], [1, 1, 1]];
  const GIVEN_CAUSE = [[0, 1, 1], [1, 1, 0], [1, 1, 1]];
  // Terms of the inner loop; longer lists of them take longer to make than they save.
  const INNER = 256;

  // How far apart a table's values are for a variable off and on; 0 if it does not have it.
  const strideIn = ({ scope }, u) => (scope.includes(u) ? 2 ** scope.indexOf(u) : 0);

  // What becomes of a variable in a step, and how far apart its values are in the three tables.
  function axisOf(u, { left, right, made, gone, other }, isCaused) {
    const axis = { made: strideIn(made, u), left: strideIn(left, u), leftToo: 0, right: strideIn(right, u) };
    if (u === other) {
      // The left table may know both variables of the node.
      const isKnown = axis.left > 0;
      const rule = isKnown && gone < other ? GIVEN_CAUSE : SAME;
      return { ...axis, rule, left: strideIn(left, gone), leftToo: axis.left };
    }
    if (u === gone) return { ...axis, rule: SUM };
    if (!axis.left || !axis.right) return { ...axis, rule: SAME };
    if (isCaused(left, u)) return { ...axis, rule: isCaused(right, u) ? EITHER : CAUSE_GIVEN };
    return { ...axis, rule: isCaused(right, u) ? GIVEN_CAUSE : SAME };
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
  function termsOf(step, isCaused) {
    const { made, gone, other } = step, none = Uint32Array.of(0);
    const axes = (gone === undefined || other !== undefined ? [] : [gone])
      .concat(made.scope)
      .map((u) => axisOf(u, step, isCaused));
    let inner = { made: none, left: none, right: none }, outer = inner;
    // Those with a term for each value come first: sums that follow each other then go elsewhere.
    axes.sort((a, b) => (a.rule !== SAME) - (b.rule !== SAME));
    for (const axis of axes)
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
    divide(values, largest);
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

  // Whether it is worth a plan, and no topic is all but impossible.
  function mayBeSummed({ node, parent, state, silence }, { most_nodes, most_edges, most_silence }) {
    const isQuiet = state.every((held, k) => held !== OrreryLocal.FREE || silence[k] <= most_silence);
    return isQuiet && node.length <= most_nodes && parent.length <= most_edges;
  }

  // Values of the tables of the topics that are free: of all tables, these alone depend on the silence.
  function setSilence({ ofTopic, quietless }, silence) {
    for (const [k, table] of ofTopic) table.values[1] = quietless.get(k) * Math.exp(-silence[k]);
  }

  // Multiplies all tables forwards and, for the slopes, backwards; returns the logarithm of the sum.
  function pass(steps) {
    let logSum = 0;
    for (const step of steps) {
      step.made.values.fill(0);
      multiply(step.terms, step.made.values, step.left.values, step.right.values);
      step.scale = scaled(step.made.values);
      logSum += Math.log(step.scale);
    }
    for (const { left, right, made } of steps)
      for (const table of [left, right, made]) table.slopes.fill(table.scope.length ? 0 : 1);
    for (let s = steps.length - 1; s >= 0; s--) multiplyBack(steps[s].terms, steps[s]);
    return logSum;
  }

  // A function of the silence of all topics: probability of every topic and log-probability of the
  // evidence, null where the sums are no numbers any more. What to multiply is planned once; null where
  // it would take too long. A topic with infinite silence is off.
  function summer(local, settings) {
    if (!mayBeSummed(local, settings)) return null;
    const model = OrreryPlan.makeTables(local), steps = OrreryPlan.makePlan(model, settings);
    if (!steps) return null;
    for (const step of steps) {
      step.terms = termsOf(step, model.isCaused);
      step.made.values = new Float64Array(2 ** step.made.scope.length);
      for (const table of [step.left, step.right, step.made]) table.slopes ??= new Float64Array(table.values.length);
    }
    return (silence) => {
      setSilence(model, silence);
      let logProbability = local.logScale;
      local.state.forEach((state, k) => {
        if (state === OrreryLocal.HELD_ON) logProbability -= silence[k];
      });
      logProbability += pass(steps);
      const probability = Float64Array.from(local.state, (state, k) => {
        if (state !== OrreryLocal.FREE) return state;
        const { values, slopes } = model.ofTopic.get(k), isOn = values[1] * slopes[1];
        return isOn / (values[0] * slopes[0] + isOn);
      });
      const isNumber = Number.isFinite(logProbability) && probability.every(Number.isFinite);
      return isNumber ? { probability, logProbability: Math.min(logProbability, 0) } : null;
    };
  }

  const sumStates = (local, settings) => summer(local, settings)?.(local.silence) ?? null;

  return { sumStates, summer };
})();
