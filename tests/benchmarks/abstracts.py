"""All abstracts of arXiv papers that are at hand, through the command line."""

from __future__ import annotations

import itertools
import lzma
import shutil
import tempfile
from pathlib import Path

from tests.benchmarks.alone import Ran, orrery
from tests.benchmarks.arxiv import ABSTRACTS
from tests.benchmarks.data import data_file


def import_abstracts(corpus: Path, count: int | None, words: int) -> Ran:
    """Run `orrery import` on all abstracts, or on the first so many, with its own defaults.

    Parameters
    ----------
    corpus : Path
        Folder to make.
    count : int or None
    words : int
        Largest vocabulary.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "abstracts.tsv")
        with lzma.open(data_file(ABSTRACTS)) as packed, source.open("wb") as file:
            if count is None:
                shutil.copyfileobj(packed, file)
            else:
                file.writelines(itertools.islice(packed, count + 1))
        columns = ["--text-column", "abstract", "--id-column", "arxiv_id"]
        return orrery(
            *("import", source, "--out", corpus, "--json", *columns, "--max-vocabulary", words)
        )
