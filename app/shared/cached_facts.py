"""Facts about a model that take a moment to compute, cached for all visitors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from ...core.data.columns import date_columns
from ...core.data.corpus import Corpus
from ...core.data.groups import Grouping, Step, group_columns, read_grouping
from ...core.drawing.links import word_text
from ...core.evaluation.group_topics import GroupTopics, topics_of_groups
from ...core.evaluation.repeated_passages import Passage, passages_of_topics
from ...core.model.topic_model import Run
from ...core.naming import language_model
from ...core.storage.activations import Activations
from ...core.utils.errors import InputError
from ..shell import loaders, resources
from ..shell import strings as shell_strings
from ..shell.loaders import AS_SHOWN, AS_STORED
from ..workspace.runs import corpus_folder
from .examples import Example, example_queries, examples_of
from .topic_facts import TopicSizes, topic_sizes, topic_usage

# Models, and words or prompts, in each cache.
MAX_MODELS, MAX_WORDS = 8, 200
# Words that complete a query. The page sends them to the browser each time, which takes long for
# all words of the largest models; rarer words are still found as words near a typed one.
MAX_COMPLETIONS = 20_000


@dataclass(frozen=True)
class Suggestion:
    """An example query as a person reads it."""

    word: str
    topics: tuple[int, ...]  # one or two senses of the word, as displayed
    queries: tuple[str, ...]  # for each sense


@st.cache_data(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING, hash_funcs=AS_SHOWN)
def examples(run: Run) -> list[Suggestion]:
    """Example queries of a model, as a person would type them."""
    return [_suggestion(run.vocabulary, example) for example in example_queries(run)]


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=AS_STORED)
def completions(run: Run) -> list[str]:
    """Words that complete a query: all, or the most frequent in the order of the vocabulary."""
    prior = run.prior[run.network.graph.n_topics :]
    return [run.vocabulary[word] for word in np.sort(np.argsort(-prior)[:MAX_COMPLETIONS])]


@st.cache_data(max_entries=MAX_WORDS, show_spinner=False, hash_funcs=AS_SHOWN)
def examples_of_word(run: Run, token: int) -> list[Suggestion]:
    """Queries for pairs of senses of a word; empty if the model knows one sense only."""
    return [_suggestion(run.vocabulary, example) for example in examples_of(run, token)]


def _suggestion(vocabulary: tuple[str, ...], example: Example) -> Suggestion:
    def text(token: int) -> str:
        return word_text(vocabulary[token])

    return Suggestion(
        word=text(example.token),
        topics=example.topics,
        queries=tuple(" ".join(map(text, query)) for query in example.queries),
    )


def usage(run: Run) -> TopicSizes | None:
    """In how many documents of the model's corpus each topic is on; None if that is unknown."""
    stored = topic_sizes(run, resources.sound_activations(run))
    if stored.documents:
        return stored
    folder = corpus_folder(run.folder)
    if folder is None or not (folder / "corpus.json").is_file():
        return None
    return _usage(run, folder)


@st.cache_data(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _usage(run: Run, folder: Path) -> TopicSizes | None:
    try:
        corpus = loaders.open_corpus(folder)
    except InputError:
        return None
    # The folder may have another corpus than the one that the model was trained on.
    return topic_usage(run.network, corpus) if corpus.vocabulary == run.vocabulary else None


@st.cache_data(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=AS_SHOWN)
def counted(run: Run) -> dict[int, int]:
    """Number of documents in which each topic is on; empty if it is not stored with the model."""
    sizes = topic_sizes(run, resources.sound_activations(run))
    return dict(enumerate(map(int, sizes.size))) if sizes.documents else {}


def passages(run: Run) -> dict[int, Passage]:
    """Repeated passage of each topic that has one; empty without texts or stored activations."""
    with suppress(InputError):
        corpus, _ = resources.corpus_of(run)
        if corpus is not None:
            return _passages(run, run.corpus_path, corpus)
    return {}


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _passages(run: Run, folder: Path, _corpus: Corpus) -> dict[int, Passage]:
    stored = resources.sound_activations(run)
    return {} if stored is None else passages_of_topics(_corpus, stored)


def naming_prompt(run: Run, topics: Sequence[int], stored: Activations | None) -> str:
    """Prompt for a language model to name topics; it does not contain their current names."""
    corpus, _ = resources.corpus_of(run)
    return _prompt(run, tuple(topics), corpus is not None, corpus, stored)


@st.cache_data(max_entries=MAX_WORDS, show_spinner=False, hash_funcs=AS_STORED)
def _prompt(
    run: Run,
    topics: tuple[int, ...],
    has_corpus: bool,
    _corpus: Corpus | None,
    _stored: Activations | None,
) -> str:
    return language_model.naming_prompt(run, topics, _corpus, _stored)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def columns(folder: Path, _corpus: Corpus) -> tuple[list[str], list[str]]:
    """Columns of values, and columns of dates, by which documents can be grouped."""
    return group_columns(_corpus.documents), date_columns(_corpus.documents)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=AS_STORED)
def grouping(
    folder: Path, _corpus: Corpus, column: str | None = None, step: Step | None = None
) -> Grouping:
    """Group of every document; by default of the most suitable column."""
    return read_grouping(_corpus.documents, column, step)


def topics(run: Run, corpus: Corpus, column: str, step: Step | None) -> GroupTopics | None:
    """Topics in groups of the run's corpus; None if the activations are not stored."""
    return _topics(run, run.corpus_path, column, step, corpus)


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=shell_strings.WORKING, hash_funcs=AS_SHOWN)
def _topics(
    run: Run, folder: Path, column: str, step: Step | None, _corpus: Corpus
) -> GroupTopics | None:
    stored = resources.activations(run.folder)
    if stored is None:
        return None
    found = grouping(folder, _corpus, column, step)
    return topics_of_groups(stored.probability, stored.rows, found, run.hidden_topics, run.shown_as)
