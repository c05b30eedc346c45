"""Strings of the Home page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ....core.drawing.strings import percent
from ....core.model.terms import Terms, counted

TITLE = "Home"
SENTENCE = "The corpora of this workspace and the models trained on them."
SENTENCE_OF_GRAPHS = "The models of this workspace."

NEXT = {
    "corpus": "Add a corpus",
    "train": "Train a model",
    "watch": "Watch the training",
    "query": "Ask a model",
}
NEXT_NOTES = {
    "corpus": "Orrery learns topics from your own texts, or asks a weighted graph that you have.",
    "train": "There is a corpus, but no model has been trained on it yet.",
    "watch": "A model is being trained. Its topics so far can be seen and queried.",
}
ADD = "Add a corpus"
ADD_BESIDE_GRAPHS = "Add a graph or a corpus"
QUESTION = "A few words"
OR_SAMPLE = "Add some, or look at a sample first."
SHOW_SAMPLE = "Look at the sample"
HIDE_SAMPLE = "Hide"

NO_RUNS = "Nothing has been trained on it yet."
LOST = "Models without a corpus"
LOST_NOTE = (
    "They were made from a graph, or their corpus is not in this workspace. "
    "You can query them, but not continue their training."
)
FROM_GRAPHS = "Models from graphs"
FROM_GRAPHS_NOTE = "They can be queried at once; there are no texts to train them on."
SAMPLE_TAG = "sample"
SAMPLE_MODEL = "comes with Orrery"
ASK, WATCH, OPEN, TRAIN = "Ask", "Watch", "Open", "Train"
READ = "Read"
DELETE = "Delete"
DELETE_SURE = "Delete permanently"
STILL_RUNNING = "The run is still going. Stop it first."
DELETE_CORPUS = "The corpus is deleted from this workspace. Its source file is not deleted."
STATES_MARK = {
    "starting": "◐",
    "queued": "◌",
    "preparing": "◐",
    "running": "◐",
    "paused": "‖",
    "stopped": "■",
    "finished": "●",
    "failed": "✕",
    "interrupted": "✕",
}
ASK_MODEL = "Ask {model}: type a few words"
STILL_GOING = "Run {run} is still training on it. Stop it first."


LARGEST = "Largest topics"
INSIDE = "The Graph page also counts the documents of the topics inside a topic."
LIST_GAP = ", "
STORY = "Story: {title}"


def counts(documents: int, words: int, years: tuple[int, ...]) -> str:
    """Size of a corpus, and the years of its texts."""
    span = "–".join(map(str, dict.fromkeys(years)))
    size = f"{counted(f'{documents:,}', 'document')}, {counted(f'{words:,}', 'word')}"
    return f"{size}, {span}" if span else size


def largest(documents: int) -> str:
    """Heading of the largest topics, which states what is counted.

    The Graph page shows the same figures, for a topic with others inside it as "by itself".
    """
    counted_in = f", by documents with the topic itself (of {documents:,})" if documents else ""
    return f"**{LARGEST}**{counted_in}:"


def general_topics(listed: Sequence[str]) -> str:
    """Topics of general words that are as large as those in the list."""
    return f"As large, but of general words: {LIST_GAP.join(listed)}."


def topic_size(label: str, size: float, documents: int) -> str:
    """Name of a topic, and in how many texts it is on; its probability if there are no texts."""
    share = percent(size / (documents or 1))
    return f"{label} **{size:,.0f}** ({share})" if documents else f"{label} **{share}**"


WORDS_OF_MOST = "The words with the most topics; a click queries one."


def graph_counts(topics: int, words: int, terms: Terms) -> str:
    """Size of a model that was made from a graph, in its own terms."""
    sizes = f"{counted(f'{topics:,}', terms.topic, terms.topics)}"
    sizes += f" and {counted(f'{words:,}', terms.word, terms.words)}"
    return f"{sizes}, from a graph without texts."


def trained_on(day: date, today: date) -> str:
    """Day of the last training, relative to today if it was recent."""
    ago = (today - day).days
    if ago in (0, 1):
        return "trained today" if ago == 0 else "trained yesterday"
    return f"trained on {day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")


def used_by(runs: int) -> str:
    """Number of runs on a corpus that is to be deleted."""
    if runs == 1:
        return (
            "One run was trained on it. Its model is kept; you can query it, but not continue its "
            "training."
        )
    return (
        f"{runs} runs were trained on it. Their models are kept; you can query them, but not "
        "continue their training."
    )


def run_facts(state: str, topics: str, trained: str) -> str:
    """State of a run unless it is finished, its number of topics, and its day."""
    return ", ".join(filter(None, (state, counted(topics, "topic") if topics else "", trained)))
