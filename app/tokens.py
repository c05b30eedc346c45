"""Tokens of a server that others can reach: given, from the user's file, or random."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from pathlib import Path

import platformdirs

from ..core.utils.errors import InputError

# Environment variables of the server: SHA-256 of the token, and of the token whose holders only
# view. Without the first one, no token is required.
TOKEN, VIEW_TOKEN = "ORRERY_TOKEN", "ORRERY_VIEW_TOKEN"
# Parameter of an address, and field of the form.
PARAMETER = "token"
# Letters that need no encoding in an address. A random token has 43, which are 256 bits.
MIN_LETTERS, MAX_LETTERS = 16, 256
LETTERS = re.compile(rf"[A-Za-z0-9._~-]{{{MIN_LETTERS},{MAX_LETTERS}}}")


def token_path() -> Path:
    """Path of the user's own token, which may not exist."""
    return platformdirs.user_config_path("orrery") / "token"


def own_token() -> str:
    """Return the token in the user's file; a random one if there is no file.

    Raises
    ------
    InputError
        If the file cannot be read, if others can read it, or if its token cannot be used.
    """
    path = token_path()
    try:
        with path.open(encoding="utf-8") as file:
            status, text = os.fstat(file.fileno()), file.read(MAX_LETTERS + 2)
    except FileNotFoundError:
        return secrets.token_urlsafe()
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"the token in {path} cannot be read; correct or delete the file"
        ) from None
    # Windows has no such bits; a folder of the user is closed to others there.
    is_open = bool(status.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    if os.name != "nt" and (is_open or status.st_uid != os.geteuid()):
        raise InputError(
            f"other users can read or change the token in {path}; replace it, and run "
            f"chmod 600 {path}"
        )
    return checked(text.strip(), f"the token in {path}")


def checked(token: str, name: str) -> str:
    """Return a token that can be part of an address (InputError otherwise)."""
    if not LETTERS.fullmatch(token):
        raise InputError(
            f"{name} needs {MIN_LETTERS} to {MAX_LETTERS} of the letters A to Z, a to z, 0 to 9 "
            "and - . _ ~; leave it out for a random token"
        )
    return token


def digest(token: str) -> str:
    """Hexadecimal SHA-256 of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
