"""Bytes become the text that was saved, or one clear sentence."""

import codecs
import random
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwordsiso import stopwords

from orrery.core.data.encodings import MAX_SEARCHED, decode, decode_with_encoding
from orrery.core.data.guesses import Guess
from orrery.core.data.letters import ALPHABETS
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


@pytest.mark.parametrize("sample", ["japanese", "russian"])
def test_a_damaged_character_in_utf8_is_reported(sample: str) -> None:
    text = SAMPLES[sample]
    whole = text.encode()
    data = whole[: len(text[:9].encode()) + 1] + whole[len(text[:10].encode()) :]
    read, found = decode_with_encoding(data * 3, "x")
    assert not found.is_certain
    assert len(read) <= 3 * len(text)
    assert read.startswith(text[:9])
    assert read.endswith(text[10:])


@pytest.mark.parametrize(
    "data",
    [
        "id,text\n1,café and words\n".encode() + b"2,caf\xe9 again\n3,more words\n",
        (SAMPLES["german"] * 3 + "ü").encode()[:-1],
        SAMPLES["german"].encode("latin-1"),
    ],
)
def test_damaged_text_behind_the_mark_of_utf8_is_read_like_text_without_it(data: bytes) -> None:
    read, found = decode_with_encoding(codecs.BOM_UTF8 + data, "x")
    assert (read, found) == decode_with_encoding(data, "x")
    assert not read.startswith("\ufeff")
    with pytest.raises(InputError, match="x is not valid utf-8; name the encoding"):
        decode(codecs.BOM_UTF8 + data, "x", "utf-8")


def test_a_single_character_that_is_cut_off_is_utf8_behind_its_mark() -> None:
    read, found = decode_with_encoding(codecs.BOM_UTF8 + "plain words and é".encode()[:-1], "x")
    assert read == "plain words and \ufffd"
    assert "the last one, which is cut off" in found.reason


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


WESTERN = ("cp1252", "iso8859_15", "mac_roman", "cp850", "cp437")
CENTRAL = ("cp1250", "iso8859_2", "cp852", "mac_latin2")
CYRILLIC = ("cp1251", "koi8_r", "iso8859_5", "cp866", "mac_cyrillic")
# Encodings in which texts of a language are found, and words that are no stop words.
LEGACY = {
    "de": (WESTERN, "Straßenbahn Gemüse Mädchen Lösung Frühstück Fuß möglich Ärzte Öfen"),
    "fr": (WESTERN, "élève forêt château théâtre garçon goût naïf Écosse fenêtre pièce"),
    "es": (WESTERN, "montaña corazón niño camión pingüino árbol música también español"),
    "pt": (WESTERN[:4], "coração avião mãe lição irmã ônibus água três avó línguas"),
    "sv": (WESTERN, "björn skärgård äpple sjö människor språk hjärta även åtta"),
    "pl": (CENTRAL, "źródło książka żółty łódź gęś święto ćma koń ręka źle"),
    "cs": (CENTRAL, "kůň řeka žába děti čtvrtek šťastný příběh město úřad"),
    "hu": (CENTRAL, "gyűjtemény őszi tükör füst könyv iskolák erdő hűség"),
    "ro": (CENTRAL, "ţară şcoală mâine pădure câine înalt fântână învăţător"),
    "hr": (CENTRAL, "čovjek život šuma đak kuća priča žena grožđe noć"),
    "ru": (CYRILLIC, "солнце ёлка объявление щука вьюга цветок юность эхо"),
    "el": (("cp1253", "iso8859_7", "cp737"), "βιβλίο θάλασσα ουρανός ήλιος ώρα δέντρο νύχτα"),
    "tr": (("cp1254", "iso8859_9", "cp857"), "çiçek dağ ışık öğrenci güneş yağmur üzüm şehir"),
    "lt": (("cp1257", "iso8859_13", "cp775"), "ąžuolas šuo žmogus ėjimas medžiai sąjūdis ūkis"),
    "he": (("cp1255", "iso8859_8", "cp862"), "ספר שמש ירח ילדים גשם בוקר מים"),
    "ar": (("cp1256", "iso8859_6"), "كتاب شمس مدرسة طبيب قمر حديقة بيت"),
    "th": (("cp874",), "หนังสือ ดวงอาทิตย์ โรงเรียน น้ำ ดอกไม้"),
    "ja": (("shift_jis", "euc_jp"), "学校 太陽 図書館 花見 電車 コンピュータ"),
    "zh": (("gb18030", "big5"), "今天 天空 音樂 花 山水 故事"),
    "ko": (("euc_kr",), "학교 태양 도서관 나무 바다 컴퓨터"),
}
PAIRS = [(code, encoding) for code, (encodings, _) in LEGACY.items() for encoding in encodings]


def words_of(code: str, encoding: str) -> list[str]:
    """Words of a language that an encoding has, and that are spelled with its letters."""
    letters = set(ALPHABETS[code])
    listed = [
        word
        for word in sorted(stopwords(code))
        if not letters or all(c < "\x80" or c in letters for c in word)
    ]
    words = [*listed, *(LEGACY[code][1].split() * max(len(listed) // 20, 1))]
    return [word for word in words if word.encode(encoding, "ignore").decode(encoding) == word]


def lines_of(code: str, encoding: str, n_lines: int) -> str:
    chance, words = random.Random(f"{code} {encoding} {n_lines}"), words_of(code, encoding)
    lines = []
    for _ in range(n_lines):
        line = " ".join(chance.choice(words) for _ in range(chance.randint(5, 15)))
        capital = line[:1].upper()
        is_known = capital.encode(encoding, "ignore").decode(encoding) == capital
        lines.append((capital if is_known else line[:1]) + line[1:] + chance.choice(".!?"))
    return "\n".join(lines)


def test_no_encoding_is_silently_wrong() -> None:
    wrong, unsure = [], dict.fromkeys((5, 50, 500), 0)
    for (code, encoding), n_lines in product(PAIRS, unsure):
        text = lines_of(code, encoding, n_lines)
        read, found = decode_with_encoding(text.encode(encoding), "x")
        unsure[n_lines] += not found.is_certain
        if found.is_certain and read != text:
            wrong.append((code, encoding, n_lines, found))
    assert wrong == []
    # Without Romanian, whose two forms of ş are at the same place in two encodings.
    n_expected = len([code for code, _ in PAIRS if code == "ro"])
    assert unsure[5] <= 0.2 * len(PAIRS)
    assert unsure[50] <= n_expected + 2
    assert unsure[500] <= n_expected + 2


@pytest.mark.parametrize("place", ["begin", "end"])
def test_a_letter_at_either_end_of_a_large_file_counts(place: str) -> None:
    lines = ["an ordinary line of words"] * 120_000
    lines[0 if place == "begin" else -1] = "Größe;text"
    text = "\n".join(lines)
    assert len(text) > MAX_SEARCHED
    assert decode(text.encode("cp1252"), "x") == text


@pytest.mark.parametrize("n_old", [1, 5, 19])
@pytest.mark.parametrize(("code", "encoding"), [("de", "cp1252"), ("pl", "cp1250")])
def test_lines_of_an_old_encoding_among_lines_in_utf8(code: str, encoding: str, n_old: int) -> None:
    lines = lines_of(code, encoding, 20).split("\n")
    data = b"\n".join(
        line.encode(encoding if number < n_old else "utf-8") for number, line in enumerate(lines)
    )
    read, found = decode_with_encoding(data, "x")
    assert read == "\n".join(lines) or not found.is_certain
    if n_old > 1:
        assert read == "\n".join(lines)
        assert found.name.startswith(f"UTF-8, and {encoding} on ")


def test_cells_of_two_encodings_in_one_line() -> None:
    line = SAMPLES["german"]
    data = b"\n".join([line.encode() + b";" + line.encode("cp1252")] * 3)
    assert decode(data, "x") == "\n".join([f"{line};{line}"] * 3)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("sample", sorted(SAMPLES))
def test_wide_encodings_without_a_mark(sample: str, encoding: str) -> None:
    text = f"{SAMPLES[sample]}\nabc {SAMPLES[sample]}\n"
    read, found = decode_with_encoding(text.encode(encoding), "x")
    assert (read, found.name) == (text, encoding.upper())


@given(
    words=st.lists(
        st.sampled_from(
            ["Größe", "Äpfel", "naïve", "don’t", "„Wort“", "łódź", "žluť", "déjà", "ångström"]
        )
    ),
    n_right=st.integers(0, 3),
)
def test_texts_that_were_encoded_twice_are_read_as_written(words: list[str], n_right: int) -> None:
    right = " ".join(["Größe don’t", *words, "für", "Straße"])
    # Five bytes have no character in cp1252.
    twice = "".join(
        bytes([byte]).decode("cp1252" if byte not in b"\x81\x8d\x8f\x90\x9d" else "latin-1")
        for byte in right.encode()
    )
    text, found = decode_with_encoding("\n".join([twice, twice, *[right] * n_right]).encode(), "t")
    assert text.split("\n") == [right] * (2 + n_right)
    assert "encoded twice" in found.name
    # So is text behind the mark of UTF-8.
    assert decode("\n".join([twice, twice]).encode("utf-8-sig"), "t").split("\n") == [right] * 2
    # An encoding that is given is taken as it is.
    assert decode_with_encoding(twice.encode(), "t", "utf-8")[0] == twice


@given(st.lists(st.sampled_from(["Spaß“", "É”", "CAFÉ…", "à\xa0«", "café\xa0»", "NÃO”", "Größe"])))
def test_letters_before_quotation_marks_are_not_decoded_again(words: list[str]) -> None:
    text = " ".join(["« Spaß“ »", *words])
    assert decode(text.encode(), "t") == text


@pytest.mark.parametrize(
    "text",
    [
        "cells of 1,200 Å² and 1500 Å³, and 900 Å³",
        "2 Å\xa0resolution and 3 Å\xa0resolution",
        "between 3 Å–4 Å and 5 Å–6 Å, or 2.5 Å… and 2 Å…",
        "“AMANHÃ” e “IRMÃ” e “AMANHÃ”",
        "Die Taste „Ä“ klemmt. Auch die Taste „Ä“ und die „Å“.",
        "Tastene «Å» og «Ä» og «Å»",
        "Litera „Â” și litera „Â”",
        "I donÂ’t know; itÂ’s Â– really Â– late",
        "brand BRÅ™ and brand BRÅ™",
    ],
)
@given(n_rows=st.integers(1, 40), n_clear=st.integers(0, 1))
def test_letters_that_are_right_in_some_language_stay(text: str, n_rows: int, n_clear: int) -> None:
    rows = [text] * n_rows + ["plain words"] * 3 + ["cafÃ©"] * n_clear
    assert decode("\n".join(rows).encode(), "t").split("\n") == rows
    marked = "\n".join(rows).encode("utf-8-sig")
    assert decode(marked, "t").split("\n") == rows


def test_quotation_marks_of_two_encodings_beside_clear_runs() -> None:
    text = "I donÂ’t go to the cafÃ© with the naÃ¯ve"
    assert decode(text.encode(), "t") == "I don’t go to the café with the naïve"


def test_escape_codes_are_not_read_as_text() -> None:
    assert decode(SAMPLES["japanese"].encode("iso2022_jp"), "x") == SAMPLES["japanese"]


def test_the_encoding_is_always_reported() -> None:
    guesses: list[Guess] = []
    for data in (b"abc", "ä".encode(), b"\xe4"):
        decode(data, "x", None, guesses)
    decode(b"\xe4", "x", "cp1252", guesses)
    assert [guess.value for guess in guesses] == ["UTF-8", "UTF-8", "cp1252, not certain", "cp1252"]
    assert all(guess.option == "encoding" for guess in guesses)
    assert [bool(guess.reason) for guess in guesses] == [True, True, True, False]


def test_a_rare_letter_in_a_large_file_counts() -> None:
    # The Euro sign, which distinguishes the two encodings, occurs once in three million bytes.
    text = f"{SAMPLES['german']}\n" * 40_000 + "Es kostet 5 € mehr\n" + "nichts\n" * 1000
    assert decode(text.encode("cp1252"), "x") == text
    read, found = decode_with_encoding(text.encode("iso8859_15"), "x")
    assert read == text or not found.is_certain


@pytest.mark.parametrize("data", [b"\xe4" * 10_000_000, bytes(range(128, 256)) * 50_000])
def test_long_lines_take_bounded_time(data: bytes) -> None:
    begin = time.process_time()
    decode(data, "x")
    assert time.process_time() - begin < 20
