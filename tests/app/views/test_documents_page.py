"""The Documents page: what is found, how it is chosen, and what its address keeps."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from orrery.app.shared import strings as shared_strings
from orrery.app.shared.listing import (
    UNSURE_NAME,
    WITHOUT_TOPIC_NAME,
    Choice,
    chosen_rows,
    topic_chosen,
)
from orrery.app.shared.topic_facts import on_probability
from orrery.app.shell import resources
from orrery.app.views.documents import strings
from orrery.app.views.documents.whole import topics_of_document
from orrery.app.workspace import catalog, search_index
from orrery.app.workspace.facets import read_facets
from orrery.app.workspace.search_index import MAX_TERMS, read_terms
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.model.overlay import Overlay
from orrery.core.storage.activations import Activations, load_activations
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import as_read, open_app, open_page, pictures, press, shown_text
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
PAGE_SIZE = 10


def page() -> None:
    from orrery.app.views.documents import page as documents

    documents.render()


@pytest.fixture(scope="module")
def notes() -> pd.DataFrame:
    return pd.read_parquet(SAMPLE / "corpus" / "documents.parquet")


opened = partial(open_page, page)


def listed(at: AppTest) -> list[str]:
    return [button.label.strip("*") for button in at.button if button.key.startswith("open-")]


def test_without_a_corpus_the_one_button_leads_to_one(space: Path) -> None:
    at = opened()
    assert strings.EMPTY_TITLE in [heading.value for heading in at.subheader]
    assert len(at.button) == 1


def test_it_opens_on_the_first_documents(demo: Path, notes: pd.DataFrame) -> None:
    at = opened()
    assert len(listed(at)) == PAGE_SIZE
    assert listed(at)[0] == notes["title"][0]
    assert f"**{shared_strings.count(800, 800)}**" in shown_text(at)


def test_the_list_after_a_document_that_is_gone_has_its_documents_in_order(demo: Path) -> None:
    at = opened(doc="gone", whole="1", **{"from": "query"})
    at.button[0].click().run()
    assert not {"doc", "whole", "from"} & set(at.query_params)
    open_first = next(button for button in at.button if button.key.startswith("open-"))
    open_first.click().run()
    assert {"back", "previous", "next"} <= {button.key for button in at.button}


def test_names_of_columns_are_no_markup(space: Path) -> None:
    table = pd.DataFrame({"text": ["star orbit", "program disk"] * 10})
    table["id"] = [f"d{row}" for row in range(20)]
    table["label"] = ["ab", "cd"] * 10
    raw = RawDocuments(normal_table(table), label_column="![x](https://example.org/p.png)")
    corpus, report = build_corpus(raw, Recipe(min_df=2))
    save_corpus(corpus, space / "corpora" / "c", report)
    at = opened(corpus="c")
    assert at.multiselect(key="label").label.startswith(r"\!\[x\]")


@pytest.mark.parametrize("text", ["***", "-", '""'])
def test_a_search_without_a_word_is_reported(demo: Path, text: str) -> None:
    assert strings.NO_SEARCH in shown_text(opened(find=text))
    assert strings.NO_SEARCH not in shown_text(opened(find="star"))


def test_words_that_a_long_search_leaves_out_are_counted(demo: Path) -> None:
    note = read_terms(" ".join(f"w{n}" for n in range(30))).note
    assert note.endswith("6 more are ignored.")
    assert note in shown_text(opened(find=" ".join(f"w{n}" for n in range(30))))
    words = " ".join(f"w{n}" for n in range(MAX_TERMS))
    assert read_terms(words).note == ""
    assert "ignored" not in shown_text(opened(find=words))


def test_a_search_finds_and_marks(demo: Path, notes: pd.DataFrame) -> None:
    at = opened()
    at.text_input(key="find").set_value('"the sun"').run()
    assert not at.exception
    held = notes["text"].str.contains(r"\bthe sun\b", case=False)
    assert shared_strings.count(int(held.sum()), 800) in shown_text(at)
    assert set(listed(at)) <= set(notes["title"][held])
    assert at.query_params["find"] == '"the sun"'


def test_a_link_restores_search_filters_and_page(demo: Path, notes: pd.DataFrame) -> None:
    at = opened(find="the", label="space", years="1990-2010", page="2")
    wanted = (notes["label"] == "space") & notes["year"].astype(int).between(1990, 2010)
    wanted &= notes["text"].str.contains(r"\bthe\b", case=False)
    assert shared_strings.count(int(wanted.sum()), 800) in shown_text(at)
    (turned,) = at.pagination
    assert (turned.value, turned.proto.num_pages) == (2, -(-int(wanted.sum()) // PAGE_SIZE))
    turned.set_value(1).run()
    assert "page" not in at.query_params
    at.pagination[0].set_value(2).run()
    assert at.query_params["page"] == "2"
    assert set(listed(at)) <= set(notes["title"][wanted])
    assert at.multiselect(key="label").value == ["space"]
    assert at.slider(key="years").value == (1990, 2010)


def test_choosing_a_topic_lists_its_documents_and_goes_to_the_first_page(demo: Path) -> None:
    at = opened(page="3")
    box = at.selectbox(key="on")
    box.select_index(1).run()
    assert not at.exception
    assert "page" not in at.query_params
    count = int(box.options[1].rsplit("(", 1)[1].rstrip(")"))
    assert shared_strings.count(count, 800) in shown_text(at)


def test_documents_of_several_labels_are_listed(demo: Path, notes: pd.DataFrame) -> None:
    at = opened(label=["space", "gone"], page="2")
    other = next(name for name in notes["label"].unique() if name != "space")
    at.multiselect(key="label").select(other).run()
    assert not at.exception
    assert shared_strings.count(
        int(notes["label"].isin(["space", other]).sum()), 800
    ) in shown_text(at)
    assert at.query_params["label"] == ["space", other]
    assert "page" not in at.query_params


def test_clear_takes_everything_away(demo: Path) -> None:
    at = opened(find="star", label="space", years="1990-2010")
    at.button(key="clear").click().run()
    assert not at.exception
    assert shared_strings.count(800, 800) in shown_text(at)
    assert at.text_input(key="find").value == ""


@pytest.mark.parametrize(
    "address",
    [
        {"find": '"*-^NEAR( AND'},
        {"page": "99999999999999"},
        {"page": "x"},
        {"years": "2020-1990"},
        {"years": "9-x"},
        {"years": "3000-4000"},
        {"label": "gone", "on": "gone"},
    ],
)
def test_nonsense_in_the_address_is_no_error(demo: Path, address: dict[str, str]) -> None:
    opened(**address)


def test_nothing_found_is_one_sentence(demo: Path) -> None:
    at = opened(find="xylophonequark")
    assert [info.value for info in at.info] == [strings.NOTHING]


def test_a_document_opens_in_colours_with_its_topics(demo: Path, notes: pd.DataFrame) -> None:
    at = opened()
    at.button(key="open-0").click().run()
    assert not at.exception
    assert at.query_params["doc"] == notes["id"][0]
    assert notes["title"][0] in shown_text(at)
    assert "<span style=" in shown_text(at)
    assert len(pictures(at)) == 1
    legend = [button for button in at.button if button.key.startswith("legend-")]
    legend[0].click().run()
    assert at.query_params["sel"] == legend[0].key.removeprefix("legend-")
    at.button(key="back").click().run()
    assert not at.exception
    assert len(listed(at)) == PAGE_SIZE


def text_of(at: AppTest) -> str:
    body = next(e.value for e in at.get("html") if "white-space:pre-wrap" in e.value)
    return html.unescape(re.sub("<[^>]*>", "", body))


def test_a_long_text_comes_piece_by_piece(
    demo: Path, notes: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.app.views.documents.document.FIRST_LETTERS", 60)
    whole, at = notes["text"][0], opened(doc=notes["id"][0])
    shown = text_of(at)
    assert 20 <= len(shown) <= 60
    assert whole.startswith(shown)
    assert shared_strings.SO_FAR.format(shown=len(shown), total=len(whole)) in shown_text(at)
    while len(shown) < len(whole):
        at.button(key="more-text").click().run()
        assert not at.exception
        before, shown = shown, text_of(at)
        assert len(shown) > len(before)
        assert whole.startswith(shown)
    assert "more-text" not in [button.key for button in at.button]
    assert len(text_of(opened(doc=notes["id"][0], text="9" * 9999))) <= 60


def test_a_topic_of_a_document_has_a_card(demo: Path) -> None:
    at = opened(doc="n001")
    legend = next(button for button in at.button if button.key.startswith("legend-topic:"))
    legend.click().run()
    assert not at.exception
    at.button(key="more-card").click().run()
    assert not at.exception
    assert at.query_params["card"] == legend.key.removeprefix("legend-topic:")
    at.button(key="back").click().run()
    assert not {"card", "sel", "doc"} & set(at.query_params)


def test_a_link_to_a_document_keeps_the_search_behind_it(demo: Path) -> None:
    at = opened(doc="n001", find="star")
    at.button(key="back").click().run()
    assert at.text_input(key="find").value == "star"


def test_a_document_leads_back_to_the_page_it_was_opened_from(demo: Path) -> None:
    at = open_app("query", q="star planet")
    nearest = next(button for button in at.button if (button.key or "").startswith("near-"))
    nearest.click().run()
    assert not at.exception
    assert at.query_params["from"] == "query"
    # The test does not follow to another page by itself.
    at._page_hash = calc_hash("documents")
    # Similar documents lead on, and it is in no list that would have a next document.
    assert "next" not in [button.key for button in at.button]
    first = at.query_params["doc"]
    similar = [button.key for button in at.button if (button.key or "").startswith("similar-")]
    press(at, similar[0])
    assert at.query_params["doc"] != first
    back = at.button(key="back")
    assert back.label == strings.BACK_TO.format(page="Query")
    at.button(key="to-list").click().run()
    assert not at.exception
    assert {"doc", "from"}.isdisjoint(at.query_params)
    at = open_app("query", q="star planet")
    press(at, nearest.key)
    at._page_hash = calc_hash("documents")
    at.button(key="back").click().run()
    assert not at.exception
    assert at.query_params["q"] == "star planet"
    # A link has no page to go back to.
    assert opened(**{"doc": "n001", "from": "query"}).button(key="back").label == strings.BACK


def test_a_document_that_is_gone_is_one_sentence(demo: Path) -> None:
    at = opened(doc="*gone*")
    assert [warning.value for warning in at.warning] == [strings.GONE.format(text="\\*gone\\*")]


def test_texts_can_be_read_before_there_is_a_model(
    space: Path, make_corpus: Callable[[str], Path]
) -> None:
    make_corpus("a")
    at = opened(find="shuttle")
    assert strings.NO_MODEL in shown_text(at)
    at = opened(doc="d0")
    assert "the shuttle reached orbit" in shown_text(at)


def test_an_index_that_is_being_made_shows_how_far_it_is(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless:
        def is_alive(self) -> bool:
            return True

        def join(self, seconds: float) -> None:
            pass

    building = search_index.Building(total=800, done=200, thread=Endless())
    monkeypatch.setattr(search_index, "begin_index", lambda path, corpus: building)
    at = opened(find="star")
    (bar,) = at.get("progress")
    assert bar.proto.text == strings.BUILDING.format(done=200, total=800)
    assert bar.proto.value == 25
    assert len(listed(opened())) == PAGE_SIZE


def test_topics_that_are_off_are_drawn_on_request(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.views.documents import document

    drawn = []
    real = document.query_picture

    def followed(*given):
        drawn.append({node.kind for node in real(*given).nodes})
        return real(*given)

    monkeypatch.setattr(document, "query_picture", followed)
    opened(doc="n764")
    opened(doc="n764", hide="off")
    assert "on" in drawn[0]
    assert "off" not in drawn[0]
    assert "off" in drawn[1]


def listed_topics() -> list[str]:
    return list(opened().selectbox(key="on").options)


def test_the_default_order_is_named_by_what_it_is(own_model: Path) -> None:
    def first(at: AppTest) -> str:
        (menu,) = [box for box in at.selectbox if box.label == strings.SORT]
        assert menu.value == ""
        return menu.options[0]

    at = opened()
    assert first(at) == strings.UNSORTED
    assert first(opened(on="L1.3")) == strings.TYPICAL
    # A browser keeps the chosen name of a menu that stays, so a search has a menu of its own.
    before = {box.key for box in at.selectbox}
    at.text_input(key="find").set_value("a").run()
    assert first(at) == strings.ORDERS[""]
    (menu,) = [box for box in at.selectbox if box.label == strings.SORT]
    assert menu.key not in before
    menu.set_value("title").run()
    assert at.query_params["sort"] == "title"


def test_a_hidden_topic_is_in_no_list_but_its_own_link_still_works(own_model: Path) -> None:
    run = load_run(own_model.parent)
    first = run.network.graph.topic_ids.index("L1.3")
    before = listed_topics()
    write_overlay(own_model, Overlay(hidden=frozenset(["L1.3"])))
    (option,) = set(before) - set(listed_topics())
    assert option.startswith(run.topic_labels[first])
    count = int(option.rsplit("(", 1)[1].rstrip(")"))
    at = opened(on="L1.3")
    assert shared_strings.count(count, 800) in shown_text(at)
    assert f"● {run.topic_labels[first]}" not in shown_text(at)


@pytest.mark.parametrize("requested", ["L1.3", UNSURE_NAME, WITHOUT_TOPIC_NAME])
def test_a_link_to_a_topic_of_no_document_lists_none(
    own_model: Path, monkeypatch: pytest.MonkeyPatch, requested: str
) -> None:
    stored, run = load_activations(own_model), load_run(own_model.parent)
    choice = Choice(topic=topic_chosen(run, requested))
    corpus = load_corpus(run.corpus_path)
    rows = chosen_rows(choice, read_facets(corpus.documents), run, stored, corpus)
    others = ~np.isin(stored.rows, rows)
    left = Activations(stored.rows[others], stored.probability[others])
    monkeypatch.setattr(resources, "activations", lambda _: left)
    at = opened(on=requested)
    assert [info.value for info in at.info] == [strings.NOTHING]
    assert at.selectbox(key="on").value == requested


def test_a_merged_topic_lists_the_documents_of_all_its_parts(own_model: Path) -> None:
    run = load_run(own_model.parent)
    stored = load_activations(own_model)
    ids = run.network.graph.topic_ids
    on = {
        name: stored.probability[:, [ids.index(name)]].toarray() > 0.5 for name in ("L1.3", "L1.4")
    }
    write_overlay(own_model, Overlay(merged={"L1.3": "L1.4"}))
    together = int((on["L1.3"] | on["L1.4"]).sum())
    assert together > int(on["L1.4"].sum())
    for requested in ("L1.3", "L1.4"):
        at = opened(on=requested)
        assert shared_strings.count(together, 800) in shown_text(at)
        assert at.query_params["on"] == "L1.4"
        assert f"● {run.topic_labels[ids.index('L1.3')]}" not in shown_text(at)


def test_a_document_is_shown_with_its_passages(space: Path) -> None:
    texts = ["First of <one>.\n\n***\n\nSecond 𝔸 of one.\n\nThird of one.", "Only words of two."]
    table = pd.DataFrame({"id": ["a", "b"], "text": texts, "label": ["x", "y"]})
    recipe = Recipe(min_df=1, max_df=1.0, stop_words=(), phrases=False)
    corpus, report = build_corpus(RawDocuments(table, passages="paragraphs"), recipe)
    save_corpus(corpus, space / "corpora" / "parts", report)
    at = opened(doc="a-3")
    assert strings.PASSAGE_OF.format(number=2, total=3, name="a") in shown_text(at)
    at.button(key="passage-after").click().run()
    assert strings.PASSAGE_OF.format(number=3, total=3, name="a") in shown_text(at)
    at.button(key="passage-whole").click().run()
    text = re.sub(r"<[^>]+>", "", " ".join(element.proto.body for element in at.get("html")))
    assert html.unescape(" ".join(text.split())) == (
        "First of <one>. Second 𝔸 of one. Third of one."
    )
    # Asterisks are no word, and the passage of them was dropped.
    assert at.button(key="open-passage-1").label == r"**Passage 2** \*\*\*"
    at.button(key="open-passage-0").click().run()
    assert strings.PASSAGE_OF.format(number=1, total=3, name="a") in shown_text(at)
    at = opened(doc="b-1", whole="1")
    assert strings.count_passages(1) in shown_text(at)


def test_a_list_is_sorted_and_its_documents_lead_to_each_other(
    demo: Path, notes: pd.DataFrame
) -> None:
    at = opened(label="space", sort="oldest")
    wanted = notes[notes["label"] == "space"].assign(n=lambda table: table["year"].astype(int))
    wanted = wanted.sort_values("n", kind="stable")
    assert listed(at) == wanted["title"].head(PAGE_SIZE).tolist()
    ids = wanted["id"].tolist()
    at = opened(label="space", sort="oldest", doc=ids[1])
    assert strings.place(2, len(ids)) in shown_text(at)
    at.button(key="next").click().run()
    assert not at.exception
    assert at.query_params["doc"] == ids[2]
    at = opened(label="space", sort="oldest", doc=ids[0])
    assert at.button(key="previous").disabled
    assert not at.button(key="next").disabled


def test_similar_documents_are_listed_below_a_document(demo: Path, notes: pd.DataFrame) -> None:
    at = opened(doc="n001")
    keys = [button.key for button in at.button if button.key.startswith("similar-")]
    assert len(keys) == 5
    rows = [int(key.removeprefix("similar-")) for key in keys]
    assert 0 not in rows
    # Most are about the same.
    assert (notes["label"].iloc[rows] == "space").sum() >= 3


def test_topics_add_up_to_the_document(own_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, run = load_corpus(SAMPLE / "corpus"), load_run(SAMPLE / "run")
    rows = np.arange(corpus.n_documents)
    columns = {"document": (rows // 8).astype(str), "passage_start": rows % 8 * 10}
    table = corpus.documents.assign(**columns, passage_end=rows % 8 * 10 + 5)
    folder = catalog.workspace() / "corpora" / "c"
    shutil.rmtree(folder)
    save_corpus(replace(corpus, documents=table), folder)
    at = opened(doc=str(table["id"][11]), whole="1")
    stored = load_activations(SAMPLE / "run" / "model")
    assert stored is not None
    found = topics_of_document(run, stored, np.arange(8, 16))
    assert found
    for topic in found:
        of_passages = on_probability(run, stored, topic.topic)[np.isin(stored.rows, rows[8:16])]
        assert topic.passages == (of_passages > 0.5).sum() > 0
        assert topic.probability == pytest.approx(1 - np.prod(1 - of_passages))
    for topic in found[:3]:
        assert run.topic_labels[topic.topic] in as_read(at)
        assert strings.on_in(topic.passages, 8) in shown_text(at)
    assert "Topics are known for" not in shown_text(at)
    # Topics that are known for some passages only are counted in these.
    for n_known in (3, 0):
        is_kept = ~np.isin(stored.rows, rows[8 : 16 - n_known])
        some = Activations(stored.rows[is_kept], stored.probability[is_kept])
        monkeypatch.setattr(resources, "activations", lambda _, some=some: some)
        at = opened(doc=str(table["id"][11]), whole="1")
        note = strings.passages_with_topics(n_known, 8)
        assert ("not known" in note) is (n_known == 0)
        assert note in shown_text(at)
        assert strings.NO_TOPICS not in shown_text(at)
        for topic in topics_of_document(run, some, np.arange(8, 16))[:3]:
            assert strings.on_in(topic.passages, n_known) in shown_text(at)
