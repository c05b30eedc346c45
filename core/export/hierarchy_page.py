"""The hierarchy of topics as one page: an interactive picture with search, and no network."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..drawing import style
from ..drawing.hierarchy_layout import BOX_HEIGHT, BOX_WIDTH
from ..drawing.svg import caption, forest_of, headings
from ..drawing.web_page import asset, vis_network_source, web_page
from ..model.network import weight_to_probability
from ..model.topic_model import TopicModel

WORDS_SHOWN, LINKS_SHOWN = 12, 12


def hierarchy_bytes(model: TopicModel, title: str) -> bytes:
    """Content of the page: the picture's library is inside, labels are data and never markup."""
    forest = forest_of(model)
    topics = {
        topic: _topic(model, topic)
        for topic in range(model.network.graph.n_topics)
        if topic not in model.wordless_topics
    }
    for place in forest.places:
        held = model.network.graph.topic_ids[place.parent] if place.parent >= 0 else ""
        topics[place.topic] |= {"x": place.x, "y": place.y, "held": held}
        above = topics[place.topic]["above"]
        # A topic may hang by a link of a part of it, or by none of its strongest.
        if held and held not in [parent for parent, *_ in above]:
            width = style.edge_width(place.probability)
            above.append([held, round(place.probability, 4), width])
    data = {
        "title": title,
        "caption": " ".join(caption(model, forest)),
        "topics": list(topics.values()),
        "box": [BOX_WIDTH, BOX_HEIGHT],
        "headings": headings(model, forest),
    }
    scripts = [
        # The library looks for a module's exports before it makes a name of its own.
        f"const vis = (function () {{ const exports = {{}}; const module = {{ exports }};\n"
        f"{vis_network_source()}\nreturn exports; }})();",
        asset("hierarchy/hierarchy.js"),
    ]
    return web_page("hierarchy/hierarchy.html", title, data, scripts, "hierarchy/hierarchy.css")


def _topic(model: TopicModel, topic: int) -> dict[str, Any]:
    graph, network = model.network.graph, model.network
    incoming = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
    outgoing = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    above, below = graph.parents(topic), graph.child_idx[outgoing]
    silent = sorted(model.wordless_topics)
    is_topic = (below < graph.n_topics) & ~np.isin(below, silent)
    has_words = ~np.isin(above, silent)
    words = model.shown_words(topic, WORDS_SHOWN)
    return {
        "id": graph.topic_ids[topic],
        "label": model.topic_labels[topic],
        "short": style.shortened(model.topic_labels[topic]),
        "made": model.made_labels[topic],
        "hidden": topic in model.hidden_topics,
        # What is hidden stands nowhere.
        "shelf": "" if topic in model.hidden_topics else model.shelf_name(topic) or "",
        "words": [
            [word.replace("_", " "), round(probability, 4)] for word, probability, _ in words
        ],
        "above": _links(model, above[has_words], network.weight[incoming][has_words]),
        "below": _links(
            model, below[is_topic], network.weight[graph.child_edge[outgoing]][is_topic]
        ),
    }


def _links(model: TopicModel, topics: Any, weights: Any) -> list[list[Any]]:
    """Id, probability and width of the strongest links, the strongest first."""
    probability = weight_to_probability(weights)
    best = np.argsort(-probability, kind="stable")[:LINKS_SHOWN]
    ids = model.network.graph.topic_ids
    return [
        [ids[topics[b]], round(float(probability[b]), 4), style.edge_width(float(probability[b]))]
        for b in best
    ]
