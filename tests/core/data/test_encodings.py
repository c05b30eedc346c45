"""Bytes become the text that was saved, or one clear sentence."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.encodings import decode
from orrery.core.utils.errors import InputError

SAMPLES = {
    "german": "Größe müssen wir für die Straße prüfen, schön ist es im März überall",
    "spanish": "El niño soñó mañana con una piñata; el señor enseñó a los pequeños cómo bañarse",
    "turkish": "Çocuklar bahçede güneşli bir günde oynuyorlardı, "
    "öğretmen şöyle söyledi: ışık çok güzel",
    "russian": "Привет мир, это обычный текст на русском языке для проверки кодировки",
    "japanese": "日本語のテキストを判定するためのサンプルです。漢字とかなが混ざっています。",
    "polish": "Zażółć gęślą jaźń, proszę wybrać odpowiednie słowa i łączyć",
}


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])))
def test_utf8_round_trip(text: str) -> None:
    # A mark at the very beginning is the mark of the encoding, not a part of the text.
    text = text.lstrip("\ufeff")
    assert decode(text.encode("utf-8"), "x") == text
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decode(text.encode(encoding), "x") == text


@pytest.mark.parametrize(
    ("sample", "encoding"),
    [
        ("german", "latin-1"),
        ("spanish", "cp1252"),
        ("turkish", "cp1254"),
        ("russian", "cp1251"),
        ("russian", "koi8-r"),
        ("japanese", "shift_jis"),
        ("japanese", "euc-jp"),
        ("polish", "cp1250"),
    ],
)
def test_other_encodings_are_recognised(sample: str, encoding: str) -> None:
    assert decode(SAMPLES[sample].encode(encoding), "x") == SAMPLES[sample]


@pytest.mark.parametrize("word", ["café", "El Niño", "São Paulo", "20° north", "£5", "façade"])
def test_few_accents_are_read_as_western(word: str) -> None:
    text = "plain words " * 50 + word
    assert decode(text.encode("latin-1"), "x") == text


def test_utf8_cut_in_the_middle_of_a_character_stays_utf8() -> None:
    whole = SAMPLES["german"] * 3
    cut = (whole + "ü").encode("utf-8")[:-1]
    assert decode(cut, "x") == whole + "\ufffd"


def test_a_replacement_character_in_valid_utf8_stays() -> None:
    assert decode("a \ufffd b".encode(), "x") == "a \ufffd b"


def test_named_encoding_is_used_and_no_other() -> None:
    data = SAMPLES["russian"].encode("cp1251")
    assert decode(data, "x", "cp1251") == SAMPLES["russian"]
    with pytest.raises(InputError, match=r"notes\.txt is not valid utf-8"):
        decode(data, "notes.txt", "utf-8")


@pytest.mark.parametrize("encoding", ["utf-99", "base64", "zlib", "a\0b"])
def test_names_of_no_text_encoding(encoding: str) -> None:
    with pytest.raises(InputError, match="no text encoding"):
        decode(b"abc", "x", encoding)


@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_binary_junk_is_no_text(encoding: str | None) -> None:
    junk = random.Random(0).randbytes(5000)
    for data in (junk, junk.replace(b"\0", b"\1")):
        with pytest.raises(InputError, match=r"photo\.txt .*text"):
            decode(data, "photo.txt", encoding)


def test_control_characters_alone_are_no_text() -> None:
    with pytest.raises(InputError, match="not text"):
        decode(b"\x01\x02\x03\x04abc", "x")


@pytest.mark.parametrize(
    ("data", "encoding"), [(b"a+2AA-b", "utf-7"), (rb"a\ud800b", "unicode_escape")]
)
def test_half_a_surrogate_pair_is_replaced(data: bytes, encoding: str) -> None:
    assert decode(data, "x", encoding) == "a?b"
