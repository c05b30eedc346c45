"""Names that are typed, read or found become drafts; stored names do not."""

from __future__ import annotations

import pytest

from orrery.app.shared import strings as shared_strings
from orrery.app.shared.naming import (
    changes_table,
    edited_values,
    matching,
    table,
    warnings,
    with_drafts,
    without_made,
)
from orrery.core.model.overlay import Edit, Overlay, apply_edits, edits_towards
from orrery.core.naming.table import table_order, topic_rows
from orrery.core.utils.errors import InputError
from tests.core.export.models import EVIL, sample

NAMED = shared_strings.COLUMNS["name"]


def test_a_draft_remembers_what_stood_there_when_it_began() -> None:
    drafts = with_drafts({}, Overlay({"a": "Old"}), {"a": {"name": "New"}})
    assert drafts == {("a", "name"): Edit("a", "name", "Old", "New")}
    # Another saved meanwhile; typing on does not make that seen.
    later = with_drafts(drafts, Overlay({"a": "Theirs"}), {"a": {"name": "Newer"}})
    assert later["a", "name"] == Edit("a", "name", "Old", "Newer")
    assert with_drafts(drafts, Overlay({"a": "Old"}), {"a": {"name": "Old"}}) == {}
    both = with_drafts(drafts, Overlay({"a": "Old"}), {"b": {"hidden": "yes"}})
    assert both.keys() == {("a", "name"), ("b", "hidden")}


def test_a_text_that_cannot_be_kept_leaves_the_drafts() -> None:
    with pytest.raises(InputError, match="b: the name holds a sign"):
        with_drafts({}, Overlay(), {"a": {"name": "Fine"}, "b": {"name": "x\u202ey"}})


def test_cells_are_recognised_by_their_topics() -> None:
    edited = {
        0: {NAMED: "Skies", shared_strings.COLUMNS["hidden"]: True},
        "2": {shared_strings.COLUMNS["note"]: None, shared_strings.COLUMNS["words"]: "never"},
    }
    assert edited_values(("a", "b", "c"), edited) == {
        "a": {"name": "Skies", "hidden": "yes"},
        "c": {"note": ""},
    }


def test_the_table_shows_drafts_as_they_will_be() -> None:
    run = sample(Overlay({"L1.1": "Stage"}, frozenset(["L1.2"])))
    ids = run.network.graph.topic_ids
    shown_text = {
        "L1.1": {"name": ""},
        "L1.2": {"hidden": ""},
        "L1.3": {"name": EVIL[:40], "note": "n"},
    }
    drafts = with_drafts({}, run.overlay, shown_text)
    rows = topic_rows(run, map(ids.index, shown_text), None)
    shown = table(rows, drafts, dict.fromkeys(shown_text, "a · b"))
    assert shown[NAMED].tolist() == ["a · b", "a · b", " ".join(EVIL[:40].split())]
    assert shown[shared_strings.COLUMNS["hidden"]].tolist() == [False, False, False]
    assert shown[shared_strings.COLUMNS["documents"]].isna().all()
    listed = changes_table(
        run, tuple(drafts.values()), (shared_strings.NAMES_BEFORE, shared_strings.AFTER)
    )
    assert listed[shared_strings.NAMES_BEFORE].tolist() == [
        "Stage",
        "hidden",
        "by its words",
        "none",
    ]
    assert listed[shared_strings.AFTER].tolist()[:2] == ["by its words", "shown"]
    after = apply_edits(run.overlay, drafts.values())
    assert edits_towards(after, shown_text) == ()


def test_the_name_made_of_words_is_no_name_of_a_persons_own() -> None:
    made = {"a": "price · market", "b": "band · song"}
    typed = {"a": {"name": "price · market", "note": "price · market"}, "b": {"name": "Music"}}
    assert without_made(typed, made) == {
        "a": {"name": "", "note": "price · market"},
        "b": {"name": "Music"},
    }


def test_names_that_confuse_are_reported_and_allowed() -> None:
    run = sample(Overlay({"L1.1": "Stage", "L1.2": "Twice", "L1.3": "Twice"}))

    def reported(**names: str) -> list[str]:
        given = {key.replace("_", "."): {"name": name} for key, name in names.items()}
        return warnings(run, tuple(with_drafts({}, run.overlay, given).values()))

    assert reported(L1_4="Garden") == []
    assert reported(L1_4="Stage") == [shared_strings.same(["Stage"])]
    assert reported(L1_4="L1.5") == [shared_strings.like_ids(["L1.5"])]
    assert reported(L1_4="L1.4") == []
    assert reported(L1_1="", L1_4="Stage") == []


def test_what_is_shown_is_found_by_name_word_id_and_note() -> None:
    run = sample(Overlay({"L1.1": "Bühne"}, frozenset(["L1.2"]), notes={"L1.3": "ask Ada"}))
    ids = run.network.graph.topic_ids
    order = table_order(run, None).tolist()

    def found(find: str, shown: str = shared_strings.ALL) -> set[str]:
        return {ids[topic] for topic in matching(run, order, find, shown)}

    assert found("bÜhne") == {"L1.1"}
    assert found(" ask  ada ") == {"L1.3"}
    assert "L1.8" in found("boat")
    assert {"L1.1", "L1.10"} <= found("l1.1")
    assert found("", shared_strings.NAMED) == {"L1.1", "L1.3"}
    assert found("", shared_strings.HIDDEN) == {"L1.2"}
    assert found("", shared_strings.UNNAMED) == {ids[topic] for topic in order} - {"L1.1"}
    assert found("no such thing") == set()


def test_a_search_for_a_word_of_the_table_finds_its_row() -> None:
    run = sample(Overlay({"L1.1": "Bühne"}))
    order = table_order(run, None).tolist()
    made = dict(zip(run.network.graph.topic_ids, run.made_labels, strict=True))
    words = table(topic_rows(run, order, None), {}, made)[shared_strings.COLUMNS["words"]]
    for topic, listed in zip(order, words, strict=True):
        for word in listed.removesuffix(" …").split(", "):
            assert topic in matching(run, order, word, shared_strings.ALL), word
