"""The form of guidance: what is typed becomes rules, and what is wrong is one sentence."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.views.train.guidance import FIELDS, read_fields, summary
from orrery.core.structure.guidance import Guidance
from orrery.core.utils.errors import InputError

WORDS = {word: number for number, word in enumerate(["orbit", "rocket", "bread", "solar_system"])}
NAMES = (WORDS, ["L1.1", "L1.2", "L2.1"])


def test_every_field_becomes_its_rule() -> None:
    typed = {
        "seeds": "space: orbit, rocket\n\n  food : bread ",
        "must_link": "orbit, solar system",
        "cannot_link": "orbit,bread",
        "frozen": "space > orbit = 1.5\nL2.1 -> L1.1",
        "forbidden": "food→rocket",
    }
    assert read_fields(typed, *NAMES) == Guidance(
        seeds=(("space", ("orbit", "rocket")), ("food", ("bread",))),
        must_link=(("orbit", "solar system"),),
        cannot_link=(("orbit", "bread"),),
        frozen=(("space", "orbit", 1.5), ("L2.1", "L1.1", None)),
        forbidden=(("food", "rocket"),),
    )


@pytest.mark.parametrize("typed", [{}, dict.fromkeys(FIELDS, " \n\t\n")])
def test_nothing_typed_is_no_guidance(typed: dict[str, str]) -> None:
    assert read_fields(typed, *NAMES) is None


@pytest.mark.parametrize(
    ("field", "text", "shown_text"),
    [
        ("seeds", "orbit, rocket", "write it as 'space: orbit, rocket'"),
        ("seeds", "space: comet", "no word of the vocabulary"),
        ("seeds", "a: orbit\na: bread", "'a' in two lines"),
        ("must_link", "orbit", "expected at least 2"),
        ("cannot_link", "orbit, bread, rocket", "expected two"),
        ("frozen", "L1.1 orbit", "'space > oven'"),
        ("frozen", "L1.1 > orbit = much", "'space > orbit = 1.5'"),
        ("frozen", "L1.1 > orbit = -1", "above 0"),
        ("frozen", "L1.9 > orbit", "'L1.9', but there is no such topic"),
        ("forbidden", "L1.1 > comet", "'comet', but there is no such topic or word"),
        ("forbidden", "L1.1 > orbit\nL1.1 > orbit", "repeats"),
    ],
)
def test_what_is_wrong_is_one_sentence(field: str, text: str, shown_text: str) -> None:
    with pytest.raises(InputError, match=r"^[^\n]+$") as caught:
        read_fields({field: text}, *NAMES)
    assert shown_text in str(caught.value)


def test_rules_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InputError, match="remove one of the rules"):
        read_fields({"seeds": "space: orbit, bread", "cannot_link": "orbit, bread"}, *NAMES)


def test_where_the_topics_are_not_known_the_process_looks_them_up() -> None:
    guidance = read_fields({"frozen": "L1.9 > orbit"}, WORDS, None)
    assert guidance is not None


@given(st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=30)))
def test_whatever_is_typed_is_guidance_or_one_sentence(typed: dict[str, str]) -> None:
    with contextlib.suppress(InputError):
        guidance = read_fields(typed, *NAMES)
        assert guidance is None or summary(guidance).endswith(".")


def test_the_summary_counts_the_rules() -> None:
    guidance = Guidance(
        seeds=(("a", ("orbit",)),), cannot_link=(("orbit", "bread"), ("orbit", "rocket"))
    )
    shown_text = "1 seeded topic and 2 pairs kept apart; the rules do not contradict each other."
    assert summary(guidance) == shown_text
