"""Bayesian networks of other programs: XDSL files of GeNIe and SMILE, and BIF files.

A node is read if it has two states and its table is a noisy-OR of its parents. XDSL writes such a
node as ``noisymax``, with one column of probabilities for each parent and one for the leak; any
table is read if it is a noisy-OR within the rounding of its digits. A node without children is a
word, every other node a topic. Files that Orrery wrote also contain the kinds and the exact names
of the nodes.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ..data.encodings import decode
from ..model.graph import TOPIC_PREFIX
from ..model.network import MAX_WEIGHT, MIN_LEAK
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .edge_lists import EdgeList, LeakList

# Properties of a node in a file that Orrery wrote: ``topic`` or ``token``, or a part of a node that
# has too many parents for one table; and the exact name as a JSON string.
KIND_PROPERTY, NAME_PROPERTY = "orrery_kind", "orrery_name"
TOPIC_KIND, TOKEN_KIND, PART_KIND = "topic", "token", "part"
# Names of states that are clearly the one or the other, in small letters.
ON_NAMES = frozenset(["on", "yes", "true", "present", "positive", "active", "1", "t", "y"])
OFF_NAMES = frozenset(["off", "no", "false", "absent", "negative", "inactive", "0", "f", "n"])
# A table of more parents has over a million columns.
MAX_TABLE_PARENTS = 20
# Kinds of states, such as "high" and "low", for which both ways to read them are tried.
MAX_GUESSED_KINDS = 4
# Files have six digits or more, so probabilities may differ by this much from a noisy-OR, and the
# probabilities of a column from 1.
ROUNDING = 1e-6
# Differences below this are rounding in floating point, and not worth a note.
EXACT = 1e-12


# Leak and weights of a node, and the largest difference of its table from this noisy-OR.
_NoisyOr = tuple[float, list[float], float]


class _NotNoisyOrError(InputError):
    """Table that is not a noisy-OR, if the states are read in one way."""


@dataclass
class _Node:
    """Node of a file, with its probabilities as they are written."""

    id: str
    states: list[str]
    parents: list[str]
    # Probabilities of the node's states, shape (2, …, 2): one axis for each parent, then the
    # states. Of a noisy-OR, shape (n_parents + 1, 2): with one parent active, and with none.
    table: FloatArray
    # Position of the inactive state of each parent, if the node is written as a noisy-OR.
    inactive: list[int] | None = None
    properties: dict[str, str] = field(default_factory=dict)
    title: str = ""  # name for people


def read_xdsl(data: bytes, file: str) -> tuple[EdgeList, LeakList]:
    """Edges and leaks of an XDSL file, as noisy-OR weights.

    Raises InputError if the bytes are not XDSL, contain a document type, or a node is not a
    noisy-OR of nodes with two states; the message names the node.
    """
    try:
        parser = ElementTree.XMLParser(target=_PlainTree())
        parser.feed(data)
        root = parser.close()
    # Not XML, with a document type, or in an unknown encoding.
    except (SyntaxError, LookupError, ValueError, TypeError):
        raise InputError(f"{file} is not XDSL that can be read; write it again") from None
    found = root.find("nodes")
    if root.tag != "smile" or found is None:
        raise InputError(f"{file} is not XDSL, which begins with <smile> and <nodes>; check it")
    titles = {
        each.get("id", ""): (each.findtext("name") or "").strip() for each in root.iter("node")
    }
    nodes = [_xdsl_node(element, file) for element in found]
    for node in nodes:
        node.title = titles.get(node.id, "")
    return _edges_of(nodes, file)


class _PlainTree(ElementTree.TreeBuilder):
    """Tree of a file without a document type, which alone can define entities."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ValueError("a document type")


def _xdsl_node(element: ElementTree.Element, file: str) -> _Node:
    name = element.get("id", "")
    where = f"the node {name!r} of {file}"
    states = [state.get("id", "") for state in element.findall("state")]
    _check_states(states, where)
    parents = (element.findtext("parents") or "").split()
    properties = {each.get("id", ""): each.text or "" for each in element.findall("property")}
    inactive = None
    if element.tag == "noisymax":
        table = _numbers(element.findtext("parameters"), 4 * len(parents) + 2, where).reshape(-1, 2)
        strengths = (element.findtext("strengths") or "0 1 " * len(parents)).split()
        pairs = list(zip(strengths[::2], strengths[1::2], strict=False))
        if len(strengths) != 2 * len(parents) or any(sorted(pair) != ["0", "1"] for pair in pairs):
            raise InputError(f"{where} has strengths that are not 0 and 1 for each parent")
        # The states of a parent are ordered by strength; the weakest comes last and has no effect.
        inactive = [int(weakest) for _, weakest in pairs]
        if np.abs(table[1:-1:2] - [0.0, 1.0]).max(initial=0.0) > 0.0:
            raise InputError(
                f"{where} has a parent with an effect in its inactive state; only a noisy-OR is "
                "read, in which this column is 0 1"
            )
        table = table[[*range(0, len(table) - 1, 2), -1]]
    elif element.tag == "cpt":
        shape = _table_shape(len(parents), where)
        table = _numbers(element.findtext("probabilities"), math.prod(shape), where).reshape(shape)
    elif element.tag == "deterministic":
        shape = _table_shape(len(parents), where)
        results = (element.findtext("resultingstates") or "").split()
        if len(results) != math.prod(shape[:-1]) or not {*results} <= {*states}:
            raise InputError(f"{where} does not have one of its states for each state of parents")
        table = np.array([[result == state for state in states] for result in results], np.float64)
        table = table.reshape(shape)
    else:
        raise InputError(
            f"{where} is of the kind {element.tag}; only cpt, noisymax and deterministic nodes "
            "are read, so remove it"
        )
    return _Node(name, states, parents, table, inactive, properties)


def read_bif(data: bytes, file: str) -> tuple[EdgeList, LeakList]:
    """Edges and leaks of a BIF file (Interchange Format 0.15), as `read_xdsl` returns them."""
    tokens = _Tokens(decode(data, file), file)
    variables: dict[str, tuple[list[str], dict[str, str]]] = {}
    tables: dict[str, tuple[list[str], FloatArray]] = {}
    while (word := tokens.next(may_end=True)) is not None:
        if word == "network":
            tokens.skip_block()
        elif word == "variable":
            name = tokens.next_name()
            if name in variables:
                raise InputError(f"{file} describes the variable {name!r} twice; remove one")
            variables[name] = tokens.variable(f"the node {name!r} of {file}")
        elif word == "probability":
            name, parents = tokens.scope()
            where = f"the node {name!r} of {file}"
            unknown = next((each for each in (name, *parents) if each not in variables), None)
            if unknown is not None:
                raise InputError(f"{file} has no variable {unknown!r} before its table; add it")
            if name in tables:
                raise InputError(f"{where} has two tables; remove one")
            states = [variables[each][0] for each in (*parents, name)]
            tables[name] = parents, tokens.table(states, where)
        else:
            raise InputError(f"{file} is not BIF that can be read: {word[:40]!r} is unexpected")
    missing = next((name for name in variables if name not in tables), None)
    if missing is not None:
        raise InputError(f"the node {missing!r} of {file} has no table; add it")
    nodes = [
        _Node(name, states, *tables[name], properties=properties)
        for name, (states, properties) in variables.items()
    ]
    return _edges_of(nodes, file)


class _Tokens:
    """Tokens of a BIF file: names, numbers, signs and whole properties, without comments."""

    # A comment, a property, a quoted name, a sign, or a name or number.
    _PATTERN = re.compile(
        r'//[^\n]*|/\*.*?(?:\*/|\Z)|(property\b[^;]*(?:;|\Z))|"([^"]*)(?:"|\Z)|([{}()\[\]|;])'
        r'|([^\s{}()\[\]|;,"]+)',
        re.DOTALL,
    )

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self._left = self._found(text)

    def _found(self, text: str) -> Iterator[str]:
        for match in self._PATTERN.finditer(text):
            if match.lastindex is not None:
                yield match[match.lastindex]

    def next(self, *, may_end: bool = False) -> str | None:
        """Next token; None at the end if the file may end here."""
        token = next(self._left, None)
        if token is None and not may_end:
            raise InputError(f"{self.file} ends in the middle of a block; it is incomplete")
        return token

    def next_name(self) -> str:
        """Next token, which is not the end of the file."""
        return self.next() or ""

    def until(self, end: str) -> list[str]:
        """Tokens before a sign."""
        return list(iter(self.next_name, end))

    def skip_block(self) -> None:
        """Skip a name and a block in braces."""
        self.until("{")
        self.until("}")

    def variable(self, where: str) -> tuple[list[str], dict[str, str]]:
        """States and properties of a variable, from the brace on."""
        states: list[str] = []
        properties: dict[str, str] = {}
        self.until("{")
        while (word := self.next_name()) != "}":
            if word.startswith("property"):
                name, _, value = word.removeprefix("property").rstrip(";").partition("=")
                properties[name.strip()] = value.strip()
            elif word == "type":
                self.until("{")
                states = self.until("}")
        _check_states(states, where)
        return states, properties

    def scope(self) -> tuple[str, list[str]]:
        """Name of a node and of its parents, in parentheses."""
        self.until("(")
        names = [name for name in self.until(")") if name != "|"]
        if not names:
            raise InputError(f"{self.file} has a table of no variable; remove it")
        return names[0], names[1:]

    def table(self, states: list[list[str]], where: str) -> FloatArray:
        """Probabilities of a node, whose states are the last, for each state of the parents."""
        shape = _table_shape(len(states) - 1, where)
        table = np.full(shape, np.nan)
        self.until("{")
        while (word := self.next_name()) != "}":
            if word.startswith("property"):
                continue
            if word == "table":
                values = _numbers(self.until(";"), math.prod(shape), where)
                # The first variable, which is the node, changes slowest.
                table = np.moveaxis(values.reshape(2, *shape[:-1]), 0, -1)
            elif word == "default":
                values = _numbers(self.until(";"), 2, where)
                table = np.where(np.isnan(table), values, table)
            elif word == "(":
                given = self.until(")")
                if len(given) != len(states) - 1 or any(
                    state not in known for state, known in zip(given, states, strict=False)
                ):
                    raise InputError(f"{where} has a row for states that its parents do not have")
                place = tuple(
                    known.index(state) for state, known in zip(given, states, strict=False)
                )
                table[place] = _numbers(self.until(";"), 2, where)
            else:
                raise InputError(f"{where} has an entry {word[:40]!r}; expected rows of numbers")
        if np.isnan(table).any():
            raise InputError(f"{where} lacks rows of its table; add them")
        return table


# Readers of networks by the extensions of their files.
NETWORK_READERS: Mapping[str, Callable[[bytes, str], tuple[EdgeList, LeakList]]] = {
    ".xdsl": read_xdsl,
    ".bif": read_bif,
}


def _check_states(states: list[str], where: str) -> None:
    if len(states) != 2 or len({*states}) != 2:
        raise InputError(
            f"{where} has {len(states)} states; only nodes with two different states are read"
        )


def _table_shape(n_parents: int, where: str) -> tuple[int, ...]:
    if n_parents > MAX_TABLE_PARENTS:
        raise InputError(
            f"{where} has a table of {n_parents} parents; at most {MAX_TABLE_PARENTS} are read, so "
            "write it as a noisy-OR"
        )
    return (2,) * (n_parents + 1)


def _numbers(texts: str | Sequence[str] | None, count: int, where: str) -> FloatArray:
    """Probabilities of a node, pairs of which add up to 1 after any moves of axes."""
    words = texts.split() if isinstance(texts, str) else texts or ()
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        raise InputError(f"{where} has probabilities that are not numbers") from None
    if len(values) != count:
        raise InputError(f"{where} has {len(values)} probabilities; expected {count}")
    if not ((values >= 0.0) & (values <= 1.0 + ROUNDING)).all():
        raise InputError(f"{where} has probabilities below 0 or above 1")
    return values


def _edges_of(nodes: list[_Node], file: str) -> tuple[EdgeList, LeakList]:
    """Noisy-OR edges and leaks of all nodes, with notes about everything that was assumed."""
    _check_parents(nodes, file)
    tables, notes = _oriented(nodes, file)
    n_children = Counter(parent for node in nodes for parent in node.parents)
    names = _names(nodes, n_children, file)
    where: list[str] = []
    ends: list[tuple[str, str]] = []
    weights: list[float] = []
    leaks: dict[str, float] = {}
    # Causes of the parts of nodes that were divided for their tables.
    parts: dict[str, list[tuple[str, float]]] = {}
    largest = 0.0
    for node in nodes:
        leak, each, difference = tables[node.id]
        largest = max(largest, difference)
        causes: list[tuple[str, float]] = []
        for parent, weight in zip(node.parents, each, strict=True):
            causes += parts.pop(parent) if weight == math.inf and parent in parts else [
                (parent, weight)
            ]  # fmt: skip
        is_part = node.properties.get(KIND_PROPERTY) == PART_KIND and n_children[node.id] == 1
        if is_part and leak == 0.0:
            parts[node.id] = causes
            continue
        leaks[node.id] = leak
        for parent, weight in causes:
            where.append(f"the edge {parent!r} to {node.id!r} of {file}")
            ends.append((names[parent], names[node.id]))
            weights.append(weight)
    if parts:
        raise InputError(f"{file} has a part {next(iter(parts))!r} that belongs to no later node")
    edges = EdgeList(
        where,
        [parent for parent, _ in ends],
        [child for _, child in ends],
        [repr(min(weight, MAX_WEIGHT)) for weight in weights],
        words=tuple(name for name in names.values() if not name.startswith(TOPIC_PREFIX)),
        scale="noisy-or",
        notes=(*notes, *_roundings(weights, [*leaks.values()], largest)),
    )
    return edges, LeakList(
        where=[f"the node {name!r} of {file}" for name in leaks],
        node=[names[name] for name in leaks],
        leak=[repr(min(leak, MAX_WEIGHT)) for leak in leaks.values()],
    )


def _check_parents(nodes: list[_Node], file: str) -> None:
    """Refuse two nodes of one name, and a parent that is no node (InputError)."""
    name, count = Counter(node.id for node in nodes).most_common(1)[0] if nodes else ("", 0)
    if count > 1:
        raise InputError(f"{file} has two nodes {name!r}; rename one")
    known = {node.id for node in nodes}
    for node in nodes:
        unknown = next((parent for parent in node.parents if parent not in known), None)
        if unknown is not None:
            raise InputError(f"{file} has no node {unknown!r}, a parent of {node.id!r}; add it")


def _roundings(weights: list[float], leaks: list[float], largest: float) -> list[str]:
    """Notes about numbers of the file that the model does not have exactly."""
    notes = []
    if largest > EXACT:
        notes.append(f"tables are noisy-ORs within {largest:.1g}, the rounding of their digits")
    if n_certain := sum(weight > MAX_WEIGHT + ROUNDING for weight in weights):
        most = f"1 - {math.exp(-MAX_WEIGHT):.0e}"
        notes.append(f"{_counted(n_certain, 'link')} with probability 1 read as {most}")
    if n_zero := sum(leak < MIN_LEAK * (1.0 - ROUNDING) for leak in leaks):
        least = f"with probability {MIN_LEAK:f}"
        notes.append(f"{_counted(n_zero, 'node')} never on by itself read as on {least}")
    return notes


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _oriented(nodes: list[_Node], file: str) -> tuple[dict[str, _NoisyOr], list[str]]:
    """Noisy-OR of every node, and a note if the state that is on had to be guessed.

    It is the first state, or the second one of nodes for which the tables are noisy-ORs only then.
    Nodes with the same names of their states have the same one.
    """
    off, guessed = _off_states(nodes, file)
    if not guessed:
        return {node.id: _noisy_or(node, off, file) for node in nodes}, []
    kinds = list(dict.fromkeys(tuple(node.states) for node in guessed))
    choices = itertools.product((1, 0), repeat=min(len(kinds), MAX_GUESSED_KINDS))
    refused: _NotNoisyOrError | None = None
    for choice in choices:
        # Beyond the limit, all other kinds are like the last one.
        of_kind = dict(itertools.zip_longest(kinds, choice, fillvalue=choice[-1]))
        tried = off | {node.id: of_kind[tuple(node.states)] for node in guessed}
        try:
            tables = {node.id: _noisy_or(node, tried, file) for node in nodes}
        except _NotNoisyOrError as error:
            refused = refused or error
            continue
        note = f"the states of {_counted(len(guessed), 'node')}, such as {_such(guessed[0])}, do "
        note += "not say which of them is on; "
        second = [node for node in guessed if tried[node.id] == 0]
        if not second:
            return tables, [note + "the first was taken"]
        if len(second) == len(guessed):
            note += "the second was taken"
        else:
            note += f"the first was taken, but the second of {_counted(len(second), 'node')}, such "
            note += f"as {_such(second[0])}"
        return tables, [note + ", because only then the tables are noisy-ORs"]
    raise InputError(f"{refused}; correct the table, or name its states on and off")


def _such(node: _Node) -> str:
    return f"{node.states[0]!r} and {node.states[1]!r} of {node.id!r}"


def _off_states(nodes: list[_Node], file: str) -> tuple[dict[str, int], list[_Node]]:
    """Position of the state "off" of every node, and the nodes of which it is not known."""
    off: dict[str, int] = {}
    for node in nodes:
        if node.inactive is None:
            continue
        # The last state of a noisy-MAX is the weakest.
        for name, state in ((node.id, 1), *zip(node.parents, node.inactive, strict=True)):
            if off.setdefault(name, state) != state:
                raise InputError(
                    f"the noisy-MAX nodes of {file} disagree which state of {name!r} is the "
                    "inactive one; give all of them the same"
                )
    guessed = []
    for node in nodes:
        if node.id in off:
            continue
        first, second = (state.lower() for state in node.states)
        if first in OFF_NAMES and second in ON_NAMES:
            off[node.id] = 0
            continue
        off[node.id] = 1
        if not (first in ON_NAMES and second in OFF_NAMES):
            guessed.append(node)
    return off, guessed


def _names(nodes: list[_Node], n_children: Counter[str], file: str) -> dict[str, str]:
    """Name of every node in a graph file: a topic with its prefix, or a word."""
    titles = [node.title for node in nodes]
    use_titles = all(titles) and len({*titles}) == len(titles)
    names = {}
    for node in nodes:
        name = node.title if use_titles else node.id
        kind = node.properties.get(KIND_PROPERTY)
        if kind not in (TOPIC_KIND, TOKEN_KIND):
            kind = TOPIC_KIND if n_children[node.id] else TOKEN_KIND
        if NAME_PROPERTY in node.properties:
            name = _exact_name(node, file)
        if kind == TOKEN_KIND and (name.startswith(TOPIC_PREFIX) or not name.strip()):
            raise InputError(f"the node {node.id!r} of {file} is called {name!r}; rename it")
        names[node.id] = name if kind == TOKEN_KIND else TOPIC_PREFIX + name
    return names


def _exact_name(node: _Node, file: str) -> str:
    try:
        name: Any = json.loads(node.properties[NAME_PROPERTY])
        if isinstance(name, str):
            name.encode()  # half a surrogate pair cannot be stored
            return name
    except (ValueError, RecursionError):
        pass
    raise InputError(f"the node {node.id!r} of {file} has a name that is not a JSON string")


def _noisy_or(node: _Node, off: Mapping[str, int], file: str) -> _NoisyOr:
    """Leak and weights of a node, and the largest difference of its table from this noisy-OR."""
    where, own = f"the node {node.id!r} of {file}", off[node.id]
    total = node.table.sum(axis=-1)
    if np.abs(total - 1.0).max() > ROUNDING:
        raise InputError(f"{where} has a column of probabilities that do not add up to 1")
    table = node.table / total[..., np.newaxis]
    if node.inactive is not None:
        *weights, leak = _weights(table).tolist()
        return leak, weights, 0.0
    # Every axis begins with the state "off".
    for axis, parent in enumerate(node.parents):
        table = np.flip(table, axis) if off[parent] == 1 else table
    table = np.flip(table, -1) if own == 0 else table
    activation = _weights(table)
    n_parents = len(node.parents)
    leak = float(activation[(0,) * n_parents])
    alone = [
        float(activation[tuple(int(axis == one) for axis in range(n_parents))])
        for one in range(n_parents)
    ]
    weights = [0.0 if each == leak else each - leak for each in alone]
    expected = np.array(leak)
    for weight in weights:
        expected = expected[..., np.newaxis] + [0.0, max(weight, 0.0)]
    difference = float(np.abs(np.exp(-expected) - table[..., 1]).max())
    if difference > ROUNDING:
        states = f"{node.states[1 - own]!r} is its state on"
        raise _NotNoisyOrError(
            f"{where} is not a noisy-OR of its parents, if {states}; the table differs by "
            f"{difference:.2g}, and only noisy-ORs are read"
        )
    return leak, [max(weight, 0.0) for weight in weights], difference


def _weights(table: FloatArray) -> FloatArray:
    """``-log`` of the probability of the second state, precise also if it is close to 0 or 1."""
    on, off = table[..., 0], table[..., 1]
    with np.errstate(divide="ignore"):
        return np.where(off < 0.5, -np.log(off), -np.log1p(-np.minimum(on, 0.5)))
