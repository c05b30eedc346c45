"""Table of explanations and questions of small models, which the explorer's tests read as well.

``python -m tests.explanation_cases`` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.inference.questions import best_questions
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network

TABLE = Path(__file__).with_suffix(".json")
N_CASES, N_TOPICS, N_WORDS, N_QUESTIONS = 40, 7, 9, 4
STATES = ("present", "absent", "unknown")


def drawn(seed: int) -> dict[str, Any]:
    """A random model, and evidence about it."""
    rng = np.random.default_rng(seed)
    n_nodes = N_TOPICS + N_WORDS
    edges = [
        [parent, child, round(rng.uniform(0.1, 2.5), 3)]
        for child in range(1, n_nodes)
        for parent in range(min(child, N_TOPICS))
        # A chain of all topics, so that a graph keeps their numbers.
        if rng.random() < 0.35 or child == parent + 1 < N_TOPICS
    ]
    words: dict[str, list[int]] = {state: [] for state in STATES}
    for token in range(N_WORDS):
        state = rng.choice([*STATES, "none"], p=[0.3, 0.15, 0.05, 0.5])
        words.get(state, []).append(token)
    held = rng.choice(N_TOPICS, 2, replace=False).tolist() if seed % 4 == 0 else []
    return {
        "edges": edges,
        "leak": [round(rng.uniform(0.02, 0.6), 3) for _ in range(n_nodes)],
        "evidence": {**words, "on": held[:1], "off": held[1:]},
        "closed_world": seed % 3 == 0,
    }


def problem(case: dict[str, Any]) -> tuple[Network, Evidence]:
    """The model and the evidence of a case."""
    parents, children, weights = zip(*case["edges"], strict=True)
    graph, order = build_graph(N_WORDS, [f"T{k}" for k in range(N_TOPICS)], parents, children)
    network = build_network(graph, np.array(weights)[order], case["leak"])
    evidence = {state: tuple(nodes) for state, nodes in case["evidence"].items()}
    return network, Evidence(**evidence, closed_world=case["closed_world"])


def expected(network: Network, evidence: Evidence) -> dict[str, Any]:
    """The states and questions of a case; no questions in a closed world."""
    posterior = infer(network, evidence)
    found = most_probable(network, posterior)
    states = [[found.on(s), p] for s, p in enumerate(found.probability.tolist())]
    if evidence.closed_world:
        return {"states": states}
    asked = best_questions(network, posterior, N_QUESTIONS)
    sure = best_questions(network, posterior, N_QUESTIONS, aim="confirmation")
    questions, confirmations = (
        [[one.node, one.bits, one.yes] for one in each.questions] for each in (asked, sure)
    )
    return {
        "states": states,
        "targets": list(asked.targets),
        "questions": questions,
        "confirmations": confirmations,
    }


def main() -> None:
    """Write the table."""
    cases = [drawn(seed) for seed in range(N_CASES)]
    cases = [{**case, "expected": expected(*problem(case))} for case in cases]
    TABLE.write_text(
        "\n".join(["[", ",\n".join(map(json.dumps, cases)), "]", ""]), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
