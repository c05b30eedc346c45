"""The picture of a query as the app draws it: what is on in green, what is off in red."""

from __future__ import annotations

from orrery.app.graph.local_model import Look, query_picture
from orrery.app.graph.picture import canvas_data
from orrery.app.graph.svg import picture_svg
from orrery.app.query.question import Question, read_question
from orrery.core.posterior import Posterior
from orrery.core.storage import TopicModel

__all__ = ["Question", "query_svg", "question_of"]


def question_of(model: TopicModel, text: str) -> Question:
    """The words of a query in typed order, each present, absent (``-word``) or open (``?word``)."""
    return read_question(model, text)  # type: ignore[arg-type]


def query_svg(model: TopicModel, question: Question, posterior: Posterior) -> tuple[str, str]:
    """Drawing of the local model of a query, and a sentence that says what it shows."""
    picture = query_picture(model, posterior, question.typed, Look())  # type: ignore[arg-type]
    return picture_svg(canvas_data(picture)), picture.description
