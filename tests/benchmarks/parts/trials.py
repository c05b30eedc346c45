"""Ideas of the papers, tried on our own E-step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit, logsumexp

from orrery.core.baselines.amortized import encode, encoder_slopes, start_encoder
from orrery.core.baselines.noisy_or import adam_step
from orrery.core.data.corpus import Corpus
from orrery.core.inference.infer import infer_activations
from orrery.core.model.network import Network
from orrery.core.runs.comparison import OrrerySystem
from orrery.core.utils.types import FloatArray
from tests.benchmarks.arxiv import arxiv_split
from tests.benchmarks.blocks import block_bound, log_joint, pairs
from tests.benchmarks.corpora import little
from tests.benchmarks.data import tiny20_split
from tests.benchmarks.e_step_starts import Problem, Starts, by_amf, problems, search_from, usual
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

# Validation documents among the training documents; the others are for training.
N_VALIDATION = 300
# Abstracts to train on, and their words.
ABSTRACTS, WORDS = 12_000, 1_000
PASSES, BATCH, RATE = 20, 128, 0.005
# Local models of more topics cannot be listed.
MAX_TOPICS = 10
# Topics that are on together in documents: the least correlation of their probabilities.
MIN_TIE = 0.2
# Nats a document that are worth another way; and the share of the sweeps that must be saved.
WORTH, SAVED = 0.01, 0.1
USUAL = "as it is, two starts"
ABOUT = f"""The network is learned by `orrery train` from a part of the training documents of tiny20
(split 0), or of {ABSTRACTS:,} arXiv abstracts with {WORDS:,} words; {N_VALIDATION} other training
documents are the validation set, and the test documents are not used. *Bound* is the exact
mean-field bound in nats per document at the end of the E-step of training; *sweeps* are over all
topics of a document, with coarse terms, exact terms or arithmetic means (8), and dominate the time
of an E-step. The encoder (one hidden layer of 100) was trained for {PASSES} epochs on the
activations that the E-step finds for the training documents with the same network; this is its
best case, because it lags behind a network that is still learning. The claim of an idea holds if
its bound is at most {WORTH:g} nats lower and it saves a tenth of the sweeps, or if its bound is
{WORTH:g} higher with no more sweeps. Orrery uses none of the ideas: an encoder must itself be
trained, again and again while the network changes, and the sweeps do not include this time.
"""
ABOUT_BLOCKS = f"""Blocks consist of two topics whose joint probabilities are kept, with enumeration
of their states, in the validation documents of tiny20 whose local model has from 2 to {MAX_TOPICS}
topics. *On together*: pairs whose probabilities correlate by more than {MIN_TIE:g} over the
training documents. *Best pairs*: the pairs that are most dependent in the posterior of the document
itself, which are unknown in advance; they show the maximum that pairs could gain. *Gap closed* is
the share of the gap between naive mean field and the log-likelihood that the blocks recover.
"""


def run(settings: Settings) -> Figures:
    """Learn the networks, then try every way on the same documents."""
    rows, tiny = {}, tiny20_split(0).training_corpus()
    corpora = {"tiny20": tiny, "arXiv abstracts": arxiv_split(ABSTRACTS, WORDS).training_corpus()}
    for name, whole in corpora.items():
        corpus = little(whole) if settings.quick else whole
        order = np.random.default_rng(0).permutation(corpus.n_documents)
        train, evaluate = corpus.subset(order[N_VALIDATION:]), corpus.subset(order[:N_VALIDATION])
        log.info("%s: %d documents", name, train.n_documents)
        network = OrrerySystem(1, 0).fit(train).network
        local = list(problems(network, evaluate, np.arange(evaluate.n_documents)))
        predicted = _predicted(network, train, evaluate, settings.pick(PASSES, 1))
        rows[name] = _starts(local, predicted)
        if corpus is tiny or settings.quick:
            blocks = _blocks(network, train, local)
    return {"starts": rows, "blocks": blocks}


def _starts(local: list[Problem], predicted: list[FloatArray]) -> dict[str, dict[str, float]]:
    ways: dict[str, Callable[[int], Starts]] = {
        USUAL: lambda _: usual(),
        "one start, 0.5": lambda _: usual(0.5),
        "one start, 0.02": lambda _: usual(0.02),
        "AMF, 1 sweep from 0.5": lambda _: by_amf(1, 0.5),
        "AMF, 2 sweeps from 0.5": lambda _: by_amf(2, 0.5),
        "AMF, 5 sweeps from 0.5": lambda _: by_amf(5, 0.5),
        "AMF, 1 sweep from both": lambda _: by_amf(1),
        "encoder": lambda place: lambda _: ([predicted[place]], 0),
        "encoder, and 0.02": lambda place: lambda problem: (
            [predicted[place], *usual(0.02)(problem)[0]], 0
        ),
    }  # fmt: skip
    found = {}
    for name, starts in ways.items():
        each = [search_from(problem, starts(place)) for place, problem in enumerate(local)]
        bound, sweeps = (float(np.mean(values)) for values in zip(*each, strict=True))
        found[name] = {"bound": bound, "sweeps": sweeps}
        log.info("%s: %.4f, %.2f sweeps", name, bound, sweeps)
    return found


def _predicted(network: Network, train: Corpus, evaluate: Corpus, passes: int) -> list[FloatArray]:
    """Prediction of an encoder for the local topics of each validation document."""
    targets = infer_activations(network, train, method="mean-field")
    values = _encoder(train.to_csr(), targets, passes)
    shown_text = expit(encode(values, evaluate.to_csr().toarray())[0])
    known = [
        problem.local for problem in problems(network, evaluate, np.arange(evaluate.n_documents))
    ]
    return [row[local.node[: local.n_topics]] for row, local in zip(shown_text, known, strict=True)]


def _encoder(
    presence: sparse.csr_array, targets: sparse.csr_array, passes: int
) -> list[FloatArray]:
    """Weights of an encoder that predicts activations from words, by Adam on the cross-entropy."""
    rng = np.random.default_rng(0)
    values = start_encoder(presence.shape[1], targets.shape[1], rng)
    moments = [[np.zeros_like(value) for value in values] for _ in range(2)]
    step = 0
    for _ in range(passes):
        order = rng.permutation(presence.shape[0])
        for rows in np.array_split(order, -(-len(order) // BATCH)):
            inputs = presence[rows].toarray()
            outputs, hidden = encode(values, inputs)
            miss = (targets[rows].toarray() - expit(outputs)) / len(rows)
            step += 1
            adam_step(values, encoder_slopes(values, inputs, hidden, miss), moments, RATE, step)
    return values


def _blocks(network: Network, train: Corpus, local: list[Problem]) -> dict[str, Any]:
    on = infer_activations(network, train).toarray()
    with np.errstate(invalid="ignore"):
        together = np.nan_to_num(np.corrcoef(on.T))
    small = [problem for problem in local if 2 <= problem.local.n_topics <= MAX_TOPICS]
    rows = []
    for problem in small:
        topics = problem.local.node[: problem.local.n_topics]
        joint = log_joint(problem)
        ways = {
            "naive": [(place,) for place in range(len(topics))],
            "on together": pairs(together[np.ix_(topics, topics)], MIN_TIE),
            "best pairs": pairs(_posterior_ties(joint)),
        }
        starts = [np.full(len(topics), value) for value in (0.5, 0.02)]
        row = {name: max(block_bound(joint, blocks, start) for start in starts)
               for name, blocks in ways.items()}  # fmt: skip
        rows.append([*row.values(), float(logsumexp(joint))])
    means = dict(zip([*ways, "log-likelihood"], np.mean(rows, axis=0).tolist(), strict=True))
    log.info("blocks, %d documents: %s", len(rows), means)
    return {"documents": len(rows), **means}


def _posterior_ties(joint: FloatArray) -> FloatArray:
    """Absolute covariances of the topics under the posterior of a document."""
    n = joint.ndim
    leak = np.exp(joint - logsumexp(joint)).reshape(-1)
    states = np.indices((2,) * n).reshape(n, -1)
    centred = states - (states @ leak)[:, None]
    return np.abs((centred * leak) @ centred.T)


def helps(way: dict[str, float], as_it_is: dict[str, float]) -> bool:
    """Whether a way of starting is worth it, see the page's text."""
    gain = way["bound"] - as_it_is["bound"]
    saves = way["sweeps"] <= (1.0 - SAVED) * as_it_is["sweeps"]
    return (gain >= -WORTH and saves) or (gain >= WORTH and way["sweeps"] <= as_it_is["sweeps"])


def show(figures: Figures) -> str:
    """Table with a row for each start, and table of the blocks."""
    corpora = figures["starts"]
    names = list(next(iter(corpora.values())))
    lines = []
    for name in names:
        cells = [number(rows[name][key], digits) for rows in corpora.values()
                 for key, digits in (("bound", 3), ("sweeps", 1))]  # fmt: skip
        lines.append([name, *cells, "–" if name == USUAL else _verdict(corpora, name)])
    head = ["start of the E-step", *[f"{corpus}, {key}" for corpus in corpora
                             for key in ("bound", "sweeps")], "verdict"]  # fmt: skip
    blocks = figures["blocks"]
    gap = blocks["log-likelihood"] - blocks["naive"]
    of_blocks = [
        [name, number(blocks[name], 3), f"{(blocks[name] - blocks['naive']) / gap:.0%}"]
        for name in ("naive", "on together", "best pairs", "log-likelihood")
    ]
    what = f"mean field, {blocks['documents']} documents"
    gains = table([what, "bound", "gap closed"], of_blocks)
    return f"{ABOUT}\n{table(head, lines)}\n\n{ABOUT_BLOCKS}\n{gains}\n"


def _verdict(corpora: dict[str, Any], name: str) -> str:
    holds = all(helps(rows[name], rows[USUAL]) for rows in corpora.values())
    return "holds" if holds else "does not hold"


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims: every start except the current one, with its verdict."""
    corpora = figures["starts"]
    return [
        [f"Orrery's E-step from: {name}", "ours", "the same bound in fewer sweeps",
         "; ".join(_beside(corpus, rows[name], rows[USUAL]) for corpus, rows in corpora.items()),
         _verdict(corpora, name)]
        for name in next(iter(corpora.values()))
        if name != USUAL
    ]  # fmt: skip


def _beside(corpus: str, way: dict[str, float], as_it_is: dict[str, float]) -> str:
    gain, share = way["bound"] - as_it_is["bound"], way["sweeps"] / as_it_is["sweeps"]
    return f"{corpus}: {number(gain, 3)} nats higher, {share:.0%} of the sweeps"


PART = Part("trials", "Ideas tried on our E-step", 15, run, show)
