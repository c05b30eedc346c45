"""Values computed once per model for all sessions: the boxes of the overview of its topics."""

from __future__ import annotations

from dataclasses import replace

from orrery.app.views.graph import overview
from tests.app.toy import toy_run

RUN = toy_run()


def test_a_part_is_drawn_once_for_all_and_anew_under_other_names() -> None:
    boxes = overview._map(RUN, 0.02, -1, 0)[1]
    assert overview._map(RUN, 0.02, -1, 0)[1] is boxes
    assert overview._map(RUN, 0.02, -1, 1)[1] != boxes
    renamed = replace(RUN, topic_labels=("another", *RUN.topic_labels[1:]))
    others = overview._map(renamed, 0.02, -1, 0)[1]
    assert others is not boxes
    assert "another" in {box.label for box in others}
