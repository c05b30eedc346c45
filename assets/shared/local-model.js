
// The picture of a local model, in the app and in the explorer: SVG of what was placed elsewhere. It
// has no layout, makes no markup of data and asks for nothing.

// How far a picture is enlarged: by the usual in the room that it is placed for, by more in more.
const ENLARGED = { usual: 1.25, most: 1.6 };
const MARGIN = 18;
const HEIGHT = { least: 260, most: 1150, narrow: 4500 };
// Height of what is above a picture, on the page with the most.
const ABOVE = 326;
// Room below a picture that is of no use to what comes next: a heading with a sentence needs more.
const SCRAP = 64;
const DIMMED = 0.35;
const MOVE_MS = 200, DOUBLE_CLICK_MS = 300;
const ZOOM = { step: 1.25, wheel: 0.0022, least: 0.2, most: 8 };
// A pointer that moved less was a click.
const STILL_PX = 4;
// Letters of a picture that is made smaller than this cannot be read: it scrolls instead.
const LEAST_SCALE = 0.72;
// One that is only a little taller than the window is made to fit: question and answer on one screen.
const LEAST_TALL = 0.8;
// One that is only a little wider is made to fit: better small than cut at both ends.
const NEARLY = 0.58;
// Zones that would have to be made smaller than this are single columns instead.
const LEAST_ZONES = 0.75;
// On a phone, which shows letters smaller than a desk does, it is made only a little smaller, and
// its frame leaves less around it.
const PHONE_PICTURE = { width: 480, least: 0.77, margin: 6 };
// A second click so soon after one that leads on was meant for what was there before.
const SAME_CLICK_MS = 450;
// An answer that takes longer may be lost: what comes then is shown, whatever it answers.
const LONGEST_ANSWER_MS = 5000;

const pictures = new WeakMap();

function drawLocalModel(component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-graph");
  if (!box || !data) return;
  const picture = keptFor(box, pictures, createPicture);
  picture.tell = setTriggerValue;
  take(picture, data, show);
  return () => {
    picture.observer.disconnect();
    picture.scheme.removeEventListener("change", picture.redraw);
    pictures.delete(box);
  };
}

function createPicture(box) {
  const [legend, stage, tools, tip, room] = ["legend", "stage", "tools", "tip", "room"].map((name) => element("div", name));
  const head = element("div", "head"), layers = ["grounds", "edges", "nodes"].map((name) => shape("g", { class: name }));
  const view = shape("g", { class: "view" }, ...layers), svg = shape("svg", { class: "canvas", role: "group" }, view);
  tip.hidden = true;
  head.append(legend, tools);
  stage.append(svg, tip);
  box.replaceChildren(head, stage, room);
  const picture = {
    box, legend, stage, tools, tip, room, svg, view, layers, selected: "", tipped: "", moved: false,
    at: { x: 0, y: 0, scale: 1 }, places: new Map(), shapes: new Map(), arrows: [], fingers: new Map(),
    pressed: { id: "", at: -SAME_CLICK_MS }, canvas: document.createElement("canvas").getContext("2d"),
  };
  picture.redraw = () => picture.data && show(picture, picture.whole);
  picture.scheme = matchMedia("(prefers-color-scheme: dark)");
  picture.scheme.addEventListener("change", picture.redraw);
  picture.observer = new ResizeObserver(() => resized(picture));
  picture.observer.observe(stage);
  picture.observer.observe(room);
  if (document.fonts) document.fonts.ready.then(picture.redraw);
  listen(picture);
  // For tests: where a node is on the page, and what was painted last.
  box.whereIs = (id) => {
    const frame = svg.getBoundingClientRect(), { x, y, scale } = picture.at, place = picture.places.get(id);
    return { x: frame.left + x + place.x * scale, y: frame.top + y + place.y * scale };
  };
  box.nodeIds = () => picture.data.nodes.map(({ id }) => id);
  box.scale = () => picture.at.scale;
  return picture;
}

// Every click has a number, and what is drawn next says which of them it answers.
function send(picture, name, value) {
  picture.asked = { number: picture.asked.number + 1, at: performance.now() };
  picture.tell(name, [picture.asked.number, value]);
}

// A picture that answers an older click than the last would flash and undo what the last one shows.
function take(picture, data, accept) {
  // Numbers go on from those of a picture that was here before.
  picture.asked ||= { number: data.answers, at: -LONGEST_ANSWER_MS };
  const { number, at } = picture.asked;
  if (data.answers >= number || performance.now() - at >= LONGEST_ANSWER_MS) accept(picture, data);
}

// On a phone, and where a picture would become too small to be read, it has narrow places.
function forRoom(data, width) {
  const { narrow } = data, isWhole = width - 2 * MARGIN >= LEAST_ZONES * data.size[0];
  if (!narrow || !width || (width >= PHONE_PICTURE.width && isWhole)) return data;
  const merged = (name) => data[name].map((one, number) => ({ ...one, ...narrow[name][number] }));
  return { ...data, ...narrow, nodes: merged("nodes"), edges: merged("edges") };
}

function show(picture, whole) {
  const data = forRoom(whole, picture.stage.clientWidth);
  const layout = JSON.stringify(data.nodes.map(({ id, x, y }) => [id, x, y])), isNew = layout !== picture.layout;
  Object.assign(picture, { whole, data, layout, selected: whole.selected });
  picture.svg.setAttribute("aria-label", `${data.description} ${data.keys}`);
  picture.byId = new Map(data.nodes.map((node) => [node.id, node]));
  if (isNew) {
    picture.moved = false;
    picture.places = new Map(data.nodes.map(({ id, x, y }) => [id, { x, y }]));
    hideTip(picture);
  }
  if (!picture.moved) fit(picture, false);
  picture.look = lookOf(picture);
  drawLegend(picture);
  drawTools(picture);
  drawShapes(picture);
  // The state of the node under the pointer may have changed.
  if (!picture.tip.hidden) showTip(picture, picture.tipped);
  picture.box.painted = data;
}

function resized(picture) {
  const { whole, data, stage, legend } = picture;
  if (!whole || !stage.clientWidth) return;
  if (picture.width !== stage.clientWidth) legend.style.minHeight = "";
  picture.width = stage.clientWidth;
  const isOther = forRoom(whole, stage.clientWidth).size !== data.size;
  if (!isOther && !picture.moved) fit(picture, false);
  if (isOther || smallestLetters(picture) !== picture.look.smallest) show(picture, whole);
}

// ---- shapes ----

function lookOf(picture) {
  const { box, canvas } = picture, style = getComputedStyle(box);
  const ground = style.getPropertyValue("--st-background-color").trim() || "#ffffff";
  canvas.fillStyle = ground;
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(canvas.fillStyle.slice(place, place + 2), 16));
  const theme = 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
  return { theme, ground, ink: style.color, font: style.fontFamily || "sans-serif", canvas, smallest: smallestLetters(picture) };
}

// On a phone a picture that is made smaller keeps its smallest letters.
function smallestLetters({ stage, at, moved, look }) {
  if (moved && look) return look.smallest;
  const isPhone = stage.clientWidth < PHONE_PICTURE.width;
  return LETTERS.smallest / (isPhone ? Math.min(1, Math.max(PHONE_PICTURE.least, at.scale)) : 1);
}

function drawShapes(picture) {
  const { data, layers: [grounds, edges, nodes], look, view } = picture;
  const held = view.getRootNode().activeElement, focused = nodes.contains(held) ? held.dataset.key : "";
  grounds.replaceChildren(...groundShapes(look, data));
  picture.shapes = new Map(data.nodes.map((node) => [node.id, nodeShape(picture, node)]));
  nodes.replaceChildren(...picture.shapes.values());
  picture.arrows = data.edges.filter((edge) => picture.byId.has(edge.from) && picture.byId.has(edge.to))
    .map((edge) => ({ edge, drawn: arrowShape(look, endsOf(picture, edge), edge, data) }));
  edges.replaceChildren(...picture.arrows.map(({ drawn }) => drawn));
  const first = [focused, picture.cursor, picture.selected].find((id) => picture.shapes.has(id)) ?? data.nodes[0]?.id;
  setCursor(picture, first);
  if (focused) picture.shapes.get(first)?.focus({ preventScroll: true });
  dim(picture);
}

function nodeShape(picture, node) {
  const made = boxShape(picture.look, node, picture.data.drawing);
  made.dataset.key = node.id;
  made.tabIndex = -1;
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", (node.hover.length ? node.hover : [node.lines.join(" ")]).join(", "));
  putInPlace(picture, node, made);
  return made;
}

function putInPlace({ places }, node, made) {
  const { x, y } = places.get(node.id);
  if (isAt(node, { x, y })) made.removeAttribute("transform");
  else made.setAttribute("transform", `translate(${x - node.x} ${y - node.y})`);
}

const isAt = (node, { x, y }) => Math.abs(node.x - x) + Math.abs(node.y - y) < 1;

// An arrow keeps its route while both of its boxes are where they were placed.
function endsOf({ byId, places }, edge) {
  const [parent, child] = [byId.get(edge.from), byId.get(edge.to)], [from, to] = [places.get(edge.from), places.get(edge.to)];
  return { parent, child, from, to, route: isAt(parent, from) && isAt(child, to) ? edge.route : [] };
}

// The selected node and what it is linked with stay; the rest is dimmed.
function dim({ selected, shapes, arrows, byId }) {
  const isOne = byId.has(selected), lit = new Set([selected]);
  for (const { edge, drawn } of arrows) {
    const isLit = !isOne || edge.from === selected || edge.to === selected;
    if (isLit) [edge.from, edge.to].forEach((id) => lit.add(id));
    drawn.setAttribute("opacity", isLit ? 1 : DIMMED);
  }
  for (const [id, drawn] of shapes) {
    drawn.querySelector(".inked").setAttribute("opacity", !isOne || lit.has(id) ? 1 : DIMMED);
    drawn.setAttribute("aria-pressed", String(id === selected));
  }
}

// ---- size and movement ----

function fit(picture, isSmooth) {
  const { stage, svg, data } = picture, width = stage.clientWidth;
  if (!width || !data) return;
  const isPhone = width < PHONE_PICTURE.width, [wide, tall] = data.size.map((side) => Math.max(side, 1));
  // After a switch the scale is that of before, also where boxes have come.
  const [framed, high] = (data.frame ?? data.size).map((side) => Math.max(side, 1));
  // A picture is enlarged only as far as the window shows all of it.
  const inWindow = (window.innerHeight - ABOVE - 2 * MARGIN) / high;
  const most = Math.min(ENLARGED.most, ENLARGED.usual * Math.max(1, width / data.room));
  const margin = isPhone ? PHONE_PICTURE.margin : MARGIN;
  const fitting = Math.min(most, !isPhone && inWindow > LEAST_TALL ? inWindow : Math.max(1, inWindow), (width - 2 * margin) / framed);
  // While a story is played no button makes it smaller: on a phone all of it is shown.
  const room = picture.room.clientHeight;
  const [nearly, least] = isPhone && room ? [0, 1] : isPhone ? [PHONE_PICTURE.least, 1] : [NEARLY, LEAST_SCALE];
  const byWidth = fitting >= nearly ? fitting : least;
  const needed = Math.max(width, Math.round(wide * byWidth) + 2 * margin);
  // What has become narrow for a phone is as tall as it must be.
  const tallest = data === picture.whole ? HEIGHT.most : HEIGHT.narrow;
  const wanted = Math.min(tallest, Math.max(HEIGHT.least, tall * byWidth + 2 * MARGIN + 24));
  // While a story is played the note leaves only so much, and nothing else has such a limit.
  const height = Math.round(room && room - wanted < SCRAP ? room : wanted);
  if (picture.sized !== `${width} ${needed} ${height}`) {
    picture.sized = `${width} ${needed} ${height}`;
    const middle = picture.needed / 2 - stage.scrollLeft;
    stage.style.height = height + "px";
    svg.setAttribute("width", needed);
    svg.setAttribute("height", height);
    const isKept = data.frame && picture.needed;
    stage.scrollLeft = isKept ? needed / 2 - middle : (needed - width) / 2 + heart(data.nodes) * byWidth;
    picture.needed = needed;
    stage.classList.toggle("wide", needed > width);
    showEnds(stage);
  }
  picture.fitted = Math.min(byWidth, (height - 2 * MARGIN) / tall);
  moveTo(picture, { x: needed / 2, y: height / 2, scale: picture.fitted }, isSmooth);
}

// Where the boxes of the boldest outline are: topics that are on, or the one that this is about.
function heart(nodes) {
  const boldest = Math.max(...nodes.map((node) => node.border)), bold = nodes.filter((node) => node.border === boldest);
  return bold.reduce((sum, node) => sum + node.x, 0) / Math.max(bold.length, 1);
}

// At which ends there is more of a picture than its room shows.
function showEnds(stage) {
  const { scrollLeft, scrollWidth, clientWidth } = stage;
  stage.classList.toggle("more-left", scrollLeft > 1);
  stage.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
}

function moveTo(picture, at, isSmooth) {
  const { view } = picture;
  picture.at = at;
  clearTimeout(picture.calming);
  view.classList.toggle("smooth", isSmooth);
  if (isSmooth) picture.calming = setTimeout(() => view.classList.remove("smooth"), MOVE_MS);
  view.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.scale})`;
}

function zoomAt(picture, factor, x, y, isSmooth) {
  const { at } = picture, scale = Math.min(Math.max(at.scale * factor, ZOOM.least), ZOOM.most), grown = scale / at.scale;
  picture.moved = true;
  hideTip(picture);
  moveTo(picture, { x: x - (x - at.x) * grown, y: y - (y - at.y) * grown, scale }, isSmooth);
}

function zoom(picture, factor) {
  const { stage } = picture;
  zoomAt(picture, factor, stage.scrollLeft + stage.clientWidth / 2, stage.clientHeight / 2, true);
}

// ---- pointer ----

function listen(picture) {
  const { svg, stage, fingers } = picture;
  const nodeAt = (event) => event.target.closest(".node")?.dataset.key ?? "";
  const spot = (event) => {
    const frame = svg.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const id = nodeAt(event), from = spot(event);
    fingers.set(event.pointerId, from);
    picture.held = fingers.size > 1 ? null : { id, from, start: id ? picture.places.get(id) : picture.at, isDrag: false };
  });
  svg.addEventListener("pointermove", (event) => {
    const to = spot(event), from = fingers.get(event.pointerId);
    if (!from) return;
    if (fingers.size > 1) pinch(picture, event.pointerId, to);
    else drag(picture, to, event.pointerId);
  });
  svg.addEventListener("pointerup", (event) => {
    const { held } = picture;
    fingers.delete(event.pointerId);
    picture.held = null;
    if (held && !held.isDrag) tap(picture, held.id, event.shiftKey);
  });
  svg.addEventListener("pointercancel", (event) => { fingers.delete(event.pointerId); picture.held = null; });
  svg.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse" && !picture.held) showTip(picture, nodeAt(event)); });
  svg.addEventListener("pointerleave", (event) => {
    hideTip(picture);
    // A press that ends elsewhere is none, unless it drags.
    if (!picture.held?.isDrag) { fingers.delete(event.pointerId); picture.held = null; }
  });
  // Tools that read a page aloud press without a pointer.
  svg.addEventListener("click", (event) => { if (!event.detail && nodeAt(event)) choose(picture, nodeAt(event)); });
  svg.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page, wherever the pointer is; two fingers on a pad count as Ctrl.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { x, y } = spot(event);
    zoomAt(picture, Math.exp(-event.deltaY * ZOOM.wheel), x, y, false);
  }, { passive: false });
  svg.addEventListener("keydown", (event) => walk(picture, event));
  svg.addEventListener("focusin", (event) => {
    const id = nodeAt(event);
    setCursor(picture, id);
    if (event.target.matches(":focus-visible")) showTip(picture, id);
  });
  svg.addEventListener("focusout", () => hideTip(picture));
  stage.addEventListener("scroll", () => showEnds(stage));
}

// Moves a node for this view only, or the whole picture.
function drag(picture, to, pointerId) {
  const { held, svg, at } = picture;
  if (!held) return;
  const [right, down] = [to.x - held.from.x, to.y - held.from.y];
  if (!held.isDrag) {
    if (Math.hypot(right, down) <= STILL_PX) return;
    held.isDrag = true;
    svg.setPointerCapture(pointerId);
    hideTip(picture);
  }
  if (!held.id) {
    picture.moved = true;
    moveTo(picture, { ...held.start, x: held.start.x + right, y: held.start.y + down }, false);
    return;
  }
  picture.places.set(held.id, { x: held.start.x + right / at.scale, y: held.start.y + down / at.scale });
  putInPlace(picture, picture.byId.get(held.id), picture.shapes.get(held.id));
  for (const one of picture.arrows) {
    if (one.edge.from !== held.id && one.edge.to !== held.id) continue;
    const moved = arrowShape(picture.look, endsOf(picture, one.edge), one.edge, picture.data);
    moved.setAttribute("opacity", one.drawn.getAttribute("opacity"));
    one.drawn.replaceWith(moved);
    one.drawn = moved;
  }
}

function pinch(picture, pointerId, to) {
  const [, other] = [...picture.fingers].find(([id]) => id !== pointerId), from = picture.fingers.get(pointerId);
  const apart = (one) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
  picture.fingers.set(pointerId, to);
  zoomAt(picture, apart(to) / apart(from), (to.x + other.x) / 2, (to.y + other.y) / 2, false);
}

function tap(picture, id, isShifted) {
  const { pressed, data, selected } = picture, now = performance.now();
  const since = now - pressed.at, isAgain = id && id === pressed.id && since < DOUBLE_CLICK_MS;
  if (id && isShifted && data.turns) {
    hideTip(picture);
    return send(picture, "turned", id);
  }
  if (!id && !selected) return;
  if (data.opens ? isAgain : !id || since < SAME_CLICK_MS) {
    // A click is answered at once; the second of a double click adds to it and undoes nothing.
    if (data.opens) {
      picture.pressed = { id: "", at: now };
      send(picture, "opened", id);
    }
    return;
  }
  picture.pressed = { id, at: now };
  choose(picture, id);
}

function choose(picture, id) {
  if (picture.data.opens) {
    picture.selected = id === picture.selected ? "" : id;
    dim(picture);
  }
  send(picture, "clicked", id || "nothing");
}

// ---- keys ----

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function walk(picture, event) {
  const here = picture.byId.get(event.target.closest(".node")?.dataset.key);
  if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in DIRECTIONS) {
    const next = neighbour(picture.data.nodes, here, DIRECTIONS[event.key]);
    if (next) picture.shapes.get(next.id).focus();
  } else if (event.key === "Enter") choose(picture, here.id);
  else if (event.key === " " && picture.data.turns) send(picture, "turned", here.id);
  else return;
  event.preventDefault();
}

// One node of the picture is a stop of the tab key; arrow keys lead to the others.
function setCursor(picture, id) {
  picture.shapes.get(picture.cursor)?.setAttribute("tabindex", "-1");
  picture.shapes.get(id)?.setAttribute("tabindex", "0");
  picture.cursor = id;
}

// The nearest node in a direction; a step aside counts three times.
function neighbour(nodes, here, [right, down]) {
  let best = null, least = Infinity;
  for (const node of nodes) {
    const [dx, dy] = [node.x - here.x, node.y - here.y], ahead = dx * right + dy * down;
    const distance = ahead + 3 * Math.abs(dx * down + dy * right);
    if (ahead > 1 && distance < least) [best, least] = [node, distance];
  }
  return best;
}

// ---- around the picture ----

function drawLegend(picture) {
  const { data, legend } = picture;
  // After a switch the picture stays in its place, also where the legend has fewer rows.
  legend.style.minHeight = data.frame ? `${legend.offsetHeight}px` : "";
  const switches = new Map([...legend.querySelectorAll("button")].map((made) => [made.dataset.switch, made]));
  const items = data.legend.map((item) => {
    const entry = switches.get(item.switch) || (item.switch ? makeSwitch(picture, item.switch) : element("span", "item"));
    entry.replaceChildren(swatch(picture, item), document.createTextNode(item.text));
    if (item.switch) entry.setAttribute("aria-pressed", String(item.pressed));
    return entry;
  });
  // The three widths belong together: they wrap as one.
  const links = element("span", "links"), isLink = (_, number) => data.legend[number].kind.startsWith("edge");
  links.append(...items.filter(isLink));
  arrange(legend, [...items.filter((...item) => !isLink(...item)), links]);
}

function makeSwitch(picture, name) {
  const made = element("button", "item");
  made.type = "button";
  made.dataset.switch = name;
  made.addEventListener("click", () => send(picture, "switched", name));
  return made;
}

// A child that stays is not touched, so that it keeps the focus.
function arrange(parent, children) {
  [...parent.children].filter((child) => !children.includes(child)).forEach((child) => child.remove());
  children.forEach((child, number) => {
    if (parent.children[number] !== child) parent.insertBefore(child, parent.children[number] || null);
  });
}

function swatch({ data, look: { theme } }, item) {
  const sign = element("span", "swatch");
  if (item.kind === "pin") sign.classList.add("pin");
  else if (!item.paint) {
    const isPale = item.kind === "edge-pale";
    sign.classList.add("line");
    sign.style.borderTopWidth = data.arrow_widths[isPale ? 1 : Number(item.kind.slice(-1))] + "px";
    sign.style.borderTopColor = data.arrows[isPale ? "pale" : "strong"][theme];
  } else {
    const [background, borderColor, color] = item.paint[theme];
    const borderStyle = item.dash.length ? (item.dash[0] < 3 ? "dotted" : "dashed") : "solid";
    Object.assign(sign.style, { background, borderColor, color, borderStyle, borderRadius: item.rounded ? "5px" : "1px" });
    sign.textContent = item.mark || (item.struck ? "ab" : "");
    if (item.struck) sign.style.textDecoration = "line-through";
  }
  return sign;
}

function drawTools(picture) {
  const { buttons: names, save } = picture.data, isSaved = Boolean(save);
  // Buttons that are there stay, since one of them may have the focus.
  if (picture.isSaved === isSaved) return;
  picture.isSaved = isSaved;
  const saving = [tool("PNG", names.png, () => savePng(picture)), tool("SVG", names.svg, () => saveSvg(picture))];
  picture.tools.replaceChildren(
    ...(isSaved ? saving : []),
    tool("+", names.in, () => zoom(picture, ZOOM.step)),
    tool("−", names.out, () => zoom(picture, 1 / ZOOM.step)),
    tool("⤢", names.fit, () => { picture.moved = false; fit(picture, true); })
  );
}

function showTip(picture, id) {
  const { tip, at, svg } = picture, node = picture.byId?.get(id);
  picture.tipped = id;
  if (!node?.hover.length) return hideTip(picture);
  fillTip(tip, node.hover);
  const { x, y } = picture.places.get(id), spot = { x: at.x + x * at.scale, y: at.y + y * at.scale };
  const half = (node.height / 2) * at.scale + 8, above = spot.y - half - tip.offsetHeight;
  const left = Math.min(Math.max(4, spot.x - tip.offsetWidth / 2), svg.clientWidth - tip.offsetWidth - 4);
  Object.assign(tip.style, { left: left + "px", top: (above > 0 ? above : spot.y + half) + "px" });
}

function hideTip(picture) {
  picture.tip.hidden = true;
}
