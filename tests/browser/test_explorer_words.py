"""The explorer explains a topic that is on, off or unsure with the strings of the app."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from orrery.app.views.query.reasons import main_reason, reasons, short_reasons
from orrery.app.views.query.strings import all_unknown_of_text, unknown_of_text
from orrery.core.drawing.answer import answer_groups, answer_sentence
from orrery.core.drawing.question import read_typed
from orrery.core.drawing.selection import topic_estimate
from orrery.core.drawing.strings import is_unsure
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import explain
from orrery.core.inference.infer import infer
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.browser.conftest import OpenPage
from tests.browser.explorer import answers, as_data, tokens
from tests.conftest import ROOT
from tests.core.export.models import sample

pytestmark = pytest.mark.browser

SAMPLE = ROOT / "sample_data"

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
            shown_text, labels, short = page.evaluate(
                """([evidence, topic]) => {
                  const found = OrreryPosterior.infer(OrreryModel, evidence);
                  const k = found.local.place.get(topic);
                  const messages = OrreryWhy.explain(found, topic);
                  const estimate = { probability: found.probability[k], error: found.error[k] };
                  const prior = OrreryModel.prior[topic];
                  return [OrreryWhy.mainReason(messages, estimate, prior, "", null),
                    OrreryWhy.bars(messages, estimate).map(({ label }) => label),
                    OrreryWhy.shortBars(messages, prior, estimate).map(({ label }) => label)];
                }""",
                [as_data(evidence), topic],
            )
            prior = float(run.prior[topic])
            assert shown_text == main_reason(run, messages, known, prior)
            assert labels == reasons(run, messages, known)["label"].tolist()
            assert short == short_reasons(run, messages, prior, known)["label"].tolist()
            n_unsure += is_unsure(known.value)
    assert n_unsure > 0


def test_an_unsure_topic_is_queried_as_unsure(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    posterior = infer(run.network, Evidence(tokens(run, "bank"), closed_world=False))
    known = topic_estimate(posterior)
    topic = next(topic for topic, one in known.items() if is_unsure(one.value))
    answers(page, q="bank", sel=f"topic:{run.network.graph.topic_ids[topic]}")
    page.locator(".why h2", has_text=f"for and against “{run.topic_labels[topic]}”").wait_for()
    expect(page.locator(".legend", has_text="unsure")).to_have_count(1)


def test_app_and_explorer_read_the_same_texts_alike(open_page: OpenPage) -> None:
    """Few words and whole texts, with signs and punctuation: their words, evidence and answer."""
    run, corpus = load_run(SAMPLE / "run"), load_corpus(SAMPLE / "corpus")
    texts = [str(corpus.documents["text"].iat[row]) for row in range(0, corpus.n_documents, 16)]
    queries = [*QUERIES, *texts, *(" ".join(text.split()[:12]) for text in texts)]
    queries += [f"{text} -{text.split()[0].lower()} ?star" for text in texts]
    page = open_page(explorer_bytes(run, "sample"))
    n_texts = 0
    for query in queries:
        for closed in (None, True, False):
            found = page.evaluate(
                """([query, closed]) => {
                  const question = OrreryQuestion.readTyped(query, "q", closed);
                  const { typed, body, closedWorld } = question;
                  const words = typed.map(({ text, state, token }) => [text, state, token]);
                  return [words, body, closedWorld, question.unknown ?? [],
                    OrreryQuestion.switched(question, typed[0]?.key, "absent")];
                }""",
                [query, closed],
            )
            question = read_typed(run, query, closed_world=closed)
            typed = [[word.text, word.state, word.token] for word in question.typed]
            assert found[:3] == [typed, question.body, question.closed_world]
            assert found[3] == [list(one) for one in question.unknown]
            if question.typed and not question.contradictions:
                assert found[4] == question.switched(run, question.typed[0].key, "absent")
            n_texts += bool(question.body)
    assert n_texts >= 50


def test_the_unknown_words_of_a_text_are_listed_as_in_the_app(open_page: OpenPage) -> None:
    run, corpus = load_run(SAMPLE / "run"), load_corpus(SAMPLE / "corpus")
    text = str(corpus.documents["text"].iat[0])
    page = open_page(explorer_bytes(run, "sample"))
    many = " ".join(map("q{}".format, range(300)))
    for query in (f"{text} qzx", f"{text} qzx_a, Qzx b {text}", f"{text} {many}"):
        unknown = read_typed(run, query).unknown
        answers(page, q=query)
        expect(page.locator(".unknown-words summary")).to_have_text(unknown_of_text(unknown))
        expect(page.locator(".unknown-words p")).to_have_text(all_unknown_of_text(unknown))


def test_app_and_explorer_answer_with_the_same_sentence_and_lists(open_page: OpenPage) -> None:
    run, corpus = load_run(SAMPLE / "run"), load_corpus(SAMPLE / "corpus")
    texts = [str(corpus.documents["text"].iat[row]) for row in range(0, corpus.n_documents, 160)]
    page = open_page(explorer_bytes(run, "sample"))
    for query in (*QUERIES, *texts, "program", "court", "bank"):
        question = read_typed(run, query)
        evidence = question.evidence(closed_world=question.closed_world)
        groups = answer_groups(run, infer(run.network, evidence))
        answers(page, q=query)
        expect(page.locator(".found-answer")).to_have_text(answer_sentence(run, groups))
        expected = [topic for topics in groups.lists.values() for topic, _ in topics]
        shown = page.locator(".listed-topics .row a")
        expect(shown).to_have_text([run.topic_labels[topic] for topic in expected])
        expect(page.locator(".listed-topics h2")).to_have_text(list(groups.lists))
