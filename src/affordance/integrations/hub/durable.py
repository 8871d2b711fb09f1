"""Files that are there as a whole or not at all, whenever the process or the machine stops."""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from affordance.core.errors import UserError

DISK_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
READABLE_MODE = 0o644
READ_ONLY_MODE = 0o444  # nobody changes by mistake what others share


def durable_write(file: Path, content: bytes) -> None:
    with disk_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as written:
            try:
                written.write(content)
                written.flush()
                sync_and_rename(Path(written.name), file, READABLE_MODE)
            except BaseException:
                Path(written.name).unlink(missing_ok=True)
                raise


def sync_and_rename(written: Path, file: Path, mode: int) -> None:
    """Onto the disk, and only then under its name."""
    with written.open("rb") as content:
        os.fsync(content.fileno())
    written.chmod(mode)
    written.replace(file)
    _sync_folder(file.parent)


def link_or_copy(file: Path, to: Path) -> None:
    """One file under two names, or where that cannot be a copy. `to` must be in a folder that nobody reads yet."""
    with disk_errors(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, to)
        except OSError as error:
            if error.errno in DISK_FULL_ERRNOS:
                raise
            copy_file(file, to)


def copy_file(file: Path, to: Path) -> None:
    """A file of its own, whatever becomes of the other."""
    with disk_errors(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        to.unlink(missing_ok=True)
        shutil.copyfile(file, to)
        with to.open("rb") as content:
            os.fsync(content.fileno())


@contextmanager
def disk_errors(file: Path) -> Iterator[None]:
    """What is wrong with the disk as one line."""
    try:
        yield
    except OSError as error:
        if error.errno in DISK_FULL_ERRNOS:
            raise UserError(
                f"the disk is full: cannot write {file} ({error.strerror}); what is whole is kept: make room and fetch "
                "again, or set AFFORDANCE_CACHE to a larger disk"
            ) from None
        raise UserError(f"cannot write {file}: {error.strerror}; choose a place that you may write to") from None


@contextmanager
def file_lock(file: Path, what: str) -> Iterator[None]:
    """Only one process at a time; the system gives the lock back however the process ends."""
    with disk_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = file.open("ab")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another process is fetching {what}; wait until it has finished") from None
        yield


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
