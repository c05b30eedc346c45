"""What a model says as tables for other programs: documents by topics, topics by words, training.

Tables are made and written a block of rows at a time, so that none has to fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.exporting.document_tables import Asked, document_blocks
from orrery.core.exporting.word_tables import word_blocks
from orrery.core.run import Run
from orrery.core.spreadsheet import guarded
from orrery.core.storage.reports import read_metrics
from orrery.core.watch import Watch, unwatched

ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True)
class TableOptions:
    """What a table of documents is to hold; the other tables have no options.

    Attributes
    ----------
    asked : Asked
    corpus : Corpus or None
        The documents; needed for this table alone.
    watch : callable
        Told now and then what share of the documents is done.
    """

    asked: Asked = field(default_factory=Asked)
    corpus: Corpus | None = None
    watch: Watch = unwatched


def write_table(
    run: Run, kind: str, file: IO[bytes], ending: str, options: TableOptions | None = None
) -> int:
    """Write a table into an open file; returns its number of rows.

    In CSV a text that a spreadsheet would take for a formula stands behind an apostrophe; Parquet
    has every text as it is.

    Parameters
    ----------
    run : Run
    kind : str
        A key of `orrery.core.exporting.TABLES`.
    file : binary file
    ending : str
        ``.csv`` or ``.parquet``.
    options : TableOptions, optional

    Raises
    ------
    InputError
        If there is no such ending, the run was not trained, or the corpus has other words.
    """
    check_ending(ending)
    blocks = _blocks(run, kind, options or TableOptions())
    return _write_csv(blocks, file) if ending == ".csv" else _write_parquet(blocks, file)


def check_ending(ending: str) -> None:
    """Refuse, before the work, a name by which no table is written (InputError)."""
    if ending not in ENDINGS:
        raise InputError(f"a table is written as .csv or .parquet, not as {ending or 'a file'}")


def _blocks(run: Run, kind: str, options: TableOptions) -> Iterator[pa.Table]:
    if kind == "documents":
        if options.corpus is None:
            raise InputError("a table of documents needs the corpus that they are in")
        return document_blocks(run, options.corpus, options.asked, options.watch)
    return word_blocks(run) if kind == "words" else _training(run)


def _training(run: Run) -> Iterator[pa.Table]:
    metrics = read_metrics(run.folder)
    if not len(metrics):
        raise InputError(f"{run.folder} holds no record of a training; it was not trained here")
    yield pa.Table.from_pandas(metrics, preserve_index=False).replace_schema_metadata(None)


def _write_parquet(blocks: Iterable[pa.Table], file: IO[bytes]) -> int:
    rows, writer = 0, None
    try:
        for block in blocks:
            writer = writer or pq.ParquetWriter(file, block.schema, compression="zstd")
            writer.write_table(block)
            rows += len(block)
    finally:
        if writer is not None:
            writer.close()
    return rows


def _write_csv(blocks: Iterable[pa.Table], file: IO[bytes]) -> int:
    rows = 0
    for number, block in enumerate(blocks):
        options = pa_csv.WriteOptions(include_header=number == 0)
        pa_csv.write_csv(_for_spreadsheets(block), file, options)
        rows += len(block)
    return rows


def _for_spreadsheets(block: pa.Table) -> pa.Table:
    """The block with plain columns whose texts and names are no formulas."""
    columns = [_plain(column) for column in block.columns]
    return pa.table(columns, names=[guarded(name) for name in block.column_names])


def _plain(column: pa.ChunkedArray) -> Any:
    if pa.types.is_dictionary(column.type):
        # Each text is looked at once, however often it stands there.
        chunk = column.combine_chunks()
        texts = pa.array([guarded(text) for text in chunk.dictionary.to_pylist()], pa.string())
        return texts.take(chunk.indices)
    if pa.types.is_string(column.type):
        texts = [None if text is None else guarded(text) for text in column.to_pylist()]
        return pa.array(texts, pa.string())
    return column
