"""What has been captured so far, on disk as soon as it is known: an interrupted capture goes on where it was."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import ValidationError

from affordance.core.errors import DataError, UserError
from affordance.core.validation import format_validation_error
from affordance.datasets import Item

R = TypeVar("R", bound=Item)

JOURNAL = "capture.journal"
_OF = "of"


class Journal(Generic[R]):
    """A line for each thing that was done: its record, or why it was left out. A last line that was cut by the end of
    the process counts as not written."""

    def __init__(self, folder: Path, of: str, kind: type[R]) -> None:
        """Of a capture into a new folder, or of an interrupted one. `of` is the digest of all that decides what comes
        out: what was captured from something else is of no use."""
        self._path = folder / JOURNAL
        self._kind = kind
        if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not self._path.exists())):
            raise UserError(
                f"{folder}: expected a new or empty folder, or one of an interrupted capture, found other files in it; "
                "give another -o DIR"
            )
        (folder / "media").mkdir(parents=True, exist_ok=True)
        self._known: dict[str, R | str] = {}
        self._read(of)
        self._file = self._path.open("a", encoding="utf-8")
        if not self._file.tell():
            self._file.write(json.dumps([_OF, of]) + "\n")
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def known(self, key: str) -> R | str | None:
        return self._known.get(key)

    def kept(self) -> Iterator[R]:
        return (found for found in self._known.values() if not isinstance(found, str))

    def left_out(self) -> dict[str, str]:
        """By key, why something was not kept."""
        return {key: found for key, found in self._known.items() if isinstance(found, str)}

    def add(self, key: str, found: R | str) -> None:
        self._known[key] = found
        told = found if isinstance(found, str) else found.model_dump(mode="json", exclude_unset=True)
        self._file.write(json.dumps([key, told], ensure_ascii=False) + "\n")
        self._file.flush()

    def finish(self) -> None:
        """All is in the dataset now."""
        self._file.close()
        self._path.unlink()

    def discard(self) -> None:
        """Nothing came of it; neither journal nor folder are left where nothing else is in it."""
        self.finish()
        for empty in (self._path.parent / "media", self._path.parent):
            with suppress(OSError):
                empty.rmdir()

    def _read(self, of: str) -> None:
        if not self._path.exists():
            return
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole.count(b"\n") <= 1:  # nothing was done yet
            os.truncate(self._path, 0)
            return
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                key, told = json.loads(line)
                if number == 1:
                    if (key, told) != (_OF, of):
                        message = "this capture was begun from other pages or with other options; give another -o DIR"
                        raise DataError(message, self._path, number)
                    continue
                self._known[key] = told if isinstance(told, str) else self._kind.model_validate(told)
            except ValidationError as error:
                raise DataError(
                    f"{format_validation_error(error)}; remove this file to begin anew", self._path, number
                ) from None
            except (ValueError, TypeError):
                message = "expected a line of the journal of a capture; remove this file to begin anew"
                raise DataError(message, self._path, number) from None
        if len(whole) < len(content):
            os.truncate(self._path, len(whole))
