"""Finding the files that pictures were made from, by content: at the recorded path, else in a dataset."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from affordance.core.digest import digest_file
from affordance.datasets import Dataset


class SourceMissing(Exception):
    """A source cannot be shown; the message says why, with the file's name and without its folder."""


class SourceFiles:
    """Remembers what it has read: a file is digested at most once."""

    def __init__(self, datasets: Sequence[Dataset] = ()) -> None:
        self._datasets = datasets
        self._digests: dict[Path, str | None] = {}
        self._found: dict[str, Path] = {}

    def find(self, digest: str, hint: Path | None) -> Path:
        """A file with that content. Raises `Missing` where there is none."""
        if digest not in self._found:
            for path in self._candidates(hint):
                if self._digest(path) == digest:
                    self._found[digest] = path
                    break
            else:
                raise SourceMissing(self._why(hint))
        return self._found[digest]

    def _candidates(self, hint: Path | None) -> Iterator[Path]:
        """The likeliest first: digesting a whole dataset of videos takes long."""
        if hint is not None:
            yield hint
        for dataset in self._datasets:
            media = dict.fromkeys(path for item in dataset.items for path in item.media())
            paths = [dataset.file(path) for path in media]
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
            return "the ledger does not say which file they are from"
        if self._digest(hint) is None:
            return f"the file {hint.name} is not where it was"
        return f"the file {hint.name} has other content than when the models were asked"
