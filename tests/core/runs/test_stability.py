"""Stability of a run: stored after each training, continued after a kill."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from orrery.core.api.estimator import NoisyOrTopics
from orrery.core.runs import stability
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.runs.stability import FOLDER, measure_stability
from orrery.core.storage.atomic import write_npz
from orrery.core.storage.checkpoints import load_start
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.reading import read_npz
from orrery.core.storage.runs import COPIED, load_run, read_config, write_config
from orrery.core.storage.stability import (
    FILE,
    Stability,
    load_stability,
    no_trainings,
    write_stability,
)
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.errors import InputError
from tests.core.small_runs import THEMES, contents, process_of


def stored(folder: Path) -> Stability | None:
    return load_stability(folder / "model", load_run(folder).network.graph)


def figures(found: Stability) -> dict[str, Any]:
    """Everything but the seconds."""
    return {
        name: getattr(found, name).tolist()
        for name in ("seeds", "n_topics", "correlation", "topic", "link", "link_by_chance")
    }


def test_every_training_is_reported_and_stored_and_leaves_nothing(run_folder: Path) -> None:
    before = contents(run_folder)
    reported, shares = list[int](), list[float]()
    found = measure_stability(
        run_folder,
        times=3,
        progress=shares.append,
        report=lambda found: reported.append(found.times),
    )
    assert reported == [1, 2, 3]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert found.times == 3
    graph = load_run(run_folder).network.graph
    assert found.topic.shape == (3, graph.n_topics)
    assert found.link.shape == (3, graph.n_edges)
    known = stored(run_folder)
    assert known is not None
    assert figures(known) == figures(found)
    assert known.seconds.tolist() == found.seconds.tolist()
    after = contents(run_folder)
    assert {name: after[name] for name in before} == before
    new = {f"model/{FILE}", "stability.lock"}
    assert after.keys() - before.keys() <= new


def test_a_link_is_found_again_only_with_its_topics(run_folder: Path) -> None:
    found = measure_stability(run_folder, times=2)
    graph = load_run(run_folder).network.graph
    parents, children = graph.parent_idx, graph.edge_children()
    assert not (found.link & ~found.topic[:, parents]).any()
    of_topics = children < graph.n_topics
    assert not (found.link[:, of_topics] & ~found.topic[:, children[of_topics]]).any()


def test_finished_trainings_count_in_the_next_call(run_folder: Path, tmp_path: Path) -> None:
    in_two = measure_stability(run_folder, times=1)
    in_two = measure_stability(run_folder, times=3)
    (run_folder / "model" / FILE).unlink()
    assert figures(measure_stability(run_folder, times=3)) == figures(in_two)
    assert measure_stability(run_folder, times=2).times == 3


def test_a_killed_measurement_continues_with_the_same_result(run_folder: Path) -> None:
    with process_of(_measure_and_die, run_folder) as process:
        process.join(300)
        assert process.exitcode == -signal.SIGKILL
    begun = list((run_folder / FOLDER).iterdir())
    assert len(begun) == 1
    assert (begun[0] / "start.npz").is_file()
    known = stored(run_folder)
    assert known is not None
    assert known.times == 1
    # To show what is known removes nothing.
    assert measure_stability(run_folder, times=1).times == 1
    assert (begun[0] / "start.npz").is_file()
    found = measure_stability(run_folder, times=3)
    assert not (run_folder / FOLDER).exists()
    (run_folder / "model" / FILE).unlink()
    assert figures(measure_stability(run_folder, times=3)) == figures(found)


def _measure_and_die(folder: Path) -> None:
    """Kill this process at the eighth step of the second training."""
    from orrery.core.runs.recorder import Recorder

    after_step, steps = Recorder.after_step, 0

    def count_and_die(self: Any, state: Any, info: Any) -> None:
        nonlocal steps
        after_step(self, state, info)
        steps += 1
        if steps == 14:
            os.kill(os.getpid(), signal.SIGKILL)

    Recorder.after_step = count_and_die  # type: ignore[method-assign]
    measure_stability(folder, times=3)


def test_samples_leave_the_test_set_out_and_differ(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, seeds = list[set[str]](), list[int]()
    start = stability.start_run

    def noted(folder: Path, settings: Any, session: Any, **like: Path) -> Any:
        samples.append(set(settings.held_out_ids))
        seeds.append(settings.training.seed)
        # The seed that decides the topics is drawn anew, although all runs share it.
        assert settings.training.structure_seed == settings.training.seed
        return start(folder, settings, session, **like)

    monkeypatch.setattr(stability, "start_run", noted)
    measure_stability(run_folder, times=3, share=0.5)
    corpus = load_corpus(read_config(run_folder)["corpus"])
    split = load_start(run_folder, corpus)[1]
    tested = set(corpus.documents["id"].iloc[split.held_out])
    assert all(tested <= sample for sample in samples)
    assert {corpus.n_documents - len(sample) for sample in samples} == {len(split.train) // 2}
    assert len(set(map(frozenset, samples))) == 3
    assert len({*seeds, read_config(run_folder)["settings"]["training"]["seed"]}) == 4


def test_another_share_keeps_the_finished_trainings(run_folder: Path) -> None:
    measure_stability(run_folder, times=1)
    before = (run_folder / "model" / FILE).read_bytes()
    with pytest.raises(InputError, match=r"share 0\.8 to continue, or delete .*stability\.npz"):
        measure_stability(run_folder, times=1, share=1.0)
    assert (run_folder / "model" / FILE).read_bytes() == before


def test_another_model_begins_anew(run_folder: Path) -> None:
    graph = load_run(run_folder).network.graph
    write_stability(run_folder / "model", no_trainings(graph, 0.8, 10))
    arrays = read_npz(run_folder / "model" / FILE)
    write_npz(run_folder / "model" / FILE, arrays | {"model": np.array("another")})
    assert stored(run_folder) is None


def test_a_model_that_changes_during_a_training_gets_no_stability(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, path = stability.start_run, run_folder / "model" / "model.json"

    def start_and_change(folder: Path, settings: Any, session: Any, **like: Path) -> Any:
        summary = start(folder, settings, session, **like)
        path.write_text(json.dumps(json.loads(path.read_text()) | {"model_hash": "0" * 40}))
        return summary

    monkeypatch.setattr(stability, "start_run", start_and_change)
    with pytest.raises(InputError, match="has changed since its stability was measured"):
        measure_stability(run_folder, times=1)
    assert not (run_folder / "model" / FILE).exists()


@pytest.mark.parametrize("change", [{"topic": np.zeros((1, 1), bool)}, {"share": np.array(2.0)}])
def test_damaged_file_is_refused(run_folder: Path, change: dict[str, Any]) -> None:
    graph = load_run(run_folder).network.graph
    write_stability(run_folder / "model", no_trainings(graph, 0.8, 10))
    arrays = read_npz(run_folder / "model" / FILE)
    write_npz(run_folder / "model" / FILE, arrays | change)
    with pytest.raises(InputError, match=r"stability\.npz is damaged; delete it"):
        stored(run_folder)


def test_file_of_a_later_version_is_refused(run_folder: Path) -> None:
    graph = load_run(run_folder).network.graph
    write_stability(run_folder / "model", no_trainings(graph, 0.8, 10))
    arrays = read_npz(run_folder / "model" / FILE)
    write_npz(run_folder / "model" / FILE, arrays | {"version": np.array(99)})
    with pytest.raises(InputError, match="has version 99, and this Orrery reads 1"):
        stored(run_folder)


def test_interval_contains_every_share_under_which_the_count_is_not_rare(run_folder: Path) -> None:
    """Clopper–Pearson: the shares whose two tails are both above 2.5 %."""
    graph = load_run(run_folder).network.graph
    found = replace(no_trainings(graph, 0.8, 10), seeds=np.arange(10))
    shares = np.linspace(0.001, 0.999, 999)
    for count in range(11):
        is_inside = (binom.sf(count - 1, 10, shares) > 0.025) & (
            binom.cdf(count, 10, shares) > 0.025
        )
        low, high = found.interval(count)
        np.testing.assert_allclose(low, shares[is_inside][0] if count else 0.0, atol=0.002)
        np.testing.assert_allclose(high, shares[is_inside][-1] if count < 10 else 1.0, atol=0.002)
    assert found.stable_from == 8


@pytest.mark.parametrize("share", [0.0, 1.5, float("nan")])
def test_a_share_that_is_none_is_refused(run_folder: Path, share: float) -> None:
    with pytest.raises(InputError, match="share of the documents"):
        measure_stability(run_folder, share=share)


def test_two_measurements_at_once_are_refused(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stability, "LOCK_PATIENCE", 0.05)

    def again(found: Stability) -> None:
        with pytest.raises(InputError, match="another process measures the stability"):
            measure_stability(run_folder, times=1)

    measure_stability(run_folder, times=1, report=again)


def test_graph_of_a_file_is_trained_as_it_was(corpus_folder: Path, tmp_path: Path) -> None:
    """The file may have changed since, or be gone."""
    graph = tmp_path / "g.csv"
    edges = [f"{theme},{word}" for theme, words in THEMES.items() for word in words.split()]
    graph.write_text("\n".join(["parent,child", *edges]) + "\n", encoding="utf-8")
    given = RunSettings(str(corpus_folder), TrainingOptions(epochs=3), graph_file=str(graph))
    start_run(tmp_path / "r", given, Session())
    known = figures(measure_stability(tmp_path / "r", times=1))
    (tmp_path / "r" / "model" / FILE).unlink()
    graph.write_text("\n".join(["parent,child", *edges[:8]]) + "\n", encoding="utf-8")
    assert figures(measure_stability(tmp_path / "r", times=1)) == known
    (tmp_path / "r" / "model" / FILE).unlink()
    graph.unlink()
    assert figures(measure_stability(tmp_path / "r", times=1)) == known


def test_copy_of_a_run_is_measured_like_the_run(run_folder: Path) -> None:
    """A copy has one setting more, the name of the original."""
    known = figures(measure_stability(run_folder, times=1))
    (run_folder / "model" / FILE).unlink()
    config = read_config(run_folder)
    write_config(run_folder, config["corpus"], {**config["settings"], COPIED: "the original"})
    assert figures(measure_stability(run_folder, times=1)) == known


def test_table_of_topics_in_python_has_the_share(run_folder: Path) -> None:
    assert "found_again" not in NoisyOrTopics.load(run_folder).topics_
    found = measure_stability(run_folder, times=2)
    table = NoisyOrTopics.load(run_folder).topics_
    assert table["found_again"].tolist() == (found.topic_counts / 2).tolist()


def test_a_training_that_a_killed_process_left_is_removed(run_folder: Path) -> None:
    """It was stored, so that no other one follows, in whose place it could be."""
    measure_stability(run_folder, times=1)
    left = run_folder / FOLDER / "left" / "model"
    left.mkdir(parents=True)
    measure_stability(run_folder, times=1)
    assert not (run_folder / FOLDER).exists()
