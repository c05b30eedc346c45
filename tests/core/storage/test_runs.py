"""A run folder can be read at any moment, whatever state its files are in."""

from __future__ import annotations

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import filelock
import pytest

from orrery.core.storage import runs
from orrery.core.storage.models import replace_model, save_model
from orrery.core.storage.reading import read_npz
from orrery.core.storage.reports import (
    METRICS,
    MOVES,
    append_figures,
    read_metrics,
    read_moves,
    truncate_metrics,
)
from orrery.core.storage.runs import (
    COMMANDS,
    LIVE_STATES,
    check_can_begin,
    load_run,
    read_command,
    read_config,
    read_status,
    remove_stale_files,
    run_lock,
    send_command,
    write_config,
    write_status,
)
from orrery.core.utils.errors import InputError
from tests.core.small_runs import contents

# Minimum content of a line of metrics.
WHOLE: dict[str, Any] = {"step": 1, "epoch": 1, "seconds": 0.5}
WHOLE |= {"merged": 0, "pruned": 0, "topics": 9, "edges": 20}


def test_a_trained_run_is_loaded_with_its_place(trained: Path, corpus_folder: Path) -> None:
    run = load_run(str(trained))
    assert run.folder == trained
    assert run.corpus_path == corpus_folder
    assert run.network.graph.n_topics == len(run.topic_labels) == 6
    assert run.parse("rocket the zebra")[1] == ["zebra"]
    assert run.summary["epochs"] == 3.0
    before = contents(trained)
    load_run(trained)
    read_status(trained)
    read_metrics(trained)
    assert contents(trained) == before


def test_a_model_that_is_replaced_while_it_is_read_is_not_taken_for_damaged(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(run_folder)
    network = replace(run.network, weight=run.network.weight / 2)
    coming = [network]

    def replace_and_read(path: Path, expected_hash: str | None = None) -> dict[str, Any]:
        while coming:
            parts = (coming.pop(), run.vocabulary, run.recipe, run.summary)
            replace_model(run_folder / "model", lambda new, p=parts: save_model(new, *p))
        return read_npz(path, expected_hash)

    monkeypatch.setattr("orrery.core.storage.models.read_npz", replace_and_read)
    assert (load_run(run_folder).network.weight == network.weight).all()


def test_folders_that_are_no_run(tmp_path: Path, run_folder: Path) -> None:
    for folder in (tmp_path, tmp_path / "nix"):
        with pytest.raises(InputError, match="is not a run folder; make one with orrery train"):
            load_run(folder)
    (run_folder / "model").rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="has no model yet; let it train to its end, or stop it"):
        load_run(run_folder)


def test_the_corpus_is_named_from_the_run(tmp_path: Path) -> None:
    run, corpus = tmp_path / "runs" / "r", tmp_path / "corpora" / "c"
    run.mkdir(parents=True)
    write_config(run, str(corpus), {"seed": 1})
    assert str(tmp_path) not in (run / "config.json").read_text(encoding="utf-8")
    assert read_config(run)["corpus"] == str(corpus)
    assert read_config(run)["settings"] == {"seed": 1}
    (tmp_path / "runs").rename(tmp_path / "moved")
    assert read_config(tmp_path / "moved" / "r")["corpus"] == str(corpus)


def test_a_corpus_on_another_drive_is_named_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_mounts(path: str, start: Path) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", on_mounts)
    write_config(tmp_path, str(tmp_path / "c"), {})
    assert json.loads((tmp_path / "config.json").read_bytes())["corpus"] == str(tmp_path / "c")
    assert read_config(tmp_path)["corpus"] == str(tmp_path / "c")


def test_a_run_behind_a_link_finds_its_corpus(tmp_path: Path) -> None:
    run, corpus = tmp_path / "deep" / "down" / "r", tmp_path / "c"
    run.mkdir(parents=True)
    (tmp_path / "link").symlink_to(run, target_is_directory=True)
    write_config(tmp_path / "link", str(corpus), {})
    assert read_config(run)["corpus"] == read_config(tmp_path / "link")["corpus"] == str(corpus)


@pytest.mark.parametrize(
    "config", ["", "[]", "{", '{"version": 1}', '{"version": 2, "corpus": "c"}', "\udcff"]
)
def test_settings_that_cannot_be_read(tmp_path: Path, config: str) -> None:
    (tmp_path / "config.json").write_bytes(config.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"damaged: config\.json|cannot read; train it again"):
        read_config(tmp_path)


@pytest.mark.parametrize("state", sorted(LIVE_STATES))
def test_a_live_state_is_believed_only_while_the_lock_is_held(tmp_path: Path, state: str) -> None:
    write_status(tmp_path, state, "Well.", epoch=0.5)
    assert read_status(tmp_path)["state"] == "interrupted"
    with run_lock(tmp_path):
        status = read_status(tmp_path)
        assert (status["state"], status["alive"]) == (state, True)
        assert (status["message"], status["epoch"], status["pid"]) == ("Well.", 0.5, os.getpid())
    status = read_status(tmp_path)
    assert (status["state"], status["alive"]) == ("interrupted", False)


@pytest.mark.parametrize("state", ["stopped", "finished", "failed"])
def test_an_end_is_an_end(tmp_path: Path, state: str) -> None:
    write_status(tmp_path, state, "Well.")
    assert read_status(tmp_path)["state"] == state


def test_asking_does_not_take_the_lock_away(tmp_path: Path) -> None:
    write_status(tmp_path, "running", "Well.")
    for _ in range(3):
        read_status(tmp_path)
        with run_lock(tmp_path).acquire(timeout=0):
            assert read_status(tmp_path)["alive"]
            assert read_status(tmp_path)["alive"]


def test_two_who_ask_at_once_do_not_take_each_other_for_the_run(tmp_path: Path) -> None:
    write_status(tmp_path, "running", "Well.")
    with run_lock(tmp_path):
        pass
    with ThreadPoolExecutor(2) as pool:
        looks = [pool.submit(read_status, tmp_path) for _ in range(100)]
    assert {look.result()["state"] for look in looks} == {"interrupted"}


def test_one_who_stalls_while_looking_is_not_taken_for_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_status(tmp_path, "running", "Well.")
    with run_lock(tmp_path):
        pass
    has_it = threading.Event()

    class Stalling(filelock.FileLock):
        def release(self, force: bool = False) -> None:
            if self.is_locked and not has_it.is_set():
                has_it.set()
                time.sleep(10 * runs.SECONDS_OF_LOOKING)
            super().release(force)

    monkeypatch.setattr(runs, "run_lock", lambda folder: Stalling(folder / "run.lock"))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(read_status, tmp_path)
        assert has_it.wait(10)
        second = pool.submit(read_status, tmp_path)
    assert not first.result()["alive"]
    assert not second.result()["alive"]


def test_figures_of_another_kind_are_left_out(tmp_path: Path) -> None:
    sound = {"state": "finished", "message": "Well.", "epochs": 3, "train_bound": float("nan")}
    odd = {"epoch": [1], "step": "7", "seconds": 1e400, "topics": 10**400, "phase": 5, "pid": True}
    (tmp_path / "status.json").write_text(json.dumps(sound | odd), encoding="utf-8")
    assert read_status(tmp_path).keys() == {*sound, "alive"}
    (tmp_path / "metrics.jsonl").write_text(
        json.dumps(WHOLE | {"train_bound": [[1]], "topics": "9", "phase": "training"}) + "\n"
    )
    (metrics,) = read_metrics(tmp_path).to_dict("records")
    kept = {name: value for name, value in WHOLE.items() if name != "topics"}
    assert metrics == kept | {"phase": "training"}


@pytest.mark.skipif(os.name == "nt", reason="links and pipes are for administrators there")
@pytest.mark.parametrize("name", ["status.json", "metrics.jsonl", "moves.jsonl", "control.json"])
def test_what_is_no_file_is_neither_waited_for_nor_a_traceback(tmp_path: Path, name: str) -> None:
    for make in (lambda path: path.symlink_to(path), os.mkfifo, Path.mkdir):
        make(tmp_path / name)
        assert read_metrics(tmp_path).empty
        assert read_moves(tmp_path).empty
        assert read_command(tmp_path) == "run"
        with pytest.raises(InputError, match=r"status\.json"):
            read_status(tmp_path)
        (tmp_path / name).rmdir() if make is Path.mkdir else (tmp_path / name).unlink()


def test_a_status_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"status\.json is missing"):
        read_status(tmp_path)
    (tmp_path / "status.json").write_bytes(b"{")
    with pytest.raises(InputError, match=r"status\.json cannot be read"):
        read_status(tmp_path)


def test_commands(tmp_path: Path) -> None:
    assert read_command(tmp_path) == "run"
    for command in COMMANDS:
        send_command(tmp_path, command)
        assert read_command(tmp_path) == command
    with pytest.raises(InputError, match="there is no command 'fly'"):
        send_command(tmp_path, "fly")
    for text in ("", "{", "[]", '{"command": "fly"}', '{"command": ["stop"]}', "null"):
        (tmp_path / "control.json").write_text(text, encoding="utf-8")
        assert read_command(tmp_path) == "run"


def test_metrics_with_a_torn_last_line(tmp_path: Path) -> None:
    assert read_metrics(tmp_path).empty
    for step in (1, 2):
        append_figures(tmp_path / METRICS, WHOLE | {"step": step, "train_bound": -step / 3})
    whole = (tmp_path / "metrics.jsonl").read_bytes()
    append_figures(tmp_path / METRICS, WHOLE | {"step": 3, "train_bound": -1.0, "größe": 1})
    torn = (tmp_path / "metrics.jsonl").read_bytes()
    for size in range(len(whole), len(torn) - 1):
        (tmp_path / "metrics.jsonl").write_bytes(torn[:size])
        metrics = read_metrics(tmp_path)
        assert metrics["step"].tolist() == [1, 2]
        assert metrics["train_bound"].tolist() == [-1 / 3, -2 / 3]
    deep = b'{"step": 3, "epoch": ' + b"[" * 100_000
    lone = b'{"step": 3}\n'
    for junk in (b"\xff\xfe\n", b"7\n", b"[1]\n", b"\n", lone, deep):
        (tmp_path / "metrics.jsonl").write_bytes(whole + junk)
        assert read_metrics(tmp_path)["step"].tolist() == [1, 2]


def test_metrics_after_a_step_are_dropped(tmp_path: Path) -> None:
    truncate_metrics(tmp_path, 0)
    assert read_metrics(tmp_path).empty
    for step in (1, 2, 3):
        append_figures(tmp_path / METRICS, {"step": step})
    with (tmp_path / "metrics.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"step": "x"}\n{"epoch": 1}\n{"step": 4, "tra')
    truncate_metrics(tmp_path, 2)
    append_figures(tmp_path / METRICS, {"step": 3})
    lines = (tmp_path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [{"step": 1}, {"step": 2}, {"step": 3}]


def test_moves_after_a_step_are_dropped_with_the_metrics(tmp_path: Path) -> None:
    assert read_moves(tmp_path).empty
    truncate_metrics(tmp_path, 0)
    assert not (tmp_path / "moves.jsonl").exists()
    for step in (1, 2, 3):
        append_figures(tmp_path / MOVES, WHOLE | {"step": step, "topics": 9 - step})
    truncate_metrics(tmp_path, 2)
    assert read_moves(tmp_path)["topics"].tolist() == [8, 7]


def test_changes_of_earlier_versions_have_no_growth_and_no_bound(
    tmp_path: Path,
) -> None:
    append_figures(tmp_path / MOVES, WHOLE | {"merged": 2})
    assert read_moves(tmp_path)["grown"].tolist() == [0]
    append_figures(tmp_path / MOVES, WHOLE | {"step": 2, "grown": 7, "bound": -0.5})
    append_figures(tmp_path / MOVES, WHOLE | {"step": 3, "grown": "x", "bound": "y"})
    moves = read_moves(tmp_path)
    assert moves["grown"].tolist() == [0, 7, 0]
    assert moves["bound"].isna().tolist() == [True, False, True]


def test_places_for_a_new_run(tmp_path: Path) -> None:
    for name in ("run.lock", "console.txt", "launch.json", ".config.json.1.partial"):
        (tmp_path / name).touch()
    check_can_begin(tmp_path)
    check_can_begin(tmp_path / "deep" / "new")
    (tmp_path / "letter.txt").touch()
    with pytest.raises(InputError, match="holds other files; choose a new or an empty folder"):
        check_can_begin(tmp_path)
    for place in (tmp_path / "letter.txt", tmp_path / "letter.txt" / "deep" / "r"):
        with pytest.raises(InputError, match=r"letter\.txt is a file; choose another folder"):
            check_can_begin(place)
    (tmp_path / "start.npz").touch()
    with pytest.raises(InputError, match="holds a run already; add --resume"):
        check_can_begin(tmp_path)


def test_only_the_trainers_own_stale_files_are_removed(tmp_path: Path) -> None:
    kept = [".control.json.1.partial", ".launch.json.1.partial", ".hidden", "status.json"]
    gone = [".status.json.1.partial", ".start.npz.2.partial", ".checkpoint-00000001.npz.3.partial"]
    for name in (*kept, *gone):
        (tmp_path / name).touch()
    (tmp_path / "..model-new.4.partial").mkdir()
    (tmp_path / "..model-new.4.partial" / "model.npz").touch()
    remove_stale_files(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
