"""A new training run that continues from the model of an earlier run, on the same documents."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from scipy import sparse

from ..data.corpus import Corpus
from ..model.network import Network
from ..model.overlay import Overlay
from ..model.topic_model import Run
from ..structure.splitting import split_topic
from ..training.options import TrainingOptions
from ..utils.errors import InputError
from .atomic import write_json
from .checkpoints import Split, load_start
from .corpora import load_corpus
from .graphs import write_graph
from .overlay import write_overlay

GRAPH_FILE, HELD_OUT_FILE = "graph.csv", "held_out.json"
# Options that are not passed on: the new run does not repeat the start of the earlier one, its
# graph is given, and its number of epochs is chosen anew.
START = {"start", "start_epochs", "leave_one_out", "most_edges", "most_topics"}
NOT_KEPT = START | {"structure", "structure_seed", "epochs", "edge_scale"}


def split_run(run: Run, topic: int, seed: int = 0) -> Network:
    """Network of a run in which two topics replace ``topic``, based on the training documents.

    The held-out documents remain a valid test set for the next run with the same split. Raises
    InputError if the corpus is missing or has changed, or the words of the topic cannot be
    separated.
    """
    corpus, documents = _documents_of(run)
    presence = sparse.csr_array(corpus.to_csr())[documents.train]
    return split_topic(run.network, presence, topic, seed)


def continuation_options(run: Run) -> list[str]:
    """Options of ``orrery train`` that continue training with the settings of a run.

    Guidance is left out, because its rules may refer to a topic that no longer exists. Raises
    InputError if the configuration of the run is damaged.
    """
    kept = [field.name for field in fields(TrainingOptions) if field.name not in NOT_KEPT]
    try:
        training = run.config["settings"]["training"]
        known = {field.name for field in fields(TrainingOptions)} & training.keys()
        options = TrainingOptions(**{name: training[name] for name in known})
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"the settings of {run.folder} are damaged; train it again") from None
    # The default of these two depends on the kind of start, and the next run starts differently.
    found = {name: getattr(options, name) for name in kept}
    found |= {"learning_rate": options.rate, "weight_penalty": options.penalty}
    if options.optimizer != "adam":
        del found["learning_rate"], found["weight_penalty"]
    if options.bound != "exact":
        del found["accuracy"]
    if options.bound == "likelihood" or not options.importance_samples:
        del found["importance_share"]
    default = TrainingOptions()
    given = {name: value for name, value in found.items() if value != getattr(default, name)}
    pairs = ((f"--{name.replace('_', '-')}", str(value)) for name, value in given.items())
    return [word for pair in pairs for word in pair]


def write_continuation(folder: Path, run: Run, network: Network) -> list[str]:
    """Write the files from which a new run starts, and return its options for ``orrery train``.

    ``folder`` is that of the new run; the options are those other than it and the corpus. The
    overlay of the earlier run is kept for topics that still exist. ``network`` gives the initial
    graph, weights and leaks, with the same vocabulary. Raises InputError if the corpus is missing
    or has changed: the new test set could then contain documents on which the model was trained.
    """
    corpus, documents = _documents_of(run)
    write_graph(folder / GRAPH_FILE, network.graph, run.vocabulary, network.weight, network.leak)
    # JSON preserves every id: empty, with spaces around it, or of several lines.
    write_json(folder / HELD_OUT_FILE, corpus.documents["id"].iloc[documents.held_out].tolist())
    remaining = set(run.network.graph.topic_ids) & set(network.graph.topic_ids)
    overlay = run.overlay.about(remaining)
    if overlay != Overlay():
        (folder / "model").mkdir()
        write_overlay(folder / "model", overlay)
    files = ("--graph", folder / GRAPH_FILE, "--held-out-ids", folder / HELD_OUT_FILE)
    return [*map(str, files), *continuation_options(run)]


def _documents_of(run: Run) -> tuple[Corpus, Split]:
    corpus = load_corpus(run.corpus_path)
    _, documents = load_start(run.folder, corpus)
    return corpus, documents
