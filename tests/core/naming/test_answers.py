"""Names are found in any answer of a language model, and the rest is reported."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.naming.language_model import AGAIN, NO_NAME, UNKNOWN, read_answer

IDS = ("L1.3", "L1.30", "L2.1", "a: b", "space", "1", "10", "größe z")
# Names as people would have them: they end in letters, and hold what could be a separator.
NAME = st.from_regex(r"\A[A-Za-zé日][a-z ,:;|'&<>=-]{0,10}[A-Za-zé日]\Z").map(
    lambda text: " ".join(text.split())
)
NAMES = st.dictionaries(st.sampled_from(IDS), NAME, min_size=1)


def lines(names: dict[str, str]) -> str:
    return "\n".join(f"{topic}: {name}" for topic, name in names.items())


def bullets(names: dict[str, str]) -> str:
    return "Sure\n\n" + "\n".join(f"- **{topic}**: {name}" for topic, name in names.items())


def as_json(names: dict[str, str]) -> str:
    return f"Here you are:\n```json\n{json.dumps(names, indent=1)}\n```\nAnything else?"


def as_objects(names: dict[str, str]) -> str:
    return json.dumps({"topics": [{"id": t, "name": n, "why": "…"} for t, n in names.items()]})


def json_lines(names: dict[str, str]) -> str:
    return "\n".join(json.dumps({"id": topic, "label": name}) for topic, name in names.items())


def markdown(names: dict[str, str]) -> str:
    rows = [f"| {t} | w, x | {n.replace('|', chr(92) + '|')} |" for t, n in names.items()]
    return "\n".join(["| ID | Words | Name |", "|---|:-:|---|", *rows])


def as_csv(names: dict[str, str]) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([("id", "name"), *names.items()])
    return out.getvalue()


@pytest.mark.parametrize(
    "reported", [lines, bullets, as_json, as_objects, json_lines, markdown, as_csv]
)
@given(NAMES)
def test_names_are_found_in_every_form(reported, names: dict[str, str]) -> None:
    answer = read_answer(reported(names), IDS)
    assert answer.names == names
    assert {miss.reason for miss in answer.misses} <= {UNKNOWN}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("L9: Nothing", UNKNOWN),
        ("Here are the names", UNKNOWN),
        ("L1.3:", NO_NAME),
        ("L1.3: First\nL1.3: Second", AGAIN),
        ("L1.3: " + "x" * 300, "the name has 300 characters; shorten it to 120 or fewer"),
        ("L1.3: " + "x" * 10_000, UNKNOWN),
        ("L1.3: left\u202eright", "the name holds a sign that cannot be shown; leave it out"),
        ('{"L1.3": "A", "L7": "B"}', UNKNOWN),
    ],
)
def test_what_is_not_understood_is_reported_with_its_line(text: str, reason: str) -> None:
    (miss,) = read_answer(text, IDS).misses
    assert miss.reason == reason
    assert miss.line == (0 if text.startswith("{") else text.count("\n") + 1)


@pytest.mark.parametrize(
    ("text", "topic", "name"),
    [
        ("1. L1.3: Salt", "L1.3", "Salt"),
        ("1: Salt", "1", "Salt"),
        ("Topic L1.3 – “Salt and sea”", "L1.3", "Salt and sea"),
        ("id: L1.3: Salt", "L1.3", "Salt"),
        ("`L1.3` -> *Salt*", "L1.3", "Salt"),
        ('  "L1.3": "Salt",', "L1.3", "Salt"),
        ("L1.3, Salt, pepper", "L1.3", "Salt, pepper"),
        ("id,name\nL1.3,Salt, pepper", "L1.3", "Salt, pepper"),
        ("L1.3: <b>Salt</b> [a](javascript:b)", "L1.3", "<b>Salt</b> [a](javascript:b)"),
        ("L1.3: L2.1", "L1.3", "L2.1"),
    ],
)
def test_forms_of_a_line(text: str, topic: str, name: str) -> None:
    assert read_answer(text, IDS).names == {topic: name}


@pytest.mark.parametrize("between", [":", ";", "\t", ","])
def test_of_several_ids_at_the_beginning_of_a_line_the_longest_is_named(between: str) -> None:
    text = f"Politics, US{between} American government\nPolitics{between} Other"
    names = {"Politics, US": "American government", "Politics": "Other"}
    assert read_answer(text, names).names == names


@pytest.mark.parametrize(
    "text",
    [
        '[{"topic_id": "L1.3", "name": "Salt"}, {"id": 1, "topic_name": "Sea"}]',
        '{"L1.3": {"topic_name": "Salt"}, "topics": [{"topic": 1, "name": "Sea"}]}',
        "topic_id,topic_name\nL1.3,Salt\n1,Sea",
    ],
)
def test_columns_with_underscores_and_numbers_as_ids_are_read(text: str) -> None:
    assert read_answer(text, IDS).names == {"L1.3": "Salt", "1": "Sea"}
    assert read_answer('{"id": true, "name": "Salt"}', ("True", "1")).names == {}


@given(st.text(max_size=80) | st.text(st.sampled_from('[{"L1.3:,|\n-}]'), max_size=60))
def test_any_text_is_answered(text: str) -> None:
    for topic, name in read_answer(text, IDS).names.items():
        assert topic in IDS
        assert name
        assert name.isprintable()


def test_brackets_without_end_are_no_names() -> None:
    assert read_answer("[" * 100_000 + "]", IDS).names == {}


def test_long_lines_of_spaces_are_passed_over_at_once() -> None:
    """Searched for what stands between an id and its name, each takes as long as it is wide."""
    assert read_answer(f"{' ' * 1_990}x\n" * 400 + "L1.3 : Salt", IDS).names == {"L1.3": "Salt"}
