"""A kept view of the Evaluate page as its sentences and its figures (no streamlit)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from orrery.app.evaluation.evaluation_figures import (
    figures_table,
    label_sentence,
    ladder_sentence,
    verdict,
)
from orrery.app.evaluation.evaluation_jobs import (
    EvaluatedModel,
    known_figures,
    known_rival,
    read_evaluations,
)
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture
from orrery.app.words import evaluate as words
from orrery.core.errors import InputError

if TYPE_CHECKING:
    from orrery.core.run import Run


def kept_evaluation(run: Run, workspace: Path, address: Parameters) -> Picture | None:
    """What is known of a model, beside those that it is compared with; None where nothing is.

    Parameters
    ----------
    run : Run
    workspace : Path
        Where evaluations and the other models are.
    address : mapping
    """
    try:
        evaluations = read_evaluations(workspace, run.folder)
        name = chosen(address, "run", run.folder.name)
        known = known_figures(run.folder, name, evaluations)
    except InputError:
        return None
    figures, rival = known.figures, known_rival(evaluations)
    if not figures:
        return None
    models = [known, *_others(workspace, address), *([rival] if rival else [])]
    table = figures_table([model for model in models if model.figures])
    sentences = [verdict(figures, rival), ladder_sentence(figures), label_sentence(figures)]
    if figures.get("documents"):
        count = int(figures["documents"])
        sentences.append(words.evaluated_on(count, is_whole=known.is_whole))
    return {
        "kind": "table",
        "heading": words.TITLE,
        "caption": " ".join(filter(None, sentences)),
        "columns": list(table.columns),
        "figures": list(range(1, len(table.columns))),
        "rows": table.to_numpy().tolist(),
    }


def _others(workspace: Path, address: Parameters) -> list[EvaluatedModel]:
    """Models that the address compares, as far as they are still there."""
    found = list[EvaluatedModel]()
    for name in address.get("with", ()):
        folder = workspace / "runs" / name
        if Path(name).name != name:
            continue
        try:
            found.append(known_figures(folder, name, read_evaluations(workspace, folder)))
        except InputError:
            continue
    return found
