"""What a query needs is compiled behind the pages."""

from __future__ import annotations

import threading
import time

from app import warming


def test_the_work_is_begun_once_and_ends() -> None:
    first = warming.warm_up()
    assert warming.warm_up() is first
    first.thread.join(120)
    assert not first.is_going
    assert not first.is_noticeable


def test_quick_work_is_not_spoken_of() -> None:
    going = threading.Event()
    thread = threading.Thread(target=going.wait, daemon=True)
    thread.start()
    try:
        assert not warming.Warming(thread, time.monotonic()).is_noticeable
        long_ago = time.monotonic() - 2 * warming.SILENT_SECONDS
        assert warming.Warming(thread, long_ago).is_noticeable
    finally:
        going.set()


def test_the_tiny_network_can_be_asked() -> None:
    warming.ask_tiny_network()
