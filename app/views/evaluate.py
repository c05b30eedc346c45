"""Evaluate: bounds, likelihood, predictions and coherence of a model, next to a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from orrery.app.charts.chart_theme import specification
from orrery.app.evaluation import evaluation_charts, evaluation_jobs
from orrery.app.evaluation.evaluation_figures import (
    figures_table,
    held_out_by,
    in_order,
    label_sentence,
    ladder_sentence,
    only_shown,
    topic_figures,
    verdict,
    words_alone,
)
from orrery.app.evaluation.evaluation_jobs import EvaluatedModel, Evaluation
from orrery.app.frame import empty_states, page
from orrery.app.graph.links import node_key, node_name
from orrery.app.panels import system_comparison, topic_card
from orrery.app.session import address, choice, loaders, memory, resources
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common
from orrery.app.words import evaluate as words
from orrery.app.words import graph as graph_words
from orrery.app.workspace import catalog
from orrery.app.workspace.catalog import Place
from orrery.core.corpus import Corpus

if TYPE_CHECKING:
    from orrery.core.run import Run

POLL_SECONDS = 1.0
REFUSED = "evaluate-refused"
MOST_COMPARED = 4
TOPICS_HEIGHT = 460


def render() -> None:
    """Draw the page."""
    place = choice.model_place()
    page.headline(words.TITLE, words.SENTENCE)
    if place is None:
        empty_states.no_model(words.EMPTY)
        return
    corpus = loaders.current_corpus()
    others = _compared(place)
    evaluations = _evaluations(place)
    known = _known(place, evaluations)
    _controls(place, corpus, known, evaluations)
    models = [known, *(_known(other, _evaluations(other)) for other in others)]
    evaluated = [model for model in models if model.figures]
    if len(evaluated) < len(models):
        missing = [markdown_text(model.name) for model in models if not model.figures]
        st.caption(words.not_evaluated(missing) if others else words.NO_FIGURES)
    if len({held_out_by(chosen.folder) for chosen in (place, *others)}) > 1:
        st.caption(words.OTHER_SPLIT)
    rival = evaluation_jobs.known_rival(evaluations)
    beside = [*evaluated, rival] if rival else evaluated
    said = verdict(known.figures, rival)
    if said:
        st.markdown(f"**{markdown_text(said)}**", help=words.VERDICT_HELP)
    if evaluated:
        _ladder(evaluated)
        _predictions(evaluated, beside)
    run, home = loaders.current_run(), choice.corpus_place()
    if run is not None and corpus is not None and home is not None:
        _topics(run, home.folder, corpus)
    if evaluated:
        _table(beside)
    if corpus is not None and home is not None:
        system_comparison.show(home.folder)


def _evaluations(place: Place) -> dict[str, Evaluation]:
    return evaluation_jobs.read_evaluations(catalog.workspace(), place.folder)


def _known(place: Place, evaluations: Mapping[str, Evaluation]) -> EvaluatedModel:
    return evaluation_jobs.known_figures(place.folder, place.name, evaluations)


def _compared(place: Place) -> list[Place]:
    """Choose other models of the corpus, kept in the address."""
    others = {other.name: other for other in catalog.models(choice.corpus_place())}
    # A model whose corpus is gone, chosen by hand, is none of this corpus.
    if others.pop(place.name, None) is None or not others:
        return []
    chosen = [name for name in address.get_list("with") if name in others][:MOST_COMPARED]
    if memory.recall("with") != chosen:
        memory.remember("with", chosen)
    st.multiselect(
        words.COMPARE,
        list(others),
        key="with",
        placeholder=words.COMPARE_HINT,
        max_selections=MOST_COMPARED,
        on_change=lambda: address.put_list("with", memory.recall("with")),
        help=words.COMPARE_NOTE,
        width=520,
    )
    return [others[name] for name in chosen]


def _controls(
    place: Place, corpus: Corpus | None, known: EvaluatedModel, found: Mapping[str, Evaluation]
) -> None:
    """Buttons that start an evaluation, and a sign of one that is going."""
    for evaluation in found.values():
        if evaluation.state == "failed":
            page.show_error(words.failed(evaluation.message))
    for refusal in memory.recall(REFUSED, ()):
        page.show_error(refusal)
    memory.forget(REFUSED)
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate"):
        if known.figures.get("documents"):
            count = int(known.figures["documents"])
            text = words.evaluated_on(count, is_whole=known.is_whole)
            st.caption(text, width="content")
        for kind in _offered(corpus, known, found):
            _evaluate_button(kind, place, is_going=found[kind].state == "going")
    going = frozenset(kind for kind, work in found.items() if work.state == "going")
    if going:
        st.fragment(_wait, run_every=POLL_SECONDS)(place, going)


def _offered(
    corpus: Corpus | None, known: EvaluatedModel, found: Mapping[str, Evaluation]
) -> list[str]:
    """Kinds of evaluation that would tell more, or are going."""
    kinds = [] if known.is_whole else ["figures"]
    has_labels = corpus is not None and len(_labels(corpus)) > 1
    if has_labels and found["labels"].state != "done":
        kinds.append("labels")
    has_rival = "done" in (found["rival"].state, found["rival-labels"].state)
    if known.figures.get("documents") and not has_rival:
        kinds.append("rival-labels" if found["labels"].state == "done" else "rival")
    going = [kind for kind, work in found.items() if work.state == "going"]
    return list(dict.fromkeys([*kinds, *going]))


def _labels(corpus: Corpus) -> tuple[str, ...]:
    place = choice.corpus_place()
    return () if place is None else resources.facets(place.folder, corpus).labels


def _evaluate_button(kind: str, place: Place, *, is_going: bool) -> None:
    """Button that starts an evaluation, which others that are going do not hinder.

    It acts in a callback: a script that is cut short by the next look for news has forgotten who
    clicked.
    """
    label, explained = words.EVALUATIONS[kind]
    st.button(
        label,
        key=f"evaluate-{kind}",
        help=explained,
        disabled=is_going,
        on_click=_begin,
        args=(place, kind),
    )


def _begin(place: Place, kind: str) -> None:
    try:
        evaluation_jobs.begin(catalog.workspace(), place.folder, kind)
    except page.FAILURES as error:
        memory.remember(REFUSED, (common.failure(error),))


def _wait(place: Place, were_going: frozenset[str]) -> None:
    """Look whether an evaluation is done."""
    with page.failures_shown():
        _draw_wait(place, were_going)


def _draw_wait(place: Place, were_going: frozenset[str]) -> None:
    found = _evaluations(place)
    going = [work for work in found.values() if work.state == "going"]
    if {kind for kind, work in found.items() if work.state == "going"} != were_going:
        st.rerun()
    longest = max(going, key=lambda evaluation: evaluation.seconds)
    with st.container(horizontal=True, vertical_alignment="center", key="watch"):
        # Labels come before the bounds and a rival after them; neither reports progress.
        if 0.0 < longest.share < 1.0:
            st.progress(longest.share, words.going(longest.seconds), width=520)
        else:
            st.caption(words.going(longest.seconds), width="content")
        st.button(
            words.STOP,
            key="evaluate-stop",
            on_click=evaluation_jobs.stop,
            args=(catalog.workspace(), place.folder),
        )


def _ladder(models: Sequence[EvaluatedModel]) -> None:
    table = evaluation_charts.ladder_table(models)
    if not len(table):
        return
    st.subheader(words.LADDER, anchor=False, help=words.RUNG_HELP)
    if len(models) == 1:
        st.markdown(markdown_text(ladder_sentence(models[0].figures)))
    chart = evaluation_charts.ladder_chart(table)
    st.vega_lite_chart(specification(chart), key="ladder", alt=words.LADDER_ALT)


def _predictions(models: Sequence[EvaluatedModel], beside: Sequence[EvaluatedModel]) -> None:
    """Draw the shares of all compared models; sentences only for a single one."""
    table = evaluation_charts.prediction_table(beside)
    if not len(table):
        return
    st.subheader(words.PREDICTION, anchor=False, help=words.PREDICTION_HELP)
    if len(models) == 1:
        st.markdown(markdown_text(label_sentence(models[0].figures)))
    chart = evaluation_charts.prediction_chart(table)
    st.vega_lite_chart(specification(chart), key="predictions", alt=words.PREDICTION_ALT)
    st.caption(words.CONTROL_NOTE)


def _topics(run: Run, folder: Path, corpus: Corpus) -> None:
    """Bars of all topics, in an order that can be chosen."""
    if run.vocabulary != corpus.vocabulary:
        st.caption(words.OTHER_CORPUS)
        return
    if resources.has_changed(run, folder, corpus):
        st.caption(words.CHANGED)
        return
    changed = tuple(
        map(catalog.stamp, (run.folder / "model" / "model.json", folder / "corpus.json"))
    )
    key = (str(run.folder), changed, str(folder))
    topics = only_shown(run, _topic_figures(*key, run, corpus))
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.subheader(words.TOPICS, anchor=False, help=words.TOPICS_HELP, width="content")
        address.restore("order", "npmi", tuple(words.ORDERS))
        order = st.segmented_control(
            words.ORDER,
            list(words.ORDERS),
            key="order",
            format_func=words.ORDERS.__getitem__,
            required=True,
            on_change=address.keep,
            args=("order",),
            label_visibility="collapsed",
            width="content",
        )
    if not len(topics):
        st.caption(words.NO_TOPIC_WORDS)
        return
    with st.container(height=TOPICS_HEIGHT, border=True, key="topic-bars"):
        chart = evaluation_charts.topic_chart(in_order(topics, str(order)))
        st.vega_lite_chart(specification(chart), key="topics", alt=words.TOPICS_ALT)
    alone = _words_alone(*key, run.hidden_topics, run, corpus)
    if alone:
        st.caption(words.alone([markdown_text(word) for word in alone]))
    if run.n_hidden:
        st.caption(graph_words.hidden_topics(run.n_hidden))
    _card(run, in_order(topics, "label")["id"].tolist())


def _card(run: Run, codes: list[str]) -> None:
    """Choose one of the topics that have a bar, and show its card."""
    topics = run.network.graph.topic_numbers(codes).tolist()
    number = {node_key(run, topic): topic for topic in topics}
    options = ("", *number)
    chosen = address.restore("sel", "", options)
    st.selectbox(
        words.CARD,
        options,
        key="sel",
        format_func=lambda key: node_name(run, number[key]) if key else words.CARD_HINT,
        on_change=lambda: address.put("sel", memory.recall("sel")),
        width=520,
    )
    if chosen in number:
        topic_card.show_node(run, number[chosen], "")


@st.cache_data(max_entries=8, show_spinner=common.WORKING)
def _topic_figures(
    run_folder: str, changed: tuple[int, ...], corpus_folder: str, _run: Run, _corpus: Corpus
) -> pd.DataFrame:
    return topic_figures(_run, _corpus)


@st.cache_data(max_entries=8, show_spinner=common.WORKING)
def _words_alone(
    run_folder: str,
    changed: tuple[int, ...],
    corpus_folder: str,
    hidden: frozenset[int],
    _run: Run,
    _corpus: Corpus,
) -> list[str]:
    return words_alone(_run, _corpus)


def _table(models: Sequence[EvaluatedModel]) -> None:
    with st.expander(words.TABLE_TITLE, expanded=len(models) > 1, key="all-figures"):
        table = figures_table(models)
        columns = {
            name: st.column_config.TextColumn(alignment="right") for name in table.columns[1:]
        }
        columns[words.FIGURE_COLUMN] = st.column_config.TextColumn(help=words.TABLE_HELP)
        st.dataframe(table, hide_index=True, key="figures", column_config=columns, width="content",
                     height="content")  # fmt: skip
