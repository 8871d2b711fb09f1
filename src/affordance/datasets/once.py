"""Folders that are made on first use and kept."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp


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
