
// A map of documents: points by WebGL, names on a canvas above them. Texts stay text.
const maps = new WeakMap();
// Where each map was left, for whoever comes back to the page.
const left = (window.orreryPointsLeft ||= new Map());
const TIPS = 400;
// The picture of the points reaches so far beyond the frame, and so far it is moved, not drawn anew: points are many.
const BEYOND = { most: 160, share: 0.17 };

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-points");
  if (!box || !data) return;
  const map = keptFor(box, maps, createMap);
  map.send = setTriggerValue;
  map.data = data;
  receive(map);
  return () => {
    map.observer.disconnect();
    window.removeEventListener("orrery-bytes", map.receive);
    map.scheme.removeEventListener("change", map.repaint);
    maps.delete(box);
  };
}

function createMap(box) {
  const map = {
    box, mode: "move", fingers: new Map(), tips: new Map(), hovered: -1, drawn: null, radius: 0, size: [1, 1],
    stage: element("div", "stage"), points: element("canvas", "points"), names: element("canvas", "names"),
    legend: element("div", "legend"), tools: element("div", "tools"), tip: element("div", "tip"),
    said: element("div", "said"), scheme: window.matchMedia("(prefers-color-scheme: dark)"),
  };
  map.stage.tabIndex = 0;
  map.stage.setAttribute("role", "application");
  map.said.setAttribute("aria-live", "polite");
  map.tip.hidden = true;
  map.stage.append(map.points, map.names, map.tools, map.tip);
  box.replaceChildren(map.legend, map.stage, map.said);
  map.drawing = createDrawing(map.points);
  // The browser takes back what it draws with when the machine sleeps, or too many pages draw.
  map.points.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    map.drawing = null;
    map.said.textContent = map.data.names.none;
  });
  map.points.addEventListener("webglcontextrestored", () => drawAnew(map));
  map.receive = () => receive(map);
  map.repaint = () => { map.shownPalette = ""; redraw(map); };
  map.observer = new ResizeObserver(() => resize(map));
  map.observer.observe(map.stage);
  window.addEventListener("orrery-bytes", map.receive);
  map.scheme.addEventListener("change", map.repaint);
  listen(map);
  return map;
}

// Begin to draw anew, with all that was given before.
function drawAnew(map) {
  const drawing = createDrawing(map.points);
  if (!drawing) return;
  if (map.place) givePlaces(drawing, map.place);
  if (map.looks) giveLooks(drawing, map.looks);
  Object.assign(map, { drawing, shownPalette: "", pictured: null });
  map.said.textContent = "";
  redraw(map);
}

// Take over what has come; bytes may come before the rest or after it.
function receive(map) {
  const { data, drawing } = map;
  const kept = window.orreryBytes || new Map();
  map.stage.setAttribute("aria-label", data.description);
  fillTools(map);
  fillLegend(map);
  if (data.tip) keepTip(map, data.tip);
  const place = kept.get(data.place), looks = kept.get(data.look);
  if (place && looks && map.placeName !== data.place) {
    map.placeName = data.place;
    map.place = new Uint16Array(place.buffer, 0, place.length >> 1);
    map.bounds = boundsOf(map.place);
    map.view = null;
    map.tips.clear();
    if (drawing) givePlaces(drawing, map.place);
  }
  if (place && looks && map.lookName !== data.look) {
    map.lookName = data.look;
    map.looks = looks;
    if (drawing) giveLooks(drawing, looks);
  }
  map.stage.dataset.points = map.looks ? map.looks.length : 0;
  map.stage.dataset.lit = map.looks ? map.looks.reduce((sum, value) => sum + (value & 1), 0) : 0;
  if (!drawing) map.said.textContent = data.names.none;
  // What is told of one point changes no colour of any.
  const told = JSON.stringify([data.palette, data.legend]);
  if (map.toldColours !== told) Object.assign(map, { toldColours: told, shownPalette: "" });
  resize(map);
}

function fillTools(map) {
  const { names } = map.data;
  if (map.tools.hasChildNodes()) return;
  const middle = () => [map.size[0] / 2, map.size[1] / 2];
  const modes = ["move", "box", "lasso"].map((mode) => {
    const made = tool(names[mode][0], names[mode][1], () => setMode(map, mode));
    made.dataset.mode = mode;
    return made;
  });
  map.tools.append(
    tool("+", names.nearer, () => near(map, NEARER, middle())),
    tool("−", names.further, () => near(map, 1 / NEARER, middle())),
    tool(names.whole[0], names.whole[1], () => look(map, map.whole)),
    ...modes,
    tool(names.view[0], names.view[1], () => selectView(map)),
    tool("PNG", names.png, () => savePoints(map))
  );
  setMode(map, map.mode);
}

function setMode(map, mode) {
  map.mode = mode;
  for (const made of map.tools.querySelectorAll("[data-mode]"))
    made.setAttribute("aria-pressed", made.dataset.mode === mode);
  map.stage.style.cursor = mode === "move" ? "grab" : "crosshair";
}

function fillLegend(map) {
  const { legend } = map, colours = palette(map), shown = JSON.stringify([colours, map.data.legend]);
  // Buttons that are as before stay, since one of them may be pressed.
  if (map.shownLegend === shown) return;
  map.shownLegend = shown;
  const held = legend.getRootNode().activeElement, hadKeys = legend.contains(held);
  legend.replaceChildren(...map.data.legend.map(([key, name, figures, colour, isPressed]) => {
    const made = element("button", "item"), dot = element("span", "dot");
    made.type = "button";
    made.dataset.key = key;
    made.setAttribute("aria-pressed", isPressed);
    dot.style.background = colours[colour] || colours[0];
    const text = element("span", "name"), count = element("span", "count");
    text.textContent = name;
    count.textContent = figures;
    made.append(dot, text, count);
    made.addEventListener("click", () => map.send("legend", key));
    return made;
  }));
  if (hadKeys) [...legend.children].find((made) => made.dataset.key === held.dataset.key)?.focus({ preventScroll: true });
}

function resize(map) {
  const { clientWidth: width, clientHeight: height } = map.stage;
  if (!width || !height || !map.bounds) return;
  const ratio = window.devicePixelRatio || 1;
  const isNew = map.size[0] !== width || map.size[1] !== height || map.ratio !== ratio;
  map.size = [width, height];
  map.ratio = ratio;
  if (isNew) {
    map.beyond = Math.round(Math.min(BEYOND.most, BEYOND.share * width));
    extend(map.points, map.beyond, map);
    extend(map.names, 0, map);
  }
  // What showed all of it shows all of it still.
  const isWhole = !map.view || map.view === map.whole;
  map.whole = fitted(map.bounds, width, height);
  map.least = map.whole.scale / 2;
  if (isWhole) map.view = left.get(map.placeName) || map.whole;
  redraw(map);
}

// A canvas that reaches so far beyond the frame on all sides.
function extend(canvas, beyond, { size, ratio }) {
  const [width, height] = size.map((side) => side + 2 * beyond);
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  Object.assign(canvas.style, { left: -beyond + "px", top: -beyond + "px", width: width + "px", height: height + "px" });
}

function look(map, view) {
  if (!view) return;
  map.view = view;
  left.set(map.placeName, view === map.whole ? null : view);
  if (!map.byKeys) hover(map, -1);
  redraw(map);
}

function redraw(map) {
  if (map.frame) return;
  map.frame = requestAnimationFrame(() => {
    map.frame = 0;
    draw(map);
  });
}

function draw(map) {
  if (!map.view || !map.looks) return;
  const { drawing, view, ratio } = map, [width, height] = map.size;
  const size = pointSize(map.looks.length, width, height, view.scale / map.whole.scale);
  map.radius = size / 2;
  if (drawing) {
    if (map.shownPalette !== isDark(map)) {
      map.shownPalette = isDark(map);
      givePalette(drawing, palette(map));
      map.pictured = null;
      fillLegend(map);
    }
    showPoints(map, size);
  }
  const context = map.names.getContext("2d"), colours = coloursOf(map);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  drawArea(map, context, colours);
  const measure = (text, letters) => {
    context.font = `650 ${letters}px ${colours.font}`;
    return context.measureText(text).width;
  };
  map.placed = placedLabels(map.data.labels, view, map.size, measure, [boxAround(map.tools)]);
  drawLabels(context, map.placed, colours, colours.font);
  drawHovered(map, context, colours);
  map.stage.dataset.labels = map.placed.length;
  map.stage.dataset.scale = (map.view.scale / map.whole.scale).toFixed(3);
}

// Draw the points, or move their picture while a hand holds it and what is beyond the frame suffices.
function showPoints(map, size) {
  const { drawing, view, ratio, points, pictured, fingers, beyond } = map, [width, height] = map.size;
  const key = [view.scale, size, ratio, width, height, map.placeName, map.lookName].join(" ");
  const shift = pictured?.key === key && [(pictured.view.x - view.x) * view.scale, (view.y - pictured.view.y) * view.scale];
  const most = fingers.size ? beyond : 0;
  if (shift && shift.every((far) => Math.abs(far) <= most)) points.style.transform = `translate(${shift[0]}px, ${shift[1]}px)`;
  else {
    drawPoints(drawing, view, width + 2 * beyond, height + 2 * beyond, size, ratio);
    points.style.transform = "";
    map.pictured = { key, view };
  }
}

function boxAround({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) {
  const half = { x: offsetWidth / 2, y: offsetHeight / 2 };
  return { x: offsetLeft + half.x, y: offsetTop + half.y, half };
}

function coloursOf(map) {
  const style = getComputedStyle(map.box);
  return {
    text: style.color, font: style.fontFamily,
    ground: style.getPropertyValue("--st-background-color").trim() || "#fff",
    mark: style.getPropertyValue("--st-primary-color").trim() || style.color,
  };
}

// Whether letters are brighter than half.
function isDark(map) {
  const parts = getComputedStyle(map.box).color.match(/[\d.]+/g) || [0];
  return parts.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 382 ? "dark" : "light";
}

function palette(map) {
  return map.data.palette[isDark(map)] || ["#888888"];
}
