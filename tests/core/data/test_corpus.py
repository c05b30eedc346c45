"""Corpus: what an import makes of documents, and that a query repeats it."""

import os
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.columns import default_ids, normal_table
from orrery.core.data.corpus import (
    Corpus,
    _repeated_texts,
    build_corpus,
    evenly_spaced,
    read_corpus,
    split_held_out,
)
from orrery.core.data.guesses import Guess
from orrery.core.data.raw import RawDocuments, RawMatrix
from orrery.core.data.readers import read_documents
from orrery.core.data.recipe import Recipe, tokenize
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.utils.errors import InputError

DATA = Path(os.environ.get("ORRERY_DATA", Path(__file__).parents[3] / "../shared/data"))
EVERYTHING = Recipe(stop_words=(), phrases=False, min_df=1, max_df=1.0)
WORDS = ["space", "shuttle", "program", "The", "windows", "memory"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS)).map(" ".join), min_size=1, max_size=20)


def raw_documents(texts: list[str]) -> RawDocuments:
    table = pd.DataFrame({"id": default_ids(len(texts)), "text": texts, "label": None})
    return RawDocuments(normal_table(table))


def test_an_import_shows_how_far_it_is() -> None:
    reported: list[float] = []
    texts = ["space shuttle " * 5_000] * 40
    corpus, _ = build_corpus(raw_documents(texts), EVERYTHING, reported.append)
    assert len(reported) == 40 * 70_000 // 560_000
    assert reported == sorted(set(reported))
    assert 0.0 < reported[0] < reported[-1] < 1.0
    assert corpus.n_documents == 40


def check_form(corpus: Corpus) -> None:
    """Requirements of every kernel."""
    assert corpus.token_ptr.dtype == np.int64
    assert corpus.token_idx.dtype == np.int32
    assert corpus.token_ptr[0] == 0
    assert corpus.token_ptr[-1] == len(corpus.token_idx)
    assert not corpus.token_ptr.flags.writeable
    assert not corpus.token_idx.flags.writeable
    assert len(corpus.documents) == corpus.n_documents
    assert corpus.documents.columns[:3].tolist() == ["id", "text", "label"]
    for row in range(corpus.n_documents):
        tokens = corpus.tokens_of(row).tolist()
        assert tokens == sorted(set(tokens))
        assert all(0 <= token < corpus.n_tokens for token in tokens)


@given(TEXTS, st.integers(1, 3), st.integers(1, 6))
def test_a_row_is_what_the_recipe_makes_of_its_text(
    texts: list[str], min_df: int, max_vocabulary: int
) -> None:
    recipe = Recipe(
        phrase_list=("space_shuttle", "shuttle_program"),
        min_df=min_df,
        max_df=1.0,
        max_vocabulary=max_vocabulary,
    )
    try:
        corpus, report = build_corpus(raw_documents(texts), recipe)
    except InputError:
        return
    check_form(corpus)
    for row, text in enumerate(corpus.documents["text"]):
        tokens = {
            corpus.token_number[token]
            for token in tokenize(corpus.recipe, text)
            if token in corpus.token_number
        }
        assert set(corpus.tokens_of(row).tolist()) == tokens
        assert set(corpus.parse(text)[0].tolist()) == tokens
    assert corpus.n_documents + len(corpus.dropped_ids) == len(texts)
    assert set(corpus.recipe.phrase_list) <= set(corpus.vocabulary)
    assert sum(count for _, _, count in report.histogram) == corpus.n_documents


def test_phrases_are_learned_stored_and_repeated() -> None:
    texts = [f"alpha{'abcdefgh'[row % 8]} space shuttle gamma{'xyz'[row % 3]}" for row in range(40)]
    corpus, report = build_corpus(raw_documents(texts), Recipe(max_df=1.0))
    assert corpus.recipe.phrase_list == ("space_shuttle",)
    assert report.phrases == 1
    assert "space" not in corpus.token_number
    again, _ = build_corpus(raw_documents(texts), corpus.recipe)
    assert again.vocabulary == corpus.vocabulary
    present, unknown = corpus.parse("Space shuttle")
    assert [corpus.vocabulary[token] for token in present] == ["space_shuttle"]
    assert not unknown


def test_a_phrase_outside_the_vocabulary_does_not_take_its_words_along() -> None:
    texts = ["hot dog"] * 3 + ["hot tea", "dog food", "hot sun", "dog tag"]
    recipe = Recipe(stop_words=(), phrase_list=("hot_dog",), min_df=4, max_df=1.0)
    corpus, _ = build_corpus(raw_documents(texts), recipe)
    assert corpus.vocabulary == ("dog", "hot")
    assert corpus.recipe.phrase_list == ()


def test_the_report_counts_what_was_dropped() -> None:
    texts = ["the cat sat", "the cat ran", "the dog", "!!!", "the the cat"]
    recipe = Recipe(stop_words=("the",), phrases=False, min_df=2, max_df=1.0)
    corpus, report = build_corpus(raw_documents(texts), recipe)
    assert corpus.vocabulary == ("cat",)
    assert corpus.documents["id"].tolist() == ["0", "1", "4"]
    assert report.dropped_document_ids == corpus.dropped_ids == ("2", "3")
    values = report.as_dict()
    assert values["documents"] == 3
    assert values["vocabulary"] == 1
    assert values["dropped_documents"] == 2
    assert values["dropped_terms"] == 4
    assert values["tokens_per_document"] == 1.0
    assert values["dropped_terms_by_rule"]["too rare"]["count"] == 3
    stopped = values["dropped_terms_by_rule"]["stop word"]
    assert stopped["examples"] == (("the", 4),)
    texts = corpus.documents["text"]
    assert stopped["occurrences"] >= stopped["examples"][0][1]
    assert values["occurrences"] >= sum(len(text.split()) for text in texts)
    assert values["frequent_words"] == (("cat", 3),)


@given(st.lists(st.sampled_from(["", " ", "a cat"]), max_size=9))
def test_empty_texts_do_not_repeat_each_other(texts: list[str]) -> None:
    found = _repeated_texts(raw_documents(texts).table)
    n_repeated = max(texts.count("a cat") - 1, 0)
    assert [int(guess.value.split()[0]) for guess in found] == [n_repeated] * (n_repeated > 0)


@given(TEXTS)
def test_documents_that_repeat_a_text_are_counted_and_kept(texts: list[str]) -> None:
    filled = [text.strip() for text in texts if text.strip()]
    if not filled:
        return
    corpus, report = build_corpus(raw_documents(texts), EVERYTHING)
    found = [guess for guess in report.how_it_was_read if guess.what == "repeated texts"]
    n_repeated = len(filled) - len(set(filled))
    assert len(found) == (n_repeated > 0)
    assert corpus.n_documents == len(filled)
    for guess in found:
        assert guess.value.startswith(f"{n_repeated} of {len(filled)} documents repeat")
        most = max(map(filled.count, filled))
        assert most == 2 or f"{most} times" in guess.value


@pytest.mark.parametrize(
    ("stop_words", "of_german", "of_both"),
    [
        ("english", "; the stop words of German are not set", "German"),
        ("german", "", "English"),
        ("english,german", "", ""),
        ("none", "; the stop words of German are not set", "English and German"),
    ],
)
def test_the_report_names_the_languages_whose_stop_words_are_not_set(
    stop_words: str, of_german: str, of_both: str
) -> None:
    german = ["Der Hund und die Katze sind nicht in dem Haus, das er für sie gebaut hat"] * 9
    english = ["The dog and the cat are not in the house that he has built for them"] * 9
    # Some common words are left out as too frequent, which the sentence must not deny.
    recipe = Recipe(min_df=1, stop_words=stop_words, phrases=False)
    texts = [f"{text} {'ab' * (row + 1)}" for row, text in enumerate([*german, *english])]
    both = f"; the stop words of {of_both} are not set" if of_both else ""
    for chosen, name, reason in (
        (texts[:9], "German", f"by its common words{of_german}"),
        (texts, "English and German", f"by their common words{both}"),
    ):
        _, report = build_corpus(raw_documents(chosen), recipe)
        (found,) = (guess for guess in report.how_it_was_read if guess.what == "language")
        assert found == Guess("language", name, reason, "stop_words")


@pytest.mark.parametrize(
    ("texts", "recipe", "message"),
    [
        (
            ["cat dog", "cow"],
            Recipe(phrases=False),
            "too rare: 3.; keep words in fewer documents",
        ),
        (["12 !", ""], EVERYTHING, "hold no words, for example only numbers; check the text"),
        (["12 !", ""], Recipe(token_pattern="[a-z]+"), "no word that the token pattern matches"),
        (["the cat " * 501] * 2, Recipe(), r"too rare: 1\); divide the 2 long documents into pass"),
        (["the cat " * 501], Recipe(), r"; divide the long document into pass"),
        (["the cat " * 500] * 2, Recipe(), r"\); keep words in fewer documents"),
        ([f"the {'a' * row}" for row in range(60)], Recipe(), r"\); keep words in fewer documents"),
        (["the"], Recipe(min_df=1), "stop word: 1"),
        (["a b"], Recipe(token_pattern="["), "not a regular expression"),
        (
            ["a\nb c", "a\nb d", "e f"],
            Recipe(token_pattern="[^ ]+", min_df=1, max_df=1.0),
            "words with line breaks",
        ),
    ],
)
def test_recipes_that_leave_nothing(texts: list[str], recipe: Recipe, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_corpus(raw_documents(texts), recipe)


def raw_matrix(counts: list[list[int]]) -> RawMatrix:
    table = pd.DataFrame({"id": default_ids(len(counts)), "text": "", "label": None})
    words = tuple(f"Word{number}" for number in range(len(counts[0])))
    return RawMatrix(sparse.csr_array(np.array(counts)), words, normal_table(table))


def test_a_matrix_keeps_empty_rows_rare_words_and_the_order_of_both() -> None:
    raw = raw_matrix([[0, 2, 1], [0, 0, 0], [0, 1, 0]])
    corpus, report = build_corpus(raw, Recipe())
    check_form(corpus)
    assert corpus.vocabulary == ("Word0", "Word1", "Word2")
    assert corpus.to_csr().toarray().tolist() == [[0, 1, 1], [0, 0, 0], [0, 1, 0]]
    assert report.dropped_documents == 0
    assert report.as_dict()["dropped_terms"] == 0
    assert corpus.parse("word1 other")[0].tolist() == [1]


def test_entries_of_zero_are_no_presence() -> None:
    raw = raw_matrix([[1, 1], [1, 1]])
    raw.counts.data[1:] = 0
    assert build_corpus(raw, Recipe())[0].to_csr().nnz == 1
    raw.counts.data[:] = 0
    with pytest.raises(InputError, match="no entry above zero"):
        build_corpus(raw, Recipe())


@given(TEXTS, st.data())
def test_subset_equals_rows_of_the_matrix(texts: list[str], data: st.DataObject) -> None:
    corpus, _ = build_corpus(raw_documents([*texts, "space"]), EVERYTHING)
    rows = data.draw(st.lists(st.integers(0, corpus.n_documents - 1)))
    part = corpus.subset(rows)
    check_form(part)
    assert (part.to_csr().toarray() == corpus.to_csr().toarray()[rows]).all()
    assert part.documents["id"].tolist() == [corpus.documents["id"][row] for row in rows]
    assert part.vocabulary == corpus.vocabulary
    mask = np.isin(np.arange(corpus.n_documents), rows)
    of_mask, of_rows = corpus.subset(mask), corpus.subset(np.unique(rows))
    assert of_mask.documents.equals(of_rows.documents)
    with pytest.raises(InputError, match="the mask has"):
        corpus.subset([*mask, True])


def test_changing_the_matrix_does_not_change_the_corpus() -> None:
    corpus, _ = build_corpus(raw_matrix([[1, 1], [0, 1]]), Recipe())
    matrix = corpus.to_csr()
    matrix.indices[:] = 0
    assert corpus.tokens_of(0).tolist() == [0, 1]
    assert corpus.document_frequency().tolist() == [1, 2]


@given(st.integers(2, 60), st.floats(0, 0.9), st.integers(0, 5))
def test_split_is_a_partition_of_the_right_size(n: int, fraction: float, seed: int) -> None:
    corpus, _ = build_corpus(raw_matrix([[1, 0]] * n), Recipe())
    if round(fraction * n) == n:
        return
    train, held_out = split_held_out(corpus, fraction, seed)
    assert sorted([*train, *held_out]) == list(range(n))
    assert len(held_out) == round(fraction * n)
    again = split_held_out(corpus, fraction, seed)
    assert (again[0] == train).all()
    assert (again[1] == held_out).all()
    assert train.dtype == held_out.dtype == np.int64


@given(st.integers(0, 300), st.integers(1, 50))
def test_rows_are_spread_evenly(n: int, most: int) -> None:
    rows = 3 * np.arange(n) + 1
    chosen = evenly_spaced(rows, most)
    assert len(chosen) == min(n, most)
    places = (chosen - 1) // 3
    assert (rows[places] == chosen).all()
    if n > most:
        # Each stretch of equal length has one: gaps differ by one at the most.
        gaps = np.diff(np.append(places, n))
        assert places[0] == 0
        assert gaps.max() - gaps.min() <= 1


def test_split_by_ids() -> None:
    corpus, _ = build_corpus(raw_documents(["cat", "!", "dog", "cow"]), EVERYTHING)
    train, held_out = split_held_out(corpus, ids=["3", "1", "3"])
    assert (train.tolist(), held_out.tolist()) == ([0, 1], [2])
    with pytest.raises(InputError, match="held-out id 'x' is no document"):
        split_held_out(corpus, ids=["x"])
    with pytest.raises(InputError, match="none is left to train on"):
        split_held_out(corpus, ids=["0", "2", "3"])
    with pytest.raises(InputError, match=r"fraction is 1\.0"):
        split_held_out(corpus, 1.0)


def test_read_corpus_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("cat dog\ncat\n")
    corpus = read_corpus(tmp_path / "t.txt", EVERYTHING)
    assert corpus.vocabulary == ("cat", "dog")


def real_data(*names: str) -> Path:
    path = DATA.joinpath(*names)
    if not path.exists():
        pytest.skip(f"the real corpus {'/'.join(names)} is not at ORRERY_DATA ({DATA})")
    return path


def test_tiny20_as_published() -> None:
    corpus = read_corpus(real_data("tiny20", "20news_w100.mat"))
    assert (corpus.n_documents, corpus.n_tokens, len(corpus.token_idx)) == (16242, 100, 65451)
    assert sorted(set(corpus.documents["label"])) == ["comp.*", "rec.*", "sci.*", "talk.*"]
    assert (np.diff(corpus.to_csr().indptr) == np.diff(corpus.token_ptr)).all()


def test_news20_unpacked_to_a_folder(tmp_path: Path) -> None:
    with tarfile.open(real_data("news20", "20news-bydate.tar.xz")) as archive:
        for entry in archive:
            post = archive.extractfile(entry) if "-train/" in entry.name else None
            if post is not None:
                (tmp_path / entry.name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / entry.name).write_bytes(post.read())
    raw = read_documents(tmp_path / "20ng" / "20news-bydate-train")
    assert isinstance(raw, RawDocuments)
    assert not raw.skipped
    corpus, report = build_corpus(raw, Recipe(phrases=False, max_vocabulary=5000))
    assert len(raw.table) == 11_314
    assert report.vocabulary == 5000
    assert corpus.documents["label"].nunique() == 20
    present, unknown = corpus.parse("space shuttle program windows memory")
    assert len(present) == 5
    assert not unknown
    for row in range(0, corpus.n_documents, 500):
        expected = set(tokenize(corpus.recipe, corpus.documents["text"][row]))
        assert {corpus.vocabulary[t] for t in corpus.tokens_of(row)} <= expected
        assert corpus.parse(corpus.documents["text"][row])[0].size == corpus.tokens_of(row).size


def test_a_part_of_a_corpus_is_a_corpus_of_its_own(tmp_path):
    texts = [["tide", "moon"], ["moon", "star"], ["oven", "salt"], ["salt", "tide"]]
    corpus, _ = build_corpus(raw_documents([" ".join(text) for text in texts]), EVERYTHING)
    part = corpus.subset([2, 0]).in_use()
    assert [{part.vocabulary[token] for token in part.tokens_of(row)} for row in (0, 1)] == [
        {"oven", "salt"},
        {"tide", "moon"},
    ]
    assert "star" not in part.vocabulary
    assert (part.document_frequency() > 0).all()
    save_corpus(part, tmp_path / "part")
    read = load_corpus(tmp_path / "part")
    assert read.vocabulary == part.vocabulary
    assert (read.token_idx == part.token_idx).all()
    assert read.documents["id"].tolist() == corpus.documents["id"].iloc[[2, 0]].tolist()
