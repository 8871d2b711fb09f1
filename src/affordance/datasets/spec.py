"""SPEC: a folder in our own format, or `FORMAT:PATH` with a published one."""

from pathlib import Path

from affordance.core.errors import UserError
from affordance.datasets.folder import Dataset, read_folder


def locate(spec: str) -> Path:
    """The folder that a SPEC names."""
    head, colon, _ = spec.partition(":")
    if colon and head.replace("-", "").isalnum() and len(head) > 1 and not Path(spec).exists():
        raise UserError(f"unknown dataset format {head!r}; expected a folder in Affordance's own format")
    return Path(spec)


def read_dataset(spec: str) -> Dataset:
    return read_folder(locate(spec))
