
// ---- names of topics: the most important first, none over another, more as one comes nearer ----

const LETTERS = { first: 14, others: 12, many: 8 };
// Above the thickest spot rather than over it.
const ABOVE = 14;
const APART = { x: 8, y: 4 };
// So many square pixels for a name: more could be set, and would hide what they name.
const ROOM = 13000;

// Names with their places on the screen, by a function that measures a text. They keep clear of what
// lies above the map: boxes by their middle and half their sides.
function placedLabels(labels, view, [width, height], measure, above = []) {
  const placed = [];
  const meets = (x, y, half) => (other) =>
    Math.abs(other.x - x) < other.half.x + half.x && Math.abs(other.y - y) < other.half.y + half.y;
  const most = Math.max(4, Math.floor((width * height) / ROOM));
  for (let number = 0; number < labels.length && placed.length < most; number++) {
    const [text, x, y] = labels[number];
    const [left, spot] = toScreen(view, [x, y], width, height), top = spot - ABOVE;
    if (left < 0 || left > width || spot < 0 || spot > height) continue;
    const size = placed.length < LETTERS.many ? LETTERS.first : LETTERS.others;
    const half = { x: measure(text, size) / 2 + APART.x, y: size * 0.6 + APART.y };
    // A name at the border moves in, as far as it may and still be at its place.
    const at = Math.min(Math.max(left, half.x), Math.max(width - half.x, half.x));
    if (Math.abs(at - left) > half.x / 2) continue;
    const down = Math.min(Math.max(top, half.y), height - half.y);
    const isFree = !placed.some(meets(at, down, half)) && !above.some(meets(at, down, half));
    if (isFree) placed.push({ text, size, half, x: at, y: down });
  }
  return placed;
}

function drawLabels(context, placed, colours, font) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { text, size, x, y } of placed) {
    context.font = `${size > LETTERS.others ? 650 : 550} ${size}px ${font}`;
    context.lineWidth = 4;
    context.strokeStyle = colours.ground;
    context.strokeText(text, x, y);
    context.fillStyle = colours.text;
    context.fillText(text, x, y);
  }
}
