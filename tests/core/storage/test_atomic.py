"""Files and folders are there whole or not at all."""

import json
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from orrery.core.storage.atomic import (
    new_folder,
    replacing,
    write_bytes,
    write_json,
    write_npz,
    write_text,
    write_together,
)
from orrery.core.utils.errors import InputError


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_read_back_as_written(tmp_path: Path) -> None:
    write_text(tmp_path / "t.txt", "Größe\r\n")
    write_json(tmp_path / "j.json", {"ä": [1, 2.5, None]})
    write_npz(tmp_path / "a.npz", {"x": np.arange(5), "y": np.eye(2)})
    assert (tmp_path / "t.txt").read_bytes() == "Größe\r\n".encode()
    assert json.loads((tmp_path / "j.json").read_text(encoding="utf-8")) == {"ä": [1, 2.5, None]}
    with np.load(tmp_path / "a.npz") as archive:
        assert (archive["x"] == np.arange(5)).all()
        assert (archive["y"] == np.eye(2)).all()
    assert names_in(tmp_path) == ["a.npz", "j.json", "t.txt"]


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_npz(tmp_path / name, {"x": np.arange(1000)})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
def test_an_interrupted_file_leaves_the_old_one(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    write_bytes(tmp_path / "f", b"old")

    def write_half() -> None:
        with replacing(tmp_path / "f") as file:
            file.write(b"half of the new")
            raise interruption

    with pytest.raises(interruption):
        write_half()
    assert (tmp_path / "f").read_bytes() == b"old"
    assert names_in(tmp_path) == ["f"]


def test_files_that_are_read_together_come_together_or_not_at_all(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_together({first: b"1", second: b"2"})
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    write_together({first: b"3", second: None})
    assert first.read_bytes() == b"3"
    assert names_in(tmp_path) == ["first"]


@pytest.mark.parametrize("moves", range(5))
def test_a_kill_between_two_files_leaves_what_belongs_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_together({first: b"1", second: b"2"})
    moved, replace = [], os.replace

    def killed(source: Path, place: Path) -> None:
        if len(moved) >= moves:
            raise KeyboardInterrupt
        moved.append(place)
        replace(source, place)

    monkeypatch.setattr(os, "replace", killed)
    with suppress(KeyboardInterrupt):
        write_together({first: b"3", second: b"4"})
    monkeypatch.undo()
    if first.exists():
        assert (first.read_bytes(), second.read_bytes()) in [(b"1", b"2"), (b"3", b"4")]
    else:
        kept = [path.with_name(path.name + ".old") for path in (first, second)]
        assert [path.read_bytes() for path in kept] == [b"1", b"2"]
    write_together({first: b"5", second: b"6"})
    assert (first.read_bytes(), second.read_bytes()) == (b"5", b"6")
    assert names_in(tmp_path) == ["first", "second"]


@pytest.mark.parametrize("moves", range(3))
def test_a_kill_while_files_are_restored_leaves_what_belongs_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_together({first: b"1", second: b"2"})
    restored, replace = [], os.replace

    def failing(source: Path, place: Path) -> None:
        if Path(source).suffix == ".old":
            if len(restored) >= moves:
                raise KeyboardInterrupt
            restored.append(place)
        elif place == first:
            raise OSError("no space")
        replace(source, place)

    monkeypatch.setattr(os, "replace", failing)
    with suppress(KeyboardInterrupt, OSError):
        write_together({first: b"3", second: b"4"})
    monkeypatch.undo()
    if first.exists():
        assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    assert len(restored) == moves


def test_values_that_cannot_be_written_leave_the_old_file(tmp_path: Path) -> None:
    write_json(tmp_path / "f", 1)
    with pytest.raises(TypeError):
        write_json(tmp_path / "f", {"x": object()})
    with pytest.raises(ValueError, match="allow_pickle"):
        write_npz(tmp_path / "f", {"x": np.array([{}], object)})
    assert (tmp_path / "f").read_text() == "1\n"
    assert names_in(tmp_path) == ["f"]


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
def test_an_interrupted_folder_leaves_nothing(
    tmp_path: Path, interruption: type[BaseException]
) -> None:

    def build_half() -> None:
        with new_folder(tmp_path / "new") as partial:
            write_text(partial / "f", "x")
            raise interruption

    with pytest.raises(interruption):
        build_half()
    assert names_in(tmp_path) == []


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "new"
    with new_folder(place) as partial:
        write_text(partial / "f", "x")
        assert partial.parent == place.parent
        assert not place.exists()
    assert names_in(place) == ["f"]
    assert names_in(place.parent) == ["new"]


def test_an_empty_folder_may_be_filled_and_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with new_folder(tmp_path / "empty") as partial:
        write_text(partial / "f", "x")
    assert names_in(tmp_path / "empty") == ["f"]
    (tmp_path / "file").write_text("x")
    for taken in ("empty", "file"):
        with (
            pytest.raises(InputError, match=f"{taken} exists already"),
            new_folder(tmp_path / taken),
        ):
            pass
    with pytest.raises(InputError, match="file is a file"), new_folder(tmp_path / "file" / "new"):
        pass
    assert names_in(tmp_path) == ["empty", "file"]


def test_a_place_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exists already"), new_folder(tmp_path / "new"):
        (tmp_path / "new").write_text("of someone else")
    assert names_in(tmp_path) == ["new"]


def test_an_error_names_the_place_that_was_requested(tmp_path: Path) -> None:
    write_text(tmp_path / "taken", "x")
    for place in (tmp_path / "missing" / "x", tmp_path / "taken" / "x", tmp_path / ("n" * 240)):
        with pytest.raises(OSError, match=str(tmp_path)) as failure:
            write_text(place, "x")
        assert failure.value.filename == str(place)
    place = tmp_path / "folder"
    with pytest.raises(OSError, match="No such file") as failure, new_folder(place) as partial:
        (partial / "sub" / "file").write_text("x")
    assert failure.value.filename == str(place / "sub" / "file")
    assert names_in(tmp_path) == ["taken"]
