// The panel below an answer: its reasons as a waterfall, and what leaving out each word would do.

const OrreryWhyPanel = (function () {
  "use strict";

  // Of the width: what stays free on the right for the figures.
  const ROOM_FOR_FIGURES = 0.14, ROOM_ON_THE_LEFT = 0.02, MOST_TICKS = 6;
  const { make, row } = OrreryPieces;
  const { figures, signed, groupOf } = OrreryFigures;
  const { nameOf, whole, keyOf } = OrreryModel;
  const { estimateIn, surestPart, isOn } = OrreryAnswer;
  const { say, sayKind } = OrreryStrings;

  // Steps of 1, 2 or 5 times a power of ten.
  function ticks(low, high) {
    const power = 10 ** Math.floor(Math.log10((high - low) / MOST_TICKS));
    const step = [1, 2, 5, 10].map((times) => times * power).find((one) => (high - low) / one <= MOST_TICKS);
    const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
    return Array.from({ length: count }, (_, i) => (first + i) * step);
  }

  // Bars from top to bottom, each from where the one above it ended.
  function waterfall(bars) {
    const ends = bars.flatMap(({ start, end }) => [start, end]);
    const least = Math.min(...ends), most = Math.max(...ends), span = most - least || 1;
    const low = least - ROOM_ON_THE_LEFT * span, high = most + ROOM_FOR_FIGURES * span;
    const across = (value) => (100 * (value - low)) / (high - low) + "%";
    const made = make("ol", "waterfall");
    made.style.setProperty("--zero", across(0));
    for (const { label, start, end, logOdds, kind } of bars) {
      const bar = make("i", kind), figure = make("b", "", signed(logOdds));
      bar.style.left = across(Math.min(start, end));
      bar.style.width = (100 * Math.abs(end - start)) / (high - low) + "%";
      figure.style.left = across(Math.max(start, end));
      made.append(make("li", kind, make("span", "label", label), make("span", "track", bar, figure)));
    }
    const axis = make("span", "track axis");
    for (const value of ticks(least, least + span)) {
      const tick = make("span", "", String(+value.toPrecision(3)).replace("-", "−"));
      tick.style.left = across(value);
      axis.append(tick);
    }
    axis.setAttribute("aria-hidden", "true");
    made.append(make("li", "axis", make("span", "label", say("axis")), axis));
    return made;
  }

  // Filled one after the other, so that the page is never long without an answer to a click.
  // `correct` gets the nodes without which the topic is more probable, once all are known.
  function withoutEach(answer, topic, estimate, correct) {
    const better = new Set(), omissions = OrreryWhy.omissions(answer.posterior, topic);
    if (!omissions.length) return [];
    const isOfWords = omissions.every(({ isWord }) => isWord);
    const made = make("section", "without", make("h3", "", say(isOfWords ? "left_out_words" : "left_out")),
      make("p", "faint", say("left_out_note", { figures: figures(estimate) })));
    const rows = omissions.map(({ piece, node }) => {
      const one = row(sayKind("pieces", piece, { name: nameOf(node) }), "…", 0);
      one.dataset.piece = keyOf(node);
      return one;
    });
    made.append(...rows);
    const fill = (i) => {
      // Sentence and bars were made from messages, and a line of the list must not contradict them.
      if (i === rows.length && better.size) correct(better);
      // The page may have gone on since.
      if (i === rows.length || (i > 0 && !made.isConnected)) return;
      const found = omissions[i].without();
      rows[i].querySelector(".line span:last-child").textContent = `${figures(estimate)} → ${figures(found)}`;
      rows[i].querySelector("i").style.width = 100 * found.probability + "%";
      rows[i].classList.toggle("on", isOn(found));
      const isMore = found.probability > estimate.probability && figures(found) !== figures(estimate);
      if (isMore && omissions[i].piece === "present") better.add(omissions[i].node);
      setTimeout(fill, 0, i + 1);
    };
    setTimeout(fill, 0, 0);
    return [made];
  }

  // All reasons in a table, folded away.
  function allFigures(bars) {
    const line = (tag, texts) => make("tr", "", ...texts.map((text) => make(tag, "", text)));
    const rows = bars.map(({ label, logOdds }) => line("td", [label, signed(logOdds), OrreryWhy.times(logOdds)]));
    return make("details", "figures", make("summary", "", say("all_figures")),
      make("table", "", line("th", OrreryStrings.strings.figures_head), ...rows));
  }

  // Reasons of the selected topic, else of the most probable one that is shown.
  // A switch does not change which topic that is.
  function panel(answer, selected) {
    const { posterior, shown, before } = answer;
    const asked = [...shown.keys(), ...posterior.topics].find((topic) => keyOf(topic) === selected)
      ?? (before ?? shown).keys().next().value;
    if (asked === undefined) return [];
    const topic = surestPart(posterior, whole(asked)), estimate = estimateIn(posterior, topic);
    const messages = OrreryWhy.explain(posterior, topic), held = answer.held.get(topic);
    const free = answer.held.size ? estimateIn(answer.free, topic) : null;
    // Topics displayed as one are on or off together, as in the picture.
    const group = groupOf(shown.get(asked) ?? estimate);
    const title = say({ on: "title_on", unsure: "title_unsure", off: "title_off" }[group], { label: nameOf(topic), figures: OrreryFigures.figures(shown.get(whole(topic)) ?? estimate) });
    const made = make("section", "why", make("h2", "", title));
    if (topic !== asked) made.append(make("p", "faint", say("part_of", { name: nameOf(asked) })));
    const sum = held ? OrreryWhy.sumOf(messages) : estimate;
    const said = (elsewhere) => OrreryWhy.mainReason(messages, estimate, OrreryModel.prior[topic], { held, free, elsewhere });
    const reason = make("p", "reason", said());
    const bars = (elsewhere) => waterfall(OrreryWhy.shortBars(messages, OrreryModel.prior[topic], sum, elsewhere)), drawn = bars();
    const correct = (better) => {
      reason.textContent = said(better);
      drawn.replaceWith(bars(better));
    };
    made.append(
      reason,
      drawn,
      ...(held ? [] : withoutEach(answer, topic, estimate, correct)),
      allFigures(OrreryWhy.bars(messages, sum))
    );
    return [made];
  }

  return { panel };
})();
