"""The offline explorer: a whole model, and optionally a story, in one page that answers queries."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt

from ..data.clauses import WORDS
from ..data.query import (
    CHANGES_OF_CASE,
    JOINTS,
    SIGNS,
    STATE_OF_SIGN,
    left_out_words,
    longest_phrase,
)
from ..data.recipe import Recipe, lemma_of_form, steps_of, stop_set
from ..data.stop_words import english_stop_words
from ..data.word_patterns import browser_pattern
from ..drawing.explorer_strings import strings_in_terms
from ..drawing.picture import picture_constants
from ..drawing.question import common_words
from ..drawing.style import ASIDE_SHARE
from ..drawing.web_page import (
    asset,
    local_model_script,
    local_model_style,
    topic_map_script,
    topic_map_style,
    web_page,
)
from ..inference import most_probable, questions, thresholds
from ..inference.explanation import CLEAR_DIFFERENCE, CLEAR_ERRORS, MAX_PIECES
from ..inference.infer import (
    MAX_EDGES,
    MAX_ENUMERATED,
    MAX_ERROR,
    MAX_NODES,
    MAX_ROUNDS,
    MAX_SILENCE,
    MAX_SMALL_EDGES,
    MAX_SMALL_NODES,
    MAX_SMALL_TERMS,
    MAX_TERMS,
    MIN_ROUNDS,
    ROUND_SIZE,
)
from ..inference.senses import MAX_TOGETHER, MIN_COVERED, MIN_SHARE
from ..kernels.elimination import MAX_NEIGHBOURS
from ..kernels.importance_sampling import MIN_PROBABILITY
from ..kernels.posterior import BELIEF_TOLERANCE, MAX_GROWTH
from ..kernels.sum_product import MAX_MESSAGE, MAX_SWEEPS, MIN_OFF, SWEEPS_BEFORE_DAMPING
from ..model.story import KeptView, Story
from ..model.subtrees import find_subtrees, subtree_prior
from ..model.topic_model import TopicModel
from ..storage.adoption import assumed_rate
from ..storage.stability import known_stability
from .topic_documents import Seen, seen_data

# Parameters of an address that the explorer reads, named as in the app.
_OF_A_QUERY = ("q", "q2", "others", "hold", "sel", "hide", "quiet")
# Parameters of the map of all topics.
_OF_THE_MAP = ("in", "skip")
_KINDS = {
    "documents": "a page of documents, which are not in this file",
    "map": "the map of the documents, of which there was none when this file was made",
    "groups": "a comparison of groups of documents, which were not there when this file was made",
    "evaluate": "how well the model predicts texts, which was not known when this file was made",
}
PATH = "the way between two topics"


def story_data(
    story: Story, taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> dict[str, Any]:
    """Data of a story for the page.

    A view that the explorer cannot show is replaced by the content in ``taken`` under its key (a
    picture, table or document made by `orrery.app.shared.story_export`), else by a sentence.
    """
    return {"title": story.title, "views": [_view(view, taken) for view in story.views]}


def explorer_address(view: KeptView) -> str | None:
    """Fragment of the explorer's address that shows the view; None if it cannot show it."""
    parameters = {name: value for name, value in reversed(view.parameters) if value}
    if view.page == "query" and (parameters.get("q") or parameters.get("q2")):
        return urlencode({name: parameters[name] for name in _OF_A_QUERY if name in parameters})
    if view.page == "graph" and "to" not in parameters:
        named = {name: parameters.get(name, "") for name in ("topic", "word")}
        if not any(named.values()):
            named = {name: parameters.get(name, "") for name in _OF_THE_MAP}
        return urlencode({name: value for name, value in named.items() if value})
    return None


def is_path(view: KeptView) -> bool:
    """Whether a view is the path from one topic to another."""
    names = {name for name, value in view.parameters if value}
    return view.page == "graph" and {"topic", "to"} <= names


def _view(view: KeptView, taken: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    address = explorer_address(view)
    content = {"title": view.title, "note": view.note, "address": address}
    if address is not None:
        return content
    if view.key in taken:
        return content | {"taken": dict(taken[view.key])}
    return content | {"instead": _instead(view)}


def _instead(view: KeptView) -> str:
    kind = PATH if is_path(view) else _KINDS.get(view.page)
    shown = f"This view is {kind}" if kind else "This view is a page of the app"
    return f"{shown}; open the story in Orrery to see it. Its note is below."


# In this order, because each uses those before it.
SCRIPTS = (
    "explorer/model/model.js",
    "explorer/model/strings.js",
    "explorer/model/figures.js",
    "explorer/model/sizes.js",
    "explorer/ui/address.js",
    "explorer/model/text.js",
    "explorer/model/clauses.js",
    "explorer/model/question.js",
    "shared/suggest.js",
    "explorer/model/termsuggestions.js",
    "explorer/model/local.js",
    "explorer/inference/messages.js",
    "explorer/inference/order.js",
    "explorer/inference/plan.js",
    "explorer/inference/elimination.js",
    "explorer/inference/guided.js",
    "explorer/inference/posterior.js",
    "explorer/inference/answer.js",
    "explorer/inference/why.js",
    "explorer/inference/states.js",
    "explorer/inference/information.js",
    "explorer/ui/pieces.js",
    "explorer/ui/overview.js",
    "explorer/ui/course.js",
    "explorer/ui/topics.js",
    "explorer/ui/chosen.js",
    "explorer/ui/what-if.js",
    "explorer/ui/why-panel.js",
    "explorer/inference/senses.js",
    "explorer/ui/together.js",
    "explorer/ui/next.js",
    "explorer/ui/query.js",
    "explorer/ui/compare.js",
    "explorer/ui/taken.js",
    "explorer/ui/story.js",
    "explorer/explorer.js",
)
# The page makes the data of a picture itself; the app gets them from Python.
COMPOSING = ("shared/local-model-layout.js", "shared/local-model-data.js")
# Top words of every topic that the page contains.
WORDS_SHOWN = 25


def explorer_bytes(
    model: TopicModel,
    title: str,
    story: Story | None = None,
    seen: Seen | None = None,
    taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> bytes:
    """Content of the page: template, scripts, model and story; it loads nothing.

    ``seen`` are the documents of the topics; without it, the sizes of topics are expected by the
    model. ``taken`` replaces views of the story that the explorer cannot show.
    """
    given = {
        "story": None if story is None else story_data(story, taken),
        "seen": None if seen is None else seen_data(seen),
        "map_style": topic_map_style(),
        "picture_style": local_model_style(),
    }
    data = {"title": title, **given, **explorer_data(model)}
    # Each in a function, because their names would collide with those of other scripts.
    shared = [
        f"const {name} = (function () {{\n{source}\nreturn {{ {', '.join(names)} }};\n}})();"
        for name, source, names in (
            ("OrreryMap", topic_map_script(), ("drawTopicMap",)),
            ("OrreryPicture", local_model_script(*COMPOSING), ("drawLocalModel", "composer")),
        )
    ]
    scripts = [*shared, *(asset(name) for name in SCRIPTS)]
    strings = _strings(model)
    texts = {name: text for name, text in strings.items() if isinstance(text, str)}
    return web_page("explorer/explorer.html", title, data, scripts, "explorer/explorer.css", texts)


def explorer_data(model: TopicModel) -> dict[str, Any]:
    """Data of the model for the page; arrays of numbers are base64 of little-endian bytes."""
    network, graph = model.network, model.network.graph
    subtrees = find_subtrees(network, hidden=model.unlinked_topics, shown_as=model.shown_as)
    return {
        "topic_ids": graph.topic_ids,
        "labels": model.topic_labels,
        "made_labels": model.made_labels,
        "hidden": sorted(model.hidden_topics - model.wordless_topics),
        "wordless": sorted(model.wordless_topics),
        "set_aside": sorted(model.set_aside_topics),
        "aside_share": ASIDE_SHARE,
        "shown_as": list(model.shown_as.items()),
        "vocabulary": model.vocabulary,
        "parent_ptr": _packed(graph.parent_ptr, "<i4"),
        "parent_idx": _packed(graph.parent_idx, "<i4"),
        "weight": _packed(network.weight, "<f8"),
        "leak": _packed(network.leak, "<f8"),
        "prior": _packed(model.prior[: graph.n_topics], "<f4"),
        "displayed_prior": _packed(model.displayed_prior, "<f4"),
        "family": _packed(subtree_prior(network, subtrees), "<f4"),
        "main_parent": _packed(model.main_parents, "<i4"),
        "shelf_of": _packed(np.array(model.topic_group_of), "<i4"),
        "shelves": model.topic_group_names,
        "stability": _stability(model),
        # Token number and probability of the top words of every topic.
        "words": [
            [
                [model.token_number[word], round(probability, 4)]
                for word, probability, _ in model.shown_words(topic, WORDS_SHOWN)
            ]
            for topic in range(graph.n_topics)
        ],
        "inference": _inference(),
        "explanations": _explanations(),
        "questions": _questions(),
        "thresholds": _thresholds(),
        "has_texts": model.has_texts,
        "assumed_rate": assumed_rate(model.summary),
        "picture": picture_constants(model.terms),
        "strings": _strings(model),
        "signs": SIGNS,
        "sign_states": STATE_OF_SIGN,
        "clauses": {name: sorted(words) for name, words in WORDS.items()},
        "english_stop_words": sorted(english_stop_words()),
        "recipe": browser_recipe(model.recipe, model.vocabulary),
    }


def _strings(model: TopicModel) -> dict[str, str | tuple[str, ...] | dict[int | str, str]]:
    return strings_in_terms(model.terms, has_texts=model.has_texts, vocabulary=model.vocabulary)


def _stability(model: TopicModel) -> dict[str, Any] | None:
    """Number of trainings, and how many of them found each topic again; None if unknown."""
    found = known_stability(model)
    if found is None:
        return None
    return {"times": found.times, "found": found.topic_counts.tolist()}


def _inference() -> dict[str, float]:
    """Settings of `orrery.core.inference.infer.infer`."""
    return {
        "error": MAX_ERROR,
        "most_nodes": MAX_NODES,
        "most_edges": MAX_EDGES,
        "most_silence": MAX_SILENCE,
        "most_terms": MAX_TERMS,
        "most_small_nodes": MAX_SMALL_NODES,
        "most_small_edges": MAX_SMALL_EDGES,
        "most_small_states": MAX_SMALL_TERMS,
        "most_neighbours": MAX_NEIGHBOURS,
        "draws": ROUND_SIZE,
        "least_rounds": MIN_ROUNDS,
        "most_rounds": MAX_ROUNDS,
        "most_enumerated": MAX_ENUMERATED,
        "most_growth": MAX_GROWTH,
        "belief_tolerance": BELIEF_TOLERANCE,
        "max_sweeps": MAX_SWEEPS,
        "sweeps_before_damping": SWEEPS_BEFORE_DAMPING,
        "largest_message": MAX_MESSAGE,
        "smallest_off": MIN_OFF,
        "least_chance": MIN_PROBABILITY,
    }


def _explanations() -> dict[str, float]:
    """Settings of `orrery.core.inference.most_probable.most_probable`."""
    return {
        "states": most_probable.N_STATES,
        "same": most_probable.SAME,
        "work": most_probable.MAX_WORK,
    }


def _questions() -> dict[str, float | tuple[float, ...]]:
    """Settings of `orrery.core.inference.questions.best_questions`."""
    return {
        "undecided": questions.UNDECIDED,
        "likeliest": questions.N_LIKELIEST,
        "batches": questions.SIZES,
        "same_bits": questions.SAME,
        "most_terms": questions.MAX_TERMS,
    }


def _thresholds() -> dict[str, float | tuple[float, ...]]:
    """Thresholds for what is stated or drawn, as in the app."""
    return {
        "on": thresholds.ON_THRESHOLD,
        "quiet": thresholds.QUIET_THRESHOLD,
        "unsure": thresholds.UNSURE,
        "fine_error": thresholds.FINE_ERROR,
        "sure_errors": thresholds.SURE_ERRORS,
        "likeliest_shown": thresholds.LIKELIEST_SHOWN,
        "text_words_shown": thresholds.TEXT_WORDS_SHOWN,
        "most_unknown": thresholds.MAX_UNKNOWN,
        "text_words": thresholds.MIN_TEXT_WORDS,
        "sentence_words": thresholds.MIN_SENTENCE_WORDS,
        "least_sentences": thresholds.MIN_SENTENCES,
        "listed_words": thresholds.MAX_LISTED_WORDS,
        "most_topics": thresholds.MAX_TOPICS,
        "most_against": thresholds.MAX_AGAINST,
        "least_words_log_odds": thresholds.MIN_WORDS_LOG_ODDS,
        "least_topic_log_odds": thresholds.MIN_TOPIC_LOG_ODDS,
        "least_named_share": thresholds.MIN_SHARE,
        "alternatives": thresholds.ALTERNATIVES,
        "most_alternatives": thresholds.MAX_ALTERNATIVES,
        "off_shown": thresholds.OFF_SHOWN,
        "long_query": thresholds.LONG_QUERY,
        "links_kept": thresholds.LINKS_KEPT,
        "most_named": thresholds.MAX_NAMED,
        "most_heading": thresholds.MAX_HEADING,
        "least_change": thresholds.MIN_CHANGE,
        "most_listed": thresholds.MAX_LISTED,
        "most_switches": thresholds.MAX_SWITCHES,
        "most_bars": thresholds.MAX_BARS,
        "least_log_odds": thresholds.MIN_LOG_ODDS,
        "least_link_found": thresholds.MIN_LINK_FOUND,
        "most_pieces": MAX_PIECES,
        "clear_errors": CLEAR_ERRORS,
        "clear_difference": CLEAR_DIFFERENCE,
        "least_share": MIN_SHARE,
        "most_together": MAX_TOGETHER,
        "least_covered": MIN_COVERED,
        "many_words": thresholds.MANY_WORDS,
        "least_unlisted": thresholds.MIN_UNLISTED,
        "least_state": thresholds.MIN_STATE,
        "least_best": thresholds.MIN_BEST,
        "most_in_state": thresholds.MAX_IN_STATE,
        "questions": thresholds.N_QUESTIONS,
        "least_bits": thresholds.MIN_BITS,
        "sure_enough": thresholds.SURE_ENOUGH,
    }


def _packed(array: npt.NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array).astype(kind).tobytes()).decode("ascii")


def browser_recipe(recipe: Recipe, vocabulary: Sequence[str]) -> dict[str, Any]:
    """Recipe as the explorer's ``text.js`` reads it."""
    return {
        "steps": [asdict(step) for step in steps_of(recipe)],
        "stop_words": sorted(stop_set(recipe)),
        "common_words": sorted(common_words(recipe)),
        "segments": recipe.segments,
        "lemmas": sorted(lemma_of_form(recipe.lemma_list).items()) if recipe.lemmas else (),
        "phrases": recipe.phrase_list if recipe.phrases else (),
        "matrix": recipe.matrix,
        "left_out": sorted(left_out_words(recipe) - set(vocabulary)),
        "pattern": browser_pattern(recipe.token_pattern),
        "joints": JOINTS,
        "longest_phrase": longest_phrase(vocabulary),
        "changes_of_case": [change.__name__ for change in CHANGES_OF_CASE],
    }
