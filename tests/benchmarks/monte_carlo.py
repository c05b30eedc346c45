"""The paper's Monte Carlo baseline (Liu et al. 2016)."""

from __future__ import annotations

from scipy import sparse

from orrery.core.model.graph import Graph
from orrery.core.model.network import Network
from orrery.core.training.monte_carlo_em import SamplingPlan, sample_until, start_sampler
from orrery.core.training.options import Scope
from orrery.core.training.train import initial_state
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import Split
from tests.benchmarks.gibbs_posterior import topic_marginals

EPOCHS = 100


def train_by_sampling(split: Split, graph: Graph, scope: Scope) -> Network:
    """Monte Carlo EM with Gibbs sampling on the training documents, from random weights.

    Parameters
    ----------
    split : Split
    graph : Graph
    scope : {"local", "full"}
        Whether a document's chain visits its ancestors only or every topic.
    """
    network = initial_state(graph, split.corpus, split.train, split.seed).network
    # No prior of any kind: the baseline is plain maximum likelihood.
    plan = SamplingPlan(
        EPOCHS, weight_penalty=0.0, sparsity=0.0, seed=split.seed, full=scope == "full"
    )
    sampler = start_sampler(network, split.corpus, split.train, plan)
    network, _ = sample_until(network, split.corpus, sampler, plan, EPOCHS)
    return network


def sampled_activations(
    network: Network, split: Split, rows: Int64Array, scope: Scope
) -> sparse.csr_array:
    """Posterior probability of every topic by Gibbs sampling, shape (n_rows, n_topics)."""
    return topic_marginals(network, split.corpus, rows, seed=split.seed, full=scope == "full")
