"""How much may be read: files that would not fit in memory are refused before they are opened."""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import InputError

# A source is held as bytes, as text, as a table and as token numbers for a moment each.
MEMORY_PER_BYTE = 6
# What archives and compressed arrays may unpack to, whatever the machine: far above any corpus
# of texts, far below what a small malicious file can claim.
EXPANDED_LIMIT = 8 * 2**30


def memory_available() -> int | None:
    """Bytes of memory that are free now (or installed, where that is all one can learn)."""
    if not hasattr(os, "sysconf"):
        return None
    for pages in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        if pages in os.sysconf_names:
            return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    return None


def check_memory(name: str, n_bytes: int) -> None:
    """Refuse a source whose contents, this many bytes, do not fit in memory."""
    available = memory_available()
    if available is not None and n_bytes * MEMORY_PER_BYTE > available:
        raise InputError(
            f"{name} holds {_size(n_bytes)} and needs about {_size(n_bytes * MEMORY_PER_BYTE)} of "
            f"memory where {_size(available)} are free; split it or use a machine with more memory"
        )


def check_expansion(name: str, n_bytes: int) -> None:
    """Refuse a compressed source that unpacks to more than the limit or than memory holds."""
    if n_bytes > EXPANDED_LIMIT:
        raise InputError(
            f"{name} unpacks to {_size(n_bytes)}, over the limit of {_size(EXPANDED_LIMIT)}; "
            "split it into smaller files"
        )
    check_memory(name, n_bytes)


def read_source(path: Path) -> bytes:
    """Read a file that a person named, or say why not in one sentence."""
    try:
        check_memory(path.name, path.stat().st_size)
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {path}; check the name") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; name the file in it") from None
    except PermissionError:
        raise InputError(f"{path} cannot be read; give yourself permission to read it") from None


def _size(n_bytes: int) -> str:
    if n_bytes < 2**30:
        return f"{n_bytes / 2**20:,.1f} MB"
    return f"{n_bytes / 2**30:,.1f} GB"
