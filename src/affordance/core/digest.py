"""Digests: H(parts) is SHA-256 of canonical JSON, the first 32 hexadecimal digits."""

import hashlib
from pathlib import Path

from affordance.core.json_text import Json, canonical_json

DIGEST_LENGTH = 32


def digest_bytes(data: bytes) -> str:
    """The content digest of what would be a file."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_LENGTH]


def digest_text(text: str) -> str:
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def digest(*parts: Json) -> str:
    """H(parts). Depends on nothing but the values: not on dict order, process or machine."""
    return digest_text(canonical_json(list(parts)))


def digest_folder(folder: Path, exclude: Path | None = None) -> dict[str, str]:
    """The content digests of all files in a folder, by their path in it, but those in another."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    kept = [path for path in files if exclude is None or not path.resolve().is_relative_to(exclude.resolve())]
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in kept}


def digest_file(path: Path) -> str:
    """The content digest of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_LENGTH]
