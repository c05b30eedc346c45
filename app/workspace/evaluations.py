"""Evaluation of models in separate processes, and the resulting figures.

An evaluation is a folder in the workspace. Its name is a hash of the model, so that it is never
shown for another model. It may be deleted, since it can be computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.evaluation.metrics import METRICS
from ...core.storage.reading import check_seal, json_value, read_json
from ...core.storage.reports import valid_figures
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes

# Kinds of evaluation, and the options of `orrery evaluate` for each.
KINDS = {
    "figures": (),
    "labels": ("--classify", "--labels"),
    "rival": ("--rival",),
    "rival-labels": ("--rival", "--classify"),
}
# Baselines that depend only on the documents, not on the model.
BASELINES = [metric.baseline for metric in METRICS if metric.baseline and metric.heading]


@dataclass(frozen=True)
class Evaluation:
    """State of an evaluation."""

    state: str  # ``none``, ``going``, ``done`` or ``failed``
    # Output of ``orrery evaluate --json``, if it is done.
    figures: dict[str, Any] = field(default_factory=dict)
    message: str = ""  # reason of a failure
    seconds: float = 0.0  # duration so far
    share: float = 0.0  # share of the documents that are evaluated


@dataclass(frozen=True)
class EvaluatedModel:
    """Model or baseline with its known figures."""

    name: str
    # Keys of ``orrery evaluate --json``; empty if the model was never evaluated.
    figures: dict[str, Any]
    # Whether all held-out documents were evaluated, not only a sample at the end of the run.
    is_whole: bool


@writer
def begin(workspace: Path, run: Path, kind: str) -> None:
    """Start the evaluation of a run on all its held-out documents, unless one is going.

    Raises
    ------
    InputError
        If the folder has no model, or a damaged one.
    """
    processes.begin(
        _folder(workspace, run, kind),
        ["evaluate", str(run), "--json", *KINDS[kind]],
        run,
        lambda: read_evaluation(workspace, run, kind).state == "going",
    )


def read_evaluation(workspace: Path, run: Path, kind: str) -> Evaluation:
    """State of an evaluation (InputError if the model is damaged)."""
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
    """State of the evaluations of all kinds."""
    return {kind: read_evaluation(workspace, run, kind) for kind in KINDS}


@writer
def stop(workspace: Path, run: Path, *, of_copies: bool = True) -> None:
    """End the evaluations of the model that are going, and delete their folders.

    Copies of a run have the same model, and so the same evaluations. Without ``of_copies``, only
    evaluations that were started for this run are ended.
    """
    # The model may have been deleted by another visitor.
    with suppress(InputError):
        for kind, evaluation in read_evaluations(workspace, run).items():
            folder = _folder(workspace, run, kind)
            if evaluation.state == "going" and (of_copies or processes.is_about(folder, run)):
                processes.call_off(folder)


def known_figures(run: Path, name: str, evaluations: Mapping[str, Evaluation]) -> EvaluatedModel:
    """Known figures of a model: figures of its evaluations take precedence over its run's.

    Raises
    ------
    InputError
        If the folder has no model.
    """
    summary = _description(run).get("summary")
    held_out = summary.get("held_out") if isinstance(summary, dict) else None
    figures = valid_figures(held_out) if isinstance(held_out, dict) else {}
    is_whole = False
    for evaluation in evaluations.values():
        figures |= evaluation.figures
        is_whole |= evaluation.state == "done"
    figures.pop("rival", None)
    return EvaluatedModel(name, figures, is_whole)


def known_baseline(evaluations: Mapping[str, Evaluation]) -> EvaluatedModel | None:
    """Figures of the baseline model on the documents of a run; None if it was not evaluated."""
    figures: dict[str, Any] = {}
    name = ""
    for evaluation in evaluations.values():
        evaluated = evaluation.figures
        baseline = evaluated.get("rival")
        if isinstance(baseline, dict):
            baselines = {key: evaluated[key] for key in BASELINES if key in evaluated}
            known = {key: value for key, value in baseline.items() if value is not None}
            name = str(known.pop("name", name))
            figures |= baselines | valid_figures(known)
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
    baseline = value.pop("rival", None)
    return valid_figures(value) | ({"rival": baseline} if isinstance(baseline, dict) else {})
