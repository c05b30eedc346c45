"""Agreement of main topics with known labels, beside LDA and NMF, and beside published figures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.decomposition import NMF, LatentDirichletAllocation

from orrery import NoisyOrTopics
from orrery.core.baselines.registry import find_system, make_system
from orrery.core.evaluation.clusters import cluster_figures
from orrery.core.evaluation.coherence import diversity, mean_npmi, top_words
from orrery.core.evaluation.hierarchy import TOP_WORDS
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.main_topics import main_topics
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import MissingData
from tests.benchmarks.labelled_sets import LABELLED, LabelledSet
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.results import earlier_rows, measure_sets

SEED = 0
SIZES = ("50", "100", "default")
QUICK_TOPICS = 8
NPMI_WORDS = 10
OURS = "orrery"
# Systems of `orrery compare`, and NMF.
SYSTEMS = {
    OURS: "**Orrery**",
    "sklearn-lda": "LDA, scikit-learn",
    "nmf": "NMF, scikit-learn",
    "tomotopy-lda": "LDA, tomotopy",
    "tomotopy-hlda": "hLDA, tomotopy",
}
# Baselines that choose their number of topics are run with the default sizes only.
FREE = ("tomotopy-hlda",)
# A set, a number of topics and a system; each is run, stored and shown by itself.
RUNS = tuple(
    f"{name}:{size}:{system}"
    for name in LABELLED
    for size in SIZES
    for system in SYSTEMS
    if system not in FREE or size == "default"
)
QUICK_RUNS = tuple(run for run in RUNS if run.startswith("bbc:50:"))
ABOUT = f"""Each document is assigned one topic: Orrery's by `main_topics`
(`orrery.core.inference.main_topics`), the others' by the largest share. The topics are then
clusters of documents, compared with labels that no system has seen. *Chance* is the purity of
shuffled clusters of the same sizes: more topics raise it. NMI has the arithmetic mean, P1 is the
harmonic mean of purity and inverse purity. TD is the share of different words among the {TOP_WORDS}
top words of all topics; NPMI uses the {NPMI_WORDS} top words in the documents of the set. All
systems are trained here with one seed and the defaults of their packages, Orrery on the presence of
words, the others on their counts; *default* is Orrery's own number of topics, which the others get
too, except hLDA, which finds its own. Seconds are processor time of training, and are higher while
other programs run. The results of tomotopy differ between runs.
"""


DECOMPOSITIONS: dict[str, Callable[[int], Any]] = {
    "sklearn-lda": lambda n_topics: LatentDirichletAllocation(
        n_topics, learning_method="online", random_state=SEED
    ),
    "nmf": lambda n_topics: NMF(n_topics, init="nndsvda", random_state=SEED),
}


class Fitted(NamedTuple):
    """What a system made of a set."""

    words: list[Int64Array]  # all words of each topic, the strongest first, at least `TOP_WORDS`
    clusters: npt.NDArray[Any]  # main topic of each test document
    seconds: float


def run(settings: Settings) -> Figures:
    """Run what is asked for, a run or all of a set and a size; the figures of the others stay."""
    rows = earlier_rows(PART.name, settings)

    def measure(name: str) -> dict[str, Any]:
        key, size, system = name.split(":")
        given = LABELLED[key].documents(is_quick=settings.quick)
        if system == OURS:
            fitted = _fit_ours(given, size, settings)
        else:
            n_topics = _n_topics(size, rows.get(f"{key}:{size}:{OURS}"), settings)
            fitted = _fit_other(system, given, n_topics)
        rows[name] = _row(fitted, given)
        return rows[name]

    return measure_sets(PART.name, RUNS, QUICK_RUNS, measure, settings)


def _n_topics(size: str, ours: dict[str, Any] | None, settings: Settings) -> int:
    if size != "default":
        return settings.pick(int(size), QUICK_TOPICS)
    if ours is None:
        raise MissingData("the default number of topics is that of Orrery; run orrery first")
    return int(ours["topics"])


def _row(fitted: Fitted, given: LabelledSet) -> dict[str, Any]:
    labels = given.corpus.documents["label"].to_numpy(dtype=object)[given.test]
    row = {
        "topics": len(fitted.words),
        "seconds": fitted.seconds,
        "diversity": diversity([own[:TOP_WORDS] for own in fitted.words]),
        "npmi": mean_npmi(given.corpus.to_csr(), [own[:NPMI_WORDS] for own in fitted.words]),
        **asdict(cluster_figures(fitted.clusters, labels, seed=SEED)),
    }
    return row


def _fit_ours(given: LabelledSet, size: str, settings: Settings) -> Fitted:
    """Train our model, with as many topics in one layer or by default."""
    corpus, begin = given.corpus, time.process_time()
    sizes = None if size == "default" else [settings.pick(int(size), QUICK_TOPICS)]
    model = NoisyOrTopics(n_topics=sizes, random_state=SEED).fit(corpus.subset(given.train))
    seconds = time.process_time() - begin
    network = model.network_
    activations = infer_activations(network, corpus, given.test)
    clusters = main_topics(network, corpus.to_csr()[given.test], activations)
    return Fitted(top_words(network, corpus.vocabulary, TOP_WORDS), clusters, seconds)


def _fit_other(name: str, given: LabelledSet, n_topics: int) -> Fitted:
    train, test = (sparse.csr_array(given.counts[rows]) for rows in (given.train, given.test))
    begin = time.process_time()
    if name in DECOMPOSITIONS:
        fitted = DECOMPOSITIONS[name](n_topics).fit(train)
        topics, infer = fitted.components_, fitted.transform
    else:
        if not find_system(name).is_installed():
            raise MissingData("its package is not installed")
        system = make_system(name, n_topics, SEED).fit(train)
        topics, infer = system.topics(), system.infer
    seconds = time.process_time() - begin
    parts = np.array_split(np.arange(test.shape[0]), 1 + test.shape[0] // 2_000)
    clusters = np.concatenate([infer(test[part]).argmax(axis=1) for part in parts])
    return Fitted(heaviest(topics), clusters, seconds)


def heaviest(topics: npt.NDArray[Any]) -> list[Int64Array]:
    """Numbers of the words with the largest weights in each topic, at most `TOP_WORDS`."""
    order = np.argsort(-topics, axis=1, kind="stable")[:, :TOP_WORDS]
    return [
        own[weights[own] > 0.0].astype(np.int64) for own, weights in zip(order, topics, strict=True)
    ]


def show(figures: Figures) -> str:
    """Table with a row for each set, number of topics and system, then published figures."""
    header = ["set", "system", "topics", "purity", "chance", "NMI", "P1", "TD", "NPMI", "seconds"]
    lines, before = [], ""
    for name, row in figures["rows"].items():
        group, _, system = name.rpartition(":")
        cells = [
            number(row[key], 3)
            for key in ("purity", "purity_chance", "nmi", "p1", "diversity", "npmi")
        ]
        first = _title(group) if group != before else ""
        counts = [number(row["topics"], 0), *cells, number(row["seconds"], 0)]
        lines.append([first, SYSTEMS[system], *counts])
        before = group
    sets = "\n".join(f"- {source.title}: {source.about}." for source in LABELLED.values())
    return f"{ABOUT}\n{sets}\n\n{table(header, lines)}\n\n{_published()}"


def _title(group: str) -> str:
    key, _, size = group.partition(":")
    return f"{LABELLED[key].title}, {size}"


def missing(figures: Figures | None) -> list[str]:
    """Sets and sizes that the table lacks, with the systems if it has others."""
    rows, lacks = figures["rows"] if figures else {}, dict[str, list[str]]()
    for name in RUNS:
        if name not in rows:
            group, _, system = name.rpartition(":")
            lacks.setdefault(group, []).append(SYSTEMS[system].strip("*"))
    return [
        f"{_title(group)} topics" + (f" ({', '.join(own)})" if f"{group}:{OURS}" in rows else "")
        for group, own in lacks.items()
    ]


SOURCE = "Vuong et al. (2025, HiCOT, Findings of ACL, doi 10.18653/v1/2025.findings-acl.715)"
# Purity, NMI and TD (15 words) at 50 topics. They are copied from a public repository that repeats
# the paper's table; the table itself was not compared.
PUBLISHED = {
    "20 Newsgroups": {
        "ETM": (0.347, 0.319, 0.704), "ECRTM": (0.560, 0.524, 0.964),
        "FASTopic": (0.583, 0.528, 0.980), "NeuroMax": (0.623, 0.570, 0.912),
        "HiCOT": (0.626, 0.583, 0.852),
    },
    "SearchSnippets": {
        "ECRTM": (0.711, 0.419, 0.998), "FASTopic": (0.793, 0.497, 0.519),
        "NeuroMax": (0.743, 0.427, 0.920), "HiCOT": (0.818, 0.478, 1.000),
    },
    "GoogleNews": {
        "ETM": (0.366, 0.560, 0.916), "ECRTM": (0.396, 0.615, 0.987),
        "FASTopic": (0.252, 0.570, 0.235), "NeuroMax": (0.359, 0.590, 1.000),
        "HiCOT": (0.465, 0.657, 0.920),
    },
}  # fmt: skip
CAUTION = f"""**Published figures at 50 topics**, from {SOURCE}, as a public repository repeats
them; they were not run here, and the repository was not compared with the paper. **Pre-processing
and division decide**: for FASTopic on 20 Newsgroups another source reports a purity of .416 instead
of .583, and BERTopic only has figures on other pre-processing there (.352), so compare within one
table. FASTopic, NeuroMax and HiCOT use pre-trained vectors; Orrery, LDA and NMF only have the words
of the set.
"""


def _published() -> str:
    lines = [
        [name if place == 0 else "", system, *(number(value, 3) for value in values)]
        for name, systems in PUBLISHED.items()
        for place, (system, values) in enumerate(systems.items())
    ]
    return f"{CAUTION}\n{table(['set', 'system', 'purity', 'NMI', 'TD'], lines)}\n"


PART = Part("agreement", "Agreement with labels", 150, run, show)
