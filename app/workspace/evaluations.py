"""Evaluating models in processes of their own, and the figures that result (no streamlit).

An evaluation is a folder in the workspace, named by the content of the model, so that it is never
shown for another one. Deleting it loses nothing that cannot be computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.storage.reading import check_seal, json_value, read_json
from ...core.storage.reports import sound_figures
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes

# Kinds of evaluation, and the options of `orrery evaluate` for each.
KINDS = {
    "figures": (),
    "labels": ("--classify",),
    "rival": ("--rival",),
    "rival-labels": ("--rival", "--classify"),
}
# What is the same for every model that is evaluated on the same documents.
CONTROLS = ("completion_mrr_independent", "completion_recall10_independent", "accuracy_majority")


@dataclass(frozen=True)
class Evaluation:
    """State of an evaluation.

    Attributes
    ----------
    state : str
        ``none``, ``going``, ``done`` or ``failed``.
    figures : dict
        Output of ``orrery evaluate --json``, once it is done.
    message : str
        Error, if it failed.
    seconds : float
        Time since it was started.
    share : float
        Share of the documents that is done.
    """

    state: str
    figures: dict[str, Any] = field(default_factory=dict)
    message: str = ""
    seconds: float = 0.0
    share: float = 0.0


@dataclass(frozen=True)
class EvaluatedModel:
    """A model, ours or another one, with the figures that are known of it.

    Attributes
    ----------
    name : str
    figures : dict
        Keys of ``orrery evaluate --json``; empty where the model was never evaluated.
    is_whole : bool
        Whether all held-out documents were evaluated, not only those at the end of the run.
    """

    name: str
    figures: dict[str, Any]
    is_whole: bool


@writer
def begin(workspace: Path, run: Path, kind: str) -> None:
    """Start evaluating the model of a run on all its held-out documents, unless that is going.

    Raises
    ------
    InputError
        If there is no model in the folder, or it is damaged.
    """
    processes.begin(
        _folder(workspace, run, kind),
        ["evaluate", str(run), "--json", *KINDS[kind]],
        run,
        lambda: read_evaluation(workspace, run, kind).state == "going",
    )


def read_evaluation(workspace: Path, run: Path, kind: str) -> Evaluation:
    """State of an evaluation; an InputError if the model is damaged."""
    work = processes.read_work(_folder(workspace, run, kind))
    if work is None:
        return Evaluation("none")
    figures = _figures(work.last)
    if figures:
        return Evaluation("done", figures)
    if work.is_going:
        return Evaluation("going", seconds=work.seconds, share=work.share)
    return Evaluation("failed", message=work.last)


def read_evaluations(workspace: Path, run: Path) -> dict[str, Evaluation]:
    """`read_evaluation` of every kind."""
    return {kind: read_evaluation(workspace, run, kind) for kind in KINDS}


@writer
def stop(workspace: Path, run: Path) -> None:
    """End all evaluations of the model that are going, so that they leave no trace."""
    # Of a model that somebody else deleted, nothing is going.
    with suppress(InputError):
        for kind, evaluation in read_evaluations(workspace, run).items():
            if evaluation.state == "going":
                processes.call_off(_folder(workspace, run, kind))


def known_figures(run: Path, name: str, evaluations: Mapping[str, Evaluation]) -> EvaluatedModel:
    """All figures known of a model: those of its run, and over them those of its evaluations.

    Raises
    ------
    InputError
        If there is no model in the folder.
    """
    summary = _description(run).get("summary")
    held_out = summary.get("held_out") if isinstance(summary, dict) else None
    figures = sound_figures(held_out) if isinstance(held_out, dict) else {}
    is_whole = False
    for evaluation in evaluations.values():
        figures |= evaluation.figures
        is_whole |= evaluation.state == "done"
    figures.pop("rival", None)
    return EvaluatedModel(name, figures, is_whole)


def known_rival(evaluations: Mapping[str, Evaluation]) -> EvaluatedModel | None:
    """Figures of another kind of model on the documents of a run; None where there are none."""
    figures: dict[str, Any] = {}
    name = ""
    for evaluation in evaluations.values():
        evaluated = evaluation.figures
        rival = evaluated.get("rival")
        if isinstance(rival, dict):
            controls = {key: evaluated[key] for key in CONTROLS if key in evaluated}
            known = {key: value for key, value in rival.items() if value is not None}
            name = str(known.pop("name", name))
            figures |= controls | sound_figures(known)
    return EvaluatedModel(name, figures, True) if name else None


def _description(run: Path) -> dict[str, Any]:
    path = run / "model" / "model.json"
    description = read_json(path)
    check_seal(path, description, is_needed=False)
    return description


def _folder(workspace: Path, run: Path, kind: str) -> Path:
    content = _description(run).get("model_hash")
    if not isinstance(content, str) or not content.isalnum():
        raise InputError(f"the model of {run.name} is damaged; train it again")
    return workspace / "evaluations" / f"{content[:20]}-{kind}"


def _figures(text: str) -> dict[str, Any]:
    value = json_value(text)
    if not isinstance(value, dict):
        return {}
    rival = value.pop("rival", None)
    return sound_figures(value) | ({"rival": rival} if isinstance(rival, dict) else {})
