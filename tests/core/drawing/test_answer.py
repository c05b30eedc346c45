"""An answer has three groups, each topic in one, and a list whatever is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.app.views.query import strings
from orrery.core.data.query import SIGNS
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.answer import answer_groups, answer_sentence
from orrery.core.drawing.local_model import Look, query_picture
from orrery.core.drawing.question import is_whole_text, read_question, read_typed
from orrery.core.drawing.selection import shown_probability, supporting_words
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.thresholds import LIKELIEST_SHOWN, TEXT_WORDS_SHOWN, UNSURE, group_of
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.app.toy import edited, large_run, toy_run
from tests.conftest import ROOT

TOY, LARGE = toy_run(), large_run(60, 120, 2)
SAMPLE, SAMPLE_CORPUS = ROOT / "sample_data" / "run", ROOT / "sample_data" / "corpus"


@given(st.floats(0, 1))
def test_every_probability_is_in_one_group(probability):
    low, high = UNSURE
    expected = "off" if probability <= low else "unsure" if probability < high else "on"
    assert group_of(probability) == expected


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 119), min_size=1, max_size=5, unique=True), st.booleans())
def test_each_topic_is_counted_once_in_list_and_picture(tokens, closed_world):
    posterior = infer(LARGE.network, Evidence(tuple(tokens), closed_world=closed_world))
    groups = answer_groups(LARGE, posterior)
    listed = [topic for topics in (groups.on, groups.unsure, groups.off) for topic, _ in topics]
    assert sorted(listed) == sorted(shown_probability(LARGE, posterior))
    picture = query_picture(LARGE, posterior, (), Look())
    counts = picture.counts
    assert (counts["on"], counts["unsure"]) == (len(groups.on), len(groups.unsure))
    assert counts["off"] == len(groups.off)


def one_word_answers(run, frequency):
    """Answers to 100 words drawn by their frequency."""
    drawn = np.random.default_rng(0).choice(len(frequency), 100, p=frequency / frequency.sum())
    for token in drawn:
        question = read_typed(run, run.vocabulary[token].replace("_", " "))
        yield answer_groups(run, infer(run.network, question.evidence(closed_world=False)))


def frequency_of(run):
    """How often a model expects each word."""
    random = np.random.default_rng(1)
    return random.gamma(0.5, size=len(run.vocabulary))


def test_a_single_word_has_a_ranked_answer_whatever_the_corpus():
    sample = load_run(SAMPLE)
    corpus = load_corpus(SAMPLE_CORPUS)
    tokens = np.concatenate([corpus.tokens_of(row) for row in range(corpus.n_documents)])
    counted = np.bincount(tokens, minlength=len(sample.vocabulary))
    for run, frequency in (
        (sample, counted.astype(float)),
        (TOY, frequency_of(TOY)),
        (LARGE, frequency_of(LARGE)),
    ):
        for groups in one_word_answers(run, frequency):
            ranked = [known.value for _, known in groups.likeliest]
            assert 0 < len(ranked) <= LIKELIEST_SHOWN
            assert ranked == sorted(ranked, reverse=True)
            assert any(groups.lists.values())
            assert answer_sentence(run, groups).endswith(".")


def test_a_word_without_topics_lists_the_most_frequent_ones_that_are_shown():
    run = edited(TOY, hidden=[int(np.argmax(TOY.prior[: TOY.network.graph.n_topics]))])
    evidence = read_question(run, "hermit").evidence(closed_world=False)
    groups = answer_groups(run, infer(run.network, evidence))
    assert not groups.on + groups.unsure + groups.off
    assert len(groups.prior) == LIKELIEST_SHOWN
    assert not {topic for topic, _ in groups.prior} & run.hidden_topics


def test_the_most_frequent_topics_count_those_shown_as_one_together():
    by_prior = sorted(TOY.displayed_topics, key=lambda topic: TOY.prior[topic])
    height = TOY.network.graph.heights()
    rare = next(topic for topic in by_prior if height[topic] == height[by_prior[-1]])
    run = edited(TOY, merged={by_prior[-1]: rare})
    evidence = read_question(run, "hermit").evidence(closed_world=False)
    (topic, known), *_ = answer_groups(run, infer(run.network, evidence)).prior
    assert topic == rare
    assert known.value > TOY.prior[by_prior[-1]]


def test_hidden_topics_are_said_to_be_hidden():
    posterior = infer(TOY.network, read_question(TOY, "nasa").evidence(closed_world=False))
    run = edited(TOY, hidden=posterior.local.topics.tolist())
    groups = answer_groups(run, posterior)
    assert groups.is_hidden
    assert answer_sentence(run, groups) == explorer_strings.HIDDEN_ANSWER
    assert not answer_groups(TOY, posterior).is_hidden


@pytest.mark.parametrize(
    ("text", "is_text"),
    [
        ("nasa orbit shuttle", False),
        ("orbit shuttle nasa launch star program planet", False),
        ("orbit shuttle nasa launch star program planet theory", True),
        ("The shuttle of NASA is in orbit. A launch is research on a planet.", True),
        ("Orbit. Planet.", False),
        ("orbit, shuttle, nasa, launch, star, program, planet, theory, evidence", False),
        ("orbit shuttle nasa launch star program planet theory -memory ?disk", True),
        ("", False),
    ],
)
def test_a_text_is_distinguished_from_a_few_words(text, is_text):
    assert is_whole_text(TOY, text) == is_text
    question = read_typed(TOY, text)
    assert question.closed_world == is_text
    assert read_typed(TOY, text, closed_world=not is_text).closed_world != is_text


def test_names_of_a_matrix_form_no_text():
    text = "orbit shuttle nasa launch star program planet theory"
    table = replace(TOY, recipe=replace(TOY.recipe, matrix=True))
    assert not is_whole_text(table, text)
    assert not read_typed(table, text).closed_world
    assert read_typed(table, text, closed_world=True).closed_world


def test_a_sign_within_a_whole_text_is_punctuation_and_behind_it_a_state():
    run = load_run(SAMPLE)
    first, *words = [word for word in run.vocabulary if word.isalpha()][:9]
    text = f"{' ?'.join(words[:-1])} {words[-1]}."
    question = read_typed(run, f"{text} -{first}")
    assert question.words("present") == tuple(words)
    assert question.words("absent") == (first,)
    assert question.body == text


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(TOY.vocabulary), min_size=8, unique=True), st.data())
def test_a_switched_word_of_a_whole_text_is_read_back(words, data):
    question = read_typed(TOY, " ".join(words))
    if not question.body:
        return
    word = data.draw(st.sampled_from(question.typed))
    state = data.draw(st.sampled_from(list(SIGNS)))
    again = read_typed(TOY, question.switched(TOY, word.key, state))
    assert again.body == question.body
    assert again.word(word.key).state == state
    others = {w.key: w.state for w in question.typed if w.key != word.key}
    assert {w.key: w.state for w in again.typed if w.key != word.key} == others
    assert again.switched(TOY, word.key, "present") == question.body


def test_the_picture_of_a_whole_text_has_what_is_not_off_and_the_words_for_it():
    run, corpus = load_run(SAMPLE), load_corpus(SAMPLE_CORPUS)
    for row in range(0, corpus.n_documents, 100):
        question = read_typed(run, str(corpus.documents["text"].iat[row]))
        assert question.body
        posterior = infer(run.network, question.evidence(closed_world=True))
        picture = query_picture(run, posterior, question.typed, Look(), is_text=True)
        words = supporting_words(run, posterior)
        assert len(words) == len(set(words)) <= TEXT_WORDS_SHOWN
        assert {node.group for node in picture.nodes} <= {"on", "unsure", "present"}
        keys = {f"word:{run.vocabulary[token].replace('_', ' ')}" for token in words}
        assert {node.key for node in picture.nodes if node.layer == 0} == keys


def test_unknown_words_of_a_whole_text_are_counted_without_stop_words():
    run = load_run(SAMPLE)
    known = [word for word in run.vocabulary if word.isalpha()][:8]
    text = f"The {known[0]} and zqxa of the zqxb. " + " ".join(known) + ", zqxb zqxc zqxb."
    question = read_typed(run, text)
    assert question.body
    assert question.unknown == (("zqxb", 3), ("zqxa", 1), ("zqxc", 1))
    assert read_typed(run, "zqxa orbit").unknown == ()
    plain = replace(run, recipe=replace(run.recipe, stop_words=()))
    assert [word for word, _ in read_typed(plain, text).unknown] == ["zqxb", "zqxa", "zqxc"]


def test_the_most_frequent_unknown_words_are_named_and_all_are_listed():
    words = [("a", 3), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]
    said = strings.unknown_of_text(words)
    assert said.startswith("5 words of this text are not in the model: most often “a” (3 times)")
    assert "“e”" not in said
    assert "“e”" in strings.all_unknown_of_text(words)
    assert strings.unknown_of_text([("a", 1)]) == "1 word of this text is not in the model: “a”"
    many = strings.all_unknown_of_text([(f"w{n}", 1) for n in range(1_300)])
    assert many.endswith("“w199”, 1,100 more")


def test_a_query_of_great_surprise_has_no_digits_that_mean_nothing():
    assert strings.how_often(2.5e-9, None) == (
        "By the model, about 1 of 400,000,000 texts fits this query."
    )
    assert strings.how_often(1e-28, None) == (
        "By the model, less than 1 of a billion texts fits this query."
    )
