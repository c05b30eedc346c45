"""Go-to-definition works from imports of core and app, without an install and without settings."""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jedi
import pytest

from tests.conftest import ROOT

PACKAGES = ("core", "app")
N_IMPORTS = 30


class Import(NamedTuple):
    """A name that a module imports from another module of core or app.

    Attributes
    ----------
    file : Path
    line, column : int
        Position of the name, from 1 and from 0.
    level : int
        Number of leading dots.
    module : str
        Module after the dots; empty for ``from . import name``.
    name : str
    target : Path
        File that defines the name, or the module of this name.
    """

    file: Path
    line: int
    column: int
    level: int
    module: str
    name: str
    target: Path

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name} of {'.' * self.level}{self.module}"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of core and app alone: no settings, no links, nothing that is installed."""
    copy = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        hidden = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT / package, copy / package, ignore=hidden)
    return copy


@pytest.fixture(scope="module")
def imports(checkout: Path) -> list[Import]:
    """A fixed sample of the imports."""
    found = [
        one
        for package in PACKAGES
        for file in sorted((checkout / package).rglob("*.py"))
        for one in imports_of(file)
    ]
    return random.Random(0).sample(found, N_IMPORTS)


def imports_of(file: Path) -> Iterator[Import]:
    """Relative imports of names that the imported module defines itself, and of modules."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        # The few absolute imports, such as those of the installed name, need an install.
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        module = node.module or ""
        place = file.parents[node.level - 1].joinpath(*module.split("."))
        for alias in node.names:
            candidates = (place / alias.name, place)
            files = [
                path for one in candidates for path in (one.with_suffix(".py"), one / "__init__.py")
            ]
            target = next((path for path in files if path.is_file()), None)
            if target and (target in files[:2] or alias.name in definitions(target)):
                where = alias.lineno, alias.col_offset
                yield Import(file, *where, node.level, module, alias.name, target)


def definitions(file: Path) -> set[str]:
    """Names of the functions, classes and values at the top of a module."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_jedi_opens_the_file_that_defines_an_imported_name(
    checkout: Path, imports: list[Import]
) -> None:
    project = jedi.Project(checkout, sys_path=[])
    elsewhere = {}
    for one in imports:
        names = jedi.Script(path=one.file, project=project).goto(
            one.line, one.column, follow_imports=True
        )
        opened = [name.module_path for name in names]
        if opened != [one.target]:
            elsewhere[str(one)] = opened
    assert elsewhere == {}


def test_mypy_resolves_an_import_to_the_same_file(checkout: Path, imports: list[Import]) -> None:
    pytest.importorskip("mypy", reason="mypy is in the extra dev, not in the extra test")
    from mypy.fscache import FileSystemCache
    from mypy.modulefinder import FindModuleCache, SearchPaths
    from mypy.options import Options
    from mypy.util import correct_relative_import

    # Modules are named from the folder above, because imports of app lead out of app to core.
    above = checkout.parent
    finder = FindModuleCache(SearchPaths((str(above),), (), (), ()), FileSystemCache(), Options())
    elsewhere = {}
    for one in imports:
        is_package = one.file.name == "__init__.py"
        place = one.file.parent if is_package else one.file.with_suffix("")
        here = ".".join(place.relative_to(above).parts)
        module, _ = correct_relative_import(here, one.level, one.module, is_package)
        found = [finder.find_module(name) for name in (f"{module}.{one.name}", module)]
        opened = next((path for path in found if isinstance(path, str)), None)
        if opened != str(one.target):
            elsewhere[str(one)] = opened
    assert elsewhere == {}
