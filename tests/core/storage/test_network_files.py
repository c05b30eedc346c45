"""Networks of other programs: what is written reads back, and what is no noisy-OR is refused."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data.recipe import Recipe
from orrery.core.export.network_files import (
    BIF_KEYWORDS,
    MAX_TABLE_PARENTS,
    _identifiers,
    bif_bytes,
    xdsl_bytes,
)
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_model import TopicModel
from orrery.core.model.topic_names import topic_labels
from orrery.core.storage.adoption import adopt_graph, is_weighted_graph, suggested_scale
from orrery.core.storage.graphs import graph_notes, read_graph, read_whole_graph
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.core.export.models import models
from tests.core.storage.test_graphs import named
from tests.random_networks import Problem, problems, several

ENDINGS = (".xdsl", ".bif")


def model_of(network: Network) -> TopicModel:
    words = tuple(f"word {number}" for number in range(network.graph.n_tokens))
    labels = tuple(topic_labels(network, words))
    return TopicModel(network, words, Recipe(stop_words=()), labels, labels, Overlay(), {})


def written(model: TopicModel, folder: Path, ending: str) -> Path:
    path = folder / f"network{ending}"
    path.write_bytes(xdsl_bytes(model, "a & b") if ending == ".xdsl" else bif_bytes(model))
    return path


def read_back(model: TopicModel, path: Path) -> Network:
    graph, weight, leak = read_graph(path, model.vocabulary)
    assert weight is not None
    assert leak is not None
    return build_network(graph, weight, leak)


@given(st.lists(st.text("aA_2 я", max_size=4) | st.sampled_from(sorted(BIF_KEYWORDS)), max_size=30))
def test_identifiers_are_numbered_by_their_first_free_number(names: list[str]) -> None:
    taken = set(BIF_KEYWORDS)
    for name, found in zip(names, _identifiers(names), strict=True):
        stem = "_".join(re.findall("[A-Za-z0-9]+", name)) or "node"
        stem = stem if stem[0].isalpha() else f"n_{stem}"
        numbered = (f"{stem}_{number}" for number in itertools.count(2))
        assert found == next(
            each for each in itertools.chain([stem], numbered) if each.lower() not in taken
        )
        taken.add(found.lower())


def test_words_that_mean_something_in_bif_read_back(tmp_path: Path) -> None:
    words = sorted(BIF_KEYWORDS)
    rows = [f"topic:table,{word},1" for word in words]
    (tmp_path / "g.csv").write_text("\n".join(["parent,child,weight", *rows]))
    adopt_graph(tmp_path / "g.csv", tmp_path / "run")
    model = load_run(tmp_path / "run")
    for ending in ENDINGS:
        found = read_back(model, written(model, tmp_path, ending))
        np.testing.assert_allclose(found.weight, model.network.weight)


def test_a_vocabulary_without_latin_letters_is_numbered_at_once() -> None:
    """Counted from the beginning for each word, this takes minutes."""
    assert _identifiers(["слово"] * 30_000)[-1] == "node_30000"


@pytest.mark.parametrize("ending", ENDINGS)
@given(problem=problems(most_topics=8))
@several
def test_a_written_network_has_the_same_posterior(
    tmp_path_factory: pytest.TempPathFactory, ending: str, problem: Problem
) -> None:
    model = model_of(problem.network)
    again = read_back(model, written(model, tmp_path_factory.mktemp("networks"), ending))
    evidence = Evidence(tuple(problem.present.tolist()), closed_world=True)
    before, after = infer(model.network, evidence), infer(again, evidence)
    assert after.log_probability == pytest.approx(before.log_probability, abs=1e-12, rel=1e-12)
    ids, ids_again = model.network.graph.topic_ids, again.graph.topic_ids
    expected = dict(zip([ids[k] for k in before.local.topics], before.probability, strict=True))
    found = dict(zip([ids_again[k] for k in after.local.topics], after.probability, strict=True))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ending", ENDINGS)
@given(model=models())
@settings(deadline=None)
def test_any_names_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, ending: str, model: TopicModel
) -> None:
    network = model.network
    again = read_back(model, written(model, tmp_path_factory.mktemp("networks"), ending))
    assert named(again.graph, model.vocabulary, again.weight) == pytest.approx(
        named(network.graph, model.vocabulary, network.weight), rel=1e-9, abs=1e-14
    )
    before = dict(zip(network.graph.topic_ids, network.leak, strict=False))
    after = dict(zip(again.graph.topic_ids, again.leak, strict=False))
    assert after == pytest.approx(before, rel=1e-9)


def joint_of_tables(
    tables: dict[str, tuple[list[str], dict[tuple[int, ...], float]]],
) -> dict[str, float]:
    """Probability that each node is on, by enumeration."""
    on, names = dict.fromkeys(tables, 0.0), list(tables)
    for states in itertools.product((0, 1), repeat=len(names)):
        state = dict(zip(names, states, strict=True))
        probability = 1.0
        for name, (parents, rows) in tables.items():
            is_on = rows[tuple(state[parent] for parent in parents)]
            probability *= is_on if state[name] else 1.0 - is_on
        for name in names:
            on[name] += probability * state[name]
    return on


def parsed_bif(text: str) -> dict[str, tuple[list[str], dict[tuple[int, ...], float]]]:
    """Parents of every node, and its probability to be on for each state of the parents."""
    tables = {}
    for scope, body in re.findall(r"probability \( (.*?) \) \{\n(.*?)\n\}", text, re.DOTALL):
        node, _, parents = scope.partition(" | ")
        rows = {}
        for given_states, first in re.findall(r"^  (?:\((.*?)\)|table) (\S+),", body, re.MULTILINE):
            states = tuple(int(each == "on") for each in given_states.split(", ") if each)
            rows[states] = float(first)
        tables[node] = (parents.split(", ") if parents else [], rows)
    return tables


def wide_network(n_topics: int) -> Network:
    """Independent topics above one word."""
    graph, _ = build_graph(
        1, [f"t{k}" for k in range(n_topics)], range(n_topics), [n_topics] * n_topics
    )
    rng = np.random.default_rng(n_topics)
    return build_network(graph, rng.gamma(1.0, 0.4, n_topics), rng.uniform(0.01, 0.3, n_topics + 1))


@pytest.mark.parametrize("n_topics", [3, MAX_TABLE_PARENTS, MAX_TABLE_PARENTS + 1, 13])
def test_tables_of_bif_give_the_same_marginals(tmp_path: Path, n_topics: int) -> None:
    """A node of many parents is divided, which changes no probability."""
    network = wide_network(n_topics)
    path = written(model_of(network), tmp_path, ".bif")
    on = joint_of_tables(parsed_bif(path.read_text()))
    assert len(on) == n_topics + 1 + (0 if n_topics <= MAX_TABLE_PARENTS else 2)
    exact = math.exp(infer(network, Evidence((0,), closed_world=False)).log_probability)
    assert [*on.values()][-1] == pytest.approx(exact, abs=1e-12)
    assert read_back(model_of(network), path).graph.n_topics == n_topics


def test_a_node_of_very_many_parents_is_divided_twice(tmp_path: Path) -> None:
    network = wide_network(MAX_TABLE_PARENTS**2 + 1)
    model = model_of(network)
    path = written(model, tmp_path, ".bif")
    assert max(len(parents) for parents, _ in parsed_bif(path.read_text()).values()) <= (
        MAX_TABLE_PARENTS
    )
    again = read_back(model, path)
    np.testing.assert_allclose(np.sort(again.weight), np.sort(network.weight), rtol=1e-12)


def test_xdsl_keeps_noisy_ors(tmp_path: Path) -> None:
    """One column for each parent, one for its absence, and the leak at the end."""
    network = wide_network(30)
    path = written(model_of(network), tmp_path, ".xdsl")
    root = ElementTree.parse(path).getroot()
    (node,) = root.findall("nodes/noisymax")
    assert len((node.findtext("parents") or "").split()) == 30
    columns = np.array((node.findtext("parameters") or "").split(), float).reshape(-1, 2)
    np.testing.assert_array_equal(columns[1:-1:2], [[0.0, 1.0]] * 30)
    np.testing.assert_allclose(columns[:-1:2, 1], np.exp(-network.weight), rtol=1e-15)
    np.testing.assert_allclose(columns[-1, 1], np.exp(-network.leak[-1]), rtol=1e-15)


# Written by hand after the schema of GeNIe: the weakest state of a parent is the last of its
# strengths, tables begin with the first state of every parent, and people see the names.
GENIE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- a comment -->
<smile version="1.0" id="Cold" numsamples="1000">
  <nodes>
    <cpt id="flu"><state id="present"/><state id="absent"/>
      <probabilities>0.1 0.9</probabilities></cpt>
    <cpt id="cold"><state id="Healthy"/><state id="Sick"/>
      <probabilities>0.7 0.3</probabilities></cpt>
    <cpt id="tired"><state id="no"/><state id="yes"/><parents>flu</parents>
      <probabilities>0.36 0.64 0.9 0.1</probabilities></cpt>
    <noisymax id="fever"><state id="High"/><state id="Normal"/><parents>flu cold</parents>
      <strengths>0 1 1 0</strengths>
      <parameters>0.8 0.2 0 1 0.4 0.6 0 1 0.05 0.95</parameters></noisymax>
    <deterministic id="off_work"><state id="true"/><state id="false"/><parents>flu tired</parents>
      <resultingstates>true true false true</resultingstates></deterministic>
  </nodes>
  <extensions><genie version="1.0" app="GeNIe" name="Cold">
    <node id="flu"><name>Influenza</name></node>
    <submodel id="s"><node id="cold"><name>Common cold</name></node></submodel>
    <node id="tired"><name>Tiredness</name></node><node id="fever"><name>Fever</name></node>
    <node id="off_work"><name>Off work</name></node>
  </genie></extensions>
</smile>
"""


def test_a_file_of_genie_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cold.xdsl"
    path.write_text(GENIE, encoding="latin-1")
    assert is_weighted_graph(path)
    assert suggested_scale(path) == "noisy-or"
    words, graph, weight, leak = read_whole_graph(path)
    assert weight is not None
    assert leak is not None
    assert {*graph.topic_ids} == {"Influenza", "Common cold", "Tiredness"}
    assert words == ("Fever", "Off work")
    found = named(graph, words, weight)
    assert found == pytest.approx(
        {
            (("topic", "Influenza"), ("topic", "Tiredness")): math.log(0.9 / 0.36),
            (("topic", "Influenza"), ("word", "Fever")): -math.log(0.2),
            (("topic", "Common cold"), ("word", "Fever")): -math.log(0.6),
            (("topic", "Influenza"), ("word", "Off work")): 30.0,
            (("topic", "Tiredness"), ("word", "Off work")): 30.0,
        }
    )
    leaks = dict(zip([*graph.topic_ids, *words], leak, strict=True))
    assert leaks["Common cold"] == pytest.approx(-math.log(0.7))
    assert leaks["Fever"] == pytest.approx(-math.log(0.95))
    certain, zero = graph_notes(path)
    assert certain == "2 links with probability 1 read as 1 - 9e-14"
    assert zero == "1 node never on by itself read as on with probability 0.000001"
    adopt_graph(path, tmp_path / "run")
    run = load_run(tmp_path / "run")
    posterior = infer(run.network, Evidence((0,), closed_world=False))
    exact = 1 - 0.95 * (0.9 + 0.1 * 0.2) * (0.7 + 0.3 * 0.6)
    assert math.exp(posterior.log_probability) == pytest.approx(exact, abs=1e-12)


BIF = """
network "cold" { property "made by hand; " ; }
// a comment with a brace {
variable flu { type discrete[2] { present, absent }; property position = (1, 2) ; }
variable "fever" { type discrete [ 2 ] { high  low }; }
probability ( flu ) { table 0.25, 0.75 ; }
/* the first variable changes slowest */
probability ( "fever" | flu ) { table 0.9 0.5  0.1 0.5; }
"""


def test_bif_is_read_in_its_different_spellings(tmp_path: Path) -> None:
    path = tmp_path / "cold.bif"
    rows = "probability ( fever | flu ) { (absent) 0.5, 0.5; default 0.9, 0.1; }"
    for text in (BIF, BIF[: BIF.index('probability ( "f')] + rows):
        path.write_text(text.replace(" hand; ", " hand"), encoding="utf-8")
        words, graph, weight, leak = read_whole_graph(path)
        assert (words, graph.topic_ids) == (("fever",), ("flu",))
        assert weight == pytest.approx([-math.log(0.1 / 0.5)])
        assert leak == pytest.approx([-math.log(0.75), math.log(2)])
        (note,) = graph_notes(path)
        assert note.startswith("the states of 1 node, such as 'high' and 'low' of 'fever', do not")


def sick(*names: str) -> str:
    """Variables with states that do not say which of them is on."""
    return "".join(f"variable {n} {{ type discrete [2] {{ healthy, sick }}; }}\n" for n in names)


def test_the_second_state_is_on_if_only_then_the_tables_are_noisy_ors(tmp_path: Path) -> None:
    path = tmp_path / "n.bif"
    path.write_text(
        sick("a", "b")
        + "probability ( a ) { table 0.9, 0.1; }\n"
        + "probability ( b | a ) { (healthy) 0.9, 0.1; (sick) 0.45, 0.55; }",
        encoding="utf-8",
    )
    # Both ways give a noisy-OR.
    (note,) = graph_notes(path)
    assert note.endswith("the first was taken")
    path.write_text(
        sick("a", "b", "c")
        + "probability ( a ) { table 0.9, 0.1; }\nprobability ( b ) { table 0.8, 0.2; }\n"
        + "probability ( c | a, b ) { (healthy, healthy) 0.9, 0.1; (sick, healthy) 0.45, 0.55; "
        + "(healthy, sick) 0.36, 0.64; (sick, sick) 0.18, 0.82; }",
        encoding="utf-8",
    )
    _, _, weight, leak = read_whole_graph(path)
    assert weight == pytest.approx([math.log(2.0), math.log(2.5)])
    assert leak == pytest.approx([-math.log(0.9), -math.log(0.8), -math.log(0.9)])
    (note,) = graph_notes(path)
    assert note.endswith("the second was taken, because only then the tables are noisy-ORs")


def test_states_that_fit_in_no_way_are_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "n.bif"
    path.write_text(
        sick("a", "b", "c")
        + "probability ( a ) { table 0.9, 0.1; }\nprobability ( b ) { table 0.8, 0.2; }\n"
        + "probability ( c | a, b ) { (healthy, healthy) 0.9, 0.1; (sick, healthy) 0.1, 0.9; "
        + "(healthy, sick) 0.1, 0.9; (sick, sick) 0.9, 0.1; }",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"only noisy-ORs are read; .* name its states on and off"):
        read_whole_graph(path)


def node(kind: str, inside: str, states: str = '<state id="on"/><state id="off"/>') -> str:
    return f'<{kind} id="b">{states}<parents>a</parents>{inside}</{kind}>'


def xdsl(*nodes: str) -> str:
    first = (
        '<cpt id="a"><state id="on"/><state id="off"/><probabilities>.1 .9</probabilities></cpt>'
    )
    return f"<smile><nodes>{first}{''.join(nodes)}</nodes></smile>"


def cpt(numbers: str) -> str:
    return node("cpt", f"<probabilities>{numbers}</probabilities>")


def noisy(numbers: str, strengths: str = "0 1") -> str:
    inside = f"<strengths>{strengths}</strengths><parameters>{numbers}</parameters>"
    return node("noisymax", inside)


THREE = '<state id="x"/><state id="y"/><state id="z"/>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not XDSL that can be read"),
        ("<html></html>", "which begins with <smile>"),
        ("<!DOCTYPE smile [<!ENTITY x 'y'>]>" + xdsl(cpt("0.9 0.1 0.2 0.8")), "is not XDSL that"),
        (xdsl(cpt("0.9 0.1 0.2 0.7")), "the node 'b' of n.xdsl has a column .* add up to 1"),
        (xdsl(cpt("0.9 0.1")), "the node 'b' of n.xdsl has 2 probabilities; expected 4"),
        (xdsl(cpt("0.9 0.1 x 0.8")), "the node 'b' .* that are not numbers"),
        (xdsl(cpt("0.9 0.1 nan 0.8")), "the node 'b' .* below 0 or above 1"),
        (xdsl(cpt("0.2 0.8 0.9 0.1")), "the node 'b' of n.xdsl is not a noisy-OR .* 'on' is its"),
        (xdsl(noisy("0.9 0.1 0.1 0.9 0.2 0.8")), "the node 'b' .* effect in its inactive state"),
        (xdsl(noisy("0.9 0.1 0 1 0.2 0.8", "0 2")), "the node 'b' .* strengths"),
        (
            xdsl(
                noisy("0.9 0.1 0 1 0.2 0.8"),
                noisy("0.9 0.1 0 1 0.2 0.8", "1 0").replace("b", "c", 1),
            ),
            "disagree which state of 'a'",
        ),
        (xdsl(node("cpt", "", THREE)), "the node 'b' of n.xdsl has 3 states"),
        (xdsl(node("decision", "")), "the node 'b' of n.xdsl is of the kind decision"),
        (xdsl(cpt("1 0 0 1").replace(">a<", ">q<")), "no node 'q', a parent of 'b'"),
        (xdsl(cpt("1 0 0 1"), cpt("1 0 0 1")), "two nodes 'b'"),
        (xdsl(node("deterministic", "<resultingstates>on</resultingstates>")), "the node 'b'"),
    ],
)
def test_what_is_no_noisy_or_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "n.xdsl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_whole_graph(path)


FLU = "variable flu { type discrete [ 2 ] { yes, no }; }\n"
ILL = FLU.replace("flu", "ill")
RATE = "probability ( flu ) { table 0.1, 0.9; }\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("hello", "'hello' is unexpected"),
        (FLU, "the node 'flu' of n.bif has no table"),
        (FLU + FLU, "the variable 'flu' twice"),
        (FLU + RATE + RATE, "has two tables"),
        (RATE, "no variable 'flu'"),
        (FLU + "probability ( flu ) { table 0.1", "incomplete"),
        (FLU + "probability ( flu ) { (yes) 0.1, 0.9; }", "a row for states"),
        (FLU + "probability ( flu ) { }", "lacks rows"),
        (FLU + "probability ( flu ) { other 1; }", "an entry 'other'"),
        (FLU + "probability ( ) { }", "a table of no variable"),
        (
            FLU + ILL + RATE + "probability ( ill | flu ) { (yes) 0.1, 0.9; (no) 0.8, 0.2; }",
            "'ill'",
        ),
        (
            "".join(FLU.replace("flu", f"v{number}") for number in range(30))
            + f"probability ( v0 | {' '.join(f'v{n}' for n in range(1, 30))} ) {{ default 1, 0; }}",
            "a table of 29 parents",
        ),
    ],
)
def test_bif_that_cannot_be_read_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "n.bif"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_whole_graph(path)


def test_another_scale_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cold.xdsl"
    path.write_text(GENIE, encoding="latin-1")
    with pytest.raises(InputError, match="no scale to choose; leave --weights out"):
        read_whole_graph(path, "probability")
