"""Search: topics are ranked by how strongly they bring the word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orrery.app.views.graph.path import begun_words, find_nodes, near_words
from orrery.core.drawing.links import child_links, node_key
from tests.app.toy import large_run, toy_run

TOY = toy_run()


def strength(run, topic, token):
    wanted = run.network.graph.n_topics + token
    links = child_links(run.network, topic)
    return next((link.probability for link in links if link.child == wanted), 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_topics_are_ranked_by_how_often_they_bring_the_word(seed):
    run = large_run(60, 100, seed, links=6)
    number = {node_key(run, topic): topic for topic in range(60)}
    compared = 0
    for token, word in enumerate(run.vocabulary):
        found = [number[f.key] for f in find_nodes(run, word) if f.key in number]
        named = [topic for topic in found if word in run.topic_labels[topic]]
        for ranked in (named, found[len(named) :]):
            strengths = [strength(run, topic, token) for topic in ranked]
            assert strengths == sorted(strengths, reverse=True)
            compared += len(ranked) > 1
    assert compared > 20


def test_words_that_differ_in_case_alone_are_all_found_and_no_others():
    run = replace(TOY, vocabulary=("IT", "it", *TOY.vocabulary[2:]))
    n_topics = run.network.graph.n_topics
    found = {finding.key for finding in find_nodes(run, " It ")}
    tokens = {node_key(run, n_topics + token) for token in range(len(run.vocabulary))}
    assert found & tokens == {node_key(run, n_topics), node_key(run, n_topics + 1)}


def test_all_typed_words_are_in_what_is_found_in_any_order():
    vocabulary = (
        "back pain",
        "chronic back pain",
        "pain",
        "back",
        "painful back",
        *TOY.vocabulary[5:],
    )
    labels = ("pain of the back", "pain", *TOY.topic_labels[2:])
    run = replace(TOY, vocabulary=vocabulary, topic_labels=labels)
    for text in ("back pain", "pain back"):
        named = [finding.label for finding in find_nodes(run, text)]
        assert "pain of the back" in named
        words = [finding.label for finding in begun_words(run, text)]
        assert words[0] == "back pain"
        assert {*words} == {"back pain", "chronic back pain", "painful back"}
    assert find_nodes(run, "zebra pain") == begun_words(run, "zebra pain") == []
    assert near_words(run, "pian")[0].label == "pain"


def test_part_of_a_word_ranks_by_the_words_that_contain_it():
    found = [finding.key for finding in find_nodes(TOY, "kitch")]
    (cooking,) = [t for t, label in enumerate(TOY.topic_labels) if "kitchen" in label]
    assert found[0] == node_key(TOY, cooking)
