"""Every page opens for any URL, and no file outside of the workspace is read."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy

from orrery.app.shared.document_map import read_area
from orrery.app.shared.listing import as_step, read_years
from orrery.app.shared.story_views import place_of
from orrery.app.shared.tour import stop_number
from orrery.app.shell import kept
from orrery.app.shell.strings import PAGE_TITLES
from orrery.app.views.query.what_if import read_clamped
from orrery.app.views.train.page import read_topics
from orrery.app.workspace import catalog, search_index
from orrery.core.drawing.question import read_question
from orrery.core.model.story import KeptView, Story
from orrery.core.model.topic_model import Run
from orrery.core.storage.runs import load_run
from orrery.core.storage.stories import add_story, change_story, find_story, read_story, story_path
from orrery.core.utils.errors import InputError
from orrery.core.utils.parsing import read_whole_number
from tests.app.fake_runs import write_run
from tests.app.pages import PATIENCE, whole_app
from tests.conftest import ROOT
from tests.opening import in_time
from tests.tried import TRIED

SAMPLE = ROOT / "sample_data"
# The slow part takes thousands.
ADDRESSES = int(os.environ.get("ORRERY_ADDRESSES", "24"))
TEXTS = 4 * ADDRESSES
MAX_SENTENCE = 1_000

# Paths out of the workspace, from any folder in it, if taken for file names.
OUTSIDE = "outside"
WAYS = ["/".join([*[".."] * up, OUTSIDE]) for up in range(1, 5)]
ABSOLUTE = ["/", "/etc/passwd", "/proc/self/environ", "~", "~root"]
# Values that lead a page on, or out of the workspace if anything does.
TOPICS = [f"L{layer}.{number}" for layer in (1, 2) for number in (1, 2, 3)]
NODES = [*TOPICS, *(f"topic:{topic}" for topic in TOPICS), "word:star", "star"]
QUERIES = ["star", "orbit planet", "-star", "?star bread", '"milky way"', "star " * 99]
VALUES: dict[str, list[str]] = {
    "corpus": ["Sample", "own", f"{WAYS[1]}/corpora/own"],
    "run": ["Sample", f"{WAYS[1]}/runs/own-finished"],
    **{name: NODES for name in ("topic", "to", "in", "on", "sel", "card", "more", "skip", "word")},
    **{name: QUERIES for name in ("q", "q2", "find", "light")},
    **{name: ["1", "2", "0"] for name in ("page", "rows", "step", "text", "tour")},
    "hold": ["L1.1:on", "L1.1:on,L1.1:off,L1.2:maybe"],
    "story": ["story-01", f"{WAYS[1]}/stories/story-01"],
    "watch": ["own-stopped", f"{WAYS[1]}/runs/own-finished"],
    "words": ["link", "relevance"],
    "years": ["2001-2005", "2005-2001"],
    "area": ["0.0.9000.0.9000.9000", "0.0.0.0.0.0"],
}
NAMES = [
    *VALUES,
    "across",
    "beside",
    "by",
    "colour",
    "doc",
    "draw",
    "from",
    "group",
    "hide",
    "label",
]
NAMES += [
    "guide",
    "lines",
    "min",
    "only",
    "order",
    "other",
    "others",
    "palette",
    "periods",
    "width",
]
NAMES += ["found", "quiet", "scale", "share", "show", "shown", "sort", "view", "whole", "with"]

HOSTILE = [
    *(*WAYS, *ABSOLUTE, f"own/{WAYS[1]}", "..", ".", "..\\outside", "%2e%2e%2foutside", "CON"),
    *("9" * 5_000, f"{'9' * 5_000}-2001", "-1", "1e999", "nan", "²", "٣", "0x10", "1_0", "00"),
    *("", "\0", "own\0", "\u202edne\u2066", "\ufeff", "\u2028\r\n\t", "\ufffd", "e\u0301" * 99),
    *("<script>alert(1)</script>", "[a](javascript:alert(1))", "$\\frac$", ":material/home:"),
    *(",", ",,:on", "L1.1:", ":on", "L1.1:on," * 999, "0." * 999, "nan.1.1", "topic:", "word:"),
    *("a" * 100_000, "{}{0}%s", "*" * 300, '"' * 9, "a* OR b NEAR/9 (", "'; --"),
]
ANYTHING = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))


def values(name: str) -> st.SearchStrategy[list[str]]:
    """Values of a parameter in a URL, once or several times."""
    reported = VALUES.get(name)
    value = st.one_of(st.sampled_from(reported), ANYTHING) if reported else ANYTHING
    return st.lists(value, min_size=1, max_size=3)


class AuditLog:
    """Files opened and hosts requested while the hook is active."""

    opened: list[str] | None = None
    requested: ClassVar[set[str]] = set()

    @classmethod
    def hear(cls, event: str, arguments: tuple[object, ...]) -> None:
        """Keep the names of files and folders that this process opens."""
        is_named = event in ("open", "os.listdir", "os.scandir") and isinstance(
            arguments[0], str | bytes | os.PathLike
        )
        if cls.opened is not None and is_named:
            cls.opened.append(os.fsdecode(arguments[0]))  # type: ignore[arg-type]

    @classmethod
    def led_out(cls, home: Path) -> list[str]:
        """Those to which an address could lead only by naming them."""
        named = {os.path.realpath(os.path.expanduser(path)) for path in ABSOLUTE}
        found = {os.path.realpath(path) for path in cls.opened or ()}
        within, inside = f"{home.resolve()}/", f"{(home / 'workspace').resolve()}/"
        return sorted(
            path
            for path in found
            if path in named or (path.startswith(within) and not f"{path}/".startswith(inside))
        )


sys.addaudithook(AuditLog.hear)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace with some of everything, and the same beside it."""
    place = tmp_path_factory.mktemp("addresses")
    space = place / "workspace"
    shutil.copytree(SAMPLE / "corpus", space / "corpora" / "own")
    for state in ("finished", "stopped"):
        write_run(space / "runs" / f"own-{state}", space / "corpora" / "own", state)
    view = KeptView("a", "query", (("q", "star"),), "A view", "A note")
    story = add_story(space, "A story", "Sample", "Sample")
    change_story(space, story.name, lambda now: Story(now.name, now.title, "", "", (view,)))
    shutil.copytree(space, place / OUTSIDE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORRERY_WORKSPACE", str(space))
        patch.setenv("ORRERY_DEMO", "1")
        for way in ("get", "get_all", "__contains__"):
            patch.setattr(QueryParamsProxy, way, _asking(getattr(QueryParamsProxy, way)))
        yield place


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(SAMPLE / "run")


def _asking(real: Callable[..., object]) -> Callable[..., object]:
    """The same, keeping which parameters are asked for that the address has not."""

    def asking(proxy: QueryParamsProxy, name: str, *rest: object) -> object:
        if name not in set(proxy):
            AuditLog.requested.add(name)
        return real(proxy, name, *rest)

    return asking


# A page takes too long to look for the shortest address that fails.
@settings(max_examples=ADDRESSES, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(
    page=st.sampled_from(list(PAGE_TITLES)),
    address=st.fixed_dictionaries({}, optional={name: values(name) for name in NAMES}),
)
def test_a_page_opens_at_any_address(home: Path, page: str, address: dict[str, list[str]]) -> None:
    app = whole_app(page, address)
    TRIED["addresses of pages"] += 1
    AuditLog.opened = []
    try:
        app.run()
        led_out = AuditLog.led_out(home)
    finally:
        AuditLog.opened = None
    assert [error.message for error in app.exception] == []
    assert [element.value for element in app.title] or "step" in address
    for shown_text in (*app.error, *app.warning):
        assert "\n" not in shown_text.value.strip()
        assert "Errno" not in shown_text.value
        assert len(shown_text.value) < MAX_SENTENCE
    assert led_out == []


def test_a_way_out_would_be_noticed(home: Path) -> None:
    AuditLog.opened = []
    (home / "workspace" / "runs" / WAYS[1] / "stories" / "story-01.json").read_bytes()
    list((home / "workspace" / "corpora").iterdir())
    found, AuditLog.opened = AuditLog.led_out(home), None
    assert found == [str((home / OUTSIDE / "stories" / "story-01.json").resolve())]


def test_every_parameter_is_tried() -> None:
    assert AuditLog.requested <= set(NAMES)
    # So the audit hook has seen the files that every page opens.
    assert {"corpus", "run"} <= AuditLog.requested


def test_no_container_has_the_key_of_a_widget() -> None:
    """Streamlit refuses a page with the same key twice, even if one appears only after a search."""
    containers, widgets = set[str](), set[str]()
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func).rpartition(".")[2]
            keys = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
            if name in ("choose", "lasting", "restore", "restore_list"):
                keys += node.args[:1]
            found = containers if name in ("container", "spread_row") else widgets
            found |= {key.value for key in keys if isinstance(key, ast.Constant)}
    assert "details" in containers
    assert {"find", "found"} <= widgets
    assert not containers & widgets


def refusal(read: Callable[[], object]) -> str:
    """Message if something is refused; "" if it is read."""
    try:
        read()
    except InputError as error:
        return str(error)
    return ""


@settings(max_examples=TEXTS, suppress_health_check=list(HealthCheck))
@given(text=ANYTHING, other=ANYTHING)
def test_what_an_address_states_is_read_or_refused(
    home: Path, run: Run, text: str, other: str
) -> None:
    space = home / "workspace"
    story = Story("s", "", "", "", (KeptView("a", "query", (), "t"),) * 3)
    TRIED["parts of an address, each to all that read one"] += 1
    AuditLog.opened = []
    try:
        with in_time(PATIENCE):
            low, high = read_years(f"{text}-{other}", 1990, 2020)
            assert 1990 <= low <= high <= 2020
            assert 0 <= place_of(story, text) < 3
            assert (read_whole_number(text) or 0) < 10**9
            assert -1 <= stop_number(text) < 9
            area = read_area(text)
            assert area is None or area.shape[1] == 2
            held = read_clamped(text, {topic: number for number, topic in enumerate(TOPICS)})
            assert set(held.values()) <= {"on", "off"}
            assert as_step(text) is None or text.isalpha()
            assert search_index.read_terms(text) is not None
            assert len(kept.suggested_title("query", {"q": [text], "q2": [other]}, run)) <= 200
            place = catalog.find_model(text, other)
            assert place is None or place.name == other
            assert len(refusal(lambda: read_topics(text))) < MAX_SENTENCE
            assert len(refusal(lambda: find_story(space, text))) < MAX_SENTENCE
            for name in (text, *VALUES["story"]):
                shown_text = refusal(lambda name=name: read_story(story_path(space, name)))
                assert len(shown_text) < MAX_SENTENCE
            assert len(read_question(run, text).typed) <= len(text)
            led_out = AuditLog.led_out(home)
    finally:
        AuditLog.opened = None
    assert led_out == []
