"""The wheel in an environment of its own, as a stranger has it: no clone, no network, any place."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.core.export.formats import FORMATS
from tests.browser.conftest import MENU, Window, unavailable
from tests.browser.driving import ROOT, served

# Python of an environment that holds the wheel and what it needs; `.ci/run` makes one.
PYTHON = os.environ.get("ORRERY_INSTALLED")
# Message of another project of the same person; it must not appear for Orrery.
SETTINGS = "[browser]\ngatherUsageStats = true\n[client]\ntoolbarMode = 'developer'\n"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PYTHON is None, reason="ORRERY_INSTALLED names no environment"),
]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with settings of its own, and without the clone on the path of modules."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def installed(*arguments: object) -> str:
    """Standard output of a Python of the installed environment."""
    command = [str(PYTHON), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_name_in_site_packages(elsewhere: Path) -> None:
    code = (
        "import json, orrery, importlib.metadata as m\n"
        "names = {file.parts[0] for file in m.files('orrery') if file.parts[0] != '..'}\n"
        "print(json.dumps([orrery.__file__, sorted(names), m.version('orrery')]))"
    )
    place, names, version = json.loads(installed("-c", code))
    assert ROOT not in Path(place).parents
    assert names == ["orrery", f"orrery-{version}.dist-info"]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_export_of_the_sample(elsewhere: Path, kind: str) -> None:
    code = "from importlib.resources import files; print(files('orrery.sample_data') / 'run')"
    run = installed("-c", code).strip()
    out = elsewhere / f"sample{FORMATS[kind].extension}"
    installed("-m", "orrery", "export", run, "--format", kind, "--out", out)
    assert out.stat().st_size > 1_000


def test_the_demo_answers_a_query(elsewhere: Path, open_browser) -> None:
    if not Path(str(PYTHON)).is_file():
        unavailable(f"ORRERY_INSTALLED is {PYTHON}, which is no Python")
    window: Window = open_browser()
    with served("demo", elsewhere / "workspace", str(PYTHON)) as url:
        window.page.goto(f"{url}/query?q=star+orbit")
        window.wait_until_still()
        window.page.get_by_text("orbit").first.wait_for()
        expect(window.page.locator('[data-testid="stException"]')).to_have_count(0)
        assert window.menu() == MENU
        window.close()
