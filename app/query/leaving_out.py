"""What a topic would be without each word that was said (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orrery.app.graph.links import node_name
from orrery.app.query.why import COLOURS
from orrery.app.text.escaping import html_text
from orrery.app.words import why as words
from orrery.app.words.figures import figures_of
from orrery.core.explanation import Omission
from orrery.core.inference import Estimate

if TYPE_CHECKING:
    from orrery.core.run import Run

STYLE = """<style>
.left-out { display: grid; grid-template-columns: fit-content(14rem) 1fr auto; gap: .3rem .7rem;
  align-items: center; font-size: .85rem; margin: 0 0 .6rem; }
.left-out .name { text-align: right; overflow-wrap: anywhere; line-height: 1.2; }
.left-out .track { position: relative; height: 8px; border-radius: 4px;
  background: rgba(127, 140, 155, .22); }
.left-out .move { position: absolute; top: 0; height: 8px; border-radius: 2px; }
.left-out .now { position: absolute; top: -3px; width: 2px; height: 14px; margin-left: -1px;
  background: #7A8797; }
.left-out .figure { font-weight: 600; font-variant-numeric: tabular-nums; }
</style>"""
ROW = (
    '<div class="name">{name}</div>'
    '<div class="track"><div class="move" style="left:{left:.1f}%;width:{width:.1f}%;'
    'background:{colour}"></div><div class="now" style="left:{now:.1f}%"></div></div>'
    '<div class="figure">{figure}</div>'
)


@dataclass(frozen=True)
class Without:
    """A piece of what was said, and what the topic would be without it."""

    name: str
    known: Estimate
    is_word: bool


def without_each(run: Run, omissions: Sequence[Omission]) -> list[Without]:
    """Name the pieces, in the order in which they were left out."""
    n_topics = run.network.graph.n_topics
    return [
        Without(
            words.piece(one.piece, node_name(run, one.node + (n_topics if is_word else 0))),
            one.without,
            is_word,
        )
        for one in omissions
        for is_word in [one.piece in ("present", "absent")]
    ]


def without_html(rows: Sequence[Without], now: Estimate, palette: str) -> str:
    """Draw a row for each piece: from what the topic is now to what it would be without it.

    A piece without which it would be less probable speaks for it.
    """
    speaks_for, against, _ = COLOURS[palette]
    drawn = [
        ROW.format(
            name=html_text(row.name),
            left=100.0 * min(row.known.value, now.value),
            width=100.0 * abs(row.known.value - now.value),
            colour=speaks_for if row.known.value < now.value else against,
            now=100.0 * now.value,
            figure=html_text(figures_of(row.known)),
        )
        for row in rows
    ]
    return f'{STYLE}<div class="left-out">{"".join(drawn)}</div>'
