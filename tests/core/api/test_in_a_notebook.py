"""Notebook use: answers, and objects that display themselves, with all text escaped."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import orrery
from orrery import Evidence, NoisyOrTopics, infer
from orrery.core.inference.evidence import LocalModel
from orrery.core.inference.thresholds import group_of
from orrery.core.model.terms import Terms
from orrery.core.storage.adoption import adopt_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import train
from orrery.core.utils.notebook import state_mark
from tests.core.api.conftest import EPOCHS, SETTINGS

NASTY = '<img src=x onerror="alert(1)">&\'</svg>'
VOID = {"img", "input", "br", "link", "meta", "path", "circle", "rect"}


class Balanced(HTMLParser):
    """Checks that tags close in order, and keeps which there are."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def tags_of(html):
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser


def drawings(html):
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return [base64.b64decode(data).decode("utf-8") for data in found]


def test_query_shows_what_is_on_in_green_and_what_is_off_in_red(fitted):
    answer = fitted.query("rocket orbit star")
    posterior = infer(fitted.network_, answer.posterior.evidence)
    expected = dict(zip(posterior.local.topics, posterior.probability, strict=True))
    for row in answer.topics.itertuples():
        topic = fitted.network_.graph.topic_ids.index(row.id)
        assert row.probability == expected[topic]
    assert answer.topics["probability"].is_monotonic_decreasing
    assert answer.log_probability == answer.posterior.log_probability
    (svg,) = drawings(answer._repr_html_())
    assert svg == answer.svg
    groups = [group_of(value) for value in answer.topics["probability"]]
    assert "on" in groups
    assert set(groups) != {"on"}
    assert svg.count("●") == groups.count("on")
    assert svg.count("◐") == groups.count("unsure")
    assert "#1E7A43" in svg
    assert "rocket" in svg
    assert repr(answer).startswith("query 'rocket orbit star'\n")


def test_query_reads_signs_and_names_unknown_words(fitted):
    answer = fitted.query("rocket -guitar ?oven zzz")
    number = fitted.model_.token_number
    assert answer.posterior.evidence == Evidence(
        [number["rocket"]], [number["guitar"]], closed_world=False, unknown=[number["oven"]]
    )
    assert answer.unknown_words == ("zzz",)
    assert "zzz" in answer._repr_html_()
    closed = fitted.query("rocket", closed_world=True)
    assert closed.posterior.evidence.closed_world


@pytest.mark.parametrize(
    ("text", "shown_text"),
    [
        ("zzz qqq", "knows none of these words: zzz, qqq"),
        ("the of", "no words but stop words"),
        ("rocket -rocket", "'rocket' is given as present and as absent"),
    ],
)
def test_invalid_queries_are_refused(fitted, text, shown_text):
    with pytest.raises(ValueError, match=shown_text):
        fitted.query(text)


def test_explanation_adds_up_to_the_odds(fitted):
    answer = fitted.query("rocket orbit lunar")
    why = fitted.explain(answer)
    odds = np.log(why.probability / (1.0 - why.probability))
    assert why.messages["log_odds"].sum() == pytest.approx(odds, abs=0.02)
    assert why.probability == answer.topics["probability"][0]
    assert set(why.without["name"]) == {"rocket", "orbit", "lunar"}
    named = fitted.explain("rocket orbit lunar", answer.topics["id"][0])
    assert named.messages.equals(why.messages)
    by_label = fitted.explain(answer.posterior.evidence, answer.topics["label"][0])
    assert by_label.topic == why.topic
    assert repr(why).splitlines()[0].endswith(f"{why.probability:.2f}")
    with pytest.raises(ValueError, match="there is no topic 'nowhere'"):
        fitted.explain(answer, "nowhere")


def test_nearly_sure_is_not_shown_as_sure():
    shown = [str(state_mark(value)) for value in (1.0, 0.999, 0.62, 0.001, 0.0)]
    endings = [text.rsplit(" ", 1)[1] for text in shown]
    assert endings == ["1.00", "&gt;0.99", "0.62", "&lt;0.01", "0.00"]
    assert ["●" in text for text in shown] == [True, True, True, False, False]


def test_card_of_a_topic(fitted):
    table = fitted.topics_
    row = table[table["layer"] == 2].iloc[0]
    card = fitted.topic(row["id"])
    assert (card.id, card.label, card.documents) == (row["id"], row["label"], row["documents"])
    assert card.words["word"].tolist()[:10] == row["words"]
    assert set(card.children) <= set(table["label"])
    assert not card.parents
    assert card.children


def everything(trained):
    answer = trained.query("rocket orbit")
    return {
        "query": answer,
        "explanation": trained.explain(answer),
        "posterior": answer.posterior,
        "card": trained.topic(0),
        "corpus": trained.corpus_,
        "graph": trained.network_.graph,
        "network": trained.network_,
        "model": trained.model_,
        "estimator": trained,
    }


def test_everything_shows_itself(fitted, tmp_path):
    shown = everything(fitted)
    shown["run"] = orrery.load_run(fitted.save(tmp_path / "run"))
    for name, value in shown.items():
        html = value._repr_html_()
        tags_of(html)
        assert len(html) > 200, name
    for name in ("query", "graph", "network", "model", "run", "estimator"):
        assert drawings(shown[name]._repr_html_()), name
    label = fitted.topics_["label"].iloc[-1]
    for name in ("model", "run", "estimator"):
        assert label in shown[name]._repr_html_()
    assert "text/html" in fitted._repr_mimebundle_()


def test_a_model_of_one_layer_shows_itself_and_its_answers(tmp_path):
    (tmp_path / "g.csv").write_text("parent,child,weight\nflu,fever,1\ncold,fever,2\n")
    adopt_graph(tmp_path / "g.csv", tmp_path / "run", terms=Terms("condition", "symptom"))
    model = orrery.load_run(tmp_path / "run")
    for value in (model, model.network, model.network.graph):
        assert drawings(value._repr_html_()) == []
    topics = NoisyOrTopics.load(tmp_path / "run")
    # Nothing is known, so no topic is in the local model.
    empty = topics.query("?fever")
    assert list(empty.topics["id"]) == []
    assert "id" in empty.topics
    assert "?fever" in repr(empty)
    assert topics.name_words(["heat"]).model_.terms == Terms("condition", "symptom")


def test_an_estimator_shows_itself_before_it_is_trained():
    html = NoisyOrTopics()._repr_html_()
    assert "NoisyOrTopics" in html
    assert drawings(html) == []


def test_no_text_is_markup(texts):
    words = [NASTY if word == "rocket" else word for word in " ".join(texts).split()]
    vocabulary = sorted(set(words))
    rows = [[word in line.replace("rocket", NASTY) for word in vocabulary] for line in texts]
    trained = NoisyOrTopics(**SETTINGS).fit(np.array(rows)).name_words(vocabulary)
    trained.corpus_.documents["text"] = NASTY
    trained.corpus_.documents["label"] = NASTY
    token = trained.model_.token_number[NASTY]
    topic = trained.network_.graph.parents(trained.network_.graph.n_topics + token)[0]
    shown = everything_with(trained, Evidence([token], closed_world=False), int(topic))
    for name, html in shown.items():
        tags = tags_of(html)
        assert not any(key.startswith("on") and "alert" in (v or "") for key, v in tags.attributes)
        assert "<img src=x" not in html, name
        for svg in drawings(html):
            assert "<img" not in svg, name
    assert "&lt;img" in shown["card"]
    assert "&lt;img" in shown["explanation"]
    assert "&lt;img" in shown["corpus"]


def everything_with(trained, evidence, topic):
    rest = everything_but_query(trained)
    rest["explanation"] = trained.explain(evidence, topic)._repr_html_()
    rest["card"] = trained.topic(topic)._repr_html_()
    return rest


def everything_but_query(trained):
    word = next(w for w in trained.model_.vocabulary if w == "orbit")
    answer = trained.query(f"{word} {NASTY}")
    assert answer.unknown_words or len(answer.posterior.evidence.present) > 1
    values = (trained, trained.model_, trained.network_, trained.corpus_, answer)
    names = ("estimator", "model", "network", "corpus", "query")
    return {name: value._repr_html_() for name, value in zip(names, values, strict=True)}


# Requirements on every object of a notebook.


def test_comparing_does_not_raise(fitted, texts):
    other = NoisyOrTopics(**SETTINGS).fit(texts)
    pairs = [
        (fitted.network_, other.network_),
        (fitted.network_.graph, other.network_.graph),
        (fitted.corpus_, other.corpus_),
        (fitted.model_, other.model_),
        (fitted.query("rocket"), other.query("rocket")),
        (fitted.query("rocket").posterior, other.query("rocket").posterior),
        (fitted.query("rocket").posterior.local, other.query("rocket").posterior.local),
    ]
    corpus, graph = fitted.corpus_, fitted.network_.graph
    steps = [next(train(corpus, graph, TrainingOptions(epochs=1))) for _ in range(2)]
    pairs += list(zip(*steps, strict=True))
    for one, two in pairs:
        assert (one == two) in (True, False)
        assert one == one
        assert one in [two, one]
    assert isinstance(pairs[6][0], LocalModel)


@pytest.mark.parametrize("kind", [list, np.array, set, range])
def test_arrays_where_tuples_are_kept(fitted, kind):
    tokens = kind(range(2)) if kind is not range else range(2)
    evidence = Evidence(tokens, closed_world=False)
    assert evidence == Evidence((0, 1), closed_world=False)
    assert infer(fitted.network_, evidence).evidence.present == (0, 1)


def test_names_are_listed_and_there():
    assert {"NoisyOrTopics", "Evidence", "Recipe", "infer", "train"} <= set(dir(orrery))
    for name in dir(orrery):
        assert getattr(orrery, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'NoisyOrTopic'"):
        orrery.NoisyOrTopic


def test_help_waits_for_nothing():
    requested = (
        "import sys, orrery; dir(orrery)\n"
        "from orrery.app.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numba', 'sklearn', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", requested], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_bar_is_shown_only_on_request(texts, capsys):
    NoisyOrTopics(**SETTINGS).fit(texts)
    assert capsys.readouterr().err == ""
    NoisyOrTopics(**SETTINGS, verbose=1).fit(texts)
    assert f"{EPOCHS}.0/{EPOCHS} epochs" in capsys.readouterr().err
