"""The computer: cores, memory, and where things are kept."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from affordance.cli.checks.finding import CheckResult, CheckState, format_size
from affordance.core.errors import UserError

LEAST_FREE = 500_000_000  # bytes; below, a run may end half-way
LEAST_MEMORY = 1_000_000_000
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def machine() -> Iterator[CheckResult]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    told = ", ".join(f"{name}={os.environ[name]}" for name in THREADS if os.environ.get(name))
    yield CheckResult("cores", CheckState.OK, f"{cores}; {told or 'no limit on threads is set'}")
    memory = _memory()
    state = CheckState.OK if memory is None or memory >= LEAST_MEMORY else CheckState.WRONG
    remedy = f"{format_size(LEAST_MEMORY)} are needed to decode clips" if state is CheckState.WRONG else ""
    yield CheckResult("memory", state, "the system does not tell" if memory is None else format_size(memory), remedy)


def ledger(where: str) -> Iterator[CheckResult]:
    """Nothing is written: an older ledger is upgraded by the next run, not by looking at it."""
    from affordance.ledger import open_ledger

    if "://" not in where and not Path(where).exists():
        yield from _new_ledger(Path(where))
        return
    try:
        with open_ledger(where, read_only=True, retry_seconds=5.0) as opened:
            runs, version, public = len(opened.run_summaries()), opened.schema_version, opened.location
    except UserError as error:
        yield CheckResult("ledger", CheckState.WRONG, str(error))
        return
    told = f"{public}: version {version}, {runs} {'run' if runs == 1 else 'runs'}"
    if "://" in where:
        yield CheckResult("ledger", CheckState.OK, told)
        return
    path = Path(where)
    if why := _cannot_write(path):
        yield CheckResult(
            "ledger", CheckState.WRONG, f"{told}; it cannot be written to: {why}", "name another with --ledger"
        )
    else:
        yield CheckResult("ledger", CheckState.OK, f"{told}, {format_size(path.stat().st_size)}")
    yield from _free("disk of the ledger", path.absolute().parent)


def cache(folder: Path) -> Iterator[CheckResult]:
    from affordance.evaluation.prerender import RENDER_CACHE_BYTES

    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    if why := _cannot_create(there):
        remedy = "set AFFORDANCE_CACHE to a folder of yours"
        yield CheckResult("cache", CheckState.WRONG, f"{folder}: cannot be written to: {why}", remedy)
        return
    used = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if there == folder else 0
    yield CheckResult(
        "cache", CheckState.OK, f"{folder}: {format_size(used)}; of pictures it holds {format_size(RENDER_CACHE_BYTES)}"
    )
    yield from _free("disk of the cache", there)


def _new_ledger(path: Path) -> Iterator[CheckResult]:
    folder = path.absolute().parent
    if not folder.is_dir():
        yield CheckResult(
            "ledger", CheckState.WRONG, f"the folder {path.parent} does not exist", "create it, or name another"
        )
    elif why := _cannot_create(folder):
        yield CheckResult("ledger", CheckState.WRONG, f"{path}: cannot be made: {why}", "name another with --ledger")
    else:
        yield CheckResult("ledger", CheckState.OK, f"{path}: not there yet; the first run makes it")
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
    if free >= LEAST_FREE:
        yield CheckResult(name, CheckState.OK, f"{format_size(free)} free")
    else:
        yield CheckResult(
            name, CheckState.WRONG, f"{format_size(free)} free", f"make room: {format_size(LEAST_FREE)} at least"
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
