"""The explorer explains a topic that is on, off or unsure with the strings of the app."""

from __future__ import annotations

import pytest

from orrery.app.views.query.reasons import main_reason, reasons
from orrery.core.drawing.selection import topic_estimate
from orrery.core.drawing.strings import is_unsure
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import explain
from orrery.core.inference.infer import infer
from tests.browser.conftest import OpenPage
from tests.browser.explorer import answers, as_data, tokens
from tests.core.export.models import sample

pytestmark = pytest.mark.browser

QUERIES = ("bank", "bank river", "program", "wind program", "table salt plate", "loan water")


def test_reasons_and_bars_have_the_words_of_the_app(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    n_unsure = 0
    for query in QUERIES:
        evidence = Evidence(tokens(run, query), closed_world=False)
        posterior = infer(run.network, evidence)
        for topic, known in topic_estimate(posterior).items():
            messages = explain(run.network, posterior, topic)
            shown_text, labels = page.evaluate(
                """([evidence, topic]) => {
                  const found = OrreryPosterior.infer(OrreryModel, evidence);
                  const k = found.local.place.get(topic);
                  const messages = OrreryWhy.explain(found, topic);
                  const estimate = { probability: found.probability[k], error: found.error[k] };
                  return [OrreryWhy.mainReason(messages, estimate, "", null),
                    OrreryWhy.bars(messages, estimate).map(({ label }) => label)];
                }""",
                [as_data(evidence), topic],
            )
            assert shown_text == main_reason(run, messages, known)
            assert labels == reasons(run, messages, known)["label"].tolist()
            n_unsure += is_unsure(known.value)
    assert n_unsure > 0


def test_an_unsure_topic_is_queried_as_unsure(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    posterior = infer(run.network, Evidence(tokens(run, "bank"), closed_world=False))
    known = topic_estimate(posterior)
    topic = next(topic for topic, one in known.items() if is_unsure(one.value))
    answers(page, q="bank", sel=f"topic:{run.network.graph.topic_ids[topic]}")
    page.locator(".why h2", has_text=f"“{run.topic_labels[topic]}” unsure?").wait_for()
    assert page.locator(".legend", has_text="unsure").count() == 1
