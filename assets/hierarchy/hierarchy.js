// The hierarchy of topics on a canvas; every label is drawn letter by letter, never as markup.

(function () {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const card = document.getElementById("card"), find = document.getElementById("find");
  const stage = document.getElementById("stage"), said = document.getElementById("said");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const HUES = {
    light: { fill: "#F1F4FC", border: "#5B6FA8", focus: "#D8E0F7", text: "#17202B", strong: "#3C4858", pale: "#D9DEE5", ground: "#FFFFFF", faint: "#667080" },
    dark: { fill: "#21293B", border: "#959FC6", focus: "#34478A", text: "#E6EAF0", strong: "#C3CCD8", pale: "#2C3543", ground: "#0E1117", faint: "#9AA5B4" },
  };
  const hues = () => HUES[dark.matches ? "dark" : "light"];
  const byId = new Map(data.topics.map((topic) => [topic.id, topic]));
  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // Smaller letters than these of 13 pixels times so much cannot be read.
  const LEGIBLE = 0.85;
  let selected = null;

  const nodes = new vis.DataSet(data.topics.filter((t) => t.x !== undefined).map(nodeOf));
  const edges = new vis.DataSet([]);
  const network = new vis.Network(stage, { nodes, edges }, {
    physics: false,
    interaction: { hover: true, dragNodes: true },
    nodes: {
      shape: "box", margin: 8, borderWidth: 1.2, widthConstraint: { minimum: data.box[0] - 16 },
      font: { face: "Source Sans, Helvetica Neue, Arial, sans-serif", size: 13, multi: false },
      shapeProperties: { borderRadius: 7 },
    },
    edges: {
      arrows: { to: { enabled: true, scaleFactor: 0.45 } },
      smooth: { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 },
    },
  });

  function nodeOf(topic) {
    return { id: topic.id, label: topic.short + "\n" + topic.id, x: topic.x, y: topic.y };
  }

  // The link that each topic hangs by is always there; the others of the selected one join it.
  function paint() {
    const hue = hues(), near = new Set([selected]);
    const links = data.topics.flatMap((child) => child.above.map(([parent, probability, width]) => ({
      id: parent + "\u0000" + child.id, from: parent, to: child.id, width, isFirst: child.held === parent,
      touches: parent === selected || child.id === selected, probability,
    }))).filter((link) => (link.isFirst || link.touches) && nodes.get(link.from) && nodes.get(link.to));
    links.forEach((link) => link.touches && near.add(link.from).add(link.to));
    edges.clear();
    edges.add(links.map((link) => ({
      ...link, color: { color: link.touches || !selected ? hue.strong : hue.pale, inherit: false },
    })));
    nodes.update(nodes.getIds().map((id) => {
      const isNear = !selected || near.has(id), border = isNear ? hue.border : hue.pale;
      const background = !isNear ? hue.ground : id === selected ? hue.focus : hue.fill;
      const touched = { background: hue.focus, border: hue.border };
      return {
        id, color: { background, border, highlight: touched, hover: touched },
        font: { color: isNear ? hue.text : hue.faint },
      };
    }));
  }

  function make(tag, text, className) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  }

  const percent = (value) => (value < 0.01 ? "<1" : (100 * value).toFixed(0)) + "\u00a0%";

  function list(title, rows, open) {
    if (!rows.length) return [];
    return [make("h3", title), ...rows.map(([name, probability]) => {
      const line = make("div", "", "line");
      const label = make(open ? "button" : "b", open ? byId.get(name).label : name);
      if (open) {
        label.type = "button";
        label.addEventListener("click", () => { choose(name); card.focus(); });
      } else label.style.fontWeight = "inherit";
      line.append(label, make("span", percent(probability)));
      return line;
    })];
  }

  // All of it where that can be read, else the top left corner, where the largest families are.
  function begin() {
    network.fit({ animation: false });
    if (network.getScale() >= LEGIBLE || !nodes.length) return;
    const spots = Object.values(network.getPositions());
    const left = Math.min(...spots.map((spot) => spot.x)) - data.box[0] / 2 - 24;
    const highest = Math.min(...spots.map((spot) => spot.y - data.box[1] / 2), ...data.headings.map(([y]) => y - 14));
    const top = highest - 24;
    const position = { x: left + stage.clientWidth / 2 / LEGIBLE, y: top + stage.clientHeight / 2 / LEGIBLE };
    network.moveTo({ position, scale: LEGIBLE, animation: false });
  }

  // The names of shelves, and what stands on none or by itself.
  function drawHeadings(canvas) {
    canvas.textAlign = "left";
    for (const [y, text, isBold] of data.headings) {
      canvas.font = (isBold ? "600 16px" : "14px") + " Source Sans, Helvetica Neue, Arial, sans-serif";
      canvas.fillStyle = isBold ? hues().text : hues().faint;
      canvas.fillText(text, 0, y);
    }
  }

  // Whether a topic stands on the screen and beside the card, so that nothing has to move.
  function isInView(id) {
    const spot = network.canvasToDOM(network.getPosition(id));
    const half = (data.box[0] / 2) * network.getScale();
    return spot.x > half && spot.x + half < stage.clientWidth - card.offsetWidth - 20 &&
      spot.y > 20 && spot.y < stage.clientHeight - 20;
  }

  function choose(id) {
    const topic = byId.get(id);
    selected = topic ? id : null;
    card.hidden = !topic;
    const shelf = topic && topic.shelf ? "on the shelf: " + topic.shelf : "";
    said.textContent = topic ? [topic.label, topic.id, shelf].filter(Boolean).join(", ") : "";
    if (topic) {
      const words = topic.words.map(([word, probability]) => [word, probability]);
      card.replaceChildren(
        make("h2", topic.label),
        make("div", topic.hidden ? topic.id + " · hidden in pictures" : topic.id, "code"),
        ...(topic.made === topic.label ? [] : [make("small", "its words: " + topic.made)]),
        ...(shelf ? [make("small", shelf)] : []),
        ...list("Words", words), ...list("Above", topic.above, true), ...list("Below", topic.below, true)
      );
      if (nodes.get(id)) {
        network.selectNodes([id]);
        if (!isInView(id)) {
          const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
          network.focus(id, { scale: Math.max(network.getScale(), 0.7), animation: still ? false : { duration: 200 } });
        }
      }
    } else network.unselectAll();
    paint();
  }

  // The nearest topic in a direction; a step aside counts three times.
  function walk(event) {
    const [right, down] = DIRECTIONS[event.key] || [0, 0];
    if (event.key === "Escape") return choose(null);
    if (!right && !down) return;
    event.preventDefault();
    const places = Object.entries(network.getPositions()), here = selected && nodes.get(selected) && network.getPosition(selected);
    const steps = places.map(([id, spot]) => {
      if (!here) return [id, 0];
      const dx = spot.x - here.x, dy = spot.y - here.y, ahead = dx * right + dy * down;
      return [id, ahead > 1 ? ahead + 3 * Math.abs(dx * down + dy * right) : Infinity];
    }).filter(([, distance]) => distance < Infinity);
    if (steps.length) choose(steps.reduce((best, step) => (step[1] < best[1] ? step : best))[0]);
  }

  function search() {
    const wanted = find.value.trim().toLowerCase();
    if (!wanted) return choose(null);
    const isNamed = (topic) => topic.label.toLowerCase().includes(wanted) || topic.id.toLowerCase() === wanted;
    const rank = (topic) => topic.words.findIndex(([word]) => word.toLowerCase() === wanted);
    const bringing = data.topics.filter((topic) => rank(topic) >= 0).sort((a, b) => rank(a) - rank(b));
    const hit = data.topics.find(isNamed) || bringing[0];
    find.setCustomValidity(hit ? "" : "No topic has this name or word.");
    find.reportValidity();
    if (hit) choose(hit.id);
  }

  document.querySelector(".name").textContent = data.title;
  document.querySelector(".caption").textContent = data.caption + " Click a topic for its words and all its links.";
  document.getElementById("fit").addEventListener("click", () => { choose(null); network.fit({ animation: false }); });
  find.addEventListener("change", search);
  // The library lets its frame have the focus.
  stage.firstElementChild.setAttribute("role", "application");
  stage.firstElementChild.setAttribute("aria-label", data.caption + " Arrow keys walk, Escape closes.");
  stage.addEventListener("keydown", walk);
  network.on("beforeDrawing", drawHeadings);
  network.on("click", (event) => choose(event.nodes[0] || null));
  dark.addEventListener("change", paint);
  paint();
  begin();
  window.orrery = { network, choose };
})();
