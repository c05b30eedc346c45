"""Words of the Train page."""

from __future__ import annotations

from orrery.app.words.common import counted
from orrery.app.words.figures import NAT, number

TITLE = "Train"
SENTENCE = "Learn a graph of topics from the current corpus, and watch how it goes."

NEW_RUN = "New run"
ON_CORPUS = "On"
METHOD = "Graph"
METHODS = {
    "learned": "Learned from the texts",
    "dense-regions": "Dense regions",
    "agglomerative": "Clusters",
    "complete": "Everything linked",
}
GRAPH_GIVEN = "As given"
METHOD_NOTES = {
    "learned": "Topics, links and layers grow as the texts need them; a tenth of the texts, at "
    "most 1,000, is held back to decide what stays. The best choice for most texts.",
    "dense-regions": "Words that often turn up together become a topic, and a word may have "
    "several. For when you know how many topics you want.",
    "agglomerative": "The most similar words are merged step by step. Tidy, but each word starts "
    "under only a few topics.",
    "complete": "Every topic is linked to everything in all layers below, and training finds "
    "what matters. Slow: for small vocabularies.",
}
TOPICS = "Topics in each layer"
TOPICS_HELP = (
    "From the layer just above the words upward, the most general last: 120, 30, 6. More topics "
    "make finer distinctions and take longer."
)
LEARN = "Choose among more edges"
LEARN_HELP = (
    "Begin with more topics and edges than needed, explore, add missing edges, then merge topics "
    "that act alike and drop the edges that do least. Takes longer, and needs sweeps before "
    "training."
)
START_AT = "Begin"
STARTS = {"random": "At random", "gibbs": "By sampling"}
START_HELP = (
    "At random: weights are drawn at random, and training finds the rest. By sampling: chains "
    "first try out topics for every document (a Gibbs start), which finds better graphs."
)
START_EPOCHS = "Sweeps before training"
START_EPOCHS_HELP = "Sampling passes over all documents. Too few sweeps leave topics unformed."
MORE = "More settings"
BOUND = "Bound"
BOUNDS = {"exact": "Exact", "jensen": "Jensen", "likelihood": "Likelihood"}
BOUND_HELP = (
    "How the likelihood is bounded from below. Exact computes the expectation itself and is "
    "tighter; Jensen is the bound of the paper (Ji et al. 2019). Likelihood draws the topics of "
    "every document, which comes closest."
)
EPOCHS = "Epochs"
SEED = "Seed"
SEED_HELP = "The same seed gives the same model."
NAME = "Name of the run"
NAME_HINT = "The corpus and a number"
START = "Start training"

EMPTY_TITLE = "No corpus yet"
EMPTY = "Here you will train a model and watch it improve. It needs texts to learn from."
EMPTY_RUNS_TITLE = "Nothing has been trained on this corpus"
EMPTY_RUNS = "Start training. The curve of the bound will be drawn here as it grows."
SAMPLE_TITLE = "The sample comes with its model"
SAMPLE = "Start a run of your own; it is kept in your workspace, beside the model."

HELD_OUT = "Held-out bound"
HELD_OUT_HELP = (
    "How likely the model makes documents that training never sees: a lower bound, in nats per "
    f"document ({NAT}). The closer to 0, the better the model predicts new texts."
)
RATE = "Documents / s"
RATE_HELP = "Documents processed per second, on average since the run was started or resumed."
LEFT = "Training left"
LEFT_HELP = (
    "If the rest of the epochs goes as fast as they lately have. The model is judged on held-out "
    "documents afterwards."
)
TOOK = "Time taken"
TOOK_HELP = "From the start, with all that was done beside training; pauses are left out."
IN_USE = "Topics in use"
IN_USE_HELP = (
    "Topics that are on in at least one document in a thousand, of all topics in the graph."
)
NO_FIGURE = "–"
# Less than this is said to be no change, in nats per document.
SMALLEST_GAIN = 0.01
# Of a held-out bound, which is judged on few documents.
SMALLEST_CHANGE = 0.05

PAUSE, RESUME, STOP, REMOVE = "Pause", "Resume", "Stop", "Remove"
REMOVE_SURE = "Remove permanently"
REMOVE_QUESTION = "The run and its model are deleted from disk."
TO_QUERY = "Ask this model"
SHOW = "Run"
PHASE_NOTES = {
    "exploring": "Exploring: chains try out which topic explains what.",
    "pruning": "Pruning: topics that act alike are merged, and what is used least is dropped.",
    "settling": "Settling: the graph is fixed, and the chains find its weights.",
}

RUNS_TITLE = "Runs on this corpus"
TABLE = {
    "name": "Run",
    "state": "State",
    "topics": "Topics in the graph",
    "method": "Graph",
    "epoch": "Epochs",
    "held_out": "Held-out bound",
    "time": "Time",
}
STATES = {
    "starting": "starting",
    "queued": "waiting",
    "preparing": "preparing",
    "running": "training",
    "paused": "paused",
    "stopped": "stopped",
    "finished": "finished",
    "failed": "failed",
    "interrupted": "interrupted",
}

STARTING = "Starting the process."
FINISHING = "finishing"
PAUSED = "Paused. The run waits where it is and keeps its memory."
STOPPING = "Stopping: saving the model so far."
PAUSING = "Pausing after this step."
WAITING_SIGNS = {
    ("queued", "stop"): "Stopping: the run leaves the queue.",
    ("queued", "pause"): "Waiting for another run to end, and pausing before its own first epoch.",
    ("preparing", "stop"): "Stopping after the first step; the run is being prepared.",
    ("preparing", "pause"): "Pausing after the first step; the run is being prepared.",
}
STOPPED_EARLY = "Stopped before training began; there is no model."
FIRST_STEPS = "Training has begun."
AFTER_LAST_STEP = "The last step is done; the model is being written."
BAD_TOPICS = "topics must be whole numbers above 0, separated by commas, such as 120, 30, 6"


def interrupted(epoch: float | None) -> str:
    """Say that the process died."""
    where = f" in epoch {int(epoch) + 1}" if epoch is not None else ""
    return f"The process ended{where} before the run was done. Resume continues from there."


def failed(message: str) -> str:
    """Say why a run failed."""
    return f"The run failed: {message}" if message else "The run failed."


def stopped(epoch: float, epochs: int) -> str:
    """Say that a run was stopped."""
    return (
        f"Stopped after {counted(f'{epoch:.1f} of {epochs}', 'epoch')}. "
        "You can ask the model so far; Resume continues training it."
    )


def finished(epochs: int, seconds: float, passed_over: int = 0) -> str:
    """Say that a run is done, and of how many epochs, if some for layers were passed over."""
    said = f"Finished {counted(epochs - passed_over, 'epoch')} in {duration(seconds)}."
    if not passed_over:
        return said
    return (
        f"{said} No further layer of topics helps to predict these texts, so the other "
        f"{passed_over} of {epochs} were left out."
    )


def improving(gain: float, span: float, held_out: tuple[float, float] | None) -> str:
    """Say how the bounds changed lately, in nats per document; the held-out one decides."""
    training = f"in the last {_span(span)}"
    if held_out is None:
        return f"{_direction(gain, SMALLEST_GAIN, 'training')} {training}."
    change, epochs = held_out
    return (
        f"{_direction(change, SMALLEST_CHANGE, 'held-out')} in the last {_epochs(epochs)} "
        f"(training documents: {_signed(gain)} {training})."
    )


def _direction(change: float, least: float, kind: str) -> str:
    which = f"on {kind} documents: {_signed(change)} nats per document"
    if change >= least:
        return f"Still improving {which}"
    return f"Hardly changing {which}" if change > -least else f"Lower {which}"


def _signed(change: float) -> str:
    return f"{change:+.2f}".replace("-", "\N{MINUS SIGN}")


def epochs_help(epochs: int, passes: int) -> str:
    """Say what an epoch is, and why a learned graph takes more of them."""
    if passes == epochs:
        return "Passes over all documents."
    return (
        f"Passes over all documents. Learning the graph adds some: {epochs} here make {passes} "
        "in all."
    )


def in_use(topics: float | None, of: float | None) -> str:
    """Write how many topics are in use, of how many in the graph."""
    if topics is None:
        return NO_FIGURE
    return f"{topics:,.0f}" if of is None else f"{topics:,.0f} of {of:,.0f}"


def for_so_long(sentence: str, seconds: float) -> str:
    """Add to a sentence for how long it has been true."""
    if seconds < 1.0 or not sentence:
        return sentence
    return f"{sentence.removesuffix('.')}, for {duration(seconds)}."


def converged(epochs: float) -> str:
    """Say that more training will change nothing."""
    return (
        "Converged: training and held-out bound changed by less than 0.02 nats per document in "
        f"the last {_epochs(epochs)}."
    )


def was_improving(gain: float, epochs: float) -> str:
    """Say that a run ended too soon."""
    return (
        f"On held-out documents it was still improving in the last {_epochs(epochs)} "
        f"(+{gain:.2f} nats per document): more epochs may help."
    )


def was_best(fall: float, epoch: float) -> str:
    """Say that a run went on too long."""
    return (
        f"On held-out documents it was best at epoch {epoch:.0f}, by {fall:.2f} nats per document: "
        "after that the model began to over-fit."
    )


def diverging(fall: float, epoch: float) -> str:
    """Say that training makes the model worse on its own texts."""
    return (
        f"Diverging: the training bound has fallen by {number(fall)} nats per document since epoch "
        f"{epoch:.0f}. Stop, and start again with another seed or fewer topics."
    )


NOT_A_NUMBER = (
    "Diverging: the training bound is not a number any more. Stop, and start again with another "
    "seed."
)


def by_heart(fall: float, epoch: float) -> str:
    """Say that training goes on and the model gets worse."""
    return (
        f"Over-fitting: the held-out bound has fallen by {fall:.2f} nats per document since epoch "
        f"{epoch:.0f} while the training bound has not. Stop keeps the model as it is."
    )


def held_out_falls(fall: float, epoch: float) -> str:
    """Say that the model gets worse on new texts."""
    return f"The held-out bound has fallen by {fall:.2f} nats per document since epoch {epoch:.0f}."


def graph_goes_back(fall: float, epoch: float) -> str:
    """Say that the graph is not as good now as it was, which is looked after."""
    return (
        f"{held_out_falls(fall, epoch)} The graph is still being learned: each further part begins "
        "at the best so far."
    )


def exploring(phase: str, left: str = "") -> str:
    """Say what a Gibbs start is doing, and what is left of the graph."""
    return f"{PHASE_NOTES[phase]} {left}".strip()


def graph_left(topics: float, edges: float) -> str:
    """Say how large the graph is by now."""
    return f"{topics:,.0f} topics and {edges:,.0f} edges are left."


def _epochs(count: float) -> str:
    return "epoch" if round(count) == 1 else f"{count:.0f} epochs"


def duration(seconds: float) -> str:
    """Write a time in one or two units."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 10:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def epochs_done(epoch: float | None, epochs: int | None) -> str:
    """Write how far a run came."""
    if epoch is None or epochs is None:
        return NO_FIGURE
    return f"{epoch:.1f} of {epochs}" if epoch < epochs else f"{epochs}"


def _span(seconds: float) -> str:
    if seconds >= 50:
        return "minute"
    return f"{max(round(seconds), 1)} seconds" if round(seconds) > 1 else "second"
