"""The page of evidence: rules of the main topic, division of words, and what is not run yet."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from orrery.core.evaluation.hierarchy import TOP_WORDS, topic_tree
from orrery.core.inference.infer import infer_activations
from orrery.core.model.labels import TopicWords, reach
from orrery.core.model.topic_names import WordPairs, join_words, name_topics
from tests.benchmarks.labelled_sets import LABELLED
from tests.benchmarks.main_topic_rules import RULES, Documents, assign, halves, validate
from tests.benchmarks.markdown import number
from tests.benchmarks.parts import (
    hierarchy_measures,
    label_agreement,
    main_topic,
    seeds,
    unknown_words,
)
from tests.core.evaluation.planted import planted
from tests.random_networks import plain_network, sampled_corpus


def test_halves_are_the_words_of_each_document_once():
    _, corpus = planted(n_documents=40)
    rows = np.arange(5, 35)
    seen, hidden = halves(corpus, rows, seed=3)
    whole = corpus.to_csr()[rows].toarray()
    assert (seen.to_csr().toarray() + hidden.toarray() == whole).all()
    lengths = whole.sum(axis=1)
    assert hidden.sum(axis=1).tolist() == (lengths // 2).tolist()


def test_every_rule_finds_the_planted_theme_and_predicts_its_words():
    network, corpus = planted(n_documents=300)
    train, rows = np.arange(200), np.arange(200, 300)
    labels = corpus.documents["label"].to_numpy()[rows]
    names = np.array(network.graph.topic_ids)
    for rule, topics in assign(network, corpus, train, rows).items():
        assert (names[topics] == labels).mean() > 0.9, rule
    scores = validate(network, corpus, train, rows, seed=0)
    # Sixty words; a theme has fifteen of them, nearly all of the words of its documents.
    assert all(math.log(1 / 40) < score.mean() < math.log(1 / 15) for score in scores.values())


def test_the_costliest_topic_is_found_by_switching_off_each():
    network, corpus = planted(n_documents=30)
    presence = sparse.csr_array(corpus.to_csr(), dtype=float)
    probability = infer_activations(network, corpus).toarray()
    given = Documents(network, presence, probability, probability.mean(axis=0))
    pull = -np.log1p(-np.minimum(reach(network).toarray(), 1 - 1e-12))
    leak = network.leak[network.graph.n_topics :]

    def likelihood(row, state):
        activation = leak + state @ pull
        is_present = presence[[row]].toarray().ravel() > 0
        return np.log(-np.expm1(-activation))[is_present].sum() - activation[~is_present].sum()

    found = RULES["costliest to switch off, among those on"](given)
    for row, topic in enumerate(found.tolist()):
        is_on = probability[row] > 0.5
        if not is_on.any():
            assert topic == probability[row].argmax()
            continue
        costs = {}
        for other in np.flatnonzero(is_on):
            off = probability[row].copy()
            off[other] = 0.0
            costs[other] = likelihood(row, probability[row]) - likelihood(row, off)
        assert costs[topic] == pytest.approx(max(costs.values()))


def test_words_apart_are_the_best_that_no_child_has_and_names_are_those_of_the_app():
    rng = np.random.default_rng(3)
    network = plain_network(rng, 5, 40, 0.6)
    corpus = sampled_corpus(network, 200, rng)
    tree = topic_tree(network, corpus.vocabulary)
    assert len(tree.parent)
    apart = hierarchy_measures._apart(tree, network, corpus)
    described = TopicWords(network, corpus.vocabulary)
    for topic, words in enumerate(apart):
        children = tree.child[tree.parent == topic]
        taken = {word for child in children for word in apart[child].tolist()}
        ranked = described.tokens(topic, network.graph.n_tokens).tolist()
        expected = [word for word in ranked if word not in taken][:TOP_WORDS]
        assert words.tolist() == (expected if len(children) else tree.words[topic].tolist())
    names = hierarchy_measures._names(network, corpus)
    labels = name_topics(network, corpus.vocabulary, pairs=WordPairs(corpus)).labels
    assert [join_words([corpus.vocabulary[word] for word in name]) for name in names] == labels
    same, presence = [np.array([0, 1])] * 5, corpus.to_csr()
    found = hierarchy_measures._with_words(tree, same, presence)
    assert (found["repeated"], found["pcc"]) == (1.0, -1.0)
    assert hierarchy_measures._with_words(tree, apart, presence)["repeated"] == 0.0


def test_the_page_names_what_was_not_run():
    whole = len(LABELLED) * len(label_agreement.SIZES)
    assert len(label_agreement.missing(None)) == whole
    lacks = label_agreement.missing({"rows": {"bbc:50:orrery": {}, "bbc:50:nmf": {}}})
    assert len(lacks) == whole
    assert "BBC (OCTIS), 50 topics (LDA, scikit-learn, LDA, tomotopy)" in lacks
    every = {name: {} for name in label_agreement.RUNS}
    assert label_agreement.missing({"rows": every}) == []
    assert len(hierarchy_measures.missing(None)) == len(hierarchy_measures.RUNS)
    assert len(main_topic.missing({"rows": {"bbc": {}}})) == len(main_topic.SETS) - 1
    assert len(seeds.missing(None)) == len(seeds.SETS)
    for left_out in seeds.TITLES:
        others = [{"system": system} for system in seeds.TITLES if system != left_out]
        assert len(seeds.missing({"rows": dict.fromkeys(seeds.SETS, others)})) == len(seeds.SETS)
    every = [{"system": system} for system in seeds.TITLES]
    assert seeds.missing({"rows": dict.fromkeys(seeds.SETS, every)}) == []


def test_trainings_that_agree_have_stable_topics_and_shuffled_ones_have_none():
    network, corpus = planted(n_documents=400)
    topics = infer_activations(network, corpus)
    same = seeds._agreement(corpus, [topics, topics])
    assert same["correlation"] == pytest.approx(1.0)
    assert same["nearly_same"] == same["found_again"] == 1.0
    # A further topic that nothing matches counts in one of both directions.
    more = sparse.csr_array(sparse.hstack([topics, topics[:, [0]] * 0.0]))
    n_topics = topics.shape[1]
    expected = (1.0 + n_topics / (n_topics + 1)) / 2
    assert seeds._agreement(corpus, [topics, more])["correlation"] == pytest.approx(expected)
    order = np.random.default_rng(0).permutation(corpus.n_documents)
    shuffled = seeds._agreement(corpus, [topics, sparse.csr_array(topics[order])])
    assert shuffled["found_again"] == 0.0


def test_tables_show_every_figure():
    row = {"topics": 7, "seconds": 3.2, "diversity": 0.811, "npmi": 0.055}
    row |= {"purity": 0.512, "purity_chance": 0.061, "nmi": 0.433, "p1": 0.377}
    page = label_agreement.show({"rows": {"bbc:50:nmf": row}})
    assert "| BBC (OCTIS), 50 | NMF, scikit-learn | 7 | 0.512 | 0.061 | 0.433 | 0.377 |" in page
    assert "HiCOT" in page
    rules = [
        {"gap": -0.01 * place, "error": 0.002, "purity": 0.5, "nmi": 0.25}
        for place, _ in enumerate(RULES)
    ]
    page = main_topic.show({"rows": {"bbc": {"documents": 9, "rules": rules}}})
    assert f"{number(-0.03, 4)} ± 0.0020 | {number(-0.03, 4)} |" in page
    assert page.count("0.500, 0.250") == len(RULES)


def test_words_are_drawn_from_the_files_of_wordnet(tmp_path, monkeypatch):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    licence = "  1 a line of the licence\n"
    for kind in unknown_words.KINDS:
        for name in (f"data.{kind}", f"{kind}.exc", f"index.{kind}"):
            (folder / name).write_text(licence)
    synset = "1 06 n 03 car 0 automobile 0 motor_car 0 001 @ 2 n 0000 | a vehicle\n"
    (folder / "data.noun").write_text(licence + synset)
    (folder / "index.noun").write_text(f"{licence}city n 1\nmouse n 1\n")
    (folder / "index.verb").write_text(f"{licence}bake v 1\n")
    (folder / "noun.exc").write_text("mice mouse\ngeese goose\n")
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    _, corpus = planted(n_documents=40)
    corpus = replace(corpus, vocabulary=["car", "mouse", "city", "bake", *corpus.vocabulary[4:]])
    assert unknown_words.synonyms(corpus) == {"automobile"}
    found = unknown_words.inflections(corpus)
    assert found == {"mice", "mouses", "cities", "bakes", "baked", "baking"}
