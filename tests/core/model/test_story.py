"""A story is an order of views: whatever is done to it, no view is lost but the one deleted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.story import MAX_NOTE, MAX_TITLE, KeptView, Story, one_line, plain_note
from orrery.core.utils.errors import InputError

HOSTILE = '<img src=x onerror="alert(1)"> **bold** $x$ :red[a] ![](http://x) \u202e</script>'


def reported(count: int) -> Story:
    views = (KeptView(f"k{number}", "query", (("q", "a"),), "t") for number in range(count))
    return Story("s", "A story", "corpus", "run", tuple(views))


def keys(story: Story) -> list[str]:
    return [view.key for view in story.views]


@given(st.integers(1, 8), st.data())
def test_a_moved_view_is_where_it_was_put_and_the_others_keep_their_order(
    count: int, data: st.DataObject
) -> None:
    story = reported(count)
    key = data.draw(st.sampled_from(keys(story)))
    place = data.draw(st.integers(-3, count + 3))
    moved = story.moved(key, place)
    assert keys(moved)[min(max(place, 0), count - 1)] == key
    assert [k for k in keys(moved) if k != key] == [k for k in keys(story) if k != key]


@given(st.integers(1, 8), st.data())
def test_what_was_deleted_and_put_back_is_as_before(count: int, data: st.DataObject) -> None:
    story = reported(count)
    view = data.draw(st.sampled_from(story.views))
    place = story.place_of(view.key)
    assert view.key not in keys(story.without(view.key))
    assert story.without(view.key).with_view(view, place) == story


def test_a_view_that_is_gone_is_a_sentence() -> None:
    for change in (
        lambda: reported(2).without("gone"),
        lambda: reported(2).moved("gone", 0),
        lambda: reported(2).with_texts("gone", "a", "b"),
    ):
        with pytest.raises(InputError, match="this view is gone"):
            change()


@given(st.text(max_size=60))
def test_a_title_is_one_line_and_a_note_is_the_typed_text_without_invisible_characters(
    text: str,
) -> None:
    note = plain_note(text)
    assert plain_note(note) == note
    assert all(line.isprintable() for line in note.split("\n") if line.strip())
    note.encode("utf-8")
    try:
        line = one_line(text)
    except InputError:
        assert not "".join(sign for sign in text if sign.isprintable()).strip()
        return
    assert line.isprintable()
    assert one_line(line) == line


def test_markup_stays_as_typed_and_lengths_are_refused_by_their_figures() -> None:
    plain = HOSTILE.replace("\u202e", "")
    assert one_line(HOSTILE) == plain_note(HOSTILE) == plain
    assert len(plain_note("x" * MAX_NOTE)) == MAX_NOTE
    with pytest.raises(InputError, match="10,001 characters"):
        plain_note("x" * (MAX_NOTE + 1))
    with pytest.raises(InputError, match="201 characters"):
        one_line("x" * (MAX_TITLE + 1))
    with pytest.raises(InputError, match="give it a title"):
        reported(1).with_texts("k0", " \n", "note")


def test_lines_of_a_note_stay_lines() -> None:
    assert plain_note("one\r\ntwo\rthree\u2028four\n\n") == "one\ntwo\nthree\nfour"
