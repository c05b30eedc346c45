"""Locks: one process to a run folder, one training run at a time in a queue."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from orrery.core.errors import InputError
from orrery.core.running.recorder import RunLog
from orrery.core.running.settings import Session
from orrery.core.storage.runs import read_command, remove_leftovers, run_lock

SECONDS_BETWEEN_LOOKS = 0.2
# The lock may be held for a moment by someone who only asks whether the run lives.
LOCK_PATIENCE = 5.0


class StoppedError(Exception):
    """The run was asked to stop before there was anything to keep."""


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder, cleared of what a killed process left (InputError)."""
    lock = run_lock(folder)
    try:
        lock.acquire(timeout=LOCK_PATIENCE)
    except filelock.Timeout:
        raise InputError(f"another process is training {folder}; stop it first") from None
    try:
        remove_leftovers(folder)
        yield
    finally:
        lock.release()


@contextmanager
def turn_in_queue(run_log: RunLog, session: Session) -> Iterator[None]:
    """Wait until no other run of the queue trains; a stop meanwhile is a `StoppedError`."""
    if session.queue is None:
        yield
        return
    try:
        session.queue.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{session.queue} is a file; name a folder for the queue") from None
    slot = filelock.FileLock(session.queue / "training.lock")
    run_log.write("queued", "Waiting for another run to end.")
    asked = time.time()
    while True:
        try:
            slot.acquire(timeout=SECONDS_BETWEEN_LOOKS)
            run_log.leave_out(time.time() - asked)
            break
        except filelock.Timeout:
            if read_command(run_log.folder) == "stop":
                raise StoppedError from None
    try:
        yield
    finally:
        slot.release()
