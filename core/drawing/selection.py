"""What of a local model is worth drawing: not every topic, and of a long query not every link."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..inference.posterior import Estimate, Posterior
from ..inference.thresholds import (
    ALTERNATIVES,
    LINKS_KEPT,
    MOST_ALTERNATIVES,
    OFF_SHOWN,
    ON_THRESHOLD,
    QUIET_THRESHOLD,
)
from .links import Link, shown_parents, whole

if TYPE_CHECKING:
    from ..model.topic_model import Run


# Draws that all agree leave no error, but do not make a topic certain.
LEAST_ERROR = 1e-6


def topic_probability(posterior: Posterior) -> dict[int, float]:
    """Probability of every topic of the local model."""
    topics, probability = posterior.local.topics.tolist(), posterior.probability.tolist()
    return dict(zip(topics, probability, strict=True))


def topic_estimate(posterior: Posterior) -> dict[int, Estimate]:
    """Probability of every topic of the local model with its standard error."""
    probability = topic_probability(posterior)
    if posterior.error is None:
        return {topic: Estimate(value, 0.0) for topic, value in probability.items()}
    is_exact = posterior.is_exact
    clamped = {*posterior.evidence.on, *posterior.evidence.off}
    return {
        topic: Estimate(value, error if is_exact or topic in clamped else max(error, LEAST_ERROR))
        for (topic, value), error in zip(probability.items(), posterior.error.tolist(), strict=True)
    }


def joined_estimate(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """Probability of every topic of the local model; topics shown as one are counted as one.

    Of these it is the probability that any of them is on: by the draws, since topics are not
    independent of each other; where there are none, as if they were.
    """
    each = topic_estimate(posterior)
    joined: dict[int, list[int]] = {}
    for topic in each:
        joined.setdefault(whole(run, topic), []).append(topic)
    return {
        node: each[topics[0]] if len(topics) == 1 else _any_of(posterior, each, topics)
        for node, topics in joined.items()
    }


def _any_of(posterior: Posterior, each: Mapping[int, Estimate], topics: list[int]) -> Estimate:
    if posterior.draws is not None:
        return posterior.any_of(topics)
    off = math.prod(1.0 - each[topic].value for topic in topics)
    return Estimate(1.0 - off, 0.0)


def joined_probability(run: Run, posterior: Posterior) -> dict[int, float]:
    """`joined_estimate` without the errors."""
    return {topic: known.value for topic, known in joined_estimate(run, posterior).items()}


def shown_estimate(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """`joined_estimate` of the topics that pictures show."""
    joined = joined_estimate(run, posterior)
    return {topic: known for topic, known in joined.items() if topic not in run.hidden_topics}


def shown_probability(run: Run, posterior: Posterior) -> dict[int, float]:
    """`shown_estimate` without the errors."""
    return {topic: known.value for topic, known in shown_estimate(run, posterior).items()}


def surest_part(run: Run, posterior: Posterior, topic: int) -> int:
    """The most probable topic of the local model among those that are shown as this one."""
    each = topic_probability(posterior)
    parts = [part for part in each if whole(run, part) == topic]
    return max(parts, key=each.__getitem__, default=topic)


def clamped_parts(run: Run, free: Posterior, clamped: Mapping[int, str]) -> dict[int, str]:
    """What clamping a topic means where several are shown as one: all of them off, or one on.

    Of those it is the likeliest in ``free``, the posterior that nothing is clamped in.
    """
    found: dict[int, str] = {}
    for topic, how in clamped.items():
        if how == "off":
            found |= dict.fromkeys(run.parts_of(topic), how)
        else:
            found[surest_part(run, free, topic)] = how
    return found


def hidden_count(run: Run, *posteriors: Posterior) -> int:
    """Count the topics of local models that a person has hidden."""
    topics = {
        whole(run, topic) for posterior in posteriors for topic in posterior.local.topics.tolist()
    }
    return len(topics & run.hidden_topics - run.wordless_topics)


def is_shown(run: Run, link: Link) -> bool:
    """Whether no end of a link is hidden."""
    return not {link.parent, link.child} & run.hidden_topics


def quiet_topics(run: Run, posterior: Posterior, before: Posterior | None = None) -> set[int]:
    """Topics too improbable to be drawn unless asked for.

    None is that was drawn ``before`` any topic was clamped: the picture shows what became of it.
    The strongest topics of each typed word are not among them: they are the meanings that the
    other words ruled out, and what Figure 2 is about.
    """
    meanings = [
        link
        for token in posterior.evidence.present
        for link in shown_parents(run, run.network.graph.n_topics + token)[:ALTERNATIVES]
    ]
    meanings.sort(key=lambda link: -link.probability)
    probability = shown_probability(run, posterior)
    above = [link.parent for link in meanings]
    ruled_out = [topic for topic in above if probability.get(topic, 1.0) <= ON_THRESHOLD]
    kept = set(list(dict.fromkeys(ruled_out))[:MOST_ALTERNATIVES])
    kept |= {whole(run, topic) for topic in posterior.evidence.on + posterior.evidence.off}
    off = sorted((p for p in probability.values() if p <= ON_THRESHOLD), reverse=True)
    # In a large model dozens are a little likely; the likeliest few tell the story.
    faintest = max([QUIET_THRESHOLD, *off[OFF_SHOWN - 1 : OFF_SHOWN]])
    faint = {t for t, p in probability.items() if p < faintest and t not in kept}
    return faint & quiet_topics(run, before) if before else faint


def strongest_links(links: Sequence[Link]) -> list[Link]:
    """The strongest few links from above of each word and topic."""
    found: dict[int, list[Link]] = {}
    for link in sorted(links, key=lambda link: -link.probability):
        found.setdefault(link.child, []).append(link)
    return [link for above in found.values() for link in above[:LINKS_KEPT]]
