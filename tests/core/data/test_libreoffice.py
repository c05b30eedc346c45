"""Office files that LibreOffice made are imported with their words."""

import random
import re
import time
from pathlib import Path

import pytest

from orrery.core.data.guesses import Guess
from orrery.core.data.raw import RawDocuments
from orrery.core.data.readers import read_documents
from orrery.core.utils.errors import InputError
from tests.libreoffice import converted, flat_spreadsheet, flat_text

PARAGRAPHS = [
    "Die Häuser am Fluß — „alte Mühlen“ — wurden 1875 gebaut, sagt der Œuvre-Katalog.",
    "Ребёнок читал книгу 𝔸 & <b>κόσμος</b> über die Donaudampfschifffahrtsgesellschaft. " * 8,
    "short line",
    "Tomatoes need water; onions do not. " * 12,
]
NOTE = "A footnote about seedlings today."
KINDS = ("docx", "odt", "rtf", "pdf", "html")


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d]+", text)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    source = flat_text(PARAGRAPHS, head="Report of the Mill", foot="Page", note=NOTE)
    return converted(source, tmp_path_factory.mktemp("office"), *KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_of_each_kind_has_its_words(made: dict[str, Path], kind: str) -> None:
    raw = read_documents(made[kind])
    assert isinstance(raw, RawDocuments)
    (text,) = raw.table["text"]
    # The library for rich text leaves footnotes out.
    expected = [*words(" ".join(PARAGRAPHS)), *(words(NOTE) if kind != "rtf" else [])]
    # The running head stays where it is on one or two pages. In PDF, a letter from another font may
    # be at another place of its line.
    extra = {*words("Report of the Mill Page"), *("𝔸" if kind == "pdf" else "")}
    assert [word for word in words(text) if word not in extra] == [
        word for word in expected if word not in extra
    ]
    assert text.count("short line\n") == 1


def test_a_spreadsheet_reads_like_its_csv(tmp_path: Path) -> None:
    rows = [["Key", "Text of the answer", "Year", "Day"]]
    rows += [
        [str(number), f"the answer {number} has, “commas”;\nand two lines", "2021", "2021-03-05"]
        for number in range(30)
    ]
    sheets = {"Read me": [["About this file"]], "Answers": [[], ["", ""], *rows], "Codes": [["a"]]}
    files = converted(flat_spreadsheet(sheets), tmp_path, "xlsx", "ods")
    for path in files.values():
        raw = read_documents(path, text_column="Text of the answer", id_column="Key")
        assert isinstance(raw, RawDocuments)
        assert raw.table["id"].tolist() == [row[0] for row in rows[1:]]
        assert raw.table["text"].tolist() == [row[1] for row in rows[1:]]
        assert raw.table["Year"].astype(str).tolist() == ["2021"] * 30
        assert raw.table["Day"].tolist() == ["2021-03-05"] * 30
        (header,) = [guess for guess in raw.guesses if guess.what == "header"]
        assert header.value == "line 3"
        assert raw.guesses[0] == Guess(
            "sheet",
            "“Answers”",
            "it holds the most text; the others with filled cells: “Read me”, “Codes”",
            "sheet",
        )
        for sheet in ("answers", "2"):
            chosen = read_documents(path, sheet=sheet, text_column="Text of the answer")
            assert len(chosen.table) == 30
        with pytest.raises(InputError, match="its sheets are “Read me”, “Answers”, “Codes”"):
            read_documents(path, sheet="Daten")


def test_300_pages_of_pdf_in_30_seconds_without_running_heads(tmp_path: Path) -> None:
    # A word for each number, so that no two lines are equal.
    rng = random.Random(0)
    vocabulary = ["".join(rng.choices("aeioulmnrst", k=rng.randint(2, 9))) for _ in range(5_000)]
    texts = [f"{' '.join(rng.choices(vocabulary, k=120))}." for _ in range(1_900)]
    source = flat_text(texts, head="On Gardens", foot="page")
    path = converted(source, tmp_path, "pdf")["pdf"]
    # Libraries are loaded before the time is taken.
    read_documents(converted(flat_text(["warm"]), tmp_path, "pdf", name="warm")["pdf"])
    start = time.perf_counter()
    raw = read_documents(path)
    seconds = time.perf_counter() - start
    assert isinstance(raw, RawDocuments)
    (text,) = raw.table["text"]
    (heads,) = [guess for guess in raw.guesses if guess.what == "running heads"]
    n_pages = int(heads.value.partition(" ")[0].replace(",", "")) // 2
    assert n_pages >= 300
    assert seconds < 30
    assert "On Gardens" not in text
    assert words(text) == words(" ".join(texts))
