"""Settings of all tests, and where the real corpora are."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from tests.tried import MARK, TRIED

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
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("random", deadline=None, database=None, max_examples=25, print_blob=True)
settings.load_profile(PROFILE)

# Kernels are compiled, pages opened and models trained in one of them.
BROWSER_SECONDS = 1800
# Browser tests that take more than a minute; each begins while there are others for all processes.
LONGEST = {
    "test_every_page",
    "test_graph",
    "test_opened",
    "test_query",
    "test_stories",
    "test_themes",
    "test_two_browsers",
    "test_walk",
}


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed here if it is not given, before Hypothesis looks for it."""
    if PROFILE == "random" and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run the tests of a single file in this process: a file is not divided over processes."""
    files = {argument.partition("::")[0] for argument in config.args}
    return 0 if len(files) == 1 and files.pop().endswith(".py") else None


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
    """Put the browser tests last, with a longer timeout; the files that take longest before others.

    Their driver keeps an event loop running in this thread to the end of the session, and a Dask
    cluster needs one of its own. A long file that begins last leaves the other processes idle.
    """

    def place(item: pytest.Item) -> tuple[bool, bool]:
        is_browser = item.get_closest_marker("browser") is not None
        return is_browser, is_browser and item.path.stem not in LONGEST

    items.sort(key=place)
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(BROWSER_SECONDS))


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile the kernels of queries on large local models, once for all processes of a session.

    The first process compiles. The others wait for it, and load its kernels from the cache on disk.
    """
    from orrery.core.runs.compile_ahead import compile_queries

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with FileLock(shared / "compiled.lock"):
        compile_queries()


@pytest.fixture(scope="session", autouse=True)
def report_counts(record_testsuite_property: Callable[[str, object], None]) -> Iterator[None]:
    """At the end of the session, write what was tried into its report."""
    yield
    for name, count in TRIED.items():
        record_testsuite_property(f"{MARK}{name}", count)


@pytest.fixture(scope="session")
def real_data():
    """Path to a file of the shared real corpora; the test is skipped where it is absent."""
    folder = Path(os.environ.get("ORRERY_DATA", ROOT / "../shared/data"))

    def find(name: str) -> Path:
        if not (folder / name).is_file():
            pytest.skip(f"the real corpus {name} is not at ORRERY_DATA ({folder})")
        return folder / name

    return find
