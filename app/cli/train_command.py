"""``orrery train``: train a model on a corpus, or resume a run."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ...core.utils.errors import InputError
from . import options

# Options that are fields of TrainingOptions; without a value, the default there applies.
TRAINING_FIELDS = (
    "bound",
    "scope",
    "optimizer",
    "accuracy",
    "importance_samples",
    "importance_share",
    "averaging",
    "start",
    "start_epochs",
    "learning_rate",
    "weight_penalty",
    "batch_size",
    "epochs",
    "seed",
)
STRUCTURE_FIELDS = (
    "method",
    "graph",
    "topics",
    "edges",
    "learn_structure",
    "held_out",
    "held_out_ids",
    "weights",
    "guidance",
)
# With one of these options, the graph is proposed or read, and only its weights are trained.
FIXED_GRAPH_OPTIONS = (
    "method",
    "graph",
    "topics",
    "edges",
    "learn_structure",
    "importance_samples",
    "averaging",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_corpus(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder of the run")
    parser.add_argument(
        "--graph",
        type=Path,
        metavar="FILE",
        help="graph to train on, CSV, GraphML, XDSL or BIF; training starts from its weights and "
        "leaks, if it has any",
    )
    options.add_weights(parser, default=None)
    parser.add_argument(
        "--guidance",
        type=Path,
        metavar="FILE",
        help="TOML file with seeds, must_link, cannot_link, frozen and forbidden edges; see the "
        "guide",
    )
    options.add_structure(parser, "maximum number of edges of the final graph")
    parser.add_argument(
        "--learn-structure",
        action="store_true",
        default=None,
        help="propose more edges than --edges allows, add others, and keep those that Gibbs "
        "sampling uses most; the default of --method is then complete for at most 500 words, else "
        "dense-regions",
    )
    parser.add_argument(
        "--bound",
        choices=("exact", "jensen", "likelihood"),
        help="objective: a mean-field bound (exact or jensen), or the likelihood, estimated by "
        "importance sampling; default: exact",
    )
    parser.add_argument(
        "--scope",
        choices=("local", "full"),
        help="graph for the inference of a document: its local graph, or the full graph; "
        "default: local",
    )
    parser.add_argument("--optimizer", choices=("adam", "paper"), help="default: adam")
    parser.add_argument(
        "--accuracy", choices=("fast", "standard", "fine"), help="accuracy of the exact bound"
    )
    parser.add_argument(
        "--importance-samples",
        type=options.positive,
        metavar="K",
        help="end with steps that maximise the likelihood, estimated with K samples per document; "
        "default: no such steps; with --bound likelihood all steps do this, and the default is 64",
    )
    parser.add_argument(
        "--importance-share",
        type=float,
        metavar="SHARE",
        help="share of the steps, at the end, that maximise the likelihood; default: 0.3",
    )
    parser.add_argument(
        "--averaging",
        type=float,
        metavar="SHARE",
        help="share of the steps, at the end, over which weights are averaged; default: 0",
    )
    parser.add_argument(
        "--start",
        choices=("random", "gibbs"),
        help="initial weights: random, or the result of Gibbs sampling; default: random",
    )
    parser.add_argument(
        "--start-epochs",
        type=options.positive,
        metavar="N",
        help="sweeps of Gibbs sampling over the documents; default: 300",
    )
    parser.add_argument(
        "--learning-rate",
        type=float,
        metavar="RATE",
        help="learning rate of adam; default: 0.08, or 0.03 after a Gibbs start; 0.06 with --bound "
        "likelihood",
    )
    parser.add_argument(
        "--weight-penalty",
        type=float,
        metavar="NATS",
        help="L1 penalty, in nats, on the weights of edges to words; default: 20, in a Gibbs start "
        "1, and 10 after it; 2 with --bound likelihood",
    )
    parser.add_argument(
        "--batch-size", type=options.positive, metavar="N", help="documents per minibatch"
    )
    parser.add_argument(
        "--epochs",
        type=options.positive,
        metavar="N",
        help="passes over the documents, without those of a Gibbs start; a third more if the "
        "graph is learned; default: 20",
    )
    parser.add_argument(
        "--seed",
        type=options.seed,
        metavar="N",
        help="the same seed gives the same model; default: 0",
    )
    parser.add_argument(
        "--held-out",
        type=options.share,
        metavar="FRACTION",
        help="share of the documents to hold out as a test set; default: 0.1",
    )
    parser.add_argument(
        "--held-out-ids",
        type=Path,
        metavar="FILE",
        help="documents to hold out: a file with one id per line, or a .json file with a list",
    )
    parser.add_argument("--resume", action="store_true", help="continue the run in --out")
    parser.add_argument("--threads", type=options.positive, metavar="N", help="default: all cores")
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="train on the Dask cluster with the scheduler at ADDRESS (tcp://HOST:PORT), or on N "
        "worker processes of this machine (local:N), with the same result; a Gibbs start, the "
        "proposal of the graph and the held-out figures stay in this process; faster if the "
        "documents of a step take much longer than sending all weights; at most 8 workers; needs "
        "orrery[distributed] on every machine of the cluster",
    )
    parser.add_argument(
        "--time-budget",
        type=options.seconds,
        metavar="SECONDS",
        help="stop after this time; the compilation before the first training is not counted",
    )
    parser.add_argument(
        "--queue", type=Path, metavar="DIR", help="wait until no other run in this queue trains"
    )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Train the model, show the progress, and print the result."""
    given = [name for name in TRAINING_FIELDS + STRUCTURE_FIELDS if _value(chosen, name)]
    if chosen.resume and given:
        option = given[0].replace("_", "-")
        raise InputError(f"a resumed run keeps its own settings; leave out --{option}")

    import psutil

    from ...core.runs.runner import resume_run, start_run
    from ...core.runs.settings import Session
    from .progress import TrainingProgress

    with TrainingProgress() as progress:
        where = (chosen.threads, chosen.time_budget, chosen.queue)
        begun = psutil.Process().create_time()
        session = Session(*where, progress.report, chosen.dask, begun)
        if chosen.resume:
            _check_same_corpus(chosen)
            result = resume_run(chosen.out, session)
        else:
            result = start_run(chosen.out, _settings(chosen), session)
    if not chosen.json:
        _print_result(result)
    return result


def _value(chosen: argparse.Namespace, name: str) -> bool:
    return getattr(chosen, name) is not None


def _settings(chosen: argparse.Namespace) -> Any:
    from ...core.runs.settings import RunSettings
    from ...core.storage.graphs import read_guidance
    from ...core.training.options import TrainingOptions

    _check_options(chosen)
    training = {name: getattr(chosen, name) for name in TRAINING_FIELDS if _value(chosen, name)}
    structure = {
        name: getattr(chosen, name)
        for name in ("method", "topics", "edges", "learn_structure", "held_out")
        if _value(chosen, name)
    }
    if chosen.learn_structure:
        structure.setdefault("method", _learning_method(chosen.corpus))
        training["start"] = "gibbs"
    if _is_learned(chosen):
        training["structure"] = "learned"
    return RunSettings(
        corpus=str(chosen.corpus.resolve()),
        training=TrainingOptions(**training),
        graph_file=None if chosen.graph is None else str(chosen.graph.resolve()),
        graph_weights=chosen.weights or "noisy-or",
        guidance=None if chosen.guidance is None else read_guidance(chosen.guidance),
        held_out_ids=_read_ids(chosen.held_out_ids),
        **structure,
    )


def _is_learned(chosen: argparse.Namespace) -> bool:
    """Whether structure learning is used: the default, unless an option requires a fixed graph."""
    is_fixed = any(_value(chosen, name) for name in FIXED_GRAPH_OPTIONS)
    is_paper = chosen.scope == "full" or chosen.optimizer == "paper"
    is_exact = chosen.bound in (None, "exact")
    return is_exact and not (is_fixed or is_paper or chosen.start == "gibbs")


def _learning_method(corpus: Path) -> str:
    """Default of ``--method`` for ``--learn-structure``."""
    from ...core.storage.corpora import read_description
    from ...core.structure.layers import SMALL_VOCABULARY

    n_words = read_description(corpus).get("vocabulary")
    is_small = isinstance(n_words, int) and n_words <= SMALL_VOCABULARY
    return "complete" if is_small else "dense-regions"


def _check_graph_options(chosen: argparse.Namespace) -> None:
    if chosen.graph is not None and (chosen.method or chosen.topics or chosen.edges):
        raise InputError("--graph names the graph; leave out --method, --topics and --edges")
    if chosen.weights is not None and chosen.graph is None:
        raise InputError("--weights is the meaning of the numbers in a graph file; add --graph")
    if chosen.learn_structure and chosen.graph is not None:
        raise InputError("--graph names the graph; leave out --learn-structure")
    if chosen.learn_structure and chosen.start == "random":
        raise InputError("--learn-structure prunes during a Gibbs start; leave out --start random")


def _check_options(chosen: argparse.Namespace) -> None:
    """Raise an InputError for options that contradict each other."""
    _check_graph_options(chosen)
    if chosen.start_epochs is not None and not (chosen.start == "gibbs" or chosen.learn_structure):
        raise InputError("--start-epochs has no effect alone; add --start gibbs")
    if chosen.learning_rate is not None and chosen.optimizer == "paper":
        raise InputError("--learning-rate is for adam; leave it out with the optimizer paper")
    is_penalised = chosen.optimizer != "paper" or chosen.start == "gibbs" or chosen.learn_structure
    if chosen.weight_penalty is not None and not is_penalised:
        raise InputError("the optimizer paper has no penalty; leave out --weight-penalty")
    if chosen.held_out is not None and chosen.held_out_ids is not None:
        raise InputError("--held-out-ids names the documents; leave out --held-out")
    if chosen.importance_share is not None and chosen.bound == "likelihood":
        raise InputError("all steps maximise the likelihood; leave out --importance-share")
    if chosen.importance_share is not None and chosen.importance_samples is None:
        raise InputError("--importance-share has no effect alone; add --importance-samples")
    if chosen.accuracy is not None and chosen.bound in ("jensen", "likelihood"):
        raise InputError(f"--accuracy is for the exact bound; leave it out with {chosen.bound}")


def _read_ids(path: Path | None) -> tuple[str, ...] | None:
    if path is None:
        return None
    from ...core.data.encodings import decode, storable_text
    from ...core.data.limits import read_source

    text = decode(read_source(path), path.name)
    if path.suffix.lower() != ".json":
        return tuple(line.strip() for line in text.splitlines() if line.strip())
    try:
        ids = json.loads(text)
    except (ValueError, RecursionError):
        ids = None
    if not isinstance(ids, list) or not all(isinstance(code, str) for code in ids):
        raise InputError(f'{path.name} is no JSON list of ids; write it as ["id", "id"]')
    return tuple(map(storable_text, ids))


def _check_same_corpus(chosen: argparse.Namespace) -> None:
    from ...core.storage.runs import read_config

    corpus = read_config(chosen.out)["corpus"]
    if corpus is None:
        raise InputError(
            f"{chosen.out} was adopted from a graph and never trained; train that graph with "
            "--graph, into another folder"
        )
    earlier = Path(corpus)
    if earlier.resolve() != chosen.corpus.resolve():
        raise InputError(f"the run was trained on {earlier}; resume it with that corpus")


def _print_result(result: dict[str, Any]) -> None:
    from ...core.model.topic_model import tells_nothing

    print(f"{result['run']}: {result['epochs']:.1f} epochs in {result['seconds']:.0f} s")
    held_out = result["held_out"]
    if held_out:
        print(
            f"on {held_out['documents']} held-out documents: "
            f"exact bound {held_out['exact_bound']:.3f}, "
            f"independent words {held_out['independent']:.3f} nats per document"
        )
        if tells_nothing(held_out):
            print(
                "on unseen texts the model predicts no better than independent words: its topics "
                "may have come about by chance; more texts, or longer ones, may help"
            )
