"""The rooms of the app: described where a newcomer looks, and in nobody's way."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from tests.conftest import ROOT

APP = ROOT / "app"
README = (APP / "README.md").read_text(encoding="utf-8")
ROOMS = {path.parent.name for path in APP.glob("*/__init__.py")}


def test_no_room_shadows_a_module() -> None:
    """Streamlit puts the folder of main.py first on the path."""
    names = ROOMS | {path.stem for path in APP.glob("*.py")} - {"__init__", "main"}
    # Streamlit takes a folder of this name for its pages.
    taken = {"pages", *sys.stdlib_module_names, *packages_distributions()}
    assert not names & taken


def test_the_readme_lists_the_rooms_in_the_order_that_is_held() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["orrery.app"]
    )
    held = [name for layer in contract["layers"] for name in layer.split(" | ")]
    rows = re.findall(r"^\| (`.*?) \|", README, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert held == ["server", "main", "own_names", *listed]
    assert set(listed) == ROOMS


def test_rooms_without_streamlit_are_held_to_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["name"] == "What is shown is made without streamlit"
    )
    rows = re.findall(r"^\| (`.*?) \|.*\| no \|$", README, re.MULTILINE)
    without = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(contract["source_modules"]) == {f"orrery.app.{name}" for name in without}


def test_what_the_readme_names_is_there() -> None:
    files = re.findall(r"`((?:\w+/)+\w+\.(?:py|js))`", README)
    assert len(files) > 15
    for name in files:
        assert (APP / name).is_file() or (ROOT / name).is_file(), name
    for function, name in re.findall(r"`(\w+)` (?:in|of)\s+`((?:\w+/)*\w+\.py)`", README):
        assert re.search(rf"^ *(?:def )?{function}\b", (APP / name).read_text(), re.MULTILINE), (
            function
        )
