"""All kernels are compiled by one process, and none of them again by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from orrery.core.runs import compile_ahead
from tests.conftest import ROOT

# Commands that use everything that an app uses, and how much they compile.
COUNTED = """
import sys
from orrery.app.cli.main import main
from orrery.core.kernels.compiling import seconds_compiling

code = main(sys.argv[1:])
print("compiled for", seconds_compiling())
sys.exit(code)
"""

# At the usual priority, because the other tests would hold it up.
COMPILE_ALL = """
import sys
from orrery.core.runs import compile_ahead

compile_ahead.NICENESS = 0
compile_ahead.main(sys.argv[1:])
"""


def run(folder: Path, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    environment |= {"NUMBA_CACHE_DIR": str(folder / "cache"), "HOME": str(folder)}
    process = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return process.stdout


def test_a_first_query_compiles_nothing_and_does_without_numba(tmp_path: Path) -> None:
    counted = COUNTED + "\nassert 'numba' not in sys.modules and 'pandas' not in sys.modules"
    query = ("infer", str(ROOT / "sample_data" / "run"), "--query", "space shuttle")
    shown = run(tmp_path, "-c", counted.replace("sys.exit(code)", ""), *query)
    assert "launch" in shown
    assert "compiled for 0.0" in shown
    assert not (tmp_path / "cache").exists()


@pytest.mark.timeout(1800)
def test_a_training_run_compiles_nothing_after_it(tmp_path: Path) -> None:
    corpus = str(ROOT / "sample_data" / "corpus")
    run(tmp_path, "-c", COMPILE_ALL, corpus)
    shown = run(tmp_path, "-c", COUNTED, "train", corpus, "--out", str(tmp_path / "run"))
    assert "compiled for 0.0" in shown


def test_the_process_ends_at_once_where_all_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(compile_ahead, "NICENESS", 0)
    monkeypatch.setattr(compile_ahead, "cache_folder", lambda sources: tmp_path)
    monkeypatch.setattr(compile_ahead, "compile_queries", lambda: tried.append("queries"))
    monkeypatch.setattr(compile_ahead, "compile_training", lambda _: tried.append("training"))
    compile_ahead.main(["corpus"])
    compile_ahead.main(["corpus"])
    assert tried == ["queries", "training"]
    assert [path.name for path in tmp_path.iterdir()] == [f"all-{numba.__version__}"]
