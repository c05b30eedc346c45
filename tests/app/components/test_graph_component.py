"""The component's source: the script that the explorer has too, and nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys

from orrery.core.drawing.web_page import asset, local_model_script
from orrery.core.export.explorer import COMPOSING, SCRIPTS

OWN = local_model_script()


def test_the_picture_needs_no_library():
    assert OWN.count("function drawLocalModel(") == 1
    assert not re.search(r"\bvis\b|orreryVis", OWN)
    assert len(OWN) < 50_000


def test_app_and_explorer_have_one_renderer_and_one_layout():
    sources = {name: asset(name) for name in SCRIPTS} | {"shared": local_model_script(*COMPOSING)}
    for sign in (r"function reduceCrossings\(", r"createElementNS\(", r"function placeZones\("):
        assert [name for name, text in sources.items() if re.search(sign, text)] == ["shared"], sign


def test_labels_never_become_markup_and_nothing_is_fetched():
    whole = local_model_script(*COMPOSING)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", whole)
    addresses = set(re.findall(r"https?:[^\"]*", whole))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"fetch\(|XMLHttp|import\(|WebSocket|src\s*=", whole)


def test_pyvis_is_not_imported():
    code = "import sys, orrery.app.components.graph_component; sys.exit('pyvis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
