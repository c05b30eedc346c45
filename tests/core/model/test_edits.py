"""Edits lead from one overlay to another and back, and detect concurrent changes."""

from __future__ import annotations

import pytest
from hypothesis import given

from orrery.core.model.overlay import (
    MAX_NOTE,
    ConflictError,
    Edit,
    Overlay,
    apply_edits,
    differences,
    edits_towards,
    force_edits,
    same_names,
)
from orrery.core.utils.errors import InputError
from tests.core.storage.test_overlay import overlays


@given(overlays(), overlays())
def test_differences_lead_there_and_back(before: Overlay, after: Overlay) -> None:
    edits = differences(before, after)
    assert apply_edits(before, edits) == after
    assert apply_edits(after, [edit.inverse() for edit in edits]) == before
    assert differences(before, before) == ()
    # Whatever is found, only what the edits are about is changed.
    assert apply_edits(after, edits) == after


def test_what_another_changed_meanwhile_is_not_replaced_unseen() -> None:
    mine = [Edit("a", "name", "", "Skies"), Edit("b", "note", "", "look again")]
    theirs = Overlay({"a": "Heaven"})
    with pytest.raises(ConflictError, match="name of a was changed elsewhere") as caught:
        apply_edits(theirs, mine)
    assert caught.value.edits == (Edit("a", "name", "Heaven", "Skies"),)
    # Seen now, it may be replaced.
    assert apply_edits(theirs, [*caught.value.edits, mine[1]]).labels == {"a": "Skies"}
    assert force_edits(theirs, mine) == Overlay({"a": "Skies"}, notes={"b": "look again"})
    assert apply_edits(Overlay({"c": "Other"}), mine).labels == {"a": "Skies", "c": "Other"}


def test_only_what_differs_is_an_edit() -> None:
    overlay = Overlay({"a": "Skies"}, frozenset("b"), notes={"a": "n"})
    same = {"a": {"name": " Skies ", "note": "n", "hidden": ""}, "b": {"hidden": "yes"}}
    assert edits_towards(overlay, same) == ()
    wanted = {"a": {"name": "", "hidden": "yes"}, "b": {"hidden": ""}}
    assert apply_edits(overlay, edits_towards(overlay, wanted)) == Overlay(
        {}, frozenset("a"), notes={"a": "n"}
    )


@pytest.mark.parametrize(
    ("fields", "reported"),
    [
        ({"name": "x" * 10_000}, "a: the name has 10000 characters; shorten"),
        ({"note": "x" * (MAX_NOTE + 1)}, "a: the note has 1001 characters; shorten"),
        ({"name": "left\u202eright"}, "a: the name holds a sign that cannot be shown"),
        ({"note": "bell \a"}, "a: the note holds a sign that cannot be shown"),
    ],
)
def test_what_cannot_be_kept_names_its_topic(fields: dict[str, str], reported: str) -> None:
    with pytest.raises(InputError, match=reported):
        edits_towards(Overlay(), {"a": fields})


def test_names_given_twice_are_reported_once() -> None:
    assert same_names(["b", "a", "b", "c", "a", "b"]) == ["a", "b"]
