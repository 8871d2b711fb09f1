"""Checks of the environment: Python, packages, extras, plugins, affordance.toml, memory, disk, ledger and cache."""

import os
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from affordance import __version__
from affordance.cli.check_results import CheckResult, CheckState
from affordance.cli.version import EXTRAS, is_installed
from affordance.core.errors import UserError

MIN_FREE_BYTES = 500_000_000  # bytes; below, a run may end half-way
MIN_MEMORY_BYTES = 1_000_000_000
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def check_program() -> Iterator[CheckResult]:
    yield CheckResult(
        "Python", CheckState.OK, f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    lost = [name for name in _needed() if not _is_package_installed(name)]
    if lost:
        remedy = "pip install --force-reinstall affordance"
        yield CheckResult("affordance", CheckState.WRONG, f"{__version__}, but without {', '.join(lost)}", remedy)
    else:
        yield CheckResult("affordance", CheckState.OK, f"{__version__}, with all required packages")


def check_extras() -> Iterator[CheckResult]:
    for name, (_, use) in EXTRAS.items():
        if is_installed(name):
            yield CheckResult(name, CheckState.OK, use)
        else:
            yield CheckResult(name, CheckState.MISSING, use, f"pip install 'affordance[{name}]'")


def check_settings(path: Path | None, command: Any) -> Iterator[CheckResult]:
    """`command` is the whole command line, which knows its options."""
    from affordance.cli.defaults import validate_defaults

    if path is None:
        yield CheckResult("affordance.toml", CheckState.OK, "none in this folder or above: built-in defaults")
        return
    try:
        validate_defaults(command, path)
    except UserError as error:
        yield CheckResult("affordance.toml", CheckState.WRONG, str(error), "correct it, or move it away")
    else:
        yield CheckResult("affordance.toml", CheckState.OK, str(path))


def check_plugins() -> Iterator[CheckResult]:
    """Everything that other packages add, loaded as for a run."""
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


def _is_package_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def check_machine() -> Iterator[CheckResult]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limits = ", ".join(f"{name}={os.environ[name]}" for name in THREADS if os.environ.get(name))
    yield CheckResult("cores", CheckState.OK, f"{cores}; {limits or 'no limit on threads is set'}")
    memory = _memory()
    state = CheckState.OK if memory is None or memory >= MIN_MEMORY_BYTES else CheckState.WRONG
    remedy = f"{format_size(MIN_MEMORY_BYTES)} are needed to decode clips" if state is CheckState.WRONG else ""
    yield CheckResult("memory", state, "unknown" if memory is None else format_size(memory), remedy)


def check_ledger_file(where: str) -> Iterator[CheckResult]:
    """Nothing is written: an older ledger is upgraded by the next run, not by looking at it."""
    from affordance.ledger import open_ledger

    if "://" not in where and not Path(where).exists():
        yield from _new_ledger(Path(where))
        return
    try:
        with open_ledger(where, read_only=True, retry_seconds=5.0) as opened:
            runs, version, public = len(opened.runs()), opened.schema_version, opened.location
    except UserError as error:
        yield CheckResult("ledger", CheckState.WRONG, str(error))
        return
    found = f"{public}: version {version}, {runs} {'run' if runs == 1 else 'runs'}"
    if "://" in where:
        yield CheckResult("ledger", CheckState.OK, found)
        return
    path = Path(where)
    if why := _cannot_write(path):
        yield CheckResult(
            "ledger", CheckState.WRONG, f"{found}; cannot be written to: {why}", "name another with --ledger"
        )
    else:
        yield CheckResult("ledger", CheckState.OK, f"{found}, {format_size(path.stat().st_size)}")
    yield from _free("disk of the ledger", path.absolute().parent)


def check_cache(folder: Path) -> Iterator[CheckResult]:
    from affordance.evaluation.prerender import RENDER_CACHE_BYTES

    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    if why := _cannot_create(there):
        remedy = "set AFFORDANCE_CACHE to a folder of yours"
        yield CheckResult("cache", CheckState.WRONG, f"{folder}: cannot be written to: {why}", remedy)
        return
    used = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if there == folder else 0
    yield CheckResult(
        "cache", CheckState.OK, f"{folder}: {format_size(used)}; at most {format_size(RENDER_CACHE_BYTES)} of images"
    )
    yield from _free("disk of the cache", there)


def _new_ledger(path: Path) -> Iterator[CheckResult]:
    folder = path.absolute().parent
    if not folder.is_dir():
        yield CheckResult(
            "ledger", CheckState.WRONG, f"the folder {path.parent} does not exist", "create it, or name another"
        )
    elif why := _cannot_create(folder):
        yield CheckResult("ledger", CheckState.WRONG, f"{path}: cannot be created: {why}", "name another with --ledger")
    else:
        yield CheckResult("ledger", CheckState.OK, f"{path}: does not exist yet; the first run creates it")
        yield from _free("disk of the ledger", folder)


def _cannot_create(folder: Path) -> str:
    """Why no file can be made in a folder; empty where one can. Makes one, and removes it."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".affordance-"):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def _cannot_write(path: Path) -> str:
    """Why a sqlite file cannot be written to; empty where it can. Asks for the lock, and gives it back."""
    try:
        with closing(sqlite3.connect(path.absolute().as_uri() + "?mode=rw", uri=True, timeout=5.0)) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        return str(error)
    return "" if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK) else "it is read-only"


def _free(name: str, folder: Path) -> Iterator[CheckResult]:
    free = shutil.disk_usage(folder).free
    if free >= MIN_FREE_BYTES:
        yield CheckResult(name, CheckState.OK, f"{format_size(free)} free")
    else:
        yield CheckResult(
            name, CheckState.WRONG, f"{format_size(free)} free", f"make room: {format_size(MIN_FREE_BYTES)} at least"
        )


def _memory() -> int | None:
    """Bytes that this process may have, also where a container allows less than the computer has."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return found
    return min(found, int(limit)) if limit.isdecimal() else found


def format_size(number: float) -> str:
    """Bytes as people read them."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"
