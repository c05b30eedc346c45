"""Stored activations read back as they were, and damage is one clear sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.storage.activations import FILE, Activations, load_activations, write_activations
from orrery.core.utils.errors import InputError


def some_activations(seed: int = 0, n_rows: int = 7, n_topics: int = 5) -> Activations:
    leak = np.random.default_rng(seed)
    table = leak.random((n_rows, n_topics)) * (leak.random((n_rows, n_topics)) < 0.4)
    rows = np.sort(leak.choice(100, n_rows, replace=False)).astype(np.int64)
    return Activations(rows, sparse.csr_array(table.astype(np.float32)))


@given(st.integers(0, 1000), st.integers(0, 9), st.integers(0, 6))
def test_they_read_back_as_they_were(tmp_path_factory, seed, n_rows, n_topics):
    folder = tmp_path_factory.mktemp("model")
    written = some_activations(seed, n_rows, n_topics)
    write_activations(folder, written)
    read = load_activations(folder)
    assert read is not None
    assert (read.rows == written.rows).all()
    assert read.probability.shape == written.probability.shape
    assert (read.probability.toarray() == written.probability.toarray()).all()


def test_the_same_activations_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_activations(tmp_path / name, some_activations())
    assert (tmp_path / "a" / FILE).read_bytes() == (tmp_path / "b" / FILE).read_bytes()


def test_a_model_without_them_is_no_error(tmp_path: Path) -> None:
    assert load_activations(tmp_path) is None


def damaged_arrays() -> list[dict[str, np.ndarray]]:
    rows, n_topics = np.arange(2), np.array(3)
    good = {"rows": rows, "n_topics": n_topics, "indptr": np.array([0, 1, 2])}
    good |= {"indices": np.array([0, 2]), "data": np.array([0.5, 0.5], np.float32)}
    return [
        {name: value for name, value in good.items() if name != "data"},
        good | {"indices": np.array([0, 3])},
        good | {"indices": np.array([0, -1])},
        good | {"indptr": np.array([0, 5, 2])},
        good | {"indptr": np.array([0, 2])},
        good | {"indptr": np.array([0, 10**9, 0])},
        good | {"indptr": np.array([0, 10**9, -1])},
        good | {"data": np.array([0.5, np.nan], np.float32)},
        good | {"data": np.array([0.5, 1.5], np.float32)},
        good | {"rows": np.array([1, 0])},
        good | {"rows": np.array([-1, 0])},
    ]


@pytest.mark.parametrize("arrays", damaged_arrays())
def test_arrays_that_do_not_fit_are_one_sentence(tmp_path: Path, arrays) -> None:
    np.savez_compressed(tmp_path / FILE, **arrays)
    with pytest.raises(InputError, match=r"activations\.npz cannot be read"):
        load_activations(tmp_path)


def test_a_file_that_is_no_archive_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"nonsense")
    with pytest.raises(InputError, match="damaged"):
        load_activations(tmp_path)
