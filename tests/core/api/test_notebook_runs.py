"""The notebook of the repository runs, and is committed with its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[3] / "sample_data" / "in_python.ipynb"
LARGEST = 300_000
# A path of some machine, such as /home/anna or C:\Users.
PATHS = re.compile(r"(?<![\w./+])/(?:home|root|tmp|work|usr|Users|var|mnt)/|[A-Z]:\\")


@pytest.fixture(scope="module")
def committed():
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in code_cells(notebook):
        cell.outputs = []
    place = {"metadata": {"path": str(tmp_path_factory.mktemp("elsewhere"))}}
    NotebookClient(notebook, timeout=600, resources=place).execute()
    return notebook


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds(cell):
    return [sorted(output.get("data", {output.output_type: ""})) for output in cell.outputs]


def test_it_runs_as_it_is_committed(committed, executed):
    for before, after in zip(code_cells(committed), code_cells(executed), strict=True):
        assert kinds(after) == kinds(before), before.source
        for output in after.outputs:
            # Warnings would be on the error stream.
            assert output.output_type == "execute_result", before.source


def test_what_it_states_of_itself_is_so(executed):
    outputs = [output for cell in code_cells(executed) for output in cell.outputs]
    shown = [output.data.get("text/plain", "") for output in outputs]
    # The words asked for name a topic that the answer lists.
    assert any("shuttle" in text and "launch" in text for text in shown)
    assert "True" in shown


def test_it_has_its_pictures(committed):
    html = "".join(
        output.get("data", {}).get("text/html", "")
        for cell in code_cells(committed)
        for output in cell.outputs
    )
    assert html.count("data:image/svg+xml;base64,") == 3
    assert all(cell.outputs for cell in code_cells(committed))


def test_it_is_small_and_names_no_machine():
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert PATHS.search(text) is None
