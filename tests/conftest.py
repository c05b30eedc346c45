"""Settings of all tests, and where the real corpora are."""

from __future__ import annotations

import os
import secrets
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# In a checkout that is not installed, processes that tests start need the package on their path
# (pytest itself has it by `pythonpath` in pyproject.toml).
try:
    distribution("orrery")
except PackageNotFoundError:
    paths = (str(ROOT / "app" / "package"), os.environ.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

# Property tests give the same verdict on a slow machine as on a fast one, and the same each time;
# or, with ORRERY_HYPOTHESIS=random, others each time, by a seed that is printed. Set here, before
# any module of tests makes settings of its own out of these.
PROFILE = os.environ.get("ORRERY_HYPOTHESIS", "steady")
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, database=None, max_examples=25, print_blob=True)
settings.load_profile(PROFILE)

# Kernels are compiled, pages opened and models trained in one of them.
BROWSER_SECONDS = 1800


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed here where nobody has, before Hypothesis looks for it."""
    if PROFILE == "random" and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how to see the same random examples again."""
    if PROFILE == "random":
        seed = config.option.hypothesis_seed
        terminalreporter.write_line(
            f"The same examples again: ORRERY_HYPOTHESIS=random pytest --hypothesis-seed={seed}"
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last, and give them longer.

    Their driver keeps an event loop running in this thread to the end of the session, and whoever
    starts a Dask cluster wants one of its own.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(BROWSER_SECONDS))


@pytest.fixture(scope="session")
def real_data():
    """Path to a file of the shared real corpora; the test is skipped where it is absent."""
    folder = Path(os.environ.get("ORRERY_DATA", ROOT / "../shared/data"))

    def find(name: str) -> Path:
        if not (folder / name).is_file():
            pytest.skip(f"the real corpus {name} is not at ORRERY_DATA ({folder})")
        return folder / name

    return find
