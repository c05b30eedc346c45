"""Time estimate of a run: exact for runs like the measured ones, and a wide range without any."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.views.train import cost, strings
from orrery.app.views.train.cost import Size, measured_pace, proposed_edges
from orrery.app.workspace.runs import TrainChoice
from orrery.core.structure.layers import complete_graph, topic_names
from orrery.core.training.options import TrainingOptions

SIZE = Size(documents=720, words=18.0, vocabulary=1000, edges=6000)


def run_of(pace: float, size: Size = SIZE, phase: str = "training", rows: int = 20) -> pd.DataFrame:
    """Metrics of a run with the given seconds per link, half an epoch per row."""
    epoch = pd.Series(range(1, rows + 1)) / 2
    return pd.DataFrame(
        {"epoch": epoch, "seconds": 30.0 + pace * size.work * epoch, "edges": size.edges,
         "phase": phase}
    )  # fmt: skip


@given(st.floats(1e-9, 1e-4), st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_pace_of_a_run_is_found_whatever_came_before_it(
    pace: float, documents: int, edges: int
) -> None:
    size = replace(SIZE, documents=documents, edges=edges)
    metrics = run_of(pace, size).assign(seconds=lambda rows: rows["seconds"] - 30.0)
    assert measured_pace(metrics, size) == {"training": pytest.approx(pace, rel=1e-4)}


def test_a_run_like_the_one_measured_takes_as_long_within_the_margin() -> None:
    # Ten epochs of training, 30 seconds before it that are part of its clock, and 40 beside it.
    rows = run_of(1e-6)
    beside = 40.0
    whole = rows["seconds"].iloc[-1] + beside + cost.STARTING + 12.0
    known = [
        measured_pace(rows, SIZE)
        | cost.measured_beside(whole, 12.0, rows, replace(SIZE, edges=0))
        | {cost.WORDS: SIZE.all_words}
    ]
    found = cost.estimate(TrainChoice("complete", epochs=20), SIZE, 0.0, known)
    took = 20 * SIZE.work * 1e-6 + beside
    low, high = (seconds - cost.STARTING - 12.0 for seconds in found.seconds)
    assert (low, high) == pytest.approx((took / 1.5, took * 1.5), rel=1e-4)
    assert found.runs == 1


def test_code_is_compiled_once_however_large_the_corpus() -> None:
    rows = run_of(1e-6)
    seconds = float(rows["seconds"].iloc[-1]) + cost.STARTING
    first = cost.measured_beside(seconds + 200.0, 200.0, rows, SIZE)
    later = cost.measured_beside(seconds, 0.0, rows, SIZE)
    assert first == {"beside": pytest.approx(0.0), "compiling": 200.0}
    words = {cost.WORDS: SIZE.all_words}
    known = [measured_pace(rows, SIZE) | part | words for part in (first, later)]
    for times in (1, 100):
        size = replace(SIZE, documents=times * SIZE.documents)
        low, high = cost.estimate(TrainChoice("complete"), size, 0.0, known).seconds
        took = 20 * size.work * 1e-6
        assert low == pytest.approx(took / 1.5 + cost.STARTING, rel=1e-4)
        assert high == pytest.approx(took * 1.5 + cost.STARTING + 200.0, rel=1e-4)


def test_runs_on_corpora_of_another_size_do_not_count_where_there_are_nearer_ones() -> None:
    small, large = replace(SIZE, documents=40), replace(SIZE, documents=20_000)
    paces = {small: 3e-5, SIZE: 1e-6, large: 5e-7}
    known = [
        measured_pace(run_of(pace, size), size) | {cost.WORDS: size.all_words}
        for size, pace in paces.items()
    ]
    choice = TrainChoice("complete")
    # By itself each is known by its own run, and between two by both.
    for size, fewest, most in [
        (small, 3e-5, 3e-5),
        (SIZE, 1e-6, 1e-6),
        (replace(SIZE, documents=100_000), 5e-7, 5e-7),
        (replace(SIZE, documents=4_000), 5e-7, 1e-6),
    ]:
        found = cost.estimate(choice, size, 0.0, known)
        passes = 20 * size.work
        fixed = cost.estimate(replace(choice, epochs=0), size, 0.0, known).seconds
        assert found.seconds[0] - fixed[0] == pytest.approx(passes * fewest / 1.5, rel=1e-3)
        assert found.seconds[1] - fixed[1] == pytest.approx(passes * most * 1.5, rel=1e-3)
        assert found.runs == (1 if fewest == most else 2)


def test_sweeps_of_a_gibbs_start_have_a_pace_of_their_own() -> None:
    sampled, trained = run_of(1e-7, phase="exploring"), run_of(1e-6)
    trained[["epoch", "seconds"]] += sampled[["epoch", "seconds"]].iloc[-1] - [0.0, 30.0]
    both = pd.concat([sampled, trained])
    found = measured_pace(both.reset_index(drop=True), SIZE)
    assert found["sampling"] == pytest.approx(1e-7, rel=1e-4)
    assert found["training"] == pytest.approx(1e-6, rel=1e-4)


def test_learning_begins_with_the_edges_to_choose_from() -> None:
    for ones, edges in ((1000, 9000), (36_000, 12_000), (10**9, 18_000)):
        counts = {"vocabulary": 1000, "ones": ones}
        assert proposed_edges("dense-regions", (8,), counts, True) == edges


def test_waiting_for_a_compiler_is_no_pace() -> None:
    metrics = run_of(1e-6)
    metrics.loc[5:, "seconds"] += 200.0
    assert measured_pace(metrics, SIZE)["training"] == pytest.approx(1e-6, rel=1e-4)


def test_epochs_that_were_passed_over_are_no_pace() -> None:
    metrics = run_of(1e-6)
    metrics.loc[5:, "epoch"] = metrics["epoch"] + 400.0
    metrics.loc[4, "epoch"] = float(round(metrics.loc[4, "epoch"]))
    found = measured_pace(metrics, SIZE)["training"]
    assert found == pytest.approx(1e-6, rel=0.2)


def test_a_span_has_both_its_units_where_they_differ() -> None:
    shown_text = [strings.takes(span, 0.0, 1) for span in ((120, 11_760), (60, 1140), (7, 300))]
    assert [
        "About 2 min to 3 h 16 min " in shown_text[0],
        "About 1 to 19 min " in shown_text[1],
    ] == [True] * 2
    assert "About 7 s to 5 min " in shown_text[2]


@pytest.mark.parametrize(
    "metrics", [pd.DataFrame(), run_of(1e-6, rows=2), run_of(1e-6).drop(columns="edges")]
)
def test_too_little_known_is_no_pace(metrics: pd.DataFrame) -> None:
    assert measured_pace(metrics, SIZE) == {}


def test_without_a_run_the_range_is_wide_and_reports_it() -> None:
    found = cost.estimate(TrainChoice(start_epochs=300), SIZE, 0.0, [{}, {}])
    assert found.runs == 0
    assert found.seconds[1] > 4 * found.seconds[0] > 0
    assert "no earlier run" in strings.takes(found.seconds, found.memory, found.runs)


@given(
    st.sampled_from(["documents", "vocabulary", "edges"]), st.integers(1, 10**7), st.floats(1, 9)
)
def test_more_of_anything_never_takes_less_memory(name: str, count: int, factor: float) -> None:
    small = replace(SIZE, **{name: count})
    large = replace(SIZE, **{name: round(factor * count)})
    few, many = (cost.estimate(TrainChoice(), size, 0.0, []).memory for size in (small, large))
    assert few <= many


def test_memory_is_near_what_was_measured() -> None:
    """Peaks of three runs: the sample, and 20,000 documents with 10,000 words."""
    sample = Size(720, 17.9, 1042, 6400)
    large = Size(18_000, 55.0, 10_000, 61_000)
    complete = replace(large, edges=1_000_000)
    for choice, size, peak in (
        (TrainChoice(), sample, 325e6),
        (TrainChoice(), large, 1166e6),
        (TrainChoice(method="complete"), complete, 717e6),
    ):
        assert cost.estimate(choice, size, 0.0, []).memory == pytest.approx(peak, rel=0.15)


@pytest.mark.parametrize("sizes", [(4,), (6, 2), (5, 3, 1)])
def test_a_complete_graph_has_the_edges_that_are_counted(sizes: tuple[int, ...]) -> None:
    graph = complete_graph(9, sizes, None)
    assert len(topic_names(sizes)) == graph.n_topics
    assert proposed_edges("complete", sizes, {"vocabulary": 9}, False) == graph.n_edges


def test_a_structure_that_is_learned_begins_with_more_edges() -> None:
    counts = {"vocabulary": 1000, "ones": 60_000}
    few, many = (
        proposed_edges("dense-regions", (40, 8), counts, learns) for learns in (False, True)
    )
    assert many > 2 * few


@pytest.mark.parametrize(
    ("seconds", "shown_text"),
    [((1.2, 4.4), "about 1 to 4 s and"), ((12.0, 80.0), "about 10 s to 1 min and"),
     ((130.0, 420.0), "about 2 to 7 min and"), ((5e3, 2e4), "about 1 h 23 min to 5 h 33 min and"),
     ((0.1, 0.2), "about 1 s and"), ((57.0, 58.0), "about 1 min and")],
)  # fmt: skip
def test_a_range_is_written_shortly(seconds: tuple[float, float], shown_text: str) -> None:
    shown_text = shown_text.replace(" and", " from start to model and")
    assert strings.takes(seconds, 1e9, 1).startswith(shown_text.capitalize())


def test_a_learned_graph_takes_the_passes_of_its_stages() -> None:
    for epochs in (10, 20, 60):
        options = TrainingOptions(structure="learned", epochs=epochs)
        assert cost.passes(TrainChoice(epochs=epochs)) == options.passes
