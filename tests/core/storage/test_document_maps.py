"""A stored map reads back as it was, for its own model and corpus alone; damage is one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orrery.core.document_map.files import FILE, DocumentMap, Origin, load_map, write_map
from orrery.core.storage.atomic import write_npz
from orrery.core.storage.reading import read_npz
from orrery.core.utils.errors import InputError

ORIGIN = Origin("a" * 64, "b" * 64)


def some_map(n: int = 9, n_topics: int = 4) -> DocumentMap:
    random = np.random.default_rng(n)
    place = random.normal(size=(n, 2)).astype(np.float32)
    topic = random.integers(0, n_topics, n).astype(np.int32)
    place[1], topic[1] = np.nan, -1
    return DocumentMap(place, topic, sparse.csr_array(random.random((n, n_topics)) < 0.3))


def test_it_reads_back_as_it_was(tmp_path: Path) -> None:
    written = some_map()
    write_map(tmp_path, written, ORIGIN)
    read = load_map(tmp_path, ORIGIN)
    assert read is not None
    assert np.array_equal(read.place, written.place, equal_nan=True)
    assert (read.topic == written.topic).all()
    assert (read.on.toarray() == written.on.toarray()).all()


def test_the_same_map_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_map(tmp_path / name, some_map(), ORIGIN)
    assert (tmp_path / "a" / FILE).read_bytes() == (tmp_path / "b" / FILE).read_bytes()


def test_another_model_or_corpus_has_no_map(tmp_path: Path) -> None:
    assert load_map(tmp_path, ORIGIN) is None
    write_map(tmp_path, some_map(), ORIGIN)
    assert load_map(tmp_path, ORIGIN._replace(model="c" * 64)) is None
    assert load_map(tmp_path, ORIGIN._replace(corpus="c" * 64)) is None


def damages():
    """Changes of the arrays after which a map means nothing."""
    yield "place", lambda value: value[:-1]
    yield "place", lambda value: value[:, 0]
    yield "topic", lambda value: value + 50
    yield "topic", lambda value: value[:-2]
    yield "indices", lambda value: value + 50
    yield "indptr", lambda value: value[::-1]
    yield "origin", lambda value: value[:1]
    yield "n_topics", lambda value: value - 100


@pytest.mark.parametrize("number", range(8))
def test_a_damaged_map_is_one_sentence(tmp_path: Path, number: int) -> None:
    write_map(tmp_path, some_map(), ORIGIN)
    name, change = list(damages())[number]
    arrays = read_npz(tmp_path / FILE)
    write_npz(tmp_path / FILE, arrays | {name: change(arrays[name])})
    with pytest.raises(InputError, match=r"damaged; make the map again"):
        load_map(tmp_path, ORIGIN)


@pytest.mark.parametrize("keep", [0, 40, 400])
def test_a_map_that_is_cut_short_is_one_sentence(tmp_path: Path, keep: int) -> None:
    write_map(tmp_path, some_map(), ORIGIN)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=r"damaged; make the map again"):
        load_map(tmp_path, ORIGIN)


def test_a_map_of_another_version_is_to_be_made_again(tmp_path: Path) -> None:
    write_map(tmp_path, some_map(), ORIGIN)
    arrays = read_npz(tmp_path / FILE)
    write_npz(tmp_path / FILE, arrays | {"version": np.array(1)})
    with pytest.raises(InputError, match="map of version 1, and this Orrery reads 2"):
        load_map(tmp_path, ORIGIN)
