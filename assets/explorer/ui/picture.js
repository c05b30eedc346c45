// The picture of an answer or of two: boxes, arrows, and what a click or a key does to them.

const OrreryPicture = (function () {
  "use strict";

  const TOPIC = { width: 128, height: 60 }, WORD_HEIGHT = 32, WORD_WIDTHS = [64, 156];
  const LETTER = 6.6, LARGEST = 13, BOLD = 7.6, MARGIN = 2, HEAD_LETTERS = 6.8;
  // Zones that had to be made smaller than this are single columns instead.
  const LEAST_SCALE = 0.75;
  // How near an arrow passes a box, and how much of a bend a curve comes to.
  const PASSING = 5, MOST_OF_BEND = 0.75;
  // As the app letters its boxes: in one line, in each of two, and in all.
  const { one_line: ONE_LINE, line_limit: LINE_LIMIT, node_limit: LABEL_LIMIT } = OrreryModel.thresholds;
  // Between those of `unsure` a topic may be either: pale, with a dashed border.
  const { edge_steps: STEPS, edge_widths: WIDTHS, unsure: UNSURE } = OrreryModel.thresholds;
  const MARKS = { on: "● ", off: "○ " };

  function make(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // ---- labels ----

  const cut = (line, limit) => (line.length <= limit ? line : line.slice(0, limit - 1) + "…");

  function shortened(label) {
    if (label.length <= LABEL_LIMIT) return label;
    const words = label.split(" ");
    while (words.length > 1 && words.join(" ").length + 2 > LABEL_LIMIT) {
      words.pop();
      if (words[words.length - 1] === "·") words.pop();
    }
    const kept = words.join(" ");
    return kept.length + 2 <= LABEL_LIMIT ? kept + " …" : cut(label, LABEL_LIMIT);
  }

  function lines(label) {
    const short = shortened(label);
    const breaks = [...short].map((_, i) => i).filter(
      (i) => short[i] === " " && short[i + 1] !== "·" && short[i + 1] !== "…"
    );
    if (short.length <= ONE_LINE || !breaks.length) return [cut(short, LINE_LIMIT)];
    const longest = (i) => Math.max(i, short.length - i);
    const middle = breaks.reduce((best, i) => (longest(i) < longest(best) ? i : best));
    return [cut(short.slice(0, middle), LINE_LIMIT), cut(short.slice(middle + 1), LINE_LIMIT)];
  }

  // ---- colours ----

  // From red to green with the probability, palest in the middle; one that is off fades towards 0.
  function paint(box, probability) {
    const [low, high] = UNSURE, middle = (low + high) / 2;
    const green = 100 * Math.min(1, Math.max(0, (probability - low) / (high - low)));
    const strength =
      probability < low ? 30 + (70 * probability) / low
      : probability < middle ? 100 - (60 * (probability - low)) / (middle - low)
      : probability < high ? 40 + (35 * (probability - middle)) / (high - middle)
      : 75 + (25 * (probability - high)) / (1 - high);
    const mixed = (on, off) => `color-mix(in srgb, var(--${on}) ${green.toFixed(1)}%, var(--${off}))`;
    box.style.fill = `color-mix(in srgb, ${mixed("on-fill", "off-fill")} ${strength.toFixed(1)}%, var(--ground))`;
    box.style.stroke = mixed("on", "off");
  }

  // ---- boxes ----

  function sized(node, most) {
    const width = Math.max(WORD_WIDTHS[0], Math.min(most, 26 + BOLD * node.label.length));
    return node.isTopic ? TOPIC : { width, height: WORD_HEIGHT };
  }

  function topicText(node) {
    const rows = lines(node.label), made = [];
    rows[0] = MARKS[node.kind] + rows[0];
    const first = node.y - (rows.length > 1 ? 14 : 6);
    const longest = Math.max(...rows.map((row) => row.length));
    const size = Math.min(LARGEST, (LARGEST * (node.width - 14)) / (LETTER * longest));
    const style = `font-size: ${size.toFixed(1)}px`;
    rows.forEach((row, i) => made.push(make("text", { x: node.x, y: first + 16 * i, style }, row)));
    const figures = make("text", { x: node.x, y: node.y + 21, class: "figures" }, node.figures + " ");
    if (node.code !== node.label) figures.append(make("tspan", { class: "code", dx: 4, "font-weight": 400 }, node.code));
    return [...made, figures];
  }

  function wordText(node) {
    const limit = Math.floor((node.width - 16) / BOLD);
    return [make("text", { x: node.x, y: node.y + 4.5 }, cut(node.label, Math.max(limit, 3)))];
  }

  // A pin that stands on the border of its box.
  function pin(node) {
    const x = node.x + node.width / 2 - 12, y = node.y - node.height / 2 + 1;
    const made = make("g", { class: "pin" });
    made.append(make("path", { d: `M${x} ${y - 4}l-3.5 12` }), make("circle", { cx: x + 1, cy: y - 5, r: 5 }));
    return made;
  }

  function drawNode(node, acts) {
    const classes = [node.isTopic ? "topic" : "word", node.kind];
    if (node.isTopic && OrreryFigures.isUnsure(node.probability)) classes.push("unsure");
    if (node.held) classes.push("held");
    const g = make("g", { class: classes.join(" "), tabindex: 0, role: "button", "aria-label": node.hover.join(". ") });
    g.dataset.key = node.key;
    g.append(make("title", {}, node.hover.join("\n")));
    const shape = {
      x: node.x - node.width / 2, y: node.y - node.height / 2,
      width: node.width, height: node.height, rx: node.isTopic ? 8 : 1,
    };
    const box = make("rect", { ...shape, class: "box" });
    if (node.isTopic) paint(box, node.probability);
    // No arrow is seen through a box that steps back.
    g.append(make("rect", { ...shape, class: "ground" }), box, ...(node.isTopic ? topicText(node) : wordText(node)));
    if (node.held) g.append(pin(node));
    // Shift click selects text elsewhere; here it switches.
    g.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    g.addEventListener("click", (event) => (event.shiftKey ? acts.turn : acts.select)(node.key));
    g.addEventListener("dblclick", () => acts.open(node));
    g.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      (event.key === " " ? acts.turn : acts.select)(node.key);
    });
    return g;
  }

  // How far an arrow bends to the side, so that it passes what stands straight between its ends.
  function bend({ parent, child }, nodes) {
    if (Math.abs(parent.x - child.x) > 1) return 0;
    const between = nodes.filter(({ x, y }) => Math.abs(x - child.x) < 1 && y > parent.y && y < child.y);
    return between.length ? Math.max(...between.map(({ width }) => width / 2 + PASSING)) / MOST_OF_BEND : 0;
  }

  function drawLink(link, nodes) {
    const { parent, child, probability } = link, aside = bend(link, nodes);
    const isStrong = (node) => node.kind === "on" || node.kind === "present";
    const y = parent.y + parent.height / 2, end = child.y - child.height / 2 - 2, middle = (y + end) / 2;
    const strong = isStrong(parent) && isStrong(child);
    const made = make("path", {
      d: `M${parent.x} ${y}C${parent.x - aside} ${middle} ${child.x - aside} ${middle} ${child.x} ${end}`,
      "stroke-width": WIDTHS[STEPS.filter((step) => probability >= step).length],
      "marker-end": strong ? "url(#tip-strong)" : "url(#tip)",
      class: strong ? "link strong" : "link",
    });
    made.dataset.ends = JSON.stringify([parent.key, child.key]);
    return made;
  }

  const widthOf = (zones) => zones[zones.length - 1].left + zones[zones.length - 1].width;

  function drawZone(zone) {
    const { left, top, width, height } = zone;
    const heading = cut(zone.heading, Math.floor((width - 20) / HEAD_LETTERS));
    const made = make("g", { class: "zone" });
    made.append(
      make("title", {}, zone.heading),
      make("rect", { x: left, y: top, width, height, rx: 10 }),
      make("text", { x: left + width / 2, y: top + 22 }, heading)
    );
    return made;
  }

  function tips() {
    const defs = make("defs", {});
    for (const name of ["tip", "tip-strong"]) {
      const marker = make("marker", {
        id: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
        markerUnits: "userSpaceOnUse", orient: "auto",
      });
      marker.append(make("path", { d: "M0 0.8 8 4 0 7.2z", class: name === "tip" ? "" : "strong" }));
      defs.append(marker);
    }
    return defs;
  }

  // Nodes have key, kind, label, layer and hover (lines); topics also isTopic, probability, figures,
  // code, held and pull. With `groups` of nodes and headings they stand in zones. `acts` are
  // functions `select` and `turn` of a key, and `open` of a node.
  function draw({ nodes, groups, links, room, description, acts }) {
    for (const node of nodes) Object.assign(node, sized(node, WORD_WIDTHS[1]));
    let isNarrow = false, zones = [], { left, right, top, bottom } = { left: -room / 2, right: room / 2, top: 0, bottom: 0 };
    if (groups) {
      zones = OrreryPlacement.placeZones(groups, links);
      isNarrow = room < LEAST_SCALE * widthOf(zones);
      if (isNarrow) {
        for (const node of nodes) Object.assign(node, sized(node, TOPIC.width));
        zones = OrreryPlacement.placeZones(groups, links, true);
      }
      const [{ top: first, height: tall }] = zones;
      ({ left, right, top, bottom } = { left: 0, right: widthOf(zones), top: first, bottom: first + tall });
    } else {
      OrreryPlacement.place(nodes, links, room);
      const all = OrreryPlacement.extent(nodes);
      ({ left, right, top, bottom } = {
        left: Math.min(left, all.left), right: Math.max(right, all.right), top: all.top - 12, bottom: all.bottom,
      });
    }
    const width = right - left + 2 * MARGIN, height = bottom - top + 2 * MARGIN;
    const svg = make("svg", {
      viewBox: `${left - MARGIN} ${top - MARGIN} ${width} ${height}`, role: "group", "aria-label": description,
    });
    svg.classList.toggle("narrow", isNarrow);
    svg.style.maxWidth = width + "px";
    svg.style.setProperty("--natural", width + "px");
    const drawn = links.map((link) => drawLink(link, nodes));
    // Pale arrows first, so that the dark ones are drawn over them.
    drawn.sort((a, b) => a.classList.contains("strong") - b.classList.contains("strong"));
    svg.append(tips(), ...zones.map(drawZone), ...drawn, ...nodes.map((node) => drawNode(node, acts)));
    return svg;
  }

  // Marks the selected box; what is not beside it steps back.
  function mark(svg, selected) {
    const boxes = [...svg.querySelectorAll("g[data-key]")], links = [...svg.querySelectorAll("path.link")];
    const isThere = boxes.some((box) => box.dataset.key === selected), near = new Set([selected]);
    for (const link of links) {
      const ends = JSON.parse(link.dataset.ends), isNear = ends.includes(selected);
      if (isNear) ends.forEach((key) => near.add(key));
      link.classList.toggle("back", isThere && !isNear);
    }
    for (const box of boxes) {
      box.classList.toggle("back", isThere && !near.has(box.dataset.key));
      box.setAttribute("aria-pressed", box.dataset.key === selected);
    }
  }

  return { draw, mark };
})();
