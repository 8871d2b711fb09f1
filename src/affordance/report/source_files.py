"""Source files and image specs of an attempt, found by content digest."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from affordance.core.digest import digest_file
from affordance.core.media_spec import MediaSpec, media_spec_from_recipe
from affordance.datasets import Dataset
from affordance.ledger import Ledger


class SourceMissing(Exception):
    """A source file is missing. The message has its name, not its folder."""


class SourceFiles:
    """Finds files by digest, at the recorded path or in datasets; each file is digested at most once."""

    def __init__(self, datasets: Sequence[Dataset] = ()) -> None:
        self._datasets = datasets
        self._digests: dict[Path, str | None] = {}
        self._found: dict[str, Path] = {}

    def find(self, digest: str, hint: Path | None) -> Path:
        """A file with that content. Raises `SourceMissing` if there is none."""
        if digest not in self._found:
            for path in self._candidates(hint):
                if self._digest(path) == digest:
                    self._found[digest] = path
                    break
            else:
                raise SourceMissing(self._why(hint))
        return self._found[digest]

    def _candidates(self, hint: Path | None) -> Iterator[Path]:
        """The likeliest first, as digests of many videos take long."""
        if hint is not None:
            yield hint
        for dataset in self._datasets:
            media = dict.fromkeys(path for item in dataset.items for path in item.media_files())
            paths = [dataset.media_path(path) for path in media]
            yield from sorted(paths, key=lambda path: hint is None or path.name != hint.name)

    def _digest(self, path: Path) -> str | None:
        """None for a file that is not there or cannot be read."""
        if path not in self._digests:
            try:
                self._digests[path] = digest_file(path)
            except OSError:
                self._digests[path] = None
        return self._digests[path]

    def _why(self, hint: Path | None) -> str:
        if hint is None:
            return "the ledger does not record their file"
        if self._digest(hint) is None:
            return f"the file {hint.name} was moved or deleted"
        return f"the file {hint.name} has changed since the run"


def image_specs(
    ledger: Ledger, sources: SourceFiles, digests: Iterable[str]
) -> tuple[list[MediaSpec], dict[str, Path]]:
    """The image specs with these digests, and their files. Raises `SourceMissing` if one cannot be rendered."""
    visuals: list[MediaSpec] = []
    files: dict[str, Path] = {}
    for digest in digests:
        record = ledger.media_record(digest)
        if record is None:
            raise SourceMissing("the ledger does not hold their image specs")
        try:
            visuals.append(media_spec_from_recipe(record.source, record.recipe))
        except (KeyError, TypeError, ValueError):
            raise SourceMissing("their image specs are of another version of Affordance") from None
        files[record.source] = sources.find(record.source, record.path)
    return visuals, files


def decode_error(error: Exception, paths: Iterable[Path]) -> SourceMissing:
    """The error with file names instead of paths, which must not be passed on."""
    message = str(error)
    for path in paths:
        message = message.replace(str(path), path.name)
    return SourceMissing(f"a file cannot be decoded: {message}")
