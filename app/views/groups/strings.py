"""Strings of the Groups page."""

from __future__ import annotations

SENTENCE = "Which topics each group of documents has more of than others, and what is new when."
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
HOW = (
    "A line is the confidence interval of the ratio between the frequencies of a topic here and in "
    "the comparison; its dot is the estimate. Topics are ordered by the end of the interval nearer "
    "to 1. “Certain”: the intervals of all topics of this list hold together with 95 % confidence "
    "(Clopper and Pearson’s intervals, combined by Donner and Zou’s method, Bonferroni’s "
    "correction). “Likely, not certain”: the interval of this topic alone excludes no difference. "
    "If the model is uncertain about a topic, a document counts in part, which moves ratios "
    "towards 1."
)
MAP_HINT = "Click a cell for its documents, and a name for the topic."
COURSE_HINT = "Click a point for the documents of that time, and a name for the topic."
MORE_TOPICS = "Show more topics"
FEWER_TOPICS = "Show fewer topics"
CSV = "Table as CSV"
SVG = "Picture as SVG"
COUNTS = "{groups:,} groups, {topics:,} topics, {documents:,} documents."
