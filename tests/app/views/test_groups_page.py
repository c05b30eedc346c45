"""The Groups page: its comparisons, its links, and its message without groups."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.views.groups import strings
from orrery.core.data.columns import POSITIONS
from orrery.core.data.groups import BY_DOCUMENT
from orrery.core.storage.corpora import load_corpus, save_corpus
from tests.app.pages import open_page, press, shown_text
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
HOSTILE = "<img src=x onerror=alert(1)> :red[x]"


def page() -> None:
    from orrery.app.views.groups import page as groups

    groups.render()


opened = partial(open_page, page)


def relabelled(space: Path, labels: list[str | None], **columns: list[Any]) -> None:
    """Put the sample into a workspace under other labels and columns, with its model."""
    corpus = load_corpus(SAMPLE / "corpus")
    rows = corpus.n_documents
    table = corpus.documents[["id", "text"]].assign(
        label=pd.Series([labels[n % len(labels)] for n in range(rows)], dtype=object),
        **{name: [cells[n % len(cells)] for n in range(rows)] for name, cells in columns.items()},
    )
    folder = space / "corpora" / "notes"
    save_corpus(replace(corpus, documents=table), folder)
    run = space / "runs" / "notes"
    shutil.copytree(SAMPLE / "run", run)
    config = (run / "config.json").read_text()
    (run / "config.json").write_text(config.replace('"../corpus"', f'"{folder}"'))


def test_without_a_model_there_is_one_button(space: Path) -> None:
    assert strings.EMPTY in shown_text(opened())


def test_the_sample_opens_on_its_labels(demo: Path) -> None:
    at = opened()
    assert at.selectbox(key="by").value == "label"
    assert strings.counts(16, 63, 800) in shown_text(at)
    assert "30 of 63 topics" in shown_text(at)
    # The rest can be seen.
    press(at, "more-topics")
    assert "60 of 63 topics" in shown_text(at)
    press(at, "more-topics")
    assert "of 63 topics" not in shown_text(at)
    assert "more-topics" not in [button.key for button in at.button]
    press(at, "fewer-topics")
    assert "30 of 63 topics" in shown_text(at)


def test_passages_are_counted_by_document_and_the_page_says_so(space: Path) -> None:
    documents = [f"d{n}" for n in range(40)]
    relabelled(space, ["a", "b"], document=documents, **{name: [0] for name in POSITIONS})
    text = shown_text(opened(by="label"))
    assert "2 groups, " in text
    assert "40 documents." in text
    assert BY_DOCUMENT in text


@pytest.mark.parametrize(
    ("measure", "key"),
    [("share", "The stronger a cell, the larger"), ("lift", "Blue: more often than elsewhere")],
)
def test_the_map_states_what_its_colours_mean(demo: Path, measure: str, key: str) -> None:
    assert key in shown_text(opened(show=measure))


def test_one_group_has_what_is_certain_of_it(demo: Path) -> None:
    at = opened(view="one", group="law")
    assert "at least" in shown_text(at)
    assert any("court" in button.label for button in at.button if button.key.startswith("name-"))
    less = [button for button in at.button if button.key.startswith("name-less")]
    assert len(less) >= 5


def test_every_group_has_a_list_and_each_difference_its_counts(demo: Path) -> None:
    for group in ("1990s", "2000s", "2010s", "2020s"):
        at = opened(by="year", periods="decade", view="new", group=group)
        text = shown_text(at)
        assert any(button.key.startswith("name-more") for button in at.button)
        assert "before" in text
        assert "documents here" in text


def test_two_groups_stand_side_by_side(demo: Path) -> None:
    at = opened(view="two", group="law", other="music")
    assert "Less often than in music" in shown_text(at)
    less = [button.label for button in at.button if button.key.startswith("name-less")]
    assert any("orchestra" in label or "band" in label for label in less)


def test_years_have_courses_and_news(demo: Path) -> None:
    at = opened(by="year", periods="decade", view="course")
    assert len([button for button in at.button if button.key.startswith("course-name-")]) == 12
    at = opened(by="year", periods="decade", view="new")
    assert at.selectbox(key="group").value == "2020s"
    assert shared_strings.NEW in shown_text(at)
    assert shared_strings.FIRST in shown_text(
        opened(by="year", periods="decade", view="new", group="1980s")
    )


def periods_offered(at: AppTest) -> list[str]:
    (shown,) = [group for group in at.button_group if group.key == "periods"]
    return list(shown.options)


def test_only_periods_that_the_dates_have_are_offered(space: Path) -> None:
    relabelled(space, ["a", "b"], date=["2019", "2020"])
    at = opened(by="date", periods="month")
    assert periods_offered(at) == [strings.STEPS["year"], strings.STEPS["decade"]]
    assert not at.error


def test_documents_in_no_group_are_reported(space: Path) -> None:
    relabelled(space, ["a", "b", "b", None])
    assert "Left out of 800 documents: 200 without a value." in shown_text(opened())


def test_an_address_that_names_nothing_counts_as_none(demo: Path) -> None:
    at = opened(by="nix", periods="nix", view="new", group="nix", shown="nix", show="nix")
    assert at.selectbox(key="by").value == "label"


def test_of_many_labels_the_largest_are_shown_and_others_can_be_chosen(space: Path) -> None:
    relabelled(space, [f"{HOSTILE} {n}" for n in range(200)])
    at = opened()
    assert "176 smaller groups" in shown_text(at)
    at.multiselect(key="shown").set_value([f"{HOSTILE} {n}" for n in (3, 150)]).run()
    assert not at.exception
    assert "198 smaller groups" in shown_text(at)
    at = opened(view="one", group=f"{HOSTILE} 7")
    assert not at.exception


def test_months_of_many_years_are_drawn_and_earlier_ones_are_reported(space: Path) -> None:
    months = [f"{2000 + n // 12}-{n % 12 + 1:02}" for n in range(200)]
    relabelled(space, ["a"], date=months)
    at = opened(by="date", periods="month", view="map")
    assert not at.exception
    assert "Not shown: 20 earlier periods." in shown_text(at)
    at = opened(by="date", periods="month", view="course", draw="stacked")
    assert "earlier periods" not in shown_text(at)


@pytest.mark.parametrize(
    ("labels", "columns", "sentence"),
    [
        ([None], {}, strings.NO_GROUPS),
        (["only"], {}, strings.ONE_GROUP.format(name="only")),
        ([None], {"date": ["2020-05-05"]}, strings.ONE_GROUP.format(name="2020")),
    ],
)
def test_what_cannot_be_compared_is_reported(
    space: Path, labels: list[str | None], columns: dict[str, list[str]], sentence: str
) -> None:
    relabelled(space, labels, **columns)
    assert sentence in shown_text(opened())


def test_a_corpus_that_is_gone_is_reported(space: Path) -> None:
    relabelled(space, ["a", "b"])
    shutil.rmtree(space / "corpora" / "notes")
    at = opened(run="notes")
    assert at.info or at.subheader
