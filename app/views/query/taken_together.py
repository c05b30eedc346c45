"""Part "Taken together": the most probable states of all topics, and how probable the words are."""

from __future__ import annotations

from collections import Counter
from math import exp, prod
from typing import NamedTuple

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing.links import whole
from ....core.inference.evidence import Evidence
from ....core.inference.most_probable import MostProbable
from ....core.inference.thresholds import MANY_WORDS, MIN_UNLISTED
from ....core.model.topic_model import Run
from ...shared.answers import Answer, bare_posterior_of, most_probable_of
from ...text.safe_text import markdown_text
from . import strings


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part.

    Nothing for a long text, whose topics have too many combinations, or without shown topics.
    """
    posterior, translated = answer.posterior, run.terms.translated
    if len(posterior.evidence.present) > MANY_WORDS or not posterior.is_exact:
        return
    if not {whole(run, topic) for topic in posterior.local.topics.tolist()} - run.hidden_topics:
        return
    found = most_probable_of(run.network, posterior.evidence)
    lines = shown_states(run, found)
    with st.container(gap="xsmall", key="taken-together"):
        st.markdown(
            f"**{translated(explorer_strings.TOGETHER_TITLE)}**",
            help=translated(explorer_strings.TOGETHER_HELP),
        )
        first, closed_world = lines[0], posterior.evidence.closed_world
        figures = [strings.joined_share(line.share, is_bound=line.is_bound) for line in lines]
        names = _names(run, first.on)
        sentence = strings.most_probable(names, figures[0], closed_world=closed_world)
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
        times = times_expected(run, answer)
        often = strings.how_often(exp(posterior.log_probability), times, has_texts=has_texts)
        st.caption(translated(often))


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


def _names(run: Run, topics: frozenset[int]) -> list[str]:
    return [run.topic_labels[topic] for topic in sorted(topics)]


def times_expected(run: Run, answer: Answer) -> float | None:
    """Probability of the present words, by the product of the probability of each alone.

    None for one word, a whole text, or a query with other evidence.
    """
    evidence = answer.posterior.evidence
    is_plain = evidence == Evidence(evidence.present, closed_world=False, unknown=evidence.unknown)
    if len(evidence.present) < 2 or not is_plain:
        return None
    alone = sum(
        bare_posterior_of(run.network, Evidence((token,), closed_world=False)).log_probability
        for token in evidence.present
    )
    return exp(min(answer.posterior.log_probability - alone, 700.0))
