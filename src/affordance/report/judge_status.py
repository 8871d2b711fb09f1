"""Whether the judge of a run is calibrated, and scores corrected by human labels.

A calibration holds for one judge, base URL, set of parameters and prompt."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from affordance.core.attempts import AttemptResult
from affordance.core.json_text import Json
from affordance.core.model_name import without_base_url
from affordance.core.prompts import fill
from affordance.core.requests import CallSettings
from affordance.judging.judgements import JUDGE_SPECS, JudgedUnit, judged_units, recoverable_questions
from affordance.ledger import JudgeCalibration, Ledger, RunRecord
from affordance.report.results import RowKey
from affordance.stats import CorrectedScore, CorrectionUnavailable, prediction_powered_mean
from affordance.tasks.registry import TASKS

Correction = CorrectedScore | CorrectionUnavailable
LabelledScores = Mapping[str, tuple[float, float]]  # by judgement: the human score and its weight

_LABELLED = "labelled"  # human scores by judgement, left out of `facts`


class CalibrationState(StrEnum):
    CERTIFIED = "certified"
    UNCERTIFIED = "uncertified"  # no calibration of a judge of this task
    VOID = "void"  # of another judge, or with other settings


@dataclass(frozen=True, slots=True)
class JudgeStatus:
    """Whether the judge of a run is calibrated on a task."""

    state: CalibrationState
    judge: str
    changed: tuple[str, ...] = ()  # of a void calibration: what it used instead
    id: str | None = None  # of the calibration; of void ones the nearest
    created: str | None = None
    facts: Mapping[str, Json] | None = None  # its measurements; None unless certified


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """The judge of a row, and its score corrected by human labels."""

    status: JudgeStatus
    corrected: Correction | None  # None without a calibrated judge


def judge_status_by_row(
    ledger: Ledger, run: RunRecord, groups: Mapping[RowKey, Sequence[AttemptResult]]
) -> dict[RowKey, JudgedRow]:
    """By key, for rows of a run whose task has a judge."""
    tasks = [name for name in dict.fromkeys(key[0] for key in groups) if name in JUDGE_SPECS]
    if not tasks:
        return {}
    certificates, addresses = ledger.judge_calibrations(), ledger.judge_call_settings(run.id)
    found: dict[RowKey, JudgedRow] = {}
    for name in tasks:
        judge_of_run = _RunJudge(ledger, run, name, addresses.get(name, []))
        of_task = [one for one in certificates if one.task == name] if judge_of_run.has_judged else []
        valid = [one for one in of_task if not judge_of_run.changes(one)]
        status = _judge_status(judge_of_run, of_task, valid)
        labelled = _labelled_scores(valid)
        for key, outcomes in groups.items():
            if key[0] == name:
                found[key] = JudgedRow(status, judge_of_run.correction(outcomes, labelled) if valid else None)
    return found


class _RunJudge:
    """The judge of one task in one run. Judgements are read once, and only if needed."""

    def __init__(self, ledger: Ledger, run: RunRecord, task: str, addresses: Sequence[CallSettings]) -> None:
        self.run = run
        self._ledger = ledger
        self._task = TASKS[task]
        self._addresses = addresses

    @property
    def has_judged(self) -> bool:
        return bool(self._addresses)

    @property
    def judge(self) -> str:
        return str(self.run.settings.get("judge") or "")

    def changes(self, certificate: JudgeCalibration) -> list[str]:
        """What the calibration used instead of what the judge of the run used, for any of its call settings."""
        found = (one for now in self._addresses for one in self._changes_from(certificate, now))
        return list(dict.fromkeys(found))

    def _changes_from(self, certificate: JudgeCalibration, now: CallSettings) -> list[str]:
        was = certificate.judge
        found = []
        if without_base_url(was.model) != without_base_url(now.model):
            found.append(f"another judge ({without_base_url(was.model)})")
        if was.base_url != now.base_url:
            found.append(f"another base URL ({was.base_url or 'this computer'})")
        if was.parameters_text != now.parameters_text:
            found.append(f"other parameters ({was.parameters_text})")
        if was.prompt_digest != now.prompt_digest and not self._used_prompt(certificate.prompt):
            found.append("another prompt")
        return found

    def correction(self, outcomes: Iterable[AttemptResult], labelled: LabelledScores) -> Correction | None:
        """Over all judgements of these attempts that count."""
        attempts = {one.attempt_id for one in outcomes}
        values = {
            unit.id: unit.value
            for unit in self._units
            if unit.subject.attempt_id in attempts and unit.value is not None
        }
        if not values:
            return None
        known = [(value, *labelled[one]) for one, value in values.items() if one in labelled]
        return prediction_powered_mean(list(values.values()), known)

    @cached_property
    def _units(self) -> list[JudgedUnit]:
        return judged_units(self._ledger, self.run, self._task)

    def _used_prompt(self, prompt: str) -> bool:
        """Whether the judge of the run was asked with this prompt, though other prompts of the pack may differ."""
        for unit in self._units[:1]:
            answered = self._ledger.answered_steps([unit.id]).get(unit.id)
            asked = recoverable_questions(self._ledger, self.run, [unit]).get(unit.id)
            if answered is not None and asked is not None:
                return bool(json.loads(answered.transcript) == [["user", [fill(prompt, asked.prompt_fields)]]])
        return False


def _judge_status(
    judge_of_run: _RunJudge, certificates: Sequence[JudgeCalibration], valid: Sequence[JudgeCalibration]
) -> JudgeStatus:
    if valid:
        best = max(valid, key=lambda one: (*_nearness(judge_of_run.run, one), one.created))
        facts = {name: value for name, value in best.measurements.items() if name != _LABELLED}
        return JudgeStatus(CalibrationState.CERTIFIED, judge_of_run.judge, (), best.id, best.created, facts)
    if not certificates:
        return JudgeStatus(CalibrationState.UNCERTIFIED, judge_of_run.judge)
    changes = {one.id: judge_of_run.changes(one) for one in certificates}
    nearest = min(reversed(certificates), key=lambda one: len(changes[one.id]))
    return JudgeStatus(
        CalibrationState.VOID, judge_of_run.judge, tuple(changes[nearest.id]), nearest.id, nearest.created
    )


def _nearness(run: RunRecord, certificate: JudgeCalibration) -> tuple[bool, bool]:
    """Labels of the same run are preferred, then those of the same dataset."""
    runs, datasets = (certificate.measurements.get(name) for name in ("runs", "datasets"))
    assert isinstance(runs, list)
    assert isinstance(datasets, list)
    return run.name in runs, run.dataset.get("name") in datasets


def _labelled_scores(certificates: Sequence[JudgeCalibration]) -> LabelledScores:
    """Labels of all calibrations; of several for one judgement the latest counts."""
    found: dict[str, tuple[float, float]] = {}
    for one in certificates:
        entries = one.measurements.get(_LABELLED)
        assert isinstance(entries, list)
        found |= {judgement: (human, weight) for judgement, human, weight in entries}
    return found
