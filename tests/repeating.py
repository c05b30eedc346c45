"""Train a tiny model again and again in one process, in memory laid out anew, and print its hash.

``python -m tests.repeating TIMES SEED``
"""

from __future__ import annotations

import hashlib
import random
import sys

import numba
import numpy as np

from tests.short_trainings import KINDS, example, last


def hashes(times: int, seed: int) -> set[str]:
    """Hashes of what all kinds of training give, each time a hash of them all together."""
    chance, found = random.Random(seed), set()
    for _ in range(times):
        # Arrays come to lie elsewhere among what is kept and what has gone.
        sizes = [chance.choice([8, 24, 1_000, 4_096, 70_000]) for _ in range(200)]
        kept = [np.empty(size + chance.randrange(64), np.uint8) for size in sizes]
        del kept[:: chance.choice([2, 3])]
        numba.set_num_threads(chance.randint(1, min(2, numba.config.NUMBA_NUM_THREADS)))
        digest = hashlib.sha256()
        for options in KINDS:
            graph, corpus = example()
            network = last(corpus, graph, options)[0].network
            digest.update(network.weight.tobytes() + network.leak.tobytes())
        found.add(digest.hexdigest())
    return found


if __name__ == "__main__":
    sys.stdout.write(" ".join(sorted(hashes(int(sys.argv[1]), int(sys.argv[2])))))
