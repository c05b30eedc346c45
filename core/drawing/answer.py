"""The answer to a query as groups of topics and as a sentence, for the app and the command."""

from __future__ import annotations

from dataclasses import dataclass

from ..inference.posterior import Estimate, Posterior
from ..inference.thresholds import LIKELIEST_SHOWN, MAX_NAMED, group_of
from ..model.topic_model import Run
from . import explorer_strings
from .selection import hidden_count, shown_estimate
from .strings import figures_of

Ranked = tuple[tuple[int, Estimate], ...]


@dataclass(frozen=True)
class AnswerGroups:
    """Topics of an answer, each in one list, by decreasing probability.

    Attributes
    ----------
    on, unsure, off : tuple of (int, Estimate)
        Topics with their probabilities; `orrery.core.inference.thresholds.group_of` is the limit.
    prior : tuple of (int, Estimate)
        The most frequent topics in general, if no shown topic is linked with the words.
    is_hidden : bool
        Whether all topics that are linked with the words are hidden.
    """

    on: Ranked
    unsure: Ranked
    off: Ranked
    prior: Ranked
    is_hidden: bool = False

    @property
    def group(self) -> str:
        """Group of the most probable topic."""
        return "on" if self.on else "unsure" if self.unsure else "off"

    @property
    def likeliest(self) -> Ranked:
        """The most probable topics; empty only if the model shows no topic."""
        return (self.on + self.unsure + self.off + self.prior)[:LIKELIEST_SHOWN]

    @property
    def lists(self) -> dict[str, Ranked]:
        """Lists to show, by heading."""
        if self.on:
            lists = {explorer_strings.ON_TITLE: self.on, explorer_strings.UNSURE_TITLE: self.unsure}
            return {title: topics for title, topics in lists.items() if topics}
        title = explorer_strings.UNLINKED if self.prior else explorer_strings.LIKELIEST_TITLE
        return {title: self.likeliest} if self.likeliest else {}


def answer_groups(run: Run, posterior: Posterior) -> AnswerGroups:
    """Sort the shown topics of a posterior into groups."""
    found = shown_estimate(run, posterior)
    groups: dict[str, list[tuple[int, Estimate]]] = {"on": [], "unsure": [], "off": []}
    for topic in sorted(found, key=lambda topic: -found[topic].value):
        groups[group_of(found[topic].value)].append((topic, found[topic]))
    return AnswerGroups(
        **{name: tuple(topics) for name, topics in groups.items()},
        prior=() if found else _most_frequent(run),
        is_hidden=not found and hidden_count(run, posterior) > 0,
    )


def _most_frequent(run: Run) -> Ranked:
    prior = run.displayed_prior
    ranked = sorted(run.displayed_topics, key=lambda topic: -prior[topic])[:LIKELIEST_SHOWN]
    return tuple((topic, Estimate(float(prior[topic]), 0.0)) for topic in ranked)


def answer_sentence(run: Run, groups: AnswerGroups) -> str:
    """Sentence with the answer and its figures, which is true without the picture."""
    if not groups.on + groups.unsure + groups.off:
        return run.terms.translated(
            explorer_strings.HIDDEN_ANSWER if groups.is_hidden else explorer_strings.UNLINKED_ANSWER
        )
    chosen = {"on": groups.on, "unsure": groups.unsure, "off": groups.off}[groups.group]
    names = [
        explorer_strings.ANSWER_TOPIC.format(
            name=run.topic_labels[topic], figures=figures_of(known)
        )
        for topic, known in chosen[:MAX_NAMED]
    ]
    n_more = len(chosen) - len(names) if groups.group != "off" else 0
    more = [explorer_strings.ANSWER_MORE.format(count=n_more)] if n_more else []
    sentence = run.terms.translated(explorer_strings.ANSWER[groups.group])
    return sentence.format(topics=", ".join([*names, *more]))
