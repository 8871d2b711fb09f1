"""What Affordance brings along: licences, reasons, the list of software, and what the changelog says of the version."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import affordance
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\| *([^|]+?) *\|(?: *([^|]+?) *\|)?$", re.MULTILINE)
COPYLEFT = re.compile(r"\bA?GPL|GNU (Affero )?General Public", re.IGNORECASE)


def run(script: str, *arguments: str) -> None:
    command = [sys.executable, str(ROOT / "scripts" / script), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def installed(runtime: Path) -> dict[str, str]:
    """The version of each package."""
    (site,) = runtime.glob("lib/python3*/site-packages")
    return {canonicalize_name(one.name): one.version for one in distributions(path=[str(site)])}


def required() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {canonicalize_name(Requirement(one).name) for one in project["dependencies"]}


@pytest.mark.long
def test_licences_are_told_as_they_are_and_none_is_the_gpl(runtime: Path, tmp_path: Path) -> None:
    run("make-licences.py", str(runtime), str(tmp_path / "licences.md"))
    made = ROW.findall((tmp_path / "licences.md").read_text("utf-8"))[2:]
    assert {name: version for name, version, _, _ in made} == installed(runtime)
    written = ROW.findall((ROOT / "docs" / "licences.md").read_text("utf-8"))
    assert [row for row in made if row not in written] == [], "make licences"
    assert [row for row in made if COPYLEFT.search(row[2]) or row[2] in ("", "unknown")] == []
    assert {name for name, _, _, by in made if by.split(", ")[0] == "Affordance"} >= required()
    assert all(by for *_, by in made), "nothing is there that nobody needs"


def test_every_required_package_has_a_reason() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8").partition("\nExtras:")[0]
    reasons = {canonicalize_name(name.split(" (")[0]): (licence, why) for name, licence, why, _ in ROW.findall(text)}
    assert required() == reasons.keys() - {"package", "-"}
    assert [name for name, (licence, why) in reasons.items() if COPYLEFT.search(licence) or not why] == []


@pytest.mark.long
def test_the_list_of_software_is_whole_and_the_same_each_time(runtime: Path, tmp_path: Path) -> None:
    for name in ("one.json", "other.json"):
        run("make-sbom.py", str(runtime), str(tmp_path / name))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()
    text = (tmp_path / "one.json").read_text("utf-8")
    found = json.loads(text)
    assert (found["bomFormat"], found["metadata"]["component"]["name"]) == ("CycloneDX", "affordance")
    assert found["metadata"]["component"]["version"] == affordance.__version__
    assert {canonicalize_name(one["name"]): one["version"] for one in found["components"]} == installed(runtime)
    assert all(one["licenses"] and one["purl"].endswith(f"@{one['version']}") for one in found["components"])
    needed = {one["ref"]: one.get("dependsOn", []) for one in found["dependencies"]}
    assert {canonicalize_name(one.partition("==")[0]) for one in needed["root-component"]} >= required()
    assert "externalReferences" not in text
    assert str(ROOT) not in text


def test_the_changelog_has_an_entry() -> None:
    """For the version, and for what comes next, with something in it."""
    for heading in (f"## {affordance.__version__}", "## Unreleased"):
        _, found, rest = (ROOT / "CHANGELOG.md").read_text("utf-8").partition(f"\n{heading}\n")
        assert found
        assert re.search(r"^- ", rest.partition("\n## ")[0], re.MULTILINE)


def test_the_version_is_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "affordance.__version__"}
