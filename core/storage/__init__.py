"""Corpora, runs and models on disk: atomic, versioned, never pickle."""

from orrery.core.model import TopicModel
from orrery.core.run import Run
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.models import load_model, save_model
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import load_run, read_status, send_command

__all__ = [
    "Run",
    "TopicModel",
    "load_corpus",
    "load_model",
    "load_run",
    "read_metrics",
    "read_status",
    "save_corpus",
    "save_model",
    "send_command",
]
