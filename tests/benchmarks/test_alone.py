"""A command in a process of its own: its figures are its own, and its failures are reported."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.benchmarks.alone import CommandError, CommandTimeoutError, run_alone


def python(code, **options):
    return run_alone(sys.executable, "-c", code, **options)


def test_memory_is_that_of_the_command_and_not_of_who_starts_it():
    held = np.ones(40_000_000)
    small = python("print({})")
    large = python("held = b'1' * 200_000_000; print('{\"a\": 1}')")
    assert large.json() == {"a": 1}
    assert small.gigabytes < held.nbytes / 2**30 / 2
    assert large.gigabytes > 0.18
    assert small.cost() == {
        "seconds": small.seconds,
        "processor_seconds": small.processor_seconds,
        "gigabytes": small.gigabytes,
    }


def test_the_processor_is_not_kept_busy_by_a_nap():
    napping = python("import time; time.sleep(1.5)")
    assert napping.seconds > 1.5 > 1.5 * napping.processor_seconds > 0


def test_a_failure_is_reported_in_its_last_line():
    with pytest.raises(CommandError, match=r"^it is wrong$"):
        python("import sys; sys.exit('first\\nit is wrong')")


def test_a_command_that_takes_too_long_is_ended_before_it_is_done(tmp_path):
    done = tmp_path / "done"
    with pytest.raises(CommandTimeoutError, match="0 s"):
        python(f"import time; time.sleep(8); open({str(done)!r}, 'w')", limit=0.3)
    assert not done.exists()
