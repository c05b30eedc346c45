"""Facts about a model that take a moment to compute, cached for all visitors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ...core.data.columns import date_columns
from ...core.data.corpus import Corpus
from ...core.data.groups import Grouping, Step, group_columns, read_grouping
from ...core.drawing.links import word_text
from ...core.evaluation.group_topics import GroupTopics, topics_of_groups
from ...core.model.topic_model import Run
from ...core.naming import language_model
from ...core.storage.activations import Activations
from ...core.utils.errors import InputError
from ..shell import loaders, resources
from ..shell import strings as shell_strings
from ..workspace import catalog
from ..workspace.runs import corpus_folder
from .examples import Example, example_queries, examples_of
from .topic_facts import Usage, topic_sizes, topic_usage

# Models, and words or prompts, in each cache.
MAX_MODELS, MAX_WORDS = 8, 200


@dataclass(frozen=True)
class Suggestion:
    """An example query as a person reads it."""

    word: str
    topics: tuple[int, ...]  # one or two senses of the word, as displayed
    queries: tuple[str, ...]  # for each sense


def examples(run: Run) -> list[Suggestion]:
    """Example queries of a model, as a person would type them."""
    return _examples(str(run.folder), _version(run), run)


def examples_of_word(run: Run, token: int) -> list[Suggestion]:
    """Queries for pairs of senses of a word; empty if the model knows one sense only."""
    return _examples_of_word(str(run.folder), _version(run), token, run)


def _version(run: Run) -> tuple[object, ...]:
    """Key for caches: the model, and which topics people hid or merged."""
    return catalog.stamp(run.folder / "model" / "model.json"), *run.as_shown


def usage(run: Run) -> Usage | None:
    """In how many documents of the model's corpus each topic is on; None if that is unknown."""
    stored = topic_sizes(run, _stored(run))
    if stored.documents:
        return Usage(tuple(map(int, stored.size)), stored.documents)
    folder = corpus_folder(run.folder)
    if folder is None or not (folder / "corpus.json").is_file():
        return None
    changed = catalog.stamp(run.folder / "model" / "model.json")
    return _usage(str(run.folder), (changed, catalog.stamp(folder / "corpus.json")), folder, run)


def counted(run: Run) -> dict[int, int]:
    """Number of documents in which each topic is on; empty if it is not stored with the model."""
    return _counted(str(run.folder), _version(run), run)


@st.cache_data(show_spinner=False, max_entries=MAX_MODELS)
def _counted(folder: str, version: tuple[object, ...], _run: Run) -> dict[int, int]:
    sizes = topic_sizes(_run, _stored(_run))
    return dict(enumerate(map(int, sizes.size))) if sizes.documents else {}


def naming_prompt(run: Run, topics: Sequence[int], stored: Activations | None) -> str:
    """Prompt for a language model to name topics; it does not contain their current names."""
    changed = catalog.stamp(run.folder / "model" / "model.json")
    corpus, _ = resources.corpus_of(run)
    key = (str(run.folder), changed, tuple(topics), corpus is not None)
    return _prompt(key, run, corpus, stored)


def _stored(run: Run) -> Activations | None:
    try:
        return resources.activations(run.folder)
    except InputError:
        return None


@st.cache_data(show_spinner=shell_strings.WORKING, max_entries=MAX_MODELS)
def _examples(folder: str, version: tuple[object, ...], _run: Run) -> list[Suggestion]:
    return [_suggestion(_run.vocabulary, example) for example in example_queries(_run)]


@st.cache_data(show_spinner=False, max_entries=MAX_WORDS)
def _examples_of_word(
    folder: str, version: tuple[object, ...], token: int, _run: Run
) -> list[Suggestion]:
    return [_suggestion(_run.vocabulary, example) for example in examples_of(_run, token)]


def _suggestion(vocabulary: tuple[str, ...], example: Example) -> Suggestion:
    def text(token: int) -> str:
        return word_text(vocabulary[token])

    return Suggestion(
        word=text(example.token),
        topics=example.topics,
        queries=tuple(" ".join(map(text, query)) for query in example.queries),
    )


@st.cache_data(show_spinner=shell_strings.WORKING, max_entries=MAX_MODELS)
def _usage(folder: str, changed: tuple[int, int], _corpus: Path, _run: Run) -> Usage | None:
    try:
        corpus = loaders.open_corpus(_corpus)
    except InputError:
        return None
    # The folder may have another corpus than the one that the model was trained on.
    if corpus.vocabulary != _run.vocabulary:
        return None
    return topic_usage(_run.network, corpus)


@st.cache_data(show_spinner=False, max_entries=MAX_WORDS)
def _prompt(
    key: tuple[str, int, tuple[int, ...], bool],
    _run: Run,
    _corpus: Corpus | None,
    _stored: Activations | None,
) -> str:
    return language_model.naming_prompt(_run, key[2], _corpus, _stored)


def columns(folder: Path, corpus: Corpus) -> tuple[list[str], list[str]]:
    """Columns of values, and columns of dates, by which documents can be grouped."""
    return _columns(str(folder), catalog.stamp(folder / "corpus.json"), corpus)


def grouping(
    folder: Path, corpus: Corpus, column: str | None = None, step: Step | None = None
) -> Grouping:
    """Group of every document; by default of the most suitable column."""
    return _grouping(str(folder), catalog.stamp(folder / "corpus.json"), column, step, corpus)


def topics(run: Run, corpus: Corpus, column: str, step: Step | None) -> GroupTopics | None:
    """Topics in groups of the run's corpus; None if the activations are not stored."""
    folder = run.corpus_path
    changed = (
        catalog.stamp(run.folder / "model" / "model.json"),
        catalog.stamp(folder / "corpus.json"),
        *run.as_shown,
    )
    return _topics(str(run.folder), changed, column, step, run, corpus)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING)
def _columns(folder: str, changed: int, _corpus: Corpus) -> tuple[list[str], list[str]]:
    return group_columns(_corpus.documents), date_columns(_corpus.documents)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=False)
def _grouping(
    folder: str, changed: int, column: str | None, step: Step | None, _corpus: Corpus
) -> Grouping:
    return read_grouping(_corpus.documents, column, step)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING)
def _topics(
    folder: str,
    changed: tuple[object, ...],
    column: str,
    step: Step | None,
    _run: Run,
    _corpus: Corpus,
) -> GroupTopics | None:
    stored = resources.activations(_run.folder)
    if stored is None:
        return None
    found = grouping(_run.corpus_path, _corpus, column, step)
    hidden, shown_as = _run.hidden_topics, _run.shown_as
    return topics_of_groups(stored.probability, stored.rows, found, hidden, shown_as)
