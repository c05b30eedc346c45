// What a story took along of a view that this page cannot work out: a picture, a table, or a document.

const OrreryTaken = (function () {
  "use strict";

  // A picture is there for a wide page, for one that is less wide, and for a narrow one.
  const LEAST_WIDEST = 1160, LEAST_WIDE = 700;
  // A drawing that is smaller than this part of its own size cannot be read, and is scrolled instead.
  const SMALLEST = 0.75;
  const { make, linkTo, row } = OrreryPieces;
  const { topicNumber, whole } = OrreryModel;

  // Of a drawing whose colours are its own there is one for each theme; the other is not displayed.
  const OF_THEME = "@media (prefers-color-scheme: dark) { .light { display: none; } } " +
    "@media not (prefers-color-scheme: dark) { .dark { display: none; } }";

  function parsed(source, className) {
    const found = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    const drawing = document.importNode(found, true);
    drawing.setAttribute("class", className);
    drawing.style.cssText = "width: 100%; height: auto;";
    return drawing;
  }

  // What an SVG holds for its room; the colours of its text are the page's.
  function ofRoom(taken, room, host) {
    const size = room >= LEAST_WIDEST ? "widest" : room >= LEAST_WIDE ? "wide" : "narrow";
    const drawing = parsed(taken[size], "");
    if (size !== "narrow") host.className = `taken ${size}`;
    drawing.querySelector("image.points")?.setAttribute("href", taken.points);
    return [drawing];
  }

  function ofThemes(taken, host) {
    const [light, dark] = [parsed(taken.wide, "light"), parsed(taken.dark, "dark")];
    const width = Number(light.getAttribute("width"));
    host.style.cssText = `max-width: ${width}px; overflow-x: auto;`;
    for (const one of [light, dark]) one.style.minWidth = `${SMALLEST * width}px`;
    return [make("style", "", OF_THEME), light, dark];
  }

  // Apart from the page, whose rules are about its own drawings; without a drawing its caption says why.
  function picture(taken, room) {
    const head = [make("h1", "", taken.heading), make("p", "sentence", taken.caption)];
    if (!taken.wide) return head;
    const host = make("div", "taken"), root = host.attachShadow({ mode: "open" });
    root.append(...(taken.dark ? ofThemes(taken, host) : ofRoom(taken, room, host)));
    return [...head, host];
  }

  // A part is plain text, or text with its colour, the colour of the line below it, and what is said of it.
  function coloured([said, ground, line, title]) {
    if (!ground) return said;
    const word = make("span", "", said);
    word.style.background = ground;
    if (line) word.style.borderBottom = `2px solid ${line}`;
    word.title = title;
    return word;
  }

  function topic({ id, label, figures, probability, hue, words }) {
    const number = topicNumber.get(id);
    const name = number === undefined ? label : linkTo(whole(number));
    const made = row(name, figures, probability, words);
    made.querySelector(".bar i").style.background = hue;
    return made;
  }

  function text(taken) {
    const article = make("article", "", make("div", "text", ...taken.text.map(coloured)));
    if (taken.rest) article.append(make("p", "faint", taken.rest));
    const side = make("section", "", make("h2", "", taken.legend), ...taken.topics.map(topic));
    const known = make("p", "sentence", taken.known);
    return [...(taken.heading ? [make("h1", "", taken.heading)] : []), known,
      make("div", "document", article, side)];
  }

  function list(taken) {
    const found = taken.documents.map(({ title, known, text: parts }) => make("div", "listed",
      make("h3", "", title), make("p", "faint", known), make("p", "", ...parts.map(coloured))));
    return [make("h1", "", taken.heading), make("p", "sentence", taken.caption), ...found];
  }

  // Ids of topics lead to them.
  function cell(said) {
    const number = topicNumber.get(said);
    if (number === undefined) return said;
    const link = linkTo(whole(number));
    link.textContent = said;
    return link;
  }

  function table({ heading, caption, columns, figures, rows }) {
    const line = (tag, texts) => make("tr", "", ...texts.map((said, place) =>
      make(tag, figures.includes(place) ? "figure" : "", place ? said : cell(said))));
    const made = make("table", "", make("thead", "", line("th", columns)),
      make("tbody", "", ...rows.map((texts) => line("td", texts))));
    return [make("h1", "", heading), make("p", "sentence", caption), make("div", "table", made)];
  }

  const page = (taken, room) => ({ picture, table, document: text, list })[taken.kind](taken, room);

  return { page };
})();
