"""Tables equal inference, complete, in blocks, and equal in both formats."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from orrery.core.data.corpus import Corpus
from orrery.core.export import tables
from orrery.core.export.formats import TABLES
from orrery.core.export.tables import TableOptions, write_table
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer, infer_activations
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_names import NO_WORDS
from orrery.core.storage.corpora import load_corpus
from orrery.core.utils.errors import InputError
from tests.conftest import ROOT
from tests.core.export.models import sample

RUN = sample(Overlay({"L1.3": '=Rivers, and "floods"\N{RIGHTWARDS ARROW}'}))
IDS = RUN.network.graph.topic_ids
FEW = 30


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(ROOT / "sample_data" / "corpus").subset(np.arange(FEW))


@pytest.fixture(params=[1, 7, 2_000])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Blocks of every size give the same table."""
    monkeypatch.setattr(tables, "BLOCK", request.param)
    monkeypatch.setattr(tables, "BLOCK", request.param)
    return request.param


def written(kind: str, ending: str, options: TableOptions | None = None, run=RUN) -> bytes:
    file = io.BytesIO()
    write_table(run, kind, file, ending, options)
    return file.getvalue()


def as_rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_long_table_is_what_inference_states(corpus: Corpus, block: int) -> None:
    options = TableOptions(corpus, least=0.0)
    rows = as_rows(written("documents", ".csv", options))
    dense = infer_activations(RUN.network, corpus).toarray()
    number = {name: place for place, name in enumerate(corpus.documents["id"])}
    found = np.zeros_like(dense)
    for row in rows:
        found[number[row["document"]], IDS.index(row["topic"])] = float(row["probability"])
    assert np.abs(found - dense).max() <= 0.5e-6
    assert len(rows) == infer_activations(RUN.network, corpus).nnz
    names = dict(zip(IDS, RUN.topic_labels, strict=True))
    assert {row["name"].removeprefix("'") for row in rows} <= set(names.values())
    assert all(row["name"].removeprefix("'") == names[row["topic"]] for row in rows)


def test_a_row_states_whether_the_topic_is_on_and_names_the_document(
    corpus: Corpus, block: int
) -> None:
    documents = corpus.documents.assign(title=[f"=T{n}, of 1" for n in range(FEW)], on="2019-03-05")
    documents = documents.drop(columns="year")
    changed = replace(corpus, documents=documents)
    rows = as_rows(written("documents", ".csv", TableOptions(changed)))
    number = {name: place for place, name in enumerate(documents["id"])}
    for row in rows:
        # A title is no formula, and a column of the corpus hides no other.
        assert row["title"] == f"'=T{number[row['document']]}, of 1"
        assert row["on_"] == "2019-03-05"
        assert row["on"] == ("yes" if float(row["probability"]) > 0.5 else "no")
    on = {(row["document"], row["topic"]) for row in rows if row["on"] == "yes"}
    dense = infer_activations(RUN.network, corpus).toarray()
    assert len(on) == (dense > 0.5).sum() > 0
    bare = replace(corpus, documents=corpus.documents[["id", "text", "label"]])
    (first, *_) = as_rows(written("documents", ".csv", TableOptions(bare)))
    assert list(first) == ["document", "topic", "name", "probability", "on"]


def test_columns_keep_apart_whatever_topics_are_called(corpus: Corpus) -> None:
    graph = RUN.network.graph
    shown = [topic for topic in range(graph.n_topics) if topic not in RUN.wordless_topics]
    ids = list(graph.topic_ids)
    for topic, name in zip(shown, ("document", "a", "a error"), strict=False):
        ids[topic] = name
    network = replace(RUN.network, graph=replace(graph, topic_ids=tuple(ids)))
    options = TableOptions(corpus.subset([0]), wide=True, errors=True)
    (row,) = as_rows(written("documents", ".csv", options, replace(RUN, network=network)))
    assert len(row) == 1 + 2 * len(shown)
    assert {"document_", "document", "a", "a error", "a error_", "a error error_"} <= row.keys()


def test_less_probable_topics_are_left_out(corpus: Corpus) -> None:
    rows = as_rows(written("documents", ".csv", TableOptions(corpus, least=0.5)))
    assert len(rows) == (infer_activations(RUN.network, corpus).toarray() >= 0.5).sum() > 0
    assert all(float(row["probability"]) >= 0.5 for row in rows)


def test_blocks_without_rows_leave_no_trace(corpus: Corpus, block: int) -> None:
    # The first document has no topic that is as sure.
    least = 0.999999
    options = TableOptions(corpus, least=least)
    lines = written("documents", ".csv", options).decode("utf-8-sig").splitlines()
    dense = infer_activations(RUN.network, corpus).toarray()
    assert dense[0].max() < least
    assert len(lines) == 1 + (dense >= least).sum()
    assert sum(line.startswith('"document"') for line in lines) == 1


def test_the_wide_table_is_the_long_one(corpus: Corpus, block: int) -> None:
    rows = as_rows(written("documents", ".csv", TableOptions(corpus, wide=True)))
    assert [row["document"] for row in rows] == corpus.documents["id"].tolist()
    shown = [topic for topic in range(len(IDS)) if topic not in RUN.wordless_topics]
    assert list(rows[0])[1:] == [IDS[topic] for topic in shown]
    dense = infer_activations(RUN.network, corpus).toarray()[:, shown]
    reported = np.array([[float(value) for value in list(row.values())[1:]] for row in rows])
    assert np.abs(reported - dense).max() <= 0.5e-6


@pytest.mark.parametrize("wide", [False, True])
def test_documents_of_a_folder_have_their_paths_in_a_table(corpus: Corpus, wide: bool) -> None:
    paths = [f"label/note_{n:03}.md" for n in range(FEW)]
    documents = corpus.documents.assign(id=[str(n) for n in range(FEW)], file=paths)
    of_folder = replace(corpus, documents=documents)
    rows = as_rows(written("documents", ".csv", TableOptions(of_folder, wide=wide)))
    assert {int(row["document"]): row["file"] for row in rows} == dict(enumerate(paths))
    others = as_rows(written("documents", ".csv", TableOptions(corpus, wide=wide)))
    assert "file" not in others[0]


@pytest.mark.parametrize("wide", [False, True])
def test_topics_without_words_are_in_no_table_of_documents(corpus: Corpus, wide: bool) -> None:
    rows = as_rows(written("documents", ".csv", TableOptions(corpus)))
    topic = IDS.index(rows[0]["topic"])
    labels = [NO_WORDS if n == topic else label for n, label in enumerate(RUN.topic_labels)]
    without = replace(RUN, topic_labels=tuple(labels))
    assert without.wordless_topics == RUN.wordless_topics | {topic}
    text = written("documents", ".csv", TableOptions(corpus, wide=wide), without).decode()
    left = as_rows(text.encode())
    assert NO_WORDS not in text
    if wide:
        assert IDS[topic] not in left[0]
    else:
        assert left == [row for row in rows if row["topic"] != IDS[topic]]


@pytest.mark.parametrize("wide", [False, True])
def test_errors_are_those_of_each_documents_posterior(corpus: Corpus, wide: bool) -> None:
    few = corpus.subset([0, 5, 9])
    options = TableOptions(few, wide=wide, errors=True, least=0.0)
    rows = as_rows(written("documents", ".csv", options))
    for place, name in enumerate(few.documents["id"]):
        evidence = Evidence(tuple(few.tokens_of(place).tolist()), closed_world=True)
        posterior = infer(RUN.network, evidence)
        for topic, probability, error in zip(
            posterior.local.topics, posterior.probability, posterior.error, strict=True
        ):
            code = IDS[topic]
            row = next(
                row for row in rows if row["document"] == name and (wide or row["topic"] == code)
            )
            keys = (code, f"{code} error") if wide else ("probability", "error")
            if keys[0] in row:
                assert float(row[keys[0]]) == pytest.approx(probability, abs=1e-6)
                assert float(row[keys[1]]) == pytest.approx(error, abs=1e-6)


@pytest.mark.parametrize("kind", ["documents", "words"])
def test_both_formats_hold_the_same_and_are_written_the_same_again(
    corpus: Corpus, block: int, kind: str
) -> None:
    options = TableOptions(corpus=corpus)
    rows = as_rows(written(kind, ".csv", options))
    data = written(kind, ".parquet", options)
    table = pq.read_table(io.BytesIO(data)).to_pylist()
    assert len(rows) == len(table) > 0
    for reported, exact in zip(rows, table, strict=True):
        for column, value in exact.items():
            if isinstance(value, float):
                assert float(reported[column]) == value
            elif value is None:
                assert reported[column] == ""
            else:
                # Only the one name that a spreadsheet would take for a formula differs.
                assert reported[column] == (f"'{value}" if value.startswith("=") else value)
    assert data == written(kind, ".parquet", options)
    assert any(row["name"].startswith("'=") for row in rows)


def test_words_have_the_weights_of_their_links() -> None:
    rows = pq.read_table(io.BytesIO(written("words", ".parquet"))).to_pylist()
    graph, network = RUN.network.graph, RUN.network
    reported = {(row["topic"], row["word"]): row for row in rows}
    assert len(reported) == len(rows)
    n_links = 0
    for edge, (parent, child) in enumerate(
        zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    ):
        if child >= graph.n_topics:
            row = reported[IDS[parent], RUN.vocabulary[child - graph.n_topics]]
            assert row["weight"] == network.weight[edge]
            n_links += 1
    assert sum(row["weight"] is not None for row in rows) == n_links
    for topic in (0, 20):
        expected = RUN.topic_words.words(topic, 5)
        own = [row for row in rows if row["topic"] == IDS[topic]][:5]
        assert [(row["word"], row["probability"], row["lift"]) for row in own] == expected


def test_progress_is_reported_to_the_end(corpus: Corpus, block: int) -> None:
    shares: list[float] = []
    written("documents", ".csv", TableOptions(corpus=corpus, progress=shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) == -(-FEW // block)


def test_a_topic_may_be_called_like_a_column(corpus: Corpus) -> None:
    graph = replace(RUN.network.graph, topic_ids=("document", *IDS[1:]))
    run = replace(RUN, network=replace(RUN.network, graph=graph))
    options = TableOptions(corpus, wide=True)
    names = pq.read_schema(io.BytesIO(written("documents", ".parquet", options, run))).names
    assert names[:2] == ["document_", "document"]
    assert len(set(names)) == len(names)


def test_what_cannot_be_written_is_reported(corpus: Corpus) -> None:
    other = replace(corpus, vocabulary=("x", *corpus.vocabulary[1:]))
    with pytest.raises(InputError, match="another vocabulary"):
        written("documents", ".csv", TableOptions(corpus=other))
    with pytest.raises(InputError, match="needs the corpus"):
        written("documents", ".csv")
    with pytest.raises(InputError, match=r"as \.csv or \.parquet, not as \.xlsx"):
        written("words", ".xlsx")
    with pytest.raises(InputError, match="holds no record of a training"):
        written("training", ".csv")
    assert set(TABLES) == {"documents", "words", "training"}


def test_tables_of_texts_are_read_by_excel(corpus: Corpus) -> None:
    """Excel reads a table as UTF-8 only if it begins with the mark."""
    options = TableOptions(corpus)
    for kind in ("documents", "words"):
        data = written(kind, ".csv", options)
        assert data.startswith(codecs.BOM_UTF8)
        assert data.count(codecs.BOM_UTF8) == 1
        assert not written(kind, ".parquet", options).startswith(codecs.BOM_UTF8)
