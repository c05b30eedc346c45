// What a story took along of a view that this page cannot work out: a picture, or a document.

const OrreryTaken = (function () {
  "use strict";

  // A picture is there for a wide page and for a narrow one.
  const LEAST_WIDE = 700;
  const { make, linkTo, row } = OrreryPieces;
  const { topicNumber, whole } = OrreryModel;

  // Apart from the page, whose rules are about its own drawings; colours of text are the page's.
  function picture(taken, room) {
    const isWide = room >= LEAST_WIDE, source = isWide ? taken.wide : taken.narrow;
    const host = make("div", isWide ? "taken wide" : "taken"), root = host.attachShadow({ mode: "open" });
    const drawing = document.importNode(
      new DOMParser().parseFromString(source, "image/svg+xml").documentElement, true);
    drawing.querySelector("image.points")?.setAttribute("href", taken.points);
    drawing.style.cssText = "display: block; width: 100%; height: auto;";
    root.append(drawing);
    return [make("h1", "", taken.heading), make("p", "sentence", taken.caption), host];
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

  const page = (taken, room) => ({ picture, document: text, list })[taken.kind](taken, room);

  return { page };
})();
