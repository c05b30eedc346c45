"""Part "Taken together": the most probable states of all topics, and how probable the words are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, prod
from typing import NamedTuple

import numpy as np
import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing.links import whole
from ....core.inference.most_probable import MostProbable
from ....core.inference.posterior import Posterior
from ....core.inference.thresholds import (
    MANY_WORDS,
    MIN_BEST,
    MIN_STATE,
    MIN_UNLISTED,
    ON_THRESHOLD,
)
from ....core.inference.words_together import TextsWithTopics, texts_with_topics, times_expected
from ....core.model.topic_model import Run
from ....core.utils.types import FloatArray
from ...shared.answers import Answer, bare_posterior_of, most_probable_of
from ...shell import resources
from ...shell.loaders import AS_STORED
from ...text.safe_text import markdown_text
from . import strings

MAX_OPEN = 4


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part.

    Nothing for a long text, whose topics have too many combinations, or without shown topics; no
    states where the posterior is estimated.
    """
    posterior = answer.posterior
    if len(posterior.evidence.present) > MANY_WORDS:
        return
    if not {whole(run, topic) for topic in posterior.local.topics.tolist()} - run.hidden_topics:
        return
    with st.container(gap="xsmall", key="taken-together"):
        if posterior.is_exact:
            _show_states(run, posterior)
        _show_probability(run, posterior, has_texts=has_texts)


def _show_states(run: Run, posterior: Posterior) -> None:
    translated, found = run.terms.translated, most_probable_of(run.network, posterior.evidence)
    lines = shown_states(run, found)
    st.markdown(
        f"**{translated(explorer_strings.TOGETHER_TITLE)}**",
        help=translated(explorer_strings.TOGETHER_HELP),
    )
    if all_are_improbable(lines):
        st.markdown(translated(strings.no_best_state(found.missed)))
        return
    # Without digits, another line adds nothing.
    lines = [lines[0], *(line for line in lines[1:] if line.share >= MIN_STATE)]
    first, closed_world = lines[0], posterior.evidence.closed_world
    figures = [strings.joined_share(line.share, is_bound=line.is_bound) for line in lines]
    names = _names(run, first.on)
    is_unlikely = first.share < ON_THRESHOLD and not first.is_bound
    sentence = strings.most_probable(
        names, figures[0], closed_world=closed_world, is_unlikely=is_unlikely
    )
    st.markdown(markdown_text(translated(sentence)))
    others = [
        f"- {markdown_text(figure)} "
        + markdown_text(strings.change(
            _names(run, line.on - first.on), _names(run, first.on - line.on)))
        for line, figure in zip(lines[1:], figures[1:], strict=True)
    ]  # fmt: skip
    if others:
        st.markdown("\n".join(others))
    if not found.is_exact:
        st.caption(translated(strings.search_ended(found.missed)))


def _show_probability(run: Run, posterior: Posterior, *, has_texts: bool) -> None:
    """Show how often the model expects the query, also compared with the texts of the corpus."""
    times = times_expected(
        posterior,
        lambda evidence: bare_posterior_of(run.network, evidence).log_probability,
    )
    often = strings.how_often(exp(posterior.log_probability), times, has_texts=has_texts)
    tokens = posterior.evidence.present if times is not None and has_texts else ()
    compared = compared_with_texts(run, tokens)
    st.caption(run.terms.translated(f"{often} {compared}".strip()))


class ShownState(NamedTuple):
    """Shown topics that are on in one or more states, and the sum of their probabilities."""

    on: frozenset[int]
    share: float
    is_bound: bool  # whether other such states are not among those found


def shown_states(run: Run, found: MostProbable) -> list[ShownState]:
    """States of the shown topics, the most probable first.

    States that differ only in hidden topics, or in topics joined with others, are one.
    """
    shares: dict[frozenset[int], list[float]] = {}
    for number, share in enumerate(found.probability.tolist()):
        shown = {whole(run, topic) for topic in found.on(number)} - run.hidden_topics
        shares.setdefault(frozenset(shown), []).append(share)
    parts = Counter(whole(run, topic) for topic in found.topics.tolist())
    n_hidden = sum(count for topic, count in parts.items() if topic in run.hidden_topics)
    unlisted = 1.0 - float(found.probability.sum())
    lines = [
        ShownState(
            on,
            sum(each),
            unlisted >= MIN_UNLISTED
            and len(each) < 2**n_hidden * prod(2 ** parts[topic] - 1 for topic in on),
        )
        for on, each in shares.items()
    ]
    return sorted(lines, key=lambda line: -line.share)


def all_are_improbable(lines: Sequence[ShownState]) -> bool:
    """Whether the probability of every state is known and below `MIN_BEST`."""
    return not any(line.is_bound or line.share >= MIN_BEST for line in lines)


def _names(run: Run, topics: frozenset[int]) -> list[str]:
    return [run.topic_labels[topic] for topic in sorted(topics)]


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=False, hash_funcs=AS_STORED)
def _texts(run: Run) -> TextsWithTopics | None:
    corpus, _ = resources.corpus_of(run)
    stored = resources.sound_activations(run)
    if corpus is None or stored is None:
        return None
    return texts_with_topics(run.network, corpus.to_csr(), stored.probability, stored.rows)


@st.cache_data(max_entries=MAX_OPEN * MANY_WORDS, show_spinner=False, hash_funcs=AS_STORED)
def _usual_bits(run: Run, n_words: int) -> FloatArray:
    texts = _texts(run)
    return np.zeros(0) if texts is None else texts.usual_bits(n_words)


def compared_with_texts(run: Run, tokens: Sequence[int]) -> str:
    """Sentence that compares words with random words of the texts of the corpus; "" without."""
    texts = _texts(run)
    if texts is None or len(tokens) < 2:
        return ""
    found = texts.compare(tokens, _usual_bits(run, len(tokens)))
    return "" if found is None else found.sentence
