
// Shapes of a picture as SVG elements whose attributes say all of their colours and sizes, so that a
// saved file needs no styles. `look` has the theme, font, ground and ink of the page, a canvas
// that measures text, and the size of the smallest letters.
const SVG = "http://www.w3.org/2000/svg";
const LETTERS = { largest: 13, smallest: 10, figures: 12, weight: 400, bold: 600 };
const BOX_PADDING = 7, FOOT_GAP = 7;
const SAVED_SCALE = 2, SAVED_MARGIN = 24;

function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ---- text ----

function widthOf(look, text, size, weight) {
  look.canvas.font = `${weight} ${size}px ${look.font}`;
  return look.canvas.measureText(text).width;
}

function textShape(look, text, { x, y, size, weight, fill, anchor = "middle", ...more }) {
  const made = shape("text", {
    x, y, "font-size": size, "font-weight": weight, "text-anchor": anchor, "dominant-baseline": "central", fill, ...more,
  }, text);
  made.width = widthOf(look, text, size, weight);
  return made;
}

function cutText(look, text, room, size, weight) {
  if (widthOf(look, text, size, weight) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(look, letters.join("") + "…", size, weight) > room) letters.pop();
  return letters.join("") + "…";
}

// The largest size at which all lines fit into the room.
function fittingSize(look, lines, room, weight, largest) {
  let size = largest;
  while (size > LETTERS.smallest && lines.some((text) => widthOf(look, text, size, weight) > room)) size -= 0.5;
  return size;
}

// ---- boxes ----

function boxShape(look, node, { round, square, line, small_line: smallLine, small_letters: smallLetters }) {
  const [fill, border, ink, faint] = node.paint[look.theme];
  const sides = {
    x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height,
    rx: node.rounded ? round : square,
  };
  const dash = node.dash.length ? { "stroke-dasharray": node.dash.join(" ") } : {};
  const made = shape("g", { class: "node" },
    // A dimmed box still hides the arrows behind it.
    shape("rect", { ...sides, class: "ground", fill: look.ground }),
    shape("g", { class: "inked" },
      shape("rect", { ...sides, class: "box", fill, stroke: border, "stroke-width": node.border, ...dash }),
      ...linesOf(look, node, node.small ? smallLine : line, node.small ? smallLetters : LETTERS.largest, ink, faint),
      ...(node.pinned ? pinShapes(look, sides, border) : [])));
  made.style.setProperty("--border", node.border + "px");
  return made;
}

function linesOf(look, node, usualStep, usualSize, fill, faint) {
  const room = node.width - 2 * BOX_PADDING, weight = node.bold ? LETTERS.bold : LETTERS.weight;
  const hasFoot = Boolean(node.figures || node.code);
  const lines = node.lines.map((text, i) => (i === 0 && node.mark ? `${node.mark} ${text}` : text));
  // Three lines and the figures are closer to each other, and smaller.
  const rows = lines.length + hasFoot, isFull = rows > 3;
  const size = fittingSize(look, lines, room, weight, isFull ? Math.min(usualSize, node.height / 5) : usualSize);
  const step = isFull ? Math.min(usualStep, (node.height - size - 9) / (rows - 1)) : usualStep;
  const first = node.y - (step * (lines.length - 1 + hasFoot)) / 2;
  const made = lines.flatMap((text, i) => {
    const y = first + step * i;
    const row = textShape(look, cutText(look, text, room, size, weight), { x: node.x, y, size, weight, fill });
    const half = row.width / 2 + 2, across = { d: `M${node.x - half} ${y}H${node.x + half}`, stroke: fill, "stroke-width": 1.2 };
    return node.struck ? [row, shape("path", { class: "struck", ...across })] : [row];
  });
  if (hasFoot) {
    const figuresSize = Math.max(Math.min(size, LETTERS.figures), look.smallest);
    made.push(...footOf(look, node, first + step * lines.length + 1, figuresSize, fill, faint));
  }
  return made;
}

// Figures and id of a topic beside each other, in the middle.
function footOf(look, node, y, figuresSize, fill, faint) {
  const parts = [
    { text: node.figures, size: figuresSize, weight: LETTERS.bold, fill, class: "figures" },
    { text: node.code, size: look.smallest, weight: LETTERS.weight, fill: faint, class: "code" },
  ].filter(({ text }) => text);
  const widths = parts.map(({ text, size, weight }) => widthOf(look, text, size, weight));
  let x = node.x - (widths.reduce((sum, width) => sum + width, 0) + FOOT_GAP * (parts.length - 1)) / 2;
  return parts.map(({ text, ...part }, i) => {
    const made = textShape(look, text, { ...part, x, y, anchor: "start" });
    x += widths[i] + FOOT_GAP;
    return made;
  });
}

// A pin on the border of its box.
function pinShapes(look, sides, colour) {
  const x = sides.x + sides.width - 10, y = sides.y + 1;
  return [
    shape("path", { class: "pin", d: `M${x} ${y - 4}L${x - 3.5} ${y + 8}`, fill: "none", stroke: colour, "stroke-width": 1.8 }),
    shape("circle", { class: "pin", cx: x + 1, cy: y - 6, r: 5.5, fill: colour, stroke: look.ground, "stroke-width": 1.5 }),
  ];
}

// ---- arrows ----

function arrowShape(look, ends, edge, data) {
  const width = data.arrow_widths[edge.step], colour = data.arrows[edge.strong ? "strong" : "pale"][look.theme];
  const { line, head, middle: [x, y] } = arrow(ends, width, data.drawing), { figures: size, halo } = data.drawing;
  return shape("g", { class: "edge" },
    shape("path", { d: line, fill: "none", stroke: colour, "stroke-width": width }),
    ...(edge.figures ? [textShape(look, edge.figures, {
      x, y, size, weight: LETTERS.bold, fill: look.ink,
      stroke: look.ground, "stroke-width": halo, "stroke-linejoin": "round", "paint-order": "stroke",
    })] : []),
    shape("path", { d: head, fill: colour }));
}

// Paths from the lower side of the parent, through the gaps on the way, to the upper side of the
// child; a plain line where the child was dragged above the parent.
function arrow({ parent, child, from, to, route }, width, { head: HEAD, stretch, corner }) {
  // Arrows of one box begin and end a little towards where they lead.
  const aside = (x, box, other) => {
    const most = Math.max(0, box.width / 2 - corner);
    return x + Math.max(-most, Math.min(most, (other - x) * 0.3));
  };
  const first = route.length ? route[0][0] : to.x, last = route.length ? route[route.length - 1][0] : from.x;
  const top = to.y - child.height / 2, end = [aside(to.x, child, last), top - HEAD + 1];
  let [x, y] = [aside(from.x, parent, first), from.y + parent.height / 2];
  if (end[1] <= y) return { line: `M${from.x} ${from.y}L${to.x} ${to.y}`, head: "", middle: [(from.x + to.x) / 2, (from.y + to.y) / 2] };
  let line = `M${x} ${y}`, middle = [x, y];
  for (const [nextX, nextY] of [...route, end]) {
    const pull = (nextY - y) * stretch;
    line += `C${x} ${y + pull} ${nextX} ${nextY - pull} ${nextX} ${nextY}`;
    middle = [(x + nextX) / 2, (y + nextY) / 2];
    [x, y] = [nextX, nextY];
  }
  const half = 3 + width / 2;
  return { line, head: `M${end[0]} ${top}L${end[0] - half} ${top - HEAD} ${end[0] + half} ${top - HEAD}z`, middle };
}

// ---- grounds ----

// A band shows that the rows on it are one layer.
function bandShape(look, [y, height], wide, { band_overhang: overhang, band_opacity: opacity }) {
  const width = wide + 2 * overhang;
  return shape("rect", { class: "band", x: -width / 2, y: y - height / 2, width, height, rx: 10, fill: look.ink, opacity });
}

// A panel behind the boxes of a zone, with its heading.
function zoneShape(look, [text, x, width], height, { zone_opacity: opacity }) {
  const heading = cutText(look, text, width - 20, LETTERS.largest, LETTERS.bold);
  return shape("g", { class: "zone" },
    shape("rect", { x: x - width / 2, y: -height / 2, width, height, rx: 10, fill: look.ink, opacity }),
    textShape(look, heading, { x, y: 20 - height / 2, size: LETTERS.largest, weight: LETTERS.bold, fill: look.ink, opacity: 0.8 }));
}

function groundShapes(look, { bands, zones, size: [wide, tall], drawing }) {
  return [...bands.map((band) => bandShape(look, band, wide, drawing)), ...zones.map((zone) => zoneShape(look, zone, tall, drawing))];
}

// ---- saving ----

// The whole picture on a sheet of its own, whatever is in view; its boxes stand where they were
// dragged to.
function sheetOf({ look, data, places, view }) {
  const [halfWide, halfTall] = data.size.map((side) => side / 2);
  const ends = data.nodes.map(({ id, width, height }) => {
    const { x, y } = places.get(id);
    return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  });
  ends.push([-halfWide, -halfTall, halfWide, halfTall]);
  const [x, y] = [0, 1].map((side) => Math.min(...ends.map((end) => end[side])) - SAVED_MARGIN);
  const [width, height] = [2, 3].map((side) => Math.max(...ends.map((end) => end[side])) + SAVED_MARGIN - [x, y][side - 2]);
  const layers = [...view.children].map((layer) => layer.cloneNode(true));
  const sheet = shape("svg", { width, height, viewBox: [x, y, width, height].join(" "), "font-family": look.font },
    shape("title", {}, data.description), shape("rect", { x, y, width, height, fill: look.ground }), ...layers);
  const drawn = [...view.querySelectorAll("text")];
  // The length keeps a text in its box where the font is another.
  [...sheet.querySelectorAll("text")].forEach((text, i) => {
    text.setAttribute("textLength", drawn[i].width);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  });
  [...sheet.querySelectorAll(".node")].forEach((node, i) => {
    node.prepend(shape("title", {}, data.nodes[i].hover.join("\n")));
    for (const name of ["style", "tabindex", "role", "aria-label", "aria-pressed"]) node.removeAttribute(name);
  });
  return sheet;
}

function saveSvg(picture) {
  keep(new Blob([sourceOf(sheetOf(picture))], { type: "image/svg+xml" }), picture.data.save.name + ".svg");
}

// Painted from its shapes and not loaded as an image, which would not know the fonts of the page.
function savePng(picture) {
  const sheet = sheetOf(picture), made = document.createElement("canvas"), ctx = made.getContext("2d");
  const [x, y, width, height] = sheet.getAttribute("viewBox").split(" ").map(Number);
  Object.assign(made, { width: Math.round(width * SAVED_SCALE), height: Math.round(height * SAVED_SCALE) });
  ctx.setTransform(SAVED_SCALE, 0, 0, SAVED_SCALE, -x * SAVED_SCALE, -y * SAVED_SCALE);
  for (const child of sheet.children) paintShape(ctx, child, picture.look.font);
  made.toBlob((blob) => keep(blob, picture.data.save.name + ".png"));
}

function paintShape(ctx, made, font) {
  const own = (name) => made.getAttribute(name), number = (name) => Number(own(name));
  ctx.save();
  if (own("opacity")) ctx.globalAlpha *= number("opacity");
  if (own("transform")) ctx.translate(...own("transform").match(/-?[\d.]+(?:e-?\d+)?/g).map(Number));
  for (const child of made.tagName === "g" ? made.children : []) paintShape(ctx, child, font);
  ctx.fillStyle = own("fill") ?? "";
  ctx.strokeStyle = own("stroke") ?? "";
  ctx.lineWidth = number("stroke-width");
  ctx.lineJoin = own("stroke-linejoin") ?? "miter";
  ctx.setLineDash((own("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number));
  if (made.tagName === "text") paintText(ctx, made, font);
  else if (made.tagName !== "title" && made.tagName !== "g") {
    const path = pathOf(made, own, number);
    if (own("fill") && own("fill") !== "none") ctx.fill(path);
    if (own("stroke")) ctx.stroke(path);
  }
  ctx.restore();
}

function pathOf(made, own, number) {
  const path = new Path2D(own("d") ?? undefined);
  if (made.tagName === "rect") path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
  if (made.tagName === "circle") path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
  return path;
}

function paintText(ctx, made, font) {
  const place = ["x", "y"].map((side) => Number(made.getAttribute(side)));
  ctx.font = `${made.getAttribute("font-weight")} ${made.getAttribute("font-size")}px ${font}`;
  ctx.textAlign = made.getAttribute("text-anchor") === "middle" ? "center" : "left";
  ctx.textBaseline = "middle";
  if (made.getAttribute("stroke")) ctx.strokeText(made.textContent, ...place);
  ctx.fillText(made.textContent, ...place);
}
