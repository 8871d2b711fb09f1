"""Completion in shells: the names that are offered, and what Typer's protocol for bash lacks.

It runs at every press of a key, so nothing is imported that takes long, and nothing is printed when it fails."""

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from typing import Any

from affordance.core import plugin_registry
from affordance.core.errors import UserError
from affordance.core.paths import find_config

VARIABLE = "_AFFORDANCE_COMPLETE"  # set by what `--install-completion` writes: `complete_` and the shell
BREAKS = ":="  # bash begins a new word at each of them
OPTIONS = frozenset({"--install-completion", "--show-completion"})

# As in the registries, which take a second to import; a test compares.
TASKS = (
    *("motion/effect", "motion/purpose", "motion/meaning", "motion/twin"),
    *("behavior/choice", "behavior/rationale"),
    *("function/ground-region", "function/ground-element", "function/outcome-region", "function/outcome-element"),
)
STRATEGIES = ("zero-shot", "cocot", "self-refine", "ddcot", "debate-1", "debate-3", "relabelled")
FORMATS = (
    *("animint", "autogui-v2", "osworld-g", "osworld-g-refined", "pairs"),
    *("screenspot", "screenspot-pro", "screenspot-v2", "wiserui"),
)
PROTOCOLS = ("affordance", "paper")
BASELINES = ("baseline:first", "baseline:overlap", "baseline:people", "baseline:pixels", "baseline:random")
CUES = ("none", "motion", "context", "caption", "all")
EXPRESSIONS = ("functionality", "description", "intent", "all")
REFERENCES = ("summary", "individual", "both")


def task_names() -> list[str]:
    suites = dict.fromkeys(name.partition("/")[0] for name in TASKS)
    return [*TASKS, *suites, *_plugin_names(plugin_registry.TASKS)]


def strategy_names() -> list[str]:
    return [*STRATEGIES, *_plugin_names(plugin_registry.STRATEGIES)]


def dialect_names() -> list[str]:
    from affordance.grounding.dialects import DIALECTS

    return [*DIALECTS, "calibrated", *_plugin_names(plugin_registry.DIALECTS)]


def choices(names: Sequence[str]) -> Callable[[], list[str]]:
    return lambda: [*names]


def model_names(incomplete: str) -> list[str]:
    """Built-in and configured models, and providers."""
    from affordance.models.providers import PROVIDERS

    configured, own = _configured_models()
    names = [*BASELINES, "oracle", *configured]
    if incomplete.startswith("oracle:"):
        names += [f"oracle:{name}" for name in dialect_names()]
    providers = [f"{name}:" for name in (*PROVIDERS, *own, *_plugin_names(plugin_registry.MODELS), "replay", "study")]
    return [*dict.fromkeys(names), *_open_ended(providers, incomplete, "MODEL", names)]


def specs(incomplete: str) -> list[str]:
    """Folders here, and formats; after a format's colon the files and folders of the path so far."""
    formats = [f"{name}:" for name in (*FORMATS, *_plugin_names(plugin_registry.FORMATS))]
    format_ = next((name for name in formats if incomplete.startswith(name)), "")
    found = [f"{format_}{path}" for path in _paths(incomplete.removeprefix(format_), files=bool(format_))]
    return found if format_ else [*found, *_open_ended(formats, incomplete, "PATH", found)]


def published_names() -> list[str]:
    """Datasets of `data fetch`."""
    from affordance.datasets.published import PUBLISHED_DATASETS

    return [*(name for name, row in PUBLISHED_DATASETS.items() if row.sources), "hub:"]


def _configured_models() -> tuple[list[str], list[str]]:
    """Models and providers of affordance.toml. Commands report whether the file is valid."""
    path = find_config(Path.cwd())
    if path is None:
        return [], []
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return list(found.get("models", {})), list(found.get("providers", {}))


def _open_ended(beginnings: Iterable[str], incomplete: str, rest: str, others: Iterable[str]) -> list[str]:
    """Beginnings of names. Where only one is left, its continuation is offered too: a shell would take the name for
    complete, and put a space after it."""
    fitting = [name for name in beginnings if name.startswith(incomplete)]
    if len(fitting) == 1 and not any(other.startswith(incomplete) for other in others):
        return [*fitting, f"{fitting[0]}{rest}"]
    return fitting


def _paths(path: str, *, files: bool) -> Iterator[str]:
    """Paths that begin like this, as they were written."""
    folder = path[: path.rfind("/") + 1]
    with os.scandir(folder or ".") as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if (files or entry.is_dir()) and not entry.name.startswith("."):
                yield f"{folder}{entry.name}"


def _plugin_names(group: str) -> list[str]:
    return sorted({one.name for one in entry_points(group=group)})


def complete(command: Any) -> int:
    """Answer a shell; the exit code is a part of the answer."""
    out, code = StringIO(), 0
    words = os.environ.get("COMP_WORDS", "")
    cut = ""
    try:
        if os.environ[VARIABLE].endswith("_bash"):
            joined, number, cut = _join_words(words.split("\n"), int(os.environ["COMP_CWORD"]))
            os.environ.update({"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(number)})
        with redirect_stdout(out), redirect_stderr(StringIO()):
            command.main([], "affordance", standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except Exception:  # noqa: BLE001  # nothing is printed between the words that are typed
        return 0
    for line in filter(None, out.getvalue().splitlines()):
        print(line.removeprefix(cut))
    return code


def check_shell(arguments: Sequence[str]) -> None:
    """Before Typer takes no shell for one that it does not know."""
    if OPTIONS.isdisjoint(arguments):
        return
    from typer._completion_shared import _get_shell_name  # what typer itself uses

    if _get_shell_name() is None:
        raise UserError("The shell cannot be detected. Run the command in bash, zsh or fish.")


def _join_words(words: list[str], number: int) -> tuple[list[str], int, str]:
    """Words as they were typed, which of them is completed, and what of that bash leaves as it is."""
    found: list[str] = []
    wanted, cut = 0, ""
    for place, word in enumerate(words):
        breaks = word != "" and not word.strip(BREAKS)
        if found and (breaks or (place and words[place - 1] and not words[place - 1].strip(BREAKS))):
            before, found[-1] = found[-1], found[-1] + word
        else:
            before = ""
            found.append(word)
        if place == number:
            wanted, cut = len(found) - 1, found[-1] if breaks else before
    return found, wanted, cut
