"""Compute the posterior of a document's topics from evidence.

Displayed probabilities are posterior probabilities with a stated error. Mean field serves training
and its bounds; its probabilities are too close to 0 and 1 to be displayed.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from ..kernels.activations import fill_activations
from ..kernels.batch import bounds_of_documents
from ..kernels.bounds import LocalWeights
from ..kernels.compiling import interpreted
from ..kernels.document import exact_fixed_points, fit_jensen
from ..kernels.elimination import make_plan, make_tables, sum_states
from ..kernels.local_model import FREE, HELD_ON, Factors, LocalGraph, local_factors
from ..kernels.posterior import BELIEF_TOLERANCE, Precision, Rounds, sample_posterior
from ..kernels.sum_product import belief_probabilities, bethe_log_probability, propagate
from ..kernels.tables import build_tables
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from . import elimination, sampling
from .evidence import Evidence, check_evidence, held_states, local_model, local_problem
from .kernel_inputs import (
    N_BLOCKS,
    Accuracy,
    Bound,
    check_bound,
    documents_of,
    kernel_model,
    kernel_tables,
    search_settings,
    terms_of,
)
from .posterior import METHODS, Method, MethodChoice, Posterior, Samples

if TYPE_CHECKING:
    from ..data.corpus import Corpus

# Nodes and edges of a small local model. A query of three words on a graph of 235 topics has some
# 55 and 120; ten times as many would take a quarter of a second.
MAX_SMALL_NODES, MAX_SMALL_EDGES = 150, 300
# Entries of all tables that exact inference in NumPy computes; more take longer than 50 ms.
MAX_SMALL_TERMS = 2**20


def is_small(local: LocalGraph) -> bool:
    """Whether inference on a local model runs without compiled kernels."""
    return len(local.node) <= MAX_SMALL_NODES and len(local.parent) <= MAX_SMALL_EDGES


def kernels_for(local: LocalGraph) -> AbstractContextManager[None]:
    """Block in which kernels run as plain Python if the local model is small."""
    return interpreted() if is_small(local) else nullcontext()


# Belief propagation on many documents has an error of about 0.003 in any case, and ten times as
# much suffices to count or sample topics: it changes half a tenth of a topic of a long text.
BULK_TOLERANCE, ROUGH_TOLERANCE = 1e-3, 1e-2
# A probability with this standard error has the same two digits, give or take one in the last.
MAX_ERROR = 0.01
# Samples per round, and number of rounds. Fewer rounds do not estimate the error; more take seconds
# in large local models.
ROUND_SIZE = 256
MIN_ROUNDS, MAX_ROUNDS = 8, 250
# This number of free topics has about as many states as the minimal rounds have samples.
MAX_ENUMERATED = 12
# Limit on the terms of exact inference: more terms take longer than sampling, which takes 0.1 s for
# queries of three words on a learned graph of 240 topics. With more nodes or edges, exact inference
# is infeasible or no faster, and planning it takes as long.
MAX_TERMS = 2**25
MAX_NODES, MAX_EDGES = 500, 10_000
# Limit on the nats that absent words subtract from a topic in exact inference, which multiplies
# numbers, and exp(-700) underflows; sampling uses logarithms.
MAX_SILENCE = 300.0


def infer(
    network: Network,
    evidence: Evidence,
    *,
    method: MethodChoice = "auto",
    error: float = MAX_ERROR,
    accuracy: Accuracy = "standard",
) -> Posterior:
    """Posterior of one document on its local model.

    Uses serial kernels only, so it may be called from any thread. The same evidence gives the same
    digits, in any order of its nodes.

    Parameters
    ----------
    method : {"auto", "elimination", "sampling", "sum-product", "mean-field", "jensen"}
        Exact inference by variable elimination; importance sampling with a belief-propagation
        proposal, until every error is small (MATH §10.2); belief propagation (sum-product) alone
        (MATH §10.1), exact on trees; the exact mean-field bound (MATH §4); or the paper's bound
        (eq. 9). ``auto`` is elimination if it takes few products, otherwise sampling.
    error : float
        Required standard error of a topic's probability, for ``sampling``. The error is estimated
        from the samples, which may miss states that the proposal wrongly holds for improbable.
    accuracy : {"fast", "standard", "fine"}
        Accuracy of ``mean-field``: about 1e-5, 1e-6 or 3e-9 nats per active node.

    Raises
    ------
    InputError
        If ``network`` or ``evidence`` has another type; the evidence has a node that does not exist
        or contradicts itself; the method is unknown; the error is not finite and above 0;
        elimination takes too long; or the evidence is so improbable that the result is not a finite
        number.
    """
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; use one of {', '.join(METHODS)}")
    if not 0.0 < error < np.inf:
        raise InputError(f"error is {error}; expected a finite number above 0, such as {MAX_ERROR}")
    check_evidence(network, evidence)
    local, weights = local_problem(network, evidence)
    if method in ("mean-field", "jensen"):
        return _by_mean_field(network, evidence, local, weights, method, accuracy)
    with kernels_for(local):
        factors = local_factors(local, weights, held_states(local, evidence))
        if method == "sum-product":
            return _by_messages(network, evidence, local, factors)
    posterior = None
    if method in ("auto", "elimination"):
        posterior = _summed(network, evidence, local, factors, error)
    if method == "elimination" and posterior is None:
        raise InputError(
            "the topics of this evidence hang together too closely to sum all their states, or it "
            "is too improbable for that; use the method sampling"
        )
    return posterior or _sampled(network, evidence, local, factors, error)


def _summed(
    network: Network, evidence: Evidence, local: LocalGraph, factors: Factors, error: float
) -> Posterior | None:
    """Exact inference; None if it takes too long or gives no finite numbers."""
    silence = factors.silence[factors.state == FREE].max(initial=0.0)
    is_large = len(local.node) > MAX_NODES or len(local.parent) > MAX_EDGES
    if is_large or silence > MAX_SILENCE:
        return None
    found = None
    if is_small(local):
        found = elimination.sum_states(local, factors, MAX_SMALL_TERMS)
    if found is None:
        tables = make_tables(local, factors)
        plan = make_plan(tables, MAX_TERMS)
        if not plan.is_feasible:
            return None
        found = sum_states(factors, tables, plan)
    probability, log_probability = found
    if not (np.isfinite(probability).all() and np.isfinite(log_probability)):
        return None
    return Posterior(
        evidence=evidence,
        local=local_model(network, local),
        probability=probability,
        error=np.zeros(local.n_topics),
        log_probability=min(log_probability, 0.0),
        log_probability_error=0.0,
        method="elimination",
        is_precise=True,
        samples=Samples(partial(_draw, evidence, local, factors, error)),
    )


def _sample(
    evidence: Evidence, local: LocalGraph, factors: Factors, error: float
) -> tuple[Rounds, FloatArray, FloatArray]:
    """`sample_posterior` with the same random numbers for the same evidence."""
    precision = Precision(error, ROUND_SIZE, MIN_ROUNDS, MAX_ROUNDS, MAX_ENUMERATED)
    sample = sampling.sample_posterior if is_small(local) else sample_posterior
    with kernels_for(local):
        rounds, probability, errors = sample(local, factors, precision, evidence.key())
    return rounds, probability, errors


def _draw(evidence: Evidence, local: LocalGraph, factors: Factors, error: float) -> Rounds:
    return _sample(evidence, local, factors, error)[0]


def _sampled(
    network: Network, evidence: Evidence, local: LocalGraph, factors: Factors, error: float
) -> Posterior:
    rounds, probability, errors = _sample(evidence, local, factors, error)
    # Not a lambda, so that the posterior can be pickled.
    samples = Samples(partial(_given, rounds))
    log_probability = samples.log_probability()
    if not (np.isfinite(probability).all() and np.isfinite(log_probability.value)):
        raise InputError(
            "this evidence is as good as impossible in this model; hold fewer topics on or off"
        )
    return Posterior(
        evidence=evidence,
        local=local_model(network, local),
        probability=probability,
        error=errors,
        log_probability=log_probability.value,
        log_probability_error=log_probability.error,
        method="sampling",
        is_precise=bool(errors.max(initial=0.0) <= error),
        samples=samples,
    )


def _given(rounds: Rounds) -> Rounds:
    return rounds


def _by_messages(
    network: Network, evidence: Evidence, local: LocalGraph, factors: Factors
) -> Posterior:
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    probability = belief_probabilities(factors, beliefs)
    log_probability = bethe_log_probability(local, factors, beliefs)
    return _without_error(network, evidence, local, probability, log_probability, "sum-product")


def _by_mean_field(
    network: Network,
    evidence: Evidence,
    local: LocalGraph,
    weights: LocalWeights,
    method: Method,
    accuracy: Accuracy,
) -> Posterior:
    state = held_states(local, evidence)
    free, held = state == FREE, (state == HELD_ON).astype(np.float64)
    search, terms = search_settings(), terms_of(accuracy)
    if method == "mean-field":
        tables = build_tables(weights.w, weights.w0, terms)
        bounds, fixed_points, _ = exact_fixed_points(local, weights, tables, free, held, search)
        bound, activation = bounds.max(), fixed_points[np.argmax(bounds)]
    else:
        bound, activation, _ = fit_jensen(local, weights, free, held, search)
    return _without_error(network, evidence, local, activation[: local.n_topics], bound, method)


def _without_error(
    network: Network,
    evidence: Evidence,
    local: LocalGraph,
    probability: FloatArray,
    log_probability: float,
    method: Method,
) -> Posterior:
    return Posterior(
        evidence=evidence,
        local=local_model(network, local),
        probability=probability,
        error=None,
        log_probability=float(log_probability),
        log_probability_error=None,
        method=method,
        is_precise=False,
    )


def infer_bounds(
    network: Network, corpus: Corpus, rows: Int64Array | None = None, *, bound: Bound = "exact"
) -> FloatArray:
    """Mean-field bound of every document in a closed world, in nats, shape (n_rows,).

    Uses all threads. The exact bound is in single precision, within about 1e-5 nats per document of
    the bound of `infer`.
    """
    check_bound(bound)
    documents = documents_of(network.graph, corpus, rows)
    tables = kernel_tables(network, bound, dtype=np.float32, documents=documents)
    return bounds_of_documents(
        documents, kernel_model(network), tables, search_settings(), N_BLOCKS
    )


def infer_activations(
    network: Network,
    corpus: Corpus,
    rows: Int64Array | None = None,
    *,
    method: Method = "sum-product",
    closed_world: bool = True,
    tolerance: float = BULK_TOLERANCE,
) -> sparse.csr_array:
    """Posterior probability of every topic in every document, computed by all threads.

    Belief propagation alone: on whole documents of the sample, the mean error is 0.002. Importance
    sampling with the same mean error takes three times as long, with smaller maximal errors
    (`python -m tests.benchmarks posterior`).

    Parameters
    ----------
    rows : int64 array, optional
        Documents, in the order of the result; default all.
    method : {"sum-product", "mean-field", "jensen"}
        As in `infer`.
    closed_world : bool
        Whether the tokens that are not in a document are absent or unknown.
    tolerance : float
        Belief propagation ends when no probability changes by more.

    Returns
    -------
    float64 csr_array, shape (n_rows, n_topics)
        A number above 0 for every topic of the document's local model, ascending; every other
        topic is off, or unknown and without influence in an open world.

    Raises
    ------
    InputError
        If the method is not available for many documents, or the corpus or a row does not fit.
    """
    documents = documents_of(network.graph, corpus, rows)
    if method == "sum-product":
        tables, search = None, None
    elif method in ("mean-field", "jensen"):
        bound: Bound = "exact" if method == "mean-field" else "jensen"
        tables, search = kernel_tables(network, bound, documents=documents), search_settings()
    else:
        raise InputError(
            f"many documents have no method {method!r}; use sum-product, mean-field or jensen"
        )
    model = kernel_model(network)
    pointer, topic, probability = fill_activations(
        documents, model, tables, closed_world, search, tolerance
    )
    shape = (len(documents.rows), network.graph.n_topics)
    return sparse.csr_array((probability, topic, pointer), shape=shape)
