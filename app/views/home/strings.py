"""Strings of the Home page."""

from __future__ import annotations

from ...text.strings import counted

TITLE = "Home"
SENTENCE = "The corpora of this workspace and the models trained on them."

NEXT = {
    "corpus": "Add a corpus",
    "train": "Train a model",
    "watch": "Watch the training",
    "query": "Ask a model",
}
NEXT_NOTES = {
    "corpus": "Orrery learns topics from your own texts.",
    "train": "There is a corpus, but no model has been trained on it yet.",
    "watch": "A model is being trained. You can query it after the run ends or is stopped.",
}
ADD = "Add a corpus"
QUESTION = "A few words"
OR_SAMPLE = "Add some, or look at a sample first."
SHOW_SAMPLE = "Look at the sample"
HIDE_SAMPLE = "Hide"

NO_RUNS = "Nothing has been trained on it yet."
LOST = "Models without a corpus"
LOST_NOTE = (
    "They were made from a graph, or their corpus is not in this workspace. "
    "You can query them, but not continue their training."
)
SAMPLE_TAG = "sample"
SAMPLE_MODEL = "comes with Orrery"
ASK, WATCH, OPEN, TRAIN = "Ask", "Watch", "Open", "Train"
READ = "Read"
DELETE = "Delete"
DELETE_SURE = "Delete permanently"
DELETE_RUN = "The run and its model are deleted from disk."
STILL_RUNNING = "The run is still going. Stop it first."
DELETE_CORPUS = "The corpus is deleted from this workspace. Its source file is not deleted."
STATES_MARK = {
    "starting": "◐",
    "queued": "◌",
    "preparing": "◐",
    "running": "◐",
    "paused": "‖",
    "stopped": "■",
    "finished": "●",
    "failed": "✕",
    "interrupted": "✕",
}
ASK_MODEL = "Ask {model}: type a few words"
STILL_GOING = "Run {run} is still training on it. Stop it first."


def counts(documents: int, words: int) -> str:
    """Size of a corpus."""
    return f"{counted(f'{documents:,}', 'document')}, {counted(f'{words:,}', 'word')}"


def used_by(runs: int) -> str:
    """Number of runs on a corpus that is to be deleted."""
    if runs == 1:
        return (
            "One run was trained on it. Its model is kept; you can query it, but not continue its "
            "training."
        )
    return (
        f"{runs} runs were trained on it. Their models are kept; you can query them, but not "
        "continue their training."
    )


def run_facts(state: str, epochs: str, topics: str) -> str:
    """State, epochs and number of topics of a run."""
    parts = [state]
    if epochs:
        parts.append(counted(epochs, "epoch"))
    if topics:
        parts.append(counted(topics, "topic"))
    return ", ".join(parts)
