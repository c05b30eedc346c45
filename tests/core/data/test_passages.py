"""Passages: their positions, their columns, and splits by document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.columns import POSITIONS, date_columns, normal_table
from orrery.core.data.corpus import Corpus, build_corpus, split_held_out
from orrery.core.data.dates import read_dates
from orrery.core.data.groups import group_columns
from orrery.core.data.passages import (
    DOCUMENT,
    check_rule,
    is_transcript,
    offered,
    passage_spans,
)
from orrery.core.data.raw import RawDocuments
from orrery.core.data.readers import read_documents
from orrery.core.data.recipe import Recipe
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.utils.errors import InputError

RULES = ("paragraphs", "sentences:1", "sentences:3", "turns", "marker:***", "none")
PIECES = st.sampled_from(
    ["\r\n", "\n", "\r", "\n\n", "\r\n\r\n", " ", "\t", "***", "Anna: ", "[00:01:02] Bo: ", "𝔸𝔹",
     "e\u0301", "😀", "Dr. ", "One. ", "Two! ", "三。", "word", "\u2028", "\x0c", ":",
     "Anna  0:03\n", "[12.01.24, 21:40:05] Bo: ", "12.1.24, 9:40 - "]
)  # fmt: skip
ORDINARY = Recipe(min_df=1, max_df=1.0, stop_words=(), phrases=False)


def raw_of(texts: list[str], passages: str, **columns: list[object]) -> RawDocuments:
    table = pd.DataFrame({"id": [f"d{n}" for n in range(len(texts))], "text": texts})
    table = table.assign(**{"label": None, **columns})
    return RawDocuments(normal_table(table), passages=passages)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(RULES))
def test_positions_give_the_passages_which_cover_all_words(text: str, rule: str) -> None:
    spans = passage_spans(text, rule)
    before = 0
    for span in spans:
        assert before <= span.start < span.end <= len(text)
        part = text[span.start : span.end]
        assert part == part.strip()
        before = span.end
    if rule in ("paragraphs", "none") or rule.startswith("sentences"):
        kept = "".join(text[span.start : span.end] for span in spans)
        assert "".join(kept.split()) == "".join(text.split())


@pytest.mark.parametrize("rule", RULES)
def test_no_part_of_a_long_text_is_copied_for_every_paragraph(rule: str) -> None:
    n_copied = 0

    class Counted(str):
        __slots__ = ()

        def __getitem__(self, place: Any) -> str:
            nonlocal n_copied
            n_copied += len(part := str.__getitem__(self, place))
            return part

    text = Counted("Some words stand here.\n\n" * 500)
    assert passage_spans(text, rule)
    assert n_copied <= 4 * len(text)


@given(
    st.lists(st.lists(PIECES, max_size=15).map("".join), min_size=1, max_size=5),
    st.sampled_from(RULES[:-1]),
)
def test_a_stored_passage_is_the_part_of_its_whole_text(texts: list[str], rule: str) -> None:
    texts = [f"{text} last words" for text in texts]
    corpus, _ = build_corpus(raw_of(texts, rule), ORDINARY)
    assert list(corpus.whole_texts.values()) == texts
    for row in corpus.documents.itertuples():
        whole = corpus.whole_texts[row.document]
        assert whole[row.passage_start : row.passage_end] == row.text


def test_whole_texts_survive_storage_with_surrogate_pairs_and_line_ends(tmp_path: Path) -> None:
    texts = ["first 𝔸😀 words\r\n\r\nsecond\rwords", "one\n\n\x0b\n\ntwo e\u0301"]
    corpus, report = build_corpus(raw_of(texts, "paragraphs"), ORDINARY)
    save_corpus(corpus, tmp_path / "c", report)
    loaded = load_corpus(tmp_path / "c")
    assert loaded.whole_texts == corpus.whole_texts == {"d0": texts[0], "d1": texts[1]}
    pd.testing.assert_frame_equal(loaded.documents, corpus.documents)
    assert loaded.documents["text"].tolist()[0] == "first 𝔸😀 words"
    guess = report.how_it_was_read[-1]
    assert (guess.what, guess.value) == ("passages", "4, from 2 documents")


def test_headers_are_removed_before_the_positions_are_counted() -> None:
    text = "From: a@b.org\nSubject: Tomatoes\nDate: 1 May\n\nfirst part\n\nsecond part"
    recipe = Recipe(min_df=1, max_df=1.0, stop_words=(), phrases=False, strip_headers=True)
    corpus, _ = build_corpus(raw_of([text], "paragraphs"), recipe)
    assert corpus.documents["text"].tolist() == ["Tomatoes", "first part", "second part"]
    (whole,) = corpus.whole_texts.values()
    for row in corpus.documents.itertuples():
        assert whole[row.passage_start : row.passage_end] == row.text


def test_labels_and_dates_are_inherited_and_positions_are_neither() -> None:
    texts = [f"word {n} one\n\nword two\n\nword three" for n in range(30)]
    raw = raw_of(
        texts,
        "paragraphs",
        label=["a", "b"] * 15,
        year=[str(1990 + n) for n in range(30)],
        document=["user's own"] * 30,
    )
    documents = build_corpus(raw, ORDINARY)[0].documents
    assert documents["label"].tolist() == [name for _ in range(15) for name in "aaabbb"]
    assert documents["year"].tolist() == [str(1990 + n) for n in range(30) for _ in range(3)]
    assert documents["document (column)"].unique().tolist() == ["user's own"]
    assert documents["id"].is_unique
    # Years would be found among the positions.
    documents["passage_start"] += 1950
    assert date_columns(documents) == ["year"]
    assert DOCUMENT in group_columns(documents)
    assert not set(POSITIONS) & set(group_columns(documents))


INTERVIEW = "\n\n".join(
    f"[00:00:{n:02}] {'Interviewer' if n % 2 == 0 else f'Participant {n % 3}'}: words {n} here"
    for n in range(12)
)


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (INTERVIEW, {"Interviewer", "Participant 0", "Participant 1", "Participant 2"}),
        ("ANNA: yes\nBO: no\n" * 4, {"ANNA", "BO"}),
        ("Anna Smith  0:03\nyes and\nmore\n\nBo  0:10\nno\n\n" * 3, {"Anna Smith", "Bo"}),
        ("Q: what\nwhy\nA: that\n" * 4, {"Q", "A"}),
        ("Dr. Müller (00:12): ja\r\nИван (01:00): да\r\n" * 3, {"Dr. Müller", "Иван"}),
        ("12/03/2021, 14:05 - Anna: yes\n12/03/2021, 14:06 - Bo: no\n" * 3, {"Anna", "Bo"}),
        ("[12.03.21, 14:05:01] Anna: yes\n[12.03.21, 14:06:07] Bo: no\n" * 3, {"Anna", "Bo"}),
        ("3/12/21, 2:05\u202fPM - Anna: yes\n3/12/21, 2:06 PM - Bo: no\n" * 3, {"Anna", "Bo"}),
        ("采访者：你好\n王先生：很好\n" * 3, {"采访者", "王先生"}),
    ],
)
def test_transcripts_are_recognised_and_their_turns_divided(text: str, speakers: set[str]) -> None:
    assert is_transcript(text)
    spans = passage_spans(text, "turns")
    assert {span.speaker for span in spans} == speakers
    for span in spans:
        assert not any(name in text[span.start : span.end] for name in speakers if len(name) > 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Note: this is one line.\nWarning: this is another.\n",
        "From: a\nTo: b\nSubject: c\nDate: d\n\nText of the mail. " + "Line\n" * 20,
        "The price: ten.\n" + "An ordinary line of text.\n" * 30,
        "12:30 lunch\n13:00 work\n14:00 work\n" * 5,
        "https://example.org\n" * 10,
        "<p> Hello\n<P> there\n<li> third\n<li> fourth\n" * 3,
        "<h1> Title\n<td> a cell\n<td> another\n" * 4,
        "**Ingredients:**\nflour\n\n**Method:**\nbake\n" * 4,
        "**Ingredients**: \n- flour\n**Method**:\n- bake\n" * 4,
    ],
)
def test_other_texts_are_no_transcripts(text: str) -> None:
    assert not is_transcript(text)


def test_an_interview_is_offered_as_turns_and_read_on_request(tmp_path: Path) -> None:
    path = tmp_path / "interview.txt"
    path.write_text(INTERVIEW)
    corpus, report = build_corpus(read_documents(path), ORDINARY)
    assert corpus.n_documents == 12
    (offer,) = [guess for guess in report.how_it_was_read if guess.what == "passages"]
    assert "transcript" in offer.reason
    assert offer.option == "passages"
    corpus, _ = build_corpus(read_documents(path, passages="turns"), ORDINARY)
    assert corpus.documents["label"].tolist()[:3] == ["Interviewer", "Participant 1", "Interviewer"]
    assert corpus.documents["text"].tolist()[:2] == ["words 0 here", "words 1 here"]
    assert "interviewer" not in corpus.vocabulary


def test_turns_without_a_speaker_are_reported_and_their_label_is_the_speaker() -> None:
    _, report = build_corpus(raw_of(["no name here", "none there"], "turns"), ORDINARY)
    (found,) = [guess for guess in report.how_it_was_read if guess.what == "passages"]
    assert found.value == "no speaker"
    raw = replace(raw_of([INTERVIEW], "turns", label=["north"]), label_column="region")
    assert not build_corpus(raw, ORDINARY)[0].recipe.label_column


def test_long_documents_are_offered_passages() -> None:
    assert offered(["word " * 900] * 10) is None
    guess = offered(["word " * 1_200] * 6 + ["word"] * 4)
    assert guess is not None
    assert guess.reason.startswith("60% of the documents have more than 1,000 words")


@pytest.mark.parametrize(
    "rule",
    ["pages", "sentences:0", "sentences:x", f"sentences:{'9' * 5000}", "marker:", "turns:2", ""],
)
def test_invalid_rules(rule: str) -> None:
    with pytest.raises(InputError, match="passages"):
        check_rule(rule)


def corpus_of(sizes: list[int]) -> Corpus:
    texts = ["\n\n".join(["word"] * size) for size in sizes]
    return build_corpus(raw_of(texts, "paragraphs"), ORDINARY)[0]


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=20),
    st.floats(0, 0.99),
    st.integers(0, 1_000),
)
def test_passages_of_a_document_are_never_on_both_sides(
    sizes: list[int], fraction: float, seed: int
) -> None:
    corpus = corpus_of(sizes)
    train, held_out = split_held_out(corpus, fraction, seed)
    documents = corpus.documents[DOCUMENT].to_numpy()
    assert not {*documents[train]} & {*documents[held_out]}
    assert sorted([*train, *held_out]) == list(range(sum(sizes)))
    assert len(train)
    if len(sizes) > 1:
        nearest = abs(len(held_out) - fraction * sum(sizes))
        assert nearest <= max(sizes)


def test_documents_can_be_held_out_by_id() -> None:
    corpus = corpus_of([2, 3, 1])
    assert split_held_out(corpus, ids=["d1"])[1].tolist() == [2, 3, 4]
    assert split_held_out(corpus, ids=["d0-1", "d0-2"])[1].tolist() == [0, 1]
    with pytest.raises(InputError, match="only some passages of the document 'd1'"):
        split_held_out(corpus, ids=["d1-2"])


def test_an_id_of_a_document_and_of_a_passage_of_another_is_refused() -> None:
    corpus = corpus_of([2, 3])
    names = corpus.documents[DOCUMENT].replace({"d1": "d0-1"})
    same = replace(corpus, documents=corpus.documents.assign(**{DOCUMENT: names}))
    with pytest.raises(InputError, match="'d0-1' is a document and a passage of another one"):
        split_held_out(same, ids=["d0-1"])
    assert split_held_out(same, ids=["d0"])[1].tolist() == [0, 1]


def test_a_corpus_without_passages_is_split_as_before() -> None:
    corpus, _ = build_corpus(raw_of([f"word {n}" for n in range(50)], "none"), ORDINARY)
    order = np.random.default_rng(3).permutation(50)
    assert split_held_out(corpus, 0.1, 3)[1].tolist() == sorted(order[45:])


@pytest.mark.parametrize(
    "form", ["[10:0{0}] <{1}> {2}", "<{1}> {2}", "<@{1}> {2}", "**{1}:** {2}", "**{1}**: {2}"]
)
@given(words=st.lists(st.text("abc ", min_size=1), min_size=8, max_size=20))
def test_turns_of_chats(form: str, words: list[str]) -> None:
    words = [f"w{word.rstrip()}" for word in words]
    lines = [form.format(n % 10, ("anna", "bob_2")[n % 2], word) for n, word in enumerate(words)]
    text = "\n".join(lines)
    assert is_transcript(text)
    found = passage_spans(text, "turns")
    assert [text[span.start : span.end] for span in found] == words
    assert [span.speaker for span in found] == [("anna", "bob_2")[n % 2] for n in range(len(words))]


def test_turns_with_dates_and_names_in_angle_brackets() -> None:
    names = ("ann", "bob")
    words = [f"{'bob: ' * (row % 3 == 0)}hello {row}" for row in range(12)]
    text = "\n".join(
        f"[2024-01-12 21:40:{row:02}] <{names[row % 2]}> {word}" for row, word in enumerate(words)
    )
    found = passage_spans(text, "turns")
    assert [span.speaker for span in found] == [names[row % 2] for row in range(12)]
    assert [text[span.start : span.end] for span in found] == words


STAMP_FORMS = (
    "{0:02}/01/2024, 21:4{1} - ",
    "{0}/1/24, 9:4{1}\u202fPM - ",
    "[{0:02}.01.24, 21:40:0{1}] ",
    "\u200e[2024-01-{0:02} 21:40:0{1}] ",
    "\ufeff{0:02}.01.2024 kl. 21.4{1} – ",
)
NAMES = (
    "Ann",
    "Bob Smith",
    "+44 7700 900123",
    "\u202a+49\u00a0170\u00a01234567\u202c",
    "~\u202fEva",
)


@given(
    st.sampled_from(STAMP_FORMS),
    st.lists(
        st.tuples(
            st.sampled_from((*NAMES, "")),
            st.lists(
                st.sampled_from(["and also: more", "see: http://a.b", "Ann: no", "x"]), max_size=1
            ),
        ),
        min_size=6,
        max_size=20,
    ),
)
def test_only_lines_with_a_stamp_begin_messages_of_a_chat(
    form: str, given_messages: list[tuple[str, list[str]]]
) -> None:
    messages = [("Ann", []), ("+44 7700 900123", []), *given_messages]
    lines, bodies = [], []
    for n, (name, more) in enumerate(messages):
        first = f"word {n}" if name else 'Ann named the group "Soil: all of it"'
        bodies.append("\n".join([first, *more]))
        lines.append(form.format(n + 1, n % 10) + (f"{name}: " if name else "") + bodies[-1])
    text = "\n".join(lines)
    spans = passage_spans(text, "turns")
    assert [text[span.start : span.end] for span in spans] == bodies
    shown = {NAMES[3]: "+49 170 1234567", NAMES[4]: "~ Eva"}
    assert [span.speaker for span in spans] == [shown.get(name, name) for name, _ in messages]
    stamps = pd.Series([span.stamp for span in spans])
    assert not stamps.str.contains("[\u200e\ufeff[]").any()
    assert read_dates(stamps, None if "2024-" in form else "dmy").day.tolist() == [
        *range(1, len(messages) + 1)
    ]


def test_messages_of_a_chat_have_dates_and_the_report_counts_their_speakers(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    lines = [
        f"{day:02}/01/2024, 21:40 - {('Ann', '+44 7700 900123')[day % 2]}: word {day}"
        for day in range(1, 12)
    ]
    path.write_text("\n".join(["01/01/2024, 09:00 - Ann created the group", *lines]))
    corpus, report = build_corpus(read_documents(path, passages="turns"), ORDINARY)
    assert corpus.documents["label"].value_counts().to_dict() == {"+44 7700 900123": 6, "Ann": 5}
    assert corpus.documents["date"].iloc[1] == "01/01/2024, 21:40"
    assert date_columns(corpus.documents) == ["date"]
    (speakers,) = [guess for guess in report.how_it_was_read if guess.what == "speakers"]
    assert speakers.value == "+44 7700 900123 (6), Ann (5)"
    assert "1 passage has no speaker" in speakers.reason
    (dates,) = [guess for guess in report.how_it_was_read if guess.what == "dates"]
    assert dates.option == "date_order"
    raw = read_documents(path, passages="turns", date_order="mdy")
    documents = build_corpus(raw, ORDINARY)[0].documents
    assert documents["date"].tolist()[-1] == "2024-11-01"


def test_an_order_of_dates_is_refused_for_turns_without_dates(tmp_path: Path) -> None:
    path = tmp_path / "interview.txt"
    path.write_text(INTERVIEW)
    with pytest.raises(InputError, match="no date column"):
        build_corpus(read_documents(path, passages="turns", date_order="dmy"), ORDINARY)
