"""Kernels for a query are compiled in the background."""

from __future__ import annotations

from orrery.app.shell import loaders


def test_the_work_is_begun_once_and_ends() -> None:
    thread = loaders.warm_up()
    assert loaders.warm_up() is thread
    thread.join(120)
    assert not thread.is_alive()


def test_the_tiny_network_can_be_queried() -> None:
    loaders.ask_tiny_network()
