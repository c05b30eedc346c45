
// ---- where on the screen a place is: x, y of the middle, and pixels for a unit ----

const SIDE = 65535;
const CLOSEST = 400;
const MARGIN = 0.92;

// The smallest box around all points: left, bottom, right, top.
function boundsOf(place) {
  let [left, bottom, right, top] = [SIDE, SIDE, 0, 0];
  for (let i = 0; i < place.length; i += 2) {
    left = Math.min(left, place[i]);
    right = Math.max(right, place[i]);
    bottom = Math.min(bottom, place[i + 1]);
    top = Math.max(top, place[i + 1]);
  }
  return left > right ? [0, 0, SIDE, SIDE] : [left, bottom, right, top];
}

function fitted([left, bottom, right, top], width, height) {
  const wide = Math.max(right - left, 1), tall = Math.max(top - bottom, 1);
  const scale = MARGIN * Math.min(width / wide, height / tall);
  return { x: (left + right) / 2, y: (bottom + top) / 2, scale: Math.min(scale, 1) };
}

function toScreen(view, [x, y], width, height) {
  return [(x - view.x) * view.scale + width / 2, height / 2 - (y - view.y) * view.scale];
}

function toPlace(view, [x, y], width, height) {
  return [(x - width / 2) / view.scale + view.x, (height / 2 - y) / view.scale + view.y];
}

// Nearer by a factor; what is below the pointer stays there.
function zoomed(view, factor, at, width, height, least) {
  const scale = Math.min(Math.max(view.scale * factor, least), least * CLOSEST);
  const [x, y] = toPlace(view, at, width, height);
  return {
    scale,
    x: x - (at[0] - width / 2) / scale,
    y: y + (at[1] - height / 2) / scale,
  };
}

function moved(view, dx, dy) {
  return { scale: view.scale, x: view.x - dx / view.scale, y: view.y + dy / view.scale };
}

// The nearest point to a place on the screen, within a distance in pixels; lit ones only, if any is.
function nearestPoint(place, look, view, at, size, reach) {
  const [x, y] = toPlace(view, at, ...size);
  let least = (reach / view.scale) ** 2;
  let best = -1;
  for (let i = 0; i < look.length; i++) {
    if (!(look[i] & 1)) continue;
    const dx = place[2 * i] - x, dy = place[2 * i + 1] - y;
    const far = dx * dx + dy * dy;
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

// A line of the hand with the corners that matter, at most so many (Douglas and Peucker).
function simplified(line, most) {
  let error = 1;
  let kept = line;
  while (kept.length > most) {
    kept = withoutSmall(line, error);
    error *= 1.6;
  }
  return kept;
}

function withoutSmall(line, error) {
  const [first, last] = [line[0], line[line.length - 1]];
  let far = -1;
  let most = error;
  for (let i = 1; i < line.length - 1; i++) {
    const distance = distanceTo(line[i], first, last);
    if (distance > most) [far, most] = [i, distance];
  }
  if (far < 0) return line.length > 1 ? [first, last] : line;
  return [...withoutSmall(line.slice(0, far + 1), error).slice(0, -1), ...withoutSmall(line.slice(far), error)];
}

function distanceTo([x, y], [x0, y0], [x1, y1]) {
  const long = Math.hypot(x1 - x0, y1 - y0);
  if (!long) return Math.hypot(x - x0, y - y0);
  return Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / long;
}

// Corners as the address has them: whole numbers on the map.
function areaText(corners) {
  const whole = (value) => Math.min(Math.max(Math.round(value), 0), SIDE);
  return corners.map(([x, y]) => `${whole(x)}.${whole(y)}`).join(".");
}
