"""Guidance files: TOML with what a person asks of a graph of topics."""

from __future__ import annotations

import tomllib
from pathlib import Path

from core.errors import InputError
from core.structure.guidance import Guidance, check_guidance, guidance_from_values
from core.text.encodings import decode


def read_guidance(path: Path) -> Guidance:
    """Read a file of guidance.

    Words and topics are looked up when there is a corpus and a graph, see
    `core.structure.guided.guide`.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or its rules are not of their form or contradict
        each other; the rule is named.
    """
    try:
        text = decode(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check its name") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is not TOML: {error}") from None
    try:
        guidance = guidance_from_values(values)
        check_guidance(guidance)
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    return guidance
