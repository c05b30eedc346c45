"""The card of a topic on a page: names are changed, topics hidden, neighbours a click away."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import topic_strings
from orrery.app.workspace import catalog, runs
from orrery.core.drawing import explorer_strings
from orrery.core.drawing import strings as drawing_strings
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import TopicGroups
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.models import load_model, replace_model, save_model
from orrery.core.storage.overlay import OVERLAY_FILE, read_overlay, write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import as_read, open_page, pictures, press, shown_text
from tests.conftest import ROOT

CODE, NAME = "L2.1", "Meals *on* :red[plates]"
SAMPLE = ROOT / "sample_data"


def graph_page() -> None:
    from orrery.app.views.graph import page as graph

    graph.render()


def documents_page() -> None:
    from orrery.app.views.documents import page as documents

    documents.render()


def query_page() -> None:
    from orrery.app.views.query import page as query

    query.render()


def mapped() -> set[str]:
    (component,) = pictures(open_page(graph_page))
    return {box["key"] for box in json.loads(component.json)["boxes"]}


def full_card() -> AppTest:
    return open_page(graph_page, topic=CODE, card=CODE)


def made_label(own_model: Path) -> str:
    return json.loads((own_model / "model.json").read_text())["topic_labels"][0]


def test_a_name_is_changed_and_its_words_stay_beneath(own_model: Path) -> None:
    app = full_card()
    box = app.text_input[-1]
    assert box.value == made_label(own_model)
    box.set_value(NAME)
    press(app, topic_strings.SAVE)
    assert read_overlay(own_model).labels == {CODE: NAME}
    assert "Meals \\*on\\* \\:red\\[plates\\]" in shown_text(app)
    assert f"{topic_strings.ITS_WORDS}: {made_label(own_model)}".replace(" ", "") in shown_text(
        app
    ).replace("\\", "").replace(" ", "")
    press(app, topic_strings.BACK_TO_WORDS)
    assert read_overlay(own_model) == Overlay()
    assert app.text_input[-1].value == made_label(own_model)
    assert topic_strings.BACK_TO_WORDS not in [button.label for button in app.button]


def test_a_name_that_another_topic_has_is_reported(own_model: Path) -> None:
    run = load_run(own_model.parent)
    other = run.network.graph.topic_number["L1.4"]
    assert "has this name too" not in as_read(full_card())
    write_overlay(own_model, Overlay(labels={CODE: run.topic_labels[other]}))
    assert topic_strings.SAME_NAME.format(others="“L1.4”") in as_read(full_card())
    both = dict.fromkeys((CODE, "L1.5"), run.topic_labels[other])
    write_overlay(own_model, Overlay(labels=both))
    assert topic_strings.SAME_NAMES.format(others="“L1.4” and “L1.5”") in as_read(full_card())


def test_a_name_given_elsewhere_meanwhile_is_replaced_only_by_a_second_click(
    own_model: Path,
) -> None:
    app = full_card()
    app.text_input[-1].set_value(NAME)
    write_overlay(own_model, Overlay({CODE: "Theirs"}))
    press(app, topic_strings.SAVE)
    assert topic_strings.RENAMED.format(name="Theirs") in as_read(app)
    assert read_overlay(own_model).labels == {CODE: "Theirs"}
    assert app.text_input[-1].value == NAME
    press(app, topic_strings.SAVE)
    assert read_overlay(own_model).labels == {CODE: NAME}
    assert not app.error
    # A name of one's own is no conflict, and the box has the name that was saved.
    app.text_input[-1].set_value(" Another ")
    press(app, topic_strings.SAVE)
    assert read_overlay(own_model).labels == {CODE: "Another"}
    assert app.text_input[-1].value == "Another"


def test_a_card_opened_again_has_the_present_name(own_model: Path) -> None:
    app = full_card()
    del app.query_params["card"]
    app.run()
    write_overlay(own_model, Overlay({CODE: "Theirs"}))
    press(app, "more-card")
    assert app.text_input[-1].value == "Theirs"


def test_a_hidden_topic_leaves_the_overview_and_comes_back(own_model: Path) -> None:
    press(full_card(), topic_strings.HIDE)
    assert read_overlay(own_model).hidden == {CODE}
    overview = open_page(graph_page)
    assert f"topic:{CODE}" not in mapped()
    assert drawing_strings.hidden_topics(1) in shown_text(overview)
    card = full_card()
    assert "hidden" in shown_text(card)
    press(card, topic_strings.SHOW_AGAIN)
    assert read_overlay(own_model).hidden == frozenset()
    assert drawing_strings.hidden_topics(1) not in shown_text(open_page(graph_page))


def test_a_persons_name_is_on_the_query_page_too(own_model: Path) -> None:
    write_overlay(own_model, Overlay({CODE: NAME}))
    app = open_page(query_page, q="table salt plate", sel=f"topic:{CODE}")
    assert "Meals \\*on\\*" in shown_text(app)
    assert any("Meals" in button.label for button in app.button if button.key.startswith("list-"))


def test_a_hidden_topic_is_left_out_of_the_list_and_counted(own_model: Path) -> None:
    before = open_page(query_page, q="table salt plate")
    assert f"list-topic:{CODE}" in [button.key for button in before.button]
    write_overlay(own_model, Overlay(hidden=frozenset([CODE])))
    app = open_page(query_page, q="table salt plate")
    assert f"list-topic:{CODE}" not in [button.key for button in app.button]
    assert drawing_strings.hidden_topics(1) in shown_text(app)


def test_the_card_shows_how_often_the_topic_is_on_in_the_corpus(own_model: Path) -> None:
    assert "of the 800 documents checked" in shown_text(full_card())
    (own_model / "activations.npz").unlink()
    shutil.copystat(SAMPLE, own_model / "model.json")
    assert "of the 400 documents checked" in shown_text(full_card())
    shutil.rmtree(own_model.parents[2] / "corpora" / "c")
    assert "documents checked" not in shown_text(full_card())


def test_the_card_shows_the_course_and_the_documents(own_model: Path) -> None:
    app = full_card()
    assert topic_strings.COURSE in shown_text(app)
    assert len(app.get("vega_lite_chart")) == 2
    assert all(chart.proto.alt for chart in app.get("vega_lite_chart"))
    found = [button for button in app.button if button.key.startswith("typical-")]
    assert 0 < len(found) <= 4
    assert any("<mark" in element.proto.body for element in app.get("html"))
    assert topic_strings.all_documents(47) in [button.label for button in app.button]


def test_the_card_states_in_how_many_documents_a_topic_is_on(own_model: Path) -> None:
    app = open_page(graph_page, topic=CODE)
    captions = [text.value.replace("\\", "") for text in app.caption]
    both = topic_strings.on_with_below(47, 58)
    assert f"{CODE} · {both}" in captions
    assert topic_strings.on_in_documents(0) == "on in no document"
    assert topic_strings.on_in_documents(1) == "on in 1 document"


def test_without_a_corpus_the_card_is_there_all_the_same(own_model: Path) -> None:
    shutil.rmtree(own_model.parents[2] / "corpora" / "c")
    app = full_card()
    assert topic_strings.COURSE not in shown_text(app)
    assert len(app.dataframe) == 1


def test_the_order_of_words_stands_in_the_address(own_model: Path) -> None:
    app = open_page(graph_page, topic=CODE, card=CODE, share="0.0")
    special = app.dataframe[0].value
    assert special[topic_strings.COLUMN_LIFT].is_monotonic_decreasing
    frequent = open_page(graph_page, topic=CODE, card=CODE, share="1.0").dataframe[0].value
    assert frequent[topic_strings.COLUMN_PROBABILITY].is_monotonic_decreasing
    # Older links use the parameter of a grouping.
    for name in ("words", "by"):
        address = {"topic": "L1.1", "card": "L1.1", name: topic_strings.BY_WEIGHT}
        linked = open_page(graph_page, **address).dataframe[0].value
        assert linked[topic_strings.COLUMN_LINK].is_monotonic_decreasing


def test_the_order_of_words_leaves_the_group_of_the_documents(demo: Path) -> None:
    group = {"by": "label", "periods": "value", "group": "law"}
    row = load_corpus(SAMPLE / "corpus").documents.query("label == 'law'").iloc[0]
    app = open_page(documents_page, **group, doc=row["id"])
    topic = next(button.key for button in app.button if button.key.startswith("legend-topic:"))
    press(press(app, topic), "more-card")
    (order,) = [choice for choice in app.button_group if choice.label == topic_strings.ORDER]
    order.set_value(topic_strings.BY_WEIGHT).run()
    assert not app.exception
    assert app.query_params["words"] == topic_strings.BY_WEIGHT
    assert {name: app.query_params[name] for name in group} == group


def test_a_neighbour_is_one_click_away(own_model: Path) -> None:
    app = full_card()
    neighbour = next(
        button for button in app.button if button.key.startswith(f"card-{explorer_strings.BELOW}")
    )
    neighbour.click().run()
    assert not app.exception
    assert app.query_params["topic"] == neighbour.key.rpartition(":")[2]
    assert "card" not in app.query_params


def test_topics_are_shown_as_one_and_apart_again(own_model: Path) -> None:
    app = open_page(graph_page, topic="L1.3", card="L1.3")
    before = len(app.selectbox[-1].options)
    app.selectbox[-1].select_index(0).run()
    assert not app.exception
    ((part, into),) = read_overlay(own_model).merged.items()
    assert into == "L1.3"
    assert f"apart-{part}-r" in [button.key for button in app.button]
    assert len(app.selectbox[-1].options) == before - 1
    other = open_page(graph_page, topic=part)
    assert "L1\\.3" in shown_text(other)
    app.button(key=f"apart-{part}-r").click().run()
    assert not app.exception
    assert read_overlay(own_model).merged == {}
    assert len(app.selectbox[-1].options) == before


def test_the_card_has_the_words_of_all_topics_that_are_shown_as_it(own_model: Path) -> None:
    run = load_run(SAMPLE / "run")
    number = run.network.graph.topic_number
    of_part, of_topic = (
        f"{run.topic_words.words(number[name], 1)[0][0]}" for name in ("L2.2", CODE)
    )
    assert of_part not in words_listed(graph_page)
    write_overlay(own_model, Overlay(merged={"L2.2": CODE}))
    assert {of_part, of_topic} <= words_listed(graph_page)


def words_listed(page: Callable[[], None]) -> set[str]:
    texts = [element.value for element in open_page(page, topic=CODE).get("markdown")]
    (listed,) = (text for text in texts if text.startswith(f"{explorer_strings.WORDS}: "))
    return set(listed.removeprefix(f"{explorer_strings.WORDS}: ").split(", "))


def test_one_topic_of_two_is_in_the_overview(own_model: Path) -> None:
    before = mapped()
    write_overlay(own_model, Overlay(merged={"L2.1": "L2.2"}))
    after = mapped()
    assert before - after >= {"topic:L2.1"}
    assert "topic:L2.2" in after
    assert "of 63 topics" in shown_text(open_page(graph_page)) or "All 63" in shown_text(
        open_page(graph_page)
    )


def test_the_sample_cannot_be_changed(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    app = full_card()
    assert topic_strings.READ_ONLY in shown_text(app)
    assert app.text_input[-1].disabled
    assert not (SAMPLE / "run" / "model" / OVERLAY_FILE).exists()


def test_a_copy_of_the_sample_can_be_changed(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    app = press(full_card(), topic_strings.COPY)
    (copied,) = (space / "runs").glob("[!.]*")
    # There is no training of the copy that one could watch.
    assert runs.runs_on(space, SAMPLE / "corpus") == []
    assert [job.name for job in runs.list_jobs(space / "runs")] == [copied.name]
    assert app.query_params["run"] == copied.name
    assert app.query_params["card"] == CODE
    app.text_input[-1].set_value(NAME)
    press(app, topic_strings.SAVE)
    assert read_overlay(copied / "model").labels == {CODE: NAME}
    assert not (SAMPLE / "run" / "model" / OVERLAY_FILE).exists()


def test_every_copy_has_a_name_of_its_own_and_the_same_answers(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    (sample,) = catalog.models(catalog.corpora()[0])
    first, second = catalog.copy_model(sample), catalog.copy_model(sample)
    assert first.name != second.name
    original, copied = load_run(sample.folder), load_run(second.folder)
    assert copied.corpus_path == original.corpus_path
    assert np.array_equal(copied.network.weight, original.network.weight)
    assert {place.name for place in catalog.models(catalog.corpora()[0])} == {
        first.name, second.name, sample.name
    }  # fmt: skip
    # Links to a deleted copy open no other one.
    runs.remove(second.folder)
    assert catalog.copy_model(sample).name not in (first.name, second.name)


def test_copies_made_at_the_same_time_have_names_of_their_own(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    (sample,) = catalog.models(catalog.corpora()[0])
    copy = shutil.copytree

    def slow(*arguments: Any, **options: Any) -> None:
        time.sleep(0.1)
        copy(*arguments, **options)

    monkeypatch.setattr(catalog.shutil, "copytree", slow)
    with ThreadPoolExecutor(3) as several:
        copies = list(several.map(catalog.copy_model, [sample] * 3))
    assert len({place.name for place in copies}) == 3
    for place in copies:
        copied, original = load_run(place.folder).network, load_run(sample.folder).network
        assert np.array_equal(copied.weight, original.weight)


def test_a_copy_has_the_files_of_the_model_and_none_of_its_process(own_run: Path) -> None:
    kept = {"model/overlay.json", "metrics.jsonl", "guidance.toml", "checkpoint-00000001.npz"}
    left = {
        "launch.json",
        "console.txt",
        "control.json",
        "run.lock",
        ".log.txt.0123456789ab.partial",
    }
    for name in kept | left:
        (own_run / name).write_text("{}")
    copied = catalog.copy_model(catalog.Place(own_run.name, own_run)).folder
    names = {path.relative_to(copied).as_posix() for path in copied.rglob("*") if path.is_file()}
    own = {path.relative_to(own_run).as_posix() for path in own_run.rglob("*") if path.is_file()}
    assert names == (own - left) | {"status.json"}


def flatten(model: Path) -> None:
    """Take every link between topics out of a model."""
    old = load_model(model)
    graph = old.network.graph
    child = graph.edge_children()
    kept = child >= graph.n_topics
    ends = graph.parent_idx[kept], child[kept]
    flat, order = build_graph(graph.n_tokens, graph.topic_ids, *ends)
    network = build_network(flat, old.network.weight[kept][order], old.network.leak)
    replace_model(
        model, lambda new: save_model(new, network, old.vocabulary, old.recipe, old.summary)
    )


def test_topics_that_have_no_parent_are_in_their_topic_groups(own_model: Path) -> None:
    flatten(own_model)
    old = load_model(own_model)
    graph = old.network.graph
    group = np.arange(graph.n_topics) % 4 - 1
    kept = (old.network, old.vocabulary, old.recipe, old.summary)
    replace_model(
        own_model,
        lambda new: save_model(new, *kept, topic_groups=TopicGroups(group, ((0, 1), (2,), (3, 4)))),
    )
    write_overlay(own_model, Overlay({CODE: NAME}, frozenset(graph.topic_ids[5::4])))
    app = open_page(graph_page)
    assert explorer_strings.HINT_GROUPS in shown_text(app)
    boxes = json.loads(pictures(app)[0].json)["boxes"]
    # All topics of this group but one are hidden, so the group is not displayed.
    hidden = {int(group[5])}
    names = load_model(own_model).topic_group_names
    kept = [name for number, name in enumerate(names) if number not in hidden]
    topic_groups = [box["label"] for box in boxes if box["kind"] == "shelf"]
    assert topic_groups == [*kept, explorer_strings.OTHER_TOPICS]
    for box in boxes:
        if box["kind"] == "topic":
            place_in = int(group[graph.topic_number[box["key"].partition(":")[2]]])
            above = boxes[box["above"]]["key"] if box["above"] >= 0 else "shelf:-1"
            assert above == f"shelf:{-1 if place_in in hidden else place_in}"
    model = load_model(own_model)
    assert {*model.topic_group_of} == {-1, 0, 1, 2} - hidden
    for topic, number in enumerate(model.topic_group_of[:8]):
        card = shown_text(open_page(graph_page, topic=graph.topic_ids[topic]))
        assert (topic_strings.TOPIC_GROUP in card) == (number >= 0)
        assert number < 0 or f"{topic_strings.TOPIC_GROUP}: {names[number]}" in card


def test_a_topic_that_nothing_is_below_is_not_called_general(own_model: Path) -> None:
    assert explorer_strings.NO_PARENTS in shown_text(open_page(graph_page, topic=CODE))
    assert explorer_strings.HINT_OVERVIEW in shown_text(open_page(graph_page))
    flatten(own_model)
    leaf = open_page(graph_page, topic="L1.1", card="L1.1")
    assert explorer_strings.NO_PARENTS not in shown_text(leaf)
    # Beside its name; the full card has no parts for what no topic of the model has.
    assert shown_text(leaf).count(explorer_strings.ALONE) == 1
    flat = shown_text(open_page(graph_page))
    assert explorer_strings.HINT_FLAT in flat
    assert explorer_strings.HINT_GROUPS not in flat
