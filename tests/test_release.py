"""A release is the same to the byte each time, and lists all packages that it needs."""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

pytest.importorskip("packaging")
_spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
release = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(release)

# Half a minute; a step of .ci/run.
NEEDS_BUILD = pytest.mark.skipif(
    os.environ.get("ORRERY_RELEASE") != "required", reason="ORRERY_RELEASE=required builds twice"
)


def archived(modified: int, names: list[str], mode: int, owner: str) -> bytes:
    """A source distribution of some files."""
    packed = io.BytesIO()
    with gzip.open(packed, "wb") as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(name), modified, mode
            member.uname, member.uid = owner, len(owner)
            archive.addfile(member, io.BytesIO(name.encode()))
    return packed.getvalue()


def test_an_archive_does_not_depend_on_times_owners_and_order() -> None:
    one = release.repacked(archived(1_600_000_000, ["b", "a"], 0o664, "me"), 1_700_000_000)
    other = release.repacked(archived(1_650_000_000, ["a", "b"], 0o600, "other"), 1_700_000_000)
    assert one == other
    with tarfile.open(fileobj=io.BytesIO(one)) as archive:
        members = archive.getmembers()
        assert [member.name for member in members] == ["a", "b"]
        assert {(member.mtime, member.mode, member.uid) for member in members} == {
            (1_700_000_000, 0o644, 0)
        }
        assert archive.extractfile("b").read() == b"b"


@NEEDS_BUILD
def test_two_builds_are_the_same_to_the_byte(tmp_path: Path, record_property: Any) -> None:
    """In clones with other folders, file times and umask."""
    digests = []
    for place, umask in (("a", 0o022), ("longer/b", 0o077)):
        clone = tmp_path / place / "orrery"
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
        os.utime(clone / "core" / "__init__.py", (1_500_000_000, 1_500_000_000))
        out = tmp_path / place / "dist"
        command = [sys.executable, clone / ".ci" / "release.py", "build", out]
        subprocess.run(command, check=True, umask=umask, capture_output=True)
        digests.append({one.name: sha256(one.read_bytes()).hexdigest() for one in out.iterdir()})
    assert digests[0] == digests[1]
    assert {"".join(Path(name).suffixes[-2:]) for name in digests[0]} >= {".tar.gz", ".cdx.json"}
    [wheel] = (tmp_path / "a" / "dist").glob("*.whl")
    [bom] = (tmp_path / "a" / "dist").glob("*.cdx.json")
    own = json.loads(bom.read_text())["metadata"]["component"]
    assert own["hashes"] == [{"alg": "SHA-256", "content": digests[0][wheel.name]}]
    with zipfile.ZipFile(wheel) as content:
        assert "orrery/assets/app/token.html" in content.namelist()
        assert len({entry.date_time for entry in content.infolist()}) == 1
    for name, digest in digests[0].items():
        record_property(name, digest)


def test_the_sbom_lists_every_package_once() -> None:
    bom = release.sbom("1.0", b"wheel", 1_700_000_000)
    assert bom == release.sbom("1.0", b"wheel", 1_700_000_000)
    refs = [component["bom-ref"] for component in bom["components"]]
    assert len(refs) == len(set(refs)) > 40
    own = bom["metadata"]["component"]["bom-ref"]
    assert {edge["ref"] for edge in bom["dependencies"]} == {*refs, own}
    assert {other for edge in bom["dependencies"] for other in edge["dependsOn"]} == set(refs)
    for component in bom["components"]:
        assert component["version"] == distribution(component["name"]).version
        assert component["licenses"], component["name"]
    assert bom["serialNumber"] != release.sbom("1.0", b"other", 1_700_000_000)["serialNumber"]


def test_every_package_has_a_licence_on_the_page() -> None:
    page = release.LICENCES.read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| ([\w.-]+) \| [^|]+ \| ([^|]+) \|$", page, flags=re.MULTILINE))
    packages, missing = release.found(release.PROJECT["dependencies"])
    assert missing == []
    # Other versions of them may need fewer packages, or others on another system.
    direct = {
        release.canonicalize_name(release.Requirement(text).name)
        for text in release.PROJECT["dependencies"]
    }
    assert {packages[name].metadata["Name"] for name in direct} <= listed.keys()
    assert "not stated" not in listed.values()


class Package:
    """Stands in for an installed package."""

    def __init__(self, *fields: tuple[str, str]) -> None:
        self.metadata = Message()
        for name, value in fields:
            self.metadata[name] = value


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ([("License-Expression", "MIT"), ("License", "other")], "MIT"),
        ([("License", "BSD")], "BSD"),
        ([("License", "UNKNOWN"), ("Classifier", "License :: OSI Approved :: BSD")], "BSD"),
        ([("License", "Copyright\nAll rights"), ("Classifier", "License :: X")], "X"),
        ([("License", "Copyright\nAll rights")], "Copyright"),
        ([], ""),
    ],
)
def test_the_licence_of_a_package(fields: list[tuple[str, str]], expected: str) -> None:
    assert release.licence(Package(*fields)) == expected
