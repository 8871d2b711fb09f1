"""Checksums as the sources give them: `sha256:...` of the content, or `git:...`, the name that git has for it."""

import hashlib
from pathlib import Path

BLOCK = 2**20
FORM = "^(sha256:[0-9a-f]{64}|git:[0-9a-f]{40})$"


def checksum(file: Path, kind: str) -> str:
    """Of a whole file, in the same form."""
    if kind == "git":
        state = hashlib.sha1(b"blob %d\0" % file.stat().st_size, usedforsecurity=False)
    else:
        state = hashlib.sha256()
    with file.open("rb") as content:
        while block := content.read(BLOCK):
            state.update(block)
    return f"{kind}:{state.hexdigest()}"


def matches_checksum(file: Path, size: int, expected: str) -> bool:
    """Whether a file is there, and is the one that is meant."""
    if not file.is_file() or file.is_symlink() or file.stat().st_size != size:
        return False
    return checksum(file, expected.partition(":")[0]) == expected
