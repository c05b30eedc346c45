"""The figures of every part in a JSON file of its own, so that parts can be run one by one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.code_state import Origin
from tests.benchmarks.part import Figures

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Result:
    """Result of a run of a part.

    Attributes
    ----------
    part : str
    command : str
        The command line that made it.
    minutes : float
        Duration.
    machine : str
    quick : bool
        Whether only tiny pieces were run.
    figures : dict
    pace : float or None
        Pace of the machine, before and after (`machine.measure_pace`); None if not measured.
    origins : tuple of Origin
        Code that made the figures; empty if it was not recorded.
    """

    part: str
    command: str
    minutes: float
    machine: str
    quick: bool
    figures: Figures
    pace: float | None = None
    origins: tuple[Origin, ...] = ()

    @property
    def sets(self) -> list[str]:
        """Sets that have figures, for parts that can run some of them again."""
        names = [self.figures[key] for key in ("rows", "sets") if key in self.figures]
        return [name for found in names if isinstance(found, dict) for name in found]


def save_result(folder: Path, result: Result) -> None:
    """Write ``<part>.json``; a number that is not finite is refused (ValueError)."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(result), ensure_ascii=False, indent=1, allow_nan=False)
    (folder / f"{result.part}.json").write_text(text + "\n", encoding="utf-8")


def load_results(folder: Path) -> dict[str, Result]:
    """Read every result in a folder, by the name of its part."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))]
    results = [_read(json.loads(text)) for text in texts]
    return {result.part: result for result in results}


def _read(content: dict[str, Any]) -> Result:
    origins = [Origin(**{**one, "sets": tuple(one["sets"])}) for one in content.pop("origins", ())]
    return Result(**content, origins=tuple(origins))
