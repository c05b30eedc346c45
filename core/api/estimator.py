"""NoisyOrTopics: a topic graph as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    _check_feature_names_in,
    _get_feature_names,
    check_is_fitted,
    check_non_negative,
    validate_data,
)

from ..data.corpus import Corpus
from ..data.encodings import has_line_break
from ..data.query import no_words
from ..data.recipe import Recipe, matrix_recipe, without_learned
from ..drawing.question import read_question
from ..inference.evidence import Evidence
from ..inference.infer import infer, infer_activations, infer_bounds
from ..inference.posterior import Posterior
from ..inference.thresholds import ON_THRESHOLD
from ..model.network import Network
from ..model.overlay import Overlay
from ..model.topic_model import TopicModel
from ..model.topic_names import WordPairs, name_topics
from ..runs.settings import RunSettings
from ..storage.stability import known_stability
from ..training.options import DEFAULT_RATE, TrainingOptions
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .answers import Explanation, QueryResult, TopicCard
from .fitting import (
    corpus_of_matrix,
    corpus_of_texts,
    fit_corpus,
    fit_more,
    is_texts,
    known_words,
    threads,
)
from .saving import named_topics, read_saved, save_as_run

if TYPE_CHECKING:
    import networkx as nx

    from ..drawing.pyvis_network import Theme, TopicNetwork


# Documents per batch of inference, whose local models fit into memory.
BLOCK = 2_000
WORDS_OF_A_TOPIC = 10
# Key of the summary of a saved model: whether it was trained on a matrix with column names.
NAMED_COLUMNS = "named_columns"
# Key of the summary of a saved model: number of calls of `partial_fit` after the first, each of
# which has a seed of its own.
CALLS = "partial_fits"
# Summary of a model before training, with the keys that `orrery train` writes.
_UNTRAINED_SUMMARY = {"epochs": 0.0, "documents": 0, "held_out": None}
# Learning rate of further training, which is close to convergence as after a Gibbs start.
RATE_OF_MORE = DEFAULT_RATE["gibbs"]
# Exclusive upper limit of the seeds drawn from a random state.
MAX_SEED = 2**31 - 1


class NoisyOrTopics(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Topics above topics above words, as a noisy-OR Bayesian network (Ji et al. 2019).

    A document is the set of its words: counts become presence. ``X`` may be texts, a matrix of
    documents by words (dense or sparse; a positive entry means present, a negative one is an
    error), or a `Corpus`.

    Parameters
    ----------
    n_topics : int or sequence of int, optional
        Number of topics in each layer of a proposed graph, from the layer above the words upward.
        By default structure learning determines it, as in `orrery train`.
    learn_structure : bool or "auto"
        Whether to learn the graph together with its weights. With "auto", it is learned if
        ``n_topics`` and ``edges`` are None. If it is True and either is given, more edges are
        proposed, and Gibbs sampling keeps the best.
    method : {"dense-regions", "agglomerative", "complete"}
        Method that proposes a graph that is not learned.
    edges : int, optional
        Largest number of edges of a proposed graph.
    epochs : int
        Passes over the documents; structure learning adds a third.
    weight_penalty : float, optional
        Penalty in nats per unit of weight into a word, once for all documents; 20 by default, 10
        with Gibbs sampling. Lower it for small corpora: with a hundred short texts, the default
        suppresses most weights.
    recipe : Recipe, optional
        Conversion of texts to words. By default, words in fewer than 5 documents or in more than
        half of them are dropped, and where most of the texts begin with the header of a post or
        mail, headers, quotations and signatures are left out. Matrices and corpora have their own
        recipe.
    sparse_output : bool
        Whether `transform` returns a sparse array.
    random_state : int, RandomState instance or None
        An int makes the model reproducible, for any ``n_jobs``. If the structure is learned, two
        ints give nearly the same topics; whether other documents would is measured by
        ``orrery stability``.
    n_jobs : int, optional
        Number of threads; all available ones for None and -1.
    verbose : bool or int
        Whether to show a progress bar.

    Attributes
    ----------
    model_ : TopicModel
        Network, vocabulary, recipe and labels.
    corpus_ : Corpus or None
        The documents of `fit`; None for a loaded run whose corpus no longer exists.
    topics_ : pandas.DataFrame
        One row per topic.
    history_ : pandas.DataFrame
        Columns ``epoch`` and ``bound``: the mean bound of each step's documents, in nats.
    n_documents_seen_ : int
    seed_ : int
        Seed obtained from ``random_state``.
    n_features_in_, feature_names_in_
        Number and names of the columns of a matrix, as in scikit-learn.

    Examples
    --------
    >>> from orrery import NoisyOrTopics
    >>> topics = NoisyOrTopics(random_state=0).fit(texts)  # doctest: +SKIP
    >>> topics.query("space shuttle")  # doctest: +SKIP
    """

    def __init__(
        self,
        n_topics: int | Sequence[int] | None = None,
        *,
        learn_structure: bool | str = "auto",
        method: str = "dense-regions",
        edges: int | None = None,
        epochs: int = 20,
        weight_penalty: float | None = None,
        recipe: Recipe | None = None,
        sparse_output: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = 0,
    ) -> None:
        self.n_topics = n_topics
        self.learn_structure = learn_structure
        self.method = method
        self.edges = edges
        self.epochs = epochs
        self.weight_penalty = weight_penalty
        self.recipe = recipe
        self.sparse_output = sparse_output
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # Training

    def fit(self, X: Any, y: Any = None) -> NoisyOrTopics:  # noqa: N803
        """Train on all given documents; split off a test set beforehand.

        Parameters
        ----------
        X : sequence of str, array or sparse array (n_documents, n_words), or Corpus
        y : ignored

        Raises
        ------
        InputError
            If a parameter or the documents are invalid; a subclass of ValueError.
        """
        corpus = self._first_corpus(X)
        self.seed_ = _seed_of(self.random_state)
        settings = self._settings()
        with threads(self._threads()):
            fitted = fit_corpus(corpus, settings, verbose=bool(self.verbose))
        self._graph = fitted.graph
        self.corpus_: Corpus | None = corpus
        self.n_documents_seen_ = corpus.n_documents
        self._n_calls = 0
        self.history_ = pd.DataFrame(fitted.history, columns=["epoch", "bound"])
        epochs = fitted.history[-1][0] if fitted.history else 0.0
        self._set_network(fitted.network, corpus.vocabulary, corpus.recipe, epochs)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> NoisyOrTopics:  # noqa: N803
        """Continue training with more documents; the first call is `fit`.

        The first call determines the vocabulary and the graph, so it needs enough documents; new
        words in later calls are ignored. Each later call makes one pass over its documents, starts
        from the current weights, and changes only the weights. Its documents are not kept:
        ``corpus_`` remains the corpus of the first call.

        Parameters
        ----------
        X : see `fit`
        y : ignored
        """
        if not hasattr(self, "model_"):
            return self.fit(X)
        corpus = self._known_corpus(X)
        if not corpus.n_documents:
            raise InputError("there is no document to train on; give one or more")
        n_documents, n_calls = self.n_documents_seen_ + corpus.n_documents, self._n_calls + 1
        options = self._partial_fit_options(corpus.n_documents / n_documents, n_calls)
        with threads(self._threads()):
            fitted = fit_more(self.network_, corpus, options, verbose=bool(self.verbose))
        # An interrupted call counts nothing.
        self.n_documents_seen_, self._n_calls = n_documents, n_calls
        before = _count(self.model_.summary, "epochs")
        more = [(before + epoch, bound) for epoch, bound in fitted.history]
        added = pd.DataFrame(more, columns=["epoch", "bound"])
        self.history_ = pd.concat([self.history_, added], ignore_index=True)
        epochs = more[-1][0] if more else before
        self._set_network(fitted.network, self.model_.vocabulary, self.model_.recipe, epochs)
        return self

    # Inference for many documents

    def transform(self, X: Any) -> FloatArray | sparse.csr_array:  # noqa: N803
        """Posterior probability of every topic in every document.

        Computed by belief propagation (`infer_activations`) in closed world: words that are not
        in a document are absent.

        Returns
        -------
        float64 array or csr_array, shape (n_documents, n_topics)
            A csr_array if ``sparse_output`` is set.
        """
        check_is_fitted(self, "model_")
        found = self._activations(self._known_corpus(X))
        return found if self.sparse_output else found.toarray()

    def fit_transform(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        **fit_params: Any,
    ) -> FloatArray | sparse.csr_array:
        """`fit`, then `transform` of the same documents."""
        return self.fit(X, y, **fit_params).transform(X)

    def score_samples(self, X: Any) -> FloatArray:  # noqa: N803
        """Exact mean-field bound of the log-likelihood of each document, in nats.

        Returns
        -------
        float64 array, shape (n_documents,)
        """
        check_is_fitted(self, "model_")
        corpus = self._known_corpus(X)
        with threads(self._threads()):
            return infer_bounds(self.network_, corpus)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: N803
        """Mean exact mean-field bound of the log-likelihood, in nats per document.

        The bound is deterministic, and training maximises it; `orrery.evaluate` estimates the
        log-likelihood itself. A higher bound is better, but only models with the same vocabulary
        are comparable: fewer words alone raise the bound.
        """
        scores = self.score_samples(X)
        if not len(scores):
            raise InputError("there is no document to score; give one or more")
        return float(scores.mean())

    # Queries

    def query(
        self,
        text: str,
        *,
        closed_world: bool = False,
        method: str = "auto",
    ) -> QueryResult:
        """Return the posterior of the topics given some words.

        Parameters
        ----------
        text : str
            Words that are present; ``-word`` is absent and ``?word`` unknown. In a model of a
            matrix or a graph, words after "no" and the like are absent too, except ``+word``; the
            notes of the result list them.
        closed_world : bool
            Whether all other words are absent, as in a document; otherwise they are unknown.
        method : str
            See `orrery.infer`.

        Raises
        ------
        InputError
            If the query is no text, no word is in the vocabulary, or a word has two states.
        """
        check_is_fitted(self, "model_")
        if not isinstance(text, str):
            raise InputError(f"the query is a {type(text).__name__}; give one text")
        question = read_question(self.model_, text)  # type: ignore[arg-type]
        if not any(word.token >= 0 for word in question.typed):
            raise InputError(no_words(text, question.strangers))
        evidence = question.evidence(closed_world=closed_world)
        posterior = infer(self.network_, evidence, method=method)  # type: ignore[arg-type]
        return QueryResult(self.model_, text, posterior, question.strangers, question)

    def explain(
        self,
        query: str | QueryResult | Evidence,
        topic: int | str | None = None,
    ) -> Explanation:
        """Explain why a topic is on or off.

        Parameters
        ----------
        query : str, QueryResult or Evidence
        topic : int or str, optional
            Number, id or label of a topic in the result; the most probable one by default.

        Raises
        ------
        InputError
            If there is no such topic, or it is not above any word of the query.
        """
        check_is_fitted(self, "model_")
        posterior = self._answer(query)
        if topic is not None:
            number = self._topic_number(topic)
        elif len(posterior.local.topics):
            number = int(posterior.local.topics[posterior.probability.argmax()])
        else:
            raise InputError("no topic has a word of this query below it; ask for other words")
        posterior.position(number, self.network_.graph.topic_ids[number])
        return Explanation(self.model_, posterior, number)

    def topic(self, topic: int | str) -> TopicCard:
        """Card of one topic, by its number, id or label.

        Raises
        ------
        InputError
            If there is no such topic.
        """
        check_is_fitted(self, "model_")
        number = self._topic_number(topic)
        counts = self._documents_of_topics()
        return TopicCard(self.model_, number, None if counts is None else int(counts[number]))

    # The model

    @property
    def network_(self) -> Network:
        """The trained network."""
        check_is_fitted(self, "model_")
        return self.model_.network

    @property
    def topics_(self) -> pd.DataFrame:
        """The topics, in the order of the columns of `transform`.

        Columns ``id``, ``label``, ``words`` (list of top words), ``documents`` (number of documents
        of the corpus in which the topic is more likely on than off, missing without a corpus),
        ``layer`` (1 above the words) and ``parents`` (ids, the strongest first). If `orrery
        stability` has measured the loaded run, also ``found_again``, the share of its trainings
        that found the topic again.
        """
        check_is_fitted(self, "model_")
        model, graph = self.model_, self.network_.graph
        counts = self._documents_of_topics()
        n_topics = graph.n_topics
        documents = [pd.NA] * n_topics if counts is None else counts
        table = pd.DataFrame(
            {
                "id": pd.Series(graph.topic_ids, dtype="str"),
                "label": pd.Series(model.topic_labels, dtype="str"),
                "words": [self._words_of(topic) for topic in range(n_topics)],
                "documents": pd.array(documents, dtype="Int64"),
                "layer": graph.heights()[:n_topics].astype(np.int64),
                "parents": [self._parents_of(topic) for topic in range(n_topics)],
            }
        )
        found = known_stability(model)
        if found is not None:
            table["found_again"] = found.topic_counts / found.times
        return table

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Ids of the topics, which are the columns of `transform`."""
        check_is_fitted(self, "model_")
        if hasattr(self, "n_features_in_"):
            _check_feature_names_in(self, input_features, generate_names=False)
        return np.array(self.network_.graph.topic_ids, dtype=object)

    def name_words(self, words: Sequence[str]) -> NoisyOrTopics:
        """Set the words of the columns of a matrix that has no column names.

        In a pipeline: ``topics.name_words(vectorizer.get_feature_names_out())``.

        Raises
        ------
        InputError
            If the number of words differs from the number of columns, or a word is repeated.
        """
        check_is_fitted(self, "model_")
        vocabulary = _vocabulary(words, self.network_.graph.n_tokens)
        if self.corpus_ is not None:
            self.corpus_ = replace(self.corpus_, vocabulary=vocabulary)
        epochs = _count(self.model_.summary, "epochs")
        self._set_network(self.network_, vocabulary, self.model_.recipe, epochs)
        return self

    def to_networkx(self, *, with_bits: bool = False) -> nx.DiGraph:
        """Network as a NetworkX graph; nodes are topic ids and ``word:WORD``.

        Nodes have ``kind`` (``topic`` or ``token``), ``label`` and ``leak``; edges have ``weight``,
        and with ``with_bits`` also ``bits``, the mutual information of their ends, which takes a
        query for every node.
        """
        from ..export.graph_data import digraph

        check_is_fitted(self, "model_")
        return digraph(self.model_, with_bits=with_bits)

    def to_pyvis(self, max_topics: int = 300, theme: Theme = "light") -> TopicNetwork:
        """Hierarchy of the topics as a pyvis network, which can be restyled.

        Each topic is placed to the right of its main parent, as in ``orrery export --format svg``.

        Parameters
        ----------
        max_topics : int
            Number of topics drawn, the most probable ones; a heading states it for larger models.
        theme : {"light", "dark"}

        Returns
        -------
        TopicNetwork
            A `pyvis.network.Network` with nodes ``topic:ID``. The ``probability`` of an edge is
            the one with which the parent activates its child. The HTML makes no network request
            (`orrery.core.drawing.pyvis_network`).
        """
        from ..drawing.pyvis_network import hierarchy_network

        check_is_fitted(self, "model_")
        return hierarchy_network(self.model_, max_topics, theme)

    # On disk

    def save(self, folder: str | Path) -> Path:
        """Save as a run with its corpus, which the app and the command line open.

        The app lists a run in the folder ``runs`` of a workspace; its corpus is then saved in the
        folder ``corpora`` beside ``runs``. Elsewhere, the corpus is saved inside the run.
        ``orrery infer`` and ``orrery export`` accept both.

        Raises
        ------
        InputError
            If ``folder`` exists.
        """
        check_is_fitted(self, "model_")
        columns = getattr(self, "feature_names_in_", None)
        is_named = columns is not None and tuple(columns) == self.model_.vocabulary
        more = {NAMED_COLUMNS: is_named, CALLS: self._n_calls}
        model = replace(self.model_, summary={**self.model_.summary, **more})
        with threads(self._threads()):
            save_as_run(Path(folder), model, self._graph, self.corpus_, self._settings())
        return Path(folder)

    @classmethod
    def load(cls, run: str | Path) -> NoisyOrTopics:
        """Load a run saved by `save`, trained by `orrery train`, or made from an external graph.

        Raises
        ------
        InputError
            If the folder is not a run, has no model yet, or is damaged.
        """
        model, corpus, settings = read_saved(Path(run))
        made = cls(**{} if settings is None else _parameters(settings, model.recipe))
        made.seed_ = _seed_of(0 if settings is None else settings.training.seed)
        made.model_, made._graph, made.corpus_ = model, model.network.graph, corpus
        made.n_documents_seen_ = int(_count(model.summary, "documents"))
        made._n_calls, made._counted = int(_count(model.summary, CALLS)), None
        made.history_ = pd.DataFrame({"epoch": [], "bound": []}, dtype=np.float64)
        if model.recipe.matrix:
            made.n_features_in_ = len(model.vocabulary)
        if model.summary.get(NAMED_COLUMNS) is True:
            made.feature_names_in_ = np.array(model.vocabulary, dtype=object)
        return made

    # Protocol of scikit-learn

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        return tags

    def _html_repr(self) -> str:
        """HTML for a notebook: the parameters, and after training the topics."""
        shown = str(super()._html_repr())
        if not hasattr(self, "model_"):
            return shown
        return shown + self.model_._repr_html_()

    # Private methods

    def _threads(self) -> int | None:
        n_jobs = self.n_jobs
        if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
            raise InputError(
                f"n_jobs is {n_jobs!r}; expected a whole number that is not 0, or None"
            )
        return None if n_jobs is None else int(n_jobs)

    def _settings(self) -> RunSettings:
        """The parameters as settings of a run, which validate them."""
        learn, topics = self.learn_structure, _sizes(self.n_topics)
        if not (isinstance(learn, bool | np.bool_) or learn == "auto"):
            raise InputError(f"learn_structure is {learn!r}; expected True, False or 'auto'")
        is_free = topics is None and self.edges is None
        is_learned = is_free and bool(learn)
        by_gibbs = learn != "auto" and bool(learn) and not is_free
        training = TrainingOptions(
            epochs=self.epochs,
            seed=self.seed_,
            weight_penalty=self.weight_penalty,
            structure="learned" if is_learned else "given",
            start="gibbs" if by_gibbs else "random",
        )
        return RunSettings(
            corpus="",
            training=training,
            method=self.method,
            topics=topics,
            edges=self.edges,
            learn_structure=by_gibbs,
            held_out=0.0,
        )

    def _partial_fit_options(self, share: float, n_calls: int) -> TrainingOptions:
        """Options of one more pass over new documents, a ``share`` of all documents seen so far.

        The penalty applies to all documents together, so it is multiplied by this share.
        """
        usual = self._settings().training
        return TrainingOptions(
            epochs=1,
            seed=self.seed_ + n_calls,
            learning_rate=RATE_OF_MORE,
            weight_penalty=share * usual.penalty,
        )

    def _first_corpus(self, documents: Any) -> Corpus:
        """Input of `fit` as a corpus with its own vocabulary."""
        if isinstance(documents, Corpus) or is_texts(documents):
            for name in ("n_features_in_", "feature_names_in_"):
                self.__dict__.pop(name, None)
            if isinstance(documents, Corpus):
                return documents
            if not len(documents):
                raise InputError("there is no document to train on; give one or more")
            return corpus_of_texts(documents, self.recipe)
        matrix = self._matrix(documents, reset=True)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{number}" for number in range(matrix.shape[1])]
        corpus = corpus_of_matrix(matrix, _vocabulary(names, matrix.shape[1]))
        if not len(corpus.token_idx):
            raise InputError("the matrix has no entry above zero; give one with words in documents")
        return corpus

    def _known_corpus(self, documents: Any) -> Corpus:
        """Input of a trained estimator as a corpus with the vocabulary of the model."""
        model = self.model_
        if isinstance(documents, Corpus):
            if documents.vocabulary != model.vocabulary:
                raise InputError(
                    "the corpus has another vocabulary than the model; "
                    "use the one that it was trained on, or its texts"
                )
            return documents
        if is_texts(documents):
            return known_words(documents, model)
        names = _get_feature_names(documents)
        is_named_for_texts = not model.recipe.matrix and names is not None
        matrix = self._matrix(
            np.asarray(documents) if is_named_for_texts else documents, reset=False
        )
        n_tokens = model.network.graph.n_tokens
        if matrix.shape[1] != n_tokens:
            raise InputError(
                f"X has {matrix.shape[1]} features, but NoisyOrTopics is expecting {n_tokens} "
                "features as input: the words of its vocabulary"
            )
        self._check_columns(names)
        return corpus_of_matrix(matrix, model.vocabulary, model.recipe)

    def _check_columns(self, names: Any) -> None:
        """Refuse a matrix whose columns may not be the words of the vocabulary in their order.

        ``names`` are its column names, None without any. scikit-learn checks them if the model was
        trained on a matrix with names.
        """
        words = list(self.model_.vocabulary)
        if not self.model_.recipe.matrix and names is None:
            raise InputError(
                "this model was trained on texts and cannot check the columns of a matrix without "
                "names; give texts, a Corpus, or a data frame with the words of model_.vocabulary "
                "as columns"
            )
        is_permuted = names is not None and list(names) != words
        if is_permuted and (not self.model_.recipe.matrix or set(names) == set(words)):
            raise InputError(
                "the columns are not the words of the model in their order; select them with "
                "table[list(topics.model_.vocabulary)]"
            )

    def _matrix(self, documents: Any, *, reset: bool) -> Any:
        matrix = validate_data(self, documents, accept_sparse="csr", reset=reset)
        check_non_negative(matrix, "NoisyOrTopics (X is what is present: 0 or more)")
        return matrix

    def _set_network(
        self, network: Network, vocabulary: tuple[str, ...], recipe: Recipe, epochs: float
    ) -> None:
        """Set `model_` to a network with its vocabulary and the labels of its topics."""
        before = getattr(self, "model_", None)
        is_same_graph = before is not None and before.network.graph is network.graph
        overlay = before.overlay if before is not None and is_same_graph else Overlay()
        named = named_topics(before) if before is not None and is_same_graph else ()
        summary = {**_UNTRAINED_SUMMARY}
        if before is not None and before.network is network:
            summary |= before.summary
        elif before is not None and is_same_graph and "terms" in before.summary:
            summary["terms"] = before.summary["terms"]
        corpus = getattr(self, "corpus_", None)
        made = name_topics(
            network, vocabulary, named, None if corpus is None else WordPairs(corpus)
        )
        labels = tuple(made.labels)
        self.model_ = TopicModel(
            network=network,
            vocabulary=vocabulary,
            recipe=recipe,
            topic_labels=overlay.shown_labels(network.graph.topic_ids, labels),
            made_labels=labels,
            overlay=overlay,
            summary={**summary, "documents": self.n_documents_seen_, "epochs": epochs},
            coherence=None if corpus is None else tuple(made.coherence),
        )
        self._counted: tuple[TopicModel, npt.NDArray[np.int64]] | None = None

    def _activations(self, corpus: Corpus) -> sparse.csr_array:
        rows = np.arange(corpus.n_documents)
        with threads(self._threads()):
            blocks = [
                infer_activations(self.network_, corpus, rows[begin : begin + BLOCK])
                for begin in range(0, max(len(rows), 1), BLOCK)
            ]
        return sparse.csr_array(sparse.vstack(blocks, format="csr"))

    def _documents_of_topics(self) -> npt.NDArray[np.int64] | None:
        """Number of documents of the corpus in which each topic is on, cached for the model."""
        if self.corpus_ is None:
            return None
        if self._counted is None or self._counted[0] is not self.model_:
            is_on = self._activations(self.corpus_) > ON_THRESHOLD
            self._counted = self.model_, np.asarray(is_on.sum(axis=0)).ravel().astype(np.int64)
        return self._counted[1]

    def _answer(self, query: str | QueryResult | Evidence) -> Posterior:
        if isinstance(query, QueryResult):
            return query.posterior
        if isinstance(query, Evidence):
            return infer(self.network_, query)
        return self.query(query).posterior

    def _topic_number(self, topic: int | str) -> int:
        graph = self.network_.graph
        if isinstance(topic, Integral) and 0 <= topic < graph.n_topics:
            return int(topic)
        for names in (graph.topic_ids, self.model_.topic_labels):
            if topic in names:
                return names.index(str(topic))
        raise InputError(f"there is no topic {topic!r}; topics_ lists ids and labels")

    def _words_of(self, topic: int) -> list[str]:
        found = self.model_.topic_words.words(topic, WORDS_OF_A_TOPIC)
        return [word.replace("_", " ") for word, _, _ in found]

    def _parents_of(self, topic: int) -> list[str]:
        graph = self.network_.graph
        edges = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
        order = np.argsort(-self.network_.weight[edges], kind="stable")
        return [graph.topic_ids[parent] for parent in graph.parent_idx[edges][order]]


def _seed_of(random_state: Any) -> int:
    """An int unchanged, so that `orrery train --seed` is equivalent; otherwise a random seed."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        return int(random_state)
    return int(check_random_state(random_state).randint(MAX_SEED))


def _count(summary: Mapping[str, Any], name: str) -> float:
    """Number in the summary of a model; 0 if it has none."""
    value = summary.get(name)
    return value if isinstance(value, int | float) and 0 <= value < np.inf else 0


def _sizes(n_topics: int | Sequence[int] | None) -> tuple[int, ...] | None:
    """Number of topics in each layer."""
    if n_topics is None:
        return None
    try:
        sizes = np.array(n_topics, ndmin=1)
    except ValueError:
        sizes = np.zeros((0, 0))
    is_whole = np.issubdtype(sizes.dtype, np.integer)
    if not (is_whole and sizes.ndim == 1 and len(sizes) and (sizes > 0).all()):
        raise InputError(
            f"n_topics is {n_topics!r}; expected None, a whole number of 1 or more, or one for "
            "each layer"
        )
    return tuple(sizes.tolist())


def _vocabulary(words: Any, n_tokens: int) -> tuple[str, ...]:
    """Names of the columns of a matrix, validated."""
    vocabulary = tuple(str(word) for word in words)
    if len(vocabulary) != n_tokens:
        raise InputError(f"got {len(vocabulary)} words for {n_tokens} columns; name each")
    if len(set(vocabulary)) != n_tokens:
        raise InputError("two columns have the same word; give each a word of its own")
    if any(has_line_break(word) or not word.strip() for word in vocabulary):
        raise InputError("a word is empty or has a line break; give each column a word")
    return vocabulary


def _parameters(settings: RunSettings, recipe: Recipe) -> dict[str, Any]:
    """Parameters with which an estimator trains as a run was trained."""
    # Whether "auto" makes the same choice as these settings.
    is_free = settings.topics is None and settings.edges is None
    is_usual = settings.is_learned if is_free else not settings.learn_structure
    # Training determines what the import learned again from the texts.
    base_recipe = without_learned(recipe)
    return {
        "n_topics": settings.topics,
        "learn_structure": "auto" if is_usual else settings.learn_structure,
        "method": settings.method,
        "edges": settings.edges,
        "epochs": settings.training.epochs,
        "weight_penalty": settings.training.weight_penalty,
        "recipe": None if base_recipe == matrix_recipe() else base_recipe,
        "random_state": settings.training.seed,
    }
