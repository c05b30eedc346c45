// Which view of a story an address tells, and where each is shown.
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadExplorer } from "./loading.js";
import { pageData } from "./small-models.js";

const VIEWS = [
  { title: "Bass", note: "Two senses", address: "q=bass&q2=fish" },
  { title: "All", note: "", address: "" },
  { title: "A document", note: "Gone", address: null, instead: "This view is a document." },
];

class Element {
  constructor(tag) {
    Object.assign(this, { tag, content: [], dataset: {}, style: {}, attributes: {}, listeners: {} });
  }
  append(...more) { this.content.push(...more); }
  replaceChildren(...all) { this.content = all; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, act) { this.listeners[name] = act; }
  get text() { return this.content.map((one) => one.text ?? one).join(" "); }
}

function told(views, hash = "") {
  const data = JSON.stringify({
    ...pageData({ topics: [], words: [], edges: [], leak: [] }),
    story: views && { title: "A story", views },
  });
  const location = { hash }, keys = [], classes = {};
  const document = {
    getElementById: () => ({ textContent: data }),
    createElement: (tag) => new Element(tag),
    documentElement: { style: { setProperty() {} } },
    body: { classList: { toggle: (name, isOn) => (classes[name] = isOn) } },
  };
  const window = { addEventListener: (_, act) => keys.push(act) };
  const history = { replaceState: (_, __, next) => (location.hash = next) };
  const names = ["Model", "Figures", "Address", "Pieces", "Story"];
  const { OrreryStory } = loadExplorer(names, {}, { document, window, location, history });
  const press = (key, target = { tagName: "BODY" }) =>
    keys.forEach((act) => act({ key, target, preventDefault() {}, stopPropagation() {} }));
  return { OrreryStory, location, press, classes };
}

test("a number in the address is a view, the nearest there is, or none", () => {
  const { OrreryStory } = told(VIEWS);
  const number = (text) => OrreryStory.numberOf(new URLSearchParams(text));
  assert.deepEqual(["step=1", "step=3", "step=99", "step=0"].map(number), [1, 3, 3, 1]);
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
  press("PageDown");
  press("ArrowRight");
  assert.equal(location.hash, "#step=3");
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
