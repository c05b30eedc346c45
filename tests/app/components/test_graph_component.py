"""The component's source: the library of the installed pyvis, nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from orrery.app.components import graph_component
from orrery.app.components.graph_component import library_source
from orrery.core.drawing.web_page import vis_network_source

OWN = (Path(graph_component.__file__).parent / "graph.js").read_text(encoding="utf-8")


def test_the_library_is_the_checked_version():
    assert "@version 9.1.2" in vis_network_source()[:400]


def test_the_library_is_one_module_that_is_made_once():
    source = library_source()
    assert source.count("export default function") == 1
    assert source.startswith("window.orreryVis ||= (function ()")
    # Were it one path, it would be read as the name of a file.
    assert "\n" in source


def test_the_picture_does_not_carry_the_library_along():
    assert OWN.count("export default function") == 1
    assert len(OWN) < 50_000 < len(library_source())


def test_labels_never_become_markup_and_nothing_is_fetched():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", OWN)
    assert not re.search(r"fetch\(|XMLHttp|import\(|https?:|WebSocket|src\s*=", OWN)


def test_pyvis_is_read_and_not_imported():
    code = "import sys, orrery.app.components.graph_component; sys.exit('pyvis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
