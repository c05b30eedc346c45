"""A guidance file is TOML, and anything else is reported in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.storage.graphs import read_guidance, write_guidance
from orrery.core.structure.guidance import guidance_from_values
from orrery.core.utils.errors import InputError
from tests.core.data.test_limits import linux_only

RULES = """
# A comment.
must_link = [["guitar", "drum"]]
cannot_link = [["star", "bread"]]
frozen = [["space", "orbit"], ["space", "rocket", 2]]
forbidden = [["L1.1", "star"]]

[seeds]
space = ["orbit", "rocket"]
"ice and snow" = ["cold"]
"""


def test_a_file_of_all_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(RULES, encoding="utf-8-sig")
    guidance = read_guidance(path)
    assert guidance.seeds == (("space", ("orbit", "rocket")), ("ice and snow", ("cold",)))
    assert guidance.must_link == (("guitar", "drum"),)
    assert guidance.cannot_link == (("star", "bread"),)
    assert guidance.frozen == (("space", "orbit", None), ("space", "rocket", 2.0))
    assert guidance.forbidden == (("L1.1", "star"),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = 1\n= 2", r"rules\.toml is not TOML: .*line 2"),
        (b"a = 1\na = 2", r"rules\.toml is not TOML"),
        (b"a = 1" + b"0" * 5000, r"rules\.toml contains too large a number"),
        (b"a = " + b"[" * 5000, r"rules\.toml contains too large a number"),
        (bytes(range(256)), r"rules\.toml"),
        (b"seed = 1", r"rules\.toml: there is no rule 'seed'"),
        (b'must_link = [["a", "b"]]\ncannot_link = [["a", "b"]]', r"rules\.toml: cannot_link 1"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_guidance(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "nix.toml", "there is no file"), (tmp_path, "is a folder")):
        with pytest.raises(InputError, match=message):
            read_guidance(path)


@linux_only
def test_only_a_regular_file_is_opened() -> None:
    with pytest.raises(InputError, match="is a pipe, a socket or a device"):
        read_guidance(Path(os.devnull))


NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
PAIR = st.lists(NAME, min_size=2, max_size=2, unique_by=str.strip)


@given(
    st.dictionaries(NAME.filter(lambda name: ":" not in name), PAIR, max_size=3),
    st.lists(PAIR, max_size=2, unique_by=tuple),
    st.floats(1e-9, 30.0),
)
def test_what_is_written_is_read_as_the_same(
    tmp_path_factory: pytest.TempPathFactory, seeds, groups, weight
) -> None:
    seeds = {name.strip(): words for name, words in seeds.items()}
    frozen = [["a topic of none", word, weight] for word in ("one", "two \x7f")]
    guidance = guidance_from_values({"seeds": seeds, "must_link": groups, "frozen": frozen})
    path = tmp_path_factory.mktemp("rules") / "rules.toml"
    write_guidance(path, guidance)
    assert read_guidance(path) == guidance
