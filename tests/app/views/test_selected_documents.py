"""What selected documents have more of, and the order by how typical they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from orrery.app.views.map.selected_documents import MAX_ENTRIES, by_fit, more_of
from orrery.app.workspace.facets import read_facets
from tests.app.toy import edited, toy_run
from tests.random_networks import corpus_of_sets

RUN = toy_run()
N_TOPICS = RUN.network.graph.n_topics
N = 200


def planted() -> tuple:
    """The first 40 documents have topic 2, word 3, label b and the year 2020; others rarely do."""
    random = np.random.default_rng(0)
    on = random.random((N, N_TOPICS)) < 0.1
    on[:40, 2], on[40:, 2] = True, random.random(N - 40) < 0.05
    sets = [set(np.flatnonzero(random.random(8) < 0.3).tolist()) - {3} for _ in range(N)]
    for row in range(40):
        sets[row].add(3)
    frame = pd.DataFrame({
        "id": [str(row) for row in range(N)], "text": "a",
        "label": ["b" if row < 40 else "ac"[row % 2] for row in range(N)],
        "year": ["2020" if row < 40 else str(2000 + row % 9) for row in range(N)],
    })  # fmt: skip
    corpus = replace(corpus_of_sets(sets, 8), documents=frame)
    return corpus, read_facets(frame), sparse.csr_array(on)


def test_what_was_planted_is_found_and_certain() -> None:
    corpus, facets, on = planted()
    rows = np.arange(N)
    found = more_of(corpus, facets, RUN, on, rows, rows < 40)
    assert found["topic"][0].number == 2
    assert found["word"][0].number == 3
    assert [part.name for part in found["label"]] == ["b"]
    assert [part.name for part in found["year"]] == ["2020"]
    for parts in found.values():
        assert len(parts) <= MAX_ENTRIES
        assert parts[0].is_certain
        assert all(part.here > part.elsewhere for part in parts)


def test_hidden_topics_are_left_out() -> None:
    corpus, facets, on = planted()
    rows = np.arange(N)
    found = more_of(corpus, facets, edited(RUN, hidden=[2]), on, rows, rows < 40)
    assert 2 not in [part.number for part in found["topic"]]


def test_a_random_selection_has_more_of_nothing_for_certain() -> None:
    corpus, facets, on = planted()
    random, wrong = np.random.default_rng(1), 0
    for _ in range(60):
        chosen = random.random(N) < 0.3
        found = more_of(corpus, facets, RUN, on, np.arange(N), chosen)
        wrong += any(part.is_certain for part in found["topic"])
    assert wrong <= 9


def test_the_list_begins_with_documents_of_the_shared_topics() -> None:
    _, _, on = planted()
    rows = np.arange(0, 80)
    first = by_fit(rows, on)[:30]
    assert on[first, [2] * len(first)].all()
    assert sorted(by_fit(rows, on).tolist()) == rows.tolist()
