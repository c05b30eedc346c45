"""The figures of every part in a JSON file of its own, so that parts can be run one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.code_state import Agreement, Origin
from tests.benchmarks.data import MissingData, UnknownName
from tests.benchmarks.part import Figures, Settings, log

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
        rows = self.figures.get("rows")
        return list(rows) if isinstance(rows, dict) else []


def save_result(folder: Path, result: Result) -> None:
    """Write ``<part>.json``; a number that is not finite is refused (ValueError)."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(result), ensure_ascii=False, indent=1, allow_nan=False)
    # Renamed when it is whole, because another process may read it.
    new = folder / f".{result.part}-{os.getpid()}"
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(folder / f"{result.part}.json")


def load_results(folder: Path) -> dict[str, Result]:
    """Read every result in a folder, by the name of its part."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))]
    results = [_read(json.loads(text)) for text in texts]
    return {result.part: result for result in results}


def measure_sets(
    part: str,
    known: Iterable[str],
    quick: tuple[str, ...],
    measure: Callable[[str], Any],
    settings: Settings,
    more: Mapping[str, Any] | None = None,
) -> Figures:
    """Measure the sets asked for, one by one; the earlier figures of other sets stay.

    After each set, what is done so far is stored. A set whose data are not here is left out.

    Parameters
    ----------
    part : str
    known : iterable of str
        All sets, in the order of the page; measured unless some are asked for. ``bbc`` asks for
        all that begin with ``bbc:``, unless it is itself a set.
    quick : tuple of str
        Sets to measure in a quick run.
    measure : function of a set
        Returns its row; may raise `MissingData`.
    settings : Settings
    more : dict or None
        Further figures.

    Returns
    -------
    figures : dict
        ``rows`` by set, and ``more``.

    Raises
    ------
    UnknownName
        If a set is not ``known``.
    MissingData
        If no set could be measured.
    """
    known, done = tuple(known), dict[str, Any]()
    wanted = settings.sets or settings.pick(known, quick)
    names = dict.fromkeys(name for each in wanted for name in _sets_named(each, known))

    def figures() -> Figures:
        # Read late: another process may have measured other sets meanwhile.
        rows = {**earlier_rows(part, settings), **done}
        return {"rows": {name: rows[name] for name in known if name in rows}, **(more or {})}

    for name in names:
        try:
            done[name] = measure(name)
        except MissingData as missing:
            log.warning("%s is left out: %s", name, missing)
            continue
        log.info("%s: %s", name, done[name])
        settings.keep(figures(), tuple(done))
    if not done:
        raise MissingData(f"none of the sets {', '.join(names)} can be measured; set ORRERY_DATA")
    return figures()


def _sets_named(wanted: str, known: tuple[str, ...]) -> list[str]:
    names = [name for name in known if name == wanted]
    names = names or [name for name in known if name.startswith(f"{wanted}:")]
    if not names:
        raise UnknownName(f"there is no set {wanted}; choose among {', '.join(known)}")
    return names


def earlier_rows(part: str, settings: Settings) -> dict[str, Any]:
    """Rows of earlier runs of a part by set; {} in a quick run."""
    earlier = None if settings.quick else load_results(RESULTS).get(part)
    return earlier.figures["rows"] if earlier else {}


def _read(content: dict[str, Any]) -> Result:
    origins = tuple(_origin(one) for one in content.pop("origins", ()))
    return Result(**content, origins=origins)


def _origin(content: dict[str, Any]) -> Origin:
    agreed = content.pop("agreed", None)
    sets = tuple(content.pop("sets"))
    return Origin(sets, **content, agreed=Agreement(**agreed) if agreed else None)
