"""A model adopted from a graph opens on the Query and Graph pages, and is no run to watch."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from orrery.app import navigation
from orrery.app.shared import model_summary, topic_strings
from orrery.app.shared import strings as shared_strings
from orrery.app.shared.examples import example_queries
from orrery.app.shell import strings as shell_strings
from orrery.app.text.safe_text import markdown_text
from orrery.app.views.corpus import graph_adoption
from orrery.app.views.corpus import strings as corpus_strings
from orrery.app.views.graph import strings as graph_strings
from orrery.app.views.graph.page import query_words
from orrery.app.views.query.reasons import rate_of
from orrery.app.workspace import adoption, catalog, last_place, runs
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.selection import joined_probability
from orrery.core.export.formats import FORMATS, export_files
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.thresholds import MAX_SWITCHES
from orrery.core.model.terms import Terms
from orrery.core.storage.adoption import adopt_graph, suggested_terms
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.graphs import leak_path
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.app.pages import (
    PATIENCE,
    as_read,
    every_string,
    open_app,
    open_page,
    pictures,
    press,
    run,
    shown_text,
    whole_app,
)
from tests.core.storage.test_adopted import LISTS, TOY

# Pages about a model, at addresses that show different parts of them.
PLACES = [
    ("home", {}), ("query", {"q": "fever cough"}), ("query", {"q": "fever", "q2": "nausea"}),
    ("query", {"q": "fever cough", "others": "absent"}), ("query", {"q": "fevr zzz"}),
    ("query", {"q": "fever", "sel": "topic:flu"}), ("query", {"q": "fever", "sel": "word:fever"}),
    ("query", {"q": "fever", "hold": "flu:on"}), ("graph", {}), ("graph", {"find": "fev"}),
    ("graph", {"find": "zzz"}), ("graph", {"topic": "flu"}), ("graph", {"word": "fever"}),
    ("graph", {"topic": "flu", "to": "cold"}), ("names", {}), ("share", {}), ("stories", {}),
    ("graph", {"topic": "flu", "card": "flu"}), ("home", {"tour": "0"}),
    ("query", {"q": "fever", "tour": "1"}), ("query", {"q": "fever", "tour": "3"}),
    ("graph", {"tour": "4"}),
]  # fmt: skip
RATES = b"node,leak\nflu,0.2\ncold,0.3\nmigraine,0.05\ncough,0.01\n"
USUAL_TERM = re.compile(r"\b(topics?|words?|held out)\b", re.IGNORECASE)


@pytest.fixture
def adopted(tmp_path, monkeypatch):
    """A workspace with an adopted model and nothing else."""
    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    (tmp_path / "toy.csv").write_text(TOY, encoding="utf-8")
    adopt_graph(tmp_path / "toy.csv", tmp_path / "runs" / "symptoms", "probability")
    return tmp_path


def save_toy_corpus(space):
    table = pd.DataFrame({"text": ["star orbit planet", "program disk code"] * 20, "label": None})
    table["id"] = [f"d{row}" for row in range(len(table))]
    corpus, report = build_corpus(RawDocuments(normal_table(table)), Recipe(min_df=2))
    save_corpus(corpus, space / "corpora" / "other", report)


def query_page():
    from orrery.app.views.query import page as query

    query.render()


def graph_page():
    from orrery.app.views.graph import page as graph

    graph.render()


def documents_page():
    from orrery.app.views.documents import page as documents

    documents.render()


def evaluate_page():
    from orrery.app.views.evaluate import page as evaluate

    evaluate.render()


def share_page():
    from orrery.app.views.share import page as share

    share.render()


def home_page():
    from orrery.app.views.home import page as home

    home.render()


def test_it_is_among_the_models_and_no_training_of_any_corpus(adopted):
    assert [place.name for place in catalog.models(None)] == ["symptoms"]
    assert runs.runs_on(adopted, adopted / "corpora" / "any") == []


@pytest.mark.parametrize("page", [query_page, graph_page])
def test_both_pages_show_it(adopted, page):
    app = open_page(page, q='fever cough -"runny nose"')
    assert "flu" in pictures(app)[0].json


def test_unknown_words_are_named_and_known_ones_offered_but_no_stop_words(adopted):
    app = open_page(query_page, q="my fevr and runy nose")
    (warning,) = (box.value for box in app.warning)
    assert warning.endswith(": “fevr” and “runy nose”.")
    offers = {button.key: button for button in app.button if button.key.startswith("near-")}
    assert {"near-q-fevr-fever", "near-q-runy nose-runny nose"} <= offers.keys()
    assert offers["near-all-q"].label == "Did you mean: fever, runny nose?"
    offers["near-all-q"].click()
    run(app)
    assert app.query_params["q"] == "my fever and runny nose"
    assert "“my”" not in shown_text(app)
    assert not any("unknown:" in picture.json for picture in pictures(app))


def test_a_denied_word_is_absent_and_a_switch_overrides_the_denial(adopted):
    app = open_page(query_page, q="cough no fever", sel="word:fever")
    assert not app.warning
    said = "".join(element.value for element in app.markdown)
    said = said.replace("\\", "")
    assert "Read as absent: “fever”;" in said
    switch = app.segmented_control(key="state-word:fever")
    assert switch.value == "absent"
    switch.set_value("present")
    run(app)
    assert app.query_params["q"] in ("cough fever", ["cough fever"])
    assert app.segmented_control(key="state-word:fever").value == "present"
    assert "Read as absent" not in "".join(element.value for element in app.markdown)


def test_a_part_of_an_unknown_term_with_a_sign_is_not_read_and_its_sign_stays(adopted):
    app = open_page(query_page, q="-bloody cough, fever")
    said = "".join(element.value for element in app.markdown)
    assert "does not know “bloody cough”, so it changes nothing" in said.replace("\\", "")
    assert "“cough” in it is not read as absent" in said.replace("\\", "")
    app = open_page(query_page, q="fever, -runy nose")
    next(button for button in app.button if button.label == "runny nose").click()
    run(app)
    assert app.query_params["q"] in ('fever, -"runny nose"', ['fever, -"runny nose"'])


def test_a_denial_without_a_word_after_it_names_none(adopted):
    said = "".join(each.value for each in open_page(query_page, q="cough no").markdown)
    assert "“no” is not understood" in said
    assert "read as present" not in said


def test_a_rate_that_was_assumed_is_said_to_be_assumed(adopted):
    found = load_run(adopted / "runs" / "symptoms")
    rate = float(found.prior[0])
    assert "as rare as all others (1" in rate_of(found, rate)
    assert "others" not in rate_of(found, 0.2)


def test_the_help_about_an_assumed_rate_shows_a_term_as_it_is(adopted, monkeypatch):
    found = model_summary.summary_of(adopted / "runs" / "symptoms")
    changed = replace(found, terms=Terms("a*b*", "symptom"), assumed_rate=0.02)
    monkeypatch.setattr(model_summary, "summary_of", lambda _: changed)
    helps = [caption.proto.help for caption in open_page(home_page).caption]
    assert markdown_text(shared_strings.assumed_help("a*b*")) in helps


def test_the_graph_page_uses_the_terms_of_the_model(adopted):
    shutil.rmtree(adopted / "runs" / "symptoms")
    terms = Terms("condition", "symptom")
    adopt_graph(adopted / "toy.csv", adopted / "runs" / "symptoms", "probability", terms=terms)
    app = open_page(graph_page)
    assert app.text_input(key="find").label == "Find a condition or symptom"
    said = f"{shown_text(app)} {[picture.json for picture in pictures(app)]}"
    # All are equally frequent: no figure would distinguish them, so names have the room.
    assert "how frequent" not in said
    assert '"figures": "1' not in said
    assert "Explore the conditions" in said
    assert "document" not in said.lower()


def test_the_query_page_asks_until_one_topic_is_sure(adopted):
    app, answers = open_page(query_page, q="cough"), 0
    assert explorer_strings.NEXT_QUESTION in "".join(element.value for element in app.markdown)
    while True:
        sure = [one.value for one in app.markdown if "No further question" in one.value]
        yes = [button for button in app.button if (button.key or "").startswith("next-present-")]
        if sure or not yes:
            break
        yes[0].click()
        run(app)
        answers += 1
    assert answers
    assert sure
    app.button(key="next-on").click()
    run(app)
    assert "No further question" in as_read(app)
    assert any((button.key or "").startswith("next-present-") for button in app.button)
    # Another query, which another topic explains, ends by itself.
    app.query_params["q"] = "pain"
    run(app)
    assert "migraine" in next(one for one in shown_text(app).split("\n") if "No further" in one)
    assert app.button(key="next-on")


def test_a_card_of_a_graph_speaks_of_no_documents_and_offers_no_training(adopted):
    app = open_page(graph_page, topic="flu", card="flu")
    said = "\n".join(every_string(app))
    assert "as assumed for every topic" in said
    assert "document" not in said.lower()
    assert topic_strings.TRAIN_ON not in said
    table = app.dataframe[0].value
    assert dict(zip(table["Word"], table[topic_strings.COLUMN_LINK], strict=True)) == {
        "fever": 80, "cough": 60, "pain behind the eyes": 40
    }  # fmt: skip


def test_the_query_of_a_topic_has_as_many_words_as_it_takes(tmp_path):
    shared = ["fever", "cough", "chills"]
    rows = [("a", word, 0.6) for word in shared] + [("b", word, 0.9) for word in shared]
    rows += [("a", word, 0.08) for word in ("rash", "itch", "thirst")]
    table = pd.DataFrame(rows, columns=["parent", "child", "weight"])
    table.to_csv(tmp_path / "graph.csv", index=False)
    adopt_graph(tmp_path / "graph.csv", tmp_path / "run", "probability")
    found = load_run(tmp_path / "run")
    topic = found.network.graph.topic_number["a"]

    def surest(words):
        tokens = tuple(found.parse(" ".join(words))[0].tolist())
        known = joined_probability(
            found, infer(found.network, Evidence(tokens, closed_world=False))
        )
        return max(known, key=known.__getitem__)

    words = query_words(found, topic)
    assert words[:3] == shared
    assert len(words) > 3
    assert surest(words[:-1]) != topic
    assert surest(words) == topic


def test_an_answer_shows_what_it_changed_and_is_taken_back(adopted):
    app = open_page(query_page, q="cough")
    asked = [button.key for button in app.button if (button.key or "").startswith("next-")]
    app.button(key=asked[0]).click()
    run(app)
    assert app.query_params["q"] not in ("cough", ["cough"])
    assert "Your answers: “" in as_read(app)
    assert re.search(r"The last answer: “.+” \S+ → \S+", as_read(app))
    app.button(key="next-undo").click()
    run(app)
    assert app.query_params["q"] in ("cough", ["cough"])
    assert "Your answers" not in as_read(app)
    assert [button.key for button in app.button if (button.key or "").startswith("next-")] == asked


def test_a_second_click_takes_back_the_same_answer(adopted):
    app = open_page(query_page, q="cough")
    asked = [button.key for button in app.button if (button.key or "").startswith("next-")]
    app.button(key=asked[0]).click()
    run(app)
    # The first click of a double click has left no answer.
    app.session_state["next-answers"] = ()
    app.button(key="next-undo").click()
    run(app)
    assert app.query_params["q"] in ("cough", ["cough"])


def test_answers_end_where_the_query_is_typed_anew(adopted):
    app = open_page(query_page, q="cough")
    asked = [button.key for button in app.button if (button.key or "").startswith("next-")]
    app.button(key=asked[0]).click()
    run(app)
    app.text_input(key="q").set_value("fever")
    run(app)
    assert "Your answers" not in as_read(app)


def test_answers_end_where_a_topic_is_switched(adopted):
    app = open_page(query_page, q="cough")
    asked = [button.key for button in app.button if (button.key or "").startswith("next-")]
    app.button(key=asked[0]).click()
    run(app)
    assert "Your answers" in as_read(app)
    topic = load_run(adopted / "runs" / "symptoms").network.graph.topic_ids[0]
    app.query_params["hold"] = f"{topic}:on"
    run(app)
    assert "Your answers" not in as_read(app)


@pytest.mark.parametrize("page", [documents_page, evaluate_page, share_page, home_page])
def test_the_other_pages_do_without_a_corpus(adopted, page):
    app = open_page(page)
    assert not app.error


@pytest.mark.parametrize("kind", FORMATS)
def test_it_can_be_exported(adopted, kind):
    run = load_run(adopted / "runs" / "symptoms")
    files = export_files(run, kind, f"model{FORMATS[kind].extension}")
    assert all(b"flu" in data for data in files.values())


@pytest.mark.parametrize("name", ["documents", "map", "groups", "train", "evaluate"])
def test_pages_about_texts_state_that_there_are_none(adopted, monkeypatch, name):
    save_toy_corpus(adopted)
    at = open_app(f"{name}", run="symptoms", corpus="other")
    assert not at.exception
    assert [box.value for box in (*at.error, *at.warning)] == []
    assert shell_strings.NOT_FROM_TEXTS[name] in shown_text(at)
    # The corpus is not the model's own, so neither the sidebar nor the address has it.
    assert at.selectbox(key="sidebar-corpus").value is None
    assert at.selectbox(key="sidebar-run").value == "symptoms"
    assert "corpus" not in at.query_params


def test_uploaded_rates_are_kept_until_they_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    path = tmp_path / "uploads" / "u1" / "complaints.csv"
    path.parent.mkdir(parents=True)
    path.write_text(LISTS, encoding="utf-8")
    adoption.keep_rates(path, RATES)

    def offer(path):
        from orrery.app.views.corpus import graph_adoption

        graph_adoption.offer(path, lambda path: None)

    app = run(AppTest.from_function(offer, args=(path,), default_timeout=PATIENCE))
    app.file_uploader[0].set_value(("rates.csv", leak_path(path).read_bytes(), "text/csv"))
    leak_path(path).unlink()
    assert not run(app).number_input
    assert corpus_strings.ADOPT_RATES_KEPT not in shown_text(app)
    app.file_uploader[0].set_value(None)
    assert run(app).number_input
    adoption.keep_rates(path, RATES)
    # The widget of the upload is empty, as after a visit to another page.
    app = run(AppTest.from_function(offer, args=(path,), default_timeout=PATIENCE))
    assert corpus_strings.ADOPT_RATES_KEPT in shown_text(app)
    assert not app.number_input
    press(app, "adopt-drop-rates")
    assert corpus_strings.ADOPT_RATES_KEPT not in shown_text(app)
    assert len(app.number_input) == 1


def test_an_uploaded_graph_becomes_a_model(tmp_path, monkeypatch):
    path = tmp_path / "uploads" / "u1" / "complaints.csv"
    path.parent.mkdir(parents=True)
    path.write_text(LISTS, encoding="utf-8")
    assert graph_adoption.is_offered(path)
    terms = suggested_terms(path)
    adoption.keep_rates(path, RATES)
    size = adoption.graph_size(path, "probability")
    assert (size.topics, size.words, size.has_rates) == (4, 5, True)
    first = adoption.adopt(tmp_path, path, "My complaints", "probability", None, terms)
    adoption.drop_rates(path)
    second = adoption.adopt(tmp_path, path, "My complaints", "probability", 0.02, terms)
    assert (first.name, second.name) == ("My-complaints", "My-complaints-02")
    found = model_summary.summary_of(second)
    assert found is not None
    assert found.assumed_rate == pytest.approx(0.02)
    assert (found.terms.topic, found.terms.word) == ("condition", "symptom")
    known = model_summary.summary_of(first)
    assert known is not None
    assert known.assumed_rate is None
    assert model_summary.assumed_of(first) is None
    assert model_summary.assumed_of(second) == ("condition", pytest.approx(0.02))
    (second / "model" / "model.json").write_text("{", encoding="utf-8")
    assert model_summary.assumed_of(second) is None
    with pytest.raises(InputError, match="give the model a name"):
        adoption.adopt(tmp_path, path, " ./", "probability", None, terms)


def test_the_name_of_a_deleted_model_is_not_used_again(tmp_path, monkeypatch):
    """Links and stories of the deleted model would open another one."""
    path = tmp_path / "complaints.csv"
    path.write_text(LISTS, encoding="utf-8")
    adoption.keep_rates(path, RATES)
    given = tmp_path, path, "mine", "probability"
    # An attempt that fails takes no name.
    with pytest.raises(InputError, match="leaks of topics"):
        adoption.adopt(*given, 0.02, Terms())
    first = adoption.adopt(*given, None, Terms())
    assert first.name == "mine"
    runs.remove(first)
    assert adoption.adopt(*given, None, Terms()).name == "mine-02"


def test_a_file_is_read_again_only_after_a_change(tmp_path, monkeypatch):
    path = tmp_path / "complaints.csv"
    path.write_text(LISTS, encoding="utf-8")
    read = []
    monkeypatch.setattr(graph_adoption, "is_weighted_graph", lambda file: not read.append(file))
    assert graph_adoption.is_offered(path)
    assert graph_adoption.is_offered(path)
    assert read == [path]
    path.write_text("title,text\none,it rained\n", encoding="utf-8")
    assert graph_adoption.is_offered(path)
    assert read == [path, path]


def test_examples_of_a_graph_are_answered_with_what_they_promise(tmp_path):
    # The three best words of "abscess" fit "cellulitis" better.
    rows = ["a,pain,0.3", "a,fever,0.1", "a,redness,0.3", "a,swelling,0.3", "a,lump,0.6"]
    rows += ["b,redness,0.9", "b,swelling,0.9", "b,infection,0.9", "a,infection,0.3"]
    (tmp_path / "g.csv").write_text("parent,child,weight\n" + "\n".join(rows) + "\n")
    adopt_graph(tmp_path / "g.csv", tmp_path / "run", "probability")
    run = load_run(tmp_path / "run")
    found = example_queries(run)
    assert found
    for example in found:
        for query, topic in zip(example.queries, example.topics, strict=True):
            posterior = infer(run.network, Evidence(query, closed_world=False))
            probability = joined_probability(run, posterior)
            assert max(probability, key=probability.__getitem__) == topic
            assert probability[topic] > 0.5


def test_the_app_opens_where_it_was_left(adopted, monkeypatch):
    monkeypatch.setattr(navigation, "OWN_ADDRESSES", frozenset(("None",)))
    save_toy_corpus(adopted)
    app = open_app("graph", run="symptoms", topic="flu")
    assert last_place.read(adopted) == ("graph", {"run": ["symptoms"], "topic": ["flu"]})
    again = open_app()
    assert again.query_params == app.query_params
    # A link with parameters of its own is followed, and a model that is gone is not opened.
    linked = whole_app(None, {"run": "symptoms", "q": "fever"})
    assert run(linked).query_params["q"] in ("fever", ["fever"])
    assert "q" in open_app().query_params
    # Where others can reach the server, they do not see the page of its owner.
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(navigation, "OWN_ADDRESSES", frozenset())
        assert "q" not in open_app().query_params
    # Nor behind a proxy on this machine, which asks for a token or passes its headers.
    with monkeypatch.context() as shared:
        shared.setenv("ORRERY_TOKEN", "digest")
        assert "q" not in open_app().query_params
    with monkeypatch.context() as shared:
        headers = property(lambda context: {"X-Forwarded-For": "203.0.113.1"})
        shared.setattr(type(st.context), "headers", headers)
        assert "q" not in open_app().query_params
    assert "q" in open_app().query_params
    shutil.rmtree(adopted / "runs" / "symptoms")
    assert "run" not in open_app().query_params


def test_a_graph_is_not_said_to_lack_its_texts_or_held_out_documents(adopted):
    said = shown_text(open_page(share_page))
    assert "held out" not in said
    assert "was trained on are not available" not in said


def test_a_flat_graph_has_no_caption_about_topics_inside_others():
    flat = graph_strings.area(0, is_flat=True)
    assert "inside" not in flat
    assert Terms("disease", "finding").translated(flat).endswith("before any finding.")
    assert "inside" in graph_strings.area(0, is_flat=False)


@pytest.mark.parametrize(("name", "address"), PLACES)
def test_every_page_speaks_in_the_terms_of_the_model(adopted, name, address):
    shutil.rmtree(adopted / "runs" / "symptoms")
    terms = Terms("condition", "symptom")
    adopt_graph(adopted / "toy.csv", adopted / "runs" / "symptoms", "probability", terms=terms)
    # Styles and scripts of the page are no sentences.
    said = {text for text in every_string(open_app(name, run="symptoms", **address))
            if not text.startswith(("<style", "<script"))}  # fmt: skip
    assert {text for text in said if USUAL_TERM.search(text)} == set()


def test_home_shows_the_words_of_most_topics_if_all_rates_are_equal(adopted):
    found = model_summary.summary_of(adopted / "runs" / "symptoms")
    assert found is not None
    assert found.boxes_are_words
    model = load_run(adopted / "runs" / "symptoms")
    graph = model.network.graph
    child = graph.edge_children()
    counts = [int((child == graph.n_topics + token).sum()) for token in range(graph.n_tokens)]
    (first, *_) = found.boxes
    token = model.token_number[first.key.removeprefix("word:")]
    assert counts[token] == max(counts)
    assert str(max(counts)) in first.hover[1]


@pytest.mark.parametrize("kind", ["report", "svg"])
def test_a_file_speaks_in_the_terms_of_the_model(adopted, kind):
    shutil.rmtree(adopted / "runs" / "symptoms")
    terms = Terms("condition", "symptom")
    adopt_graph(adopted / "toy.csv", adopted / "runs" / "symptoms", "probability", terms=terms)
    model = load_run(adopted / "runs" / "symptoms")
    (data,) = export_files(model, kind, f"model{FORMATS[kind].extension}").values()
    text = re.sub(r"<style.*?</style>|<[^>]*>", " ", data.decode(), flags=re.DOTALL)
    assert not USUAL_TERM.search(text)
    assert "conditions" in text
    assert "document" not in text


def test_the_menu_is_closed_after_another_page_was_opened(adopted):
    app = open_app("query", run="symptoms")
    assert "// Page 0 of the visit." in shown_text(app)
    app._page_hash = calc_hash("graph")
    assert "// Page 1 of the visit." in shown_text(run(app))
    # A click within the page closes nothing.
    assert "// Page 1 of the visit." in shown_text(run(app))


def test_a_click_changes_how_a_denial_is_read(adopted):
    app = open_page(query_page, q="cough, no fever, runny nose")
    assert [button.label for button in app.button if button.label.startswith("Make")] == [
        "Make “fever” present",
        "Make “runny nose” absent",
    ]
    app.button(key="denied-q-word:runny nose").click()
    run(app)
    assert app.query_params["q"] in (
        'cough, no fever, -"runny nose"',
        ['cough, no fever, -"runny nose"'],
    )
    app.button(key="denied-q-word:fever").click()
    run(app)
    assert app.query_params["q"] in (
        'cough, fever, -"runny nose"',
        ['cough, fever, -"runny nose"'],
    )
    assert not [button for button in app.button if button.label.startswith("Make")]


def test_a_click_denies_all_words_after_a_denial(adopted):
    app = open_page(query_page, q="no fever, cough, runny nose")
    every = app.button(key="denied-all-q")
    assert every.label == "Make “cough” and “runny nose” absent"
    every.click()
    run(app)
    expected = 'no fever, -cough, -"runny nose"'
    assert app.query_params["q"] in (expected, [expected])
    assert not [button for button in app.button if button.key == "denied-all-q"]


def test_a_long_list_after_a_denial_has_few_buttons(adopted):
    parents = "".join(f"topic:flu,sign{number},0.5\n" for number in range(2 * MAX_SWITCHES))
    (adopted / "long.csv").write_text(TOY + parents, encoding="utf-8")
    adopt_graph(adopted / "long.csv", adopted / "runs" / "long", "probability")
    words = ", ".join(f"sign{number}" for number in range(2 * MAX_SWITCHES))
    app = open_page(query_page, q=f"no fever, {words}", run="long")
    labels = [button.label for button in app.button if button.label.startswith("Make")]
    assert len(labels) == MAX_SWITCHES + 1
    assert labels[-1].endswith(f"and {MAX_SWITCHES} more absent")
    app.button(key="denied-all-q").click()
    run(app)
    expected = f"no fever, {words.replace('sign', '-sign')}"
    assert app.query_params["q"] in (expected, [expected])


def test_a_known_part_of_an_unknown_phrase_is_never_said_to_be_ignored(adopted):
    app = open_page(query_page, q="bloody cough, fever")
    said = "".join(element.value for element in app.markdown).replace("\\", "")
    assert "does not know “bloody cough”; the answer uses “cough” alone." in said
    assert not app.warning
    app = open_page(query_page, q="bloody cough, zzz")
    (warning,) = app.warning
    assert "zzz" in warning.value
    assert "bloody" not in warning.value
