"""The Map page: its points, the highlighted ones, their list, and the effects of a selection."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import cached_maps
from orrery.app.shared.document_map import coloured, points_of
from orrery.app.views.map import strings
from orrery.app.workspace import document_maps, processes
from orrery.app.workspace.document_maps import Making
from orrery.app.workspace.facets import read_facets
from orrery.core.document_map.files import FILE, DocumentMap
from orrery.core.model.overlay import Overlay
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import open_page
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
EVERYTHING = "0.0.65535.0.65535.65535.0.65535"


def page() -> None:
    from orrery.app.views.map import page as map_page

    map_page.render()


opened = partial(open_page, page)


def parts(at: AppTest) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """Data sent to the browser: scalars, positions, and the looks of all points."""
    protos = [element.proto for element in at.get("bidi_component")]
    sent = {proto.bytes[:32].decode("ascii"): proto.bytes[32:] for proto in protos if proto.bytes}
    (data,) = [
        json.loads(proto.json) for proto in protos if proto.component_name == "orrery_points"
    ]
    place = np.frombuffer(sent[data["place"]], "<u2").reshape(-1, 2)
    return data, place, np.frombuffer(sent[data["look"]], np.uint8)


def listed(at: AppTest) -> list[str]:
    return [button.label.strip("*") for button in at.button if button.key.startswith("lit-")]


def test_every_document_is_a_point_and_all_are_highlighted(demo: Path) -> None:
    at = opened()
    data, place, look = parts(at)
    assert len(place) == len(look) == 800
    assert (look & 1).all()
    assert len(data["labels"]) > 30
    assert max(look >> 1) < len(data["palette"]["light"])
    assert not listed(at)


def test_a_search_lights_points_up_and_lists_them(demo: Path) -> None:
    at = opened()
    at.text_input(key="light").set_value("shuttle").run()
    _, _, look = parts(at)
    texts = pd.read_parquet(SAMPLE / "corpus" / "documents.parquet")["text"]
    count = int(texts.str.contains(r"\bshuttle\b", case=False).sum())
    assert (look & 1).sum() == count
    assert at.query_params["light"] == "shuttle"
    assert len(listed(at)) == min(count, 10)
    assert f"**{strings.selected(count, 800)}**" in [element.value for element in at.markdown]


def test_a_topic_lights_the_documents_up_that_it_is_on_in(demo: Path) -> None:
    run = load_run(SAMPLE / "run")
    topic = int(np.bincount(parts_of_sample().topic).argmax())
    at = opened()
    at.selectbox(key="on").set_value(run.network.graph.topic_ids[topic]).run()
    highlighted = parts(at)[2] & 1
    assert highlighted.sum() == parts_of_sample().on[:, [topic]].sum()
    assert run.topic_labels[topic] in at.selectbox(key="on").options


def parts_of_sample() -> DocumentMap:
    found = document_maps.map_of(SAMPLE / "run", load_corpus(SAMPLE / "corpus"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "change",
    [
        Overlay(labels={"L1.1": "Engines"}),
        Overlay(hidden=frozenset(["L1.1"])),
        Overlay(merged={"L1.1": "L1.3"}),
    ],
)
def test_a_change_of_another_visitor_is_not_cached_with_older_names(
    own_run: Path, change: Overlay
) -> None:
    found = parts_of_sample()
    facets = read_facets(load_corpus(SAMPLE / "corpus").documents)
    earlier = load_run(own_run)
    write_overlay(own_run / "model", change)
    for run in (earlier, load_run(own_run)):
        points = cached_maps.points(run, found)
        expected = points_of(found, run)
        assert points.labels == expected.labels
        assert (points.topic == expected.topic).all()
        entries = cached_maps.colouring("topic", run, facets, points).entries
        assert entries == coloured("topic", expected, run, facets).entries


@pytest.mark.parametrize("by", ["label", "year"])
def test_colours_and_the_legend_that_filters(demo: Path, by: str) -> None:
    data, _, look = parts(opened(colour=by))
    entry = data["legend"][1]
    alone = opened(colour=by, only=[entry[0]])
    reported, _, highlighted = parts(alone)
    assert f"{int((highlighted & 1).sum()):,}" == entry[2]
    assert [one[4] for one in reported["legend"]].count(True) == 1
    assert ((highlighted >> 1)[(highlighted & 1) == 1] == entry[3]).all()
    assert ((look >> 1) == (highlighted >> 1)).all()


def test_an_area_selects_and_all_and_none_are_areas_too(demo: Path) -> None:
    at = opened(area=EVERYTHING)
    # Points on the border of the map may be outside.
    assert (parts(at)[2] & 1).sum() >= 796
    assert len(listed(at)) == 10
    none = opened(area="1.1.1.2.2.2")
    assert not (parts(none)[2] & 1).any()
    assert strings.NOTHING in [element.value for element in none.info]
    nonsense = opened(area="1.1.<b>")
    assert (parts(nonsense)[2] & 1).all()


def test_a_selection_becomes_a_corpus_of_its_own(demo: Path) -> None:
    at = opened(light="shuttle")
    count = int((parts(at)[2] & 1).sum())
    at.text_input(key="map-corpus-name-Field notes").set_value("some shuttles")
    at.button(key="map-corpus-make").click().run()
    made = load_corpus(demo / "corpora" / "some shuttles")
    assert made.n_documents == count
    assert all("shuttle" in text.lower() for text in made.documents["text"])
    assert (made.document_frequency() > 0).all()
    made_line = strings.made("some shuttles", count)
    assert made_line in [element.value for element in at.success]
    # Again by the same name: one sentence, and nothing is lost.
    at.text_input(key="map-corpus-name-Field notes").set_value("some shuttles")
    at.button(key="map-corpus-make").click().run()
    assert "already" in " ".join(element.value for element in at.error)
    # The confirmation goes with the corpus.
    shutil.rmtree(demo / "corpora" / "some shuttles")
    assert not at.run().success


def test_without_a_map_one_button_makes_it(own_run: Path, space: Path, monkeypatch) -> None:
    (own_run / "model" / FILE).unlink()
    begun = []
    monkeypatch.setattr(processes, "launch", lambda *reported: begun.append(reported))
    at = opened()
    assert strings.NO_MAP_TITLE in [heading.value for heading in at.subheader]
    at.button(key="make-map").click().run()
    ((_, arguments, _),) = begun
    assert arguments[:2] == ["map", str(own_run)]


def test_while_it_is_made_there_is_a_bar(own_run: Path, monkeypatch) -> None:
    (own_run / "model" / FILE).unlink()
    monkeypatch.setattr(document_maps, "read_making", lambda *_: Making("going", 0.4))
    at = opened()
    assert [button.label for button in at.button] == [strings.STOP]


def test_what_failed_and_what_is_damaged_is_one_sentence(own_run: Path, monkeypatch) -> None:
    path = own_run / "model" / FILE
    path.write_bytes(path.read_bytes()[:300])
    at = opened()
    assert "make the map again" in " ".join(element.value for element in at.error)
    assert [button.label for button in at.button] == [strings.AGAIN]
    path.unlink()
    monkeypatch.setattr(
        document_maps, "read_making", lambda *_: Making("failed", message="no <b>disk")
    )
    assert r"no \<b\>disk" in " ".join(element.value for element in opened().error)


def test_another_corpus_in_the_place_of_the_old_has_no_old_map(own_run: Path, space: Path) -> None:
    from orrery.core.storage.corpora import save_corpus

    corpus = load_corpus(space / "corpora" / "c")
    shutil.rmtree(space / "corpora" / "c")
    save_corpus(corpus.subset(np.arange(800)[::-1]), space / "corpora" / "c")
    at = opened()
    assert not at.get("bidi_component")
    assert at.error


def test_without_a_model_there_is_one_way_on(space: Path) -> None:
    at = opened()
    assert len(at.button) == 1
