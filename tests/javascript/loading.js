// Scripts as the pages have them, one after the other in one scope, here without a browser.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "..");

// What some scripts declare; `known` stands for what a browser would have.
export function load(paths, names, known = {}) {
  const text = paths.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
  const scripts = text.replace("export default function (", "function component(");
  return new Function(...Object.keys(known), `${scripts}\nreturn { ${names.join(", ")} };`)(...Object.values(known));
}

// As much of an element as the drawings use. An element that is taken off the page loses the focus.
export class FakeElement {
  static focused = null;
  constructor() {
    const style = { setProperty() {}, getPropertyValue: () => "" }, classList = { toggle() {} };
    Object.assign(this, { children: [], dataset: {}, style, classList, listeners: {}, clientWidth: 600, clientHeight: 400 });
  }
  append(...more) { this.children.push(...more); }
  after() {}
  replaceChildren(...all) {
    if (this !== FakeElement.focused && this.contains(FakeElement.focused)) FakeElement.focused = null;
    this.children = all;
  }
  contains(other) { return other === this || this.children.some((child) => child.contains(other)); }
  setAttribute() {}
  addEventListener(name, act) { this.listeners[name] = act; }
  matches() { return false; }
  getBoundingClientRect() { return { left: 0, top: 0, width: 0, height: 0 }; }
  getRootNode() { return { activeElement: FakeElement.focused }; }
  focus() { FakeElement.focused = this; }
}

// The explorer's scripts over a model, in their order; `names` without "Orrery".
export function loadExplorer(names, data, known = {}) {
  const document = { getElementById: () => ({ textContent: JSON.stringify(data) }) };
  const files = readdirSync(join(ROOT, "assets/explorer"), { recursive: true });
  const paths = names.map((name) => {
    const file = files.find((one) => one.endsWith(`/${name.toLowerCase()}.js`));
    return `assets/explorer/${file}`;
  });
  return load(paths, names.map((name) => "Orrery" + name), { document, ...known });
}
