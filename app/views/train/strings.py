"""Words of the Train page.

Words of the guidance that a person gives to training.

Words about what a run may cost: time and memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...text.strings import counted, duration

TITLE = "Train"
SENTENCE = "Learn a graph of topics from the current corpus, and watch how it goes."

NEW_RUN = "New run"
ON_CORPUS = "On"
METHOD = "Graph"
METHOD_NOTES = {
    "learned": "Topics, links and layers grow as the texts need them; a tenth of the texts, at "
    "most 1,000, is held back to decide what stays. The best choice for most texts.",
    "dense-regions": "Words that often turn up together become a topic, and a word may have "
    "several. For when you know how many topics you want.",
    "agglomerative": "The most similar words are merged step by step. Tidy, but each word starts "
    "under only a few topics.",
    "complete": "Every topic is linked to everything in all layers below, and training finds "
    "what matters. Slow: for small vocabularies.",
}
TOPICS = "Topics in each layer"
TOPICS_HELP = (
    "From the layer just above the words upward, the most general last: 120, 30, 6. More topics "
    "make finer distinctions and take longer."
)
LEARN = "Choose among more edges"
LEARN_HELP = (
    "Begin with more topics and edges than needed, explore, add missing edges, then merge topics "
    "that act alike and drop the edges that do least. Takes longer, and needs sweeps before "
    "training."
)
START_AT = "Begin"
STARTS = {"random": "At random", "gibbs": "By sampling"}
START_HELP = (
    "At random: weights are drawn at random, and training finds the rest. By sampling: chains "
    "first try out topics for every document (a Gibbs start), which finds better graphs."
)
START_EPOCHS = "Sweeps before training"
START_EPOCHS_HELP = "Sampling passes over all documents. Too few sweeps leave topics unformed."
MORE = "More settings"
BOUND = "Bound"
BOUNDS = {"exact": "Exact", "jensen": "Jensen", "likelihood": "Likelihood"}
BOUND_HELP = (
    "How the likelihood is bounded from below. Exact computes the expectation itself and is "
    "tighter; Jensen is the bound of the paper (Ji et al. 2019). Likelihood draws the topics of "
    "every document, which comes closest."
)
EPOCHS = "Epochs"
SEED = "Seed"
SEED_HELP = "The same seed gives the same model."
NAME = "Name of the run"
NAME_HINT = "The corpus and a number"
START = "Start training"

EMPTY_TITLE = "No corpus yet"
EMPTY = "Here you will train a model and watch it improve. It needs texts to learn from."
EMPTY_RUNS_TITLE = "Nothing has been trained on this corpus"
EMPTY_RUNS = "Start training. The curve of the bound will be drawn here as it grows."
SAMPLE_TITLE = "The sample comes with its model"
SAMPLE = "Start a run of your own; it is kept in your workspace, beside the model."
BAD_TOPICS = "topics must be whole numbers above 0, separated by commas, such as 120, 30, 6"


def epochs_help(epochs: int, passes: int) -> str:
    """Say what an epoch is, and why a learned graph takes more of them."""
    if passes == epochs:
        return "Passes over all documents."
    return (
        f"Passes over all documents. Learning the graph adds some: {epochs} here make {passes} "
        "in all."
    )


GUIDANCE_TITLE = "Guidance"
GUIDANCE_SENTENCE = (
    "What you know better than the data. One rule per line; leave empty what you do not need."
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
    "seeds": "A name for the topic, a colon, and the words that it starts with. More words join "
    "it during training.",
    "must_link": "They get a common parent.",
    "cannot_link": "Two words that never share a parent.",
    "frozen": "Topic > word, or topic > topic. Training leaves the edge alone; the weight is "
    "optional. A topic is one of your seeds, or of the proposed graph, such as L1.3.",
    "forbidden": "Topic > word: an edge that the graph never has.",
}
COUNTED = {
    "seeds": ("seeded topic", "seeded topics"),
    "must_link": ("group kept together", "groups kept together"),
    "cannot_link": ("pair kept apart", "pairs kept apart"),
    "frozen": ("frozen edge", "frozen edges"),
    "forbidden": ("forbidden edge", "forbidden edges"),
}


def summary(counts: Mapping[str, int]) -> str:
    """Say what is asked for, and that the rules do not contradict each other."""
    parts = [f"{n:,} {COUNTED[field][n != 1]}" for field, n in counts.items() if n]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{listed}; the rules do not contradict each other."


def bad_line(line: str, example: str) -> str:
    """Say that a line cannot be read."""
    return f"the line {line!r} cannot be read; write it as {example!r}"


def no_topic(rule: str, name: str) -> str:
    """Say that there is no such parent."""
    return f"{rule} names {name!r}, but there is no such topic; seed it, or use an id such as L1.3"


def no_child(rule: str, name: str) -> str:
    """Say that there is no such child."""
    return f"{rule} names {name!r}, but there is no such topic or word"


ESTIMATE_HELP = (
    "Time: passes × documents × (50 + words of a document × edges ÷ vocabulary) × the seconds that "
    "each link took in earlier runs on this machine, on corpora nearest to this one in size, give "
    "or take half; and, by what they took there, starting, laying out the graph, compiling code "
    "(most at the first run) and judging the model. That is all there is to wait for before the "
    "model can be asked. Memory: 320 MB for the program, plus what the words, the texts, the pairs "
    "of words and the edges need."
)


def takes(epochs: tuple[int, int], seconds: tuple[float, float], memory: float, runs: int) -> str:
    """Say what a run may take before it is started: epochs asked for, and passes in all."""
    span = _from_to(*(_roughly(value) for value in seconds))
    source = "no earlier run to measure by" if not runs else "measured on earlier runs here"
    asked, passes = epochs
    more = f" (+ {passes - asked} to learn the graph)" if passes > asked else ""
    return (
        f"{counted(asked, 'epoch')}{more}: about {span} from start to model and "
        f"{gigabytes(memory)} of memory ({source})."
    )


def too_large(memory: float, available: float) -> str:
    """Warn of a run that does not fit."""
    return (
        f"It may need {gigabytes(memory)} of memory, but only {gigabytes(available)} are free: "
        "choose fewer topics."
    )


def gigabytes(size: float) -> str:
    """Write a size of memory with two significant digits."""
    return f"{size / 1e9:.1f} GB" if size >= 9.5e8 else f"{round(size / 1e7) * 10} MB"


def _from_to(low: str, high: str) -> str:
    if low == high:
        return low
    value, _, unit = low.partition(" ")
    shared = high.partition(" ")[2] == unit
    return f"{value} to {high}" if shared else f"{low} to {high}"


def _roughly(seconds: float) -> str:
    """Write a time with as many digits as an estimate has."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 60:
        return f"{round(seconds / 10) * 10} s".replace("60 s", "1 min")
    return duration(round(seconds / 60) * 60).removesuffix(" 00 s").removesuffix(" 00 min")
