"""Two runs: which topic became which, and whose names are carried over."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from orrery.core.evaluation.run_matching import carried_edits, match_runs
from orrery.core.model.overlay import Overlay, apply_edits
from orrery.core.model.topic_model import Run
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.runs import load_run, write_config
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.errors import InputError
from tests.conftest import ROOT
from tests.core.small_runs import settings

CORPUS = ROOT / "sample_data" / "corpus"


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """Two trainings of the sample with other seeds."""
    base = tmp_path_factory.mktemp("seeds")
    for seed in (1, 2):
        options = TrainingOptions(seed=seed, structure="learned")
        start_run(base / str(seed), RunSettings(str(CORPUS), options), Session())
    return load_run(base / "1"), load_run(base / "2")


def named(run: Run, **overlay: object) -> Run:
    """The run with a name for each topic."""
    labels = {name: f"name of {name}" for name in run.network.graph.topic_ids}
    return run.with_overlay(Overlay(labels=labels, **overlay))  # type: ignore[arg-type]


def test_a_run_matches_itself_topic_by_topic(trained: Path) -> None:
    run = load_run(trained)
    match = match_runs(run, run)
    assert match.documents == load_corpus(run.corpus_path).n_documents
    assert all(topic == partner for topic, partner in match.partner.items())
    gone = {run.network.graph.topic_ids[topic] for topic in match.gone}
    displayed = {run.network.graph.topic_ids[topic] for topic in run.displayed_topics}
    assert match.partner.keys() & displayed == displayed - gone


def test_hidden_and_merged_topics_are_in_no_pair_and_the_numbers_add_up(trained: Path) -> None:
    run = load_run(trained)
    first, *_, last = (run.network.graph.topic_ids[topic] for topic in run.displayed_topics)
    for pair in (
        (run.with_overlay(Overlay(hidden=frozenset({first}))), run),
        (run, run.with_overlay(Overlay(hidden=frozenset({first})))),
        (run.with_overlay(Overlay(merged={last: first})), run),
        (run, run.with_overlay(Overlay(merged={last: first}, hidden=frozenset({first})))),
    ):
        match = replace(match_runs(run, run), first=pair[0], other=pair[1])
        assert sorted([*match.displayed, *match.gone]) == pair[0].displayed_topics
        assert sorted([*match.displayed.values(), *match.new]) == pair[1].displayed_topics


def test_two_seeds_of_the_sample_share_topics_and_exactly_their_names(
    seeds: tuple[Run, Run],
) -> None:
    first, other = seeds
    match = match_runs(named(first), other)
    assert len(match.partner) >= 15
    assert len(set(match.partner.values())) == len(match.partner)
    for topic, partner in match.partner.items():
        words, same = (
            {word for word, _, _ in run.topic_words.words(run.network.graph.topic_number[name], 10)}
            for run, name in ((first, topic), (other, partner))
        )
        assert words & same
    edits, left = carried_edits(match)
    assert {edit.topic: edit.after for edit in edits} == {
        partner: f"name of {topic}" for topic, partner in match.partner.items()
    }
    assert {each.topic for each in left} == set(first.network.graph.topic_ids) - set(match.partner)
    assert len(match.gone) + len(match.partner) >= len(first.displayed_topics)
    back = match_runs(other, first)
    assert back.partner == {partner: topic for topic, partner in match.partner.items()}
    assert match.links > 0


def test_what_is_there_already_stays_and_everything_else_is_listed(
    seeds: tuple[Run, Run],
) -> None:
    first, other = seeds
    pairs = match_runs(first, other).partner
    one, two, *_ = pairs
    lost = next(name for name in first.network.graph.topic_ids if name not in pairs)
    overlay = Overlay(
        labels={one: "a", two: "b", lost: "c", "gone": "d"},
        notes={one: "n", lost: "m"},
        hidden=frozenset({two}),
        merged={one: two},
    )
    taken = other.with_overlay(Overlay(labels={pairs[two]: "own"}))
    match = match_runs(first.with_overlay(overlay), taken)
    edits, left = carried_edits(match)
    carried = apply_edits(taken.overlay, edits)
    assert carried.labels == {pairs[one]: "a", pairs[two]: "own"}
    assert carried.notes == {pairs[one]: "n"}
    assert carried.hidden == frozenset()
    assert [(each.topic, each.field) for each in left] == [
        *sorted([(two, "name"), (lost, "name"), ("gone", "name")]),
        (lost, "note"),
        (two, "hidden"),
        (one, "merged"),
    ]
    # Nothing is left to carry over once it is there.
    again, _ = carried_edits(match_runs(first.with_overlay(overlay), taken.with_overlay(carried)))
    assert again == ()


def test_documents_in_another_order_and_number_are_found_by_id_and_text(
    corpus_folder: Path, trained: Path, tmp_path: Path
) -> None:
    corpus = load_corpus(corpus_folder)
    rows = np.random.default_rng(0).permutation(corpus.n_documents)[:45]
    some = corpus.subset(rows)
    texts = some.documents.copy()
    texts.loc[0, "text"] = "Another text"
    save_corpus(replace(some, documents=texts), tmp_path / "c")
    start_run(tmp_path / "r", settings(tmp_path / "c"), Session())
    match = match_runs(load_run(trained), load_run(tmp_path / "r"))
    assert match.documents == 44


def test_stored_topics_of_another_order_of_the_documents_are_not_used(
    tmp_path: Path,
) -> None:
    run = load_run(CORPUS.with_name("run"))
    corpus = load_corpus(run.corpus_path)
    save_corpus(corpus.subset(np.arange(corpus.n_documents)[::-1]), tmp_path / "c")
    shutil.copytree(run.folder, tmp_path / "r")
    write_config(tmp_path / "r", str(tmp_path / "c"), run.config["settings"])
    match = match_runs(run, load_run(tmp_path / "r"))
    assert len(match.partner) > 20
    is_same = [topic == partner for topic, partner in match.partner.items()]
    assert np.mean(is_same) > 0.9


def test_runs_on_other_documents_are_refused(
    corpus_folder: Path, trained: Path, tmp_path: Path
) -> None:
    corpus = load_corpus(corpus_folder)
    renamed = corpus.documents.assign(id=[f"x{row}" for row in range(corpus.n_documents)])
    save_corpus(replace(corpus, documents=renamed), tmp_path / "c")
    start_run(tmp_path / "r", settings(tmp_path / "c"), Session())
    with pytest.raises(InputError, match="have 0 documents with the same id and text"):
        match_runs(load_run(trained), load_run(tmp_path / "r"))
    shutil.rmtree(tmp_path / "c")
    with pytest.raises(InputError):
        match_runs(load_run(trained), load_run(tmp_path / "r"))
