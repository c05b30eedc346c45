"""NoisyOrTopics follows scikit-learn's rules, and its results equal `orrery.core`."""

from __future__ import annotations

import pickle
import re
import shutil
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import networkx as nx
import numba
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from orrery import NoisyOrTopics, Recipe
from orrery.core.api import saving
from orrery.core.api.estimator import RATE_OF_MORE
from orrery.core.api.fitting import fit_more, threads
from orrery.core.inference.arcs import arc_strengths
from orrery.core.inference.infer import infer_activations, infer_bounds
from orrery.core.inference.questions import best_questions
from orrery.core.model.topic_groups import TopicGroups
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.errors import InputError
from tests.app.pages import open_page
from tests.core.api.conftest import EPOCHS, N_TEXTS, PENALTY, SETTINGS, SMALL, texts_about

QUICK = {"epochs": 2, "random_state": 0}
# With one topic asked for there is a layer above the single word of any matrix.
KINDS = [NoisyOrTopics(**QUICK), NoisyOrTopics(1, **QUICK), NoisyOrTopics(learn_structure=False)]


@parametrize_with_checks(KINDS)
def test_rules_of_scikit_learn(estimator, check):
    check(estimator)


def same_network(one, other):
    pairs = [(one.weight, other.weight), (one.leak, other.leak)]
    pairs += [(one.graph.parent_idx, other.graph.parent_idx)]
    return all(np.array_equal(a, b) for a, b in pairs)


def test_transform_is_inference_on_the_same_documents(fitted, texts):
    found = fitted.transform(texts)
    expected = infer_activations(fitted.network_, fitted.corpus_).toarray()
    assert found.shape == (len(texts), fitted.network_.graph.n_topics)
    np.testing.assert_array_equal(found, expected)
    assert 0.0 <= found.min() < 0.1 < 0.9 < found.max() <= 1.0


def test_many_documents_are_looked_at_in_blocks(fitted, texts, monkeypatch):
    whole = fitted.transform(texts)
    monkeypatch.setattr("orrery.core.api.estimator.BLOCK", 7)
    np.testing.assert_array_equal(fitted.transform(texts), whole)


def test_score_is_the_mean_bound(fitted, texts):
    bounds = infer_bounds(fitted.network_, fitted.corpus_)
    np.testing.assert_array_equal(fitted.score_samples(texts), bounds)
    assert fitted.score(texts) == bounds.mean()


@pytest.mark.parametrize("settings", [{"n_topics": None}, {"n_topics": (3, 2)}])
def test_same_seed_same_bits_on_any_number_of_threads(texts, settings):
    chosen = {**SETTINGS, **settings}
    one = NoisyOrTopics(**chosen, n_jobs=1).fit(texts)
    other = NoisyOrTopics(**chosen, n_jobs=-1).fit(texts)
    assert same_network(one.network_, other.network_)
    np.testing.assert_array_equal(one.transform(texts), other.transform(texts))
    changed = NoisyOrTopics(**{**chosen, "random_state": 4}).fit(texts)
    assert not same_network(one.network_, changed.network_)


def test_random_state_object_is_drawn_from(texts):
    seeds = [NoisyOrTopics(1, epochs=1, recipe=SMALL, random_state=np.random.RandomState(7))
             .fit(texts).seed_ for _ in range(2)]  # fmt: skip
    assert seeds[0] == seeds[1] == np.random.RandomState(7).randint(2**31 - 1)


@pytest.mark.parametrize(
    ("settings", "run"),
    [
        ({}, {"training": {"structure": "learned"}}),
        ({"n_topics": (3, 2), "edges": 60}, {"topics": (3, 2), "edges": 60}),
        ({"learn_structure": False}, {}),
        (
            {"n_topics": [3], "edges": 40, "learn_structure": True},
            {"topics": (3,), "edges": 40, "learn_structure": True, "training": {"start": "gibbs"}},
        ),
    ],
)
def test_trains_as_the_command_line_does(texts, tmp_path, settings, run):
    trained = NoisyOrTopics(**{**SETTINGS, "n_topics": None, **settings}).fit(texts)
    save_corpus(trained.corpus_, tmp_path / "c")
    training = {"epochs": EPOCHS, "seed": 3, "weight_penalty": PENALTY, **run.get("training", {})}
    rest = {**run, "training": TrainingOptions(**training)}
    chosen = RunSettings(str(tmp_path / "c"), held_out=0.0, **rest)
    start_run(tmp_path / "r", chosen, Session())
    assert same_network(trained.network_, load_run(tmp_path / "r").network)


def test_counts_become_presence_and_columns_their_words(texts):
    counter = CountVectorizer(min_df=2)
    counts = counter.fit_transform([f"{text} {text}" for text in texts])
    assert counts.max() > 1
    table = pd.DataFrame(counts.toarray(), columns=counter.get_feature_names_out())
    of_table = NoisyOrTopics(**SETTINGS).fit(table)
    of_presence = NoisyOrTopics(**SETTINGS).fit(sparse.csr_array(counts > 0))
    assert same_network(of_table.network_, of_presence.network_)
    assert of_table.model_.vocabulary == tuple(counter.get_feature_names_out())
    assert of_presence.model_.vocabulary[:2] == ("x0", "x1")


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_negative_values_are_refused(kind):
    matrix = kind(np.array([[1.0, 0.0], [-0.5, 2.0]]))
    with pytest.raises(ValueError, match="Negative values"):
        NoisyOrTopics(1).fit(matrix)
    trained = NoisyOrTopics(1, **QUICK).fit(abs(matrix))
    with pytest.raises(ValueError, match="Negative values"):
        trained.transform(matrix)


def test_empty_columns_and_explicit_zeros_are_absent():
    stored = sparse.csr_array(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]]))
    stored.data[1] = 0.0
    trained = NoisyOrTopics(1, **QUICK).fit(stored)
    assert trained.corpus_.tokens_of(0).tolist() == [0, 2]
    with pytest.raises(ValueError, match="no entry above zero"):
        NoisyOrTopics(1).fit(np.zeros((3, 2)))


def test_unknown_words_and_empty_documents_are_no_matter(fitted):
    found = fitted.transform(["rocket orbit zzz", "rocket orbit", "", "zzz"])
    np.testing.assert_array_equal(found[0], found[1])
    assert not found[2:].any()


@pytest.mark.parametrize(
    "texts_as",
    [list, tuple, np.array, pd.Series, lambda t: pd.Series(t, index=range(9, 9 + len(t)))],
)
def test_texts_in_any_sequence(fitted, texts, texts_as):
    np.testing.assert_array_equal(fitted.transform(texts_as(texts)), fitted.transform(texts))


@pytest.mark.parametrize(
    ("texts_as", "message"),
    [
        (set, "the documents are a set; expected a list of texts"),
        (lambda t: dict.fromkeys(t, 1), "the documents are a dict; expected"),
        (iter, "expected a list of texts, one for each document"),
        (lambda t: [text.encode() for text in t], "document 0 is bytes, which must be decoded"),
        (lambda t: [text.split() for text in t], "document 0 is a list of words"),
        (lambda t: pd.DataFrame({"n": 1, "body": t}), "a table with texts in its column 'body'"),
        (
            lambda t: pd.DataFrame({"id": [f"n{i}" for i in range(len(t))], "text": t}),
            "texts in its column 'text'; give this",
        ),
        (
            lambda t: pd.DataFrame({"id": [f"n{i}" for i in range(len(t))], "count": 1}),
            "text in its column 'id'; leave this column out",
        ),
    ],
)
def test_texts_in_another_form_are_named(fitted, texts, texts_as, message):
    for call in (NoisyOrTopics().fit, fitted.transform):
        with pytest.raises(ValueError, match=message):
            call(texts_as(texts))


def test_no_texts(fitted):
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        for train in (NoisyOrTopics().fit, NoisyOrTopics().partial_fit):
            with pytest.raises(InputError, match=r"no document to train on; give one or more"):
                train(empty)
        assert fitted.transform(empty).shape == (0, fitted.network_.graph.n_topics)
        assert fitted.score_samples(empty).shape == (0,)
        with pytest.raises(InputError, match=r"no document to score"):
            fitted.score(empty)


@pytest.mark.parametrize("query", [["space"], None, 3])
def test_a_query_that_is_no_text_is_named(fitted, query):
    for ask in (fitted.query, fitted.explain):
        with pytest.raises(InputError, match=f"is a {type(query).__name__}; give one text"):
            ask(query)


def test_what_is_no_text_is_named(fitted):
    with pytest.raises(ValueError, match=r"document 1 is missing"):
        NoisyOrTopics().fit(["a text", float("nan")])
    for first in (None, float("nan"), pd.NA):
        for kind in (list, partial(pd.Series, dtype=object)):
            with pytest.raises(ValueError, match=r"document 0 is missing"):
                NoisyOrTopics().fit(kind([first, "a text"]))
            with pytest.raises(ValueError, match=r"document 0 is missing"):
                fitted.transform(kind([first]))
    with pytest.raises(ValueError, match="one text; expected a list"):
        fitted.transform("space shuttle")
    with pytest.raises(ValueError, match="expecting 23 features"):
        fitted.transform(np.ones((2, 5)))


def test_texts_after_a_matrix_leave_no_trace_of_it(texts, fitted):
    table = pd.DataFrame(np.eye(4), columns=list("abcd"))
    again = clone(fitted).set_params(n_topics=1).fit(table)
    assert again.n_features_in_ == 4
    again.set_params(n_topics=(3, 2)).fit(texts)
    assert not hasattr(again, "n_features_in_")
    assert not hasattr(again, "feature_names_in_")
    np.testing.assert_array_equal(again.transform(fitted.corpus_), fitted.transform(texts))


def test_corpus_as_input(fitted, texts):
    again = NoisyOrTopics(**SETTINGS).fit(fitted.corpus_)
    assert same_network(again.network_, fitted.network_)
    other = NoisyOrTopics(1, **QUICK).fit(np.eye(3)).corpus_
    with pytest.raises(ValueError, match="another vocabulary"):
        fitted.transform(other)


@pytest.mark.parametrize(
    ("wrong", "shown_text"),
    [
        ({"n_topics": 0}, "n_topics is 0"),
        ({"n_topics": "many"}, "n_topics is 'many'"),
        ({"n_topics": [[1, 2], [3]]}, "n_topics is"),
        ({"n_topics": 2.5}, r"n_topics is 2\.5"),
        ({"learn_structure": "yes"}, "learn_structure is 'yes'"),
        ({"epochs": 0}, "epochs is 0"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"random_state": -1}, "seed is -1"),
        ({"method": "magic", "learn_structure": False}, "there is no method 'magic'"),
    ],
)
def test_parameters_that_cannot_be_are_named(texts, wrong, shown_text):
    with pytest.raises(ValueError, match=shown_text):
        NoisyOrTopics(**{**SETTINGS, **wrong}).fit(texts)


def test_layers_may_be_an_array(texts, fitted):
    again = NoisyOrTopics(**{**SETTINGS, "n_topics": np.array([3, 2])}).fit(texts)
    assert same_network(again.network_, fitted.network_)


def test_clone_and_pickle(fitted, texts):
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        copy.transform(texts)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(texts), fitted.transform(texts))


def test_pipeline_grid_search_and_frames(texts):
    subjects = [n % 3 for n in range(len(texts))]
    topics = NoisyOrTopics(3, epochs=EPOCHS, random_state=0, weight_penalty=PENALTY)
    pipe = make_pipeline(CountVectorizer(min_df=2), topics, LogisticRegression())
    assert pipe.fit(texts, subjects).score(texts_about(6), subjects) > 0.9
    search = GridSearchCV(topics, {"n_topics": [1, 3]}, cv=2, n_jobs=2)
    search.fit(CountVectorizer(min_df=2).fit_transform(texts))
    assert search.best_params_ == {"n_topics": 3}
    framed = make_pipeline(CountVectorizer(min_df=2), clone(topics)).fit(texts)
    framed[-1].set_output(transform="pandas")
    assert list(framed.transform(texts)) == list(framed.get_feature_names_out())


def test_threads_are_lent():
    most = numba.get_num_threads()
    for n_jobs, expected in ((1, 1), (None, most), (-1, most), (-most - 9, 1), (most + 9, most)):
        with threads(n_jobs):
            assert numba.get_num_threads() == expected
        assert numba.get_num_threads() == most


def test_threads_of_python_take_turns():
    # Numba aborts the process where two of them run its parallel kernels at once.
    entered = Event()

    def enter():
        with threads(1):
            entered.set()

    with ThreadPoolExecutor(1) as pool:
        with threads(1):
            waiting = pool.submit(enter)
            assert not entered.wait(0.3)
        waiting.result(timeout=60)
    assert entered.is_set()


def test_sparse_output(fitted, texts):
    found = clone(fitted).set_params(sparse_output=True).fit_transform(texts)
    assert sparse.issparse(found)
    np.testing.assert_array_equal(found.toarray(), fitted.transform(texts))


def test_topics_as_a_table(fitted, texts):
    table, graph = fitted.topics_, fitted.network_.graph
    assert list(table) == ["id", "label", "words", "documents", "layer", "parents"]
    assert table["id"].tolist() == list(graph.topic_ids) == list(fitted.get_feature_names_out())
    assert table["layer"].max() == 2
    assert table["documents"].tolist() == (fitted.transform(texts) > 0.5).sum(axis=0).tolist()
    below = table[table["parents"].map(len) > 0].iloc[0]
    parents = {graph.topic_ids[p] for p in graph.parents(graph.topic_ids.index(below["id"]))}
    assert set(below["parents"]) == parents
    assert all(word in fitted.model_.vocabulary for words in table["words"] for word in words)


def test_to_networkx(fitted):
    graph = fitted.to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert graph.number_of_nodes() == fitted.network_.graph.n_nodes
    weights = sorted(weight for _, _, weight in graph.edges(data="weight"))
    np.testing.assert_array_equal(weights, np.sort(fitted.network_.weight))
    assert graph.nodes["word:rocket"]["kind"] == "token"
    assert not any("bits" in edge for _, _, edge in graph.edges(data=True))
    with_bits = fitted.to_networkx(with_bits=True)
    child = fitted.model_.vocabulary.index("rocket") + fitted.network_.graph.n_topics
    edges = fitted.network_.graph.parent_ptr[child : child + 2]
    strengths = arc_strengths(fitted.network_, np.arange(*edges))
    found = [bits for _, _, bits in with_bits.in_edges("word:rocket", data="bits")]
    np.testing.assert_allclose(sorted(found), sorted(strengths.bits))


def test_names_of_words_may_come_later(texts):
    counter = CountVectorizer(min_df=2)
    topics = NoisyOrTopics(2, **QUICK).fit(counter.fit_transform(texts))
    n_words = len(counter.vocabulary_)
    with pytest.raises(ValueError, match="knows none of these words: rocket"):
        topics.query("rocket")
    named = topics.name_words(counter.get_feature_names_out())
    assert named.query("rocket").posterior.evidence.present == (counter.vocabulary_["rocket"],)
    assert "rocket" in named.corpus_.vocabulary
    for words, shown_text in ((["a"], "1 words for"), (["a"] * n_words, "same word")):
        with pytest.raises(ValueError, match=shown_text):
            topics.name_words(words)


# partial_fit


def test_first_partial_fit_is_fit(texts, fitted):
    first = NoisyOrTopics(**SETTINGS).partial_fit(texts)
    assert same_network(first.network_, fitted.network_)


def test_partial_fit_moves_weights_towards_new_documents(texts):
    space, others = texts_about(7, 300)[::3], texts_about(8, 120)[1::3]
    trained = NoisyOrTopics(**SETTINGS).fit(texts)
    graph, before = trained.network_.graph, trained.score(space[:50])
    of_others = trained.score(others)
    for _ in range(3):
        assert trained.partial_fit(space[50:]) is trained
    assert trained.network_.graph is graph
    assert trained.score(space[:50]) > before + 0.05
    assert trained.score(others) < of_others
    assert trained.n_documents_seen_ == N_TEXTS + 3 * 50
    assert trained.corpus_.n_documents == N_TEXTS
    assert trained.history_["epoch"].is_monotonic_increasing
    assert trained.history_["epoch"].iloc[-1] == EPOCHS + 3


def test_partial_fit_continues_from_the_weights_that_there_are(texts, fitted):
    moved = NoisyOrTopics(**SETTINGS).fit(texts).partial_fit(texts[:1]).network_.weight
    before = fitted.network_.weight
    assert not np.array_equal(moved, before)
    # One step of Adam, of at most its rate in log-weights.
    steps = np.log(moved[before > 1e-3] / before[before > 1e-3])
    assert np.abs(steps).max() <= 1.01 * RATE_OF_MORE


def test_partial_fit_takes_its_share_of_the_penalty(texts, monkeypatch):
    requested = []

    def remembered(network, corpus, options, **settings):
        requested.append(options)
        return fit_more(network, corpus, options, **settings)

    monkeypatch.setattr("orrery.core.api.estimator.fit_more", remembered)
    trained = NoisyOrTopics(**SETTINGS).fit(texts)
    trained.partial_fit(texts[:80]).partial_fit(texts[:80])
    assert [options.weight_penalty for options in requested] == [PENALTY / 4, PENALTY / 5]
    assert len({options.seed for options in requested}) == 2


def test_partial_fit_repeats_itself(texts):
    runs = [NoisyOrTopics(**SETTINGS).fit(texts).partial_fit(texts_about(9)) for _ in range(2)]
    assert same_network(runs[0].network_, runs[1].network_)


def test_an_interrupted_partial_fit_counts_no_documents(texts, monkeypatch):
    trained, other = (NoisyOrTopics(**SETTINGS).fit(texts) for _ in range(2))
    with monkeypatch.context() as patch:
        patch.setattr("orrery.core.api.estimator.fit_more", interrupt)
        with pytest.raises(KeyboardInterrupt):
            trained.partial_fit(texts[:80])
    assert trained.n_documents_seen_ == N_TEXTS
    pair = [each.partial_fit(texts[:80]).network_ for each in (trained, other)]
    assert same_network(*pair)


def interrupt(*_args, **_settings):
    raise KeyboardInterrupt


def test_training_continues_after_loading_as_before(texts, tmp_path):
    trained = NoisyOrTopics(**SETTINGS).fit(texts).partial_fit(texts[:80])
    loaded = NoisyOrTopics.load(trained.save(tmp_path / "run"))
    assert loaded.n_documents_seen_ == N_TEXTS + 80
    pair = [each.partial_fit(texts[80:120]) for each in (trained, loaded)]
    assert same_network(pair[0].network_, pair[1].network_)
    again = NoisyOrTopics.load(loaded.save(tmp_path / "next"))
    assert again.n_documents_seen_ == N_TEXTS + 120
    assert again.model_.summary["epochs"] == EPOCHS + 2
    third = [each.partial_fit(texts[:40]).network_ for each in (trained, again)]
    assert same_network(*third)


def test_fit_begins_anew(texts, fitted):
    again = NoisyOrTopics(**SETTINGS).fit(texts).partial_fit(texts_about(9))
    assert not same_network(again.network_, fitted.network_)
    assert same_network(again.fit(texts).network_, fitted.network_)


# On disk


def test_saved_and_loaded_is_the_same(fitted, texts, tmp_path):
    fitted.save(tmp_path / "run")
    again = NoisyOrTopics.load(tmp_path / "run")
    np.testing.assert_array_equal(again.transform(texts), fitted.transform(texts))
    assert again.score(texts) == fitted.score(texts)
    assert again.get_params() == fitted.get_params()
    pd.testing.assert_frame_equal(again.topics_, fitted.topics_)
    assert again.corpus_.documents["text"].tolist() == texts
    assert same_network(again.fit(texts).network_, fitted.network_)
    with pytest.raises(ValueError, match="exists already"):
        fitted.save(tmp_path / "run")


def test_topic_groups_are_kept_and_made_where_there_are_none(fitted, tmp_path, monkeypatch):
    one, other = (np.arange(fitted.network_.graph.n_topics) % count for count in (2, 1))
    made = TopicGroups(one, ((0, 1), (2,)))
    monkeypatch.setattr(saving, "corpus_topic_groups", lambda *_: made)
    fitted.save(tmp_path / "run")
    assert load_run(tmp_path / "run").topic_groups.of.tolist() == one.tolist()
    again = NoisyOrTopics.load(tmp_path / "run")
    again.model_ = replace(again.model_, topic_groups=TopicGroups(other, ((3,),)))
    again.save(tmp_path / "next")
    kept = load_run(tmp_path / "next").topic_groups
    assert (kept.of.tolist(), kept.words) == (other.tolist(), ((3,),))


def test_matrix_is_saved_too(texts, tmp_path):
    counts = CountVectorizer(min_df=2).fit_transform(texts)
    trained = NoisyOrTopics(2, **QUICK).fit(counts)
    trained.save(tmp_path / "run")
    again = NoisyOrTopics.load(tmp_path / "run")
    np.testing.assert_array_equal(again.transform(counts), trained.transform(counts))
    with pytest.raises(ValueError, match="expecting 24 features"):
        again.transform(counts[:, :5])


@pytest.mark.parametrize("is_loaded", [False, True])
def test_columns_are_checked_after_loading_as_before(texts, tmp_path, is_loaded):
    counter = CountVectorizer(min_df=2)
    counts = counter.fit_transform(texts).toarray()
    table = pd.DataFrame(counts, columns=counter.get_feature_names_out())
    named, unnamed = NoisyOrTopics(2, **QUICK).fit(table), NoisyOrTopics(2, **QUICK).fit(counts)
    unnamed.name_words(table.columns)
    if is_loaded:
        named = NoisyOrTopics.load(named.save(tmp_path / "named"))
        unnamed = NoisyOrTopics.load(unnamed.save(tmp_path / "unnamed"))
    assert named.feature_names_in_.tolist() == list(table.columns)
    assert not hasattr(unnamed, "feature_names_in_")
    np.testing.assert_array_equal(named.transform(table), unnamed.transform(counts))
    other_order = table[table.columns[::-1]]
    with pytest.raises(ValueError, match="in the same order"):
        named.transform(other_order)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # trained without names
        with pytest.raises(ValueError, match="in their order"):
            unnamed.transform(other_order)


def test_a_model_of_texts_takes_a_matrix_only_with_its_words(fitted, texts):
    presence = fitted.corpus_.to_csr().toarray()
    with pytest.raises(ValueError, match="trained on texts and cannot check the columns"):
        fitted.transform(presence)
    table = pd.DataFrame(presence, columns=list(fitted.model_.vocabulary))
    np.testing.assert_array_equal(fitted.transform(table), fitted.transform(texts))
    with pytest.raises(ValueError, match="in their order"):
        fitted.transform(table[table.columns[::-1]])


def test_corpus_of_other_words_is_not_taken_for_its_own(fitted, texts, tmp_path):
    folder = fitted.save(tmp_path / "run")
    shutil.rmtree(folder / "corpus")
    save_corpus(NoisyOrTopics(1, **QUICK).fit(np.eye(3)).corpus_, folder / "corpus")
    again = NoisyOrTopics.load(folder)
    assert again.corpus_ is None
    np.testing.assert_array_equal(again.transform(texts), fitted.transform(texts))


def test_run_moves_with_its_corpus(fitted, tmp_path):
    fitted.save(tmp_path / "run")
    (tmp_path / "elsewhere").mkdir()
    moved = (tmp_path / "run").rename(tmp_path / "elsewhere" / "other")
    assert NoisyOrTopics.load(moved).corpus_ is not None


def test_saved_in_a_workspace_is_listed_with_its_corpus(fitted, texts, tmp_path, monkeypatch):
    from orrery.app.workspace import catalog as workspace

    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("ORRERY_DEMO", raising=False)
    fitted.save(tmp_path / "runs" / "mine")
    assert [place.name for place in workspace.corpora()] == ["mine"]
    models, lost = workspace.models_and_lost(workspace.corpora()[0])
    assert [place.name for place in models] == ["mine"]
    assert lost == []
    # A further model of the same texts; then other texts by that name.
    (tmp_path / "runs" / "mine").rename(tmp_path / "runs" / "first")
    fitted.save(tmp_path / "runs" / "mine")
    (tmp_path / "runs" / "mine").rename(tmp_path / "runs" / "second")
    with pytest.raises(ValueError, match="holds another corpus"):
        NoisyOrTopics(**SETTINGS).fit(texts[:30]).save(tmp_path / "runs" / "mine")


def query_page():
    from orrery.app.views.query import page as query

    query.render()


def documents_page():
    from orrery.app.views.documents import page as documents

    documents.render()


def test_app_opens_a_saved_run(fitted, tmp_path, monkeypatch):
    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("ORRERY_DEMO", raising=False)
    fitted.save(tmp_path / "runs" / "mine")
    for page, shown_text in ((query_page, "rocket"), (documents_page, "240")):
        app = open_page(page, q="rocket orbit")
        assert not app.error
        shown = " ".join(str(element.value) for element in [*app.markdown, *app.caption])
        assert shown_text in shown or shown_text in str(app.main), page.__name__


def test_commands_take_a_saved_run(fitted, tmp_path, capsys):
    from orrery.app.cli.main import main

    run = str(fitted.save(tmp_path / "run"))
    assert main(["infer", run, "--query", "rocket orbit", "--json"]) == 0
    assert main(["export", run, "--format", "report", "--out", str(tmp_path / "r.html")]) == 0
    assert (tmp_path / "r.html").stat().st_size > 1000
    before = (tmp_path / "run" / "model" / "model.npz").read_bytes()
    # There is nothing left to train.
    assert main(["train", f"{run}/corpus", "--out", run, "--resume"]) == 0
    assert (tmp_path / "run" / "model" / "model.npz").read_bytes() == before


def test_any_run_can_be_loaded(fitted, texts, tmp_path):
    fitted.save(tmp_path / "run")
    from orrery.core.storage.overlay import change_overlay

    name = fitted.network_.graph.topic_ids[0]
    change_overlay(tmp_path / "run" / "model", lambda overlay: overlay.with_label(name, "mine"))
    named = NoisyOrTopics.load(tmp_path / "run")
    assert named.topics_["label"][0] == "mine"
    named.partial_fit(texts[:20]).save(tmp_path / "next")
    assert NoisyOrTopics.load(tmp_path / "next").topics_["label"][0] == "mine"
    (tmp_path / "flu.csv").write_text("parent,child,weight\nflu,fever,2.0\nflu,cough,1.0\n")
    adopt_graph(tmp_path / "flu.csv", tmp_path / "flu")
    adopted = NoisyOrTopics.load(tmp_path / "flu")
    assert adopted.query("fever").topics["id"].tolist() == ["flu"]
    assert adopted.topics_["documents"].isna().all()
    adopted.partial_fit(["fever cough", "fever"]).save(tmp_path / "again")
    again = NoisyOrTopics.load(tmp_path / "again")
    assert again.corpus_ is None
    assert again.topics_["label"].tolist() == ["flu"]


def test_recipe_states_what_is_unusual():
    assert repr(Recipe()) == "Recipe()"
    assert repr(Recipe(min_df=3, phrases=False)) == "Recipe(phrases=False, min_df=3)"


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("place", [0, 3])
@pytest.mark.parametrize("make", [list, pd.Series, lambda texts: np.array(texts, object)])
def test_a_missing_text_is_named(texts, missing, place, make):
    given = make([*texts[:place], missing, *texts[place + 1 :]])
    for call in (NoisyOrTopics(**SETTINGS).fit, NoisyOrTopics(**SETTINGS).fit_transform):
        with pytest.raises(InputError, match=f"document {place} is missing"):
            call(given)


def test_only_missing_texts_are_named():
    with pytest.raises(InputError, match="document 0 is missing"):
        NoisyOrTopics(**SETTINGS).fit([None, None])


def test_a_topic_without_a_word_of_the_query_is_named_by_its_id(tmp_path: Path) -> None:
    (tmp_path / "ill.csv").write_text("parent,child,weight\nflu,fever,2.0\nmigraine,pain,1.0\n")
    adopt_graph(tmp_path / "ill.csv", tmp_path / "ill")
    adopted = NoisyOrTopics.load(tmp_path / "ill")
    result = adopted.query("fever")
    message = "topic migraine has no word of the query below it; choose another"
    with pytest.raises(InputError, match=message):
        adopted.explain(result, "migraine")
    with pytest.raises(InputError, match=message):
        result.questions(topics=["migraine"])
    with pytest.raises(InputError, match=message):
        result.sensitivity("migraine")


def test_a_query_has_explanations_questions_and_sensitivity(fitted: NoisyOrTopics) -> None:
    word = fitted.model_.vocabulary[0]
    result = fitted.query(word)
    states = result.explanations(3)
    assert states["probability"].is_monotonic_decreasing
    assert states.attrs["exact"]
    assert states["more"][0] == states["fewer"][0] == ()
    questions = result.questions(4, with_topics=True)
    assert questions["bits"].is_monotonic_decreasing
    topic = result.topics["id"][0]
    figures = result.sensitivity(topic, 2)
    assert list(figures.columns)[:3] == ["parent", "node", "value"]
    about = result.questions(9, topics=[topic], costs={fitted.model_.vocabulary[1]: 2.0})
    assert (about["kind"] == "word").all()
    aimed = result.questions(4, aim="confirmation")
    expected = best_questions(fitted.network_, result.posterior, 4, aim="confirmation")
    assert aimed["bits"].tolist() == [question.bits for question in expected.questions]
    with pytest.raises(InputError, match="no aim"):
        result.questions(aim="certainty")
    with pytest.raises(InputError, match="no word or topic"):
        result.questions(topics=["none"])
    known = re.escape(fitted.network_.graph.topic_ids[0])
    with pytest.raises(InputError, match=f"no topic 'none'; use an id such as {known}"):
        result.sensitivity("none")
