"""Orrery itself with the face that the other systems have."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.evaluation.prediction import word_activations
from orrery.core.inference import infer_activations
from orrery.core.kernel_inputs import documents_of, exact_tables, kernel_model, search_settings
from orrery.core.kernels.ladder import ladder
from orrery.core.learning import learn
from orrery.core.rivals.face import Documents, Rival, Watch, unwatched
from orrery.core.running.settings import RunSettings, propose, training_options
from orrery.core.training import TrainingOptions

OWN = "orrery"
DRAWS = 100


class OrrerySystem(Rival):
    """Trained as `orrery train` does by default; it finds its own number of topics."""

    measure: ClassVar[str] = "log p(presence of every word), 100 guided draws, nats"

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        corpus = _corpus(documents)
        self._training(corpus.to_csr())
        options = TrainingOptions(seed=self.seed, structure="learned")
        settings = RunSettings(corpus="", training=options)
        graph = propose(settings, corpus, np.arange(corpus.n_documents))
        options = training_options(settings, graph)
        for state, info in learn(corpus, graph, options):
            self.network = state.network
            if watch(min(info.epoch / options.passes, 1.0)):
                break
        return self

    def infer(self, documents: Documents) -> FloatArray:
        """Probability of each topic to be on."""
        return infer_activations(self.network, _corpus(documents)).toarray()

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Estimate the log-likelihood by guided draws (MATH §10.2)."""
        chosen = documents_of(self.network.graph, _corpus(documents), None)
        model, tables = kernel_model(self.network), exact_tables(self.network)
        return np.asarray(ladder(chosen, model, tables, search_settings(), self.seed, DRAWS)[:, 2])

    def topics(self) -> FloatArray:
        """Chance that a topic alone brings each word, of topics that lie above words."""
        graph = self.network.graph
        table = np.zeros((graph.n_topics, graph.n_tokens))
        of_words = slice(graph.first_token_edge, None)
        words = graph.edge_children()[of_words] - graph.n_topics
        table[graph.parent_idx[of_words], words] = -np.expm1(-self.network.weight[of_words])
        return np.asarray(table[table.any(axis=1)])

    def expected_words(self, documents: Documents) -> FloatArray:
        """Odds of each word, all others known (MATH §10.4), as a logarithm."""
        activations = infer_activations(self.network, _corpus(documents))
        parts = [part.T for _, part in word_activations(self.network, activations)]
        return np.concatenate(parts)


def _corpus(documents: Documents) -> Corpus:
    if not isinstance(documents, Corpus):
        raise InputError("Orrery reads a corpus; build one of the matrix first")
    return documents
