"""Models for the evaluation of answers: the sample, 20 Newsgroups, arXiv and a medical network."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.data.corpus import Corpus
from orrery.core.model.network import Network
from orrery.core.model.topic_model import Run
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.runs import load_run
from tests.benchmarks import abstracts
from tests.benchmarks.alone import orrery
from tests.benchmarks.corpora import news20
from tests.benchmarks.data import MissingData, binary_corpus
from tests.benchmarks.markdown import number
from tests.benchmarks.part import Figures, Settings
from tests.benchmarks.results import measure_sets
from tests.benchmarks.symptoms import symptom_run

NEWS20_TOPICS, NEWS20_EPOCHS = "200,40,8", 15
# The first trains for minutes, the second for most of an hour.
QUICK = ("sample", "medical")


@dataclass(frozen=True, eq=False)
class Subject:
    """A model with documents to ask it about.

    Attributes
    ----------
    title : str
    about : str
        Its size and how it was made.
    network : Network
    corpus : Corpus
        Documents over the network's words.
    """

    title: str
    about: str
    network: Network
    corpus: Corpus


def measure_subjects(
    part: str, measure: Callable[[str, Subject], dict[str, Any]], settings: Settings
) -> Figures:
    """`measure_sets` of the models."""
    return measure_sets(
        part, SUBJECTS, QUICK, lambda name: measure(name, subject(name, settings)), settings
    )


@cache
def subject(name: str, settings: Settings) -> Subject:
    """Model of this name, from its finished run where one is named."""
    title, make = SUBJECTS[name]
    runs = dict(settings.runs)
    if name in runs:
        return _of_run(title, runs[name])
    return make(title, settings)


def _of_run(title: str, folder: Path) -> Subject:
    run = load_run(folder)
    epochs = run.config["settings"]["training"]["epochs"]
    how = f"trained for {epochs} epochs of mean field"
    return _described(title, how, run, load_corpus(run.corpus_path))


def _described(title: str, how: str, run: Run, corpus: Corpus) -> Subject:
    graph = run.network.graph
    about = (
        f"{number(graph.n_topics, 0)} topics, {number(graph.n_tokens, 0)} words, "
        f"{number(graph.n_edges, 0)} edges, {number(corpus.n_documents, 0)} documents, {how}"
    )
    return Subject(title, about, run.network, corpus)


def _sample(title: str, settings: Settings) -> Subject:
    if not (SAMPLE_DATA / "run" / "model").is_dir():
        raise MissingData("the sample has no trained model; see sample_data/README.md")
    return _of_run(title, SAMPLE_DATA / "run")


def _news20(title: str, settings: Settings) -> Subject:
    corpus = news20()
    epochs = settings.pick(NEWS20_EPOCHS, 1)
    with tempfile.TemporaryDirectory() as folder:
        stored, place = Path(folder, "corpus"), Path(folder, "run")
        save_corpus(corpus, stored)
        options = ["--topics", NEWS20_TOPICS, "--epochs", epochs]
        orrery("train", stored, "--out", place, *options)
        return _of_run(title, place)


def _arxiv(title: str, settings: Settings) -> Subject:
    with tempfile.TemporaryDirectory() as folder:
        abstracts.make_run(Path(folder), settings.pick(abstracts.FULL, abstracts.QUICK))
        return _of_run(title, Path(folder, "runs", abstracts.NAME))


def _medical(title: str, settings: Settings) -> Subject:
    run = symptom_run()
    # A row of the source is a disease with all its symptoms: a document of these words.
    net = run.network.graph
    presence = np.zeros((net.n_topics, net.n_tokens), np.int64)
    into_words = net.edge_children() >= net.n_topics
    presence[net.parent_idx[into_words], net.edge_children()[into_words] - net.n_topics] = 1
    corpus = binary_corpus(presence, run.vocabulary)
    return _described(title, "adopted unchanged, one document per disease", run, corpus)


SUBJECTS: dict[str, tuple[str, Callable[[str, Settings], Subject]]] = {
    "sample": ("The sample", _sample),
    "news20": ("20 Newsgroups", _news20),
    "arxiv": ("arXiv", _arxiv),
    "medical": ("The medical network", _medical),
}
