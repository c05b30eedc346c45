"""The topics of a run in training, from its last checkpoint, and queries to that model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ...core.data.corpus import Corpus
from ...core.drawing.selection import shown_probability
from ...core.inference.evidence import Evidence
from ...core.inference.infer import infer
from ...core.model.labels import marginals
from ...core.model.network import Network
from ...core.model.overlay import Overlay
from ...core.model.topic_model import Run
from ...core.model.topic_names import NO_WORDS, topic_labels
from ...core.storage.checkpoints import checkpoint_networks
from ...core.storage.runs import read_config
from ...core.utils.errors import InputError
from ...core.utils.lazy import LazyModule
from ..shell import loaders, memory
from ..text.safe_text import markdown_text
from ..workspace import catalog
from ..workspace.runs import Job
from . import strings as shared_strings

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Rows of the table, rows of an answer, and sizes in the line of a topic.
MAX_TOPICS, MAX_ANSWERS, MAX_SIZES = 12, 5, 60
HEIGHT = 300
ASK_WIDTH = 260


@dataclass(frozen=True, eq=False)
class Unfinished:
    """The model of the last checkpoint, with the sizes of its topics in earlier checkpoints."""

    run: Run
    step: int
    documents: int
    # Expected numbers of documents in each checkpoint seen so far, the oldest first, by topic id.
    sizes: tuple[dict[str, float], ...]


@dataclass
class _Course:
    """Sizes of the topics of a run in the checkpoints that the app has read."""

    steps: list[int] = field(default_factory=list)
    sizes: list[dict[str, float]] = field(default_factory=list)

    def add(self, step: int, sizes: dict[str, float]) -> None:
        if not self.steps or step > self.steps[-1]:
            self.steps.append(step)
            self.sizes.append(sizes)
            del self.steps[:-MAX_SIZES], self.sizes[:-MAX_SIZES]


def unfinished_model(job: Job) -> Unfinished | None:
    """The model of a run's last checkpoint; None before the first, or without its corpus."""
    newest = max(job.folder.glob("checkpoint-*.npz"), default=None)
    if newest is None or job.corpus is None:
        return None
    try:
        corpus = loaders.open_corpus(job.corpus)
        return _read(job.folder, newest.name, catalog.stamp(newest), corpus)
    except (InputError, OSError):
        return None


# A few megabytes each, and only the newest of a run is needed.
@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=loaders.AS_STORED)
def _read(folder: Path, name: str, changed: int, _corpus: Corpus) -> Unfinished | None:
    found = checkpoint_networks(folder, _corpus.n_tokens)
    if not found:
        return None
    course = _course_of(folder, catalog.stamp(folder / "start.npz"))
    for step, network in reversed(found):
        course.add(step, _sizes(network, _corpus.n_documents))
    step, network = found[0]
    labels = tuple(topic_labels(network, _corpus.vocabulary))
    run = Run(
        network, _corpus.vocabulary, _corpus.recipe, labels, labels, Overlay(), {},
        folder=folder, config=read_config(folder),
    )  # fmt: skip
    return Unfinished(run, step, _corpus.n_documents, tuple(course.sizes))


@st.cache_resource(max_entries=20, show_spinner=False, hash_funcs={loaders.FOLDER: str})
def _course_of(folder: Path, begun: int) -> _Course:
    return _Course()


def _sizes(network: Network, n_documents: int) -> dict[str, float]:
    prior = marginals(network)[: network.graph.n_topics]
    return dict(zip(network.graph.topic_ids, (n_documents * prior).tolist(), strict=True))


def topic_rows(found: Unfinished) -> pd.DataFrame:
    """The largest topics: name, size, change since the checkpoint before, and sizes so far."""
    now = found.sizes[-1]
    before = found.sizes[-2] if len(found.sizes) > 1 else {}
    ids = found.run.network.graph.topic_ids
    named = {
        topic: label
        for topic, label in zip(ids, found.run.topic_labels, strict=True)
        if label != NO_WORDS
    }
    largest = sorted(named, key=lambda topic: -now[topic])[:MAX_TOPICS]
    rows = [
        (
            named[topic],
            round(now[topic]),
            shared_strings.size_change(now[topic], before.get(topic)),
            [sizes[topic] for sizes in found.sizes if topic in sizes],
        )
        for topic in largest
    ]
    return pd.DataFrame(rows, columns=list(shared_strings.SO_FAR_TABLE.values()))


def answer(run: Run, text: str) -> tuple[list[tuple[str, float]], list[str]]:
    """The most probable topics of a question with their probabilities, and its unknown words."""
    tokens, unknown = run.parse(text)
    if not len(tokens):
        return [], unknown
    posterior = infer(run.network, Evidence(tuple(tokens.tolist()), closed_world=False))
    probability = shown_probability(run, posterior)
    ranked = sorted(probability, key=lambda topic: -probability[topic])[:MAX_ANSWERS]
    return [(run.topic_labels[topic], probability[topic]) for topic in ranked], unknown


def show(job: Job) -> None:
    """Draw the topics so far and the box for a question; the place is kept before the first."""
    found = unfinished_model(job)
    with st.container(key="topics-so-far", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", key="so-far-head"):
            st.markdown(
                f"**{shared_strings.LARGEST_SO_FAR}**",
                help=shared_strings.SO_FAR_HELP,
                width="stretch",
            )
            text = st.text_input(
                shared_strings.SO_FAR_ASK,
                placeholder=shared_strings.SO_FAR_ASK,
                label_visibility="collapsed",
                disabled=found is None,
                width=ASK_WIDTH,
                **memory.lasting(f"so-far-{job.name}"),
            )
        if found is None:
            with st.container(border=True, height=HEIGHT, key="so-far-empty"):
                st.caption(shared_strings.SO_FAR_EMPTY)
            return
        if text.strip():
            with st.container(key="so-far-answer"):
                _show_answer(*answer(found.run, text))
        _show_table(topic_rows(found))


def _show_table(rows: pd.DataFrame) -> None:
    columns = shared_strings.SO_FAR_TABLE
    st.dataframe(
        rows,
        hide_index=True,
        height=HEIGHT,
        key="so-far-table",
        column_config={
            columns["topic"]: st.column_config.TextColumn(width="large"),
            columns["size"]: st.column_config.NumberColumn(format="%,d", width="small"),
            columns["change"]: st.column_config.TextColumn(width="small", alignment="right"),
            columns["course"]: st.column_config.LineChartColumn(y_min=0, width="small"),
        },
    )


def _show_answer(ranked: Sequence[tuple[str, float]], unknown: Sequence[str]) -> None:
    """Draw the ranked topics with bars."""
    if unknown:
        st.caption(markdown_text(shared_strings.so_far_unknown(unknown)))
    if not ranked:
        return
    columns = shared_strings.SO_FAR_ANSWER
    table = pd.DataFrame(ranked, columns=list(columns.values()))
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config={
            columns["topic"]: st.column_config.TextColumn(width="large"),
            columns["probability"]: st.column_config.ProgressColumn(
                format="%.2f", min_value=0.0, max_value=1.0, width="medium"
            ),
        },
    )
