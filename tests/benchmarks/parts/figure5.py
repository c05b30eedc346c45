"""Figure 5: accuracy of classifiers on the topics of documents, compared with Bernoulli LDA."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scipy import sparse

from orrery.core.baselines.bernoulli_lda import BernoulliLdaSystem
from orrery.core.inference.infer import infer_activations
from orrery.core.training.options import Scope
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import Split, tiny20_split
from tests.benchmarks.held_out import paper_activations
from tests.benchmarks.markdown import spread, table
from tests.benchmarks.models import trained
from tests.benchmarks.monte_carlo import sampled_activations
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.svm import accuracy, majority

Features = Callable[[Int64Array], sparse.csr_array]

LDA_TOPICS = range(2, 10)
NAMES = {
    "vi-full": "VI full",
    "vi-local": "VI local",
    "mcmc-full": "MCMC full",
    "mcmc-local": "MCMC local",
    "ours": "Orrery (learned structure, exact bound, local)",
    "words": "the 100 words",
    **{f"lda-{n}": f"Bernoulli LDA, K = {n}" for n in LDA_TOPICS},
}
ABOUT = """Accuracy, in per cent, of one-vs-all linear SVMs that predict the newsgroup (one of four)
from the posterior probabilities of the topics of a document, standardised within the document, with
C chosen by five-fold cross-validation. The paper shows bars without numbers. It states that LDA is
best at K = 4 or 5 and that every variant of noisy-OR training is better. The features of LDA are
the posterior mean proportions of a document.
"""


def run(settings: Settings) -> Figures:
    """Classify the documents of every split by every kind of features."""
    splits = [tiny20_split(seed, settings.quick) for seed in settings.splits]
    accuracies: dict[str, list[float]] = {}
    for method in NAMES:
        accuracies[method] = [_evaluate(method, split, settings) for split in splits]
    return {"control": [majority(split) for split in splits], "accuracy": accuracies}


def _evaluate(method: str, split: Split, settings: Settings) -> float:
    log.info("split %d: classify by %s", split.seed, method)
    features = _features(method, split, settings)
    return accuracy(features(split.train), features(split.test), split)


def _features(method: str, split: Split, settings: Settings) -> Features:
    """Where a method takes the features of documents from."""
    corpus = split.corpus
    if method == "words":
        return lambda rows: corpus.to_csr()[rows]
    if method.startswith("lda"):
        n_topics = int(method.removeprefix("lda-"))
        presence = corpus.to_csr()
        lda = BernoulliLdaSystem(n_topics, split.seed).fit(presence[split.train])
        return lambda rows: sparse.csr_array(lda.infer(presence[rows]))
    network = trained(method, split, settings).network
    if method == "ours":
        return partial(infer_activations, network, corpus)
    scope: Scope = "full" if method.endswith("full") else "local"
    if method.startswith("vi"):
        return lambda rows: paper_activations(network, split, rows, scope)
    return lambda rows: sampled_activations(network, split, rows, scope)


def show(figures: Figures) -> str:
    """One line a method."""
    rows = [[name, _percent(figures["accuracy"][method])] for method, name in NAMES.items()]
    rows.append(["the most frequent newsgroup (baseline)", _percent(figures["control"])])
    return f"{ABOUT}\n{table(['features', 'accuracy, **ours**'], rows)}\n"


def _percent(shares: list[float]) -> str:
    return spread([100 * share for share in shares], 1)


PART = Part("figure5", "Figure 5: classification accuracy from topics", 130, run, show)
