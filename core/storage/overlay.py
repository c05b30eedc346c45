"""Overlay: what a person says about the topics of a model; it never touches the parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import filelock

from orrery.core.errors import InputError
from orrery.core.storage.atomic import write_json
from orrery.core.storage.reading import read_json

OVERLAY_VERSION = 1
OVERLAY_FORMAT = "orrery overlay"
OVERLAY_FILE = "overlay.json"
# A name longer than this is a description, and fits nowhere.
LONGEST_LABEL = 120


@dataclass(frozen=True)
class Overlay:
    """Labels, hidden topics and merges for the eye, by the permanent ids of the topics.

    Topics that the model does not have are kept and ignored: training on may bring a model
    without them, and with them again.

    Attributes
    ----------
    labels : mapping of str to str
        A person's own name for a topic.
    hidden : frozenset of str
        Topics that pictures leave out; inference does not.
    merged : mapping of str to str
        Topics that are shown as part of another one, which is not merged itself.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    merged: Mapping[str, str] = field(default_factory=dict)

    def shown_labels(self, topic_ids: Sequence[str], made: Sequence[str]) -> tuple[str, ...]:
        """Names of all topics: a person's where there is one, else the one made of words."""
        return tuple(
            self.labels.get(topic, label) for topic, label in zip(topic_ids, made, strict=True)
        )

    def about(self, topics: Collection[str]) -> Overlay:
        """What is said about these topics alone."""
        return Overlay(
            {topic: label for topic, label in self.labels.items() if topic in topics},
            self.hidden.intersection(topics),
            {
                part: whole
                for part, whole in self.merged.items()
                if part in topics and whole in topics
            },
        )

    def with_label(self, topic: str, label: str) -> Overlay:
        """Name a topic; an empty name leads back to the one made of its words.

        Raises
        ------
        InputError
            If the name is longer than ``LONGEST_LABEL``, or cannot be shown.
        """
        name = " ".join(label.split())
        if len(name) > LONGEST_LABEL:
            raise InputError(
                f"the name has {len(name)} characters; shorten it to {LONGEST_LABEL} or fewer"
            )
        if not name.isprintable():
            raise InputError("the name holds a sign that cannot be shown; leave it out")
        others = {key: value for key, value in self.labels.items() if key != topic}
        return replace(self, labels=others | ({topic: name} if name else {}))

    def with_hidden(self, topic: str, is_hidden: bool) -> Overlay:
        """Leave a topic out of pictures, or show it again."""
        change = frozenset([topic])
        return replace(self, hidden=self.hidden | change if is_hidden else self.hidden - change)

    def with_merged(self, topic: str, into: str) -> Overlay:
        """Show a topic as part of another one; an empty ``into`` parts it again.

        What was part of the topic becomes part of the other one too.

        Raises
        ------
        InputError
            If the two are one and the same.
        """
        leader = self.merged.get(into, into)
        if topic == leader:
            raise InputError(f"{topic} cannot be part of itself; choose another topic")
        others = {
            part: (leader if whole == topic and into else whole)
            for part, whole in self.merged.items()
            if part != topic
        }
        return replace(self, merged=others | ({topic: leader} if into else {}))


def read_overlay(model_folder: Path) -> Overlay:
    """Read the overlay beside a model; an empty one where there is no file.

    Raises
    ------
    InputError
        One sentence if the file is damaged or its version is another.
    """
    path = model_folder / OVERLAY_FILE
    if not path.exists():
        return Overlay()
    try:
        values = read_json(path)
    except InputError:
        raise _damaged(path) from None
    version = values.get("version")
    if values.get("format") != OVERLAY_FORMAT or type(version) is not int:
        raise _damaged(path)
    if version != OVERLAY_VERSION:
        raise InputError(
            f"{path} is an overlay of version {version}, and this Orrery reads "
            f"{OVERLAY_VERSION}; move it away to see the model without it"
        )
    labels: Any = values.get("labels")
    hidden: Any = values.get("hidden")
    merged: Any = values.get("merged")
    if not (_is_texts(labels) and _is_list(hidden) and _is_texts(merged)):
        raise _damaged(path)
    if not all(_is_label(label) for label in labels.values()):
        raise _damaged(path)
    # A part whose whole is a part as well would have to be looked up without end.
    if set(merged) & set(merged.values()):
        raise _damaged(path)
    return Overlay(labels, frozenset(hidden), merged)


def _is_label(label: str) -> bool:
    """Whether this is one line of letters and signs that can be written anywhere."""
    return 0 < len(label) <= LONGEST_LABEL and label.isprintable() and label == label.strip()


def change_overlay(model_folder: Path, change: Callable[[Overlay], Overlay]) -> Overlay:
    """Apply a change to the overlay as it stands on disk, and write it; returns the result."""
    with overlay_lock(model_folder):
        overlay = change(read_overlay(model_folder))
        write_overlay(model_folder, overlay)
    return overlay


def overlay_lock(model_folder: Path) -> filelock.BaseFileLock:
    """Lock to hold for the moment of a change, or of putting another model in the place of this."""
    return filelock.FileLock(model_folder.with_name(f"{model_folder.name}.lock"))


def write_overlay(model_folder: Path, overlay: Overlay) -> None:
    """Write the overlay beside a model, atomically and in the same order for the same content."""
    values = {
        "format": OVERLAY_FORMAT,
        "version": OVERLAY_VERSION,
        "labels": dict(sorted(overlay.labels.items())),
        "hidden": sorted(overlay.hidden),
        "merged": dict(sorted(overlay.merged.items())),
    }
    write_json(model_folder / OVERLAY_FILE, values)


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is damaged: it is not an overlay; move it away to see the model without it"
    )
