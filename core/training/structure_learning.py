"""Learn the structure with the weights: change the graph, train, and keep what documents like.

A part of the training documents is held back and judges; those held out for good are never looked
at. One stage follows the other. Topics above words are trained alone; edges are added where a topic
and a word are on together and nothing else accounts for it; layers are put on top, one at a time,
each learned from which topics below it are on together (`training.upper_layers`), as long as
they earn their place. Every stage begins at the best network so far. When the graph stands, there
is nothing left to judge, and everything settles on all documents, those held back among them. In
the end the penalty on weights is relaxed, what an edge explains is discounted by what those who
judged liked best, and what is idle is taken away.

As in `training.train`, nothing here reads a file or prints, and a caller may stop at any
yield.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.corpus import Corpus, spread
from ..inference.infer import ROUGH_TOLERANCE, infer_activations, infer_bounds
from ..model.graph import Graph
from ..model.network import Network
from ..structure.constraints import Constraints
from ..structure.growing import Rules, grow
from ..structure.merging import merge_alike
from ..structure.pruning import layer_members, without_idle
from ..structure.regularization import discounted, relaxed
from ..utils.types import FloatArray
from .divergence import DivergenceGuard
from .e_step import EStep, local_e_step
from .gibbs import inverse_probability
from .monte_carlo_em import Move
from .options import Schedule, Stage, TrainingOptions
from .state import Search, StepInfo, TrainingState, fresh_state
from .train import batch_rows, begin, step
from .upper_layers import add_layer, posterior_states

# Of the training documents, this share judges, and no more than so many.
HELD_BACK_SHARE, MOST_HELD_BACK = 0.1, 1_000
# Fewer documents than these cannot spare any, and judge themselves.
LEAST_TO_SPARE = 20
# Edges are cheap to add where documents judge afterwards and idle ones go again: a nat is enough.
RULES = Rules(least_gain=1.0, most_parents=3, share=0.5)
# New edges for every edge there is.
GROWN_SHARE = 0.5
# A layer earns its place by so many standard errors of what it gains.
ERRORS_OF_GAIN = 2.0
# A layer begins with one topic for so many below it: more than it needs, for those that act alike
# are merged, and the idle go.
TOPICS_FOR_A_PARENT = 3
# A layer of fewer topics has nothing above it: two topics need no third that says so.
LEAST_BELOW = 6
# Documents that may be taken off what an edge into a word explains; those that judge choose.
DISCOUNTS = (0.0, 0.25, 0.5, 0.75, 1.0)
# More documents tell no more of which topics are idle, or on together. Fewer do to judge a layer,
# for what the end takes away is looked at again, and to choose a discount.
DOCUMENTS_TO_LOOK_AT, FEWER_DOCUMENTS = 20_000, 5_000
# The best, the one that is trained, and what is left of it without its idle topics.
KNOWN_NETWORKS = 3


class Parts(NamedTuple):
    """Documents that train, and documents held back that judge; int64 arrays, ascending."""

    train: npt.NDArray[np.int64]
    judge: npt.NDArray[np.int64]


def hold_back(rows: npt.NDArray[np.int64], seed: int) -> Parts:
    """Divide the documents to train on."""
    if len(rows) < LEAST_TO_SPARE:
        return Parts(rows, rows)
    count = min(int(HELD_BACK_SHARE * len(rows)), MOST_HELD_BACK)
    shuffled = np.random.default_rng([seed, 4]).permutation(rows)
    return Parts(np.sort(shuffled[count:]), np.sort(shuffled[:count]))


def learn(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    state: TrainingState | None = None,
    constraints: Constraints | None = None,
    e_step: EStep = local_e_step,
) -> Iterator[tuple[TrainingState, StepInfo]]:
    """Learn graph and weights, yielding after every step; stop at any yield and go on later.

    Parameters
    ----------
    corpus : Corpus
    graph : Graph
        Topics above words alone, to begin with; proposed from the documents that train alone
        (`hold_back`), for those that judge would prefer what they had a say in.
    options : TrainingOptions
        With the structure ``learned``.
    rows, state, constraints, e_step
        As of `orrery.core.training.train.train`.

    Yields
    ------
    state : TrainingState
        The network of the last one is the result.
    info : StepInfo

    Raises
    ------
    InputError
        If the graph or the state is over another vocabulary, or there is no document.
    """
    chosen, current = begin(corpus, graph, options, rows, state)
    learner = _Learner(corpus, hold_back(chosen, options.seed), options, constraints)
    guard = DivergenceGuard(corpus, chosen, options, learner.schedule.total_steps)
    while current.step < learner.schedule.total_steps:
        current, moves = learner.begun(current)
        documents = learner.documents_at(current.step)
        batch = batch_rows(documents, current.step, options)
        after, info = step(
            current, corpus, batch, learner.schedule, len(documents), constraints, e_step
        )
        current, info = guard.checked(current, after, info, batch)
        current, ended = learner.judged(current)
        yield current, replace(info, moves=(*moves, *ended))


def standard_error(values: FloatArray) -> float:
    """Of the mean of some independent values; 0 for a single one, of which nothing is known."""
    ddof = min(len(values) - 1, 1)
    return float(values.std(ddof=ddof) / np.sqrt(len(values)))


def usage_by(activations: sparse.csr_array, n_documents: int) -> FloatArray:
    """In how many of so many documents every topic is on, by the `infer_activations` of some."""
    return n_documents * np.asarray(activations.mean(axis=0), np.float64).ravel()


class _Learner:
    """What happens between the steps."""

    def __init__(
        self,
        corpus: Corpus,
        parts: Parts,
        options: TrainingOptions,
        constraints: Constraints | None,
    ) -> None:
        self.corpus, self.parts = corpus, parts
        self.options, self.constraints = options, constraints
        self.all_rows = np.union1d(*parts)
        self.schedule = Schedule(options, len(parts.train))
        # Of the documents that judge, shape (n_judges,). The best is asked for again and again
        # until another is better.
        self._bounds = lru_cache(KNOWN_NETWORKS)(
            lambda network: infer_bounds(network, corpus, parts.judge)
        )

    def begun(self, state: TrainingState) -> tuple[TrainingState, tuple[Move, ...]]:
        """State for the next step, which may be the first of a stage; stages may be passed over."""
        stage, first = self.schedule.stage_at(state.step)
        while state.step == first and state.search is not None:
            best = state.search.best
            network = self._changed(stage, state.search)
            if network is not None:
                # Of few documents the weights may fit too much from the first epoch on, so what the
                # change alone does is judged as well.
                search = self._judge(stage, state.search, network)
                if stage.kind == "settling":
                    search = replace(search, discount=self._best_discount(network))
                begun = fresh_state(network, state.step)
                begun = replace(begun, search=search, rate_share=state.rate_share)
                return begun, self._move(state.step, best, network)
            # A layer that is not there to be trained.
            state = replace(state, step=first + stage.epochs * self.schedule.steps_per_epoch)
            stage, first = self.schedule.stage_at(state.step)
        return state, ()

    def documents_at(self, step: int) -> npt.NDArray[np.int64]:
        """Documents that train at a step."""
        stage, _ = self.schedule.stage_at(step)
        return self.all_rows if stage.kind == "settling" else self.parts.train

    def _changed(self, stage: Stage, search: Search) -> Network | None:
        """What a stage begins with, out of the best so far; None leaves the stage out."""
        if stage.kind == "growing":
            return self._grown(search.best)
        if stage.kind == "layer":
            return self._with_layer(search)
        return search.best

    def _grown(self, network: Network) -> Network:
        rows = spread(self.parts.train, DOCUMENTS_TO_LOOK_AT)
        activations = self._activations(network, rows)
        merged, _ = merge_alike(network, usage_by(activations, len(rows)), self.constraints)
        if merged is not network:
            activations = self._activations(merged, rows)
        states = posterior_states(merged, self.corpus, rows, activations, self.options.seed)
        found = inverse_probability(merged, self.corpus, states.chains)
        n_edges = round(GROWN_SHARE * merged.graph.n_edges)
        return grow(merged, found, n_edges, self.constraints, RULES)

    def _with_layer(self, search: Search) -> Network | None:
        graph = search.best.graph
        n_below = len(layer_members(graph, graph.n_layers()))
        if search.has_all_layers or n_below < LEAST_BELOW:
            return None
        rows = spread(self.parts.train, DOCUMENTS_TO_LOOK_AT)
        n_topics = max(n_below // TOPICS_FOR_A_PARENT, 2)
        network = add_layer(search.best, self.corpus, rows, n_topics, self.options.seed)
        return None if network is search.best else network

    def judged(self, state: TrainingState) -> tuple[TrainingState, tuple[Move, ...]]:
        """State after a step: at the end of an epoch the held-back documents are asked."""
        epoch, into = divmod(state.step, self.schedule.steps_per_epoch)
        if into:
            return state, ()
        stage, _ = self.schedule.stage_at(state.step - 1)
        search = self._judge(stage, state.search, state.network)
        moves: tuple[Move, ...] = ()
        has_it = search.best.graph.n_layers() >= state.network.graph.n_layers()
        # A layer that has not earned its place after an epoch hardly ever does.
        if stage.kind == "layer" and (not has_it or epoch == stage.begin + stage.epochs):
            search = replace(search, has_all_layers=not has_it)
            moves = self._move(state.step, state.network, search.best)
            last_epoch = stage.begin + stage.epochs
            state = replace(state, step=last_epoch * self.schedule.steps_per_epoch)
        state = replace(state, search=search)
        if state.step < self.schedule.total_steps:
            return state, moves
        result = self._finished(search)
        done = (*moves, *self._move(state.step, search.best, result))
        return replace(fresh_state(result, state.step), search=search), done

    def _judge(self, stage: Stage, search: Search | None, network: Network) -> Search:
        """Keep a network that the held-back documents like better, or that they train themselves.

        One with a layer more has to gain more than chance would, also without its idle topics.
        While everything settles all documents train, and the last network is the best.
        """
        if stage.kind == "settling" and search is not None:
            return replace(search, best=network)
        bounds = self._bounds(network)
        if search is None:
            return Search(network, float(bounds.mean()))
        if stage.kind == "layer":
            return self._judge_layer(search, network, bounds)
        found = replace(search, best=network, bound=float(bounds.mean()))
        return found if found.bound > search.bound else search

    def _judge_layer(self, search: Search, network: Network, bounds: FloatArray) -> Search:
        """As `_judge`; what does not gain enough with its idle topics is not looked through."""
        height = network.graph.n_layers()
        is_taller = search.best.graph.n_layers() < height
        before = self._bounds(search.best) if is_taller else np.full(len(bounds), search.bound)

        def gains(bounds: FloatArray) -> bool:
            least = ERRORS_OF_GAIN * standard_error(bounds - before) if is_taller else 0.0
            return float((bounds - before).mean()) > least

        if not gains(bounds):
            return search
        lean = self._without_idle(network)
        bounds = self._bounds(lean)
        if lean.graph.n_layers() < height or not gains(bounds):
            return search
        return replace(search, best=lean, bound=float(bounds.mean()))

    def _best_discount(self, network: Network) -> float:
        """What documents that have not trained like to be taken off, the least of equals."""
        count, constraints = len(self.parts.train), self.constraints
        rows = spread(self.parts.train, FEWER_DOCUMENTS)
        usage = usage_by(self._activations(network, rows), count)
        network = relaxed(network, usage, self.options.penalty, constraints)
        return max(
            DISCOUNTS,
            key=lambda taken: float(
                self._bounds(discounted(network, usage, count, taken, constraints)).mean()
            ),
        )

    def _finished(self, search: Search) -> Network:
        """Of the best, relaxed, discounted and without what is idle."""
        count, constraints = len(self.all_rows), self.constraints
        rows = spread(self.all_rows, DOCUMENTS_TO_LOOK_AT)
        activations = self._activations(search.best, rows)
        usage = usage_by(activations, count)
        network = relaxed(search.best, usage, self.options.penalty, constraints)
        network = discounted(network, usage, count, search.discount, constraints)
        left = search.best.graph.topic_numbers(network.graph.topic_ids)
        return without_idle(network, activations[:, left], constraints)

    def _activations(self, network: Network, rows: npt.NDArray[np.int64]) -> sparse.csr_array:
        return infer_activations(network, self.corpus, rows, tolerance=ROUGH_TOLERANCE)

    def _without_idle(self, network: Network) -> Network:
        rows = spread(self.parts.train, FEWER_DOCUMENTS)
        return without_idle(network, self._activations(network, rows), self.constraints)

    def _move(self, step: int, before: Network, after: Network) -> tuple[Move, ...]:
        """What was done to the graph, for people; nothing where it is the same."""
        if before.graph is after.graph:
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
