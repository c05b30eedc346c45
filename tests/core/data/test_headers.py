"""Headers of posts and mail are recognised, and of them the subject stays."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.api.fitting import corpus_of_texts
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus, read_corpus
from orrery.core.data.guesses import Guess
from orrery.core.data.mail import (
    begin_with_headers,
    has_header,
    share_with_quotations,
    without_header,
    without_quotes,
)
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe

HEADER = "From: ann@venus.org\nSubject: Re: red\n comets\nNNTP-Posting-Host: x.org\nLines: 2\n"
BODY = "They are red.\n\nNote: from afar.\n"


def test_the_subject_and_the_body_stay() -> None:
    assert without_header(f"{HEADER}\n{BODY}") == f"Re: red comets\n\n{BODY}"
    assert without_header(f"\n\n{HEADER}\n{BODY}".replace("\n", "\r\n")) == without_header(
        f"{HEADER}\n{BODY}"
    )


@pytest.mark.parametrize(
    "header",
    [
        "Von: Anna Weiß <a@b.de>\nGesendet: Montag, 3. Mai 2021\nAn: Bob\nBetreff: Roter Käse\n",
        "Betreff: Roter Käse\nDatum: Mon, 3 May 2021 10:00\nVon: Anna <a@b.de>\nAn: Bob\nCc: Eva\n",
        "De : Anne <a@b.fr>\nEnvoyé : lundi 3 mai 2021 10:00\nÀ : Bob\nObjet : Roter Käse\n",
        "De\u00a0: Anne\nObjet\u00a0: Roter\n Käse\nDate\u202f: 3 mai\nRépondre à : Anne\n",
        "VON: Anna\nBETREFF: Roter Käse\nWichtigkeit: hoch\nAn:\n",
    ],
)
def test_headers_in_german_and_french_are_headers(header: str) -> None:
    text = f"{header}\nNein: nie.\n\nVon: Herzen\n"
    assert begin_with_headers([text])
    assert without_header(text) == "Roter Käse\n\nNein: nie.\n\nVon: Herzen\n"
    assert not begin_with_headers([header, header + "\n", header + "Nein: nie."])


def test_a_mail_of_an_mbox_begins_with_an_envelope() -> None:
    mail = f"From ann@venus.org Mon Nov 23 21:22:05 2026\n{HEADER}\n{BODY}"
    assert without_header(mail) == f"Re: red comets\n\n{BODY}"


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "",
        "From: the sea\nIt came at night.",
        "Note: one\nWarning: two\n\nText",
        "It is said\nFrom: a\nSubject: b\n\nlate",
        "Subject: alone\n\nText",
        "Methods: we ran. Results: it went.\nSubject: b\n",
    ],
)
def test_texts_without_a_header_stay_as_they_are(text: str) -> None:
    assert not has_header(text)
    assert without_header(text) == text


def test_a_subject_is_read_as_it_was_written() -> None:
    coded = "From: a@b\nSubject: =?utf-8?q?K=C3=A4se_und?= =?utf-8?b?IEJyb3Q=?=\n\nGut."
    assert without_header(coded) == "Käse und Brot\n\nGut."
    odd = "From: a@b\nSubject: =?nix?q?K=C3?= x\n\nGut."
    assert without_header(odd).endswith("\n\nGut.")


def test_nothing_but_a_header_leaves_its_subject_or_nothing() -> None:
    assert without_header(HEADER) == "Re: red comets"
    assert without_header("From: a@b\nLines: 3\n\n") == ""


@given(st.text(), st.text())
def test_whatever_follows_is_kept_and_nothing_goes_twice(before: str, body: str) -> None:
    without_header(before)
    post = f"From: a@b\nLines: 3\nSubject: moon\n\n{body}"
    once = without_header(post)
    read = body.replace("\r\n", "\n").replace("\r", "\n")
    assert once == ("moon\n\n" + read.lstrip("\n") if read.strip() else "moon")
    assert without_header(once) == once


def test_most_documents_make_a_source_of_posts() -> None:
    post = f"{HEADER}\n{BODY}"
    assert begin_with_headers([post, post, BODY])
    assert not begin_with_headers([post, BODY])
    assert not begin_with_headers([])
    assert begin_with_headers([post] * 3_000 + [BODY] * 2_000)


def test_quotations_and_signatures_go() -> None:
    text = (
        "In article <1@x> bob@y.org writes:\n\n> one\n>> two\n\nNo.\nShe writes: well\n"
        "Bob says:\nso be it\nAB> three\n|> four\n-- \nAnn\nVenus"
    )
    kept = "\n\nNo.\nShe writes: well\nBob says:\nso be it"
    for end in ("\n", "\r\n", "\r"):
        assert without_quotes(text.replace("\n", end)) == kept


def test_two_hyphens_far_from_the_end_or_alone_are_no_signature() -> None:
    far = "\n".join(["one", "--", *["line"] * 40])
    assert without_quotes(far) == far
    assert without_quotes("--\nmoon") == "--\nmoon"


@pytest.mark.parametrize(
    "text",
    [
        "Date: 3 May\nSummary: a pump fell out\nKeywords: pump\nCause: rust\nAction: {word}",
        "From: ann\nSubject: comets\nText: the {word} shines",
        "Date: 3 May\nSubject: pumps\n\nAnna: the {word} is red.\nBob: no.",
        "Title: On pumps\nDate: 1999\nKeywords: pumps\n\nAbstract: a {word} is shown.",
        "From: ann\nSubject: {word}\n",
        "Datum: 3. Mai\nVon: 9 Uhr\nBis: 10 Uhr\n\nAnna: Der {word} ist rot.",
        "Datum: 3. Mai\nBetreff: Pumpen\nAn: alle\n\nAnna: Der {word} ist rot.",
        "Von: Berlin\nAn: 10:30\nGesendet: nein\n\nDer {word} kam an.",
        "Date : 3 mai\nObjet : pompes\nÀ : tous\n\nAnne : La {word} est rouge.",
        "De : 9 h\nÀ : 10 h\nDate : 3 mai\n\nAnne : La {word} est rouge.",
    ],
)
def test_records_that_begin_like_a_header_keep_their_content(text: str) -> None:
    texts = [text.format(word=word) for word in ("moon", "star", "comet", "rocket")] * 5
    corpus = corpus_of_texts(texts, None)
    assert not corpus.recipe.strip_headers
    assert corpus.documents["text"].tolist() == texts


def test_languages_are_those_of_the_bodies() -> None:
    header = "From: ann@venus.org\nSubject: with the and of it\nOrganization: the home of all\n\n"
    things = ("Käse", "Stein", "Staub", "Eisen")
    bodies = [f"Der Mond ist nicht aus {things[n % 4]} und auch nicht rund." for n in range(60)]
    report = corpus_of_texts([header + body for body in bodies], None).report
    found = [guess.value for guess in report.how_it_was_read if guess.what == "language"]
    assert found == ["German"]


def test_without_a_recipe_headers_are_left_out_where_most_texts_begin_with_one(
    tmp_path: Path,
) -> None:
    header = "From: ann@venus.org\nOrganization: Venus\nSubject: comets\n\n"
    colours = ("red", "green", "blue", "grey")
    bodies = [f"A {colours[row % 4]} moon shines." for row in range(60)]
    for share, is_left_out in ((0.4, False), (0.6, True)):
        texts = [(header if row < 60 * share else "") + body for row, body in enumerate(bodies)]
        path = tmp_path / f"{share}.jsonl"
        path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
        corpus = read_corpus(path)
        begins = corpus.documents["text"].str.startswith("From: ann")
        assert begins.any() != is_left_out
        assert corpus.recipe.strip_headers == corpus.recipe.strip_quotes == is_left_out
        for option in ("Recipe(strip_headers=False)", "Recipe(strip_quotes=False)"):
            assert (option in str(corpus.report)) == is_left_out
        assert corpus_of_texts(texts, None).vocabulary == corpus.vocabulary
        kept = corpus_of_texts(texts, Recipe())
        assert kept.documents["text"].str.startswith("From: ann").any()
        assert ("Recipe(strip_headers=…)" in str(kept.report)) == is_left_out


@pytest.mark.parametrize(
    "form",
    [
        "On 1 March 2021, Anna wrote:",
        "Am Montag schrieb Anna:",
        "Le 3 mars, Anna a écrit :",
        "x writes",
    ],
)
@pytest.mark.parametrize("n_quoting", [0, 3, 30])
def test_quotations_are_offered_where_texts_have_them(form: str, n_quoting: int) -> None:
    own = [f"My own words on {row}.\n\n" for row in range(60)]
    texts = [
        text + (f"{form}\n\n> What Anna said.\n" if row < n_quoting else "She wrote:\na letter")
        for row, text in enumerate(own)
    ]
    table = normal_table(pd.DataFrame({"id": range(60), "text": texts, "label": None}))
    for strip in (False, True):
        corpus, report = build_corpus(
            RawDocuments(table), Recipe(min_df=1, max_df=1.0, phrases=False, strip_quotes=strip)
        )
        found = [guess for guess in report.how_it_was_read if guess.what == "quotations"]
        value, option = "kept as words", "strip_quotes"
        if strip:
            value, option = "left out, and so are signatures", "no_strip_quotes"
        reason = "50% of the texts examined quote other mails"
        assert found == [Guess("quotations", value, reason, option)] * (n_quoting > 5)
        assert ("said" in corpus.vocabulary) == (n_quoting > 0 and not strip)


@pytest.mark.parametrize(
    "text",
    [
        "My teacher always said:\n> be kind",
        "He said\n| a | table |",
        "As he wrote:\n| a | table |",
        "She writes:\n: a definition",
    ],
)
def test_other_quotations_are_no_mail(text: str) -> None:
    assert share_with_quotations([text]) == 0
    for end in ("\n", "\r\n", "\r"):
        assert share_with_quotations([text, f"On 1 March 2021 Bo said:{end}> yes"]) == 0.5
