"""A written file can be read back; errors are refused with their row."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.model.graph import Graph, build_graph
from orrery.core.storage.graphs import leak_path, read_graph, write_graph
from orrery.core.utils.errors import InputError
from tests.core.data.test_limits import linux_only

WORDS = ("program", "drive", "star")
# Control characters make a file binary, and are in no name of a person's or a corpus's.
NAME = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]) | st.just("\n"), max_size=4)
WORD = NAME.filter(lambda name: name.strip() and not name.startswith("topic:"))
NUMBER = st.floats(0, 1e6, allow_nan=False)


@st.composite
def networks(
    draw: st.DrawFn,
) -> tuple[Graph, tuple[str, ...], np.ndarray, np.ndarray]:
    """Any graph, also with topics called like words, like prefixes, or not at all."""
    words = draw(st.lists(WORD, min_size=1, max_size=5, unique=True))
    name = NAME | st.sampled_from(words) | st.sampled_from(["topic:a", "topic:", " a ", "a", ""])
    topics = draw(st.lists(name, min_size=1, max_size=5, unique=True))
    nodes = len(topics) + len(words)
    pairs = [(a, b) for a in range(len(topics)) for b in range(a + 1, nodes)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    graph, _ = build_graph(len(words), topics, [a for a, _ in edges], [b for _, b in edges])
    weight = draw(st.lists(NUMBER, min_size=graph.n_edges, max_size=graph.n_edges))
    leak = draw(st.lists(NUMBER, min_size=graph.n_nodes, max_size=graph.n_nodes))
    return graph, tuple(words), np.array(weight), np.array(leak)


def named(graph: Graph, words: tuple[str, ...], weight: np.ndarray) -> dict[object, float]:
    names = [("topic", name) for name in graph.topic_ids] + [("word", word) for word in words]
    ends = zip(graph.parent_idx, graph.edge_children(), strict=True)
    return {(names[a], names[b]): w for (a, b), w in zip(ends, weight, strict=True)}


@given(networks())
@settings(deadline=None)
def test_a_written_network_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    network: tuple[Graph, tuple[str, ...], np.ndarray, np.ndarray],
) -> None:
    graph, words, weight, leak = network
    path = tmp_path_factory.mktemp("graphs") / "graph.csv"
    write_graph(path, graph, words, weight, leak)
    again, weight_again, leak_again = read_graph(path, words)
    assert weight_again is not None
    assert leak_again is not None
    assert named(again, words, weight_again) == named(graph, words, weight)
    np.testing.assert_array_equal(leak_again[again.n_topics :], leak[graph.n_topics :])
    before = dict(zip(graph.topic_ids, leak[: graph.n_topics], strict=True))
    after = dict(zip(again.topic_ids, leak_again[: again.n_topics], strict=True))
    assert before == after


def graph_file(folder: Path, text: str, leaks: str | None = None) -> Path:
    path = folder / "graph.csv"
    path.write_text(text, encoding="utf-8")
    if leaks is not None:
        leak_path(path).write_text(leaks, encoding="utf-8")
    return path


def test_words_are_tokens_and_other_names_topics(tmp_path: Path) -> None:
    text = "parent,child\na,program\nb,a\nb,topic:drive\ntopic:drive,drive\n"
    graph, weight, leak = read_graph(graph_file(tmp_path, text), WORDS)
    assert weight is None
    assert leak is None
    assert graph.topic_ids == ("b", "a", "drive")
    edges = {
        (graph.topic_ids[a], (*graph.topic_ids, *WORDS)[b], b >= graph.n_topics)
        for a, b in zip(graph.parent_idx, graph.edge_children(), strict=True)
    }
    assert edges == {
        ("a", "program", True),
        ("b", "a", False),
        ("b", "drive", False),
        ("drive", "drive", True),
    }


def test_spreadsheet_habits_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "graph.csv"
    text = 'Weight, Child,note,PARENT\r\n0.5, program ,"x,y",a\r\n\r\n,,,\r\n2,drive,,a\r\n'
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    graph, weight, _ = read_graph(path, WORDS)
    assert named(graph, WORDS, np.asarray(weight)) == {
        (("topic", "a"), ("word", "program")): 0.5,
        (("topic", "a"), ("word", "drive")): 2.0,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,program\na,drive\nprogram,drive", "row 4 .* 'program' a parent.*topic:program"),
        ("a,program\na,progam", "row 3 .* 'progam', which is neither a word"),
        ("a,program\na,drive\na,program", "row 4 .* repeats the edge of row 2"),
        ("a,b\nb,c\nc,program\nc,a", "row 5 .* closes a cycle: 'a' is also an ancestor of 'c'"),
        ("a,a\na,program", "row 2 .* closes a cycle"),
        ("a,program\n,drive", "row 3 .* has no parent"),
        ("a,program\n\na", "row 4 .* has no child"),
    ],
)
def test_bad_edges_are_refused_with_their_row(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_graph(graph_file(tmp_path, f"parent,child\n{text}\n"), WORDS)


@pytest.mark.parametrize("weight", ["-0.1", "nan", "inf", "much", "1;2"])
def test_bad_weights_are_refused_with_their_row(tmp_path: Path, weight: str) -> None:
    text = f"parent,child,weight\na,drive,0\na,program,{weight}\n"
    with pytest.raises(InputError, match=f"row 3 of graph.csv has the weight '{weight}'"):
        read_graph(graph_file(tmp_path, text), WORDS)


def test_a_missing_weight_is_refused_with_its_row(tmp_path: Path) -> None:
    text = "parent,child,weight\na,drive,1\na,program\n"
    with pytest.raises(InputError, match=r"row 3 of graph.csv has no weight"):
        read_graph(graph_file(tmp_path, text), WORDS)


@pytest.mark.parametrize(
    ("leaks", "message"),
    [
        ("a,1\nprogram,1\ndrive,1", "leave out 'star'"),
        ("a,1\nprogram,1\ndrive,1\nstar,-2", "row 5 of graph.leaks.csv has the leak '-2'"),
        ("a,1\nprogram,1\ndrive,1\nstar,1\na,2", "row 6 of graph.leaks.csv gives a leak"),
        ("a,1\nprogram,1\ndrive,1\nstarr,1", "row 5 of graph.leaks.csv names 'starr'"),
    ],
)
def test_bad_leaks_are_refused(tmp_path: Path, leaks: str, message: str) -> None:
    path = graph_file(tmp_path, "parent,child\na,program\n", f"node,leak\n{leaks}\n")
    with pytest.raises(InputError, match=message):
        read_graph(path, WORDS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "does not begin with the header parent,child"),
        (b'{"nodes": []}', "or give a file that ends in .bif, .graphml, .xdsl"),
        (b"from,to\na,program\n", "does not begin with the header parent,child"),
        (bytes(range(256)), "graph.csv"),
        (b'parent,child\n"a' + b"x" * 200_000, "not CSV that can be read"),
    ],
)
def test_files_that_are_no_graphs_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "graph.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_graph(path, WORDS)


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        read_graph(tmp_path, WORDS)
    with pytest.raises(InputError, match=r"there is no file .*absent.csv"):
        read_graph(tmp_path / "absent.csv", WORDS)


@linux_only
@pytest.mark.parametrize("name", ["graph.csv", "graph.graphml", "graph.leaks.csv"])
def test_only_regular_files_are_opened(tmp_path: Path, name: str) -> None:
    path = graph_file(tmp_path, "parent,child\na,program\n").with_suffix(Path(name).suffix)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).symlink_to(os.devnull)
    with pytest.raises(InputError, match=f"{name} is a pipe, a socket or a device"):
        read_graph(path, WORDS)


def test_an_older_file_of_leaks_does_not_stay(tmp_path: Path) -> None:
    graph, _ = build_graph(3, ["a"], [0, 0], [1, 2])
    path = tmp_path / "graph.csv"
    write_graph(path, graph, WORDS, leak=np.ones(4))
    write_graph(path, graph, WORDS)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["graph.csv"]
    assert path.read_text() == "parent,child\na,program\na,drive\n"


@pytest.mark.parametrize("new", [None, np.full(4, 2.0)], ids=["without leaks", "with leaks"])
@pytest.mark.parametrize("calls", [1, 2, 3, 4])
def test_edges_never_stand_beside_the_leaks_of_another_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: np.ndarray | None, calls: int
) -> None:
    graph, _ = build_graph(3, ["a"], [0, 0], [1, 2])
    path = tmp_path / "graph.csv"
    write_graph(path, graph, WORDS, np.full(2, 1.0), np.full(4, 1.0))
    left = calls

    def dying(function: Callable[..., None]) -> Callable[..., None]:
        def call(*given: Any, **named: Any) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt
            function(*given, **named)

        return call

    with monkeypatch.context() as killed, suppress(KeyboardInterrupt):
        for name in ("replace", "unlink"):
            killed.setattr(os, name, dying(getattr(os, name)))
        write_graph(path, graph, WORDS, np.full(2, 2.0), new)
    if path.exists():
        _, weight, leak = read_graph(path, WORDS)
        assert weight is not None
        expected = np.full(4, 1.0) if weight[0] == 1.0 else new
        np.testing.assert_array_equal(leak, expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("program", "drive"), "3 tokens and the vocabulary 2"),
        (("program", "drive", "topic:x"), "'topic:x' cannot stand"),
        (("program", "drive", " "), "' ' cannot stand"),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_left(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    graph, _ = build_graph(3, ["a"], [0, 0], [1, 2])
    with pytest.raises(InputError, match=message):
        write_graph(tmp_path / "graph.csv", graph, words)
    assert list(tmp_path.iterdir()) == []


def graphml_of(edges: list[tuple[str, str, float]], nodes: dict[str, dict[str, object]]) -> str:
    graph = nx.DiGraph()
    for node, attributes in nodes.items():
        graph.add_node(node, **attributes)
    graph.add_weighted_edges_from(edges)
    return "\n".join(nx.generate_graphml(graph))


def test_graphml_gives_the_same_graph_as_csv(tmp_path: Path) -> None:
    nodes: dict[str, dict[str, object]] = {
        "t1": {"kind": "topic", "label": "program · drive", "leak": 0.25},
        "w0": {"kind": "token", "label": "program", "leak": 0.5},
        "w1": {"kind": "token", "label": "drive", "leak": 0.75},
        "w2": {"kind": "token", "label": "star", "leak": 1.0},
    }
    path = tmp_path / "graph.graphml"
    path.write_text(graphml_of([("t1", "w0", 2.0), ("t1", "w2", 0.1)], nodes), "utf-8")
    graph, weight, leak = read_graph(path, WORDS)
    assert graph.topic_ids == ("t1",)
    assert graph.edge_children().tolist() == [1, 3]
    assert np.asarray(weight).tolist() == [2.0, 0.1]
    assert np.asarray(leak).tolist() == [0.25, 0.5, 0.75, 1.0]


def test_plain_graphml_goes_by_labels_or_ids(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    nodes: dict[str, dict[str, object]] = {"n1": {"label": "program"}, "a": {}}
    path.write_text(graphml_of([("a", "n1", 1.0)], nodes), "utf-8")
    graph, _, leak = read_graph(path, WORDS)
    assert graph.topic_ids == ("a",)
    assert graph.edge_children().tolist() == [1]
    assert leak is None


def test_nodes_without_edges_may_have_one_label(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    labels = {"a": {}, "star": {}, "n1": {"label": ""}, "n2": {"label": ""}}
    path.write_text(graphml_of([("a", "star", 1.0)], labels), encoding="utf-8")
    assert read_graph(path, WORDS)[0].n_edges == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not GraphML"),
        ("<html></html>", "not GraphML"),
        ("\n".join(nx.generate_graphml(nx.path_graph(2))), "undirected"),
        (graphml_of([("a", "b", 1.0)], {}), "the edge 'a' to 'b' of graph.graphml names 'b'"),
        (graphml_of([("a", "star", -1.0)], {}), "the edge 'a' to 'star' .* the weight '-1.0'"),
        (
            graphml_of([("a", "n1", 1.0)], {"a": {}, "n1": {"label": "a"}}),
            "graph.graphml has two nodes called 'a'; give them different labels",
        ),
    ],
)
def test_bad_graphml_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_graph(path, WORDS)
