
// Puts buttons where Python placed them: x in parts of the width, y in pixels. Texts stay text.
const SIZES = [13.5, 12.5, 11.5, 10.5, 9.5];
const LINE = 1.22;
const FIGURES_SIZE = 10.5;
// Padding and border of a box, on one side.
const EDGE = { x: 6, y: 4 };

const maps = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-map");
  if (!box || !data) return;
  let map = maps.get(box);
  if (!map) {
    map = createMap(box);
    maps.set(box, map);
  }
  map.send = setTriggerValue;
  map.data = data;
  draw(map);
  return () => {
    map.observer.disconnect();
    maps.delete(box);
  };
}

function createMap(box) {
  const map = { box, canvas: document.createElement("canvas").getContext("2d", { willReadFrequently: true }) };
  map.room = element("div", "room");
  map.room.setAttribute("role", "group");
  map.said = element("div", "said");
  map.tools = element("div", "tools");
  map.tip = element("div", "tip");
  const foot = element("div", "foot");
  foot.append(map.said, map.tools);
  box.replaceChildren(map.room, foot);
  map.observer = new ResizeObserver(() => letter(map));
  map.observer.observe(box);
  if (document.fonts) document.fonts.ready.then(() => letter(map));
  return map;
}

function draw(map) {
  const { room, data } = map;
  room.style.height = data.height + "px";
  room.setAttribute("aria-label", `${data.description} ${data.keys}`);
  map.buttons = data.boxes.map((item, number) => button(map, item, number));
  map.tip.hidden = true;
  room.replaceChildren(...map.buttons, map.tip);
  map.said.textContent = data.said;
  if (!map.tools.hasChildNodes()) {
    map.tools.append(
      tool("PNG", data.names.png, () => savePng(map)),
      tool("SVG", data.names.svg, () => saveSvg(map))
    );
  }
  letter(map);
}

function button(map, item, number) {
  const made = element("button", `box ${item.kind} depth${Math.min(item.depth, 3)}`);
  const [x, y, width, height] = item.place;
  Object.assign(made.style, {
    left: 100 * x + "%", top: y + "px", width: 100 * width + "%", height: height + "px",
  });
  made.type = "button";
  made.tabIndex = number ? -1 : 0;
  made.dataset.key = item.key;
  made.setAttribute("aria-label", [...item.hover].join(", "));
  made.append(element("span", "name"), element("span", "figures"));
  made.addEventListener("click", () => map.send("clicked", item.key));
  made.addEventListener("mouseenter", () => showTip(map, made, item));
  made.addEventListener("mouseleave", () => { map.tip.hidden = true; });
  made.addEventListener("focus", () => { if (made.matches(":focus-visible")) showTip(map, made, item); });
  made.addEventListener("blur", () => { map.tip.hidden = true; });
  made.addEventListener("keydown", (event) => walk(map, number, event));
  return made;
}

// ---- lettering: as large as fits, never across the border ----

function letter(map) {
  if (!map.data || !map.room.clientWidth) return;
  const font = family(map);
  map.data.boxes.forEach((item, number) => {
    const made = map.buttons[number];
    const [name, figures] = made.children;
    const wide = item.place[2] * map.room.clientWidth - 2 * EDGE.x;
    const tall = item.place[3] - 2 * EDGE.y;
    const isRow = item.kind === "strip";
    made.classList.toggle("row", isRow);
    const foot = item.figures ? measured(map.canvas, item.figures, FIGURES_SIZE, font) : 0;
    // Figures beside the name need width, below it height; the name goes first.
    const room = isRow ? [wide - foot - 8, tall] : [wide, tall - (foot ? FIGURES_SIZE * LINE + 1 : 0)];
    const bold = item.kind === "strip" ? 600 : 400;
    const inFull = fitted(map.canvas, item.label, room, { font, bold });
    const fit = inFull.whole && foot <= wide ? inFull : fitted(map.canvas, item.label, [wide, tall], { font, bold });
    name.replaceChildren(...fit.lines.map((text) => {
      const line = element("span", "line");
      line.textContent = text;
      return line;
    }));
    name.style.fontSize = fit.size + "px";
    figures.textContent = fit === inFull && fit.whole ? item.figures : "";
  });
}

function measured(canvas, text, size, font, bold = 400) {
  canvas.font = `${bold} ${size}px ${font}`;
  return canvas.measureText(text).width;
}

// The text in lines, at the largest size at which all of it fits; cut with "…" at the smallest.
function fitted(canvas, text, [wide, tall], { font, bold }) {
  // A dot stays at the end of its line.
  const words = text.replaceAll(" · ", "\u00a0· ").split(" ");
  for (const size of SIZES) {
    canvas.font = `${bold} ${size}px ${font}`;
    const lines = wrapped(canvas, words, wide);
    const isWide = lines.some((line) => canvas.measureText(line).width > wide);
    if (!isWide && lines.length * size * LINE <= tall + 1) return { size, lines, whole: true };
  }
  const size = SIZES[SIZES.length - 1];
  const most = Math.floor((tall + 1) / (size * LINE));
  if (most < 1 || wide < 14) return { size, lines: [], whole: false };
  const lines = wrapped(canvas, words, wide);
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] += "…";
  return { size, lines: shown.map((line) => shorten(canvas, line, wide)), whole: false };
}

function shorten(canvas, text, wide) {
  if (canvas.measureText(text).width <= wide) return text;
  let end = text.length;
  while (end > 1 && canvas.measureText(text.slice(0, end) + "…").width > wide) end -= 1;
  return text.slice(0, end).replace(/[\s·]+$/, "") + "…";
}

function wrapped(canvas, words, wide) {
  const lines = [];
  for (const word of words) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && canvas.measureText(longer).width <= wide) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// ---- keys ----

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function walk(map, number, event) {
  const direction = DIRECTIONS[event.key];
  if (!direction) return;
  event.preventDefault();
  const middles = map.buttons.map((made) => {
    const { offsetLeft: x, offsetTop: y, offsetWidth: wide, offsetHeight: tall } = made;
    return [x + wide / 2, y + tall / 2];
  });
  const next = nearest(middles, middles[number], direction);
  if (next < 0) return;
  map.buttons[number].tabIndex = -1;
  map.buttons[next].tabIndex = 0;
  map.buttons[next].focus();
}

// The nearest box in a direction; a step aside counts three times.
function nearest(middles, [x, y], [right, down]) {
  let best = -1;
  let least = Infinity;
  middles.forEach(([otherX, otherY], number) => {
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const distance = ahead + 3 * Math.abs((otherX - x) * down + (otherY - y) * right);
    if (ahead > 1 && distance < least) [best, least] = [number, distance];
  });
  return best;
}

// ---- hover ----

function showTip(map, made, item) {
  fillTip(map.tip, item.hover);
  const { offsetWidth: wide, offsetHeight: tall } = map.tip;
  const middle = made.offsetLeft + made.offsetWidth / 2;
  const left = Math.min(Math.max(2, middle - wide / 2), map.room.clientWidth - wide - 2);
  const below = made.offsetTop + made.offsetHeight + 6;
  const fits = below + tall <= map.room.clientHeight;
  map.tip.style.left = left + "px";
  map.tip.style.top = (fits ? below : Math.max(2, made.offsetTop - tall - 6)) + "px";
}
