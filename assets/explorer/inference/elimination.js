// All states of a local model summed by a plan, one variable after the other, as
// core/kernels/elimination.py has it (MATH §10). The chances of all topics are derivatives of the sum,
// taken backwards through the same products.

const OrreryElimination = (function () {
  "use strict";

  // What happens to a variable in a product: its terms beside that of off, off, off; each says where
  // it is in the product, in the left table and in the right: off, on, or ANY, the sum of both.
  const ANY = 2;
  const SAME = [[1, 1, 1]], SUM = [[0, 1, 1]];
  const EITHER = [[1, 1, 0], [1, ANY, 1]];
  const CAUSE_GIVEN = [[0, 1, 1], [1, ANY, 1]];
  const GIVEN_CAUSE = [[0, 1, 1], [1, 1, ANY]];
  // The same where the left table has both variables of the node: no sums are made of them.
  const EXCHANGED = [[0, 1, 1], [1, 1, 0], [1, 1, 1]];
  // Terms of the inner loop; longer lists of them take longer to make than they save.
  const INNER = 256;

  // What becomes of a variable in a step that makes a product.
  function ruleOf(u, { left, right, gone, other }, isCaused) {
    if (u === other) return left.scope.includes(u) && gone < other ? EXCHANGED : SAME;
    if (u === gone) return SUM;
    if (!left.scope.includes(u) || !right.scope.includes(u)) return SAME;
    if (isCaused(left, u)) return isCaused(right, u) ? EITHER : CAUSE_GIVEN;
    return isCaused(right, u) ? GIVEN_CAUSE : SAME;
  }

  // How far apart the values of a table's variables are, and where it is to be widened, from the first
  // variable on, by the sum over a variable, as `rules` have it.
  function wideLayout({ scope }, side, rules) {
    const stride = new Map(), sums = [];
    let length = 1;
    for (const u of scope) {
      stride.set(u, length);
      const isWide = rules.get(u)?.some((term) => term[side] === ANY);
      if (isWide) sums.push(length);
      length *= isWide ? 3 : 2;
    }
    return { stride, sums, length };
  }

  // The values with, beside those of off and on, their sums.
  function widened(values, { sums }) {
    for (const stride of sums) {
      const wide = new Float64Array((values.length / 2) * 3);
      for (let from = 0, to = 0; from < values.length; from += 2 * stride, to += 3 * stride)
        for (let at = 0; at < stride; at++) {
          const off = values[from + at], on = values[from + stride + at];
          wide[to + at] = off;
          wide[to + stride + at] = on;
          wide[to + 2 * stride + at] = off + on;
        }
      values = wide;
    }
    return values;
  }

  // Slopes of widened values, as slopes of the values.
  function narrowed(slopes, { sums }) {
    for (const stride of [...sums].reverse()) {
      const narrow = new Float64Array((slopes.length / 3) * 2);
      for (let from = 0, to = 0; to < narrow.length; from += 3 * stride, to += 2 * stride)
        for (let at = 0; at < stride; at++) {
          const any = slopes[from + 2 * stride + at];
          narrow[to + at] = slopes[from + at] + any;
          narrow[to + stride + at] = slopes[from + stride + at] + any;
        }
      slopes = narrow;
    }
    return slopes;
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
  // the others, a term being the sum of one of each; and the layouts of the tables that are multiplied.
  function termsOf(step, isCaused) {
    const { made, gone, other } = step, none = Uint32Array.of(0);
    const all = (gone === undefined || other !== undefined ? [] : [gone]).concat(made.scope);
    const rules = new Map(all.map((u) => [u, ruleOf(u, step, isCaused)]));
    const left = wideLayout(step.left, 1, rules), right = wideLayout(step.right, 2, rules);
    const axes = all.map((u) => ({
      rule: rules.get(u),
      made: made.scope.includes(u) ? 2 ** made.scope.indexOf(u) : 0,
      left: left.stride.get(u === other ? gone : u) ?? 0,
      // The left table may know both variables of the node.
      leftToo: u === other ? left.stride.get(u) ?? 0 : 0,
      right: right.stride.get(u) ?? 0,
    }));
    let inner = { made: none, left: none, right: none }, outer = inner;
    // Those with a term for each value come first: sums that follow each other then go elsewhere.
    axes.sort((a, b) => (a.rule !== SAME) - (b.rule !== SAME));
    for (const axis of axes)
      if (inner.made.length < INNER) inner = extended(inner, axis);
      else outer = extended(outer, axis);
    return { inner, outer, left, right };
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

  function multiply({ inner, outer, ...layout }, made, { values: leftValues }, { values: rightValues }) {
    const { made: inMade, left: inLeft, right: inRight } = inner;
    const left = widened(leftValues, layout.left), right = widened(rightValues, layout.right);
    for (let h = 0; h < outer.made.length; h++) {
      const madeH = outer.made[h], leftH = outer.left[h], rightH = outer.right[h];
      for (let t = 0; t < inMade.length; t++)
        made[madeH + inMade[t]] += left[leftH + inLeft[t]] * right[rightH + inRight[t]];
    }
  }

  // What the product's slopes, divided by its scale, say of the slopes of its two tables, each of which
  // is multiplied once.
  function multiplyBack({ inner, outer, ...layout }, { made, scale, left, right }) {
    const { made: inMade, left: inLeft, right: inRight } = inner, slopes = made.slopes;
    const leftValues = widened(left.values, layout.left), rightValues = widened(right.values, layout.right);
    const toLeft = new Float64Array(leftValues.length), toRight = new Float64Array(rightValues.length);
    divide(slopes, scale);
    for (let h = 0; h < outer.made.length; h++) {
      const madeH = outer.made[h], leftH = outer.left[h], rightH = outer.right[h];
      for (let t = 0; t < inMade.length; t++) {
        const slope = slopes[madeH + inMade[t]], atLeft = leftH + inLeft[t], atRight = rightH + inRight[t];
        toLeft[atLeft] += slope * rightValues[atRight];
        toRight[atRight] += slope * leftValues[atLeft];
      }
    }
    left.slopes = narrowed(toLeft, layout.left);
    right.slopes = narrowed(toRight, layout.right);
  }

  // Whether it is worth a plan, and no topic is all but impossible.
  function mayBeSummed({ node, parent, state, silence }, { most_nodes, most_edges, most_silence }) {
    const isQuiet = state.every((held, k) => held !== OrreryLocal.FREE || silence[k] <= most_silence);
    return isQuiet && node.length <= most_nodes && parent.length <= most_edges;
  }

  // Of a small local model, as many states are summed as core/inference/elimination.py sums.
  const mostStates = ({ node, parent }, { most_small_nodes, most_small_edges, most_small_states }) =>
    node.length <= most_small_nodes && parent.length <= most_small_edges ? most_small_states : 0;

  // Values of the tables of the topics that are free: of all tables, these alone depend on the silence.
  function setSilence({ ofTopic, quietless }, silence) {
    for (const [k, table] of ofTopic) table.values[1] = quietless.get(k) * Math.exp(-silence[k]);
  }

  // Multiplies all tables forwards and, for the slopes, backwards; returns the logarithm of the sum.
  function pass(steps) {
    let logSum = 0;
    for (const step of steps) {
      step.made.values.fill(0);
      multiply(step.terms, step.made.values, step.left, step.right);
      step.scale = scaled(step.made.values);
      logSum += Math.log(step.scale);
    }
    for (const { made } of steps) if (!made.scope.length) made.slopes = Float64Array.of(1);
    for (let s = steps.length - 1; s >= 0; s--) multiplyBack(steps[s].terms, steps[s]);
    return logSum;
  }

  // A function of the silence of all topics: probability of every topic and log-probability of the
  // evidence, null where the sums are no numbers any more. What to multiply is planned once; null where
  // it would take too long. A topic with infinite silence is off.
  function summer(local, settings) {
    if (!mayBeSummed(local, settings)) return null;
    const model = OrreryPlan.makeTables(local);
    const steps = OrreryPlan.makePlan(model, { ...settings, most_states: mostStates(local, settings) });
    if (!steps) return null;
    for (const step of steps) {
      step.terms = termsOf(step, model.isCaused);
      step.made.values = new Float64Array(2 ** step.made.scope.length);
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
