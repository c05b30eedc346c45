// A story: kept views in their order, each with its note, over the page that it is about. Which one is
// told stands in the address as its number.

const OrreryStory = (function () {
  "use strict";

  const STEP = "step", TURNS = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 };
  const { make, button } = OrreryPieces;
  const story = OrreryModel.story, views = story?.views ?? [];
  const root = document.documentElement;

  // Number of the view that an address tells, from 1; 0 where it tells none.
  function numberOf(where) {
    const typed = where.get(STEP) ?? "";
    if (!views.length || !/^\d{1,6}$/.test(typed)) return 0;
    return Math.min(Math.max(Number(typed), 1), views.length);
  }

  function addressOf(number) {
    const next = new URLSearchParams(views[number - 1].address ?? "");
    next.set(STEP, String(number));
    return "#" + next.toString();
  }

  const tell = (number) => (location.hash = addressOf(Math.min(Math.max(number, 1), views.length)));
  const turn = (by) => tell(numberOf(OrreryAddress.read()) + by);

  function leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    location.hash = OrreryAddress.withChanges({ [STEP]: null });
  }

  function toggleScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    // Some browsers do not allow it; the page has no frame anyway.
    else root.requestFullscreen?.().catch(() => {});
  }

  // Puts the note beside the page, or nothing where no story is told.
  function show(where, bar) {
    const number = numberOf(where);
    document.body.classList.toggle("telling", number > 0);
    bar.hidden = !number;
    if (!number) {
      root.style.removeProperty("--story-height");
      return bar.replaceChildren();
    }
    const { title, note } = views[number - 1];
    const said = make("div", "said", make("h2", "", title));
    said.tabIndex = 0;
    said.setAttribute("aria-live", "polite");
    if (note) said.append(make("div", "note-said", note));
    const tool = (key, sign, named, act, isOff) => {
      const made = button("", key, act, sign);
      made.title = named;
      made.setAttribute("aria-label", named);
      made.disabled = isOff;
      return made;
    };
    bar.replaceChildren(said, make("div", "turns",
      tool("story-previous", "‹", "Previous view (left arrow)", () => turn(-1), number <= 1),
      make("span", "counter", `${number} of ${views.length}`),
      tool("story-next", "›", "Next view (right arrow)", () => turn(1), number >= views.length),
      tool("story-full", "Full screen", "Full screen on or off", toggleScreen, false),
      tool("story-end", "End", "End the story (Escape)", leave, false)));
    root.style.setProperty("--story-height", bar.offsetHeight + "px");
  }

  // What stands for a view that this page cannot work out, in a room of some width: what was taken along
  // of it, or a sentence; null where it can, or something was asked since.
  function instead(where, room) {
    const number = numberOf(where), view = views[number - 1];
    if (!number || view.address !== null) return null;
    if (view.taken) return OrreryTaken.page(view.taken, room);
    return [make("h1", "", view.title), make("p", "sentence", view.instead)];
  }

  // The way into the story, beside the name of the model.
  function entry() {
    if (!views.length) return [];
    const link = make("a", "found", "Play the story");
    link.href = addressOf(1);
    return [make("p", "story-title", story.title), link];
  }

  const isTyping = (target) =>
    target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);

  function pressed(event) {
    if (!numberOf(OrreryAddress.read()) || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = TURNS[event.key];
    if (isTyping(event.target) || (!by && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) turn(by);
    else leave();
  }

  // Whoever opens the file with nothing in the address is told the story from its beginning.
  function begin() {
    window.addEventListener("keydown", pressed, true);
    if (views.length && location.hash.length < 2) history.replaceState(null, "", addressOf(1));
  }

  return { show, instead, entry, begin, numberOf, addressOf };
})();
