"""Numbers have the known digits, and their text and spoken form agree."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.app.shared.strings import margin, score_percent
from orrery.app.text.strings import number
from orrery.core.drawing.strings import figures, percent


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0, "0.00"),
        (1e-9, "<0.01"),
        (0.0051, "0.01"),
        (0.974, "0.97"),
        (0.9951, ">0.99"),
        (1, "1.00"),
    ],
)
def test_figures(probability, text):
    assert figures(probability) == text


@given(st.floats(0, 1), st.floats(0, 0.2))
@example(1.0, 0.005)
@example(0.0, 0.005)
@example(0.995, 0.0)
@example(0.005, 0.0)
@example(0.95, 0.02)
@example(0.05, 0.02)
def test_figures_state_no_more_than_is_known(probability, error):
    text = figures(probability, error)
    digits = text.partition(".")[2]
    assert len(digits) == (2 if error <= 0.01 else 1)
    value = float(text.lstrip("<>"))
    if text.startswith(">"):
        assert probability - 2 * error > value
    elif text.startswith("<"):
        assert probability + 2 * error < value
    else:
        assert abs(probability - value) <= 10.0 ** -len(digits) + 1e-9
    # Nothing that is not sure reads as sure.
    assert (value in (0, 1)) == (probability in (0, 1) and error == 0)


@given(st.floats(0, 0.2))
def test_the_margin_covers_two_errors_and_is_never_none(error):
    assert float(margin(error)) >= max(2 * error, 0.01) - 1e-9
    assert float(margin(error)) <= 2 * error + 0.0101


@pytest.mark.parametrize(
    ("value", "text"),
    [(-45.24, "−45.2"), (-1234.5, "−1,234"), (-0.01234, "−0.0123"), (-7.0, "−7.00"), (100, "100")],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.0, "0 %"), (0.0004, "<0.1 %"), (0.004, "0.4 %"), (0.126, "13 %"), (1.0, "100 %")],
)
def test_per_cent_has_two_digits(probability: float, text: str) -> None:
    assert percent(probability) == text.replace(" ", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize(("share", "text"), [(0.12345, "12.3 %"), (0.00123, "0.123 %"), (0, "0 %")])
def test_scores_have_three_digits(share: float, text: str) -> None:
    assert score_percent(share) == text.replace(" ", "\N{NO-BREAK SPACE}")
