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
from orrery.core.model.terms import Terms, terms_of
from orrery.core.storage.adoption import (
    Leaks,
    adopt_graph,
    assumed_rate,
    is_weighted_graph,
    suggested_scale,
    suggested_terms,
)
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
        ("parent,child,weight\ntopic:,x,1\n", "noisy-or", "toy.csv has a topic without a name"),
        ("parent,child,weight\na,x_y,1\na,x y,1\n", "noisy-or", "are one word in a query"),
        ("a,A\nflu,fever (0.3)\n", "noisy-or", "toy.csv"),
        (",\nflu,fever (0.3)\n", "noisy-or", "toy.csv"),
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


LISTS = """Conditions,Symptoms
flu,"fever (0.8), cough (0.6), pain behind the eyes (0.4)"
cold,"cough (0.5), runny nose (0.7)"
migraine,"pain behind the eyes (0.5), pain (acute) (0.9)"
cough,"fever (0.1)"
"""


def test_weighted_lists_are_the_graph_of_their_rows(tmp_path: Path) -> None:
    vocabulary, graph, weight, leak = read_whole_graph(write(tmp_path, LISTS), "probability")
    assert leak is None
    assert weight is not None
    # A name of the first column is a topic, although a word has the same name.
    assert sorted(graph.topic_ids) == ["cold", "cough", "flu", "migraine"]
    assert set(vocabulary) == {
        *("fever", "cough", "pain behind the eyes", "runny nose", "pain (acute)")
    }
    found = {
        (graph.topic_ids[parent], vocabulary[child - graph.n_topics]): round(-np.expm1(-value), 9)
        for parent, child, value in zip(
            graph.parent_idx, graph.edge_children(), weight, strict=True
        )
    }
    assert found["flu", "cough"] == 0.6
    assert found["migraine", "pain (acute)"] == 0.9
    assert found["cough", "fever"] == 0.1
    assert len(found) == 8


@given(
    st.dictionaries(
        NAME,
        st.dictionaries(NAME, st.integers(1, 999), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=50)
def test_any_lists_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, lists: dict[str, dict[str, int]]
) -> None:
    rows = [
        f'{topic},"' + ", ".join(f"{word} ({n / 1000})" for word, n in words.items()) + '"'
        for topic, words in lists.items()
    ]
    path = write(tmp_path_factory.mktemp("lists"), "\n".join(["Name,List", *rows]))
    vocabulary, graph, weight, _ = read_whole_graph(path, "probability")
    assert weight is not None
    names = [*graph.topic_ids, *vocabulary]
    found: dict[str, dict[str, int]] = {}
    for parent, child, value in zip(graph.parent_idx, graph.edge_children(), weight, strict=True):
        found.setdefault(names[parent], {})[names[child]] = round(-1000 * np.expm1(-value))
    assert found == lists


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("1,2-dichloroethane (0.3), pain (acute) (0.2)", ["1,2-dichloroethane", "pain (acute)"]),
        ("pain (0.3), ache (0.2); rash (0.1)", ["ache", "pain", "rash"]),
    ],
)
def test_names_in_lists_may_contain_commas_between_digits(
    tmp_path: Path, cell: str, words: list[str]
) -> None:
    path = write(tmp_path, f'Name,List\ngout,"{cell}"\n')
    assert sorted(read_whole_graph(path, "probability")[0]) == words


def test_a_list_that_cannot_be_read_names_its_row(tmp_path: Path) -> None:
    # After the first one, an entry without a weight follows.
    for cell in (
        "pain, swelling", "pain (0.3), swelling, ache (0.2)", "pain (0.3); ache; x (0.2)",
        "pain (0.3), swelling, ache (0.2); rash (0.1)", "pain (0.3),swelling,ache (0.2)",
        "Smith, J. (0.3); Doe, A. (0.2)",
    ):  # fmt: skip
        path = write(tmp_path, f'{LISTS}gout,"{cell}"\n')
        with pytest.raises(InputError, match=r"row 6 of toy.csv has no list such as"):
            adopt_graph(path, tmp_path / "r", "probability")
    texts = write(tmp_path, "title,text\none,it rained (a lot)\n")
    with pytest.raises(InputError, match="header parent,child"):
        adopt_graph(texts, tmp_path / "r")


def test_rates_of_topics_alone_are_enough(tmp_path: Path) -> None:
    rates = "node,leak\nflu,0.2\ncold,0.3\nmigraine,0.05\ncough,0.01\n"
    adopt_graph(write(tmp_path, LISTS, rates), tmp_path / "r", "probability")
    run = load_run(tmp_path / "r")
    leak = dict(zip(run.network.graph.topic_ids, run.network.leak.tolist(), strict=False))
    assert -np.expm1(-leak["flu"]) == pytest.approx(0.2)
    assert -np.expm1(-leak["cough"]) == pytest.approx(0.01)
    assert (run.network.leak[run.network.graph.n_topics :] == WORD_LEAK).all()
    assert run.summary["assumed_leaks"] == {"word": WORD_LEAK}


def test_single_topics_without_a_rate_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, TOY, "node,leak\ntopic:flu,0.2\ntopic:cold,0.3\n")
    with pytest.raises(InputError, match="leave out 'migraine'; give every topic one"):
        adopt_graph(path, tmp_path / "r", "probability")
    adopt_graph(path, tmp_path / "r", "probability", Leaks(topic=0.01))
    run = load_run(tmp_path / "r")
    assert run.network.leak[run.network.graph.topic_number["migraine"]] == 0.01
    # The rates differ, so that the model has no assumed rate of all topics.
    assert "topic" not in run.summary["assumed_leaks"]


def test_an_assumed_rate_may_be_a_whole_number(tmp_path: Path) -> None:
    adopt_graph(write(tmp_path, TOY), tmp_path / "r", "probability", Leaks(topic=1))
    rate = assumed_rate(load_run(tmp_path / "r").summary)
    assert rate is not None
    np.testing.assert_allclose(rate, 1 - np.exp(-1))


def test_terms_come_from_the_headings_or_from_a_person(tmp_path: Path) -> None:
    path = write(tmp_path, LISTS)
    assert suggested_terms(path) == Terms("condition", "symptom")
    adopt_graph(path, tmp_path / "r", "probability", terms=Terms("illness", "sign"))
    assert terms_of(load_run(tmp_path / "r").summary) == Terms("illness", "sign")
    assert suggested_terms(write(tmp_path, TOY)) == Terms()


def test_a_scale_is_suggested_that_the_numbers_allow(tmp_path: Path) -> None:
    assert suggested_scale(write(tmp_path, TOY)) == "probability"
    assert suggested_scale(write(tmp_path, "parent,child,weight\na,b,1.5\n")) == "noisy-or"


@pytest.mark.parametrize(
    ("text", "is_graph"),
    [
        (TOY, True),
        (LISTS, True),
        ("title,text\none,it rained\n", False),
        ("parent,child\na,b\n", False),
        ("text\nfever (0.3)\n", False),
        ("id,title,genres\n1,Toy Story (1995),Comedy\n2,Heat (1995),Crime\n", False),
    ],
)
def test_graphs_are_recognised(tmp_path: Path, text: str, *, is_graph: bool) -> None:
    assert is_weighted_graph(write(tmp_path, text)) == is_graph
