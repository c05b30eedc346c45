"""Strings of the Train page: settings, guidance, and the estimated cost of a run."""

from __future__ import annotations

from collections.abc import Mapping

from ...text.strings import duration

TITLE = "Train"
SENTENCE = "Learn a topic graph from the current corpus, and watch its progress."

NEW_RUN = "New run"
ON_CORPUS = "On"
METHOD = "Graph"
METHOD_NOTES = {
    "learned": "Topics, links and layers are learned from the texts; a validation set, a tenth of "
    "the texts and at most 1,000, decides which are kept. The best choice for most texts.",
    "dense-regions": "Words that often occur together become a topic, and a word may have "
    "several. Choose it if you know how many topics you want.",
    "agglomerative": "The most similar words are merged step by step. Tidy, but each word starts "
    "in only a few topics.",
    "complete": "Every topic is linked to all topics and words in the layers below. Slow: for "
    "small vocabularies.",
}
TOPICS = "Topics in each layer"
TOPICS_HELP = (
    "The lowest layer first, the most general last: 120, 30, 6. More topics are finer and take "
    "longer to train."
)
LEARN = "Choose among more edges"
LEARN_HELP = (
    "Begin with more topics and edges than needed, add missing edges, then merge similar topics "
    "and remove the least useful edges. Takes longer, and needs sweeps before training."
)
START_AT = "Begin"
STARTS = {"random": "At random", "gibbs": "By sampling"}
START_HELP = (
    "At random: training begins with random weights. By sampling: Gibbs sampling first assigns "
    "topics to every document, which gives better graphs."
)
START_EPOCHS = "Sweeps before training"
START_EPOCHS_HELP = "Sampling passes over all documents. Too few sweeps give vague topics."
MORE = "More settings"
BOUND = "Bound"
BOUNDS = {"exact": "Exact", "jensen": "Jensen", "likelihood": "Likelihood"}
BOUND_HELP = (
    "Lower bound of the likelihood that training maximises. Exact computes the expectation and is "
    "tighter; Jensen is the bound of the paper (Ji et al. 2019). Likelihood uses importance "
    "sampling, which is the closest to the likelihood."
)
EPOCHS = "Epochs"
SEED = "Seed"
SEED_HELP = (
    "The same seed gives the same model. Another seed changes the held-out texts, and the order of "
    "the texts in training. Evaluate measures which topics come back on other samples of the texts."
)
NAME = "Name of the run"
NAME_HINT = "The corpus and a number"
START = "Start training"

EMPTY_TITLE = "No corpus yet"
EMPTY = "Here you will train a model and watch it improve. It needs texts to learn from."
EMPTY_RUNS_TITLE = "Nothing has been trained on this corpus"
EMPTY_RUNS = "Start training. Progress will appear here."
SAMPLE_TITLE = "The sample has a trained model"
SAMPLE = "Start your own run; it is saved in your workspace, beside the model of the sample."
BAD_TOPICS = "topics must be whole numbers above 0, separated by commas, such as 120, 30, 6"


def epochs_help(epochs: int, passes: int) -> str:
    """Explanation of an epoch, and of the additional epochs of structure learning."""
    if passes == epochs:
        return "Passes over all documents."
    return (
        "Passes over all documents in the main part of training. Learning the graph takes up to "
        f"{passes - epochs} more."
    )


GUIDANCE_TITLE = "Guidance"
GUIDANCE_SENTENCE = (
    "Add what you know about the topics. One rule per line; leave empty what you do not need."
)
LABELS = {
    "seeds": "Seed words of a topic",
    "must_link": "Words that belong together",
    "cannot_link": "Words to keep apart",
    "frozen": "Frozen edges",
    "forbidden": "Forbidden edges",
}
EXAMPLES = {
    "seeds": "space: orbit, rocket",
    "must_link": "guitar, drum, bass",
    "cannot_link": "star, bread",
    "frozen": "space > orbit = 1.5",
    "forbidden": "space > oven",
}
HELP = {
    "seeds": "A name for the topic, a colon, and its first words. Training adds more words.",
    "must_link": "These words get a common parent.",
    "cannot_link": "These words never share a parent.",
    "frozen": "Topic > word, or topic > topic. Training does not change the edge; the weight is "
    "optional. A topic is one of your seeds, or of the proposed graph, such as L1.3.",
    "forbidden": "Topic > word: the graph never has this edge.",
}
COUNTED = {
    "seeds": ("seeded topic", "seeded topics"),
    "must_link": ("group kept together", "groups kept together"),
    "cannot_link": ("pair kept apart", "pairs kept apart"),
    "frozen": ("frozen edge", "frozen edges"),
    "forbidden": ("forbidden edge", "forbidden edges"),
}
BAD_LINE = "the line {line!r} cannot be read; write it as {example!r}"
NO_TOPIC = "{rule} names {name!r}, but there is no such topic; seed it, or use an id such as L1.3"
NO_CHILD = "{rule} names {name!r}, but there is no such topic or word"


def summary(counts: Mapping[str, int]) -> str:
    """Number of rules of each kind."""
    parts = [f"{n:,} {COUNTED[field][n != 1]}" for field, n in counts.items() if n]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{listed}; the rules do not contradict each other."


ESTIMATE_HELP = (
    "Time: passes × documents × (50 + words of a document × edges ÷ vocabulary) × seconds per link "
    "in earlier runs on this machine, on corpora of similar size, ± half; plus the time to start, "
    "propose the graph, compile code (longest in the first run) and evaluate the model. After "
    "this time you can query the model. Memory: 320 MB for the program, plus the words, texts, "
    "pairs of words and edges."
)


def takes(seconds: tuple[float, float], memory: float, runs: int) -> str:
    """Estimated cost of a run."""
    span = _from_to(*(_roughly(value) for value in seconds))
    source = "measured on earlier runs here" if runs else "no earlier run to measure by"
    return f"About {span} from start to model and {gigabytes(memory)} of memory ({source})."


def too_large(memory: float, available: float) -> str:
    """Warning about a run that does not fit into memory."""
    return (
        f"It may need {gigabytes(memory)} of memory, but only {gigabytes(available)} are free: "
        "choose fewer topics."
    )


def gigabytes(size: float) -> str:
    """Size of memory with two significant digits."""
    return f"{size / 1e9:.1f} GB" if size >= 9.5e8 else f"{round(size / 1e7) * 10} MB"


def _from_to(low: str, high: str) -> str:
    if low == high:
        return low
    value, _, unit = low.partition(" ")
    shared = high.partition(" ")[2] == unit
    return f"{value} to {high}" if shared else f"{low} to {high}"


def _roughly(seconds: float) -> str:
    """Time with the precision of an estimate."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 60:
        return f"{round(seconds / 10) * 10} s".replace("60 s", "1 min")
    return duration(round(seconds / 60) * 60).removesuffix(" 00 s").removesuffix(" 00 min")
