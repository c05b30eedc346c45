"""Topics of another model on the Evaluate page, and names that are carried over."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from orrery.app.text.safe_text import markdown_text
from orrery.app.views.evaluate import strings
from orrery.core.evaluation.run_matching import match_runs
from orrery.core.model.overlay import Overlay
from orrery.core.storage.overlay import read_overlay, write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import as_read, open_page


def page() -> None:
    from orrery.app.views.evaluate import page as evaluate

    evaluate.render()


opened = partial(open_page, page, run="r", corpus="c")


@pytest.fixture
def earlier(own_run: Path) -> Path:
    """A copy of the run, in which a person has named a topic."""
    run = own_run.with_name("earlier")
    shutil.copytree(own_run, run)
    match = match_runs(load_run(run), load_run(own_run))
    write_overlay(run / "model", Overlay(labels={next(iter(match.partner)): "My name"}))
    return run


def test_names_are_carried_over_by_a_click(own_run: Path, earlier: Path) -> None:
    assert strings.MATCH not in as_read(opened())
    at = opened(**{"with": ["earlier"]})
    match = match_runs(load_run(earlier), load_run(own_run))
    title = markdown_text(strings.matched("earlier", match))
    assert title in [each.label for each in at.expander]
    table = next(each.value for each in at.dataframe if strings.BEFORE in each.value.columns)
    assert len(table) == len(match.first.displayed_topics) + len(match.new)
    at.button(key="carry-earlier").click().run()
    assert not at.exception
    assert strings.carried(1, 0) in as_read(at)
    assert list(read_overlay(own_run / "model").labels.values()) == ["My name"]
    at.button(key="carry-earlier").click().run()
    assert strings.carried(0, 0) in as_read(at)


def test_sample_has_no_button_to_change_it(demo: Path, earlier: Path) -> None:
    at = open_page(page, run="Field notes", **{"with": ["earlier"]})
    assert not at.exception
    assert not [button for button in at.button if button.key == "carry-earlier"]
