"""Office files, web pages, subtitles and mail made by hand: their words, and what is refused."""

from __future__ import annotations

import time
import zipfile
from email.message import EmailMessage
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data import office, pdf
from orrery.core.data.files import DOCUMENT_SUFFIXES, read_file
from orrery.core.data.folders import joined_guesses, read_folder, read_zip
from orrery.core.data.guesses import Guess
from orrery.core.data.mailboxes import read_mailbox
from orrery.core.data.pdf import paragraphs, without_running_heads
from orrery.core.data.raw import RawDocuments, RawTable
from orrery.core.data.readers import open_source, read_documents
from orrery.core.data.rich_text import plain_text, read_html, read_subtitles
from orrery.core.data.tables import TableOptions
from orrery.core.utils.errors import InputError
from tests.hostile import archive, office_files

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def docx(body: str, **others: str) -> bytes:
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    return archive({"word/document.xml": document, **others})


def xlsx(rows: str) -> bytes:
    """Spreadsheet with one sheet, whose rows are XML."""
    return archive(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
            'content-types"/>',
            "_rels/.rels": f'<Relationships {RELATIONS}><Relationship Id="r1" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook {SHEET} xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships {RELATIONS}><Relationship Id="r1" '
            f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f"<worksheet {SHEET}><sheetData>{rows}</sheetData>"
            "</worksheet>",
            "xl/vbaProject.bin": b"\0" * 100,
        }
    )


def inline(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def test_only_the_text_of_a_word_file_is_read() -> None:
    body = (
        "<w:p><w:r><w:t>Kept</w:t><w:tab/><w:t>words</w:t></w:r><w:del><w:r>"
        "<w:delText>deleted</w:delText></w:r></w:del></w:p>"
        "<w:p><w:r><w:instrText>HYPERLINK</w:instrText></w:r></w:p><w:p/>"
        '<w:p><w:r><mc:Choice xmlns:mc="mc"><w:t>box</w:t></mc:Choice>'
        '<mc:Fallback xmlns:mc="mc"><w:t>box</w:t></mc:Fallback></w:r></w:p>'
    )
    notes = f"<w:footnotes {W}><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnotes>"
    data = docx(body, **{"word/footnotes.xml": notes, "word/comments.xml": "<broken"})
    assert office.read_docx("a.docx", data) == "Kept\twords\n\nbox\n\nnote"


def test_text_that_was_moved_with_tracked_changes_is_read_once() -> None:
    body = (
        '<w:p><w:pPr><w:rPr><w:moveFrom w:id="1"/></w:rPr></w:pPr><w:moveFrom w:id="2"><w:r>'
        "<w:t>moved</w:t><w:tab/></w:r></w:moveFrom></w:p>"
        "<w:p><w:r><w:t>Stays</w:t></w:r><w:del><w:r><w:br/><w:delText>gone</w:delText></w:r>"
        "</w:del><w:r><w:t>.</w:t></w:r></w:p>"
        '<w:p><w:moveTo w:id="3"><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p>'
    )
    assert office.read_docx("a.docx", docx(body)) == "Stays.\n\nmoved"


def test_the_text_may_be_in_another_part() -> None:
    relations = (
        f'<Relationships {RELATIONS}><Relationship Id="r" Type="{OFFICE}/officeDocument" '
        'Target="/word/document2.xml"/></Relationships>'
    )
    document = f"<w:document {W}><w:p><w:r><w:t>here</w:t></w:r></w:p></w:document>"
    data = archive({"_rels/.rels": relations, "word/document2.xml": document})
    assert office.read_docx("a.docx", data) == "here"
    for target in ("", "/", "."):
        without = relations.replace("/word/document2.xml", target)
        data = archive({"_rels/.rels": without, "word/document.xml": document})
        assert office.read_docx("a.docx", data) == "here"


def test_entities_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret words")
    declared = f'<!DOCTYPE d [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    document = f"{declared}<w:document {W}><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:document>"
    with pytest.raises(InputError, match=r"a\.docx declares a document type"):
        office.read_docx("a.docx", archive({"word/document.xml": document}))
    laughs = (
        '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
        f"<worksheet {SHEET}><sheetData/></worksheet>"
    )
    data = archive({"xl/worksheets/sheet1.xml": laughs})
    with pytest.raises(InputError, match="declares a document type"):
        office.read_spreadsheet("a.xlsx", data)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("a.docx", "word/document.xml"),
        ("a.odt", "content.xml"),
        ("a.xlsx", "xl/worksheets/sheet1.xml"),
        ("a.ods", "content.xml"),
    ],
)
def test_bombs_are_refused_by_their_headers(
    tmp_path: Path, name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "MAX_XML", 10**6)
    monkeypatch.setattr(office, "_parse", lambda *_: pytest.fail("it was read"))
    (tmp_path / name).write_bytes(archive({part: b" " * (10**6 + 1)}))
    with pytest.raises(InputError, match=rf"{name} unpacks to 1\.0 MB, over the limit"):
        open_source(tmp_path / name)
    # Parts that are not read may be large: pictures, for example.
    harmless = docx("<w:p><w:r><w:t>word</w:t></w:r></w:p>", **{"word/media/a.png": " " * 10**7})
    monkeypatch.undo()
    monkeypatch.setattr(office, "MAX_XML", 10**6)
    assert office.read_docx("a.docx", harmless) == "word"


@pytest.mark.parametrize("part", ["mimetype", "META-INF/manifest.xml", "content.xml"])
def test_damage_to_any_part_is_one_sentence(part: str) -> None:
    """Parts without text are copied, or searched for a password, before anything is parsed."""
    parts = office_files()["a.ods"]
    packed = archive(parts, zipfile.ZIP_STORED)
    assert len(office.read_spreadsheet("a.ods", packed).table) >= 29
    place = packed.index(parts[part]) + 3
    damaged = packed[:place] + b"#" + packed[place + 1 :]
    with pytest.raises(InputError, match=r"a\.ods .*is damaged"):
        office.read_spreadsheet("a.ods", damaged)


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_cell_far_away_is_refused_in_one_sentence(kind: str) -> None:
    if kind == "xlsx":
        data = xlsx(f"<row>{inline('A1', 'a')}</row><row>{inline('XFD1048576', 'b')}</row>")
    else:
        table = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
        content = (
            f'<c xmlns:t="{table}"><t:table t:name="One"><t:table-row '
            't:number-rows-repeated="1048576"><t:table-cell t:number-columns-repeated="16384" '
            'value-type="string"/></t:table-row></t:table></c>'
        )
        data = archive({"content.xml": content})
    with pytest.raises(InputError, match=r"row 1,048,576 and one in column 16,384"):
        office.read_spreadsheet(f"a.{kind}", data)


def test_a_spreadsheet_is_a_table_without_its_macros() -> None:
    rows = f"<row>{inline('A1', 'text')}{inline('B1', 'label')}</row>"
    for number in range(2, 40):
        rows += (
            f"<row>{inline(f'A{number}', f'words, of row &quot;{number}&quot;')}"
            f'<c r="B{number}"><v>{number % 3}.0</v></c></row>'
        )
    table = office.read_spreadsheet("a.xlsm", xlsx(rows))
    assert isinstance(table, RawTable)
    assert table.table["text"].tolist() == [f'words, of row "{n}"' for n in range(2, 40)]
    assert table.table["label"].astype(str).tolist() == [str(n % 3) for n in range(2, 40)]
    assert table.guesses[0] == Guess("sheet", "“One”", "the only one with filled cells", "sheet")
    assert not {guess.option for guess in table.guesses} & {"encoding", "delimiter"}


def test_the_lines_of_a_sheet_are_its_rows() -> None:
    """A cell with line breaks is in one row, and an empty row counts."""
    rows = f'<row r="1">{inline("A1", "Survey of parks&#10;by Anna&#13;&#10;for the team")}</row>'
    rows += f'<row r="3">{inline("A3", "id")}{inline("B3", "answer")}</row>'
    for number in range(4, 30):
        rows += f'<row r="{number}">{inline(f"A{number}", f"r{number}")}'
        text = f"the answer {number}&#10;has words and a path, C:\\temp\\"
        rows += f"{inline(f'B{number}', text)}</row>"
    data = xlsx(rows)
    table = office.read_spreadsheet("a.xlsx", data)
    assert [guess.value for guess in table.guesses if guess.what == "header"] == ["line 3"]
    assert table.title == "Survey of parks by Anna for the team"
    given = office.read_spreadsheet("a.xlsx", data, options=TableOptions(header="3"))
    for found in (table.table, given.table):
        assert found["answer"].tolist() == [
            f"the answer {n}\nhas words and a path, C:\\temp\\" for n in range(4, 30)
        ]
    with pytest.raises(InputError, match=r"line 2 of a\.xlsx has no column names"):
        office.read_spreadsheet("a.xlsx", data, options=TableOptions(header="2"))


def test_backslashes_in_a_spreadsheet_are_text() -> None:
    texts = ["in C:\\temp\\", "the second", "use grep \\&quot;word\\&quot;", "\\", "\\", "last"]
    cells = [inline(f"A{number}", text) for number, text in enumerate(["text", *texts], start=1)]
    table = office.read_spreadsheet("a.xlsx", xlsx("".join(f"<row>{cell}</row>" for cell in cells)))
    assert isinstance(table, RawTable)
    assert table.table["text"].tolist() == [text.replace("&quot;", '"') for text in texts]
    assert not any("backslash" in guess.what for guess in table.guesses)


def test_sheets_of_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\nwords\n")
    with pytest.raises(InputError, match=r"a\.csv has no sheets; leave out --sheet"):
        read_documents(tmp_path / "a.csv", sheet="One")


@given(st.sampled_from(sorted(DOCUMENT_SUFFIXES | office.SHEET_SUFFIXES)), st.binary(max_size=300))
@settings(deadline=None)
def test_broken_files_raise_one_sentence_that_names_them(suffix: str, data: bytes) -> None:
    for start in (b"", b"PK\3\4", b"%PDF-1.4\n", b"{\\rtf1 ", office.OLE_MARK):
        try:
            if suffix in office.SHEET_SUFFIXES:
                office.read_spreadsheet(f"broken{suffix}", start + data)
            else:
                read_file(PurePosixPath(f"broken{suffix}"), start + data, None, [])
        except InputError as error:
            message = str(error)
        else:
            message = "broken files may still be read"
        assert message.startswith(("broken", "a sheet of broken"))
        assert "\n" not in message


def test_a_broken_file_in_a_folder_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = docx("<w:p><w:r><w:t>good words</w:t></w:r></w:p>")
    files = {"a/good.docx": good, "a/broken.docx": good[:200], "b/text.html": b"<p>web words</p>"}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    for raw in (read_folder(tmp_path), read_zip("all.zip", archive(dict(files)))):
        assert isinstance(raw, RawDocuments)
        assert raw.table["text"].tolist() == ["good words", "web words"]
        assert raw.table["label"].tolist() == ["a", "b"]
        assert raw.skipped == ("a/broken.docx",)
        assert raw.guesses[-1].what == "file left out"
        assert raw.guesses[-1].value == "a/broken.docx"
        assert raw.guesses[-1].reason.startswith("is not a Word file or is damaged")


def test_guesses_on_many_files_are_joined() -> None:
    utf8, other = Guess("encoding", "utf-8", "a", "encoding"), Guess("encoding", "cp1252", "b")
    heads = [Guess("running heads", str(number)) for number in range(7)]
    found = joined_guesses([utf8, other, utf8, *heads])
    assert found[:2] == [Guess("encoding", "utf-8", "in 2 files", "encoding"), other]
    assert found[2:7] == heads[:5]
    assert found[7:] == [Guess("running heads", "and 2 more", "in other files")]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            f"{n} Chapter One",
            "body text " + "x" * n,
            "more " + "y" * n,
            "* footnote",
            f"page {n} of 9",
        ]
        for n in range(1, 10)
    ]
    kept, heads = without_running_heads(pages)
    assert [page[:2] for page in kept] == [page[1:3] for page in pages]
    assert heads.total() == 27
    # On two pages nothing repeats enough.
    assert without_running_heads(pages[:2])[0] == pages[:2]


def test_lines_are_joined_to_paragraphs_and_words_over_line_ends() -> None:
    text = f"Toma{pdf.HYPHEN}toes and well{pdf.HYPHEN}known and well-known x-\nrays\n"
    assert pdf._join_words(text) == "Tomatoes and well-known and well-known xrays\n"
    pages = [["a" * 50, "b" * 48, "end.", "c" * 50], ["d" * 50, "f" * 20, "漢" * 50, "字" * 50]]
    assert paragraphs(pages) == [
        f"{'a' * 50} {'b' * 48} end.",
        f"{'c' * 50} {'d' * 50} {'f' * 20}",
        f"{'漢' * 50}{'字' * 50}",
    ]


def test_web_pages_without_markup_and_in_their_encoding() -> None:
    page = (
        "<!DOCTYPE html><html><head><title>A &amp; B</title><meta charset=iso-8859-2>"
        "<style>p { x }</style></head><body><!-- comment <p> --><p>Łódź <b>bo</b>ld<br>next"
        "<script>if (a < b) { '</p>' }</script><ul><li title='a>b'>one<li>two</ul>"
        "<td>3</td><td>4</td> 1 < 2 &lt;tag&gt;"
    )
    guesses: list[Guess] = []
    text, title = read_html("a.html", page.encode("iso-8859-2"), None, guesses)
    assert text == "Łódź bold\nnext\n\none\n\ntwo\n\n3 4 1 < 2 <tag>"
    assert title == "A & B"
    assert guesses == [Guess("encoding", "iso8859-2", "a.html declares it", "encoding")]


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!--", "<![", "<!", "<?", "</", "<a b='", "<script>", "<b><p>", "<!--><"]
)
def test_malformed_web_pages_take_linear_time(piece: str) -> None:
    start = time.perf_counter()
    plain_text(piece * 100_000)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize("form", ["{}: {}", "<v {}>{}</v>"])
@pytest.mark.parametrize("names", [("Anna Smith", "Bob"), ("Ève", "Dr. Ng"), ("Speaker 1", "李")])
def test_every_speaker_of_a_meeting_begins_a_paragraph(form: str, names: tuple[str, str]) -> None:
    cues = [
        f"00:00:{n:02}.000 --> 00:00:{n:02}.900\n{form.format(names[n % 2], f'words of {n}.')}"
        for n in range(20)
    ]
    text = read_subtitles("a.vtt", "\n\n".join(["WEBVTT", *cues]).encode(), None, [])
    assert text.split("\n\n") == [f"{names[n % 2]}: words of {n}." for n in range(20)]


@pytest.mark.parametrize("words", [["Remember: it"], ["Note: it", "Warning: it"], ["Note: it"] * 4])
def test_words_before_a_colon_are_no_speakers(words: list[str]) -> None:
    cues = [
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{text} is\n"
        for n, text in enumerate(["He said that", *(f"{word} {n}" for n, word in enumerate(words))])
    ]
    text = read_subtitles("a.srt", "\n".join(cues).encode(), None, [])
    assert "\n" not in text


def test_subtitles_are_text_without_times() -> None:
    srt = (
        "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>First</i> line\r\nof it\r\n\r\n"
        "2\r\n00:00:02,500 --> 00:00:03,000\r\nof it\r\ngoes on.\r\n\r\n"
        "3\r\n00:00:09,000 --> 00:00:10,000\r\n42\r\n"
    )
    assert read_subtitles("a.srt", srt.encode(), None, []) == "First line of it goes on.\n\n42"
    vtt = (
        "WEBVTT\n\nNOTE left out\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:02.000 align:start\n"
        "<v Anna Smith>Yes &amp; no\n\n00:02.000 --> 00:03.000\n<v Bo>Perhaps</v>\n"
    )
    expected = "Anna Smith: Yes & no\n\nBo: Perhaps"
    assert read_subtitles("a.vtt", vtt.encode(), None, []) == expected


def test_a_speaker_without_text_leaves_no_paragraph() -> None:
    vtt = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Hello there\n\n"
        "00:09.000 --> 00:10.000\n<v Ben>Good day\n\n00:20.000 --> 00:21.000\n<v Anna>\n"
    )
    text = read_subtitles("a.vtt", vtt.encode(), None, [])
    assert text == "Anna: Hello there\n\nBen: Good day"


@pytest.mark.parametrize("element", ["script", "title", "iframe", "svg"])
def test_an_element_that_closes_itself_hides_no_text(element: str) -> None:
    page = f'<{element} src="x"/><p>first</p><{element}/><p>second</p>'
    assert plain_text(page) == "first\n\nsecond"
    assert plain_text(f"{page}<{element}>hidden</{element}><p>third</p>").endswith("third")
    assert "hidden" not in plain_text(f"{page}<{element}>hidden</{element}>")
    # Without quotes, the stroke belongs to the address.
    assert plain_text(f"<{element} src=a/>hidden</{element}><p>shown</p>") == "shown"


def test_mail_and_mailboxes() -> None:
    message = EmailMessage()
    message["Subject"], message["From"] = "Grüße aus Łódź", "Anna <Anna@Example.org>"
    message["Date"] = "Fri, 05 Mar 2021 10:00:00 +0100"
    message.set_content("Der Text\n\nFrom the start")
    message.add_alternative("<p>the same in HTML</p>", subtype="html")
    message.add_attachment(b"secret words", "text", "plain", filename="a.txt")
    (mail,) = read_file(PurePosixPath("a.eml"), message.as_bytes(), None, [])
    assert mail.text == "Grüße aus Łódź\n\nDer Text\n\nFrom the start"
    expected = ("Grüße aus Łódź", "2021-03-05", "anna@example.org")
    assert (mail.title, mail.date, mail.sender) == expected
    box = b"".join(
        b"From anna@example.org Fri Mar  5 10:00:00 2021\n" + message.as_bytes() + b"\n"
        for _ in range(3)
    )
    assert [found.text for found in read_mailbox("a.mbox", box)] == [mail.text] * 3


def test_mail_that_declares_no_encoding_is_decoded_like_a_file() -> None:
    text = "Привет, как дела? Это письмо о погоде и о музыке."
    head = "From: a@b.c\nSubject: Погода и музыка\n{}\n"
    for declared in ("", "Content-Type: text/plain; charset=unknown-8bit\n"):
        data = (head.format(declared) + text).encode("koi8-r")
        for encoding in (None, "koi8-r"):
            guesses: list[Guess] = []
            (mail,) = read_file(PurePosixPath("a.eml"), data, encoding, guesses)
            assert mail.text == f"Погода и музыка\n\n{text}"
            assert [guess.what for guess in guesses] == ["encoding"]
        box = b"".join(b"From a@b.c Fri Mar  5 10:00:00 2021\n" + data + b"\n\n" for _ in range(3))
        guesses = []
        assert len(read_file(PurePosixPath("a.mbox"), box, None, guesses)) == 3
        assert len(guesses) == 1
    with pytest.raises(InputError, match="no text encoding"):
        read_file(PurePosixPath("a.eml"), data, "nonsense", [])


def test_a_doc_in_the_format_of_rtf_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_bytes(rb"{\rtf1\ansi\ansicpg1252 Hello river stone\par}")
    for source in (tmp_path / "a.doc", tmp_path):
        assert read_documents(source).table["text"].tolist() == ["Hello river stone"]
