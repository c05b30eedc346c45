"""Overview of the workspace for Home: corpora with their runs, and the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...core.storage.corpora import read_description
from ...core.utils.errors import InputError
from . import catalog, runs
from .catalog import Place
from .runs import Job

Next = Literal["corpus", "train", "watch", "query"]


@dataclass(frozen=True)
class CorpusOverview:
    """Corpus and the runs on it."""

    place: Place | None  # None for runs whose corpus is not in the workspace
    # Both are 0 if the corpus is damaged.
    documents: int
    words: int
    error: str  # reason why the corpus cannot be read, or ""
    jobs: tuple[Job, ...]  # runs, the newest first
    # Models that can be queried, the newest first; includes the model of the sample.
    models: tuple[Place, ...]

    @property
    def live(self) -> tuple[Job, ...]:
        """Runs on which a process works or waits."""
        return tuple(job for job in self.jobs if job.is_live)


def corpora_with_runs() -> list[CorpusOverview]:
    """Every corpus with its runs, then the runs whose corpus is missing."""
    places = catalog.corpora()
    found = runs.list_jobs(catalog.workspace() / "runs")
    by_corpus: dict[Path | None, list[Job]] = {}
    known = {place.folder.resolve() for place in places}
    for job in found:
        home = job.corpus.resolve() if job.corpus else None
        by_corpus.setdefault(home if home in known else None, []).append(job)
    result = [_overview_of(place, by_corpus.get(place.folder.resolve(), [])) for place in places]
    if None in by_corpus:
        lost = by_corpus[None]
        result.append(CorpusOverview(None, 0, 0, "", tuple(lost), _models_of(lost)))
    return result


def can_ask(found: Sequence[CorpusOverview]) -> bool:
    """Whether there is a model to query; without any corpus, models of missing corpora count."""
    with_corpus = [entry for entry in found if entry.place]
    return any(entry.models for entry in with_corpus or found)


def next_step(found: list[CorpusOverview]) -> Next:
    """Next step of a user: add a corpus, train, watch the training, or query."""
    if can_ask(found):
        return "query"
    if any(entry.live for entry in found):
        return "watch"
    return "train" if any(entry.place for entry in found) else "corpus"


def _overview_of(place: Place, found: list[Job]) -> CorpusOverview:
    try:
        description = read_description(place.folder)
        counts = int(description["documents"]), int(description["vocabulary"])
        error = ""
    except (InputError, KeyError, TypeError, ValueError) as problem:
        counts, error = (0, 0), str(problem)
    own = catalog.models(place) if place.read_only else []
    models = (*_models_of(found), *(model for model in own if model.read_only))
    return CorpusOverview(place, *counts, error, tuple(found), models)


def _models_of(found: list[Job]) -> tuple[Place, ...]:
    return tuple(Place(job.name, job.folder) for job in found if job.has_model)
