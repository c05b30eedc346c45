"""``orrery import`` follows every option or reports that it cannot."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from orrery.app.cli.main import main
from orrery.app.workspace.facets import read_facets
from orrery.core.storage.corpora import load_corpus

Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: object) -> str:
    """Run an import that must end in one line, and return that line."""
    try:
        code: object = main(["import", *map(str, arguments)])
    except SystemExit as exit_:
        code = exit_.code
    line = capsys.readouterr().err
    assert code == 2
    assert line.count("\n") == 1
    line.encode("utf-8")
    return line


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    (tmp_path / "vocab.x.txt").write_text("alpha\nbeta\n", encoding="utf-8")
    (tmp_path / "docword.x.txt").write_text("2\n2\n2\n1 1 1\n2 2 1\n", encoding="utf-8")
    return tmp_path / "docword.x.txt"


@pytest.mark.parametrize(
    "option",
    ["--min-df 7", "--max-df 0.5", "--max-vocabulary 9", "--no-phrases", "--phrases",
     "--stop-words none", "--strip-headers", "--strip-quotes", "--lemmas en"],
)  # fmt: skip
def test_a_recipe_for_a_matrix_is_refused(
    tmp_path: Path, matrix: Path, capsys: Capture, option: str
) -> None:
    line = refused(capsys, matrix, "--out", tmp_path / "c", *option.split())
    assert (
        f"ready-made matrix, which keeps its words as they are; leave out {option.split()[0]}\n"
        in line
    )
    assert not (tmp_path / "c").exists()
    assert main(["import", str(matrix), "--out", str(tmp_path / "c")]) == 0


def test_a_column_of_a_text_file_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "h.txt").write_text("red star\n", encoding="utf-8")
    line = refused(capsys, tmp_path / "h.txt", "--out", tmp_path / "c", "--text-column", "nope")
    assert "h.txt has no columns; leave out --text-column" in line


def test_the_empty_source_is_refused(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("red star\n", encoding="utf-8")
    assert "name a file or a folder" in refused(capsys, "", "--out", tmp_path / "c", "--min-df", 1)


def test_names_that_are_no_utf8_are_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.txt").write_text("red star\n", encoding="utf-8")
    odd = tmp_path / "non\udcff"
    assert "rename it" in refused(capsys, odd, "--out", tmp_path / "c")
    assert "rename it" in refused(capsys, tmp_path / "a.txt", "--out", odd, "--min-df", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_text_columns_are_joined_however_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("title,abstract\nred,star one\nblue,star two\n")
    for number, named in enumerate((["title,abstract"], ["title", "abstract"])):
        out = tmp_path / str(number)
        options = [part for name in named for part in ("--text-column", name)]
        given = ["import", str(tmp_path / "t.csv"), "--out", str(out), *options]
        assert main([*given, "--min-df", "1", "--max-df", "1.0"]) == 0
        corpus = load_corpus(out)
        assert corpus.documents["text"].tolist() == ["red\n\nstar one", "blue\n\nstar two"]
        assert corpus.recipe.text_columns == ("title", "abstract")


def test_a_text_column_named_twice_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.csv").write_text("title,abstract\nred,star one\n")
    given = (tmp_path / "t.csv", "--out", tmp_path / "c", "--text-column", "title,title")
    assert "'title' is named twice" in refused(capsys, *given)


def imported(source: Path, *options: str) -> pd.DataFrame:
    """Documents of a corpus of few texts."""
    out = source.parent / f"corpus-{len(list(source.parent.iterdir()))}"
    given = ["import", str(source), "--out", str(out), "--min-df", "1", "--max-df", "1.0"]
    assert main([*given, *options]) == 0
    return load_corpus(out).documents


def test_title_and_date_that_are_given_are_those_of_the_app(tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_text(
        "text,about,seen,year\nred star one,Red,2001-02-03,1990\nblue star two,Blue,2004,1991\n"
    )
    guessed = read_facets(imported(source))
    assert (guessed.title.tolist(), guessed.year.tolist()) == (["", ""], [1990, 1991])
    stored = imported(source, "--title-column", "about", "--date-column", "seen")
    assert stored.columns.tolist() == ["id", "text", "label", "date", "title", "year (column)"]
    shown_text = read_facets(stored)
    assert (shown_text.title.tolist(), shown_text.year.tolist()) == (["Red", "Blue"], [2001, 2004])
    none = read_facets(imported(source, "--date-column", ""))
    assert none.years == ()


def test_a_heading_is_a_title_unless_it_is_declared_absent(tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_text("text,heading\nred star one,Red\nblue star two,Blue\n")
    stored = imported(source)
    assert "heading" in stored
    assert read_facets(stored).title.tolist() == ["Red", "Blue"]
    assert read_facets(imported(source, "--title-column", "")).title.tolist() == ["", ""]


def test_the_summary_states_of_how_many(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.txt").write_text("the red star\nthe red moon\n")
    given = [str(tmp_path / "t.txt"), "--out", str(tmp_path / "c"), "--max-df", "1.0"]
    assert main(["import", *given, "--min-df", "1", "--max-vocabulary", "2"]) == 0
    shown_text = capsys.readouterr().out
    assert "2 of 2 documents and 2 of 4 words kept" in shown_text
    assert "1 beyond the vocabulary limit of 2" in shown_text
    assert "the stop words take 2 of 6 words in the texts (33%): the" in shown_text


POST = """From: ann@venus.org (Ann)
Subject: Re: comets
Organization: Venus Works
Lines: 3

In article <1@x> bob writes:
> the asteroid belt

Telescopes show them.
"""


def test_headers_are_left_out_where_most_texts_have_them_unless_they_are_to_be_kept(
    tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "posts").mkdir()
    for number in range(10):
        (tmp_path / "posts" / f"{number}.txt").write_text(POST)
    given = ["import", str(tmp_path / "posts"), "--max-df", "1.0", "--no-phrases", "--out"]
    keep = ["--no-strip-headers", "--no-strip-quotes"]
    assert main([*given, str(tmp_path / "c"), *keep]) == 0
    assert "headers: kept as words" in (printed := capsys.readouterr().out)
    assert "[--strip-headers]" in printed
    assert "[--strip-quotes]" in printed
    assert "addresses in 100%" in printed
    assert "venus" in load_corpus(tmp_path / "c").vocabulary
    assert main([*given, str(tmp_path / "d"), "--no-strip-quotes"]) == 0
    assert "headers: left out but for the subject" in (printed := capsys.readouterr().out)
    assert "[--no-strip-headers]" in printed
    assert "addresses" not in printed
    corpus = load_corpus(tmp_path / "d")
    assert corpus.documents["text"][0].startswith("Re: comets\n\nIn article")
    assert "venus" not in corpus.vocabulary
    assert main([*given, str(tmp_path / "e")]) == 0
    assert load_corpus(tmp_path / "e").vocabulary == ("comets", "telescopes")


def test_posts_of_nothing_but_a_header_keep_their_subject_or_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    for number, subject in enumerate(["comets", "comets", ""]):
        post = f"From: a@b\nSubject: {subject}\nLines: 0\n"
        (tmp_path / "posts" / f"{number}.txt").write_text(post)
    given = [str(tmp_path / "posts"), "--out", str(tmp_path / "c"), "--max-df", "1.0"]
    assert main(["import", *given, "--min-df", "1", "--strip-headers"]) == 0
    corpus = load_corpus(tmp_path / "c")
    assert corpus.vocabulary == ("comets",)
    assert corpus.dropped_ids == ("2",)


GERMAN = "Der Mond ist nicht aus Käse.\nDie Sonne und der Mond sind rund.\n"


@pytest.mark.parametrize("choice", ["german", "de", "auto"])
def test_stop_words_of_a_language(tmp_path: Path, capsys: Capture, choice: str) -> None:
    (tmp_path / "t.txt").write_text(GERMAN, encoding="utf-8")
    given = ["import", str(tmp_path / "t.txt"), "--min-df", "1", "--max-df", "1.0", "--out"]
    assert main([*given, str(tmp_path / "c"), "--stop-words", choice]) == 0
    assert set(load_corpus(tmp_path / "c").vocabulary) == {"mond", "käse", "sonne"}
    shown_text = capsys.readouterr().out
    assert ("language found: german" in shown_text) == (choice == "auto")
    assert main([*given, str(tmp_path / "d")]) == 0
    assert "read as german: --stop-words german leaves out" in capsys.readouterr().out


@pytest.mark.parametrize("choice", ["german", "auto"])
def test_lemmas_of_a_language(tmp_path: Path, capsys: Capture, choice: str) -> None:
    (tmp_path / "t.txt").write_text(GERMAN + "Die Monde sind nicht die Sonnen.\n")
    given = [str(tmp_path / "t.txt"), "--min-df", "1", "--max-df", "1.0", "--no-phrases"]
    out = ["--out", str(tmp_path / "c"), "--stop-words", "german", "--lemmas", choice]
    assert main(["import", *given, *out]) == 0
    corpus = load_corpus(tmp_path / "c")
    assert set(corpus.vocabulary) == {"mond", "käse", "sonne"}
    assert corpus.parse("Sonnen")[0].tolist() == [corpus.token_number["sonne"]]
    assert ("lemmas of the language found: german" in capsys.readouterr().out) == (choice == "auto")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], {"ılık", "izin"}),
        (["--stop-words", "turkish"], {"ılık", "izin"}),
        (["--languages", "azerbaijani"], {"ılık", "izin"}),
        (["--languages", "tr"], {"ılık", "izin"}),
        (["--languages", "none"], {"ilik", "ılık", "izin"}),
    ],
)
def test_capitals_follow_the_language(
    tmp_path: Path, capsys: Capture, options: list[str], words: set[str]
) -> None:
    (tmp_path / "t.txt").write_text("ILIK İZİN\nılık izin\n" * 3, encoding="utf-8")
    given = ["import", str(tmp_path / "t.txt"), "--min-df", "1", "--max-df", "1.0"]
    assert main([*given, "--out", str(tmp_path / "c"), "--no-phrases", *options]) == 0
    corpus = load_corpus(tmp_path / "c")
    assert set(corpus.vocabulary) == words
    has_rules = "ı is the small letter of I" in capsys.readouterr().out
    assert has_rules == (corpus.recipe.languages != "")


def test_a_language_without_rules_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.txt").write_text("red star\n", encoding="utf-8")
    given = (tmp_path / "t.txt", "--out", tmp_path / "c", "--languages", "klingon")
    assert "no rules for the language 'klingon'" in refused(capsys, *given)


def test_words_divided_at_line_ends_are_joined_and_reported(
    tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "texts").mkdir()
    for number, text in enumerate(["Red toma-\ntoes", "green tomatoes"]):
        (tmp_path / "texts" / f"{number}.txt").write_text(text, encoding="utf-8")
    given = ["import", str(tmp_path / "texts"), "--min-df", "1", "--max-df", "1.0", "--out"]
    assert main([*given, str(tmp_path / "c")]) == 0
    assert set(load_corpus(tmp_path / "c").vocabulary) == {"red", "green", "tomatoes"}
    assert "words divided at line ends: 1 joined: toma-toes" in (printed := capsys.readouterr().out)
    assert "[--no-join-line-ends]" in printed
    assert main([*given, str(tmp_path / "d"), "--no-join-line-ends"]) == 0
    assert "toma" in load_corpus(tmp_path / "d").vocabulary


def test_no_language_recognised_is_reported(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.txt").write_text("zyzzyva quux\n" * 10, encoding="utf-8")
    given = [str(tmp_path / "t.txt"), "--out", str(tmp_path / "c"), "--max-df", "1.0"]
    assert main(["import", *given, "--stop-words", "auto"]) == 0
    assert "no language was recognised" in capsys.readouterr().out


def test_a_language_that_there_is_not_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.txt").write_text("red star\n", encoding="utf-8")
    given = (tmp_path / "t.txt", "--out", tmp_path / "c", "--stop-words", "klingon")
    assert "no list of stop words for 'klingon'" in refused(capsys, *given)


def test_a_guessed_label_can_be_set_to_none(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("text,label\nred star,a\nblue star,b\n", encoding="utf-8")
    arguments = ["import", str(tmp_path / "t.csv"), "--min-df", "1", "--max-df", "1.0", "--out"]
    for name, labels, extra in (("c", ["a", "b"], []), ("d", [None, None], ["--label-column", ""])):
        assert main([*arguments, str(tmp_path / name), *extra]) == 0
        assert load_corpus(tmp_path / name).documents["label"].tolist() == labels


@pytest.mark.parametrize(("order", "date"), [("dmy", "2021-03-05"), ("mdy", "2021-05-03")])
def test_the_order_of_a_date_can_be_set(tmp_path: Path, order: str, date: str) -> None:
    (tmp_path / "t.csv").write_text("text;Datum\nred star;5/3/21\nblue star;5/3/2021\n")
    arguments = ["import", str(tmp_path / "t.csv"), "--min-df", "1", "--max-df", "1.0", "--out"]
    assert main([*arguments, str(tmp_path / "c"), "--date-order", order]) == 0
    assert load_corpus(tmp_path / "c").documents["Datum"].tolist() == [date] * 2


def test_an_order_without_dates_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "t.txt").write_text("red star\n", encoding="utf-8")
    given = (tmp_path / "t.txt", "--out", tmp_path / "c", "--date-order", "dmy")
    assert "no date column; leave out --date-order" in refused(capsys, *given)
