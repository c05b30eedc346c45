"""Build the wheel and the source distribution, and list the licences of all dependencies.

    python .ci/release.py build DIST     # wheel, source distribution, and SBOM of the last commit
    python .ci/release.py licences       # write LICENCES.md anew, from the packages of this Python

Two builds of one commit by the same versions of Python and setuptools are the same to the byte.
The files are taken from git, so changes that are not committed are not built, and neither clock,
umask nor folder matters. The SBOM (CycloneDX 1.6) and the licences are read from the metadata of
installed packages, without a network.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LICENCES = ROOT / "LICENCES.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Extras for people who use Orrery; the others are for its developers.
EXTRAS = ("distributed", "lemmas", "segmentation", "vectors", "peers")
# A longer text in the field License is the licence itself, not its name.
MAX_LICENCE_NAME = 60
HEAD = """# Licences of the dependencies

Packages that are installed with Orrery, and those that they need, with the licence that each states
in its metadata. Orrery contains no code of them. `python .ci/release.py licences` makes this page.
"""


def main(arguments: list[str]) -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(prog="python .ci/release.py")
    commands = parser.add_subparsers(dest="command", required=True)
    build_parser = commands.add_parser("build", help="wheel, source distribution, and SBOM")
    build_parser.add_argument("folder", type=Path, metavar="DIST")
    commands.add_parser("licences", help="write LICENCES.md")
    chosen = parser.parse_args(arguments)
    if chosen.command == "licences":
        LICENCES.write_text(licences_page(), encoding="utf-8")
        return
    for path in build(chosen.folder):
        sys.stdout.write(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")


def build(folder: Path) -> list[Path]:
    """Build the last commit; the paths of wheel, source distribution and SBOM."""
    folder.mkdir(parents=True, exist_ok=True)
    seconds = int(_git("log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch, "source"), Path(scratch, "made")
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        subprocess.run(
            [sys.executable, "-m", "build", "--no-isolation", "--outdir", made, source],
            check=True,
            stdout=subprocess.DEVNULL,
            # Files that setuptools writes have the modes of the umask in the wheel.
            umask=0o022,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"},
        )
        [wheel] = made.glob("*.whl")
        [sdist] = made.glob("*.tar.gz")
        version = wheel.name.split("-")[1]
        files = {
            wheel.name: wheel.read_bytes(),
            sdist.name: repacked(sdist.read_bytes(), seconds),
        }
    bom = sbom(version, files[wheel.name], seconds)
    files[f"orrery-{version}.cdx.json"] = (json.dumps(bom, indent=1) + "\n").encode()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def repacked(archive: bytes, seconds: int) -> bytes:
    """Return a ``.tar.gz`` with sorted members of one time and owner."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as old,
        gzip.GzipFile("", "wb", mtime=seconds, fileobj=packed) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            is_program = member.isdir() or member.mode & 0o100
            member.mtime, member.mode = seconds, 0o755 if is_program else 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    return packed.getvalue()


def found(requirements: Iterable[str]) -> tuple[dict[str, Distribution], list[str]]:
    """Installed packages that requirements need, by name, and names of missing ones."""
    packages: dict[str, Distribution] = {}
    missing: set[str] = set()
    seen: set[str] = set()
    waiting = list(requirements)
    while waiting:
        text = waiting.pop()
        if text in seen:
            continue
        seen.add(text)
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        try:
            packages[name] = distribution(requirement.name)
        except PackageNotFoundError:
            missing.add(name)
            continue
        waiting += needed(packages[name], requirement.extras)
    return dict(sorted(packages.items())), sorted(missing)


def needed(package: Distribution, extras: Iterable[str] = ()) -> list[str]:
    """Requirements of a package on this machine, without their markers."""
    environments = [default_environment() | {"extra": extra} for extra in ("", *extras)]
    chosen = []
    for requirement in map(Requirement, package.requires or ()):
        marker = requirement.marker
        if marker is None or any(marker.evaluate(values) for values in environments):
            requirement.marker = None
            chosen.append(str(requirement))
    return chosen


def licence(package: Distribution) -> str:
    """Licence that a package states: an SPDX expression, or a name; "" if it states none."""
    metadata = package.metadata
    name = metadata.get("License-Expression") or metadata.get("License") or ""
    lines = [line.strip() for line in name.splitlines() if line.strip()]
    if len(lines) == 1 and len(lines[0]) <= MAX_LICENCE_NAME and lines[0] != "UNKNOWN":
        return lines[0]
    classifiers = metadata.get_all("Classifier") or []
    stated = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    return ", ".join(stated) or (lines[0][:MAX_LICENCE_NAME] if lines else "")


def licences_page() -> str:
    """Markdown of the licences of all dependencies."""
    base, missing = found(PROJECT["dependencies"])
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)}; run pip install -e . first")
    parts = [HEAD, _table(base)]
    absent = []
    for extra in EXTRAS:
        packages, missing = found(PROJECT["optional-dependencies"][extra])
        further = {name: packages[name] for name in packages if name not in base}
        absent += missing
        if further:
            parts += [f"## With the extra `{extra}`\n", _table(further)]
    if absent:
        parts.append(f"Not installed where this page was made: {', '.join(sorted(set(absent)))}.\n")
    return "\n".join(parts)


def _table(packages: dict[str, Distribution]) -> str:
    rows = [
        f"| {package.metadata['Name']} | {package.version} | {licence(package) or 'not stated'} |"
        for package in packages.values()
    ]
    return "\n".join(["| package | version | licence |", "|---|---|---|", *rows, ""])


def sbom(version: str, wheel: bytes, seconds: int) -> dict[str, Any]:
    """Return the SBOM of a wheel with the packages that this Python has for it."""
    packages, missing = found(PROJECT["dependencies"])
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)}; run pip install -e . first")
    refs = {name: f"pkg:pypi/{name}@{package.version}" for name, package in packages.items()}
    own = f"pkg:pypi/orrery@{version}"
    direct = [canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]]
    edges = {own: sorted({refs[name] for name in direct})}
    for name, package in packages.items():
        names = {canonicalize_name(Requirement(text).name) for text in needed(package)}
        edges[refs[name]] = sorted(refs[other] for other in names & refs.keys())
    digest = hashlib.sha256(wheel).hexdigest()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([digest, edges]))}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).isoformat(),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "orrery",
                "version": version,
                "purl": own,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "licenses": [{"expression": PROJECT["license"]}],
            },
        },
        "components": [_component(refs[name], package) for name, package in packages.items()],
        "dependencies": [{"ref": ref, "dependsOn": others} for ref, others in edges.items()],
    }


def _component(ref: str, package: Distribution) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": ref,
        "name": package.metadata["Name"],
        "version": package.version,
        "purl": ref,
    }
    if expression := package.metadata.get("License-Expression"):
        component["licenses"] = [{"expression": expression}]
    elif name := licence(package):
        component["licenses"] = [{"license": {"name": name}}]
    return component


if __name__ == "__main__":
    main(sys.argv[1:])
