"""Selection of the topics and links of a local model that are worth drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..inference.explanation import word_causes
from ..inference.posterior import Estimate, Posterior
from ..inference.thresholds import (
    ALTERNATIVES,
    LINKS_KEPT,
    MAX_ALTERNATIVES,
    OFF_SHOWN,
    QUIET_THRESHOLD,
    TEXT_WORDS_SHOWN,
    group_of,
)
from ..model.topic_model import Run
from .links import Link, shown_parents, whole

# Samples that all agree have no standard error, but do not make a topic certain.
MIN_ERROR = 1e-6


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
        topic: Estimate(value, error if is_exact or topic in clamped else max(error, MIN_ERROR))
        for (topic, value), error in zip(probability.items(), posterior.error.tolist(), strict=True)
    }


def joined_estimate(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """Probability of every topic of the local model; topics displayed as one are joined.

    Joined topics have the probability that at least one is on: estimated from the samples, since
    topics are dependent, or without samples computed as if they were independent.
    """
    each = topic_estimate(posterior)
    joined: dict[int, list[int]] = {}
    for topic in each:
        joined.setdefault(whole(run, topic), []).append(topic)
    found = {}
    for node, topics in joined.items():
        if len(topics) == 1:
            found[node] = each[topics[0]]
        elif posterior.samples is not None:
            found[node] = posterior.any_of(topics)
        else:
            off = math.prod(1.0 - each[topic].value for topic in topics)
            found[node] = Estimate(1.0 - off, 0.0)
    return found


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
    """Most probable topic of the local model among those displayed as ``topic``."""
    each = topic_probability(posterior)
    parts = [part for part in each if whole(run, part) == topic]
    return max(parts, key=each.__getitem__, default=topic)


def clamped_parts(run: Run, free: Posterior, clamped: Mapping[int, str]) -> dict[int, str]:
    """Clamp the parts of topics that display several: all of them off, or one of them on.

    The one is the most probable in ``free``, the posterior without clamped topics.
    """
    found: dict[int, str] = {}
    for topic, how in clamped.items():
        if how == "off":
            found |= dict.fromkeys(run.parts_of(topic), how)
        else:
            found[surest_part(run, free, topic)] = how
    return found


def hidden_count(run: Run, *posteriors: Posterior) -> int:
    """Number of topics of the local models that a person has hidden."""
    topics = {
        whole(run, topic) for posterior in posteriors for topic in posterior.local.topics.tolist()
    }
    return len(topics & run.hidden_topics - run.wordless_topics)


def is_shown(run: Run, link: Link) -> bool:
    """Whether neither end of a link is hidden."""
    return not {link.parent, link.child} & run.hidden_topics


def quiet_topics(
    run: Run, posterior: Posterior, before: Posterior | None = None, *, is_text: bool = False
) -> set[int]:
    """Topics that are off and too improbable to be drawn by default; all that are off for a text.

    Topics drawn ``before`` any topic was clamped are not among them, since the picture shows how
    they changed. The strongest topics of each typed word are not either: they are the senses that
    the other words ruled out, the point of Figure 2. A cause in a graph, such as a disease, is no
    sense: there, only the most probable ones are drawn. No typed word is without any of its topics.
    """
    present = () if is_text else posterior.evidence.present
    meanings = [
        link
        for token in (present if run.has_texts else ())
        for link in shown_parents(run, run.network.graph.n_topics + token)[:ALTERNATIVES]
    ]
    meanings.sort(key=lambda link: -link.probability)
    probability = shown_probability(run, posterior)
    above = [link.parent for link in meanings]
    ruled_out = [topic for topic in above if group_of(probability.get(topic, 1.0)) == "off"]
    kept = set(list(dict.fromkeys(ruled_out))[:MAX_ALTERNATIVES])
    kept |= {whole(run, topic) for topic in posterior.evidence.on + posterior.evidence.off}
    off = {t: p for t, p in probability.items() if group_of(p) == "off"}
    # In a large model dozens are slightly probable; only the most probable few are drawn.
    ranked = sorted(off.values(), reverse=True)
    faintest = 1.0 if is_text else max([QUIET_THRESHOLD, *ranked[OFF_SHOWN - 1 : OFF_SHOWN]])
    faint = {t for t, p in off.items() if p < faintest and t not in kept}
    for token in present:
        links = shown_parents(run, run.network.graph.n_topics + token)
        topics = [link.parent for link in links if link.parent in probability]
        if topics and faint.issuperset(topics):
            faint.discard(max(topics, key=probability.__getitem__))
    return faint & quiet_topics(run, before, is_text=is_text) if before else faint


def supporting_words(run: Run, posterior: Posterior) -> list[int]:
    """Present tokens that the topics of a whole text explain best, at most ``TEXT_WORDS_SHOWN``.

    Each word counts for the shown topic that explains most of it, if the topic is not off and
    explains more than the leak does. The best word of every topic comes first, then the second.
    """
    causes, local = word_causes(run.network, posterior), posterior.local
    groups = {t: group_of(p) for t, p in shown_probability(run, posterior).items()}
    share: dict[int, dict[int, float]] = {token: {} for token in local.tokens.tolist()}
    table = causes.topic.tocoo()
    for row, column, value in zip(table.row, table.col, table.data, strict=True):
        topic, token = whole(run, int(local.topics[column])), int(local.tokens[row])
        if groups.get(topic, "off") != "off":
            share[token][topic] = share[token].get(topic, 0.0) + float(value)
    by_topic: dict[int, list[tuple[float, int]]] = {}
    for token, leak in zip(local.tokens.tolist(), causes.leak.tolist(), strict=True):
        best = max(share[token], key=share[token].__getitem__, default=-1)
        if best >= 0 and share[token][best] > leak:
            by_topic.setdefault(best, []).append((-share[token][best], token))
    ranked = [
        (rank, *pair) for pairs in by_topic.values() for rank, pair in enumerate(sorted(pairs))
    ]
    return [token for _, _, token in sorted(ranked)[:TEXT_WORDS_SHOWN]]


def strongest_links(links: Sequence[Link]) -> list[Link]:
    """The strongest ``LINKS_KEPT`` links from the parents of each node."""
    found: dict[int, list[Link]] = {}
    for link in sorted(links, key=lambda link: -link.probability):
        found.setdefault(link.child, []).append(link)
    return [link for above in found.values() for link in above[:LINKS_KEPT]]
