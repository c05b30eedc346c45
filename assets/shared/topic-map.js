
// Puts buttons where the boxes of the map stand, as far in as it is zoomed. Texts stay text.
const SIZES = [13.5, 12.5, 11.5, 11, 10.5, 10];
const LINE = 1.22;
// A name of more letters is no reason to leave a topic out.
const LONGEST = 45;
const FIGURES_SIZE = 11;
// Names in a box that stands for many topics: their size, how high a line is, and how wide and far apart columns are.
const INSIDE = { size: 10.5, line: 15, column: 130, gap: 14 };
// Padding and border of a box, on one side.
const EDGE = { x: 6, y: 4 };
// The map fills the window, but a few topics do not need all of it.
// Headings take room from what is below them.
const HEIGHT = { least: 300, shelves: 640, told: 440, perTopic: 30000 };
// On a phone the window is too low for more than a few; there the page scrolls.
const PHONE = { width: 600, height: 1200 };
// A window of this width has the note of a story beside the page.
const BESIDE = 1500;
// Under the map and what stands below it.
const BELOW = 60;
// Height of a small map: a share of its width, but on a phone enough for the names.
const SMALL = { share: 0.4, least: 190 };
const MOST_ZOOM = 5000, STEP = 1.5, WHEEL = 0.0022;
// Share of the colour, in percent, of a topic that no training found again.
const PALEST = 15;
// A pointer that moved less was a click.
const STILL = 4;

const maps = new WeakMap();

function drawTopicMap(component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-map");
  if (!box || !data) return;
  const map = keptFor(box, maps, createMap);
  map.send = setTriggerValue;
  const told = JSON.stringify(data.boxes);
  // The same map stays as far zoomed in as it is.
  if (map.told !== told) Object.assign(map, { told, tree: nested(data.boxes), view: { x: 0, y: 0, scale: 1 }, size: "" });
  map.data = data;
  draw(map);
  return () => {
    map.observer.disconnect();
    window.removeEventListener("resize", map.resized);
    window.removeEventListener("pointerup", map.released);
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
  map.foot = element("div", "foot");
  map.foot.append(map.said, map.tools);
  map.back = element("button", "back");
  map.back.type = "button";
  map.back.addEventListener("click", () => look(map, { x: 0, y: 0, scale: 1 }));
  box.replaceChildren(map.back, map.room, map.foot);
  map.resized = () => { if (map.data && sizeOf(map) !== map.size) draw(map); };
  map.observer = new ResizeObserver(map.resized);
  map.observer.observe(box);
  window.addEventListener("resize", map.resized);
  if (document.fonts) document.fonts.ready.then(() => { if (map.data) draw(map); });
  listen(map);
  return map;
}

function draw(map) {
  const { room, data } = map;
  map.said.textContent = data.said;
  // A small map is not zoomed, and has nothing below it.
  map.box.classList.toggle("small", Boolean(data.small));
  map.foot.hidden = Boolean(data.small);
  const size = sizeOf(map);
  if (size !== map.size) {
    map.size = size;
    room.style.height = height(map) + "px";
    forget(map.tree);
    map.view = { x: 0, y: 0, scale: 1 };
  }
  room.setAttribute("aria-label", `${data.description} ${data.keys}`);
  const { x, y, scale } = map.view;
  const [wide, tall] = [room.clientWidth, room.clientHeight];
  map.boxes = visible(map.tree, [-x, -y, wide * scale, tall * scale], [0, 0, wide, tall], fitting(map));
  map.items = map.boxes.map((box) => (box.item && box.kind !== "more" ? box.item : moreOf(map, box)));
  map.buttons = map.boxes.map((box, number) => button(map, box, map.items[number], number));
  map.tip.hidden = true;
  room.classList.toggle("zoomed", scale > 1);
  // The way back from a zoom is always in sight.
  map.back.hidden = scale === 1;
  map.back.textContent = `⤢ ${data.names?.fit ?? ""}`;
  const held = room.getRootNode().activeElement, hadKeys = room.contains(held);
  room.replaceChildren(...map.buttons, map.tip);
  if (!data.small && !map.tools.hasChildNodes()) {
    map.tools.append(
      tool("PNG", data.names.png, () => savePng(map)),
      tool("SVG", data.names.svg, () => saveSvg(map)),
      tool("+", data.names.in, () => zoomAt(map, STEP, wide / 2, tall / 2)),
      tool("−", data.names.out, () => zoomAt(map, 1 / STEP, wide / 2, tall / 2)),
      tool("⤢", data.names.fit, () => look(map, { x: 0, y: 0, scale: 1 }))
    );
  }
  letter(map);
  if (hadKeys && map.buttons.length) focusAgain(map, held.dataset.key);
}

// What is too small to be read stands in one box, which leads there.
function moreOf(map, { folded }) {
  return { key: "more:", label: `+${folded}`, figures: "", hover: map.data.more.map((line) => line.replace("{count}", folded)) };
}

// ---- size ----

// The room of the map in the window; it is laid out anew only when this changes.
function sizeOf(map) {
  return `${map.box.clientWidth} ${height(map)}`;
}

function height(map) {
  if (map.data.small) return Math.round(Math.max(SMALL.share * map.box.clientWidth, SMALL.least));
  const top = map.box.getBoundingClientRect().top + scrolled(map.box);
  const wide = Math.max(map.box.clientWidth, 1);
  const wanted = (map.tree.count * HEIGHT.perTopic) / wide;
  // The bar of the tour covers the end of the window, or the note of a story where it is not beside the page.
  const note = window.innerWidth < BESIDE ? parseInt(document.documentElement.style.getPropertyValue("--story-height")) || 0 : 0;
  const covered = (document.querySelector(".st-key-tour-bar")?.offsetHeight ?? 0) + note;
  const least = map.tree.isShelved ? (note ? HEIGHT.told : HEIGHT.shelves) : HEIGHT.least;
  const free = window.innerHeight - top - map.foot.offsetHeight - BELOW - covered;
  return Math.round(Math.max(least, Math.min(wanted, Math.max(free, wide < PHONE.width ? PHONE.height : 0))));
}

function scrolled(box) {
  let above = box;
  while (above && !above.scrollTop) above = above.parentElement || above.getRootNode().host;
  return above ? above.scrollTop : 0;
}

// ---- zoom ----

function zoomAt(map, factor, x, y) {
  const { view } = map;
  const scale = Math.min(Math.max(view.scale * factor, 1), MOST_ZOOM);
  const grown = scale / view.scale;
  look(map, { x: (view.x + x) * grown - x, y: (view.y + y) * grown - y, scale });
}

// A box that holds more than can be read is brought nearer, until it fills the map.
function zoomTo(map, [x, y, wide, tall]) {
  const { view, room } = map;
  const filling = Math.min(room.clientWidth / wide, room.clientHeight / tall);
  // One that fills it already is too narrow, and grows beyond it.
  const grown = Math.min(Math.max(filling, STEP), MOST_ZOOM / view.scale);
  const left = (view.x + x + wide / 2) * grown - room.clientWidth / 2;
  const top = (view.y + y + tall / 2) * grown - room.clientHeight / 2;
  look(map, { x: left, y: top, scale: view.scale * grown });
}

// No further out than the whole, and never beside it.
function look(map, { x, y, scale }) {
  const most = [map.room.clientWidth, map.room.clientHeight].map((side) => side * (scale - 1));
  map.view = { scale, x: Math.min(Math.max(x, 0), most[0]), y: Math.min(Math.max(y, 0), most[1]) };
  map.near = null;
  draw(map);
}

// The keys stay at the box where they were; where it is gone or out of sight, at the first that is seen.
function focusAgain(map, key) {
  const frame = [0, 0, map.room.clientWidth, map.room.clientHeight];
  const inSight = map.boxes.map(({ spot }) => overlaps(spot, frame));
  const same = map.items.findIndex((item, number) => item.key === key && inSight[number]);
  const next = Math.max(same < 0 || key === "more:" ? inSight.indexOf(true) : same, 0);
  map.buttons.forEach((made, number) => { made.tabIndex = number === next ? 0 : -1; });
  // What reaches out of the map would move all of it.
  map.buttons[next].focus({ preventScroll: true });
}

function listen(map) {
  const { room } = map;
  room.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page, wherever the pointer is; two fingers on a pad count as Ctrl.
    if (map.data.small || (!event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    const frame = room.getBoundingClientRect();
    zoomAt(map, Math.exp(-event.deltaY * WHEEL), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  room.addEventListener("pointerdown", (event) => {
    map.dragged = false;
    map.held = { x: event.clientX, y: event.clientY, view: map.view };
  });
  map.released = () => { map.held = null; };
  window.addEventListener("pointerup", map.released);
  room.addEventListener("pointermove", (event) => {
    if (!map.held || !event.buttons || map.view.scale === 1) return;
    const [right, down] = [event.clientX - map.held.x, event.clientY - map.held.y];
    map.dragged ||= Math.hypot(right, down) > STILL;
    if (map.dragged) look(map, { ...map.held.view, x: map.held.view.x - right, y: map.held.view.y - down });
  });
  room.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && map.view.scale > 1) look(map, { x: 0, y: 0, scale: 1 });
  });
}

function open(map, { kind, folded, whole }, item) {
  if (map.data.small) map.send("clicked", item.key);
  else if (item.kind === "shelf") openShelf(map, whole, item.key);
  else if (kind === "more" || (kind === "leaf" && folded)) zoomTo(map, whole);
  else map.send("clicked", item.key);
}

// A shelf is nothing to go to: it comes nearer, and goes back.
function openShelf(map, whole, key) {
  if (map.near === key) return look(map, { x: 0, y: 0, scale: 1 });
  zoomTo(map, whole);
  // Gaps do not grow, so that it stands a little beside where it was aimed at; its heading is to be seen.
  const [x, y, wide] = map.boxes.find(({ item }) => item?.key === key)?.whole ?? whole;
  look(map, { ...map.view, x: map.view.x + x + (wide - map.room.clientWidth) / 2, y: map.view.y + y });
  map.near = key;
}

function button(map, box, item, number) {
  const { kind, depth } = box;
  const made = element("button", `box ${kind === "more" ? "rest" : kind} depth${Math.min(depth, 3)}${item.kind === "shelf" ? " shelf" : ""}`);
  const [x, y, wide, tall] = box.spot;
  Object.assign(made.style, { left: x + "px", top: y + "px", width: wide + "px", height: tall + "px" });
  made.type = "button";
  made.tabIndex = number ? -1 : 0;
  made.dataset.key = item.key;
  // A topic that few trainings found again is paler.
  if (item.found < 1) made.style.setProperty("--topic", `color-mix(in srgb, var(--steady) ${Math.round(PALEST + (100 - PALEST) * item.found)}%, var(--ground))`);
  made.setAttribute("aria-label", [...item.hover].join(", "));
  made.append(element("span", "name"), element("span", "figures"));
  made.addEventListener("click", () => { if (!map.dragged) open(map, box, item); });
  made.addEventListener("mouseenter", () => showTip(map, made, item, box));
  made.addEventListener("mouseleave", () => { map.tip.hidden = true; });
  made.addEventListener("focus", () => { if (made.matches(":focus-visible")) showTip(map, made, item, box); });
  made.addEventListener("blur", () => { map.tip.hidden = true; });
  made.addEventListener("keydown", (event) => walk(map, number, event));
  return made;
}

// ---- lettering: as large as fits, never across the border ----

function letter(map) {
  if (!map.data || !map.room.clientWidth) return;
  const font = family(map);
  // Read before anything is written: each reading after that would lay out the page again.
  const frame = [map.room.clientWidth, map.room.clientHeight];
  map.boxes.forEach((box, number) => {
    const made = map.buttons[number], item = map.items[number];
    const [name, foot] = made.children;
    const [left, top, right, bottom] = seen(frame, box.spot);
    // A box that reaches out of the window has its name in the part that is seen.
    Object.assign(made.style, { paddingLeft: left + "px", paddingTop: top + "px", paddingRight: right + "px", paddingBottom: bottom + "px" });
    const wide = box.spot[2] - left - right - 2 * EDGE.x;
    const tall = box.spot[3] - top - bottom - 2 * EDGE.y;
    const isRow = box.kind === "strip";
    made.classList.toggle("row", isRow);
    const bold = isRow || item.kind === "shelf" ? WEIGHTS.strip : WEIGHTS.leaf;
    const { label } = item;
    const alone = fitted(map.canvas, label, [wide, tall], { font, bold });
    let fit = alone, foots = "";
    for (const figures of map.data.small ? [] : figuresOf(box, item)) {
      const footWide = measured(map.canvas, figures, FIGURES_SIZE, font);
      // Figures beside the name need width, below it height; the name goes first.
      const room = isRow ? [wide - footWide - 8, tall] : [wide, tall - (FIGURES_SIZE * LINE + 1)];
      const inFull = fitted(map.canvas, label, room, { font, bold });
      if (!inFull.whole || footWide > wide || inFull.size < Math.min(alone.size, FIGURES_SIZE)) continue;
      [fit, foots] = [inFull, figures];
      break;
    }
    name.replaceChildren(...fit.lines.map(textLine));
    name.style.fontSize = fit.size + "px";
    foot.textContent = foots;
    const names = box.kind === "more" ? namesInside(box) : isClosed(box) && item.inner ? [`${item.inner} ${item.inner_figures}`] : [];
    if (names.length) {
      const used = fit.lines.length * fit.size * LINE + (box.kind === "more" || !foots ? 0 : FIGURES_SIZE * LINE);
      const list = listed(map, names, [wide, tall - used], font);
      (box.kind === "more" ? name : foot).after(...list);
      // As it is seen, so it is heard.
      made.setAttribute("aria-label", [...item.hover, ...list.flatMap((shown) => [...shown.children].map((line) => line.textContent))].join(", "));
    }
  });
}

// A box of which nothing inside can be drawn has its own name, that of the topic which a click opens.
const isClosed = ({ kind, folded }) => kind === "leaf" && folded > 0;

// The figures of a box, and those in fewer letters.
function figuresOf(box, item) {
  const more = isClosed(box) ? [`+${box.folded}`] : [];
  return [...new Set([item.figures, item.short].map((figures) => [figures, ...more].filter(Boolean).join(" · ")))].filter(Boolean);
}

function textLine(text) {
  const line = element("span", "line");
  line.textContent = text;
  return line;
}

// Names of the topics that one box stands for, each followed by the largest topic inside it.
function namesInside({ inside }) {
  const items = inside.filter(({ item }) => item && item.kind !== "rest").map(({ item }) => item);
  return [...new Set(items.flatMap(({ label, inner }) => [label, inner].filter(Boolean)))];
}

// As many names as there is room for, in columns.
function listed(map, names, [wide, tall], font) {
  const columns = Math.floor((wide + INSIDE.gap) / (INSIDE.column + INSIDE.gap));
  const lines = Math.floor(tall / INSIDE.line);
  if (columns < 1 || lines < 1 || !names.length) return [];
  const width = Math.floor((wide + INSIDE.gap) / columns) - INSIDE.gap;
  map.canvas.font = `400 ${INSIDE.size}px ${font}`;
  const list = element("span", "inside");
  const rows = Math.min(lines, Math.ceil(names.length / columns));
  Object.assign(list.style, { fontSize: INSIDE.size + "px", gap: `0 ${INSIDE.gap}px` });
  list.style.gridTemplate = `repeat(${rows}, ${INSIDE.line}px) / repeat(${columns}, ${width}px)`;
  list.append(...names.slice(0, rows * columns).map((name) => textLine(shorten(map.canvas, name, width))));
  return [list];
}

// How much of a box lies outside the map: left, top, right, bottom.
function seen([width, high], [x, y, wide, tall]) {
  const beyond = [-x, -y, x + wide - width, y + tall - high].map((part) => Math.max(0, part));
  return beyond[0] + beyond[2] < wide && beyond[1] + beyond[3] < tall ? beyond : [0, 0, 0, 0];
}

// Whether a topic is named in full in a box; a longer name is cut wherever it stands.
function fitting(map) {
  const font = family(map);
  return ({ item }, [, , wide, tall], bold) => item.label.length > LONGEST ||
    fitted(map.canvas, item.label, [wide - 2 * EDGE.x, tall - 2 * EDGE.y], { font, bold }).whole;
}

function measured(canvas, text, size, font, bold = 400) {
  canvas.font = `${bold} ${size}px ${font}`;
  return canvas.measureText(text).width;
}

// The text in lines, at the largest size at which all of it fits; at the smallest, as many of its
// words as do. A word is cut with "…" only where no other fits in its place, and in a name that is no
// list of words, "…" stands for all that is left out.
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
  const isList = text.includes(" · ");
  for (const shown of fewer(words, isList ? "" : "…")) {
    const lines = wrapped(canvas, shown, wide);
    if (lines.length <= most && lines.every((line) => canvas.measureText(line).width <= wide)) return { size, lines, whole: false };
  }
  const parts = isList ? [] : words.flatMap((word) => syllables(canvas, word, wide));
  if (parts.length > words.length && parts.length <= most) return { size, lines: parts, whole: true };
  const first = isList || words.length === 1 ? bare(words[0]) : words[0] + "…";
  return { size, lines: [shorten(canvas, first, wide)], whole: false };
}

// A word in as many parts as it needs, with a hyphen at the end of each but the last.
function syllables(canvas, word, wide) {
  if (canvas.measureText(word).width <= wide) return [word];
  let end = word.length;
  while (end > 1 && canvas.measureText(word.slice(0, end) + "-").width > wide) end -= 1;
  // No part of one letter.
  end = Math.min(end, word.length - 2);
  return end < 2 ? [word] : [word.slice(0, end) + "-", ...syllables(canvas, word.slice(end), wide)];
}

const bare = (word) => word.replace(/[\s·]+$/, "");

// The first words with dots for the others, ever fewer, or with the sign in place of the dots; without
// a sign, then each of the others alone.
function* fewer(words, sign) {
  for (let count = words.length - 1; count > 0; count--) {
    yield [...words.slice(0, count - 1), bare(words[count - 1]) + "\u00a0…"];
    yield [...words.slice(0, count - 1), bare(words[count - 1]) + sign];
  }
  if (sign) return;
  for (const word of words.slice(1)) yield [bare(word)];
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
  const boxes = map.buttons.map((made) => {
    const { offsetLeft: x, offsetTop: y, offsetWidth: wide, offsetHeight: tall } = made;
    return [x + wide / 2, y + tall / 2, wide / 2, tall / 2];
  });
  const next = nearest(boxes, boxes[number], direction);
  if (next < 0) return;
  map.buttons[number].tabIndex = -1;
  map.buttons[next].tabIndex = 0;
  map.buttons[next].focus();
}

// The nearest box in a direction, of boxes by their middle and half their sides; a gap aside counts
// three times, and there is none beside a box that reaches as far.
function nearest(boxes, [x, y, wide = 0, tall = 0], [right, down]) {
  let best = -1;
  let least = Infinity;
  boxes.forEach(([otherX, otherY, otherWide = 0, otherTall = 0], number) => {
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down + (otherY - y) * right);
    const reach = down ? wide + otherWide : tall + otherTall;
    const distance = ahead + 3 * Math.max(aside - reach, 0);
    if (ahead > 1 && distance < least) [best, least] = [number, distance];
  });
  return best;
}

// ---- hover ----

function showTip(map, made, item, { kind, folded, spot: [x, y, wide, tall] }) {
  const more = kind === "leaf" && folded ? map.data.more.map((line) => line.replace("{count}", folded)) : [];
  fillTip(map.tip, [...item.hover, ...more]);
  const { offsetWidth, offsetHeight } = map.tip;
  const { clientWidth, clientHeight } = map.room;
  const left = Math.min(Math.max(2, x + wide / 2 - offsetWidth / 2), clientWidth - offsetWidth - 2);
  const below = y + tall + 6;
  map.tip.style.left = left + "px";
  map.tip.style.top = (below + offsetHeight <= clientHeight ? below : Math.max(2, y - offsetHeight - 6)) + "px";
}
