
// ---- marks: the selection, the point below the pointer and what is said of it, the picture to keep ----

// What is being drawn by hand, and what is selected.
function drawArea(map, context, colours) {
  const corners = [];
  for (let i = 0; i < map.data.area.length; i += 2)
    corners.push(toScreen(map.view, map.data.area.slice(i, i + 2), ...map.size));
  const { drawn } = map;
  const isDrawing = drawn && drawn.mode !== "move";
  const last = isDrawing ? drawn.line[drawn.line.length - 1] : null;
  const line = isDrawing ? (drawn.mode === "box" ? boxOf(drawn.line[0], last) : drawn.line) : corners;
  if (line.length < 2) return;
  context.beginPath();
  line.forEach(([x, y], number) => (number ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.strokeStyle = colours.mark;
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.stroke();
  context.setLineDash([]);
}

function drawHovered(map, context, colours) {
  if (map.hovered < 0) return;
  const at = toScreen(map.view, [map.place[2 * map.hovered], map.place[2 * map.hovered + 1]], ...map.size);
  context.beginPath();
  context.arc(...at, map.radius + 3, 0, 2 * Math.PI);
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.stroke();
}

function keepTip(map, { point, lines }) {
  map.tips.set(point, lines);
  if (map.tips.size > TIPS) map.tips.delete(map.tips.keys().next().value);
  showTip(map);
}

function showTip(map) {
  const lines = map.tips.get(map.hovered);
  map.tip.hidden = !lines;
  if (!lines) return;
  fillTip(map.tip, lines);
  if (map.byKeys) map.said.textContent = lines.join(". ");
  const [x, y] = toScreen(map.view, [map.place[2 * map.hovered], map.place[2 * map.hovered + 1]], ...map.size);
  const { offsetWidth: wide, offsetHeight: tall } = map.tip;
  const leftEdge = Math.min(Math.max(4, x - wide / 2), map.size[0] - wide - 4);
  const below = y + 14 + tall < map.size[1] ? y + 14 : y - tall - 14;
  map.tip.style.left = leftEdge + "px";
  map.tip.style.top = Math.max(4, below) + "px";
}

function savePoints(map) {
  // Of what was drawn before, only the screen has the pixels.
  map.pictured = null;
  draw(map);
  const sheet = element("canvas", ""), beyond = Math.round(map.beyond * map.ratio);
  [sheet.width, sheet.height] = [map.names.width, map.names.height];
  const context = sheet.getContext("2d");
  context.fillStyle = coloursOf(map).ground;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.drawImage(map.points, -beyond, -beyond);
  context.drawImage(map.names, 0, 0);
  sheet.toBlob((blob) => blob && keep(blob, `${map.data.save}.png`));
}
