"""Words of the Groups page."""

from __future__ import annotations

import math

from orrery.app.words.figures import number, percent

TITLE = "Groups"
SENTENCE = "Which topics each group of documents has more of than others, and what is new when."
EMPTY = "Here you will see which topics each label and each year has more of than the others."
NO_GROUPS_TITLE = "Nothing to group by"
NO_GROUPS = (
    "This corpus has no label, no date and no other column that its documents could be grouped by. "
    "Import it with one."
)
ONE_GROUP = "All documents are of one group, {name}, so there is nothing to compare it with."
NO_DOCUMENTS = "None of the documents whose topics are known is in a group."
NO_TOPICS = "No topic is on in enough documents to compare groups by."
NO_LIST = (
    "This model has no list of which topics its documents have, so groups cannot be compared. A "
    "run makes the list when it ends."
)

BY = "Group by"
STEP = "Periods"
STEPS = {"value": "Values", "month": "Months", "year": "Years", "decade": "Decades"}
VIEW = "View"
VIEWS = {
    "map": "All groups",
    "course": "Over time",
    "one": "One group",
    "two": "Two groups",
    "new": "What is new",
}
MEASURE = "Colour"
MEASURES = {"share": "Share of documents", "lift": "More or less than elsewhere"}
COURSE = "Draw"
COURSES = {"rows": "One below the other", "stacked": "Stacked"}
GROUPS = "Groups shown"
GROUPS_HINT = "The largest; choose others here"
GROUP, OTHER, PERIOD = "Group", "Beside", "Period"
TOPIC, SHARE, CERTAIN, DOCUMENTS = "Topic", "Share", "Certain", "Documents"

MORE, LESS = "More often than {other}", "Less often than {other}"
NEW, GONE = "New or more often than before", "Gone or less often than before"
ELSEWHERE, BEFORE = "elsewhere", "before"
NOTHING_MORE = "No topic is certain to be more frequent here."
NOTHING_LESS = "No topic is certain to be less frequent here."
FIRST = "Nothing came before this period; choose a later one."
HOW = (
    "A line is the interval of how many times as often a topic is on here, its dot the estimate. "
    "Topics are ordered by the end nearer to 1, which is what is certain. All intervals that this "
    "page could show hold together with 95 % (Clopper and Pearson’s, joined by Donner and Zou’s "
    "method, Bonferroni’s correction). Where the model is unsure of a topic it counts in part, "
    "which draws ratios towards 1."
)
MAP_HINT = "Click a cell for its documents, and a name for the topic."
COURSE_HINT = "Click a point for the documents of that time, and a name for the topic."
STACKED_HINT = (
    "A document may have several topics: the height is the share of documents of each, added up."
)
MAP_ALT = "Topics by groups."
COURSE_ALT = "Share of the documents of each period in which the topic is on."
OWN_SCALES = "Share of the documents of each period; every topic has a scale of its own."
INTERVAL_ALT = "Topics with how many times as often they are on, each with its interval."
CSV = "Table as CSV"
SVG = "Picture as SVG"


def highest(share: float, group: str) -> str:
    """Say where a course is highest."""
    return f"at most {percent(share)}, in {group}"


def key_to_colours(measure: str, share: float) -> str:
    """Say what the colours of the map mean; of shares, the largest is given."""
    if measure == "lift":
        return (
            "Blue is more often than elsewhere and orange less often, the stronger the more; what "
            "is pale is not certain to differ."
        )
    told = "The stronger a cell, the larger the share of documents"
    return f"{told}; the strongest is {percent(share)}."


def beside(group: str, other: str) -> str:
    """Name two groups that are compared."""
    return f"{group} beside {other}"


def many(groups: int, topics: int, documents: int) -> str:
    """Say what is compared."""
    return f"{groups:,} groups, {topics:,} topics, {documents:,} documents."


def not_shown(topics: int, groups: int) -> str:
    """Say what a picture leaves out."""
    parts = []
    if topics:
        parts.append(f"{topics:,} topics that tell the groups less apart")
    if groups:
        parts.append(f"{groups:,} smaller groups" if groups > 1 else "1 smaller group")
    return f"Not shown: {' and '.join(parts)}." if parts else ""


def known_only(known: int, total: int) -> str:
    """Say that only some documents are counted."""
    return f"Topics are known for {known:,} of the {total:,} documents, spread evenly."


def group_option(name: str, documents: int) -> str:
    """Name a group with the number of its documents."""
    return f"{name} ({documents:,})"


def certain(value: float) -> str:
    """What is certain of a ratio."""
    if value > 1.0:
        return f"at least {number(value)} times as often"
    if value < 1.0:
        return f"at most {number(value)} times as often"
    return "not certain to differ"


def ratio(value: float) -> str:
    """Write how many times as often a topic is on."""
    if math.isnan(value):
        return "nowhere"
    return "only here" if math.isinf(value) else f"{number(value)} times"


def figures(share: float, elsewhere: float, value: float) -> str:
    """Shares on both sides, and the estimate of their ratio."""
    return f"{percent(share)} here, {percent(elsewhere)} there; estimate: {ratio(value)}"


def interval(value: float, low: float, high: float) -> str:
    """Estimate and interval, beside the pointer."""
    end = "no limit" if math.isinf(high) else number(high)
    return f"{ratio(value)}, interval {number(low)} to {end}"


def documents(count: float) -> str:
    """Name the button that leads to the documents."""
    whole = round(count)
    return "1 document" if whole == 1 else f"{whole:,} documents"
