"""Structure learning: change the graph, train, and keep what the validation set accepts.

The training documents are divided into documents to train on and a validation set of at most 1,000;
the test set is not used. Training passes through stages (`options.STAGES`), and every stage starts
from the network with the best validation bound so far:

1. ``flat``: one layer of topics above the words is trained.
2. ``growing``: edges are added where a topic and a word occur together more often than the network
   explains. If the topics do not predict the validation set better than independent words do, by 2
   standard errors, and the graph is not constrained, they are trained anew in this stage instead,
   fewer of them and from larger initial weights (`state.BROAD`). This finds topics that are on in
   a large part of short documents.
3. ``layer``: a layer of topics is added on top, learned from which topics below it are on together
   (`training.upper_layers`). It is accepted if the network has the best validation bound so far and
   its gain exceeds 2 standard errors: the bound minus the bound of the same network without the
   layer. Otherwise no further layer is tried. A layer is tried only if the topics predict the
   validation set better than independent words do, by 2 standard errors: above other topics, layers
   were sometimes accepted by chance.
4. ``settling``: the final graph is fine-tuned on all documents, the validation set included.

The validation set and the initial weights decide which topics are found, so they do not depend on
the seed (`TrainingOptions.structure_seed`). Between seeds only the order of the documents and the
sampled states differ. How much the topics depend on the documents themselves is measured by
trainings on samples of them (`core.runs.stability`), which also vary `structure_seed`.

At the end, the penalty on weights is relaxed, the edges are pruned by absolute discounting with a
discount chosen on the validation set, and unused topics are removed.

As in `training.train`, nothing here reads a file or prints, and a caller may stop at any yield.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.corpus import Corpus, evenly_spaced, last_groups
from ..inference.infer import ROUGH_TOLERANCE, infer_activations
from ..model.graph import Graph
from ..model.network import Network, build_network
from ..structure.constraints import UNCONSTRAINED, Constraints
from ..structure.growing import Rules, grow, merge_alike
from ..structure.pruning import layer_members, with_topics, without_unused_topics
from ..structure.regularization import discounted, relaxed
from ..utils.types import FloatArray
from .divergence import DivergenceGuard
from .e_step import EStep, local_e_step, remembering_bounds
from .gibbs import inverse_probability
from .monte_carlo_em import Move
from .options import Schedule, Stage, TrainingOptions
from .state import (
    BROAD,
    LearningState,
    Remembered,
    StepInfo,
    TrainingState,
    fresh_state,
    independent_nats,
    starting_network,
)
from .train import batch_positions, batch_rows, begin, is_first_of_epoch, step
from .upper_layers import add_layer, posterior_states
from .visits import visits_before

# Size of the validation set: this share of the training documents, and at most this number.
VALIDATION_SHARE, MAX_VALIDATION = 0.1, 1_000
# Below this number of documents, every document is used for both training and validation.
MIN_TO_SPLIT = 20
# With fewer documents than this, the validation set of a corpus of passages is made of passages.
MIN_WHOLE = 10
# Growing may add edges of little gain (1 nat), because the validation set decides afterwards and
# unused edges are removed.
RULES = Rules(min_gain=1.0, max_parents=3, share=0.5)
# Cosine of the children of two topics from which a start for broad topics merges them.
OVERLAPPING = 0.5
# New edges per existing edge.
GROWN_SHARE = 0.5
# A mean validation gain is significant if it exceeds this number of its standard errors.
ERRORS_OF_GAIN = 2.0
# A layer starts with one topic per this number of topics below it. That is more than it needs:
# redundant topics are merged and unused ones removed.
TOPICS_FOR_A_PARENT = 3
# No layer is added above fewer topics than this: two topics need no common parent.
MIN_BELOW = 6
# Candidate discounts, in documents subtracted from the count of an edge into a word.
DISCOUNTS = (0.0, 0.25, 0.5, 0.75, 1.0)
# Documents used to find unused topics and topics that are on together; more do not change the
# result. The smaller number suffices to evaluate a layer, whose topics are pruned again at the end,
# and to choose a discount.
MAX_DOCUMENTS, FEWER_DOCUMENTS = 20_000, 5_000
# Tolerance of an evaluation; a smaller one changes the mean bound by less than 1e-5 nats.
VALIDATION_TOLERANCE = 1e-3
# Networks with cached bounds: the best, the current, and the current one without unused topics.
N_CACHED = 3


class Parts(NamedTuple):
    """Documents to train on, and validation set; int64 arrays, ascending."""

    train: npt.NDArray[np.int64]
    validation: npt.NDArray[np.int64]


def split_validation(
    rows: npt.NDArray[np.int64], seed: int, documents: npt.NDArray[np.int64] | None = None
) -> Parts:
    """Divide the training documents into documents to train on and a validation set.

    ``seed`` is `TrainingOptions.structure_seed`. If rows are passages, ``documents`` is the
    document of each row of the corpus (`Corpus.document_of_passage`). The passages of a document
    are then on one side, unless there are fewer than `MIN_WHOLE` documents.
    """
    if len(rows) < MIN_TO_SPLIT:
        return Parts(rows, rows)
    count = min(int(VALIDATION_SHARE * len(rows)), MAX_VALIDATION)
    rng = np.random.default_rng([seed, 4])
    if documents is not None:
        names, group = np.unique(documents[rows], return_inverse=True)
        if len(names) >= MIN_WHOLE:
            chosen = last_groups(group, count / len(rows), rng, at_least=1)
            is_chosen = np.isin(group, chosen)
            return Parts(rows[~is_chosen], rows[is_chosen])
    shuffled = rng.permutation(rows)
    return Parts(np.sort(shuffled[count:]), np.sort(shuffled[:count]))


def learn(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    state: TrainingState | None = None,
    constraints: Constraints = UNCONSTRAINED,
    e_step: EStep = local_e_step,
) -> Iterator[tuple[TrainingState, StepInfo]]:
    """Learn graph and weights; yields after every step and can be resumed from any yield.

    Parameters
    ----------
    graph : Graph
        Initial graph: one layer of topics above the words. It must be proposed from the documents
        to train on (`split_validation`); otherwise the validation bound is biased towards it.
    options : TrainingOptions
        With structure ``learned``.
    rows, state, constraints, e_step
        As in `orrery.core.training.train.train`.

    Yields
    ------
    state : TrainingState
        The last one has the resulting network.
    info : StepInfo

    Raises
    ------
    InputError
        If the graph or the state has another vocabulary, or there is no document.
    """
    chosen, current = begin(corpus, graph, options, rows, state)
    learner = _StructureLearner(
        corpus,
        split_validation(chosen, options.structure_seed, corpus.document_of_passage),
        options,
        constraints,
    )
    guard = DivergenceGuard(corpus, chosen, options, learner.schedule.total_steps)
    while current.step < learner.schedule.total_steps:
        current, moves = learner.start_stage(current)
        after, info, batch = learner.visit(current, e_step)
        current, info = guard.checked(current, after, info, batch)
        current, ended = learner.validate(current)
        yield current, replace(info, moves=(*moves, *ended))


def standard_error(values: FloatArray) -> float:
    """Standard error of the mean of independent values; 0 for a single value."""
    ddof = min(len(values) - 1, 1)
    return float(values.std(ddof=ddof) / np.sqrt(len(values)))


def is_significant(gain: FloatArray) -> bool:
    """Whether the mean gain of the documents exceeds ``ERRORS_OF_GAIN`` standard errors."""
    return float(gain.mean()) > ERRORS_OF_GAIN * standard_error(gain)


def usage_by(activations: sparse.csr_array, n_documents: int) -> FloatArray:
    """Number of documents with each topic, estimated from the `infer_activations` of a sample."""
    return n_documents * np.asarray(activations.mean(axis=0), np.float64).ravel()


def may_add_layer(graph: Graph) -> bool:
    """Whether the highest layer has enough topics for a layer above it."""
    return len(layer_members(graph, graph.n_layers())) >= MIN_BELOW


class _StructureLearner:
    """Operations between the training steps."""

    def __init__(
        self,
        corpus: Corpus,
        parts: Parts,
        options: TrainingOptions,
        constraints: Constraints,
    ) -> None:
        self.corpus, self.parts = corpus, parts
        self.options, self.constraints = options, constraints
        self.all_rows = np.union1d(*parts)
        self.schedule = Schedule(options, len(parts.train))
        # Bounds of the validation set and their activations, from the usual starts. Those of the
        # best network are needed repeatedly until a better one is found.
        self._evaluated = lru_cache(N_CACHED)(partial(self._evaluated_from, None))

    def start_stage(self, state: TrainingState) -> tuple[TrainingState, tuple[Move, ...]]:
        """State for the next step, with a changed graph if the step is the first of a stage.

        Layer stages that add no layer are skipped.
        """
        stage, first = self.schedule.stage_at(state.step)
        while state.step == first and state.search is not None:
            best, network = state.search.best, state.search.best
            if stage.kind == "growing":
                may_grow = self._predicts_words(best) or self.constraints != UNCONSTRAINED
                network = self._grown(best) if may_grow else self._anew(best)
            elif stage.kind == "layer":
                network = self._with_layer(state.search)
            if stage.kind != "layer" or network is not best:
                # With few documents the weights may overfit from the first epoch on, so the change
                # is also evaluated before any training. Networks with different graphs are compared
                # by E-steps from the usual starts.
                search = replace(state.search, bound=float(self._bounds(best).mean()))
                search = self._evaluate(stage, search, network)
                if stage.kind == "settling":
                    search = replace(search, discount=self._best_discount(network))
                begun = fresh_state(network, state.step)
                begun = replace(begun, search=search, rate_share=state.rate_share)
                return begun, self._move(state.step, best, network)
            state = replace(state, step=first + stage.epochs * self.schedule.steps_per_epoch)
            stage, first = self.schedule.stage_at(state.step)
        return state, ()

    def visit(
        self, state: TrainingState, e_step: EStep
    ) -> tuple[TrainingState, StepInfo, npt.NDArray[np.int64]]:
        """Train on the batch of a step; also returns its documents.

        After the flat stage, the E-step of a document starts where its last visit of this graph
        ended.
        """
        documents = self.documents_at(state.step)
        batch = batch_rows(documents, state.step, self.options)
        positions = batch_positions(len(documents), state.step, self.options)
        visits, memory = None, None
        if self.schedule.stage_at(state.step)[0].kind != "flat":
            is_new_epoch = is_first_of_epoch(len(documents), state.step, self.options)
            graph = state.network.graph
            visits = visits_before(state.visits, graph, self.corpus, documents, is_new_epoch)
            memory = visits.memory_of(positions)
        after, info = step(
            state,
            self.corpus,
            batch,
            self.schedule,
            len(documents),
            self.constraints,
            e_step,
            memory,
        )
        if visits is not None and memory is not None:
            after = replace(after, visits=visits.followed_by(positions, memory))
        return after, info, batch

    def documents_at(self, step: int) -> npt.NDArray[np.int64]:
        """Documents to train on at a step."""
        stage, _ = self.schedule.stage_at(step)
        return self.all_rows if stage.kind == "settling" else self.parts.train

    def _grown(self, network: Network) -> Network:
        """Merge redundant topics and add missing edges."""
        rows = evenly_spaced(self.parts.train, MAX_DOCUMENTS)
        activations = self._activations(network, rows)
        merged, _ = merge_alike(network, usage_by(activations, len(rows)), self.constraints)
        if merged is not network:
            activations = self._activations(merged, rows)
        states = posterior_states(merged, self.corpus, rows, activations, self.options.seed)
        found = inverse_probability(merged, self.corpus, states.chains)
        n_edges = round(GROWN_SHARE * merged.graph.n_edges)
        return grow(merged, found, n_edges, self.constraints, RULES)

    def _anew(self, network: Network) -> Network:
        """Start for broad topics, over the graph of a network with overlapping topics merged.

        Topics that would all be merged into one stay apart.
        """
        graph = network.graph
        even = build_network(graph, np.ones(graph.n_edges), network.leak)
        merged, _ = merge_alike(even, np.ones(graph.n_topics), alike=OVERLAPPING)
        graph = merged.graph if merged.graph.n_topics > 1 else graph
        rows, seed = self.parts.train, self.options.structure_seed
        return starting_network(graph, self.corpus, rows, seed, start=BROAD)

    def _with_layer(self, search: LearningState) -> Network:
        """Best network with a layer on top; the same object if no layer can be added."""
        graph = search.best.graph
        may_add = not search.has_all_layers and may_add_layer(graph)
        if not may_add or not self._predicts_words(search.best):
            return search.best
        rows = evenly_spaced(self.parts.train, MAX_DOCUMENTS)
        n_below = len(layer_members(graph, graph.n_layers()))
        n_topics = max(n_below // TOPICS_FOR_A_PARENT, 2)
        return add_layer(search.best, self.corpus, rows, n_topics, self.options.seed)

    def _predicts_words(self, network: Network) -> bool:
        """Whether a network predicts the validation set better than independent words do."""
        independent = independent_nats(self.corpus, self.parts.train)
        return is_significant(self._bounds(network) + independent[self.parts.validation])

    def validate(self, state: TrainingState) -> tuple[TrainingState, tuple[Move, ...]]:
        """State after a step; the network is evaluated on the validation set after every epoch."""
        epoch, into = divmod(state.step, self.schedule.steps_per_epoch)
        if into:
            return state, ()
        stage, _ = self.schedule.stage_at(state.step - 1)
        is_last = epoch == stage.begin + stage.epochs
        # While the weights still move far from the random ones, E-steps that start at earlier
        # activations miss the better optima.
        may_be_near = stage.kind != "flat" and not is_last
        search = self._evaluate(stage, state.search, state.network, may_be_near)
        moves: tuple[Move, ...] = ()
        is_accepted = search.best.graph.n_layers() >= state.network.graph.n_layers()
        # A layer without a gain is trained no longer; with one, the network may become better than
        # the best when the learning rate has fallen.
        if stage.kind == "layer" and (
            is_last or not (is_accepted or is_significant(self._gain_of_layer(state.network)))
        ):
            search = replace(search, has_all_layers=not is_accepted)
            moves = self._move(state.step, state.network, search.best)
            last_epoch = stage.begin + stage.epochs
            state = replace(state, step=last_epoch * self.schedule.steps_per_epoch)
        state = replace(state, search=search)
        if state.step < self.schedule.total_steps:
            return state, moves
        result = self._finished(search)
        done = (*moves, *self._move(state.step, search.best, result))
        search = replace(search, remembered=None)
        return replace(fresh_state(result, state.step), search=search), done

    def _evaluate(
        self,
        stage: Stage,
        search: LearningState | None,
        network: Network,
        may_be_near: bool = False,
    ) -> LearningState:
        """Keep the network if its validation bound is better than the best so far.

        A network with an additional layer also has to gain more than 2 standard errors from it,
        without its unused topics. During fine-tuning there is no validation set, and the last
        network is kept. If ``may_be_near``, the E-steps start where the previous evaluation of the
        graph ended, unless the network may become the first one with a layer.
        """
        if stage.kind == "settling" and search is not None:
            return replace(search, best=network, remembered=None)
        if search is None:
            bounds, remembered = self._evaluated(network)
            return LearningState(network, float(bounds.mean()), remembered=remembered)
        is_taller = search.best.graph.n_layers() < network.graph.n_layers()
        if may_be_near and search.remembered is not None and not is_taller:
            bounds, remembered = self._evaluated_from(search.remembered, network)
        else:
            bounds, remembered = self._evaluated(network)
        search = replace(search, remembered=remembered)
        if stage.kind == "layer":
            return self._evaluate_layer(search, network, bounds)
        found = replace(search, best=network, bound=float(bounds.mean()))
        return found if found.bound > search.bound else search

    def _evaluated_from(
        self, before: Remembered | None, network: Network
    ) -> tuple[FloatArray, Remembered]:
        """Bounds of the validation set, shape (n_validation,), and the activations reached."""
        return remembering_bounds(
            network, self.corpus, self.parts.validation, before, VALIDATION_TOLERANCE
        )

    def _bounds(self, network: Network) -> FloatArray:
        """Bounds of the validation set by E-steps from the usual starts."""
        return self._evaluated(network)[0]

    def _evaluate_layer(
        self, search: LearningState, network: Network, bounds: FloatArray
    ) -> LearningState:
        """Evaluate a network in a layer stage; unused topics are removed if it is better."""
        height = network.graph.n_layers()
        if bounds.mean() <= search.bound:
            return search
        rows = evenly_spaced(self.parts.train, FEWER_DOCUMENTS)
        pruned = without_unused_topics(network, self._activations(network, rows), self.constraints)
        bound = float(self._bounds(pruned).mean())
        if pruned.graph.n_layers() < height or bound <= search.bound:
            return search
        is_taller = search.best.graph.n_layers() < height
        if is_taller and not is_significant(self._gain_of_layer(pruned)):
            return search
        return replace(search, best=pruned, bound=bound)

    def _gain_of_layer(self, network: Network) -> FloatArray:
        """Gain of the highest layer for each validation document, in nats, shape (n_validation,).

        It is the bound minus the bound of the same network without the layer, in which the leaks
        of the topics below replace its mean effect (MATH §7.5). A comparison with a network that
        was trained for fewer epochs would also measure the training.
        """
        graph = network.graph
        rows = evenly_spaced(self.parts.train, FEWER_DOCUMENTS)
        usage = usage_by(self._activations(network, rows), 1)
        is_below = graph.heights()[: graph.n_topics] < graph.n_layers()
        without, _ = self._evaluated_from(None, with_topics(network, is_below, usage))
        return self._bounds(network) - without

    def _best_discount(self, network: Network) -> float:
        """Discount with the best validation bound; the smallest of equal ones."""
        count, constraints = len(self.parts.train), self.constraints
        rows = evenly_spaced(self.parts.train, FEWER_DOCUMENTS)
        usage = usage_by(self._activations(network, rows), count)
        network = relaxed(network, usage, self.options.penalty, constraints)
        return max(
            DISCOUNTS,
            key=lambda discount: float(
                self._bounds(discounted(network, usage, count, discount, constraints)).mean()
            ),
        )

    def _finished(self, search: LearningState) -> Network:
        """Best network after relaxation and discounting, without unused topics."""
        count, constraints = len(self.all_rows), self.constraints
        rows = evenly_spaced(self.all_rows, MAX_DOCUMENTS)
        activations = self._activations(search.best, rows)
        usage = usage_by(activations, count)
        network = relaxed(search.best, usage, self.options.penalty, constraints)
        network = discounted(network, usage, count, search.discount, constraints)
        left = search.best.graph.topic_numbers(network.graph.topic_ids)
        return without_unused_topics(network, activations[:, left], constraints)

    def _activations(self, network: Network, rows: npt.NDArray[np.int64]) -> sparse.csr_array:
        return infer_activations(network, self.corpus, rows, tolerance=ROUGH_TOLERANCE)

    def _move(self, step: int, before: Network, after: Network) -> tuple[Move, ...]:
        """Change of the graph as a report; empty if the graph is the same."""
        if before.graph.is_same(after.graph):
            return ()
        n_topics = after.graph.n_topics - before.graph.n_topics
        n_edges = after.graph.n_edges - before.graph.n_edges
        rise = float((self._bounds(after) - self._bounds(before)).mean())
        return (
            Move(
                epoch=step // self.schedule.steps_per_epoch,
                merged=0,
                pruned=max(-n_topics, 0),
                grown=max(n_edges, 0),
                topics=after.graph.n_topics,
                edges=after.graph.n_edges,
                bound=rise,
            ),
        )
