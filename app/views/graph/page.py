"""Graph page: find a topic and walk along its links to its neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing.links import is_node, node_key, node_name, topic_named, word_text
from ....core.drawing.neighbourhood import FOLDABLE, Around, neighbourhood_picture, path_from_top
from ....core.drawing.question import read_question
from ....core.drawing.selection import shown_probability
from ....core.drawing.strings import percent
from ....core.inference.thresholds import MIN_TEXT_WORDS
from ....core.model.topic_model import Run
from ...components.graph_component import Clicked, draw_graph
from ...shared import stability, topic_card, topic_panel
from ...shared.answers import posterior_of
from ...shared.cached_maps import WEAKEST_LINK
from ...shared.topic_facts import spellings
from ...shell import address, choice, empty_states, memory, page
from ...text.safe_text import file_name, markdown_text, requested_name
from . import path, strings
from .overview import SKIP, WITHIN, show_overview
from .path import FoundNode, begun_words, find_nodes, near_words, topics_of

# Choices of the weakest shown link, as written in the address.
THRESHOLDS = ("0", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5")
DEFAULT_THRESHOLD = str(WEAKEST_LINK)
# Parameter of the address: what the width of a link shows, by default its probability.
WIDTH, BITS = "width", "bits"
# Results of a search that are shown at first: topics and words; and how many at most. The session
# value names the list that is shown whole.
FOUND_SHOWN, WORDS_SHOWN, MAX_FOUND = 8, 4, 150
OPENED = "found-opened"
# Words of a topic that its query has at least.
QUERY_WORDS = 3


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(strings.TITLE, strings.SENTENCE, strings.EMPTY)
    if run is None:
        return
    node = _focus(run)
    if node < 0:
        with st.container(
            horizontal=True, gap="large", vertical_alignment="top", key="overview-controls"
        ):
            with st.container():
                _search(run)
            with st.container(width=page.SIDE_WIDTH):
                threshold = _threshold(run)
            least = 0
            if stability.known_stability(run) is not None:
                with st.container(width=page.SIDE_WIDTH):
                    least = _least_found(run)
        show_overview(run, threshold, _go_to, least)
        return
    end = path.end_of_way(run, node)
    picture_column, side_column = page.picture_and_side(side_first=True)
    with side_column:
        _search(run)
        # A path may use weak links.
        threshold = _threshold(run) if end < 0 else 0.0
        least = _least_found(run) if end < 0 else 0
        by_bits = end < 0 and page.choose(WIDTH, strings.WIDTH, strings.WIDTHS) == BITS
        _show_details(run, node)
    with picture_column:
        _breadcrumb(run, node)
        if end < 0:
            rare = stability.rare_links(run, least)
            around = Around(node, threshold, Counter(_unfolded()), by_bits, rare)
            _show_picture(run, around, least)
        else:
            path.show_way(run, node, end, _go_to)


def _threshold(run: Run) -> float:
    """Draw the slider of the weakest shown link, and return its probability."""
    address.restore("min", DEFAULT_THRESHOLD, THRESHOLDS)
    chosen = st.select_slider(
        strings.THRESHOLD,
        THRESHOLDS,
        format_func=lambda text: percent(float(text)),
        key="min",
        on_change=address.keep,
        args=("min",),
        help=run.terms.translated(strings.THRESHOLD_HELP),
    )
    return float(chosen)


def _least_found(run: Run) -> int:
    """Draw the slider of stability, if it is known, and return the smallest number of trainings."""
    found = stability.known_stability(run)
    if found is None:
        return 0
    choices = tuple(map(str, range(found.times + 1)))
    address.restore("found", "0", choices)
    chosen = st.select_slider(
        strings.FOUND,
        choices,
        format_func=lambda text: strings.found_in(int(text), found.times),
        key="found",
        on_change=address.keep,
        args=("found",),
        help=strings.FOUND_HELP,
    )
    return int(chosen)


def _focus(run: Run) -> int:
    """Node that the address names, or -1 for the whole model; warns if there is no such node.

    For a topic that is shown as part of another one, the other one is returned.
    """
    name, word = address.get("topic"), address.get("word")
    topic = topic_named(run, name)
    if topic >= 0:
        return topic
    token = spellings(run.vocabulary).number.get(word) if word else None
    if token is not None:
        return run.network.graph.n_topics + token
    if name or word:
        sentence = strings.GONE if name else strings.GONE_WORD
        st.warning(sentence.format(text=requested_name(name or word)))
    return -1


def _search(run: Run) -> None:
    """Draw the search box and its results, each a button that opens a topic or word."""
    address.restore("find", "")
    text = st.text_input(
        run.terms.translated(explorer_strings.FIND),
        key="find",
        placeholder=run.terms.translated(explorer_strings.FIND_HINT),
        live=page.TYPING_PAUSE,
        on_change=address.keep,
        args=("find",),
    )
    if not text.strip():
        return
    found = find_nodes(run, text)
    words = [word for word in begun_words(run, text) if word.key not in {one.key for one in found}]
    if not found and not words:
        words = near_words(run, text)
        typed = requested_name(text.strip())
        nothing = run.terms.translated(explorer_strings.NOTHING_FOUND)
        st.caption(nothing.format(text=typed))
        if words:
            st.caption(explorer_strings.NEAR_WORDS.format(word=typed))
    first = [*found[:FOUND_SHOWN], *words[:WORDS_SHOWN]]
    rest = [*found[FOUND_SHOWN:], *words[WORDS_SHOWN:]]
    # Beside each other, so that they are seen as buttons and the map stays where it is.
    with st.container(horizontal=True, gap="xsmall", key="found-list"):
        _show_findings([*first, *rest], len(first), f"find:{text.strip()}", "found", "secondary")


def _show_findings(
    findings: Sequence[FoundNode],
    count: int,
    opened: str,
    place: str,
    look: Literal["secondary", "tertiary"] = "tertiary",
) -> None:
    """Draw the first results, and a button that shows the others.

    ``opened`` names the list, of which all is shown after a click until another one is opened.
    """
    is_open = memory.recall(OPENED) == opened
    most = max(count, MAX_FOUND) if is_open else count
    for finding in findings[:most]:
        _show_finding(finding, place, look)
    n_more = len(findings) - most
    if n_more > 0 and is_open:
        st.caption(explorer_strings.MORE_FOUND.format(count=n_more))
    elif n_more > 0:
        st.button(
            explorer_strings.SHOW_FOUND.format(count=n_more),
            key=f"{place}-all",
            type="tertiary",
            icon=":material/expand_more:",
            on_click=memory.remember,
            args=(OPENED, opened),
        )


def _show_finding(
    finding: FoundNode, place: str, look: Literal["secondary", "tertiary"] = "tertiary"
) -> None:
    st.button(
        f"{markdown_text(finding.label)} :small[:gray[{markdown_text(finding.reason)}]]",
        key=f"{place}-{finding.key}",
        type=look,
        on_click=_go_to,
        args=(finding.key,),
    )


def _breadcrumb(run: Run, node: int) -> None:
    """Draw the path from the top of the model to a node, with a button for each step."""
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="breadcrumb"):
        st.button(
            run.terms.translated(explorer_strings.WHOLE),
            key="to-whole",
            type="tertiary",
            on_click=_go_to,
            args=("",),
        )
        *above, here = path_from_top(run, node)
        if node >= run.network.graph.n_topics and not run.has_layers:
            # Many topics lead to the word, and a reader came from any of them.
            above = []
        for topic in above:
            key = node_key(run, topic)
            st.caption("›", width="content")
            label = markdown_text(run.topic_labels[topic])
            st.button(label, key=f"to-{key}", type="tertiary", on_click=_go_to, args=(key,))
        st.caption("›", width="content")
        st.markdown(f"**{markdown_text(node_name(run, here))}**", width="content")


def _show_picture(run: Run, around: Around, least: int) -> None:
    """Draw the neighbourhood of a node, and a remark about hidden links."""
    picture = neighbourhood_picture(stability.without_rare_topics(run, least), around)
    found, counts = stability.known_stability(run), picture.counts
    hidden = strings.hidden(counts["hidden"], around.threshold, picture.left_out_nodes)
    rare = strings.rare_links(counts["rare"], least, found.times) if found is not None else ""
    draw_graph(
        picture,
        key="graph-graph",
        on_click=_react,
        can_open=False,
        save_as=file_name(choice.model_name(run), node_name(run, around.node)),
    )
    notes = hidden, rare, strings.BITS_NOTE if around.by_bits else ""
    page.remark(*map(run.terms.translated, notes), hint=run.terms.translated(strings.HINT_FOCUS))


def _show_details(run: Run, node: int) -> None:
    """Draw a topic with its card and actions, or a word with its parents, the strongest first."""
    n_topics = run.network.graph.n_topics
    with st.container(border=True, gap="xsmall", key="details"):
        if node >= n_topics:
            st.markdown(f"**{markdown_text(node_name(run, node))}**")
            findings = topics_of(run, node - n_topics)
            title = explorer_strings.WORD_TITLE if findings else explorer_strings.NO_TOPICS
            st.caption(run.terms.translated(title))
            with st.container(gap=None):
                _show_findings(findings, FOUND_SHOWN, f"brings:{node}", "brings")
            return
        topic_card.show_card(run, node, "")
        has_words = bool(run.shown_words(node, 1))
        with st.container(horizontal=True, gap="small"):
            topic_panel.offer(run, node, _go_to)
            label = run.terms.translated(strings.ASK)
            if has_words and st.button(label, key="ask", type="tertiary"):
                page.open_query(" ".join(query_words(run, node)))
        path.choose_end(run, node)


def query_words(run: Run, topic: int) -> list[str]:
    """The first words of a topic: as many as needed that it is the most probable answer.

    At least `QUERY_WORDS`, and fewer than are read as a whole text.
    """
    words = [word_text(word) for word, _, _ in run.shown_words(topic, MIN_TEXT_WORDS - 1)]
    for count in range(QUERY_WORDS, len(words) + 1):
        evidence = read_question(run, " ".join(words[:count])).evidence(closed_world=False)
        known = shown_probability(run, posterior_of(run.network, evidence))
        if max(known, key=known.__getitem__, default=-1) == topic:
            return words[:count]
    return words[:QUERY_WORDS]


def _unfolded() -> list[str]:
    """Kinds of neighbours that the address unfolds, with repetition: ``more=words,words``."""
    return [kind for kind in address.get("more").split(",") if kind in FOLDABLE]


def _react(clicked: Clicked) -> None:
    """Go to the clicked node, or unfold or fold a kind of neighbours, in the address."""
    kind, _, name = clicked.node.partition(":")
    if kind == "fold":
        address.put("more", ",".join([*_unfolded(), name]))
    elif kind == "less":
        address.put("more", ",".join(other for other in _unfolded() if other != name))
    elif is_node(clicked.node):
        _go_to(clicked.node)


def _go_to(key: str) -> None:
    """Show the neighbourhood of a node, or the whole model for an empty key."""
    kind, _, name = key.partition(":")
    here = dict.fromkeys(("topic", "word", "more", "find", path.END, WITHIN, SKIP), "")
    address.put_all(**here | ({kind: name} if kind else {}))
