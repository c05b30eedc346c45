// Pieces that pages are made of; every text goes in as text.

const OrreryPieces = (function () {
  "use strict";

  const LINKS_SHOWN = 15;
  const { nameOf } = OrreryModel;

  function make(tag, className, ...content) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...content);
    return made;
  }

  // `key` finds it again after the page was drawn anew, so that it keeps the focus.
  function button(className, key, act, ...content) {
    const made = make("button", className, ...content);
    made.type = "button";
    made.dataset.key = key;
    made.addEventListener("click", act);
    return made;
  }

  function linkTo(node, className) {
    const made = make("a", className, nameOf(node));
    made.href = OrreryAddress.pageOf(node);
    return made;
  }

  // A name and figures with a bar below them.
  function row(name, figures, share, small) {
    const bar = make("i", "");
    bar.style.width = 100 * Math.min(1, share) + "%";
    const line = make("div", "line", make("span", "", name), make("span", "", figures));
    const made = make("div", "row", line, make("div", "bar", bar));
    if (small) made.append(make("small", "", small));
    return made;
  }

  const linkRow = ({ node, probability }) =>
    row(linkTo(node), OrreryFigures.percent(probability), probability);

  // `note` explains the figures.
  function column(title, links, nothing, note = "") {
    const shown = links.slice(0, LINKS_SHOWN), rest = links.length - shown.length;
    const made = make("section", "", make("h2", "", title), ...(note && links.length ? [make("p", "faint", note)] : []), ...shown.map(linkRow));
    if (!links.length) made.append(make("p", "faint", nothing));
    if (rest > 0) made.append(make("p", "faint", `and ${rest} weaker`));
    return made;
  }

  // A choice of one: `options` are pairs of a value and its text.
  function choice(label, key, options, chosen, put) {
    const made = make("div", "choice");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    for (const [value, text] of options) {
      const one = button("", `${key}-${value}`, () => put(value), text);
      one.setAttribute("aria-pressed", value === chosen);
      made.append(one);
    }
    return made;
  }

  return { make, button, linkTo, row, column, choice };
})();
