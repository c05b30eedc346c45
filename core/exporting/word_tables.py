"""Topics by words, some topics at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from orrery.core.model import TopicModel

BLOCK = 500
SCHEMA = pa.schema(
    [
        ("topic", pa.string()),
        ("name", pa.string()),
        ("word", pa.string()),
        ("weight", pa.float64()),
        ("probability", pa.float64()),
        ("lift", pa.float64()),
    ]
)


def word_blocks(model: TopicModel) -> Iterator[pa.Table]:
    """Tables of the words that each topic brings, the most telling first.

    Columns: ``topic`` (its id), ``name``, ``word`` (phrases with ``_``), ``weight`` of the link
    from the one to the other, empty where the way leads over other topics, ``probability`` of the
    word where this topic alone is on, and ``lift``, how many times as often that is as anyway
    (`orrery.core.labels.TopicWords`); both empty below one in a thousand.
    """
    n_topics = model.network.graph.n_topics
    for begin in range(0, max(n_topics, 1), BLOCK):
        topics = range(begin, min(begin + BLOCK, n_topics))
        rows = [row for topic in topics for row in _rows(model, topic)]
        columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
        pairs = zip(columns, SCHEMA, strict=True)
        arrays = [pa.array(column, field.type) for column, field in pairs]
        yield pa.table(arrays, schema=SCHEMA)


def _rows(
    model: TopicModel, topic: int
) -> Iterator[tuple[str, str, str, float | None, float | None, float | None]]:
    graph = model.network.graph
    span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    children, weights = graph.child_idx[span], model.network.weight[graph.child_edge[span]]
    is_word = children >= graph.n_topics
    linked = dict(
        zip((children[is_word] - graph.n_topics).tolist(), weights[is_word].tolist(), strict=True)
    )
    name, label = graph.topic_ids[topic], model.topic_labels[topic]
    seen = set()
    for word, probability, lift in model.topic_words.words(topic, graph.n_tokens):
        token = model.token_number[word]
        seen.add(token)
        yield name, label, word, linked.get(token), probability, lift
    # Links too weak for the words that a topic is said to reach are links all the same.
    for token in sorted(linked.keys() - seen):
        yield name, label, model.vocabulary[token], linked[token], None, None
