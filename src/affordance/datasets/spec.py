"""SPEC: a folder in our own format, `NAME:PATH` with a published dataset, or the NAME of one that was downloaded."""

from pathlib import Path

from affordance.core.errors import DataError, UnknownName, UserError
from affordance.core.paths import cache_dir
from affordance.datasets.dataset import Dataset, DatasetCollection, ReadResult
from affordance.datasets.folder import HEADER_FILE, read_native
from affordance.datasets.published import PUBLISHED_DATASETS, PublishedDataset, read_published

DOWNLOADS = "datasets"  # below the cache folder: a folder for each published dataset


def spec_path(spec: str) -> Path:
    """The file or folder that a SPEC names."""
    return _split(spec)[1]


def read_spec(spec: str, cache: Path | None = None) -> ReadResult:
    """Read everything that a SPEC names, valid or not. Images inside tables are written to the folder `cache`."""
    name, path = _split(spec)
    return read_native(path) if name is None else read_published(name, path, cache)


def load_dataset(spec: str, cache: Path | None = None) -> Dataset:
    """Read the dataset that a SPEC names.

    Raises:
        DataError: the first error that makes it unusable.
    """
    return read_spec(spec, cache).dataset()


def load_collection(spec: str, cache: Path | None = None) -> DatasetCollection:
    """Read what a SPEC names: a dataset, or a folder of datasets of different kinds."""
    members = expand_spec(spec)
    datasets = tuple(load_dataset(member, cache) for member in members)
    if members == [spec]:
        return DatasetCollection.single(datasets[0])
    kinds = [one.header.kind for one in datasets]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise DataError(f"expected one dataset of each kind, found several of kind {kind!r}", Path(spec))
    return DatasetCollection(Path(spec).resolve().name, datasets)


def expand_spec(spec: str) -> list[str]:
    """The SPECs that a SPEC stands for: itself if it is a dataset, and the datasets in its folder, such as the outcomes
    of captured screens."""
    folder = Path(spec)
    inner = [str(path.parent) for path in sorted(folder.glob(f"*/{HEADER_FILE}"))]
    return [spec, *inner] if not inner or (folder / HEADER_FILE).is_file() else inner


def is_published(spec: str) -> bool:
    """Whether a SPEC names a published dataset, not a folder in our own format."""
    return _split(spec)[0] is not None


def download_folder(name: str) -> Path:
    """Where a published dataset is downloaded to if no folder is given."""
    return cache_dir() / DOWNLOADS / name


def _split(spec: str) -> tuple[str | None, Path]:
    """The name of a published dataset, None for our own format, and a path."""
    name, colon, path = spec.partition(":")
    if Path(spec).exists() or not name.replace("-", "").isalnum() or len(name) == 1:
        return None, Path(spec)
    if not colon:
        is_known = name in PUBLISHED_DATASETS.builtin or name in PUBLISHED_DATASETS.plugin_names
        return (name, _downloaded_path(PUBLISHED_DATASETS[name])) if is_known else (None, Path(spec))
    if name not in PUBLISHED_DATASETS:
        raise UnknownName("dataset format", name, PUBLISHED_DATASETS)
    if not path:
        raise UserError(f"expected {name}:PATH with a file or folder, found no path")
    return name, Path(path)


def _downloaded_path(dataset: PublishedDataset) -> Path:
    root = download_folder(dataset.name)
    paths = [root / source.folder / source.read_from for source in dataset.sources]
    if not paths:
        raise UserError(f"expected {dataset.name}:PATH with a file or folder, found no path")
    if not any(path.exists() for path in paths):
        raise UserError(f"{dataset.name} is not downloaded; run: affordance data fetch {dataset.name}")
    if len(paths) > 1:
        names = ", ".join(f"{dataset.name}:{path}" for path in paths)
        raise UserError(f"{dataset.name} consists of several sets; name one of them: {names}")
    return paths[0]
