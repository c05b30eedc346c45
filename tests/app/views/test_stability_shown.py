"""How often topics come back: measured from the Evaluate page, shown on cards and the map."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from orrery.app.shared import stability as shown_stability
from orrery.app.shared import topic_panel, topic_strings
from orrery.app.views.evaluate import strings
from orrery.app.views.graph import overview
from orrery.app.views.graph import strings as graph_strings
from orrery.app.workspace import processes, runs, stabilities
from orrery.core.drawing.links import node_key, shown_children, shown_parents
from orrery.core.drawing.neighbourhood import Around, neighbourhood_picture
from orrery.core.drawing.strings import percent
from orrery.core.evaluation.stability import null_sentence, stability_sentence
from orrery.core.model.overlay import Overlay
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.runs import load_run
from orrery.core.storage.stability import (
    Stability,
    known_stability,
    no_trainings,
    write_stability,
)
from tests.app.pages import as_read, open_page


def evaluate() -> None:
    from orrery.app.views.evaluate import page

    page.render()


def graph() -> None:
    from orrery.app.views.graph import page

    page.render()


opened = partial(open_page, evaluate, run="r", corpus="c")
opened_graph = partial(open_page, graph, run="r", corpus="c")


@pytest.fixture
def measured_run(own_run: Path) -> Path:
    """The sample, whose even topics come back always and whose odd ones in two of ten."""
    network = load_run(own_run).network
    topics, links = network.graph.n_topics, network.graph.n_edges
    topic = np.ones((10, topics), bool)
    topic[2:, 1::2] = False
    link = topic[:, network.graph.parent_idx]
    found = Stability(
        share=0.8,
        wanted=10,
        seeds=np.arange(10),
        seconds=np.full(10, 60.0),
        n_topics=np.full(10, topics),
        correlation=np.where(topic, 0.9, 0.2),
        topic=topic,
        link=link,
        topic_by_chance=np.zeros((10, topics)),
        link_by_chance=np.zeros((10, links)),
    )
    write_stability(own_run / "model", found)
    return own_run


def test_button_starts_the_trainings_and_states_their_time(
    own_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr(
        processes, "launch", lambda folder, arguments, corpus: found.append((folder, arguments))
    )
    (own_run / "status.json").write_text(json.dumps({"state": "finished", "whole_seconds": 90.0}))
    at = opened()
    assert "10 more trainings at low priority: about 15 min" in as_read(at)
    at.button(key="evaluate-stability").click().run()
    assert not at.exception
    ((_, arguments),) = found
    assert arguments == ["stability", str(own_run), "--times", "10", "--json"]


def test_further_trainings_have_the_share_of_the_earlier_ones(
    measured_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = known_stability(load_run(measured_run))
    assert found is not None
    rows = {name: getattr(found, name)[:7] for name in ("seeds", "seconds", "n_topics", "topic",
            "link", "correlation", "topic_by_chance", "link_by_chance")}  # fmt: skip
    write_stability(measured_run / "model", replace(found, share=1.0, **rows))
    started: list[list[str]] = []
    monkeypatch.setattr(
        processes, "launch", lambda folder, arguments, corpus: started.append(arguments)
    )
    at = opened()
    assert "3 more trainings at low priority: about 3 min 00 s, as long as those so far" in as_read(
        at
    )
    at.button(key="evaluate-stability").click().run()
    assert started[0][4:] == ["--sample", "1.0", "--json"]


def test_a_copy_has_its_own_measurement_which_ends_with_its_run(
    own_run: Path, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = own_run.with_name("copy")
    shutil.copytree(own_run, copy)
    assert stabilities._folder(space, copy) != stabilities._folder(space, own_run)
    ended: list[Path] = []
    monkeypatch.setattr(processes, "call_off", ended.append)
    going = stabilities.Measuring("going")
    monkeypatch.setattr(stabilities, "read_measuring", lambda workspace, run: going)
    place = stabilities._folder(space, copy)
    runs.remove(copy)
    assert ended == [place]


def test_figures_of_a_measured_run_are_on_the_page(measured_run: Path) -> None:
    at, run = opened(), load_run(measured_run)
    found = known_stability(run)
    assert found is not None
    assert stability_sentence(run, found) in as_read(at)
    assert not [button for button in at.button if button.key == "evaluate-stability"]
    table = next(each.value for each in at.dataframe if strings.FOUND in each.value.columns)
    assert sorted(set(table[strings.FOUND])) == ["10 of 10", "2 of 10"]
    assert len(table) == len(run.displayed_topics)


def test_a_failure_is_one_sentence(own_run: Path, space: Path) -> None:
    folder = stabilities._folder(space, own_run)
    folder.mkdir(parents=True)
    (folder / "console.txt").write_text("orrery: the corpus is gone; import it again")
    (folder / "launch.json").write_text('{"pid": null, "started": 0}')
    at = opened()
    assert len(at.error) == 1
    assert "The corpus is gone" in at.error[0].value


def test_sample_offers_a_copy(demo: Path) -> None:
    at = open_page(evaluate)
    assert strings.STABILITY_FIXED in as_read(at)
    assert not [button for button in at.button if button.key == "evaluate-stability"]


def test_card_has_the_count_of_the_topic_and_of_its_links(measured_run: Path) -> None:
    run = load_run(measured_run)
    parent, child = next(
        (link.parent, link.child)
        for topic in range(0, run.network.graph.n_topics, 2)
        for link in shown_children(run, topic)
        if link.child < run.network.graph.n_topics
    )
    assert shown_stability.link_phrase(run, parent, child) == "found again in 10 of 10"
    assert "69\N{NO-BREAK SPACE}% to 100\N{NO-BREAK SPACE}%" in shown_stability.link_interval(
        run, parent, child
    )
    assert shown_stability.link_phrase(run, child, parent) == ""
    rare = next(link for link in shown_children(run, 1))
    phrase = shown_stability.link_phrase(run, rare.parent, rare.child)
    assert phrase == "may be due to chance, found again in 2 of 10"
    at = opened_graph(topic=run.network.graph.topic_ids[child])
    assert shown_stability.topic_sentence(run, child) in [each.value for each in at.caption]
    assert topic_strings.STABILITY_HELP in [each.help for each in at.caption]
    assert "found again in 10 of 10)" in as_read(at)


def test_a_similar_topic_has_no_count_of_a_link(
    measured_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(measured_run)
    ids, n_topics = run.network.graph.topic_ids, run.network.graph.n_topics
    parent, child = next(
        (link.parent, link.child)
        for topic in range(n_topics)
        for link in shown_children(run, topic)
        if link.child < n_topics
    )
    assert shown_stability.link_phrase(run, parent, child)
    hidden = next(topic for topic in range(n_topics) if topic not in (parent, child))
    write_overlay(measured_run / "model", Overlay(hidden=frozenset([ids[hidden]])))
    alike = [(hidden, 0.81), (child, 0.73)]
    monkeypatch.setattr(topic_panel, "similar_topics", lambda *_: alike)
    at = opened_graph(topic=ids[parent], card=ids[parent])
    key = f"card-{topic_strings.SIMILAR}-"
    (similar,) = [button for button in at.button if button.key.startswith(key)]
    assert similar.key == key + node_key(run, child)
    assert f":gray[{percent(0.73)}]" in similar.label
    assert not similar.help


def test_a_topic_that_rarely_came_back_is_not_reported_as_a_find(measured_run: Path) -> None:
    run = load_run(measured_run)
    assert shown_stability.topic_sentence(run, 0).startswith("Found again in 10 of 10 trainings (")
    rare = shown_stability.topic_sentence(run, 1)
    assert rare.startswith("May be due to chance: found again in 2 of 10 trainings (")


def test_slider_hides_rare_topics_and_links(measured_run: Path) -> None:
    run = load_run(measured_run)
    n_topics = run.network.graph.n_topics
    steady = shown_stability.without_rare_topics(run, 3)
    assert set(steady.displayed_topics) == set(run.displayed_topics) & set(range(0, n_topics, 2))
    rare = shown_stability.rare_links(run, 3)
    odd = run.network.graph.parent_idx % 2 == 1
    assert rare == set(np.flatnonzero(odd).tolist())
    assert neighbourhood_picture(steady, Around(1, 0.0, rare=rare)).counts["words"] == 0
    n_compared = 0
    for topic in range(0, n_topics, 2):
        full = neighbourhood_picture(steady, Around(topic, 0.0, by_bits=True))
        picture = neighbourhood_picture(steady, Around(topic, 0.0, by_bits=True, rare=rare))
        assert picture.counts["hidden"] == 0
        assert picture.counts["rare"] == sum(
            link.parent % 2 for link in (*shown_parents(run, topic), *shown_children(run, topic))
        )
        bits = {(edge.parent, edge.child): edge.bits for edge in full.edges}
        same = [edge for edge in picture.edges if (edge.parent, edge.child) in bits]
        assert all(edge.bits == bits[edge.parent, edge.child] for edge in same)
        n_compared += len(same)
    assert n_compared
    at = opened_graph()
    assert graph_strings.FOUND in [each.label for each in at.select_slider]
    at = opened_graph(found="3", topic=run.network.graph.topic_ids[0])
    assert not at.exception
    assert at.select_slider(key="found").value == "3"


@pytest.mark.usefixtures("measured_run")
@pytest.mark.parametrize("address", [{}, {"topic": "L1.3"}])
def test_a_search_lists_its_results_beside_the_slider(address: dict[str, str]) -> None:
    at = opened_graph(find="river", **address)
    assert any(button.key == "found-word:river" for button in at.button)
    assert at.select_slider(key="found").value == "0"


def test_map_states_which_topics_it_leaves_out_and_why(
    measured_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, captions = load_run(measured_run), list[str]()
    draw = overview.draw_map

    def drawn(*args: object, caption: str, **more: object) -> object:
        captions.append(caption)
        return draw(*args, caption=caption, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(overview, "draw_map", drawn)
    n_rare = sum(topic % 2 for topic in run.displayed_topics)
    opened_graph(found="3")
    assert graph_strings.rare_topics(n_rare, 3, 10) in captions[-1]
    assert "hidden" not in captions[-1]
    found = known_stability(run)
    assert found is not None
    write_stability(measured_run / "model", replace(found, topic=np.zeros_like(found.topic)))
    n_maps = len(captions)
    at = opened_graph(found="3")
    assert graph_strings.no_topic(3, 10) in [each.value for each in at.caption]
    assert len(captions) == n_maps


def test_without_a_measurement_there_is_no_slider_and_no_count(own_run: Path) -> None:
    at = opened_graph()
    assert graph_strings.FOUND not in [each.label for each in at.select_slider]
    run = load_run(own_run)
    assert shown_stability.topic_sentence(run, 0) == ""
    assert shown_stability.without_rare_topics(run, 3) is run


def test_what_a_shuffle_finds_is_not_said_to_be_what_chance_finds(measured_run: Path) -> None:
    run = load_run(measured_run)
    known = known_stability(run)
    assert known is not None
    graph = run.network.graph
    words = np.ones((known.times, graph.n_tokens), bool)
    is_found = np.concatenate([known.topic, words], axis=1)
    is_paired = is_found[:, graph.parent_idx] & is_found[:, graph.edge_children()]
    found = replace(
        known,
        topic_by_chance=np.full(known.topic.shape, 0.25),
        link_by_chance=np.where(is_paired, 0.5, 0.0),
    )
    sentence = null_sentence(run, found)
    assert "reaches the required correlation in 25.0 %" in sentence
    assert "in 50.0 %, if these were paired at random" in sentence
    assert null_sentence(run, no_trainings(graph, 0.8, 10)) == ""
