"""Points, labels, colours and areas of the map, and which points are highlighted."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orrery.app.shared.document_map import (
    MAX_CORNERS,
    MAX_LISTED,
    MAX_SPANS,
    SIDE,
    MapSelection,
    Points,
    by_label,
    by_topic,
    by_year,
    highlighted_points,
    is_inside,
    oklch,
    points_of,
    read_area,
    table_of,
)
from orrery.app.workspace.facets import Facets, read_facets
from orrery.core.document_map.files import DocumentMap
from orrery.core.model.overlay import Overlay
from tests.app.toy import ABOVE, TOPS, edited, toy_run

RUN = toy_run()
N_TOPICS = RUN.network.graph.n_topics


def some_map(n: int = 200, seed: int = 0) -> DocumentMap:
    """Documents of each topic around a place of its own; the third has no topic."""
    random = np.random.default_rng(seed)
    topic = random.integers(0, N_TOPICS, n).astype(np.int32)
    angle = 2 * np.pi * topic / N_TOPICS
    place = 9 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + random.normal(size=(n, 2))
    on = np.zeros((n, N_TOPICS), np.bool_)
    on[np.arange(n), topic] = True
    place[2], topic[2], on[2] = np.nan, -1, False
    return DocumentMap(place.astype(np.float32), topic, sparse.csr_array(on))


def facets_of(n: int, labels: list[str], years: list[object]) -> Facets:
    table = pd.DataFrame({"id": [f"d{row}" for row in range(n)], "text": "a text"})
    table["label"] = (labels * n)[:n]
    table["year"] = (years * n)[:n]
    return read_facets(table)


FOUND = some_map()
POINTS = points_of(FOUND, RUN)


def test_every_document_with_a_topic_is_a_point_once():
    assert sorted(POINTS.rows.tolist()) == [row for row in range(200) if row != 2]
    assert POINTS.n_documents == 200
    assert (POINTS.topic == FOUND.topic[POINTS.rows]).all()


def test_places_keep_their_shape_and_fill_the_square():
    span = np.ptp(POINTS.place.astype(np.int64), axis=0)
    true = np.ptp(FOUND.place[POINTS.rows], axis=0)
    assert span.max() == pytest.approx(SIDE, abs=2)
    assert span[0] / span[1] == pytest.approx(true[0] / true[1], rel=1e-3)


def test_a_label_stands_among_the_documents_of_its_topic():
    assert {label.topic for label in POINTS.labels} == set(POINTS.topic.tolist())
    for label in POINTS.labels:
        own = POINTS.place[POINTS.topic == label.topic].astype(np.float64)
        far = np.linalg.norm(own - [label.x, label.y], axis=1)
        assert np.median(far) < SIDE / 8
        assert label.documents == len(own)
    counts = [label.documents for label in POINTS.labels]
    assert counts == sorted(counts, reverse=True)


def test_of_two_islands_the_label_is_on_the_larger():
    place = np.concatenate([np.full((30, 2), 0.0), np.full((9, 2), 10.0)]).astype(np.float32)
    on = np.zeros((39, N_TOPICS), np.bool_)
    on[:, 0] = True
    found = DocumentMap(place, np.zeros(39, np.int32), sparse.csr_array(on))
    (label,) = points_of(found, RUN).labels
    assert (label.x, label.y) == (0, 0)


def test_labels_of_unclear_topics_come_last():
    first = POINTS.labels[0].topic
    n_topics = RUN.network.graph.n_topics
    coherence = tuple(0.0 if topic == first else 0.5 for topic in range(n_topics))
    labels = points_of(FOUND, replace(RUN, coherence=coherence)).labels
    assert labels[-1].topic == first
    assert [label for label in labels if label.topic != first] == list(POINTS.labels[1:])


def test_hidden_topics_have_no_label_and_parts_go_by_the_whole():
    run = edited(RUN, hidden=[5], merged={3: 4})
    points = points_of(FOUND, run)
    shown = {label.topic for label in points.labels}
    assert not shown & {3, 5}
    assert (points.topic[FOUND.topic[points.rows] == 3] == 4).all()


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_few_documents_are_points_too(n):
    place = np.zeros((n, 2), np.float32)
    on = sparse.csr_array(np.zeros((n, N_TOPICS), np.bool_))
    points = points_of(DocumentMap(place, np.zeros(n, np.int32), on), RUN)
    assert len(points.rows) == n
    assert len(by_topic(points, RUN).colour) == n


def test_topics_have_colours_of_their_own_place():
    colouring = by_topic(POINTS, RUN)
    for entry in colouring.entries:
        topic = RUN.network.graph.topic_ids.index(entry.key)
        assert (colouring.colour[POINTS.topic == topic] == entry.colour).all()
        assert entry.count == (POINTS.topic == topic).sum()
        assert entry.name == RUN.topic_labels[topic]
    assert colouring.colour.min() > 0
    assert colouring.colour.max() < min(128, len(colouring.palette["light"]))


def test_of_200_labels_the_largest_have_colours_and_the_others_are_grey():
    labels = [f"<b>{min(int(number**1.3), 199)}</b>" for number in range(200)]
    facets = facets_of(200, labels, [2000])
    colouring = by_label(POINTS, facets)
    assert len(colouring.entries) == MAX_LISTED
    for number, entry in enumerate(colouring.entries):
        of_label = facets.label[POINTS.rows] == entry.key
        assert ((colouring.kind == number) == of_label).all()
        assert (colouring.colour[of_label] == entry.colour).all()
    assert (colouring.colour[colouring.kind < 0] == 0).all()
    assert (colouring.kind < 0).any()


def test_spans_of_years_cover_all_years_once():
    years = [1850, 1899, 1900, 1999, 2000, 2050, 2150, None]
    facets = facets_of(200, ["a", "b"], years)
    assert facets.years == (1850, 2150)
    colouring = by_year(POINTS, facets)
    year = facets.year[POINTS.rows]
    assert ((colouring.kind < 0) == (year == 0)).all()
    assert len(colouring.entries) <= MAX_SPANS
    for number, entry in enumerate(colouring.entries):
        first, _, last = entry.key.partition("–")
        own = year[colouring.kind == number]
        assert int(first) <= own.min()
        assert own.max() <= int(last or first)
        assert entry.count == len(own)
    assert sum(entry.count for entry in colouring.entries) == (year > 0).sum()


def test_colours_are_written_as_they_are_seen():
    assert oklch(0.0, 0.0, 0.0) == "#000000"
    assert oklch(1.0, 0.0, 0.0) == "#ffffff"
    # The red, green and blue of sRGB (CSS Color 4).
    assert oklch(0.62796, 0.25768, 29.2339 / 360) == "#ff0000"
    assert oklch(0.86644, 0.29483, 142.4953 / 360) == "#00ff00"
    assert oklch(0.45201, 0.31321, 264.0520 / 360) == "#0000ff"


@pytest.mark.parametrize(
    "text",
    ["", "1.2", "1.2.3.4", "1.2.3.4.5", "1.2.3.4.5.6.", "a.b.c.d.e.f", "1.2.3.4.5.70000",
     "-1.2.3.4.5.6", "1.2.3.4.5.६", ".".join(["7"] * (2 * MAX_CORNERS + 2))],
)  # fmt: skip
def test_what_is_no_area_is_none(text):
    assert read_area(text) is None


def test_an_area_is_read_as_its_corners():
    assert read_area("1.2.3.4.5.65535").tolist() == [[1, 2], [3, 4], [5, 65535]]


def test_points_are_inside_by_angles_too():
    random = np.random.default_rng(8)
    corners = random.integers(0, 1000, (9, 2))
    place = random.integers(0, 1000, (400, 2)).astype(np.uint16)
    # How often the polygon goes around a point, by the angles that its sides are seen at.
    ends = corners[None] - place[:, None] + [1e-4, 2e-4]
    angle = np.arctan2(ends[..., 1], ends[..., 0])
    turn = (np.roll(angle, -1, axis=1) - angle + np.pi) % (2 * np.pi) - np.pi
    around = np.round(turn.sum(axis=1) / (2 * np.pi)).astype(int)
    found = is_inside(place, corners)
    # Where it goes around twice, one is outside again by crossings.
    assert (found == (around % 2 != 0)).mean() > 0.99
    assert 0.05 < found.mean() < 0.95


def test_all_and_none_can_be_selected():
    everything = np.array([[0, 0], [0, SIDE + 1], [SIDE + 1, SIDE + 1], [SIDE + 1, 0]])
    assert is_inside(POINTS.place, everything).all()
    assert not is_inside(POINTS.place, np.array([[3, 3], [3, 4], [3, 5]])).any()


def highlighted(requested: MapSelection, points: Points = POINTS) -> np.ndarray:
    return highlighted_points(requested, points, by_topic(points, RUN), FOUND, RUN)


def test_every_condition_must_hold():
    assert highlighted(MapSelection()).all()
    assert not MapSelection().anything()
    found = np.arange(100)
    assert (highlighted(MapSelection(found=found)) == (POINTS.rows < 100)).all()
    assert (highlighted(MapSelection(topic=7)) == (POINTS.topic == 7)).all()
    entry = by_topic(POINTS, RUN).entries[0].key
    topic = RUN.network.graph.topic_ids.index(entry)
    assert (highlighted(MapSelection(only=(entry,))) == (POINTS.topic == topic)).all()
    assert highlighted(MapSelection(only=("nobody",))).all()
    both = highlighted(MapSelection(found=found, topic=7))
    assert (both == ((POINTS.rows < 100) & (POINTS.topic == 7))).all()
    assert not highlighted(MapSelection(found=np.empty(0, np.int64))).any()


def test_a_table_has_the_columns_and_the_topic(make_corpus):
    from orrery.core.storage.corpora import load_corpus

    corpus = load_corpus(make_corpus("c"))
    found = some_map(corpus.n_documents)
    run = replace(RUN, overlay=Overlay())
    rows = np.array([4, 2, 0])
    table = pd.read_csv(io.BytesIO(table_of(corpus, rows, found, run)), keep_default_na=False)
    assert table["id"].tolist() == ["d4", "d2", "d0"]
    assert table["text"].tolist() == corpus.documents["text"].iloc[rows].tolist()
    assert table["topic"].tolist()[1] == ""
    assert table["topic"].tolist()[0] == RUN.topic_labels[found.topic[4]]


@pytest.mark.parametrize("seed", range(5))
def test_a_table_names_the_topics_that_the_map_shows(make_corpus, seed):
    from orrery.core.storage.corpora import load_corpus

    corpus = load_corpus(make_corpus("c"))
    found = some_map(corpus.n_documents, seed)
    random = np.random.default_rng(seed)
    part, shown, hidden = random.choice(len(ABOVE), 3, replace=False) + len(TOPS)
    run = edited(RUN, hidden=[hidden], merged={int(part): int(shown)})
    points = points_of(found, run)
    named = {label.topic: label.text for label in points.labels}
    expected = dict(
        zip(
            points.rows.tolist(),
            [named.get(topic, "") for topic in points.topic.tolist()],
            strict=True,
        )
    )
    rows = random.permutation(corpus.n_documents)
    table = pd.read_csv(io.BytesIO(table_of(corpus, rows, found, run)), keep_default_na=False)
    assert table["topic"].tolist() == [expected.get(row, "") for row in rows.tolist()]
