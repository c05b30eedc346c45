"""Exported pictures overlap nowhere, leave out what is hidden, and keep text as text."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.drawing import hierarchy_layout, style
from orrery.core.drawing.explorer_strings import explorer_strings
from orrery.core.drawing.hierarchy_layout import BOX_HEIGHT, BOX_WIDTH, place_forest
from orrery.core.drawing.svg import APART, forest_of, svg_bytes
from orrery.core.drawing.web_page import script_json, web_page
from orrery.core.export import report
from orrery.core.export.formats import export_files
from orrery.core.export.report import report_bytes
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import NO_GROUP, TopicGroups
from orrery.core.model.topic_model import TopicModel
from orrery.core.model.topic_names import NO_WORDS
from orrery.core.runs.settings import RunSettings, settings_for_config
from orrery.core.storage.activations import load_activations
from orrery.core.training.options import TrainingOptions
from tests.app.toy import large_run
from tests.conftest import ROOT
from tests.core.export.models import EVIL, models, sample

PAGES = ("explorer", "report")


@given(models())
def test_no_boxes_overlap_and_every_shown_topic_stands_once(model: TopicModel) -> None:
    placed = place_forest(model.network, model.hidden_topics)
    assert_apart(placed)
    topics = sorted(place.topic for place in placed.places)
    assert topics == sorted(set(range(model.network.graph.n_topics)) - model.hidden_topics)


def assert_apart(placed: hierarchy_layout.Forest) -> None:
    for a, b in combinations(placed.places, 2):
        assert abs(a.x - b.x) >= BOX_WIDTH or abs(a.y - b.y) >= BOX_HEIGHT
    for place in placed.places:
        assert BOX_WIDTH / 2 <= place.x <= placed.width - BOX_WIDTH / 2 + 1e-6
        assert BOX_HEIGHT / 2 <= place.y <= placed.height - BOX_HEIGHT / 2 + 1e-6


@given(models(), st.sets(st.integers(0, 20)))
def test_topics_that_are_set_aside_have_no_links_and_stand_below(
    model: TopicModel, chosen: set[int]
) -> None:
    shown = set(range(model.network.graph.n_topics)) - model.hidden_topics
    aside = frozenset(chosen & shown)
    placed = place_forest(model.network, model.hidden_topics, set_aside=aside)
    assert_apart(placed)
    assert {place.topic for place in placed.places} == shown
    assert all(place.parent < 0 for place in placed.places if place.topic in aside)
    assert aside.isdisjoint({place.parent for place in placed.places})


@given(models())
def test_topics_without_links_stand_below_those_with_some(model: TopicModel) -> None:
    placed = place_forest(model.network, model.hidden_topics)
    holds = {place.parent for place in placed.places}
    alone = [p for p in placed.places if p.parent < 0 and p.topic not in holds]
    linked = [p for p in placed.places if p not in alone]
    assert bool(placed.headings) == bool(alone and linked)
    for apart, _ in placed.headings:
        assert max(p.y for p in linked) + BOX_HEIGHT / 2 < apart - 20
        assert min(p.y for p in alone) - BOX_HEIGHT / 2 >= apart
    assert (APART in svg_bytes(model).decode()) == bool(placed.headings)


@given(models(), st.data())
def test_subtrees_stand_below_the_headings_of_their_topic_groups(
    model: TopicModel, data: st.DataObject
) -> None:
    n_topics = model.network.graph.n_topics
    of = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n_topics, max_size=n_topics)))
    placed = place_forest(model.network, model.hidden_topics, topic_group_of=of.tolist())
    plain = place_forest(model.network, model.hidden_topics)
    assert_apart(placed)
    assert {(p.topic, p.parent) for p in placed.places} == {
        (p.topic, p.parent) for p in plain.places
    }
    tops = [place for place in placed.places if place.parent < 0]
    kept = {int(of[place.topic]) for place in tops} - {NO_GROUP}
    assert {group for _, group in placed.headings} - {NO_GROUP} == kept
    if not kept:
        assert placed == plain
        return
    # The lowest heading above a box is the heading of its group.
    for place in tops:
        _, group = max(each for each in placed.headings if each[0] <= place.y)
        assert group == of[place.topic]
    tall = [top for top, _ in placed.headings]
    assert tall == sorted(tall)
    assert min(tall) >= 20.0
    for top in tall[1:]:
        assert all(not top - 20 < place.y + BOX_HEIGHT / 2 <= top for place in placed.places)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=14), min_size=1, max_size=4))
def test_a_short_name_has_whole_words(words: list[str]) -> None:
    label = " · ".join(words)
    short = style.shortened(label)
    assert len(short) <= style.LABEL_LIMIT
    assert [word for word in short.split() if word not in "·…"] == words[: len(short.split(" · "))]


def test_a_large_model_is_cut_and_reports_it() -> None:
    run = large_run(120, 300, 1)
    placed = place_forest(run.network, max_topics=50)
    assert (len(placed.places), placed.left_out) == (50, 70)
    assert_apart(placed)
    kept = {place.topic for place in placed.places}
    assert {place.parent for place in placed.places} <= kept | {-1}
    x = {place.topic: place.x for place in placed.places}
    assert all(x[p.parent] < p.x for p in placed.places if p.parent >= 0)


def test_a_topic_that_is_part_of_another_is_left_out_and_its_children_move_there() -> None:
    run = sample(Overlay(merged={"L2.1": "L2.2"}))
    number = {name: topic for topic, name in enumerate(run.network.graph.topic_ids)}
    part, topic = number["L2.1"], number["L2.2"]
    before = {p.topic for p in place_forest(run.network).places if p.parent == part}
    placed = place_forest(run.network, frozenset(), run.shown_as)
    assert_apart(placed)
    assert part not in {place.topic for place in placed.places}
    assert before
    assert before <= {place.topic for place in placed.places if place.parent == topic}
    assert "1 shown as part of others" in svg_bytes(run).decode()


def test_each_topic_is_below_what_brings_it_most_often() -> None:
    model = sample()
    network = model.network
    held = {place.topic: place for place in place_forest(network).places if place.parent >= 0}
    assert held
    for topic, place in held.items():
        span = slice(*network.graph.parent_ptr[topic : topic + 2])
        acts = -np.expm1(-network.weight[span])
        best = int(np.argmax(model.prior[network.graph.parent_idx[span]] * acts))
        assert place.parent == network.graph.parents(topic)[best]
        assert place.probability == pytest.approx(acts[best])


def test_of_a_large_model_the_subtrees_that_are_on_most_are_kept() -> None:
    # A general topic that is seldom on by itself, above two, and three small ones alone.
    graph, order = build_graph(1, list("abcdef"), [0, 0, 1, 2, 3, 4, 5], [1, 2, 6, 6, 6, 6, 6])
    leak = np.array([0.15, 0.5, 0.4, 0.2, 0.1, 0.1, 0.01])
    network = build_network(graph, np.full(7, 2.0)[order], leak)
    placed = place_forest(network, max_topics=3)
    assert {place.topic for place in placed.places} == {0, 1, 2}


@given(models())
def test_svg_is_xml_and_shows_no_hidden_topic(model: TopicModel) -> None:
    root = ET.fromstring(svg_bytes(model))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "defs", "marker", "path", "rect", "g", "title", "text"),
    }
    shown = model.network.graph.n_topics - len(model.hidden_topics)
    hidden = len(model.hidden_topics - model.wordless_topics)
    assert sum(element.tag.endswith("title") for element in root.iter()) == shown
    shown_text = "".join(root.itertext())
    assert (f"{hidden} hidden" in shown_text) == bool(hidden)
    assert NO_WORDS not in shown_text


@pytest.mark.parametrize(
    ("probability", "step"), [(0.0, 0), (0.049, 0), (0.05, 1), (0.25, 2), (1, 2)]
)
def test_edges_have_three_widths(probability: float, step: int) -> None:
    assert style.edge_step(probability) == step
    assert style.edge_width(probability) == style.EDGE_WIDTHS[step]


def test_colours_are_those_of_the_app() -> None:
    assert style.NEUTRAL["topic"] == (style.TOPIC_BORDER, style.TOPIC_FILL)
    assert style.TEXT_COLOURS["light"] == style.TEXT
    assert style.FAINT_TEXT_COLOURS["light"] == style.FAINT_TEXT
    assert style.EDGE_COLOURS["strong"]["light"] == style.EDGE_COLOUR
    sheet = (ROOT / "assets" / "explorer" / "explorer.css").read_text()
    for name, kind in (("on", "on"), ("topic", "topic"), ("word", "present")):
        for theme in style.THEMES:
            paint = style.paint(kind, 1.0, style.DEFAULT_PALETTE, theme)
            block = sheet.split("@media (prefers-color-scheme: dark)")[theme == "dark"]
            assert f"--{name}: {paint.border};" in block
            if kind == "present":
                assert f"--{name}-fill: {paint.fill};" in block


# Texts of the template that the explorer fills in.
STRINGS = {name: text for name, text in explorer_strings().items() if isinstance(text, str)}


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.requested: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = ("src", "href", "action", "srcset", "poster", "data")
        self.requested += [value or "" for name, value in attributes if name in names]


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_requests_nothing_and_no_name_becomes_markup(kind: str) -> None:
    ids = sample().network.graph.topic_ids
    plain, evil = sample(), sample(Overlay(dict.fromkeys(ids, EVIL)))
    (page,) = export_files(plain, kind, "p.html").values()
    (attacked,) = export_files(evil, kind, "p.html").values()
    assert Tags(attacked.decode()).tags == Tags(page.decode()).tags
    assert Tags(page.decode()).requested == []
    assert "default-src 'none'" in page.decode()


@given(title=st.text() | st.just(EVIL) | st.just("</title><b onclick='x'>&lt;"))
def test_the_title_of_a_page_is_text_and_never_markup(title: str) -> None:
    def written(title: str) -> str:
        style = "explorer/explorer.css"
        page = web_page("explorer/explorer.html", title, {}, [], style, STRINGS)
        return page.decode()

    page, plain = written(title), written("")
    before, tag, after = plain.partition("<title>")
    assert page.startswith(before + tag)
    assert page.endswith(after)
    own = page[len(before + tag) : len(page) - len(after)]
    assert not set("<>\"'") & set(own)
    assert html.unescape(own) == title
    assert Tags(page).tags == Tags(plain).tags


@given(st.text() | st.just(EVIL))
def test_json_in_a_script_reads_back_and_ends_no_script(text: str) -> None:
    written = script_json({"a": text})
    assert json.loads(written) == {"a": text}
    assert not re.search(r"[<>&\u2028\u2029]", written)


def test_the_report_has_what_it_takes_to_repeat_the_run() -> None:
    run = sample()
    page = export_files(run, "report", "r.html")["r.html"].decode()
    description = (run.folder / "model" / "model.json").read_text()
    for name in ("model_hash", "vocabulary_hash"):
        assert re.search(rf'"{name}": "(\w+)"', description)[1] in page
    assert "<th>Seed</th><td>0</td>" in page
    assert "\N{MINUS SIGN}93.2" in page
    # A sentence without a metric comes first, and bars show which topics are frequent.
    guessed = 100 * run.summary["held_out"]["completion_recall10"]
    assert f"it guesses {guessed:.0f} in ten tries" in page
    assert page.index("Of 100 words hidden") < page.index("Exact bound")
    assert page.count('class="bar" style="width:100%"') == 1
    assert run.topic_labels[0] in page
    assert "Topic group" not in page


def reported_settings(settings: RunSettings) -> dict[str, str]:
    run = sample()
    run = replace(run, config={**run.config, "settings": settings_for_config(settings)})
    page = report_bytes(run, "r").decode()
    return dict(re.findall(r"<tr><th>([a-z ]+)</th><td[^>]*>(.*?)</td>", page))


@pytest.mark.parametrize(
    ("settings", "structure"),
    [
        (RunSettings("c", TrainingOptions(structure="learned")), "learned with the weights"),
        (RunSettings("c", TrainingOptions()), "proposed by dense-regions"),
        (
            RunSettings("c", TrainingOptions(start="gibbs"), "complete", learn_structure=True),
            "proposed by complete, pruned by the Gibbs start",
        ),
        (RunSettings("c", TrainingOptions(), graph_file="/at/home/g.csv"), "from g.csv"),
    ],
)
def test_the_report_states_where_the_graph_is_from(settings: RunSettings, structure: str) -> None:
    reported = reported_settings(settings)
    assert reported["structure"] == structure
    assert not {"learn structure", "method", "graph file"} & reported.keys()


@pytest.mark.parametrize(
    ("settings", "reported"),
    [
        (
            RunSettings("c", TrainingOptions(structure="learned")),
            {"accuracy", "held out", "structure seed"},
        ),
        (
            RunSettings(
                "c", TrainingOptions(start="gibbs", importance_samples=64), held_out_ids=("a",)
            ),
            {"accuracy", "held out ids", "importance share", "leave one out", "start epochs"},
        ),
        (
            RunSettings(
                "c", TrainingOptions(bound="likelihood", importance_samples=32, learning_rate=0.1)
            ),
            {"held out", "learning rate"},
        ),
        (
            RunSettings(
                "c",
                TrainingOptions(bound="jensen", optimizer="paper", learning_rate=0.1),
                graph_file="g.csv",
                topics=(3,),
                edges=9,
            ),
            {"edge scale", "graph weights", "held out"},
        ),
        (
            RunSettings("c", TrainingOptions(start="gibbs", optimizer="paper", weight_penalty=1.0)),
            {"accuracy", "edge scale", "held out", "leave one out", "start epochs"}
            | {"weight penalty"},
        ),
        (
            RunSettings("c", TrainingOptions(optimizer="paper", weight_penalty=1.0), topics=(3,)),
            {"accuracy", "edge scale", "held out", "topics"},
        ),
    ],
)
def test_the_report_lists_no_setting_that_changed_nothing(
    settings: RunSettings, reported: set[str]
) -> None:
    always = {"structure", "bound", "scope", "optimizer", "epochs", "start", "averaging"}
    always.add("importance samples")
    assert reported_settings(settings).keys() - always == reported


def test_the_report_shows_how_many_samples_the_likelihood_takes() -> None:
    reported = reported_settings(RunSettings("c", TrainingOptions(bound="likelihood")))
    assert reported["importance samples"] == str(TrainingOptions(bound="likelihood").n_samples)


def test_the_report_names_the_topic_groups() -> None:
    run = sample()
    of = np.arange(run.network.graph.n_topics) % 2 - 1
    run = replace(run, topic_groups=TopicGroups(of, ((0, 1),)))
    page = report_bytes(run, "r").decode()
    rows = re.findall(r'<span class="code">(.*?)</span></td><td>.*?</td><td>(.*?)</td>', page)
    assert {name for _, name in rows} == {"", " · ".join(run.vocabulary[:2])}
    for topic, name in rows:
        assert name == (run.topic_group_name(run.network.graph.topic_number[topic]) or "")
    assert report.GROUPS_NOTE in page


def test_the_report_lists_unclear_topics_last() -> None:
    run = sample()
    graph, listed = run.network.graph, r'<span class="code">(L[\d.]+)</span>'
    above = {graph.topic_ids[k] for k in graph.parent_idx[: graph.parent_ptr[graph.n_topics]]}
    ids = re.findall(listed, report_bytes(run, "r").decode())
    first = next(name for name in ids if name in above)
    coherence = tuple(0.0 if name == first else 0.5 for name in graph.topic_ids)
    page = report_bytes(replace(run, coherence=coherence), "r").decode()
    kept = [name for name in ids if name != first]
    assert first not in re.findall(listed, page)[: len(kept)]
    assert re.findall(listed, page)[: len(kept)] == kept


def test_the_report_counts_documents_as_the_pages_do() -> None:
    run = sample()
    stored = load_activations(run.folder / "model")
    assert stored is not None
    on = (stored.probability > 0.5).sum(axis=0) / len(stored.rows)
    page = report_bytes(run, "r").decode()
    assert f"Documents with the topic itself (% of {len(stored.rows):,})" in page
    rows = re.findall(r'<span class="code">(L[\d.]+)</span>.*?<td class="number">(.*?)<', page)
    assert len(rows) == 40
    for code, percent in rows:
        assert percent == f"{100 * on[run.network.graph.topic_number[code]]:.3g}"


def test_without_documents_the_report_counts_topics_shown_as_one_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report, "load_activations", lambda folder: None)
    run = sample(Overlay(merged={"L1.1": "L1.2"}))
    page = report_bytes(run, "r").decode()
    rows = dict(
        re.findall(r'<span class="code">(L[\d.]+)</span>.*?<td class="number">(.*?)<', page)
    )
    part, whole = (run.network.graph.topic_number[name] for name in ("L1.1", "L1.2"))
    either = 1 - (1 - run.prior[part]) * (1 - run.prior[whole])
    assert rows["L1.2"] == f"{100 * either:.3g}"


@given(models(), st.data())
def test_a_topic_is_in_the_topic_group_that_it_is_drawn_on(
    model: TopicModel, data: st.DataObject
) -> None:
    n_topics = model.network.graph.n_topics
    of = data.draw(st.lists(st.integers(-1, 2), min_size=n_topics, max_size=n_topics))
    model = replace(model, topic_groups=TopicGroups(np.array(of), ((0,),) * 3))
    placed = forest_of(model)
    by_topic = {place.topic: place for place in placed.places}
    for place in placed.places:
        head = place
        while head.parent >= 0:
            head = by_topic[head.parent]
        above = [group for top, group in placed.headings if top <= head.y]
        assert model.topic_group_of[place.topic] == (above[-1] if above else NO_GROUP)
    subtrees = Counter(model.topic_group_of[p.topic] for p in placed.places if p.parent < 0)
    assert all(count > 1 for group, count in subtrees.items() if group != NO_GROUP)
