// Saves the map as it stands, box by box with its lettering, as PNG or SVG.
const SAVED_SCALE = 2;
const SAVED_MARGIN = 24;
const MAX_CHANNEL = 255;
const SVG = "http://www.w3.org/2000/svg";

// Boxes and the texts in them, in pixels from the corner of the map; colours as #rrggbb.
function shapes(map) {
  const corner = map.room.getBoundingClientRect();
  return map.buttons.map((made) => {
    const style = getComputedStyle(made);
    return {
      ...placed(made, corner),
      fill: colour(map, style.backgroundColor),
      border: colour(map, style.borderTopColor),
      dash: style.borderTopStyle === "dashed" ? [4, 3] : [],
      round: parseFloat(style.borderTopLeftRadius),
      texts: [...made.querySelectorAll(".line, .figures")].filter((piece) => piece.textContent).map((piece) => lettering(map, piece, corner)),
    };
  });
}

function lettering(map, piece, corner) {
  const range = document.createRange();
  range.selectNodeContents(piece);
  const { fontSize, fontWeight, color } = getComputedStyle(piece);
  return {
    ...placed(range, corner),
    text: piece.textContent,
    size: parseFloat(fontSize),
    weight: fontWeight,
    fill: colour(map, color),
    opacity: Number(getComputedStyle(piece.closest(".figures, .inside, .name")).opacity),
  };
}

function placed(part, corner) {
  const { left, top, width, height } = part.getBoundingClientRect();
  return { x: left - corner.left, y: top - corner.top, width, height };
}

// Mixed colours are told in a form that other programs do not read.
function colour(map, told) {
  map.canvas.clearRect(0, 0, 1, 1);
  map.canvas.fillStyle = told;
  map.canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = map.canvas.getImageData(0, 0, 1, 1).data;
  const hex = (part) => part.toString(16).padStart(2, "0");
  return alpha < MAX_CHANNEL ? "none" : `#${hex(red)}${hex(green)}${hex(blue)}`;
}

function ground(map) {
  return getComputedStyle(map.room).getPropertyValue("--st-background-color").trim() || "#fff";
}

function family(map) {
  return getComputedStyle(map.room).fontFamily || "sans-serif";
}

function savePng(map) {
  const sheet = document.createElement("canvas");
  sheet.width = Math.round((map.room.clientWidth + 2 * SAVED_MARGIN) * SAVED_SCALE);
  sheet.height = Math.round((map.room.clientHeight + 2 * SAVED_MARGIN) * SAVED_SCALE);
  const ctx = sheet.getContext("2d");
  ctx.fillStyle = ground(map);
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.setTransform(SAVED_SCALE, 0, 0, SAVED_SCALE, SAVED_MARGIN * SAVED_SCALE, SAVED_MARGIN * SAVED_SCALE);
  ctx.textBaseline = "middle";
  for (const shape of shapes(map)) {
    ctx.beginPath();
    ctx.roundRect(shape.x + 0.5, shape.y + 0.5, shape.width - 1, shape.height - 1, shape.round);
    if (shape.fill !== "none") {
      ctx.fillStyle = shape.fill;
      ctx.fill();
    }
    if (shape.border !== "none") {
      ctx.setLineDash(shape.dash);
      ctx.strokeStyle = shape.border;
      ctx.stroke();
    }
    for (const piece of shape.texts) {
      ctx.font = `${piece.weight} ${piece.size}px ${family(map)}`;
      ctx.fillStyle = piece.fill;
      ctx.globalAlpha = piece.opacity;
      ctx.fillText(piece.text, piece.x, piece.y + piece.height / 2);
      ctx.globalAlpha = 1;
    }
  }
  sheet.toBlob((blob) => keep(blob, map.data.save + ".png"));
}

function saveSvg(map) {
  const [wide, tall] = [map.room.clientWidth, map.room.clientHeight].map((side) => side + 2 * SAVED_MARGIN);
  const sheet = drawn("svg", {
    width: wide, height: tall, "font-family": family(map),
    viewBox: [-SAVED_MARGIN, -SAVED_MARGIN, wide, tall].join(" "),
  });
  const title = drawn("title", {}, map.data.description);
  const sides = { x: -SAVED_MARGIN, y: -SAVED_MARGIN, width: wide, height: tall };
  sheet.append(title, drawn("rect", { ...sides, fill: ground(map) }));
  shapes(map).forEach((shape, number) => sheet.append(drawnBox(shape, map.items[number].hover)));
  keep(new Blob([sourceOf(sheet)], { type: "image/svg+xml" }), map.data.save + ".svg");
}

function drawn(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

function drawnBox({ x, y, width, height, fill, border, dash, round, texts }, hover) {
  const box = drawn("g", { class: "box" });
  const sides = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, rx: round };
  const line = dash.length ? { "stroke-dasharray": dash.join(" ") } : {};
  box.append(
    drawn("title", {}, hover.join("\n")),
    drawn("rect", { ...sides, fill, stroke: border, ...line }),
    // The length keeps the text in its box where the font is another.
    ...texts.map((piece) => drawn("text", {
      x: piece.x, y: piece.y + piece.height / 2, textLength: piece.width, lengthAdjust: "spacingAndGlyphs",
      "dominant-baseline": "central", "font-size": piece.size, "font-weight": piece.weight,
      fill: piece.fill, "fill-opacity": piece.opacity,
    }, piece.text))
  );
  return box;
}
