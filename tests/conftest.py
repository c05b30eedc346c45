"""Where the real corpora are. With this file in it, pytest puts the project on the path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def real_data():
    """Path to a file of the shared real corpora; the test is skipped where it is absent."""
    folder = Path(os.environ.get("ORRERY_DATA", ROOT / "../shared/data"))

    def find(name: str) -> Path:
        if not (folder / name).is_file():
            pytest.skip(f"the real corpus {name} is not at ORRERY_DATA ({folder})")
        return folder / name

    return find
