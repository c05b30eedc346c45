"""A run starts where its graph file and its guidance put it, also when it is taken up again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import Graph
from orrery.core.runs.runner import NO_LAYERS, resume_run, start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.checkpoints import Split, load_given, load_start
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.graphs import leak_path
from orrery.core.storage.runs import load_run
from orrery.core.structure.guidance import guidance_from_values
from orrery.core.structure.guided import SEED_WEIGHT
from orrery.core.training.structure_learning import split_validation
from orrery.core.utils.errors import InputError
from tests.core.small_runs import contents, settings
from tests.random_guidance import children_by_topic

RULES = {
    "seeds": {"space": ["orbit", "rocket"]},
    "must_link": [["guitar", "oven"]],
    "cannot_link": [["comet", "planet"]],
    "frozen": [["space", "lunar", 1.25]],
    "forbidden": [["space", "star"]],
}


@pytest.fixture
def graph_file(tmp_path: Path, corpus: Corpus) -> Path:
    """A topic of every third word, with weights of all sizes, and leaks beside."""
    path = tmp_path / "mine.csv"
    rows = [f"t{n % 3},{word},{0.1 + n / 20}" for n, word in enumerate(corpus.vocabulary)]
    path.write_text("parent,child,weight\n" + "\n".join(rows) + "\n", encoding="utf-8")
    nodes = ["t0", "t1", "t2", *corpus.vocabulary]
    leaks = [f"{node},{0.02 + n / 100}" for n, node in enumerate(nodes)]
    leak_path(path).write_text("node,leak\n" + "\n".join(leaks) + "\n", encoding="utf-8")
    return path


def from_file(corpus_folder: Path, graph_file: Path, **changes: Any) -> RunSettings:
    chosen = settings(corpus_folder, topics=None, graph_file=str(graph_file))
    return replace(chosen, **changes)


def stopped_at_once() -> Session:
    return Session(time_budget=1e-9)


def log_of(folder: Path) -> str:
    return (folder / "log.txt").read_text(encoding="utf-8")


def test_training_starts_from_the_weights_and_leaks_of_the_file(
    tmp_path: Path, corpus_folder: Path, graph_file: Path, corpus: Corpus
) -> None:
    slow = replace(settings(corpus_folder).training, learning_rate=1e-12)
    start_run(tmp_path / "r", from_file(corpus_folder, graph_file, training=slow), Session())
    network = load_run(tmp_path / "r").network
    expected = 0.1 + np.arange(corpus.n_tokens) / 20
    np.testing.assert_allclose(network.weight, expected, rtol=1e-6)
    nodes = 0.02 + np.arange(corpus.n_tokens + 3) / 100
    np.testing.assert_allclose(network.leak, nodes, rtol=1e-6)
    taken = f"starts from the weights of all {corpus.n_tokens} edges and the leaks of all"
    assert taken in log_of(tmp_path / "r")
    assert load_run(tmp_path / "r").topic_labels == ("t0", "t1", "t2")


def test_weights_as_probabilities(
    tmp_path: Path, corpus_folder: Path, graph_file: Path, corpus: Corpus
) -> None:
    leak_path(graph_file).unlink()
    text = re.sub(r",[\d.]+$", ",0.5", graph_file.read_text(), flags=re.MULTILINE)
    graph_file.write_text(text)
    chosen = from_file(corpus_folder, graph_file, graph_weights="probability")
    start_run(tmp_path / "r", chosen, stopped_at_once())
    graph, _ = load_start(tmp_path / "r", corpus)
    given = load_given(tmp_path / "r", graph)
    assert given is not None
    np.testing.assert_allclose(given.weight, np.log(2.0))
    assert np.isnan(given.leak).all()


def test_a_file_without_weights_reports_it(
    tmp_path: Path, corpus_folder: Path, graph_file: Path, corpus: Corpus
) -> None:
    leak_path(graph_file).unlink()
    text = re.sub(r",[^,]+$", "", graph_file.read_text(), flags=re.MULTILINE)
    graph_file.write_text(text)
    start_run(tmp_path / "r", from_file(corpus_folder, graph_file), stopped_at_once())
    assert "mine.csv has no weights and no leaks; training starts at random" in log_of(
        tmp_path / "r"
    )
    assert load_given(tmp_path / "r", load_start(tmp_path / "r", corpus)[0]) is None


def test_a_run_that_was_cut_off_before_its_first_step_starts_from_the_same_weights(
    tmp_path: Path, corpus_folder: Path, graph_file: Path
) -> None:
    chosen = from_file(corpus_folder, graph_file)
    for name in ("whole", "cut"):
        start_run(tmp_path / name, chosen, stopped_at_once() if name == "cut" else Session())
    for path in (tmp_path / "cut").glob("checkpoint-*"):
        path.unlink()
    # The file may be gone by then.
    graph_file.unlink()
    resume_run(tmp_path / "cut", Session())
    assert contents(tmp_path / "cut" / "model") == contents(tmp_path / "whole" / "model")


def assert_guidance(folder: Path) -> None:
    """Every rule holds in the model."""
    run = load_run(folder)
    graph = run.network.graph
    words = {f"word{token}": word for token, word in enumerate(run.vocabulary)}
    children = {
        topic: {words.get(child, child) for child in below}
        for topic, below in children_by_topic(graph).items()
    }
    assert {"orbit", "rocket", "lunar"} <= children["space"]
    assert "star" not in children["space"]
    assert any({"guitar", "oven"} <= below for below in children.values())
    assert not any({"comet", "planet"} <= below for below in children.values())
    topic = graph.topic_ids.index("space")
    node = graph.n_topics + run.vocabulary.index("lunar")
    place = graph.parent_ptr[node] + graph.parents(node).tolist().index(topic)
    assert run.network.weight[place] == 1.25
    assert run.topic_labels[topic] == "space"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {
            "learn_structure": True,
            "method": "complete",
            "edges": 60,
            "training": {"start": "gibbs", "start_epochs": 40, "epochs": 1},
        },
    ],
)
def test_a_run_with_guidance_stopped_and_resumed_equals_never_stopped(
    tmp_path: Path, corpus_folder: Path, changes: dict[str, Any]
) -> None:
    changes = dict(changes)
    chosen = settings(corpus_folder, **changes.pop("training", {}), **changes)
    chosen = replace(chosen, guidance=guidance_from_values(RULES))
    start_run(tmp_path / "whole", chosen, Session())
    assert_guidance(tmp_path / "whole")
    start_run(tmp_path / "cut", chosen, stopped_at_once())
    assert_guidance(tmp_path / "cut")
    resume_run(tmp_path / "cut", Session())
    assert contents(tmp_path / "cut" / "model") == contents(tmp_path / "whole" / "model")


def test_guidance_over_a_graph_file_keeps_its_weights(
    tmp_path: Path, corpus_folder: Path, graph_file: Path, corpus: Corpus
) -> None:
    first = corpus.vocabulary[0]
    rules = guidance_from_values({"seeds": {"t1": ["orbit"]}, "frozen": [["t0", first]]})
    start_run(
        tmp_path / "r", from_file(corpus_folder, graph_file, guidance=rules), stopped_at_once()
    )
    graph, _ = load_start(tmp_path / "r", corpus)
    given = load_given(tmp_path / "r", graph)
    assert given is not None
    node = graph.n_topics + corpus.vocabulary.index("orbit")
    into = given.weight[graph.parent_ptr[node] : graph.parent_ptr[node + 1]]
    own = corpus.vocabulary.index("orbit")
    assert sorted(into) == sorted({0.1 + own / 20, *([] if own % 3 == 1 else [SEED_WEIGHT])})
    assert not np.isnan(given.leak).any()
    node = graph.n_topics
    assert given.weight[graph.parent_ptr[node] : graph.parent_ptr[node + 1]].tolist() == [0.1]


def test_rules_that_cannot_be_followed_leave_nothing(tmp_path: Path, corpus_folder: Path) -> None:
    rules = guidance_from_values({"cannot_link": [["orbit", "nix"]]})
    with pytest.raises(InputError, match="cannot_link 1 names 'nix', which is no word"):
        start_run(tmp_path / "r", replace(settings(corpus_folder), guidance=rules), Session())
    assert not (tmp_path / "r").exists()


def test_a_budget_that_guidance_goes_beyond_leaves_nothing(
    tmp_path: Path, corpus_folder: Path, corpus: Corpus
) -> None:
    rules = {"seeds": {"space": ["orbit"], "music": ["guitar"]}, "frozen": [["space", "music"]]}
    chosen = settings(corpus_folder, learn_structure=True, start="gibbs", edges=corpus.n_tokens)
    chosen = replace(chosen, guidance=guidance_from_values(rules))
    with pytest.raises(InputError, match=f"asks for; allow {corpus.n_tokens + 1} or more"):
        start_run(tmp_path / "r", chosen, Session())
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("child", ["music", "guitar"])
def test_the_log_reports_a_frozen_link_that_rules_out_further_layers(
    tmp_path: Path, corpus_folder: Path, child: str
) -> None:
    rules = {"seeds": {"space": ["orbit"], "music": ["drum"]}, "frozen": [["space", child]]}
    chosen = settings(corpus_folder, topics=None, structure="learned")
    chosen = replace(chosen, guidance=guidance_from_values(rules))
    start_run(tmp_path / "r", chosen, stopped_at_once())
    assert (NO_LAYERS in log_of(tmp_path / "r")) == (child == "music")


def test_validation_documents_have_no_influence_in_the_graph_to_begin_with(
    tmp_path: Path, corpus_folder: Path, corpus: Corpus
) -> None:
    chosen = settings(corpus_folder, topics=None, structure="learned")
    assert chosen.is_learned
    split = start_and_split(tmp_path / "as-it-is", chosen)[1]
    evaluate = split_validation(split.train, chosen.training.structure_seed).validation
    assert len(evaluate)
    # The same documents at the same positions, except that all validation documents equal the first
    # one.
    order = np.arange(corpus.n_documents)
    order[evaluate] = evaluate[0]
    save_corpus(corpus.subset(order), tmp_path / "other")
    other = replace(chosen, corpus=str(tmp_path / "other"))
    one, its_split = start_and_split(tmp_path / "other-run", other)
    assert np.array_equal(its_split.train, split.train)
    graph = start_and_split(tmp_path / "as-it-is", chosen)[0]
    assert np.array_equal(one.parent_idx, graph.parent_idx)
    assert np.array_equal(one.parent_ptr, graph.parent_ptr)


def start_and_split(folder: Path, chosen: RunSettings) -> tuple[Graph, Split]:
    """Graph and split that a run begins with."""
    if not folder.exists():
        start_run(folder, chosen, stopped_at_once())
    return load_start(folder, load_corpus(Path(chosen.corpus)))
