"""Choice of the rule that assigns one topic to a document, by hidden words and not by labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score

from orrery import NoisyOrTopics
from orrery.core.evaluation.clusters import purity
from orrery.core.storage.corpora import load_corpus
from tests.benchmarks.labelled_sets import LABELLED, LabelledSet
from tests.benchmarks.main_topic_rules import RULES, assign, validate
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.results import measure_sets
from tests.conftest import ROOT

SEED, N_TOPICS, QUICK_TOPICS = 0, 50, 6
# Sets whose hidden words chose the rule.
CHOSEN_BY = ("sample", "bbc", "topmost20ng", "googlenews", "searchsnippets")
# The set that played no part in the choice.
SETS = (*CHOSEN_BY, "stackoverflow")
QUICK_SETS = ("bbc",)
TITLES = {"sample": "sample"} | {name: source.title for name, source in LABELLED.items()}
# Documents to hide words of, and documents whose words describe the topics.
MAX_VALIDATION, MAX_TRAIN = 4_000, 8_000
ABOUT = f"""Where one topic of a document is wanted, `main_topics` chooses it. The rule was chosen
by earlier figures of this table. Half of the words of each validation document are hidden. Each
rule chooses a topic from the other half, and the hidden words are predicted by that topic alone, by
the word frequencies of the training documents to which the same rule gives the same topic
(log-probability in nats per hidden word, relative to the best rule; ± is the standard error of the
difference). No label is used. Models have {N_TOPICS} topics, the model of the sample its default
number.
{TITLES["stackoverflow"]} had no part in the choice. The last rule may choose a topic that is off in
the document, which a map must not show, so it was no candidate; it shows what the limit to topics
that are on costs.
"""
AFTER = """Purity and NMI with the labels; they decided nothing. 20 Newsgroups: the half of the test
part without hidden words; other sets: the documents of the table above and, for short sets, all
others:
"""


def run(settings: Settings) -> Figures:
    """Validate the rules on the sets asked for; the figures of the others stay."""
    return measure_sets(PART.name, SETS, QUICK_SETS, lambda name: _of(name, settings), settings)


def _of(name: str, settings: Settings) -> dict[str, Any]:
    given, rng = _given(name, settings), np.random.default_rng(SEED)
    corpus, sizes = given.corpus, None if name == "sample" else [N_TOPICS]
    if settings.quick:
        sizes = [QUICK_TOPICS]
    train = given.corpus.subset(given.train)
    network = NoisyOrTopics(n_topics=sizes, random_state=SEED).fit(train).network_
    order = rng.permutation(given.test)
    is_divided = name == "topmost20ng"
    validation = order[: len(order) // 2] if is_divided else order
    labelled = order[len(order) // 2 :] if is_divided else order
    known = rng.permutation(given.train)[:MAX_TRAIN]
    scores = validate(network, corpus, known, validation[:MAX_VALIDATION], SEED)
    best = max(scores.values(), key=np.mean)
    labels = corpus.documents["label"].to_numpy(dtype=object)[labelled].astype(str)
    assigned = assign(network, corpus, known, labelled)
    return {
        "documents": len(best),
        "rules": [
            {
                "gap": float((scores[rule] - best).mean()),
                "error": float((scores[rule] - best).std() / np.sqrt(len(best))),
                "purity": purity(assigned[rule], labels),
                "nmi": float(normalized_mutual_info_score(labels, assigned[rule])),
            }
            for rule in RULES
        ],
    }


def _given(name: str, settings: Settings) -> LabelledSet:
    if name != "sample":
        return LABELLED[name].documents(is_quick=settings.quick)
    corpus = load_corpus(ROOT / "sample_data" / "corpus")
    order = np.random.default_rng(SEED).permutation(corpus.n_documents)
    test, train = np.split(order, [corpus.n_documents // 5])
    return LabelledSet(corpus, corpus.to_csr(), np.sort(train), np.sort(test))


def show(figures: Figures) -> str:
    """Tables with a row for each rule and a column for each set."""
    rows = figures["rows"]
    header = ["rule", *(f"{TITLES[name]}" for name in rows), "mean of those that chose"]
    gaps, after, means = [], [], {}
    for place, rule in enumerate(RULES):
        own = [row["rules"][place] for row in rows.values()]
        chose = [rows[name]["rules"][place]["gap"] for name in CHOSEN_BY if name in rows]
        if chose:
            means[rule] = float(np.mean(chose))
        mean = number(means[rule], 4) if chose else MISSING
        gaps.append(
            [rule, *(f"{number(one['gap'], 4)} ± {number(one['error'], 4)}" for one in own), mean]
        )
        after.append(
            [rule, *(f"{number(one['purity'], 3)}, {number(one['nmi'], 3)}" for one in own)]
        )
    # The last rule was no candidate.
    best = max(list(means)[:-1], key=lambda rule: means[rule], default="")
    now = f"In these figures, the best candidate in the mean is: {best}.\n" if best else ""
    return f"{ABOUT}\n{table(header, gaps)}\n\n{now}\n{AFTER}\n{table(header[:-1], after)}\n"


def missing(figures: Figures | None) -> list[str]:
    """Sets that the tables lack."""
    rows = figures["rows"] if figures else {}
    return [f"rules of the main topic on {TITLES[name]}" for name in SETS if name not in rows]


PART = Part("main_topic", "One topic for a document", 15, run, show)
