"""Figure 6: stochastic and full-batch training on abstracts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from orrery.core.inference.infer import infer_bounds
from orrery.core.inference.kernel_inputs import Bound
from orrery.core.model.network import Network
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import Optimizer, TrainingOptions
from tests.benchmarks.arxiv import arxiv_split
from tests.benchmarks.curves import at, follow
from tests.benchmarks.data import Split
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log


@dataclass(frozen=True)
class Course:
    """A way of training, on how many abstracts and words, for how long."""

    title: str
    optimizer: Optimizer
    bound: Bound
    documents: int
    words: int
    passes: int


COURSES = {
    "paper": Course("The paper's training, Jensen bound", "paper", "jensen", 10_000, 1_000, 5),
    "ours": Course("Orrery: Adam, exact bound", "adam", "exact", 10_000, 1_000, 5),
}
QUICK_DOCUMENTS, QUICK_PASSES = 5_000, 1
# Documents a step: all, a tenth (the paper's 50,000 of 430,213 and 483,448), and a hundredth.
SHARES = {"full batch": 1, "a tenth": 10, "a hundredth": 100}
# Pairs of equal numbers of updates, the paper's X markers.
UPDATES = (1, 2, 3, 5, 10, 30)
ABOUT = """The paper trains on DBLP (430,213 abstracts) and Yelp (483,448 reviews), which are not
available; this benchmark uses 10,000 arXiv abstracts. Bounds are for 500 held-out abstracts, each
in the bound that is trained; seconds are for training alone, on the machine named below. The paper
shows curves without numbers. It states that stochastic training converges much faster than
full-batch training, and that the two differ little at equal numbers of weight updates. With the
paper's step size ρ = 0.01, one update moves the leak of a word that occurs in a share p of the
documents by ρ/p of its distance to the optimum, and converges only if ρ/p < 2; the vocabulary
therefore has the 1,000 most frequent words.
"""


def run(settings: Settings) -> Figures:
    """Train in both ways with every size of a step."""
    return {name: _run(course, settings) for name, course in COURSES.items()}


def _run(course: Course, settings: Settings) -> dict[str, Any]:
    split = arxiv_split(settings.pick(course.documents, QUICK_DOCUMENTS), course.words)
    graph = propose_graph(split.training_corpus(), seed=split.seed)
    passes = settings.pick(course.passes, QUICK_PASSES)
    curves = {}
    for name, share in SHARES.items():
        log.info("%s, %s", course.title, name)
        options = TrainingOptions(
            bound=course.bound,
            optimizer=course.optimizer,
            epochs=passes,
            batch_size=-(-len(split.train) // share),
            seed=split.seed,
        )
        marks = {*UPDATES, *(share * whole for whole in range(1, passes + 1))}
        evaluate = _evaluate(split, course.bound)
        curves[name] = follow(split, graph, options, marks, evaluate)
    return {
        "documents": len(split.train),
        "words": graph.n_tokens,
        "topics": graph.n_topics,
        "edges": graph.n_edges,
        "passes": passes,
        "control": split.control(),
        "curves": curves,
    }


def _evaluate(split: Split, bound: Bound) -> Any:
    def evaluate(network: Network) -> float:
        return float(infer_bounds(network, split.corpus, split.test, bound=bound).mean())

    return evaluate


def show(figures: Figures) -> str:
    """Each way of training: by passes with seconds, then by updates."""
    parts = [ABOUT]
    for name, course in figures.items():
        parts += [
            f"**{COURSES[name].title}**, {number(course['documents'], 0)} abstracts, "
            f"{number(course['words'], 0)} words, {course['topics']} topics, "
            f"{number(course['edges'], 0)} edges; "
            f"independent words (baseline): {number(course['control'])}.\n",
            _by_passes(course) + "\n",
            "The same runs at equal numbers of weight updates:\n",
            _by_updates(course) + "\n",
        ]
    return "\n".join(parts)


def _by_passes(course: dict[str, Any]) -> str:
    header = ["passes", *[f"{name}, after s" for name in course["curves"]]]
    rows = []
    for whole in range(course["passes"] + 1):
        points = [at(points, "passes", whole) for points in course["curves"].values()]
        cells = [
            point and f"{number(point['bound'])}, {number(point['seconds'], 0)} s"
            for point in points
        ]
        rows.append([str(whole), *[cell or number(None) for cell in cells]])
    return table(header, rows)


def _by_updates(course: dict[str, Any]) -> str:
    rows = []
    for updates in UPDATES:
        points = [at(points, "updates", updates) for points in course["curves"].values()]
        if sum(point is not None for point in points) > 1:
            rows.append([str(updates), *[number(point and point["bound"]) for point in points]])
    return table(["updates", *course["curves"]], rows)


PART = Part("figure6", "Figure 6: stochastic and full-batch training", 8, run, show)
