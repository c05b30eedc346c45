"""A small process that starts a command, waits, and writes down what it took.

Linux passes the peak memory of a parent on to what it starts, so a benchmark that holds a corpus
cannot measure its children itself. Used by `tests.benchmarks.alone`; needs the standard library
alone.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

# Kilobytes on Linux, bytes on a Mac.
UNITS_PER_GIGABYTE = 2**30 if sys.platform == "darwin" else 2**20


def main(place: str, limit: str, *command: str) -> int:
    """Run a command for at most ``limit`` seconds; return its exit code, and write figures."""
    begin = time.perf_counter()
    process = subprocess.Popen(command)
    timer = threading.Timer(float(limit), process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    seconds = time.perf_counter() - begin
    figures = {
        "seconds": seconds,
        "processor_seconds": usage.ru_utime + usage.ru_stime,
        "gigabytes": usage.ru_maxrss / UNITS_PER_GIGABYTE,
    }
    Path(place).write_text(json.dumps(figures), encoding="utf-8")
    return abs(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
