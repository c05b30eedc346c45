"""Asking the offline explorer: by its address as a person would, or its inference directly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np

from orrery.core.inference import infer
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.posterior import Posterior
from orrery.core.model.topic_model import TopicModel

# Both estimate the same: as many of their joint standard errors may lie between them.
MAX_ERRORS, ROUNDING = 5.0, 1e-9
# Limits for exact inference in the page.
LIMITS = {"most_terms": infer.MAX_TERMS, "most_small_states": infer.MAX_SMALL_TERMS}


def without_sums(page: bytes) -> bytes:
    """Return the page as one that finds no sum quick enough, so that it draws."""
    for name, limit in LIMITS.items():
        setting = f'"{name}":{limit}'.encode()
        assert setting in page
        page = page.replace(setting, f'"{name}":0'.encode())
    return page


def answers(page, **address: str) -> list[dict[str, Any]]:
    """Answers that the page gives at an address, one for each box that has something in it."""
    page.evaluate("hash => { location.hash = hash; }", "#" + urlencode(address))
    return shown(page)


def shown(page) -> list[dict[str, Any]]:
    """Answers that the page shows at its address, once it does: the address changes first."""
    answer = page.wait_for_function(
        """() => {
          const { address, answer } = document.getElementById('view').dataset;
          return address === location.hash && answer;
        }"""
    )
    found: list[dict[str, Any]] = json.loads(answer.json_value())
    return found


def as_data(evidence: Evidence) -> dict[str, Any]:
    """The evidence as the page's inference takes it."""
    nodes = {
        name: list(getattr(evidence, name))
        for name in ("present", "absent", "unknown", "on", "off")
    }
    return nodes | {"closedWorld": evidence.closed_world}


def infer_all(page, model: TopicModel, evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Answers of the page's inference, in the form of `answers`."""
    found = page.evaluate(
        """asked => asked.map(evidence => {
          const found = OrreryPosterior.infer(OrreryModel, evidence);
          return {
            topics: found.topics.map((t, k) => [t, found.probability[k], found.error[k]]),
            log_probability: found.logProbability,
            log_probability_error: found.logProbabilityError,
            is_exact: found.isExact,
          };
        })""",
        [as_data(one) for one in evidence],
    )
    ids = model.network.graph.topic_ids
    for answer in found:
        answer["topics"] = [[ids[topic], p, error] for topic, p, error in answer["topics"]]
    return found


def assert_equal(model: TopicModel, expected: Posterior, found: dict[str, Any]) -> None:
    """Hold two answers to be the same to within their errors."""
    ids = model.network.graph.topic_ids
    assert [name for name, _, _ in found["topics"]] == [ids[t] for t in expected.local.topics]
    table = np.array([[p, error] for _, p, error in found["topics"]]).reshape(-1, 2)
    assert expected.error is not None
    assert_near(table[:, 0], table[:, 1], expected.probability, expected.error)
    assert_near(
        found["log_probability"],
        found["log_probability_error"],
        expected.log_probability,
        expected.log_probability_error,
    )


def assert_near(found, its_error, expected, other_error) -> None:
    """Hold two estimates to be the same to within their errors; exact ones to rounding."""
    limit = MAX_ERRORS * np.hypot(its_error, other_error) + ROUNDING
    assert (np.abs(np.asarray(found) - expected) <= limit).all()


def tokens(run, text: str) -> tuple[int, ...]:
    """Return the numbers of some words."""
    return tuple(run.vocabulary.index(word) for word in text.split())


def box(page, key: str):
    """Return a box of the picture."""
    return page.locator(f'.orrery-graph .node[data-key="{key}"]')


def topics(page):
    """Return the boxes of topics in the picture; topics that are on have the mark ●."""
    return page.locator('.orrery-graph .node[data-key^="topic:"]')


def standing(page) -> dict[str, list[float]]:
    """Return where each box of the picture stands."""
    found: dict[str, list[float]] = page.locator(".orrery-graph").evaluate(
        """picture => Object.fromEntries([...picture.querySelectorAll('.node')].map(
          g => [g.dataset.key, (({ x, y, width, height }) => [x, y, x + width, y + height])(
            g.querySelector('.box').getBBox())]))"""
    )
    return found
