"""Report of a run as a page: settings, corpus, metrics and topics."""

from __future__ import annotations

import html
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..drawing import explorer_strings
from ..drawing.strings import percent
from ..drawing.web_page import fill_template
from ..evaluation.metrics import METRICS, Metric
from ..evaluation.stability import null_sentence, stability_sentence
from ..inference.thresholds import ON_THRESHOLD
from ..model.subtrees import joined
from ..model.terms import counted
from ..model.topic_model import Run
from ..storage.activations import load_activations
from ..storage.adoption import assumed_rate
from ..storage.reading import read_stored, sha256, vocabulary_hash
from ..storage.runs import model_folder
from ..storage.stability import Stability, known_stability
from ..training.options import DEFAULT_SAMPLES
from ..utils.errors import InputError
from ..utils.types import FloatArray

GROUPS_NOTE = (
    "Topic groups have topics whose documents use similar words; they are no part of the model."
)
TOPICS_SHOWN = 40
WORDS_SHOWN = 10
LIBRARIES = ("numpy", "numba", "scipy")
USUAL_GUESSES = "completion_recall10_independent"
# Settings that `_structure` describes in one row.
OF_STRUCTURE = ("structure", "learn_structure", "method", "graph_file")


def report_bytes(run: Run, title: str) -> bytes:
    """Content of the page, for the screen and for paper."""
    graph = run.network.graph
    origin = "adopted from a graph"
    if run.config["corpus"] is not None:
        origin = f"trained on the corpus “{run.corpus_path.name}”"
    size = f"{graph.n_topics:,} topics over {graph.n_tokens:,} words with {graph.n_edges:,} links"
    sentence = f"{run.terms.translated(size)}, {origin}."
    rate = assumed_rate(run.summary)
    if rate is not None:
        assumed = run.terms.translated(explorer_strings.ASSUMED_RATE)
        sentence += f" {assumed.format(share=percent(rate))}"
    found = known_stability(run)
    body = [
        *(f'<p class="lead">{html.escape(text)}</p>' for text in _plain_results(run)),
        *([_facts("How it did", run_figures(run))] if run.has_texts else []),
        _facts("Settings", _settings(run)),
        _facts("To repeat it", run_origin(run)),
        *([_facts("Stability", stability_facts(run, found))] if found else []),
        _topics(run, found),
    ]
    filled = {
        "title": html.escape(title),
        "sentence": html.escape(sentence),
        "body": "\n".join(body),
    }
    return fill_template("report/report.html", filled)


def _plain_results(run: Run) -> list[str]:
    """Result on the held-out documents in a sentence for readers who know none of the metrics."""
    held_out = (run.summary.get("held_out") or {}) if run.has_texts else {}
    found, usual = (held_out.get(key) for key in ("completion_recall10", USUAL_GUESSES))
    if found is None or usual is None:
        return []
    return [
        "Of 100 words hidden in texts that the model has not seen, it guesses "
        f"{100 * found:.0f} in ten tries; always guessing the most frequent words finds "
        f"{100 * usual:.0f}."
    ]


def _settings(run: Run) -> Iterable[tuple[str, Any]]:
    """Name and value of every setting that the run depended on."""
    settings: Mapping[str, Any] = run.config.get("settings") or {}
    if not settings:
        return []
    if not run.has_texts:
        return [("Graph", settings.get("adopted")), ("Its weights", settings.get("weights"))]
    guidance = settings.get("guidance") or {}
    rules = {f"guidance: {name}": len(each) for name, each in guidance.items() if each}
    flat = {**settings, **rules, **(settings.get("training") or {})}
    if flat.get("bound") == "likelihood":
        flat["importance_samples"] = flat.get("importance_samples") or DEFAULT_SAMPLES
    if flat.get("held_out_ids") is not None:
        flat["held_out_ids"] = f"{len(flat['held_out_ids']):,} documents named"
    left_out = {"training", "seed", "guidance", *OF_STRUCTURE, *_without_effect(flat)}
    return [
        ("structure", _structure(flat)),
        *(
            (name.replace("_", " "), value)
            for name, value in flat.items()
            if name not in left_out and value is not None
        ),
    ]


def _structure(settings: Mapping[str, Any]) -> str:
    """Origin of the graph."""
    if settings.get("structure") == "learned":
        return "learned with the weights"
    file = settings.get("graph_file")
    # The name of a file without its folder, which means nothing to others.
    begun = f"from {Path(file).name}" if file else f"proposed by {settings.get('method')}"
    return f"{begun}, pruned by the Gibbs start" if settings.get("learn_structure") else begun


def _without_effect(settings: Mapping[str, Any]) -> Iterator[str]:
    """Names of settings that have no effect, given the others."""
    is_paper, has_start = settings.get("optimizer") == "paper", settings.get("start") == "gibbs"
    if settings.get("graph_file") is None:
        yield "graph_weights"
    elif not settings.get("learn_structure"):
        yield from ("topics", "edges")
    if settings.get("held_out_ids") is not None:
        yield "held_out"
    if not has_start:
        yield from ("start_epochs", "leave_one_out")
    if settings.get("structure") != "learned":
        yield "structure_seed"
    yield "learning_rate" if is_paper else "edge_scale"
    if is_paper and not has_start:
        yield "weight_penalty"
    if settings.get("bound") != "exact":
        yield "accuracy"
    if settings.get("bound") == "likelihood" or not settings.get("importance_samples"):
        yield "importance_share"


def run_figures(run: Run) -> list[tuple[str, Any]]:
    """Name and value of every metric on the held-out documents; none for a model from a graph."""
    if not run.has_texts:
        return []
    held_out = run.summary.get("held_out") or {}
    figures = [
        _figure(metric, held_out[metric.key])
        for metric in METRICS
        if metric.in_report and held_out.get(metric.key) is not None
    ]
    return figures or [("Held-out figures", "none: no document was held out")]


def _figure(metric: Metric, value: Any) -> tuple[str, Any]:
    if metric.format != "share":
        return metric.title, value
    return f"{metric.title} (%)", None if value is None else 100.0 * value


def stability_facts(run: Run, found: Stability) -> list[tuple[str, Any]]:
    """Name and value of what is known of the stability."""
    null = null_sentence(run, found)
    return [
        ("Topics", stability_sentence(run, found)),
        *([("By chance", null)] if null else []),
        ("Trainings", f"other seeds, each on a random {100 * found.share:.0f} % of the documents"),
    ]


def run_origin(run: Run) -> list[tuple[str, Any]]:
    """Seed, hashes and versions, which are needed to repeat the run."""
    training = (run.config.get("settings") or {}).get("training") or {}
    seed = [("Seed", training.get("seed", "unknown"))] if run.has_texts else []
    stored = read_stored(model_folder(run.folder) / "model.npz")
    versions = [f"{name} {version(name)}" for name in LIBRARIES]
    return [
        *seed,
        ("Model (SHA-256)", sha256(stored)),
        ("Vocabulary (SHA-256)", vocabulary_hash(run.vocabulary)),
        ("Report written with", f"Orrery {__version__}, Python {platform.python_version()}, "
         + ", ".join(versions)),
    ]  # fmt: skip


def _facts(title: str, rows: Iterable[tuple[str, Any]]) -> str:
    cells = "".join(
        f"<tr><th>{html.escape(name)}</th><td{_style(value)}>{html.escape(figure_text(value))}</td></tr>"
        for name, value in rows
    )
    return f'<h2>{title}</h2><table class="facts">{cells}</table>'


def _style(value: Any) -> str:
    return ' class="code"' if isinstance(value, str) and len(value) == 64 else ""


def figure_text(value: Any) -> str:
    """Write a setting or metric with three significant digits."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        digits = f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3g}"
        return digits.replace("-", "\N{MINUS SIGN}")
    if isinstance(value, list | tuple):
        return ", ".join(map(figure_text, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _topics(run: Run, found: Stability | None) -> str:
    """Table of the most frequent topics that are not hidden, with their words.

    The frequency is the share of the stored documents in which the topic is on, or else its prior.
    """
    share, documents = _shares(run)
    shown = sorted(
        run.displayed_topics, key=lambda topic: (topic in run.unclear_topics, -share[topic])
    )
    listed, rest = shown[:TOPICS_SHOWN], shown[TOPICS_SHOWN:]
    # Bars show which topics are frequent; equally frequent topics have no bars.
    most = 0.0 if run.are_equally_frequent(shown) else float(share[shown].max(initial=0.0))
    rows = "".join(_topic(run, topic, share[topic], found, most) for topic in listed)
    group = "<th>Topic group</th>" if run.topic_group_names else ""
    before = "Before any word (%)" if assumed_rate(run.summary) is None else "Assumed (%)"
    on = "Expected in documents (%)" if run.has_texts else before
    if documents:
        on = f"Documents with the topic itself (% of {documents:,})"
    again = f'<th class="number">Found again, of {found.times}</th>' if found else ""
    topic, words, on = map(html.escape, run.terms.in_all(("Topic", "Words", on)))
    frequency = f'<th class="number">{on}</th>'
    head = f"<tr><th>{topic}</th><th>{words}</th>{group}{frequency}{again}</tr>"
    n_topics = run.network.graph.n_topics - len(run.wordless_topics)
    n_shown = len(listed)
    title = f"The {n_shown} most frequent of {n_topics:,} topics"
    if run.are_equally_frequent(shown):
        title = f"{n_shown} of {n_topics:,} topics"
    title = html.escape(run.terms.translated(title))
    hidden = f"<p>{run.n_hidden} hidden.</p>" if run.n_hidden else ""
    least = min((share[topic] for topic in listed), default=0.0)
    n_general = sum(share[topic] > least for topic in rest)
    if n_general:
        count = counted(str(n_general), "topic")
        general = f"As frequent, but not listed: {count} of general words."
        hidden += f"<p>{html.escape(run.terms.translated(general))}</p>"
    if group:
        hidden += f"<p>{html.escape(run.terms.translated(GROUPS_NOTE))}</p>"
    return f"<h2>{title}</h2>{hidden}<table>{head}{rows}</table>"


def _shares(run: Run) -> tuple[FloatArray, int]:
    """Share of the stored documents with each topic, and their number; 0 and the prior if none."""
    stored = None
    # A damaged file does not prevent a report.
    with suppress(InputError):
        stored = load_activations(model_folder(run.folder))
    if stored is None or not len(stored.rows):
        return run.displayed_prior, 0
    on = joined(stored.probability > ON_THRESHOLD, run.shown_as)
    return np.asarray(on.sum(axis=0), np.float64).ravel() / on.shape[0], on.shape[0]


def _topic(run: Run, topic: int, share: float, found: Stability | None, most: float) -> str:
    """Row of a topic; a bar is as long as its frequency, and full at ``most``; 0 draws no bar."""
    words = ", ".join(word for word, _, _ in run.shown_words(topic, WORDS_SHOWN))
    label, code = run.topic_labels[topic], run.network.graph.topic_ids[topic]
    code = f'<br><span class="code">{html.escape(code)}</span>' if code != label else ""
    name = html.escape(run.topic_group_name(topic) or "")
    group = f"<td>{name}</td>" if run.topic_group_names else ""
    again = f'<td class="number">{found.topic_counts[topic]}</td>' if found else ""
    bar = f'<div class="bar" style="width:{100 * share / most:.0f}%"></div>' if most else ""
    return (
        f"<tr><td>{html.escape(label)}{code}</td>"
        f"<td>{html.escape(words.replace('_', ' '))}</td>{group}"
        f'<td class="number">{100 * share:.3g}{bar}</td>{again}'
        "</tr>"
    )
