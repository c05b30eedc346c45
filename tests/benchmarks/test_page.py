"""The page equals the results, and the splits equal the description of the data."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.benchmarks.data import MissingData, binary_corpus, split_rows, tiny20, tiny20_split
from tests.benchmarks.markdown import number, spread, table
from tests.benchmarks.page import QUICK, render_page, without_ages
from tests.benchmarks.part import Page, Part, Settings
from tests.benchmarks.parts import PAGES
from tests.benchmarks.results import RESULTS, Result, load_results, save_result

# Independent words on the splits of seeds 0–4, as the description of the data gives them.
KNOWN_BASELINES = [-15.952, -15.680, -15.670, -15.607, -15.711]


def part(name):
    return Part(name, f"Title of {name}", 7, lambda _: {}, lambda figures: f"value {figures['v']}")


def result(name, value, quick=False):
    return Result(name, f"command of {name}", 1.5, "two cores", quick, {"v": value})


# Not in the order of the alphabet, in which files are read.
PAGE = Page("some", "", "# Head", {name: part(name) for name in ("third", "second", "first")})


def test_page_shows_every_result_in_the_order_of_the_parts(tmp_path):
    for name, value in (("first", 1), ("third", 3)):
        save_result(tmp_path, result(name, value))
    page = render_page(PAGE, load_results(tmp_path))
    assert page.startswith("# Head\n")
    found = [page.index(text) for text in ("## Title of third", "value 3", "command of third")]
    found += [page.index(text) for text in ("## Title of first", "value 1", "command of first")]
    assert found == sorted(found)
    assert "second" not in page
    assert "two cores" in page
    assert QUICK not in page


def test_the_pace_of_the_machine_is_shown_where_it_was_measured(tmp_path):
    save_result(tmp_path, result("first", 1))
    save_result(tmp_path, replace(result("third", 3), pace=62.4))
    page = render_page(PAGE, load_results(tmp_path))
    assert page.count("in plain Python") == 1
    assert "two cores; the sum of a million squares in plain Python took 62 ms" in page


def test_a_part_run_again_replaces_its_result_alone(tmp_path):
    for made in (result("first", 1), result("second", 2), result("first", 5, quick=True)):
        save_result(tmp_path, made)
    loaded = load_results(tmp_path)
    assert loaded == {"first": result("first", 5, quick=True), "second": result("second", 2)}
    assert QUICK in render_page(PAGE, loaded)


def test_a_result_that_is_no_number_is_refused_and_the_old_one_stays(tmp_path):
    save_result(tmp_path, result("first", 1.0))
    with pytest.raises(ValueError, match="JSON"):
        save_result(tmp_path, result("first", float("nan")))
    assert json.loads((tmp_path / "first.json").read_text())["figures"] == {"v": 1.0}


def test_a_table_has_a_rule_and_a_row_a_line():
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| :-- | --: |\n| 1 | 2 |"


def test_numbers_are_written_with_a_true_minus_and_spread_over_splits():
    assert number(-1234.567) == "−1,234.57"
    assert number(None) == spread([]) == "–"
    assert spread([-14.0]) == "−14.00"
    # Sample standard deviation of 1, 2, 3 is 1.
    assert spread([1.0, 2.0, 3.0], 1) == "2.0 ± 2.0"


def test_settings_state_their_own_command():
    command = Settings((0, 3), quick=True).command("table2")
    assert command == "python -m tests.benchmarks paper --only table2 --splits 0,3 --quick"
    command = Settings(page="graphs").command("medical")
    assert command == "python -m tests.benchmarks graphs --only medical"


def test_every_part_is_on_one_page_under_its_own_name():
    names = [name for page in PAGES.values() for name in page.parts]
    assert len(names) == len(set(names))
    assert all(name == part.name for page in PAGES.values() for name, part in page.parts.items())
    assert [page.file for page in PAGES.values()] == [
        "PAPER.md",
        "GRAPHS.md",
        "EVIDENCE.md",
        "SPEED.md",
        "POSTERIOR.md",
        "RIVALS.md",
        "TRUST.md",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_splits_are_the_described_permutation(seed):
    train, test = split_rows(seed)
    assert (len(train), len(test)) == (11_369, 4_873)
    order = np.concatenate([train, test])
    np.testing.assert_array_equal(order, np.random.default_rng(seed).permutation(16_242))


def test_splits_have_the_known_baselines():
    try:
        tiny20()
    except MissingData as missing:
        pytest.skip(str(missing))
    controls = [tiny20_split(seed).control() for seed in range(5)]
    np.testing.assert_allclose(controls, KNOWN_BASELINES, atol=5e-4)


def test_a_binary_matrix_keeps_every_row_and_column():
    presence = np.array([[1, 0, 1], [0, 0, 0], [0, 0, 1]])
    corpus = binary_corpus(presence)
    np.testing.assert_array_equal(corpus.to_csr().toarray(), presence)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_pages_here_are_what_the_results_here_state(page):
    # Which parts are older than the code depends on the code; `stale` writes it to the pages.
    here = (RESULTS.parent / page.file).read_text("utf-8")
    assert without_ages(here) == without_ages(render_page(page, load_results(RESULTS)))
