"""Strings of the Groups page."""

from __future__ import annotations

from ....core.model.terms import counted

SENTENCE = "Which topics each group of documents has more of than the others."
EMPTY = "Here you will see which topics each label and each year has more of than the others."
NO_GROUPS_TITLE = "Nothing to group by"
NO_GROUPS = (
    "This corpus has no label, no date and no other column by which its documents could be "
    "grouped. Import it with one."
)
ONE_GROUP = "All documents are in one group, {name}, so there is nothing to compare it with."
NO_DOCUMENTS = "None of the documents whose topics are known is in a group."
NO_TOPICS = "No topic is on in enough documents to compare groups."
NO_LIST = (
    "This model has no list of which topics its documents have, so groups cannot be compared. A "
    "run makes the list when it ends."
)

BY = "Group by"
STEP = "Periods"
STEPS = {"value": "Values", "month": "Months", "year": "Years", "decade": "Decades"}
VIEW = "View"
MEASURE = "Colour"
COURSE = "Draw"
GROUPS = "Groups shown"
GROUPS_HINT = "The largest; choose others here"
INTERVALS = (
    "Dot: how many times as often; line: between which values, with 95\u00a0% confidence. "
    "Upright line: just as often. The scale ends at 64 times as often and 64 times rarer."
)
HOW = (
    "Topics are ordered by the end of the interval nearer to 1. “Certain”: the intervals of all "
    "topics of this list hold together with 95 % confidence. “Likely, not certain”: the interval "
    "of this topic alone does not contain 1. A document has a topic if its probability is above "
    "0.5, as on the other pages. (Method: Clopper and Pearson’s intervals, combined by Donner and "
    "Zou’s method, with Bonferroni’s correction.)"
)
MAP_HINT = "Click a cell to see its documents, or a name to see the topic."
COURSE_HINT = "Click a point to see the documents of that time, or a name to see the topic."
MORE_TOPICS = "Show more topics"
FEWER_TOPICS = "Show fewer topics"
CSV = "Table as CSV"
SVG = "Picture as SVG"
SEVERAL = (
    "A document counts for each topic that is on in it, so shares do not add up to 100\u00a0%."
)


def counts(groups: int, topics: int, documents: int) -> str:
    """Numbers of groups, topics and documents."""
    numbers = {"group": groups, "topic": topics, "document": documents}
    return f"{', '.join(counted(f'{number:,}', noun) for noun, number in numbers.items())}."
