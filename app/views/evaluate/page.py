"""The Evaluate page: bounds, likelihood, predictions and coherence of models and baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.drawing import strings as drawing_strings
from ....core.drawing.links import node_key, node_name
from ....core.evaluation.hierarchy import hierarchy_figures, topic_tree
from ....core.model.topic_model import Run
from ....core.utils.read_only import is_read_only
from ...charts.theme import specification
from ...shared import strings as shared_strings
from ...shared import topic_card
from ...shared.evaluation_figures import (
    AGREEMENT,
    HIERARCHY,
    WORDS,
    figures_table,
    gap_sentence,
    held_out_by,
    in_order,
    label_sentence,
    layers_table,
    likelihood_sentence,
    metric_sentences,
    only_shown,
    strongest_result,
    topic_figures,
    verdict,
    words_alone,
)
from ...shell import address, choice, empty_states, loaders, memory, page, resources
from ...shell import strings as shell_strings
from ...shell.loaders import AS_SHOWN, AS_STORED
from ...text.safe_text import markdown_text
from ...workspace import catalog
from ...workspace import evaluations as evaluation_jobs
from ...workspace.catalog import Place
from ...workspace.evaluations import EvaluatedModel, Evaluation
from . import charts, comparison, run_match, stability, strings

POLL_SECONDS = 1.0
REFUSED = "evaluate-refused"
MAX_COMPARED = 4
TOPICS_HEIGHT = 460


def render() -> None:
    """Draw the page."""
    place = choice.model_place()
    page.headline(shared_strings.EVALUATE_TITLE, strings.SENTENCE)
    if place is None:
        empty_states.no_model(strings.EMPTY)
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
        st.caption(strings.not_evaluated(missing) if others else strings.NO_FIGURES)
    if len({held_out_by(chosen.folder) for chosen in (place, *others)}) > 1:
        st.caption(strings.OTHER_SPLIT)
    baseline = evaluation_jobs.known_baseline(evaluations)
    beside = [*evaluated, baseline] if baseline else evaluated
    shares = {model.name: model.figures.get(WORDS[0]) for model in evaluated}
    text = strings.compared(shares) or strongest_result(known.figures, baseline)
    if text:
        st.markdown(f"**{markdown_text(text)}**", help=strings.VERDICT_HELP)
    if evaluated:
        _predictions(evaluated, beside, text)
        _agreement(known)
        _ladder(evaluated)
    run, home = loaders.current_run(), choice.corpus_place()
    if run is not None and corpus is not None and home is not None:
        _topics(run, home.folder, corpus)
    if run is not None:
        stability.show(place, run)
        run_match.show(run, others)
    if evaluated:
        _table(beside)
    if corpus is not None and home is not None:
        comparison.show(home.folder)


def _evaluations(place: Place) -> dict[str, Evaluation]:
    return evaluation_jobs.read_evaluations(catalog.workspace(), place.folder)


def _known(place: Place, evaluations: Mapping[str, Evaluation]) -> EvaluatedModel:
    return evaluation_jobs.known_figures(place.folder, place.name, evaluations)


def _compared(place: Place) -> list[Place]:
    """Other models of the corpus to compare with, as chosen; kept in the URL."""
    others = {other.name: other for other in catalog.models(choice.corpus_place())}
    # A model whose corpus is missing does not belong to this corpus.
    if others.pop(place.name, None) is None or not others:
        return []
    chosen = address.restore_list("with", others, MAX_COMPARED)
    st.multiselect(
        strings.COMPARE,
        list(others),
        key="with",
        placeholder=strings.COMPARE_HINT,
        max_selections=MAX_COMPARED,
        on_change=address.keep_list,
        args=("with",),
        help=strings.COMPARE_NOTE,
        width=520,
    )
    return [others[name] for name in chosen]


def _controls(
    place: Place, corpus: Corpus | None, known: EvaluatedModel, found: Mapping[str, Evaluation]
) -> None:
    """Draw the buttons that start an evaluation, and the progress of live evaluations."""
    for evaluation in found.values():
        if evaluation.state == "failed":
            page.show_error(strings.failed(evaluation.message))
    for refusal in memory.recall(REFUSED, ()):
        page.show_error(refusal)
    memory.forget(REFUSED)
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate"):
        if known.figures.get("documents"):
            count = int(known.figures["documents"])
            text = shared_strings.evaluated_on(count, is_whole=known.is_whole)
            st.caption(text, width="content")
        for kind in _offered(corpus, known, found):
            _evaluate_button(kind, place, is_going=found[kind].state == "going")
    going = frozenset(kind for kind, work in found.items() if work.state == "going")
    if going:
        st.fragment(_wait, run_every=POLL_SECONDS)(place, going)


def _offered(
    corpus: Corpus | None, known: EvaluatedModel, found: Mapping[str, Evaluation]
) -> list[str]:
    """Kinds of evaluation that are not done yet, or are going."""
    kinds = [] if known.is_whole else ["figures"]
    has_labels = corpus is not None and len(_labels(corpus)) > 1
    # Evaluations before the main topics were compared lack the agreement.
    if has_labels and "purity" not in found["labels"].figures:
        kinds.append("labels")
    has_baseline = "done" in (found["rival"].state, found["rival-labels"].state)
    if known.figures.get("documents") and not has_baseline:
        kinds.append("rival-labels" if found["labels"].state == "done" else "rival")
    going = [kind for kind, work in found.items() if work.state == "going"]
    return list(dict.fromkeys([*kinds, *going]))


def _labels(corpus: Corpus) -> tuple[str, ...]:
    place = choice.corpus_place()
    return () if place is None else resources.facets(place.folder, corpus).labels


def _evaluate_button(kind: str, place: Place, *, is_going: bool) -> None:
    """Draw a button that starts an evaluation.

    It uses a callback, since the next poll may interrupt the script before it acts on the click.
    """
    label, explained = strings.EVALUATIONS[kind]
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
        memory.remember(REFUSED, (shell_strings.failure(error),))


@page.failures_shown()
def _wait(place: Place, were_going: frozenset[str]) -> None:
    """Show the progress, or the error that occurs."""
    found = _evaluations(place)
    going = [work for work in found.values() if work.state == "going"]
    if {kind for kind, work in found.items() if work.state == "going"} != were_going:
        st.rerun()
    longest = max(going, key=lambda evaluation: evaluation.seconds)
    with st.container(horizontal=True, vertical_alignment="center", key="watch"):
        # Only the evaluation of the bounds reports progress, not the classifier or the baseline.
        if 0.0 < longest.share < 1.0:
            st.progress(longest.share, strings.going(longest.seconds), width=520)
        else:
            st.caption(strings.going(longest.seconds), width="content")
        if not is_read_only():
            st.button(
                strings.STOP,
                key="evaluate-stop",
                on_click=evaluation_jobs.stop,
                args=(catalog.workspace(), place.folder),
            )


def _ladder(models: Sequence[EvaluatedModel]) -> None:
    table = charts.ladder_table(models)
    if not len(table):
        return
    is_sampled = any("log_likelihood" in model.figures for model in models)
    explained = f"{strings.RUNG_HELP} {strings.SAMPLED_HELP}" if is_sampled else strings.RUNG_HELP
    st.subheader(strings.LADDER, anchor=False, help=explained)
    if len(models) == 1:
        st.markdown(markdown_text(likelihood_sentence(models[0].figures)))
    chart = charts.ladder_chart(table)
    st.vega_lite_chart(specification(chart), key="ladder", alt=strings.LADDER_ALT)


def _predictions(
    models: Sequence[EvaluatedModel], beside: Sequence[EvaluatedModel], headline: str
) -> None:
    """Draw the shares of all compared models, and for a single model sentences on them."""
    table = charts.prediction_table(beside)
    if not len(table):
        return
    st.subheader(strings.PREDICTION, anchor=False, help=strings.PREDICTION_HELP)
    if len(models) == 1:
        other = next((model for model in beside if model not in models), None)
        sentences = (label_sentence(models[0].figures, other), verdict(models[0].figures, other))
        for sentence in sentences:
            if sentence and sentence != headline:
                st.markdown(markdown_text(sentence))
    chart = charts.prediction_chart(table)
    st.vega_lite_chart(specification(chart), key="predictions", alt=strings.PREDICTION_ALT)
    st.caption(strings.BASELINE_NOTE)


def _topics(run: Run, folder: Path, corpus: Corpus) -> None:
    """Draw bars of all topics in a chosen order."""
    if run.vocabulary != corpus.vocabulary:
        st.caption(strings.OTHER_CORPUS)
        return
    if resources.has_changed(run, folder, corpus):
        st.caption(strings.CHANGED)
        return
    topics = only_shown(run, _topic_figures(run, folder, corpus))
    with page.spread_row():
        st.subheader(strings.TOPICS, anchor=False, help=strings.TOPICS_HELP, width="content")
        order = page.choose("order", strings.ORDER, strings.ORDERS, is_labelled=False)
    if not len(topics):
        st.caption(strings.NO_TOPIC_WORDS)
        return
    with st.container(height=TOPICS_HEIGHT, border=True, key="topic-bars"):
        chart = charts.topic_chart(in_order(topics, order))
        st.vega_lite_chart(specification(chart), key="topics", alt=strings.TOPICS_ALT)
    alone = _words_alone(run, folder, corpus)
    if alone:
        st.caption(shared_strings.words_alone([markdown_text(word) for word in alone]))
    if run.n_hidden:
        st.caption(drawing_strings.hidden_topics(run.n_hidden))
    _card(run, in_order(topics, "label")["id"].tolist())
    if run.network.graph.n_layers() > 1:
        _hierarchy(*_hierarchy_figures(run, folder, corpus))


def _agreement(known: EvaluatedModel) -> None:
    """Write the agreement of main topics and labels, once it is evaluated."""
    sentences = metric_sentences(known.figures, AGREEMENT)
    if not sentences:
        return
    st.subheader(strings.AGREEMENT, anchor=False, help=strings.AGREEMENT_HELP)
    st.markdown(strings.agreement(known.figures["labelled"], known.figures["clusters"]))
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def _hierarchy(figures: dict[str, Any], layers: list[dict[str, Any]]) -> None:
    """Write how parents relate to their children, and a table with a row for each layer."""
    st.subheader(strings.HIERARCHY, anchor=False, help=strings.HIERARCHY_HELP)
    st.markdown("\n".join(f"- {each}" for each in metric_sentences(figures, HIERARCHY)))
    table = layers_table(layers)
    columns = {name: st.column_config.TextColumn(alignment="right") for name in table.columns[1:]}
    columns[table.columns[0]] = st.column_config.TextColumn(help=strings.LAYERS_HELP)
    st.dataframe(
        table, hide_index=True, key="layers", column_config=columns, width="content",
        height="content",
    )  # fmt: skip


def _card(run: Run, codes: list[str]) -> None:
    """Show the card of a chosen topic."""
    topics = run.network.graph.topic_numbers(codes).tolist()
    number = {node_key(run, topic): topic for topic in topics}
    options = ("", *number)
    chosen = address.restore("sel", "", options)
    st.selectbox(
        strings.CARD,
        options,
        key="sel",
        format_func=lambda key: node_name(run, number[key]) if key else strings.CARD_HINT,
        on_change=lambda: address.put("sel", memory.recall("sel")),
        width=520,
    )
    if chosen in number:
        topic_card.show_node(run, number[chosen], "")


@st.cache_data(max_entries=8, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _topic_figures(run: Run, folder: Path, _corpus: Corpus) -> pd.DataFrame:
    return topic_figures(run, _corpus)


@st.cache_data(max_entries=8, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _hierarchy_figures(
    run: Run, folder: Path, _corpus: Corpus
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    tree = topic_tree(run.network, _corpus.vocabulary)
    figures, layers = hierarchy_figures(tree, _corpus.to_csr())
    return asdict(figures), layers


@st.cache_data(max_entries=8, show_spinner=shell_strings.WORKING, hash_funcs=AS_SHOWN)
def _words_alone(run: Run, folder: Path, _corpus: Corpus) -> list[str]:
    return words_alone(run, _corpus)


def _table(models: Sequence[EvaluatedModel]) -> None:
    with st.expander(strings.TABLE_TITLE, expanded=len(models) > 1, key="all-figures"):
        table = figures_table(models)
        columns = {
            name: st.column_config.TextColumn(alignment="right") for name in table.columns[1:]
        }
        columns[shared_strings.FIGURE_COLUMN] = st.column_config.TextColumn(help=strings.TABLE_HELP)
        st.dataframe(table, hide_index=True, key="figures", column_config=columns, width="content",
                     height="content")  # fmt: skip
        if len(models) == 1:
            st.caption(markdown_text(gap_sentence(models[0].figures)))
