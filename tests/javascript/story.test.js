// Which view of a story an address tells, and where each is shown.
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const VIEWS = [
  { title: "Bass", note: "Two senses", address: "q=bass&q2=fish" },
  { title: "All", note: "", address: "" },
  { title: "A document", note: "Gone", address: null, instead: "This view is a document." },
  { title: "A text", note: "", address: null, taken: {
    kind: "document", heading: "Title", known: "label · 7", rest: "The first 9 of 20 characters.", legend: "Topics in the text",
    text: [["Plain "], ["bass", "#1F6FB450", "#1F6FB4", "fish: explains 90 % of this word"], [" end"]],
    topics: [{ id: "T9", label: "fish", figures: "0.93", probability: 0.93, hue: "#1F6FB4", words: "bass, fin" }],
  } },
  { title: "A list", note: "", address: null, taken: {
    kind: "list", heading: "Documents", caption: "1 document.",
    documents: [{ title: "Title", known: "7", text: [["a "], ["bass", "#2E9E5B61", "", ""]] }],
  } },
];

class Element {
  constructor(tag) {
    Object.assign(this, { tag, content: [], dataset: {}, style: {}, attributes: {}, listeners: {} });
  }
  append(...more) { this.content.push(...more); }
  replaceChildren(...all) { this.content = all; }
  setAttribute(name, value) { this.attributes[name] = value; }
  getAttribute(name) { return this.attributes[name]; }
  attachShadow() { return (this.shadow = new Element("shadow")); }
  addEventListener(name, act) { this.listeners[name] = act; }
  // As much of a selector as the page asks for: any element of the last name.
  querySelector(wanted) {
    const parts = this.content.filter((one) => one.tag);
    const own = parts.find((one) => one.tag === wanted.split(" ").pop());
    return own ?? parts.map((one) => one.querySelector(wanted)).find(Boolean) ?? null;
  }
  get text() { return this.content.map((one) => one.text ?? one).join(" "); }
}

function told(views, hash = "", known = {}) {
  const data = JSON.stringify({
    ...pageData({ topics: [], words: [], edges: [], leak: [] }),
    story: views && { title: "A story", views },
  });
  const location = { hash }, keys = [], classes = {};
  const document = {
    getElementById: () => ({ textContent: data }),
    createElement: (tag) => new Element(tag),
    importNode: (node) => node,
    documentElement: { style: { setProperty() {}, removeProperty() {} } },
    body: { classList: { toggle: (name, isOn) => (classes[name] = isOn) } },
  };
  const window = { addEventListener: (_, act) => keys.push(act) };
  const history = { replaceState: (_, __, next) => (location.hash = next) };
  const names = ["Model", "Figures", "Address", "Pieces", "Taken", "Story"];
  const { OrreryStory } = loadExplorer(names, {}, { document, window, location, history, ...known });
  const press = (key, target = { tagName: "BODY" }) =>
    keys.forEach((act) => act({ key, target, preventDefault() {}, stopPropagation() {} }));
  return { OrreryStory, location, press, classes };
}

// What parses a drawing, and remembers what it was given.
function parser(parsed) {
  return class DOMParser {
    parseFromString(source, type) {
      parsed.push([source, type]);
      const drawing = new Element("svg");
      drawing.append(new Element("image.points"));
      return { documentElement: drawing };
    }
  };
}

test("a number in the address is a view, the nearest there is, or none", () => {
  const { OrreryStory } = told(VIEWS);
  const number = (text) => OrreryStory.numberOf(new URLSearchParams(text));
  assert.deepEqual(["step=1", "step=3", "step=99", "step=0"].map(number), [1, 3, 5, 1]);
  assert.deepEqual(["", "step=", "step=-1", "step=two", "q=a"].map(number), [0, 0, 0, 0, 0]);
  assert.equal(told(null).OrreryStory.numberOf(new URLSearchParams("step=1")), 0);
});

test("keys turn within the story, Escape leaves it, and typing is typing", () => {
  const { OrreryStory, location, press } = told(VIEWS);
  OrreryStory.begin();
  assert.equal(location.hash, "#q=bass&q2=fish&step=1");
  press("ArrowLeft");
  assert.equal(location.hash, "#q=bass&q2=fish&step=1");
  press("ArrowRight");
  assert.equal(location.hash, "#step=2");
  press("ArrowRight", { tagName: "INPUT" });
  assert.equal(location.hash, "#step=2");
  for (let turn = 0; turn < VIEWS.length; turn++) press("PageDown");
  press("ArrowRight");
  assert.equal(location.hash, "#step=5");
  press("Escape");
  assert.equal(location.hash, "#");
  press("ArrowRight");
  assert.equal(location.hash, "#");
});

test("an address that was followed is not turned into the beginning", () => {
  const { OrreryStory, location } = told(VIEWS, "#topic=T1");
  OrreryStory.begin();
  assert.equal(location.hash, "#topic=T1");
});

test("a view that the page cannot show has its sentence, and the others have none", () => {
  const { OrreryStory } = told(VIEWS);
  const instead = (number) => OrreryStory.instead(new URLSearchParams(`step=${number}`));
  assert.equal(instead(1), null);
  assert.equal(instead(2), null);
  assert.match(instead(3).map((part) => part.text).join(" "), /A document This view is a document/);
});

test("a document that was taken along is its text, with colours as parts of it", () => {
  const { OrreryStory } = told(VIEWS);
  const shown = OrreryStory.instead(new URLSearchParams("step=4"), 1000);
  const text = shown.map((part) => part.text).join("\n");
  assert.match(text, /^Title\nlabel · 7\nPlain {2}bass {2}end The first 9 of 20/);
  assert.match(text, /Topics in the text fish 0\.93/);
  const word = shown[2].querySelector("span");
  assert.deepEqual([word.text, word.style.background, word.style.borderBottom],
    ["bass", "#1F6FB450", "2px solid #1F6FB4"]);
  const bar = shown[2].querySelector(".bar i");
  assert.equal(bar.style.background, "#1F6FB4");
});

test("a list that was taken along has its documents", () => {
  const { OrreryStory } = told(VIEWS);
  const shown = OrreryStory.instead(new URLSearchParams("step=5"), 1000);
  assert.equal(shown.map((part) => part.text).join("\n"), "Documents\n1 document.\nTitle 7 a  bass");
});

test("a picture is the one for the room", () => {
  const parsed = [];
  const drawn = { widest: "<svg>widest</svg>", wide: "<svg>wide</svg>", narrow: "<svg>narrow</svg>" };
  const taken = { kind: "picture", heading: "Groups", caption: "By label.", points: "data:image/png;base64,AA", ...drawn };
  const { OrreryStory } = told([{ title: "", note: "", address: null, taken }], "", { DOMParser: parser(parsed) });
  for (const [room, name] of [[1200, "taken widest"], [1000, "taken wide"], [358, "taken"]]) {
    const [, , host] = OrreryStory.instead(new URLSearchParams("step=1"), room);
    assert.equal(host.shadow.content[0].content[0].attributes.href, taken.points);
    assert.equal(host.className, name);
  }
  assert.deepEqual(parsed.map(([source]) => source), Object.values(drawn));
});

test("a picture in colours of its own is there for both themes, and one without a drawing says why", () => {
  const views = [{ wide: "<svg>light</svg>", dark: "<svg>dark</svg>" }, {}].map((drawn) =>
    ({ title: "", note: "", address: null, taken: { kind: "picture", heading: "Path", caption: "Why.", ...drawn } }));
  const parsed = [];
  const { OrreryStory } = told(views, "", { DOMParser: parser(parsed) });
  const [, , host] = OrreryStory.instead(new URLSearchParams("step=1"), 358);
  assert.deepEqual(host.shadow.content.slice(1).map((one) => one.attributes.class), ["light", "dark"]);
  assert.deepEqual(parsed.map(([source]) => source), ["<svg>light</svg>", "<svg>dark</svg>"]);
  const said = OrreryStory.instead(new URLSearchParams("step=2"), 358);
  assert.deepEqual(said.map((part) => part.text), ["Path", "Why."]);
});

test("the bar has title, note and counter as text", () => {
  const evil = "<img src=x onerror=alert(1)>";
  const { OrreryStory, classes } = told([{ title: evil, note: evil, address: "" }]);
  const bar = new Element("section");
  OrreryStory.show(new URLSearchParams("step=1"), bar);
  assert.equal(bar.hidden, false);
  assert.equal(classes.telling, true);
  assert.equal(bar.text.split(evil).length, 3);
  assert.match(bar.text, /1 of 1/);
  OrreryStory.show(new URLSearchParams("q=a"), bar);
  assert.equal(bar.hidden, true);
  assert.equal(bar.content.length, 0);
});
