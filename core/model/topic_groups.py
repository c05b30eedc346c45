"""Topic groups: clusters of topics whose documents use similar words.

If few topics have topics above them, the model is a long list, and readers look for chapters. In
short texts two topics rarely occur together, so no general topic increases the likelihood, and the
model correctly omits it; the words around two topics still show whether they belong together.
Groups only order the display; they are no part of the model, and inference ignores them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from ..utils.types import BoolArray, FloatArray, Int64Array
from .labels import TopicWords
from .network import Network
from .subtrees import find_subtrees, main_links
from .topic_names import WORDS_IN_LABEL, first_words, join_words

# Group of topics without a group.
NO_GROUP = -1
# Limits on the number of subtrees: fewer need no groups; for more, clustering takes minutes.
MIN_SUBTREES, MAX_SUBTREES = 30, 2_000
# Subtrees in fewer documents than this have too few words around them to be compared.
MIN_DOCUMENTS = 5.0
# Minimal share of subtrees that find their group from one half of the documents again in the other.
# Independent topics do so by chance, with a share of about one over the number of groups; of topics
# of real texts, at least half do.
MIN_FOUND_AGAIN = 0.4
# Pseudo-documents added to observed and expected counts, to limit the effect of rare words.
ADDED = 1.0
# Maximal number of reassignments; subtrees that keep changing fit several groups equally well.
MAX_ROUNDS = 20
# Digits of a cosine that are equal on all machines.
DIGITS = 6
# Maximal number of pairs of subtrees and words in memory.
BLOCK = 10_000_000


@dataclass(frozen=True, eq=False)
class TopicGroups:
    """Group of each topic."""

    of: Int64Array  # shape (n_topics,): number of the topic's group; -1 for none
    words: tuple[tuple[int, ...], ...]  # numbers of the words in the name of the group

    def names(self, vocabulary: Sequence[str]) -> tuple[str, ...]:
        """Names of the groups."""
        return tuple(join_words([vocabulary[token] for token in words]) for words in self.words)


def visible_groups(group_of: Sequence[int], tops: Sequence[int]) -> list[int]:
    """Group of each displayed root topic in ``tops``, without groups of a single one.

    ``group_of`` is `TopicGroups.of`; the result has ``NO_GROUP`` for topics without a group.
    """
    sizes = Counter(group_of[topic] for topic in tops)
    return [group_of[topic] if sizes[group_of[topic]] > 1 else NO_GROUP for topic in tops]


def find_topic_groups(
    network: Network,
    vocabulary: Sequence[str],
    activations: sparse.csr_array,
    presence: sparse.csr_array,
) -> TopicGroups | None:
    """Cluster the subtrees of root topics; n subtrees give about sqrt(n) groups.

    A root topic has no main parent (`model.subtrees`). Each subtree is described by the positive
    pointwise mutual information of its documents with each word (Church and Hanks 1990). Subtrees
    are compared by the cosine of these vectors after centering, clustered by Ward's method (1963),
    and then reassigned to the most similar group until none changes.

    Any topics can be clustered, so the result is validated: the same clustering of every other
    document is compared with the remaining documents, and vice versa. A subtree that is most
    similar to its own group in neither half gets no group, and without enough such subtrees there
    are no groups.

    Parameters
    ----------
    activations : csr_array, shape (n_documents, n_topics)
        Probability of every topic in every document.
    presence : csr_array, shape (n_documents, n_tokens)
        Presence of words in the same documents.

    Returns
    -------
    TopicGroups or None
        None if the number of subtrees is outside ``MIN_SUBTREES`` … ``MAX_SUBTREES``, or too few
        find their group again. The result does not depend on the number of threads.
    """
    subtrees = _subtrees(network, vocabulary)
    on = _any_of(activations, subtrees)
    often = np.flatnonzero(on.sum(axis=0) >= MIN_DOCUMENTS)
    subtrees, on = subtrees[often], sparse.csr_array(on[:, often])
    if not MIN_SUBTREES <= len(often) <= MAX_SUBTREES or not presence.nnz:
        return None
    count, counts = round(np.sqrt(len(often))), _count(on, presence)
    parts = [_count(on[half::2], presence[half::2]) for half in (0, 1)]
    # Sums of a linear algebra library depend on its number of threads.
    with threadpool_limits(1):
        first, second = map(_cosines, parts)
        pairs = (first, second), (second, first)
        again = np.array([_found_again(*pair, count) for pair in pairs])
        group, fit = _grouped(_cosines(counts), count)
    if again.mean() < MIN_FOUND_AGAIN:
        return None
    group = np.where(again.any(axis=0) & (fit > 0.0), group, count)
    size = np.bincount(group, minlength=count + 1)
    names: list[tuple[int, ...]] = []
    number = np.full(count + 1, NO_GROUP)
    for one in np.flatnonzero(size[:count] > 1):
        name = _name(np.where(group == one, fit, 0.0), counts, vocabulary, names)
        if name:
            number[one] = len(names)
            names.append(name)
    of = np.full(network.graph.n_topics, NO_GROUP)
    subtree, topic = subtrees.nonzero()
    of[topic] = number[group][subtree]
    return TopicGroups(of, tuple(names))


def _subtrees(network: Network, vocabulary: Sequence[str]) -> sparse.csr_array:
    """Topics of each root topic's subtree, bool (n_subtrees, n_topics), without wordless topics."""
    n_topics, described = network.graph.n_topics, TopicWords(network, vocabulary)
    wordless = [topic for topic in range(n_topics) if described.is_wordless(topic)]
    parents = main_links(network, hidden=wordless)[0][:n_topics]
    roots = np.setdiff1d(np.flatnonzero(parents < 0), wordless)
    return sparse.csr_array(find_subtrees(network, hidden=wordless)[roots])


def _any_of(activations: sparse.csr_array, subtrees: sparse.csr_array) -> sparse.csr_array:
    """Probability that any topic of a subtree is on, if topics were independent."""
    off = activations.astype(np.float64)
    off.data = np.log1p(-np.minimum(off.data, 1.0 - 1e-6))
    found = sparse.csr_array(off @ subtrees.T.astype(np.float64))
    found.data = -np.expm1(found.data)
    return found


class _Counts(NamedTuple):
    """Documents that subtrees and words share, and the expected numbers."""

    together: sparse.csc_array  # shape (n_subtrees, n_tokens)
    # Shape (n_subtrees,): share of all words of all documents that is in documents of the subtree.
    share: FloatArray
    frequency: FloatArray  # shape (n_tokens,): documents of each word


def _count(on: sparse.csr_array, presence: sparse.csr_array) -> _Counts:
    presence = presence.astype(np.float64)
    length, frequency = (np.asarray(presence.sum(axis=axis), np.float64) for axis in (1, 0))
    share = on.T @ length / max(length.sum(), 1.0)
    return _Counts(sparse.csc_array(on.T @ presence), share, frequency)


def _cosines(counts: _Counts) -> FloatArray:
    """Cosines of the subtrees' centered vectors of mutual information with each word, square."""
    n_subtrees, n_tokens = counts.together.shape
    products = np.zeros((n_subtrees, n_subtrees))
    step = max(BLOCK // n_subtrees, 1)
    for begin in range(0, n_tokens, step):
        block = slice(begin, begin + step)
        expected = np.outer(counts.share, counts.frequency[block])
        excess = np.log((counts.together[:, block].toarray() + ADDED) / (expected + ADDED))
        # Negative values grow with the size of the subtree and would make all large ones similar.
        excess = np.maximum(excess, 0.0)
        products += excess @ excess.T
    angle = _normed(products)
    mean = angle.mean(axis=0)
    return np.round(_normed(angle - mean - mean[:, None] + mean.mean()), DIGITS)


def _normed(products: FloatArray) -> FloatArray:
    length = np.sqrt(np.maximum(np.diag(products), 1e-12))
    return products / length / length[:, None]


def _found_again(likeness: FloatArray, unseen: FloatArray, count: int) -> BoolArray:
    """Mask of subtrees that are most similar to their own group by the other documents."""
    group, _ = _grouped(likeness, count)
    is_alone = np.bincount(group, minlength=count)[group] == 1
    return np.asarray((_fits(unseen, group, count).argmax(axis=1) == group) & ~is_alone)


def _grouped(likeness: FloatArray, count: int) -> tuple[Int64Array, FloatArray]:
    """Group of every subtree, and its cosine with the rest of the group, shape (n_subtrees,)."""
    each = np.arange(len(likeness))
    distance = np.sqrt(np.maximum(2.0 - 2.0 * likeness, 0.0))
    distance[each, each] = 0.0
    # Imported here, because a model that is read has its groups and the import takes long.
    from scipy.cluster.hierarchy import fcluster, ward
    from scipy.spatial.distance import squareform

    tree = ward(squareform(distance, checks=False))
    group = fcluster(tree, count, "maxclust").astype(np.int64) - 1
    for _ in range(MAX_ROUNDS):
        nearest = _fits(likeness, group, count).argmax(axis=1)
        if (nearest == group).all():
            break
        group = nearest
    return group, _fits(likeness, group, count)[each, group]


def _fits(likeness: FloatArray, group: Int64Array, count: int) -> FloatArray:
    """Cosine of every subtree with the sum of each group without itself; 0 for an empty group."""
    member, each = np.eye(count)[group], np.arange(len(group))
    product = likeness @ member
    square = np.tile(np.bincount(group, product[each, group], count), (len(group), 1))
    square[each, group] = square[each, group] + 1.0 - 2.0 * product[each, group]
    product[each, group] -= 1.0
    return np.where(square > 1e-9, product / np.sqrt(np.maximum(square, 1e-9)), 0.0)


def _name(
    weight: FloatArray, counts: _Counts, vocabulary: Sequence[str], taken: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """Words with the highest mutual information with a group, weighted by the subtrees' fit.

    The name has more words if another group has the same name, as long as there are more.
    """
    seen = np.asarray(weight @ counts.together)
    expected = weight @ counts.share * counts.frequency
    score = seen * np.log((seen + ADDED) / (expected + ADDED))
    best = np.lexsort((np.arange(len(score)), -score))
    top, others = best[score[best] > 0.0].tolist(), [{*words} for words in taken]
    for length in range(WORDS_IN_LABEL, WORDS_IN_LABEL + 1 + len(taken)):
        name = first_words(top, vocabulary, length)
        if {*name} not in others:
            break
    return name
