"""The most memory that a server ever held."""

from __future__ import annotations

from pathlib import Path

import psutil

STATUS_FIELD = "VmHWM:"


def peak_gigabytes(port: int) -> float | None:
    """Sum of the peak memory of the processes started here to serve at a port.

    An upper bound for several processes, since their peaks need not coincide. None if the system
    does not report it; only Linux does here.
    """
    own = psutil.Process().children(recursive=True)
    servers = [one for one in own if str(port) in _words_of(one)]
    subtree = {one.pid for server in servers for one in (server, *server.children(recursive=True))}
    peaks = [_peak_kilobytes(pid) for pid in subtree]
    known = [peak for peak in peaks if peak is not None]
    return sum(known) / 2**20 if known else None


def _words_of(process: psutil.Process) -> list[str]:
    """The command line of a process; none of one that has just ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _peak_kilobytes(pid: int) -> int | None:
    """Peak of a process; None of one that is gone, and where the system keeps no such file."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith(STATUS_FIELD)), None)
