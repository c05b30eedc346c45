"""Words of the Evaluate page."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from orrery.app.words.figures import number, score_percent
from orrery.app.words.train import duration

TITLE = "Evaluate"
SENTENCE = "How well a model knows texts that it has never seen, beside a control."
EMPTY = "Here you will see how well a trained model knows texts that it has never seen."

COMPARE = "Compare with"
COMPARE_HINT = "other models of this corpus"
COMPARE_NOTE = "They are compared on the documents that each of them held out."
OTHER_SPLIT = (
    "These models held out different documents, so small differences between them say little."
)

LADDER = "Likelihood of unseen texts"
RUNGS = {
    "independent": "Each word by itself",
    "jensen_bound": "Jensen bound",
    "exact_bound": "Exact bound",
    "log_likelihood": "Log-likelihood",
}
RUNG_HELP = (
    "Nats per document, the nearer to 0 the better. The control takes every word as independent. "
    "Both bounds are what training can work with (Jensen: Ji et al. 2019, eq. 9; exact: the "
    "expectation itself); the log-likelihood is estimated by importance sampling."
)
NATS = "nats per document"
LADDER_ALT = "Bounds and likelihood of held-out documents, in nats per document."

PREDICTION = "What it can tell"
PREDICTION_ROWS = {
    "completion_recall10": ("completion_recall10_independent", "Hidden word in ten guesses"),
    "accuracy": ("accuracy_majority", "Label of a text"),
}
CONTROL = "control"
CONTROL_NOTE = "The upright mark is the control: always the most frequent words, or label."
PREDICTION_HELP = (
    "A word is hidden from each text and the model guesses it from the others; the control "
    "guesses the most frequent words. Labels are told from the topics by a linear classifier; "
    "the control always says the most frequent label."
)
PREDICTION_ALT = "Share of hidden words and labels that are told rightly, beside the control."

TOPICS = "Coherence of the topics"
TOPICS_HELP = (
    "Coherence: how much more often the ten words of a topic stand in one text than by chance "
    "(NPMI, from −1 to 1). Own words: the share of them that tells no other topic."
)
TOPICS_ALT = "Coherence and share of own words of every topic."
NPMI = "coherence (NPMI)"
OWN = "own words"
ORDER = "Order"
CARD = "Card of a topic"
CARD_HINT = "Choose a topic"
ORDERS = {"npmi": "coherence", "own": "own words", "label": "name"}
NO_TOPIC_WORDS = "No topic of this model reaches two words, so there is no coherence to show."
OTHER_CORPUS = "The model was trained on other words than this corpus has; choose its own corpus."
CHANGED = "The corpus of this model has changed since; train again to see the coherence of topics."

JUDGE = "Judge on all held-out documents"
JUDGE_LABELS = "Judge by labels"
JUDGE_LABELS_HELP = "Learns the labels of the training documents from their topics; takes a while."
JUDGE_RIVAL = "Compare with LDA"
JUDGE_RIVAL_HELP = (
    "Trains LDA (scikit-learn) with as many topics on the same texts, and judges it on the same "
    "hidden words; takes a while."
)
NO_FIGURES = (
    "This model has not been judged, because its run held no documents out or was judged elsewhere."
)
TABLE_TITLE = "All figures"
TABLE_HELP = (
    "How early a hidden word is guessed is the mean of 1 / its place among the guesses, 1 where it "
    "is always the first (mean reciprocal rank)."
)
TABLE = {
    "documents": "Held-out documents",
    "topics": "Topics",
    "edges": "Links",
    "independent": "Each word by itself (nats per document)",
    "jensen_bound": "Jensen bound (nats per document)",
    "exact_bound": "Exact bound (nats per document)",
    "log_likelihood": "Log-likelihood (nats per document)",
    "log_likelihood_error": "± its standard error",
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
# Less than this is a factor that rounds to 1; more than that nobody can imagine.
LEAST_GAIN, MOST_TIMES = 0.05, 1_000_000


def likelihood(gain: float) -> str:
    """Say what the model gains over independent words, in nats per document."""
    unseen = "A typical text that the model has not seen is"
    if abs(gain) < LEAST_GAIN:
        return f"{unseen} about as likely under it as if every word came by itself."
    times = f"{_times(abs(gain))} as likely"
    if gain > 0:
        return f"{unseen} {times} under it as if every word came by itself ({number(gain)} nats)."
    return (
        f"{unseen} {times} if every word came by itself as under it ({number(-gain)} nats): it has "
        "learned its texts by heart, or not long enough."
    )


def _times(nats: float) -> str:
    """Say by what factor, with two significant digits as far as one can imagine it."""
    if nats > log(MOST_TIMES):
        return f"more than {MOST_TIMES:,} times"
    factor = float(f"{exp(nats):.1e}")
    return f"{factor:,.0f} times" if factor >= 10 else f"{factor:.1f} times"


def gaps(exact: float, jensen: float) -> str:
    """Say how far the bounds are below the likelihood."""
    return (
        f"The exact bound lies {number(exact)} nats below the log-likelihood, the Jensen bound "
        f"{number(jensen)}."
    )


def completion(share: float, control: float) -> str:
    """Say how often a hidden word is found."""
    return (
        f"Of the words hidden from a text, {score_percent(share)} are among the model's first ten "
        f"guesses; by frequency alone it would be {score_percent(control)}."
    )


def labels(share: float, control: float) -> str:
    """Say how often a label is told from topics."""
    return (
        f"The topics tell the label of {score_percent(share)} of the texts; always saying the most "
        f"frequent one would be right for {score_percent(control)}."
    )


def alone(found: Sequence[str]) -> str:
    """Propose to leave out words that have topics to themselves."""
    named = ", ".join(f"*{word}*" for word in found)
    if len(found) == 1:
        return f"{named} stands alone in a topic; add it to the stop words when you import."
    return f"{named} stand alone in topics; add them to the stop words when you import."


def judged_on(documents: int, *, is_whole: bool) -> str:
    """Say what the figures are about."""
    which = "all" if is_whole else "at the end of the run on"
    return f"Judged {'on ' if is_whole else ''}{which} {documents:,} held-out documents."


STOP = "Stop"


def going(seconds: float) -> str:
    """Say that a judgement is on its way."""
    return f"Judging in the background, {duration(seconds)} so far. You may leave this page."


def failed(message: str) -> str:
    """Say why a judgement failed."""
    return f"It could not be judged: {message}" if message else "It could not be judged."


def not_judged(names: Sequence[str]) -> str:
    """Name the models that have no figures."""
    return f"Not judged yet: {', '.join(names)}."
