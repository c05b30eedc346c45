"""The offline explorer: a whole model in one page, which answers queries by itself."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from orrery.core.arrays import FloatArray
from orrery.core.explanation import CLEAR_DIFFERENCE, CLEAR_ERRORS, MOST_PIECES
from orrery.core.exporting import style, thresholds
from orrery.core.exporting.seen import Seen, seen_data
from orrery.core.exporting.told import story_data
from orrery.core.exporting.web_page import (
    asset,
    topic_map_script,
    topic_map_style,
    web_page,
)
from orrery.core.families import family_prior, find_families
from orrery.core.inference import (
    LARGEST_ERROR,
    LEAST_ROUNDS,
    MOST_EDGES,
    MOST_ENUMERATED,
    MOST_NODES,
    MOST_ROUNDS,
    MOST_SILENCE,
    MOST_TERMS,
    ROUND_SIZE,
)
from orrery.core.kernels.elimination import MOST_NEIGHBOURS
from orrery.core.kernels.guided import LEAST_CHANCE
from orrery.core.kernels.posterior import BELIEF_TOLERANCE, MOST_GROWTH
from orrery.core.kernels.sum_product import (
    LARGEST_MESSAGE,
    MAX_SWEEPS,
    SMALLEST_OFF,
    SWEEPS_BEFORE_DAMPING,
)
from orrery.core.model import TopicModel
from orrery.core.readings import LEAST_COVERED, LEAST_SHARE, MOST_TOGETHER
from orrery.core.story import Story
from orrery.core.text.query import CHANGES_OF_CASE, JOINTS, longest_phrase
from orrery.core.text.recipe import SIGN_PATTERN, TOKEN_PATTERN, lemma_of_form

# Each may use those before it.
SCRIPTS = (
    "explorer-model.js",
    "explorer-figures.js",
    "explorer-sizes.js",
    "explorer-address.js",
    "explorer-text.js",
    "explorer-question.js",
    "explorer-local.js",
    "explorer-messages.js",
    "explorer-order.js",
    "explorer-plan.js",
    "explorer-elimination.js",
    "explorer-guided.js",
    "explorer-posterior.js",
    "explorer-answer.js",
    "explorer-why.js",
    "explorer-pieces.js",
    "explorer-overview.js",
    "explorer-course.js",
    "explorer-topics.js",
    "explorer-placement.js",
    "explorer-picture.js",
    "explorer-chosen.js",
    "explorer-what-if.js",
    "explorer-why-panel.js",
    "explorer-senses.js",
    "explorer-query.js",
    "explorer-compare.js",
    "explorer-taken.js",
    "explorer-story.js",
    "explorer.js",
)
# Telling words of every topic that the page has at hand.
WORDS_SHOWN = 25


def explorer_bytes(
    model: TopicModel,
    title: str,
    story: Story | None = None,
    seen: Seen | None = None,
    taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> bytes:
    """Content of the page: template, scripts, the model and a story, nothing from elsewhere.

    ``seen`` is what the documents say of the topics; without it they are as large as the model
    expects. ``taken`` is what goes along of views of the story that the page cannot work out.
    """
    told = {
        "story": None if story is None else story_data(story, taken),
        "seen": None if seen is None else seen_data(seen),
        "map_style": topic_map_style(),
    }
    data = {"title": title, **told, **explorer_data(model)}
    # In a function of its own, for its parts have plain names.
    drawing = (
        f"const OrreryMap = (function () {{\n{topic_map_script()}\nreturn drawTopicMap;\n}})();"
    )
    scripts = [drawing, *(asset(name) for name in SCRIPTS)]
    return web_page("explorer.html", title, data, scripts, "explorer.css")


def explorer_data(model: TopicModel) -> dict[str, Any]:
    """All that the page needs; arrays of numbers are base64 of their bytes, smallest first."""
    network, graph = model.network, model.network.graph
    return {
        "topic_ids": graph.topic_ids,
        "labels": model.topic_labels,
        "made_labels": model.made_labels,
        "hidden": sorted(model.hidden_topics - model.wordless_topics),
        "wordless": sorted(model.wordless_topics),
        "shown_as": list(model.shown_as.items()),
        "vocabulary": model.vocabulary,
        "parent_ptr": _packed(graph.parent_ptr, "<i4"),
        "parent_idx": _packed(graph.parent_idx, "<i4"),
        "weight": _packed(network.weight, "<f8"),
        "leak": _packed(network.leak, "<f8"),
        "prior": _packed(model.prior[: graph.n_topics], "<f4"),
        "family": _packed(_family_prior(model), "<f4"),
        "main_parent": _packed(model.main_parents, "<i4"),
        "shelf_of": _packed(np.array(model.shelf_of), "<i4"),
        "shelves": model.shelf_names,
        "words": [_words(model, topic) for topic in range(graph.n_topics)],
        "inference": _inference(),
        "thresholds": _thresholds(),
        "recipe": _recipe(model),
    }


def _family_prior(model: TopicModel) -> FloatArray:
    """How often each topic is on or one below it, as the page hangs them."""
    members = find_families(model.network, hidden=model.hidden_topics, shown_as=model.shown_as)
    return family_prior(model.network, members)


def _inference() -> dict[str, float]:
    """Settings of the inference, those of `orrery.core.inference.infer`."""
    return {
        "error": LARGEST_ERROR,
        "most_nodes": MOST_NODES,
        "most_edges": MOST_EDGES,
        "most_silence": MOST_SILENCE,
        "most_terms": MOST_TERMS,
        "most_neighbours": MOST_NEIGHBOURS,
        "draws": ROUND_SIZE,
        "least_rounds": LEAST_ROUNDS,
        "most_rounds": MOST_ROUNDS,
        "most_enumerated": MOST_ENUMERATED,
        "most_growth": MOST_GROWTH,
        "belief_tolerance": BELIEF_TOLERANCE,
        "max_sweeps": MAX_SWEEPS,
        "sweeps_before_damping": SWEEPS_BEFORE_DAMPING,
        "largest_message": LARGEST_MESSAGE,
        "smallest_off": SMALLEST_OFF,
        "least_chance": LEAST_CHANCE,
    }


def _thresholds() -> dict[str, float | tuple[float, ...]]:
    """From when on something is said or drawn, as in the app."""
    return {
        "on": thresholds.ON_THRESHOLD,
        "quiet": thresholds.QUIET_THRESHOLD,
        "unsure": thresholds.UNSURE,
        "fine_error": thresholds.FINE_ERROR,
        "sure_errors": thresholds.SURE_ERRORS,
        "alternatives": thresholds.ALTERNATIVES,
        "most_alternatives": thresholds.MOST_ALTERNATIVES,
        "off_shown": thresholds.OFF_SHOWN,
        "long_query": thresholds.LONG_QUERY,
        "links_kept": thresholds.LINKS_KEPT,
        "most_named": thresholds.MOST_NAMED,
        "most_bars": thresholds.MOST_BARS,
        "least_log_odds": thresholds.LEAST_LOG_ODDS,
        "least_link_found": thresholds.LEAST_LINK_FOUND,
        "most_pieces": MOST_PIECES,
        "clear_errors": CLEAR_ERRORS,
        "clear_difference": CLEAR_DIFFERENCE,
        "least_share": LEAST_SHARE,
        "most_together": MOST_TOGETHER,
        "least_covered": LEAST_COVERED,
        "edge_steps": style.EDGE_STEPS,
        "edge_widths": style.EDGE_WIDTHS,
        "one_line": style.ONE_LINE,
        "line_limit": style.LINE_LIMIT,
        "node_limit": style.NODE_LIMIT,
    }


def _packed(array: npt.NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array).astype(kind).tobytes()).decode("ascii")


def _words(model: TopicModel, topic: int) -> list[list[float]]:
    """Number and probability of the most telling words of a topic."""
    return [
        [model.token_number[word], round(probability, 4)]
        for word, probability, _ in model.shown_words(topic, WORDS_SHOWN)
    ]


def _recipe(model: TopicModel) -> dict[str, Any]:
    recipe = model.recipe
    return {
        "lowercase": recipe.lowercase,
        "stop_words": recipe.stop_words,
        "lemmas": sorted(lemma_of_form(recipe.lemma_list).items()) if recipe.lemmas else (),
        "phrases": recipe.phrase_list if recipe.phrases else (),
        "matrix": recipe.matrix,
        "standard_pattern": recipe.token_pattern == TOKEN_PATTERN,
        "signs": recipe.token_pattern == SIGN_PATTERN,
        "joints": JOINTS,
        "longest_phrase": longest_phrase(model.vocabulary),
        "changes_of_case": [change.__name__ for change in CHANGES_OF_CASE],
    }
