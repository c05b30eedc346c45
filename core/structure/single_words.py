"""Topics of one word: a frequent word that goes with no other has a topic of its own.

Such a topic says no more than that the word is there. The word belongs in its leak, or among the
stop words of the next import.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from orrery.core.labels import LEAST_TELLING, reach
from orrery.core.network import Network

# The second word comes less than so many times as often as the first: "error" 0.81, then "mean
# squared" 0.10. A topic of a word and its plural is above that.
MOST_SECOND = 0.25
# A word in fewer documents is a rare one, and a topic of its own does it no harm.
LEAST_FREQUENCY = 0.02


def single_words(
    network: Network, document_frequency: npt.NDArray[np.int64], n_documents: int
) -> list[tuple[int, int]]:
    """Find the topics that come to one frequent word, with the number of that word.

    Parameters
    ----------
    network : Network
    document_frequency : int64 array, shape (n_tokens,)
        In how many documents every word is.
    n_documents : int

    Returns
    -------
    list of (topic, token)
        In the order of the topics. Those that reach no word with ``LEAST_TELLING`` are of none.
    """
    reached = reach(network)
    found = []
    for topic in range(network.graph.n_topics):
        row = slice(reached.indptr[topic], reached.indptr[topic + 1])
        tokens, often = reached.indices[row], reached.data[row]
        if not len(often) or often.max() < LEAST_TELLING:
            continue
        token = int(tokens[np.argmax(often)])
        second = np.delete(often, np.argmax(often)).max(initial=0.0)
        is_frequent = document_frequency[token] > LEAST_FREQUENCY * n_documents
        if is_frequent and second < MOST_SECOND * often.max():
            found.append((topic, token))
    return found
