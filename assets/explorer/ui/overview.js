// The opening: the map of all topics that the app has, each area as large as its topic is frequent.

const OrreryOverview = (function () {
  "use strict";

  const HOVER_WORDS = 6;
  const NAMES = {
    in: "Zoom in", out: "Zoom out", fit: "Fit the whole picture",
    png: "Save the picture as PNG", svg: "Save the picture as SVG",
  };
  const KEYS = "Arrow keys walk, Enter opens or zooms in, Escape zooms out.";
  const SHELF = "Topics whose documents use similar words. A shelf is no part of the model.";
  const SHELVES = "Bold headings are shelves: topics whose documents use similar words, side by side to be read. They are no part of the model.";
  const NO_SHELF = "On no shelf", ON_NONE = "Topics that are like those of no shelf.";
  const MORE = ["+{count} here, still too small to be read", "Click to zoom in."];
  const {
    nTopics, nameOf, keyOf, isShown, whole, parentsOf, height, words, vocabulary, wordText, topicNumber,
    hiddenTopics, mainParent, seen, shelfOf, shelves,
  } = OrreryModel;
  const { make } = OrreryPieces;
  const { percent, plural } = OrreryFigures;
  const sizes = OrrerySizes;

  // What a topic hangs from: the one that brings it most often, as the model says.
  const aboveOf = (topic) => parentsOf(topic).find((link) => link.node === mainParent[topic]) ?? null;

  // Boxes of the map, each after the one that it hangs from; none is smaller than one that it holds.
  function boxes() {
    const shown = Array.from({ length: nTopics }, (_, topic) => topic).filter((t) => isShown(t) && whole(t) === t);
    shown.sort((a, b) => height[b] - height[a] || a - b);
    const least = 1e-4 * Math.max(...shown.map(sizes.withBelow), 0) || 1;
    const place = new Map(shown.map((topic, number) => [topic, number]));
    const links = shown.map(aboveOf);
    const found = shown.map((topic, number) => ({
      key: keyOf(topic), kind: "topic", above: links[number] ? place.get(links[number].node) : -1,
      size: Math.max(sizes.withBelow(topic), least), label: nameOf(topic),
      figures: sizes.figures(sizes.withBelow(topic)), hover: hover(topic, links[number]), folded: 0,
    }));
    for (const box of [...found].reverse()) {
      const above = found[box.above];
      if (above) above.size = Math.max(above.size, box.size);
    }
    return found;
  }

  // The part of the map that an address asks for, as the app writes it: the family of a topic, without
  // so many of its largest; the whole where there is no such part.
  function partOf(where, all) {
    const within = all.findIndex(({ key }) => key === `topic:${where.get("in")}`);
    const root = all.some(({ above }) => above === within) ? within : -1;
    const top = all.filter(({ above }) => above === root);
    top.sort((a, b) => b.size - a.size || numberOf(a) - numberOf(b));
    const asked = /^\d{1,9}$/.test(where.get("skip") ?? "") ? Number(where.get("skip")) : 0;
    const skip = asked < top.length ? asked : 0, left = new Set(top.slice(0, skip)), place = new Map();
    const kept = all.filter((box, number) => {
      const isIn = number === root || (!left.has(box) && (box.above === root || place.has(box.above)));
      if (isIn) place.set(number, place.size);
      return isIn;
    });
    const hung = kept.map((box) => ({ ...box, above: place.get(box.above) ?? -1 }));
    return { name: root < 0 ? "" : all[root].label, skip, boxes: hung };
  }

  // The boxes of the whole map, those that hang from nothing in boxes of their shelves, as in the app.
  function onShelves(all) {
    const tops = all.filter(({ above }) => above < 0), onEach = shelves.map(() => 0);
    for (const box of tops) onEach[shelfOf[numberOf(box)]] += 1;
    const stands = (box) => (onEach[shelfOf[numberOf(box)]] > 1 ? shelfOf[numberOf(box)] : -1);
    const found = [...shelves.keys(), -1].map((shelf) => [shelf, tops.filter((box) => stands(box) === shelf)]);
    const kept = found.filter(([, inside]) => inside.length);
    if (!kept.some(([shelf]) => shelf >= 0)) return all;
    const holders = kept.map(([shelf, inside]) => ({
      key: `shelf:${shelf}`, kind: "shelf", above: -1, size: inside.reduce((sum, { size }) => sum + size, 0),
      label: shelves[shelf] ?? NO_SHELF, figures: "", hover: shelf < 0 ? [NO_SHELF, ON_NONE] : [shelves[shelf], SHELF], folded: 0,
    }));
    const placeOf = (box) => (box.above < 0 ? kept.findIndex(([shelf]) => shelf === stands(box)) : box.above + kept.length);
    return [...holders, ...all.map((box) => ({ ...box, above: placeOf(box) }))];
  }

  const numberOf = ({ key }) => topicNumber.get(key.slice("topic:".length));

  function hover(topic, above) {
    const own = sizes.own(topic), all = sizes.withBelow(topic), lines = [nameOf(topic)];
    if (all > own) lines.push(`on, or one below it, in ${sizes.said(all)}`, `by itself in ${sizes.said(own)}`);
    else lines.push(`on in ${sizes.said(own)}`);
    if (above) lines.push(`from ${nameOf(above.node)}: ${percent(above.probability)}`);
    const telling = words[topic].slice(0, HOVER_WORDS).map(([token]) => wordText(vocabulary[token]));
    return telling.length ? [...lines, telling.join(", ")] : lines;
  }

  function said(count, all, isFlat, isShelved) {
    const area = seen ? "Figures: documents in which a topic, or one below it, is on. Of neighbours, the larger has more."
      : "Figures: how often a topic, or one below it, is on by the model. Of neighbours, the larger is on more often.";
    const hidden = hiddenTopics.size ? ` +${hiddenTopics.size} hidden.` : "";
    const shown = count < all ? `${count.toLocaleString("en")} of ` : "";
    const hint = isFlat ? "In this model no topic stands above another. Click one to see its words."
      : "Each stands below the one that brings it most often, if any does; click one to see all its links.";
    return `${shown}${plural(all, "topic", "topics")}. ${area} ${hint}${isShelved ? ` ${SHELVES}` : ""}${hidden}`;
  }

  function open(name, key) {
    if (name === "clicked" && key.startsWith("topic:"))
      location.hash = OrreryAddress.pageOf(topicNumber.get(key.slice("topic:".length)));
  }

  // The map is laid out once it stands in the page, whose room it fills.
  let forgetMap = () => {};

  function map(found, count, all, isFlat) {
    const host = make("div", "map"), root = host.attachShadow({ mode: "open" });
    root.append(make("style", "", OrreryModel.map_style), make("div", "orrery-map"));
    const data = {
      description: "Map of the topics, each below the one that brings it most often, if any does.",
      keys: KEYS, names: NAMES,
      more: MORE, boxes: found, said: said(count, all, isFlat, found.length > count), save: `${OrreryModel.title}-map`,
    };
    requestAnimationFrame(() => {
      if (!host.isConnected) return;
      // A map that was left would go on following the window.
      forgetMap();
      forgetMap = OrreryMap.drawTopicMap({ data, parentElement: root, setTriggerValue: open });
    });
    return host;
  }

  function page(where) {
    const all = boxes(), part = partOf(where, all), isFlat = all.every(({ above }) => above < 0);
    const found = part.name ? part.boxes : onShelves(part.boxes);
    const drawn = map(found, part.boxes.length, all.length, isFlat);
    const sentence = "Walk through the topics and what links them, down to their words.";
    if (part.boxes.length === all.length) return [make("h1", "", "All topics"), make("p", "sentence", sentence), drawn];
    const home = make("a", "", "All topics");
    home.href = OrreryAddress.withChanges({ in: null, skip: null });
    const count = part.skip > 1 ? `${part.skip.toLocaleString("en")} ` : "";
    const title = [part.name || "All topics", ...(part.skip ? [`after the ${count}largest`] : [])].join(", ");
    return [make("p", "path", home, " › "), make("h1", "", title), make("p", "sentence", "A part of the map."), drawn];
  }

  return { page, boxes, partOf, onShelves };
})();
