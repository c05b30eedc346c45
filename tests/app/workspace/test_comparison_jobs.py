"""A comparison is found again whatever happens to its process, and its tables keep topics apart."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from orrery.app.text import strings as common_strings
from orrery.app.views.evaluate import strings
from orrery.app.views.evaluate.comparison import comparison_table, topics_table
from orrery.app.workspace import catalog, comparisons, processes, search_index
from orrery.app.workspace.comparisons import (
    Comparing,
    begin,
    offered,
    read_comparing,
    read_result,
    stop,
)
from orrery.core.baselines.registry import SYSTEMS
from orrery.core.evaluation.metrics import COMPARED
from orrery.core.storage.corpora import CONTENT_FILES, save_corpus
from orrery.core.storage.reading import read_json
from orrery.core.utils.errors import InputError
from tests.app.fake_jobs import progress, run_instead
from tests.benchmarks.data import binary_corpus

MakeCorpus = Callable[[str], Path]
SYSTEM = {**dict.fromkeys(metric.key for metric in COMPARED), "measure": "a bound"}
FOUND = {
    "corpus": "a", "train": 9, "held_out": 1,
    "systems": [
        {**SYSTEM, "title": "A", "held_out": -1234.567, "words": [["x", "y"], ["z"]]},
        {**SYSTEM, "title": "B", "held_out": -3.0, "topics": 3, "words": [["z"], ["q"], ["x"]]},
    ],
    "alike": [[0, 2], [1, 0], [None, 1]],
}  # fmt: skip


@pytest.fixture
def corpus(space: Path, make_corpus: MakeCorpus) -> Path:
    return make_corpus("a")


def wait(space: Path, corpus: Path, share: float | None = None) -> Comparing:
    """How it stands when it is no longer going, or at this share."""
    until = time.monotonic() + 30
    while (found := read_comparing(space, corpus)).state == "going" and found.share != share:
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def save_another(space: Path) -> Path:
    folder = space / "corpora" / "other"
    save_corpus(binary_corpus(np.eye(4)), folder)
    return folder


def test_what_the_process_prints_is_what_is_known(space, corpus, monkeypatch):
    lines = [progress("lda", 1.0), progress("hdp-amf", 0.4), "a warning"]
    requested = run_instead(
        monkeypatch,
        f"import pathlib, time; print({chr(10).join(lines)!r})\n"
        "while not pathlib.Path('go').exists(): time.sleep(0.02)\n"
        f"print({json.dumps(FOUND)!r})",
    )
    assert read_comparing(space, corpus).state == "none"
    begin(space, corpus, ["lda", "hdp-amf"], 7)
    begin(space, corpus, ["lda"], 3)
    options = ["--systems", "lda,hdp-amf", "--topics", "7", "--json"]
    assert requested == [["compare", str(corpus), *options]]
    going = wait(space, corpus, 0.4)
    assert (going.system, going.share_of_all) == ("hdp-amf", pytest.approx(0.7))
    other = save_another(space)
    assert read_comparing(space, other).state == "none"
    next((space / "comparisons").iterdir()).joinpath("go").touch()
    done = wait(space, corpus)
    assert (done.state, done.figures, done.systems) == ("done", FOUND, ("lda", "hdp-amf"))


def test_a_failure_is_reported_and_what_is_stopped_leaves_no_trace(space, corpus, monkeypatch):
    run_instead(monkeypatch, "import sys; sys.exit('orrery: there is no document')")
    begin(space, corpus, ["lda"], 2)
    assert wait(space, corpus).message == "there is no document"
    line = progress("lda", 0.1)
    run_instead(monkeypatch, f"import time; print({line!r}, flush=True); time.sleep(60)")
    begin(space, corpus, ["lda"], 2)
    wait(space, corpus, 0.1)
    stop(space, corpus)
    assert read_comparing(space, corpus).state == "none"
    assert not list((space / "comparisons").iterdir())


def test_two_visitors_at_once_begin_one_comparison(space, corpus, monkeypatch):
    requested = run_instead(monkeypatch, "import time; time.sleep(60)")
    launch = processes.launch

    def slowly(*given):
        time.sleep(0.3)
        launch(*given)

    monkeypatch.setattr(processes, "launch", slowly)
    with ThreadPoolExecutor(2) as visitors:
        list(visitors.map(lambda _: begin(space, corpus, ["lda", "acp"], 2), range(2)))
    assert len(requested) == 1
    assert read_comparing(space, corpus).state == "going"
    stop(space, corpus)


def test_it_is_found_by_the_description_and_goes_with_its_corpus(space, corpus, monkeypatch):
    run_instead(monkeypatch, "import time; time.sleep(60)")
    begin(space, corpus, ["lda", "acp"], 2)
    # No document is read to find it.
    for name in CONTENT_FILES:
        (corpus / name).unlink()
    assert read_comparing(space, corpus).state == "going"
    [folder] = (space / "comparisons").iterdir()
    record = read_json(folder / "launch.json")
    catalog.remove_corpus(catalog.corpora()[0])
    assert not folder.exists()
    assert not processes.is_there(record)
    # A late visitor finds nothing to stop, and gets the reason why nothing starts.
    stop(space, corpus)
    with pytest.raises(InputError, match="there is no corpus folder"):
        begin(space, corpus, ["lda", "acp"], 2)


def test_it_remains_while_another_corpus_has_the_same_content(space, corpus, monkeypatch):
    run_instead(monkeypatch, "import time; time.sleep(60)")
    shutil.copytree(corpus, corpus.with_name("twin"))
    begin(space, corpus, ["lda", "acp"], 2)
    index = search_index.index_path(space, corpus)
    index.parent.mkdir(parents=True, exist_ok=True)
    index.touch()
    first, second = catalog.corpora()
    catalog.remove_corpus(first)
    assert index.exists()
    assert read_comparing(space, second.folder).state == "going"
    catalog.remove_corpus(second)
    assert not index.exists()
    assert not list((space / "comparisons").iterdir())


PLAIN = st.none() | st.booleans() | st.floats() | st.text(max_size=3)
FORGED = st.recursive(
    PLAIN | st.integers(-2, 3) | st.just(10**400),
    lambda values: (
        st.lists(values, max_size=3)
        | st.dictionaries(st.sampled_from([*SYSTEM, "systems", "alike"]), values, max_size=3)
    ),
    max_leaves=6,
)


def places(value, path=()):
    """Where in a JSON value anything stands."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


@examples(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(list(places(FOUND))), FORGED), max_size=3))
def test_a_forged_result_is_refused_or_shown(changes):
    forged = json.loads(json.dumps(FOUND))
    for (*path, key), value in ((path, value) for path, value in changes if path):
        place = forged
        with suppress(KeyError, IndexError, TypeError):
            for step in path:
                place = place[step]
            place[key] = value
    result = read_result(json.dumps(forged))
    if not changes:
        assert result == FOUND
    if result is not None:
        assert comparison_table(result).shape[0] == len(result["systems"])
        assert topics_table(result).shape[1] == len(result["systems"])
        assert strings.TRAINED_ON.format(train=result["train"], held_out=result["held_out"])


def test_what_is_too_deep_to_be_read_is_no_result(space, corpus, monkeypatch):
    run_instead(monkeypatch, "print('[' * 200_000)")
    begin(space, corpus, ["lda"], 2)
    found = wait(space, corpus)
    assert (found.state, found.message) == ("failed", common_strings.UNREADABLE)


def test_only_systems_of_documents_that_are_installed_are_offered(monkeypatch):
    names = offered()
    assert next(iter(names)) == "orrery"
    assert {"acp", "lda"} <= names.keys()
    assert not {"hmm-amf", "ising-mf"} & names.keys()
    monkeypatch.setattr(comparisons, "SYSTEMS", {"corex": SYSTEMS["corex"]})
    monkeypatch.setattr(type(SYSTEMS["corex"]), "is_installed", lambda system: False)
    assert list(offered()) == ["orrery"]


def test_topics_that_are_alike_stand_in_one_row():
    assert topics_table(FOUND).to_numpy().tolist() == [["x, y", "x"], ["z", "z"], ["", "q"]]
    table = comparison_table(FOUND)
    assert table.columns.tolist() == [strings.SYSTEM, "unseen texts", "topics"]
    assert table.to_numpy().tolist() == [["A", "−1,234.57", "–"], ["B", "−3.00", "3"]]
