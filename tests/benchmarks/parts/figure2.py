"""Figure 2: topics of two queries that share a word with two senses."""

from __future__ import annotations

from typing import Any

from orrery.core.data.corpus import Corpus
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Method
from orrery.core.model.network import Network
from orrery.core.model.topic_names import topic_labels
from tests.benchmarks.data import tiny20_split
from tests.benchmarks.markdown import table
from tests.benchmarks.models import trained
from tests.benchmarks.part import Figures, Part, Settings

QUERIES = ("space shuttle program", "windows program memory")
MODELS: dict[str, tuple[str, Method]] = {
    "vi-local": ("the paper's training, Jensen bound", "jensen"),
    "ours": ("Orrery, exact bound", "mean-field"),
}
# The paper draws a topic green above this probability and red below.
ON = 0.5
# Topics that are off and listed after the topics that are on, the most probable first.
MAX_OFF = 4
ABOUT = """The paper shows the local models of two queries, about space and computer science, in
which *program* has two senses. Here each query is a document of three words, and every other word
is absent. A topic is on if its probability exceeds one half; of the topics that are off, the most
probable are listed. *above* gives the words of the query that are children of the topic.
"""


def run(settings: Settings) -> Figures:
    """Ask both models both questions; the first split."""
    split = tiny20_split(settings.splits[0], settings.quick)
    answers = {}
    for model, (_, method) in MODELS.items():
        network = trained(model, split, settings).network
        answers[model] = {query: ask(network, split.corpus, query, method) for query in QUERIES}
    return {"split": split.seed, "answers": answers}


def ask(network: Network, corpus: Corpus, query: str, method: Method) -> dict[str, Any]:
    """Topics of a query's local model, the likeliest first, and how many are left out."""
    present, _ = corpus.parse(query)
    evidence = Evidence(tuple(int(token) for token in present), closed_world=True)
    posterior = infer(network, evidence, method=method)
    labels = topic_labels(network, corpus.vocabulary)
    local = posterior.local
    topics = []
    for position, topic in enumerate(local.topics):
        children = local.edge_child[local.edge_parent == position] - len(local.topics)
        words = [corpus.vocabulary[local.tokens[child]] for child in children if child >= 0]
        probability = float(posterior.probability[position])
        topics.append({"label": labels[topic], "probability": probability, "above": words})
    topics.sort(key=lambda topic: -topic["probability"])
    n_on = sum(topic["probability"] > ON for topic in topics)
    return {"topics": topics[: n_on + MAX_OFF], "left_out": max(len(topics) - n_on - MAX_OFF, 0)}


def show(figures: Figures) -> str:
    """One table a model, the queries one below the other."""
    parts = [ABOUT]
    for method, answers in figures["answers"].items():
        rows = [row for query, answer in answers.items() for row in _rows(query, answer)]
        header = ["query", "topic", "on", "probability", "above"]
        parts.append(
            f"**{MODELS[method][0]}** (split {figures['split']})\n\n{table(header, rows)}\n"
        )
    return "\n".join(parts)


def _rows(query: str, answer: dict[str, Any]) -> list[list[str]]:
    rows = []
    for topic in answer["topics"]:
        state = "**on**" if topic["probability"] > ON else "off"
        rows.append(
            ["", topic["label"], state, f"{topic['probability']:.3f}", ", ".join(topic["above"])]
        )
    rows[0][0] = f"*{query}*"
    if answer["left_out"]:
        rows.append(["", f"{answer['left_out']} more", "off", "", ""])
    return rows


PART = Part("figure2", "Figure 2: one word, two senses", 10, run, show)
