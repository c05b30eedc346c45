"""Strings that several pages show, sorted by page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from ...core.drawing import explorer_strings
from ...core.drawing.strings import listed as quoted
from ...core.drawing.strings import percent
from ...core.inference.thresholds import MAX_LISTED, SURE_ERRORS
from ...core.model.overlay import YES, Edit
from ...core.model.terms import Terms, counted
from ...core.model.topic_names import LABEL_SEPARATOR
from ..text.strings import NO_FIGURE, number

if TYPE_CHECKING:
    from .listing import TopicCounts

TOUR_TITLE = "A look around"
SENTENCE = (
    "Ask, compare, ask why; see all topics, all documents and how groups of documents differ. "
    "A minute each, with a model that has already been trained."
)
SENTENCE_OF_GRAPH = (
    "Ask, compare, ask why; see all topics, and keep views as stories. A minute each."
)
BEGIN = "Begin the tour"
CLOSE = "Close the tour"
AGAIN = "Show me around"

TITLES = {
    "ask": "Ask",
    "compare": "Compare",
    "why": "Ask why",
    "whole": "Map of topics",
    "map": "Map of documents",
    "groups": "Groups",
    "stories": "Stories",
}
# Caption of each stop: what its page shows, and what to try.
SEEN = {
    "ask": "Topics with a full dot ● are on, with an empty one ○ off. Type words of your own.",
    "compare": "Each query has its own topics at its side; what they share is in the middle.",
    "why": "Reasons for and against the selected topic. Ask: what if it were off?",
    "whole": (
        "Every box is a topic with its subtopics inside; a larger box is on in more documents. "
        "Click one to go there."
    ),
    "map": "Every point is a document, near those about the same things. Click one to read it.",
    "groups": "The darker, the more documents of a group a topic is on in. Click to read them.",
    "stories": (
        "Views worth showing, each with your note, to play one after another. "
        "“Keep this view” on a page under Explore puts it here."
    ),
}
# Captions of a model that was made from a graph, where they differ. Topics have no subtopics if the
# graph has no layers; a link is not counted in documents.
SEEN_OF_GRAPH = {
    "ask": "Each topic has its probability: ● probable, ◐ unsure, ○ improbable. Type other words.",
    "why": "Reasons for and against the selected topic; below, what it would be without each word.",
    "whole": "Every box is a topic. Click one to see its words.",
}
END = "End the tour"
DONE = "Done"


def stop(number: int, count: int, title: str) -> str:
    """Head of a stop: its number and its title."""
    return f"**{number} of {count} · {title}**"


def next_stop(title: str) -> str:
    """Label of the button that leads to the next stop."""
    return f"Next: {title.lower()}"


def seen(name: str, *, has_texts: bool) -> str:
    """Caption of a stop for a model of texts, or for one that was made from a graph."""
    return SEEN[name] if has_texts else SEEN_OF_GRAPH.get(name, SEEN[name])


TITLE = "Documents"
LEGEND = "Topics in the text"
LEGEND_NONE = "No topic explains a word of this text."
SO_FAR = "The first {shown:,} of {total:,} characters."


def count(rows: int, total: int) -> str:
    """Number of documents in a list."""
    noun = "document" if rows == 1 else "documents"
    return f"{rows:,} {noun}" if rows == total else f"{rows:,} of {total:,} documents"


def documents_by_topics(counts: TopicCounts) -> str:
    """Documents with a topic, unsure ones and ones without; why topics add up to more."""
    total = counts.shown + counts.hidden + counts.unsure + counts.without
    parts = [
        f"{counted(f'{counts.shown:,}', 'document')} with a topic",
        *([f"{counts.hidden:,} with hidden topics only"] if counts.hidden else []),
        *([f"{counts.unsure:,} unsure"] if counts.unsure else []),
        *([f"{counts.without:,} without"] if counts.without else []),
    ]
    text = f"{', '.join(parts)}; {total:,} in all." if len(parts) > 1 else f"{parts[0]}."
    each = times(counts.on / counts.shown) if counts.shown else "1"
    if each == "1":
        return text
    return f"{text} Each document with a topic counts for each of its topics, {each} on average."


# Descriptions of documents by what is not known of their topics.
UNSURE_DOCUMENTS, WITHOUT_TOPIC = "whose topics are unsure", "without a topic"


def filters_text(search: str, topic: str, groups: Sequence[str], other: str = "") -> str:
    """Describe the chosen documents: by a search, a topic, labels or times; empty for all.

    ``other`` describes documents that are not chosen by a topic but by the lack of one.
    """
    conditions = [
        *([f"found by “{search.strip()}”"] if search else []),
        *([f"with the topic {topic}"] if topic else []),
        *([other] if other else []),
        *(f"of {group}" for group in groups if group),
    ]
    return " and ".join(conditions)


def found(rows: int, total: int, which: str) -> str:
    """Number of documents in a list, and which they are."""
    return f"{count(rows, total)} {which}".strip() + "."


def listed(first: int, number: int) -> str:
    """Positions of the displayed documents in the list."""
    if number == 1:
        return f"Here is number {first:,}."
    return f"Here are numbers {first:,} to {first + number - 1:,}."


def word_title(label: str, share: float) -> str:
    """Tooltip with the topic that explains a word, and the share of it."""
    return f"{label}: explains {percent(share)} of this word"


EVALUATE_TITLE = "Evaluate"
FIGURE_COLUMN = "Figure"
# Smaller differences between two shares are within the error for a thousand hidden words.
MIN_LEAD = 0.02
# A smaller gain (in nats) is a factor that rounds to 1; larger factors are not distinguished.
MIN_GAIN, MAX_TIMES = 0.05, 1_000_000


def likelihood(gain: float) -> str:
    """Gain of the model over independent words, in nats per document."""
    unseen = "A typical text that the model has not seen is"
    if abs(gain) < MIN_GAIN:
        return f"{unseen} about as likely under it as if all words were independent."
    times = f"{_times(abs(gain))} as likely"
    known = f"({number(abs(gain))} nats; {NAT})"
    if gain > 0:
        return f"{unseen} {times} under it as if all words were independent {known}."
    return (
        f"{unseen} {times} if all words were independent as under it {known}: it "
        "has over-fitted its texts, or was not trained long enough."
    )


def _times(nats: float) -> str:
    """Write a gain as a factor, with two significant digits; large factors are capped."""
    if nats > log(MAX_TIMES):
        return f"more than {MAX_TIMES:,} times"
    factor = float(f"{exp(nats):.1e}")
    return f"{factor:,.0f} times" if factor >= 10 else f"{factor:.1f} times"


def gaps(exact: float, jensen: float) -> str:
    """Distance of the bounds from the log-likelihood, in nats."""
    return (
        "Training maximizes lower bounds of the log-likelihood: the exact bound is "
        f"{number(exact)} nats below it, the Jensen bound {number(jensen)}."
    )


def verdict(share: float, baseline: float, peers: Mapping[str, float]) -> str:
    """Quality of a model by the hidden words that it guesses in ten tries, of 100.

    All values are shares from 0 to 1: ``share`` of the model, ``baseline`` of word frequencies, and
    ``peers`` of other kinds of models by their names.
    """
    others = ", ".join(f"{name} {100 * found:.0f}" for name, found in peers.items())
    others = f", {others}" if others else ""
    best = max([baseline, *peers.values()])
    known = "frequency" if not peers or best == baseline else max(peers, key=lambda n: peers[n])
    return (
        f"{_compared(share, best, known)} Of 100 words hidden in texts, it guesses "
        f"{100 * share:.0f} in ten tries; frequency alone {100 * baseline:.0f}{others}."
    )


def _compared(share: float, best: float, known: str) -> str:
    if share > best + MIN_LEAD:
        return f"The model predicts words better than {known} does."
    if share > best - MIN_LEAD:
        return f"The model predicts words about as well as {known} does."
    return f"The model predicts words worse than {known} does."


def labels(share: float, baseline: float, peers: Mapping[str, float]) -> str:
    """Accuracy of predicting a label from the topics, and of ``peers`` by their names."""
    others = "".join(f"{name} {score_percent(found)}, " for name, found in peers.items())
    return (
        f"From its topics alone, the label of a text is guessed right in {score_percent(share)} "
        f"({others}always the most frequent label {score_percent(baseline)})."
    )


def words_alone(found: Sequence[str]) -> str:
    """Words that are the only word of a topic, and how to remove such topics."""
    named = ", ".join(f"*{word}*" for word in found)
    if len(found) == 1:
        return (
            f"{named} has a topic to itself. If it says nothing about a text, import the texts "
            "again with this stop word, or hide its topic on the Names page."
        )
    return (
        f"{named} have topics to themselves. Where they say nothing about a text, import the texts "
        "again with these stop words, or hide their topics on the Names page."
    )


# Headings of the columns of the layers, by the key of `orrery evaluate --hierarchy`.
LAYER, LAYER_TOPICS = "Layer", "Topics"
LAYER_FIGURES = {
    "npmi": "Coherence of 15 words",
    "diversity": "Diversity of 15 words",
    "specialisation": "Specialisation",
    "pcc": "PCC",
    "pcd": "PCD",
    "pncd": "PnCD",
    "sibling_diversity": "SD",
    "affinity": "Affinity",
}


def metric_sentence(name: str, value: str, baseline: str, explanation: str) -> str:
    """Describe a metric by its value, its baseline and its meaning."""
    return f"**{name}: {value}** (baseline {baseline}). {explanation}"


def evaluated_on(documents: int, *, is_whole: bool) -> str:
    """Documents that the metrics refer to."""
    which = "on all" if is_whole else "at the end of the run on"
    return f"Evaluated {which} {documents:,} held-out documents."


# Explains the unit of likelihoods.
NAT = "one nat more is 2.7 times as likely"


def margin(error: float) -> str:
    """Error that a probability practically never exceeds, rounded up."""
    return f"{max(0.01, math.ceil(100.0 * SURE_ERRORS * error) / 100.0):.2f}"


def score_percent(share: float) -> str:
    """Write a score in per cent with 3 significant digits, so that models can be compared."""
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


NO_PATH = "No path leads from {start} to {end}."


def path(links: Sequence[float], together: float) -> str:
    """Describe a path by the probabilities of its links."""
    if len(links) == 1:
        return f"They are linked directly: {percent(links[0])}."
    each = ", ".join(percent(probability) for probability in links)
    return f"The strongest path has {len(links)} links: {each}; multiplied {percent(together)}."


def shared_words(found: Sequence[tuple[str, float, float]], count: int) -> str:
    """Name words that two topics share, the strongest first, and how many there are.

    ``found`` are the first words, each with the probabilities of the links from both topics.
    """
    named = [f"“{name}” ({percent(one)} and {percent(other)})" for name, one, other in found]
    more = f" and {count - len(found):,} more" if count > len(found) else ""
    return f"They share {counted(f'{count:,}', 'word')}: {', '.join(named)}{more}."


def no_real_path(names: Sequence[str], between: Sequence[str], together: float) -> str:
    """Report that two topics are hardly connected, and by what."""
    over = f" over {', '.join(f'“{name}”' for name in between)}" if between else ""
    return (
        f"There is no real link between “{names[0]}” and “{names[1]}”: the strongest path{over} "
        f"acts in {percent(together)} of all cases."
    )


GROUPS_TITLE = "Groups"
VIEWS = {
    "map": "All groups",
    "course": "Over time",
    "one": "One group",
    "two": "Two groups",
    "new": "What is new",
}
MEASURES = {"share": "Share of documents", "lift": "More or less than elsewhere"}
COURSES = {"rows": "One below the other", "stacked": "Stacked"}

MORE, LESS = "More often than {other}", "Less often than {other}"
NEW, GONE = "New or more often than before", "Gone or less often than before"
ELSEWHERE, BEFORE, IN_OTHER, IN_DECADE = "elsewhere", "before", "in {name}", "the {name}"
# Headers of the table for a spreadsheet. The first column has the name of the column of the corpus.
GROUP_TABLE = {
    "size": "documents in the group",
    "id": "topic id",
    "label": "topic",
    "documents": "documents with the topic",
    "share": "share with the topic (%)",
    "there": "compared with",
    "size_there": "documents there",
    "documents_there": "documents there with the topic",
    "share_there": "share there (%)",
    "ratio": "times as often as there",
    "low": "at least (95 % confidence)",
    "high": "at most (95 % confidence)",
    "certainty": "certainty",
}
NOTHING_MORE = "No topic is more frequent here."
NOTHING_LESS = "No topic is less frequent here."
FIRST = "Nothing came before this period; choose a later one."
STACKED_HINT = (
    "A document may have several topics: the height is the share of documents of each, added up."
)
OWN_SCALES = "Share of the documents of each period; every topic has a scale of its own."
OPTION = "{name} ({documents:,})"
TWO_GROUPS = "{group} beside {other}"
KNOWN_ONLY = "Topics are known for {known:,} of the {total:,} {rows}, spread evenly."


def key_to_colours(measure: str, share: float, *, has_small: bool = False) -> str:
    """Meaning of the colours of the heat map, with the largest share if they show shares.

    ``has_small`` is whether some groups are so small that their cells have counts.
    """
    if measure == "lift":
        return (
            "Blue: more often than elsewhere. Orange: less often. Numbers: how many times as "
            "often; 1/4 is a quarter as often. Faint: likely, not certain. Empty: no clear "
            "difference."
        )
    counts = "; 2/7 is 2 of the 7 documents of a small group" if has_small else ""
    return (
        f"Numbers, where there is room: per cent of the group's documents{counts}. "
        f"The stronger a cell, the larger the share; the strongest is {percent(share)}."
    )


def mapped(topics: int, total: int, groups: int, periods: int) -> str:
    """Topics that the heat map shows and how they were chosen, and what it leaves out."""
    parts = []
    if topics < total:
        parts.append(
            f"{topics:,} of {total:,} topics: from each group those that are frequent there and "
            "rarer elsewhere."
        )
    if groups or periods:
        parts.append(not_shown(0, groups, periods))
    return " ".join(parts)


def not_shown(topics: int, groups: int, periods: int = 0) -> str:
    """Topics, groups and periods that a picture leaves out."""
    parts = []
    if topics:
        one, several = "topic that differs less", "topics that differ less"
        parts.append(f"{counted(f'{topics:,}', one, several)} between the groups")
    if groups:
        parts.append(f"{groups:,} smaller groups" if groups > 1 else "1 smaller group")
    if periods:
        parts.append(f"{periods:,} earlier periods" if periods > 1 else "1 earlier period")
    return f"Not shown: {' and '.join(parts)}." if parts else ""


def times(value: float) -> str:
    """Write a ratio with two digits; more would be within its error."""
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.1f}".removesuffix(".0")


def certain(value: float) -> str:
    """Part of a ratio that is certain."""
    if value == 1.0:
        return "no clear difference"
    least = times(max(value, 1.0 / value) if value else math.inf)
    if value > 1.0:
        return f"at least {least} times as often" if least != "1" else "a little more often"
    return f"at least {least} times rarer" if least != "1" else "a little rarer"


def change(share: float, elsewhere: float, value: float, near_end: float, there: str) -> str:
    """Shares on both sides with their ratio and, if it is certain, its lower bound."""
    sides = f"{percent(share)} here, {percent(elsewhere)} {there}"
    if math.isinf(value) or value == 0.0:
        return f"{sides} ({certain(near_end)})" if near_end not in (0.0, 1.0) else sides
    if value >= 1.0:
        return f"{sides}: about {times(value)} times as often{_at_least(near_end)}"
    least = _at_least(1.0 / near_end) if near_end else ""
    return f"{sides}: about {times(1.0 / value)} times rarer{least}"


def _at_least(near_end: float) -> str:
    """Lower bound of a ratio in brackets; empty if it is 1 in two digits."""
    least = times(near_end)
    return f" (at least {least})" if near_end > 1.0 and least != "1" else ""


def certainty(near_end: float, near_end_alone: float) -> str:
    """Certainty of a difference, from the near ends of its intervals."""
    if near_end != 1.0:
        return "certain"
    return "likely, not certain" if near_end_alone != 1.0 else "may be chance"


def counted_of(on: float, documents: float) -> str:
    """Number of documents with a topic, of the documents of a group."""
    return f"{on:,.0f} of {documents:,.0f} documents"


def counts_of(on: float, documents: float, other_on: float, others: float, there: str) -> str:
    """Number of documents with a topic on both sides."""
    return f"{on:,.0f} of {documents:,.0f} documents here, {other_on:,.0f} of {others:,.0f} {there}"


def no_clear_difference(documents: float) -> str:
    """Report that no difference is certain; the largest are listed below."""
    return f"No clear difference ({counted(f'{documents:,.0f}', 'document')}). The largest:"


def share_cell(on: float, documents: float, *, is_small: bool) -> str:
    """Text in a cell of the heat map: per cent, or the counts of a small group."""
    if on < 0.5:
        return ""
    if is_small:
        return f"{on:.0f}/{documents:.0f}"
    share = 100.0 * on / documents
    return f"{share:.0f}" if share >= 0.5 else "<1"


def ratio_cell(value: float) -> str:
    """Text in a cell of the heat map: how many times as often, rarer ones as a fraction of 1."""
    if value == 0.0:
        return "0"
    return f"1/{times(1.0 / value)}" if value < 1.0 else f"{times(value)}×"


def colour_scale(measure: str, share: float) -> list[tuple[float, str]]:
    """Strengths of colours and what they mean, from left to right; negative is less often."""
    if measure == "lift":
        return [(-1.0, "1/16"), (-0.71, "1/4"), (0.0, "1"), (0.71, "4×"), (1.0, "16×")]
    return [(part, percent(part * part * share)) for part in (0.0, 0.25, 0.5, 0.75, 1.0)]


def documents(count: float) -> str:
    """Label of the button that leads to the documents."""
    whole = round(count)
    return "1 document" if whole == 1 else f"{whole:,} documents"


COLOURS = {"topic": "Topic", "label": "Label", "year": "Year"}


def colour_name(by: str, label_name: str, date_name: str) -> str:
    """Name of what gives the colours of the map: the column of the source, if it has a name."""
    return {"label": label_name, "year": date_name}.get(by, "") or COLOURS[by]


HEADING = "Map of the documents"
# Description of a small map for a screen reader.
MAP_OF = "The largest topics of {model}, sized by the number of documents they are on in"
MAP_OF_GRAPH = "The most probable topics of {model}, sized by their probability"
LINKED_WITH = "linked with {topics}"
MAP_OF_WORDS = "The words of {model} with the most topics, sized by their number"


def caption(points: int, colour: str) -> str:
    """Caption of the map of the documents in a file without tooltips."""
    documents = counted(f"{points:,}", "document")
    return f"{documents}, each near those about the same things. Coloured by {colour.lower()}."


def highlighted(number: int, total: int, which: str) -> str:
    """Number of highlighted documents, and which they are."""
    those = f": those {which}" if which else ""
    return f"{number:,} of {total:,} documents are highlighted{those}."


def description(points: int, labels: int) -> str:
    """Description of the map of the documents for a screen reader."""
    return (
        f"A map of {counted(f'{points:,}', 'document')} with the names of "
        f"{counted(f'{labels:,}', 'topic')}."
    )


NAMES_TITLE = "Names"
ALL, UNNAMED, NAMED, HIDDEN = "All topics", "Without a name", "Named or noted", "Hidden"
SHOWN = (ALL, UNNAMED, NAMED, HIDDEN)
NOTHING = "No topic matches; clear the search or show all topics."

COLUMNS = {
    "id": "Id",
    "name": "Name",
    "words": "Words",
    "documents": "Documents",
    "note": "Note",
    "hidden": "Hidden",
}
TOPIC, WHAT, NAMES_BEFORE, AFTER = "Topic", "What", "Is", "Will be"
FIELDS = {"name": "name", "note": "note", "hidden": "hidden", "merged": "shown as part of"}
DOCUMENTS_HELP = "Documents in which it is on, of the {checked:,} that were checked."
PAGE_OF = "Page {number} of {pages}"


def matches(shown: int, total: int) -> str:
    """Number of topics in the table."""
    return counted(f"{total:,}", "topic") if shown == total else f"{shown:,} of {total:,} topics"


def value(edit: Edit, text: str) -> str:
    """Write one side of a change."""
    if edit.field == "hidden":
        return "hidden" if text == YES else "shown"
    return text or ("by its words" if edit.field == "name" else "none")


def same(names: Sequence[str]) -> str:
    """Report names that several topics would have."""
    first = f"“{names[0]}”"
    more = f" and {counted(len(names) - 1, 'other name')}" if len(names) > 1 else ""
    return f"{first}{more} would be the name of several topics."


def like_ids(names: Sequence[str]) -> str:
    """Report that a name is the id of another topic."""
    return f"“{names[0]}” is the id of another topic."


EXAMPLES = "Examples"
OTHERS_HELP = (
    "A whole text has these words and no others, as a document. A few words may be part of a text "
    "with others, so only what you typed counts. Without a click, sentences and long queries are "
    "read as a whole text."
)
OTHERS_HELP_WITHOUT_TEXTS = (
    "All words: those that you did not type count as absent. A few words: nothing is known about "
    "the others."
)
QUERY_COLOURS = "Colours"
CANVAS_EMPTY = "Everything is hidden in the legend; click an entry to show it."
MORE_ON = "and {count} more, marked in the picture."


def senses(word: str, names: Sequence[str]) -> str:
    """Ask which sense of a word is meant, by the first other word of the label of each topic."""
    if len(names) < 2:
        return names[0]
    parts = [name.split(LABEL_SEPARATOR) for name in names]
    short = [next((part for part in own if part != word), own[0]) for own in parts]
    first, second = short if short[0] != short[1] else names
    return f"{first} **or** {second}?"


def nothing_on(ordinary: Sequence[str], *, has_texts: bool = True) -> str:
    """Advice if no topic is on; ``ordinary`` are words that mostly occur without any topic."""
    if not ordinary:
        return explorer_strings.ANOTHER_WORD
    if len(ordinary) > MAX_LISTED:
        return str(explorer_strings.string_for("ALL_ORDINARY", has_texts=has_texts))
    said = explorer_strings.string_for("ORDINARY", has_texts=has_texts)
    return str(said[len(ordinary) > 1].format(words=quoted(ordinary)))


WITH_TEXTS = "with its documents"

KEEP = "Keep this view"
VIEW_TITLE = "Title"
NOTE = "Note"
NOTE_HINT = "What does this page show?"
IN_STORY = "Story"
KEEP_IT = "Keep"
TO_STORIES = "Open Stories"

NO_PAGE = "This Orrery has no page of this kind, so only the note is shown."
STORY_GONE = "This story is not here; it was deleted, or belongs to another workspace."
BEGINS = "Begins a new story, “{story}”."
NEW_STORY = "A new story: {title}"


def first_title(corpus: str) -> str:
    """Default title of a story."""
    return f"A story of {corpus}" if corpus else "A story"


NO_FIGURES = "the model has no figures yet"
NO_DOCUMENT = "the document {name} is not in the corpus any more"
NO_TOPIC = "the topic {name} is not in the model"
NO_WORD = "the word {name} is not in the model"
KEPT_AS = "Kept as view {number} of “{story}”."
MODEL_GONE = "The model {model} of this story is not here any more. Its notes can still be read."


METHODS = {
    "learned": "Learned from the texts",
    "dense-regions": "Dense regions",
    "agglomerative": "Clusters",
    "complete": "Everything linked",
}
GRAPH_GIVEN = "As given"

# Other than the exact bound on Evaluate, which is of all held-out documents.
HELD_OUT = "Held-out bound (sample)"
HELD_OUT_HELP = (
    "How likely the model makes documents that training never sees: a lower bound, in nats per "
    f"document ({NAT}). The closer to 0, the better the model predicts new texts. It is of at most "
    "500 documents after each epoch; Evaluate and Share have the exact bound after the run, of "
    "more documents."
)
RATE = "Documents / s"
RATE_HELP = "Documents processed per second, on average since the run was started or resumed."
LEFT_HELP = (
    "Estimated from the latest epochs. The model is evaluated on held-out documents afterwards."
)
TOOK_HELP = "From the start, including evaluation and saving; pauses are left out."
IN_USE = "Topics in use"
IN_USE_HELP = (
    "Topics that are on in at least one document in a thousand, of all topics in the graph."
)

PAUSE, RESUME, STOP, REMOVE = "Pause", "Resume", "Stop", "Remove"
REMOVE_SURE = "Remove permanently"
REMOVE_QUESTION = "The run {run} and its model are deleted from disk."
TO_QUERY = "Ask this model"
SHOW = "Run"

RUNS_TITLE = "Runs on this corpus"
TRAIN_TABLE = {
    "name": "Run",
    "state": "State",
    "topics": "Topics in the graph",
    "method": "Graph",
    "epoch": "Epochs",
    "held_out": HELD_OUT,
    "time": "Time",
}
FINISHING = "finishing"


def epochs_done(done: tuple[float, int] | None) -> str:
    """Epochs done of a run, of all its epochs."""
    if done is None:
        return NO_FIGURE
    epoch, epochs = done
    return f"{epoch:.1f} of {epochs}" if epoch < epochs else f"{epochs}"


LARGEST_SO_FAR = "The largest topics so far"
SO_FAR_ASK = "Ask the topics so far"
SO_FAR_HELP = (
    "From the last checkpoint of the training. Sizes are the numbers of texts that the model "
    "expects for each topic; they and the names change until the end."
)
SO_FAR_EMPTY = "The topics appear here after the first step."
SO_FAR_TABLE = {"topic": "Topic", "size": "Texts", "change": "Change", "course": "So far"}
SO_FAR_ANSWER = {"topic": "Most probable topics", "probability": "Probability"}


def so_far_unknown(words: Sequence[str]) -> str:
    """Words of a question that the texts do not have."""
    return f"Not among the words of these texts: {', '.join(words)}."


def size_change(now: float, before: float | None) -> str:
    """Change of the size of a topic since the last checkpoint."""
    if before is None:
        return ""
    difference = round(now) - round(before)
    return f"{difference:+,}".replace("-", "−") if difference else "0"


FEWER_TITLE = "Fewer topics"
FEWER_NOTE = (
    "Similar topics are shown as one. The model itself does not change, and every merge can be "
    "undone."
)
FEWER_NUMBER = "Number of topics"
FEWER = "Merge the most similar"
MERGE = "Merge"
MERGE_GAP = " &nbsp;+&nbsp; "


def and_more(count: int) -> str:
    """Number of merges that are not listed."""
    return f"and {count:,} more"


def undo_merge(topics: int) -> str:
    """Button that undoes a merge of this number of topics."""
    return f"Undo the merge of {counted(f'{topics:,}', 'topic')}"


BESIDE = "Compare with earlier runs"
SCALE = "Scale"
SCALES = {"linear": "linear", "log": "log"}
LINES = "Lines"
LINES_SHOWN = {"both": "both", "smooth": "smoothed", "raw": "raw"}
GRAPH_TITLE = "Topics: :blue[in use], in the graph"
GRAPH_HELP = "Topics in use of those in the graph. A dot marks each change of the graph."
EDGES_TITLE = "Edges"
EDGES_HELP = "Edges in the graph. A dot marks each change of the graph."
RATE_TITLE = "Documents / s"
RATE_TITLE_HELP = (
    "Documents processed per second in the last steps; the figure above is the average since the "
    "run was started or resumed."
)
SMALL_ALT = {
    "topics": "Topics in use and topics in the graph over time.",
    "edges": "Edges of the graph over time.",
    "rate": "Documents processed per second over time.",
}
MOVES_TITLE = "Changes of the graph"
NO_MOVES = "None so far."
AXIS = "Across"
CHART_ALT = "Bound on the log-likelihood of training and held-out documents over time."
LINE_NOTES = {
    "both": "Pale: single steps of training. Strong: their mean.",
    "smooth": "Blue: mean of the steps of training.",
    "raw": "Blue: single steps of training.",
}
UNIT_NOTE = "Higher is better. Blue: texts it learns from. Orange: texts it has not seen."
BESIDE_NOTE = "Grey: earlier runs, held-out points with a line."
CHART_EMPTY = "Progress will appear here."
CHART_NONE = "The run ended before its first measurement."


TEXT_HELP = "Several columns, such as title and abstract, are joined in the order chosen."
TEXT_HINT = "Choose one or more"


def choose_text(columns: Sequence[str]) -> str:
    """Request to choose the text column of a table."""
    listed = ", ".join(columns)
    return f"It is not clear which column holds the text. Choose one: {listed}."


def assumed_help(topic: str) -> str:
    """How to replace the same rate of all topics."""
    return (
        "To change that, add the graph again on the page Corpus, with a CSV file of rates: a line "
        f"for every {topic}, with the columns node and leak."
    )


def assumed_rate(topic: str, rate: float) -> str:
    """Warning that all topics have the same rate."""
    sentence = Terms(topic).translated(explorer_strings.ASSUMED_RATE)
    return sentence.format(share=f"{100 * rate:.2g} %")
