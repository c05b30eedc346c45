"""A damaged file is named in one sentence or does no harm; nothing is half read."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from orrery.core.data.corpus import build_corpus
from orrery.core.data.readers import read_documents
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import Session
from orrery.core.runs.stability import measure_stability
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.overlay import change_overlay
from orrery.core.storage.reports import MOVES, append_figures
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.core.small_runs import RECIPE, settings, write_source
from tests.damage import Damage, damages
from tests.opening import in_time, look, looks_when_whole, outcome

DAMAGES = int(os.environ.get("ORRERY_DAMAGES", "400"))
SEED = int(os.environ.get("ORRERY_DAMAGES_SEED", "0"))
NAMED = {"named": "named", "right": "no effect", "elsewise": "crafted, another valid file"}
NOT_READ = ("log.txt", "run.lock", "model.lock", "stability.lock", "with-sample")


def workspace_of(home: Path, seed: int) -> Path:
    """A workspace with a corpus and a run on it that has every file that a run can have."""
    home.mkdir()
    source = write_source(home)
    lines = source.read_text().splitlines(keepends=True)
    source.write_text("".join(lines[: len(lines) - seed]))
    corpus, report = build_corpus(read_documents(source), RECIPE)
    save_corpus(corpus, home / "corpora" / "c", report)
    source.unlink()
    folder = home / "runs" / "r"
    start_run(folder, settings(home / "corpora" / "c", seed=seed), Session())
    measure_stability(folder, times=2, threads=1)
    change_overlay(folder / "model", lambda overlay: overlay.with_label("L1.1", f"Skies {seed}"))
    move = {"step": 2, "epoch": 1, "merged": seed, "pruned": 0, "topics": 6, "edges": 30}
    append_figures(folder / MOVES, move | {"grown": 1, "bound": 0.5})
    (folder / "control.json").write_text('{"command": "run"}')
    record = {"started": 1e9, "pid": 0, "corpus": "../../corpora/c"}
    (folder / "launch.json").write_text(json.dumps(record))
    return home


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two workspaces with the same files: one document less in the other, and another seed."""
    place = tmp_path_factory.mktemp("workspaces")
    one, other = (workspace_of(place / str(seed), seed) for seed in (0, 1))
    return one, other


def files_of(home: Path) -> list[str]:
    paths = sorted(path for path in home.rglob("*") if path.is_file())
    return [str(path.relative_to(home)) for path in paths if path.name not in NOT_READ]


def evaluate(damage: Damage, home: Path, whole: dict[str, set[str]]) -> str:
    """Effect of a damage; a crafted file may have other values, and must do no harm."""
    with in_time():
        seen = look(home, damage.file)
    for text in seen.values():
        assert "\n" not in text.strip(), (damage, text)
    found = outcome(seen, whole, damage.file)
    if found == "elsewise" and not damage.is_crafted:
        different = [name for name in seen if seen[name] not in whole[name]]
        raise AssertionError(f"{damage} is not noticed by {different}")
    return found


def changed(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case dict():
            return {**value, "x": 1}
    return [*value, "x"]


@pytest.mark.parametrize(
    ("file", "opens"),
    [("corpora/c/corpus.json", load_corpus), ("runs/r/model/model.json", load_run)],
)
def test_a_value_that_a_hand_changed_in_a_description_is_named(
    homes: tuple[Path, Path], file: str, opens: Callable[[Path], object]
) -> None:
    path = homes[0] / file
    whole, folder = path.read_bytes(), homes[0].joinpath(*Path(file).parts[:2])
    values = json.loads(whole)
    opened = []
    try:
        for name in values:
            path.write_text(json.dumps({**values, name: changed(values[name])}))
            with suppress(InputError):
                opens(folder)
                opened.append(name)
    finally:
        path.write_bytes(whole)
    assert len(values) >= 5
    assert opened == []
    opens(folder)


def test_damage_is_named_or_harmless(
    homes: tuple[Path, Path], record_property: Callable[[str, object], None]
) -> None:
    home, other = homes
    files, whole = files_of(home), looks_when_whole(home)
    assert len(files) >= 15
    assert "runs/r/model/stability.npz" in files
    assert not any(text.startswith("named: ") for texts in whole.values() for text in texts)
    with closing(damages(home, other, SEED, files)) as source:
        counts = Counter(evaluate(damage, home, whole) for damage in islice(source, DAMAGES))
    assert looks_when_whole(home) == whole
    assert counts["named"] > DAMAGES / 3
    for found, count in counts.items():
        record_property(f"damaged files: {NAMED[found]}", count)
