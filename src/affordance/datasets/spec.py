"""SPEC: a folder in our own format, or `FORMAT:PATH` with a published one."""

from pathlib import Path

from affordance.core.errors import DataError, UnknownName
from affordance.datasets.dataset import Dataset, DatasetCollection, ReadResult, single_dataset
from affordance.datasets.folder import HEADER_FILE, read_native
from affordance.datasets.published import READERS, read_published


def spec_path(spec: str) -> Path:
    """The file or folder that a SPEC names."""
    return Path(_split(spec)[1])


def load_dataset(spec: str, cache: Path | None = None) -> Dataset:
    """Read a whole dataset; the first thing that makes it unusable raises a `DataError`. `cache` is a folder for
    pictures that are inside of tables."""
    return read_spec(spec, cache).dataset()


def read_spec(spec: str, cache: Path | None = None) -> ReadResult:
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


def load_collection(spec: str, cache: Path | None = None) -> DatasetCollection:
    """What a SPEC names: a dataset, or a folder of datasets."""
    parts = tuple(load_dataset(member, cache) for member in expand_spec(spec))
    if expand_spec(spec) == [spec]:
        return single_dataset(parts[0])
    kinds = [part.header.kind for part in parts]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise DataError(f"expected one dataset of each kind, found several of kind {kind!r}", Path(spec))
    return DatasetCollection(Path(spec).resolve().name, parts)


def expand_spec(spec: str) -> list[str]:
    """The SPECs of the datasets that a SPEC stands for: itself, if it is one, and those in its folder, as the outcomes
    of captured screens are."""
    folder = Path(spec)
    inner = [str(path.parent) for path in sorted(folder.glob(f"*/{HEADER_FILE}"))]
    return [spec, *inner] if not inner or (folder / HEADER_FILE).is_file() else inner
