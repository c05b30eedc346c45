// Small models as an explorer's page holds them, random numbers from a seed, and the truth by
// enumeration of all states.

const base64 = (array) => Buffer.from(array.buffer).toString("base64");

// Uniform numbers on [0, 1) (mulberry32).
export function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

// `edges` are [parent, child, weight]; topics are numbered first, parents before their children.
export function pageData({ topics, words, edges, leak, ...more }) {
  const nNodes = topics.length + words.length;
  const links = [...edges].sort(([a, x], [b, y]) => x - y || a - b);
  const ptr = new Int32Array(nNodes + 1);
  for (const [, child] of links) ptr[child + 1] += 1;
  for (let node = 0; node < nNodes; node++) ptr[node + 1] += ptr[node];
  return {
    topic_ids: topics, labels: topics, vocabulary: words, hidden: [], wordless: [], shown_as: [], shelves: [],
    parent_ptr: base64(ptr),
    parent_idx: base64(Int32Array.from(links, ([parent]) => parent)),
    weight: base64(Float64Array.from(links, ([, , weight]) => weight)),
    leak: base64(Float64Array.from(leak)),
    prior: base64(new Float32Array(topics.length)),
    displayed_prior: base64(new Float32Array(topics.length)),
    family: base64(new Float32Array(topics.length)),
    main_parent: base64(new Int32Array(nNodes).fill(-1)),
    shelf_of: base64(new Int32Array(topics.length).fill(-1)),
    signs: { present: "", absent: "-", unknown: "?" }, sign_states: { "+": "present", "-": "absent", "?": "unknown" },
    clauses: {},
    thresholds: { on: 0.5, fine_error: 0.005, sure_errors: 3 },
    ...more,
  };
}

export function randomModel(random, nTopics = 5, nWords = 6) {
  const edges = [];
  for (let child = 1; child < nTopics + nWords; child++)
    for (let parent = 0; parent < Math.min(child, nTopics); parent++)
      if (random() < 0.4) edges.push([parent, child, 0.05 + 2 * random()]);
  return {
    topics: Array.from({ length: nTopics }, (_, k) => `T${k}`),
    words: Array.from({ length: nWords }, (_, i) => `word${i}`),
    edges,
    leak: Array.from({ length: nTopics + nWords }, () => 0.02 + random() / 2),
  };
}

// Probability of every topic and log-probability of the evidence, all states of the topics listed;
// topics that are not `asked` are off where the world is closed.
export function enumerated({ topics, words, edges, leak }, evidence, asked) {
  const nTopics = topics.length, isOn = new Float64Array(nTopics);
  const { present, absent, unknown, on, off, closedWorld } = evidence;
  const observed = closedWorld
    ? words.map((_, token) => token).filter((token) => !unknown.includes(token))
    : [...present, ...absent];
  let total = 0;
  for (let bits = 0; bits < 2 ** nTopics; bits++) {
    const x = Array.from({ length: nTopics }, (_, k) => (bits >> k) & 1);
    const isRuledOut = x.some((value, k) => value && ((closedWorld && !asked.includes(k)) || off.includes(k)));
    if (isRuledOut || on.some((k) => !x[k])) continue;
    const chance = (node, value) => {
      const sum = edges.reduce((w, [parent, child, weight]) => w + (child === node && x[parent] ? weight : 0), leak[node]);
      return value ? -Math.expm1(-sum) : Math.exp(-sum);
    };
    let joint = x.reduce((product, value, k) => product * chance(k, value), 1);
    for (const token of observed) joint *= chance(nTopics + token, present.includes(token));
    total += joint;
    x.forEach((value, k) => (isOn[k] += value * joint));
  }
  return { probability: isOn.map((sum) => sum / total), logProbability: Math.log(total) };
}
