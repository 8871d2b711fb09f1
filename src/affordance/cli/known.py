"""Names that a shell offers: what is in this package, in plugins, in affordance.toml and in the ledger. It is asked for
at every press of a key, so nothing is imported that takes long, and a database is only looked into."""

import os
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import typer

from affordance.core import plugin_registry
from affordance.core.paths import DEFAULT_LEDGER, find_config

# As the registries have them, which take a second to import; a test compares.
TASKS = (
    *("motion/effect", "motion/purpose", "motion/meaning", "motion/twin"),
    *("behavior/choice", "behavior/rationale"),
    *("function/ground-region", "function/ground-element", "function/outcome-region", "function/outcome-element"),
)
STRATEGIES = ("zero-shot", "cocot", "self-refine", "ddcot", "debate-1", "debate-3", "relabelled")
FORMATS = (
    "animint",
    "autogui-v2",
    "osworld-g",
    "osworld-g-refined",
    "pairs",
    "screenspot",
    "screenspot-pro",
    "screenspot-v2",
    "wiserui",
)
PROTOCOLS = ("affordance", "paper")
BASELINES = ("baseline:first", "baseline:overlap", "baseline:people", "baseline:pixels", "baseline:random")
CUES = ("none", "motion", "context", "caption", "all")
EXPRESSIONS = ("functionality", "description", "intent", "all")
REFERENCES = ("summary", "individual", "both")


def tasks() -> list[str]:
    suites = dict.fromkeys(name.partition("/")[0] for name in TASKS)
    return [*TASKS, *suites, *_plugin_names(plugin_registry.TASKS)]


def strategies() -> list[str]:
    return [*STRATEGIES, *_plugin_names(plugin_registry.STRATEGIES)]


def dialects() -> list[str]:
    from affordance.grounding.dialects import DIALECTS

    return [*DIALECTS, "calibrated", *_plugin_names(plugin_registry.DIALECTS)]


def protocols() -> list[str]:
    return [*PROTOCOLS]


def cues() -> list[str]:
    return [*CUES]


def expressions() -> list[str]:
    return [*EXPRESSIONS]


def references() -> list[str]:
    return [*REFERENCES]


def models(context: typer.Context, incomplete: str) -> list[str]:
    """Those that are used here come with their whole names; of the others, the providers."""
    from affordance.models.providers import PROVIDERS

    used, own = _configured_models()
    whole = [*BASELINES, "oracle", *used, *_in_ledger(context, "SELECT DISTINCT model FROM ledger_attempts")]
    if incomplete.startswith("oracle:"):
        whole += [f"oracle:{name}" for name in dialects()]
    if incomplete.startswith("study:"):
        whole += [f"study:{name}" for name in studies(context)]
    begun = [f"{name}:" for name in (*PROVIDERS, *own, *_plugin_names(plugin_registry.MODELS), "replay", "study")]
    return [*dict.fromkeys(whole), *_open_ended(begun, incomplete, "MODEL", whole)]


def _configured_models() -> tuple[list[str], list[str]]:
    """Models and providers of affordance.toml. Whether the file is right is told by commands, not here."""
    path = find_config(Path.cwd())
    if path is None:
        return [], []
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return list(found.get("models", {})), list(found.get("providers", {}))


def runs(context: typer.Context) -> list[str]:
    return _in_ledger(context, "SELECT name FROM ledger_runs ORDER BY created DESC")


def runs_and_models(context: typer.Context) -> list[str]:
    return [*runs(context), *_in_ledger(context, "SELECT DISTINCT model FROM ledger_attempts")]


def studies(context: typer.Context) -> list[str]:
    return _in_ledger(context, "SELECT DISTINCT subject FROM author_revisions WHERE kind = 'study'")


def specs(incomplete: str) -> list[str]:
    """Folders here, and formats; behind a format's colon the files and folders of the path so far."""
    formats = [f"{name}:" for name in (*FORMATS, *_plugin_names(plugin_registry.FORMATS))]
    begun = next((name for name in formats if incomplete.startswith(name)), "")
    found = [f"{begun}{path}" for path in _below(incomplete.removeprefix(begun), files=bool(begun))]
    return found if begun else [*found, *_open_ended(formats, incomplete, "PATH", found)]


def _open_ended(begun: Iterable[str], incomplete: str, rest: str, others: Iterable[str]) -> list[str]:
    """Beginnings of names. Where only one is left, what comes behind it is offered too: a shell would take the name for
    whole, and put a space behind it."""
    fitting = [name for name in begun if name.startswith(incomplete)]
    if len(fitting) == 1 and not any(other.startswith(incomplete) for other in others):
        return [*fitting, f"{fitting[0]}{rest}"]
    return fitting


def _below(path: str, *, files: bool) -> Iterator[str]:
    """What there is whose path begins like this, as it was written."""
    folder = path[: path.rfind("/") + 1]
    with os.scandir(folder or ".") as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if (files or entry.is_dir()) and not entry.name.startswith("."):
                yield f"{folder}{entry.name}"


def _plugin_names(group: str) -> list[str]:
    return sorted({one.name for one in entry_points(group=group)})


def _in_ledger(context: Any, query: str) -> list[str]:
    """The first column of what a query finds in a ledger that is a file here; a ledger elsewhere takes too long."""
    given = context.params.get("ledger") or context.params.get("db") or os.environ.get("AFFORDANCE_LEDGER")
    if not given and find_config(Path.cwd()) is not None:
        from affordance.core.config import resolve_ledger

        given = resolve_ledger()
    path = Path(given or DEFAULT_LEDGER)
    if not path.is_file():
        return []
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.2)) as connection:
        return [str(row[0]) for row in connection.execute(query)]
