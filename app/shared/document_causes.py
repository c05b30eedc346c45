"""The words of a document with the topics that explain them, as coloured text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ...core.data.corpus import Corpus
from ...core.data.query import token_spans
from ...core.drawing.links import node_key, whole, word_text
from ...core.drawing.local_model import TypedWord
from ...core.drawing.question import read_typed
from ...core.drawing.selection import joined_estimate, joined_probability
from ...core.inference.evidence import Evidence
from ...core.inference.explanation import word_causes
from ...core.inference.posterior import Estimate, Posterior
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.model.topic_model import Run
from ..shell.loaders import notice_while_compiling
from ..text.safe_text import document_text, html_text
from . import strings as shared_strings
from .answers import posterior_of

# Opacity of the strongest colour, of 255: letters stay readable on both backgrounds.
STRONGEST = 80
UNDERLINED = 0.75
# Length of the first part of a long text; a whole book would be megabytes of markup.
FIRST_LETTERS = 20_000
# Hues that are easy to distinguish, and visible on both backgrounds.
HUES = ("#1F6FB4", "#D9730D", "#1E7A43", "#B3372E", "#7B4FB0", "#0E8A8A", "#A0762B")
OTHER_HUE = "#7C8899"
# Best explained words of a document in its picture.
PICTURE_WORDS = 14
# Characters of a document in an address, where a letter may take several; a longer text is a list
# of its words there.
MAX_QUERY_LETTERS = 20_000
# Minimum share of a word that a topic explains to colour it; marks on all words would not help.
MIN_SHARE = 1 / 3
# Topics beside a text, and words of each.
LEGEND_TOPICS, LEGEND_WORDS = 8, 7


@dataclass(frozen=True)
class Piece:
    """A coloured part of a text, ``text[begin:end]``."""

    begin: int
    end: int
    hue: str  # #RRGGBB
    title: str  # tooltip
    strength: float = 1.0  # of the colour, 0 to 1; from UNDERLINED on the word is also underlined

    @property
    def ground(self) -> str:
        """Background of the word, ``#RRGGBBAA``."""
        return f"{self.hue}{round(STRONGEST * self.strength):02x}"

    @property
    def line(self) -> str:
        """Colour of the underline, or empty."""
        return self.hue if self.strength >= UNDERLINED else ""


def cut(text: str, pieces: Sequence[Piece]) -> Iterator[tuple[str, Piece | None]]:
    """Cut a text into plain and coloured parts; the pieces are in order and do not overlap."""
    end = 0
    for piece in pieces:
        if end < piece.begin:
            yield text[end : piece.begin], None
        yield text[piece.begin : piece.end], piece
        end = piece.end
    if end < len(text):
        yield text[end:], None


def coloured(text: str, pieces: Sequence[Piece]) -> str:
    """HTML of a text with coloured pieces."""
    parts = []
    for part, piece in cut(text, pieces):
        if piece is None:
            parts.append(html_text(part))
            continue
        style = f"background:{piece.ground}"
        if piece.line:
            style += f";border-bottom:2px solid {piece.line}"
        parts.append(
            f'<span style="{style}" title="{html_text(piece.title)}">{html_text(part)}</span>'
        )
    return "".join(parts)


@dataclass(frozen=True)
class Explaining:
    """A topic and the words of the document that it explains better than any other topic."""

    topic: int
    key: str
    label: str
    hue: str
    known: Estimate  # probability that the topic is on
    words: tuple[str, ...]  # best explained first


@dataclass(frozen=True)
class Reading:
    """A document as the model reads it."""

    text: str
    posterior: Posterior
    topics: tuple[Explaining, ...]  # sorted by how much they explain, descending
    pieces: tuple[Piece, ...]  # coloured words of the text
    keys: tuple[str, ...]  # the topic of each piece
    ranked: tuple[int, ...]  # all tokens, best explained first

    def shown_pieces(self, selected: str) -> list[Piece]:
        """Coloured words; if a topic is selected, only its words."""
        known = {topic.key for topic in self.topics}
        pairs = zip(self.pieces, self.keys, strict=True)
        return [piece for piece, key in pairs if selected not in known or key == selected]


def read_document(run: Run, corpus: Corpus, row: int) -> Reading:
    """Infer the topics of a document of the run's corpus, and assign its words to them."""
    evidence = Evidence(tuple(corpus.tokens_of(row).tolist()), closed_world=True)
    with notice_while_compiling():
        posterior = posterior_of(run.network, evidence)
    cause, share = _main_causes(run, posterior)
    topics = _explaining(run, posterior, cause, share)
    text = document_text(corpus, row)
    shown, spans = token_spans(corpus.recipe, corpus.token_number, text)
    by_topic = {topic.topic: topic for topic in topics}
    coloured = [
        span
        for span in spans
        if cause.get(span.token, -1) in by_topic and share[span.token] >= MIN_SHARE
    ]
    pieces = tuple(
        Piece(
            span.begin,
            span.end,
            by_topic[cause[span.token]].hue,
            shared_strings.word_title(by_topic[cause[span.token]].label, share[span.token]),
            min(share[span.token], 1.0),
        )
        for span in coloured
    )
    ranked = sorted(share, key=lambda token: (-share[token], token))
    keys = tuple(by_topic[cause[span.token]].key for span in coloured)
    return Reading(shown, posterior, topics, pieces, keys, tuple(ranked))


def _main_causes(run: Run, posterior: Posterior) -> tuple[dict[int, int], dict[int, float]]:
    """Topic that explains each token best (-1 if the leak does), and its share."""
    causes = word_causes(run.network, posterior)
    probability = joined_probability(run, posterior)
    shown = np.array(list(probability), np.int64)
    table = _joined(run, posterior, causes.topic, shown)
    # A topic that is off explains nothing, even if all other shares are smaller.
    table[:, np.array(list(probability.values())) <= ON_THRESHOLD] = 0.0
    tokens = posterior.local.tokens.tolist()
    if not table.shape[1]:
        return dict.fromkeys(tokens, -1), dict.fromkeys(tokens, 0.0)
    best = table.argmax(axis=1)
    strongest = table[np.arange(len(tokens)), best]
    topic = np.where(strongest > causes.leak, shown[best], -1)
    return (
        dict(zip(tokens, topic.tolist(), strict=True)),
        dict(zip(tokens, strongest.tolist(), strict=True)),
    )


def _joined(
    run: Run, posterior: Posterior, share: sparse.csr_array, shown: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Shares by displayed topic; shares of topics displayed as one are added."""
    place = {topic: number for number, topic in enumerate(shown.tolist())}
    local = [place[whole(run, topic)] for topic in posterior.local.topics.tolist()]
    ones, rows = np.ones(len(local)), np.arange(len(local))
    joining = sparse.csr_array((ones, (rows, local)), shape=(len(local), len(shown)))
    return (share @ joining).toarray()


def _explaining(
    run: Run, posterior: Posterior, cause: dict[int, int], share: dict[int, float]
) -> tuple[Explaining, ...]:
    owned: dict[int, list[int]] = {}
    for token in sorted(share, key=lambda token: (-share[token], token)):
        # The words of a hidden topic stay plain: no other topic explains them better.
        if cause[token] >= 0 and cause[token] not in run.hidden_topics:
            owned.setdefault(cause[token], []).append(token)
    order = sorted(owned, key=lambda topic: (-sum(share[t] for t in owned[topic]), topic))
    known = joined_estimate(run, posterior)
    return tuple(
        Explaining(
            topic,
            node_key(run, topic),
            run.topic_labels[topic],
            HUES[place] if place < len(HUES) else OTHER_HUE,
            known[topic],
            tuple(word_text(run.vocabulary[token]) for token in owned[topic]),
        )
        for place, topic in enumerate(order)
    )


def also_on(run: Run, reading: Reading) -> list[tuple[str, Estimate]]:
    """Names of topics that are on but explain no word best, such as those above others.

    The most probable come first.
    """
    explaining = {topic.topic for topic in reading.topics} | set(run.hidden_topics)
    known = joined_estimate(run, reading.posterior)
    others = [
        topic for topic in known
        if topic not in explaining and known[topic].value > ON_THRESHOLD
    ]  # fmt: skip
    ranked = sorted(others, key=lambda topic: (-known[topic].value, topic))
    return [(run.topic_labels[topic], known[topic]) for topic in ranked]


def picture_words(run: Run, reading: Reading) -> list[TypedWord]:
    """Best explained words of a document for its picture, ordered by their topics."""
    kept = set(reading.ranked[:PICTURE_WORDS])
    by_topic = [word for topic in reading.topics for word in topic.words]
    place = {word: number for number, word in enumerate(by_topic)}
    found = [
        TypedWord(word_text(run.vocabulary[token]), "present", token)
        for token in reading.ranked
        if token in kept
    ]
    return sorted(found, key=lambda word: place.get(word.text, len(place)))


def question(run: Run, reading: Reading) -> str:
    """Query of the whole document, to be read as a whole text with the same topics.

    It is the text of the document, or the list of its words if the text is too long for an address
    or has other words than the document.
    """
    tokens = sorted(reading.posterior.local.tokens.tolist())
    words = [word_text(run.vocabulary[token]) for token in tokens]
    for text in (reading.text, " ".join(words)):
        if len(quote(text)) <= MAX_QUERY_LETTERS and _present(run, text) == tokens:
            return text
    return ", ".join(words)


def _present(run: Run, text: str) -> list[int]:
    typed = read_typed(run, text, closed_world=True).typed
    return sorted(word.token for word in typed if word.state == "present")
