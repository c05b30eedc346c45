"""What comes after a run: training that goes on from its model, on the same documents."""

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
# What comes before the steps of the earlier training is not repeated, and how many there were is
# asked anew. The rest is, in so far as the command line knows it.
START = {"start", "start_epochs", "leave_one_out", "most_edges", "most_topics"}
NOT_KEPT = START | {"epochs", "edge_scale"}


def split_run(run: Run, topic: int, seed: int = 0) -> Network:
    """Network of a run with two topics in the place of one, by the documents it was trained on.

    What is held out judges the next run too, where it holds out the same.

    Parameters
    ----------
    run : Run
    topic : int
    seed : int

    Raises
    ------
    InputError
        If the corpus is gone or another, or nothing tells the words of the topic apart.
    """
    corpus, documents = _documents_of(run)
    presence = sparse.csr_array(corpus.to_csr())[documents.train]
    return split_topic(run.network, presence, topic, seed)


def settings_to_go_on(run: Run) -> list[str]:
    """Options of ``orrery train`` with which training goes on as it was, but without guidance.

    Its rules may name a topic that is there no more.

    Raises
    ------
    InputError
        If the record of the run is damaged.
    """
    kept = [field.name for field in fields(TrainingOptions) if field.name not in NOT_KEPT]
    try:
        training = run.config["settings"]["training"]
        known = {field.name for field in fields(TrainingOptions)} & training.keys()
        options = TrainingOptions(**{name: training[name] for name in known})
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"the settings of {run.folder} are damaged; train it again") from None
    # These depend on how a run starts where they are not given, and the next starts otherwise.
    found = {name: getattr(options, name) for name in kept}
    found |= {"learning_rate": options.rate, "weight_penalty": options.penalty}
    if options.optimizer != "adam":
        del found["learning_rate"], found["weight_penalty"]
    if options.bound != "exact":
        del found["accuracy"]
    if options.bound == "likelihood" or not options.importance_samples:
        del found["importance_share"]
    usual = TrainingOptions()
    given = {name: value for name, value in found.items() if value != getattr(usual, name)}
    pairs = ((f"--{name.replace('_', '-')}", str(value)) for name, value in given.items())
    return [word for pair in pairs for word in pair]


def write_continuation(folder: Path, run: Run, network: Network) -> list[str]:
    """Put into the folder of a new run what it starts from.

    Parameters
    ----------
    folder : Path
        Of the new run.
    run : Run
        The one before; what a person said about its topics is said of those that stay.
    network : Network
        Graph, weights and leaks to start from, over the same words.

    Returns
    -------
    list of str
        Options of ``orrery train``, besides the corpus and the folder.

    Raises
    ------
    InputError
        If the corpus is gone, or not as it was when the run began: documents that the model was
        trained on would come to judge it.
    """
    corpus, documents = _documents_of(run)
    write_graph(folder / GRAPH_FILE, network.graph, run.vocabulary, network.weight, network.leak)
    # JSON keeps ids as they are: blank, with blanks around them, or of several lines.
    write_json(folder / HELD_OUT_FILE, corpus.documents["id"].iloc[documents.held_out].tolist())
    staying = set(run.network.graph.topic_ids) & set(network.graph.topic_ids)
    overlay = run.overlay.about(staying)
    if overlay != Overlay():
        (folder / "model").mkdir()
        write_overlay(folder / "model", overlay)
    files = ("--graph", folder / GRAPH_FILE, "--held-out-ids", folder / HELD_OUT_FILE)
    return [*map(str, files), *settings_to_go_on(run)]


def _documents_of(run: Run) -> tuple[Corpus, Split]:
    corpus = load_corpus(run.corpus_path)
    _, documents = load_start(run.folder, corpus)
    return corpus, documents
