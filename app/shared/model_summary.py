"""Summary of a model for its card on Home: texts, largest topics, quality, small map."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import streamlit as st

from ...core.drawing import explorer_strings
from ...core.drawing.links import node_key, word_text
from ...core.drawing.strings import percent
from ...core.model.story import Story
from ...core.model.terms import Terms, counted, terms_of
from ...core.model.topic_model import Run
from ...core.storage.adoption import assumed_rate
from ...core.storage.overlay import OVERLAY_FILE
from ...core.storage.runs import load_run
from ...core.storage.stories import read_stories
from ...core.utils.errors import InputError
from ..components.map_component import MapBox
from ..shell import loaders, resources
from ..shell import strings as shell_strings
from ..shell.loaders import FOLDER, Keys, version_of
from ..workspace import catalog, evaluations
from ..workspace.facets import years_of
from . import strings as shared_strings
from .evaluation_figures import strongest_result, words_alone
from .topic_facts import TopicSizes, topic_sizes

# Topics in the text, general ones after them, and boxes of the small map, in each of which a name
# can be read.
TOPICS, GENERAL, BOXES = 5, 3, 12
# Words of a name on the small map.
BOX_WORDS = 2
# Minimum size of a box relative to the largest.
MIN_SIZE = 0.35
MAX_MODELS = 200


@dataclass(frozen=True)
class ModelSummary:
    """Summary of a model.

    ``topics`` are the largest, with the number of texts in which each is on by itself. ``general``
    are topics of general words (`TopicModel.unclear_topics`) that are larger than one of them.
    """

    documents: int  # texts in which the topics were counted; 0 for a model without texts
    n_topics: int
    n_words: int
    topics: tuple[tuple[str, float], ...]
    has_hierarchy: bool  # whether topics are inside others
    general: tuple[tuple[str, float], ...]
    # Frequent words that have a topic to themselves (`words_alone`).
    words_alone: tuple[str, ...]
    boxes: tuple[MapBox, ...]
    # Whether the boxes are the words of most topics: no topic is larger than another.
    boxes_are_words: bool
    terms: Terms
    # Probability that every topic has by assumption, or None.
    assumed_rate: float | None


_SUMMARY: Keys = {FOLDER: lambda run: version_of(run / "model", "model.json", OVERLAY_FILE)}


@st.cache_data(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=_SUMMARY)
def summary_of(folder: Path) -> ModelSummary | None:
    """Summary of the model in a run's folder; None if it cannot be read."""
    try:
        run = load_run(folder)
        sizes = topic_sizes(run, resources.sound_activations(run))
    except (InputError, OSError):
        # The pages of the model report the error.
        return None
    ranked = largest_topics(run, sizes.size, BOXES)
    n_shown = len(run.displayed_topics)
    are_equal = not sizes.documents and run.are_equally_frequent(run.displayed_topics)
    return ModelSummary(
        documents=sizes.documents,
        n_topics=n_shown,
        n_words=run.network.graph.n_tokens,
        topics=tuple((run.topic_labels[topic], sizes.size[topic]) for topic in ranked[:TOPICS]),
        has_hierarchy=run.has_layers,
        general=tuple(
            (run.topic_labels[topic], sizes.size[topic])
            for topic in _larger_general_topics(run, sizes.size, ranked[:TOPICS])[:GENERAL]
        ),
        words_alone=_words_alone(run) if sizes.documents else (),
        boxes=_word_boxes(run) if are_equal else _boxes(run, sizes, ranked, n_shown),
        boxes_are_words=are_equal,
        terms=terms_of(run.summary),
        assumed_rate=assumed_rate(run.summary),
    )


def doubt_of(folder: Path) -> str:
    """Warning that the model in a run's folder predicts no better than independent words do.

    Empty for other models, and if the model cannot be read. The model is opened as the pages open
    it, so that they need not read it again.
    """
    with suppress(InputError, OSError):
        run = loaders.open_run(folder)
        return run.terms.translated(shell_strings.NO_STRUCTURE) if run.has_no_structure else ""
    return ""


class AssumedRate(NamedTuple):
    """Probability that every topic of a model has by assumption, and what it calls a topic."""

    topic: str
    rate: float


@st.cache_data(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=_SUMMARY)
def assumed_of(folder: Path) -> AssumedRate | None:
    """Assumed rate of the model in a run's folder; None without one, or if it cannot be read.

    The model is opened as the pages open it, so that they need not read it again.
    """
    try:
        run = loaders.open_run(folder)
    except (InputError, OSError):
        return None
    rate = assumed_rate(run.summary)
    return None if rate is None else AssumedRate(run.terms.topic, rate)


def largest_topics(run: Run, size: Sequence[float], count: int) -> list[int]:
    """Displayed topics with the largest sizes; topics of general words come last.

    Each topic counts by itself, so a topic is listed beside the one that it is inside of. Of topics
    with the same name, only the largest is listed.
    """
    found: dict[str, int] = {}
    for topic in sorted(
        run.displayed_topics, key=lambda topic: (topic in run.unclear_topics, -size[topic])
    ):
        found.setdefault(run.topic_labels[topic], topic)
    return [*found.values()][:count]


def _larger_general_topics(run: Run, size: Sequence[float], listed: Sequence[int]) -> list[int]:
    """Displayed topics of general words that are larger than one of those listed."""
    least = min((size[topic] for topic in listed), default=0.0)
    general = run.unclear_topics.intersection(run.displayed_topics).difference(listed)
    return sorted((t for t in general if size[t] > least), key=lambda t: (-size[t], t))


def _words_alone(run: Run) -> tuple[str, ...]:
    corpus, _ = resources.corpus_of(run)
    return () if corpus is None else tuple(words_alone(run, corpus))


def _boxes(run: Run, sizes: TopicSizes, ranked: Sequence[int], n_topics: int) -> tuple[MapBox, ...]:
    """Boxes for the largest topics, each large enough for its name, and one for all others."""
    size = sizes.size
    largest = max((size[topic] for topic in ranked), default=0.0) or 1.0
    short = [_short_name(run, topic) for topic in ranked]
    # Topics with the same first words have their whole names.
    names = [
        name if short.count(name) == 1 else run.topic_labels[topic]
        for name, topic in zip(short, ranked, strict=True)
    ]
    boxes = [
        MapBox(node_key(run, topic), "topic", -1, max(size[topic] / largest, MIN_SIZE),
               name, "", (run.topic_labels[topic], _sized(sizes, topic)))
        for topic, name in zip(ranked, names, strict=True)
    ]  # fmt: skip
    rest = n_topics - len(ranked)
    if rest > 0:
        boxes.append(MapBox("rest:", "rest", -1, MIN_SIZE, f"+{rest}", "", (), rest))
    return tuple(boxes)


def _word_boxes(run: Run) -> tuple[MapBox, ...]:
    """Boxes of the words that are linked with the most displayed topics, with their number."""
    graph = run.network.graph
    is_shown = np.zeros(graph.n_topics, bool)
    is_shown[list(run.displayed_topics)] = True
    child, parent = graph.edge_children(), graph.parent_idx
    tokens = child[(child >= graph.n_topics) & is_shown[parent]] - graph.n_topics
    count = np.bincount(tokens, minlength=graph.n_tokens)
    order = np.argsort(-count, kind="stable")[:BOXES]
    largest = max(int(count[order[0]]), 1) if len(order) else 1
    return tuple(
        MapBox(node_key(run, graph.n_topics + token), "topic", -1,
               max(int(count[token]) / largest, MIN_SIZE), word_text(run.vocabulary[token]),
               "", _hover(run, token, int(count[token])))
        for token in order.tolist() if count[token]
    )  # fmt: skip


def _sized(sizes: TopicSizes, topic: int) -> str:
    size = sizes.size[topic]
    if not sizes.documents:
        return explorer_strings.SIZED_EXPECTED.format(percent=percent(size))
    return explorer_strings.SIZED_COUNTED.format(
        count=f"{size:,.0f}",
        documents=f"{sizes.documents:,}",
        percent=percent(size / sizes.documents),
    )


def _hover(run: Run, token: int, count: int) -> tuple[str, ...]:
    topics = run.terms.translated(counted(f"{count:,}", "topic"))
    return word_text(run.vocabulary[token]), shared_strings.LINKED_WITH.format(topics=topics)


def _short_name(run: Run, topic: int) -> str:
    label = run.topic_labels[topic]
    return label if label != run.made_labels[topic] else " · ".join(label.split(" · ")[:BOX_WORDS])


def result_of(place: catalog.Place) -> str:
    """Sentence on the strongest result of a model; empty without one."""
    with suppress(InputError, OSError):
        found = evaluations.read_evaluations(catalog.workspace(), place.folder)
        known = evaluations.known_figures(place.folder, place.name, found)
        return strongest_result(known.figures, evaluations.known_baseline(found))
    return ""


@st.cache_data(
    max_entries=MAX_MODELS,
    show_spinner=False,
    hash_funcs={FOLDER: lambda corpus: version_of(corpus, "corpus.json")},
)
def years(corpus: Path) -> tuple[int, ...]:
    """First and last year of the texts of a corpus; empty without dates."""
    try:
        return years_of(corpus)
    except (InputError, OSError, ValueError):
        return ()


def stories_by_model() -> dict[str, list[Story]]:
    """Stories with views, by the name of the model, which is unique in a workspace."""
    found: dict[str, list[Story]] = {}
    with suppress(InputError, OSError):
        for story in read_stories(catalog.workspace())[0]:
            if story.views:
                found.setdefault(story.run, []).append(story)
    return found
