"""A story keeps groups, the map and documents: correct, as text, and small."""

from __future__ import annotations

import base64
import itertools
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from orrery.app.charts.groups import STRONGEST
from orrery.app.shared import strings as shared_strings
from orrery.app.shared.document_map import by_topic, points_of
from orrery.app.shared.groups import MAX_COURSES, kept_groups, largest_differences
from orrery.app.shared.kept_pages import kept_document, kept_evaluation, kept_names
from orrery.app.shared.listing import Sources, read_sources
from orrery.app.shared.map_picture import (
    BRIGHT_ALPHA,
    DIMMED_ALPHA,
    DIMMED_SIZE,
    MapPicture,
    kept_map,
    points_png,
)
from orrery.app.shared.story_export import left_out, missing, only_notes, taken_along
from orrery.app.shell.kept import NARROW, WIDE, WIDEST, Picture
from orrery.core.data.columns import POSITIONS
from orrery.core.data.groups import BY_DOCUMENT, read_grouping
from orrery.core.evaluation.group_topics import topics_of_groups
from orrery.core.model.overlay import Overlay
from orrery.core.model.story import KeptView, Story
from orrery.core.storage.runs import load_run
from tests.app.shared.test_map_points import RUN, some_map
from tests.conftest import ROOT
from tests.core.export.models import EVIL

SVG = "{http://www.w3.org/2000/svg}"
# A document whose words two topics explain.
MIXED = 23
Address = Mapping[str, Sequence[str]]
ALL_OF_GROUPS: list[Address] = [
    {},
    {"show": ["lift"]},
    {"view": ["one"], "group": ["law"]},
    {"view": ["two"], "group": ["law"], "other": ["space"]},
]
OVER_TIME: list[Address] = [
    {"by": ["day"]},
    {"by": ["day"], "view": ["course"]},
    {"by": ["day"], "view": ["course"], "draw": ["stacked"]},
    {"by": ["day"], "view": ["new"]},
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    found = read_sources(load_run(ROOT / "sample_data" / "run"), tmp_path_factory.mktemp("space"))
    assert found is not None
    assert found.stored is not None
    assert found.found is not None
    return found


@pytest.fixture(scope="module")
def dated(sources: Sources) -> Sources:
    """The sample with a day for each document, its labels one after the other in five years."""
    label = sources.corpus.documents["label"]
    place = {name: number for number, name in enumerate(sorted(set(label)))}
    days = [f"{2015 + 5 * place[name] // len(place)}-03-04" for name in label]
    documents = sources.corpus.documents.assign(day=days)
    return replace(sources, corpus=replace(sources.corpus, documents=documents))


@pytest.fixture(scope="module")
def hostile(dated: Sources) -> Sources:
    """Every topic, label, title and text is markup, and long."""
    graph = dated.run.network.graph
    named = Overlay(dict.fromkeys(graph.topic_ids, f"{EVIL} {'x' * 200}"))
    shown = named.shown_labels(graph.topic_ids, dated.run.made_labels)
    run = replace(dated.run, overlay=named, topic_labels=shown)
    documents = dated.corpus.documents
    table = documents.assign(
        label=documents["label"] + f" {EVIL}", text=documents["text"] + f" {EVIL}", title=EVIL
    )
    return replace(dated, run=run, corpus=replace(dated.corpus, documents=table))


def drawings(picture: Picture | None) -> list[ET.Element]:
    """Both drawings as XML."""
    assert picture is not None
    return [ET.fromstring(picture[name]) for name in ("widest", "wide", "narrow")]


def texts(drawing: ET.Element) -> list[str]:
    return ["".join(part.itertext()) for part in drawing.iter(f"{SVG}text")]


@pytest.mark.parametrize("address", [*ALL_OF_GROUPS, *OVER_TIME])
def test_every_view_of_groups_is_a_drawing_for_a_screen_and_a_phone(
    dated: Sources, address: Address
) -> None:
    picture = kept_groups(dated, address)
    assert picture is not None
    view = address.get("view", ["map"])[0]
    assert shared_strings.VIEWS[view].lower() in picture["heading"]
    for drawing, width in zip(drawings(picture), (WIDEST, WIDE, NARROW), strict=True):
        assert float(drawing.get("width", "")) == width
        assert len(texts(drawing)) > 10
        assert_inside(drawing)


def assert_inside(drawing: ET.Element) -> None:
    """Boxes and texts that begin somewhere begin in the drawing, and boxes end there."""
    wide, tall = float(drawing.get("width", "")), float(drawing.get("height", ""))
    for box in drawing.iter(f"{SVG}rect"):
        x, y, width, height = (float(box.get(name, "")) for name in ("x", "y", "width", "height"))
        assert -0.1 <= x <= x + width <= wide + 5
        assert -0.1 <= y <= y + height <= tall + 5
    for text in drawing.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "")) <= wide
        assert 0 <= float(text.get("y", "")) <= tall


def test_cells_are_as_strong_as_shares(sources: Sources) -> None:
    drawing = drawings(kept_groups(sources, {}))[0]
    found = counted(sources)
    strength: dict[str, float] = {}
    for box in drawing.iter(f"{SVG}rect"):
        strength[box.findtext(f"{SVG}title", "")] = float(box.get("fill-opacity", ""))
    assert len(strength) == 30 * len(found.grouping.names)
    by_share = sorted(
        (float(re.search(r": <?([\d.]+)\N{NO-BREAK SPACE}%,", title)[1]), opacity)
        for title, opacity in strength.items()
    )
    for (share, opacity), (larger, stronger) in itertools.pairwise(by_share):
        assert share == larger or opacity <= stronger + 0.05
    # Values in the strongest cells must still be readable.
    assert by_share[-1][1] == pytest.approx(STRONGEST)


def counted(sources: Sources):
    assert sources.stored is not None
    grouping = read_grouping(sources.corpus.documents)
    return topics_of_groups(sources.stored.probability, sources.stored.rows, grouping)


def test_a_group_has_the_topics_that_are_certain_of_it(sources: Sources) -> None:
    found = counted(sources)
    row = found.grouping.names.index("law")
    picture = kept_groups(sources, {"view": ["one"], "group": ["law"]})
    for drawing in drawings(picture):
        shown_text = texts(drawing)
        for is_more in (True, False):
            for topic in largest_differences(found, found.of_group(row), 0, is_more=is_more):
                assert sources.run.topic_labels[int(topic["topic"])] in shown_text
                certainty = shared_strings.certainty(topic["certain"], topic["likely"])
                assert any(text.startswith(certainty) for text in shown_text)


def test_a_picture_of_passages_states_that_documents_are_counted(sources: Sources) -> None:
    documents = sources.corpus.documents
    places = dict.fromkeys(POSITIONS, 0)
    passages = documents.assign(document=[f"d{n % 40}" for n in range(len(documents))], **places)
    pictures = [
        kept_groups(replace(sources, corpus=replace(sources.corpus, documents=table)), {})
        for table in (passages, documents)
    ]
    assert [BY_DOCUMENT in json.dumps(picture) for picture in pictures] == [True, False]


def test_a_course_names_its_highest_period(dated: Sources) -> None:
    shown_text = texts(drawings(kept_groups(dated, {"by": ["day"], "view": ["course"]}))[0])
    highest = [text for text in shown_text if text.startswith("at most")]
    assert len(highest) == MAX_COURSES
    assert all(re.search(r"in 201[5-9]$", text) for text in highest)


@pytest.mark.parametrize("address", [{"by": ["nothing"]}, {"view": ["no"]}, {"group": [EVIL]}])
def test_what_an_address_states_wrongly_is_what_the_page_shows_at_first(
    sources: Sources, address: Address
) -> None:
    assert kept_groups(sources, address) == kept_groups(sources, {})


def test_groups_that_cannot_be_compared_are_no_picture(sources: Sources) -> None:
    one = sources.corpus.documents[["id", "text"]].assign(label="one")
    assert kept_groups(replace(sources, corpus=replace(sources.corpus, documents=one)), {}) is None
    assert kept_groups(replace(sources, stored=None), {}) is None


@pytest.mark.parametrize("address", [*ALL_OF_GROUPS, *OVER_TIME])
def test_markup_in_names_of_groups_and_topics_is_text(hostile: Sources, address: Address) -> None:
    group = next(name for name in hostile.corpus.documents["label"] if name.startswith("law"))
    picture = kept_groups(
        hostile, {**address, **({"group": [group]} if "group" in address else {})}
    )
    assert_text_only(picture)


def assert_text_only(picture: Picture | None) -> None:
    allowed = {"svg", "style", "text", "title", "rect", "path", "image"}
    for drawing in drawings(picture):
        assert {part.tag.removeprefix(SVG) for part in drawing.iter()} <= allowed
        assert not any(name.startswith("on") for part in drawing.iter() for name in part.attrib)
        wide = float(drawing.get("width", ""))
        for shown_text in texts(drawing):
            # Whole below the pointer, cut where it is written.
            assert len(shown_text) < wide / 4 or EVIL in shown_text
    assert picture is not None
    assert EVIL in "".join(drawings(picture)[0].itertext())


def pixels(png: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of colours, and the palette with the opacity of each."""
    with Image.open(BytesIO(png)) as image:
        assert (image.format, image.mode) == ("PNG", "P")
        opacity = np.frombuffer(image.info["transparency"], np.uint8)[:, None]
        colours = np.array(image.getpalette(), np.uint8).reshape(-1, 3)[: len(opacity)]
        return np.asarray(image), np.hstack([colours, opacity])


def test_each_point_has_its_colour_and_what_is_not_highlighted_is_pale() -> None:
    points = points_of(some_map(40), RUN)
    colouring = by_topic(points, RUN)
    highlighted = np.arange(len(points.rows)) % 3 == 0
    picture = MapPicture(points, colouring, highlighted)
    png = points_png(picture)
    assert png == points_png(picture)
    number, palette = pixels(png)
    assert set(np.unique(number[number > 1] - 2)) <= set(colouring.colour[highlighted].tolist())
    assert (palette[1][3], palette[2][3]) == (DIMMED_ALPHA, BRIGHT_ALPHA)
    covered = [(number > 1).sum() / highlighted.sum(), (number == 1).sum() / (~highlighted).sum()]
    assert covered[1] < covered[0] * DIMMED_SIZE
    # Up on the map is up in the picture.
    top = points.place[:, 1].argmax()
    row, column = (number > 0).any(axis=1).argmax(), points.place[top, 0]
    inked = np.flatnonzero(number[row])
    low, high = points.place[:, 0].min(), points.place[:, 0].max()
    expected = (column - low) / (high - low) * 0.92 + 0.04
    assert inked.mean() / number.shape[1] == pytest.approx(expected, abs=0.1)


def test_many_points_do_not_fill_the_file() -> None:
    found, random = some_map(100_000), np.random.default_rng(1)
    # Any colour anywhere is the worst that can be.
    place = random.random(found.place.shape, np.float32)
    points = points_of(found._replace(place=np.where(found.topic[:, None] < 0, np.nan, place)), RUN)
    highlighted = np.ones(len(points.rows), bool)
    png = points_png(MapPicture(points, by_topic(points, RUN), highlighted))
    assert len(base64.b64encode(png)) < 400_000
    number, _ = pixels(png)
    assert min(number.shape) >= 400


def test_the_map_has_names_legend_and_what_is_highlighted(sources: Sources) -> None:
    whole = kept_map(sources, {})
    highlighted = kept_map(sources, {"light": ["orbit"], "on": ["L2.10"]})
    assert whole is not None
    assert highlighted is not None
    assert "highlighted" not in whole["caption"]
    label = sources.run.topic_labels[sources.run.network.graph.topic_number["L2.10"]]
    assert f"those found by “orbit” and with the topic {label}" in highlighted["caption"]
    number = int(re.search(r"(\d+) of [\d,]+ documents are highlighted", highlighted["caption"])[1])
    assert 0 < number < 100
    assert highlighted["points"] != whole["points"]
    for drawing in drawings(whole):
        shown_text = texts(drawing)
        # Shown once, of all names in the legend and on the map.
        assert len([name for name in sources.run.topic_labels if name in shown_text]) >= 5
        assert drawing.find(f"{SVG}image[@class='points']") is not None
        assert_inside(drawing)


def test_an_area_is_drawn_and_an_odd_one_is_none(sources: Sources) -> None:
    area = kept_map(sources, {"area": ["10000.10000.50000.10000.50000.50000"]})
    assert area is not None
    assert "stroke-dasharray" in area["wide"]
    odd = kept_map(sources, {"area": ["1.2.x"], "only": ["gone"], "colour": ["year"]})
    assert odd is not None
    assert "stroke-dasharray" not in odd["wide"]


def test_the_map_of_hostile_names_is_text(hostile: Sources) -> None:
    assert_text_only(kept_map(hostile, {"light": ["orbit"]}))


def test_a_document_keeps_every_letter_and_has_its_colours(sources: Sources) -> None:
    name = str(sources.corpus.documents["id"].iat[MIXED])
    found = kept_document(sources, {"doc": [name]})
    assert found is not None
    text = "".join(part[0] for part in found["text"])
    assert text == sources.corpus.documents["text"].iat[MIXED]
    hues = {topic["hue"] for topic in found["topics"]}
    assert len(hues) > 1
    grounds = {part[1][:7] for part in found["text"] if len(part) > 1}
    assert grounds
    assert grounds <= hues
    one = kept_document(sources, {"doc": [name], "sel": [f"topic:{found['topics'][0]['id']}"]})
    assert one is not None
    assert {part[1][:7] for part in one["text"] if len(part) > 1} == {found["topics"][0]["hue"]}
    assert kept_document(sources, {"doc": ["gone"]}) is None


def test_of_a_book_the_beginning_goes_along(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.app.shared.kept_pages.FIRST_LETTERS", 60)
    found = kept_document(sources, {"doc": [str(sources.corpus.documents["id"].iat[17])]})
    assert found is not None
    assert len("".join(part[0] for part in found["text"])) <= 60
    assert found["rest"].startswith("The first")


def test_a_list_has_what_was_found_and_its_page(sources: Sources) -> None:
    found = kept_document(sources, {"find": ["bass"]})
    assert found is not None
    number = int(found["caption"].split()[0])
    assert "found by “bass”" in found["caption"]
    assert len(found["documents"]) == min(number, 10)
    for document in found["documents"]:
        assert any(len(part) > 1 and part[0].lower() == "bass" for part in document["text"])
    every = sources.corpus.n_documents
    last = kept_document(sources, {"page": ["99999"]})
    assert last is not None
    assert shared_strings.listed(every - 9, 10) in last["caption"]
    labelled = kept_document(sources, {"label": ["law"], "on": ["L2.10"]})
    assert labelled is None or "of law" in labelled["caption"]
    assert kept_document(sources, {"find": ["qqqqqqq"]}) is None


def views(*pages: tuple[str, dict[str, str]]) -> Story:
    kept = (
        KeptView(f"k{number}", page, tuple(shown_text.items()), "Title")
        for number, (page, shown_text) in enumerate(pages)
    )
    return Story("s", "A story", "c", "r", tuple(kept))


STORY = views(
    ("query", {"q": "bass"}), ("groups", {}), ("map", {}), ("documents", {"find": "bass"}),
    ("train", {}), ("graph", {"topic": "L1.11", "to": "L1.44"}),
)  # fmt: skip


def test_what_goes_along_is_what_is_there_and_allowed(sources: Sources) -> None:
    assert only_notes(STORY, sources, with_texts=True) == [5]
    assert left_out(STORY, with_texts=True) == []
    assert list(taken_along(STORY, sources.run, sources, sources.workspace, with_texts=True)) == [
        "k1",
        "k2",
        "k3",
        "k5",
    ]
    assert only_notes(STORY, sources, with_texts=False) == [5]
    assert left_out(STORY, with_texts=False) == [4]
    assert list(taken_along(STORY, sources.run, sources, sources.workspace, with_texts=False)) == [
        "k1",
        "k2",
        "k5",
    ]
    without = replace(sources, stored=None, found=None)
    assert only_notes(STORY, without, with_texts=True) == [2, 3, 5]
    assert only_notes(STORY, None, with_texts=False) == [2, 3, 4, 5]
    assert taken_along(STORY, sources.run, None, sources.workspace, with_texts=True).keys() == {
        "k5"
    }


def test_names_go_along_as_the_table_of_the_page(sources: Sources) -> None:
    graph = sources.run.network.graph
    run = load_run(ROOT / "sample_data" / "run")
    found = kept_names(run, sources.stored, {})
    place = {name: found["columns"].index(name) for name in found["columns"]}
    assert sorted(row[place["Id"]] for row in found["rows"]) == sorted(graph.topic_ids)
    # A column without entries is left out.
    assert "Note" not in place
    counts = [int(row[place["Documents"]].replace(",", "")) for row in found["rows"]]
    assert counts == sorted(counts, reverse=True)
    assert found["figures"] == [place["Documents"]]
    some = kept_names(run, None, {"find": ["orbit"]})
    assert 0 < len(some["rows"]) < len(found["rows"])
    assert all("orbit" in " ".join(map(str, row)) for row in some["rows"])
    assert "Documents" not in some["columns"]
    assert f"{len(some['rows'])} of" in some["caption"]
    assert kept_names(run, None, {"find": ["qqqq"]})["caption"] == shared_strings.NOTHING


def test_what_is_written_in_the_names_goes_along_as_text(hostile: Sources) -> None:
    found = kept_names(hostile.run, hostile.stored, {"page": ["7"]})
    assert all(row[found["columns"].index("Name")].startswith(EVIL) for row in found["rows"])


def test_an_evaluation_goes_along_as_its_sentences_and_figures(
    tmp_path: Path, sources: Sources
) -> None:
    address = {"run": ["Field notes"], "with": ["../x", "gone"]}
    found = kept_evaluation(sources.run, tmp_path, address)
    assert found is not None
    assert "words hidden in texts, it guesses" in found["caption"]
    assert "as if all words were independent" in found["caption"]
    assert found["columns"][1:] == ["Field notes"]
    assert "gone or damaged: “../x” and “gone”." in found["caption"]
    rows = {row[0]: row[1] for row in found["rows"]}
    assert rows["Topics"] == "64"
    assert "nan" not in str(found)


def test_an_evaluation_beside_the_sample_has_its_figures(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("ORRERY_DEMO", "1")
    address = {"run": ["mine"], "corpus": ["Field notes"], "with": ["Field notes"]}
    found = kept_evaluation(sources.run, tmp_path, address)
    assert found is not None
    assert found["columns"][1:] == ["mine", "Field notes"]


def test_what_is_not_there_any_more_is_named_by_its_view(tmp_path: Path, sources: Sources) -> None:
    reported = views(
        ("documents", {"doc": "n001"}), ("documents", {"doc": "gone"}), ("documents", {}),
        ("graph", {"topic": "L9.99"}), ("graph", {"topic": "L1.11", "to": "L9.98"}),
        ("graph", {"word": "qqqqqqq"}), ("graph", {"word": "bass"}), ("evaluate", {}), ("map", {}),
    )  # fmt: skip
    ids = frozenset(map(str, sources.corpus.documents["id"]))
    assert missing(reported, sources.run, ids, tmp_path) == {
        2: shared_strings.NO_DOCUMENT.format(name="gone"),
        4: shared_strings.NO_TOPIC.format(name="L9.99"),
        5: shared_strings.NO_TOPIC.format(name="L9.98"),
        6: shared_strings.NO_WORD.format(name="qqqqqqq"),
    }


def test_a_corpus_that_has_gone_or_changed_is_no_source(tmp_path: Path, own_run: Path) -> None:
    assert read_sources(load_run(own_run), tmp_path) is not None
    (own_run.parents[1] / "corpora" / "c" / "corpus.json").unlink()
    assert read_sources(load_run(own_run), tmp_path) is None
