"""Files that are there as a whole or not at all."""

import os
import threading
from pathlib import Path


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
