"""A weighted graph from elsewhere becomes a model that can be asked."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from orrery.core.storage.adoption import Leaks, adopt_graph
from orrery.core.storage.graphs import leak_path, read_whole_graph
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError

TOY = """parent,child,weight
topic:flu,fever,0.8
topic:flu,cough,0.6
topic:flu,pain behind the eyes,0.4
topic:cold,cough,0.5
topic:cold,runny nose,0.7
topic:migraine,pain behind the eyes,0.5
topic:migraine,pain,0.9
"""
NAME = st.text("abcd ", min_size=1, max_size=3).filter(lambda name: name == name.strip())


def write(folder: Path, text: str, leaks: str | None = None) -> Path:
    path = folder / "toy.csv"
    path.write_text(text, encoding="utf-8")
    if leaks is not None:
        leak_path(path).write_text(leaks, encoding="utf-8")
    return path


def likeliest(folder: Path, query: str, absent: str = "") -> list[str]:
    """Names of topics that a question makes likely, the likeliest first."""
    run = load_run(folder)
    (present, unknown), (gone, _) = run.parse(query), run.parse(absent)
    assert unknown == []
    evidence = Evidence(tuple(present.tolist()), tuple(gone.tolist()), closed_world=False)
    posterior = infer(run.network, evidence)
    order = np.argsort(-posterior.probability)
    return [run.topic_labels[posterior.local.topics[place]] for place in order]


def test_a_question_is_answered_with_the_names_of_the_file(tmp_path: Path) -> None:
    adopt_graph(write(tmp_path, TOY), tmp_path / "r", "probability")
    assert likeliest(tmp_path / "r", "fever, cough")[0] == "flu"
    assert likeliest(tmp_path / "r", "cough", absent="fever")[0] == "cold"
    # A phrase is one word, and none of those inside it.
    assert likeliest(tmp_path / "r", "Pain behind the eyes, pain")[0] == "migraine"
    run = load_run(tmp_path / "r")
    assert run.parse("pain behind the eyes")[0].tolist() == [2]
    assert run.vocabulary == ("fever", "cough", "pain behind the eyes", "runny nose", "pain")
    assert run.topic_labels == run.network.graph.topic_ids == ("flu", "cold", "migraine")
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == [
        *("config.json", "model", "status.json")
    ]
    with pytest.raises(InputError, match="was adopted from a graph and has no corpus"):
        _ = run.corpus_path


def test_probabilities_become_weights_and_leaks_have_defaults(tmp_path: Path) -> None:
    path = write(tmp_path, "parent,child,weight\na,x,0.5\na,y,0\n")
    network = adopt_graph(path, tmp_path / "p", "probability")
    np.testing.assert_allclose(network.weight, [np.log(2.0), 0.0])
    assert network.leak.tolist() == [TOPIC_LEAK, WORD_LEAK, WORD_LEAK]
    network = adopt_graph(path, tmp_path / "w", leaks=Leaks(topic=0.2))
    assert network.weight.tolist() == [0.5, 0.0]
    assert network.leak.tolist() == [0.2, WORD_LEAK, WORD_LEAK]


def test_leaks_beside_the_file_are_taken_in_its_scale(tmp_path: Path) -> None:
    leaks = "node,leak\nx,0.25\nalone,0.75\na,0.5\n"
    path = write(tmp_path, "parent,child,weight\na,x,0.5\n", leaks)
    network = adopt_graph(path, tmp_path / "r", "probability")
    np.testing.assert_allclose(network.leak, -np.log([0.5, 0.75, 0.25]))
    assert load_run(tmp_path / "r").vocabulary == ("x", "alone")
    with pytest.raises(InputError, match="brings its own leaks"):
        adopt_graph(path, tmp_path / "s", leaks=Leaks(word=0.1))


@given(st.lists(st.tuples(NAME, NAME, st.booleans()), min_size=1, unique=True))
@settings(deadline=None)
def test_names_that_are_never_a_parent_are_the_words(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, bool]]
) -> None:
    written = [("topic:" * is_topic + parent, child) for parent, child, is_topic in rows]
    text = "".join(f"{parent},{child},1\n" for parent, child in written)
    path = write(tmp_path_factory.mktemp("g"), "parent,child,weight\n" + text)
    parents = {parent for parent, _ in written}
    expected = list(dict.fromkeys(child for _, child in written if child not in parents))
    try:
        words, graph, weight, _ = read_whole_graph(path)
    except InputError as refusal:
        # Cycles, repeats, and files in which every name is a parent.
        assert any(text in str(refusal) for text in ("cycle", "repeats", "no word"))  # noqa: PT017
        return
    assert list(words) == expected
    assert graph.n_tokens == len(expected)
    assert {name.removeprefix("topic:") for name in parents} == set(graph.topic_ids)
    assert weight is not None
    assert graph.n_edges == len(written)


@pytest.mark.parametrize(
    ("text", "scale", "message"),
    [
        ("", "noisy-or", "does not begin with the header parent,child"),
        ("from,to,weight\na,b,1\n", "noisy-or", "does not begin with the header"),
        ("parent,child,weight\n", "noisy-or", "toy.csv has no edge"),
        ("parent,child\na,b\n", "noisy-or", "toy.csv has no weights; add a column weight"),
        ("parent,child,weight\na,topic:b,1\n", "noisy-or", "toy.csv has no word"),
        ("parent,child,weight\na,b,1\nb,a,1\n", "noisy-or", "row 3 of toy.csv closes a cycle"),
        ("parent,child,weight\na,x,1\na, x,2\n", "noisy-or", "row 3 of toy.csv repeats"),
        ('parent,child,weight\na,"x\ny",1\n', "noisy-or", "row 2 .* a word of several lines"),
        *(
            (f"parent,child,weight\na,x,0\na,y,{weight}\n", scale, f"row 3 .* weight '{weight}'")
            for weight, scale in [
                *(("-0.1", "noisy-or"), ("nan", "noisy-or"), ("inf", "noisy-or")),
                *(("1", "probability"), ("1.5", "probability"), ("-1", "probability")),
                *(("nan", "probability"), ("much", "probability")),
            ]
        ),
    ],
)
def test_bad_files_are_refused_with_their_row_and_nothing_is_left(
    tmp_path: Path, text: str, scale: str, message: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message):
        adopt_graph(path, tmp_path / "r", scale)
    assert [file.name for file in tmp_path.iterdir()] == ["toy.csv"]


def above_a_word(word: str) -> nx.DiGraph:
    """A topic above one word, as GraphML names them."""
    graph = nx.DiGraph()
    graph.add_node("t1", kind="topic", label="any label", leak=0.25)
    graph.add_node("w0", kind="token", label=word, leak=0.5)
    graph.add_edge("t1", "w0", weight=2.0)
    return graph


def test_graphml_states_itself_what_is_a_word(tmp_path: Path) -> None:
    graph = above_a_word("program")
    graph.add_node("w1", kind="token", label="alone", leak=0.5)
    path = tmp_path / "toy.graphml"
    path.write_text("\n".join(nx.generate_graphml(graph)), encoding="utf-8")
    network = adopt_graph(path, tmp_path / "r")
    run = load_run(tmp_path / "r")
    assert (run.vocabulary, run.topic_labels) == (("program", "alone"), ("t1",))
    assert (network.weight.tolist(), network.leak.tolist()) == ([2.0], [0.25, 0.5, 0.5])
    graph.add_edge("w0", "w1", weight=1.0)
    path.write_text("\n".join(nx.generate_graphml(graph)), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"'program' to 'alone' .* makes the word 'program' a parent"
    ):
        adopt_graph(path, tmp_path / "s")


def test_blanks_around_a_word_of_graphml_belong_to_it(tmp_path: Path) -> None:
    graph = above_a_word("fever ")
    path = tmp_path / "toy.graphml"
    path.write_text("\n".join(nx.generate_graphml(graph)), encoding="utf-8")
    network = adopt_graph(path, tmp_path / "r")
    assert load_run(tmp_path / "r").vocabulary == ("fever ",)
    assert (network.weight.tolist(), network.leak.tolist()) == ([2.0], [0.25, 0.5])
    graph.add_node("w1", kind="token", label="two\nlines")
    path.write_text("\n".join(nx.generate_graphml(graph)), encoding="utf-8")
    with pytest.raises(InputError, match=r"the file names .* a word of several lines"):
        read_whole_graph(path)


def test_a_place_that_is_taken_is_reported_first(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "letter.txt").touch()
    with pytest.raises(InputError, match="exists already"):
        adopt_graph(tmp_path / "nix.csv", tmp_path / "r")
