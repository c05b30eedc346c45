"""The explorer has the sentences that it shares with the app from Python, and fills them right."""

from __future__ import annotations

import re

import pytest

from orrery.core.drawing.explorer_strings import explorer_strings
from orrery.core.drawing.web_page import asset
from orrery.core.export.explorer import SCRIPTS, explorer_bytes, explorer_data
from tests.core.export.models import sample

SHARED = explorer_strings()
SOURCE = "\n".join(asset(name) for name in SCRIPTS)
PAGE = asset("explorer/explorer.html")
CALL = re.compile(r"\b(say|sayCounted|sayReason|sayKind)\(")


def templates(name: str) -> list[str]:
    found = SHARED[name]
    if isinstance(found, str):
        return [found]
    return list(found.values()) if isinstance(found, dict) else list(found)


def parts(text: str) -> list[str]:
    """Split the content of brackets at its commas; text after the closing bracket is left out."""
    depth, found = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def calls() -> list[tuple[str, str, set[str]]]:
    """Name of the function, of the sentence, and of the values that are given."""
    found = []
    for call in CALL.finditer(SOURCE):
        first, *others = parts(SOURCE[call.end() :])
        given = [value for other in others if other[0] == "{" for value in parts(other[1:])]
        keys = {value.partition(":")[0].strip() for value in given}
        found += [(call[1], name, keys) for name in re.findall(r'"(\w+)"', first)]
    return found


def test_the_page_has_all_sentences() -> None:
    written = explorer_data(sample())["strings"]
    assert written == SHARED
    assert b"{{" not in explorer_bytes(sample(), "sample").split(b"<script")[0]


@pytest.mark.parametrize("name", SHARED)
def test_every_shared_sentence_is_used_by_the_explorer(name: str) -> None:
    assert re.search(rf'"{name}"|strings\.{name}\b', SOURCE) or f"{{{{{name}}}}}" in PAGE


def test_every_call_names_a_sentence_and_fills_its_places() -> None:
    found = calls()
    assert len(found) > 40
    for function, name, given in found:
        assert name in SHARED
        wanted = {place for text in templates(name) for place in re.findall(r"\{(\w+)\}", text)}
        assert wanted <= given | ({"count"} if function == "sayCounted" else set()), name


@pytest.mark.parametrize("name", SHARED)
def test_no_shared_sentence_is_written_again_in_a_script(name: str) -> None:
    code = re.sub(r"^\s*//.*$", "", SOURCE, flags=re.MULTILINE)
    for text in templates(name):
        for part in re.split(r"\{\w+\}", text):
            if len(part.split()) > 2:
                assert part.strip() not in code
                assert part.strip() not in PAGE
