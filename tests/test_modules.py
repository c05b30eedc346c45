"""Every module of the package is imported once, whatever name it is imported by."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.conftest import ROOT

# In a process of its own: pytest and other tests import modules in ways of theirs. The package is
# imported as a user does, and every file of core and app by its place in the package.
IMPORT_ALL = """
import importlib, json, os, sys
from collections import defaultdict
from pathlib import Path

import orrery

root = Path(sys.argv[1])
files = [p for part in ("core", "app") for p in (root / part).rglob("*.py")]
for path in sorted(files):
    parts = path.relative_to(root).with_suffix("").parts
    # Streamlit runs main.py as a script; app/package is the package orrery itself.
    if parts[:2] in (("app", "main"), ("app", "package")) or parts[-1] == "__main__":
        continue
    importlib.import_module(".".join(["orrery", *parts]).removesuffix(".__init__"))
for name in orrery.__all__:
    getattr(orrery, name)
modules = defaultdict(dict)
for name, module in list(sys.modules.items()):
    place = getattr(module, "__file__", None)
    if place and os.path.realpath(place).startswith(str(root.resolve()) + os.sep):
        modules[os.path.realpath(place)].setdefault(id(module), name)
twice = {place: sorted(found.values()) for place, found in modules.items() if len(found) > 1}
print(json.dumps({"files": len(modules), "expected": len(files), "twice": twice}))
"""


def test_no_module_is_imported_twice() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["twice"] == {}
    assert found["files"] > 0.9 * found["expected"]
