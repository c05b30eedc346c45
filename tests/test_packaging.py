"""All packages are installed, and every package lists its modules."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from tests.conftest import ROOT

BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
PACKAGES = sorted(
    path.parent for top in ("core", "app") for path in (ROOT / top).rglob("__init__.py")
)
INSTALLED = ROOT / "app" / "package" / "orrery"


def names(paths) -> set[str]:
    """Names under which folders of the repository are installed."""
    return {"orrery." + ".".join(path.relative_to(ROOT).parts) for path in paths}


def test_every_package_is_installed() -> None:
    there = names(path for path in PACKAGES if path != INSTALLED)
    assert set(BUILD["packages"]) == there | {"orrery", "orrery.assets", "orrery.sample_data"}


@pytest.mark.parametrize("name", sorted(BUILD["package-dir"]))
def test_mapped_folders_are_there(name: str) -> None:
    assert (ROOT / BUILD["package-dir"][name] / "__init__.py").is_file()


def test_every_asset_is_installed() -> None:
    patterns = BUILD["package-data"]["orrery.assets"]
    installed = {path for pattern in patterns for path in (ROOT / "assets").glob(pattern)}
    there = {path for path in (ROOT / "assets").rglob("*.*") if "__pycache__" not in path.parts}
    pictures = set((ROOT / "assets" / "readme").iterdir())
    assert {path for path in there if path.is_file()} - {ROOT / "assets" / "__init__.py"} == (
        {path for path in installed if path.is_file()} | pictures
    )
    assert not installed & pictures


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_package_lists_its_modules(package) -> None:
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    contents = ast.get_docstring(tree) or ""
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    modules |= {path.parent.name for path in package.glob("*/__init__.py")}
    missing = {name for name in modules if f"``{name}``" not in contents}
    assert missing == set()
    listed = set(re.findall(r"^- ``(\w+)``", contents, flags=re.MULTILINE))
    assert listed - modules == set()
