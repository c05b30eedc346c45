"""Strings of the Evaluate page."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.evaluation.metrics import BY_KEY
from ...shared.strings import NAT
from ...shell.strings import sentence
from ...text.strings import duration

SENTENCE = "How well a model predicts texts that it has never seen, next to a simple control."
EMPTY = "Here you will see how well a trained model predicts texts that it has never seen."

COMPARE = "Compare with"
COMPARE_HINT = "other models of this corpus"
COMPARE_NOTE = "They are compared on the documents that each of them held out."
OTHER_SPLIT = (
    "These models held out different documents, so small differences between them say little."
)

LADDER = "Likelihood of unseen texts"
RUNG_HELP = (
    f"How likely the model makes a text, in nats per document ({NAT}); closer to 0 is better. The "
    "control treats every word as independent. "
    "Both bounds are what training can work with (Jensen: Ji et al. 2019, eq. 9; exact: the "
    "expectation itself); the log-likelihood is estimated by importance sampling, and ± is the "
    "error of that alone: other documents would give other figures."
)
NATS = "nats per document"
LADDER_ALT = "Bounds and likelihood of held-out documents, in nats per document."

PREDICTION = "What it can predict"
CONTROL = "control"
CONTROL_NOTE = "The vertical line is the control: always guess the most frequent words, or label."
PREDICTION_HELP = (
    "A word is hidden from each text and the model guesses it from the others; the control "
    "guesses the most frequent words. Labels are predicted from the topics by a linear classifier; "
    "the control always predicts the most frequent label."
)
PREDICTION_ALT = (
    "Share of hidden words and labels that are predicted correctly, next to the control."
)

TOPICS = "Coherence of the topics"
TOPICS_HELP = (
    "Coherence: how much more often the ten words of a topic occur in one text than by chance "
    "(NPMI, from −1 to 1). Own words: the share of them that belongs to no other topic."
)
TOPICS_ALT = "Coherence and share of own words of every topic."
OWN = "own words"
ORDER = "Order"
CARD = "Card of a topic"
CARD_HINT = "Choose a topic"
ORDERS = {"npmi": "coherence", "own": "own words", "label": "name"}
NO_TOPIC_WORDS = "No topic of this model leads to two words, so there is no coherence to show."
OTHER_CORPUS = (
    "The model was trained on another vocabulary than this corpus has; choose its own corpus."
)
CHANGED = "The corpus of this model has changed since; train again to see the coherence of topics."

# Label of the button that starts each kind of evaluation, and what it does.
EVALUATIONS: dict[str, tuple[str, str | None]] = {
    "figures": ("Evaluate on all held-out documents", None),
    "labels": (
        "Evaluate with labels",
        "Learns to predict the labels of the training documents from their topics; takes a while.",
    ),
    "rival": (
        "Compare with LDA",
        "Trains LDA (scikit-learn) with as many topics on the same texts, and evaluates it on the "
        "same hidden words; takes a while.",
    ),
}
EVALUATIONS["rival-labels"] = EVALUATIONS["rival"]
VERDICT_HELP = (
    "A word is hidden from each text and the model names ten words that the text may have besides "
    "those that are left, all others being absent. Frequency always names the most frequent words."
)
NO_FIGURES = (
    "This model has no figures yet: its run held out no documents, or was evaluated elsewhere."
)
TABLE_TITLE = "All figures"
TABLE_HELP = (
    f"Likelihoods are in nats: {NAT}. "
    f"How early a hidden word is guessed: {BY_KEY['completion_mrr'].explanation}"
)


def alone(found: Sequence[str]) -> str:
    """Propose to leave out words that have topics to themselves."""
    named = ", ".join(f"*{word}*" for word in found)
    if len(found) == 1:
        return f"{named} has a topic to itself; add it to the stop words when you import."
    return f"{named} have topics to themselves; add them to the stop words when you import."


STOP = "Stop"


def going(seconds: float) -> str:
    """Say that an evaluation is running."""
    return f"Evaluating in the background, {duration(seconds)} so far. You can leave this page."


def failed(message: str) -> str:
    """Say why an evaluation failed."""
    return f"The evaluation failed: {message}" if message else "The evaluation failed."


def not_evaluated(names: Sequence[str]) -> str:
    """Name the models that have no figures."""
    return f"Not evaluated yet: {', '.join(names)}."


TITLE = "Other systems on the same texts"
HELP = (
    "Every system is trained anew on nine tenths of the corpus and asked the same questions about "
    "the rest. This is about the systems, not about the model above."
)
CHOOSE = "Systems"
CHOOSE_HINT = "two or more"
SYSTEMS_TOPICS = "Topics"
SYSTEMS_TOPICS_HELP = "Orrery, and systems that find their own number, take it as they do."
BEGIN = "Compare systems"
AGAIN = "Compare again"
SYSTEMS_STOP = "Stop"
TOO_FEW = "Choose two systems or more."
NOT_HERE = "No systems were compared on this corpus, and this server only shows what is there."

SYSTEM = "system"
ALIKE = "Topics that are alike"
ALIKE_HELP = "Topics of the first system, and beside each the most similar one of every other."


def documents(train: int, held_out: int) -> str:
    """Say what the systems were trained on and judged by."""
    return f"Trained on {train:,} texts, judged by {held_out:,} others."


def measure(title: str, what: str) -> str:
    """Say what the figure of unseen texts is for a system."""
    return f"{title}: {what}"


def systems_going(title: str, number: int, count: int) -> str:
    """Say which system is being trained."""
    return f"{title}, {number} of {count}. You can leave this page."


def systems_failed(message: str) -> str:
    """Say why a comparison failed."""
    return f"The comparison failed: {sentence(message)}" if message else "The comparison failed."
