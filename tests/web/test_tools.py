"""The configuration of the tools that check JavaScript."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TESTS = "tests/web/*.js"
UNCHECKED = "tests/web/unchecked.txt"


def read_json(name: str) -> Any:
    """A file of JSON, which may have lines of comment."""
    return json.loads(re.sub(r"^\s*//.*$", "", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE))


def test_types_and_style_are_checked_of_the_same_files() -> None:
    files = read_json("tsconfig.json")["include"]
    assert read_json("biome.json")["files"]["includes"] == [*files, TESTS]
    assert [pattern for pattern in files if not list(ROOT.glob(pattern))] == []


def test_every_file_is_listed_as_checked_or_as_unchecked() -> None:
    checked = {path for pattern in read_json("tsconfig.json")["include"] for path in ROOT.glob(pattern)}
    unchecked = [ROOT / name for name in (ROOT / UNCHECKED).read_text("utf-8").splitlines()]
    found = set((ROOT / "src").rglob("*.js"))
    assert found - checked - set(unchecked) == set(), "add them to tsconfig.json and biome.json"
    assert set(unchecked) <= found - checked, f"{UNCHECKED} names files that are checked, or not there"
    assert len(unchecked) == len(set(unchecked))


def test_no_file_that_is_listed_turns_the_check_off() -> None:
    paths = [path for pattern in read_json("biome.json")["files"]["includes"] for path in ROOT.glob(pattern)]
    assert [path.name for path in paths if re.search(r"@ts-(nocheck|ignore)", path.read_text("utf-8"))] == []


@pytest.mark.parametrize("name", ["package.json", "package-lock.json", ".npmrc"])
def test_packages_are_pinned_without_addresses(name: str) -> None:
    assert "://" not in (ROOT / name).read_text("utf-8")


def test_every_package_has_an_exact_version_and_a_checksum() -> None:
    wanted = read_json("package.json")["devDependencies"]
    packages = {path: one for path, one in read_json("package-lock.json")["packages"].items() if path}
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [path for path, one in packages.items() if not one.get("integrity", "").startswith("sha512-")] == []
