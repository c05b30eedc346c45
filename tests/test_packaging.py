"""What is installed is all that there is: mapped packages are listed by hand, and can be missed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def packages_in(folder: str) -> set[str]:
    """Names of the packages in a folder of the repository, as they are installed."""
    found = {path.parent.relative_to(ROOT) for path in (ROOT / folder).rglob("__init__.py")}
    names = {"orrery." + ".".join(path.parts) for path in found}
    # The face of the package stands among the rooms of core, and is installed as orrery itself.
    return names - {"orrery.core.interface"}


def test_every_package_is_installed() -> None:
    there = {"orrery"}.union(*map(packages_in, ("core", "app", "assets", "sample_data")))
    assert set(BUILD["packages"]) == there


@pytest.mark.parametrize("name", sorted(BUILD["package-dir"]))
def test_mapped_folders_are_there(name: str) -> None:
    assert (ROOT / BUILD["package-dir"][name] / "__init__.py").is_file()


def test_linters_see_the_packages_by_their_names() -> None:
    linked = {path.name for path in (ROOT / ".links" / "orrery").iterdir()}
    face = {path.name for path in (ROOT / "core" / "interface").iterdir() if path.is_file()}
    assert linked == {"core", "app", "assets", "sample_data"} | face
