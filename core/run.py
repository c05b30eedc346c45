"""Trained runs: a topic model with the folder and the settings that it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orrery.core.errors import InputError
from orrery.core.model import TopicModel


@dataclass(frozen=True, eq=False, repr=False)
class Run(TopicModel):
    """A trained run: a model with the folder and the settings that it came from."""

    folder: Path
    config: Mapping[str, Any]

    @property
    def corpus_path(self) -> Path:
        """Folder of the corpus that it was trained on.

        Raises
        ------
        InputError
            If the model was made of a graph file, without a corpus.
        """
        if self.config["corpus"] is None:
            raise InputError(f"{self.folder} was adopted from a graph and has no corpus of its own")
        return Path(self.config["corpus"])
