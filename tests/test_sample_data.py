"""The sample: what its README promises of the notes, and what the demo shows of the model."""

from pathlib import Path

import pandas as pd
import pytest

from orrery import infer, load_run
from orrery.app.workspace.document_maps import map_of
from orrery.core.data.recipe import split_words
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.thresholds import ON_THRESHOLD
from orrery.core.runs.activations import corpus_activations
from orrery.core.storage.activations import load_activations
from orrery.core.storage.corpora import load_corpus

SAMPLE = Path(__file__).parent.parent / "sample_data"
SEVERAL_SENSES = [
    "program",
    "star",
    "cell",
    "virus",
    "mouse",
    "bank",
    "field",
    "bat",
    "pitch",
    "server",
    "bass",
    "network",
    "plant",
    "scale",
    "key",
    "wave",
    "draft",
    "bar",
    "note",
    "stage",
    "current",
    "port",
    "crane",
    "record",
    "court",
    "trial",
]


@pytest.fixture(scope="module")
def notes():
    return pd.read_csv(SAMPLE / "field_notes.csv")


@pytest.fixture(scope="module")
def run():
    return load_run(SAMPLE / "run")


def test_the_notes_are_many_short_and_all_different(notes):
    assert notes.columns.tolist() == ["id", "title", "text", "theme", "year"]
    assert len(notes) >= 600
    assert notes["theme"].nunique() >= 12
    assert notes["id"].is_unique
    assert notes["text"].is_unique
    assert notes["title"].is_unique
    words = notes["text"].str.split().str.len()
    assert words.between(30, 70).all()
    assert notes["year"].between(1985, 2024).all()


def test_no_sentence_is_written_twice(notes):
    sentences = notes["text"].str.split(r"(?<=[.?!])\s+", regex=True).explode()
    long = sentences[sentences.str.len() > 25]
    assert not long.duplicated().any()


@pytest.mark.parametrize("word", SEVERAL_SENSES)
def test_words_of_several_senses_are_at_home_in_several_themes(notes, run, word):
    holds = notes["text"].map(lambda text: word in split_words(run.recipe, text))
    themes = notes.loc[holds, "theme"].value_counts()
    assert (themes >= 3).sum() >= 2


def test_the_stored_corpus_is_the_notes(notes, run):
    corpus = load_corpus(SAMPLE / "corpus")
    assert corpus.documents["text"].tolist() == notes["text"].tolist()
    assert corpus.vocabulary == run.vocabulary
    assert run.corpus_path == (SAMPLE / "corpus").resolve()


def green_topics(run, query):
    present, unknown = run.parse(query)
    assert not unknown
    posterior = infer(run.network, Evidence(tuple(present.tolist()), closed_world=False))
    on = posterior.local.topics[posterior.probability > 0.5]
    assert {run.vocabulary[token] for token in posterior.local.tokens} == set(query.split())
    return {run.topic_labels[topic] for topic in on}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("space shuttle program launch", "windows program memory"),
        ("star actor film", "star galaxy telescope"),
        ("bank loan interest", "bank river flood"),
        ("bass guitar", "bass fish hook"),
        ("pitch ball match", "pitch note violin"),
        ("virus vaccine fever", "virus file password"),
        ("cell gene protein", "cell prison guard"),
    ],
)
def test_one_word_lights_up_different_topics_in_different_company(run, first, second):
    assert set(first.split()) & set(second.split())
    one, other = green_topics(run, first), green_topics(run, second)
    assert one
    assert other
    assert not one & other


def test_every_topic_is_named(run):
    assert "no words" not in run.topic_labels
    assert run.network.graph.n_layers() >= 2


def test_the_stored_topics_of_the_notes_are_those_that_inference_finds(run):
    corpus = load_corpus(SAMPLE / "corpus")
    found = corpus_activations(run.network, corpus).probability.toarray() > ON_THRESHOLD
    stored = load_activations(SAMPLE / "run" / "model")
    # Another processor may have other last digits.
    assert ((stored.probability.toarray() > ON_THRESHOLD) != found).sum() <= 2
    shown = map_of(SAMPLE / "run", corpus)
    assert (shown.on.toarray() != found).sum() <= 2
