"""Senses of a word: topics that explain it, each of which a click switches on."""

from __future__ import annotations

import pytest

from orrery.app.views.query import strings, what_if
from orrery.app.views.query.what_if import word_senses
from orrery.core.drawing.links import whole
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.terms import Terms
from tests.app.toy import edited, toy_run

RUN = toy_run()


def senses_of(run, *names):
    tokens = tuple(run.vocabulary.index(name) for name in names)
    posterior = infer(run.network, Evidence(tokens, closed_world=False))
    return word_senses(run, posterior), posterior


def test_both_senses_of_a_word_are_found():
    found, posterior = senses_of(RUN, "culture")
    node = RUN.network.graph.n_topics + RUN.vocabulary.index("culture")
    assert {sense.topic for sense in found} == set(RUN.network.graph.parents(node).tolist())
    shares = [sense.share.value for sense in found]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.0
    first = found[0].topic
    assert shares[0] == pytest.approx(posterior.any_of([first]).value)


@pytest.mark.parametrize("names", [("nasa",), ("nasa", "culture"), ("hermit",)])
def test_what_has_one_sense_offers_none(names):
    assert len(senses_of(RUN, *names)[0]) != 1


def test_hidden_topics_are_no_senses_and_parts_are_named_by_the_whole():
    found, _ = senses_of(RUN, "culture")
    gone = found[0].topic
    left, _ = senses_of(edited(RUN, hidden=[gone]), "culture")
    assert gone not in {sense.topic for sense in left}
    other = next(topic for topic in range(5, 13) if topic not in {r.topic for r in found})
    run = edited(RUN, merged={gone: other})
    named, _ = senses_of(run, "culture")
    assert {sense.topic for sense in named} == {whole(run, r.topic) for r in found}


def test_a_long_text_has_no_senses(monkeypatch):
    assert senses_of(RUN, "culture")[0]
    monkeypatch.setattr(what_if, "MANY_WORDS", 0)
    assert senses_of(RUN, "culture")[0] == []


def test_the_headline_names_one_word_and_counts_in_words():
    assert strings.senses_title(2, ["bank"], Terms()) == "Two senses of “bank”"
    assert strings.senses_title(5, ["a", "b"], Terms()) == "Five senses of these words"
    assert strings.senses_title(7, [], Terms()) == "7 senses of these words"


def test_a_symptom_has_diseases_that_explain_it_but_no_senses():
    terms = Terms("disease", "symptom")
    several = strings.senses_title(2, ["fever", "cough"], terms)
    assert several == "Two diseases that explain these symptoms"
    named = strings.senses_title(3, ["a bad word"], terms)
    assert named == "Three diseases that explain “a bad word”"
