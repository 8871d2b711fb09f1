"""SPEC: a folder in our own format, or `FORMAT:PATH` with a published one."""

from pathlib import Path

from affordance.core.errors import UnknownName
from affordance.datasets.folder import read_native
from affordance.datasets.published import READERS, read_published
from affordance.datasets.reading import Dataset, Reading


def spec_path(spec: str) -> Path:
    """The file or folder that a SPEC names."""
    return Path(_split(spec)[1])


def load_dataset(spec: str, cache: Path | None = None) -> Dataset:
    """Read a whole dataset; the first thing that makes it unusable raises a `DataError`. `cache` is a folder for
    pictures that are inside of tables."""
    return read_spec(spec, cache).dataset()


def read_spec(spec: str, cache: Path | None = None) -> Reading:
    """All that a SPEC names, right or wrong: what `affordance data check` looks at."""
    name, path = _split(spec)
    return read_native(Path(path)) if name is None else read_published(name, path, cache)


def is_published(spec: str) -> bool:
    """Whether a SPEC names a dataset in a published format, and not a folder in our own."""
    return _split(spec)[0] is not None


def _split(spec: str) -> tuple[str | None, str]:
    head, colon, path = spec.partition(":")
    if not colon or not head.replace("-", "").isalnum() or len(head) == 1 or Path(spec).exists():
        return None, spec
    if head in READERS:
        return head, path
    raise UnknownName("dataset format", head, READERS)
