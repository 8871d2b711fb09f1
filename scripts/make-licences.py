"""docs/licences.md: every package that Affordance needs to run, with version, licence, and through what it is needed.

python scripts/make-licences.py ENVIRONMENT FILE"""

import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEAD = """\
# Licences

Everything that is installed with Affordance, without its extras, as its own metadata has it. The first table of
[dependencies](dependencies.md) gives the reasons for those that are required directly. This page is made by
`make licences`; `make sbom` writes the same as a CycloneDX list.

| package | version | licence | needed by |
|---|---|---|---|
"""
ROOT = Path(__file__).parent.parent
US = "Affordance"
_LONGEST = 60  # letters of a licence's name; more is its text
_CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF",
}


def main(environment: Path, path: Path) -> None:
    rows = "".join(f"| {' | '.join(row)} |\n" for row in licences(environment))
    path.write_text(HEAD + rows, encoding="utf-8")
    print(path)


def licences(environment: Path) -> Iterator[tuple[str, str, str, str]]:
    """Name, version, licence, and by what each package is needed."""
    (site,) = environment.glob("lib/python3*/site-packages")
    found = {canonicalize_name(one.name): one for one in distributions(path=[str(site)])}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = {US: _needs(project["dependencies"])}
    needs |= {name: _needs(package.requires or ()) for name, package in sorted(found.items())}
    for name, package in sorted(found.items()):
        by = [other for other, needed in needs.items() if name in needed]
        yield name, package.version, licence_of(package), ", ".join(by)


def licence_of(package: Distribution) -> str:
    """As its metadata has it: an expression, else how it is classified, else the first words."""
    about = package.metadata
    if said := about.get("License-Expression"):
        return str(said)
    classified = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    if classified:
        return ", ".join(_CLASSIFIED.get(one, one) for one in sorted(classified))
    return " ".join(str(about.get("License", "unknown")).split())[:_LONGEST]


def _needs(requirements: Iterable[str]) -> set[str]:
    parsed = map(Requirement, requirements)
    return {canonicalize_name(one.name) for one in parsed if one.marker is None or one.marker.evaluate({"extra": ""})}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
