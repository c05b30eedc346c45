// A topic in the documents that the model was trained on: its share over the years, and examples.

const OrreryCourse = (function () {
  "use strict";

  const { seen, wordText, vocabulary, words } = OrreryModel;
  const { make } = OrreryPieces;
  const { percent } = OrreryFigures;
  const WORD = /[\p{L}\p{N}]+/gu;

  // Share of the documents of each bar in which the topic is on; a bar without documents has none.
  function shares(topic) {
    const on = new Map(seen.on_in_years[topic]);
    return seen.of_years.map((documents, bar) => {
      const first = seen.first_year + bar * seen.span, count = on.get(bar) ?? 0;
      const name = seen.span === 1 ? `${first}` : `${first}–${first + seen.span - 1}`;
      return { name, first, documents, count, share: documents ? count / documents : 0 };
    });
  }

  function years(topic) {
    if (!seen?.of_years.length) return [];
    const bars = shares(topic), most = Math.max(...bars.map(({ share }) => share));
    if (!most) return [];
    const chart = make("div", "years", ...bars.map(({ name, documents, count, share }) => {
      const bar = make("i", ""), slot = make("span", "", bar);
      bar.style.height = `${(100 * share) / most}%`;
      slot.title = documents
        ? `${name}: in ${OrrerySizes.share(count, documents)}`
        : `${name}: no documents`;
      return slot;
    }));
    const highest = bars.find(({ share }) => share === most);
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", `Share of the documents of each year; highest in ${highest.name}, ${percent(most)}.`);
    const ends = make("div", "ends", make("span", "", bars[0].name), make("span", "", bars[bars.length - 1].name));
    const head = make("p", "faint", `Share of the documents of ${seen.span === 1 ? "each year" : `every ${seen.span} years`}; highest in ${highest.name}: ${percent(most)}`);
    return [make("section", "course", make("h2", "", "Over the years"), head, chart, ends)];
  }

  // The text with the words of the topic marked; it stays text.
  function marked(text, told) {
    const parts = [];
    let done = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (!told.has(word.toLowerCase())) continue;
      parts.push(text.slice(done, index), make("mark", "", word));
      done = index + word.length;
    }
    return [...parts, text.slice(done)];
  }

  function examples(topic) {
    const places = seen?.examples[topic] ?? [];
    if (!places.length) return [];
    const told = new Set(words[topic].flatMap(([token]) => wordText(vocabulary[token]).toLowerCase().split(" ")));
    const found = places.map((place) => {
      const [text, known] = seen.texts[place];
      return make("blockquote", "", make("p", "", ...marked(text, told)), make("p", "faint", known));
    });
    return [make("section", "examples", make("h2", "", "Most typical documents"), ...found)];
  }

  return { parts: (topic) => [...years(topic), ...examples(topic)], shares };
})();
