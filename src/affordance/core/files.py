"""Files and folders that are written as a whole or not at all."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from affordance.core.errors import UserError


def atomic_write(path: Path, content: bytes) -> None:
    """Writes a file, and creates its folder. Other processes see the old content or the new one, never a part. A link
    stays a link, and a pipe or terminal is written to directly."""
    with _replacing(path) as draft:
        draft.write_bytes(content)


def atomic_copy(source: Path, path: Path) -> None:
    """The same with the content of another file."""
    with _replacing(path) as draft:
        shutil.copyfile(source, draft)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A file to write to, which replaces `path` at the end of the block; nothing of it is left if the block fails."""
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve() if path.is_symlink() else path
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own for each process and thread, created with the permissions that the user's mask gives.
    draft = target.with_name(f".{target.name}-{os.getpid()}-{threading.get_ident()}.part")
    try:
        yield draft
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def create_empty_folder(folder: Path) -> None:
    """Creates a folder, or checks that the existing one is empty.

    Raises:
        UserError: There is a file or a folder with content, or the folder cannot be created.
    """
    if not is_new_or_empty(folder):
        raise UserError(f"expected a new or empty folder, found {folder} with content; choose another")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot create the folder {folder}: {error.strerror}") from None


def is_new_or_empty(folder: Path) -> bool:
    """Whether nothing is at a path, or a folder without content."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def create_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """A folder that `make` fills if it does not exist yet. Several processes may do so at once: the first to finish
    wins."""
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(dir=folder.parent, prefix=".draft-"))
    try:
        make(draft)
        draft.rename(folder)
    except OSError:
        if not folder.exists():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder
