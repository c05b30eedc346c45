"""Panel "Why?": explanation of the selected topic, or else of the most probable one.

It shows the main reasons in two sentences and a few bars, the probability of the topic without
each word, and, folded, all reasons and the topics that are correlated with this one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ....core.drawing import explorer_strings
from ....core.drawing.links import node_key, node_name, parent_links, whole
from ....core.drawing.selection import (
    shown_probability,
    surest_part,
    topic_estimate,
    topic_probability,
)
from ....core.drawing.strings import figures_of, is_unsure
from ....core.inference.explanation import Omission, explain, leave_one_out
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.screening import screened_off
from ....core.inference.thresholds import ON_THRESHOLD
from ....core.model.topic_model import Run
from ...shared.answers import bare_posterior_of
from ...text.safe_text import markdown_text
from . import strings, tornado
from .reasons import (
    better_without,
    circular_parents,
    figures_html,
    main_reason,
    reasons,
    screened_sentences,
    short_reasons,
    waterfall,
    without_each,
    without_html,
)

MAX_PAIRS = 2
# Probabilities between which a topic is uncertain; pairs with other topics are not mentioned.
OPEN_BETWEEN = (0.1, 0.9)
# A pair is mentioned if its joint probability differs from independence by this factor, and by more
# than this number of standard errors.
CLEAR_RATIO = 1.5
CLEAR_ERRORS = 3.0


@dataclass(frozen=True)
class Pair:
    """Another topic, and the joint probability that both topics are on."""

    topic: int
    joint: Estimate
    apart: float  # joint probability if the two topics were independent
    shared: tuple[int, ...]  # present tokens that are children of both topics


def pairs_of(run: Run, posterior: Posterior, topic: int) -> list[Pair]:
    """Topics that are clearly correlated with a topic of the local model, the strongest first.

    Topics that are hidden, joined with others, or parents or children of the topic are left out.
    """
    known = topic_estimate(posterior)
    if posterior.samples is None or not _is_open(known[topic]):
        return []
    # A correlation with a parent or a child is obvious.
    graph = run.network.graph
    near = {topic, *graph.parents(topic).tolist(), *graph.children(topic).tolist()}
    joint, error = posterior.together_with(topic)
    pairs = [
        Pair(
            other,
            Estimate(float(joint[place]), float(error[place])),
            known[topic].value * estimate.value,
            _shared_words(run, posterior, topic, other),
        )
        for place, (other, estimate) in enumerate(known.items())
        if _is_open(estimate) and _is_shown_alone(run, other) and other not in near
    ]
    clear = [pair for pair in pairs if _is_clear(pair, known[topic], known[pair.topic])]
    clear.sort(key=lambda pair: -abs(pair.joint.value - pair.apart))
    return clear[:MAX_PAIRS]


def _is_open(known: Estimate) -> bool:
    return OPEN_BETWEEN[0] < known.value < OPEN_BETWEEN[1]


def _is_shown_alone(run: Run, topic: int) -> bool:
    return (
        topic not in run.hidden_topics
        and whole(run, topic) == topic
        and run.parts_of(topic) == [topic]
    )


def _is_clear(pair: Pair, one: Estimate, other: Estimate) -> bool:
    error = math.hypot(pair.joint.error, one.value * other.error, other.value * one.error)
    least, most = sorted((pair.joint.value, pair.apart))
    return most - least > CLEAR_ERRORS * error and most >= CLEAR_RATIO * least


def _shared_words(run: Run, posterior: Posterior, topic: int, other: int) -> tuple[int, ...]:
    n_topics = run.network.graph.n_topics
    return tuple(
        token
        for token in posterior.evidence.present
        if {topic, other} <= {link.parent for link in parent_links(run.network, n_topics + token)}
    )


def show(
    run: Run,
    posterior: Posterior,
    selected: str,
    palette: str,
    before: Posterior | None = None,
    *,
    key: str = "",
) -> Callable[[], None]:
    """Draw the panel, or nothing if the local model has no topic.

    ``before`` is the posterior without clamped topics, if any topic is clamped. ``key`` ends the
    keys of a second panel on a page.

    Returns
    -------
    callable
        Draws the probability of the topic without each word, in its place in the panel. This
        needs one inference for each word, so draw the rest of the page first.
    """
    shown_topic = _explained_topic(run, posterior, before or posterior, selected)
    if shown_topic is None:
        return lambda: None
    topic = surest_part(run, posterior, shown_topic)
    known = topic_estimate(posterior)[topic]
    evidence = posterior.evidence
    clamped = "on" if topic in evidence.on else "off" if topic in evidence.off else ""
    messages = explain(run.network, posterior, topic)
    with st.container(gap="xsmall", key=f"why{key}"):
        label = markdown_text(run.topic_labels[topic])
        # Topics displayed as one are on or off together, as in the picture.
        shown = shown_probability(run, posterior).get(shown_topic, known.value)
        about = run.terms.translated(strings.TITLE_HELP)
        st.subheader(
            _title(shown).format(label=label, figures=figures_of(Estimate(shown, known.error))),
            anchor=False,
            help=about,
        )
        if topic != shown_topic:
            st.caption(
                explorer_strings.PART_OF.format(name=markdown_text(run.topic_labels[shown_topic]))
            )
        free = topic_estimate(before).get(topic) if before else None
        prior = float(run.prior[topic])
        said = partial(main_reason, run, messages, known, prior, clamped, free)
        reason = st.empty()
        reason.markdown(markdown_text(run.terms.translated(said())))
        shown_sum = None if clamped else known
        alt, bars = run.terms.translated(strings.CHART_ALT), st.empty()
        short = partial(short_reasons, run, messages, prior, shown_sum)
        first = short()
        bars.vega_lite_chart(waterfall(first, palette), key=f"why-chart{key}", alt=alt)
        below = st.container()
        with st.expander(explorer_strings.ALL_FIGURES, key=f"all-figures{key}"):
            st.html(figures_html(reasons(run, messages, shown_sum)))
            notes = [*circular_parents(run, posterior, messages), *_pairs(run, posterior, topic)]
            if notes:
                noted = run.terms.translated(" ".join(notes))
                st.markdown(markdown_text(noted))
            in_figures = st.container()
            if not clamped:
                tornado.show(run, posterior, topic, palette, key=key)
    # No word changes a clamped topic.
    if clamped:
        return lambda: None

    def show_without() -> None:
        omissions = leave_one_out(run.network, posterior, topic, bare_posterior_of)
        # Sentence and bars were made from messages, and the list must not contradict them.
        if elsewhere := better_without(omissions, known):
            reason.markdown(markdown_text(run.terms.translated(said(elsewhere))))
            table = short(elsewhere)
            if not table.equals(first):
                bars.vega_lite_chart(waterfall(table, palette), key=f"why-joint{key}", alt=alt)
        _show_without(run, posterior, topic, palette, omissions, below, in_figures, key)

    return show_without


def _title(probability: float) -> str:
    if is_unsure(probability):
        return explorer_strings.TITLE_UNSURE
    return explorer_strings.TITLE_ON if probability > ON_THRESHOLD else explorer_strings.TITLE_OFF


def _pairs(run: Run, posterior: Posterior, topic: int) -> list[str]:
    n_topics = run.network.graph.n_topics
    return [
        strings.pair(
            run.topic_labels[pair.topic],
            [node_name(run, n_topics + token) for token in pair.shared],
            pair.joint,
            pair.apart,
        )
        for pair in pairs_of(run, posterior, topic)
    ]


def _show_without(
    run: Run,
    posterior: Posterior,
    topic: int,
    palette: str,
    omissions: Sequence[Omission],
    place: DeltaGenerator,
    in_figures: DeltaGenerator,
    key: str,
) -> None:
    """List the probability of the topic without each word, unless there is one word or too many.

    ``in_figures`` gets the sentences about words that add nothing.
    """
    rows = without_each(run, omissions)
    if not rows:
        return
    screened = screened_off(run.network, posterior, topic, omissions, bare_posterior_of)
    if screened:
        sentences = screened_sentences(run, topic, screened)
        lines = [f"- {markdown_text(run.terms.translated(each))}" for each in sentences]
        in_figures.markdown("\n".join(lines))
    known = topic_estimate(posterior)[topic]
    title = (
        explorer_strings.LEFT_OUT_WORDS
        if all(row.is_word for row in rows)
        else explorer_strings.LEFT_OUT
    )
    with place, st.container(gap="xsmall", key=f"left-out{key}"):
        st.markdown(f"**{run.terms.translated(title)}**")
        st.caption(strings.left_out_note(known))
        st.html(without_html(rows, known, palette))


def _explained_topic(run: Run, posterior: Posterior, free: Posterior, selected: str) -> int | None:
    """Return the selected topic, else the most probable shown topic.

    The latter is the most probable if nothing is clamped, so that a switch does not change it.
    """
    for topic in topic_probability(posterior) | shown_probability(run, posterior):
        if node_key(run, topic) == selected:
            return topic
    shown = shown_probability(run, free)
    return max(shown, key=shown.__getitem__, default=None)
