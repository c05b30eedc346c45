"""Guidance: a user's rules for a graph of topics, checked for contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from ..model.graph import TOPIC_PREFIX
from ..model.network import MAX_WEIGHT
from ..utils.errors import InputError
from ..utils.lazy import LazyModule

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = LazyModule("networkx")

RULES = ("seeds", "must_link", "cannot_link", "frozen", "forbidden")


@dataclass(frozen=True)
class Guidance:
    """Rules by name, as in a guidance file."""

    seeds: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a topic and its seed words
    # Groups of words that need a common parent; groups that share a word are one.
    must_link: tuple[tuple[str, ...], ...] = ()
    cannot_link: tuple[tuple[str, str], ...] = ()  # words that must not have a common parent
    # Parent, child and noisy-OR weight of edges that training leaves unchanged; without a weight
    # they keep their initial one.
    frozen: tuple[tuple[str, str, float | None], ...] = ()
    # Parent and child of edges that are never in the graph.
    forbidden: tuple[tuple[str, str], ...] = ()

    def groups(self) -> list[list[str]]:
        """Groups of words that must be linked, as disjoint sorted lists."""
        together = nx.Graph()
        for group in self.must_link:
            nx.add_path(together, group)
        return sorted(sorted(words) for words in nx.connected_components(together))


def guidance_from_values(values: Mapping[str, Any]) -> Guidance:
    """Guidance from plain values, as read from TOML or JSON.

    Raises `InputError` for an unknown or malformed rule, which the message names.
    """
    for name in values:
        if name not in RULES:
            raise InputError(f"there is no rule {name!r}; use {', '.join(RULES)}")
    seeds = values.get("seeds", {})
    if not isinstance(seeds, Mapping):
        raise InputError("seeds is not a table; give it lines such as space = ['orbit', 'moon']")
    return Guidance(
        seeds=tuple(
            (name.strip().removeprefix(TOPIC_PREFIX), _names(words, f"seeds {name!r}", 1))
            for name, words in seeds.items()
        ),
        must_link=tuple(_names(row, rule, 2) for rule, row in _rows(values, "must_link")),
        cannot_link=tuple(_pair(row, rule) for rule, row in _rows(values, "cannot_link")),
        frozen=tuple(_frozen_edge(row, rule) for rule, row in _rows(values, "frozen")),
        forbidden=tuple(_edge(row, rule) for rule, row in _rows(values, "forbidden")),
    )


def guidance_to_values(guidance: Guidance) -> dict[str, Any]:
    """Plain values for JSON; `guidance_from_values` restores the guidance from them."""
    frozen = [[*ends] if weight is None else [*ends, weight] for *ends, weight in guidance.frozen]
    return {
        "seeds": {name: list(words) for name, words in guidance.seeds},
        "must_link": [list(group) for group in guidance.must_link],
        "cannot_link": [list(pair) for pair in guidance.cannot_link],
        "frozen": frozen,
        "forbidden": [list(edge) for edge in guidance.forbidden],
    }


def _rows(values: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    """Rules of one kind, each with its name for messages."""
    rows = values.get(name, [])
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise InputError(f"{name} is not a list; give a list of lists of names")
    return ((f"{name} {number}", row) for number, row in enumerate(rows, start=1))


def _names(row: Any, rule: str, n_required: int) -> tuple[str, ...]:
    is_list = isinstance(row, Sequence) and not isinstance(row, str)
    if not is_list or not all(isinstance(name, str) and name.strip() for name in row):
        raise InputError(f"{rule} is not a list of names; write it as ['one', 'two']")
    names = tuple(name.strip() for name in row)
    if len(names) < n_required:
        raise InputError(f"{rule} has too few names; expected at least {n_required}")
    if len(set(names)) < len(names):
        raise InputError(f"{rule} names something twice; leave the repeat out")
    return names


def _pair(row: Any, rule: str) -> tuple[str, str]:
    names = _names(row, rule, 2)
    if len(names) != 2:
        raise InputError(f"{rule} has {len(names)} names; expected two")
    return names[0], names[1]


def _edge(row: Any, rule: str) -> tuple[str, str]:
    parent, child = _pair(row, rule)
    return parent.removeprefix(TOPIC_PREFIX), child


def _frozen_edge(row: Any, rule: str) -> tuple[str, str, float | None]:
    has_weight = isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 3
    if not has_weight:
        return *_edge(row, rule), None
    weight = row[2]
    if type(weight) not in (int, float) or not 0 < weight <= MAX_WEIGHT:
        raise InputError(
            f"{rule} has a weight that is no number above 0 and at most {MAX_WEIGHT:g}; "
            "give one, or forbid the edge"
        )
    return *_edge(row[:2], rule), float(weight)


def spelled(guidance: Guidance, words: Mapping[str, int]) -> Guidance:
    """Guidance with every word as the vocabulary spells it, and every other child as a topic.

    A phrase may be written with spaces.

    Raises `InputError` for a word that is not in the vocabulary; the message names the rule.
    """

    def word(name: str, rule: str) -> str:
        found = _spelling(name, words)
        if found is None:
            raise InputError(f"{rule} names {name!r}, which is no word of the vocabulary")
        return found

    def child(name: str) -> str:
        return _spelling(name, words) or TOPIC_PREFIX + name.removeprefix(TOPIC_PREFIX)

    def group(names: Sequence[str], rule: str) -> tuple[str, ...]:
        found = tuple(word(name, rule) for name in names)
        if len(set(found)) < len(found):
            raise InputError(f"{rule} names a word twice, in two spellings; leave one out")
        return found

    def pair(names: Sequence[str], rule: str) -> tuple[str, str]:
        one, other = group(names, rule)
        return one, other

    return replace(
        guidance,
        seeds=tuple((name, group(each, f"seeds {name!r}")) for name, each in guidance.seeds),
        must_link=tuple(
            group(names, f"must_link {number}")
            for number, names in enumerate(guidance.must_link, start=1)
        ),
        cannot_link=tuple(
            pair(names, f"cannot_link {number}")
            for number, names in enumerate(guidance.cannot_link, start=1)
        ),
        frozen=tuple((parent, child(name), weight) for parent, name, weight in guidance.frozen),
        forbidden=tuple((parent, child(name)) for parent, name in guidance.forbidden),
    )


def _spelling(name: str, words: Mapping[str, int]) -> str | None:
    return next((form for form in (name, name.replace(" ", "_")) if form in words), None)


def check_guidance(guidance: Guidance) -> None:
    """Raise `InputError` for rules that contradict each other; the message names the rules."""
    _check_repeats(guidance)
    _check_forbidden(guidance)
    _check_groups(guidance)
    _check_children(guidance)


def _check_repeats(guidance: Guidance) -> None:
    for kind, edges in (
        ("frozen", [edge[:2] for edge in guidance.frozen]),
        ("forbidden", list(guidance.forbidden)),
    ):
        for number, edge in enumerate(edges):
            first = edges.index(edge)
            if first < number:
                raise InputError(f"{kind} {number + 1} repeats {kind} {first + 1}; remove one")
    names = [name for name, _ in guidance.seeds]
    for name in names:
        if not name or names.count(name) > 1:
            raise InputError(f"seeds {name!r} needs a topic's name of its own")


def _held_edges(guidance: Guidance) -> Iterator[tuple[str, str, str]]:
    """Edges that rules require, as (rule, parent, child)."""
    for name, words in guidance.seeds:
        yield from ((f"seeds {name!r}", name, word) for word in words)
    for number, (parent, child, _) in enumerate(guidance.frozen, start=1):
        yield f"frozen {number}", parent, child


def _check_forbidden(guidance: Guidance) -> None:
    for rule, parent, child in _held_edges(guidance):
        if (parent, child) in guidance.forbidden:
            number = guidance.forbidden.index((parent, child)) + 1
            raise InputError(
                f"{rule} asks for the edge from {parent!r} to {child!r}, which forbidden {number} "
                "rules out; remove one of the two"
            )


def _check_groups(guidance: Guidance) -> None:
    together = nx.Graph()
    for number, group in enumerate(guidance.must_link, start=1):
        for one, other in combinations(group, 2):
            if not together.has_edge(one, other):
                together.add_edge(one, other, rule=f"must_link {number}")
    for number, (one, other) in enumerate(guidance.cannot_link, start=1):
        if one in together and other in together and nx.has_path(together, one, other):
            path = nx.shortest_path(together, one, other)
            rules = dict.fromkeys(together.edges[link]["rule"] for link in pairwise(path))
            raise InputError(
                f"cannot_link {number} parts {one!r} and {other!r}, which {' and '.join(rules)} "
                "hold together; remove one of the rules"
            )


def _check_children(guidance: Guidance) -> None:
    """Raise `InputError` if words that must not share a parent are required below the same one."""
    rule_of: dict[tuple[str, str], str] = {}
    for rule, parent, child in _held_edges(guidance):
        rule_of.setdefault((parent, child), rule)
    parents = dict.fromkeys(parent for parent, _ in rule_of)
    for number, pair in enumerate(guidance.cannot_link, start=1):
        for parent in parents:
            rules = [rule_of.get((parent, word)) for word in pair]
            if all(rules):
                named = " and ".join(dict.fromkeys(str(rule) for rule in rules))
                raise InputError(
                    f"cannot_link {number} parts {pair[0]!r} and {pair[1]!r}, which {named} put "
                    f"below the topic {parent!r}; remove one of the rules"
                )
