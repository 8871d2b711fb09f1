"""Files and folders that are written as a whole or not at all."""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp


def atomic_write(path: Path, content: bytes) -> None:
    """Write a file, and its folder where there is none. Other processes see the old content or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def create_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """The folder, which `make` fills where it does not exist yet. Several processes may do so at once: the first to
    finish wins."""
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
