"""What has been tried so far, on disk as soon as it is known: an interrupted capture goes on where it was."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from affordance.core.complaints import first_complaint
from affordance.core.errors import DataError
from affordance.datasets import Outcome

_DATASET = "dataset"


class Journal:
    """A line for each sequence that was tried: its outcome, or why it was left out. A last line that was cut by the
    end of the process counts as not written."""

    def __init__(self, path: Path, dataset: str) -> None:
        """`dataset` is the digest of what the tries are made on: those of another are of no use."""
        self._path = path
        self._known: dict[str, Outcome | str] = {}
        self._read(dataset)
        self._file = path.open("a", encoding="utf-8")
        if not self._file.tell():
            self._file.write(json.dumps([_DATASET, dataset]) + "\n")
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def known(self, key: str) -> Outcome | str | None:
        return self._known.get(key)

    def kept(self) -> Iterator[Outcome]:
        return (found for found in self._known.values() if isinstance(found, Outcome))

    def left_out(self) -> dict[str, str]:
        """By key, why a try was not kept."""
        return {key: found for key, found in self._known.items() if isinstance(found, str)}

    def add(self, key: str, found: Outcome | str) -> None:
        self._known[key] = found
        told = found if isinstance(found, str) else found.model_dump(mode="json", exclude_unset=True)
        self._file.write(json.dumps([key, told], ensure_ascii=False) + "\n")
        self._file.flush()

    def finish(self) -> None:
        """All is in the dataset now."""
        self._file.close()
        self._path.unlink()

    def _read(self, dataset: str) -> None:
        if not self._path.exists():
            return
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                key, told = json.loads(line)
                if number == 1:
                    if (key, told) != (_DATASET, dataset):
                        raise DataError("these tries were made on another dataset; give another -o", self._path, number)
                    continue
                self._known[key] = told if isinstance(told, str) else Outcome.model_validate(told)
            except ValidationError as error:
                raise DataError(
                    f"{first_complaint(error)}; remove this file to begin anew", self._path, number
                ) from None
            except (ValueError, TypeError):
                message = "expected a line of the journal of a capture; remove this file to begin anew"
                raise DataError(message, self._path, number) from None
        if len(whole) < len(content):
            os.truncate(self._path, len(whole))
