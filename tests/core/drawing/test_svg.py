"""The drawing of a picture: well formed, with every box and arrow, and text that stays text."""

import xml.etree.ElementTree as ET

import pytest

from orrery.core.drawing.neighbourhood import Around, neighbourhood_picture
from orrery.core.drawing.picture import canvas_data
from orrery.core.drawing.style import THEMES
from orrery.core.drawing.svg import picture_svg
from tests.app.toy import large_run, toy_run

SVG = "{http://www.w3.org/2000/svg}"


def drawn(run, topic, theme="light"):
    canvas = canvas_data(neighbourhood_picture(run, Around(topic, 0.0)))
    return canvas, ET.fromstring(picture_svg(canvas, theme))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("run", [toy_run(), large_run(50, 200, 0)], ids=["toy", "large"])
def test_every_box_and_arrow_is_drawn_inside_the_sheet(run, theme):
    canvas, sheet = drawn(run, 4, theme)
    left, top, wide, tall = map(float, sheet.get("viewBox").split())
    boxes = sheet.findall(f"{SVG}g/{SVG}rect")
    assert len(boxes) == len(canvas["nodes"])
    assert len(sheet.findall(f"{SVG}g[@class='edge']/{SVG}path")) == 2 * len(canvas["edges"])
    for box, node in zip(boxes, canvas["nodes"], strict=True):
        x, y = float(box.get("x")), float(box.get("y"))
        assert left <= x <= x + float(box.get("width")) <= left + wide
        assert top <= y <= y + float(box.get("height")) <= top + tall
        assert box.get("fill") == node["paint"][theme][0]


def test_labels_stay_text():
    canvas, sheet = drawn(toy_run(), 4)
    written = {"".join(text.itertext()) for text in sheet.iter(f"{SVG}text")}
    assert "<img src=x onerror=alert(1)>" in written
    assert {line for node in canvas["nodes"] for line in node["lines"]} <= written
    assert not list(sheet.iter(f"{SVG}img"))


def test_an_id_that_is_shown_is_written():
    canvas, sheet = drawn(toy_run(), 5)
    feet = {part.text for part in sheet.iter(f"{SVG}tspan")}
    assert {node["code"] for node in canvas["nodes"] if node["code"]} == feet
