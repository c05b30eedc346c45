"""Models of every shape, with names that look like markup, and the sample under such a name."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from orrery.core.data.recipe import Recipe
from orrery.core.model.network import build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_model import Run, TopicModel
from orrery.core.model.topic_names import topic_labels
from orrery.core.storage.runs import load_run
from tests.conftest import ROOT
from tests.core.storage.test_graphs import networks

EVIL = "</script><img src=x onerror=\"document.title='gone'\"> ]]> {{data}} &amp; <!--"
SAMPLE = ROOT / "sample_data" / "run"


@st.composite
def models(draw: st.DrawFn) -> TopicModel:
    """Any network with any names, some topics named or hidden by a person."""
    graph, words, weight, leak = draw(networks())
    network = build_network(graph, weight, leak)
    made = tuple(topic_labels(network, words))
    topics = st.sampled_from(graph.topic_ids)
    overlay = Overlay(draw(st.dictionaries(topics, st.just(EVIL))), draw(st.frozensets(topics)))
    shown = overlay.shown_labels(graph.topic_ids, made)
    return TopicModel(network, words, Recipe(stop_words=()), shown, made, overlay, {})


def sample(overlay: Overlay | None = None) -> Run:
    """The sample with an overlay on its topics."""
    run = load_run(SAMPLE)
    overlay = overlay or Overlay()
    shown = overlay.shown_labels(run.network.graph.topic_ids, run.made_labels)
    return replace(run, overlay=overlay, topic_labels=shown)
