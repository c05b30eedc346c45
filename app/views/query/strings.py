"""Strings of the Query page, its explanations, the comparison and the nearest documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp

from ....core.drawing import explorer_strings
from ....core.drawing.strings import figures_of, listed
from ....core.inference.posterior import Estimate
from ....core.inference.thresholds import (
    MAX_HEADING,
    MAX_IN_STATE,
    MAX_LISTED,
    MAX_NAMED,
    MAX_UNKNOWN,
    MIN_BEST,
    MIN_STATE,
    ON_THRESHOLD,
    SURE_ENOUGH,
)
from ....core.model.terms import Terms

# Smaller probability of a query that is not shown as a number: more digits than a person reads.
MIN_EXPECTED = 1e-9

TITLE = "Query"
SENTENCE = "Type words and see which topics of the model are on."

EMPTY_QUERY = "Type a few words above, or choose an example, to see the topics behind them."
WHAT_IF_HELP = (
    "Everything else is updated at once. Shift-click or the space bar does the same in the picture."
)

SENSES = "Senses"
SENSES_HELP = explorer_strings.SENSES_HELP.format(
    figure="The figure is the probability of the topic, alone or with others. "
)

EMPTY = "Here you will ask a trained model which topics your words belong to."


def senses_title(count: int, words: Sequence[str], terms: Terms) -> str:
    """Heading of the senses of the present words, with their number, in the terms of a model."""
    number = explorer_strings.NUMBERS.get(count, str(count))
    one, several = explorer_strings.SENSES_WORDS
    named = one.format(word=words[0]) if len(words) == 1 else terms.translated(several)
    return explorer_strings.senses_title(terms).format(number=number, words=named)


def unknown_words(words: Sequence[str]) -> str:
    """Sentence that lists the words outside the vocabulary."""
    return explorer_strings.UNKNOWN_WORDS[len(words) > 1].format(words=listed(words))


def unknown_of_text(words: Sequence[tuple[str, int]]) -> str:
    """Number of the words of a text that the model does not know, and the most frequent ones."""
    named = [_times_in_text(word, count) for word, count in words[:MAX_LISTED]]
    shown = ", ".join(named)
    if len(words) > len(named):
        is_once = words[0][1] == 1
        which = explorer_strings.FOR_EXAMPLE if is_once else explorer_strings.OFTEN
        shown = which.format(words=shown)
    said = explorer_strings.UNKNOWN_OF_TEXT[len(words) > 1]
    return said.format(count=f"{len(words):,}", words=shown)


def all_unknown_of_text(words: Sequence[tuple[str, int]]) -> str:
    """Words of a text that the model does not know, the most frequent first, and how many more."""
    named = [_times_in_text(word, count) for word, count in words[:MAX_UNKNOWN]]
    more = len(words) - len(named)
    rest = [explorer_strings.MORE_UNKNOWN.format(count=f"{more:,}")] if more else []
    return ", ".join([*named, *rest])


def _times_in_text(word: str, count: int) -> str:
    said = explorer_strings.TIMES_IN_TEXT if count > 1 else "“{word}”"
    return said.format(word=word, count=count)


def contradiction(word: str, first: str, second: str) -> str:
    """Error for a word that was typed with two different states."""
    return explorer_strings.CONTRADICTION.format(word=word, first=first, second=second)


def left_out(nodes: int, edges: int) -> str:
    """Sentence about nodes and links that the picture omits, or ""."""
    parts = []
    if nodes:
        parts.append(f"the {nodes} least probable topics" if nodes > 1 else "one topic")
    if edges:
        parts.append(f"the {edges} weakest links" if edges > 1 else "one weak link")
    return f"Left out to keep the picture readable: {' and '.join(parts)}." if parts else ""


def offer_open_world(count: int, *, has_texts: bool = True) -> str:
    """Number of topics that would be on if the other words were unknown, not absent."""
    one, several = explorer_strings.string_for("OFFER", has_texts=has_texts)
    said: str = several if count != 1 else one
    return said.format(count=count)


def zone_headings(first: str, second: str) -> tuple[str, str, str]:
    """Headings of a comparison of two queries: by name, or by side if a name is too long."""
    names = (first, second)
    if max(map(len, names)) > MAX_HEADING:
        left, right = explorer_strings.ONLY_SIDES
    else:
        left, right = (explorer_strings.ONLY.format(query=name) for name in names)
    return left, explorer_strings.BOTH, right


TITLE_HELP = (
    "A bar to the right speaks for the topic, a bar to the left against it; the longer, the more. "
    "Their sum gives the probability: 0 means one half, ±1 about 0.73 or 0.27, ±3 about 0.95 or "
    "0.05 (the numbers are log-odds). The bar before any word is how frequent the topic is in "
    "general. Words that overlap are one bar: together they add less than each alone."
)
# Labels of reasons by the source of the message: for the topic, and against it.
REASONS = {
    "parent": explorer_strings.PARENT,
    "child": explorer_strings.CHILD,
    "token": explorer_strings.WORD,
    "absent": explorer_strings.ABSENT_WORD,
}
REASON = "Reason"
LOG_ODDS = "Adds to the log-odds"
CHART_ALT = "Reasons for and against the topic, and their sum."


def reason(source: str, name: str, speaks_for: bool) -> str:
    """Label of a reason; ``source`` is a key of ``REASONS``, ``name`` a word or topic."""
    return REASONS[source][not speaks_for].format(name=name)


def others(count: int) -> str:
    """Label of the bar that sums the remaining reasons."""
    return explorer_strings.OTHER_REASONS[count != 1].format(count=count)


def together(speaks_for: bool) -> str:
    """Label of the bar that corrects for dependence between the reasons."""
    return explorer_strings.TOGETHER[not speaks_for]


def total(known: Estimate) -> str:
    """Label of the sum of all reasons."""
    return explorer_strings.TOTAL.format(figures=figures_of(known))


def clamped(state: str, free: Estimate | None = None) -> str:
    """Sentences about a clamped topic: its state, and its probability before."""
    held = explorer_strings.HELD.format(state=state)
    before = "" if free is None else explorer_strings.WITHOUT_HELD.format(figures=figures_of(free))
    return f"{held} {before}".strip()


def circular(name: str) -> str:
    """Sentence about a parent that is on only because of the explained topic."""
    return f"“{name}” follows from this topic; it does not support it."


def times(log_odds: float) -> str:
    """Factor by which a reason multiplies the odds, or divides them."""
    factor = exp(min(abs(log_odds), 50.0))
    text = f"{factor:.3g}" if factor < 10 else f"{factor:.0f}"
    text = explorer_strings.MANY_TIMES if factor > 1000 else text
    kind = explorer_strings.TIMES if log_odds >= 0 else explorer_strings.DIVIDED
    return kind.format(factor=text)


def signed(log_odds: float) -> str:
    """Log-odds with their sign."""
    text = f"{abs(log_odds):.1f}" if abs(log_odds) >= 0.95 else f"{abs(log_odds):.2f}"
    if float(text) == 0.0:
        return "0"
    return ("−" if log_odds < 0 else "+") + text


def left_out_note(known: Estimate) -> str:
    """Note that explains the figures of the list."""
    return explorer_strings.LEFT_OUT_NOTE.format(figures=figures_of(known))


def piece(kind: str, name: str) -> str:
    """Name of a typed word or of a clamped topic."""
    return explorer_strings.PIECES[kind].format(name=name)


def pair(name: str, shared: Sequence[str], joint: Estimate, apart: float) -> str:
    """Sentences about two correlated topics, and the words that support both."""
    both = figures_of(joint)
    if joint.value > apart:
        return f"It often comes with “{name}”: both are on with probability {both}."
    rarely = f"Usually one of the two is meant, rarely both ({both})."
    if not shared:
        return f"It seldom comes with “{name}”. {rarely}"
    fits = "fits" if len(shared) == 1 else "fit"
    return f"{' and '.join(f'“{word}”' for word in shared)} {fits} “{name}” as well. {rarely}"


def hint(name: str, terms: Terms, *, has_texts: bool) -> str:
    """Hint on the clicks in a picture, ``HINT_PICTURE`` or ``HINT_COMPARISON``."""
    said = explorer_strings.string_for(name, has_texts=has_texts)
    return terms.translated(said.format(where=" in Graph"))


NEAREST_TO = "Nearest to “{query}”"


def figures(left: Estimate | None, right: Estimate | None) -> str:
    """Probabilities under both queries, with a dash if a query has no word below the topic."""
    return " | ".join("–" if known is None else figures_of(known) for known in (left, right))


def probabilities(left: Estimate | None, right: Estimate | None) -> tuple[str, ...]:
    """Phrases with the probabilities under both queries."""
    return tuple(
        side.format(figures=explorer_strings.NO_WORD_BELOW if known is None else figures_of(known))
        for side, known in zip(explorer_strings.SIDE_FIGURES, (left, right), strict=True)
    )


def difference(
    name: str, left: Estimate | None, right: Estimate | None, queries: Sequence[str]
) -> str:
    """Sentence about the topic whose probability differs most between two queries."""
    if not name:
        return explorer_strings.NO_DIFFERENCE
    first, second = (
        explorer_strings.NOT_LINKED.format(query=query)
        if known is None
        else explorer_strings.WITH_QUERY.format(figures=figures_of(known), query=query)
        for known, query in zip((left, right), queries, strict=True)
    )
    return explorer_strings.DIFFERENCE.format(name=name, first=first, second=second)


def only_on(topics: Sequence[tuple[str, Estimate]], query: str, *, is_more: bool = False) -> str:
    """Sentence that lists topics that are on or unsure for one of two queries.

    ``is_more`` if another one has been named before.
    """
    named = [
        explorer_strings.ANSWER_TOPIC.format(name=f"“{name}”", figures=figures_of(known))
        for name, known in topics[:MAX_NAMED]
    ]
    n_more = len(topics) - len(named)
    named += [explorer_strings.ANSWER_MORE.format(count=n_more)] if n_more else []
    said = explorer_strings.ALSO_ONLY_ON if is_more else explorer_strings.ONLY_ON
    return said.format(query=query, topics=", ".join(named))


def shared(labels: Sequence[str], names: Sequence[str], *, is_more: bool = False) -> str:
    """Sentence about the topics that are on in both queries, or else about their common words.

    ``is_more`` if another topic has been named before.
    """
    if labels:
        said = explorer_strings.ALSO_SHARED_ON if is_more else explorer_strings.SHARED_ON
        return said.format(names=listed(labels, MAX_NAMED))
    if is_more:
        return explorer_strings.NO_OTHER_SHARED
    if names:
        return explorer_strings.SHARED_GIVEN.format(names=listed(names, MAX_NAMED))
    return explorer_strings.SHARED_NOTHING


NEAREST_TITLE = "Nearest documents"
NEAREST_TITLE_HELP = (
    "Documents of the model's corpus, ordered by relevance: how often your words are in the text, "
    "how rare they are, and how similar its topics are; long texts have no advantage. The words "
    "you typed have a strong mark, words of their topics a light one."
)
NONE = "No document is relevant to these words."


def adds_nothing(name: str, topic: str, by: Sequence[str]) -> str:
    """Sentence about evidence that the graph screens off from a topic; ``by`` is what does it."""
    if not by:
        return f"“{name}” has no connection with “{topic}” and adds nothing about it."
    return f"With {listed(by)} known, “{name}” adds nothing about “{topic}”."


def adds_little(name: str, topic: str, before: str, alone: str) -> str:
    """Sentence about evidence that adds almost nothing to the other evidence."""
    return (
        f"Given the rest of the query, “{name}” adds almost nothing about “{topic}”; alone, it "
        f"would change its probability from {before} to {alone}."
    )


def most_probable(
    names: Sequence[str], figure: str, *, closed_world: bool, is_unlikely: bool = False
) -> str:
    """Sentence about the most probable state of the topics; ``figure`` is its probability."""
    others = explorer_strings.ABSENT if closed_world else explorer_strings.UNKNOWN
    state = explorer_strings.NO_STATE[others]
    if names:
        state = explorer_strings.STATE.format(
            topics=listed(names, MAX_IN_STATE), rest=explorer_strings.THE_REST[others]
        )
    said = explorer_strings.UNLIKELY_STATE if is_unlikely else explorer_strings.BEST_STATE
    # If it is displayed as one half, it is not less probable than the others.
    if figure == share(ON_THRESHOLD):
        said = explorer_strings.EVEN_STATE
    return said.format(state=state, figure=figure)


def no_best_state(missed: float) -> str:
    """Sentence in place of states that are all improbable; ``missed`` bounds other ones."""
    if missed < MIN_BEST:
        return explorer_strings.NO_BEST_STATE
    return explorer_strings.NO_BEST_FOUND.format(share=share(missed))


def change(more: Sequence[str], fewer: Sequence[str]) -> str:
    """Changes of a less probable state to the most probable one."""
    kinds = explorer_strings.WITH, explorer_strings.WITHOUT
    text = explorer_strings.INSTEAD if more and fewer else kinds[not more]
    others = listed(fewer, MAX_IN_STATE) if fewer else ""
    return text.format(topics=listed(more or fewer, MAX_IN_STATE), others=others)


def share(probability: float) -> str:
    """Probability of one state among many, which may be small."""
    return figures_of(Estimate(probability, 0.0)) if probability >= MIN_STATE else "<0.01"


def joined_share(probability: float, *, is_bound: bool) -> str:
    """Probability of a line, or a lower bound if some of the states in it are not listed."""
    text = share(probability)
    return (
        explorer_strings.AT_LEAST.format(share=text)
        if is_bound and probability >= MIN_STATE
        else text
    )


def search_ended(missed: float) -> str:
    """Remark that another state may be more probable than those listed."""
    return explorer_strings.SEARCH_ENDED.format(share=share(missed))


def how_often(probability: float, times: float | None, *, has_texts: bool = True) -> str:
    """Sentence about the probability of the query, and of its words if each came alone."""
    cases = explorer_strings.CASES["texts" if has_texts else "cases"]
    if probability >= 0.5:
        expected = explorer_strings.EXPECTED_MOST.format(cases=cases)
    elif probability < MIN_EXPECTED:
        expected = explorer_strings.EXPECTED_RARELY.format(cases=cases)
    else:
        count = f"{float(f'{1.0 / probability:.2g}'):,.0f}"
        expected = explorer_strings.EXPECTED.format(count=count, cases=cases)
    if times is None:
        return f"{expected}."
    if times >= 1.5:
        return explorer_strings.AS_OFTEN.format(expected=expected, factor=_factor(times))
    if times <= 1.0 / 1.5:
        return explorer_strings.AS_SELDOM.format(expected=expected, factor=_factor(1.0 / times))
    return explorer_strings.AS_UNRELATED.format(expected=expected)


def _factor(times: float) -> str:
    if times > 1000:
        return explorer_strings.MANY_TIMES
    return f"{times:.1f}" if times < 10 else f"{times:.0f}"


SENSITIVITY_HELP = (
    "Each bar is the weight of a link, or how often a topic or a word comes by itself. Its ends "
    "are the probability of the topic with half and with twice this figure, all else the same."
)
SENSITIVITY_SHOW = "Show which numbers of the model matter most for this"
SENSITIVITY_ALT = "Probability of the topic with half and twice each figure of the model."
SENSITIVITY_AXIS = "Probability of the topic"
HALVED, DOUBLED = "number halved", "number doubled"


def link_figure(parent: str, child: str) -> str:
    """Name of the weight of a link."""
    return f"{parent} → {child}"


def leak_figure(name: str) -> str:
    """Name of a leak."""
    return f"how frequent {name} is by itself"


def sure_enough(name: str, known: Estimate) -> str:
    """Sentence that ends the questions."""
    return explorer_strings.SURE_ENOUGH.format(name=name, figures=figures_of(known))


EXPECTED_YES = "The model expects a yes with a probability of {figure}."
OTHER_QUESTIONS = "Ask something else"
TAKE_BACK = "Take back the last answer"
# Topics whose change is mentioned at most.
MAX_CHANGED = 3


def presence_question(translated: Callable[[str], str], word: str) -> str:
    """Question, with the word in Markdown."""
    return translated("Is this word present: {word}?").format(word=f"**{word}**")


def until(translated: Callable[[str], str], name: str, known: Estimate) -> str:
    """Sentence about the end of the questions."""
    text = (
        "The questions end when a topic has a probability of {enough}. The most probable one is "
        "“{name}” with {figures}."
    )
    return translated(text).format(enough=SURE_ENOUGH, name=name, figures=figures_of(known))


def given_answers(given: Sequence[tuple[str, str]]) -> str:
    """List of words with the answers given to them."""
    said = {state: label.lower() for state, label in explorer_strings.NEXT_ANSWERS.items()}
    said["unknown"] = "skipped"
    return f"Your answers: {', '.join(f'“{word}” {said[state]}' for word, state in given)}."


def changes(changed: Mapping[str, tuple[Estimate, Estimate]]) -> str:
    """Probabilities before and after an answer, the largest changes first."""
    if not changed:
        return "The last answer changed little."
    order = sorted(changed, key=lambda name: -abs(changed[name][1].value - changed[name][0].value))
    shown = [
        f"“{name}” {figures_of(changed[name][0])} → {figures_of(changed[name][1])}"
        for name in order[:MAX_CHANGED]
    ]
    return f"The last answer: {', '.join(shown)}."
