"""The load test counts what visitors meet, and is stored as it goes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks.part import Part, Settings
from tests.benchmarks.parts import load
from tests.benchmarks.results import load_results, save_result
from tests.benchmarks.sessions import LOST, Record, session
from tests.browser.driving import served


@pytest.fixture(scope="module")
def kept() -> list[dict]:
    """Figures of a few seconds with four visitors: those stored on the way, and the last ones."""
    found: list[dict] = []
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(load, "QUICK_MINUTES", 0.2)
        changed.setattr(load, "LOOK_SECONDS", 1.0)
        changed.setattr(load, "KEEP_SECONDS", 4.0)
        changed.setattr(load, "READING_SECONDS", 1.0)
        found.append(
            load.run(Settings(quick=True, keep=lambda figures, sets: found.append(figures)))
        )
    return found


def test_visitors_meet_no_error_while_two_runs_train(kept: list[dict]) -> None:
    last = kept[-1]
    assert last["errors"] == last["trainings"]["failed"] == []
    assert last["visitors"] == 4 <= last["sessions"]
    assert last["trainings"]["going"] == 2
    assert {"query", "typed query"} < last["waits"].keys()
    assert all(one["0.5"] <= one["0.95"] <= one["max"] for one in last["waits"].values())
    assert all(megabytes > 50 for _, megabytes in last["memory"])


def test_figures_are_stored_on_the_way_and_the_page_says_so(kept: list[dict]) -> None:
    assert len(kept) >= 2
    first, last = kept[0], kept[-1]
    assert 0.05 < first["spent"] < 0.15 < last["spent"]
    assert "**Cut:**" in load.show(first)
    assert "**Cut:**" not in load.show(last)
    assert "not judged" in load.show(last)


def test_a_part_that_is_cut_leaves_what_it_has_kept(tmp_path: Path) -> None:
    def run(settings: Settings) -> dict:
        settings.keep({"v": 1}, ())
        raise KeyboardInterrupt

    run.__module__ = load.__name__
    part = Part("first", "Title", 1, run, str)
    with pytest.raises(KeyboardInterrupt):
        command._run(part, Settings(), tmp_path, lambda result: save_result(tmp_path, result))
    [result] = load_results(tmp_path).values()
    assert result.figures == {"v": 1}
    assert result.origins[0].modules


def test_errors_and_closed_pages_are_seen(tmp_path: Path) -> None:
    """A model without texts, a page that does not exist, and a damaged model."""
    workspace = tmp_path / "workspace"
    load._fill(workspace)

    async def opened(url: str, page: str, place: str) -> Record:
        record = Record()
        async with session(url, record) as tab:
            await tab.open(page, place)
        return record

    with served("app", workspace) as url:
        whole = asyncio.run(opened(url, "map", load.SAMPLE_PAGE))
        assert not whole.closed
        assert not whole.errors
        assert asyncio.run(opened(url, "nowhere", "")).errors == ["there is no page nowhere"]
        (workspace / "corpora" / "sample").rename(workspace / "elsewhere")
        assert asyncio.run(opened(url, "map", "run=sample")).closed
    with pytest.raises(LOST):
        asyncio.run(opened(url, "map", ""))


def test_the_same_sentence_about_two_runs_is_one_without_places() -> None:
    told = {f"/tmp/of{n}\\_x/workspace/runs/other\\-00{n} has no model yet\\.": n for n in (1, 2)}
    assert load._named_messages(told) == {"runs/other-NNN has no model yet.": 3}


@pytest.mark.parametrize(("per_minute", "verdict"), [(0.0, ": flat."), (3.0, "**not flat**")])
def test_memory_that_grows_is_not_flat(kept: list[dict], per_minute: float, verdict: str) -> None:
    # What is filled in the first quarter does not count.
    memory = [[minute, 200.0 + min(minute, 10) * 20 + per_minute * minute] for minute in range(61)]
    found = load.growth([tuple(pair) for pair in memory])
    assert found["slope"] == pytest.approx(60 * per_minute)
    figures = {**kept[-1], "memory": memory, "growth": found, "minutes": 60.0, "spent": 60.0}
    page = load.show(figures)
    assert verdict in page
    assert "| 55.0 |" in page
