"""Word processor files and spreadsheets: ``.docx``, ``.odt``, ``.xlsx``, ``.xlsm`` and ``.ods``.

They are archives of XML parts. Only the parts with text are unpacked, and their sizes are checked
first. Macros, embedded objects and pictures are never opened, and a part that declares a document
type, without which there are no entities, is refused.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .encodings import storable_text
from .guesses import Guess
from .limits import check_memory, refuse_expansion, refusing_damage
from .raw import RawTable
from .table_rows import with_plain_ends
from .tables import TableOptions, table_of_cells

if TYPE_CHECKING:
    import python_calamine
else:
    python_calamine = LazyModule("python_calamine")

SHEET_SUFFIXES = frozenset({".xlsx", ".xlsm", ".ods"})
# Bytes that the parts of a file may unpack to: 100 times the XML of a long book.
MAX_XML = 2**30
# Cells of a sheet between the first and the last that is filled, and bytes for each of them.
MAX_CELLS, CELL_BYTES = 50_000_000, 48
# Maximum number of spaces that one element of an OpenDocument text may represent.
MAX_SPACES = 100
CHUNK = 2**16
# First bytes of the binary format of earlier versions of Office, and of files with a password.
OLE_MARK = b"\xd0\xcf\x11\xe0"
BETWEEN_PARAGRAPHS = "\n\n"
# Parts of a spreadsheet that contain cells, and what is needed to find and read them.
_SHEET_PARTS = re.compile(
    r"\[Content_Types\]\.xml|mimetype|content\.xml|.*\.rels|META-INF/manifest\.xml"
    r"|xl/(?:worksheets/.*|workbook|sharedStrings|styles)(?:\.xml)?",
    re.IGNORECASE,
)
_CELL_NAME = re.compile(r"([A-Z]{1,3})(\d{1,7})")
# Sheets that are named in the report.
SHEETS_NAMED = 5

Attributes = dict[str, str]


class _Handlers(NamedTuple):
    start: Callable[[str, Attributes], None]
    end: Callable[[str], None]
    text: Callable[[str], None]


def read_docx(name: str, data: bytes) -> str:
    """Text of a Word file: its paragraphs, then its footnotes and endnotes.

    Text that a tracked change deleted is left out, and so are comments, headers and footers. Text
    that it moved is read where it is now.

    Raises InputError if the file is damaged, locked, or unpacks to too much.
    """
    with _archive(name, data, "Word file") as archive:
        main = _main_part(name, archive)
        notes = [str(main.with_name(f"{kind}notes.xml")) for kind in ("foot", "end")]
        parts = [str(main), *(part for part in notes if part in archive.namelist())]
        _check_parts(name, archive, parts)
        texts = _Paragraphs()
        for part in parts:
            _parse(name, archive, part, _docx_handlers(texts))
    return texts.joined()


def read_odt(name: str, data: bytes) -> str:
    """Text of an OpenDocument text: its paragraphs, then its notes.

    Text that a tracked change deleted is left out, and so are comments, headers and footers.

    Raises InputError if the file is damaged, locked, or unpacks to too much.
    """
    with _archive(name, data, "OpenDocument text") as archive:
        _check_parts(name, archive, ["content.xml"])
        _refuse_locked(name, archive)
        texts, notes = _Paragraphs(), _Paragraphs()
        _parse(name, archive, "content.xml", _odt_handlers(texts, notes))
    return BETWEEN_PARAGRAPHS.join(filter(None, (texts.joined(), notes.joined())))


def read_spreadsheet(
    name: str,
    data: bytes,
    sheet: str | None = None,
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable:
    """Table of one sheet of a spreadsheet.

    Raises InputError if the file is damaged, locked, too large, or has no such sheet.

    Parameters
    ----------
    sheet : str, optional
        Name of the sheet, or its number from 1. Default: the visible sheet with the most text.
    """
    with _archive(name, data, "spreadsheet") as archive:
        parts = [part for part in archive.namelist() if _SHEET_PARTS.fullmatch(part)]
        _check_parts(name, archive, parts)
        _refuse_locked(name, archive)
        # Any part may be named as a sheet; these two have no cells.
        for part in parts:
            if part not in ("mimetype", "META-INF/manifest.xml"):
                _check_cells(name, archive, part)
        # The library reads a copy without macros and objects, whose sizes are true.
        copy = io.BytesIO()
        with (
            refusing_damage(_damaged(name, "spreadsheet")),
            zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as copied,
        ):
            for part in parts:
                copied.writestr(part, archive.read(part))
    with refusing_damage(_damaged(name, "spreadsheet")):
        copy.seek(0)
        workbook = python_calamine.load_workbook(copy)
        shown = [
            found.name
            for found in workbook.sheets_metadata
            if found.typ == python_calamine.SheetTypeEnum.WorkSheet
            and (found.visible == python_calamine.SheetVisibleEnum.Visible or sheet is not None)
        ]
    if sheet is not None:
        shown = [_named_sheet(name, shown, sheet)]
    tables = {}
    for number, title in enumerate(shown, start=1):
        with refusing_damage(_damaged(name, "spreadsheet")):
            tables[title] = [
                [_cell_text(cell) for cell in row]
                for row in workbook.get_sheet_by_name(title).to_python(skip_empty_area=False)
            ]
        progress(number / len(shown))
    filled = {title: rows for title, rows in tables.items() if any(map(any, rows))}
    if not filled:
        where = f"the sheet “{shown[0]}” of {name} has" if sheet is not None else f"{name} has"
        raise InputError(f"{where} no filled cell; give a sheet with a row for each document")
    chosen = max(filled, key=lambda title: sum(len(cell) for row in filled[title] for cell in row))
    table = table_of_cells(name, filled[chosen], options)
    reason = _why_this_sheet([title for title in filled if title != chosen])
    guess = Guess("sheet", f"“{chosen}”", "" if sheet is not None else reason, "sheet")
    return replace(table, guesses=(guess, *table.guesses))


class _Paragraphs:
    """Paragraphs that are not empty, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.open: list[str] = []

    def add(self, text: str) -> None:
        self.open.append(text)

    def close(self) -> None:
        """End a paragraph."""
        text = "".join(self.open).strip()
        self.open.clear()
        if text:
            self.done.append(text)

    def joined(self) -> str:
        """All paragraphs, with blank lines between them."""
        self.close()
        return storable_text(BETWEEN_PARAGRAPHS.join(self.done))


def _archive(name: str, data: bytes, kind: str) -> zipfile.ZipFile:
    if data.startswith(OLE_MARK):
        raise InputError(
            f"{name} is locked with a password or in a format of before 2007; save it without a "
            "password in a current format"
        )
    with refusing_damage(_damaged(name, kind)):
        return zipfile.ZipFile(io.BytesIO(data))


def _damaged(name: str, kind: str) -> str:
    return f"{name} is not a {kind} or is damaged; save it again"


def _check_parts(name: str, archive: zipfile.ZipFile, parts: list[str]) -> None:
    """Refuse parts that are missing, or unpack to more than the limit or the free memory."""
    with refusing_damage(f"{name} is damaged or of another kind than its name says; save it again"):
        entries = [archive.getinfo(part) for part in parts]
    size = sum(entry.file_size for entry in entries)
    refuse_expansion(name, size, MAX_XML)
    check_memory(name, size, 2)
    if any(entry.flag_bits & 1 for entry in entries):
        raise InputError(f"{name} is locked with a password; save it without one")


def _refuse_locked(name: str, archive: zipfile.ZipFile) -> None:
    """Refuse an OpenDocument file with a password, whose parts are no XML."""
    manifest = "META-INF/manifest.xml"
    if manifest in archive.namelist() and archive.getinfo(manifest).file_size < CHUNK * CHUNK:
        with (
            refusing_damage(f"{name} is damaged ({manifest} cannot be read); save it again"),
            archive.open(manifest) as part,
        ):
            if b"encryption-data" in part.read(CHUNK):
                raise InputError(f"{name} is locked with a password; save it without one")


def _main_part(name: str, archive: zipfile.ZipFile) -> PurePosixPath:
    """Part of a Word file with its text; some programs give it another name."""
    found = ["word/document.xml"]

    def start(tag: str, attributes: Attributes) -> None:
        if attributes.get("Type", "").endswith("/officeDocument"):
            part = attributes.get("Target", "").lstrip("/")
            found.extend([part] if PurePosixPath(part).name else [])

    if "_rels/.rels" in archive.namelist():
        _check_parts(name, archive, ["_rels/.rels"])
        _parse(name, archive, "_rels/.rels", _Handlers(start, lambda _: None, lambda _: None))
    return PurePosixPath(found[-1])


def _parse(name: str, archive: zipfile.ZipFile, part: str, handlers: _Handlers) -> None:
    """Parse a part; tags are ``namespace name``, and attributes have no namespace."""

    def refuse(*_: object) -> None:
        raise InputError(f"{name} declares a document type, which such files never do")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda tag, found: handlers.start(
        tag, {key.rpartition(" ")[2]: value for key, value in found.items()}
    )
    parser.EndElementHandler = handlers.end
    parser.CharacterDataHandler = handlers.text
    with refusing_damage(f"{name} is damaged ({part} cannot be read); save it again"):
        with archive.open(part) as stream:
            while chunk := stream.read(CHUNK):
                parser.Parse(chunk)
        parser.Parse(b"", True)


def _docx_handlers(texts: _Paragraphs) -> _Handlers:
    signs = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
    # Copies of what is shown, and text that a tracked change deleted, or moved from here.
    skipped = {"Fallback", "del", "moveFrom"}
    # Depth in these elements, and whether an element of text is open.
    depth, is_text = 0, False

    def start(tag: str, _: Attributes) -> None:
        nonlocal depth, is_text
        space, element = tag.rpartition(" ")[::2]
        if element in skipped:
            depth += 1
        elif "wordprocessingml" in space and not depth:
            is_text = element == "t"
            # A text box stands inside a paragraph.
            if element == "txbxContent":
                texts.close()
            texts.add(signs.get(element, ""))

    def end(tag: str) -> None:
        nonlocal depth, is_text
        space, element = tag.rpartition(" ")[::2]
        is_text = False
        depth -= element in skipped
        if element == "p" and "wordprocessingml" in space and not depth:
            texts.close()

    def text(found: str) -> None:
        if is_text:
            texts.add(found)

    return _Handlers(start, end, text)


def _odt_handlers(texts: _Paragraphs, notes: _Paragraphs) -> _Handlers:
    skipped = {"tracked-changes", "annotation", "note-citation", "forms", "sequence-decls"}
    paragraphs = {"p", "h"}
    kept = skipped | paragraphs | {"note", "frame"}
    signs = {"tab": "\t", "line-break": "\n", "s": " "}
    # Names of the open elements in `kept`.
    stack: list[str] = []

    def add(text: str) -> None:
        # The last open element is a paragraph: not a frame, whose descriptions are no text.
        if stack and stack[-1] in paragraphs and skipped.isdisjoint(stack):
            (notes if "note" in stack else texts).add(text)

    def start(tag: str, attributes: Attributes) -> None:
        element = tag.rpartition(" ")[2]
        if element in kept:
            # A text box stands inside a paragraph.
            if element == "frame":
                texts.close()
            stack.append(element)
        count = attributes.get("c", "1")
        add(signs.get(element, "") * min(int(count) if count.isdecimal() else 1, MAX_SPACES))

    def end(tag: str) -> None:
        element = tag.rpartition(" ")[2]
        if not stack or stack[-1] != element:
            return
        if element in paragraphs and skipped.isdisjoint(stack):
            (notes if "note" in stack else texts).close()
        stack.pop()

    return _Handlers(start, end, add)


def _check_cells(name: str, archive: zipfile.ZipFile, part: str) -> None:
    """Refuse a sheet of too many cells, because the library fills the space between them."""
    is_open_document = part == "content.xml"
    place = _Place()
    handlers = _ods_handlers(place) if is_open_document else _xlsx_handlers(place)
    _parse(name, archive, part, handlers)
    for rows, columns in (*place.tables, (place.rows, place.columns)):
        if rows * columns > MAX_CELLS:
            raise InputError(
                f"a sheet of {name} has a filled cell in row {rows:,} and one in column "
                f"{columns:,}, and is too large to read; delete what is far from its table"
            )
        check_memory(name, rows * columns, CELL_BYTES)


class _Place:
    """Position in a sheet, and the last filled row and column, from 1."""

    def __init__(self) -> None:
        self.row = self.column = self.rows = self.columns = 0
        self.tables: list[tuple[int, int]] = []

    def fill(self) -> None:
        self.rows, self.columns = max(self.rows, self.row), max(self.columns, self.column)


def _xlsx_handlers(place: _Place) -> _Handlers:
    def start(tag: str, attributes: Attributes) -> None:
        element = tag.rpartition(" ")[2]
        if element == "row":
            given = attributes.get("r", "")
            place.row = int(given) if given.isdecimal() else place.row + 1
            place.column = 0
        elif element == "c":
            named = _CELL_NAME.fullmatch(attributes.get("r", ""))
            place.column += 1
            if named:
                place.row, place.column = int(named[2]), 0
                for letter in named[1]:
                    place.column = 26 * place.column + ord(letter) - ord("A") + 1
        elif element in ("v", "is", "f"):
            place.fill()

    return _Handlers(start, lambda _: None, lambda _: None)


def _ods_handlers(place: _Place) -> _Handlers:
    # Whether the row has a filled cell, and how often it is repeated.
    is_filled, repeats = False, 1

    def repeated(attributes: Attributes, of: str) -> int:
        given = attributes.get(f"number-{of}-repeated", "1")
        return int(given) if given.isdecimal() and len(given) < 10 else 1

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal is_filled, repeats
        element = tag.rpartition(" ")[2]
        if element == "table":
            place.row = 0
        elif element == "table-row":
            is_filled, repeats, place.column = False, repeated(attributes, "rows"), 0
            place.row += repeats
        elif element in ("table-cell", "covered-table-cell"):
            place.column += repeated(attributes, "columns")
            if "value-type" in attributes:
                place.fill()

    def end(tag: str) -> None:
        if tag.endswith(" table"):
            place.tables.append((place.rows, place.columns))
            place.rows = place.columns = 0

    return _Handlers(start, end, lambda _: None)


def _named_sheet(name: str, titles: list[str], sheet: str) -> str:
    for title in titles:
        if sheet.strip().casefold() == title.strip().casefold():
            return title
    if sheet.isdecimal() and 1 <= int(sheet) <= len(titles):
        return titles[int(sheet) - 1]
    raise InputError(f"{name} has no sheet {sheet!r}; its sheets are {_listed(titles)}")


def _why_this_sheet(others: list[str]) -> str:
    if not others:
        return "the only one with filled cells"
    rest = f"the {'other' if len(others) == 1 else 'others'} with filled cells"
    return f"it holds the most text; {rest}: {_listed(others)}"


def _listed(titles: list[str]) -> str:
    more = " …" if len(titles) > SHEETS_NAMED else ""
    return ", ".join(f"“{title}”" for title in titles[:SHEETS_NAMED]) + more


def _cell_text(cell: Any) -> str:
    """Text of a cell: whole numbers without decimals, and dates as ``2021-03-05``."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        has_time = cell.time() != time()
        return cell.isoformat(" ") if has_time else cell.date().isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return storable_text(with_plain_ends(str(cell)))
