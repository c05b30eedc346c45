"""Docstrings, comments and pages are in plain technical English, as CONTRIBUTING asks.

The patterns find turns of phrase that a reader has to decode; a few are in every text.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

from tests.conftest import ROOT

# Allowed phrases per 10,000 words: of all patterns together, and of each.
MAX_TOGETHER, MAX_EACH = 5.0, 2.0
PATTERNS = {
    "sentence without a verb": r"(?:^|\n)\W*What \w",
    "genitive without a noun": r"(?:^|\n)[ #\"']*Of (?!course)[a-z]",
    "as of": r"(?:^|\n)[ #\"']*As (?:of )?`",
    "is none": r"\bNone where\b|\b(?:is|are|has|have) none\b",
    "so many": r"\bso (?:many|much|few)\b",
    "nobody": r"\b[Nn]obody\b|\b[Ww]hoever\b|\bas good as\b|\ball the same\b",
    "told": r"\btold\b|\bsaid\b|\btells?\b|\bsays?\b",
    "that of": r"\bthat of\b|\bthose (?:of|that|who)\b|\bof (?:it|them) (?:is|are)\b",
    "stands": r"\b(?:stands?|goes|lies|hangs?) (?:for|on|in|there|together|above|below)\b",
}
PAGES = [ROOT / "README.md", *(ROOT / ".github").glob("*.md")]
PAGES += sorted((ROOT / "assets" / "guide").glob("*.md"))
CODE = [path for top in ("core", "app") for path in sorted((ROOT / top).rglob("*"))]
TESTS = [path for path in sorted((ROOT / "tests").rglob("*")) if "node_modules" not in path.parts]
# Names from the private language of earlier versions, in names of modules, functions and
# parameters.
FORMER_NAMES = re.compile(
    r"(?:^|_)(?:told|asked|said|shel(?:f|ves)|famil(?:y|ies)|rivals?|draws|judged?|telling|watch"
    r"|idle|settled?|lit|chances?)(?:$|_)"
)


def prose(path: Path) -> str:
    """Docstrings and comments of a Python file, or a Markdown file without its code and tables."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        pattern = r"```.*?```|^    [^\n]*$|`[^`\n]*`|^\|[^\n]*$"
        return re.sub(pattern, "", text, flags=re.DOTALL | re.MULTILINE)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [token.string for token in tokens if token.type == tokenize.COMMENT]
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    return "\n\n".join([*found, *(ast.get_docstring(node) or "" for node in nodes)])


def test_the_language_is_plain() -> None:
    texts = {path: prose(path) for path in (*PAGES, *CODE, *TESTS) if path.suffix in (".py", ".md")}
    words = sum(len(text.split()) for text in texts.values())
    assert words > 100_000
    found = {
        name: [
            f"{path.relative_to(ROOT)}: {' '.join(text[hit.start() : hit.end() + 60].split())}"
            for path, text in texts.items()
            for hit in re.finditer(pattern, text)
        ]
        for name, pattern in PATTERNS.items()
    }
    too_many = {k: v for k, v in found.items() if 1e4 * len(v) / words > MAX_EACH}
    assert too_many == {}
    assert 1e4 * sum(map(len, found.values())) / words <= MAX_TOGETHER, found


def test_limits_are_called_maximum_and_minimum() -> None:
    """Constants begin with MAX_ or MIN_, in every module."""
    pattern = re.compile(r"^_?(?:MOST|LEAST|FEWEST)_[A-Z_]+", re.MULTILINE)
    wrong = {
        path.relative_to(ROOT).as_posix(): names
        for path in CODE
        if path.suffix == ".py" and (names := pattern.findall(path.read_text(encoding="utf-8")))
    }
    assert wrong == {}


def test_names_are_terms_of_the_field() -> None:
    """No module, function, class or parameter of core and app has a former name."""
    found = []
    for path in CODE:
        if path.suffix != ".py":
            continue
        names = {path.stem}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
        found += [
            f"{path.relative_to(ROOT)}: {name}" for name in names if FORMER_NAMES.search(name)
        ]
    assert found == []
