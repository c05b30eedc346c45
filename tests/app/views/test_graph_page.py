"""The Graph page in Streamlit's own test harness: search, walk, breadcrumb, threshold."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from orrery.app.shared.topic_facts import subtree_sizes
from orrery.app.views.graph import strings
from orrery.app.views.graph.page import MAX_FOUND
from orrery.app.views.graph.path import FOUND_SHOWN, begun_words, find_nodes
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.links import shown_children
from orrery.core.drawing.strings import percent
from orrery.core.model.topic_names import NO_WORDS
from tests.app import toy
from tests.app.pages import open_page, pictures, shown_text
from tests.app.toy import edited, large_run, toy_run

RUN = toy_run()


def page_of_toy():
    from orrery.app.shell import loaders
    from orrery.app.views.graph import page as graph
    from tests.app.toy import toy_run

    loaders.current_run = toy_run
    graph.render()


def page_of_large():
    from orrery.app.shell import loaders
    from orrery.app.views.graph import page as graph
    from tests.app.toy import large_run

    loaders.current_run = lambda: large_run(200, 900, 0, 6)
    graph.render()


@pytest.fixture(autouse=True)
def _state_as_it_was(monkeypatch):
    """Pages replace the state's functions: put them back."""
    from orrery.app.shared import cached_maps as topic_maps
    from orrery.app.shell import choice, loaders
    from orrery.app.views.graph import overview

    # The models of these tests are kept nowhere, and what is worked out of one is not another's.
    topic_maps.sized_tree.clear()
    overview._map.clear()
    monkeypatch.setattr(loaders, "current_run", loaders.current_run)
    monkeypatch.setattr(choice, "corpus_place", choice.corpus_place)


def page_of_odd_names():
    from dataclasses import replace

    from orrery.app.shell import loaders
    from orrery.app.views.graph import page as graph
    from orrery.core.model.network import build_network
    from tests.app.toy import toy_run

    run = toy_run()
    shape = replace(
        run.network.graph, topic_ids=("find", "found", *run.network.graph.topic_ids[2:])
    )
    network = build_network(shape, run.network.weight, run.network.leak)
    loaders.current_run = lambda: replace(run, network=network)
    graph.render()


opened = partial(open_page, page_of_toy)


def ended_at(app, code):
    """Find the other end of a path by its name, and take it."""
    app.text_input(key="path-find").input(RUN.topic_labels[RUN.network.graph.topic_ids.index(code)])
    app.run()
    assert not app.exception
    return app.button(key=f"path-to-{code}").click().run()


def mapped(app):
    """Boxes of the map by their key."""
    (component,) = pictures(app)
    return {box["key"]: box for box in json.loads(component.json)["boxes"]}


def test_it_opens_on_a_map_of_all_topics():
    app = opened()
    assert "All 13 topics" in shown_text(app)
    boxes = mapped(app)
    assert set(boxes) == {f"topic:T{number:04d}" for number in range(13)}
    assert boxes["topic:T0000"]["label"] == RUN.topic_labels[0]
    assert boxes["topic:T0000"]["above"] == -1
    assert list(boxes)[boxes["topic:T0005"]["above"]] in {f"topic:T{top:04d}" for top in range(5)}


def test_all_of_a_large_model_is_in_the_map():
    app = open_page(page_of_large)
    assert {box["kind"] for box in mapped(app).values()} == {"topic"}
    assert len(mapped(app)) == 200
    assert "All 200 topics" in shown_text(app)


def test_what_is_beyond_the_map_is_counted_and_comes_next(monkeypatch):
    from orrery.app.shared.topic_map import map_topics
    from orrery.app.views.graph import overview as graph_overview

    monkeypatch.setattr(
        graph_overview, "map_topics", lambda tree, root, skip: map_topics(tree, root, skip, most=6)
    )
    app = open_page(page_of_large)
    boxes = mapped(app)
    assert "6 of 200 topics" in shown_text(app)
    assert sum(box["folded"] for box in boxes.values()) == 194
    assert boxes["rest:"]["above"] == -1
    rest = open_page(page_of_large, skip="6")
    assert not set(mapped(rest)) & {key for key in boxes if key.startswith("topic:")}


@pytest.mark.parametrize("most", [6, 60])
def test_topics_in_groups_are_counted_like_topics_beside_each_other(most):
    from orrery.app.shared.topic_map import in_topic_groups, map_topics, topic_tree
    from orrery.app.views.graph.overview import _shown_at

    run = large_run(200, 400, 0)
    tree = topic_tree(run, 0.02, subtree_sizes(run, None, 0.02).size)
    cells = map_topics(tree, most=most)
    grouped = in_topic_groups(cells, [topic % 3 - 1 for topic in range(200)])
    assert len(grouped) > len(cells)
    assert _shown_at(grouped, -1) == _shown_at(cells, -1) > 0


def test_a_parent_has_the_figure_of_all_that_is_below_it():
    boxes = mapped(opened())
    sizes = subtree_sizes(RUN, None, 0.02)
    for topic in range(13):
        box = boxes[f"topic:T{topic:04d}"]
        assert box["figures"].startswith(percent(sizes.size[topic]))
        holds = topic in RUN.main_parents[:13]
        assert any("by itself" in line for line in box["hover"]) == holds


def test_a_topic_without_words_has_no_box_and_is_found_nowhere(monkeypatch):
    labels = (*RUN.topic_labels[:5], NO_WORDS, *RUN.topic_labels[6:])
    silent = replace(edited(RUN, hidden=[4]), topic_labels=labels)
    monkeypatch.setattr(toy, "toy_run", lambda: silent)
    app = opened()
    assert "topic:T0005" not in mapped(app)
    assert "+1 hidden" in shown_text(app)
    assert "no words" not in json.dumps(mapped(app))
    assert not find_nodes(silent, "no words")
    assert not find_nodes(silent, "T0005")
    above = RUN.network.graph.parents(5).tolist()
    assert above
    for parent in above:
        assert 5 not in {link.child for link in shown_children(silent, parent)}
        assert 5 in {link.child for link in shown_children(RUN, parent)}


def test_the_map_of_one_subtree_stands_in_the_address():
    app = opened(**{"in": "T0002"})
    assert set(mapped(app)) == {f"topic:T{number:04d}" for number in (2, 9, 10, 11)}
    app.button(key="map-whole").click().run()
    assert "in" not in app.query_params
    assert len(mapped(app)) == 13


def test_a_link_restores_the_focus_its_path_and_its_words():
    app = opened(topic="T0010")
    assert app.button(key="to-whole")
    assert app.button(key="to-topic:T0002").label == RUN.topic_labels[2]
    assert f"**{RUN.topic_labels[10]}**" in shown_text(app)
    listed = next(text.value for text in app.markdown if text.value.startswith("Words: "))
    assert {"concert", "pitch", "bass"} == set(listed.removeprefix("Words: ").split(", ")[:3])


def test_the_breadcrumb_leads_up():
    app = opened(topic="T0010")
    app.button(key="to-topic:T0002").click().run()
    assert app.query_params["topic"] == "T0002"
    app.button(key="to-whole").click().run()
    assert "topic" not in app.query_params
    assert "All 13 topics" in shown_text(app)


def test_a_word_can_be_the_focus():
    app = opened(word="program")
    assert explorer_strings.WORD_TITLE in shown_text(app)
    assert "**program**" in shown_text(app)
    app.button(key="brings-topic:T0007").click().run()
    assert app.query_params["topic"] == "T0007"
    assert "word" not in app.query_params


def test_a_word_that_no_topic_brings_reports_it():
    assert explorer_strings.NO_TOPICS in shown_text(opened(word="hermit"))


@pytest.mark.parametrize(
    ("kind", "sentence"), [("topic", "no topic “gone”"), ("word", "no word “gone”")]
)
def test_an_address_of_what_the_model_does_not_have_names_its_kind(kind: str, sentence: str):
    app = opened(**{kind: "gone"})
    (warning,) = app.warning
    assert sentence in warning.value
    assert "All 13 topics" in shown_text(app)


def test_searching_finds_topics_by_word_and_goes_there():
    app = opened()
    app.text_input(key="find").set_value("star").run()
    found = [button.key for button in app.button if button.key.startswith("found-")]
    assert {"found-word:star", "found-topic:T0005", "found-topic:T0010"} <= set(found)
    app.button(key="found-topic:T0010").click().run()
    assert app.query_params["topic"] == "T0010"
    # The search results leave the picture, and "back" returns to them.
    assert "find" not in app.query_params
    assert app.text_input(key="find").value == ""
    assert not [button for button in app.button if button.key.startswith("found-")]


def test_searching_in_vain_reports_it():
    app = opened()
    app.text_input(key="find").set_value("zebra").run()
    assert "“zebra”" in shown_text(app)


def test_the_threshold_hides_links_and_shows_how_many():
    app = opened(topic="T0006", min="0.5")
    assert app.select_slider(key="min").value == "0.5"
    assert "4 links below 50\N{NO-BREAK SPACE}%" in shown_text(app)


def test_unfolding_stands_in_the_address():
    folded = open_page(page_of_large, topic="T0100")
    unfolded = open_page(page_of_large, topic="T0100", more="words")
    assert pictures(folded) != pictures(unfolded)


@pytest.mark.parametrize("address", [{"topic": "T9999"}, {"word": "zebra"}])
def test_a_topic_that_is_gone_is_named_and_the_overview_shown(address):
    app = opened(**address)
    assert len(app.warning) == 1
    assert next(iter(address.values())) in app.warning[0].value
    assert "All 13 topics" in shown_text(app)


@pytest.mark.parametrize(
    "address", [{"min": "x"}, {"min": "7"}, {"more": "x,y"}, {"more": "words,x,words,"}]
)
def test_a_broken_address_is_no_error(address):
    opened(topic="T0006", **address)


@pytest.mark.parametrize(
    "address", [{"in": "T9999"}, {"in": "T0012"}, {"skip": "x"}, {"skip": "99"}]
)
def test_a_broken_address_shows_the_whole_map(address):
    assert len(mapped(opened(**address))) == 13


def drawn(app):
    """Data of the picture."""
    (component,) = pictures(app)
    return json.loads(component.json)


def test_a_way_to_another_topic_stands_in_the_address():
    app = opened(topic="T0005")
    app = ended_at(app, "T0010")
    assert app.query_params["to"] == "T0010"
    ids = {node["id"] for node in drawn(app)["nodes"]}
    assert {"topic:T0005", "topic:T0010"} < ids
    assert "strongest path has" in shown_text(app)
    linked = opened(topic="T0005", to="T0010")
    assert {node["id"] for node in drawn(linked)["nodes"]} == ids
    linked.button(key="path-close").click().run()
    assert "to" not in linked.query_params
    assert "strongest path has" not in shown_text(linked)


@pytest.mark.parametrize("to", ["T9999", "T0005", "x"])
def test_a_way_to_nowhere_is_the_neighbourhood(to):
    app = opened(topic="T0005", to=to)
    assert {node["id"] for node in drawn(app)["nodes"]} == {
        node["id"] for node in drawn(opened(topic="T0005"))["nodes"]
    }


def test_what_is_shown_can_be_saved():
    save = drawn(opened(topic="T0005"))["save"]
    assert save.keys() == {"name"}
    assert save["name"].replace("-", "").isalnum()


def test_words_can_be_searched_for():
    app = opened(topic="T0005")
    app.button(key="ask").click().run()
    assert not app.exception


def test_without_a_model_the_page_states_what_will_be_here():
    def page():
        from orrery.app.shell import choice, loaders
        from orrery.app.views.graph import page as graph

        loaders.current_run = lambda: None
        choice.corpus_place = lambda: None
        graph.render()

    app = open_page(page)
    assert strings.EMPTY in shown_text(app)


def test_the_other_end_of_a_way_is_found_without_sending_all_names():
    app = open_page(page_of_large, topic="T0005")
    assert not app.selectbox
    letter = next(c for c in "aeiouwt0" if len(find_nodes(large_run(200, 900, 0, 6), c)) > 20)
    app.text_input(key="path-find").input(letter).run()
    offered = [button.key for button in app.button if (button.key or "").startswith("path-to-")]
    assert len(offered) == FOUND_SHOWN
    app.text_input(key="path-find").input("qqqq").run()
    assert explorer_strings.NOTHING_FOUND.format(text="qqqq") in shown_text(app)
    app.text_input(key="path-find").input("T0005").run()
    assert "path-to-T0005" not in {button.key for button in app.button}


def test_a_long_list_of_results_says_how_many_more_there_are_and_opens():
    run = large_run(200, 900, 0, 6)
    letter = next(c for c in "aeiouwt0" if 20 < len(find_nodes(run, c)) <= MAX_FOUND)
    app = open_page(page_of_large, find=letter)

    def offered():
        return [button.key for button in app.button if (button.key or "").startswith("found-")]

    total = len(
        {*(f.key for f in find_nodes(run, letter)), *(w.key for w in begun_words(run, letter))}
    )
    n_shown = len(offered()) - 1
    button = app.button(key="found-all")
    assert button.label == f"Show {total - n_shown} more"
    assert n_shown < total
    button.click().run()
    shown = len(offered())
    assert shown == min(total, MAX_FOUND)
    other = open_page(page_of_large, find=letter)
    assert other.button(key="found-all")


@pytest.mark.parametrize("name", ["find", "found"])
def test_a_topic_may_be_called_as_the_box_that_finds_it(name):
    app = open_page(page_of_odd_names, topic="T0005")
    app.text_input(key="path-find").input(name).run()
    assert not app.exception
    app.button(key=f"path-to-{name}").click().run()
    assert not app.exception


def test_the_width_of_links_can_show_information():
    app = opened(topic="T0006")
    assert "strong link" in {item["text"] for item in drawn(app)["legend"]}
    said = "how much its two ends say about each other"
    assert said not in shown_text(app)
    app.segmented_control(key="width").set_value("bits").run()
    assert app.query_params["width"] == "bits"
    assert "much information" in {item["text"] for item in drawn(app)["legend"]}
    assert said in shown_text(app)
