// How large topics are: the documents that they are on in, where those were counted, or how often by
// the model.

const OrrerySizes = (function () {
  "use strict";

  const { seen, displayedPrior, family } = OrreryModel;
  const { percent } = OrreryFigures;
  const { say } = OrreryStrings;
  // Made once: a number's own toLocaleString is a hundred times slower.
  const counted = new Intl.NumberFormat("en").format;

  const own = (topic) => (seen ? seen.on[topic] : displayedPrior[topic]);
  // Of the topic with those below it.
  const withBelow = (topic) => (seen ? seen.family[topic] : family[topic]);
  const figures = (size) => (seen ? counted(size) : percent(size));
  const share = (count, documents) => `${counted(count)} of ${counted(documents)} documents (${percent(count / (documents || 1))})`;
  // How large a topic is, in words.
  const said = (size) => (seen
    ? say("sized_counted", { count: counted(size), documents: counted(seen.documents), percent: percent(size / (seen.documents || 1)) })
    : say("sized_expected", { percent: percent(size) }));

  return { own, withBelow, figures, share, said, counted };
})();
