"""Sizes of topics: documents in which they are on, else their prior probability."""

import numpy as np
import pytest
from scipy import sparse

from orrery.app.shared.topic_facts import subtree_sizes, topic_sizes
from orrery.core.model.labels import marginals
from orrery.core.storage.activations import Activations
from tests.app.toy import edited, toy_run

RUN = toy_run()
TABLE = np.zeros((4, 13), np.float32)
TABLE[0, [2, 3]] = 0.9, 0.8
TABLE[1, 3] = 0.6
TABLE[2, 3] = 0.5
GRAPH = RUN.network.graph
EDGES = [(int(parent), child) for child in range(13) for parent in GRAPH.parents(child)]
STORED = Activations(np.arange(4), sparse.csr_array(TABLE))


def test_documents_are_counted_where_the_topic_is_more_likely_on_than_off():
    sizes = topic_sizes(RUN, STORED)
    assert sizes.documents == 4
    assert sizes.size == tuple((TABLE > 0.5).sum(axis=0))


def test_a_document_counts_once_for_topics_shown_as_one():
    sizes = topic_sizes(edited(RUN, merged={2: 3}), STORED)
    assert sizes.size[3] == 2
    assert sizes.size[2] == 0


def test_without_stored_activations_the_prior_counts():
    sizes = topic_sizes(RUN, None)
    assert sizes.documents == 0
    assert sizes.size == pytest.approx(marginals(RUN.network)[:13])


def test_without_stored_activations_topics_shown_as_one_count_once():
    run, prior = edited(RUN, merged={2: 3}), marginals(RUN.network)
    size = topic_sizes(run, None).size
    assert size[3] == pytest.approx(1 - (1 - prior[2]) * (1 - prior[3]))
    assert size[2] == 0
    # Exactly the size of the subtree, if nothing is below.
    run = edited(RUN, merged={11: 12})
    assert topic_sizes(run, None).size[12] == subtree_sizes(run, None, 0.02).size[12]


def test_a_parent_is_as_large_as_all_that_is_below_it():
    sizes = subtree_sizes(RUN, STORED, 0.02)
    own = topic_sizes(RUN, STORED)
    assert sizes.documents == 4
    for topic in range(13):
        subtree = {topic}
        for parent, child in EDGES:
            subtree |= {child} if parent in subtree else set()
        assert sizes.size[topic] == (TABLE[:, list(subtree)] > 0.5).any(axis=1).sum()
        assert sizes.size[topic] >= own.size[topic]


def test_a_topic_shown_as_another_counts_with_its_subtree():
    sizes = subtree_sizes(edited(RUN, merged={2: 3}), STORED, 0.02)
    assert sizes.size[2] == 0
    assert sizes.size[3] == 2


def test_without_stored_activations_a_subtree_has_its_prior():
    sizes = subtree_sizes(RUN, None, 0.02)
    assert sizes.documents == 0
    prior = marginals(RUN.network)[:13]
    assert all(size >= own * (1 - 1e-9) for size, own in zip(sizes.size, prior, strict=True))
    assert sizes.size[0] > prior[0]
