"""The Stories page: changes are written, what was deleted comes back, nothing is a dead end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.text import strings as common_strings
from orrery.app.text.safe_text import markdown_text
from orrery.app.views.stories import page as stories
from orrery.app.views.stories import strings
from orrery.core.model.story import KeptView, Story
from orrery.core.storage.runs import run_lock
from orrery.core.storage.stories import add_story, change_story, read_stories, story_path
from orrery.core.utils.errors import InputError
from orrery.core.utils.read_only import READ_ONLY, REFUSED
from tests.app.fake_runs import write_run
from tests.app.pages import open_page

MakeCorpus = Callable[[str], Path]
HOSTILE = "<script>alert(1)</script> :red[x] ![](http://outside/x.png) $y$"


def stories_page() -> None:
    from orrery.app.shared import story_views as story_player
    from orrery.app.views.stories import page as stories

    story_player.show_player()
    stories.render()


opened = partial(open_page, stories_page)


def kept(*titles: str) -> tuple[KeptView, ...]:
    return tuple(
        KeptView(f"k{n}", "query", (("q", title),), title) for n, title in enumerate(titles)
    )


@pytest.fixture
def story(space: Path, make_corpus: MakeCorpus) -> Story:
    """A story of three views of a model that is there."""
    write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    name = add_story(space, "A story", "a", "a-01").name
    return change_story(space, name, lambda made: replace(made, views=kept("one", "two", "three")))


def titles(space: Path) -> list[str]:
    ((story,), _) = read_stories(space)
    return [view.title for view in story.views]


def unescaped(app: AppTest) -> list[str]:
    return [markdown.value.replace("\\", "") for markdown in app.markdown]


def warned(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning]


def test_without_a_story_the_page_shows_how_to_begin(space: Path, make_corpus: MakeCorpus) -> None:
    app = opened()
    assert strings.EMPTY_NO_MODEL in [markdown.value for markdown in app.markdown]
    assert app.button(key="empty-state-go").label == shell_strings.TO_CORPUS
    corpus = make_corpus("a")
    going = write_run(space / "runs" / "a-00", corpus, "running")
    with run_lock(going):
        app = opened()
    assert any("Run a-00: training" in text for text in unescaped(app))
    assert app.button(key="empty-state-go").label == shell_strings.TO_WATCH
    write_run(space / "runs" / "a-01", corpus, "finished", has_model=True)
    app = opened()
    assert strings.EMPTY in [markdown.value for markdown in app.markdown]
    assert app.button(key="empty-state-go").label == strings.EMPTY_GO


def test_views_that_the_file_cannot_show_are_named_before_it_is_made(
    space: Path, story: Story
) -> None:
    def warned() -> list[str]:
        return [caption.value for caption in opened().caption if "cannot be shown" in caption.value]

    assert not warned()
    document = KeptView("d", "documents", (("doc", "7"),), "A document")
    change_story(space, story.name, lambda made: replace(made, views=(*made.views, document)))
    assert warned() == [strings.only_notes([4])]
    assert "View 4 " in warned()[0]
    groups = KeptView("g", "groups", (), "Groups")
    change_story(space, story.name, lambda made: replace(made, views=(groups, *made.views)))
    assert warned() == [strings.only_notes([1, 5])]
    assert "Views 1 and 5 " in warned()[0]


def test_what_is_not_there_any_more_is_named_before_the_file_is_made(demo: Path) -> None:
    name = add_story(demo, "A story", common_strings.SAMPLE, common_strings.SAMPLE).name
    gone = KeptView("d", "documents", (("doc", HOSTILE),), "A document")
    topic = KeptView("t", "graph", (("topic", "L9.99"),), "A topic")
    change_story(demo, name, lambda story: replace(story, views=(*kept("bass"), gone, topic)))
    (shown_text,) = captions(opened(), "not in the")
    named = {
        2: shared_strings.NO_DOCUMENT.format(name=HOSTILE),
        3: shared_strings.NO_TOPIC.format(name="L9.99"),
    }
    assert shown_text == markdown_text(strings.missing(named))


def test_pictures_go_along_and_documents_if_their_author_allows_it(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    own = stories.file_maker

    def file_maker(*requested: Any, with_texts: bool) -> Callable[[], bytes]:
        made.append(own(*requested, with_texts=with_texts)())
        return lambda: made[-1]

    monkeypatch.setattr(stories, "file_maker", file_maker)
    name = add_story(demo, "A story", common_strings.SAMPLE, common_strings.SAMPLE).name
    views = (
        KeptView("g", "groups", (), "Groups"),
        KeptView("m", "map", (("light", "bass"),), "Map"),
        *kept("bass"),
    )
    change_story(demo, name, lambda story: replace(story, views=views))
    app = opened()
    # No view shows a document, and every one goes along.
    assert not [box for box in app.checkbox if box.key == "story-with-texts"]
    assert not captions(app, "as note", "cannot be shown")
    document = KeptView("d", "documents", (("doc", "n001"),), "A document")
    change_story(demo, name, lambda story: replace(story, views=(*views, document)))
    app = opened()
    assert captions(app, "needs documents", "cannot be shown") == [strings.left_out([4])]
    assert taken(made[-1]) == ["picture", "picture", None, None]
    app.checkbox(key="story-with-texts").check().run()
    assert not captions(app, "needs documents", "cannot be shown")
    assert taken(made[-1]) == ["picture", "picture", None, "document"]
    # As on the Share page, beginnings of others go along too.
    assert [b'"texts":[]' in page for page in (made[-2], made[-1])] == [True, False]


def taken(page: bytes) -> list[str | None]:
    """Content of each view in the file."""
    data = json.loads(page.decode().partition('id="data">')[2].partition("</script>")[0])
    return [view.get("taken", {}).get("kind") for view in data["story"]["views"]]


def captions(app: AppTest, *parts: str) -> list[str]:
    texts = [caption.value for caption in app.caption]
    return [text for text in texts if any(part in text for part in parts)]


def test_title_and_note_are_written_at_once(space: Path, story: Story) -> None:
    app = opened(view="k1")
    app.text_input(key="view-title-k1").set_value(HOSTILE).run()
    app.text_area(key="view-note-k1").set_value("Line one\nline two").run()
    assert not app.exception
    ((changed,), _) = read_stories(space)
    assert changed.views[1].title == HOSTILE
    assert changed.views[1].note == "Line one\nline two"
    assert changed.views[0] == story.views[0]
    labels = [button.label for button in app.button]
    assert markdown_text(f"2 · {HOSTILE}") in labels


def test_what_cannot_be_saved_stays_in_its_box_with_a_reason(space: Path, story: Story) -> None:
    app = opened(view="k0")
    app.text_input(key="view-title-k0").set_value("  ").run()
    assert "title" in app.error[0].value
    assert app.text_input(key="view-title-k0").value == "  "
    assert titles(space) == ["one", "two", "three"]
    for view in ("k1", "k0"):
        app.button(key=f"view-{view}").click().run()
    assert not app.error
    assert app.text_input(key="view-title-k0").value == "one"


def test_views_are_moved_and_deleted_and_had_back(space: Path, story: Story) -> None:
    app = opened(view="k2")
    app.button(key="story-move--1").click().run()
    assert titles(space) == ["one", "three", "two"]
    app.button(key="story-delete-view").click().run()
    assert titles(space) == ["one", "two"]
    app.button(key="story-undo-button").click().run()
    assert titles(space) == ["one", "three", "two"]
    assert not app.exception


def test_a_move_and_a_choice_that_cannot_be_saved_are_reported(
    space: Path, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise InputError("the story is in use")

    monkeypatch.setattr("orrery.app.views.stories.edits.change_story", refuse)
    app = opened(view="k2")
    app.button(key="story-move--1").click().run()
    assert "The story is in use" in app.error[0].value
    app.button(key="view-k0").click().run()
    assert not app.error
    shutil.rmtree(space / "runs" / "a-01")
    write_run(space / "runs" / "a-02", space / "corpora" / "a", "finished", has_model=True)
    app = opened()
    app.button(key="story-use-model").click().run()
    assert "The story is in use" in app.error[0].value


def test_a_deleted_story_comes_back_with_its_views(space: Path, story: Story) -> None:
    app = opened()
    app.button(key="story-delete").click().run()
    assert read_stories(space) == ([], [])
    app.button(key="story-undo-button").click().run()
    assert read_stories(space) == ([story], [])


def test_what_another_browser_kept_meanwhile_is_not_lost(space: Path, story: Story) -> None:
    app = opened(view="k0")
    added = KeptView("other", "graph", (), "kept elsewhere")
    change_story(space, story.name, lambda before: before.with_view(added))
    app.text_input(key="view-title-k0").set_value("first").run()
    assert titles(space) == ["first", "two", "three", "kept elsewhere"]
    change_story(space, story.name, lambda before: before.without("k0"))
    app.button(key="story-move-1").click().run()
    assert not app.exception
    assert titles(space) == ["two", "three", "kept elsewhere"]


def test_a_change_of_one_text_keeps_the_other_text_of_another_tab(
    space: Path, story: Story
) -> None:
    first, second = opened(view="k0"), opened(view="k0")
    second.text_area(key="view-note-k0").set_value("A long note").run()
    first.text_input(key="view-title-k0").set_value("first").run()
    assert not first.error
    ((changed,), _) = read_stories(space)
    assert (changed.views[0].title, changed.views[0].note) == ("first", "A long note")
    assert first.text_area(key="view-note-k0").value == "A long note"


@pytest.mark.parametrize("key", ["view-title-k0", "view-note-k0", "story-title-story-01"])
def test_a_text_that_another_tab_changed_is_replaced_only_on_request(
    space: Path, story: Story, key: str
) -> None:
    def box(app: AppTest) -> Any:
        return next(box for box in (*app.text_input, *app.text_area) if box.key == key)

    def stored() -> str:
        ((now,), _) = read_stories(space)
        texts = {"view-title-k0": now.views[0].title, "view-note-k0": now.views[0].note}
        return texts.get(key, now.title)

    first, second = opened(view="k0"), opened(view="k0")
    box(second).set_value("theirs").run()
    assert stored() == "theirs"
    box(first).set_value("mine").run()
    assert [error.value for error in first.error] == [
        markdown_text(shell_strings.sentence(strings.CHANGED))
    ]
    assert box(first).value == "mine"
    assert stored() == "theirs"
    # Changes of other texts keep the refused one in its box.
    other = "view-note-k0" if key == "view-title-k0" else "view-title-k0"
    next(b for b in (*first.text_input, *first.text_area) if b.key == other).set_value("o").run()
    assert box(first).value == "mine"
    box(first).set_value("mine, again").run()
    assert not first.error
    assert stored() == "mine, again"


def test_a_story_whose_model_was_deleted_is_read_and_tied_to_another(
    space: Path, story: Story, make_corpus: MakeCorpus
) -> None:
    shutil.rmtree(space / "runs" / "a-01")
    write_run(space / "runs" / "a-02", space / "corpora" / "a", "finished", has_model=True)
    app = opened()
    assert shared_strings.MODEL_GONE.format(model=markdown_text("a-01")) in warned(app)
    assert app.text_input(key="view-title-k0").value == "one"
    assert app.button(key="story-open").disabled
    app.button(key="story-use-model").click().run()
    ((tied,), _) = read_stories(space)
    assert (tied.corpus, tied.run, tied.views) == ("a", "a-02", story.views)
    assert not warned(app)


def test_models_of_the_storys_corpus_come_first_and_others_with_a_warning(
    space: Path, story: Story, make_corpus: MakeCorpus
) -> None:
    shutil.rmtree(space / "runs" / "a-01")
    for name in ("a", "b"):
        corpus = space / "corpora" / name if name == "a" else make_corpus(name)
        write_run(space / "runs" / f"{name}-02", corpus, "finished", has_model=True)
    # The page shows another corpus than the story.
    app = opened(corpus="b", run="b-02")
    box = next(box for box in app.selectbox if box.label == strings.OTHER_MODEL)
    assert box.options == ["a-02", "b-02 (b)"]
    assert strings.OTHER_NOTE in [caption.value for caption in app.caption]
    box.set_value(("b", "b-02")).run()
    assert markdown_text(strings.other_corpus("b", "a")) in warned(app)
    app.button(key="story-use-model").click().run()
    # It can be taken back.
    box = next(box for box in app.selectbox if box.label == strings.OTHER_MODEL)
    assert box.options == ["a-02 (a)"]
    app.button(key="story-use-model").click().run()
    ((tied,), _) = read_stories(space)
    assert (tied.corpus, tied.run) == ("a", "a-02")


def test_a_view_that_cannot_be_shown_is_played_as_its_note(space: Path, story: Story) -> None:
    shutil.rmtree(space / "runs" / "a-01")
    app = opened(story=story.name, step="2")
    assert warned(app) == [shared_strings.MODEL_GONE.format(model=markdown_text("a-01"))]


@pytest.mark.parametrize("step", ["0", "-1", "99999999999999999999", "two", "²", ""])
def test_an_odd_number_of_a_view_is_the_nearest(space: Path, story: Story, step: str) -> None:
    assert not opened(story=story.name, step=step).exception


def test_an_address_of_a_story_that_is_gone_reports_it(space: Path, story: Story) -> None:
    assert shared_strings.STORY_GONE in warned(opened(story="gone"))
    assert shared_strings.STORY_GONE in warned(opened(story="../../x", step="1"))


def test_a_damaged_story_is_a_sentence_beside_the_others(space: Path, story: Story) -> None:
    broken = add_story(space, "Broken", "a", "a-01")
    story_path(space, broken.name).write_text("{")
    app = opened()
    assert "is damaged" in warned(app)[0]
    assert app.text_input(key="view-title-k0").value == "one"


def test_two_hundred_views_are_listed(space: Path, story: Story) -> None:
    many = kept(*(f"view {number} {HOSTILE}" for number in range(200)))
    many = tuple(replace(view, note=HOSTILE + "n" * 9_000) for view in many)
    change_story(space, story.name, lambda before: replace(before, views=many))
    app = opened(view="k150")
    listed = [button for button in app.button if button.key.startswith("view-")]
    assert len(listed) == 200
    assert app.text_area(key="view-note-k150").value == many[150].note


def test_a_server_that_only_shows_offers_no_change(
    space: Path, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = opened(view="k0")
    monkeypatch.setenv(READ_ONLY, "1")
    app = opened(view="k0")
    assert not app.text_input
    assert not app.text_area
    allowed = {"story-play", "story-open", *(f"view-{view.key}" for view in story.views)}
    assert {button.key for button in app.button} <= allowed
    # A page that was opened before is refused where it writes.
    edited.button(key="story-delete-view").click().run()
    assert not edited.exception
    assert REFUSED[5:30] in edited.error[0].value
    assert titles(space) == ["one", "two", "three"]
