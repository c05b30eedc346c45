"""A user without a home folder, as in many containers, has a workspace where it is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SHOW = """
import os, pathlib
# What both do for a user whom the system does not know.
os.path.expanduser = lambda path: path
import orrery.app.workspace.catalog as catalog
print(catalog.workspace())
"""


def test_the_workspace_that_is_named_is_taken(tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**os.environ, "ORRERY_WORKSPACE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.strip() == str(tmp_path)
