"""Questions until a diagnosis: the order of frequency and two measures in bits, on drawn cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Posterior
from orrery.core.inference.questions import Aim, best_questions
from orrery.core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from orrery.core.model.labels import marginals
from orrery.core.model.network import Network
from orrery.core.utils.types import BoolArray, FloatArray
from tests.benchmarks.drawn import draw_documents
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.symptoms import symptom_run

SEED = 0
CASES, QUICK_CASES = 300, 3
OPEN_CASES, QUICK_OPEN_CASES = 150, 3
# Probability of a diagnosis that ends the questions, and the numbers of questions of all cases.
SURE, STOPS = 0.9, (0, 5, 10, 20, 40)
# Probabilities are limited for the logarithm.
SMALLEST = 1e-12
WAYS = {
    "frequency": "order of frequency",
    "information": "**ours**, most information about undecided diseases",
    "confirmation": "**ours**, most confirmation",
}
ABOUT = f"""The same medical network, with the same assumed prior of {TOPIC_LEAK} and leak of
{WORD_LEAK}. A case is a patient drawn from the network with at least one disease and one symptom;
the first complaint is one of the symptoms, at random. Each question is about one further symptom,
and the answer is the truth of the case. *Order of frequency* asks for the symptoms from the most to
the least probable in the network. After each answer, *ours* chooses again by `best_questions`.

The published numbers rarely determine a disease: a disease causes {{symptoms}} symptoms on average,
and with the answers to all {{n_words}} questions, some disease reaches a probability of {SURE} in
{{share}} of the cases. In the others, no disease has this probability with all answers, though one
may have it with some of them. The first table has {{n_cases}} cases in which some disease has it
with all answers, drawn one after the other; questions end when a disease has this probability.
*Right*: number of cases in which the patient has this disease.
"""
ABOUT_OPEN = """{n_cases} cases as drawn, whether they can be decided or not, after fixed numbers of
questions: log-loss of all diseases in nats per case (lower is better), and the share of cases in
which the patient has the disease that is most probable.
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A patient: diseases and symptoms, and the number of the first complaint."""

    diseases: BoolArray
    symptoms: BoolArray
    complaint: int


# Evidence, posterior → the next symptom to ask for.
Way = Callable[[Evidence, Posterior], int]


def draw_cases(network: Network, rng: np.random.Generator, count: int) -> list[Case]:
    """Patients with at least one disease and one symptom among this number of documents."""
    drawn = draw_documents(network, count, rng)
    symptoms = drawn.tokens.toarray() > 0
    found = []
    for diseases, present in zip(drawn.is_on, symptoms, strict=True):
        if diseases.any() and present.any():
            complaint = int(rng.choice(np.flatnonzero(present)))
            found.append(Case(diseases, present, complaint))
    return found


def decided_cases(network: Network, count: int) -> tuple[list[Case], int]:
    """The first cases that complete answers decide, and how many were drawn for them."""
    rng, found, n_drawn = np.random.default_rng([SEED, 0]), list[Case](), 0
    while len(found) < count:
        for case in draw_cases(network, rng, 200):
            n_drawn += 1
            present = tuple(np.flatnonzero(case.symptoms).tolist())
            posterior = infer(network, Evidence(present, closed_world=True))
            if posterior.probability.max(initial=0.0) >= SURE:
                found.append(case)
            if len(found) == count:
                break
    return found, n_drawn


def ways_of(network: Network) -> dict[str, Way]:
    """The ways to choose a question, by name."""
    graph = network.graph
    frequency = marginals(network)
    order = np.argsort(-frequency[graph.n_topics :], kind="stable").tolist()

    def by_frequency(evidence: Evidence, _: Posterior) -> int:
        return next(word for word in order if word not in evidence.tokens)

    def by_bits(aim: Aim, evidence: Evidence, posterior: Posterior) -> int:
        asked = best_questions(network, posterior, 1, aim=aim).questions
        # Without an informative question, the most frequent one.
        return asked[0].node if asked else by_frequency(evidence, posterior)

    return {
        "frequency": by_frequency,
        "information": partial(by_bits, "information"),
        "confirmation": partial(by_bits, "confirmation"),
    }


def dialogue(network: Network, case: Case, way: Way, most: int, sure: float) -> FloatArray:
    """Probability of all diseases after each answer, shape (n_answers + 1, n_topics).

    It ends when a disease is sure, or after the most questions.
    """
    present, absent = [case.complaint], list[int]()
    steps = []
    while True:
        evidence = Evidence(tuple(present), tuple(absent), closed_world=False)
        posterior = infer(network, evidence)
        p = -np.expm1(-network.leak[: network.graph.n_topics])
        p[posterior.local.topics] = posterior.probability
        steps.append(p)
        if len(steps) > most or p.max() >= sure:
            return np.array(steps)
        word = way(evidence, posterior)
        (present if case.symptoms[word] else absent).append(word)


def run(settings: Settings) -> Figures:
    """Ask about all cases in every way."""
    network = symptom_run().network
    graph, ways = network.graph, ways_of(network)
    cases, n_drawn = decided_cases(network, settings.pick(CASES, QUICK_CASES))
    log.info("%d of %d cases can be decided", len(cases), n_drawn)
    n_open = settings.pick(OPEN_CASES, QUICK_OPEN_CASES)
    rng = np.random.default_rng([SEED, 1])
    open_cases = draw_cases(network, rng, 4 * n_open)[:n_open]
    effects = np.bincount(graph.parent_idx, -np.expm1(-network.weight), graph.n_topics)
    figures: Figures = {
        "symptoms": float(effects.mean()),
        "n_words": graph.n_tokens,
        "n_drawn": n_drawn,
        "n_cases": len(cases),
        "n_open": len(open_cases),
        "ways": {},
    }
    for name, way in ways.items():
        figures["ways"][name] = {
            **_until_sure(network, cases, way),
            **_at_stops(network, open_cases, way),
        }
        log.info("%s: asked", name)
    return figures


def _until_sure(network: Network, cases: list[Case], way: Way) -> dict[str, Any]:
    most = network.graph.n_tokens - 1
    steps = [dialogue(network, case, way, most, SURE) for case in cases]
    asked = np.array([len(each) - 1 for each in steps])
    right = [bool(c.diseases[each[-1].argmax()]) for c, each in zip(cases, steps, strict=True)]
    return {
        "questions": [float(asked.mean()), *np.percentile(asked, (25, 50, 75, 95)).tolist()],
        "reached": int(sum(each[-1].max() >= SURE for each in steps)),
        "right": right,
    }


def _at_stops(network: Network, cases: list[Case], way: Way) -> dict[str, Any]:
    loss, right = np.zeros(len(STOPS)), np.zeros(len(STOPS))
    for case in cases:
        p = np.clip(dialogue(network, case, way, max(STOPS), 2.0)[list(STOPS)], SMALLEST, None)
        p = np.minimum(p, 1.0 - SMALLEST)
        loss -= np.where(case.diseases, np.log(p), np.log1p(-p)).sum(axis=1)
        right += case.diseases[p.argmax(axis=1)]
    return {"loss": (loss / len(cases)).tolist(), "first": (right / len(cases)).tolist()}


def show(figures: Figures) -> str:
    """Table of the cases that can be decided, and table of all cases."""
    ways = figures["ways"]
    base = ways["frequency"]
    rows = [
        [
            WAYS[name],
            *(number(value, 1) for value in way["questions"]),
            number(way["questions"][0] / base["questions"][0], 2),
            f"{sum(way['right'])} of {figures['n_cases']}",
            str(sum(a and not b for a, b in zip(base["right"], way["right"], strict=True))),
        ]
        for name, way in ways.items()
    ]
    header = ["questions until a diagnosis", "mean", "25 %", "median", "75 %", "95 %"]
    header += ["mean / mean by frequency", "right", "wrong, but right by frequency"]
    about = ABOUT.format(
        symptoms=number(figures["symptoms"], 1),
        n_words=figures["n_words"],
        share=f"{number(100 * figures['n_cases'] / figures['n_drawn'], 1)} %",
        n_cases=figures["n_cases"],
    )
    kinds = (("log-loss", "loss", 2, 1.0), ("first is right, %", "first", 0, 100.0))
    lines = [
        [f"{WAYS[name]}: {title}", *(number(scale * value, digits) for value in way[key])]
        for title, key, digits, scale in kinds
        for name, way in ways.items()
    ]
    about_open = ABOUT_OPEN.format(n_cases=figures["n_open"])
    stops = table(["questions asked", *map(str, STOPS)], lines)
    losses = {name: way["loss"] for name, way in ways.items()}
    return f"{about}\n{table(header, rows)}\n\n{about_open}\n{stops}\n\n{not_better(losses)}\n"


def not_better(losses: dict[str, list[float]]) -> str:
    """Sentence on the numbers of questions after which no aim has a lower log-loss."""
    ours = np.array([loss for name, loss in losses.items() if name != "frequency"])
    is_behind = ours.min(axis=0) >= losses["frequency"]
    behind = [str(stop) for stop, is_so in zip(STOPS, is_behind, strict=True) if is_so and stop]
    if not behind:
        return (
            "On these unselected cases, at least one aim of *ours* has a lower log-loss than the "
            "order of frequency after each number of questions."
        )
    return (
        f"On these unselected cases, the log-loss of *ours* after {', '.join(behind)} questions is "
        "not better than in order of frequency, with either aim."
    )


PART = Part("diagnosis", "Questions until a diagnosis", 20, run, show)
