"""What is released: a wheel that has all it needs, of equal bytes each time, and runs where there is nothing else."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable, Mapping
from configparser import ConfigParser
from email.message import Message
from email.parser import BytesParser
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import affordance
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "affordance"
EPOCH = "1750000000"

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"))


def build(folder: Path, mask: int = 0o022) -> Path:
    """As `make dist` does it, with a file beside it."""
    (folder / "notes").write_text("Notes.")
    command = [sys.executable, "scripts/make-dist.py", str(folder / "dist"), str(folder / "notes")]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    result = subprocess.run(
        command, cwd=ROOT, env=variables, umask=mask, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"affordance-{affordance.__version__}-py3-none-any.whl"


def parts(wheel: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files of the package, and those that tell of it, each by the path below their folder."""
    about = f"affordance-{affordance.__version__}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        found = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    told = {name.removeprefix(about): found.pop(name) for name in list(found) if name.startswith(about)}
    return found, told


def test_every_file_of_the_package_is_package_data() -> None:
    """Without a build: what is not Python is named by a pattern, and each pattern finds something."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    patterns = settings["package-data"]["affordance"]
    named = {
        pattern: {path for path in SOURCE.glob(re.sub(r"\*\*$", "**/*", pattern)) if path.is_file()}
        for pattern in patterns
    }
    assert [pattern for pattern, found in named.items() if not found] == []
    there = {
        path
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".py", ".pyc")
        if not path.name.endswith(".d.ts")  # types for the checks of JavaScript, which nothing loads
    }
    assert there - set().union(*named.values()) == set()
    folders = {path.parent for path in SOURCE.rglob("*.py") if "__pycache__" not in path.parts}
    assert [path for path in folders if not (path / "__init__.py").is_file()] == []
    assert settings["packages"]["find"]["where"] == ["src"]


@pytest.mark.long
def test_a_wheel_is_the_package_and_nothing_else(wheel: Path) -> None:
    found, told = parts(wheel)
    expected = {
        f"affordance/{path.relative_to(SOURCE).as_posix()}": path
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.endswith(".d.ts")  # of the checks alone
    }
    assert sorted(found) == sorted(expected)
    assert [name for name, path in expected.items() if found[name] != path.read_bytes()] == []
    kinds = {Path(name).suffix for name in found}
    assert kinds >= {".py", ".txt", ".html", ".css", ".js", ".toml", ".json", ".gz", ".typed"}, "prompts, pages, data"
    assert not kinds & {".pyc", ".so"}
    assert told["licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()


@pytest.mark.long
def test_a_wheel_tells_what_the_project_says(wheel: Path, project: Mapping[str, Any]) -> None:
    _, told = parts(wheel)
    about: Message = BytesParser().parsebytes(told["METADATA"])
    assert (about["Name"], about["Version"]) == ("affordance", affordance.__version__)
    assert (about["Requires-Python"], about["License-Expression"]) == (">=3.11", "Apache-2.0")
    versions = [one.removeprefix("Programming Language :: Python :: ") for one in about.get_all("Classifier", [])]
    assert [one for one in versions if one.startswith("3.")] == ["3.11", "3.12", "3.13"]
    required = [Requirement(one) for one in about.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert set(map(str, required)) == {str(Requirement(one)) for one in project["dependencies"]}
    assert set(about.get_all("Provides-Extra", [])) == set(project["optional-dependencies"])
    assert told["METADATA"].partition(b"\n\n")[2] == (ROOT / "README.md").read_bytes()

    groups = ConfigParser(delimiters="=")
    groups.optionxform = str  # type: ignore[assignment,method-assign]
    groups.read_string(told["entry_points.txt"].decode())
    expected = {"console_scripts": project["scripts"], **project.get("entry-points", {})}
    assert {name: dict(groups[name]) for name in groups.sections()} == expected


@pytest.mark.long
def test_a_release_is_the_same_bytes_each_time(built: Path, tmp_path: Path) -> None:
    """Whoever builds it, and however they keep their files."""
    names = sorted(path.name for path in built.iterdir())
    version = affordance.__version__
    assert names == ["SHA256SUMS", f"affordance-{version}-py3-none-any.whl", f"affordance-{version}.tar.gz", "notes"]
    again = build(tmp_path, mask=0o077)
    assert [name for name in names if (built / name).read_bytes() != (again / name).read_bytes()] == []
    sums = dict(reversed(line.split("  ")) for line in (built / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: sha256((built / name).read_bytes()).hexdigest() for name in names[1:]}
    with tarfile.open(built / names[2]) as archive:
        members = archive.getmembers()
    assert {member.mtime for member in members} == {int(EPOCH)}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}


@pytest.fixture(scope="module")
def installed(wheel: Path, runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Commands in an environment with the wheel and what it needs, in an empty folder, with an empty home."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    (site,), (needed,) = ((one.glob("lib/python3*/site-packages")) for one in (folder / "env", runtime))
    (site / "runtime.pth").write_text(f"{needed}\n")
    python = folder / "env" / "bin" / "python"
    install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *install], check=True, timeout=PATIENCE)
    (folder / "home").mkdir()
    (folder / "here").mkdir()
    variables = {"HOME": str(folder / "home"), "PATH": os.defpath, "OMP_NUM_THREADS": "1"}

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(python.parent / program), *arguments]
        return subprocess.run(
            command, cwd=folder / "here", env=variables, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    return run


@pytest.mark.long
def test_the_demo_runs_from_the_wheel_alone(installed: Command) -> None:
    where = installed("python", "-c", "import affordance, os; print(affordance.__file__, os.getcwd())")
    package, here = map(Path, where.stdout.split())
    assert package.is_relative_to(here.parent / "env"), "not the checkout"
    result = installed("affordance", "demo", "--limit", "1")
    assert result.returncode == 0, result.stderr
    assert (here / "demo-out" / "report.html").stat().st_size > 100_000
    for row in ("baseline:first", "baseline:pixels", "baseline:random", "study:designs, "):
        assert row in result.stdout
    told = installed("affordance", "report", "--ledger", "demo-out/affordance.db", "--run", "demo", "--format", "json")
    rows = json.loads(told.stdout)
    assert {row["task"].partition("/")[0] for row in rows} == {"motion", "behavior", "function"}
    assert all(row["complete"] for row in rows)
    assert (here.parent / "home" / ".cache" / "affordance").is_dir()
    assert sorted(path.name for path in here.iterdir()) == ["demo-out"]


@pytest.mark.long
def test_doctor_is_right_about_what_is_missing(installed: Command, runtime: Path, project: Mapping[str, Any]) -> None:
    result = installed("affordance", "doctor", "--json")
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    states = {(one["topic"], one["name"]): one["state"] for one in told["found"]}
    assert told["version"] == affordance.__version__
    assert states["Program", "affordance"] == "ok"
    assert states["Browser", "browser"] == "missing"
    (site,) = runtime.glob("lib/python3*/site-packages")
    there = {canonicalize_name(one.name) for one in distributions(path=[str(site)])}
    extras = {name: state for (topic, name), state in states.items() if topic == "Extras"}
    assert extras.keys() == project["optional-dependencies"].keys() - {"dev", "docs"}
    for name, state in extras.items():
        packages = {canonicalize_name(Requirement(one).name) for one in project["optional-dependencies"][name]}
        assert state == ("ok" if packages <= there else "missing"), name
    assert set(extras.values()) == {"ok", "missing"}
    remedies = {one["name"]: one["remedy"] for one in told["found"] if one["topic"] == "Extras"}
    assert all((f"affordance[{name}]" in remedies[name]) == (state == "missing") for name, state in extras.items())
