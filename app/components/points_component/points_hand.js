
// ---- hand: pointer, wheel, two fingers, keys ----

const REST = 90;
const REACH = 9;
const CLICK = 4;
const STEP = 80;
const NEARER = 1.5;
const MOST_CORNERS = 48;
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function listen(map) {
  const { stage } = map;
  stage.addEventListener("pointerdown", (event) => begin(map, event));
  stage.addEventListener("pointermove", (event) => follow(map, event));
  stage.addEventListener("pointerup", (event) => end(map, event));
  stage.addEventListener("pointercancel", () => forget(map));
  stage.addEventListener("pointerleave", () => hover(map, -1));
  stage.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page, wherever the pointer is; two fingers on a pad count as Ctrl.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixels = event.deltaMode ? 30 * event.deltaY : event.deltaY;
    near(map, Math.exp(-0.0016 * Math.max(-400, Math.min(400, pixels))), whereIs(map, event));
  }, { passive: false });
  stage.addEventListener("keydown", (event) => press(map, event));
  stage.addEventListener("blur", () => { map.byKeys = false; hover(map, -1); });
}

function whereIs(map, event) {
  const box = map.stage.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function begin(map, event) {
  if (!map.view || event.button || event.target.closest("button")) return;
  map.stage.setPointerCapture(event.pointerId);
  map.fingers.set(event.pointerId, whereIs(map, event));
  map.byKeys = false;
  const mode = event.shiftKey ? "box" : map.mode;
  if (map.fingers.size === 1) map.drawn = { mode, line: [whereIs(map, event)], way: 0 };
  else map.drawn = null;
}

function follow(map, event) {
  const at = whereIs(map, event), last = map.fingers.get(event.pointerId);
  if (!last) {
    if (event.pointerType !== "touch") hover(map, pointAt(map, at), at);
    return;
  }
  map.fingers.set(event.pointerId, at);
  if (map.fingers.size === 2) return pinch(map, event.pointerId, last, at);
  if (!map.drawn) return;
  map.drawn.way += Math.hypot(at[0] - last[0], at[1] - last[1]);
  hover(map, -1);
  if (map.drawn.mode === "move") look(map, moved(map.view, at[0] - last[0], at[1] - last[1]));
  else {
    map.drawn.line.push(at);
    redraw(map);
  }
}

function pinch(map, id, last, at) {
  const other = [...map.fingers].find(([key]) => key !== id)[1];
  const far = (one) => Math.max(Math.hypot(one[0] - other[0], one[1] - other[1]), 1);
  near(map, far(at) / far(last), [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
}

function end(map, event) {
  const at = whereIs(map, event), { drawn } = map;
  forget(map);
  if (!drawn) return;
  if (drawn.way < CLICK) {
    const point = pointAt(map, at);
    if (point >= 0) map.send("opened", point);
    return;
  }
  if (drawn.mode !== "move") select(map, drawn.mode === "box" ? boxOf(drawn.line[0], at) : drawn.line);
}

function forget(map) {
  map.fingers.clear();
  map.drawn = null;
  redraw(map);
}

function boxOf([x0, y0], [x1, y1]) {
  return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
}

// Tell the corners on the map of a line on the screen.
function select(map, line) {
  const corners = simplified(line, MOST_CORNERS).map((at) => toPlace(map.view, at, ...map.size));
  if (corners.length > 2) map.send("area", areaText(corners));
}

function selectView(map) {
  if (map.view) select(map, boxOf([0, 0], map.size));
}

function near(map, factor, at) {
  if (map.view) look(map, zoomed(map.view, factor, at, ...map.size, map.least));
}

function pointAt(map, at) {
  return map.place ? nearestPoint(map.place, map.looks, map.view, at, map.size, Math.max(REACH, map.radius)) : -1;
}

// Ask for the lines about a point once the pointer rests on it.
function hover(map, point, at = null) {
  if (at) map.at = at;
  if (map.hovered === point) return;
  map.hovered = point;
  clearTimeout(map.resting);
  showTip(map);
  redraw(map);
  map.stage.style.cursor = point >= 0 ? "pointer" : map.mode === "move" ? "grab" : "crosshair";
  if (point >= 0 && !map.tips.has(point)) map.resting = setTimeout(() => map.send("hovered", point), REST);
}

function press(map, event) {
  // Before the points have come, there is nothing to move or open.
  if (!map.view || event.target !== map.stage || event.ctrlKey || event.metaKey || event.altKey) return;
  const middle = [map.size[0] / 2, map.size[1] / 2], arrow = ARROWS[event.key];
  const inMiddle = () => nearestPoint(map.place, map.looks, map.view, middle, map.size, Infinity);
  const opened = event.key === "Enter" ? inMiddle() : -1;
  map.byKeys = true;
  if (arrow) look(map, moved(map.view, STEP * arrow[0], STEP * arrow[1]));
  else if (event.key === "+" || event.key === "=") near(map, NEARER, middle);
  else if (event.key === "-") near(map, 1 / NEARER, middle);
  else if (event.key === "0") look(map, map.whole);
  else if (opened >= 0) map.send("opened", opened);
  else if (event.key === "s") selectView(map);
  else if (event.key === "Escape") map.send("area", "");
  else return;
  event.preventDefault();
  hover(map, inMiddle(), middle);
}
