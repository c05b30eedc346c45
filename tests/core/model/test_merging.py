"""Similar topics are shown as one, down to a requested number, and the model stays as it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from orrery.core.model.merging import closest_merges, merges_to, with_merges
from orrery.core.model.overlay import Overlay
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.overlay import change_overlay, read_history, read_overlay, undo_change
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError

# Two topics with nearly the same words, one with some of them, and one with other words.
GRAPH = """parent,child,weight
a,x,0.8
a,y,0.8
b,x,0.8
b,y,0.7
c,x,0.3
c,z,0.8
d,w,0.9
top,a,0.5
top,d,0.5
"""


@pytest.fixture
def run(tmp_path: Path):
    (tmp_path / "g.csv").write_text(GRAPH)
    adopt_graph(tmp_path / "g.csv", tmp_path / "run", "probability")
    return load_run(tmp_path / "run")


def names(run, merges) -> list[set[str]]:
    ids = run.network.graph.topic_ids
    return [{ids[merge.first], ids[merge.second]} for merge in merges]


def test_the_most_similar_topics_are_merged_first(run) -> None:
    found = closest_merges(run)
    assert names(run, found)[0] == {"a", "b"}
    assert found[0].similarity > 0.95
    similarities = [merge.similarity for merge in found]
    assert similarities == sorted(similarities, reverse=True)
    # One topic is left in each of two layers.
    assert len(found) == len(run.displayed_topics) - 2


@pytest.mark.parametrize("wanted", [5, 4, 3, 2])
def test_any_number_that_the_layers_allow_is_reached(run, wanted: int) -> None:
    merged = run.with_overlay(with_merges(run, Overlay(), merges_to(run, wanted)))
    assert len(merged.displayed_topics) == wanted
    height = run.network.graph.heights()
    assert all(height[part] == height[whole] for part, whole in merged.shown_as.items())
    # A further reduction goes on from what is displayed.
    again = merged.with_overlay(with_merges(merged, merged.overlay, merges_to(merged, 2)))
    assert len(again.displayed_topics) == 2


@pytest.mark.parametrize("wanted", [0, 1, 6])
def test_other_numbers_are_refused(run, wanted: int) -> None:
    with pytest.raises(InputError, match="choose"):
        merges_to(run, wanted)


def test_a_reduction_is_undone_in_one_step(run) -> None:
    folder = run.folder / "model"
    before = run.network.weight.copy()
    change_overlay(folder, lambda overlay: with_merges(run, overlay, merges_to(run, 2)))
    assert len(load_run(run.folder).displayed_topics) == 2
    np.testing.assert_array_equal(load_run(run.folder).network.weight, before)
    undo_change(folder, read_history(folder)[-1].number)
    assert read_overlay(folder) == Overlay()
