"""Files of LibreOffice, made from flat OpenDocument sources."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style")
)
NAMESPACES += ' xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"'
DATES = (
    '<office:automatic-styles><number:date-style style:name="N"><number:year number:style="long"/>'
    "<number:text>-</number:text><number:month number:style='long'/><number:text>-</number:text>"
    "<number:day number:style='long'/></number:date-style><style:style style:name='D' "
    "style:family='table-cell' style:data-style-name='N'/></office:automatic-styles>"
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = f'{DECLARATION}<office:document {NAMESPACES} office:version="1.2" office:mimetype='


def flat_text(paragraphs: list[str], head: str = "", foot: str = "", note: str = "") -> str:
    """Text document with a running head and foot on every page, and a footnote."""
    note = (
        f'<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body><text:p>{escape(note)}</text:p></text:note-body></text:note>"
        if note
        else ""
    )
    body = "".join(f"<text:p>{escape(text)}</text:p>" for text in paragraphs[:-1])
    body += f"<text:p>{escape(paragraphs[-1])}{note}</text:p>"
    styles = (
        "<office:automatic-styles><style:page-layout style:name='L'>"
        "<style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>"
        "<office:master-styles><style:master-page style:name='Standard'"
        " style:page-layout-name='L'>"
        f"<style:header><text:p>{escape(head)}</text:p></style:header>"
        f"<style:footer><text:p>{escape(foot)} <text:page-number/></text:p></style:footer>"
        "</style:master-page></office:master-styles>"
    )
    return (
        f'{ROOT}"application/vnd.oasis.opendocument.text">{styles if head or foot else ""}'
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def flat_spreadsheet(sheets: dict[str, list[list[str]]]) -> str:
    """Spreadsheet with cells of text; ``2021-03-05`` is a date, and digits are a number."""

    def cell(text: str) -> str:
        if len(text) == 10 and text[4] == text[7] == "-":
            kind = f'table:style-name="D" office:value-type="date" office:date-value="{text}"'
        elif text.isdecimal():
            kind = f'office:value-type="float" office:value="{text}"'
        else:
            kind = 'office:value-type="string"'
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n"))
        return (
            f"<table:table-cell {kind}>{lines}</table:table-cell>"
            if text
            else ("<table:table-cell/>")
        )

    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    return (
        f'{ROOT}"application/vnd.oasis.opendocument.spreadsheet">{DATES}'
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document>"
    )


def converted(source: str, folder: Path, *kinds: str, name: str = "made") -> dict[str, Path]:
    """Save a flat source as files of these kinds, such as ``docx``; skip without LibreOffice."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not installed (soffice)")
    is_sheet = "opendocument.spreadsheet" in source
    flat = folder / f"{name}.{'fods' if is_sheet else 'fodt'}"
    flat.write_text(source, encoding="utf-8")
    for kind in kinds:
        subprocess.run(
            [program, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless",
             "--convert-to", kind, "--outdir", str(folder), str(flat)],
            check=True, capture_output=True, timeout=240,
        )  # fmt: skip
    return {kind: folder / f"{name}.{kind}" for kind in kinds}
