"""The choice of corpus and model: found again, kept in the address, never a dead end."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shell import strings as shell_strings
from orrery.app.text.safe_text import markdown_text
from orrery.app.workspace import catalog
from tests.app.fake_runs import write_run
from tests.app.pages import open_app, open_page, press, shown_text
from tests.conftest import ROOT

MakeCorpus = Callable[[str], Path]


def sidebar() -> None:
    import streamlit as st

    from orrery.app import navigation as sidebar
    from orrery.app.shell import choice

    with st.sidebar:
        sidebar.draw_sidebar()
    corpus, model = choice.corpus_place(), choice.model_place()
    for sentence in choice.not_here():
        st.warning(sentence)
    st.text(f"{corpus.name if corpus else None} / {model.name if model else None}")


run_rail = partial(open_page, sidebar)


def chosen(at: AppTest) -> str:
    return at.text[0].value


def address(at: AppTest) -> dict[str, str]:
    values = at.query_params.items()
    return {name: value if isinstance(value, str) else value[0] for name, value in values}


def model(space: Path, name: str, corpus: Path) -> None:
    write_run(space / "runs" / name, corpus, "finished", has_model=True)


def test_an_empty_workspace_has_nothing_chosen(space: Path) -> None:
    at = run_rail(corpus="gone", run="gone")
    assert chosen(at) == "None / None"
    assert len(at.warning) == 2


def test_a_choice_stands_in_the_address_and_an_address_is_a_choice(
    space: Path, make_corpus: MakeCorpus
) -> None:
    for name in ("a", "b"):
        model(space, f"{name}-01", make_corpus(name))
    at = run_rail()
    assert chosen(at) == "a / a-01"
    assert address(at) == {"corpus": "a", "run": "a-01"}
    assert chosen(run_rail(corpus="b")) == "b / b-01"


def test_switching_the_corpus_switches_to_a_model_of_it(
    space: Path, make_corpus: MakeCorpus
) -> None:
    for name in ("a", "b"):
        model(space, f"{name}-01", make_corpus(name))
    at = run_rail()
    at.selectbox(key="sidebar-corpus").select("b").run()
    assert chosen(at) == "b / b-01"
    assert address(at) == {"corpus": "b", "run": "b-01"}


def test_switching_the_model_keeps_the_corpus(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("a")
    model(space, "a-01", corpus)
    model(space, "a-02", corpus)
    at = run_rail()
    other = {"a-01": "a-02", "a-02": "a-01"}[chosen(at).split(" / ")[1]]
    at.selectbox(key="sidebar-run").select(other).run()
    assert chosen(at) == f"a / {other}"
    assert address(at)["run"] == other


def test_a_switch_lets_go_of_what_it_does_not_have(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("a")
    for name in ("a-01", "a-02"):
        model(space, name, corpus)
    model(space, "b-01", make_corpus("b"))
    stays = {"q": "star", "q2": "", "others": "absent", "palette": "second"}
    topics = dict.fromkeys(("hold", "sel", "topic", "to", "on", "card", "in", "watch"), "L1.3")
    documents = {"doc": "d0", "label": "x", "years": "1990-2000"}
    at = run_rail(corpus="a", run="a-01", page="2", **stays, **topics, **documents)
    at.selectbox(key="sidebar-run").select("a-02").run()
    assert address(at) == {"corpus": "a", "run": "a-02", **stays, **documents}
    at.selectbox(key="sidebar-corpus").select("b").run()
    assert address(at) == {"corpus": "b", "run": "b-01", **stays}


@pytest.mark.parametrize("requested", [{"corpus": "gone"}, {"run": "gone"}, {"run": "b-01"}])
def test_an_address_of_what_is_not_there_falls_back(
    space: Path, make_corpus: MakeCorpus, requested: dict[str, str]
) -> None:
    for name in ("a", "b"):
        model(space, f"{name}-01", make_corpus(name))
    at = run_rail(**requested)
    assert chosen(at) == "a / a-01"
    ((kind, name),) = requested.items()
    assert [note.value for note in at.warning] == [
        shell_strings.not_here(kind, markdown_text(name), "a" if kind == "corpus" else "a\\-01")
    ]


def test_a_link_to_a_model_that_was_deleted_does_not_become_one_to_another(
    space: Path, make_corpus: MakeCorpus
) -> None:
    corpus = make_corpus("a")
    for name in ("a-01", "a-02"):
        model(space, name, corpus)
    at = run_rail(run="a-02")
    assert not at.warning
    shutil.rmtree(space / "runs" / "a-02")
    at.run()
    assert chosen(at) == "a / a-01"
    assert address(at)["run"] == "a-02"
    assert len(at.warning) == 1
    model(space, "a-03", corpus)
    at.run().selectbox(key="sidebar-run").select("a-03").run()
    assert chosen(at) == "a / a-03"
    assert not at.warning


def test_the_newest_model_comes_first_and_untrained_runs_are_no_models(
    space: Path, make_corpus: MakeCorpus
) -> None:
    corpus = make_corpus("a")
    for name in ("a-01", "a-02"):
        model(space, name, corpus)
    write_run(space / "runs" / "a-03", corpus, "running")
    found = [place.name for place in catalog.models(catalog.corpora()[0])]
    assert found == ["a-02", "a-01"]


def test_a_model_whose_corpus_is_gone_can_still_be_chosen(space: Path) -> None:
    model(space, "lost-01", space / "corpora" / "lost")
    assert chosen(run_rail()) == "None / lost-01"


def test_a_model_whose_corpus_is_gone_is_no_choice_without_a_request(
    space: Path, make_corpus: MakeCorpus
) -> None:
    model(space, "lost-01", space / "corpora" / "lost")
    corpus = make_corpus("a")
    at = run_rail()
    assert chosen(at) == "a / None"
    assert address(at) == {"corpus": "a"}
    assert at.selectbox(key="sidebar-run").value is None
    at.selectbox(key="sidebar-run").select("lost-01").run()
    assert not at.exception
    # The corpus is not the model's own, so it is not shown with it.
    assert chosen(at) == "None / lost-01"
    assert address(at) == {"run": "lost-01"}
    at.selectbox(key="sidebar-corpus").select("a").run()
    assert address(at) == {"corpus": "a"}
    # An older link may name both.
    assert chosen(run_rail(corpus="a", run="lost-01")) == "None / lost-01"
    assert chosen(run_rail(run="lost-01")) == "None / lost-01"
    model(space, "a-01", corpus)
    assert chosen(run_rail()) == "a / a-01"


def test_hidden_and_unfinished_folders_are_no_corpora(space: Path, make_corpus: MakeCorpus) -> None:
    make_corpus("a").rename(space / "corpora" / ".a.partial")
    (space / "corpora" / "empty").mkdir()
    (space / "corpora" / "file").write_text("")
    assert catalog.corpora() == []


def test_the_sample_is_there_in_the_demo_only_and_read_only(
    space: Path, make_corpus: MakeCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = tmp_path / "sample_data"
    sample.mkdir()
    make_corpus("a").rename(sample / "corpus")
    write_run(sample / "run", Path("/elsewhere/corpus"), "finished", has_model=True)
    monkeypatch.setattr(catalog, "SAMPLE_DATA", sample)
    assert chosen(run_rail()) == "None / None"
    monkeypatch.setenv("ORRERY_DEMO", "1")
    assert chosen(run_rail()) == "Field notes / Field notes"
    assert catalog.corpora()[0].read_only


@pytest.mark.parametrize("part", ["corpus.json", "tokens.npz", "vocabulary.txt"])
def test_a_damaged_corpus_is_one_sentence(
    space: Path, make_corpus: MakeCorpus, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (make_corpus("a") / part).write_bytes(b"damaged")
    monkeypatch.chdir(ROOT)

    def page() -> None:
        import streamlit as st

        from orrery.app.shell import loaders
        from orrery.core.utils.errors import InputError

        try:
            loaders.current_corpus()
        except InputError as error:
            st.error(str(error))

    at = open_page(page)
    assert len(at.error) == 1


def test_the_whole_app_opens_on_an_empty_workspace(space: Path) -> None:
    at = open_app()
    assert not at.error
    assert at.title[0].value == "Home"


def test_the_front_page_keeps_every_value_of_a_parameter(space: Path) -> None:
    at = open_app(label=["a", "b"], q="star")
    assert at.title[0].value == "Home"
    assert at.query_params["label"] == ["a", "b"]
    assert address(at)["q"] == "star"


def test_a_disk_that_refuses_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_WORKSPACE", f"/{'x' * 300}")
    at = open_app()
    assert ["File name too long" in error.value for error in at.error] == [True]


def test_every_page_states_where_a_link_names_what_is_not_there(space: Path) -> None:
    at = open_app(run="gone")
    assert [note.value for note in at.warning] == [shell_strings.not_here("run", "gone", "")]


def test_a_damaged_model_is_one_sentence_and_the_rail_stays(
    space: Path, make_corpus: MakeCorpus
) -> None:
    model(space, "a-01", make_corpus("a"))
    at = open_app()
    assert len(at.error) == 1
    assert at.error[0].value.endswith(".")
    assert at.selectbox(key="sidebar-corpus").value == "a"


def choice_of_lines() -> None:
    import streamlit as st

    from orrery.app.shell import address

    address.restore("lines", "both", ["both", "raw"])
    st.pills("Lines", ["both", "raw"], key="lines", on_change=address.keep, args=("lines",))


def test_an_address_keeps_what_is_chosen_and_nothing_for_none() -> None:
    at = open_page(choice_of_lines)
    at.button_group(key="lines").set_value("raw").run()
    assert address(at) == {"lines": "raw"}
    at.button_group(key="lines").set_value(None).run()
    assert address(at) == {}
    assert at.button_group(key="lines").value == "both"


def test_models_that_exist_are_offered_where_the_corpus_has_none(
    space: Path, make_corpus: MakeCorpus
) -> None:
    shutil.copytree(catalog.SAMPLE_DATA / "run", space / "runs" / "lost")
    config = json.loads((space / "runs" / "lost" / "config.json").read_text())
    (space / "runs" / "lost" / "config.json").write_text(json.dumps(config | {"corpus": "../gone"}))
    make_corpus("a")
    at = open_app("query", q="star", hold="L1.3", sel="topic:L1.3", page="2", doc="d0")
    headings = [heading.value for heading in at.subheader]
    assert shell_strings.CHOOSE_TITLE in headings
    assert shell_strings.EMPTY_TITLE not in headings
    assert shell_strings.CLOSED_WITHOUT_TEXTS not in shown_text(at)
    press(at, "choose-model-lost")
    # Topics of another model are left, as after a choice in the sidebar, and so is the corpus.
    assert address(at) == {"q": "star", "run": "lost"}
    # The reason for grey pages is shown where they are, not only in a tooltip.
    assert shell_strings.CLOSED_WITHOUT_TEXTS in shown_text(at)
    assert shell_strings.CHOOSE_TITLE not in [heading.value for heading in at.subheader]


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "; free some disk space"),
        (errno.EACCES, "; let Orrery read and write there"),
        (errno.ENAMETOOLONG, "; use a shorter name"),
        (errno.EIO, ")"),
    ],
)
def test_an_error_of_the_system_comes_with_what_helps(number: int, advice: str) -> None:
    reported = shell_strings.failure(OSError(number, os.strerror(number), "corpora/a"))
    assert reported.startswith(f"corpora/a cannot be used ({os.strerror(number)})")
    assert reported.endswith(advice)
