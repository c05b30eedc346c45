// The opening: the map of all topics that the app has, each area as large as its topic is frequent.

const OrreryOverview = (function () {
  "use strict";

  const HOVER_WORDS = 6;
  // The box of topics that are set aside, and its size, as a share of all others.
  const ASIDE = "shelf:aside", ASIDE_SHARE = OrreryModel.aside_share;
  const NAMES = {
    in: "Zoom in", out: "Zoom out", fit: "Fit the whole picture",
    png: "Save the picture as PNG", svg: "Save the picture as SVG",
  };
  const {
    nTopics, nameOf, keyOf, isShown, whole, parentsOf, height, words, vocabulary, wordText, topicNumber,
    hiddenTopics, setAside, mainParent, displayedPrior, seen, shelfOf, shelves, stability,
  } = OrreryModel;
  const { make } = OrreryPieces;
  const { percent } = OrreryFigures;
  const { strings, fill, say } = OrreryStrings;
  const sizes = OrrerySizes;

  // Whether no figure tells topics apart: each has the same probability, and none is below another.
  function areEqual() {
    const shown = [...displayedPrior.keys()].filter((topic) => isShown(topic) && whole(topic) === topic).map((topic) => displayedPrior[topic]);
    return !seen && mainParent.slice(0, nTopics).every((above) => above < 0) && Math.max(...shown) - Math.min(...shown) < 1e-6;
  }

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
      figures: areEqual() ? "" : sizes.figures(sizes.withBelow(topic)), hover: hover(topic, links[number]), folded: 0,
      found: stability ? stability.found[topic] / stability.times : 1,
    }));
    for (const box of [...found].reverse()) {
      const above = found[box.above];
      if (above) above.size = Math.max(above.size, box.size);
    }
    // A topic is not hidden behind the name of a smaller one, where its box is too small to be drawn.
    const largest = shown.map((_, number) => number), own = (number) => sizes.own(shown[number]);
    // Among equals it is the topic at the root, then the first one, as in the app.
    const isLarger = (one, other, root) => own(one) > own(other) ||
      (own(one) === own(other) && other !== root && shown[one] < shown[other]);
    for (let number = found.length - 1; number >= 0; number--) {
      const { above } = found[number];
      if (above >= 0 && isLarger(largest[number], largest[above], above)) largest[above] = largest[number];
    }
    found.forEach((box, number) => {
      const first = largest[number];
      if (first !== number) Object.assign(box, { inner: found[first].label, inner_figures: sizes.figures(own(first)) });
    });
    return withAside(found);
  }

  // The topics that are set aside stand last, in a small box of their own.
  function withAside(all) {
    const isAside = ({ key }) => setAside.has(topicNumber.get(key.slice("topic:".length)));
    const kept = all.filter((box) => !isAside(box)), aside = all.filter(isAside);
    if (!aside.length) return all;
    const place = new Map(kept.map((box, number) => [box, number]));
    const tops = kept.filter(({ above }) => above < 0).reduce((sum, { size }) => sum + size, 0);
    const holder = {
      key: ASIDE, kind: "shelf", above: -1, size: ASIDE_SHARE * tops, label: say("set_aside"), figures: "", folded: 0,
      hover: [say("set_aside"), say("set_aside_hint")],
    };
    const hung = kept.map((box) => ({ ...box, above: place.get(all[box.above]) ?? -1 }));
    return [...hung, holder, ...aside.map((box) => ({ ...box, above: kept.length }))];
  }

  // The part of the map that an address asks for, as the app writes it: the family of a topic, without
  // so many of its largest; the whole where there is no such part.
  function partOf(where, all) {
    const within = all.findIndex(({ key }) => key === `topic:${where.get("in")}`);
    const root = all.some(({ above }) => above === within) ? within : -1;
    const top = all.filter(({ above, kind }) => above === root && kind === "topic");
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
    const tops = all.filter(({ above, kind }) => above < 0 && kind === "topic"), onEach = shelves.map(() => 0);
    for (const box of tops) onEach[shelfOf[numberOf(box)]] += 1;
    const stands = (box) => (onEach[shelfOf[numberOf(box)]] > 1 ? shelfOf[numberOf(box)] : -1);
    const found = [...shelves.keys(), -1].map((shelf) => [shelf, tops.filter((box) => stands(box) === shelf)]);
    const kept = found.filter(([, inside]) => inside.length);
    if (!kept.some(([shelf]) => shelf >= 0)) return all;
    const holders = kept.map(([shelf, inside]) => ({
      key: `shelf:${shelf}`, kind: "shelf", above: -1, size: inside.reduce((sum, { size }) => sum + size, 0),
      label: shelves[shelf] ?? say("other_topics"), figures: "", folded: 0,
      hover: shelf < 0 ? [say("other_topics"), say("other_topics_hint")] : [shelves[shelf], say("group_hint")],
    }));
    const placeOf = (box) => (box.key === ASIDE ? -1 : box.above < 0 ? kept.findIndex(([shelf]) => shelf === stands(box)) : box.above + kept.length);
    return [...holders, ...all.map((box) => ({ ...box, above: placeOf(box) }))];
  }

  const numberOf = ({ key }) => topicNumber.get(key.slice("topic:".length));

  function hover(topic, above) {
    const own = sizes.own(topic), all = sizes.withBelow(topic), lines = [nameOf(topic)];
    if (all > own) lines.push(say("with_below", { size: sizes.said(all) }), say("by_itself", { size: sizes.said(own) }));
    else lines.push(sizes.said(own));
    if (stability) lines.push(say("found_again", { found: stability.found[topic], times: stability.times }));
    if (above) lines.push(`from ${nameOf(above.node)}: ${percent(above.probability)}`);
    const telling = words[topic].slice(0, HOVER_WORDS).map(([token]) => wordText(vocabulary[token]));
    return telling.length ? [...lines, telling.join(", ")] : lines;
  }

  function said(count, all, isFlat, isShelved) {
    const what = seen ? say("area_counted", { documents: sizes.counted(seen.documents) }) : say("area_expected");
    return [
      say(count < all ? "some_shown" : "all_shown", { shown: sizes.counted(count), total: sizes.counted(all) }),
      ...(areEqual() ? [] : [isFlat && !seen ? say("area_flat") : say("area", { what })]), say(isFlat ? "hint_flat" : "hint_overview"), ...(isShelved ? [say("hint_groups")] : []),
      ...(hiddenTopics.size ? [`+${hiddenTopics.size} hidden.`] : []),
    ].join(" ");
  }

  function open(name, key) {
    if (name === "clicked" && key.startsWith("topic:"))
      location.hash = OrreryAddress.pageOf(topicNumber.get(key.slice("topic:".length)));
  }

  // The map is laid out once it stands in the page, whose room it fills.
  let forgetMap = () => {};

  const countTopics = (found) => found.filter(({ kind }) => kind === "topic").length;

  function map(found, all, isFlat) {
    const count = countTopics(found), isShelved = found.some(({ kind, key }) => kind === "shelf" && key !== ASIDE);
    const host = make("div", "map"), root = host.attachShadow({ mode: "open" });
    root.append(make("style", "", OrreryModel.map_style), make("div", "orrery-map"));
    const data = {
      description: say("map_description"), keys: say("map_keys"), names: NAMES,
      more: strings.more_here, boxes: found, said: said(count, all, isFlat, isShelved), save: `${OrreryModel.title}-map`,
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
    const all = boxes(), part = partOf(where, all), isFlat = all.every(({ above }) => above < 0 || all[above].key === ASIDE);
    const found = part.name ? part.boxes : onShelves(part.boxes);
    const drawn = map(found, countTopics(all), isFlat);
    if (part.boxes.length === all.length)
      return [make("h1", "", say("whole")), make("p", "sentence", say("graph_sentence")), drawn];
    const home = make("a", "", say("whole"));
    home.href = OrreryAddress.withChanges({ in: null, skip: null });
    const after = fill(strings.after[part.skip > 1 ? 1 : 0], { count: sizes.counted(part.skip) });
    const title = [part.name || say("whole"), ...(part.skip ? [after] : [])].join(", ");
    return [make("p", "path", home, " › "), make("h1", "", title), make("p", "sentence", "A part of the map."), drawn];
  }

  return { page, boxes, partOf, onShelves };
})();
