"""A story in a browser: five views are kept, ordered, deleted, had back, and played by keys."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.shared.listing import read_sources
from orrery.app.shared.story_export import taken_along
from orrery.app.shell import strings as shell_strings
from orrery.app.text import strings as common_strings
from orrery.app.views.graph import strings as graph_words
from orrery.app.views.groups import strings as groups
from orrery.app.views.map import strings as map_words
from orrery.app.views.query import strings as query_words
from orrery.app.views.stories import strings
from orrery.app.workspace.facets import read_facets
from orrery.core.drawing import explorer_strings
from orrery.core.evaluation.metrics import BY_KEY
from orrery.core.export.formats import export_files
from orrery.core.model.overlay import Overlay
from orrery.core.model.story import KeptView, Story
from orrery.core.model.terms import Terms
from orrery.core.storage.corpora import load_corpus
from tests.browser.conftest import OpenPage, Window
from tests.browser.driving import assert_stayed_text, read_until, resize, served
from tests.core.export.models import EVIL, SAMPLE, sample

pytestmark = pytest.mark.browser
VIEWS = {
    "query?q=space+shuttle": "space shuttle",
    "query?q=bass+band&q2=bass+fish": "bass band | bass fish",
    "graph?topic=L2.10": "Topic: orbit · mission · launch",
    "graph?topic=L1.11&to=L1.44": "Path: launch · rocket · shuttle → night · said · waiting",
    "documents?find=bass": "Documents: bass",
}
TITLES = list(VIEWS.values())
SIZES = tuple((width, 800) for width in (390, 1024, 1280, 1920))


def keep(window: Window, note: str) -> None:
    """Keep what the page shows, as a person does."""
    page = window.page
    page.get_by_role("button", name=shared_strings.KEEP, exact=False).click()
    page.get_by_role("textbox", name=shared_strings.NOTE, exact=True).fill(note)
    page.get_by_role("button", name=shared_strings.KEEP_IT, exact=True).click()
    page.get_by_text("Kept as view").wait_for()
    window.wait_until_still()


def expect_listed(window: Window, titles: list[str]) -> None:
    """Wait until the page lists these views, each after its number."""
    shown = [re.compile(f"^[^·]*· {re.escape(title)}$") for title in titles]
    buttons = window.page.locator(".st-key-story-views button")
    expect(buttons).to_have_text(shown, use_inner_text=True)


def expect_in_windows(
    page, is_so: Callable[[], object], sizes: Iterable[tuple[int, int]] = SIZES
) -> None:
    """Wait until something is so, in windows of each size."""
    for size in sizes:
        resize(page, *size)
        read_until(page, lambda size=size: (size, is_so()), lambda found: found[1])


def fits(page) -> bool:
    """Whether nothing of the page is beside the window."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def counter(window: Window, number: int, count: int) -> None:
    """Wait until a view is told."""
    window.page.get_by_text(
        shell_strings.COUNTER.format(number=number, count=count), exact=True
    ).wait_for()


def note_leaves_room(window: Window) -> bool:
    """Whether the note lies within the window, and something of the page is seen beside it."""
    return window.page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one);
          const note = roots.map((root) => root.querySelector(".orrery-story")).find(Boolean);
          const box = note.getBoundingClientRect();
          const isInside = box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          return isInside && box.width * box.height < 0.6 * innerWidth * innerHeight &&
            document.documentElement.scrollWidth <= innerWidth;
        }"""
    )


def picture_is_whole(window: Window) -> bool:
    """Whether the picture ends above the note, of which two lines are seen."""
    return window.page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one);
          const box = (name) => roots.map((root) => root.querySelector(name)).find(Boolean);
          const top = box(".orrery-story").getBoundingClientRect().top;
          const lines = box(".orrery-story .note").clientHeight;
          return box(".orrery-graph .stage").getBoundingClientRect().bottom <= top && lines < 70;
        }"""
    )


def heading_is_whole(window: Window) -> bool:
    """Whether the heading below the picture is visible with its text, or begins below the note."""
    return window.page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one);
          const note = roots.map((root) => root.querySelector(".orrery-story")).find(Boolean);
          const range = document.createRange();
          range.selectNodeContents(document.querySelector(".st-key-reasons h3"));
          const letters = range.getBoundingClientRect(), last = note.getBoundingClientRect().top;
          return letters.top >= last || letters.bottom + 24 <= last;
        }"""
    )


def test_five_views_are_kept_ordered_and_played(own_demo: tuple[str, Window]) -> None:
    url, window = own_demo
    page = window.page
    for number, address in enumerate(VIEWS):
        window.show(f"{url}/{address}")
        keep(window, f"Note {number} {EVIL} {'and so on ' * 60}")
    window.follow("Stories")
    expect_listed(window, TITLES)
    window.look("9-stories")
    page.get_by_role("button", name=TITLES[4], exact=False).click()
    page.get_by_text(
        strings.PLACE_AND_KIND.format(number=5, count=5, kind=shell_strings.DOCUMENTS)
    ).wait_for()
    page.get_by_role("button", name=strings.EARLIER).click()
    page.get_by_text(
        strings.PLACE_AND_KIND.format(number=4, count=5, kind=shell_strings.DOCUMENTS)
    ).wait_for()
    expect_listed(window, [*TITLES[:3], TITLES[4], TITLES[3]])
    page.get_by_role("button", name=strings.DELETE, exact=True).click()
    page.get_by_text(strings.DELETED.format(title=TITLES[4])).wait_for()
    expect_listed(window, TITLES[:4])
    page.get_by_role("button", name=strings.UNDO).click()
    page.get_by_text(
        strings.PLACE_AND_KIND.format(number=4, count=5, kind=shell_strings.DOCUMENTS)
    ).wait_for()
    expect_listed(window, [*TITLES[:3], TITLES[4], TITLES[3]])
    page.get_by_role("button", name=f"1 · {TITLES[0]}").click()
    page.get_by_text(
        strings.PLACE_AND_KIND.format(number=1, count=5, kind=shell_strings.QUERY)
    ).wait_for()
    page.get_by_role("button", name=strings.PLAY).click()
    play(window)


def play(window: Window) -> None:
    """Play the story by its keys and buttons, to its end."""
    page = window.page
    counter(window, 1, 5)
    expect(page.get_by_text(f"Note 0 {EVIL}")).to_be_visible()
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    page.locator(".orrery-graph .node").first.wait_for()
    window.wait_until_still()
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_role("button", name="PNG", exact=True)).to_have_count(0)
    palette = page.locator(".st-key-palette")
    expect(palette).to_have_count(1)
    expect(palette).to_be_hidden()
    following = page.get_by_role("button", name=shell_strings.PLAYER["next"])
    for size in ((1280, 800), (1024, 768)):
        expect_in_windows(page, lambda: picture_is_whole(window), [size])
        expect_in_windows(page, lambda: heading_is_whole(window), [size])
        expect(following).to_be_visible()
    page.keyboard.press("ArrowRight")
    counter(window, 2, 5)
    page.keyboard.press("ArrowLeft")
    counter(window, 1, 5)
    # Faster than the page follows: no key is lost.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    counter(window, 3, 5)
    window.wait_for_parameter("topic", "L2.10")
    expect_in_windows(page, lambda: note_leaves_room(window))
    following.click()
    counter(window, 4, 5)
    page.keyboard.press("Escape")
    page.wait_for_url("**/stories?**")
    page.get_by_text(
        strings.PLACE_AND_KIND.format(number=4, count=5, kind=shell_strings.DOCUMENTS)
    ).wait_for()
    page.locator('[data-testid="stSidebar"]').wait_for()
    window.wait_until_still()
    assert_stayed_text(page, "img[src=x]")


def test_a_server_that_only_shows_plays_and_offers_nothing_else(
    tmp_path: Path, open_browser: Callable[[], Window]
) -> None:
    workspace = tmp_path / "workspace"
    story_file(workspace)
    with served("demo", workspace, options=("--read-only",)) as url:
        window = open_browser()
        page = window.page
        for name in ("corpus", "train"):
            window.show(f"{url}/{name}")
            page.get_by_text(
                shell_strings.ONLY_SHOWN.format(done=shell_strings.ONLY_SHOWN_DONE[name])
            ).wait_for()
            link = page.get_by_role("link", name=shell_strings.PAGE_TITLES[name], exact=True)
            assert link.count() == 0
        window.show(f"{url}/home")
        for label in ("Train", "Add a corpus", "Delete", "Hide"):
            buttons = page.get_by_role("button", name=label, exact=True)
            assert buttons.filter(visible=True).count() == 0, label
        assert page.get_by_role("button", name=shared_strings.KEEP).count() == 0
        window.follow("Stories")
        assert page.get_by_role("textbox").count() == 0
        page.get_by_role("button", name=strings.PLAY).click()
        counter(window, 1, 2)
        page.keyboard.press("ArrowRight")
        counter(window, 2, 2)
        page.get_by_text("The second note").wait_for()


# Views of a story that is shown to somebody on a phone, and what of each is to be seen.
ON_A_PHONE = {
    "query": ((("q", "bass band"),), ".orrery-graph .node"),
    "graph": ((("topic", "L2.10"),), ".orrery-graph .node"),
    "map": ((("light", "bass"),), ".orrery-points .stage[data-labels]"),
    "groups": ((("by", "label"),), "[data-testid=stVegaLiteChart] :is(canvas, svg)"),
    "documents": ((("find", "bass"),), ".st-key-found-documents"),
}


# The rest of each note, in several lines.
AND_SO_ON = " and so on" * 15


def brightness(window: Window) -> float:
    """How bright what is seen is on average, 255 where it is white."""
    return float(np.asarray(Image.open(io.BytesIO(window.page.screenshot())).convert("L")).mean())


def test_a_story_is_played_in_the_dark_on_a_phone(
    serve: Callable[[str], str], open_browser: Callable[[], Window], tmp_path: Path
) -> None:
    story_file(
        tmp_path / "workspace",
        *(
            KeptView(page, page, requested, page, f"On {page}{AND_SO_ON}")
            for page, (requested, _) in ON_A_PHONE.items()
        ),
    )
    url, window = serve("demo"), open_browser()
    page = window.page
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{url}/stories")
    window.wait_until_still()
    page.get_by_role("button", name=strings.PLAY).click()
    for number, (name, (_, shown)) in enumerate(ON_A_PHONE.items(), 1):
        counter(window, number, len(ON_A_PHONE))
        page.locator(shown).first.wait_for()
        window.wait_until_still()
        note = page.get_by_text(f"On {name}{AND_SO_ON}", exact=True)
        expect(note).to_be_visible()
        read_until(page, lambda: note_leaves_room(window), bool)
        assert note.evaluate("(note) => note.scrollHeight <= note.clientHeight")
        if page.locator(".orrery-graph").count():
            stage = page.locator(".orrery-graph .stage")
            assert stage.evaluate("(stage) => stage.scrollWidth <= stage.clientWidth")
        read_until(page, lambda: brightness(window), lambda found: found < 64)
        window.look(f"story-{name}")
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 390, "height": 844})
        if number < len(ON_A_PHONE):
            page.get_by_role("button", name=shell_strings.PLAYER["next"]).click()
    page.get_by_role("button", name=shell_strings.PLAYER["end_help"]).click()
    page.wait_for_url("**/stories?**")


# A view of each kind of page with inputs, and the part of it that must be visible.
ASKING = {
    "query?q=space+shuttle": ".orrery-graph .stage",
    "query?q=bass+band&q2=bass+fish": ".orrery-graph .stage",
    "graph?min=0.02": ".orrery-map .box",
    "graph?topic=L2.10": ".orrery-graph .node",
    "documents?find=bass": ".st-key-found-documents",
    "map?light=bass": ".orrery-points .stage[data-labels]",
    "groups?by=label": "[data-testid=stVegaLiteChart]",
    "names?show=": "[data-testid=stDataFrame]",
    "evaluate?sel=": "[data-testid=stVegaLiteChart]",
}
ASKS = ("textbox", "combobox", "slider", "radio", "checkbox", "switch")
# Element to click for an input.
HINTS = (
    *(
        query_words.hint(name, Terms(), has_texts=True)
        for name in ("HINT_PICTURE", "HINT_COMPARISON")
    ),
    explorer_strings.CARD_HERE,
    graph_words.HINT_FOCUS,
    groups.MAP_HINT,
    map_words.HINT,
)
# A page begins at its upper edge, with what is shown; pixels.
MAX_ABOVE, MAX_BETWEEN = 45, 24


def test_a_played_view_requests_nothing(tmp_path: Path, open_browser: Callable[[], Window]) -> None:
    workspace = tmp_path / "workspace"
    story_file(workspace)
    requested = []
    with served("demo", workspace) as url:
        window = open_browser()
        for place, shown in ASKING.items():
            window.show(f"{url}/{place}&story=story-01&step=1")
            window.page.locator(shown).first.wait_for()
            counter(window, 1, 2)
            window.wait_until_still()
            found = [role for role in ASKS if window.page.get_by_role(role).count()]
            tools = window.page.get_by_role("button", name="PNG", exact=True).count()
            hints = [hint for hint in HINTS if window.page.get_by_text(hint).count()]
            if place.startswith("query?q=space"):
                # One sentence with the answer, and the picture below it.
                answer = window.page.locator(".st-key-answer").bounding_box()
                top = window.page.locator(".orrery-graph").bounding_box()["y"]
                assert answer["y"] < MAX_ABOVE
                assert top < answer["y"] + answer["height"] + MAX_BETWEEN
                assert picture_is_whole(window)
            if found or tools or hints:
                requested.append((place, found, tools, hints))
    assert requested == []


def story_file(workspace: Path, *views: KeptView) -> None:
    """Put a story into a workspace, of two views where none are given."""
    from orrery.core.storage.stories import add_story, change_story

    name = add_story(workspace, "A story", common_strings.SAMPLE, common_strings.SAMPLE).name
    views = views or (
        KeptView("a", "query", (("q", "space shuttle"),), "Space", "The first note"),
        KeptView("b", "graph", (("topic", "L2.10"),), "A topic", "The second note"),
    )
    change_story(workspace, name, lambda story: replace(story, views=views))


def test_the_explorer_shows_a_story_from_a_file(open_page: OpenPage) -> None:
    views = (
        KeptView("a", "query", (("q", "bass band"), ("q2", "bass fish")), "Bass", f"Note {EVIL}"),
        KeptView("b", "graph", (("topic", "L2.10"),), "A topic", ""),
        KeptView("c", "train", (), EVIL, "A note on a page of the app"),
        KeptView("d", "graph", (), "All topics", "A long note " * 50),
    )
    story = Story("s", EVIL, "c", "r", views)
    page = open_page(export_files(sample(), "explorer", "page", "Title", story)["page"])
    page.get_by_text("1 of 4", exact=True).wait_for()
    expect(page.get_by_text(f"Note {EVIL}")).to_be_visible()
    page.locator(".orrery-graph .node").first.wait_for()
    expect(page.locator("aside")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", level=1, name="orbit · mission · launch").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("open the story in Orrery to see it").wait_for()
    expect(page.get_by_text("A note on a page of the app")).to_be_visible()
    expect_in_windows(page, lambda: fits(page))
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", level=1, name="All topics").wait_for()
    expect_in_windows(page, lambda: ends_above_note(page, ".map .room"), [(1280, 800)])
    page.keyboard.press("Escape")
    page.get_by_label("Your words").wait_for()
    page.get_by_role("link", name="Play the story").click()
    page.get_by_text("1 of 4", exact=True).wait_for()
    assert_stayed_text(page, "img")


TAKEN = (
    KeptView("g", "groups", (("show", "lift"),), "All groups", "A note on groups"),
    KeptView("o", "groups", (("view", "one"), ("group", "law")), "One group", ""),
    KeptView("y", "groups", (("by", "year"), ("view", "course")), "Years", ""),
    KeptView("s", "groups", (("by", "year"), ("view", "course"), ("draw", "stacked")), "Years", ""),
    KeptView("p", "graph", (("topic", "L2.1"), ("to", "L2.2")), "A path", ""),
    KeptView("m", "map", (("light", "bass"),), "The map", ""),
    KeptView("d", "documents", (("doc", "n001"),), "A document", "A note on it"),
    KeptView("l", "documents", (("find", "bass"),), "A list", ""),
    KeptView("i", "graph", (("in", "L2.2"), ("skip", "1")), "A part of the map", ""),
    KeptView("n", "names", (("find", "bass"),), "Names", ""),
    KeptView("e", "evaluate", (), "How good it is", ""),
)
# Views with a drawing.
DRAWN = "goyspm"


def taken_file(tmp_path: Path, *, with_texts: bool, is_hostile: bool = False) -> bytes:
    """The file of a story of the sample, whose names and texts may be markup."""
    run = sample()
    if is_hostile:
        ids = run.network.graph.topic_ids
        run = sample(Overlay(dict.fromkeys(ids, f"{EVIL[:60]} {'w' * 120}")))
    sources = read_sources(run, tmp_path)
    assert sources is not None
    views = TAKEN
    if is_hostile:
        documents = sources.corpus.documents
        marked = documents.assign(
            text=EVIL + documents["text"], label=documents["label"] + EVIL, title=EVIL
        )
        law = next(name for name in marked["label"] if name.startswith("law"))
        corpus = replace(sources.corpus, documents=marked)
        sources = replace(sources, corpus=corpus, facets=read_facets(marked))
        group = (("view", "one"), ("group", law))
        views = tuple(replace(v, parameters=group) if v.key == "o" else v for v in TAKEN)
    story = Story("s", EVIL, "c", "r", views)
    taken = taken_along(story, run, sources, tmp_path, with_texts=with_texts)
    return export_files(run, "explorer", "page", "Title", story, taken=taken)["page"]


def is_readable(page) -> bool:
    """Whether the picture lies within the page, at no less than nine tenths of its own size."""
    return page.evaluate(
        """() => {
          const drawings = document.querySelector(".taken").shadowRoot.querySelectorAll("svg");
          const [svg, ...others] = [...drawings].filter((one) => one.clientWidth);
          const box = svg.getBoundingClientRect();
          if (others.length) return false;
          const isInside = box.left >= 0 && box.right <= innerWidth;
          return isInside && box.width >= 0.9 * svg.viewBox.baseVal.width;
        }"""
    )


def contrast(page) -> float:
    """Contrast of the text of the picture with the ground of the page (WCAG 2.1)."""
    return page.evaluate(
        """() => {
          const root = document.querySelector(".taken").shadowRoot;
          const light = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
            const [red, green, blue] = parts.map((c) =>
              (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const ground = light(getComputedStyle(document.body).backgroundColor);
          const drawing = [...root.querySelectorAll("svg")].find((one) => one.clientWidth);
          const texts = [...drawing.querySelectorAll("text")];
          const inks = texts.map((one) => light(getComputedStyle(one).fill));
          const ratio = (ink) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
          return Math.min(...inks.map(ratio));
        }"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_and_documents_are_played_from_the_file(
    tmp_path: Path, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(taken_file(tmp_path, with_texts=True))
    page.emulate_media(color_scheme=scheme)
    for number, view in enumerate(TAKEN, 1):
        page.get_by_text(
            shell_strings.COUNTER.format(number=number, count=len(TAKEN)), exact=True
        ).wait_for()
        page.get_by_role("heading", level=2, name=view.title).wait_for()
        expect(page.get_by_text("open the story in Orrery")).to_have_count(0)
        for size in (*SIZES, SIZES[0]):
            expect_in_windows(page, lambda: fits(page), [size])
            if view.key in DRAWN:
                expect_in_windows(page, lambda: is_readable(page), [size])
                read_until(page, lambda: contrast(page), lambda found: found >= 4.5)
        resize(page, 1280, 800)
        check_view(page, view)
        page.keyboard.press("ArrowRight")


def ends_above_note(page, drawing: str) -> bool:
    """Whether a drawing ends where the note begins, or before."""
    place, note = page.locator(drawing).bounding_box(), page.locator("#story").bounding_box()
    return place["y"] + place["height"] <= note["y"]


def check_view(page, view: KeptView) -> None:
    """Hold that a view shows what it is about."""
    if view.key == "o":
        page.get_by_text(re.compile("^court · judge")).first.wait_for()
        page.get_by_text(shared_strings.MORE.format(other=shared_strings.ELSEWHERE)).wait_for()
    if view.key == "p":
        page.get_by_text("The strongest path has").wait_for()
        page.locator(".taken svg:visible g.node").nth(2).wait_for()
    if view.key == "m":
        page.get_by_text("those found by “bass”").wait_for()
        drawn = page.evaluate(
            """async () => {
              const root = document.querySelector(".taken").shadowRoot;
              const image = root.querySelector("image.points");
              const loaded = new Image();
              loaded.src = image.getAttribute("href");
              await loaded.decode();
              return loaded.naturalWidth;
            }"""
        )
        assert drawn >= 700
        assert ends_above_note(page, ".taken")
    if view.key == "d":
        page.locator(".document .text span").nth(3).wait_for()
        page.get_by_role("heading", name=shared_strings.LEGEND).wait_for()
        # The way to a topic, and by the next view back into the story.
        page.locator(".document section a").first.click()
        page.get_by_role("heading", name="Words").wait_for()
        page.go_back()
        page.locator(".document .text").wait_for()
    if view.key == "l":
        expect(page.locator(".listed h3")).to_have_count(10)
        expect(page.locator(".listed span").first).to_have_text("bass", ignore_case=True)
    if view.key == "i":
        boxes = page.locator(".map .box")
        # The subtree without its largest topic.
        expect(boxes).to_have_count(3)
        page.get_by_role("link", name="All topics").click()
        page.get_by_role("heading", level=1, name="All topics").wait_for()
        boxes.nth(20).wait_for()
        page.go_back()
    if view.key == "n":
        rows = page.locator(".table tbody tr")
        rows.filter(has_text="bass").first.wait_for()
        expect(rows.filter(has_not_text="bass")).to_have_count(0)
        page.locator(".table tbody a").first.click()
        page.get_by_role("heading", name="Words").wait_for()
        page.go_back()
    if view.key == "e":
        page.get_by_text("words hidden in texts, it guesses").wait_for()
        page.get_by_role("cell", name=BY_KEY["log_likelihood"].title).wait_for()


def test_documents_that_their_author_keeps_are_not_in_the_file(
    tmp_path: Path, open_page: OpenPage
) -> None:
    data = taken_file(tmp_path, with_texts=False)
    text = load_corpus(SAMPLE.parent / "corpus").documents["text"].iat[0]
    # Its first words, before one that has a colour.
    begins = text[:13].encode()
    assert begins not in data
    assert begins in taken_file(tmp_path, with_texts=True)
    page = open_page(data)
    page.get_by_text(
        shell_strings.COUNTER.format(number=1, count=len(TAKEN)), exact=True
    ).wait_for()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.get_by_text("a page of documents, which are not in this file").wait_for()
    page.get_by_text("A note on it").wait_for()


def test_markup_in_what_is_taken_along_is_text(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(taken_file(tmp_path, with_texts=True, is_hostile=True))
    page.set_viewport_size({"width": 390, "height": 800})
    for number, view in enumerate(TAKEN, 1):
        page.get_by_text(
            shell_strings.COUNTER.format(number=number, count=len(TAKEN)), exact=True
        ).wait_for()
        read_until(page, lambda: fits(page), bool)
        # A map is drawn in the next frame. Figures alone have no names in them.
        marked = page.wait_for_function(
            """(expected) => {
              const taken = document.querySelector(".taken, .map");
              const root = taken ? taken.shadowRoot : document.getElementById("view");
              const isDrawn = root.textContent.includes(expected);
              return isDrawn && [root.querySelectorAll("img, script, b").length];
            }""",
            arg="" if view.key == "e" else EVIL[:60],
        )
        assert marked.json_value() == [0], number
        page.keyboard.press("ArrowRight")
    assert_stayed_text(page, "img")
