"""The packages of the app: described where a newcomer looks, and shadowing no other module."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.conftest import ROOT

APP, CORE = ROOT / "app", ROOT / "core"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]


def packages(folder) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def layers(container: str) -> list[str]:
    (contract,) = (one for one in CONTRACTS if one.get("containers") == [container])
    return [name for layer in contract["layers"] for name in layer.split(" | ")]


def listed(folder) -> list[str]:
    """Packages in the table of a README, in its order."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Where to change what")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_no_package_shadows_a_module() -> None:
    """Streamlit puts the folder of main.py first on the path."""
    names = packages(APP) | {path.stem for path in APP.glob("*.py")} - {"__init__", "main"}
    # Streamlit takes a folder of this name for its pages.
    taken = {"pages", *sys.stdlib_module_names, *packages_distributions()}
    assert not names & taken


@pytest.mark.parametrize(("folder", "beside"), [(APP, {"cli"}), (CORE, set())], ids=["app", "core"])
def test_the_readme_lists_the_packages_in_the_order_that_is_enforced(folder, beside) -> None:
    enforced = [
        name for name in layers(f"orrery.{folder.name}") if name in packages(folder) - beside
    ]
    assert listed(folder) == enforced
    assert set(listed(folder)) == packages(folder) - beside


def test_core_has_no_loose_module_and_few_packages() -> None:
    assert {path.name for path in CORE.glob("*.py")} <= {"__init__.py", "__main__.py"}
    assert len(packages(CORE)) <= 17


def test_contracts_name_every_package_and_allow_no_exception() -> None:
    assert not any("ignore_imports" in contract for contract in CONTRACTS)
    exhaustive = {tuple(one["containers"]) for one in CONTRACTS if one.get("exhaustive")}
    assert exhaustive == {("orrery.core",), ("orrery.app",), ("orrery.app.views",)}


def test_packages_marked_as_without_streamlit_are_checked() -> None:
    readme = (APP / "README.md").read_text(encoding="utf-8")
    without = set(re.findall(r"^\| `(\w+)` \|.*\| no \|$", readme, re.MULTILINE))
    (contract,) = (one for one in CONTRACTS if one.get("forbidden_modules") == ["streamlit"])
    assert {f"orrery.app.{name}" for name in without} == set(contract["source_modules"])


@pytest.mark.parametrize("folder", [APP, CORE], ids=["app", "core"])
def test_what_a_readme_names_is_there(folder) -> None:
    readme = (folder / "README.md").read_text(encoding="utf-8")
    files = re.findall(r"`((?:\w+/)+\w+\.(?:py|js|css))`", readme)
    assert len(files) > 15
    for name in files:
        assert (folder / name).is_file() or (ROOT / name).is_file(), name
    for function, name in re.findall(r"`(\w+)` (?:in|of)\s+`((?:\w+/)*\w+\.py)`", readme):
        path = folder / name if (folder / name).is_file() else ROOT / name
        assert re.search(rf"^ *(?:def )?{function}\b", path.read_text(), re.MULTILINE), function
