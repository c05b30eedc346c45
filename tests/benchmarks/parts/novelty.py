"""Documents on a subject that the model has not seen, found among documents on known subjects."""

from __future__ import annotations

import random
import tarfile
import time
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from orrery import NoisyOrTopics, Recipe
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.known_words import find_known_words
from orrery.core.data.raw import RawDocuments
from orrery.core.export.applied import compare_with, count_unknown
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.novelty import word_fit
from orrery.core.utils.types import BoolArray, FloatArray
from tests.benchmarks.data import data_file
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

# The groups are drawn with a seed. The measure was chosen on the first ones.
SEED, N_CHOSEN_ON, N_REPORTED = 52, 5, 3
GOAL = 0.8
STEP, QUICK_STEP = 2, 20
ABOUT = f"""One of the 20 Newsgroups is left out of the training documents (every {STEP}nd document
of the training set by date, without headers). AUC is the probability that a test document of this
group ranks as newer than a test document of the other groups. *Resemblance* is the measure of
`orrery apply` (`orrery.core.inference.novelty`), relative to training documents of a similar
length; *unexplained words* is the share of the words that only the leak explains. The groups were
drawn with a seed; the measure was chosen on {N_CHOSEN_ON} other groups. The goal is an AUC of
{GOAL} in the mean. Seconds are processor time:
training with the default options, and the resemblance of all test documents.
"""


class _Post(NamedTuple):
    name: str
    group: str
    is_test: bool
    text: str


def run(settings: Settings) -> Figures:
    """Train without each group, and rank the test documents."""
    posts = _posts()
    groups = sorted({post.group for post in posts})
    drawn = random.Random(SEED).sample(groups, N_CHOSEN_ON + N_REPORTED)
    reported = settings.pick(drawn[N_CHOSEN_ON:], drawn[-1:])
    return {
        "chosen_on": drawn[:N_CHOSEN_ON],
        "rows": [_without(group, posts, settings) for group in reported],
    }


def _posts() -> list[_Post]:
    """All posts, in the order of their names."""
    posts = []
    with tarfile.open(data_file("news20/20news-bydate.tar.xz")) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                group, is_test = member.name.split("/")[-2], "bydate-test/" in member.name
                text = content.read().decode("latin-1")
                posts.append(_Post(member.name, group, is_test, text))
    return sorted(posts)


def _raw(posts: list[_Post]) -> RawDocuments:
    columns = {"id": "name", "text": "text", "label": "group"}
    return RawDocuments(
        normal_table(
            pd.DataFrame({name: [getattr(p, of) for p in posts] for name, of in columns.items()})
        )
    )


def _without(group: str, posts: list[_Post], settings: Settings) -> dict[str, object]:
    """Figures of a model that was trained without a group."""
    step = settings.pick(STEP, QUICK_STEP)
    training = [post for post in posts if not post.is_test][::step]
    test = [post for post in posts if post.is_test][:: settings.pick(1, QUICK_STEP)]
    raw = _raw([post for post in training if post.group != group])
    corpus, _ = build_corpus(raw, Recipe(strip_headers=True))
    begin = time.process_time()
    model = NoisyOrTopics(epochs=settings.pick(20, 2)).fit(corpus)
    trained = time.process_time() - begin
    row: dict[str, object] = {"group": group, "train": corpus.n_documents}
    is_new = np.array([post.group == group for post in test])
    begin = time.process_time()
    known = find_known_words(_raw(test), corpus)
    n_unknown = count_unknown(known)
    n_words = np.diff(known.corpus.token_ptr) + n_unknown
    words, reference = compare_with(model.model_, corpus)
    assert reference is not None
    novelty = reference.novelty(n_words, words.resemblance(known.corpus, n_unknown))
    seconds = time.process_time() - begin
    fit = word_fit(
        model.model_.network,
        known.corpus,
        infer_activations(model.model_.network, known.corpus),
        n_unknown,
    )
    row["auc"] = {
        "resemblance": _auc(is_new, novelty, n_words > 0),
        "unexplained": _auc(is_new, fit.unexplained, n_words > 0),
    }
    row |= {
        "new": int(is_new.sum()),
        "others": int((~is_new).sum()),
        "seconds": [trained, seconds],
    }
    log.info("%s: %s", group, row["auc"])
    return row


def _auc(is_new: BoolArray, score: FloatArray, has_words: BoolArray) -> float:
    return float(roc_auc_score(is_new[has_words], score[has_words]))


def show(figures: Figures) -> str:
    """Table with a row for each group, and the means."""
    rows = figures["rows"]
    lines = [
        [row["group"], *(number(row[name], 0) for name in ("train", "new", "others")),
         *(number(row["auc"][name]) for name in ("resemblance", "unexplained")),
         *(number(seconds, 0) for seconds in row["seconds"])]
        for row in rows
    ]  # fmt: skip
    means = [float(np.mean([row["auc"][name] for row in rows]))
             for name in ("resemblance", "unexplained")]  # fmt: skip
    lines.append(["mean", "", "", "", *map(number, means), "", ""])
    head = ["group left out", "training", "its test documents", "others", "**resemblance**",
            "unexplained words", "s, training", "s, resemblance"]  # fmt: skip
    chosen = ", ".join(figures["chosen_on"])
    is_reached = "reached" if means[0] >= GOAL else "**not reached**"
    n_better = sum(row["auc"]["unexplained"] > row["auc"]["resemblance"] for row in rows)
    note = (
        f"The goal is {is_reached}. Unexplained words rank better on {n_better} of {len(rows)} "
        f"groups. The measure was chosen on {chosen}."
    )
    return f"{ABOUT}\n{table(head, lines)}\n\n{note}\n"


PART = Part("novelty", "Documents on a new subject", 15, run, show)
