// Data of the picture of a local model, as core/drawing/picture.py and style.py make them for the app:
// what fits, sizes and places of boxes, their colours, borders and lines of text.

// `constants` come from Python (`picture_constants`). Nodes have key, kind, label, layer, hover and
// importance; topics also probability, figures, code and clamped. Edges have parent and child (keys),
// probability and strong. Legend items have kind, text, and, if they are switches, switch and pressed.
function composer(constants) {
  const { style, sizes } = constants, { placeBoxes, placeZones, withMore, layerBands, routeEdges } = layoutOf(constants.layout);
  const THEMES = ["light", "dark"], TOPIC_KINDS = Object.keys(style.marks);
  const rounded = (value) => Math.round(10 * value) / 10;

  // ---- colours and borders ----

  const channels = (colour) => [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));

  // As Python rounds: halves to the nearest even number.
  const halfEven = (value) => (value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

  function mix(first, second, share) {
    const [one, other] = [channels(first), channels(second)];
    const mixed = one.map((value, i) => halfEven(value + (other[i] - value) * share));
    return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("").toUpperCase();
  }

  const isUnsure = (probability) => probability > style.unsure[0] && probability < style.unsure[1];
  // Each topic of an answer is on, unsure or off.
  const groupOf = ({ kind, probability }) =>
    TOPIC_KINDS.includes(kind) && probability !== undefined && isUnsure(probability) ? "unsure" : kind;

  // Fill of a topic: one for all that are unsure; the others stand out more, the more probable they are.
  function topicFill(probability, full, hue, theme) {
    const ground = style.background[theme], [low] = style.unsure, half = 0.5;
    const between = theme === "light" ? style.between_fill : mix(ground, style.between, style.dark_between);
    if (isUnsure(probability)) return between;
    if (probability > half)
      return mix(between, mix(full, hue, style.strongest - 1), (probability - half) / (1 - half));
    return mix(ground, full, style.faintest + (style.off_strength - style.faintest) * (probability / low) ** 2);
  }

  function paint(kind, probability, theme) {
    const ground = style.background[theme], isTopic = TOPIC_KINDS.includes(kind);
    const [hue, light] = isTopic ? style.palette[kind] : style.neutral[kind];
    const full = theme === "light" ? light : mix(ground, hue, style.dark_fill);
    const fill = isTopic ? topicFill(probability, full, hue, theme) : style.empty.includes(kind) ? ground : full;
    let border = isTopic && isUnsure(probability) ? style.between : hue;
    if (theme === "dark") border = mix(border, "#FFFFFF", style.dark_border_lift);
    let text = style.faint.includes(kind) ? style.faint_text[theme] : style.text[theme];
    if (kind === "off" && probability < style.unsure[0]) {
      const near = (probability / style.unsure[0]) ** 2;
      border = mix(ground, border, style.faintest_border + (1 - style.faintest_border) * near);
      text = mix(style.faint_text[theme], text, near);
    }
    return [fill, border, text, style.faint_text[theme]];
  }

  function boxStyle(kind, probability) {
    const isPale = TOPIC_KINDS.includes(kind) && isUnsure(probability);
    return {
      paint: Object.fromEntries(THEMES.map((theme) => [theme, paint(kind, probability ?? 0, theme)])),
      border: isPale ? style.unsure_width : style.border_width[kind] ?? style.plain_width,
      dash: isPale ? style.unsure_dash : style.border_dash[kind] ?? [],
      rounded: style.rounded.includes(kind),
      bold: style.bold.includes(kind),
      struck: style.struck.includes(kind),
    };
  }

  // ---- lines of text ----

  const lettersOf = (text) => [...text];
  const cut = (text, limit) => (lettersOf(text).length <= limit ? text : lettersOf(text).slice(0, limit - 1).join("") + "…");

  function shortened(label) {
    if (lettersOf(label).length <= style.node_limit) return label;
    const words = label.split(" ");
    while (words.length > 1 && lettersOf(words.join(" ")).length + 2 > style.node_limit) {
      words.pop();
      if (words[words.length - 1] === "·") words.pop();
    }
    const whole = words.join(" ");
    return lettersOf(whole).length + 2 <= style.node_limit ? whole + " …" : cut(label, style.node_limit);
  }

  // At most three lines of about equal length; a dot stays at the end of its line.
  function nodeLines(label) {
    const letters = lettersOf(shortened(label));
    const breaks = [...letters.keys()].filter((i) => letters[i] === " " && !["·", "…"].includes(letters[i + 1]));
    if (letters.length <= style.one_line || !breaks.length) return [cut(letters.join(""), style.line_limit)];
    let lines = broken(letters, breaks.map((i) => [i]));
    if (breaks.length > 1 && longest(lines) > style.two_lines)
      lines = broken(letters, breaks.flatMap((i, n) => breaks.slice(n + 1).map((j) => [i, j])));
    return lines.map((part) => cut(part.join(""), style.line_limit));
  }

  const longest = (lines) => Math.max(...lines.map((part) => part.length));

  // The lines between some of the breaks of which the longest is as short as possible.
  function broken(letters, choices) {
    const made = choices.map((chosen) => [0, ...chosen].map((start, n) =>
      letters.slice(start + (n > 0), chosen[n] ?? letters.length)));
    return made.reduce((best, lines) => (longest(lines) < longest(best) ? lines : best));
  }

  // ---- boxes and arrows ----

  function boxOf(node, isNarrow = false) {
    const pull = node.probability || node.importance;
    const [topicWidth, topicHeight] = sizes.topic, [narrowest, widest] = sizes.word_widths;
    if (node.layer > 0) return { ...node, width: topicWidth, height: topicHeight, pull };
    const wanted = sizes.padding + sizes.letter * lettersOf(node.label).length;
    const width = Math.max(narrowest, Math.min(widest, wanted));
    return { ...node, width: isNarrow ? Math.min(width, topicWidth) : width, height: sizes.word_height, pull };
  }

  // The most important nodes and the strongest edges between them, pale edges first.
  function kept(nodes, edges) {
    const ranked = [...nodes].sort((a, b) => b.importance - a.importance).slice(0, constants.max_nodes);
    const keys = new Set(ranked.map(({ key }) => key));
    const shown = edges
      .filter(({ parent, child }) => keys.has(parent) && keys.has(child))
      .sort((a, b) => b.probability - a.probability)
      .slice(0, constants.max_edges)
      .sort((a, b) => a.strong - b.strong || a.probability - b.probability);
    return { nodes: nodes.filter(({ key }) => keys.has(key)), edges: shown, ends: shown.map(({ parent, child }) => [parent, child]) };
  }

  function nodeData(node, { centre }) {
    const [x, y] = centre.get(node.key), group = groupOf(node);
    // Its place is as large as that of any topic, so that nothing moves when it is switched on.
    const small = group === "off" && !node.clamped && node.layer > 0;
    const { width, height } = small ? { width: sizes.topic_off[0], height: sizes.topic_off[1] } : boxOf(node);
    return {
      id: node.key, x: rounded(x), y: rounded(y), width, height,
      lines: TOPIC_KINDS.includes(node.kind) ? nodeLines(node.label) : [node.label],
      mark: style.legend_marks[group] ?? "", figures: node.figures ?? "", pinned: Boolean(node.clamped), small,
      code: node.code && node.code !== node.label ? node.code : "", hover: node.hover,
      ...boxStyle(node.kind, node.probability),
    };
  }

  const routesOf = (boxes, placement, ends) =>
    routeEdges(boxes, placement, ends).map((route) => route.map((point) => point.map(rounded)));

  const groundsOf = (boxes, placement) => ({
    size: [placement.width, placement.height], zones: placement.zones ?? [], bands: layerBands(boxes, placement),
  });

  function legendData(item) {
    const probability = { on: 1, off: style.unsure[0], unsure: 0.5 }[item.kind];
    const kind = item.kind === "unsure" ? "off" : item.kind;
    const isBox = kind in style.neutral || kind in style.marks;
    return { switch: "", pressed: true, mark: style.legend_marks[item.kind] ?? "", ...item, ...(isBox ? boxStyle(kind, probability) : {}) };
  }

  function data({ nodes, edges, ends }, placement, legend, description, frame = null) {
    const boxes = nodes.map((node) => boxOf(node)), routes = routesOf(boxes, placement, ends);
    return {
      nodes: nodes.map((node) => nodeData(node, placement)),
      edges: edges.map(({ parent, child, probability, strong }, i) => ({
        from: parent, to: child, strong, figures: "", route: routes[i],
        step: style.edge_steps.filter((step) => probability >= step).length,
      })),
      legend: legend.map(legendData), ...groundsOf(boxes, placement), description,
      arrows: style.edge_colour, arrow_widths: style.edge_widths, drawing: style.drawing, room: constants.layout.room, frame, narrow: null,
    };
  }

  // Picture of nodes and edges. Nodes of `settled`, the picture that this one follows, keep the
  // places that they have there.
  function compose({ nodes, edges, settled = [], legend, description }) {
    const shown = kept(nodes, edges), boxes = shown.nodes.map((node) => boxOf(node));
    if (!settled.length) return data(shown, placeBoxes(boxes, shown.ends), legend, description);
    const before = kept(settled, edges), standing = before.nodes.map((node) => boxOf(node));
    const placement = placeBoxes(standing, before.ends), frame = [placement.width, placement.height];
    const more = boxes.filter(({ key }) => !placement.centre.has(key));
    return data(shown, withMore(placement, standing, more), legend, description, frame);
  }

  // Picture of groups of { heading, nodes } side by side, with other places on a phone.
  function composeZones({ groups, edges, legend, description }) {
    const shown = kept(groups.flatMap(({ nodes }) => nodes), edges), keys = new Set(shown.nodes.map(({ key }) => key));
    const placed = (isNarrow) => placeZones(groups.map(({ heading, nodes }) =>
      ({ heading, boxes: nodes.filter(({ key }) => keys.has(key)).map((node) => boxOf(node, isNarrow)) })), shown.ends, isNarrow);
    const boxes = shown.nodes.map((node) => boxOf(node, true)), narrow = placed(true);
    const places = boxes.map(({ key, width }) => {
      const [x, y] = narrow.centre.get(key).map(rounded);
      return { x, y, width };
    });
    return {
      ...data(shown, placed(false), legend, description),
      narrow: {
        nodes: places, edges: routesOf(boxes, narrow, shown.ends).map((route) => ({ route })), ...groundsOf(boxes, narrow),
      },
    };
  }

  return { compose, composeZones };
}
