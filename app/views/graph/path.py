"""Search for topics on the Graph page, and the path between two: its end, and its picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import streamlit as st

from ....core.data.suggestions import Suggestion, begun_by, complete, suggest
from ....core.drawing import explorer_strings
from ....core.drawing.links import is_node, node_key, node_name, shown_parents, topic_named
from ....core.drawing.path import (
    MAX_SHARED,
    is_real,
    path_picture,
    shared_words,
    strongest_path,
)
from ....core.drawing.strings import percent
from ....core.inference.thresholds import MIN_LINK_FOUND
from ....core.model.topic_model import Run
from ...components.graph_component import draw_graph
from ...shared import strings as shared_strings
from ...shared.topic_facts import Spellings, spellings
from ...shell import address, choice, memory, page
from ...text.safe_text import file_name, markdown_text
from . import strings

# Number of words that are searched for a text; a few letters occur in thousands of words.
MAX_CONTAINING = 50
# Lists of names and ids of topics that are cached in lower case; each model has one of each.
MAX_LISTS = 16


@dataclass(frozen=True)
class FoundNode:
    """A search result: the key and label of a node, and the reason why it was found."""

    key: str
    label: str
    reason: str


def find_nodes(run: Run, text: str) -> list[FoundNode]:
    """Topics, the word that equals the text, and its parents.

    A topic is found if its name has every typed word, or if its id equals the text. Topics are
    ordered by the strength of their link to the word, or to a word that contains the text.
    """
    words = text.lower().split()
    wanted = " ".join(words)
    if not wanted:
        return []
    graph = run.network.graph
    labels, ids = _in_lower_case(run.topic_labels), _in_lower_case(graph.topic_ids)
    topics: Sequence[int] = range(len(labels))
    for word in words:
        topics = [topic for topic in topics if word in labels[topic]]
    same = [topic for topic, code in enumerate(ids) if code == wanted]
    named = [
        FoundNode(node_key(run, topic), run.topic_labels[topic], _code(run, topic))
        for topic in sorted({*topics, *same} - run.wordless_topics)
    ]
    spelt = spellings(run.vocabulary)
    strength = _strengths(run, spelt, wanted)
    named.sort(key=lambda finding: -strength.get(finding.key, 0.0))
    found = {finding.key: finding for finding in named}
    for token in spelt.numbers.get(wanted, ()):
        key = node_key(run, graph.n_topics + token)
        found[key] = FoundNode(key, spelt.texts[token], run.terms.word)
        for finding in topics_of(run, token):
            reason = f"{spelt.texts[token]} {finding.reason}"
            found.setdefault(finding.key, replace(finding, reason=reason))
    return list(found.values())


@lru_cache(MAX_LISTS)
def _in_lower_case(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(str.lower, texts))


def _code(run: Run, topic: int) -> str:
    """Id of a topic, or what the model calls a topic if the id is its name."""
    code = run.network.graph.topic_ids[topic]
    return run.terms.topic if code == run.topic_labels[topic] else code


def begun_words(run: Run, text: str) -> list[FoundNode]:
    """Words of which every typed word begins a part."""
    return _found_words(run, begun_by(run, text))


def near_words(run: Run, text: str) -> list[FoundNode]:
    """Other forms of a word, or words that are spelt in a similar way."""
    forms = complete(run, text) if len(text.split()) == 1 else []
    return _found_words(run, forms or suggest(run, text))


def _found_words(run: Run, words: Sequence[Suggestion]) -> list[FoundNode]:
    n_topics = run.network.graph.n_topics
    return [
        FoundNode(node_key(run, n_topics + found.token), found.word, run.terms.word)
        for found in words
    ]


def _strengths(run: Run, spelt: Spellings, wanted: str) -> dict[str, float]:
    """Strongest link of each topic to the wanted word, or else to words that contain it."""
    tokens = spelt.numbers.get(wanted)
    tokens = tokens or [token for token, name in enumerate(spelt.lower) if wanted in name]
    found: dict[str, float] = {}
    for token in tokens[:MAX_CONTAINING]:
        for link in shown_parents(run, run.network.graph.n_topics + token):
            key = node_key(run, link.parent)
            found[key] = max(found.get(key, 0.0), link.probability)
    return found


def topics_of(run: Run, token: int) -> list[FoundNode]:
    """Parents of a word with the probabilities of their links, the strongest first."""
    node = run.network.graph.n_topics + token
    return [
        FoundNode(
            node_key(run, link.parent), run.topic_labels[link.parent], percent(link.probability)
        )
        for link in shown_parents(run, node, MIN_LINK_FOUND)
    ]


# Parameter of the address for the end of the path, and key of the search box for it.
END, FIND_END = "to", "path-find"
FOUND_SHOWN = 6


def end_of_way(run: Run, start: int) -> int:
    """End of the path in the address, or -1."""
    end = topic_named(run, address.get(END))
    return end if end != start and start < run.network.graph.n_topics else -1


def choose_end(run: Run, start: int) -> None:
    """Draw the search for the end of the path, or the chosen end with a button to remove it."""
    end, translated = end_of_way(run, start), run.terms.translated
    if end >= 0:
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="path-end"):
            with st.container(gap=None):
                st.caption(translated(strings.PATH_TO))
                st.markdown(f"**{markdown_text(run.topic_labels[end])}**")
            st.button("✕", key="path-close", type="tertiary", help=strings.PATH_CLOSE,
                      on_click=_keep, args=("",))  # fmt: skip
        return
    text = st.text_input(
        translated(strings.PATH_TO),
        key=FIND_END,
        placeholder=translated(strings.PATH_HINT),
        help=translated(strings.PATH_HELP),
        live=page.TYPING_PAUSE,
    )
    found = [topic for topic in _topics_found(run, text) if topic != start]
    if text.strip() and not found:
        nothing = translated(explorer_strings.NOTHING_FOUND)
        st.caption(nothing.format(text=markdown_text(text.strip())))
    with st.container(gap=None, key="path-found"):
        for topic in found[:FOUND_SHOWN]:
            code = run.network.graph.topic_ids[topic]
            label = markdown_text(run.topic_labels[topic])
            st.button(label, key=f"path-to-{code}", type="tertiary", on_click=_keep, args=(code,))


def _topics_found(run: Run, text: str) -> list[int]:
    """Shown topics that a search finds, the strongest first."""
    number = run.network.graph.topic_number
    keys = (finding.key.partition(":") for finding in find_nodes(run, text))
    topics = (number[code] for kind, _, code in keys if kind == "topic")
    return [
        topic for topic in topics if topic not in run.shown_as and topic not in run.hidden_topics
    ]


def _keep(code: str) -> None:
    address.put(END, code)
    memory.forget(FIND_END)


def show_way(run: Run, start: int, end: int, go_to: Callable[[str], None]) -> None:
    """Draw the strongest path and its strength."""
    path = strongest_path(run, start, end)
    names = [markdown_text(node_name(run, node)) for node in (start, end)]
    if path is None:
        st.info(shared_strings.NO_PATH.format(start=names[0], end=names[1]))
        return
    strengths = [link.probability for link in path.links]
    if not is_real(run, path):
        between = [markdown_text(node_name(run, node)) for node in path.nodes[1:-1]]
        st.info(shared_strings.no_real_path(names, between, math.prod(strengths)))
        return
    draw_graph(
        path_picture(run, path),
        key="graph-path",
        on_click=lambda clicked: go_to(clicked.node) if is_node(clicked.node) else None,
        can_open=False,
        save_as=file_name(choice.model_name(run), *(node_name(run, node) for node in (start, end))),
    )
    found = shared_strings.path(strengths, math.prod(strengths))
    if pairs := shared_words(run, path):
        shared = [
            (node_name(run, one.child), one.probability, other.probability) for one, other in pairs
        ]
        found = run.terms.translated(shared_strings.shared_words(shared[:MAX_SHARED], len(shared)))
    page.remark(markdown_text(found), hint=run.terms.translated(strings.HINT_FOCUS))
