"""Part "Taken together": the most probable states of all topics, and how probable the words are."""

from __future__ import annotations

from math import exp

import streamlit as st

from ....core.drawing.links import whole
from ....core.inference.evidence import Evidence
from ....core.inference.most_probable import MostProbable
from ....core.model.topic_model import Run
from ...shared.answers import MANY_WORDS, Answer, bare_posterior_of, most_probable_of
from ...text.safe_text import markdown_text
from . import strings


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part; nothing for a long text, whose topics have too many combinations."""
    posterior = answer.posterior
    if len(posterior.evidence.present) > MANY_WORDS or not posterior.is_exact:
        return
    found = most_probable_of(run.network, posterior.evidence)
    lines = shown_states(run, found)
    with st.container(gap="xsmall", key="taken-together"):
        st.markdown(f"**{strings.TOGETHER_TITLE}**", help=strings.TOGETHER_HELP)
        best, probability = lines[0]
        st.markdown(markdown_text(strings.most_probable(_names(run, best), probability)))
        others = [
            f"- {markdown_text(strings.share(share))} "
            + markdown_text(strings.change(_names(run, on - best), _names(run, best - on)))
            for on, share in lines[1:]
        ]
        if others:
            st.markdown("\n".join(others))
        if not found.is_exact:
            st.caption(strings.search_ended(found.missed))
        times = times_expected(run, answer)
        st.caption(strings.how_often(exp(posterior.log_probability), times, has_texts=has_texts))


def shown_states(run: Run, found: MostProbable) -> list[tuple[frozenset[int], float]]:
    """Shown topics that are on in each state, with its probability.

    States that differ only in hidden topics, or in topics joined with others, are one.
    """
    lines: dict[frozenset[int], float] = {}
    for number, share in enumerate(found.probability.tolist()):
        shown = {whole(run, topic) for topic in found.on(number)} - run.hidden_topics
        on = frozenset(shown)
        lines[on] = lines.get(on, 0.0) + share
    return list(lines.items())


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
