"""Where the real corpora are. With this file in it, pytest puts the project on the path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# Property tests give the same verdict on a slow machine as on a fast one. Set here, before any
# module of tests makes settings of its own out of these.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last.

    Their driver keeps an event loop running in this thread to the end of the session, and whoever
    starts a Dask cluster wants one of its own.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def real_data():
    """Path to a file of the shared real corpora; the test is skipped where it is absent."""
    folder = Path(os.environ.get("ORRERY_DATA", ROOT / "../shared/data"))

    def find(name: str) -> Path:
        if not (folder / name).is_file():
            pytest.skip(f"the real corpus {name} is not at ORRERY_DATA ({folder})")
        return folder / name

    return find
