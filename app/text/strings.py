"""Strings that several packages use: numbers, durations, states and notes of a training run."""

from __future__ import annotations

from ...core.model.terms import counted

SAMPLE = "Field notes"
SAMPLE_BESIDE = f"{SAMPLE} (sample)"

COPIED = "Copied from {name}; nothing was trained."


def number(value: float) -> str:
    """Write a number with 3 significant digits and a true minus sign."""
    digits = f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")
    return digits.replace("-", "−")


UNREADABLE = "its result cannot be read; compare again"
LEFT = "Training left"
TOOK = "Time taken"
NO_FIGURE = "–"
# Changes below these count as none, in nats per document; a held-out bound has few documents.
MIN_GAIN = 0.01
MIN_CHANGE = 0.05
PHASE_NOTES = {
    "exploring": "Exploring: chains try out which topic explains what.",
    "pruning": "Pruning: topics that act alike are merged, and what is used least is dropped.",
    "settling": "Settling: the graph is fixed, and the chains find its weights.",
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
PAUSED = "Paused. The run waits where it is and keeps its memory."
STOPPING = "Stopping: saving the model so far."
PAUSING = "Pausing after this step."
WAITING_SIGNS = {
    ("queued", "stop"): "Stopping: the run leaves the queue.",
    ("queued", "pause"): "Waiting for another run to end, and pausing before its own first epoch.",
    ("preparing", "stop"): "Stopping after the first step; the run is being prepared.",
    ("preparing", "pause"): "Pausing after the first step; the run is being prepared.",
}
GRAPH_LEFT = "{topics:,.0f} topics and {edges:,.0f} edges are left."
STOPPED_EARLY = "Stopped before training began; there is no model."
FIRST_STEPS = "Training has begun."
AFTER_LAST_STEP = "The last step is done; the model is being written."


def first_steps(epoch: float, epochs: int) -> str:
    """Progress of a run before its gain can be estimated."""
    return f"Epoch {min(int(epoch) + 1, epochs)} of {epochs}."


def interrupted(epoch: float | None) -> str:
    """Report that the process died."""
    where = f" in epoch {int(epoch) + 1}" if epoch is not None else ""
    return f"The process ended{where} before the run was done. Resume continues from there."


def failed(message: str) -> str:
    """Report why a run failed."""
    return f"The run failed: {message}" if message else "The run failed."


def stopped(epoch: float, epochs: int) -> str:
    """Report that a run was stopped."""
    return (
        f"Stopped after {counted(f'{epoch:.1f} of {epochs}', 'epoch')}. "
        "You can ask the model so far; Resume continues training it."
    )


def finished(epochs: int, of: int, seconds: float) -> str:
    """Report that a run is finished, and that it skipped the training of further layers."""
    if epochs == of:
        return f"Finished {counted(epochs, 'epoch')} in {duration(seconds)}."
    done = f"Finished {epochs} of {counted(of, 'epoch')} in {duration(seconds)}"
    return f"{done}; the rest was for further layers of topics, which did not help to predict."


def improving(gain: float, span: float, held_out: tuple[float, float] | None) -> str:
    """Latest change of the bounds, in nats per document; the held-out one comes first."""
    training = f"in the last {_span(span)}"
    if held_out is None:
        return f"{_direction(gain, MIN_GAIN, 'training')} {training}."
    change, epochs = held_out
    return (
        f"{_direction(change, MIN_CHANGE, 'held-out')} in the last {_epochs(epochs)} "
        f"(training documents: {_signed(gain)} {training})."
    )


def _direction(change: float, least: float, kind: str) -> str:
    which = f"on {kind} documents: {_signed(change)} nats per document"
    if change >= least:
        return f"Still improving {which}"
    return f"Hardly changing {which}" if change > -least else f"Lower {which}"


def _signed(change: float) -> str:
    return f"{change:+.2f}".replace("-", "\N{MINUS SIGN}")


def in_use(topics: float | None, of: float | None) -> str:
    """Number of topics in use, and in the graph."""
    if topics is None:
        return NO_FIGURE
    return f"{topics:,.0f}" if of is None else f"{topics:,.0f} of {of:,.0f}"


def for_so_long(sentence: str, seconds: float) -> str:
    """Add to a sentence how long it has been true."""
    if seconds < 1.0 or not sentence:
        return sentence
    return f"{sentence.removesuffix('.')}, for {duration(seconds)}."


def converged(epochs: float) -> str:
    """Report that more training will not change the model."""
    return (
        "Converged: training and held-out bound changed by less than 0.02 nats per document in "
        f"the last {_epochs(epochs)}."
    )


def was_improving(gain: float, epochs: float) -> str:
    """Report that a run ended before convergence."""
    return (
        f"On texts it has not seen it was still improving in the last {_epochs(epochs)} "
        f"(+{gain:.2f} nats per document): more epochs may help."
    )


def gained_little(gain: float, epochs: float) -> str:
    """Report that the last epochs contributed little to what the run gained."""
    return (
        f"The last {_epochs(epochs)} added little on texts it has not seen (+{gain:.2f} nats per "
        "document), so more epochs would hardly change the topics."
    )


def was_best(fall: float, epoch: float) -> str:
    """Report that a run over-fitted."""
    return (
        f"On held-out documents it was best at epoch {epoch:.0f}, by {fall:.2f} nats per document: "
        "after that the model began to over-fit."
    )


LAST_CHANGE_HELPED = (
    "On held-out documents it is best at its end: the last change of the graph helped, more epochs "
    "did not."
)


def diverging(fall: float, epoch: float) -> str:
    """Report that the training bound falls."""
    return (
        f"Diverging: the training bound has fallen by {number(fall)} nats per document since epoch "
        f"{epoch:.0f}. Stop, and start again with another seed or fewer topics."
    )


NOT_A_NUMBER = (
    "Diverging: the training bound is not a number any more. Stop, and start again with another "
    "seed."
)


def by_heart(fall: float, epoch: float) -> str:
    """Report that the held-out bound falls and the training bound does not."""
    return (
        f"Over-fitting: the held-out bound has fallen by {fall:.2f} nats per document since epoch "
        f"{epoch:.0f} while the training bound has not. Stop keeps the model as it is."
    )


def held_out_falls(fall: float, epoch: float) -> str:
    """Report that the held-out bound falls."""
    return f"The held-out bound has fallen by {fall:.2f} nats per document since epoch {epoch:.0f}."


def graph_goes_back(fall: float, epoch: float) -> str:
    """Report that the held-out bound falls during structure learning, which handles this."""
    return (
        f"No better on texts it has not seen since epoch {epoch:.0f} (−{fall:.2f} nats per "
        "document); still looking for more topics."
    )


def _epochs(count: float) -> str:
    return "epoch" if round(count) == 1 else f"{count:.0f} epochs"


def duration(seconds: float) -> str:
    """Write a duration in one or two units."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 10:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def _span(seconds: float) -> str:
    if seconds >= 50:
        return "minute"
    return f"{max(round(seconds), 1)} seconds" if round(seconds) > 1 else "second"
