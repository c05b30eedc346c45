"""Strings of the Evaluate page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....core.evaluation.metrics import BY_KEY
from ....core.evaluation.run_matching import RunMatch
from ....core.model.terms import counted
from ...shared.strings import MIN_LEAD, NAT
from ...shell.strings import sentence
from ...text.strings import duration

SENTENCE = "How well a model predicts unseen texts, compared with simple baselines."
EMPTY = "Here you will see how well a trained model predicts unseen texts."

COMPARE = "Compare with"
COMPARE_HINT = "other models of this corpus"
COMPARE_NOTE = "They are compared on the documents that each of them held out."
OTHER_SPLIT = (
    "These models held out different documents, so small differences between them mean little."
)


def compared(shares: Mapping[str, float | None]) -> str:
    """Answer to a comparison of models: the share of hidden words that each guesses in ten tries.

    Empty with fewer than two known shares.
    """
    known = {name: share for name, share in shares.items() if share is not None}
    best, *others = sorted(known, key=lambda name: -known[name]) or [""]
    if not others:
        return ""
    answer = f"“{best}” predicts words best."
    if known[best] <= known[others[0]] + MIN_LEAD:
        answer = "The models predict words about equally well."
        if len(others) > 1:
            answer = f"“{best}” and “{others[0]}” predict words about equally well."
    guessed = ", ".join(f"“{name}” {100 * known[name]:.0f}" for name in (best, *others))
    return f"{answer} Words guessed in ten tries, of 100 hidden ones: {guessed}."


LADDER = "Likelihood of unseen texts"
RUNG_HELP = (
    f"Log-likelihood of held-out texts, in nats per document ({NAT}); closer to 0 is better. The "
    "baseline treats every word as independent. "
    "Training maximises a lower bound (Jensen: Ji et al. 2019, eq. 9; exact: the exact "
    "expectation)."
)
SAMPLED_HELP = (
    "The log-likelihood is estimated by importance sampling, and ± is its standard error for these "
    "documents."
)
NATS = "nats per document"
LADDER_ALT = "Bounds and likelihood of held-out documents, in nats per document."

PREDICTION = "Predictions"
BASELINE = "baseline"
BASELINE_NOTE = "The vertical line is the baseline: always guess the most frequent words, or label."
PREDICTION_HELP = (
    "A word is hidden from each text and the model guesses it from the others; the baseline "
    "guesses the most frequent words. A linear classifier predicts labels from the topics; "
    "the baseline always predicts the most frequent label."
)
PREDICTION_ALT = (
    "Share of hidden words and labels that are predicted correctly, next to the baseline."
)

TOPICS = "Coherence of the topics"
TOPICS_HELP = (
    "Coherence: how much more often the top ten words of a topic occur in the same text than "
    "independent words (NPMI, from −1 to 1). Own words: the share of the ten that belongs to no "
    "other topic."
)
TOPICS_ALT = "Coherence and share of own words of every topic."
OWN = "own words"
ORDER = "Order"
CARD = "Card of a topic"
CARD_HINT = "Choose a topic"
ORDERS = {"npmi": "coherence", "own": "own words", "label": "name"}
NO_TOPIC_WORDS = "No topic of this model has two words, so there is no coherence to show."
OTHER_CORPUS = "The model was trained on another vocabulary; choose its own corpus."
CHANGED = "The corpus has changed since training; train again to see the coherence of topics."

AGREEMENT = "Agreement with the labels"
AGREEMENT_HELP = (
    "Every text is assigned its main topic: the topic that describes its words best by itself, "
    "among those that are on. Texts with the same main topic form a cluster, and the clusters are "
    "compared with the labels, which the training never sees. The baseline shuffles the clusters."
)
HIERARCHY = "Parents and children"
HIERARCHY_HELP = (
    "How topics relate to the topics below them, by their top 15 words, on all texts of the "
    "corpus. The baseline gives each parent other topics of the same layers as its children."
)
LAYERS_HELP = (
    "Layer 1 is above the words. Specialisation: how much the words of a topic differ from those "
    "of the whole corpus, from 0 to 1. PCC, PCD, PnCD, SD and affinity belong to the parents of a "
    "layer."
)


def agreement(labelled: int, clusters: int) -> str:
    """Texts and clusters that the agreement refers to."""
    return f"{labelled:,} held-out texts with a label have {clusters:,} different main topics."


# Label and help of the button that starts each kind of evaluation.
EVALUATIONS: dict[str, tuple[str, str | None]] = {
    "figures": (
        "Compute the log-likelihood",
        "On all held-out documents; the end of a run computes only its bound.",
    ),
    "labels": (
        "Evaluate with labels",
        "Compares the main topics with the labels, and trains a classifier of the labels on the "
        "topics of the training documents; takes a while.",
    ),
    "rival": (
        "Compare with LDA",
        "Trains LDA (scikit-learn) with the same number of topics on the same texts, and evaluates "
        "it on the same hidden words; takes a while.",
    ),
}
EVALUATIONS["rival-labels"] = EVALUATIONS["rival"]
VERDICT_HELP = (
    "A word is hidden from each text, and the model guesses it with ten words, given the other "
    "words of the text. Frequency always guesses the most frequent words."
)
NO_FIGURES = "There is nothing to evaluate: the model was not trained here, or held out no texts."
TABLE_TITLE = "All figures"
TABLE_HELP = (
    f"Likelihoods are in nats: {NAT}. "
    f"How early a hidden word is guessed: {BY_KEY['completion_mrr'].explanation}"
)


STOP = "Stop"


def going(seconds: float) -> str:
    """Duration of an evaluation that is going."""
    return f"Evaluating in the background, {duration(seconds)} so far. You can leave this page."


def failed(message: str) -> str:
    """Reason why an evaluation failed."""
    return f"The evaluation failed: {message}" if message else "The evaluation failed."


def not_evaluated(names: Sequence[str]) -> str:
    """Models without figures."""
    return f"Not evaluated yet: {', '.join(names)}."


STABILITY = "Stability of the topics"
STABILITY_HELP = (
    "Trains again with other seeds, each time on a random sample of the training documents (or on "
    "all of them, if that was chosen at the command line), and looks for the topics of this model: "
    "a topic comes back if another training has a topic that "
    "is on in the same documents (correlation of 0.71 or more, and higher than in any of 100 "
    "shuffles of the documents)."
)
STABLE_HELP = "A topic that comes back rarely may be due to chance; do not build on it."
STABILITY_BEGIN = "Measure the stability"
STABILITY_CONTINUE = "Continue"
STABILITY_FIXED = "The sample cannot be changed; copy it to measure its stability."
STABILITY_NOT_HERE = "The stability of this model is not known, and this server is read-only."
TOPIC, FOUND, FROM, TO = "topic", "found again in", "from", "to"
CORRELATION = "correlation"
CORRELATION_HELP = "Mean correlation of P(on) with the most similar topic of each training."
INTERVAL_HELP = (
    "The share of such trainings that find the topic, with 95 % confidence (Clopper–Pearson): for "
    "this corpus and these settings, and for one topic at a time."
)


def stability_takes(times: int, seconds: float | None, *, measured: bool = False) -> str:
    """Expected duration of trainings, from that of the run, or of the trainings so far."""
    trainings = f"{times} more training{'s' * (times > 1)}"
    if seconds is None:
        return f"{trainings} at low priority, each about as long as the training of this model."
    like = "as long as those so far" if measured else "as this model was trained"
    return f"{trainings} at low priority: about {duration(seconds)}, {like}."


def stability_going(done: int, times: int) -> str:
    """Number of the training that is going on."""
    return f"Training {min(done + 1, times)} of {times} in the background. You can leave this page."


def stability_failed(message: str) -> str:
    """Reason why the measurement failed."""
    return f"The measurement failed: {sentence(message)}" if message else "The measurement failed."


MATCH = "Topics of other models in this one"
MATCH_HELP = (
    "Topics of both models are matched one to one by the documents in which they are on, if the "
    "correlation is 0.71 or more and higher than in any of 100 shuffles of the documents."
)
BEFORE, AFTER = "topic there", "topic here"
GONE_TOPIC, NEW_TOPIC = "– gone", "– new"
CARRY = "Carry names, notes and stories over to this model"
CARRY_HELP = (
    "For matched topics only, and never over a name that this model has already. Names and notes "
    "can be taken back on the Names page."
)
NOT_CARRIED = "Not carried over:"
LEFT_COLUMNS = ("topic there", "what", "text", "reason")


def matched(name: str, match: RunMatch) -> str:
    """Title of the table of another model."""
    found = len(match.displayed)
    return (
        f"{name}: {counted(f'{found:,}', 'topic')} matched, {len(match.gone):,} gone, "
        f"{len(match.new):,} new"
    )


def carried(edits: int, stories: int) -> str:
    """List of the names, notes and stories that were carried over."""
    texts = f"{edits:,} {'name or note' if edits == 1 else 'names and notes'}"
    return f"Carried over: {texts}, {stories:,} {'story' if stories == 1 else 'stories'}."


TITLE = "Other systems on the same texts"
HELP = (
    "Every system is trained on nine tenths of the corpus and evaluated on the rest. This compares "
    "the systems, not the model above."
)
CHOOSE = "Systems"
CHOOSE_HINT = "two or more"
SYSTEMS_TOPICS = "Topics"
SYSTEMS_TOPICS_HELP = (
    "Number of topics. Orrery and some other systems determine their own number of topics."
)
BEGIN = "Compare systems"
AGAIN = "Compare again"
SYSTEMS_STOP = "Stop"
TOO_FEW = "Choose two systems or more."
NOT_HERE = "No systems were compared on this corpus, and this server is read-only."

SYSTEM = "system"
ALIKE = "Similar topics"
ALIKE_HELP = "Topics of the first system, each beside the most similar topic of every other system."
TRAINED_ON = "Trained on {train:,} texts, tested on {held_out:,} others."
SYSTEMS_GOING = "{title}, {number} of {count}. You can leave this page."


def systems_failed(message: str) -> str:
    """Reason why a comparison failed."""
    return f"The comparison failed: {sentence(message)}" if message else "The comparison failed."
