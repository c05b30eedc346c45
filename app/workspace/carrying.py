"""A user's names, notes and stories of one run, carried over to another by their matched topics.

The topics in the views of a story become the matched ones. A view is a page with its URL
parameters. Its other parameters, such as words of a query and documents, mean the same in every
model of the corpus. In a model of another corpus a document may have another text, so views of
documents are not carried over to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from ...core.evaluation.run_matching import NotCarried, RunMatch, carried_edits
from ...core.model.overlay import Edit, apply_edits
from ...core.model.story import KeptView, Story
from ...core.storage.overlay import change_overlay
from ...core.storage.runs import model_folder
from ...core.storage.stories import add_story, read_stories
from ...core.utils.read_only import writer
from ..text import strings as common_strings
from . import catalog

# URL parameters that contain the id of a topic; the key of a node; and clamped topics.
TOPIC_IDS = frozenset(("topic", "to", "in", "on", "card"))
NODE_KEY, CLAMPED = "sel", "hold"
# The choice of documents by a topic, and its values without a topic (`app.shared.listing`).
CHOICE, WITHOUT_TOPIC = "on", frozenset(("none", "unsure"))
# Parameters that are meaningless in another model: parts of its maps, and pages of its lists.
OF_THE_MODEL = frozenset(("skip", "more", "area", "only", "page"))
TOPIC_PREFIX = "topic:"
# URL parameter that contains the id of a document.
DOCUMENT = "doc"


def carried_view(view: KeptView, partner: Mapping[str, str]) -> KeptView | None:
    """View with the matched topics; None if one of its topics is not matched."""
    parameters = list[tuple[str, str]]()
    for name, value in view.parameters:
        if name in OF_THE_MODEL:
            continue
        carried = _carried(name, value, partner)
        if carried is None:
            return None
        parameters.append((name, carried))
    return replace(view, parameters=tuple(parameters))


def _carried(name: str, value: str, partner: Mapping[str, str]) -> str | None:
    """Value of a parameter with the matched topics; None if a topic is not matched."""
    if name == CHOICE and value in WITHOUT_TOPIC:
        return value
    if name in TOPIC_IDS and value:
        return partner.get(value)
    if name == NODE_KEY and value.startswith(TOPIC_PREFIX):
        topic = partner.get(value.removeprefix(TOPIC_PREFIX))
        return None if topic is None else TOPIC_PREFIX + topic
    if name == CLAMPED and value:
        parts = [part.rpartition(":") for part in value.split(",")]
        topics = [(partner.get(unquote(topic)), state) for topic, _, state in parts]
        if any(topic is None for topic, _ in topics):
            return None
        return ",".join(f"{quote(topic or '', safe='')}:{state}" for topic, state in topics)
    return value


class Carried(NamedTuple):
    """Names, notes and stories that were carried over to the other run, and those that were not."""

    edits: tuple[Edit, ...]
    stories: tuple[Story, ...]
    left: tuple[NotCarried, ...]


@writer
def carry_over(match: RunMatch) -> Carried:
    """Carry names, notes and stories of the first run over to the other one.

    Names and notes are one change, which can be undone. Stories are kept in a workspace, so they
    are carried over if both runs are in the same one. Raises InputError if the other run cannot be
    changed.
    """
    edits, left = carried_edits(match)
    first, other = match.first.folder.resolve(), match.other.folder.resolve()
    if edits:
        change_overlay(model_folder(other), lambda current: apply_edits(current, edits))
    home, goal = _workspace(first, other), _workspace(other, first)
    if home is None:
        return Carried(edits, (), left)
    name = _listed_name(first, home)
    if goal != home:
        return Carried(edits, (), (*left, *_stories_left(home, name)))
    is_same = match.first.corpus_path.resolve() == match.other.corpus_path.resolve()
    stories, problems = carry_stories(
        home, (name, _listed_name(other, home)), _corpus_name(match), match.partner,
        same_corpus=is_same,
    )  # fmt: skip
    return Carried(edits, tuple(stories), (*left, *problems))


def _workspace(run: Path, beside: Path) -> Path | None:
    """Workspace of a run; None for a run outside of workspaces.

    The sample is part of the program, and is listed in the workspace of the run beside it too.
    """
    for folder in (run, beside) if _is_sample(run) else (run,):
        if folder.parent.name == "runs":
            return folder.parent.parent
    return None


def _is_sample(folder: Path) -> bool:
    return folder.is_relative_to(catalog.SAMPLE_DATA.resolve())


def _listed_name(folder: Path, workspace: Path) -> str:
    """Name of a run in the stories of a workspace; the sample has a name of its own there."""
    if not _is_sample(folder):
        return folder.name
    is_taken = (workspace / "runs" / common_strings.SAMPLE).exists()
    return common_strings.SAMPLE_BESIDE if is_taken else common_strings.SAMPLE


def _stories_left(workspace: Path, run: str) -> list[NotCarried]:
    """All stories of a run, none of which is carried over, and the errors of unreadable ones."""
    stories, problems = read_stories(workspace)
    titles = [story.title for story in stories if story.run == run]
    reason = "the other run is not in the same workspace"
    return [
        *(NotCarried("", "story", "", problem) for problem in problems),
        *(NotCarried("", "story", title, reason) for title in titles),
    ]


def _corpus_name(match: RunMatch) -> str:
    """Name of the corpus of the other run in the address; the sample has a name of its own."""
    place = match.other.corpus_path.resolve()
    named = (corpus.name for corpus in catalog.corpora() if corpus.folder.resolve() == place)
    return next(named, place.name)


def carry_stories(
    workspace: Path,
    runs: tuple[str, str],
    corpus: str,
    partner: Mapping[str, str],
    *,
    same_corpus: bool = True,
) -> tuple[list[Story], list[NotCarried]]:
    """Copy the stories of the first run to the other one, without the views that do not match.

    ``runs`` are the names of both runs, and ``corpus`` is the corpus of the other one. A story that
    the other run has already, with the same title, is not copied again.
    """
    first, other = runs
    carried, left = list[Story](), list[NotCarried]()
    stories, problems = read_stories(workspace)
    left += [NotCarried("", "story", "", problem) for problem in problems]
    titles = {story.title for story in stories if story.run == other}
    for story in stories:
        if story.run != first:
            continue
        if story.title in titles:
            reason = f"{other} has a story of this title"
            left.append(NotCarried("", "story", story.title, reason))
            continue
        views = list[KeptView]()
        for view in story.views:
            found, reason = carried_view(view, partner), "a topic of the view is not matched"
            if not same_corpus and dict(view.parameters).get(DOCUMENT):
                found, reason = None, "its document may have another text in the other corpus"
            if found is None:
                left.append(NotCarried("", "story", f"{story.title}: {view.title}", reason))
            else:
                views.append(found)
        if views or not story.views:
            carried.append(add_story(workspace, story.title, corpus, other, tuple(views)))
    return carried, left
