"""The Query page in Streamlit's test harness: its texts, and its URL."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.components.graph_component import Clicked
from orrery.app.shared import strings as strings_module
from orrery.app.shared import topic_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.views.query import strings
from orrery.core.drawing import explorer_strings as shared_strings
from orrery.core.drawing.question import Question
from orrery.core.model.terms import Terms
from orrery.core.storage.corpora import save_corpus
from tests.app import toy
from tests.app.pages import PATIENCE, as_read, open_page, pictures, run, shown_text
from tests.random_networks import corpus_of_sets


def page_of_toy():
    from orrery.app.shell import loaders
    from orrery.app.views.query import page as query
    from tests.app.toy import toy_run

    loaders.current_run = toy_run
    query.render()


def page_without_model():
    from orrery.app.shell import choice, loaders
    from orrery.app.views.query import page as query

    loaders.current_run = lambda: None
    choice.corpus_place = lambda: None
    query.render()


def page_of_chance(bound, baseline):
    """The page of a model with these figures on its test set."""
    from dataclasses import replace

    from orrery.app.shell import loaders
    from orrery.app.views.query import page as query
    from tests.app.toy import toy_run

    held_out = {"log_likelihood": None, "exact_bound": bound, "independent": baseline}
    loaders.current_run = lambda: replace(toy_run(), summary={"held_out": held_out})
    query.render()


@pytest.fixture(autouse=True)
def _state_as_it_was(monkeypatch):
    """Pages replace the state's functions: put them back."""
    from orrery.app.shell import choice, loaders

    monkeypatch.setattr(loaders, "current_run", loaders.current_run)
    monkeypatch.setattr(choice, "corpus_place", choice.corpus_place)


opened = partial(open_page, page_of_toy)


def chips(app):
    return [button for button in app.button if button.key.startswith("example-")]


def test_the_page_opens_on_the_first_of_three_examples():
    app = opened()
    assert len(chips(app)) == 3
    assert chips(app)[0].label.endswith("?")
    assert app.text_input(key="q").value.split()[0] in chips(app)[0].label
    assert len(pictures(app)) == 1


@pytest.mark.parametrize("bound", [-11.0, -10.0, -9.0])
def test_a_model_that_predicts_no_better_than_independent_words_is_announced(bound):
    app = AppTest.from_function(page_of_chance, default_timeout=PATIENCE, args=(bound, -10.0))
    is_announced = shell_strings.NO_STRUCTURE in shown_text(run(app))
    assert is_announced == (bound <= -10.0)
    assert shell_strings.NO_STRUCTURE not in shown_text(opened())


def test_an_emptied_box_invites():
    app = opened()
    app.text_input(key="q").set_value("").run()
    assert not app.exception
    assert app.query_params["q"] == ""
    assert strings.EMPTY_QUERY in shown_text(app)
    assert not pictures(app)


def test_nothing_on_offers_to_leave_the_other_words_open():
    app = opened(q="virus", others=shared_strings.ABSENT)
    assert shared_strings.LIKELIEST_TITLE in shown_text(app)
    assert shared_strings.ANOTHER_WORD in shown_text(app)
    app.button(key="take-offer").click().run()
    assert not app.exception
    assert app.query_params["others"] == shared_strings.UNKNOWN
    assert app.segmented_control(key="others").value == shared_strings.UNKNOWN
    assert any("●" in button.label for button in app.button)


def page_of_ordinary_words():
    from dataclasses import replace

    import numpy as np

    from orrery.app.shell import loaders
    from orrery.app.views.query import page as query
    from orrery.core.model.network import build_network
    from tests.app.toy import toy_run

    run, leak = toy_run(), toy_run().network.leak.copy()
    n_topics = run.network.graph.n_topics
    for word in ("virus", "server"):
        leak[n_topics + run.token_number[word]] = -np.log(0.1)
    network = build_network(run.network.graph, run.network.weight, leak)
    loaders.current_run = lambda: replace(run, network=network)
    query.render()


@pytest.mark.parametrize(
    ("q", "wanted"),
    [
        ("virus", "Most texts with “virus” are about none of the topics."),
        ("virus server", "Most texts with “virus” and “server” are about none of the topics."),
    ],
)
def test_for_words_from_leaks_no_other_word_is_suggested(q, wanted):
    app = open_page(page_of_ordinary_words, q=q)
    assert wanted in shown_text(app)
    assert shared_strings.ANOTHER_WORD not in shown_text(app)


def test_a_link_restores_the_query_and_shows_its_topics():
    app = opened(q="star nasa program")
    assert app.text_input(key="q").value == "star nasa program"
    assert len(pictures(app)) == 1
    assert shared_strings.ON_TITLE in shown_text(app)
    assert any("nasa" in button.label and "●" in button.label for button in app.button)


def test_typed_words_are_answered_at_once():
    app = opened()
    app.text_input(key="q").set_value("kitchen salt").run()
    assert not app.exception
    assert app.query_params["q"] == "kitchen salt"
    assert any("kitchen" in button.label and "●" in button.label for button in app.button)


def test_a_selection_does_not_carry_into_a_new_query():
    app = opened(q="star nasa program", sel="word:nasa")
    app.text_input(key="q").set_value("kitchen salt").run()
    assert not app.exception
    assert app.query_params["q"] == "kitchen salt"
    assert "sel" not in app.query_params


@pytest.mark.parametrize(("text", "is_kept"), [("the salt", False), ("the star orbit", True)])
def test_switched_topics_are_free_in_a_query_about_something_else(text, is_kept):
    app = opened(q="the star nasa", hold="T0005:off")
    app.text_input(key="q").set_value(text).run()
    assert not app.exception
    assert ("hold" in app.query_params) is is_kept


def test_an_example_is_queried_with_one_click_for_both_senses():
    app = opened()
    app.button(key="example-0").click().run()
    assert not app.exception
    first, second = app.query_params["q"], app.query_params["q2"]
    assert first.split()[0] == second.split()[0]
    assert first != second
    assert [box.value for box in app.text_input] == [first, second]
    assert len(pictures(app)) == 1


def test_a_word_queried_alone_offers_its_senses_first():
    app = opened(q="culture")
    assert "culture" in chips(app)[0].label
    assert len(chips(app)) == 3
    app.button(key="example-0").click().run()
    assert not app.exception
    first, second = app.query_params["q"].split(), app.query_params["q2"].split()
    assert first[0] == second[0] == "culture"
    assert not set(first[1:]) & set(second[1:])


def test_the_senses_of_a_word_stay_once_one_of_them_is_taken():
    app = opened(q="culture")
    offered = [chip.label for chip in chips(app)]
    app.button(key="example-0").click().run()
    assert [chip.label for chip in chips(app)] == offered


def test_a_clicked_example_keeps_its_place():
    """Else the next click at this place would be on another one."""
    app = opened()
    offered = [chip.label.partition(":")[0] for chip in chips(app)]
    assert len(set(offered)) > 1
    app.button(key="example-1").click().run()
    assert [chip.label.partition(":")[0] for chip in chips(app)] == offered


def test_examples_name_topics_as_the_boxes_do():
    labels = set(toy.toy_run().topic_labels)
    for chip in chips(opened(q="culture")):
        named = chip.help.replace("\\", "").split(" / ")
        assert set(named) <= labels
        short = chip.label.replace("\\", "").partition(": ")[2].removesuffix("?")
        for word, name in zip(short.split(" **or** "), named, strict=True):
            assert word in (name, *name.split(" · "))


@pytest.mark.parametrize("requested", ["nasa", "culture bank", "zebra", "-culture", "?culture", ""])
def test_without_one_word_of_two_senses_the_examples_stay(requested):
    assert [chip.label for chip in chips(opened(q=requested))] == [
        chip.label for chip in chips(opened())
    ]


def test_a_second_query_comes_and_goes():
    app = opened(q="nasa orbit")
    app.button(key="compare").click().run()
    assert app.query_params["q2"] == ""
    assert len(pictures(app)) == 1
    app.text_input(key="q2").set_value("theory planet").run()
    assert app.query_params["q2"] == "theory planet"
    assert "on or unsure for both" in shown_text(app).lower()
    app.button(key="close-second").click().run()
    assert not app.exception
    assert "q2" not in app.query_params
    assert app.text_input(key="q").value == "nasa orbit"


def page_of_toy_or_another():
    import streamlit as st

    from tests.app.views.test_query_page import page_of_toy

    if "elsewhere" in st.query_params:
        st.write("another page")
    else:
        page_of_toy()


@pytest.mark.parametrize(
    ("typed", "is_left", "is_compared"),
    [("theory", True, False), ("nasa theory", True, True), ("theory", False, True)],
)
def test_a_new_first_query_after_a_return_ends_the_comparison(typed, is_left, is_compared):
    app = open_page(page_of_toy_or_another, q="the nasa", q2="orbit")
    if is_left:
        app.query_params["elsewhere"] = "1"
        app.run()
        del app.query_params["elsewhere"]
        app.run()
    app.text_input(key="q").set_value(typed).run()
    assert not app.exception
    assert ("q2" in app.query_params) == is_compared


@pytest.mark.parametrize(("q", "q2"), [("nasa", "zebra"), ("zebra", "nasa")])
def test_of_two_queries_one_that_has_no_information_leaves_the_other(q, q2):
    app = opened(q=q, q2=q2)
    assert "“zebra”" in app.warning[0].value
    assert shared_strings.ON_TITLE in shown_text(app)


def test_a_word_is_switched_in_the_box_that_it_was_typed_into():
    app = opened(q="zebra", q2="nasa orbit", sel="word:nasa")
    app.segmented_control(key="state-word:nasa").set_value("absent").run()
    assert not app.exception
    assert app.query_params["q"] == "zebra"
    assert app.query_params["q2"] == "-nasa orbit"


def test_two_queries_state_what_is_held_in_both_and_free_it():
    app = opened(q="nasa orbit", q2="concert guitar", hold="T0005:off")
    assert shared_strings.CLAMPED_TITLE in shown_text(app)
    assert shared_strings.CARD_HERE in shown_text(app)
    app.button(key="free-5").click().run()
    assert not app.exception
    assert "hold" not in app.query_params
    assert shared_strings.CLAMPED_TITLE not in shown_text(app)


@pytest.mark.parametrize(("selected", "far"), [("topic:T0005", "right"), ("topic:T0010", "left")])
def test_a_topic_of_two_queries_has_a_card_and_a_switch(selected, far):
    app = opened(q="nasa orbit", q2="concert guitar", sel=selected)
    assert f"{far}: not linked with this query" in as_read(app)
    app.segmented_control(key=f"state-{selected}").set_value("off").run()
    assert not app.exception
    assert app.query_params["hold"] == f"{selected.removeprefix('topic:')}:off"
    app.button(key="close-card").click().run()
    assert "sel" not in app.query_params


def test_a_word_of_two_queries_has_a_card_and_a_switch_in_those_that_have_it():
    app = opened(q="nasa orbit", q2="concert guitar", sel="word:guitar")
    assert app.button(key="open-in-graph")
    app.segmented_control(key="state-word:guitar").set_value("absent").run()
    assert not app.exception
    assert app.query_params["q"] == "nasa orbit"
    assert app.query_params["q2"] == "concert -guitar"
    both = opened(q="nasa guitar", q2="concert guitar", sel="word:guitar")
    both.segmented_control(key="state-word:guitar").set_value("unknown").run()
    assert both.query_params["q"] == "nasa ?guitar"
    assert both.query_params["q2"] == "concert ?guitar"


@pytest.mark.parametrize(
    ("selected", "query"), [("topic:T0005", "nasa orbit"), ("topic:T0010", "concert guitar")]
)
def test_two_queries_give_the_reason_a_topic_is_on_under_the_one_that_is_surer(selected, query):
    app = opened(q="nasa orbit", q2="concert guitar", sel=selected)
    assert shared_strings.UNDER.format(query=query) in shown_text(app)
    assert len(app.get("vega_lite_chart")) == 1


def test_two_queries_give_the_reason_without_a_request():
    app = opened(q="nasa orbit", q2="concert guitar")
    assert shared_strings.UNDER.format(query="nasa orbit") in shown_text(app)
    assert len(app.get("vega_lite_chart")) == 1


@pytest.mark.parametrize(
    ("requested", "name"),
    [
        ({"q": "nasa -memory"}, "query-nasa-memory"),
        ({"q": "nasa orbit", "q2": "concert"}, "nasa-orbit-concert"),
    ],
)
def test_a_picture_can_be_saved_under_the_name_of_the_query(requested, name):
    (picture,) = pictures(opened(**requested))
    assert json.loads(picture.json)["save"] == {"name": name}


def test_two_queries_that_switch_nothing_on():
    app = opened(q="hermit", q2="hermit")
    (shown,) = [info.value.replace("\\", "") for info in app.info]
    assert shown.endswith(shared_strings.NONE_ON)
    assert shown.startswith(shared_strings.NO_DIFFERENCE)
    assert len(pictures(app)) == 1


@pytest.mark.parametrize(("q", "q2"), [("nasa orbit", "hermit"), ("hermit", "nasa orbit")])
def test_of_two_queries_the_one_that_switches_nothing_on_is_named(q, q2):
    app = opened(q=q, q2=q2)
    assert shared_strings.SILENT.format(query="hermit") in as_read(app)
    assert "Largest difference: “" in as_read(app)
    both = opened(q="nasa orbit", q2="concert")
    assert not any("switches no topic on" in element.value for element in both.markdown)


def test_unknown_words_are_named_in_one_sentence():
    app = opened(q="nasa zebra quagga")
    assert "“zebra” and “quagga”" in shown_text(app)
    assert len(pictures(app)) == 1


def test_a_word_that_the_model_does_not_know_has_a_card():
    app = opened(q="guitar progam", sel="unknown:progam")
    assert shared_strings.STRANGER in shown_text(app)
    assert f"{topic_strings.ALIKE}: program" in shown_text(app)
    app.button(key="close-card").click().run()
    assert "sel" not in app.query_params


def test_a_click_on_a_word_that_the_model_does_not_know_opens_its_card(monkeypatch):
    from orrery.app.views.query import page as query

    def clicked(_picture, *, on_click, **_options):
        on_click(Clicked(node="unknown:progam"))
        return ""

    monkeypatch.setattr(query, "draw_graph", clicked)
    app = opened(q="guitar progam")
    assert app.query_params["sel"] == "unknown:progam"
    assert shared_strings.STRANGER in shown_text(app)


def test_a_topic_that_is_not_in_the_answer_has_no_switch():
    app = opened(q="concert guitar", sel="topic:T0005")
    assert not [control for control in app.segmented_control if control.key.startswith("state-")]
    held = opened(q="concert guitar", sel="topic:T0005", hold="T0005:on")
    assert [control for control in held.segmented_control if control.key == "state-topic:T0005"]


def test_unknown_words_only_are_one_sentence_and_no_picture():
    app = opened(q="zebra")
    assert len(app.warning) == 1
    assert "“zebra”" in app.warning[0].value
    assert not pictures(app)


@pytest.mark.parametrize("text", ["{}", "nasa {}"])
def test_an_unknown_word_of_any_length_is_shortened_in_the_message(text):
    app = opened(q=text.format("a" * 100_000))
    assert f"“{'a' * 59}…”" in app.warning[0].value
    assert len(app.warning[0].value) < 200


@pytest.mark.parametrize("others", [shared_strings.UNKNOWN, shared_strings.ABSENT])
@pytest.mark.parametrize("text", ["-nasa", "?nasa"])
def test_without_a_present_word_there_is_a_picture_that_can_be_switched_on(text, others):
    app = opened(q=text, others=others, sel="word:nasa")
    assert len(pictures(app)) == 1
    app.segmented_control(key="state-word:nasa").set_value("present").run()
    assert not app.exception
    assert app.query_params["q"] == "nasa"


def test_a_word_that_no_topic_brings_is_no_error():
    app = opened(q="hermit", sel="word:hermit")
    assert shared_strings.UNLINKED in shown_text(app)
    assert shared_strings.UNLINKED_ANSWER in as_read(app)
    assert len([button for button in app.button if button.key.startswith("list-")]) == 5
    assert len(pictures(app)) == 1


def test_contradictions_are_named_and_not_answered():
    app = opened(q="nasa orbit -nasa ?orbit")
    assert pictures(app) == []
    assert "“nasa” is given as present and as absent; leave one of them out." in shown_text(app)
    assert "“orbit” is given as present and as unknown; leave one of them out." in shown_text(app)
    # The other of two questions has its answer.
    assert len(pictures(opened(q="nasa orbit -nasa", q2="orbit"))) == 1


def test_texts_with_unknown_words_are_read_after_the_picture(monkeypatch):
    from orrery.app.shared import dropped_words
    from orrery.app.views.query import page

    called = []
    monkeypatch.setattr(page, "draw_graph", lambda *_, **__: called.append("picture") or "")
    monkeypatch.setattr(dropped_words, "show", lambda _, word: called.append(word))
    opened(q="nasa zebra")
    assert called == ["picture", "zebra"]
    called.clear()
    opened(q="zebra")
    assert called == ["zebra"]


def test_words_cannot_become_markup():
    app = opened(q="nasa a:red[x]**y**")
    assert "a\\:red\\[x\\]\\*\\*y\\*\\*" in shown_text(app)


LONG = "orbit shuttle nasa launch star program planet theory evidence research"


def test_a_long_query_is_read_as_a_whole_text_until_one_click():
    app = opened(q=LONG)
    assert app.segmented_control(key="others").value == shared_strings.ABSENT
    assert shared_strings.READ_AS_TEXT.format(known=10) in shown_text(app)
    app.segmented_control(key="others").set_value(shared_strings.UNKNOWN).run()
    assert not app.exception
    assert app.query_params["others"] == shared_strings.UNKNOWN
    assert "Read as a whole text" not in shown_text(app)
    # The default is not written down, so that the next text decides for itself.
    app.segmented_control(key="others").set_value(shared_strings.ABSENT).run()
    assert "others" not in app.query_params


def test_a_text_of_the_other_kind_decides_how_it_is_read():
    app = opened(q="nasa orbit", others=shared_strings.ABSENT)
    app.text_input(key="q").set_value("nasa shuttle").run()
    assert app.query_params["others"] == shared_strings.ABSENT
    app.text_input(key="q").set_value(LONG).run()
    assert not app.exception
    assert "others" not in app.query_params


def test_beside_a_second_query_each_choice_is_written():
    app = opened(q=LONG, q2="nasa", others=shared_strings.UNKNOWN)
    app.segmented_control(key="others").set_value(shared_strings.ABSENT).run()
    assert not app.exception
    assert app.query_params["others"] == shared_strings.ABSENT


def test_a_word_of_a_whole_text_is_switched_behind_it():
    app = opened(q=LONG, sel="word:nasa")
    app.segmented_control(key="state-word:nasa").set_value("absent").run()
    assert not app.exception
    assert app.query_params["q"] == f"{LONG} -nasa"
    app.segmented_control(key="state-word:nasa").set_value("present").run()
    assert app.query_params["q"] == LONG


def test_the_explained_topic_stays_when_it_is_switched():
    app = opened(q="nasa orbit shuttle", hold="T0005:off")
    assert "nasa" in app.subheader[0].value
    assert "You switched it off. Before: " in as_read(app)


def test_each_topic_is_in_one_list():
    app = opened(q="star pitch bass program virus")
    listed = [button.key for button in app.button if button.key.startswith("list-")]
    assert listed
    assert len(listed) == len(set(listed))


def test_the_other_words_are_unknown_or_absent():
    app = opened(q="star pitch")
    assert app.segmented_control(key="others").value == shared_strings.UNKNOWN
    left_open = [button.label for button in app.button if "●" in button.label]
    app.segmented_control(key="others").set_value(shared_strings.ABSENT).run()
    assert not app.exception
    assert app.query_params["others"] == shared_strings.ABSENT
    assert left_open != [button.label for button in app.button if "●" in button.label]


def test_a_selected_topic_has_a_card_that_can_be_closed():
    app = opened(q="pitch bass concert", sel="topic:T0010")
    assert "T0010" in shown_text(app)
    assert "Above: pitch" in shown_text(app)
    app.button(key="close-card").click().run()
    assert "sel" not in app.query_params
    assert "T0010" not in shown_text(app)


def test_a_selected_word_has_a_card_with_the_topics_above():
    app = opened(q="pitch bass concert", sel="word:bass")
    assert app.button(key="open-in-graph")
    assert "(70\N{NO-BREAK SPACE}%)" in shown_text(app)


@pytest.mark.parametrize("selected", ["topic:T0003", "topic:T9999", "word:zebra", "nonsense"])
def test_what_is_not_in_the_picture_has_no_card(selected):
    app = opened(q="nasa orbit", sel=selected)
    assert not [button for button in app.button if button.key == "close-card"]


def test_a_click_in_the_list_selects():
    app = opened(q="nasa orbit shuttle")
    app.button(key="list-topic:T0005").click().run()
    assert app.query_params["sel"] == "topic:T0005"
    assert app.button(key="close-card")


def test_colours_and_filters_stand_in_the_address():
    app = opened(q="nasa orbit", palette="blue-orange", hide="on,unsure,off,words", quiet="1")
    assert strings_module.CANVAS_EMPTY in shown_text(app)
    assert app.segmented_control(key="palette").value == "blue-orange"


@pytest.mark.parametrize(
    "address", [{"palette": "x"}, {"others": "x"}, {"hide": "x,,"}, {"quiet": "x"}]
)
def test_a_broken_address_is_no_error(address):
    assert len(pictures(opened(q="nasa orbit", **address))) == 1


def test_without_a_model_the_page_states_what_will_be_here():
    app = open_page(page_without_model)
    assert strings.EMPTY in shown_text(app)
    assert len(app.button) == 1


def test_common_words_only_are_not_called_absent():
    """Stop words and signs are passed over, so nothing is left of such a query."""
    from orrery.app.views.query.page import _nothing_to_show

    assert _nothing_to_show(toy.toy_run(), Question(()), []) == shared_strings.NOTHING_LEFT


def held_in(app):
    return app.query_params.get("hold", "")


def test_a_topic_is_held_and_freed_and_the_address_reports_it():
    app = opened(q="nasa orbit shuttle", sel="topic:T0005")
    assert any("●" in button.label and "nasa" in button.label for button in app.button)
    app.segmented_control(key="state-topic:T0005").set_value("off").run()
    assert not app.exception
    assert held_in(app) == "T0005:off"
    labels = [button.label for button in app.button if button.key == "list-topic:T0005"]
    assert all(label.startswith("○") for label in labels)
    app.button(key="free-5").click().run()
    assert "hold" not in app.query_params
    assert app.segmented_control(key="state-topic:T0005").value == "free"


def test_a_link_restores_what_is_held_and_one_click_frees_all():
    app = opened(q="nasa orbit", hold="T0010:on,T0005:off,T9999:on,nonsense", sel="topic:T0010")
    assert app.segmented_control(key="state-topic:T0010").value == "on"
    assert {"free-10", "free-5"} <= {button.key for button in app.button}
    app.button(key="free-all").click().run()
    assert not app.exception
    assert "hold" not in app.query_params
    assert shared_strings.CLAMPED_TITLE not in shown_text(app)


def test_a_word_is_switched_in_the_box_itself():
    app = opened(q="nasa program orbit", sel="word:program")
    app.segmented_control(key="state-word:program").set_value("absent").run()
    assert app.query_params["q"] == app.text_input(key="q").value == "nasa -program orbit"
    app.segmented_control(key="state-word:program").set_value("unknown").run()
    assert app.query_params["q"] == "nasa ?program orbit"
    assert app.segmented_control(key="state-word:program").value == "unknown"


def test_an_example_starts_without_anything_held():
    app = opened(q="nasa", hold="T0010:on")
    app.button(key="example-0").click().run()
    assert "hold" not in app.query_params


def why_of(app):
    return " ".join(heading.value for heading in app.subheader if heading.value.endswith("?"))


def test_why_explains_the_selected_topic_and_else_the_most_probable():
    assert "nasa" in why_of(opened(q="nasa orbit shuttle"))
    app = opened(q="nasa orbit shuttle program", sel="topic:T0010")
    assert "concert" in why_of(app)
    assert [chart.proto.alt for chart in app.get("vega_lite_chart")] == [strings.CHART_ALT]
    assert why_of(app).startswith("Why only")
    assert "You switched it off" in shown_text(
        opened(q="nasa", sel="topic:T0005", hold="T0005:off")
    )
    assert why_of(opened(q="hermit")) == ""


def test_why_explains_no_hidden_topic_without_a_request_and_of_one_with_parts_the_surest(
    monkeypatch,
):
    run = toy.toy_run()
    requested = {"q": "nasa orbit shuttle program"}
    explained = why_of(opened(**requested))
    monkeypatch.setattr(toy, "toy_run", lambda: toy.edited(run, hidden=[5]))
    assert why_of(opened(**requested)) not in ("", explained)
    assert why_of(opened(**requested, sel="topic:T0005")) == explained
    monkeypatch.setattr(toy, "toy_run", lambda: toy.edited(run, merged={5: 10}))
    app = opened(**requested, sel="topic:T0010")
    assert why_of(app) == explained
    assert shared_strings.PART_OF.format(name=run.topic_labels[10]) in shown_text(app)


def test_a_sense_is_taken_for_granted_by_a_click_and_let_go_by_another():
    app = opened(q="culture", hold="T0012:off")
    assert strings.senses_title(2, ["culture"], Terms()) in shown_text(app)
    pills = app.pills(key="reading")
    assert pills.value is None
    for topic in (6, 12):
        app.pills(key="reading").set_value(topic).run()
        assert not app.exception
        assert f"T{topic:04}:on" in held_in(app)
        assert held_in(app).count(":on") == 1
    app.pills(key="reading").set_value(None).run()
    assert not app.exception
    assert ":on" not in held_in(app)


def test_senses_stay_while_one_is_held_and_other_words_have_none():
    app = opened(q="culture", hold="T0006:on")
    assert strings.senses_title(2, ["culture"], Terms()) in shown_text(app)
    assert strings.SENSES not in shown_text(opened(q="nasa orbit"))


def test_each_word_can_be_thought_away():
    app = opened(q="nasa orbit program")
    assert shared_strings.LEFT_OUT_WORDS in shown_text(app)
    (listed,) = [part.value for part in app.get("html") if "left-out" in part.value]
    assert all(f'<div class="name">{word}</div>' in listed for word in ("nasa", "orbit", "program"))
    assert shared_strings.LEFT_OUT_WORDS not in shown_text(opened(q="nasa"))
    assert f"**{shared_strings.LEFT_OUT}**" in shown_text(opened(q="nasa orbit", hold="T0010:on"))
    assert shared_strings.LEFT_OUT not in shown_text(
        opened(q="nasa orbit", sel="topic:T0005", hold="T0005:on")
    )


@pytest.fixture
def corpus_of_toy(tmp_path, monkeypatch):
    """Three documents over the toy's words, as its corpus."""
    run = toy.toy_run()
    texts = ["The shuttle left <orbit>.", "A concert with guitar.", "salt in the kitchen"]
    sets = [[run.vocabulary.index(w) for w in re.findall("[a-z]+", text) if w in run.vocabulary]
            for text in texts]  # fmt: skip
    corpus = corpus_of_sets(sets, len(run.vocabulary))
    documents = corpus.documents.assign(text=texts, label=["x", None, None])
    documents["Headline"] = ["The shuttle at last " + "far " * 30, None, None]
    corpus = replace(corpus, vocabulary=run.vocabulary, documents=documents)
    save_corpus(corpus, tmp_path / "corpus")
    config = {"corpus": str(tmp_path / "corpus")}
    found = replace(run, config=config, folder=tmp_path / "run")
    monkeypatch.setattr(toy, "toy_run", lambda: found)
    return tmp_path / "corpus"


def documents_of(app):
    return " ".join(element.value for element in app.get("html") if "excerpt" in element.value)


def test_the_nearest_documents_have_their_words_marked(corpus_of_toy):
    app = opened(q="nasa orbit")
    shown = documents_of(app)
    first = shown.index("shuttle")
    assert '<mark class="typed">orbit</mark>' in shown
    assert '<mark class="keyword">shuttle</mark>' in shown
    assert "&lt;" in shown
    assert "kitchen" not in shown[:first]


def test_two_queries_keep_the_documents_of_each(corpus_of_toy):
    app = opened(q="nasa orbit", q2="kitchen salt")
    titles = [element.value for element in app.subheader]
    for query in ("nasa orbit", "kitchen salt"):
        assert strings.NEAREST_TO.format(query=query) in titles
    near = [button for button in app.button if button.key.startswith("near")]
    assert {button.key.split("-")[0] for button in near} == {"near", "near2"}
    first = {button.key.split("-")[0]: button.label for button in reversed(near)}
    assert first["near"].startswith("**The shuttle at last")
    # A short text is its own headline, with its words marked and apart.
    assert first["near2"] == "**:blue-background[salt] in the :blue-background[kitchen]**"


def test_a_near_document_is_named_as_everywhere_and_opens(corpus_of_toy, monkeypatch):
    from orrery.app.shell import page as navigation

    wanted = []
    monkeypatch.setattr(navigation, "open_documents", lambda **where: wanted.append(where))
    app = opened(q="nasa orbit")
    near = next(button for button in app.button if button.key == "near-0")
    assert near.label.startswith("**The shuttle at last far far")
    assert near.label.endswith(" …**")
    near.click().run()
    assert not app.exception
    assert wanted == [{"doc": "0"}]


def test_the_panel_states_where_the_corpus_is_gone(corpus_of_toy):
    (corpus_of_toy / "corpus.json").unlink()
    assert shell_strings.GONE in shown_text(opened(q="nasa"))


def page_of_merged():
    """The toy with "space" (T0005) shown as "biology" (T0006)."""
    from orrery.app.shell import loaders
    from orrery.app.views.query import page as query
    from tests.app.toy import edited, toy_run

    loaders.current_run = lambda: edited(toy_run(), merged={5: 6})
    query.render()


def test_a_topic_held_before_it_was_merged_is_held_as_what_it_is_shown_as():
    app = open_page(
        page_of_merged, q="nasa orbit shuttle", hold="T0005:on,T0006:off", sel="topic:T0006"
    )
    assert [button.key for button in app.button if button.key.startswith("free-")] == [
        "free-6",
        "free-all",
    ]
    assert app.segmented_control(key="state-topic:T0006").value == "off"
    assert not any("●" in button.label and "nasa" in button.label for button in app.button)


def test_switching_what_is_shown_as_one_begins_from_what_is_shown():
    def page():
        import streamlit as st

        from orrery.app.shared.answers import ask
        from orrery.app.shell import address
        from orrery.app.views.query import what_if
        from orrery.core.drawing.question import read_question
        from tests.app.toy import edited, toy_run

        run = edited(toy_run(), merged={5: 6})
        answer = ask(run, read_question(run, "nasa orbit shuttle"), {})
        what_if.turn(run, [answer], "topic:T0006")
        st.text(address.get(what_if.PARAMETER))

    app = open_page(page)
    assert [text.value for text in app.text] == ["T0006:off"]


def test_an_unknown_word_is_replaced_by_a_click_on_a_known_one():
    for query, wanted in (("guitar progam", "guitar program"), ("progam", "program")):
        app = opened(q=query)
        app.button(key="near-q-progam-program").click().run()
        assert not app.exception
        assert app.query_params["q"] == wanted
        assert app.text_input(key="q").value == wanted


def test_a_few_words_are_compared_with_the_texts_of_the_corpus(own_model):
    def page():
        from orrery.app.views.query import page as query

        query.render()

    compared = "closely related than random words of one text"
    text = shown_text(open_page(page, q="salt plate")).replace("\\", "")
    assert re.search(compared + r" \(in \d+ of 200 texts taken from the corpus\)", text)
    for query in ("salt", "salt -plate"):
        assert compared not in shown_text(open_page(page, q=query))
    (own_model / "activations.npz").unlink()
    shutil.copystat(own_model, own_model / "model.json")
    text = shown_text(open_page(page, q="salt plate"))
    assert "came together only by chance" in text
    assert compared not in text
