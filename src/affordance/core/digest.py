"""Digests: H(parts) is SHA-256 of canonical JSON, the first 32 hexadecimal digits."""

import hashlib
import random
from pathlib import Path

from affordance.core.json_text import Json, canonical_json

DIGEST_LENGTH = 32


def digest_bytes(data: bytes) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_LENGTH]


def digest_text(text: str) -> str:
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def digest(*parts: Json) -> str:
    """H(parts): depends on the values only, not on the order of keys, the process or the machine."""
    return digest_text(canonical_json(list(parts)))


def seeded_random(*parts: Json) -> random.Random:
    """A random generator whose seed is H(parts)."""
    return random.Random(int(digest(*parts), 16))


def digest_folder(folder: Path, exclude: Path | None = None) -> dict[str, str]:
    """The digests of all files in a folder by relative path, without those in the folder `exclude`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    kept = [path for path in files if exclude is None or not path.resolve().is_relative_to(exclude.resolve())]
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in kept}


def digest_file(path: Path) -> str:
    """The digest of a file's content, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_LENGTH]
