// Rules for the scripts of the app's components and of the offline explorer. They are joined into one
// text before they run, so what one of them declares is known to those beside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import js from "@eslint/js";
import globals from "globals";

const COMPONENTS = "app/components";

function declared(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const names = scripts.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [...text.matchAll(/^(?:const|let|function) (\w+)/gm)].map(([, found]) => found);
  });
  return Object.fromEntries(names.map((name) => [name, "readonly"]));
}

const NO_MARKUP = "texts stay text: use textContent and replaceChildren";
const NO_REQUEST = "nothing is sent anywhere";

const rules = {
  ...js.configs.recommended.rules,
  "default-case-last": "error",
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-redeclare": ["error", { builtinGlobals: false }],
  "no-restricted-globals": [
    "error",
    ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource"].map((name) => ({ name, message: NO_REQUEST })),
  ],
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: NO_MARKUP })),
    { object: "document", property: "write", message: NO_MARKUP },
    { object: "navigator", property: "sendBeacon", message: NO_REQUEST },
  ],
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-throw-literal": "error",
  "no-undef-init": "error",
  "no-unused-expressions": "error",
  // What stands at the top is for the scripts beside it.
  "no-unused-vars": ["error", { vars: "local", args: "after-used" }],
  "no-use-before-define": ["error", { functions: false, variables: false }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "symbol-description": "error",
};

const componentFolders = readdirSync(COMPONENTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export default [
  { ignores: ["**/node_modules/**", "**/*.min.js"] },
  {
    files: ["assets/**/*.js"],
    languageOptions: {
      sourceType: "script",
      globals: { ...globals.browser, ...declared("assets"), ...declared("assets/shared"), OrreryMap: "readonly", OrreryPicture: "readonly", vis: "readonly" },
    },
    rules,
  },
  ...componentFolders.map((name) => ({
    files: [`${COMPONENTS}/${name}/*.js`],
    languageOptions: {
      sourceType: "module",
      globals: { ...globals.browser, ...declared("assets"), ...declared(join(COMPONENTS, name)) },
    },
    rules: { ...rules, "no-unused-vars": "off" },
  })),
  {
    files: ["tests/javascript/*.js"],
    languageOptions: { globals: globals.node },
    rules: { ...rules, "no-new-func": "off" },
  },
];
