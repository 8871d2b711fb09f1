"""The formats by name. Nothing of them is imported before it is used: some need libraries that take long to load."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affordance.author.exchange.results import Exported, Facts, Imported, Past, States
from affordance.core.errors import DataError, UnknownName, UserError

Write = Callable[[States, Path, Facts, Past], Exported]
Read = Callable[[Path], Imported]


@dataclass(frozen=True, slots=True)
class Format:
    about: str
    write: Write
    read: Read | None = None


def _own(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.own import write_datasets

    return write_datasets(states, folder, facts)


def _cache(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.cache_writing import write_cache

    return write_cache(states, folder, past)


def _columns(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.columns import write_columns

    return write_columns(states, folder, facts)


def _coco(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.coco import write_coco

    return write_coco(states, folder, facts)


def _label_studio(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.label_studio import write_label_studio

    return write_label_studio(states, folder, facts)


def _pictures(states: States, folder: Path, facts: Facts, past: Past) -> Exported:
    from affordance.author.exchange.pictures import write_pictures

    return write_pictures(states, folder)


def _read_own(folder: Path) -> Imported:
    from affordance.author.exchange.own_reading import read_datasets

    return read_datasets(folder)


def _read_cache(folder: Path) -> Imported:
    from affordance.author.exchange.cache_reading import read_cache

    return read_cache(folder)


FORMATS: dict[str, Format] = {
    "own": Format("our datasets, which `affordance run` evaluates", _own, _read_own),
    "cache": Format("AutoGUI-v2's cache layout: trees, node files, corrections", _cache, _read_cache),
    "columns": Format("AutoGUI-v2's published columns, as parquet", _columns),
    "coco": Format("COCO detections", _coco),
    "label-studio": Format("Label Studio tasks with predictions", _label_studio),
    "pictures": Format("screens with what was found on them drawn in", _pictures),
}
DEFAULT = "own"


def export(states: States, folder: Path, facts: Facts, past: Past, format_name: str = DEFAULT) -> Exported:
    """Write screens in a format into a new or empty folder. `past` gives the versions of documents, of which only the
    cache layout makes use."""
    return _named(format_name).write(states, folder, facts, past)


def read(folder: Path, format_name: str | None = None) -> Imported:
    """What is in a folder to import. Where no format is given, the folder tells it."""
    found = _named(format_name or _told_by(folder))
    if found.read is None:
        can = ", ".join(name for name, one in FORMATS.items() if one.read is not None)
        raise UserError(f"--format {format_name} can be exported only; what can be imported: {can}")
    return found.read(folder)


def _named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def _told_by(folder: Path) -> str:
    if not folder.is_dir():
        raise DataError("expected a folder to import, found none there; is the path right?", folder)
    if (folder / "dataset.json").is_file() or any(folder.glob("*/dataset.json")):
        return "own"
    return "cache"
