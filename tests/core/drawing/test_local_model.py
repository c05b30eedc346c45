"""The picture of a query: Figure 2 of the paper, with everything named and nothing overlapping."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from orrery.core.drawing import strings as drawing_strings
from orrery.core.drawing.local_model import Look, query_picture
from orrery.core.drawing.picture import MAX_EDGES, MAX_NODES, canvas_data
from orrery.core.drawing.question import read_question
from orrery.core.drawing.selection import quiet_topics, shown_probability
from orrery.core.drawing.strings import figures, figures_of, is_unsure
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.thresholds import (
    ALTERNATIVES,
    LIKELIEST_SHOWN,
    LINKS_KEPT,
    LONG_QUERY,
    MAX_ALTERNATIVES,
    OFF_SHOWN,
)
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests.app.toy import large_run, run_of, toy_run

RUN = toy_run()


def picture_of(text, look=None, run=RUN, closed_world=False):
    question = read_question(run, text)
    posterior = infer(run.network, question.evidence(closed_world=closed_world))
    return query_picture(run, posterior, question.typed, look or Look()), posterior


def pretended(run, tokens, probability):
    """A posterior over the ancestors of some tokens with probabilities that the test chooses."""
    real = infer(run.network, Evidence(tuple(tokens), closed_world=True))
    chosen = np.resize(np.asarray(probability, float), len(real.local.topics))
    return replace(real, probability=chosen, error=np.zeros(len(chosen)), samples=None)


def test_topics_above_one_half_are_on_and_show_it_three_times():
    picture, posterior = picture_of("star pitch bass program")
    probability = dict(zip(posterior.local.topics, posterior.probability, strict=True))
    shown = {node.code: node for node in picture.nodes if node.code}
    for topic, value in probability.items():
        node = shown.get(RUN.network.graph.topic_ids[topic])
        assert node or value <= 0.3
        if node:
            assert node.kind == ("on" if value > 0.5 else "off")
    for node in canvas_data(picture)["nodes"]:
        if node["code"]:
            unsure = is_unsure(shown[node["code"]].probability)
            on = shown[node["code"]].kind == "on"
            assert node["mark"] == ("◐" if unsure else "●" if on else "○")
            assert node["figures"]
            assert node["small"] == (node["mark"] == "○")
            assert bool(node["dash"]) == unsure
            assert node["border"] == (1.5 if unsure else 2.0 if node["mark"] == "●" else 1.0)


def test_exactly_one_half_is_off():
    posterior = pretended(RUN, [0], [0.5])
    picture = query_picture(RUN, posterior, (), Look())
    assert {node.kind for node in picture.nodes} == {"off"}


def test_words_stand_at_the_bottom_in_typed_order():
    picture, _ = picture_of("program zzz -memory pitch star")
    centre = picture.placement.centre
    bottom = max(y for _, y in centre.values())
    line = sorted((x, key) for key, (x, y) in centre.items() if y == bottom)
    names = ["word:program", "word:memory", "word:pitch", "word:star"]
    assert [key for _, key in line] == names
    kinds = {node.key: node.kind for node in picture.nodes}
    assert [kinds[name] for name in names] == ["present", "absent", "present", "present"]


def test_arrows_are_those_of_the_local_model_with_their_strength():
    picture, posterior = picture_of("star pitch", Look(show_quiet=True))
    weight = RUN.network.weight[posterior.local.edge]
    assert len(picture.edges) == len(weight)
    assert sorted(edge.probability for edge in picture.edges) == pytest.approx(
        sorted(1 - np.exp(-weight))
    )
    on = {node.key for node in picture.nodes if node.kind in ("on", "present")}
    for edge in picture.edges:
        assert edge.strong == (edge.parent in on and edge.child in on)


def test_an_arrow_is_dark_only_where_both_ends_are_on():
    words = [RUN.vocabulary.index(name) for name in ("bass", "pitch")]
    real = pretended(RUN, words, [0.5])
    # Topics above sport and music are on, those two are off: the arrows between are pale.
    probability = np.where(real.local.topics < 5, 0.9, 0.1)
    posterior = pretended(RUN, words, probability)
    edges = query_picture(RUN, posterior, (), Look()).edges
    assert edges
    assert not any(edge.strong for edge in edges)


def test_a_word_given_as_absent_is_tied_to_the_topics_that_are_drawn():
    picture, _ = picture_of("windows -memory", Look(show_quiet=True))
    parents = {edge.parent for edge in picture.edges if edge.child == "word:memory"}
    assert "topic:T0007" in parents
    assert not any(edge.strong for edge in picture.edges if edge.child == "word:memory")


def test_quiet_topics_are_folded_and_counted_without_a_request():
    text = "star pitch bass program"
    folded, posterior = picture_of(text, closed_world=True)
    unfolded, _ = picture_of(text, Look(show_quiet=True), closed_world=True)
    away = {node.key for node in unfolded.nodes} - {node.key for node in folded.nodes}
    quiet = [node for node in unfolded.nodes if node.key in away]
    assert quiet
    assert all(node.probability < 0.02 for node in quiet)
    assert folded.counts["quiet"] == unfolded.counts["quiet"] == len(quiet)
    assert folded.counts["off"] == unfolded.counts["off"] >= len(quiet)
    assert len(posterior.local.topics) == sum(bool(node.code) for node in unfolded.nodes)
    entry = next(item for item in folded.legend if item.switch == "quiet")
    assert str(len(quiet)) in entry.text
    assert not entry.pressed


def test_of_a_graph_the_most_probable_causes_are_drawn_and_no_word_is_without_one():
    n_causes = 12
    words = [n_causes] * n_causes + [n_causes + 1] * 2
    causes = [*range(n_causes), 0, 1]
    graph, order = build_graph(2, [f"c{n:02d}" for n in range(n_causes)], causes, words)
    # The first two are the strongest of the first word, but rare; the second word has only them.
    weight = np.array([0.9, 0.8, *[0.5] * (n_causes - 2), 0.4, 0.3])[order]
    leak = np.full(n_causes + 2, 0.05)
    leak[:2], leak[2:n_causes] = 1e-4, 0.02 * np.arange(1, n_causes - 1)
    run = run_of(build_network(graph, weight, leak), ("cough", "rash"))
    assert run.has_texts
    graph_run = replace(run, config={"corpus": None, "settings": {"adopted": {}}})
    assert not graph_run.has_texts

    def drawn(model, present):
        posterior = infer(model.network, Evidence(present, closed_world=False))
        known = shown_probability(model, posterior)
        kept = set(known) - quiet_topics(model, posterior)
        return kept, sorted(known, key=known.__getitem__, reverse=True)

    kept, ranked = drawn(graph_run, (0,))
    assert kept == set(ranked[:LIKELIEST_SHOWN])
    assert drawn(run, (0,))[0] == kept | {0, 1}
    kept, ranked = drawn(graph_run, (0, 1))
    assert kept == {*ranked[:LIKELIEST_SHOWN], 0}


def test_the_meanings_that_were_ruled_out_are_always_drawn():
    picture, posterior = picture_of("windows memory program", closed_world=True)
    kinds = {node.code: node.kind for node in picture.nodes}
    probability = dict(zip(posterior.local.topics, posterior.probability, strict=True))
    assert kinds["T0007"] == "on"
    ruled_out = [topic for topic in (5, 10) if probability[topic] < 0.02]
    assert ruled_out
    assert any(kinds.get(RUN.network.graph.topic_ids[topic]) == "off" for topic in ruled_out)


@pytest.mark.parametrize("hidden", ["on", "unsure", "off", "words"])
def test_the_legend_is_the_filter(hidden):
    every, _ = picture_of("star pitch bass program")
    picture, _ = picture_of("star pitch bass program", Look(hidden=frozenset({hidden})))
    kinds = {"words": "present"}.get(hidden, hidden)
    assert any(node.group == kinds for node in every.nodes)
    assert all(node.group != kinds for node in picture.nodes)
    assert [item.pressed for item in picture.legend if item.switch == hidden] == [False]
    keys = {node.key for node in picture.nodes}
    assert all({edge.parent, edge.child} <= keys for edge in picture.edges)


@pytest.mark.parametrize("hidden", ["", "off"])
def test_pale_arrows_are_explained_where_there_are_any(hidden):
    kinds = frozenset({hidden, "unsure"} if hidden else ())
    picture, _ = picture_of("star pitch bass program", Look(hidden=kinds))
    has_pale = any(not edge.strong for edge in picture.edges)
    assert has_pale == (hidden == "")
    assert any(item.kind == "edge-pale" for item in picture.legend) == has_pale


def test_everything_hidden_is_an_empty_picture_with_its_legend():
    picture, _ = picture_of("star", Look(hidden=frozenset({"on", "unsure", "off", "words"})))
    assert picture.nodes == ()
    assert len(picture.legend) >= 6


def test_hover_has_the_whole_label_the_probability_and_three_influences():
    picture, _ = picture_of("star pitch bass program")
    node = next(node for node in picture.nodes if node.code == "T0010")
    assert node.hover[0] == RUN.topic_labels[10]
    assert "T0010" in node.hover[1]
    assert "probability" in node.hover[1]
    assert len(node.hover) == 2 + 3
    assert any(line.startswith(f"from {RUN.topic_labels[2]}") for line in node.hover)


def test_labels_stay_plain_text():
    picture, _ = picture_of("<img_src=x_onerror=alert(1)> growth")
    texts = [node["lines"] for node in canvas_data(picture)["nodes"]]
    assert ["<img src=x onerror=alert(1)>"] in texts


def test_the_data_are_plain_and_the_same_every_time():
    first, _ = picture_of("star pitch bass program")
    second, _ = picture_of("star pitch bass program")
    assert json.dumps(canvas_data(first)) == json.dumps(canvas_data(second))


@pytest.mark.parametrize("seed", range(3))
def test_sixty_nodes_do_not_overlap_and_their_letters_fit(seed):
    run = large_run(120, 400, seed, links=4)
    posterior = pretended(run, range(0, 40, 4), np.linspace(0.03, 0.99, 17))
    question = read_question(run, " ".join(run.vocabulary[0:40:4]))
    picture = query_picture(run, posterior, question.typed, Look(show_quiet=True))
    assert len(picture.nodes) >= 40
    centre = picture.placement.centre
    for a, b in itertools.combinations(picture.nodes, 2):
        apart_x = abs(centre[a.key][0] - centre[b.key][0]) >= (a.size[0] + b.size[0]) / 2
        apart_y = abs(centre[a.key][1] - centre[b.key][1]) >= (a.size[1] + b.size[1]) / 2
        assert apart_x or apart_y
    assert picture.placement.width <= 900


def test_a_huge_local_model_is_cut_to_what_can_be_taken_in():
    run = large_run(700, 300, 0, links=8)
    posterior = pretended(run, range(60), np.linspace(0.03, 0.99, 101))
    typed = read_question(run, " ".join(run.vocabulary[:60])).typed
    picture = query_picture(run, posterior, typed, Look(show_quiet=True))
    assert len(picture.nodes) == MAX_NODES
    assert len(picture.edges) <= MAX_EDGES
    to_be_shown = ~np.isin(posterior.local.topics, list(run.hidden_topics))
    assert picture.left_out_nodes == to_be_shown.sum() + 60 - MAX_NODES > 0
    assert sum(node.layer == 0 for node in picture.nodes) == 60
    shown = [node.probability for node in picture.nodes if node.code]
    assert min(shown) >= np.sort(posterior.probability[to_be_shown])[-len(shown)]


def test_too_many_arrows_are_cut_to_the_strongest():
    n_words = LONG_QUERY
    run = large_run(200, 60, 3, links=30)
    posterior = pretended(run, range(n_words), [0.9])
    typed = read_question(run, " ".join(run.vocabulary[:n_words])).typed
    picture = query_picture(run, posterior, typed, Look())
    assert len(picture.edges) == MAX_EDGES
    assert picture.left_out_edges > 0


def test_of_many_topics_that_are_off_the_likeliest_are_drawn():
    run = large_run(120, 400, 0, links=4)
    posterior = pretended(run, (0,), np.linspace(0.03, 0.49, 97))
    typed = read_question(run, run.vocabulary[0]).typed
    picture = query_picture(run, posterior, typed, Look())
    drawn = {node.code: node.probability for node in picture.nodes if node.code}
    likeliest = np.sort(posterior.probability)[::-1][:OFF_SHOWN]
    assert set(likeliest) <= set(drawn.values())
    assert len(drawn) <= OFF_SHOWN + ALTERNATIVES
    everything = query_picture(run, posterior, typed, Look(show_quiet=True))
    assert len(everything.nodes) >= len(picture.nodes)


def held_picture(text, hidden=frozenset(), **held):
    question = read_question(RUN, text)
    numbers = {RUN.network.graph.topic_ids.index(name): how for name, how in held.items()}
    free = infer(RUN.network, question.evidence(closed_world=False))
    posterior = infer(RUN.network, question.evidence(closed_world=False, clamped=numbers))
    return query_picture(RUN, posterior, question.typed, Look(hidden=hidden), free)


def test_what_is_held_is_pinned_and_drawn_however_improbable():
    data = canvas_data(held_picture("nasa orbit", T0005="off", T0012="on"))
    nodes = {node["id"]: node for node in data["nodes"]}
    assert nodes["topic:T0005"]["figures"] == "set off"
    assert nodes["topic:T0012"]["figures"] == "set on"
    assert {key for key, node in nodes.items() if node["pinned"]} == {"topic:T0005", "topic:T0012"}
    assert any(entry["kind"] == "pin" for entry in data["legend"])


def test_a_topic_that_moved_states_from_where():
    picture = held_picture("nasa program", T0005="off")
    moved = {node.code: node for node in picture.nodes if node.before is not None}
    shown = {node["code"]: node["figures"] for node in canvas_data(picture)["nodes"]}
    node = moved["T0007"]
    assert shown["T0007"] == f"{figures_of(node.before)} → {figures(node.probability)}"
    free, _ = picture_of("nasa program")
    assert not any("→" in node["figures"] for node in canvas_data(free)["nodes"])


def test_changes_within_the_noise_are_not_reported():
    before = pretended(RUN, [0], [0.4])
    for now, error, has_moved in ((0.44, 0.03, False), (0.44, 0.001, True), (0.4, 0.0, False)):
        posterior = pretended(RUN, [0], [now])
        posterior = replace(posterior, error=np.full(len(posterior.probability), error))
        picture = query_picture(RUN, posterior, (), Look(), before)
        figures = [node["figures"] for node in canvas_data(picture)["nodes"]]
        assert figures
        assert all(("→" in text) == has_moved for text in figures)


@pytest.mark.parametrize("probability", [0.1, 0.31, 0.5, 0.69, 0.9])
def test_unsure_boxes_are_explained_where_there_are_any(probability):
    picture = query_picture(RUN, pretended(RUN, [0], [probability]), (), Look())
    is_unsure = 0.3 < probability < 0.7
    (entry,) = [item for item in picture.legend if item.kind == "unsure"]
    assert entry.text.startswith("unsure 0") != is_unsure
    assert entry.text.endswith("(0.3 to 0.7)")
    assert all(bool(node["dash"]) == is_unsure for node in canvas_data(picture)["nodes"])
    assert all(
        (drawing_strings.LEGEND_UNSURE in node.hover[1]) == is_unsure for node in picture.nodes
    )


def test_a_topic_that_falls_silent_when_another_is_held_stays_in_the_picture():
    run = large_run(120, 400, 0, links=4)
    typed = read_question(run, run.vocabulary[0]).typed
    before, after = (pretended(run, (0,), [probability]) for probability in (0.9, 0.001))
    alone = query_picture(run, after, typed, Look())
    moved = query_picture(run, after, typed, Look(), before)
    assert len(alone.nodes) < len(moved.nodes)
    assert sum(bool(node.code) for node in moved.nodes) == len(after.local.topics)


def test_a_held_topic_that_no_typed_word_leads_to_is_drawn():
    nodes = {node.code: node for node in held_picture("nasa", T0012="off").nodes}
    assert nodes["T0012"].clamped


def test_a_word_left_open_shows_how_much_it_is_to_be_expected():
    picture, _ = picture_of("nasa orbit ?shuttle")
    node = next(node for node in picture.nodes if node.key == "word:shuttle")
    assert node.kind == "unknown"
    assert any("to be expected with probability 0.7" in line for line in node.hover)
    assert any(edge.child == "word:shuttle" for edge in picture.edges)


def test_of_a_long_query_the_strongest_links_and_few_ruled_out_meanings_are_drawn():
    run = large_run(200, 300, 1, links=8)
    n_words = LONG_QUERY + 3
    posterior = pretended(run, range(n_words), [0.01])
    typed = read_question(run, " ".join(run.vocabulary[:n_words])).typed
    picture = query_picture(run, posterior, typed, Look())
    above = [edge.child for edge in picture.edges]
    assert max(map(above.count, above)) <= LINKS_KEPT
    assert picture.left_out_edges == len(posterior.local.edge) - sum(
        min(LINKS_KEPT, count)
        for count in np.unique(posterior.local.edge_child, return_counts=True)[1]
    )
    assert sum(bool(node.code) for node in picture.nodes) <= MAX_ALTERNATIVES + OFF_SHOWN


@pytest.mark.parametrize("seed", range(3))
def test_holding_a_topic_moves_no_box(seed):
    run = large_run(120, 300, seed, links=4)
    typed = read_question(run, " ".join(run.vocabulary[:4])).typed
    tokens = tuple(word.token for word in typed)
    before = infer(run.network, Evidence(tokens, closed_world=False))
    place = query_picture(run, before, typed, Look()).placement.centre
    new = 0
    for topic in before.local.topics.tolist():
        for state in ({"on": (topic,)}, {"off": (topic,)}):
            after = infer(run.network, Evidence(tokens, closed_world=False, **state))
            moved = query_picture(run, after, typed, Look(), before).placement.centre
            assert {key: moved[key] for key in place} == place
            new += len(moved) > len(place)
    assert new, "none of them brings a box that was folded"


def test_rows_of_one_layer_stand_on_one_band():
    run = large_run(120, 300, 0, links=4)
    picture, _ = picture_of(" ".join(run.vocabulary[:6]), Look(show_quiet=True), run)
    layers = {node.layer for node in picture.nodes}
    assert len(canvas_data(picture)["bands"]) == len(layers)
