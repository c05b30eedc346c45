"""The Corpus page: preview before saving, and one sentence for whatever is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from orrery.app.shell import strings as shell_strings
from orrery.app.text.safe_text import markdown_text
from orrery.app.views.corpus import strings
from orrery.app.workspace.facets import MAX_LABELS
from orrery.core.storage.corpora import load_corpus
from orrery.core.utils.errors import InputError
from orrery.core.utils.read_only import READ_ONLY, REFUSED
from tests.app.conftest import TEXTS
from tests.app.pages import as_read, open_page, press, run
from tests.core.storage.test_adopted import LISTS

BEYOND = strings.RULES["beyond the vocabulary limit"]
MakeCorpus = Callable[[str], Path]


def page() -> None:
    from orrery.app.views.corpus import page as corpus

    corpus.render()


def open_source(path: Path | str) -> AppTest:
    """The page after a person has typed the path of a source."""
    at = open_page(page)
    field(at, strings.PATH).set_value(str(path))
    return run(at)


def field(at: AppTest, label: str):
    found = [*at.text_input, *at.number_input, *at.selectbox, *at.multiselect, *at.text_area]
    return next(widget for widget in found if widget.label == label)


def figures(at: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in at.metric}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.csv"
    rows = [f'{row},"{text}",{row % 2}' for row, text in enumerate(TEXTS)]
    path.write_text("\n".join(["number,text,half", *rows]) + "\n")
    return path


def save(at: AppTest) -> AppTest:
    return press(at, strings.SAVE)


def test_a_rejected_graph_stays_rejected_and_a_second_one_is_offered(
    space: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for path in (first, second):
        path.write_text(LISTS, encoding="utf-8")
    at = press(open_source(first), strings.ADOPT_NOT)
    for _ in range(3):
        assert strings.ADOPT not in [button.label for button in at.button]
        at = run(at)
    field(at, strings.PATH).set_value(str(second))
    at = run(at)
    assert not at.exception
    assert strings.ADOPT in [button.label for button in at.button]


def test_an_empty_workspace_states_what_will_be_here(space: Path) -> None:
    at = open_page(page)
    assert strings.EMPTY_TITLE in [heading.value for heading in at.subheader]
    assert not at.metric


def test_nothing_is_written_before_saving_and_what_was_shown_after(
    space: Path, notes: Path
) -> None:
    at = open_source(notes)
    shown = figures(at)
    assert shown[strings.DOCUMENTS] == str(len(TEXTS))
    alts = {chart.proto.alt for chart in at.get("vega_lite_chart")}
    assert alts == {strings.FREQUENT_ALT, strings.HISTOGRAM_ALT}
    assert not (space / "corpora").exists()
    save(at)
    corpus = load_corpus(space / "corpora" / "notes")
    assert f"{corpus.n_documents:,}" == shown[strings.DOCUMENTS]
    assert f"{corpus.n_tokens:,}" == shown[strings.WORDS]
    assert figures(at) == shown
    assert strings.TO_TRAIN in [button.label for button in at.button]
    assert strings.SAVE not in [button.label for button in at.button]
    assert at.query_params["corpus"] in ("notes", ["notes"])
    assert not at.error


def test_few_texts_get_a_warning(space: Path, notes: Path, tmp_path: Path) -> None:
    warning = strings.few_texts(5)
    path = tmp_path / "five.txt"
    path.write_text("\n".join(TEXTS[:5]) + "\n", encoding="utf-8")
    assert warning in as_read(open_source(path))
    path.write_text("\n".join(f"{text} {row}" for row in range(10) for text in TEXTS[:5]), "utf-8")
    assert "Only" not in " ".join(each.value for each in open_source(path).warning)
    # One document is divided into passages.
    book = tmp_path / "book.html"
    paragraphs = (f"<p>{text} {row}</p>" for row in range(10) for text in TEXTS)
    book.write_text(f"<html><body>{''.join(paragraphs)}</body></html>", "utf-8")
    assert "Only" not in " ".join(each.value for each in open_source(book).warning)


def test_the_preview_follows_the_recipe(space: Path, notes: Path) -> None:
    at = open_source(notes)
    before = int(figures(at)[strings.WORDS])
    field(at, strings.MAX_DF).set_value(100)
    run(at)
    more = int(figures(at)[strings.WORDS])
    field(at, strings.MIN_DF).set_value(10)
    run(at)
    assert int(figures(at)[strings.WORDS]) < before <= more
    save(at)
    recipe = load_corpus(space / "corpora" / "notes").recipe
    assert (recipe.min_df, recipe.max_df) == (10, 1.0)


def test_few_long_texts_are_to_be_divided(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["speech", *(" ".join(50 * TEXTS) for _ in range(3))]))
    at = open_source(path)
    warning = strings.few_texts(3, "paragraphs")
    assert "choose “Paragraphs” at “Passages”" in warning
    assert warning in as_read(at)
    assert not any("--" in error.value for error in at.error)
    assert "divide the 3 long documents into passages" in at.error[0].value


def test_stop_words_of_several_languages_are_offered(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "both.txt"
    german = "Der Mond ist nicht aus Käse, und die Sonne ist auch nicht rund.\n"
    path.write_text((german + "The moon is not of cheese, and the sun is not round.\n") * 30)
    at = open_source(path)
    field(at, strings.MAX_DF).set_value(100)
    run(at)
    hint = strings.other_languages(["english", "german"])
    assert "“For the detected language”" in hint
    assert hint in [caption.value for caption in at.caption]
    field(at, strings.STOP_WORDS).set_value("auto")
    run(at)
    assert hint not in [caption.value for caption in at.caption]
    save(at)
    vocabulary = load_corpus(space / "corpora" / "both").vocabulary
    assert not {"der", "nicht", "the", "not"} & set(vocabulary)


def test_ones_own_stop_words_are_left_out(space: Path, notes: Path) -> None:
    at = open_source(notes)
    field(at, strings.STOP_WORDS).set_value("own")
    run(at)
    field(at, strings.STOP_LIST).set_value("Star\nshuttle the")
    run(at)
    save(at)
    corpus = load_corpus(space / "corpora" / "notes")
    assert corpus.recipe.stop_words == ("shuttle", "star", "the")
    assert not {"star", "shuttle", "the"} & set(corpus.vocabulary)


def test_stop_words_of_the_language_found_are_offered_and_left_out(
    space: Path, tmp_path: Path
) -> None:
    path = tmp_path / "deutsch.txt"
    path.write_text("Der Mond ist nicht aus Käse.\nDie Sonne und der Mond sind rund.\n" * 6)
    at = open_source(path)
    shown_text = [caption.value for caption in at.caption]
    assert strings.other_languages(["german"]) in shown_text
    field(at, strings.STOP_WORDS).set_value("auto")
    field(at, strings.MAX_DF).set_value(100)
    run(at)
    assert strings.languages_found(["german"]) in [caption.value for caption in at.caption]
    save(at)
    assert set(load_corpus(space / "corpora" / "deutsch").vocabulary) == {"mond", "käse", "sonne"}


def test_headers_are_left_out_where_most_texts_have_them(
    space: Path, notes: Path, tmp_path: Path
) -> None:
    labels = [box.label for box in open_source(notes).checkbox]
    assert strings.HEADERS not in labels
    folder = tmp_path / "posts"
    folder.mkdir()
    for row, text in enumerate(TEXTS):
        post = f"From: ann@venus.org\nOrganization: Venus\nSubject: comet\n\n{text}\n> quoted\n"
        (folder / f"{row}.txt").write_text(post)
    at = open_source(folder)
    for label in (strings.HEADERS, strings.QUOTES):
        assert next(box for box in at.checkbox if box.label == label).value
    field(at, strings.MAX_DF).set_value(100)
    run(at)
    save(at)
    corpus = load_corpus(space / "corpora" / "posts")
    assert "comet" in corpus.vocabulary
    assert not {"venus", "subject", "from", "quoted"} & set(corpus.vocabulary)
    assert corpus.documents["text"][0].startswith("comet\n\n")
    assert corpus.recipe.strip_headers
    assert corpus.recipe.strip_quotes


def test_turns_without_dates_have_no_order_of_dates(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("\n".join(f"{('Ann', 'Bob')[row % 2]}: {TEXTS[row]}" for row in range(12)))
    at = open_source(path)
    # Turns would be no more documents than the lines.
    assert strings.few_texts(12) in as_read(at)
    field(at, strings.PASSAGES).set_value("turns")
    run(at)
    assert not at.error
    assert strings.DATE_ORDER not in [box.label for box in at.selectbox]


def test_long_transcripts_are_to_be_divided_into_turns(space: Path, tmp_path: Path) -> None:
    lines = [f"{('Ann', 'Bob')[row % 2]}: {TEXTS[row % len(TEXTS)]}" for row in range(400)]
    folder = tmp_path / "talks"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text("\n".join(lines))
    at = open_source(folder)
    assert strings.few_texts(4, "turns") in as_read(at)
    assert strings.passages_offered("turns", 1.0) in [caption.value for caption in at.caption]


def test_a_chat_is_offered_as_turns_beside_the_choice_of_passages(
    space: Path, tmp_path: Path
) -> None:
    path = tmp_path / "chat.txt"
    names = ("Ann", "+44 7700 900123")
    lines = [f"{1 + row:02}/01/2024, 21:40 - {names[row % 2]}: {TEXTS[row]}" for row in range(12)]
    path.write_text("\n".join(lines))
    hint = strings.passages_offered("turns", 1.0)
    at = open_source(path)
    assert hint in [caption.value for caption in at.caption]
    assert strings.DATE_ORDER not in [box.label for box in at.selectbox]
    for rule in ("none", "turns"):
        field(at, strings.PASSAGES).set_value(rule)
        run(at)
        assert hint not in [caption.value for caption in at.caption]
    field(at, strings.DATE_ORDER).set_value("mdy")
    field(at, strings.MIN_DF).set_value(1)
    field(at, strings.MAX_DF).set_value(100)
    run(at)
    save(at)
    documents = load_corpus(space / "corpora" / "chat").documents
    assert set(documents["label"]) == set(names)
    assert documents["date"].tolist()[-1] == "2024-12-01"


def test_files_that_were_left_out_are_named(space: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for row, text in enumerate(TEXTS):
        (folder / f"{row:02}.txt").write_text(text)
    (folder / "99.txt").write_text(" ")
    (folder / "index.csv").write_text("a,b\n1,2\n")
    (folder / "desktop.ini").write_text("[.ShellClassInfo]")
    captions = [caption.value for caption in open_source(folder).caption]
    assert markdown_text(strings.skipped_files(1, ["index.csv"])) in captions
    assert markdown_text("Documents left out: 1 without text (99.txt).") in captions


def test_forms_of_a_word_are_one_on_request(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "forms.txt"
    path.write_text("The stars are there.\nOne star is the sun, and it was red.\n" * 6)
    at = open_source(path)
    field(at, strings.MAX_DF).set_value(100)
    field(at, strings.LEMMAS).set_value("auto")
    run(at)
    assert strings.lemmas_found(["english"]) in [caption.value for caption in at.caption]
    save(at)
    corpus = load_corpus(space / "corpora" / "forms")
    assert corpus.recipe.lemmas == "english"
    assert set(corpus.vocabulary) == {"star", "sun", "red"}


def test_without_their_package_lemmas_cannot_be_chosen(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.views.corpus import controls as corpus_controls

    monkeypatch.setattr(corpus_controls, "can_lemmatize", lambda: False)
    choice = field(open_source(notes), strings.LEMMAS)
    assert choice.disabled
    assert "orrery[lemmas]" in choice.help


def test_single_signs_and_their_phrases_are_words(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "signs.txt"
    lines = ["机器学习很有趣", "机器运转", "我们学习", "很多学习的人"] * 8
    path.write_text("\n".join(lines), encoding="utf-8")
    at = open_source(path)
    choice = next(group for group in at.button_group if group.label == strings.TOKENS)
    choice.set_value("signs")
    run(at)
    save(at)
    vocabulary = set(load_corpus(space / "corpora" / "signs").vocabulary)
    assert {"机_器", "多"} <= vocabulary


def test_it_is_reported_how_many_documents_are_kept(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("\n".join([*TEXTS, "zzz", "123"]))
    shown_text = [caption.value.replace("\\", "") for caption in open_source(path).caption]
    assert f"{len(TEXTS)} of {len(TEXTS) + 2} documents that were read are kept." in shown_text
    ids = f"{len(TEXTS)}, {len(TEXTS) + 1}"
    assert f"Documents left out: 2 without a word of the vocabulary ({ids})." in shown_text


def test_a_row_that_cannot_be_read_is_left_out_and_reported(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    rows = [f'{row},"{text}"' for row, text in enumerate(4 * TEXTS)]
    rows[7] += ", and a comma"
    path.write_text("\n".join(["id,text", *rows]))
    at = open_source(path)
    shown_text = (
        r"1 row could not be read and was left out\: line 9 of notes\.csv has 3 fields where"
    )
    assert any(caption.value.startswith(shown_text) for caption in at.caption)
    # So the message about the corpus comes later.
    save(at)
    assert any(caption.value.startswith(shown_text) for caption in open_page(page).caption)


def test_a_title_above_the_header_is_left_out_and_reported(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    rows = [f'{row},"{text}"' for row, text in enumerate(4 * TEXTS)]
    path.write_text("\n".join(["Notes of *2024*", "", "id,text", *rows]))
    at = open_source(path)
    shown_text = r"“Notes of \*2024\*” above the header was taken for a title and left out\."
    assert shown_text in [caption.value for caption in at.caption]
    assert field(at, strings.TEXT_COLUMN).value == ["text"]
    save(at)
    assert shown_text in [caption.value for caption in open_page(page).caption]


def test_columns_are_guessed_and_can_be_changed(space: Path, notes: Path) -> None:
    at = open_source(notes)
    assert field(at, strings.TEXT_COLUMN).value == ["text"]
    field(at, strings.LABEL_COLUMN).set_value("half")
    run(at)
    save(at)
    documents = load_corpus(space / "corpora" / "notes").documents
    assert set(documents["label"]) == {"0", "1"}


def test_guessed_columns_can_be_set_to_none(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "guessed.csv"
    rows = [f"n{row},{text},{row % 2}" for row, text in enumerate(TEXTS)]
    path.write_text("\n".join(["id,text,label", *rows]) + "\n")
    at = open_source(path)
    for title, guess in ((strings.ID_COLUMN, "id"), (strings.LABEL_COLUMN, "label")):
        assert field(at, title).value == guess
        field(at, title).set_value("")
        run(at)
    save(at)
    documents = load_corpus(space / "corpora" / "guessed").documents
    assert documents["id"].tolist() == [str(row) for row in range(len(TEXTS))]
    assert set(documents["label"]) == {None}


def test_where_the_text_is_unknown_it_is_requested(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("a,b\n" + "\n".join("one two,one two" for _ in range(20)) + "\n")
    at = open_source(path)
    assert "Choose one" in at.info[0].value
    assert not at.metric
    field(at, strings.TEXT_COLUMN).set_value(["b"])
    run(at)
    assert not at.info


def test_several_columns_of_text_are_joined_in_the_order_chosen(
    space: Path, tmp_path: Path
) -> None:
    path = tmp_path / "papers.csv"
    rows = [f"comet {row},{text}" for row, text in enumerate(TEXTS)]
    path.write_text("\n".join(["title,abstract", *rows]) + "\n")
    at = open_source(path)
    assert field(at, strings.TEXT_COLUMN).value == ["abstract"]
    field(at, strings.TEXT_COLUMN).set_value(["title", "abstract"])
    run(at)
    save(at)
    corpus = load_corpus(space / "corpora" / "papers")
    assert corpus.documents["text"][1] == f"comet 1\n\n{TEXTS[1]}"
    assert corpus.recipe.text_columns == ("title", "abstract")


def test_the_limit_of_words_and_what_stop_words_took_are_reported(
    space: Path, tmp_path: Path
) -> None:
    path = tmp_path / "few.txt"
    path.write_text("the moon and the star\nthe moon and a comet\n" * 6)
    at = open_source(path)
    field(at, strings.MAX_DF).set_value(100)
    field(at, strings.VOCABULARY).set_value(2)
    run(at)
    shown_text = [caption.value.replace("\\", "") for caption in at.caption]
    assert f"{strings.kept_words(2, 3, 1)} {strings.stop_words_took(30, 54)}" in shown_text
    *_, rules = at.table
    assert rules.value[strings.TABLE_TIMES].to_dict() == {"stop word": "30", BEYOND: "6"}
    assert "1 more would be kept if the limit were not 2." in strings.kept_words(2, 3, 1)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("header.csv", b"text\n"),
        ("binary.txt", bytes(range(256)) * 40),
        ("picture.png", b"\x89PNG"),
        ("broken.zip", b"PK\x03\x04 no"),
        ("broken.parquet", b"PAR1"),
        ("broken.jsonl", b'{"text": \n'),
        ("broken.npz", b"none"),
        ("rare.txt", b"alpha beta\ngamma delta\n"),
        ("missing.csv", None),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(
    space: Path, tmp_path: Path, name: str, content: bytes | None
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    at = open_source(path)
    assert len(at.error) == 1
    assert at.error[0].value.endswith((".", "?"))
    assert "\n" not in at.error[0].value
    assert list(space.iterdir()) == []


@pytest.mark.parametrize("name", ["", "../escape", ".hidden", "taken"])
def test_a_name_that_will_not_do_is_one_sentence(
    space: Path, notes: Path, make_corpus: MakeCorpus, name: str
) -> None:
    make_corpus("taken")
    at = open_source(notes)
    field(at, strings.NAME).set_value(name)
    shown = figures(at)
    save(at)
    assert len(at.error) == 1
    # The preview stays.
    assert figures(at) == shown != {}
    assert [path.name for path in (space / "corpora").iterdir()] == ["taken"]


def test_a_name_that_the_disk_refuses_is_one_sentence(space: Path, notes: Path) -> None:
    at = open_source(notes)
    field(at, strings.NAME).set_value("\N{MUSICAL SYMBOL G CLEF}" * 80)
    save(at)
    assert ["File name too long" in error.value for error in at.error] == [True]


def test_the_name_on_offer_is_free(space: Path, notes: Path, make_corpus: MakeCorpus) -> None:
    make_corpus("notes")
    at = open_source(notes)
    assert field(at, strings.NAME).value == "notes-2"
    save(at)
    assert (space / "corpora" / "notes-2").is_dir()


def test_discarding_leaves_nothing(space: Path, notes: Path) -> None:
    at = press(open_source(notes), strings.CANCEL)
    assert strings.EMPTY_TITLE in [heading.value for heading in at.subheader]
    assert list(space.iterdir()) == []
    assert notes.is_file()


@pytest.mark.parametrize("last", [strings.SAVE, strings.CANCEL])
def test_nothing_of_an_import_is_kept_after_it(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    from orrery.app.views.corpus import page as view

    real = {name: getattr(view, name) for name in ("open_source", "documents_of")}
    made: list[str] = []
    for name, read in real.items():
        monkeypatch.setattr(
            view, name, lambda *a, name=name, read=read, **k: made.append(name) or read(*a, **k)
        )
    press(open_source(notes), last)
    assert sorted(made) == sorted(real)
    open_source(notes)
    assert sorted(made) == sorted([*real, *real])


def test_a_long_import_shows_how_far_it_is_and_can_be_stopped(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.views.corpus import page as view

    real = view.build_corpus

    def slow(raw, recipe, progress):
        for share in (0.0, 0.25, 0.5):
            progress(share)
        # As a click elsewhere on the page ends it.
        st.stop()

    monkeypatch.setattr(view, "build_corpus", slow)
    monkeypatch.setattr(DeltaGenerator, "empty", lambda self: self)
    at = open_source(notes)
    (bar,) = at.get("progress")
    assert (bar.proto.value, bar.proto.text) == (50, strings.APPLYING)
    monkeypatch.undo()
    assert view.build_corpus is real
    press(at, strings.STOP)
    assert not at.get("progress")
    assert strings.EMPTY_TITLE in [heading.value for heading in at.subheader]


def test_reading_shows_how_far_it_is_and_what_was_read_is_the_sessions(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.core.data import table_rows
    from orrery.core.data import vocabulary as counting

    monkeypatch.setattr(table_rows, "ROWS_BETWEEN_REPORTS", 1)
    # Applying the recipe shows its bar in the same run, after the bar of reading.
    monkeypatch.setattr(counting, "CHARACTERS_BETWEEN_REPORTS", 1)
    monkeypatch.setattr(DeltaGenerator, "empty", lambda self: self)
    drawn: dict[str | None, list[float]] = {None: [], strings.APPLYING: []}
    draw = DeltaGenerator.progress
    monkeypatch.setattr(
        DeltaGenerator,
        "progress",
        lambda self, share, text: drawn[text].append(share) or draw(self, share, text),
    )
    at = open_source(notes)
    seen = drawn[None]
    assert len(drawn[strings.APPLYING]) == len(TEXTS) - 1
    # The header and a row of each text.
    assert len(seen) == len(TEXTS) + 1
    assert seen == sorted(seen)
    assert 0 < seen[0] < 0.2 < 0.8 < seen[-1] <= 1
    run(at)
    assert len(seen) == len(TEXTS) + 1
    another = open_source(notes)
    assert len(seen) == 2 * (len(TEXTS) + 1)
    press(another, strings.STOP)
    assert strings.EMPTY_TITLE in [heading.value for heading in another.subheader]
    # A source that another visitor cancelled is still open here.
    run(at)
    assert len(seen) == 2 * (len(TEXTS) + 1)


def test_a_failure_half_way_leaves_no_bar(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.views.corpus import page as view

    def failing(raw, recipe, progress):
        progress(0.5)
        raise InputError("nothing is left")

    monkeypatch.setattr(view, "build_corpus", failing)
    at = open_source(notes)
    assert [error.value for error in at.error] == ["Nothing is left\\."]
    assert not at.get("progress")
    assert strings.STOP not in [button.label for button in at.button]


def test_a_short_import_shows_no_bar_and_is_made_once(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.views.corpus import page as view

    made, real = [], view.build_corpus
    monkeypatch.setattr(view, "build_corpus", lambda *given: made.append(1) or real(*given))
    at = open_source(notes)
    run(at)
    assert made == [1]
    assert not at.get("progress")
    field(at, strings.MIN_DF).set_value(10)
    run(at)
    assert made == [1, 1]


def test_a_file_that_changes_is_read_again(space: Path, notes: Path) -> None:
    at = open_source(notes)
    with notes.open("a") as file:
        file.write("99,the shuttle and the star,1\n")
    run(at)
    assert figures(at)[strings.DOCUMENTS] == str(len(TEXTS) + 1)


def test_a_folder_in_which_a_file_changes_is_read_again(space: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts" / "below"
    folder.mkdir(parents=True)
    for number in range(20):
        (folder / f"{number}.txt").write_text("star comet " + "moon " * (number > 9))
    at = open_source(folder.parent)
    before = int(figures(at)[strings.WORDS])
    for number in range(5):
        (folder / f"{number}.txt").write_text("star comet planet")
        # A copy may bring an old time along.
        os.utime(folder / f"{number}.txt", (1.0, 1.0))
    run(at)
    assert int(figures(at)[strings.WORDS]) == before + 1


def test_an_upload_to_a_server_that_only_shows_is_refused(
    space: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a page that was open before, or of a browser that keeps to no page."""
    monkeypatch.setenv(READ_ONLY, "1")
    at = open_page(page)
    at.file_uploader[0].upload("notes.csv", notes.read_bytes())
    run(at)
    assert [error.value for error in at.error] == [markdown_text(shell_strings.sentence(REFUSED))]
    assert not list(space.iterdir())
    monkeypatch.setenv(READ_ONLY, "0")
    at.file_uploader[0].upload("notes.csv", notes.read_bytes())
    run(at)
    assert figures(at)[strings.DOCUMENTS] == str(len(TEXTS))


def test_markup_in_names_and_words_stays_text(space: Path, tmp_path: Path) -> None:
    path = tmp_path / "a:red[b] *c*.csv"
    path.write_text("text\n" + "<b>bold</b> star :red[x] $y$ planet\n" * 8 + "one more\n" * 9)
    at = open_source(path)
    assert r"Preview of a\:red\[b\] \*c\*\.csv" in [heading.value for heading in at.subheader]


def test_a_matrix_has_no_recipe(space: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.tiny.txt").write_text("alpha\nbeta\n")
    (tmp_path / "docword.tiny.txt").write_text("2\n2\n3\n1 1 1\n1 2 4\n2 2 1\n")
    at = open_source(tmp_path / "docword.tiny.txt")
    assert strings.MATRIX_RECIPE in [caption.value for caption in at.caption]
    assert not at.number_input
    save(at)
    (folder,) = (space / "corpora").iterdir()
    assert load_corpus(folder).vocabulary == ("alpha", "beta")


def test_date_and_title_are_requested_and_saved_under_their_names(
    space: Path, tmp_path: Path
) -> None:
    texts = [TEXTS[n % len(TEXTS)] for n in range(60)]
    rows = [f'{1990 + n % 9}-05-01,Thing {n},"{text}"' for n, text in enumerate(texts)]
    source = tmp_path / "clues.csv"
    source.write_text("\n".join(["aired,called,clue", *rows]))
    at = open_source(source)
    chosen = {box.label: box.value for box in at.selectbox}
    assert (chosen[strings.DATE_COLUMN], chosen[strings.TITLE_COLUMN]) == ("aired", "called")
    press(at, strings.SAVE)
    saved = load_corpus(space / "corpora" / "clues").documents
    assert saved["date"].iat[0] == "1990-05-01"
    assert saved["title"].iat[0] == "Thing 0"


def test_labels_too_many_to_choose_from_are_reported(space: Path, tmp_path: Path) -> None:
    rows = [f'r{n},"{TEXTS[n % len(TEXTS)]}"' for n in range(600)]
    source = tmp_path / "many.csv"
    source.write_text("\n".join(["label,text", *rows]))
    shown_text = [text.value for text in open_source(source).info]
    assert shown_text == [strings.MANY_LABELS.format(labels=600, most=MAX_LABELS)]


def read_as(at: AppTest) -> dict[str, tuple[str, str]]:
    """The table "How it was read": value and control of each guess."""
    table = at.table[0].value
    return {
        name: (row[strings.TABLE_READ], row[strings.TABLE_CHANGE]) for name, row in table.iterrows()
    }


def test_a_guess_without_a_control_names_the_command(space: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate([*TEXTS, "Red toma-\ntoes and a star", "green tomatoes"]):
        (folder / f"{number}.txt").write_text(text)
    at = open_source(folder)
    _, control = read_as(at)["Words divided at line ends"]
    assert control == "`orrery import --no-join-line-ends`"


def test_it_is_shown_how_a_table_was_read_and_a_control_changes_it(
    space: Path, tmp_path: Path
) -> None:
    source = tmp_path / "notes.csv"
    rows = [f"{row};<b>{text}</b>" for row, text in enumerate(4 * TEXTS)]
    source.write_text("\n".join(["nr;comment", *rows]))
    at = open_source(source)
    shown = read_as(at)
    assert shown["Header"][0].startswith("line 1")
    assert shown["Header"][1] == strings.HEADER
    assert shown["Cells separated by"][0].startswith("semicolons")
    assert shown["Text"][0].startswith("“comment”")
    kept = markdown_text("kept as words: tags in 100% of the texts")
    assert shown["Markup"] == (kept, strings.MARKUP)
    field(at, strings.HEADER).set_value("no")
    run(at)
    assert read_as(at)["Header"][0] == "none, the columns are numbered"
    assert len(field(at, strings.TEXT_COLUMN).options) == 2


def test_a_file_that_looks_like_a_graph_can_be_read_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "songs.csv"
    rows = [f'"{text}","fever ({row}.5), cough (0.2)"' for row, text in enumerate(TEXTS)]
    path.write_text("\n".join(["text,notes", *rows]) + "\n")
    at = press(open_source(path), strings.ADOPT_NOT)
    assert not at.exception
    assert markdown_text(strings.PREVIEW_OF.format(name=path.name)) in [
        line.value for line in at.subheader
    ]
