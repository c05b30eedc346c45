"""Learning the structure: what is drawn from a hierarchy comes back, and nothing out of noise."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import Recipe
from orrery.core.inference.infer import infer_activations, infer_bounds
from orrery.core.kernels.batch import Memory
from orrery.core.kernels.rows import Documents, topic_pointer
from orrery.core.model.network import Network, build_network
from orrery.core.storage.checkpoints import load_checkpoint, save_checkpoint
from orrery.core.storage.models import graph_arrays, graph_from_arrays
from orrery.core.structure.layers import edges_to_begin_with
from orrery.core.structure.propose import propose_graph
from orrery.core.structure.pruning import share_on, used_topics
from orrery.core.structure.regularization import discounted, relaxed
from orrery.core.training import structure_learning
from orrery.core.training.e_step import EStepSettings, local_e_step
from orrery.core.training.options import Schedule, TrainingOptions
from orrery.core.training.state import TrainingState, independent_nats
from orrery.core.training.structure_learning import (
    DISCOUNTS,
    MAX_VALIDATION,
    MIN_TO_SPLIT,
    learn,
    split_validation,
    standard_error,
)
from orrery.core.training.train import batch_positions, batch_rows, begin
from orrery.core.utils.errors import InputError

GROUPS, THEMES, WORDS = 3, 4, 6
OPTIONS = TrainingOptions(structure="learned", epochs=10)


def corpus_of(presence: np.ndarray) -> Corpus:
    """Documents without texts; each has a word."""
    table = sparse.csr_array(presence[presence.any(axis=1)].astype(np.float64))
    texts = pd.DataFrame({"id": np.arange(table.shape[0]).astype(str)})
    words = tuple(f"w{number}" for number in range(table.shape[1]))
    tokens = (table.indptr.astype(np.int64), table.indices.astype(np.int32))
    return Corpus(*tokens, words, texts, Recipe())


def drawn_from_groups(seed: int, n_documents: int = 3_000) -> np.ndarray:
    """Three groups of four themes of six words each; themes of a group occur together."""
    rng = np.random.default_rng(seed)
    subtree = rng.random((n_documents, GROUPS)) < 0.25
    theme = rng.random((n_documents, GROUPS * THEMES)) < np.where(
        np.repeat(subtree, THEMES, axis=1), 0.7, 0.01
    )
    n_words = GROUPS * THEMES * WORDS
    probability = np.where(np.repeat(theme, WORDS, axis=1), 0.6, 0.02)
    return rng.random((n_documents, n_words)) < probability


def shuffled(presence: np.ndarray, seed: int) -> np.ndarray:
    """Every word in as many documents as before, and in any."""
    rng = np.random.default_rng(seed)
    return rng.permuted(presence, axis=0)


def flat(corpus: Corpus, options: TrainingOptions = OPTIONS):
    edges = edges_to_begin_with(corpus.n_tokens, len(corpus.token_idx))
    return propose_graph(corpus, topics=(14,), edges=edges, seed=options.seed)


def states_of(corpus: Corpus, options: TrainingOptions = OPTIONS, **more) -> list[TrainingState]:
    return [state for state, _ in learn(corpus, flat(corpus, options), options, **more)]


def same(one: Network, other: Network) -> bool:
    return (
        one.graph.topic_ids == other.graph.topic_ids
        and np.array_equal(one.graph.parent_idx, other.graph.parent_idx)
        and np.array_equal(one.weight, other.weight)
        and np.array_equal(one.leak, other.leak)
    )


def drawn_from_broad_themes(seed: int, n_themes: int) -> tuple[Corpus, np.ndarray]:
    """Documents of one theme each, with a few of its words and fewer others; and their themes."""
    rng = np.random.default_rng(seed)
    theme = rng.integers(n_themes, size=400)
    is_own = np.repeat(np.arange(n_themes), 20) == theme[:, None]
    presence = rng.random(is_own.shape) < np.where(is_own, 0.15, 0.01)
    return corpus_of(presence), theme[presence.any(axis=1)]


@pytest.fixture(scope="module")
def subtrees() -> Corpus:
    return corpus_of(drawn_from_groups(0))


@pytest.fixture(scope="module")
def learned(subtrees: Corpus) -> list[TrainingState]:
    return states_of(subtrees)


def test_groups_of_themes_come_back_as_an_upper_layer(learned: list[TrainingState]) -> None:
    """Every group has a topic above its themes, and there are hardly any others."""
    network = learned[-1].network
    graph = network.graph
    assert graph.n_layers() == 2
    links = sparse.csr_array(
        (network.weight, (graph.parent_idx, graph.edge_children())),
        shape=(graph.n_topics, graph.n_nodes),
    ).toarray()
    group_of_word = np.arange(graph.n_tokens) // (THEMES * WORDS)
    by_group = np.stack(
        [links[:, graph.n_topics :][:, group_of_word == f].sum(axis=1) for f in range(GROUPS)], 1
    )
    height = graph.heights()[: graph.n_topics]
    above = np.flatnonzero(height == 2)
    of_upper = links[above][:, : graph.n_topics] @ (
        by_group / np.maximum(by_group.sum(axis=1, keepdims=True), 1e-9)
    )
    pure = of_upper.max(axis=1) > 0.8 * of_upper.sum(axis=1)
    assert set(of_upper[pure].argmax(axis=1)) == set(range(GROUPS))


@pytest.mark.parametrize("seed", range(3))
def test_words_shuffled_among_documents_get_no_hierarchy(seed: int) -> None:
    corpus = corpus_of(shuffled(drawn_from_groups(seed), seed))
    result = states_of(corpus, TrainingOptions(structure="learned", epochs=10, seed=seed))[-1]
    assert result.network.graph.n_layers() <= 1


@pytest.mark.parametrize(("seed", "n_themes"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_themes_of_a_large_part_of_short_documents_are_found(seed: int, n_themes: int) -> None:
    corpus, theme = drawn_from_broad_themes(seed, n_themes)
    rows, options = np.arange(corpus.n_documents), replace(OPTIONS, epochs=60)
    network = states_of(corpus, options)[-1].network
    gain = infer_bounds(network, corpus, rows) + independent_nats(corpus, rows)
    assert gain.mean() > 10.0 * standard_error(gain)
    # Each topic is of one theme, and each theme has a topic.
    on = infer_activations(network, corpus, rows).toarray() > 0.5
    share = np.array([on[theme == each].mean(axis=0) for each in range(n_themes)])
    assert set(share.argmax(axis=0)) == set(range(n_themes))
    assert (share.max(axis=0) > 10.0 * np.sort(share, axis=0)[-2]).all()
    # Nothing is found in the same words at random.
    presence = shuffled(corpus.to_csr().toarray() > 0, seed)
    chance = corpus_of(presence)
    nothing = states_of(chance, options)[-1].network
    assert infer_activations(nothing, chance, np.arange(chance.n_documents)).max() < 0.5


@pytest.mark.parametrize("is_shuffled", [True, False])
def test_a_layer_is_tried_only_above_topics_that_predict_better_than_independent_words(
    is_shuffled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def add_layer(network: Network, *_: object) -> Network:
        tried.append(network)
        return network

    monkeypatch.setattr(structure_learning, "add_layer", add_layer)
    monkeypatch.setattr(structure_learning, "MIN_BELOW", 1)
    presence = drawn_from_groups(0)
    states_of(corpus_of(shuffled(presence, 0) if is_shuffled else presence))
    assert bool(tried) == (not is_shuffled)


def test_independent_topics_get_no_upper_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer is tried above them and trained, but what the training gains is not its gain."""
    gain_of_layer = structure_learning._StructureLearner._gain_of_layer
    gains: list[np.ndarray] = []

    def recorded(self: object, network: Network) -> np.ndarray:
        gains.append(gain_of_layer(self, network))
        return gains[-1]

    monkeypatch.setattr(structure_learning._StructureLearner, "_gain_of_layer", recorded)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        is_on = np.repeat(rng.random((700, 12)) < 0.2, 6, axis=1)
        corpus = corpus_of(rng.random(is_on.shape) < np.where(is_on, 0.5, 0.02))
        result = states_of(corpus)[-1].network
        assert result.graph.n_topics >= 6
        assert result.graph.n_layers() == 1
    assert gains
    assert not any(map(structure_learning.is_significant, gains))


@pytest.mark.parametrize("has_gain", [False, True])
def test_a_layer_without_a_gain_after_an_epoch_is_trained_no_longer(
    has_gain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a gain, it is trained until the end of its stage, here without being accepted."""
    corpus = corpus_of(drawn_from_groups(0))
    parts = split_validation(np.arange(corpus.n_documents), OPTIONS.structure_seed)
    schedule = Schedule(OPTIONS, len(parts.train))
    noise = np.resize([-1.0, 1.0], len(parts.validation))
    trained: Counter[int] = Counter()

    def counted(rows: np.ndarray, step: int, options: TrainingOptions) -> np.ndarray:
        trained[schedule.stage_at(step)[0].begin] += 1
        return batch_rows(rows, step, options)

    learner = structure_learning._StructureLearner
    monkeypatch.setattr(structure_learning, "batch_rows", counted)
    monkeypatch.setattr(learner, "_gain_of_layer", lambda *_: noise + float(has_gain))
    monkeypatch.setattr(learner, "_evaluate_layer", lambda self, search, *_: search)
    assert states_of(corpus)[-1].network.graph.n_layers() == 1
    stage = next(stage for stage in OPTIONS.stages if stage.kind == "layer")
    assert stage.epochs > 1
    epochs = stage.epochs if has_gain else 1
    assert trained[stage.begin] == epochs * schedule.steps_per_epoch


@pytest.mark.parametrize("fails", ["gain", "bound", None])
def test_a_layer_is_accepted_for_its_gain_in_the_network_with_the_best_bound(
    fails: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = structure_learning._StructureLearner
    bounds = learner._bounds

    def lowered(self: structure_learning._StructureLearner, network: Network) -> np.ndarray:
        is_lower = fails == "bound" and network.graph.n_layers() > 1
        return bounds(self, network) - 100.0 * is_lower

    monkeypatch.setattr(learner, "_bounds", lowered)
    if fails is not None:
        gain = np.array([-1.0, 1.0]) + 10.0 * (fails == "bound")
        monkeypatch.setattr(learner, "_gain_of_layer", lambda *_: gain)
    result = states_of(corpus_of(drawn_from_groups(0)))[-1].network
    assert result.graph.n_layers() == (2 if fails is None else 1)


def test_no_network_with_a_lower_validation_bound_takes_the_place_of_the_best(
    subtrees: Corpus, learned: list[TrainingState]
) -> None:
    found = [state.search.bound for state in learned if state.search is not None]
    # Unused topics are removed from a layer before its evaluation, so only the epochs are in order.
    assert found == sorted(found)
    parts = split_validation(np.arange(subtrees.n_documents), OPTIONS.structure_seed)
    evaluate, schedule = parts.validation, Schedule(OPTIONS, len(parts.train))
    evaluated = [s for s in learned if schedule.stage_at(s.step - 1)[0].kind != "settling"]
    last = evaluated[-1]
    for state in (evaluated[len(evaluated) // 2], last):
        assert state.search is not None
        bound = infer_bounds(state.search.best, subtrees, evaluate).mean()
        # Within a stage an evaluation starts where the previous one ended.
        assert bound == pytest.approx(state.search.bound, abs=1e-5 if state is last else 0.01)


def test_seeds_share_validation_set_and_first_weights_and_nothing_else(
    subtrees: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a given graph starts from weights of the seed."""
    seen: list[np.ndarray] = []

    def recorded(rows: np.ndarray, step: int, options: TrainingOptions) -> np.ndarray:
        seen.append(rows)
        return batch_rows(rows, step, options)

    monkeypatch.setattr("orrery.core.training.structure_learning.batch_rows", recorded)
    graph, everybody = flat(subtrees), np.arange(subtrees.n_documents)

    def first(**more: Any) -> tuple[Network, np.ndarray, Network]:
        options = TrainingOptions(**{"structure": "learned", "epochs": 3, **more})
        begun = begin(subtrees, graph, options, None, None)[1].network
        if options.structure == "given":
            return begun, everybody, begun
        moved = next(iter(learn(subtrees, graph, options)))[0].network
        return begun, seen[-1], moved

    usual, other = first(), first(seed=5)
    assert same(usual[0], other[0])
    assert np.array_equal(usual[1], other[1])
    assert not same(usual[2], other[2])
    restarted = first(structure_seed=5)
    assert not same(usual[0], restarted[0])
    assert not np.array_equal(usual[1], restarted[1])
    assert not same(first(structure="given")[0], first(structure="given", seed=5)[0])


def test_what_is_fine_tuned_is_the_result_and_is_not_evaluated(
    subtrees: Corpus, learned: list[TrainingState]
) -> None:
    train = split_validation(np.arange(subtrees.n_documents), OPTIONS.structure_seed).train
    schedule = Schedule(OPTIONS, len(train))
    begin = next(stage.begin for stage in OPTIONS.stages if stage.kind == "settling")
    first = begin * schedule.steps_per_epoch
    evaluated = [state for state in learned if state.step <= first][-1]
    fine_tuning = [s for s in learned if s.step > first and not s.step % schedule.steps_per_epoch]
    assert len(fine_tuning) > 1
    for state in fine_tuning:
        assert state.search is not None
        assert evaluated.search is not None
        assert state.search.bound == evaluated.search.bound
    assert all(s.search.best is s.network for s in fine_tuning[:-1] if s.search is not None)
    # The last network has relaxed penalty and discounting, without unused topics, from the network
    # of all epochs.
    last = fine_tuning[-1].search
    assert last is not None
    assert not same(last.best, fine_tuning[-2].network)


def test_taken_up_at_any_step_it_continues_as_if_never_stopped(
    subtrees: Corpus, learned: list[TrainingState], tmp_path: Path
) -> None:
    """Also where a stage begins, and in the middle of a layer."""
    graph = flat(subtrees)
    per_epoch = len(learned) // OPTIONS.passes
    stages = OPTIONS.stages
    for stop in (stages[1].begin, stages[2].begin, stages[2].begin + 1, stages[-1].begin + 1):
        step = stop * per_epoch + (stop == stages[2].begin + 1)
        state = next(s for s in learned if s.step >= step)
        folder = tmp_path / str(step)
        folder.mkdir()
        save_checkpoint(folder, state, 0.0)
        loaded = load_checkpoint(folder, graph)
        assert loaded is not None
        *_, (last, _) = learn(subtrees, graph, OPTIONS, state=loaded[0])
        assert same(last.network, learned[-1].network)


def test_a_change_of_the_graph_is_reported_only_if_there_is_one(subtrees: Corpus) -> None:
    """Also after an interruption, when the best graph has been read from a checkpoint."""
    network = begin(subtrees, flat(subtrees), OPTIONS, None, None)[1].network
    graph = network.graph
    read = graph_from_arrays(graph_arrays(graph), graph.n_tokens)
    learner = SimpleNamespace(
        schedule=SimpleNamespace(steps_per_epoch=1), _bounds=lambda network: np.zeros(1)
    )
    move = structure_learning._StructureLearner._move
    assert move(learner, 0, network, build_network(read, network.weight, network.leak)) == ()
    other = begin(subtrees, propose_graph(subtrees, topics=(7,), edges=90), OPTIONS, None, None)[
        1
    ].network
    (found,) = move(learner, 0, network, other)
    assert (found.pruned, found.edges) == (graph.n_topics - 7, other.graph.n_edges)


def test_after_the_flat_stage_a_document_starts_where_its_last_visit_ended(
    subtrees: Corpus, learned: list[TrainingState], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Memory | None] = []

    def remembered(network: Network, documents: Documents, settings: EStepSettings):
        memory = settings.memory
        asked.append(None if memory is None else Memory(*(array.copy() for array in memory)))
        return local_e_step(network, documents, settings)

    again = states_of(subtrees, e_step=remembered)
    assert same(again[-1].network, learned[-1].network)
    documents, stages = split_validation(np.arange(subtrees.n_documents), 0).train, OPTIONS.stages
    per_epoch = Schedule(OPTIONS, len(documents)).steps_per_epoch
    n_flat = stages[1].begin * per_epoch
    assert all(memory is None for memory in asked[:n_flat])
    assert all(memory is not None for memory in asked[n_flat:])
    # Growing: every document is visited anew once, and then starts at what its visit has written.
    first, end = stages[1].begin * per_epoch, stages[2].begin * per_epoch
    for number in range(first, end):
        memory, visits = asked[number], again[number].visits
        assert memory is not None
        assert visits is not None
        assert (memory.is_start == (number >= first + per_epoch)).all()
        positions, written = visits.recent[-1]
        batch = batch_rows(documents, number, OPTIONS)
        assert documents[positions].tobytes() == batch.tobytes()
        before = again[number - 1].visits
        if number >= first + per_epoch and before is not None:
            held = before.merged().memory_of(positions)
            assert held.activation.tobytes() == memory.activation.tobytes()
            assert len(written) == len(held.activation)


def test_where_memory_is_short_the_activations_of_the_first_documents_are_kept(
    subtrees: Corpus, learned: list[TrainingState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, stages = split_validation(np.arange(subtrees.n_documents), 0).train, OPTIONS.stages
    per_epoch = Schedule(OPTIONS, len(documents)).steps_per_epoch
    n_steps = (stages[2].begin - stages[1].begin) * per_epoch
    asked: list[Memory] = []
    counted: list[int] = []

    def remembered(network: Network, documents: Documents, settings: EStepSettings):
        assert settings.memory is not None
        asked.append(Memory(*(array.copy() for array in settings.memory)))
        return local_e_step(network, documents, settings)

    def count_topics(documents: Documents, *given: Any):
        counted.append(len(documents.rows))
        return topic_pointer(documents, *given)

    def growing(state: TrainingState, n_steps: int) -> list[TrainingState]:
        steps = learn(subtrees, flat(subtrees), OPTIONS, state=state, e_step=remembered)
        return [state for state, _ in itertools.islice(steps, n_steps)]

    first = next(state for state in learned if state.step == stages[1].begin * per_epoch)
    pointer = learned[first.step].visits.pointer
    # No document ends here, so the last that would begin is left out as a whole.
    most = pointer[len(documents) // 2] + 1
    assert most not in pointer
    monkeypatch.setattr("orrery.core.training.visits.MAX_BYTES", most)
    monkeypatch.setattr("orrery.core.training.visits.topic_pointer", count_topics)
    states = growing(replace(first, visits=None), n_steps)
    # Counting the topics of all documents takes as long as many steps.
    assert counted == [len(documents)]
    n_kept = len(documents) // 2
    ended: dict[int, np.ndarray] = {}
    for number, (memory, state) in enumerate(zip(asked, states, strict=True)):
        assert state.visits is not None
        assert len(state.visits.activation) == pointer[n_kept] <= most
        positions = batch_positions(len(documents), first.step + number, OPTIONS)
        kept, written = state.visits.recent[-1]
        assert kept.tolist() == [position for position in positions if position < n_kept]
        begin = 0
        for row, position in enumerate(positions):
            own = slice(memory.pointer[row], memory.pointer[row + 1])
            size = own.stop - own.start
            is_start = number >= per_epoch and position < n_kept
            assert memory.is_start[row] == is_start
            expected = ended[position] / np.float32(255) if is_start else 0.0
            assert np.array_equal(memory.activation[own], np.zeros(size) + expected)
            if position < n_kept:
                ended[position] = written[begin : begin + size].astype(np.float32)
                begin += size
        assert begin == len(written)
    # Taken up in the middle of an epoch, it goes on with the same activations.
    middle = per_epoch + per_epoch // 2
    save_checkpoint(tmp_path, states[middle], 0.0)
    loaded = load_checkpoint(tmp_path, flat(subtrees))
    assert loaded is not None
    *_, last = growing(loaded[0], n_steps - middle - 1)
    assert same(last.network, states[-1].network)


def test_threads_change_no_bit(subtrees: Corpus, learned: list[TrainingState]) -> None:
    available = numba.config.NUMBA_NUM_THREADS
    numba.set_num_threads(1 if available > 1 else available)
    try:
        again = states_of(subtrees)
    finally:
        numba.set_num_threads(available)
    assert same(again[-1].network, learned[-1].network)


def test_the_error_of_a_gain_is_neither_too_small_nor_too_large_on_average() -> None:
    """Over all samples of a population its square is the variance of their means."""
    population = np.array([-1.0, 0.5, 0.5, 4.0])
    for size in (2, 3, 4):
        samples = np.array(list(itertools.product(population, repeat=size)))
        squares = [standard_error(sample) ** 2 for sample in samples]
        assert np.mean(squares) == pytest.approx(samples.mean(axis=1).var())
    assert standard_error(population[:1]) == 0.0


def test_documents_that_are_held_out_have_no_influence() -> None:
    presence = drawn_from_groups(1, 600)
    rows = np.arange(500)
    other = presence.copy()
    other[500:] = drawn_from_groups(2, 100)
    # A document without words would move the rows.
    presence[:, 0] |= ~presence.any(axis=1)
    other[:, 0] |= ~other.any(axis=1)
    one, two = corpus_of(presence), corpus_of(other)
    options = TrainingOptions(structure="learned", epochs=3)
    graph = flat(one, options)
    ends = [list(learn(corpus, graph, options, rows=rows))[-1][0] for corpus in (one, two)]
    assert same(ends[0].network, ends[1].network)


def test_validation_documents_train_when_the_graph_stands_and_not_before(
    subtrees: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[int, np.ndarray] = {}

    def recorded(rows: np.ndarray, step: int, options: TrainingOptions) -> np.ndarray:
        seen[step] = rows
        return batch_rows(rows, step, options)

    monkeypatch.setattr("orrery.core.training.structure_learning.batch_rows", recorded)
    states_of(subtrees, options := TrainingOptions(structure="learned", epochs=3))
    everybody = np.arange(subtrees.n_documents)
    train = split_validation(everybody, options.structure_seed).train
    schedule = Schedule(options, len(train))
    kinds = {step: schedule.stage_at(step)[0].kind for step in seen}
    assert set(kinds.values()) >= {"flat", "growing", "settling"}
    for step, rows in seen.items():
        expected = everybody if kinds[step] == "settling" else train
        assert np.array_equal(rows, expected)


def test_what_edges_explain_is_discounted_as_documents_that_did_not_train_like_it(
    subtrees: Corpus, learned: list[TrainingState]
) -> None:
    parts, fine_tuning = (
        split_validation(np.arange(subtrees.n_documents), OPTIONS.structure_seed),
        OPTIONS.stages[-1],
    )
    per_epoch = len(learned) // OPTIONS.passes
    before = [state for state in learned if state.step <= fine_tuning.begin * per_epoch][-1].search
    after = learned[-1].search
    assert before is not None
    assert after is not None
    count = len(parts.train)
    activations = infer_activations(before.best, subtrees, parts.train)
    usage = np.asarray(activations.sum(axis=0)).ravel()
    network = relaxed(before.best, usage, OPTIONS.penalty)
    liked = {
        taken: infer_bounds(
            discounted(network, usage, count, taken), subtrees, parts.validation
        ).mean()
        for taken in DISCOUNTS
    }
    assert after.discount == max(liked, key=lambda taken: liked[taken])
    assert after.discount > 0.0
    assert learned[-1].network.graph.n_edges < after.best.graph.n_edges


def test_epochs_count_up_where_validation_documents_make_more_batches_in_the_end() -> None:
    """The last stage has as many steps as any other of its length, and ends at its own rate."""
    corpus = corpus_of(drawn_from_groups(0, 700))
    options = TrainingOptions(structure="learned", epochs=5, batch_size=20)
    parts = split_validation(np.arange(corpus.n_documents), options.structure_seed)
    assert -(-corpus.n_documents // 20) > -(-len(parts.train) // 20)
    epochs = [info.epoch for _, info in learn(corpus, flat(corpus, options), options)]
    assert all(before < after for before, after in itertools.pairwise(epochs))
    assert epochs[-1] == options.passes


def test_what_is_left_in_the_end_is_used(subtrees: Corpus, learned: list[TrainingState]) -> None:
    """Although topics are looked at before the end changes their weights."""
    network = learned[-1].network
    share = share_on(infer_activations(network, subtrees))
    assert used_topics(network, share).all()


def test_validation_documents_do_not_train_and_are_few() -> None:
    for count in (MIN_TO_SPLIT, 500, 30_000):
        parts = split_validation(np.arange(count) * 2, 0)
        assert not set(parts.train) & set(parts.validation)
        assert sorted([*parts.train, *parts.validation]) == list(range(0, 2 * count, 2))
        assert 1 <= len(parts.validation) <= min(count // 10, MAX_VALIDATION)
    few = split_validation(np.arange(MIN_TO_SPLIT - 1), 0)
    assert np.array_equal(few.train, few.validation)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bound": "jensen"},
        {"scope": "full"},
        {"optimizer": "paper"},
        {"start": "gibbs"},
        {"importance_samples": 5},
        {"averaging": 0.5},
    ],
)
def test_what_belongs_to_a_given_graph_is_refused(wrong: dict) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        TrainingOptions(structure="learned", **wrong)


def test_a_handful_of_documents_or_one_word_again_and_again() -> None:
    few = corpus_of(np.eye(9, 12, dtype=bool) | np.eye(9, 12, 1, dtype=bool))
    edges = edges_to_begin_with(12, len(few.token_idx))
    graph = propose_graph(few, topics=(3,), edges=edges)
    *_, (state, _) = learn(few, graph, TrainingOptions(structure="learned", epochs=2))
    assert np.isfinite(state.network.weight).all()
    one = corpus_of(np.ones((40, 1), bool))
    graph = propose_graph(one, topics=(1,), edges=1)
    *_, (state, _) = learn(one, graph, TrainingOptions(structure="learned", epochs=2))
    assert np.isfinite(state.network.leak).all()
