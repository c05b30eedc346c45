"""Full-text search over a corpus with an SQLite index, which is built once in the background.

The index is a cache in the workspace: if it is deleted, it is built again.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...core.data.corpus import Corpus
from ...core.storage.atomic import PARTIAL_SUFFIX, when_free
from ...core.storage.corpora import content_name
from ...core.utils.errors import InputError
from ..text.safe_text import searched_texts

# Documents per block, which takes a fraction of a second; progress is reported after each block.
BLOCK = 2_000
# More terms make a search slow without narrowing it.
MAX_TERMS = 24
# Older unfinished files are stale: their process was killed.
STALE_SECONDS = 3600.0
# A phrase in quotes, or text up to the next space; a preceding minus excludes it.
_PIECE = re.compile(r'(-?)"([^"]*)"|(\S+)')
# The index leaves out the underscore, like a punctuation mark.
_WORD_LETTER = re.compile(r"[^\W_]")
# SQLite codes of a damaged file, and the part of a code without details. Errors with these texts
# come from the content, too, and have a general code.
UNUSABLE = ("no such table", "invalid fts5 file format")
DAMAGED, PRIMARY_CODE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), 0xFF


@dataclass
class Building:
    """Progress of building an index."""

    # Number of documents, and number of indexed documents.
    total: int
    done: int = 0
    error: str = ""  # one sentence after a failure, else ""
    thread: threading.Thread | None = None

    @property
    def is_going(self) -> bool:
        """Whether the index is still being built."""
        return self.thread is not None and self.thread.is_alive()


_buildings: dict[Path, Building] = {}
_lock = threading.Lock()


def index_path(workspace: Path, corpus: Path) -> Path:
    """Path of the index of a corpus, named by the content of the corpus."""
    return workspace / "cache" / f"search-{content_name(corpus)}.sqlite"


def begin_index(path: Path, corpus: Corpus) -> Building:
    """Build an index in a separate thread, unless it exists or is being built."""
    with _lock:
        found = _buildings.get(path)
        if found is not None and found.is_going:
            return found
        building = Building(total=corpus.n_documents)
        _buildings[path] = building
        if path.is_file():
            building.done = building.total
            return building
        building.thread = threading.Thread(
            target=_build, args=(path, corpus, building), name="indexing", daemon=True
        )
        building.thread.start()
        return building


def _build(path: Path, corpus: Corpus, building: Building) -> None:
    def report(done: int) -> None:
        building.done = done

    try:
        write_index(path, searched_texts(corpus), report)
    except (OSError, sqlite3.Error) as error:
        building.error = f"the search index cannot be written to {path.parent}: {error}"


def write_index(
    path: Path, texts: Sequence[str], report: Callable[[int], None] = lambda done: None
) -> None:
    """Write the index of texts block by block, and move it into place when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(path.parent)
    partial = path.with_name(f".{path.name}.{os.getpid()}-{time.time_ns()}{PARTIAL_SUFFIX}")
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            # The index has only the positions of words; the texts are in the corpus.
            database.execute(
                "CREATE VIRTUAL TABLE found USING fts5("
                "text, content='', tokenize='unicode61 remove_diacritics 2')"
            )
            for begin in range(0, len(texts), BLOCK):
                block = texts[begin : begin + BLOCK]
                database.execute("BEGIN")
                database.executemany(
                    "INSERT INTO found(rowid, text) VALUES (?, ?)",
                    enumerate(map(_storable, block), start=begin),
                )
                database.execute("COMMIT")
                report(begin + len(block))
        when_free(lambda: os.replace(partial, path))
    finally:
        partial.unlink(missing_ok=True)


def _storable(text: str) -> str:
    """Text without lone surrogates and null characters, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _remove_stale(folder: Path) -> None:
    for left in folder.glob(f".search-*{PARTIAL_SUFFIX}"):
        if time.time() - left.stat().st_mtime > STALE_SECONDS:
            left.unlink(missing_ok=True)


@dataclass(frozen=True)
class SearchTerms:
    """Parsed search: words and phrases that must occur, and words and phrases that must not."""

    present: tuple[str, ...]
    absent: tuple[str, ...]
    ignored: int = 0  # terms beyond the largest number

    @property
    def note(self) -> str:
        """Sentence about the terms that were not searched; empty without any."""
        if not self.ignored:
            return ""
        return f"Only the first {MAX_TERMS} words are searched; {self.ignored:,} more are ignored."

    @property
    def anything(self) -> bool:
        """Whether the search has any term."""
        return bool(self.present or self.absent)


def read_terms(text: str) -> SearchTerms:
    """Parse a search: words, "phrases in quotes", and -words that must not occur."""
    present: dict[str, None] = {}
    absent: dict[str, None] = {}
    for minus, quoted, word in _PIECE.findall(text):
        is_absent = bool(minus) or (word.startswith("-") and len(word) > 1)
        term = quoted or (word[1:] if is_absent and not minus else word)
        if _WORD_LETTER.search(term):
            (absent if is_absent else present)[_storable(term)] = None
    ignored = sum(max(len(terms) - MAX_TERMS, 0) for terms in (present, absent))
    return SearchTerms(tuple(present)[:MAX_TERMS], tuple(absent)[:MAX_TERMS], ignored)


def search(path: Path, text: str) -> npt.NDArray[np.int64] | None:
    """Rows of the documents that match a search, by decreasing BM25 score, then by row.

    All words of `read_terms` must occur, and no excluded word. None if the search has no term.

    Raises
    ------
    InputError
        If the index is damaged; it is deleted, so that it is built again. Also if it cannot be
        read for another reason; it is kept then.
    """
    terms = read_terms(text)
    if not terms.anything:
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            return _matching(database, terms)
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise InputError(f"the search index cannot be read ({error}); search again") from None
        path.unlink(missing_ok=True)
        raise InputError(
            "the search index was damaged and has been removed; search again to build it anew"
        ) from None


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether an error comes from the content of the index, not from access to it."""
    # A file that a power cut has emptied is valid, but has no table. Another version of SQLite may
    # have written the index.
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
    return code in DAMAGED or any(text in str(error) for text in UNUSABLE)


def search_now(
    workspace: Path, folder: Path, corpus: Corpus, text: str
) -> npt.NDArray[np.int64] | None:
    """Search a corpus after building its index if necessary (see `search`)."""
    if not read_terms(text).anything:
        return None
    return search(ready_index(workspace, folder, corpus), text)


def ready_index(workspace: Path, folder: Path, corpus: Corpus) -> Path:
    """Path of the index of a corpus, after it is built (InputError if that fails)."""
    path = index_path(workspace, folder)
    building = begin_index(path, corpus)
    if building.thread is not None:
        building.thread.join()
    if building.error:
        raise InputError(building.error)
    return path


def _matching(database: sqlite3.Connection, terms: SearchTerms) -> npt.NDArray[np.int64]:
    unwanted = " OR ".join(map(_quoted, terms.absent))
    if terms.present:
        wanted = " AND ".join(map(_quoted, terms.present))
        match = f"({wanted}) NOT ({unwanted})" if unwanted else wanted
        statement = "SELECT rowid FROM found WHERE found MATCH ? ORDER BY rank, rowid"
    else:
        match = unwanted
        statement = (
            "SELECT id FROM found_docsize WHERE id NOT IN "
            "(SELECT rowid FROM found WHERE found MATCH ?) ORDER BY id"
        )
    rows = [row for (row,) in database.execute(statement, (match,))]
    return np.array(rows, dtype=np.int64)


def _quoted(term: str) -> str:
    """Term as an FTS5 string without operators, except for a final star."""
    star = "*" if term.endswith("*") else ""
    return '"' + term.rstrip("*").replace('"', '""') + '"' + star
