"""Overview of the model as a map of nested boxes, in which a click opens a topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing import strings as drawing_strings
from ....core.drawing.links import node_key, shown_parents, word_text
from ....core.evaluation.repeated_passages import Passage
from ....core.model.topic_groups import NO_GROUP
from ....core.model.topic_model import Run
from ....core.storage.stability import FILE as STABILITY
from ....core.utils.parsing import read_whole_number
from ...components.map_component import MapBox, draw_map
from ...shared import cached_facts, cached_maps, stability, topic_strings
from ...shared.cached_maps import SizedTree
from ...shared.topic_facts import TopicSizes
from ...shared.topic_map import ASIDE, Cell, Tree, in_topic_groups, map_topics
from ...shell import address, choice
from ...shell.loaders import version_of
from ...text.safe_text import file_name, markdown_text
from . import strings

HOVER_WORDS = 6
# Key of the box of topics that are set aside, as in the offline explorer.
ASIDE_KEY = "shelf:aside"
# Parts of maps in the cache, up to a megabyte each.
MAX_DRAWN = 32
# Parameters of the address: the topic whose subtree the map shows, and the number of its largest
# topics that are skipped.
WITHIN, SKIP = "in", "skip"


def show_overview(
    every: Run, threshold: float, go_to: Callable[[str], None], least: int = 0
) -> None:
    """Draw the map and call ``go_to`` with the key of a topic that is clicked.

    Without the topics that fewer than ``least`` trainings found again.
    """
    run, found = stability.without_rare_topics(every, least), stability.known_stability(every)
    n_rare = len(every.displayed_topics) - len(run.displayed_topics)
    if found is not None and n_rare and not run.displayed_topics:
        st.caption(strings.no_topic(least, found.times))
        return
    rare = strings.rare_topics(n_rare, least, found.times) if found is not None and n_rare else ""
    sized = cached_maps.sized_tree(run, threshold)
    tree, sizes = sized.tree, sized.subtree
    whole = cached_maps.sized_tree(every, threshold).tree if rare else tree
    topic = run.network.graph.topic_number.get(address.get(WITHIN), -1)
    root = topic if tree.below.get(topic) else -1
    n_around = len(tree.roots if root < 0 else tree.below[root])
    number = read_whole_number(address.get(SKIP)) or 0
    skip = number if number < n_around else 0
    _show_way_back(run, root, skip)

    cells, boxes = _map(run, threshold, root, skip)
    if not sizes.documents and not any(tree.below.values()):
        boxes = _without_equal_figures(run, boxes)
    draw_map(
        boxes,
        description=run.terms.translated(explorer_strings.MAP_DESCRIPTION),
        caption=" ".join(filter(None, (_caption(every, whole, cells, sizes), rare))),
        save_as=file_name(choice.model_name(run), strings.MAP_FILE),
        key="graph-map",
        on_click=lambda key: _react(key, root, skip, cells, go_to),
    )


# Each letter of a search draws the page again.
@st.cache_resource(
    max_entries=MAX_DRAWN,
    show_spinner=False,
    hash_funcs={
        Run: lambda run: (
            *version_of(run.folder),
            *version_of(run.folder / "model", STABILITY),
            *run.as_shown,
            hash(run.topic_labels),
        )
    },
)
def _map(
    run: Run, threshold: float, root: int, skip: int
) -> tuple[tuple[Cell, ...], tuple[MapBox, ...]]:
    """Cells and boxes of a part of the map; callers must not change them."""
    sized = cached_maps.sized_tree(run, threshold)
    cells = map_topics(sized.tree, root, skip)
    if root < 0 and run.topic_groups is not None:
        cells = in_topic_groups(cells, run.topic_group_of)
    largest = sized.tree.most_frequent(sized.own.size)
    passages = cached_facts.passages(run)
    boxes = (_box(run, cell, root, sized, largest, passages) for cell in cells)
    shares = stability.share_found(run)
    return cells, tuple(
        replace(box, found=shares[cell.topic]) if cell.is_topic else box
        for box, cell in zip(boxes, cells, strict=True)
    )


def _without_equal_figures(run: Run, boxes: tuple[MapBox, ...]) -> tuple[MapBox, ...]:
    """Leave out the figures if they are the same for every topic: names need the room."""
    if not run.are_equally_frequent(run.displayed_topics):
        return boxes
    return tuple(replace(box, figures="", short="") for box in boxes)


def _show_way_back(run: Run, root: int, skip: int) -> None:
    """Draw the name of the shown part of the model, with a link to the whole model."""
    if root < 0 and not skip:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.button(
            run.terms.translated(explorer_strings.WHOLE),
            key="map-whole",
            type="tertiary",
            on_click=_open,
            args=("", 0),
        )
        if root >= 0:
            st.caption("›", width="content")
            st.markdown(f"**{markdown_text(run.topic_labels[root])}**", width="content")
        if skip:
            st.caption("›", width="content")
            st.markdown(f"**{strings.after(skip)}**", width="content")


def _react(
    key: str, root: int, skip: int, cells: Sequence[Cell], go_to: Callable[[str], None]
) -> None:
    """Go to the clicked topic, or open the topics that were left out."""
    kind, _, name = key.partition(":")
    if kind == "topic":
        go_to(key)
    elif kind == "in":
        _open(name, 0)
    elif kind == "rest":
        level = next(cell.above for cell in cells if cell.is_rest and cell.topic == root)
        _open(address.get(WITHIN), skip + _shown_at(cells, level))


def _shown_at(cells: Sequence[Cell], above: int) -> int:
    """Number of topics shown directly in a cell, or in the topic groups for ``above`` = -1."""
    groups = (n for n, cell in enumerate(cells) if cell.group not in (None, ASIDE))
    places = {above, *groups} if above < 0 else {above}
    return sum(cell.above in places and cell.is_topic and n != above
               for n, cell in enumerate(cells))  # fmt: skip


def _open(within: str, skip: int) -> None:
    address.put_all(**{WITHIN: within, SKIP: str(skip) if skip else ""})


def _box(
    run: Run,
    cell: Cell,
    root: int,
    sized: SizedTree,
    largest: Mapping[int, int],
    passages: Mapping[int, Passage],
) -> MapBox:
    """Box of a cell in the map of the subtree of ``root``.

    ``largest`` is the topic of each subtree that is on in most documents by itself. If the boxes in
    it are too small to be drawn, the box names it below its own name, so that no topic is hidden
    behind the name of a smaller one.
    """
    place = cell.above, cell.size
    if cell.group == ASIDE:
        hover = (explorer_strings.SET_ASIDE, explorer_strings.SET_ASIDE_HINT)
        return MapBox(ASIDE_KEY, "shelf", *place, explorer_strings.SET_ASIDE, "", hover)
    if cell.group is not None:
        is_one = cell.group != NO_GROUP
        name = run.topic_group_names[cell.group] if is_one else explorer_strings.OTHER_TOPICS
        hover = (
            name,
            explorer_strings.GROUP_HINT if is_one else explorer_strings.OTHER_TOPICS_HINT,
        )
        return MapBox(f"shelf:{cell.group}", "shelf", *place, name, "", hover)
    if cell.is_rest:
        hover = (run.terms.translated(strings.smaller(cell.folded)), strings.REST_HINT)
        key = "rest:" if cell.topic == root else f"in:{run.network.graph.topic_ids[cell.topic]}"
        return MapBox(key, "rest", *place, f"+{cell.folded}", "", hover, cell.folded)
    topic, own, sizes = cell.topic, sized.own, sized.subtree
    short = strings.size(sizes.size[topic], sizes.documents)
    figures = short
    if sizes.size[topic] > own.size[topic]:
        alone = strings.size(own.size[topic], own.documents)
        figures = strings.both_sizes(alone, short)
    lines = _hover(run, topic, own, sizes)
    if topic in passages:
        figures, short = (strings.repeated(text) for text in (figures, short))
        lines += (topic_strings.repeated(*passages[topic]),)
    inner = inner_figures = ""
    if (first := largest[topic]) != topic:
        inner = run.topic_labels[first]
        inner_figures = strings.size(own.size[first], own.documents)
        lines += (strings.largest_inside(inner, inner_figures),)
    return MapBox(
        node_key(run, topic),
        "topic",
        *place,
        run.topic_labels[topic],
        figures,
        lines,
        short=short,
        inner=inner,
        inner_figures=inner_figures,
    )


def _hover(run: Run, topic: int, own: TopicSizes, sizes: TopicSizes) -> tuple[str, ...]:
    words = [word_text(word) for word, _, _ in run.shown_words(topic, HOVER_WORDS)]
    lines = [run.topic_labels[topic]]
    if sizes.size[topic] > own.size[topic]:
        sized = (
            strings.with_below(sizes.size[topic], sizes.documents),
            strings.by_itself(own.size[topic], own.documents),
        )
        lines += map(run.terms.translated, sized)
    else:
        lines += [run.terms.translated(strings.sized(own.size[topic], own.documents))]
    for link in shown_parents(run, topic)[:1]:
        parent = run.topic_labels[link.parent]
        lines.append(drawing_strings.influence(parent, link.probability, from_above=True))
    if sentence := stability.topic_sentence(run, topic):
        lines.append(sentence)
    lines += [", ".join(words)] if words else []
    return tuple(lines)


def _caption(run: Run, tree: Tree, cells: Sequence[Cell], sizes: TopicSizes) -> str:
    shown = sum(cell.is_topic for cell in cells)
    total = len(run.displayed_topics)
    is_flat = not any(tree.below.values())
    are_equal = is_flat and run.are_equally_frequent(run.displayed_topics)
    area = strings.area(sizes.documents, is_flat=is_flat, are_equal=are_equal)
    sentences = [strings.overview(shown, total), *([area] if area else [])]
    sentences.append(explorer_strings.HINT_FLAT if is_flat else explorer_strings.HINT_OVERVIEW)
    if any(cell.group not in (None, ASIDE) for cell in cells):
        sentences.append(explorer_strings.HINT_GROUPS)
    if run.n_hidden:
        sentences.append(f"{drawing_strings.hidden_topics(run.n_hidden)}.")
    return run.terms.translated(" ".join(sentences))
