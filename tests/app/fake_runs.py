"""Run folders written by hand, as the trainer would leave them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pandas as pd

from orrery.core.storage.runs import RUN_VERSION

EPOCHS = 10


def metrics_rows(n_rows: int = 40, *, rise: float = 8.0, seed: int = 0) -> list[dict]:
    """Rows of a run that improves steadily: four to an epoch, half a second each."""
    rng = np.random.default_rng(seed)
    rows = []
    for row in range(1, n_rows + 1):
        share = row / n_rows
        figures = {
            "step": row,
            "epoch": row / 4,
            "epochs": EPOCHS,
            "seconds": row / 2,
            "train_bound": -50.0 + rise * share + 0.05 * float(rng.normal()),
            "documents_per_second": 1234.0,
            "active_topics": 17,
        }
        if row % 4 == 0:
            figures["held_out_bound"] = -52.0 + rise * share
        rows.append(figures)
    return rows


def metrics_table(n_rows: int = 40, **options: float) -> pd.DataFrame:
    """Return these rows as ``read_metrics`` would."""
    return pd.DataFrame(metrics_rows(n_rows, **options))


def write_run(
    folder: Path,
    corpus: Path,
    state: str,
    *,
    n_rows: int = 40,
    has_model: bool = False,
    message: str = "",
) -> Path:
    """Write a run folder in a state."""
    folder.mkdir(parents=True)
    settings = {"method": "dense-regions", "topics": [6, 2], "training": {"epochs": EPOCHS}}
    config = {"version": RUN_VERSION, "corpus": str(corpus), "settings": settings}
    (folder / "config.json").write_text(json.dumps(config))
    rows = metrics_rows(n_rows)
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    status = {"state": state, "message": message, "epochs": EPOCHS, "updated": time.time()}
    last = rows[-1] if rows else {}
    (folder / "status.json").write_text(json.dumps({**last, **status, "pid": 0}))
    (folder / "checkpoint-00000001.npz").write_bytes(b"")
    if has_model:
        (folder / "model").mkdir()
        (folder / "model" / "model.json").write_text("{}")
    return folder
