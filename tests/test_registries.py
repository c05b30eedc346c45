"""A metric and an export format are added to a copy of the repository: two edits of files each.

`tests.test_word_states` adds a kind of evidence in the same way.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from orrery.core.evaluation.clusters import ClusterFigures
from orrery.core.evaluation.evaluate import Evaluation
from orrery.core.evaluation.hierarchy import HierarchyFigures
from orrery.core.evaluation.metrics import BY_KEY, METRICS
from tests.conftest import ROOT
from tests.core.small_runs import write_source

# Edits of a file: a text, and what is inserted before it.
Edits = dict[str, list[tuple[str, str]]]

METRIC: Edits = {
    "core/evaluation/metrics.py": [
        (
            '    Metric(\n        key="npmi"',
            '    Metric(key="list_length", name="top words of a topic", heading="list length",\n'
            '           explanation="Mean number of top words of a topic."),\n',
        )
    ],
    "core/evaluation/evaluate.py": [
        ("    npmi: float | None\n", "    list_length: float\n"),
        (
            "        npmi=mean_npmi(",
            "        list_length=float(np.mean([len(words) for words in top_words])),\n",
        ),
    ],
}
FORMAT: Edits = {
    "core/export/formats.py": [
        (
            '    "json": Format(\n',
            '    "vocabulary": Format(\n'
            '        purpose="work", extension=".txt", media_type="a/b", title="Vocabulary",\n'
            '        write=_write_vocabulary, sentence="All words of the model, one per line.",\n'
            "    ),\n",
        ),
        (
            "def _check_words(",
            "def _write_vocabulary(export: Export) -> Files:\n"
            "    from .graph_data import vocabulary_bytes\n\n"
            "    return {export.name: vocabulary_bytes(export.run)}\n\n\n",
        ),
    ],
    "core/export/graph_data.py": [
        (
            "def graphml_bytes(",
            "def vocabulary_bytes(model: TopicModel) -> bytes:\n"
            '    return "\\n".join(model.vocabulary).encode()\n\n\n',
        )
    ],
}

# Runs in the copy: the commands and the pages, and prints what they show.
SHOW = """
import contextlib, io, json, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from orrery.app.cli.main import main

space = Path(sys.argv[1])
corpus, run, graph = space / "corpora/c", space / "runs/r", space / "g.csv"
shown = {}

def call(name, *arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        assert main([str(each) for each in arguments]) == 0, arguments
    shown[name] = out.getvalue()

call("import", "import", space / "source.csv", "--out", corpus, "--min-df", 2, "--max-df", 1.0,
     "--no-phrases")
call("structure", "structure", corpus, "--out", graph, "--topics", "4,2")
call("train", "train", corpus, "--graph", graph, "--out", run, "--epochs", 1)
call("evaluate", "evaluate", run, "--samples", 1)
call("evaluate-json", "evaluate", run, "--samples", 1, "--json")
compare = ("compare", corpus, "--systems", "lda", "--topics", 3)
call("compare", *compare)
call("compare-json", *compare, "--json")
for command in ("evaluate", "compare", "export"):
    call(f"{command}-help", command, "--help")
call("report", "export", run, "--format", "report", "--out", space / "report.html")
shown["report"] = (space / "report.html").read_text("utf-8")
if "vocabulary" in shown["export-help"]:
    call("export", "export", run, "--format", "vocabulary", "--out", space / "words.txt")
    shown["exported"] = (space / "words.txt").read_text("utf-8")

for name in ("share", "evaluate"):
    page = f"from orrery.app.views.{name} import page; page.render()"
    app = AppTest.from_string(page, default_timeout=120).run()
    assert not app.exception, app.exception
    texts = [each.value for kind in ("markdown", "caption") for each in app.get(kind)]
    tables = [str(frame.value.to_dict()) for frame in app.dataframe]
    buttons = [button.proto.id for button in app.get("download_button")]
    shown[f"{name}-page"] = "\\n".join([*map(str, texts), *tables, *buttons])

from orrery.app.views.evaluate.comparison import comparison_table
shown["comparison"] = comparison_table(json.loads(shown["compare-json"])).to_string()
print("SHOWN" + json.dumps(shown))
"""


def edited_copy(folder: Path, *additions: Edits) -> Path:
    """Copy of the repository with some edits."""
    for name in ("app", "core", "assets", "sample_data"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for edits in additions:
        for name, changes in edits.items():
            text = (folder / name).read_text(encoding="utf-8")
            for before, inserted in changes:
                assert text.count(before) == 1, (name, before)
                text = text.replace(before, inserted + before)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def shown_by(copy: Path, space: Path, script: str = SHOW) -> dict[str, Any]:
    """What a script that runs in a copy shows; by default commands and pages, of a small run."""
    space.mkdir()
    write_source(space)
    environment = os.environ | {
        "PYTHONPATH": str(copy / "app" / "package"),
        "ORRERY_WORKSPACE": str(space),
    }
    environment.pop("ORRERY_DEMO", None)
    command = [sys.executable, "-c", script, str(space)]
    done = subprocess.run(
        command, cwd=space, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.rpartition("SHOWN")[2])


@pytest.mark.timeout(1200)
def test_a_metric_and_a_format_take_two_edited_files_each(tmp_path: Path) -> None:
    assert len(METRIC) == len(FORMAT) == 2
    shown = shown_by(edited_copy(tmp_path / "copy", METRIC, FORMAT), tmp_path / "space")
    for place in ("evaluate", "evaluate-help"):
        assert "top words of a topic" in shown[place], place
    for place in ("report", "evaluate-page"):
        assert "Top words of a topic" in shown[place], place
    for place in ("compare", "compare-help", "comparison"):
        assert "list length" in shown[place], place
    figures = json.loads(shown["evaluate-json"])
    assert f"{figures['list_length']:.4f}" in shown["evaluate"]
    for row in json.loads(shown["compare-json"])["systems"]:
        assert 0 < row["list_length"] <= 10
    assert "Vocabulary. All words of the model" in shown["export-help"]
    assert "orbit" in shown["exported"].split("\n")
    for part in ("**Vocabulary**", "All words of the model, one per line.", "download-vocabulary"):
        assert part in shown["share-page"], part


def test_every_metric_that_is_computed_is_described() -> None:
    classification = {"accuracy", "accuracy_c", "accuracy_majority"}
    optional = {field.name for kind in (ClusterFigures, HierarchyFigures) for field in fields(kind)}
    assert {field.name for field in fields(Evaluation)} | classification | optional == {*BY_KEY}
    for metric in METRICS:
        assert metric.baseline in {"", *BY_KEY}
        assert metric.explanation.endswith(".")
