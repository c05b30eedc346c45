"""The offline explorer answers as ``infer`` does: to rounding where both sum all states, else to
within the errors that both state.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from orrery.core.data.recipe import Recipe, matrix_recipe
from orrery.core.data.word_patterns import CHARACTER_PATTERN
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.inference.infer import MAX_TERMS, infer
from orrery.core.kernels.elimination import make_plan, make_tables
from orrery.core.kernels.elimination_order import elimination_order, link, words_for
from orrery.core.kernels.local_model import local_factors
from orrery.core.model.network import Network
from orrery.core.model.topic_model import TopicModel
from orrery.core.storage.corpora import load_corpus
from tests.app.toy import large_run
from tests.browser.conftest import OpenPage
from tests.browser.explorer import (
    answers,
    as_data,
    assert_equal,
    assert_near,
    infer_all,
    tokens,
    without_sums,
)
from tests.core.export.models import SAMPLE, sample

pytestmark = pytest.mark.browser

FEW_TERMS = 2**22

QUERIES = (
    "table salt plate",
    "bank river",
    "bank river money loan",
    "star orbit program",
    "The engine, the FUEL and zzzunknown",
    "program -orbit -memory",
    'court judge -"river" bank',
    "program ?memory star",
    "wind sea rain storm coast film stage actor guitar",
)
TEXTS = (
    "Don't stop: e-mail, x-ray, state-of-the-art; the dog's mp3",
    "Größe naïve café \u2019tis o\u2019clock soft\u00adhyphen non\u2011breaking",
    "ﬁle \uff26\uff35\uff2c\uff2c width  日本 12 a1 b_c _x_ É e\u0301",
    "table,salt;plate/bank(river)",
    "",
    "... -- ' '' - a",
)


def toy_model() -> TopicModel:
    """A model of three layers with a ready-made vocabulary."""
    return large_run(120, 300, 3)


def any_evidence(network: Network, leak: random.Random) -> Evidence:
    """Draw one to ten words, some absent or unknown, and sometimes clamped topics."""
    words = leak.sample(range(network.graph.n_tokens), 12)
    n_words = leak.randint(1, 10)
    n_present = n_words if leak.random() < 0.5 else leak.randint(1, n_words)
    held = leak.sample(range(network.graph.n_topics), 3)
    n_held, n_on = leak.choice([(0, 0), (0, 0), (1, 1), (1, 0), (3, 1)])
    return Evidence(
        tuple(words[:n_present]),
        tuple(words[n_present:n_words]),
        closed_world=leak.random() < 0.5,
        on=tuple(held[:n_on]),
        off=tuple(held[n_on:n_held]),
        unknown=tuple(words[10 : 10 + leak.randint(0, 2)]),
    )


def shuffled(evidence: Evidence, leak: random.Random) -> Evidence:
    """Return the same evidence, named in another order."""

    def mixed(nodes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(leak.sample(nodes, len(nodes)))

    return replace(
        evidence, present=mixed(evidence.present), absent=mixed(evidence.absent),
        on=mixed(evidence.on), off=mixed(evidence.off), unknown=mixed(evidence.unknown),
    )  # fmt: skip


# Draws may never come by what is improbable, and then know nothing of the error that this makes.
UNSEEN = 0.002
MODELS = {"sample": sample, "toy": toy_model}


@pytest.mark.parametrize(
    ("name", "count", "least_exact"), [("sample", 200, 0.95), ("toy", 120, 0.7)]
)
def test_the_explorer_infers_as_python_does(
    open_page: OpenPage, name: str, count: int, least_exact: float
) -> None:
    model = MODELS[name]()
    page = open_page(explorer_bytes(model, name))
    leak = random.Random(0)
    evidence = [any_evidence(model.network, leak) for _ in range(count)]
    found = infer_all(page, model, evidence)
    expected = [infer(model.network, one) for one in evidence]
    for posterior, answer in zip(expected, found, strict=True):
        assert_equal(model, posterior, answer)
        assert answer["is_exact"] == posterior.is_exact
        # So that what both know exactly was held to be the same to rounding.
        largest = max((error for _, _, error in answer["topics"]), default=0.0)
        assert not answer["is_exact"] or largest == answer["log_probability_error"] == 0.0
    assert sum(answer["is_exact"] for answer in found) >= least_exact * count
    # The order of typing does not matter, nor does it when one asks.
    again = [shuffled(one, leak) for one in evidence]
    assert infer_all(page, model, again) == found
    assert infer_all(open_page(explorer_bytes(model, name)), model, evidence[:5]) == found[:5]


def is_summed_in_numpy_alone(network: Network, evidence: Evidence) -> bool:
    """Whether Python sums all states only because the local model is small."""
    local, weights = local_problem(network, evidence)
    factors = local_factors(local, weights, held_states(local, evidence))
    is_planned = make_plan(make_tables(local, factors), FEW_TERMS).is_feasible
    return not is_planned and infer(network, evidence).is_exact


def test_small_local_models_are_summed_where_python_sums_them(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With the usual limit, few queries to the toy are summed only because they are small.
    monkeypatch.setattr("orrery.core.inference.infer.MAX_TERMS", FEW_TERMS)
    model, leak = toy_model(), random.Random(1)
    usual, few = (f'"most_terms":{limit}'.encode() for limit in (MAX_TERMS, FEW_TERMS))
    data = explorer_bytes(model, "toy")
    assert usual in data
    drawn = (any_evidence(model.network, leak) for _ in range(150))
    evidence = [one for one in drawn if is_summed_in_numpy_alone(model.network, one)]
    assert len(evidence) >= 3
    page = open_page(data.replace(usual, few))
    for one, answer in zip(evidence, infer_all(page, model, evidence), strict=True):
        assert answer["is_exact"]
        assert_equal(model, infer(model.network, one), answer)


def test_whole_texts_of_the_sample_have_the_same_answers(open_page: OpenPage) -> None:
    model, corpus = sample(), load_corpus(SAMPLE.with_name("corpus"))
    rows = random.Random(0).sample(range(corpus.n_documents), 60)
    texts = [tuple(corpus.tokens_of(row).tolist()) for row in rows]
    evidence = [Evidence(text, closed_world=True) for text in texts]
    found = infer_all(open_page(explorer_bytes(model, "sample")), model, evidence)
    for one, answer in zip(evidence, found, strict=True):
        posterior = infer(model.network, one)
        assert_equal(model, posterior, answer)
        assert answer["is_exact"] == posterior.is_exact


@pytest.mark.parametrize(("name", "count"), [("sample", 60), ("toy", 10)])
def test_samples_come_to_what_all_states_do(open_page: OpenPage, name: str, count: int) -> None:
    model = MODELS[name]()
    page = open_page(without_sums(explorer_bytes(model, name)))
    leak = random.Random(0)
    evidence = [any_evidence(model.network, leak) for _ in range(count)]
    found = infer_all(page, model, evidence)
    for one, answer in zip(evidence, found, strict=True):
        posterior = infer(model.network, one)
        if not answer["is_exact"]:
            posterior = replace(posterior, error=posterior.error + UNSEEN)
        assert_equal(model, posterior, answer)
    # The sample has few topics above some of these, and then all states are drawn.
    n_exact = sum(answer["is_exact"] for answer in found)
    assert n_exact < count
    assert (n_exact > 0) == (name == "sample")
    assert infer_all(page, model, [shuffled(one, leak) for one in evidence]) == found


def test_variables_are_summed_out_in_the_same_order(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(toy_model(), "toy"))
    leak = np.random.default_rng(0)
    found, expected = [], []
    for n in range(1, 101):
        links = leak.integers(n, size=(leak.integers(3 * n), 2))
        links = links[links[:, 0] != links[:, 1]].tolist()
        neighbours, missing = np.zeros((n, words_for(n)), np.uint64), np.zeros(n, np.int64)
        for u, v in links:
            link(u, v, neighbours, missing)
        order = elimination_order(neighbours, missing, np.ones(n, np.bool_), 9)
        expected.append(order.tolist() or None)
        found.append(
            page.evaluate(
                "asked => OrreryOrder.eliminationOrder(...asked)", [[*range(n)], links, 9]
            )
        )
    assert found == expected
    assert 10 < expected.count(None) < 90


def test_samples_are_drawn_on_request_for_joint_probabilities(open_page: OpenPage) -> None:
    run = sample()
    data = explorer_bytes(run, "sample")
    words = tokens(run, "wind sea rain storm bank film stage actor guitar")
    evidence = Evidence(words, closed_world=False)
    posterior = infer(run.network, evidence)
    pairs = [[k, k + 1] for k in range(len(posterior.local.topics) - 1)]
    found = []
    for page, at_once in ((open_page(data), False), (open_page(without_sums(data)), True)):
        before, after, either = page.evaluate(
            """([evidence, pairs]) => {
              const { makeDrawer } = OrreryGuided;
              let count = 0;
              OrreryGuided.makeDrawer = (...given) => (count += 1, makeDrawer(...given));
              const found = OrreryPosterior.infer(OrreryModel, evidence), before = count;
              const either = pairs.map(pair => OrreryPosterior.anyOf(found, pair));
              return [before, count, either];
            }""",
            [as_data(evidence), pairs],
        )
        assert (before, after) == (int(at_once), 1)
        found.append(either)
    # They are the same, whenever they are made.
    assert found[0] == found[1]
    assert max(either["error"] for either in found[0]) > 0.0
    for pair, either in zip(pairs, found[0], strict=True):
        expected = posterior.any_of([int(posterior.local.topics[k]) for k in pair])
        assert_near(either["value"], either["error"], expected.value, expected.error)


def split(query: str) -> dict[str, str]:
    """Return the words of each sign."""
    parts: dict[str, list[str]] = {"": [], "-": [], "?": []}
    for word in query.split():
        sign = word[0] if word[0] in "-?" else ""
        parts[sign].append(word[len(sign) :].strip('"'))
    return {sign: " ".join(words) for sign, words in parts.items()}


@pytest.mark.parametrize("closed_world", [False, True])
def test_a_typed_query_is_answered_as_infer_does(open_page: OpenPage, closed_world: bool) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    for query in QUERIES:
        parsed = {sign: run.parse(text) for sign, text in split(query).items()}
        present, absent, unknown = (tuple(parsed[sign][0].tolist()) for sign in ("", "-", "?"))
        evidence = Evidence(present, absent, closed_world=closed_world, unknown=unknown)
        (found,) = answers(page, q=query, others="absent" if closed_world else "unknown")
        assert_equal(run, infer(run.network, evidence), found)
        assert found["is_exact"]
        assert found["unknown"] == parsed[""][1]


def test_a_ready_made_vocabulary_is_checked_word_by_word(open_page: OpenPage) -> None:
    model = toy_model()
    page = open_page(explorer_bytes(model, "toy"))
    leak = np.random.default_rng(0)
    for size in (1, 8, 25):
        words = tuple(leak.choice(300, size, replace=False).tolist())
        typed = " ".join(model.vocabulary[token] for token in words)
        # By default, many words are a whole text.
        (found,) = answers(page, q=typed, others="unknown")
        assert_equal(model, infer(model.network, Evidence(words, closed_world=False)), found)


def test_the_explorer_reads_a_query_as_the_recipe_does(open_page: OpenPage) -> None:
    run = sample()
    matrix = replace(
        run, vocabulary=("Tom", "new_york", "solid state", "NASA", *run.vocabulary[4:]),
        recipe=matrix_recipe(),
    )  # fmt: skip
    phrases = replace(run, recipe=Recipe(phrase_list=("table_salt", "plate_tom"), min_df=1))
    leak = random.Random(1)
    words = [*run.vocabulary[:40], "new", "York", "tom,", "(nasa)", "Solid", "state.", "the"]
    texts = [*TEXTS, *(" ".join(leak.choices(words, k=6)) for _ in range(30))]
    signs = replace(run, recipe=Recipe(token_pattern=CHARACTER_PATTERN, phrase_list=("机_器",)))
    forms = (f"shuttles={run.vocabulary[0]}", f"tables={run.vocabulary[1]}", "plates=plate")
    lemmas = replace(
        run, recipe=Recipe(lemmas="english", lemma_list=forms, phrase_list=("plate_tom",))
    )
    texts += ["Shuttles and tables, plates tom"]
    texts += ["机器学习 and AI技术", "東京タワーへ行きました", "GPUの速度, tom's 机"]
    for model in (run, matrix, phrases, signs, lemmas):
        page = open_page(explorer_bytes(model, "m"))
        for text in texts:
            numbers, unknown = model.parse(text)
            found = page.evaluate(
                "text => OrreryText.parse(OrreryModel.recipe, OrreryModel.tokenNumber, text)", text
            )
            assert (found["tokens"], found["unknown"]) == (numbers.tolist(), unknown), text
