"""A model as a Bayesian network for other programs: XDSL for GeNIe and SMILE, and BIF.

Both formats identify nodes by plain identifiers, so a property of each node contains its exact
name. `orrery.core.storage.network_files` reads both back.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

import numpy as np

from ..drawing.svg import xml_text
from ..model.topic_model import TopicModel
from ..storage.graphs import check_words
from ..storage.network_files import (
    KIND_PROPERTY,
    NAME_PROPERTY,
    PART_KIND,
    TOKEN_KIND,
    TOPIC_KIND,
)

# Parents of a table in BIF; a table of 8 has 256 rows. A node with more is divided into parts.
MAX_TABLE_PARENTS = 8
MAX_ID = 40
# Words with a meaning in BIF, which cannot be ids there.
BIF_KEYWORDS = frozenset(
    {"network", "variable", "probability", "property", "type", "discrete", "default", "table"}
)
# Width of a node in GeNIe, and distances between nodes, in pixels.
NODE_WIDTH, NODE_HEIGHT, COLUMN, ROW = 110, 50, 130, 110
# Nodes in one row of the picture in GeNIe.
N_COLUMNS = 40


@dataclass(frozen=True)
class _Node:
    """Node of a file."""

    id: str
    title: str  # name for people
    kind: str
    name: str  # exact name: id of a topic, or a word
    leak: float
    parents: list[str] = field(default_factory=list)  # ids
    weights: list[float] = field(default_factory=list)  # infinite for a certain effect


def xdsl_bytes(model: TopicModel, name: str) -> bytes:
    """Content of the XDSL file: a ``noisymax`` node for every node with parents.

    Raises InputError if a word cannot be written to a graph file.
    """
    nodes = _nodes(model)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<smile version="1.0" id="Orrery" numsamples="10000" discsamples="10000">',
        "\t<nodes>",
    ]
    for node in nodes:
        kind = "noisymax" if node.parents else "cpt"
        lines += [f'\t\t<{kind} id="{node.id}">', '\t\t\t<state id="on" />']
        lines.append('\t\t\t<state id="off" />')
        if node.parents:
            # In each column the node is on or off, by the active state of one parent, its inactive
            # state, and so on; the leak is last.
            columns = [column for weight in node.weights for column in (_pair(weight), "0 1")]
            lines += [
                f"\t\t\t<parents>{' '.join(node.parents)}</parents>",
                f"\t\t\t<strengths>{' '.join(['0 1'] * len(node.parents))}</strengths>",
                f"\t\t\t<parameters>{' '.join([*columns, _pair(node.leak)])}</parameters>",
            ]
        else:
            lines.append(f"\t\t\t<probabilities>{_pair(node.leak)}</probabilities>")
        lines += [
            f'\t\t\t<property id="{KIND_PROPERTY}">{node.kind}</property>',
            f'\t\t\t<property id="{NAME_PROPERTY}">{xml_text(json.dumps(node.name))}</property>',
            f"\t\t</{kind}>",
        ]
    lines += ["\t</nodes>", "\t<extensions>"]
    lines.append(
        f'\t\t<genie version="1.0" app="Orrery" name={quoteattr(xml_text(name))} '
        'faultnameformat="nodestate">'
    )
    for node, (left, top) in zip(nodes, _places(model), strict=True):
        lines += [
            f'\t\t\t<node id="{node.id}">',
            f"\t\t\t\t<name>{xml_text(node.title)}</name>",
            '\t\t\t\t<interior color="e5f6f7" />',
            '\t\t\t\t<outline color="000080" />',
            '\t\t\t\t<font color="000000" name="Arial" size="8" />',
            f"\t\t\t\t<position>{left} {top} {left + NODE_WIDTH} {top + NODE_HEIGHT}</position>",
            "\t\t\t</node>",
        ]
    lines += ["\t\t</genie>", "\t</extensions>", "</smile>", ""]
    return "\n".join(lines).encode()


def bif_bytes(model: TopicModel) -> bytes:
    """Content of the BIF file: a table for every node.

    A node with more than `MAX_TABLE_PARENTS` parents is divided: a part without a leak is on if any
    of some parents switches it on, and then switches the node on for certain. The probabilities of
    all other nodes stay the same. Raises InputError as `xdsl_bytes`.
    """
    lines = ["network orrery {", "}"]
    nodes = [part for node in _nodes(model) for part in _divided(node)]
    for node in nodes:
        # Signs that end a property or a block are written as escapes.
        name = re.sub("[;{}]", lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(node.name))
        lines += [
            f"variable {node.id} {{",
            "  type discrete [ 2 ] { on, off };",
            f"  property {KIND_PROPERTY} = {node.kind} ;",
            f"  property {NAME_PROPERTY} = {name} ;",
            "}",
        ]
    for node in nodes:
        scope = f"{node.id} | {', '.join(node.parents)}" if node.parents else node.id
        lines.append(f"probability ( {scope} ) {{")
        for states in itertools.product((1.0, 0.0), repeat=len(node.parents)):
            active = [w for w, state in zip(node.weights, states, strict=True) if state]
            row = _pair(node.leak + sum(active)).replace(" ", ", ")
            given = f"({', '.join('on' if state else 'off' for state in states)})"
            lines.append(f"  {given if node.parents else 'table'} {row};")
        lines.append("}")
    return "\n".join([*lines, ""]).encode()


def _nodes(model: TopicModel) -> list[_Node]:
    """All nodes of a model, parents first."""
    network, graph = model.network, model.network.graph
    check_words(graph, model.vocabulary)
    ids = _identifiers([*model.topic_labels, *model.vocabulary])
    nodes = []
    for node, leak in enumerate(network.leak.tolist()):
        is_topic = node < graph.n_topics
        edges = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        word = "" if is_topic else model.vocabulary[node - graph.n_topics]
        nodes.append(
            _Node(
                id=ids[node],
                title=model.topic_labels[node] if is_topic else word,
                kind=TOPIC_KIND if is_topic else TOKEN_KIND,
                name=graph.topic_ids[node] if is_topic else word,
                leak=leak,
                parents=[ids[parent] for parent in graph.parent_idx[edges]],
                weights=network.weight[edges].tolist(),
            )
        )
    return nodes


def _identifiers(names: list[str]) -> list[str]:
    """Different identifiers of letters, digits and underscores that resemble the names."""
    taken = set(BIF_KEYWORDS)
    # All numbers below the one of a stem are taken.
    following: dict[str, int] = {}
    found = []
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:MAX_ID] or "node"
        stem = stem if stem[0].isalpha() else f"n_{stem}"
        # Programs may not distinguish capitals.
        for number in itertools.count(following.get(stem.lower(), 1)):
            each = stem if number == 1 else f"{stem}_{number}"
            if each.lower() not in taken:
                break
        following[stem.lower()] = number + 1
        taken.add(each.lower())
        found.append(each)
    return found


def _divided(node: _Node) -> list[_Node]:
    """Parts of a node with many parents, and the node itself, the last, above a few of them."""
    parts: list[_Node] = []
    parents, weights = node.parents, node.weights
    while len(parents) > MAX_TABLE_PARENTS:
        above = []
        for first in range(0, len(parents), MAX_TABLE_PARENTS):
            span = slice(first, first + MAX_TABLE_PARENTS)
            # Two underscores do not occur in other identifiers.
            name = f"{node.id}__part{len(parts) + 1}"
            parts.append(_Node(name, name, PART_KIND, name, 0.0, parents[span], weights[span]))
            above.append(name)
        parents, weights = above, [np.inf] * len(above)
    return [*parts, _Node(node.id, node.title, node.kind, node.name, node.leak, parents, weights)]


def _pair(weight: float) -> str:
    """Probabilities that a cause of this weight acts, and that it fails, with all digits."""
    return f"{-float(np.expm1(-weight))!r} {float(np.exp(-weight))!r}"


def _places(model: TopicModel) -> list[tuple[int, int]]:
    """Position of every node in GeNIe: one block of rows for each layer, the words last."""
    places = []
    top = 0
    for layer in model.network.graph.generations():
        for number in range(layer.stop - layer.start):
            row, column = divmod(number, N_COLUMNS)
            places.append((20 + column * COLUMN, 20 + top + row * ROW))
        top += ROW * -(-(layer.stop - layer.start) // N_COLUMNS)
    return places
