"""Words of the comparison of systems on the Evaluate page."""

from __future__ import annotations

from orrery.app.words.common import sentence

TITLE = "Other systems on the same texts"
HELP = (
    "Every system is trained anew on nine tenths of the corpus and asked the same questions about "
    "the rest. This is about the systems, not about the model above."
)
CHOOSE = "Systems"
CHOOSE_HINT = "two or more"
TOPICS = "Topics"
TOPICS_HELP = "Orrery, and systems that find their own number, take it as they do."
BEGIN = "Compare systems"
AGAIN = "Compare again"
STOP = "Stop"
TOO_FEW = "Choose two systems or more."
NOT_HERE = "No systems were compared on this corpus, and this server only shows what is there."

SYSTEM = "system"
COLUMNS = {
    "held_out": "unseen texts",
    "completion_recall10": "hidden words",
    "accuracy": "labels",
    "npmi": "coherence",
    "diversity": "different words",
    "topics": "topics",
    "seconds": "seconds",
    "memory": "MB",
}
COLUMN_HELP = {
    "held_out": "Nats per document, closer to 0 is better; what it is stands below the table. Only "
    "figures of the same kind can be compared.",
    "completion_recall10": "A word of each text is hidden; this often ten guesses find it.",
    "accuracy": "Predicted from the topics by a linear classifier.",
    "npmi": "How much more often the ten words of a topic occur in one text than by chance "
    "(NPMI, from −1 to 1).",
    "diversity": "Share of the words of all topics that are different ones.",
    "seconds": "That training took on this machine.",
    "memory": "Megabytes of memory that training took at most, beyond what was there.",
}
SHARES = frozenset({"completion_recall10", "accuracy", "diversity"})
WHOLE = frozenset({"topics", "seconds", "memory"})
NO_FIGURE = "–"
ALIKE = "Topics that are alike"
ALIKE_HELP = "Topics of the first system, and beside each the most similar one of every other."

UNREADABLE = "its result cannot be read; compare again"


def documents(train: int, held_out: int) -> str:
    """Say what the systems were trained on and judged by."""
    return f"Trained on {train:,} texts, judged by {held_out:,} others."


def measure(title: str, what: str) -> str:
    """Say what the figure of unseen texts is for a system."""
    return f"{title}: {what}"


def going(title: str, number: int, count: int) -> str:
    """Say which system is being trained."""
    return f"{title}, {number} of {count}. You can leave this page."


def failed(message: str) -> str:
    """Say why a comparison failed."""
    return f"The comparison failed: {sentence(message)}" if message else "The comparison failed."
