"""Texts of drawings are cut to their room, and stay text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.charts.group_pictures import Sheet, cut, width_of

SIZES = st.floats(8, 20)


@given(st.text(max_size=60), st.floats(0, 400), SIZES)
def test_a_cut_text_has_room_and_one_that_fits_is_whole(
    text: str, room: float, size: float
) -> None:
    short = cut(text, room, size)
    if width_of(text, size) <= room:
        assert short == text
    else:
        assert short.endswith("…")
        assert short == "…" or width_of(short, size) <= room
        assert text.startswith(short[:-1])


@given(st.text(), st.text())
def test_any_text_is_xml_and_no_part_of_it(text: str, description: str) -> None:
    sheet = Sheet(100.0)
    sheet.text((0.0, 0.0), text, room=50.0)
    sheet.rectangle((0.0, 0.0), (1.0, 1.0), 'fill="red"', text)
    drawing = ET.fromstring(sheet.svg(10.0, f"{description}\"'<"))
    tags = [part.tag.partition("}")[2] for part in drawing]
    assert tags == ["style", "text", "rect"]
