"""Edits of topics are read back and shown, and leave the model unchanged."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.overlay import (
    MAX_LABEL,
    MAX_NOTE,
    Edit,
    Overlay,
    edits_towards,
    force_edits,
)
from orrery.core.model.topic_names import NO_WORDS
from orrery.core.storage.models import load_model, replace_model, save_model
from orrery.core.storage.overlay import (
    HISTORY_FILE,
    MAX_EDITS,
    MAX_STEPS,
    OVERLAY_FILE,
    change_overlay,
    read_history,
    read_overlay,
    undo_change,
    with_step,
    write_overlay,
)
from orrery.core.storage.reading import sealed
from orrery.core.utils.errors import InputError
from tests.core.storage.test_models import RECIPE, SUMMARY, VOCABULARY, a_network

TOPIC = st.sampled_from(["a", "b", "c", "größe z", "T9999"])
PRINTABLE = st.characters(exclude_categories=["C", "Z"]) | st.just(" ")
LABEL = st.text(PRINTABLE, min_size=1, max_size=12).filter(
    lambda text: text.split() and " ".join(text.split()).isprintable()
)


def with_note(overlay: Overlay, topic: str, note: str) -> Overlay:
    """Overlay with a note on a topic; an empty one removes it."""
    return force_edits(overlay, edits_towards(overlay, {topic: {"note": note}}))


@st.composite
def overlays(draw: st.DrawFn) -> Overlay:
    overlay = Overlay()
    for topic, label in draw(st.dictionaries(TOPIC, LABEL)).items():
        overlay = overlay.with_label(topic, label)
    for topic, note in draw(st.dictionaries(TOPIC, LABEL)).items():
        overlay = with_note(overlay, topic, note)
    for topic in draw(st.sets(TOPIC)):
        overlay = overlay.with_hidden(topic, True)
    for topic, into in draw(st.lists(st.tuples(TOPIC, TOPIC), max_size=4)):
        if overlay.merged.get(into, into) != topic:
            overlay = overlay.with_merged(topic, into)
    return overlay


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tmp_path / "m", a_network(), VOCABULARY, RECIPE, SUMMARY)
    return tmp_path / "m"


@given(overlays())
def test_an_overlay_reads_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, overlay: Overlay
) -> None:
    folder = tmp_path_factory.mktemp("model")
    write_overlay(folder, overlay)
    assert read_overlay(folder) == overlay
    assert [path.name for path in folder.iterdir()] == [OVERLAY_FILE]


@given(overlays())
def test_merges_are_never_chained(overlay: Overlay) -> None:
    assert not set(overlay.merged) & set(overlay.merged.values())


@given(overlays(), TOPIC, LABEL)
def test_what_is_taken_back_leaves_no_trace(overlay: Overlay, topic: str, label: str) -> None:
    named = overlay.with_label(topic, label)
    assert named.labels[topic] == " ".join(label.split())
    assert topic not in named.with_label(topic, "  ").labels
    assert topic in overlay.with_hidden(topic, True).hidden
    assert topic not in overlay.with_hidden(topic, False).hidden
    assert topic not in overlay.with_merged(topic, "").merged


def test_a_topic_is_not_part_of_itself_by_any_way() -> None:
    overlay = Overlay().with_merged("a", "b")
    for topic, into in (("b", "a"), ("b", "b")):
        with pytest.raises(InputError, match="cannot be part of itself"):
            overlay.with_merged(topic, into)


def test_a_name_that_cannot_be_shown_is_refused() -> None:
    with pytest.raises(InputError, match="a sign that cannot be shown"):
        Overlay().with_label("a", "bell \a")


def test_a_note_is_kept_and_a_long_one_refused() -> None:
    noted = with_note(Overlay(), "a", " look\nagain ")
    assert noted.notes == {"a": "look again"}
    assert noted.about(["b"]) == with_note(noted, "a", "") == Overlay()
    with pytest.raises(InputError, match="the note has 1001 characters; shorten it to 1000"):
        with_note(noted, "b", "x" * (MAX_NOTE + 1))


def test_an_overlay_without_notes_is_one_that_earlier_versions_read(folder: Path) -> None:
    write_overlay(folder, Overlay({"a": "A"}))
    assert set(json.loads((folder / OVERLAY_FILE).read_text())) == {
        *("format", "version", "labels", "hidden", "merged", "seal")
    }
    for notes, version in (({}, 1), ({"a": "n"}, 2)):
        write_overlay(folder, Overlay({"a": "A"}, notes=notes))
        assert json.loads((folder / OVERLAY_FILE).read_text())["version"] == version


@given(st.lists(overlays(), max_size=6))
def test_every_change_is_taken_back_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, states: list[Overlay]
) -> None:
    folder = tmp_path_factory.mktemp("model")
    seen = [read_overlay(folder)]
    for state in states:
        change_overlay(folder, lambda _, state=state: state)
        if state != seen[-1]:
            seen.append(state)
    while read_history(folder):
        assert read_overlay(folder) == seen.pop()
        undo_change(folder, read_history(folder)[-1].number)
    assert [read_overlay(folder)] == seen


def test_only_the_last_change_is_taken_back(folder: Path) -> None:
    change_overlay(folder, lambda overlay: overlay.with_label("a", "A"))
    seen = read_history(folder)[-1].number
    change_overlay(folder, lambda overlay: overlay.with_label("b", "B"))
    with pytest.raises(InputError, match="the last change is another by now"):
        undo_change(folder, seen)
    assert read_overlay(folder).labels == {"a": "A", "b": "B"}


def test_a_change_after_an_undo_is_not_taken_back_instead_of_the_one_before(folder: Path) -> None:
    change_overlay(folder, lambda overlay: overlay.with_label("a", "A"))
    seen = read_history(folder)[-1].number
    undo_change(folder, seen)
    change_overlay(folder, lambda overlay: overlay.with_label("b", "B"))
    with pytest.raises(InputError, match="the last change is another by now"):
        undo_change(folder, seen)
    assert read_overlay(folder).labels == {"b": "B"}


def test_the_history_stays_short(tmp_path: Path) -> None:
    for number in range(MAX_STEPS + 5):
        change_overlay(tmp_path, lambda overlay, n=number: overlay.with_label("a", f"N{n}"))
    steps = read_history(tmp_path)
    assert len(steps) == MAX_STEPS
    edits = tuple(Edit(f"T{k}", "name", "", "x") for k in range(MAX_EDITS))
    assert with_step(steps, edits)[0].edits == edits
    assert len(with_step(with_step((), edits[:-1]), edits[:1])) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format": "orrery overlay history", "version": 2, "steps": []}',
        b'{"format": "orrery overlay history", "version": 1, "steps": 7}',
        b'{"format": "orrery overlay history", "version": 1, "steps": [{"number": 1}]}',
        b'{"format": "orrery overlay history", "version": 1, '
        b'"steps": [{"number": 1, "edits": [["a", "weight", "", "x"]]}]}',
        b'{"format": "orrery overlay history", "version": 1, '
        b'"steps": [{"number": 1, "edits": [["a", "name", "", 7]]}]}',
    ],
)
def test_a_damaged_history_is_none_and_stops_nothing(folder: Path, data: bytes) -> None:
    (folder / HISTORY_FILE).write_bytes(data)
    assert read_history(folder) == ()
    change_overlay(folder, lambda overlay: overlay.with_label("a", "A"))
    assert len(read_history(folder)) == 1


def test_a_long_name_is_refused() -> None:
    with pytest.raises(InputError, match=f"has {MAX_LABEL + 1} characters; shorten"):
        Overlay().with_label("a", "x" * (MAX_LABEL + 1))


def test_a_model_shows_a_persons_names_and_keeps_its_own(folder: Path) -> None:
    before = load_model(folder)
    assert before.topic_labels == before.made_labels
    change_overlay(folder, lambda overlay: overlay.with_label("b", "Skies *at* night"))
    change_overlay(folder, lambda overlay: overlay.with_hidden("c", True).with_hidden("gone", True))
    model = load_model(folder)
    ids = model.network.graph.topic_ids
    assert model.topic_labels[ids.index("b")] == "Skies *at* night"
    assert model.topic_labels[ids.index("a")] == before.topic_labels[ids.index("a")]
    assert model.made_labels == before.made_labels
    assert model.hidden_topics - model.wordless_topics == {ids.index("c")}
    assert model.n_hidden == 1
    assert (model.network.weight == before.network.weight).all()


def test_a_topic_that_a_person_names_no_words_is_still_shown(folder: Path) -> None:
    before = load_model(folder)
    change_overlay(folder, lambda overlay: overlay.with_label("a", NO_WORDS))
    assert load_model(folder).displayed_topics == before.displayed_topics


def test_only_topics_of_one_layer_are_shown_as_one(folder: Path) -> None:
    write_overlay(folder, Overlay(merged={"b": "c", "größe z": "a", "gone": "a"}))
    model = load_model(folder)
    ids, heights = model.network.graph.topic_ids, model.network.graph.heights()
    assert heights[ids.index("b")] == heights[ids.index("c")] != heights[ids.index("a")]
    assert model.shown_as == {ids.index("b"): ids.index("c")}


def test_training_on_keeps_what_a_person_changed(folder: Path) -> None:
    change_overlay(folder, lambda overlay: overlay.with_label("b", "Skies"))
    replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, SUMMARY))
    assert read_overlay(folder).labels == {"b": "Skies"}
    undo_change(folder, read_history(folder)[-1].number)
    assert read_overlay(folder) == Overlay()


def test_changes_at_the_same_time_are_all_kept(folder: Path) -> None:
    names = {f"T{number}": f"Name {number}" for number in range(40)}
    with ThreadPoolExecutor(4) as pool:
        for topic, name in names.items():
            pool.submit(change_overlay, folder, lambda o, t=topic, n=name: o.with_label(t, n))
    assert read_overlay(folder).labels == names


def test_a_change_while_another_model_comes_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_overlay(folder, Overlay({"a": "Before"}))
    given = folder, lambda overlay: overlay.with_label("b", "Meanwhile")
    edit = Thread(target=change_overlay, args=given)

    def copy_and_edit(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes())
        edit.start()
        # Long enough for an edit that waits for nothing.
        edit.join(0.5)

    monkeypatch.setattr("orrery.core.storage.models.shutil.copyfile", copy_and_edit)
    replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, SUMMARY))
    edit.join()
    assert read_overlay(folder).labels == {"a": "Before", "b": "Meanwhile"}


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"},
        {"version": "1"},
        {"version": True},
        {"labels": ["a"]},
        {"labels": {"a": 1}},
        {"labels": {"a": "  "}},
        {"labels": {"a": "x" * 121}},
        {"labels": {"a": "two\nlines"}},
        {"labels": {"a": "\ud800"}},
        {"hidden": {"a": 1}},
        {"hidden": [1]},
        {"hidden": None},
        {"merged": {"a": "b", "b": "c"}},
        {"merged": 7},
        {"notes": ["a"]},
        {"notes": {"a": "two\nlines"}},
        {"notes": {"a": "x" * 1001}},
    ],
)
def test_damage_is_one_sentence_that_states_what_to_do(
    folder: Path, change: dict[str, Any]
) -> None:
    write_overlay(folder, Overlay({"a": "A"}, frozenset("b"), {"c": "a"}))
    path = folder / OVERLAY_FILE
    path.write_text(json.dumps(sealed(json.loads(path.read_text()) | change)))
    with pytest.raises(InputError, match=r"overlay\.json is damaged.*move it away"):
        load_model(folder)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"null"])
def test_bytes_that_are_no_overlay_are_refused(folder: Path, data: bytes) -> None:
    (folder / OVERLAY_FILE).write_bytes(data)
    with pytest.raises(InputError, match="is damaged"):
        read_overlay(folder)


def test_an_overlay_of_the_future_is_refused(folder: Path) -> None:
    (folder / OVERLAY_FILE).write_text('{"format": "orrery overlay", "version": 3}')
    with pytest.raises(InputError, match="of version 3, and this Orrery reads up to 2"):
        read_overlay(folder)
