"""References in documents exist: sections, equations, files, links, versions."""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from pathlib import Path

import pytest

from orrery.app.cli.main import build_parser
from orrery.core import __version__

ROOT = Path(__file__).parents[1]
MATH = ROOT / "core" / "kernels" / "MATH.md"
CODE = sorted(
    path
    for folder in ("core", "app", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__)
)
PAGES = [
    ROOT / "README.md",
    ROOT / "core" / "README.md",
    ROOT / "app" / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted((ROOT / "assets" / "guide").glob("*.md")),
    MATH,
]
SECTION = r"§\d+(?:\.\d+)*"
CITED = re.compile(rf"MATH ({SECTION}(?:, {SECTION})*)")
OF_THE_PAPER = re.compile(rf"(?:Ji et al\. 2019,|Ji et al\. \(2019,) ({SECTION})")


def mathematics() -> str:
    return MATH.read_text(encoding="utf-8")


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)


def anchor(heading: str) -> str:
    """The name that a forge gives to a heading."""
    bare = re.sub(r"[`*]|[^\w\s-]", "", heading.lower())
    return bare.strip().replace(" ", "-")


def sections() -> set[str]:
    return {
        f"§{found[1]}"
        for heading in headings(MATH)
        if (found := re.match(r"(\d+(?:\.\d+)*)\.? ", heading))
    }


def numbers_of(cited: str) -> set[int]:
    """Equations of "eq. 9", "eqs 11-12" and the like."""
    first, *last = map(int, re.findall(r"\d+", cited))
    return set(range(first, (last or [first])[0] + 1))


def test_sections_that_code_cites() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {section}"
        for path in CODE
        for cited in CITED.findall(path.read_text(encoding="utf-8"))
        for section in cited.split(", ")
        if section not in sections()
    ]
    assert wrong == []


def test_every_cited_section_names_its_document() -> None:
    """A bare number might be the paper's or ours."""
    wrong = []
    for path in CODE:
        rest = OF_THE_PAPER.sub("", CITED.sub("", path.read_text(encoding="utf-8")))
        wrong += [f"{path.relative_to(ROOT)}: {one}" for one in re.findall(SECTION, rest)]
    assert wrong == []


def test_sections_of_the_paper_have_their_place() -> None:
    table = "\n".join(re.findall(r"^\| §.*$", mathematics(), re.MULTILINE))
    known = set(re.findall(SECTION, table))
    cited = {one for path in CODE for one in OF_THE_PAPER.findall(path.read_text("utf-8"))}
    assert cited - known == set()


def test_equations_that_code_cites_are_written_out() -> None:
    margins = re.findall(r"\s\((\d+(?:, \d+)*)\)$", mathematics(), re.MULTILINE)
    named = re.findall(r"\(eq\. (\d+)", mathematics())
    there = {int(number) for found in (*margins, *named) for number in found.split(", ")}
    cited = set[int]()
    for path in CODE:
        # Numbers after another system's name are of its own paper.
        text = re.sub(r"eq\. \(\d+\.\d+\)", "", path.read_text(encoding="utf-8"))
        for found in re.findall(r"\beqs? ?\.? (\d+(?:[-–]\d+)?)", text):
            cited |= numbers_of(found)
    assert cited
    assert cited - there == set()


def test_functions_that_the_mathematics_names() -> None:
    """``module.function`` in code quotes."""
    wrong = []
    for module, name in re.findall(r"`(\w+)\.([a-z_]\w*|[A-Z_]+)`", mathematics()):
        if name in ("py", "md"):
            continue
        files = [*ROOT.glob(f"core/{module}.py"), *ROOT.glob(f"core/*/{module}.py")]
        pattern = rf"^(?:def {name}\b|class {name}\b|{name}\b)"
        if not any(re.search(pattern, file.read_text("utf-8"), re.MULTILINE) for file in files):
            wrong.append(f"{module}.{name}")
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    rooms = [ROOT / "core", ROOT / "app"]
    inner = [folder for room in rooms for folder in room.iterdir() if folder.is_dir()]
    places = [ROOT, page.parent, *rooms, *inner]
    named = set(re.findall(r"(?<![\w/.-])[\w./]*\w\.(?:py|md|cff|lock)\b", text))
    assert [name for name in sorted(named) if not any((p / name).is_file() for p in places)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    wrong = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, name = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            wrong.append(link)
        elif name and f'<a id="{name}">' not in target.read_text(encoding="utf-8"):
            wrong += [link] * (name not in map(anchor, headings(target)))
    assert wrong == []


def test_functions_on_the_way_of_a_step() -> None:
    """Each line of the two paths names a file of core and its content."""
    way = re.findall(
        r"^    .{23,25} ?(\S+\.py) +(.*)$",
        (ROOT / "core" / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(way) > 20
    wrong = []
    for file, shown_text in way:
        source = (ROOT / "core" / file).read_text(encoding="utf-8")
        names = re.findall(
            r"\b(?:[a-z]+_\w+|[A-Z][a-z]\w+|run|step|train|learn|infer)\b", shown_text
        )
        wrong += [f"{file}: {name}" for name in names if not re.search(rf"\b{name}\b", source)]
    assert wrong == []


@pytest.mark.parametrize("page", ["formats.md", "python.md"])
def test_code_of_the_guide_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each block of code that imports from Orrery, in a folder with a file of posts."""
    bodies = ("space shuttle orbit moon", "guitar drum melody chord", "oven flour butter sugar")
    rows = [f"{number},{bodies[number % 3]}" for number in range(60)]
    (tmp_path / "posts.csv").write_text("\n".join(["id,body", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "assets" / "guide" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^    from orrery import .*\n(?:(?:    .*)?\n)+", text, re.MULTILINE)
    assert blocks
    for block in blocks:
        exec(textwrap.dedent(block), {})
        assert capsys.readouterr().out


def test_commands_in_the_readme_are_understood() -> None:
    """Whole command lines; what they need is not there, so they are not run."""
    pages = [ROOT / "README.md", *(ROOT / "assets" / "guide").glob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    lines = re.findall(r"^    (?:python .* && )?orrery (.+)$", text, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        build_parser().parse_args(shlex.split(line))


def test_versions_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == __version__


def test_the_container_runs_a_command_that_exists() -> None:
    lines = (ROOT / ".ci" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    shown_text = {line.split()[0]: line.partition(" ")[2] for line in lines if line[:1].isupper()}
    program, *arguments = json.loads(shown_text["CMD"])
    assert program == "orrery"
    chosen = build_parser().parse_args(arguments)
    assert str(chosen.port) == shown_text["EXPOSE"]
    assert chosen.address == "0.0.0.0"
    users = [line for line in lines if line.startswith("USER ")]
    assert users == ["USER orrery"]
    assert lines.index(users[0]) < next(n for n, line in enumerate(lines) if line.startswith("CMD"))


def test_a_forge_checks_as_we_do() -> None:
    workflow = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    called = re.findall(r"^ +- run: (\S+)$", workflow, re.MULTILINE)
    assert called == [".ci/run"]
    assert (ROOT / called[0]).stat().st_mode & 0o100
