// The picture of a query's local model, in layers, words at the bottom in the order typed.

const OrreryPicture = (function () {
  "use strict";

  const ROOM = 700, GAP_X = 12, GAP_Y = 16, LAYER_GAP = 60, SWEEPS = 6;
  const TOPIC = { width: 128, height: 60 }, WORD_HEIGHT = 32;
  // As the app letters its boxes: in one line, in each of two, and in all.
  const ONE_LINE = 13, LINE_LIMIT = 24, LABEL_LIMIT = 32, LETTER = 6.6, LARGEST = 13;
  const STEPS = [0.05, 0.25], WIDTHS = [1, 2, 3.2];

  function make(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function shortened(label) {
    if (label.length <= LABEL_LIMIT) return label;
    const words = label.split(" ");
    while (words.length > 1 && words.join(" ").length + 2 > LABEL_LIMIT) {
      words.pop();
      if (words[words.length - 1] === "·") words.pop();
    }
    const kept = words.join(" ");
    return kept.length + 2 <= LABEL_LIMIT ? kept + " …" : label.slice(0, LABEL_LIMIT - 1) + "…";
  }

  function cut(line) {
    return line.length <= LINE_LIMIT ? line : line.slice(0, LINE_LIMIT - 1) + "…";
  }

  function lines(label) {
    const short = shortened(label);
    const breaks = [...short].map((_, i) => i).filter(
      (i) => short[i] === " " && short[i + 1] !== "·" && short[i + 1] !== "…"
    );
    if (short.length <= ONE_LINE || !breaks.length) return [cut(short)];
    const longest = (i) => Math.max(i, short.length - i);
    const middle = breaks.reduce((best, i) => (longest(i) < longest(best) ? i : best));
    return [cut(short.slice(0, middle)), cut(short.slice(middle + 1))];
  }

  // Places at least a pitch apart, in order, nearest to those wanted (pool adjacent violators).
  function apart(wanted, pitch) {
    const blocks = [];
    wanted.forEach((x, i) => {
      let block = { mean: x - i * pitch, size: 1 };
      while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
        const other = blocks.pop(), size = other.size + block.size;
        block = { mean: (other.mean * other.size + block.mean * block.size) / size, size };
      }
      blocks.push(block);
    });
    const levels = blocks.flatMap((block) => Array(block.size).fill(block.mean));
    return levels.map((level, i) => level + i * pitch);
  }

  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  // Gives every node x and y; rows are filled from the bottom layer up.
  function place(nodes, links) {
    const layers = [...new Set(nodes.map((node) => node.layer))].sort((a, b) => a - b);
    const near = new Map(nodes.map((node) => [node, []]));
    for (const link of links) {
      near.get(link.parent).push(link.child);
      near.get(link.child).push(link.parent);
    }
    const order = new Map(layers.map((l) => [l, nodes.filter((node) => node.layer === l)]));
    const rank = () => order.forEach((row) => row.forEach((n, i) => (n.x = (i + 0.5) / row.length)));
    rank();
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
        if (layer === 0) continue;
        const side = (n) => near.get(n).filter((o) => (sweep % 2 ? o.layer > layer : o.layer < layer));
        const want = new Map(order.get(layer).map((n) => [n, side(n).length ? mean(side(n).map((o) => o.x)) : n.x]));
        order.get(layer).sort((a, b) => want.get(a) - want.get(b));
        rank();
      }
    const perRow = Math.floor((ROOM + GAP_X) / (TOPIC.width + GAP_X));
    let bottom = 0;
    for (const layer of layers) {
      const row = order.get(layer), count = Math.ceil(row.length / perRow);
      const size = Math.ceil(row.length / count);
      const rows = rowsOf(row, size, layer > 0);
      for (const [r, part] of rows.entries()) {
        bottom = placeRow(part, bottom, layer > 0 && count === 1, near);
        if (r < count - 1) bottom -= GAP_Y;
      }
      bottom -= LAYER_GAP;
    }
  }

  // Rows of a layer from the bottom up: likely topics below, near their words; words as typed.
  function rowsOf(row, size, isTopics) {
    const ranked = isTopics ? [...row].sort((a, b) => b.probability - a.probability) : row;
    const rows = [];
    for (let first = 0; first < row.length; first += size) {
      const part = new Set(ranked.slice(first, first + size));
      rows.push(row.filter((node) => part.has(node)));
    }
    return isTopics ? rows : rows.reverse();
  }

  function placeRow(row, bottom, isFree, near) {
    const height = Math.max(...row.map((n) => n.height));
    const pitch = Math.max(...row.map((n) => n.width)) + GAP_X;
    const even = row.map((_, i) => (i - (row.length - 1) / 2) * pitch);
    const below = row.map((n) => near.get(n).filter((other) => other.layer < n.layer));
    const wanted = row.map((_, i) => (below[i].length ? mean(below[i].map((o) => o.x)) : even[i]));
    const xs = isFree ? apart(wanted, pitch) : even;
    row.forEach((node, i) => {
      node.x = xs[i];
      node.y = bottom - height / 2;
    });
    return bottom - height;
  }

  function drawNode(node, open) {
    const kind = node.topic === undefined ? "word" : "topic";
    const g = make("g", { class: `${kind} ${node.kind}`, tabindex: 0, role: "link" });
    g.dataset.key = node.key;
    g.append(make("title", {}, node.hover));
    const [x, y] = [node.x - node.width / 2, node.y - node.height / 2];
    const rx = kind === "topic" ? 8 : 1;
    const box = make("rect", { x, y, width: node.width, height: node.height, rx });
    if (node.kind === "off") {
      const share = Math.min(100, 25 + 150 * node.probability);
      box.style.fill = `color-mix(in srgb, var(--off-fill) ${share}%, var(--ground))`;
    }
    g.append(box);
    if (kind === "word") {
      g.append(make("text", { x: node.x, y: node.y + 4.5 }, node.label));
    } else {
      const rows = lines(node.label);
      rows[0] = (node.kind === "on" ? "● " : "○ ") + rows[0];
      const first = node.y - (rows.length > 1 ? 14 : 6);
      const longest = Math.max(...rows.map((row) => row.length));
      const size = Math.min(LARGEST, (LARGEST * (node.width - 14)) / (LETTER * longest));
      const style = `font-size: ${size.toFixed(1)}px`;
      rows.forEach((row, i) => g.append(make("text", { x: node.x, y: first + 16 * i, style }, row)));
      const last = node.y + 21;
      const figures = make("text", { x: node.x, y: last, class: "figures" }, node.figures + " ");
      const code = make("tspan", { class: "code", dx: 4, "font-weight": 400 }, node.code);
      figures.append(code);
      g.append(figures);
    }
    if (node.kind !== "unknown") {
      g.addEventListener("click", () => open(node.key));
      g.addEventListener("keydown", (event) => event.key === "Enter" && open(node.key));
    }
    return g;
  }

  function drawLink(link) {
    const { parent, child } = link, strong = parent.kind !== "off" && child.kind !== "off";
    const y = parent.y + parent.height / 2, end = child.y - child.height / 2 - 2;
    const middle = (y + end) / 2;
    const made = make("path", {
      d: `M${parent.x} ${y}C${parent.x} ${middle} ${child.x} ${middle} ${child.x} ${end}`,
      "stroke-width": WIDTHS[STEPS.filter((step) => link.probability >= step).length],
      "marker-end": strong ? "url(#tip-strong)" : "url(#tip)",
    });
    if (strong) made.classList.add("strong");
    return made;
  }

  // Nodes have key, kind, label, layer, hover, and topics also topic, probability, figures, code.
  function draw(nodes, links, description, open) {
    for (const node of nodes) {
      const width = Math.max(64, Math.min(156, 26 + 7.6 * node.label.length));
      Object.assign(node, node.topic === undefined ? { width, height: WORD_HEIGHT } : TOPIC);
    }
    place(nodes, links);
    const left = Math.min(-ROOM / 2, ...nodes.map((n) => n.x - n.width / 2)) - 2;
    const right = Math.max(ROOM / 2, ...nodes.map((n) => n.x + n.width / 2)) + 2;
    const top = Math.min(...nodes.map((n) => n.y - n.height / 2)) - 2;
    const svg = make("svg", { viewBox: `${left} ${top} ${right - left} ${4 - top}` });
    svg.style.maxWidth = right - left + "px";
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", description);
    const defs = make("defs", {});
    for (const name of ["tip", "tip-strong"]) {
      const marker = make("marker", {
        id: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
        markerUnits: "userSpaceOnUse", orient: "auto",
      });
      const tip = make("path", { d: "M0 0.8 8 4 0 7.2z" });
      if (name === "tip-strong") tip.classList.add("strong");
      marker.append(tip);
      defs.append(marker);
    }
    const drawn = links.map(drawLink);
    // Pale arrows first, so that the dark ones are drawn over them.
    drawn.sort((a, b) => a.classList.contains("strong") - b.classList.contains("strong"));
    svg.append(defs, ...drawn, ...nodes.map((node) => drawNode(node, open)));
    return svg;
  }

  return { draw };
})();
