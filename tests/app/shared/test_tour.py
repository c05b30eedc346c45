"""The tour of a first visit: when it is there, where its stops lead, and that it stays closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shared import tour
from orrery.app.workspace import catalog, overview
from orrery.core.drawing.question import read_question
from orrery.core.inference.infer import infer
from orrery.core.model.overlay import Overlay
from orrery.core.utils.errors import InputError
from tests.app.fake_runs import write_run
from tests.app.pages import open_app, open_page, press
from tests.app.toy import toy_run

QUERIES = [("star", "orbit shuttle"), ("plant cell", "plant fuel")]
BEGIN = {"tour-begin"}


def home_page() -> None:
    from orrery.app.shell import memory, routing
    from orrery.app.views.home import page as home

    routing.go_to = lambda name, parameters=None: memory.remember("gone", (name, parameters))
    home.render()


def last_stop() -> None:
    from orrery.app.shared import tour
    from orrery.app.shell import memory, routing

    routing.go_to = lambda name, parameters=None: memory.remember("gone", (name, parameters))
    tour.show_bar("stories")


@pytest.fixture(autouse=True)
def _state_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page replaces a function of the state: put it back."""
    from orrery.app.shell import routing

    monkeypatch.setattr(routing, "go_to", routing.go_to)


@pytest.fixture
def demo(space: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a workspace with the sample and nothing else."""
    monkeypatch.setenv("ORRERY_DEMO", "1")
    return space


opened = partial(open_page, home_page)


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


def test_a_first_visit_sees_the_stops_and_a_second_session_too(demo: Path) -> None:
    for _ in range(2):
        assert BEGIN | {"tour-close"} <= keys(opened())
        assert "tour-again" not in keys(opened())


def test_once_closed_it_stays_closed_until_requested(demo: Path) -> None:
    at = press(opened(), "tour-close")
    for now in (at, opened()):
        assert not BEGIN & keys(now)
        assert "tour-again" in keys(now)
    press(at, "tour-again")
    assert keys(at) >= BEGIN
    assert at.query_params["tour"] == tour.OVERVIEW
    assert "tour" not in press(at, "tour-close").query_params
    assert not BEGIN & keys(at)


def test_a_workspace_that_cannot_be_written_to_forgets_only_with_the_session(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_WORKSPACE", str(demo / "file" / "inside"))
    (demo / "file").write_text("")
    at = press(opened(), "tour-close")
    assert not BEGIN & keys(at)
    assert keys(opened()) >= BEGIN


@pytest.mark.parametrize("record", ["{", "[]", '{"closed": "yes"}'])
def test_a_damaged_record_counts_as_none(demo: Path, record: str) -> None:
    (demo / tour.FILE).write_text(record)
    assert tour.is_due(overview.corpora_with_runs(), demo)


def test_it_does_not_come_without_a_request_where_something_is_the_persons_own(
    demo: Path, make_corpus: Callable[[str], Path]
) -> None:
    assert tour.is_due(overview.corpora_with_runs(), demo)
    folder = make_corpus("mine")
    assert not tour.is_due(overview.corpora_with_runs(), demo)
    assert "tour-again" in keys(opened())
    catalog.remove_corpus(next(place for place in catalog.corpora() if not place.read_only))
    assert tour.is_due(overview.corpora_with_runs(), demo)
    write_run(demo / "runs" / "lost-01", folder, "finished", has_model=True)
    assert not tour.is_due(overview.corpora_with_runs(), demo)


def test_without_a_model_there_is_nothing_to_show(space: Path) -> None:
    at = opened(tour=tour.OVERVIEW)
    assert not (BEGIN | {"tour-again"}) & keys(at)


def test_every_stop_leads_to_a_page_with_something_on_it() -> None:
    run = toy_run()
    for number, stop in enumerate(tour.STOPS):
        address = tour.address_of(number, run, QUERIES)
        assert tour.stop_number(address.pop("tour")) == number
        assert bool(address) == (stop.page in ("query", "groups"))
    assert tour.address_of(1, run, QUERIES)["q2"] == "orbit shuttle"
    assert "q2" not in tour.address_of(0, run, QUERIES)


def test_the_surest_topic_is_explained() -> None:
    run = toy_run()
    address = tour.address_of(2, run, [["orbit nasa star"]])
    posterior = infer(run.network, read_question(run, address["q"]).evidence(closed_world=False))
    surest = dict(zip(posterior.local.topics.tolist(), posterior.probability, strict=True))
    topic = run.network.graph.topic_ids.index(address["sel"].removeprefix("topic:"))
    assert surest[topic] == max(surest.values()) > 0.5


def test_the_explained_topic_is_one_that_the_answer_shows() -> None:
    run = toy_run()
    posterior = infer(
        run.network, read_question(run, "orbit nasa star").evidence(closed_world=False)
    )
    surest = posterior.local.topics[np.argsort(-posterior.probability)].tolist()
    ids = run.network.graph.topic_ids
    for n_hidden in range(1, len(surest) + 1):
        hidden = frozenset(ids[topic] for topic in surest[:n_hidden])
        changed = replace(run, overlay=Overlay(hidden=hidden))
        shown = tour.address_of(2, changed, [["orbit nasa star"]])["sel"]
        assert shown == (f"topic:{ids[surest[n_hidden]]}" if n_hidden < len(surest) else "")
    height = run.network.graph.heights()
    for other in surest[1:]:
        if height[other] == height[surest[0]]:
            changed = replace(run, overlay=Overlay(merged={ids[surest[0]]: ids[other]}))
            shown = tour.address_of(2, changed, [["orbit nasa star"]])["sel"]
            assert shown == f"topic:{ids[other]}"


def test_queries_of_one_sense_are_compared_with_each_other_and_a_model_without_any_is_shown() -> (
    None
):
    run = toy_run()
    address = tour.address_of(1, run, [["star"], ["oven"]])
    assert (address["q"], address["q2"]) == ("star", "oven")
    assert tour.address_of(1, run, [["star"]]) == {"tour": "2", "q": "star"}
    assert tour.address_of(2, run, []) == {"tour": "3"}
    assert tour.address_of(2, run, [["hermit"]])["sel"] == ""


@pytest.mark.parametrize("text", ["", "0", "8", "-1", "x", "1 ", "²"])
def test_an_address_names_a_stop_or_none(text: str) -> None:
    assert tour.stop_number(text) == -1


def test_its_beginning_opens_the_first_stop_in_its_state(demo: Path) -> None:
    at = press(opened(), "tour-begin")
    page, address = at.session_state["gone"]
    assert page == "query"
    assert address["q"]
    assert address["tour"] == "1"


def test_the_bar_walks_through_the_stops_and_its_end_is_remembered(demo: Path) -> None:
    at = open_app()
    assert at.query_params["tour"] == "1"
    assert shared_strings.stop(1, 7, shared_strings.TITLES["ask"]) in [
        text.value for text in at.markdown
    ]
    press(at, "tour-end")
    assert "tour" not in at.query_params
    assert tour.was_closed(demo)
    again = open_app()
    assert "tour" not in again.query_params
    assert "tour-next" not in keys(again)


def test_every_stop_has_its_words() -> None:
    names = {stop.name for stop in tour.STOPS}
    assert names == shared_strings.TITLES.keys() == shared_strings.SEEN.keys()


def stop_on_graph() -> None:
    from orrery.app.shared import tour
    from orrery.app.shell import memory, routing

    routing.go_to = lambda name, parameters=None: memory.remember("gone", (name, parameters))
    tour.show_bar("graph")


def test_a_stop_whose_page_has_nothing_to_show_is_passed_over(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orrery.app.shared import cached_maps as map_resources
    from orrery.app.shell import resources

    def damaged(_: Path) -> None:
        raise InputError("the activations are damaged")

    at = open_page(stop_on_graph, tour="4")
    assert shared_strings.stop(4, 7, shared_strings.TITLES["whole"]) in [
        text.value for text in at.markdown
    ]
    assert press(at, "tour-next").session_state["gone"][0] == "map"
    monkeypatch.setattr(map_resources, "document_map", lambda *_: None)
    assert press(at, "tour-next").session_state["gone"][0] == "groups"
    monkeypatch.setattr(resources, "activations", damaged)
    assert press(at, "tour-next").session_state["gone"][0] == "stories"
    monkeypatch.setattr(resources, "activations", lambda _: None)
    assert press(at, "tour-next").session_state["gone"][0] == "stories"
    monkeypatch.setenv("ORRERY_READ_ONLY", "1")
    assert shared_strings.stop(4, 4, shared_strings.TITLES["whole"]) in [
        text.value for text in at.run().markdown
    ]
    assert "tour-done" in keys(at)


def test_the_last_stop_leads_home_and_closes_the_tour(demo: Path) -> None:
    at = open_page(last_stop, tour=str(len(tour.STOPS)))
    press(at, "tour-done")
    assert at.session_state["gone"] == ("home", None)
    assert tour.was_closed(demo)


def test_the_bar_stands_on_its_own_page_alone(demo: Path) -> None:
    assert not keys(open_page(last_stop, tour="1"))
