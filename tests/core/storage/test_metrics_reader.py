"""A reader that continues equals reading the whole file, whatever happens to the file."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.storage.reports import METRICS, MetricsReader, read_metrics, truncate_metrics

LINES = st.builds(
    lambda step, more: json.dumps({"step": step, "epoch": step / 7, "seconds": step * 1.5, **more}),
    st.integers(0, 40),
    st.dictionaries(
        st.sampled_from(["train_bound", "phase", "rate"]), st.floats(-9, 9) | st.none()
    ),
).map(str.encode)
BAD = st.sampled_from([b"", b"{", b"null", b"[1]", b"\xff\xe2", b'{"step": 1}', b"\x00", b"NaN"])
CHANGES = st.one_of(
    st.tuples(st.just("line"), LINES | BAD),
    st.tuples(st.just("part"), LINES | BAD),
    st.tuples(st.just("cut"), st.integers(0, 400)),
    st.tuples(st.just("back"), st.integers(0, 40)),
    st.tuples(st.just("gone"), st.none()),
)


def change(folder: Path, kind: str, what: object) -> None:
    """Do to the file what a run, a kill, a resume or a person does."""
    path = folder / METRICS
    held = path.read_bytes() if path.is_file() else b""
    if kind == "gone":
        path.unlink(missing_ok=True)
    elif kind == "back":
        truncate_metrics(folder, int(str(what)))
    elif kind == "cut":
        path.write_bytes(held[: int(str(what))])
    else:
        assert isinstance(what, bytes)
        path.write_bytes(held + what + (b"\n" if kind == "line" else b""))


@settings(max_examples=30)
@given(st.lists(CHANGES, max_size=12))
def test_it_equals_reading_the_whole(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("run")
    reader = MetricsReader(folder)
    for kind, what in changes:
        change(folder, kind, what)
        pd.testing.assert_frame_equal(reader.read(), read_metrics(folder))
    pd.testing.assert_frame_equal(reader.read(), read_metrics(folder))


def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({"step": n, "epoch": 1, "seconds": n}) for n in range(9)]
    (tmp_path / METRICS).write_text("\n".join(lines[:8]) + "\n")
    reader = MetricsReader(tmp_path)
    assert len(reader.read()) == 8
    seen: list[str] = []
    monkeypatch.setattr(
        "orrery.core.storage.reports.json_value", lambda line: seen.append(line) or json.loads(line)
    )
    with (tmp_path / METRICS).open("a") as file:
        file.write(lines[8] + "\n")
    assert list(reader.read()["step"]) == list(range(9))
    assert seen == [lines[8]]


def test_a_folder_in_its_place_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / METRICS).mkdir()
    assert MetricsReader(tmp_path).read().empty
