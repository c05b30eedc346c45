"""Guidance files: constraints on the topic graph, in TOML."""

from __future__ import annotations

import json
import tomllib
import unicodedata
from pathlib import Path

from ..data.encodings import decode
from ..data.limits import read_source
from ..structure.guidance import Guidance, check_guidance, guidance_from_values, guidance_to_values
from ..utils.errors import InputError
from .atomic import write_text


def read_guidance(path: Path) -> Guidance:
    """Read a guidance file; `core.structure.guided.guide` later looks up its words and topics.

    Raises InputError if the file cannot be read, is not TOML, or a rule is malformed or contradicts
    another; the message names the rule.
    """
    text = decode(read_source(path), path.name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{path.name} contains too large a number or too deeply nested lists; correct it"
        ) from None
    try:
        guidance = guidance_from_values(values)
        check_guidance(guidance)
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    return guidance


def write_guidance(path: Path, guidance: Guidance) -> None:
    """Write a guidance file, from which `read_guidance` returns an equal object."""
    values = guidance_to_values(guidance)
    seeds = values.pop("seeds")
    lines = [f"{rule} = {_toml(rows)}" for rule, rows in values.items() if rows]
    lines += ["", "[seeds]", *(f"{_toml(name)} = {_toml(words)}" for name, words in seeds.items())]
    write_text(path, "\n".join(lines) + "\n")


def _toml(value: object) -> str:
    """JSON form of a text, number or list, with invisible characters as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(
        f"\\U{ord(sign):08X}" if unicodedata.category(sign)[0] in "CZ" and sign != " " else sign
        for sign in text
    )
