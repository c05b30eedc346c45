"""A kind of evidence is added to a copy of the repository: edits of seven files."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from orrery.core.drawing.strings import figures
from tests.conftest import ROOT
from tests.test_registries import Edits, edited_copy, shown_by

# A word that an unreliable source reports is doubtful, and typed as ``~word``. The source reports
# every word of a document, and one in ten of all others. If a word is absent with probability
# exp(-a), it is reported with probability 1 - 0.9 exp(-a): as if it had a larger leak.
EVIDENCE: Edits = {
    "core/data/query.py": [
        (
            ")\nSIGNS = {",
            '    WordState("doubtful", "~", "doubtful word", "~memory doubts it"),\n',
        )
    ],
    "core/inference/evidence.py": [
        (
            "@dataclass(frozen=True)\nclass Evidence:",
            "# Probability that a word is reported although it is not in the document.\n"
            "FALSE_REPORT = 0.1\n"
            "REPORT_LEAK = -float(np.log1p(-FALSE_REPORT))\n\n\n",
        ),
        ("\n    def __post_init__", "    doubtful: tuple[int, ...] = ()\n"),
        (
            "    held = np.array(sorted(evidence.on",
            "    doubtful = np.array(evidence.doubtful, np.int32) + np.int32(graph.n_topics)\n"
            "    present = np.sort(np.concatenate([present, doubtful]))\n",
        ),
        (
            "    return local, weights\n",
            "    raised = REPORT_LEAK * np.isin(local.node, doubtful)\n"
            "    total_leak = weights.total_leak + float(raised.sum())\n"
            "    weights = weights._replace(w0=weights.w0 + raised, total_leak=total_leak)\n",
        ),
    ],
    "core/inference/prediction.py": [
        ("from .posterior import", "from .evidence import FALSE_REPORT\n"),
        (
            "    return WordProbabilities(probability, error)\n",
            "    graph, samples = network.graph, posterior.samples\n"
            "    for token in evidence.doubtful:\n"
            "        node = graph.n_topics + token\n"
            "        edges = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])\n"
            "        parents = np.searchsorted(posterior.local.topics, graph.parents(node))\n"
            "        activation = samples.state[:, parents] @ network.weight[edges]\n"
            "        off = np.exp(-network.leak[node] - activation)\n"
            "        on = (1.0 - off) / (1.0 - off + FALSE_REPORT * off)  # Bayes' theorem\n"
            "        (probability[token],), (error[token],) = samples.mean(on[:, None])\n",
        ),
    ],
    "core/drawing/style.py": [
        ('    "word": ("#8A95A3"', '    "doubtful": ("#8A6D1D", "#FFF4CC"),\n'),
        ('"fold": (4.0, 3.0)', '"doubtful": (8.0, 2.0), '),
    ],
    "core/export/explorer.py": [
        ("from ..inference.explanation", "from ..inference.evidence import REPORT_LEAK\n"),
        ('        "draws": ROUND_SIZE', '        "report_leak": REPORT_LEAK,\n'),
    ],
    "assets/explorer/model/local.js": [
        (
            "    const graph = graphOf(model, ancestors(",
            "    const doubtful = nodesOf(model, evidence.doubtful);\n"
            "    words.push(...doubtful);\n"
            "    words.sort((a, b) => a - b);\n",
        ),
        (
            "    return {\n      ...graph,\n      weight,",
            "    for (const node of doubtful)\n"
            "      leak[graph.node.indexOf(node)] += model.inference.report_leak;\n",
        ),
    ],
    "app/cli/infer_command.py": [("if the first word has a sign", "~word means doubtful; ")],
}
# The report of "river" is a mixture of other queries with these probabilities. In a closed world,
# topics above nothing but absent words are off, so there the word is left open.
MIXTURES = {
    "open": {"bank river": 1.0, "bank -river": 0.1},
    "closed": {"bank river": 0.9, "bank ?river": 0.1},
}

# Runs in the copy: the command, Python, the Query page, and the data of the explorer.
SHOW = """
import contextlib, io, json, shutil, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import orrery
from orrery import NoisyOrTopics
from orrery.app.cli.main import main
from orrery.core.drawing.web_page import script_json
from orrery.core.export.explorer import explorer_data
from orrery.core.utils.errors import InputError

run = Path(sys.argv[1]) / "runs/r"
shutil.copytree(Path(orrery.__file__).parents[3] / "sample_data/run", run)

def called(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        assert main([str(each) for each in arguments]) == 0, arguments
    return out.getvalue()

shown = {"help": called("infer", "--help")}
for world in ("open", "closed"):
    for query in ("bank ~river", "bank river", "bank -river", "bank ?river"):
        answer = called("infer", run, "--query", query, f"--{world}-world", "--json")
        shown[f"{world} {query}"] = json.loads(answer)

topics = NoisyOrTopics.load(run)
answer = topics.query("bank ~river")
shown["explorer"] = json.loads(script_json(explorer_data(topics.model_)))
shown["evidence"] = vars(answer.posterior.evidence)
shown["topics"] = dict(zip(answer.topics["id"], answer.topics["probability"]))
shown["pieces"] = topics.explain(answer).without["piece"].tolist()
shown["svg"], shown["other svg"] = answer.svg, topics.query("bank river").svg
try:
    topics.query("river ~river")
except InputError as error:
    shown["refusal"] = str(error)

page = "from orrery.app.views.query import page; page.render()"
app = AppTest.from_string(page, default_timeout=120)
app.query_params["q"], app.query_params["sel"] = "bank ~river", "word:river"
assert not app.run().exception, app.exception
drawn = [json.loads(component.proto.json) for component in app.get("bidi_component")]
shown["picture"] = next(data for data in drawn if "nodes" in data)
shown["buttons"] = [button.key for button in app.button]
shown["hint"] = app.text_input(key="q").placeholder
shown["state"] = app.segmented_control(key="state-word:river").value
assert not app.segmented_control(key="state-word:river").set_value("present").run().exception
shown["switched"] = app.query_params["q"]
print("SHOWN" + json.dumps(shown))
"""
# Runs in the copy with the data of the explorer: the answer and the picture by its scripts.
ASK = """
import { readFileSync } from "node:fs";
import { load, loadExplorer } from "./loading.js";

const SHARED = ["assets/shared/local-model-layout.js", "assets/shared/local-model-data.js"];
const NAMES = ["Model", "Strings", "Figures", "Text", "Clauses", "Question", "Local", "Messages",
  "Order", "Plan", "Elimination", "Guided", "Posterior", "Answer", "Why", "Chosen"];
const data = JSON.parse(readFileSync(0, "utf8")), OrreryPicture = load(SHARED, ["composer"]);
const { OrreryModel, OrreryQuestion, OrreryAnswer, OrreryChosen, OrreryWhy } =
  loadExplorer(NAMES, data, { OrreryPicture });
const question = OrreryQuestion.read("bank ~river");
const answer = OrreryAnswer.ask(question, new Map(), false), { posterior } = answer;
console.log(JSON.stringify({
  states: question.typed.map(({ text, state }) => [text, state]),
  turned: OrreryQuestion.switched(question, "word:river", OrreryQuestion.NEXT.unknown),
  contradictions: OrreryQuestion.read("river ~river").contradictions,
  pieces: OrreryWhy.omissions(posterior, posterior.topics[0]).map(({ piece }) => piece),
  topics: posterior.topics.map((topic, k) =>
    [OrreryModel.topic_ids[topic], posterior.probability[k]]),
  log_probability: posterior.logProbability,
  picture: OrreryChosen.picture(answer, new Set(), false),
}));
"""

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return edited_copy(tmp_path_factory.mktemp("word-states") / "copy", EVIDENCE)


@pytest.fixture(scope="module")
def shown(copy: Path) -> dict[str, Any]:
    return shown_by(copy, copy.with_name("space"), SHOW)


def probabilities(answer: dict[str, Any]) -> dict[str, float]:
    return {topic["id"]: topic["probability"] for topic in answer["topics"]}


def mixture(world: str, shown: dict[str, Any]) -> tuple[float, dict[str, float]]:
    """Log-probability and posterior that the other queries give for the doubtful word."""
    parts = [(shown[f"{world} {query}"], share) for query, share in MIXTURES[world].items()]
    weights = [share * math.exp(answer["log_probability"]) for answer, share in parts]
    total: dict[str, float] = {}
    for (answer, _), weight in zip(parts, weights, strict=True):
        for topic, probability in probabilities(answer).items():
            total[topic] = total.get(topic, 0.0) + weight * probability / sum(weights)
    return math.log(sum(weights)), total


def box(picture: dict[str, Any]) -> dict[str, Any]:
    return next(node for node in picture["nodes"] if node["id"] == "word:river")


def legend(picture: dict[str, Any]) -> dict[str, Any]:
    return next(item for item in picture["legend"] if item["kind"] == "doubtful")


def test_a_kind_of_evidence_takes_seven_edited_files() -> None:
    # More than twelve would be too many.
    assert len(EVIDENCE) == 7 <= 12


@pytest.mark.parametrize("world", MIXTURES)
def test_the_command_weighs_a_doubtful_word(world: str, shown: dict[str, Any]) -> None:
    found = shown[f"{world} bank ~river"]
    states = {token["token"]: token["state"] for token in found["tokens"]}
    assert states == {"bank": "present", "river": "doubtful"}
    log_probability, expected = mixture(world, shown)
    assert found["log_probability"] == pytest.approx(log_probability, abs=1e-9)
    assert probabilities(found) == pytest.approx(expected, abs=1e-9)
    # No other state gives this answer.
    for other in ("river", "-river", "?river"):
        known = probabilities(shown[f"{world} bank {other}"])
        assert max(abs(p - known.get(topic, 0.0)) for topic, p in expected.items()) > 0.005, other
    assert "~word means doubtful" in " ".join(shown["help"].split())


def test_python_takes_a_doubtful_word(shown: dict[str, Any]) -> None:
    river = shown["explorer"]["vocabulary"].index("river")
    assert shown["evidence"]["doubtful"] == [river]
    assert river not in shown["evidence"]["present"]
    assert shown["pieces"] == ["present", "doubtful"]
    assert shown["topics"] == pytest.approx(probabilities(shown["open bank ~river"]))
    assert shown["refusal"] == (
        "'river' is given as present and as doubtful; leave one of them out"
    )


def test_the_picture_and_the_page_show_a_doubtful_word(shown: dict[str, Any]) -> None:
    for colour in ("#8A6D1D", "#FFF4CC"):
        assert colour in shown["svg"]
        assert colour not in shown["other svg"]
    picture = shown["picture"]
    assert legend(picture)["text"] == "doubtful word"
    fill, border, *_ = box(picture)["paint"]["light"]
    assert (fill, border) == ("#FFF4CC", "#8A6D1D")
    assert legend(picture)["paint"] == box(picture)["paint"]
    present, absent = (
        share * math.exp(shown[f"open {query}"]["log_probability"])
        for query, share in MIXTURES["open"].items()
    )
    expected = f"to be expected with probability {figures(present / (present + absent))}"
    assert box(picture)["hover"][:3] == ["river", "doubtful word", expected]
    assert shown["hint"].endswith("?memory leaves it open, ~memory doubts it")
    # The selected word has its card and its switch.
    assert "open-in-graph" in shown["buttons"]
    assert shown["state"] == "doubtful"
    assert shown["switched"] == "bank river"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js runs the explorer's scripts")
def test_the_explorer_reads_weighs_and_draws_a_doubtful_word(
    copy: Path, shown: dict[str, Any]
) -> None:
    scripts = copy / "tests" / "javascript"
    scripts.mkdir(parents=True)
    for name in ("loading.js", "package.json"):
        shutil.copy(ROOT / "tests" / "javascript" / name, scripts)
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", ASK],
        cwd=scripts, input=json.dumps(shown["explorer"]), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["states"] == [["bank", "present"], ["river", "doubtful"]]
    assert found["turned"] == "bank ~river"
    (contradiction,) = found["contradictions"]
    assert contradiction == {"word": "river", "first": "present", "second": "doubtful"}
    assert found["pieces"] == shown["pieces"]
    answer = shown["open bank ~river"]
    assert dict(found["topics"]) == pytest.approx(probabilities(answer), abs=1e-9)
    assert found["log_probability"] == pytest.approx(answer["log_probability"], abs=1e-9)
    for part in ("paint", "dash", "x", "y"):
        assert box(found["picture"])[part] == box(shown["picture"])[part], part
    for part in ("text", "paint", "dash"):
        assert legend(found["picture"])[part] == legend(shown["picture"])[part], part
