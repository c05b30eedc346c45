// The note of a kept view, and the keys and buttons that turn to the next. Texts stay text.
const TURNS = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 };
const players = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".orrery-story");
  if (!box || !data) return;
  let player = players.get(box);
  if (!player) {
    player = createPlayer(box);
    players.set(box, player);
  }
  player.send = (number) => setTriggerValue("went", number);
  show(player, data);
  return () => {
    players.delete(box);
    player.observer.disconnect();
    window.removeEventListener("keydown", player.onKey, true);
    document.removeEventListener("fullscreenchange", player.onScreen);
    document.documentElement.style.removeProperty("--story-height");
  };
}

function createPlayer(box) {
  const player = { box, wanted: 0, number: 0, count: 0, isToggled: false };
  player.said = element("div", "said");
  player.said.setAttribute("aria-live", "polite");
  player.said.tabIndex = 0;
  player.title = element("h2", "");
  player.note = element("div", "note");
  player.said.append(player.title, player.note);
  player.counter = element("span", "counter");
  player.bar = element("div", "bar");
  box.replaceChildren(player.said, player.bar);
  // Before anything on the page takes them: whoever tells a story turns with them wherever they clicked.
  player.onKey = (event) => pressed(player, event);
  player.onScreen = () => screenChanged(player);
  window.addEventListener("keydown", player.onKey, true);
  document.addEventListener("fullscreenchange", player.onScreen);
  // The page keeps as much room free as the note takes.
  player.observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty("--story-height", box.offsetHeight + "px"));
  player.observer.observe(box);
  return player;
}

function show(player, data) {
  player.number = player.wanted = data.number;
  player.count = data.count;
  player.title.textContent = data.title;
  player.note.textContent = data.note;
  player.note.hidden = !data.note;
  player.said.setAttribute("aria-label", data.words.note);
  player.said.scrollTop = 0;
  player.counter.textContent = data.counter;
  if (!player.bar.hasChildNodes()) addButtons(player, data.words);
  player.previous.disabled = data.number <= 1;
  player.next.disabled = data.number >= data.count;
  if (data.begins) fill(player);
}

function addButtons(player, words) {
  player.previous = tool("‹", words.previous, () => turn(player, -1));
  player.next = tool("›", words.next, () => turn(player, 1));
  const full = tool(words.full, words.full_help, () => toggle(player));
  const end = tool(words.end, words.end_help, () => leave(player));
  player.bar.append(player.previous, player.counter, player.next, full, end);
}

// Counts from the view that was asked for last, for the page follows more slowly than keys.
function turn(player, by) {
  const wanted = Math.min(Math.max(player.wanted + by, 1), player.count);
  if (wanted === player.wanted) return;
  player.wanted = wanted;
  player.send(wanted);
}

function leave(player) {
  player.isToggled = true;
  if (document.fullscreenElement) document.exitFullscreen();
  player.send(0);
}

// Browsers allow it for a moment after a click, and some not at all; the page has no frame anyway.
function fill(player) {
  if (document.fullscreenElement || !document.documentElement.requestFullscreen) return;
  document.documentElement.requestFullscreen().catch(() => { player.isToggled = false; });
}

function toggle(player) {
  if (!document.fullscreenElement) return fill(player);
  player.isToggled = true;
  document.exitFullscreen();
}

// Escape leaves the full screen without telling the page of the key; it ends the story all the same.
function screenChanged(player) {
  if (!document.fullscreenElement && !player.isToggled) player.send(0);
  player.isToggled = false;
}

function pressed(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0])) return;
  const by = TURNS[event.key];
  if (!by && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  if (by) turn(player, by);
  else leave(player);
}

function isTyping(target) {
  const role = target.getAttribute?.("role");
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
    ["slider", "radio", "option", "combobox", "listbox", "tab"].includes(role);
}
