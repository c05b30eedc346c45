"""Parts on whole texts: splitting, counting and evaluation, on texts of the test."""

from __future__ import annotations

import io
import tarfile

import numpy as np
import pytest
from scipy import sparse

from tests.benchmarks import noisy_or_topics, whole_texts
from tests.benchmarks.parts import amf, headlines, titles
from tests.benchmarks.parts.titles import Reference, pmi

ARTICLE = (
    '<REUTERS TOPICS="{requested}" LEWISSPLIT="{split}" NEWID="1"><TOPICS>{topics}</TOPICS>'
    "<TEXT><TITLE>{title}</TITLE><BODY>Wheat &amp; corn\nrose</BODY></TEXT></REUTERS>\n"
)


def article(
    title: str, split: str = "TRAIN", requested: str = "YES", topics: str = "<D>a</D>"
) -> str:
    return ARTICLE.format(title=title, split=split, requested=requested, topics=topics)


def test_articles_are_divided_as_modapte_states(monkeypatch, tmp_path) -> None:
    texts = {
        "b.sgm": article("third", topics="<D>a</D><D>b</D>") + article("fourth", split="TEST"),
        "a.sgm": article("first") + article("no topic", topics="") + article("bare", requested="NO")
        + article("unused", split="NOT-USED"),
        "readme.txt": article("no article"),
    }  # fmt: skip
    path = tmp_path / "reuters.tar"
    with tarfile.open(path, "w") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode("latin-1")))
    monkeypatch.setattr(whole_texts, "data_file", lambda _: path)
    train, test = whole_texts.reuters_articles()
    assert [one.title for one in train] == ["first", "third"]
    assert [one.title for one in test] == ["fourth"]
    assert train[1].topics == ("a", "b")
    assert train[0].body == "Wheat & corn\nrose"


def test_words_are_those_of_the_documents_to_train_on() -> None:
    train, test = whole_texts.counted(["oil oil price"] * 5 + ["rare"], ["oil oil rare new price"])
    assert train.shape[1] == test.shape[1] == 2
    assert sorted(test.toarray()[0]) == [1.0, 2.0]
    assert whole_texts.counted(["oil oil"] * 5, ["oil oil"], binary=True).test.sum() == 1.0


def test_mutual_information_is_that_of_counted_documents() -> None:
    """Equal to a count over all documents; words that never co-occur count as independent."""
    rng = np.random.default_rng(0)
    presence = rng.random((200, 4)) < 0.4
    presence[:, 3] = ~presence[:, 0]
    together = (presence.T.astype(float) @ presence).astype(float)
    expected = []
    for i in range(4):
        for j in range(i + 1, 4):
            both, apart = np.mean(presence[:, i] & presence[:, j]), presence.mean(axis=0)
            expected.append(np.log(both / (apart[i] * apart[j])) if both else 0.0)
    assert 0.0 in expected
    found = pmi(Reference(together, len(presence)), np.arange(4))
    assert found == pytest.approx(np.mean(expected), abs=1e-12)


def test_a_headline_is_predicted_when_all_of_its_classes_are() -> None:
    labels = np.array([[True, False], [False, True], [True, True], [False, False]] * 10)
    words = sparse.csr_array(labels.astype(float))
    assert headlines.exact_match(words, labels, words, labels) == 1.0
    wrong = labels.copy()
    wrong[:10, 0] ^= True
    assert headlines.exact_match(words, labels, words, wrong) == 0.75
    train = np.array([[True, False], [True, False], [False, True]])
    assert headlines.commonest(train, labels[:5]) == 0.4


def test_what_became_of_the_claims_about_titles_and_headlines() -> None:
    few = {"train": 500, "exact_match": {"AVI": 0.8, "ACP": 0.7, "exact": 0.9}}
    many = {"train": 5_000, "exact_match": {"AVI": 0.9, "ACP": 0.8, "exact": 0.9}}
    shown_text = headlines.verdicts({"rows": [many, few]})
    assert [line[-1] for line in shown_text] == ["does not hold", "holds"]
    rows = [{"system": name, "train": train, "pmi": value} for train, name, value in (
        (2_000, "AVI", 0.1), (2_000, "ACP", 0.2), (2_000, "exact", 0.3), (9_000, "ACP", 0.0)
    )]  # fmt: skip
    rows += [{"system": name, "train": 2_000, "pmi": 0.0} for name in noisy_or_topics.NAMES[3:]]
    (line,) = titles.verdicts({"rows": rows})
    assert line[-1] == "holds"


def test_amf_holds_where_it_is_as_likely_and_faster() -> None:
    fast = [(1.0, -9.0), (2.0, -5.0), (3.0, -5.0)]
    slow = [(4.0, -9.0), (8.0, -5.5), (12.0, -5.5)]
    rows = {
        "news20": {"curves": {"AMF": fast, "second order": slow}},
        "reuters": {"curves": {"AMF": slow, "second order": fast}},
    }
    assert [line[-1] for line in amf.verdicts({"rows": rows})] == ["holds", "does not hold"]
