"""Words of the Evaluate page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

from orrery.app.words.figures import NAT, number, score_percent
from orrery.app.words.train import duration

TITLE = "Evaluate"
SENTENCE = "How well a model predicts texts that it has never seen, next to a simple control."
EMPTY = "Here you will see how well a trained model predicts texts that it has never seen."

COMPARE = "Compare with"
COMPARE_HINT = "other models of this corpus"
COMPARE_NOTE = "They are compared on the documents that each of them held out."
OTHER_SPLIT = (
    "These models held out different documents, so small differences between them say little."
)

LADDER = "Likelihood of unseen texts"
RUNGS = {
    "independent": "Words independent",
    "jensen_bound": "Jensen bound",
    "exact_bound": "Exact bound",
    "log_likelihood": "Log-likelihood",
}
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
PREDICTION_ROWS = {
    "completion_recall10": ("completion_recall10_independent", "Hidden word in ten guesses"),
    "accuracy": ("accuracy_majority", "Label of a text"),
}
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
NPMI = "coherence (NPMI)"
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
    "How early a hidden word is guessed is the mean of 1 / its rank among the guesses: 1 if it is "
    "always the first (mean reciprocal rank)."
)
TABLE = {
    "documents": "Held-out documents",
    "topics": "Topics",
    "edges": "Links",
    "independent": "Words independent (nats per document)",
    "jensen_bound": "Jensen bound (nats per document)",
    "exact_bound": "Exact bound (nats per document)",
    "log_likelihood": "Log-likelihood (nats per document)",
    "log_likelihood_error": "± standard error of its sampling",
    "completion_mrr": "Hidden word, how early it is guessed",
    "completion_mrr_independent": "… by frequency alone",
    "completion_recall10": "Hidden word in ten guesses",
    "completion_recall10_independent": "… by frequency alone",
    "npmi": "Coherence (NPMI)",
    "diversity": "Diversity of the topics' words",
    "accuracy": "Label of a text",
    "accuracy_majority": "… by the most frequent label",
}
COUNTS = ("documents", "topics", "edges")
SHARES = (
    "completion_recall10",
    "completion_recall10_independent",
    "accuracy",
    "accuracy_majority",
)
FIGURE_COLUMN = "Figure"
NO_FIGURE = "–"
# A thousand hidden words tell no smaller difference than this between two shares.
LEAST_LEAD = 0.02
# A smaller gain is a factor that rounds to 1; a larger factor says nothing more.
LEAST_GAIN, MOST_TIMES = 0.05, 1_000_000


def likelihood(gain: float) -> str:
    """Say what the model gains over independent words, in nats per document."""
    unseen = "A typical text that the model has not seen is"
    if abs(gain) < LEAST_GAIN:
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
    """Say by what factor, with two significant digits; huge factors are capped."""
    if nats > log(MOST_TIMES):
        return f"more than {MOST_TIMES:,} times"
    factor = float(f"{exp(nats):.1e}")
    return f"{factor:,.0f} times" if factor >= 10 else f"{factor:.1f} times"


def gaps(exact: float, jensen: float) -> str:
    """Say how far the bounds are below the likelihood, in nats."""
    return (
        "Training can only see bounds, which take a text for less likely than it is: the exact "
        f"bound by {number(exact)} nats, the Jensen bound by {number(jensen)}."
    )


def verdict(share: float, control: float, rivals: Mapping[str, float]) -> str:
    """Say whether a model is any good: hidden words found in ten guesses, of 100.

    Parameters
    ----------
    share, control : float
        By the model and by frequency alone, 0 … 1.
    rivals : mapping of str to float
        By other kinds of models, under their names.
    """
    others = ", ".join(f"{name} {_of_hundred(found)}" for name, found in rivals.items())
    others = f", {others}" if others else ""
    best = max([control, *rivals.values()])
    known = "frequency" if not rivals or best == control else max(rivals, key=lambda n: rivals[n])
    return (
        f"{_compared(share, best, known)} It finds {_of_hundred(share)} of 100 hidden words in ten "
        f"guesses; frequency {_of_hundred(control)}{others}."
    )


def _compared(share: float, best: float, known: str) -> str:
    if share > best + LEAST_LEAD:
        return f"The model predicts words better than {known} does."
    if share > best - LEAST_LEAD:
        return f"The model predicts words about as well as {known} does."
    return f"The model predicts words worse than {known} does."


def _of_hundred(share: float) -> str:
    return f"{100 * share:.0f}"


def labels(share: float, control: float) -> str:
    """Say how often a label is predicted from topics."""
    return (
        f"The topics predict the label of {score_percent(share)} of the texts; always guessing the "
        f"most frequent one would be right for {score_percent(control)}."
    )


def alone(found: Sequence[str]) -> str:
    """Propose to leave out words that have topics to themselves."""
    named = ", ".join(f"*{word}*" for word in found)
    if len(found) == 1:
        return f"{named} has a topic to itself; add it to the stop words when you import."
    return f"{named} have topics to themselves; add them to the stop words when you import."


def evaluated_on(documents: int, *, is_whole: bool) -> str:
    """Say what the figures are about."""
    which = "on all" if is_whole else "at the end of the run on"
    return f"Evaluated {which} {documents:,} held-out documents."


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
