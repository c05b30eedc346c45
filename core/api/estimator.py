"""NoisyOrTopics: a graph of topics, learned and asked by scikit-learn's rules."""

from __future__ import annotations

from collections.abc import Sequence
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
    check_is_fitted,
    check_non_negative,
    validate_data,
)

from ..data.corpus import Corpus
from ..data.query import no_words
from ..data.recipe import Recipe, matrix_recipe
from ..inference.evidence import Evidence
from ..inference.infer import infer, infer_activations, infer_bounds
from ..inference.posterior import Posterior
from ..model.labels import topic_labels
from ..model.network import Network
from ..model.overlay import Overlay
from ..model.topic_model import TopicModel
from ..runs.settings import RunSettings
from ..training.options import DEFAULT_RATE, TrainingOptions
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .answers import Explanation, QueryResult, TopicCard, question_of
from .fitting import (
    corpus_of_matrix,
    corpus_of_texts,
    fit_corpus,
    fit_more,
    is_texts,
    known_words,
    threads,
)
from .saving import Saved, named_topics, read_saved, save_as_run

if TYPE_CHECKING:
    import networkx as nx

    from ..drawing.pyvis_network import Theme, TopicNetwork


# A topic is on in a document above this probability.
ON = 0.5
# Documents that are looked at together: their local models fit into memory.
BLOCK = 2_000
WORDS_OF_A_TOPIC = 10
# What a model's summary holds, as `orrery train` writes it.
_NOTHING_TRAINED = {"epochs": 0.0, "documents": 0, "held_out": None}
# Where training ends there is little to settle: the rate at which it goes on after a Gibbs start.
RATE_OF_MORE = DEFAULT_RATE["gibbs"]
# Seeds that one random state draws from.
MAX_SEED = 2**31 - 1


class NoisyOrTopics(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Topics above topics above words, as a noisy-OR Bayesian network (Ji et al. 2019).

    A document is the set of words that are in it: counts become presence. ``X`` may be texts, a
    matrix of documents by words (dense or sparse; above 0 is present, below 0 is refused), or a
    `Corpus`.

    Parameters
    ----------
    n_topics : int or sequence of int, optional
        Topics in each layer, from the one above the words upward, of a graph that is proposed.
        None leaves their number to the texts: the graph is learned, as `orrery train` does.
    learn_structure : bool or "auto"
        Whether the graph is learned with its weights. "auto": where ``n_topics`` and ``edges`` are
        None. True with either of them: more edges are proposed, and Gibbs sampling keeps the best.
    method : {"dense-regions", "agglomerative", "complete"}
        How a graph that is not learned is proposed.
    edges : int, optional
        Most edges of a graph that is not left to the texts.
    epochs : int
        Passes over the documents; a third more where the graph is learned.
    weight_penalty : float, optional
        Nats that a unit of weight into a word costs, once for all documents; 20 if not given, 10
        with Gibbs sampling. Of a hundred short texts it lets little through: lower it there.
    recipe : Recipe, optional
        How texts become words; `Recipe()` if not given, which leaves out words that are in fewer
        than 5 documents or in more than half. Matrices and corpora have their own.
    sparse_output : bool
        Whether `transform` gives a sparse array.
    random_state : int, RandomState instance or None
        An int gives the same model every time, whatever ``n_jobs`` is.
    n_jobs : int, optional
        Threads; None and -1 are all that there are.
    verbose : bool or int
        Whether to show a bar.

    Attributes
    ----------
    model_ : TopicModel
        Network, vocabulary, recipe and labels.
    corpus_ : Corpus or None
        The documents of `fit`; None where a run was loaded whose corpus is gone.
    topics_ : pandas.DataFrame
        A topic a row.
    history_ : pandas.DataFrame
        Columns ``epoch`` and ``bound``: the mean bound of each step's documents, in nats.
    n_documents_seen_ : int
    seed_ : int
        What ``random_state`` came to.
    n_features_in_, feature_names_in_
        Of a matrix, as scikit-learn has them.

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

    # Learning

    def fit(self, X: Any, y: Any = None) -> NoisyOrTopics:  # noqa: N803
        """Learn the topics of documents, of all of them: hold out beforehand what is to judge.

        Parameters
        ----------
        X : sequence of str, array or sparse array (n_documents, n_words), or Corpus
        y : ignored

        Raises
        ------
        InputError
            A ValueError: a parameter or the documents cannot be used; the message says why.
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
        self._set_network(fitted.network, corpus.vocabulary, corpus.recipe)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> NoisyOrTopics:  # noqa: N803
        """Train on with more documents; the first call is `fit`.

        Words and graph stay those of the first call, which therefore needs documents enough to
        learn them from; words that are new are passed over. Each further call is one pass over
        its documents, which changes the weights alone and begins where the last call ended. The
        documents are not kept: ``corpus_`` stays that of the first call.

        Parameters
        ----------
        X : as of `fit`
        y : ignored
        """
        if not hasattr(self, "model_"):
            return self.fit(X)
        corpus = self._known_corpus(X)
        if not corpus.n_documents:
            raise InputError("there is no document to train on; give one or more")
        self.n_documents_seen_ += corpus.n_documents
        self._n_calls += 1
        share = corpus.n_documents / self.n_documents_seen_
        with threads(self._threads()):
            fitted = fit_more(
                self.network_,
                corpus,
                self._options_of_more(share),
                verbose=bool(self.verbose),
            )
        before = 0.0 if self.history_.empty else float(self.history_["epoch"].iloc[-1])
        more = [(before + epoch, bound) for epoch, bound in fitted.history]
        added = pd.DataFrame(more, columns=["epoch", "bound"])
        self.history_ = pd.concat([self.history_, added], ignore_index=True)
        self._set_network(fitted.network, self.model_.vocabulary, self.model_.recipe)
        return self

    # Asking about many documents

    def transform(self, X: Any) -> FloatArray | sparse.csr_array:  # noqa: N803
        """Posterior probability of every topic in every document.

        As `infer_activations` says, by sum-product: words that are not in a
        document are absent from it.

        Returns
        -------
        float64 array or csr_array, shape (n_documents, n_topics)
            A csr_array with ``sparse_output``.
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

        The bound is what training maximises, and the same every time; `orrery.evaluate` estimates
        the log-likelihood itself. Of two models over the same words, the higher is the better: a
        model of fewer words scores higher for that alone.
        """
        return float(self.score_samples(X).mean())

    # Asking about a few words

    def query(
        self,
        text: str,
        *,
        closed_world: bool = False,
        method: str = "auto",
    ) -> QueryResult:
        """Ask which topics some words switch on.

        Parameters
        ----------
        text : str
            Words that are present; ``-word`` is absent and ``?word`` unknown.
        closed_world : bool
            Whether all other words are absent, as in a document, or unknown, as in a question.
        method : str
            As of `orrery.infer`.

        Raises
        ------
        InputError
            If the model knows none of the words, or one of them is given two states.
        """
        check_is_fitted(self, "model_")
        question = question_of(self.model_, text)
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
        """Say why a topic is on or off.

        Parameters
        ----------
        query : str, QueryResult or Evidence
        topic : int or str, optional
            Number, id or label of a topic of the answer; the most probable if not given.

        Raises
        ------
        InputError
            If there is no such topic, or no word of the query is below it.
        """
        check_is_fitted(self, "model_")
        posterior = self._answer(query)
        if topic is not None:
            number = self._topic_number(topic)
        elif len(posterior.local.topics):
            number = int(posterior.local.topics[posterior.probability.argmax()])
        else:
            raise InputError("no topic has a word of this query below it; ask for other words")
        posterior.position(number)
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

        Columns ``id``, ``label``, ``words`` (the most telling, a list), ``documents`` of the corpus
        in which it is more likely on than off (missing without a corpus), ``layer`` (1 above the
        words) and ``parents`` (ids, the strongest first).
        """
        check_is_fitted(self, "model_")
        model, graph = self.model_, self.network_.graph
        counts = self._documents_of_topics()
        n_topics = graph.n_topics
        documents = [pd.NA] * n_topics if counts is None else counts
        return pd.DataFrame(
            {
                "id": pd.Series(graph.topic_ids, dtype="str"),
                "label": pd.Series(model.topic_labels, dtype="str"),
                "words": [self._words_of(topic) for topic in range(n_topics)],
                "documents": pd.array(documents, dtype="Int64"),
                "layer": graph.heights()[:n_topics].astype(np.int64),
                "parents": [self._parents_of(topic) for topic in range(n_topics)],
            }
        )

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Ids of the topics, which are the columns of `transform`."""
        check_is_fitted(self, "model_")
        if hasattr(self, "n_features_in_"):
            _check_feature_names_in(self, input_features, generate_names=False)
        return np.array(self.network_.graph.topic_ids, dtype=object)

    def name_words(self, words: Sequence[str]) -> NoisyOrTopics:
        """Say what the columns of the matrix stand for, where it did not say so itself.

        In a pipeline: ``topics.name_words(vectorizer.get_feature_names_out())``.

        Raises
        ------
        InputError
            If they are not as many as the columns, or not all different.
        """
        check_is_fitted(self, "model_")
        vocabulary = _vocabulary(words, self.network_.graph.n_tokens)
        if self.corpus_ is not None:
            self.corpus_ = replace(self.corpus_, vocabulary=vocabulary)
        self._set_network(self.network_, vocabulary, self.model_.recipe)
        return self

    def to_networkx(self) -> nx.DiGraph:
        """The network for NetworkX: topics by their ids, words as ``word:WORD``.

        Nodes have ``kind`` (``topic`` or ``token``), ``label`` and ``leak``, edges ``weight``.
        """
        from ..export.graph_data import digraph

        check_is_fitted(self, "model_")
        return digraph(self.model_)

    def to_pyvis(self, max_topics: int = 300, theme: Theme = "light") -> TopicNetwork:
        """Network of pyvis with the hierarchy of topics, to be restyled.

        Each topic is placed to the right of its main parent, as in ``orrery export --format svg``.

        Parameters
        ----------
        max_topics : int
            Of a larger model the most probable topics are drawn, and a heading states their number.
        theme : {"light", "dark"}

        Returns
        -------
        TopicNetwork
            A `pyvis.network.Network` of nodes ``topic:ID``. Edges have the ``probability`` with
            which a parent switches its child on. The HTML loads no address
            (`orrery.core.drawing.pyvis_network`).
        """
        from ..drawing.pyvis_network import hierarchy_network

        check_is_fitted(self, "model_")
        return hierarchy_network(self.model_, max_topics, theme)

    # On disk

    def save(self, folder: str | Path) -> Path:
        """Save as a run with its corpus, which the app and the command line open.

        In the folder ``runs`` of a workspace the app lists it, and its corpus goes to ``corpora``
        beside; elsewhere the corpus is inside the run. ``orrery infer`` and ``orrery export`` take
        either.

        Raises
        ------
        InputError
            If there is something at ``folder`` already.
        """
        check_is_fitted(self, "model_")
        with threads(self._threads()):
            saved = Saved(self.model_, self._graph, self.corpus_, self._settings())
            save_as_run(saved, Path(folder))
        return Path(folder)

    @classmethod
    def load(cls, run: str | Path) -> NoisyOrTopics:
        """Read a run, whether saved here, trained by `orrery train` or adopted from a graph.

        Raises
        ------
        InputError
            If the folder is no run, has no model yet, or is damaged.
        """
        model, corpus, settings = read_saved(Path(run))
        made = cls(**{} if settings is None else _parameters(settings, model.recipe))
        made.seed_ = _seed_of(0 if settings is None else settings.training.seed)
        made.model_, made._graph, made.corpus_ = model, model.network.graph, corpus
        known = model.summary.get("documents")
        n_documents = known if isinstance(known, int) else 0
        made.n_documents_seen_ = n_documents if corpus is None else corpus.n_documents
        made._n_calls, made._counted = 0, None
        made.history_ = pd.DataFrame({"epoch": [], "bound": []}, dtype=np.float64)
        if model.recipe.matrix:
            made.n_features_in_ = len(model.vocabulary)
        return made

    # What scikit-learn asks

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        return tags

    def _html_repr(self) -> str:
        """What a notebook shows: the parameters, and after training the topics."""
        shown = str(super()._html_repr())
        if not hasattr(self, "model_"):
            return shown
        return shown + self.model_._repr_html_()

    # Inside

    def _threads(self) -> int | None:
        n_jobs = self.n_jobs
        if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
            raise InputError(
                f"n_jobs is {n_jobs!r}; expected a whole number that is not 0, or None"
            )
        return None if n_jobs is None else int(n_jobs)

    def _settings(self) -> RunSettings:
        """The parameters as settings of a run, which refuse what cannot be."""
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

    def _options_of_more(self, share: float) -> TrainingOptions:
        """Options of a further pass over a share of all documents that were seen.

        So much of the penalty, which is for all of them, is theirs.
        """
        usual = self._settings().training
        return TrainingOptions(
            epochs=1,
            seed=self.seed_ + self._n_calls,
            learning_rate=RATE_OF_MORE,
            weight_penalty=share * usual.penalty,
        )

    def _first_corpus(self, documents: Any) -> Corpus:
        """What is handed to `fit`, as a corpus with a vocabulary of its own."""
        if isinstance(documents, Corpus) or is_texts(documents):
            for name in ("n_features_in_", "feature_names_in_"):
                self.__dict__.pop(name, None)
            if isinstance(documents, Corpus):
                return documents
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
        """What is handed to a trained estimator, over the vocabulary that it has learned."""
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
        matrix = self._matrix(documents, reset=False)
        n_tokens = model.network.graph.n_tokens
        if matrix.shape[1] != n_tokens:
            raise InputError(
                f"X has {matrix.shape[1]} features, but NoisyOrTopics is expecting {n_tokens} "
                "features as input: the words of its vocabulary"
            )
        return corpus_of_matrix(matrix, model.vocabulary, model.recipe)

    def _matrix(self, documents: Any, *, reset: bool) -> Any:
        matrix = validate_data(self, documents, accept_sparse="csr", reset=reset)
        check_non_negative(matrix, "NoisyOrTopics (X is what is present: 0 or more)")
        return matrix

    def _set_network(self, network: Network, vocabulary: tuple[str, ...], recipe: Recipe) -> None:
        """Keep a network with its words and the names of its topics."""
        before = getattr(self, "model_", None)
        is_same_graph = before is not None and before.network.graph is network.graph
        overlay = before.overlay if before is not None and is_same_graph else Overlay()
        named = named_topics(before) if before is not None and is_same_graph else ()
        made = tuple(topic_labels(network, vocabulary, named))
        epochs = 0.0 if self.history_.empty else float(self.history_["epoch"].iloc[-1])
        self.model_ = TopicModel(
            network=network,
            vocabulary=vocabulary,
            recipe=recipe,
            topic_labels=overlay.shown_labels(network.graph.topic_ids, made),
            made_labels=made,
            overlay=overlay,
            summary={**_NOTHING_TRAINED, "documents": self.n_documents_seen_, "epochs": epochs},
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
        """How many documents of the corpus each topic is on in, counted once for a model."""
        if self.corpus_ is None:
            return None
        if self._counted is None or self._counted[0] is not self.model_:
            is_on = self._activations(self.corpus_) > ON
            self._counted = self.model_, np.asarray(is_on.sum(axis=0)).ravel().astype(np.int64)
        return self._counted[1]

    def _answer(self, query: str | QueryResult | Evidence) -> Posterior:
        if isinstance(query, str):
            return self.query(query).posterior
        if isinstance(query, Evidence):
            return infer(self.network_, query)
        return query.posterior

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
    """An int as it is, so that `orrery train --seed` gives the same; else one that is drawn."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        return int(random_state)
    return int(check_random_state(random_state).randint(MAX_SEED))


def _sizes(n_topics: int | Sequence[int] | None) -> tuple[int, ...] | None:
    """Topics of each layer."""
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
    """Names of the columns of a matrix."""
    vocabulary = tuple(str(word) for word in words)
    if len(vocabulary) != n_tokens:
        raise InputError(f"got {len(vocabulary)} words for {n_tokens} columns; name each")
    if len(set(vocabulary)) != n_tokens:
        raise InputError("two columns have the same word; give each a word of its own")
    if any("\n" in word or "\r" in word or not word.strip() for word in vocabulary):
        raise InputError("a word is empty or has a line break; give each column a word")
    return vocabulary


def _parameters(settings: RunSettings, recipe: Recipe) -> dict[str, Any]:
    """Parameters by which an estimator would train as a run did."""
    # What "auto" comes to.
    is_free = settings.topics is None and settings.edges is None
    is_usual = settings.is_learned if is_free else not settings.learn_structure
    # What the texts taught it, they would teach again.
    asked = replace(recipe, phrase_list=(), lemma_list=(), text_columns=())
    return {
        "n_topics": settings.topics,
        "learn_structure": "auto" if is_usual else settings.learn_structure,
        "method": settings.method,
        "edges": settings.edges,
        "epochs": settings.training.epochs,
        "weight_penalty": settings.training.weight_penalty,
        "recipe": None if asked in (Recipe(), matrix_recipe()) else asked,
        "random_state": settings.training.seed,
    }
