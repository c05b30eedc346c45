"""A model reads back as saved, replaces an older one whole, and damage is one clear sentence."""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.recipe import Recipe
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import TopicGroups
from orrery.core.model.topic_names import topic_labels
from orrery.core.storage.models import (
    graph_arrays,
    graph_from_arrays,
    load_model,
    replace_model,
    save_model,
)
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.reading import sealed, vocabulary_bytes
from orrery.core.utils.errors import InputError

VOCABULARY = ("red", "star", "Größe", "red_star")
RECIPE = Recipe(stop_words=("the",), phrase_list=("red_star",), min_df=1, max_df=0.5)
SUMMARY = {"epochs": 2.0, "held_out": None, "größe": [1, 2]}
FILES = ("model.json", "model.npz", "vocabulary.txt")


def a_network(seed: int = 0) -> Network:
    """Topics b and c above the words, a above them, and z above nothing."""
    parents, children = [0, 0, 1, 1, 2, 2, 2], [1, 2, 4, 5, 5, 6, 7]
    graph, _ = build_graph(len(VOCABULARY), ["a", "b", "c", "größe z"], parents, children)
    probability = np.random.default_rng(seed)
    return build_network(graph, probability.gamma(1.0, 1.0, 7), probability.gamma(1.0, 0.1, 8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tmp_path / "m", a_network(), VOCABULARY, RECIPE, SUMMARY)
    return tmp_path / "m"


def test_round_trip(folder: Path) -> None:
    model, network = load_model(folder), a_network()
    assert (model.network.weight == network.weight).all()
    assert (model.network.leak == network.leak).all()
    assert model.network.graph.topic_ids == network.graph.topic_ids
    assert (model.network.graph.parent_ptr == network.graph.parent_ptr).all()
    assert (model.network.graph.parent_idx == network.graph.parent_idx).all()
    assert model.vocabulary == VOCABULARY
    assert model.recipe == RECIPE
    assert model.summary == SUMMARY
    assert list(model.topic_labels) == topic_labels(network, VOCABULARY)


def test_topic_groups_are_read_back_and_damage_to_them_is_reported(tmp_path: Path) -> None:
    topic_groups = TopicGroups(np.array([1, 0, -1, 1]), ((0, 3), (2,)))
    save_model(tmp_path / "m", a_network(), VOCABULARY, RECIPE, SUMMARY, topic_groups=topic_groups)
    model = load_model(tmp_path / "m")
    assert model.topic_groups is not None
    assert model.topic_groups.of.tolist() == topic_groups.of.tolist()
    assert model.topic_groups.words == topic_groups.words
    assert model.topic_group_names == ("red · red star", "Größe")
    path = tmp_path / "m" / "model.json"
    whole = json.loads(path.read_text("utf-8"))
    whole.pop("seal")
    for damage in (
        *({"of": of} for of in ([0], [[0, 0, 0, 0]], [0, 0, 0, 2], [0, 0, 0, -2], [0.5] * 4, "no")),
        *({"of": of} for of in ([0, 0, 0, 0], [-1, -1, 1, 1], [True] * 4, [10**30] * 4, None)),
        *({"words": words} for words in ([[0], [4]], [[0], [-1]], [[0]], 3, [["x"], [0]])),
        *({"words": words} for words in (["12", [0]], [[0.0], [1]], [[True], [1]], [[], [1]])),
        *({"words": words} for words in ([[0, 1, 2, 3, 0], [1]], [{"0": 1}, [1]], [[0], [1], [2]])),
    ):
        forged = {**whole, "shelves": {**whole["shelves"], **damage}}
        path.write_text(json.dumps(sealed(forged)), "utf-8")
        with pytest.raises(InputError, match=r"damaged: .*model\.json|model\.json.*damaged"):
            load_model(tmp_path / "m")
    for nothing in ({}, [], 0, "x"):
        path.write_text(json.dumps(sealed({**whole, "shelves": nothing})), "utf-8")
        with pytest.raises(InputError, match="damaged"):
            load_model(tmp_path / "m")
    path.write_text(json.dumps(sealed({k: v for k, v in whole.items() if k != "shelves"})), "utf-8")
    assert load_model(tmp_path / "m").topic_groups is None


def test_a_stored_coherence_that_is_no_npmi_is_unknown(folder: Path) -> None:
    edit_description(folder, lambda d: d.update(coherence=[1.3, None, -0.5, 1]))
    assert load_model(folder).coherence == (None, None, -0.5, 1.0)
    for wrong in ([0.5], ["x", None, None, None], 3):
        edit_description(folder, lambda d, wrong=wrong: d.update(coherence=wrong))
        with pytest.raises(InputError, match="damaged"):
            load_model(folder)


def test_a_model_parses_queries_and_knows_the_words_of_topics(folder: Path) -> None:
    model = load_model(folder)
    present, unknown = model.parse("the Star, GRÖSSE größe")
    assert [model.vocabulary[token] for token in present] == ["star"]
    assert unknown == ["grösse", "größe"]
    number = model.network.graph.topic_ids.index("c")
    words = [word for word, _, _ in model.topic_words.words(number)]
    assert set(words) <= {"star", "Größe", "red_star"}


def test_the_same_model_gives_the_same_files(folder: Path) -> None:
    save_model(folder.with_name("n"), a_network(), VOCABULARY, RECIPE, SUMMARY)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    for name in FILES:
        assert (folder / name).read_bytes() == (folder.with_name("n") / name).read_bytes()


@given(st.integers(1, 6), st.integers(0, 5), st.randoms(use_true_random=False))
def test_any_graph_comes_back_with_its_numbers(
    n_tokens: int, n_topics: int, probability: random.Random
) -> None:
    order = list(range(n_topics))
    probability.shuffle(order)
    edges = {
        (order[parent], order[child] if child < n_topics else child)
        for parent in range(n_topics)
        for child in range(parent + 1, n_topics + n_tokens)
        if probability.random() < 0.4
    }
    parents, children = zip(*edges, strict=True) if edges else ((), ())
    names = [f"t{number}" for number in range(n_topics)]
    graph, _ = build_graph(n_tokens, names, parents, children)
    again = graph_from_arrays(graph_arrays(graph), graph.n_tokens)
    assert again.topic_ids == graph.topic_ids
    assert (again.parent_ptr == graph.parent_ptr).all()
    assert (again.parent_idx == graph.parent_idx).all()
    assert again.n_tokens == n_tokens


def test_a_model_is_not_written_over(folder: Path) -> None:
    before = (folder / "model.npz").read_bytes()
    with pytest.raises(InputError, match="exists already"):
        save_model(folder, a_network(1), VOCABULARY, RECIPE, {})
    assert (folder / "model.npz").read_bytes() == before


@pytest.mark.parametrize("held_out", [{"npmi": "", "topics": 3}, {"topics": 3, "npmi": 10**400}])
def test_of_held_out_figures_those_come_back_that_are_some(
    folder: Path, held_out: dict[str, object]
) -> None:
    save_model(folder.with_name("n"), a_network(), VOCABULARY, RECIPE, {"held_out": held_out})
    assert load_model(folder.with_name("n")).summary == {"held_out": {"topics": 3}}


def test_a_new_model_takes_the_place_of_the_old_one(folder: Path) -> None:
    for name in (".model-new", ".model-old"):
        shutil.copytree(folder, folder.with_name(name))
    replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, {}))
    assert (load_model(folder).network.weight == a_network(1).weight).all()
    assert sorted(path.name for path in folder.parent.iterdir()) == ["m", "m.lock"]
    replace_model(
        folder.with_name("first"), lambda new: save_model(new, a_network(), VOCABULARY, RECIPE, {})
    )
    assert (load_model(folder.with_name("first")).network.weight == a_network().weight).all()


def no_space(*_: object) -> None:
    raise OSError("no space left on device")


def test_a_new_model_that_cannot_be_written_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.core.storage.models.write_json", no_space)
    with pytest.raises(OSError, match="no space"):
        replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, {}))
    assert (load_model(folder).network.weight == a_network().weight).all()
    assert [path.name for path in folder.parent.iterdir()] == ["m"]


@pytest.mark.parametrize("left", [(".model-new", ".model-old"), (".model-old",)])
def test_after_a_kill_between_two_models_none_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch, left: tuple[str, ...]
) -> None:
    write_overlay(folder, Overlay({"b": "Skies"}))
    for name in left:
        shutil.copytree(folder, folder.with_name(name))
    shutil.rmtree(folder)
    with monkeypatch.context() as full:
        full.setattr("orrery.core.storage.models.write_json", no_space)
        with pytest.raises(OSError, match="no space"):
            replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, {}))
    assert (load_model(folder).network.weight == a_network().weight).all()
    replace_model(folder, lambda new: save_model(new, a_network(1), VOCABULARY, RECIPE, {}))
    assert (load_model(folder).network.weight == a_network(1).weight).all()
    assert load_model(folder).overlay.labels == {"b": "Skies"}
    assert sorted(path.name for path in folder.parent.iterdir()) == ["m", "m.lock"]


@pytest.mark.parametrize("name", FILES)
def test_missing_cut_and_changed_files(folder: Path, name: str) -> None:
    path = folder / name
    data = path.read_bytes()
    for damaged in (b"", data[: len(data) // 2], data[:-3] + b"???", b"\xff\xfe\x00"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=f"m is damaged: {name}"):
            load_model(folder)
    path.unlink()
    with pytest.raises(InputError, match=f"damaged: {name} is missing"):
        load_model(folder)
    path.mkdir()
    with pytest.raises(InputError, match=f"damaged: {name} is missing"):
        load_model(folder)


@pytest.mark.parametrize("name", ["model.npz", "vocabulary.txt"])
def test_a_single_bit_is_noticed(folder: Path, name: str) -> None:
    path = folder / name
    data = path.read_bytes()
    for position in range(0, len(data), max(1, len(data) // 25)):
        path.write_bytes(data[:position] + bytes([data[position] ^ 4]) + data[position + 1 :])
        with pytest.raises(InputError, match=f"damaged: {name} is not as it was saved"):
            load_model(folder)


def edit_description(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "model.json"
    description = json.loads(path.read_text(encoding="utf-8"))
    edit(description)
    path.write_text(json.dumps(sealed(description)), encoding="utf-8")


@pytest.mark.parametrize("text", ["[]", "1", '"x"', "null", "{", "[" * 100_000, "{}"])
def test_descriptions_that_are_none(folder: Path, text: str) -> None:
    (folder / "model.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"damaged: model\.json cannot be read"):
        load_model(folder)


@pytest.mark.parametrize(
    "edit",
    [
        *(
            lambda d, name=name, value=value: d.update({name: value})
            for name in ("recipe", "summary", "topic_labels", "vocabulary_hash", "model_hash")
            for value in (None, 1, True)
        ),
        lambda d: d.update(recipe=[]),
        lambda d: d.update(topic_labels="abcd"),
        lambda d: d.update(topic_labels=[1, 2, 3, 4]),
        lambda d: d.update(version="1"),
        lambda d: d.update(version=None),
        lambda d: d.update(version=True),
        lambda d: d.update(format="orrery corpus"),
        lambda d: d.pop("format"),
        lambda d: d["recipe"].update(min_df="x"),
        lambda d: d["recipe"].update(token_pattern="("),
        lambda d: d["recipe"].update(stop_words="the"),
        lambda d: d["recipe"].update(colour="red"),
        lambda d: d["recipe"].pop("phrases"),
    ],
)
def test_descriptions_of_wrong_types(folder: Path, edit: Callable[[dict], object]) -> None:
    edit_description(folder, edit)
    with pytest.raises(InputError, match=r"damaged: model\.json cannot be read"):
        load_model(folder)


def test_another_version(folder: Path) -> None:
    edit_description(folder, lambda d: d.update(version=3))
    with pytest.raises(
        InputError, match="a model of version 3, and this Orrery reads 1 to 2; train"
    ):
        load_model(folder)


def test_labels_of_another_number(folder: Path) -> None:
    edit_description(folder, lambda d: d["topic_labels"].pop())
    with pytest.raises(InputError, match="is damaged"):
        load_model(folder)


def forge(folder: Path, name: str, data: bytes, key: str) -> None:
    """Put other content under a hash that fits, as a hand at the folder could."""
    (folder / name).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    edit_description(folder, lambda d: d.update({key: digest}))


ARRAYS = {**graph_arrays(a_network().graph), "weight": np.ones(7), "leak": np.ones(8)}


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in ARRAYS),
        {"weight": np.ones(6)},
        {"weight": -np.ones(7)},
        {"weight": np.full(7, np.nan)},
        {"weight": np.array(["a"] * 7)},
        {"weight": np.ones((7, 1))},
        {"leak": np.ones(9)},
        {"leak": np.full(8, np.inf)},
        {"n_tokens": np.array(5)},
        {"n_tokens": np.array(-4)},
        {"n_tokens": np.array(2**62)},
        {"n_tokens": np.array(np.inf)},
        {"n_tokens": np.array([4, 4])},
        {"n_tokens": np.array("four")},
        {"topic_ids": np.array(["a", "b", "c"])},
        {"topic_ids": np.array(["a", "b", "c", "a"])},
        {"topic_ids": np.array("abcd")},
        {"parent": np.array([], np.int32)},
        {"parent": ARRAYS["parent"][::-1]},
        {"parent": ARRAYS["parent"] + 4},
        {"parent": ARRAYS["parent"] - 9},
        {"parent": np.array(["x"] * 7)},
        {"child": ARRAYS["child"] + 99},
        {"child": np.zeros(7, np.int32)},
        {"parent": ARRAYS["parent"][::-1], "child": ARRAYS["child"][::-1]},
    ],
)
def test_arrays_that_make_no_network(folder: Path, change: dict[str, Any]) -> None:
    arrays = {name: array for name, array in {**ARRAYS, **change}.items() if array is not None}
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    forge(folder, "model.npz", buffer.getvalue(), "model_hash")
    with pytest.raises(InputError, match=r"damaged: model\.npz cannot be read"):
        load_model(folder)


@pytest.mark.parametrize("data", [b"", b"red\nstar\n", b"\xff\n" * 4])
def test_words_that_do_not_fit_the_network(folder: Path, data: bytes) -> None:
    assert data != vocabulary_bytes(VOCABULARY)
    forge(folder, "vocabulary.txt", data, "vocabulary_hash")
    with pytest.raises(InputError, match="is damaged"):
        load_model(folder)


def test_pickled_objects_are_not_opened(folder: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (folder / "sprung",))

    buffer = io.BytesIO()
    np.savez(buffer, **{**ARRAYS, "weight": np.array([Trap()], object)})
    forge(folder, "model.npz", buffer.getvalue(), "model_hash")
    with pytest.raises(InputError, match=r"damaged: model\.npz"):
        load_model(folder)
    assert not (folder / "sprung").exists()
