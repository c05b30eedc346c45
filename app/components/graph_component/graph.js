
// Draws what Python placed: no physics, no layout, no markup made of data, no request.
// How far a picture is enlarged: by the usual in the room that it is placed for, by more in more.
const ENLARGED = { usual: 1.25, most: 1.6 };
const ROOM = 690;
const MARGIN = 18;
const BAND_OVERHANG = 10;
const HEIGHT = { least: 260, most: 1150, narrow: 4500 };
// What stands above a picture, on the page with the most.
const ABOVE = 296;
// Room below a picture that is of no use to what comes next: a heading with a sentence needs more.
const SCRAP = 64;
const DIMMED = 0.35;
const MOVE_MS = 200;
// As Hammer has it, by which the library tells a double click.
const DOUBLE_CLICK_MS = 300;
const SMALLEST_FONT = 10;
// Letters of a picture that is made smaller than this cannot be read: it scrolls instead.
const LEAST_SCALE = 0.72;
// One that is only a little wider is made to fit: better small than cut at both ends.
const NEARLY = 0.58;
// On a phone, which shows letters smaller than a desk does, it is made only a little smaller, and
// its frame leaves less around it.
const PHONE = { width: 480, least: 0.77, margin: 6 };
// Figures of an arrow, and how far the ground reaches that parts them from it.
const ARROW_FIGURES = { size: 12, halo: 5 };
// A second click so soon after one that leads on was meant for what was there before.
const SAME_CLICK_MS = 450;
// An answer that takes longer may be lost: what comes then is shown, whatever it answers.
const LONGEST_ANSWER_MS = 5000;

const pictures = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-graph");
  if (!box || !data) return;
  const draw = () => {
    const picture = keptFor(box, pictures, () => createPicture(box, window.orreryVis));
    picture.tell = setTriggerValue;
    take(picture, data, show);
  };
  if (window.orreryVis) draw();
  else window.addEventListener("orrery-vis", draw, { once: true });
  return () => {
    window.removeEventListener("orrery-vis", draw);
    destroy(box);
  };
}

function createPicture(box, vis) {
  const legend = element("div", "legend");
  const stage = element("div", "stage");
  const canvas = element("div", "canvas");
  const tools = element("div", "tools");
  const tip = element("div", "tip");
  const said = element("div", "said");
  tip.hidden = true;
  said.setAttribute("aria-live", "polite");
  canvas.setAttribute("role", "img");
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  const head = element("div", "head");
  head.append(legend, tools);
  stage.append(canvas, tip);
  const room = element("div", "room");
  box.replaceChildren(head, stage, said, room);
  const picture = { box, legend, stage, canvas, tools, tip, said, room, selected: "", cursor: "", moved: false, pressed: { id: "", at: -SAME_CLICK_MS } };
  picture.nodes = new vis.DataSet();
  picture.net = new vis.Network(
    canvas,
    { nodes: picture.nodes, edges: [] },
    {
      physics: false,
      layout: { randomSeed: 1 },
      nodes: { shape: "custom" },
      interaction: { hover: true, selectable: false, zoomSpeed: 0.6 },
    }
  );
  // The stage is where the keys go; the library makes a second stop of its own inside.
  canvas.firstElementChild.tabIndex = -1;
  listen(picture);
  return picture;
}

// What is done in a picture is numbered, for what the page draws says which of it it answers.
function send(picture, name, value) {
  picture.asked = { number: picture.asked.number + 1, at: performance.now() };
  picture.tell(name, [picture.asked.number, value]);
}

// A picture that answers an older click than the last would flash and undo what the last one shows.
function take(picture, data, draw) {
  // Numbers go on from those of a picture that stood here before.
  picture.asked ||= { number: data.answers, at: -LONGEST_ANSWER_MS };
  const { number, at } = picture.asked;
  if (data.answers >= number || performance.now() - at >= LONGEST_ANSWER_MS) draw(picture, data);
}

function destroy(box) {
  const picture = pictures.get(box);
  if (!picture) return;
  picture.observer.disconnect();
  picture.net.destroy();
  pictures.delete(box);
}

// A phone has places of its own where it is too narrow for the others.
function forRoom(data, width) {
  const { narrow } = data;
  if (!narrow || !width || width >= PHONE.width) return data;
  const merged = (name) => data[name].map((one, number) => ({ ...one, ...narrow[name][number] }));
  return { ...data, ...narrow, nodes: merged("nodes"), edges: merged("edges") };
}

function show(picture, told) {
  const data = forRoom(told, picture.stage.clientWidth);
  picture.whole = told;
  const layout = JSON.stringify(data.nodes.map((node) => [node.id, node.x, node.y]));
  const isNew = layout !== picture.layout;
  picture.data = data;
  picture.layout = layout;
  picture.selected = data.selected;
  picture.theme = themeOf(picture.box);
  picture.font = getComputedStyle(picture.box).fontFamily || "sans-serif";
  picture.ground = getComputedStyle(picture.box).getPropertyValue("--st-background-color").trim();
  picture.ink = getComputedStyle(picture.box).color;
  picture.canvas.setAttribute("aria-label", data.description);
  picture.stage.setAttribute("aria-label", `${data.description} ${data.keys}`);
  drawLegend(picture);
  drawTools(picture);
  picture.byId = new Map(data.nodes.map((node) => [node.id, node]));
  if (isNew) {
    picture.tip.hidden = true;
    picture.moved = false;
    picture.nodes.clear();
    picture.nodes.add(data.nodes.map((node) => visNode(picture, node)));
    fit(picture, false);
  }
  // What the pointer or the cursor is on may have changed its state.
  if (!picture.tip.hidden) showTip(picture, picture.tipped);
  say(picture);
  dim(picture);
}

function turns(picture, event) {
  return picture.data.turns && event.event.srcEvent.shiftKey;
}

function listen(picture) {
  const { net, stage } = picture;
  net.on("click", (event) => {
    const id = net.getNodeAt(event.pointer.DOM) || "";
    if (id && turns(picture, event)) {
      hideTip(picture);
      send(picture, "turned", id);
      return;
    }
    const { pressed, selected } = picture;
    const [now, isSame] = [performance.now(), id === pressed.id];
    if (!id && !selected) return;
    if (picture.data.opens) {
      // A click is answered at once: the second one of a double click adds to it and undoes nothing.
      if (id && isSame && now - pressed.at < DOUBLE_CLICK_MS) return;
      picture.selected = id === selected ? "" : id;
      dim(picture);
    } else if (!id || now - pressed.at < SAME_CLICK_MS) return;
    picture.pressed = { id, at: now };
    send(picture, "clicked", id || "nothing");
  });
  net.on("doubleClick", (event) => {
    const id = net.getNodeAt(event.pointer.DOM);
    // Two quick switches of a state are no double click.
    if (id && picture.data.opens && !turns(picture, event)) send(picture, "opened", id);
  });
  stage.addEventListener("keydown", (event) => walk(picture, event));
  stage.addEventListener("scroll", () => showEnds(stage));
  stage.addEventListener("blur", () => { picture.cursor = picture.said.textContent = ""; hideTip(picture); net.redraw(); });
  net.on("beforeDrawing", (ctx) => {
    paintGrounds(picture, ctx);
    paintEdges(picture, ctx);
  });
  net.on("hoverNode", (event) => showTip(picture, event.node));
  net.on("blurNode", () => hideTip(picture));
  net.on("dragStart", () => hideTip(picture));
  net.on("dragEnd", (event) => { if (!event.nodes.length) picture.moved = true; });
  net.on("zoom", () => { picture.moved = true; hideTip(picture); });
  picture.observer = new ResizeObserver(() => {
    const { whole, data } = picture;
    const isOther = whole && forRoom(whole, stage.clientWidth).size !== data.size;
    if (isOther) show(picture, whole);
    else if (!picture.moved) fit(picture, false);
  });
  picture.observer.observe(stage);
  picture.observer.observe(picture.room);
  if (document.fonts) document.fonts.ready.then(() => net.redraw());
  // For tests: where a node is on the page, and what was painted last.
  net.on("afterDrawing", () => { picture.box.painted = picture.data; });
  picture.box.whereIs = (id) => {
    const spot = net.canvasToDOM(net.getPosition(id));
    const frame = picture.canvas.getBoundingClientRect();
    return { x: frame.left + spot.x, y: frame.top + spot.y };
  };
  picture.box.nodeIds = () => picture.nodes.getIds();
  picture.box.scale = () => net.getScale();
}

// ---- size and movement ----

function fit(picture, smoothly) {
  const width = picture.stage.clientWidth;
  if (!width || !picture.data) return;
  const isPhone = width < PHONE.width;
  const [wide, tall] = picture.data.size;
  // A picture is enlarged only as far as the window shows all of it.
  const inWindow = (window.innerHeight - ABOVE - 2 * MARGIN) / Math.max(tall, 1);
  const most = Math.min(ENLARGED.most, ENLARGED.usual * Math.max(1, width / ROOM));
  const enlarged = Math.min(most, Math.max(1, inWindow));
  const margin = isPhone ? PHONE.margin : MARGIN;
  const fitting = Math.min(enlarged, (width - 2 * margin) / Math.max(wide, 1));
  const [nearly, least] = isPhone ? [PHONE.least, 1] : [NEARLY, LEAST_SCALE];
  const byWidth = fitting >= nearly ? fitting : least;
  const needed = Math.max(width, Math.round(wide * byWidth) + 2 * margin);
  // What has become narrow for a phone is as tall as it must be, and as a phone can draw.
  const tallest = picture.data === picture.whole ? HEIGHT.most : HEIGHT.narrow;
  const wanted = Math.min(tallest, Math.max(HEIGHT.least, tall * byWidth + 2 * MARGIN + 24));
  // While a story is played the note leaves only so much, and nothing else has such a limit.
  const room = picture.room.clientHeight;
  const height = Math.round(room && room - wanted < SCRAP ? room : wanted);
  if (picture.stage.clientHeight !== height || picture.canvas.clientWidth !== needed) {
    picture.stage.style.height = height + "px";
    picture.canvas.style.width = needed + "px";
    picture.net.setSize("100%", height + "px");
    picture.net.redraw();
    picture.stage.scrollLeft = (needed - width) / 2 + heart(picture.data.nodes) * byWidth;
    picture.stage.classList.toggle("wide", needed > width);
    showEnds(picture.stage);
  }
  const scale = Math.min(byWidth, (height - 2 * MARGIN) / Math.max(tall, 1));
  move(picture, { position: { x: 0, y: 0 }, scale }, smoothly);
}

// Where the boxes of the boldest outline are: topics that are on, or the one that this is about.
function heart(nodes) {
  const boldest = Math.max(...nodes.map((node) => node.border));
  const bold = nodes.filter((node) => node.border === boldest);
  return bold.reduce((sum, node) => sum + node.x, 0) / Math.max(bold.length, 1);
}

// At which ends there is more of a picture than its room shows.
function showEnds(stage) {
  const { scrollLeft, scrollWidth, clientWidth } = stage;
  stage.classList.toggle("more-left", scrollLeft > 1);
  stage.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
}

function move(picture, view, smoothly) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const animation = smoothly && !still ? { duration: MOVE_MS, easingFunction: "easeInOutQuad" } : false;
  picture.net.moveTo({ ...view, animation });
}

function zoom(picture, factor) {
  picture.moved = true;
  move(picture, { scale: picture.net.getScale() * factor }, true);
}

// ---- keys ----

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function walk(picture, event) {
  const { data, byId } = picture;
  const here = byId.get(picture.cursor) || byId.get(picture.selected);
  if (event.key in DIRECTIONS) {
    const next = here ? neighbour(data.nodes, here, DIRECTIONS[event.key]) : data.nodes[0];
    if (next) {
      picture.cursor = next.id;
      say(picture);
      showTip(picture, next.id);
      picture.net.redraw();
    }
  } else if (here && event.key === "Enter") send(picture, "clicked", here.id);
  else if (here && event.key === " " && data.turns) send(picture, "turned", here.id);
  else return;
  event.preventDefault();
}

// The canvas is mute: what the tip of the cursor's node shows is said as well.
function say({ said, byId, cursor }) {
  const node = byId.get(cursor);
  const text = !node ? "" : (node.hover.length ? node.hover : [node.lines.join(" ")]).join(", ");
  if (said.textContent !== text) said.textContent = text;
}

// The nearest node in a direction; a step aside counts three times.
function neighbour(nodes, here, [right, down]) {
  let best = null;
  let least = Infinity;
  for (const node of nodes) {
    const [dx, dy] = [node.x - here.x, node.y - here.y];
    const ahead = dx * right + dy * down;
    const distance = ahead + 3 * Math.abs(dx * down + dy * right);
    if (ahead > 1 && distance < least) [best, least] = [node, distance];
  }
  return best;
}

// ---- selection ----

function dim(picture) {
  const { selected, data } = picture;
  picture.lit = null;
  if (selected && picture.byId.has(selected)) {
    picture.lit = new Set([selected]);
    for (const edge of data.edges) {
      if (edge.from === selected) picture.lit.add(edge.to);
      if (edge.to === selected) picture.lit.add(edge.from);
    }
  }
  picture.net.redraw();
}

function visNode(picture, node) {
  return { id: node.id, x: node.x, y: node.y, ctxRenderer: painter(picture, node.id) };
}

// ---- arrows ----

const STRETCH = 0.45;
const HEAD = 9;
// How far from the middle of a box an arrow may begin or end: less than its half width.
const CORNER = 12;

function paintEdges(picture, ctx) {
  const { data, selected, theme, lit } = picture;
  const places = picture.net.getPositions();
  for (const edge of data.edges) {
    const ends = endsOf(picture, edge, places);
    if (!ends) continue;
    const colour = data.arrows[edge.strong ? "strong" : "pale"][theme];
    ctx.globalAlpha = lit && edge.from !== selected && edge.to !== selected ? DIMMED : 1;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = data.arrow_widths[edge.step];
    paintEdge(ctx, ends);
    if (edge.figures) paintArrowFigures(picture, ctx, edge.figures, arrow(ends, ctx.lineWidth).middle);
  }
  ctx.globalAlpha = 1;
}

// An arrow keeps its route while both of its boxes stand where they were placed.
function endsOf({ byId }, edge, places) {
  const [parent, child] = [byId.get(edge.from), byId.get(edge.to)];
  const [from, to] = [places[edge.from], places[edge.to]];
  if (!parent || !child || !from || !to) return null;
  const stays = isAt(parent, from) && isAt(child, to);
  return { parent, child, from, to, route: stays ? edge.route : [], stays };
}

function isAt(node, place) {
  return Math.abs(node.x - place.x) + Math.abs(node.y - place.y) < 1;
}

function paintEdge(ctx, ends) {
  const { line, head } = arrow(ends, ctx.lineWidth);
  ctx.stroke(new Path2D(line));
  ctx.fill(new Path2D(head));
}

function paintArrowFigures({ font, ground, ink }, ctx, figures, [x, y]) {
  ctx.font = `600 ${ARROW_FIGURES.size}px ${font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = ARROW_FIGURES.halo;
  ctx.strokeStyle = ground || "#fff";
  ctx.strokeText(figures, x, y);
  ctx.fillStyle = ink;
  ctx.fillText(figures, x, y);
}

// Down from the lower side of the parent, through the gaps on its way, to the upper side of the
// child, as paths of SVG; a plain line where the child was dragged above the parent.
function arrow({ parent, child, from, to, route }, width) {
  const first = route.length ? route[0][0] : to.x;
  const last = route.length ? route[route.length - 1][0] : from.x;
  const top = to.y - child.height / 2;
  const end = [aside(to.x, child.width, last), top - HEAD + 1];
  let [x, y] = [aside(from.x, parent.width, first), from.y + parent.height / 2];
  if (end[1] <= y) {
    const middle = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    return { line: `M${from.x} ${from.y}L${to.x} ${to.y}`, head: "", middle };
  }
  let line = `M${x} ${y}`;
  let middle = [x, y];
  for (const [nextX, nextY] of [...route, end]) {
    const pull = (nextY - y) * STRETCH;
    line += `C${x} ${y + pull} ${nextX} ${nextY - pull} ${nextX} ${nextY}`;
    middle = [(x + nextX) / 2, (y + nextY) / 2];
    [x, y] = [nextX, nextY];
  }
  const half = 3 + width / 2;
  return { line, head: `M${end[0]} ${top}L${end[0] - half} ${top - HEAD} ${end[0] + half} ${top - HEAD}z`, middle };
}

// A little towards where the arrow goes or comes from, so that arrows of one box stand apart.
function aside(x, width, other) {
  const most = Math.max(0, width / 2 - CORNER);
  return x + Math.max(-most, Math.min(most, (other - x) * 0.3));
}

// ---- one box ----

// vis-network keeps the first renderer of a node, so it looks up what to draw each time.
function painter(picture, id) {
  return ({ ctx, x, y, state }) => {
    const node = picture.byId.get(id);
    return {
      drawNode: () => paintBox(picture, ctx, node, x, y, state.hover),
      nodeDimensions: { width: node.width, height: node.height },
    };
  };
}

function paintBox(picture, ctx, node, x, y, hovered) {
  const [fill, border, text, faint] = node.paint[picture.theme];
  const left = x - node.width / 2;
  const top = y - node.height / 2;
  const outline = () => {
    ctx.beginPath();
    ctx.roundRect(left, top, node.width, node.height, node.rounded ? 9 : 2);
  };
  // The ground first: a dimmed box still hides the arrows behind it.
  outline();
  ctx.fillStyle = picture.ground || "#fff";
  ctx.fill();
  ctx.globalAlpha = picture.lit && !picture.lit.has(node.id) ? DIMMED : 1;
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = node.border + (hovered || picture.selected === node.id ? 1.2 : 0);
  ctx.strokeStyle = border;
  ctx.setLineDash(node.dash);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = text;
  paintLines(picture, ctx, node, x, y, border, faint);
  if (node.pinned) paintPin(ctx, left + node.width - 10, top + 1, border, picture.ground);
  if (picture.cursor === node.id) paintCursor(ctx, left, top, node, text);
  ctx.globalAlpha = 1;
}

function paintGrounds(picture, ctx) {
  picture.data.bands.forEach((band) => paintBand(picture, ctx, band));
  picture.data.zones.forEach((zone) => paintZone(picture, ctx, zone));
}

// What the rows of one layer stand on, so that they do not look like several layers.
function paintBand(picture, ctx, [y, tall]) {
  const wide = picture.data.size[0] + 2 * BAND_OVERHANG;
  ctx.globalAlpha = 0.05;
  ctx.fillStyle = picture.ink;
  ctx.beginPath();
  ctx.roundRect(-wide / 2, y - tall / 2, wide, tall, 10);
  ctx.fill();
  ctx.globalAlpha = 1;
}

// A panel behind the boxes of a zone, with its heading.
function paintZone(picture, ctx, [text, x, width]) {
  const tall = picture.data.size[1];
  ctx.globalAlpha = 0.045;
  ctx.fillStyle = picture.ink;
  ctx.beginPath();
  ctx.roundRect(x - width / 2, -tall / 2, width, tall, 10);
  ctx.fill();
  ctx.globalAlpha = 0.8;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.font = `600 13px ${picture.font}`;
  ctx.fillText(shorten(ctx, text, width - 20), x, -tall / 2 + 20);
  ctx.globalAlpha = 1;
}

// A pin that stands on the border of its box.
function paintPin(ctx, x, y, colour, ground) {
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 1.8;
  ctx.beginPath();
  ctx.moveTo(x, y - 4);
  ctx.lineTo(x - 3.5, y + 8);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x + 1, y - 6, 5.5, 0, 2 * Math.PI);
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = ground || "#fff";
  ctx.stroke();
}

function paintCursor(ctx, left, top, node, colour) {
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([3, 3]);
  ctx.strokeRect(left - 4, top - 4, node.width + 8, node.height + 8);
  ctx.setLineDash([]);
}

function paintLines(picture, ctx, node, x, y, border, faint) {
  const room = node.width - 14;
  const hasFoot = node.figures || node.code;
  const step = 16;
  const rows = node.lines.length + (hasFoot ? 1 : 0);
  let line = y - (step * (rows - 1)) / 2;
  const weight = node.bold ? 600 : 400;
  const widest = node.lines.map((part, number) => (number === 0 && node.mark ? node.mark + " " + part : part));
  const size = fontSize(picture, ctx, widest, room, 13, weight);
  for (const part of widest) {
    const shown = shorten(ctx, part, room);
    ctx.fillText(shown, x, line);
    if (node.struck) strike(ctx, x, line, ctx.measureText(shown).width);
    line += step;
  }
  if (hasFoot) paintFoot(picture, ctx, node, x, line + 1, faint, Math.max(Math.min(size, 12), smallestFont(picture)));
}

function paintFoot(picture, ctx, node, x, y, faint, size) {
  const figureFont = `600 ${size}px ${picture.font}`;
  const codeFont = `400 ${smallestFont(picture)}px ${picture.font}`;
  ctx.font = figureFont;
  const figureWidth = node.figures ? ctx.measureText(node.figures).width : 0;
  ctx.font = codeFont;
  const codeWidth = node.code ? ctx.measureText(node.code).width : 0;
  const between = figureWidth && codeWidth ? 7 : 0;
  const start = x - (figureWidth + between + codeWidth) / 2;
  ctx.textAlign = "left";
  if (node.figures) {
    ctx.font = figureFont;
    ctx.fillText(node.figures, start, y);
  }
  if (node.code) {
    ctx.font = codeFont;
    ctx.fillStyle = faint;
    ctx.fillText(node.code, start + figureWidth + between, y);
  }
}

// On a phone a picture that is made smaller keeps its smallest letters.
function smallestFont({ net, stage }) {
  const isPhone = stage.clientWidth < PHONE.width;
  return isPhone ? SMALLEST_FONT / Math.min(1, Math.max(PHONE.least, net.getScale())) : SMALLEST_FONT;
}

function fontSize(picture, ctx, lines, room, size, weight) {
  for (; size > SMALLEST_FONT; size -= 0.5) {
    ctx.font = `${weight} ${size}px ${picture.font}`;
    if (Math.max(...lines.map((line) => ctx.measureText(line).width)) <= room) break;
  }
  ctx.font = `${weight} ${size}px ${picture.font}`;
  return size;
}

function shorten(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && ctx.measureText(text.slice(0, end) + "…").width > room) end -= 1;
  return text.slice(0, end) + "…";
}

function strike(ctx, x, y, width) {
  ctx.lineWidth = 1.2;
  ctx.strokeStyle = ctx.fillStyle;
  ctx.beginPath();
  ctx.moveTo(x - width / 2 - 2, y);
  ctx.lineTo(x + width / 2 + 2, y);
  ctx.stroke();
}

// ---- around the canvas ----

function drawLegend(picture) {
  const switches = new Map([...picture.legend.querySelectorAll("button")].map((made) => [made.dataset.switch, made]));
  const items = picture.data.legend.map((item) => {
    const entry = switches.get(item.switch) || (item.switch ? makeSwitch(picture, item.switch) : element("span", "item"));
    entry.replaceChildren(swatch(picture, item), document.createTextNode(item.text));
    if (item.switch) entry.setAttribute("aria-pressed", String(item.pressed));
    return entry;
  });
  // The three widths belong together: they wrap as one.
  const links = element("span", "links");
  const isLink = (number) => picture.data.legend[number].kind.startsWith("edge");
  links.append(...items.filter((_, number) => isLink(number)));
  const others = items.filter((_, number) => !isLink(number));
  arrange(picture.legend, [...others, links]);
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
  children.forEach((child, place) => {
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] || null);
  });
}

function swatch(picture, item) {
  const sign = element("span", "swatch");
  if (item.kind === "pin") {
    sign.classList.add("pin");
    return sign;
  }
  if (!item.paint) {
    const isPale = item.kind === "edge-pale";
    sign.classList.add("line");
    sign.style.borderTopWidth = picture.data.arrow_widths[isPale ? 1 : Number(item.kind.slice(-1))] + "px";
    sign.style.borderTopColor = picture.data.arrows[isPale ? "pale" : "strong"][picture.theme];
    return sign;
  }
  const [fill, border, text] = item.paint[picture.theme];
  sign.style.background = fill;
  sign.style.borderColor = border;
  sign.style.color = text;
  sign.style.borderStyle = item.dash.length ? (item.dash[0] < 3 ? "dotted" : "dashed") : "solid";
  sign.style.borderRadius = item.rounded ? "5px" : "1px";
  sign.textContent = item.mark || (item.struck ? "ab" : "");
  if (item.struck) sign.style.textDecoration = "line-through";
  return sign;
}

function drawTools(picture) {
  const { buttons: names } = picture.data;
  const { save } = picture.data;
  const saves = save ? (save.svg ? "png svg" : "png") : "";
  // Buttons that are there stay, since one of them may have the focus.
  if (picture.saves === saves) return;
  picture.saves = saves;
  const saving = [];
  if (save) saving.push(tool("PNG", names.png, () => savePng(picture)));
  if (save && save.svg) saving.push(tool("SVG", names.svg, () => saveSvg(picture)));
  picture.tools.replaceChildren(
    ...saving,
    tool("+", names.in, () => zoom(picture, 1.25)),
    tool("−", names.out, () => zoom(picture, 0.8)),
    tool("⤢", names.fit, () => { picture.moved = false; fit(picture, true); })
  );
}

// ---- saving ----

const SAVED_SCALE = 2;
const SAVED_MARGIN = 24;

// Both save the whole picture with its boxes where they were dragged to, whatever is in view.
function savePng(picture) {
  const places = picture.net.getPositions();
  const [left, top, wide, tall] = extent(picture, places);
  const sheet = document.createElement("canvas");
  sheet.width = Math.round(wide * SAVED_SCALE);
  sheet.height = Math.round(tall * SAVED_SCALE);
  const ctx = sheet.getContext("2d");
  ctx.fillStyle = picture.ground || "#fff";
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.setTransform(SAVED_SCALE, 0, 0, SAVED_SCALE, -left * SAVED_SCALE, -top * SAVED_SCALE);
  paintGrounds(picture, ctx);
  paintEdges(picture, ctx);
  for (const node of picture.data.nodes) {
    const { x, y } = places[node.id];
    paintBox(picture, ctx, node, x, y, false);
  }
  sheet.toBlob((blob) => keep(blob, picture.data.save.name + ".png"));
}

// Python drew it, arrows and boxes in the order of the data; only what was dragged is redrawn.
function saveSvg(picture) {
  const { svg, name } = picture.data.save;
  const sheet = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const places = picture.net.getPositions();
  const { edges, nodes } = picture.data;
  sheet.querySelectorAll(".edge").forEach((drawn, number) => {
    const ends = endsOf(picture, edges[number], places);
    if (ends.stays) return;
    const { line, head, middle } = arrow(ends, picture.data.arrow_widths[edges[number].step]);
    const figures = drawn.querySelector("text");
    if (figures) ["x", "y"].forEach((side, n) => figures.setAttribute(side, middle[n]));
    drawn.firstElementChild.setAttribute("d", line);
    drawn.lastElementChild.setAttribute("d", head);
  });
  sheet.querySelectorAll(".node").forEach((drawn, number) => {
    const [node, place] = [nodes[number], places[nodes[number].id]];
    if (isAt(node, place)) return;
    drawn.setAttribute("transform", `translate(${place.x - node.x} ${place.y - node.y})`);
  });
  const [left, top, wide, tall] = extent(picture, places);
  for (const drawn of [sheet, sheet.querySelector("rect")]) {
    drawn.setAttribute("width", wide);
    drawn.setAttribute("height", tall);
  }
  sheet.setAttribute("viewBox", [left, top, wide, tall].join(" "));
  sheet.querySelector("rect").setAttribute("x", left);
  sheet.querySelector("rect").setAttribute("y", top);
  keep(new Blob([new XMLSerializer().serializeToString(sheet)], { type: "image/svg+xml" }), name + ".svg");
}

// Left, top, width and height of what was placed and of where boxes were dragged to, and a margin.
function extent(picture, places) {
  const [halfWide, halfTall] = picture.data.size.map((side) => side / 2);
  const ends = picture.data.nodes.map((node) => {
    const { x, y } = places[node.id];
    return [x - node.width / 2, y - node.height / 2, x + node.width / 2, y + node.height / 2];
  });
  ends.push([-halfWide, -halfTall, halfWide, halfTall]);
  const [left, top] = [0, 1].map((side) => Math.min(...ends.map((end) => end[side])) - SAVED_MARGIN);
  const [right, bottom] = [2, 3].map((side) => Math.max(...ends.map((end) => end[side])) + SAVED_MARGIN);
  return [left, top, right - left, bottom - top];
}

function showTip(picture, id) {
  const node = picture.byId.get(id);
  picture.tipped = id;
  if (!node || !node.hover.length) return hideTip(picture);
  picture.canvas.style.cursor = "pointer";
  fillTip(picture.tip, node.hover);
  const spot = picture.net.canvasToDOM(picture.net.getPosition(id));
  const half = (node.height / 2) * picture.net.getScale() + 8;
  const { offsetWidth: wide, offsetHeight: tall } = picture.tip;
  const left = Math.min(Math.max(4, spot.x - wide / 2), picture.canvas.clientWidth - wide - 4);
  const above = spot.y - half - tall;
  picture.tip.style.left = left + "px";
  picture.tip.style.top = (above > 0 ? above : spot.y + half) + "px";
}

function hideTip(picture) {
  picture.tip.hidden = true;
  picture.canvas.style.cursor = "default";
}

function themeOf(box) {
  const colour = getComputedStyle(box).getPropertyValue("--st-background-color");
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour.trim() || "#ffffff";
  const number = parseInt(context.fillStyle.slice(1), 16);
  const [red, green, blue] = [number >> 16, (number >> 8) & 255, number & 255];
  return 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
}
