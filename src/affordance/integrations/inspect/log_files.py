"""Finding and reading logs of Inspect that hold our tasks."""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from affordance.core.errors import DataError, UserError
from affordance.core.validation import format_validation_error
from affordance.integrations.inspect.log_schema import LOG_FORMAT, LOG_KEY, LoggedAttempt, LogHeader
from affordance.integrations.inspect.model import INSPECT_EXTRA_HINT

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


LOG_SUFFIXES = (".eval", ".json")
MAX_LOADED_BYTES = 2**30  # in memory at once: a whole log in JSON, or one sample of an .eval log
_EXCLUDED_FIELDS = {"messages", "events", "attachments", "output", "scores", "metadata"}


class ForeignLog(DataError):
    """A log of tasks that are not Affordance's, or other JSON."""


def find_logs(paths: Sequence[Path]) -> list[tuple[Path, bool]]:
    """The files to read, each with whether it was named itself: folders may hold other files."""
    found: list[tuple[Path, bool]] = []
    for place in paths:
        if not place.exists():
            raise UserError(f"{place}: expected a log of Inspect or a folder of logs, found nothing there")
        if place.is_dir():
            inside = sorted(path for path in place.rglob("*") if path.suffix in LOG_SUFFIXES and path.is_file())
            if not inside:
                raise UserError(f"{place}: expected logs of Inspect (*.eval or *.json) in this folder, found none")
            found += [(path, False) for path in inside]
        elif place.is_file():
            found.append((place, True))
        else:
            raise UserError(f"{place}: expected a log of Inspect or a folder of logs, found no regular file")
    return found


@dataclass(frozen=True, slots=True)
class InspectLog:
    """The header of a run in a log, and the attempts that were started."""

    path: Path
    header: LogHeader
    attempts: Sequence[LoggedAttempt]


def read_log(path: Path) -> InspectLog:
    """The run in a log of Inspect. Images and events are not loaded.

    Raises:
        ForeignLog: The log is not of Affordance's tasks.
        DataError: The log cannot be read.
    """
    if find_spec("inspect_ai") is None:
        raise UserError(f"reading {path} {INSPECT_EXTRA_HINT}")
    if path.suffix not in LOG_SUFFIXES:
        raise DataError(f"expected a log of Inspect, *.eval or *.json, found {path.suffix or 'no suffix'}", path)
    _check_size(path)
    log = _read(path, header_only=True)
    header = _header(path, log)
    samples = _read(path, header_only=False).samples or []
    stored = [(one.id, one.store.get(LOG_KEY) or _from_events(path, one)) for one in samples]
    return InspectLog(path, header, [_read_attempt(path, name, found) for name, found in stored if found is not None])


def _check_size(path: Path) -> None:
    if path.suffix == ".json":
        if (size := path.stat().st_size) > MAX_LOADED_BYTES:
            raise DataError(
                f"expected at most {_gib(MAX_LOADED_BYTES)} of JSON (read at once), found {_gib(size)}; make it a log "
                "that is read piece by piece: `inspect log convert --to eval`",
                path,
            )
        return
    try:
        with zipfile.ZipFile(path) as archive:
            largest = max(archive.infolist(), key=lambda one: one.file_size, default=None)
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(
            f"expected a log of Inspect, found a damaged archive ({error}); is it truncated?", path
        ) from None
    if largest is not None and largest.file_size > MAX_LOADED_BYTES:
        raise DataError(
            f"expected at most {_gib(MAX_LOADED_BYTES)} in a sample (read at once), found {_gib(largest.file_size)} in "
            f"{largest.filename}; evaluate with --no-log-images",
            path,
        )


def _gib(size: int) -> str:
    return f"{size / 2**30:.3g} GiB"


def _read(path: Path, *, header_only: bool) -> "EvalLog":
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(path, header_only=header_only, exclude_fields=None if header_only else _EXCLUDED_FIELDS)
    except Exception as error:  # noqa: BLE001  # damaged files lead to errors of all kinds in inspect_ai
        if path.suffix == ".json" and _is_other_json(path):
            raise ForeignLog("expected a log of Inspect, found other JSON", path) from None
        if isinstance(error, ValidationError):
            raise DataError(f"expected a log of Inspect, found: {format_validation_error(error)}", path) from None
        raise _unreadable_error(path, error) from None


def _unreadable_error(path: Path, error: Exception) -> DataError:
    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return DataError(f"cannot read this log of Inspect: {reason}", path)


def _from_events(path: Path, sample: "EvalSample") -> Any:
    """The record of a sample that `inspect log recover` restored, which has it in the events only."""
    from inspect_ai.log import read_eval_log_sample
    from inspect_ai.util import store_from_events

    try:
        sample_with_events = read_eval_log_sample(path, sample.id, sample.epoch, resolve_attachments=True)
        return store_from_events(sample_with_events.events).get(LOG_KEY)
    except Exception as error:  # noqa: BLE001  # as above
        raise _unreadable_error(path, error) from None


def _is_other_json(path: Path) -> bool:
    """Whether a file is JSON but no log, such as eval sets write next to their logs."""
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return not (isinstance(found, dict) and "eval" in found)


def _header(path: Path, log: "EvalLog") -> LogHeader:
    found = (log.eval.metadata or {}).get(LOG_KEY)
    if not isinstance(found, dict):
        raise ForeignLog(
            f"expected a log of a task of Affordance (`inspect eval affordance/...`), found one of {log.eval.task!r}",
            path,
        )
    if found.get("format") != LOG_FORMAT:
        raise DataError(
            f"written by Affordance {found.get('version')!r} in format {found.get('format')!r}, and this version reads "
            f"format {LOG_FORMAT}; import it with that version",
            path,
        )
    try:
        return LogHeader.model_validate(found)
    except ValidationError as error:
        raise _content_error(path, "metadata", error) from None


def _read_attempt(path: Path, sample: int | str, found: Any) -> LoggedAttempt:
    try:
        return LoggedAttempt.model_validate(found)
    except ValidationError as error:
        raise _content_error(path, f"sample {sample!r}", error) from None


def _content_error(path: Path, where: str, error: ValidationError) -> DataError:
    return DataError(
        f"{where}: expected what Affordance writes into a log, found: {format_validation_error(error)}", path
    )
