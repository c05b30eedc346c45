"""The prompt has every topic once, with words and texts, and lines that no text can break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.thresholds import ON_THRESHOLD
from orrery.core.model.overlay import Overlay
from orrery.core.naming.language_model import (
    MAX_TEXT,
    MAX_TOPICS,
    N_TEXTS,
    naming_prompt,
    prompt_parts,
    read_answer,
    shortened,
    topic_texts,
)
from orrery.core.naming.table import table_order, topic_documents, topic_rows
from orrery.core.storage.activations import load_activations
from orrery.core.storage.corpora import load_corpus
from tests.conftest import ROOT
from tests.core.export.models import SAMPLE, sample

RUN = sample()
STORED = load_activations(SAMPLE / "model")


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(ROOT / "sample_data" / "corpus")


@given(st.integers(0, 400))
def test_parts_hold_every_topic_once_and_are_even(count: int) -> None:
    parts = prompt_parts(range(count))
    assert [topic for part in parts for topic in part] == list(range(count))
    sizes = {len(part) for part in parts}
    assert max(sizes, default=1) <= MAX_TOPICS
    assert not sizes or max(sizes) - min(sizes) <= 1


@given(st.text(max_size=600) | st.text(st.sampled_from("ab \n"), max_size=900))
def test_a_shortened_text_is_one_line_that_is_not_too_long(text: str) -> None:
    line = shortened(text)
    assert len(line) <= MAX_TEXT
    assert line.splitlines() == ([line] if line else [])
    whole = " ".join(text.split())
    assert line == whole or (line.endswith("…") and whole.startswith(line[:-1]))


def test_a_prompt_states_each_topic_with_its_words_and_texts(corpus) -> None:
    order = table_order(RUN, topic_documents(RUN, STORED)).tolist()
    requested = order[:5]
    prompt = naming_prompt(RUN, requested, corpus, STORED)
    lines = prompt.splitlines()
    assert [line for line in lines if line.startswith("id: ")] == [
        f"id: {RUN.network.graph.topic_ids[topic]}" for topic in requested
    ]
    assert sum(line.startswith("text: ") for line in lines) == 5 * N_TEXTS
    without = naming_prompt(RUN, requested, None, STORED)
    assert "text: " not in without
    # The requested format is the one that is read.
    reply = "\n".join(f"{RUN.network.graph.topic_ids[topic]}: N{topic}" for topic in requested)
    assert list(read_answer(reply, RUN.network.graph.topic_ids).names.values()) == [
        f"N{topic}" for topic in requested
    ]


def test_typical_texts_are_of_documents_in_which_the_topic_is_on(corpus) -> None:
    for topic in table_order(RUN, topic_documents(RUN, STORED)).tolist()[:20]:
        texts = topic_texts(RUN, topic, corpus, STORED)
        rows = [
            row
            for row, text in enumerate(corpus.documents["text"])
            if any(" ".join(text.split()).startswith(reported.rstrip("…")) for reported in texts)
        ]
        table = STORED.probability[:, [topic]].toarray().ravel()
        known = dict(zip(STORED.rows.tolist(), table.tolist(), strict=True))
        assert texts
        assert all(known[row] > ON_THRESHOLD for row in rows)


def test_other_documents_give_no_texts(corpus) -> None:
    assert topic_texts(RUN, 0, corpus.subset([0, 1]), STORED) == []
    assert topic_texts(replace(RUN, vocabulary=("x",)), 0, corpus, STORED) == []


def test_the_table_counts_documents_and_has_the_given_values() -> None:
    code = RUN.network.graph.topic_ids[3]
    shown_text = sample(Overlay({code: "Mine"}, frozenset([code]), notes={code: "why"}))
    counts = topic_documents(shown_text, STORED)
    dense = (STORED.probability.toarray() > ON_THRESHOLD).sum(axis=0)
    assert (counts == dense).all()
    order = table_order(shown_text, counts)
    assert sorted(order.tolist()) == sorted(
        set(range(RUN.network.graph.n_topics)) - shown_text.wordless_topics
    )
    assert (np.diff(counts[order]) <= 0).all()
    (row,) = topic_rows(shown_text, [3], counts)
    assert (row.name, row.note, row.hidden, row.documents) == ("Mine", "why", True, dense[3])
    assert topic_documents(shown_text, None) is None
    assert topic_rows(shown_text, [3], None)[0].documents is None
