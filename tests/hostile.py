"""Malicious sources, graphs and guidance, by a name that describes them."""

from __future__ import annotations

import io
import json
import pickle
import random
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from orrery.core.data.table_rows import MAX_COLUMNS
from tests.damage import RANDOM as CHANGES

# Files by their names, made when they are asked for.
Make = Callable[[], dict[str, bytes]]
# Sizes in the fast tests; slow tests use the sizes in the names of the cases.
SMALL, FULL = 100_000, 100_000_000
COLUMNS = 100_000


def archive(entries: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return packed.getvalue()


def lying_archive(name: str, data: bytes, says: int) -> bytes:
    """An archive whose only entry claims this unpacked size."""
    packed = bytearray(archive({name: data}))
    directory = packed.index(b"PK\x01\x02")
    packed[directory + 24 : directory + 28] = struct.pack("<I", says)
    packed[22:26] = struct.pack("<I", says)
    return bytes(packed)


def npz(**arrays: object) -> bytes:
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=True, **arrays)
    return packed.getvalue()


def csr(data: list[float], indices: list[int], indptr: list[int], shape: list[int]) -> bytes:
    parts = {"indices": np.array(indices), "indptr": np.array(indptr), "data": np.array(data)}
    return npz(format=np.array("csr"), shape=np.array(shape), **parts)


def claiming_npz(shape: tuple[int, ...]) -> bytes:
    """Arrays of which one claims to be larger than what is there."""
    header = io.BytesIO()
    described = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, described)
    whole = {"indices.npy": np.zeros(2, np.int32), "indptr.npy": np.array([0, 2])}
    whole |= {"shape.npy": np.array([1, 2]), "format.npy": np.array("csr")}
    entries = {}
    for name, array in whole.items():
        packed = io.BytesIO()
        np.save(packed, array)
        entries[name] = packed.getvalue()
    return archive(entries | {"data.npy": header.getvalue() + bytes(16)})


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


def parquet(table: pa.Table) -> bytes:
    packed = io.BytesIO()
    pq.write_table(table, packed)
    return packed.getvalue()


def nested_parquet() -> bytes:
    deep: object = "leaf"
    for _ in range(30):
        deep = [deep]
    columns = {
        "text": [["a", "b"], None, ["c"]],
        "map": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int64())),
        "struct": [{"x": {"y": [1, 2]}}, None, {"x": None}],
        "deep": [deep, None, deep],
        "when": pa.array([2**62, None, -(2**62)], pa.timestamp("us")),
        "day": pa.array([2**30, 0, None], pa.date32()),
        "none": pa.nulls(3),
        "bytes": [b"\xff\xfe", b"\0", None],
    }
    return parquet(pa.table(columns))


def repeated_parquet() -> bytes:
    """A long text in very many rows, stored once."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000), pa.array(["word " * 20_000]))
    packed = io.BytesIO()
    pq.write_table(pa.table({"text": text}), packed, store_schema=False)
    return packed.getvalue()


def nested_archive() -> bytes:
    inner = archive({"a.txt": b"inner word"})
    for _ in range(20):
        inner = archive({"a.zip": inner})
    return inner


def office_files() -> dict[str, dict[str, bytes]]:
    """Sound office files by their names: the parts of each archive."""
    kinds, document = "http://schemas.openxmlformats.org", "urn:oasis:names:tc:opendocument:xmlns"
    office = f"{kinds}/officeDocument/2006/relationships"
    links = f'<Relationships xmlns="{kinds}/package/2006/relationships">'
    link = '<Relationship Id="r1" Type="{}" Target="{}"/></Relationships>'
    sentences = [f"first sentence {n}. Another one about planets and stars." for n in range(30)]
    paragraphs = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in sentences)
    words = f'xmlns:w="{kinds}/wordprocessingml/2006/main"'
    cells = [f'<row r="{n}"><c r="A{n}" t="s"><v>{n % 5}</v></c><c r="B{n}" t="inlineStr"><is>'
             f'<t>{text}</t></is></c><c r="C{n}" s="1"><v>{40_000 + n}.5</v></c></row>'
             for n, text in enumerate(("text", *sentences), start=1)]  # fmt: skip
    sheet = f'xmlns="{kinds}/spreadsheetml/2006/main"'
    open_office = " ".join(f'xmlns:{n}="{document}:{n}:1.0"' for n in ("office", "text", "table"))
    texts = "".join(f"<text:p>{text}<text:s text:c='3'/></text:p>" for text in sentences)
    cell = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
    rows = "".join(f"<table:table-row>{cell.format(text)}</table:table-row>" for text in sentences)
    files = {
        "a.docx": {
            "_rels/.rels": links + link.format(f"{office}/officeDocument", "word/document.xml"),
            "word/document.xml": f"<w:document {words}><w:body>{paragraphs}</w:body></w:document>",
            "word/footnotes.xml": f"<w:footnotes {words}><w:p><w:r><w:t>note</w:t></w:r></w:p>"
            "</w:footnotes>",
        },
        "a.xlsx": {
            "[Content_Types].xml": f'<Types xmlns="{kinds}/package/2006/content-types"/>',
            "_rels/.rels": links + link.format(f"{office}/officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f'<workbook {sheet} xmlns:r="{office}"><sheets><sheet name="One" '
            'sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": links
            + link.format(f"{office}/worksheet", "worksheets/sheet1.xml"),
            "xl/sharedStrings.xml": f"<sst {sheet}>"
            + "".join(f"<si><t>shared {n}</t></si>" for n in range(5))
            + "</sst>",
            "xl/styles.xml": f"<styleSheet {sheet}><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/>"
            "</cellXfs></styleSheet>",
            "xl/worksheets/sheet1.xml": f"<worksheet {sheet}><sheetData>{''.join(cells)}"
            "</sheetData></worksheet>",
        },
        "a.odt": {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {open_office}><office:body><office:text>"
            f"{texts}</office:text></office:body></office:document-content>",
        },
        "a.ods": {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f"<m:manifest xmlns:m='{document}:manifest:1.0'/>",
            "content.xml": f"<office:document-content {open_office}><office:body>"
            f"<office:spreadsheet><table:table table:name='One'>{rows}</table:table>"
            "</office:spreadsheet></office:body></office:document-content>",
        },
    }
    return {
        name: {part: text.encode() for part, text in parts.items()} for name, parts in files.items()
    }


def damaged_office_file(chance: random.Random, name: str, *, is_inside: bool) -> bytes:
    """An office file with damage to its bytes, or to one of its parts in a sound archive."""
    files = office_files()
    parts, compression = files[name], chance.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
    others = files[chance.choice(list(files))]
    change = chance.choice(list(CHANGES.values()))
    if not is_inside:
        return change(chance, archive(parts, compression), archive(others, compression))
    part = chance.choice(list(parts))
    other = others[chance.choice(list(others))]
    return archive({**parts, part: change(chance, parts[part], other)}, compression)


def xml_entities() -> bytes:
    lines = ['<!ENTITY a0 "ha">']
    lines += [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)]
    graph = '<graph edgedefault="directed"><node id="&a11;"/></graph>'
    return f"<!DOCTYPE g [{''.join(lines)}]><graphml>{graph}</graphml>".encode()


def external_entity(secret: Path) -> bytes:
    entity = f'<!DOCTYPE g [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    graph = '<graph edgedefault="directed"><node id="&x;"/></graph>'
    return f"{entity}<graphml>{graph}</graphml>".encode()


def chain(length: int) -> bytes:
    rows = "".join(f"t{i},t{i + 1},1\n" for i in range(length))
    return f"parent,child,weight\n{rows}t{length},word,1\n".encode()


def column_names(between: bytes) -> bytes:
    return between.join(b"c%d" % i for i in range(COLUMNS))


def many_columns(between: bytes) -> bytes:
    """A table of one row."""
    return column_names(between) + b"\n" + (b"x" + between) * (COLUMNS - 1) + b"x\n"


def many_keys() -> bytes:
    return json.dumps({f"k{i}": "v" for i in range(COLUMNS)}).encode()


def many_keys_in_lines() -> bytes:
    return b"\n".join(b'{"k%d": 1}' % i for i in range(COLUMNS))


def wide_parquet() -> bytes:
    return parquet(pa.table({f"c{i}": pa.array(["x"]) for i in range(MAX_COLUMNS + 1)}))


def sources(mark: Path, size: int = SMALL) -> Iterator[tuple[str, Make]]:
    """Files to be read as a source, the first of which is named; ``mark`` must never be there.

    Lines are ``size`` characters long. Nothing large is made before it is asked for.
    """
    words = {"vocabulary.txt": b"a\nb\n", "vocab.txt": b"a\nb\n", "vocab.x.txt": b"a\nb\n"}
    many = COLUMNS
    yield "columns.csv", lambda: {"a.csv": many_columns(b",")}
    yield "columns.tsv", lambda: {"a.tsv": many_columns(b"\t")}
    yield (
        "the same column.csv",
        lambda: {"a.csv": b"text," * many + b"text\n" + b"x," * many + b"x\n"},
    )
    yield "columns up to the limit.csv", lambda: {
        "a.csv": b"\n".join([b",".join([b"c%d" % i for i in range(MAX_COLUMNS)])]
                            + [b",".join([b"x y z"] * MAX_COLUMNS)] * 3)
    }  # fmt: skip
    yield "keys.jsonl", lambda: {"a.jsonl": many_keys()}
    yield "keys, one a line.jsonl", lambda: {"a.jsonl": many_keys_in_lines()}
    yield "deep.jsonl", lambda: {"a.jsonl": b'{"text": ' + b"[" * many + b"]" * many + b"}"}
    yield "digits.jsonl", lambda: {"a.jsonl": b'{"text": ' + b"9" * many + b"}"}
    yield (
        "odd numbers.jsonl",
        lambda: {"a.jsonl": b'{"text": "a b", "x": 1e999}\n{"text": NaN, "x": -Infinity}'},
    )
    yield "repeated keys.jsonl", lambda: {"a.jsonl": b'{"text": "a", "text": "b", "": 1, " ": 2}'}
    yield "half a pair.jsonl", lambda: {"a.jsonl": b'{"text": "\\ud800 x", "\\udfff": "y"}'}
    yield "a long line.txt", lambda: {"a.txt": b"word " * (size // 5)}
    yield "one long word.txt", lambda: {"a.txt": b"w" * size}
    yield "a long line.csv", lambda: {"a.csv": b"text\n" + b"word " * (size // 5)}
    yield "an open quote.csv", lambda: {"a.csv": b'text\n"' + b"x\n" * (size // 2)}
    yield "quotes.csv", lambda: {"a.csv": b"text\n" + b'"' * size}
    yield "a long line.jsonl", lambda: {"a.jsonl": b'{"text": "' + b"x " * (size // 2) + b'"}'}
    yield "blank lines.txt", lambda: {"a.txt": b"\n" * size}
    yield "blank lines.csv", lambda: {"a.csv": b"text\n" + b"\n" * size + b"a b\n"}
    yield "blank lines.tsv", lambda: {"a.tsv": b"text\tid\n" + b"\r\n" * (size // 2) + b"a\tb\n"}
    yield "blank lines.jsonl", lambda: {"a.jsonl": b"\n" * size + b'{"text": "a b"}'}
    yield "blank lines, quoted.csv", lambda: {"a.csv": b'text\n"a b"\n' + b"\n" * size}
    yield "blank lines in a quote.csv", lambda: {"a.csv": b'text\n"a' + b"\n" * size + b'b"\n'}
    yield "marks of combining.txt", lambda: {"a.txt": ("a" + "\u0301" * (size // 10)).encode()}
    yield "hyphens.txt", lambda: {"a.txt": b"a-" * (size // 2)}
    yield "apostrophes.txt", lambda: {"a.txt": b"a's" * (size // 3)}
    yield "nulls.csv", lambda: {"a.csv": b"text\n\0\0a\n"}
    yield "nulls.txt", lambda: {"a.txt": b"a\0b\n" * 100}
    yield "nulls in JSON.jsonl", lambda: {"a.jsonl": b'{"text": "a\\u0000b c"}'}
    yield "wrong encoding.txt", lambda: {"a.txt": b"\xff\xfe\xfd\x80" * 1000}
    yield (
        "mixed encodings.txt",
        lambda: {"a.txt": "größe\n".encode() * 50 + "größe\n".encode("latin-1") * 50},
    )
    yield "utf-16 without a mark.txt", lambda: {"a.txt": "some text\n".encode("utf-16-le") * 50}
    yield "utf-7.txt", lambda: {"a.txt": b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-"}
    yield (
        "bidirectional marks.txt",
        lambda: {"a.txt": "\u202eevil\u2066 text\u2069\n".encode() * 20},
    )
    yield "an empty file.csv", lambda: {"a.csv": b""}
    yield "bombs.zip", lambda: {"a.zip": archive({f"{i}.txt": bytes(10**7) for i in range(5)})}
    yield "says 4 GB.zip", lambda: {"a.zip": lying_archive("a.txt", b"word", 2**32 - 2)}
    yield "says nothing.zip", lambda: {"a.zip": lying_archive("a.txt", bytes(10**6), 4)}
    yield "nested.zip", lambda: {"a.zip": nested_archive()}
    yield (
        "up and out.zip",
        lambda: {"a.zip": archive({"../../evil.txt": b"a word", "/tmp/evil.txt": b"b"})},
    )
    yield (
        "backslashes.zip",
        lambda: {"a.zip": archive({"..\\..\\evil.txt": b"a word", "C:\\x.txt": b"b"})},
    )
    yield (
        "odd names.zip",
        lambda: {
            "a.zip": archive(
                {"a\u202e.txt": b"x y", "\ud83d.txt".encode("utf-8", "replace").decode(): b"z"}
            )
        },
    )
    yield "many files.zip", lambda: {"a.zip": archive({f"{i}": b"" for i in range(20_000)})}
    yield "a table of columns.zip", lambda: {"a.zip": archive({"a.csv": many_columns(b",")})}
    yield "cut.zip", lambda: {"a.zip": archive({"a.txt": b"word " * 100})[:-30]}
    yield (
        "says nothing.docx",
        lambda: {"a.docx": lying_archive("word/document.xml", b"<a>" + bytes(10**6), 4)},
    )
    for name, part in {"docx": "word/document.xml", "odt": "content.xml", "ods": "content.xml",
                       "xlsx": "xl/worksheets/sheet1.xml"}.items():  # fmt: skip
        parts = office_files()[f"a.{name}"]
        yield f"says 2 GB.{name}", lambda name=name, part=part: {
            f"a.{name}": lying_archive(part, b"<a/>", 2**31)
        }  # fmt: skip
        yield f"blanks.{name}", lambda name=name, part=part, parts=parts: {
            f"a.{name}": archive({**parts, part: parts[part].replace(b"<", b" " * size + b"<", 2)})
        }  # fmt: skip
        # No program writes a cell of more than 32,767 characters.
        n_words = size // (5 if name in ("docx", "odt") else 50)
        yield f"one long text.{name}", lambda name=name, part=part, parts=parts, n_words=n_words: {
            f"a.{name}": archive(
                {**parts, part: parts[part].replace(b"planets", b"word " * n_words, 1)}
            )
        }  # fmt: skip
        yield f"many parts.{name}", lambda name=name, parts=parts: {
            f"a.{name}": archive({f"xl/worksheets/{i}.xml": b"" for i in range(20_000)} | parts)
        }  # fmt: skip
    yield "entities.docx", lambda: {"a.docx": archive({"word/document.xml": xml_entities()})}
    yield "deep.docx", lambda: {"a.docx": archive({"word/document.xml": b"<a>" * many})}
    yield "deep.odt", lambda: {"a.odt": archive({"content.xml": b"<a>" * many + b"</a>" * many})}
    yield "entities.xlsx", lambda: {"a.xlsx": archive({"xl/workbook.xml": xml_entities()})}
    yield "entities.ods", lambda: {"a.ods": archive({"content.xml": xml_entities()})}
    yield "pages.pdf", lambda: {"a.pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                                b"2 0 obj<</Type/Pages/Count 999999999/Kids[2 0 R]>>endobj\n"
                                b"trailer<</Root 1 0 R>>"}  # fmt: skip
    yield "groups.rtf", lambda: {"a.rtf": b"{\\rtf1" + b"{" * size}
    yield "open tags.html", lambda: {"a.html": b"<a b='" * (size // 6)}
    yield "open comments.html", lambda: {"a.html": b"<!--" * (size // 4)}
    yield (
        "parts.eml",
        lambda: {
            "a.eml": b"".join(
                b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i)
                for i in range(5_000)
            )
        },
    )
    yield "times.srt", lambda: {"a.srt": b"00:00:01,000 --> " * (size // 17)}
    yield "nested types.parquet", lambda: {"a.parquet": nested_parquet()}
    yield "repeated.parquet", lambda: {"a.parquet": repeated_parquet()}
    yield "columns.parquet", lambda: {"a.parquet": wide_parquet()}
    yield "no Parquet.parquet", lambda: {"a.parquet": b"PAR1" + b"\xff" * 100 + b"PAR1"}
    for name, parts in {
        "negative index": ([1.0], [-1], [0, 1], [1, 2]),
        "huge index": ([1.0], [2**40], [0, 1], [1, 2]),
        "repeated index": ([1.0, 1.0], [0, 0], [0, 2], [1, 2]),
        "unsorted index": ([1.0, 1.0], [1, 0], [0, 2], [1, 2]),
        "pointer beyond": ([1.0], [0], [0, 9], [1, 2]),
        "pointer back": ([1.0, 1.0], [0, 1], [0, 2, 1], [2, 2]),
        "pointer below": ([1.0, 1.0], [0, 1], [0, 9 * 10**8, -1], [2, 2]),
        "pointer to nothing": ([1.0, 1.0], [0, 1], [0, 9 * 10**8, 0], [2, 2]),
        "huge shape": ([1.0], [0], [0, 1], [2**60, 2]),
        "negative shape": ([1.0], [0], [0, 1], [-1, 2]),
        "not finite": ([float("nan")], [0], [0, 1], [1, 2]),
    }.items():  # fmt: skip
        yield f"{name}.npz", lambda parts=parts: {"a.npz": csr(*parts), **words}
    yield "claims.npz", lambda: {"a.npz": claiming_npz((10**13,)), **words}
    yield "claims too little.npz", lambda: {"a.npz": claiming_npz((1,)), **words}
    evil = np.array([Evil(mark)], dtype=object)
    yield "pickle.npz", lambda: {"a.npz": npz(data=evil, indices=evil, format=evil), **words}
    yield "pickle.npz as it is", lambda: {"a.npz": pickle.dumps(Evil(mark)), **words}
    yield "bomb.npz", lambda: {"a.npz": archive({"data.npy": bytes(3 * 10**7)}), **words}
    for name, line in {
        "negative": "-1 1 1", "beyond": "9 9 1", "huge": f"1 1 {10**400}", "words": "a b c",
        "zero": "0 0 0", "nan": "1 1 nan",
    }.items():  # fmt: skip
        matrix = f"%%MatrixMarket matrix coordinate real general\n2 2 1\n{line}".encode()
        yield f"{name}.mtx", lambda matrix=matrix: {"a.mtx": matrix, **words}
        bag = f"2\n2\n1\n{line}\n".encode()
        yield f"{name}.docword", lambda bag=bag: {"docword.x.txt": bag, **words}
    huge = b"%%MatrixMarket matrix coordinate real general\n9999999999999 2 1\n1 1 1"
    yield "huge.mtx shape", lambda: {"a.mtx": huge, **words}
    array = b"%%MatrixMarket matrix array real general\n99999999 99999999\n1"
    yield "dense.mtx", lambda: {"a.mtx": array, **words}
    yield (
        "huge.docword shape",
        lambda: {"docword.x.txt": b"9999999999999999\n2\n1\n1 1 1\n", **words},
    )
    for name, line in {"beyond": b"1 7:1", "negative": b"1 -1:1", "huge": b"9999999 0:1"}.items():
        yield f"{name}.dat", lambda line=line: {"a.dat": line, **words}
    yield "no.mat", lambda: {"a.mat": b"MATLAB 5.0 MAT-file" + b"\xff" * 500}
    yield (
        "words.mtx with a break",
        lambda: {
            "a.mtx": b"%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1",
            "vocabulary.txt": b"a\x0b\nb",
        },
    )
    yield (
        "repeated words.npz",
        lambda: {"a.npz": csr([1.0], [0], [0, 1], [1, 2]), "vocabulary.txt": b"a\na\n"},
    )
    packed = io.BytesIO()
    sparse.save_npz(packed, sparse.coo_array(np.eye(2)))
    yield "whole.npz", lambda: {"a.npz": packed.getvalue(), **words}


def network_files(secret: Path) -> dict[str, bytes]:
    """Bayesian networks in XDSL, which begin with "<", and in BIF."""
    entities = [
        data.replace(b"graphml", b"smile") for data in (xml_entities(), external_entity(secret))
    ]
    node = b"<cpt id='a'><state id='x'/><state id='y'/>"
    parents = b"<parents>" + b"a " * SMALL + b"</parents>"
    return {
        "entities in XDSL": entities[0],
        "an external entity in XDSL": entities[1],
        "deep XDSL": b"<smile>" + b"<nodes>" * 20_000,
        "very many parents": b"<smile><nodes>" + node + parents + b"</cpt></nodes></smile>",
        "its own parent": b"<smile><nodes>" + node + b"<parents>a</parents><probabilities>1 0 0 1"
        b"</probabilities></cpt></nodes></smile>",
        "an encoding": b"<?xml version='1.0' encoding='x'?><smile><nodes/></smile>",
        "open comments": b"/*" * SMALL,
        "open properties": b"variable a { " + b"property " * SMALL,
        "open quotes": b"network " + b'"' * (SMALL + 1),
        "open blocks": b"network {" * SMALL,
        "a name of a property": b"variable a { type discrete [ 2 ] { x, y }; property orrery_name "
        b"= " + b"[" * SMALL + b"; } probability ( a ) { table 0.5, 0.5; }",
    }


def graphs(secret: Path) -> Iterator[tuple[str, str, bytes]]:
    """Name of the case, name of the file, and its content."""
    header = b"parent,child,weight\n"
    for name, rows in {
        "cycle": b"a,b,1\nb,a,1\n", "itself": b"a,a,1\n", "repeated": b"a,b,1\na,b,2\n",
        "negative": b"a,b,-1\n", "not a number": b"a,b,nan\n", "infinite": b"a,b,inf\n",
        "huge": b"a,b,1e999\n", "no cells": b"a\n", "blank": b" , ,1\n", "null": b"a\0,b,1\n",
        "marks": "a\u202e,b\u2066,1\n".encode(), "prefix alone": b"topic:,b,1\n",
        "several lines": b'a,"b\nc",1\n', "formula": b"=cmd|x,+b,1\n",
        "markup": b"<script>alert(1)</script>,<img src=x onerror=alert(1)>,1\n",
    }.items():  # fmt: skip
        yield name, "g.csv", header + rows
    yield "columns", "g.csv", b",".join([b"x"] * COLUMNS) + b",parent,child\n" + b"a,b\n"
    yield "an open quote", "g.csv", header + b'"' + b"a\n" * SMALL
    yield "a long name", "g.csv", header + b"a" * SMALL + b",b,1\n"
    yield "a long chain", "g.csv", chain(3_000)
    yield "entities", "g.graphml", xml_entities()
    yield "an external entity", "g.graphml", external_entity(secret)
    nested = b"<graph edgedefault='directed'><node id='a'>" * 20_000
    yield "deep", "g.graphml", b"<graphml>" + nested
    for name, data in network_files(secret).items():
        yield name, "g.xdsl" if data.startswith(b"<") else "g.bif", data
    yield "undirected", "g.graphml", b"<graphml><graph edgedefault='undirected'/></graphml>"
    yield "no XML", "g.graphml", b"\xff\xfe\0<"
    yield "yaml", "g.graphml", b"!!python/object/apply:os.system ['true']"


def guidance() -> Iterator[tuple[str, bytes]]:
    """A name, and the text of a file of guidance."""
    yield "deep", b"must_link = " + b"[" * SMALL
    yield "deep and closed", b"must_link = " + b"[" * 5_000 + b"]" * 5_000
    yield "deep tables", b"[" + b".".join([b"a"] * 20_000) + b"]\nx = 1"
    yield "digits", b"frozen = [['a', 'b', " + b"9" * SMALL + b"]]"
    yield "dates", b"frozen = [['a', 'b', 2000-01-01]]"
    yield "not a number", b"frozen = [['a', 'b', nan]]"
    yield "infinite", b"frozen = [['a', 'b', inf]]"
    yield "a table", b"must_link = {a = 1}"
    yield "types", b"seeds = [1]\nmust_link = 'ab'"
    yield (
        "many",
        b"must_link = [" + b"".join(b"['a%d','b%d']," % (i, i) for i in range(20_000)) + b"]",
    )
    yield "nulls", b"must_link = [['a\0', 'b']]"
    yield "marks", "cannot_link = [['a\u202e', 'b']]".encode()
    yield "encoding", b"\xff\xfe"
    yield "repeated", b"seeds = {}\nseeds = {}"
