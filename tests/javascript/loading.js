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
