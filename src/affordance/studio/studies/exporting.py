"""A study as files: what was answered, by whom, and what does not count and why."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat, Settled, Study, why_excluded
from affordance.core.csv_cells import escape_csv_cell
from affordance.core.errors import UserError
from affordance.core.files import is_new_or_empty
from affordance.core.json_text import canonical_json
from affordance.ledger import DocumentRevision
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.studies.adjudicating import check_told
from affordance.studio.studies.agreement import agreement
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.seats import counts
from affordance.studio.studies.standing import standing

ANSWERS, SEATS, ABOUT = "answers.csv", "seats.csv", "study.json"
_ANSWER_COLUMNS = (
    *("item", "seat", "slot", "question", "trial", "given", "values", "seconds", "created", "counted", "why"),
)
_SEAT_COLUMNS = ("seat", "state", "slots", "answered", "median_seconds", "age", "gender", "consented", "finished")
_EXTERNAL = "external"
_OURS = frozenset({"invited", "texts"})  # of a study: who was asked, and digests of what somebody said
_PLACES = frozenset({"spec", "demo", "cache"})  # of the dataset on this computer


def export_study(project: Project, opened: Opened, folder: Path, now: datetime, *, external: bool = False) -> None:
    """Writes three files into a new or empty folder. What does not count is in them with the reason; nothing is of
    people who have withdrawn but that they did. Ids of recruiting services are there only where they are asked for.
    Raises a `UserError`, also while nobody is to know what people answer."""
    check_told(opened.study)
    if not is_new_or_empty(folder):
        raise UserError(f"expected a new or empty folder, found something in {folder}")
    documents = project.ledger.documents.latest(scope=study_scope(opened.study.name))
    seats = {seat.code: seat for one in documents if one.kind == Kind.SEAT for seat in [read_record(one, Seat)]}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / ANSWERS, _ANSWER_COLUMNS, answer_rows(opened, seats, documents))
        _write(folder / SEATS, _seat_columns(external), seat_rows(project, opened, seats, now))
        text = json.dumps(about(project, opened, documents, now), indent=2, ensure_ascii=False)
        (folder / ABOUT).write_text(f"{text}\n", "utf-8")
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None


def answer_rows(
    opened: Opened, seats: Mapping[str, Seat], documents: Sequence[DocumentRevision]
) -> list[dict[str, Any]]:
    """All answers that are there, those that do not count too. Attention checks are not answers."""
    left_out = {one.subject: read_record(one, LeftOut).why for one in documents if one.kind == Kind.LEFT_OUT}
    rows = []
    for one in documents:
        if one.kind != Kind.ANSWER:
            continue
        answer = read_record(one, StudyAnswer)
        seat = seats.get(answer.seat)
        if answer.check or answer.redacted or (seat is not None and seat.withdrawn):
            continue
        slot = opened.slots.get(answer.slot)
        why = _why(opened.study, seat, left_out.get(one.subject, ""), answer)
        rows.append(
            {
                **{name: getattr(answer, name) for name in ("item", "seat", "slot", "question", "trial", "seconds")},
                "given": canonical_json(answer.given),
                "values": canonical_json(
                    dict(opened.source.values(answer.given, slot)) if slot and answer.given else {}
                ),
                "created": one.created,
                "counted": "no" if why else "yes",
                "why": why,
            }
        )
    return sorted(rows, key=lambda row: (row["item"], row["seat"], row["slot"]))


def seat_rows(project: Project, opened: Opened, seats: Mapping[str, Seat], now: datetime) -> list[dict[str, Any]]:
    people = {one.code: one for one in standing(project.ledger, opened, now).people}
    return [
        {
            "seat": code,
            "state": people[code].state,
            "slots": people[code].slots,
            "answered": people[code].answered if counts(seat, opened.study) else "",
            "median_seconds": people[code].seconds if counts(seat, opened.study) else "",
            **{name: getattr(seat, name) for name in ("age", "gender", "consented", "finished", _EXTERNAL)},
        }
        for code, seat in sorted(seats.items())
    ]


def about(project: Project, opened: Opened, documents: Sequence[DocumentRevision], now: datetime) -> dict[str, Any]:
    """How the study was done, what was counted, and how far people agree."""
    found = standing(project.ledger, opened, now)
    study = {name: value for name, value in plain(opened.study).items() if name not in _OURS}
    study["dataset"] = {key: value for key, value in opened.study.dataset.items() if key not in _PLACES}
    settled = [(one.subject, read_record(one, Settled)) for one in documents if one.kind == Kind.SETTLED]
    return {
        "study": study,
        "slots": found.planned,
        "items": found.items,
        "answers": {"counted": found.answered, "left_out": found.left_out},
        "people": asdict(found.counts),
        "agreement": [asdict(one) for one in agreement(project.ledger, opened)],
        "settled": {
            subject.removeprefix(f"{opened.study.name}/"): one.given for subject, one in settled if not one.gone
        },
    }


def _why(study: Study, seat: Seat | None, left_out: str, answer: StudyAnswer) -> str:
    """Why an answer does not count; empty where it does."""
    if seat is None:
        return "person excluded"
    if excluded := why_excluded(seat, study):
        return f"person excluded: {excluded}"
    if answer.slot in seat.released:
        return "went to somebody else"
    return left_out or ("" if answer.given else "empty")


def _seat_columns(external: bool) -> tuple[str, ...]:
    return (*_SEAT_COLUMNS, _EXTERNAL) if external else _SEAT_COLUMNS


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {name: escape_csv_cell(value) if isinstance(value, str) else value for name, value in row.items()}
            )
