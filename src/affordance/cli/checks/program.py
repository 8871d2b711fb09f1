"""The program: Python, the packages it needs, its extras, affordance.toml, and what other packages add."""

import platform
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from affordance import __version__
from affordance.cli.checks.finding import CheckResult, CheckState
from affordance.core.errors import UserError

# By extra: the modules that it brings, and what they are for.
EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "bertscore": (("bert_score",), "BERTScore of explanations: report --bertscore"),
    "capture": (("playwright",), "screens, outcomes and animations from a browser: capture, author pairs"),
    "hub": (("huggingface_hub", "pyarrow"), "parquet files, and publishing one's own benchmark: data push"),
    "inspect": (("inspect_ai",), "Inspect in both directions: inspect:PROVIDER/MODEL, import-log"),
    "meteor": (("nltk",), "METEOR of explanations, with WordNet beside it: report --meteor"),
    "ocr": (("rapidocr", "onnxruntime"), "text on screenshots, for author elements"),
    "postgres": (("psycopg",), "a ledger or project in Postgres"),
    "ray": (("ray",), "several machines: --engine ray"),
}


def program() -> Iterator[CheckResult]:
    yield CheckResult(
        "Python", CheckState.OK, f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    lost = [name for name in _needed() if not _is_installed(name)]
    if lost:
        remedy = "pip install --force-reinstall affordance"
        yield CheckResult("affordance", CheckState.WRONG, f"{__version__}, but without {', '.join(lost)}", remedy)
    else:
        yield CheckResult("affordance", CheckState.OK, f"{__version__}, with all packages that it needs")


def extras() -> Iterator[CheckResult]:
    for name, (modules, use) in EXTRAS.items():
        if all(_importable(module) for module in modules):
            yield CheckResult(name, CheckState.OK, use)
        else:
            yield CheckResult(name, CheckState.MISSING, use, f"pip install 'affordance[{name}]'")


def settings(path: Path | None, command: Any) -> Iterator[CheckResult]:
    """`command` is the whole command line, which knows its options."""
    from affordance.cli.defaults import check_values

    if path is None:
        yield CheckResult("affordance.toml", CheckState.OK, "none here or above: defaults are as the help pages tell")
        return
    try:
        check_values(command, path)
    except UserError as error:
        yield CheckResult("affordance.toml", CheckState.WRONG, str(error), "correct it, or move it away")
    else:
        yield CheckResult("affordance.toml", CheckState.OK, str(path))


def plugins() -> Iterator[CheckResult]:
    """Everything that other packages add, loaded as a run would."""
    from affordance.core import plugin_registry
    from affordance.datasets.published import PUBLISHED_DATASETS
    from affordance.grounding.dialects import DIALECTS
    from affordance.models.registry import plugin_factory as factory_of
    from affordance.tasks.registry import TASKS
    from affordance.tasks.strategies import STRATEGIES

    registries: Mapping[str, plugin_registry.PluginRegistry[Any]] = {
        one.group: one for one in (TASKS, STRATEGIES, DIALECTS, PUBLISHED_DATASETS)
    }
    count = 0
    for group in plugin_registry.PLUGIN_GROUPS:
        for name, entry in plugin_registry.entry_points_by_name(group).items():
            if entry.dist is not None and entry.dist.name == "affordance":
                continue
            count += 1
            kind = "strategy" if group == plugin_registry.STRATEGIES else group.rpartition(".")[2].removesuffix("s")
            what = f"{kind} {name}"
            try:
                _ = registries[group][name] if group in registries else factory_of(name)
            except UserError as error:
                yield CheckResult(what, CheckState.WRONG, str(error))
            else:
                yield CheckResult(what, CheckState.OK, f"of {plugin_registry.distribution_of(entry)}")
    if not count:
        yield CheckResult("plugins", CheckState.OK, "none installed")


def _needed() -> list[str]:
    """Names of the packages that are required without an extra, on this system."""
    try:
        listed = requires("affordance") or []
    except PackageNotFoundError:  # as in a folder of sources that was never installed
        return []
    found = [one.partition(";") for one in listed if "extra ==" not in one]
    return [
        re.split(r"[\s<>=!~\[(]", name.strip(), maxsplit=1)[0]
        for name, _, marker in found
        if not ("win32" in marker and sys.platform == "win32")
    ]


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
