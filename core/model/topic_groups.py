"""Shelves: topics whose documents use similar words, side by side for a reader.

Where no topic stands above others, or few do, a model is a long list, and a reader looks for its
chapters. In short texts topics hardly ever meet, so no general topic would make such texts more
likely, and the model rightly has none. What surrounds two topics still tells whether they belong
together. A shelf is such a group. It is an order to read in, and no part of the model: nothing is
inferred through it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, ward
from scipy.spatial.distance import squareform
from threadpoolctl import threadpool_limits

from ..utils.types import BoolArray, FloatArray, Int64Array
from .labels import WORDS_IN_LABEL, TopicWords, first_words, join_words
from .network import Network
from .subtrees import find_families, main_links

# Number of the shelf of what is on none.
NO_SHELF = -1
# Fewer families than this are read without shelves; of more, the search would take minutes.
FEWEST_FAMILIES, MOST_FAMILIES = 30, 2_000
# What is on in fewer documents has too few words around it to be compared.
LEAST_DOCUMENTS = 5.0
# There are no shelves where fewer families find the shelf of one half of the documents again in
# the other. Independent topics do so by chance, one in as many as there are shelves or a little
# more; half of the topics of real texts do and more.
LEAST_FOUND_AGAIN = 0.4
# Documents that are added to those counted and those expected, or one would weigh as much as ten.
ADDED = 1.0
# Families that change places for ever do so between shelves that suit them equally.
MOST_ROUNDS = 20
# Digits of a cosine that are the same on all machines.
DIGITS = 6
# So many numbers of families and words are in memory at once.
BLOCK = 10_000_000


@dataclass(frozen=True, eq=False)
class Shelves:
    """Where each topic stands.

    Attributes
    ----------
    of : int64 array, shape (n_topics,)
        Number of the topic's shelf; -1 for none.
    words : tuple of tuple of int, one for each shelf
        Numbers of the words that it is named by.
    """

    of: Int64Array
    words: tuple[tuple[int, ...], ...]

    def names(self, vocabulary: Sequence[str]) -> tuple[str, ...]:
        """What each shelf is called."""
        return tuple(join_words([vocabulary[token] for token in words]) for words in self.words)


def standing(shelf_of: Sequence[int], tops: Sequence[int]) -> list[int]:
    """Shelf of each of the topics that are shown and hang from none, two or more on each.

    Parameters
    ----------
    shelf_of : sequence of int, shape (n_topics,)
        As `Shelves.of`.
    tops : sequence of int
        Numbers of topics.

    Returns
    -------
    list of int
        ``NO_SHELF`` for a topic on none, and for one whose shelf would hold nothing else.
    """
    on_each = Counter(shelf_of[topic] for topic in tops)
    return [shelf_of[topic] if on_each[shelf_of[topic]] > 1 else NO_SHELF for topic in tops]


def arrange_shelves(
    network: Network,
    vocabulary: Sequence[str],
    activations: sparse.csr_array,
    presence: sparse.csr_array,
) -> Shelves | None:
    """Put families of topics on shelves, about as many as stand on each.

    A family is a topic that hangs from none, with all below it (`model.subtrees`). It is
    described by how much more often than by chance each word comes with it, the positive pointwise
    mutual information (Church and Hanks 1990). Families are compared by the cosine of these, less
    what all have in common; put together by Ward's method (1963); and then moved, each to the shelf
    whose others it is most like, until none moves.

    Any topics can be put in groups. So the same is done by every other document, and it is asked
    which of these groups each family is most like by the documents between. A family that finds its
    own group in neither half stands on no shelf, and where few do there are none.

    Parameters
    ----------
    network : Network
    vocabulary : sequence of str, length n_tokens
    activations : csr_array, shape (n_documents, n_topics)
        Probability of every topic in every document.
    presence : csr_array, shape (n_documents, n_tokens)
        Which words the same documents have.

    Returns
    -------
    Shelves or None
        None where there are fewer families than ``FEWEST_FAMILIES`` or more than ``MOST_FAMILIES``,
        or too few find their shelf again. The same input gives the same shelves, for any number of
        threads.
    """
    families = _families(network, vocabulary)
    on = _any_of(activations, families)
    often = np.flatnonzero(on.sum(axis=0) >= LEAST_DOCUMENTS)
    families, on = families[often], sparse.csr_array(on[:, often])
    if not FEWEST_FAMILIES <= len(often) <= MOST_FAMILIES or not presence.nnz:
        return None
    count, counts = round(np.sqrt(len(often))), _count(on, presence)
    parts = [_count(on[half::2], presence[half::2]) for half in (0, 1)]
    # Sums of a linear algebra library depend on its threads.
    with threadpool_limits(1):
        first, second = map(_likeness, parts)
        pairs = (first, second), (second, first)
        again = np.array([_found_again(*pair, count) for pair in pairs])
        group, fit = _grouped(_likeness(counts), count)
    if again.mean() < LEAST_FOUND_AGAIN:
        return None
    group = np.where(again.any(axis=0) & (fit > 0.0), group, count)
    size = np.bincount(group, minlength=count + 1)
    names: list[tuple[int, ...]] = []
    number = np.full(count + 1, NO_SHELF)
    for one in np.flatnonzero(size[:count] > 1):
        name = _name(np.where(group == one, fit, 0.0), counts, vocabulary, names)
        if name:
            number[one] = len(names)
            names.append(name)
    of = np.full(network.graph.n_topics, NO_SHELF)
    family, topic = families.nonzero()
    of[topic] = number[group][family]
    return Shelves(of, tuple(names))


def _families(network: Network, vocabulary: Sequence[str]) -> sparse.csr_array:
    """Which topics each family has, bool, shape (n_families, n_topics); none without words."""
    n_topics, described = network.graph.n_topics, TopicWords(network, vocabulary)
    wordless = [topic for topic in range(n_topics) if described.is_wordless(topic)]
    parents = main_links(network, hidden=wordless)[0][:n_topics]
    tops = np.setdiff1d(np.flatnonzero(parents < 0), wordless)
    return sparse.csr_array(find_families(network, hidden=wordless)[tops])


def _any_of(activations: sparse.csr_array, families: sparse.csr_array) -> sparse.csr_array:
    """Probability that any topic of a family is on, as if they were independent."""
    off = activations.astype(np.float64)
    off.data = np.log1p(-np.minimum(off.data, 1.0 - 1e-6))
    found = sparse.csr_array(off @ families.T.astype(np.float64))
    found.data = -np.expm1(found.data)
    return found


class _Counts(NamedTuple):
    """Documents that families and words share, and what they would share by chance.

    Attributes
    ----------
    together : csc_array, shape (n_families, n_tokens)
    share : float64 array, shape (n_families,)
        Of all words in all documents, those in documents of the family.
    frequency : float64 array, shape (n_tokens,)
        Documents of each word.
    """

    together: sparse.csc_array
    share: FloatArray
    frequency: FloatArray


def _count(on: sparse.csr_array, presence: sparse.csr_array) -> _Counts:
    presence = presence.astype(np.float64)
    length, frequency = (np.asarray(presence.sum(axis=axis), np.float64) for axis in (1, 0))
    share = on.T @ length / max(length.sum(), 1.0)
    return _Counts(sparse.csc_array(on.T @ presence), share, frequency)


def _likeness(counts: _Counts) -> FloatArray:
    """Cosines of what families have of each word beyond chance, shape (n_families, n_families)."""
    n_families, n_tokens = counts.together.shape
    products = np.zeros((n_families, n_families))
    step = max(BLOCK // n_families, 1)
    for begin in range(0, n_tokens, step):
        block = slice(begin, begin + step)
        expected = np.outer(counts.share, counts.frequency[block])
        excess = np.log((counts.together[:, block].toarray() + ADDED) / (expected + ADDED))
        # What is lacking grows with the family's size, and all large ones would be alike.
        excess = np.maximum(excess, 0.0)
        products += excess @ excess.T
    return np.round(_cosines(products), DIGITS)


def _cosines(products: FloatArray) -> FloatArray:
    """Cosines of vectors of unit length less their mean, from the products of the vectors."""
    angle = _normed(products)
    mean = angle.mean(axis=0)
    return _normed(angle - mean - mean[:, None] + mean.mean())


def _normed(products: FloatArray) -> FloatArray:
    length = np.sqrt(np.maximum(np.diag(products), 1e-12))
    return products / length / length[:, None]


def _found_again(likeness: FloatArray, unseen: FloatArray, count: int) -> BoolArray:
    """Whether each family is most like its own group by documents that did not make the groups."""
    group, _ = _grouped(likeness, count)
    is_alone = np.bincount(group, minlength=count)[group] == 1
    return np.asarray((_fits(unseen, group, count).argmax(axis=1) == group) & ~is_alone)


def _grouped(likeness: FloatArray, count: int) -> tuple[Int64Array, FloatArray]:
    """Group of every family, and its cosine with the others of the group, shape (n_families,)."""
    each = np.arange(len(likeness))
    distance = np.sqrt(np.maximum(2.0 - 2.0 * likeness, 0.0))
    distance[each, each] = 0.0
    tree = ward(squareform(distance, checks=False))
    group = fcluster(tree, count, "maxclust").astype(np.int64) - 1
    for _ in range(MOST_ROUNDS):
        nearest = _fits(likeness, group, count).argmax(axis=1)
        if (nearest == group).all():
            break
        group = nearest
    return group, _fits(likeness, group, count)[each, group]


def _fits(likeness: FloatArray, group: Int64Array, count: int) -> FloatArray:
    """Cosine of every family with the sum of each group but for itself; 0 where none is left."""
    member, each = np.eye(count)[group], np.arange(len(group))
    product = likeness @ member
    square = np.tile(np.bincount(group, product[each, group], count), (len(group), 1))
    square[each, group] = square[each, group] + 1.0 - 2.0 * product[each, group]
    product[each, group] -= 1.0
    return np.where(square > 1e-9, product / np.sqrt(np.maximum(square, 1e-9)), 0.0)


def _name(
    weight: FloatArray,
    counts: _Counts,
    vocabulary: Sequence[str],
    taken: Sequence[tuple[int, ...]],
) -> tuple[int, ...]:
    """Words that tell most of a shelf: of its families, those count more that fit it better.

    Where others have the same words for a name it takes more, as far as there are any that tell.
    """
    seen = np.asarray(weight @ counts.together)
    chance = weight @ counts.share * counts.frequency
    told = seen * np.log((seen + ADDED) / (chance + ADDED))
    best = np.lexsort((np.arange(len(told)), -told))
    telling, others = best[told[best] > 0.0].tolist(), [{*words} for words in taken]
    for length in range(WORDS_IN_LABEL, WORDS_IN_LABEL + 1 + len(taken)):
        name = first_words(telling, vocabulary, length)
        if {*name} not in others:
            break
    return name
