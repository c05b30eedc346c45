// Sentences that the page shares with the app: those of core/drawing/explorer_strings.py.

const OrreryStrings = (function () {
  "use strict";

  const { strings } = OrreryModel;

  // The template with its placeholders filled, in one pass: what is filled in may hold braces.
  const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const say = (name, values = {}) => fill(strings[name], values);
  // Of a sentence for one and another for several.
  const sayCounted = (name, count, values = {}) => fill(strings[name][count === 1 ? 0 : 1], { count, ...values });
  // Of a sentence for a topic and another against it.
  const sayReason = (name, speaksFor, values = {}) => fill(strings[name][speaksFor ? 0 : 1], values);
  // Of sentences for several kinds.
  const sayKind = (name, kind, values = {}) => fill(strings[name][kind], values);

  return { strings, fill, say, sayCounted, sayReason, sayKind };
})();
