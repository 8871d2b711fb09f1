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
LabelledScores = Mapping[str, tuple[float, float]]  # by judgement, what people say and the weight

_LABELLED = "labelled"  # what people said, judgement by judgement: not told again


class CalibrationState(StrEnum):
    CERTIFIED = "certified"
    UNCERTIFIED = "uncertified"  # nobody has measured a judge of this task
    VOID = "void"  # somebody has, but another one, or asked otherwise


@dataclass(frozen=True, slots=True)
class JudgeStatus:
    """How the judge of a run stands on a task."""

    state: CalibrationState
    judge: str
    changed: tuple[str, ...] = ()  # of one that is void: what is no longer as it was, in words
    id: str | None = None  # of the certificate, which of one that is void is the nearest
    created: str | None = None
    facts: Mapping[str, Json] | None = None  # what was measured; None where nothing holds


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """What a row has to say of its judge, and what its score would be if people had judged."""

    status: JudgeStatus
    corrected: Correction | None  # None where the judge is not certified


def judge_status_by_row(
    ledger: Ledger, run: RunRecord, groups: Mapping[RowKey, Sequence[AttemptResult]]
) -> dict[RowKey, JudgedRow]:
    """By key, for those rows of a run whose task is judged."""
    tasks = [name for name in dict.fromkeys(key[0] for key in groups) if name in JUDGE_SPECS]
    if not tasks:
        return {}
    certificates, addresses = ledger.judge_calibrations(), ledger.judge_call_settings(run.id)
    found: dict[RowKey, JudgedRow] = {}
    for name in tasks:
        bench = _RunJudge(ledger, run, name, addresses.get(name, []))
        of_task = [one for one in certificates if one.task == name] if bench.has_judged else []
        valid = [one for one in of_task if not bench.changes(one)]
        standing = _judge_status(bench, of_task, valid)
        labelled = _labelled_scores(valid)
        for key, outcomes in groups.items():
            if key[0] == name:
                found[key] = JudgedRow(standing, bench.correction(outcomes, labelled) if valid else None)
    return found


class _RunJudge:
    """The judge of one task in one run. What takes reading all judgements is done once, and only where it is needed."""

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
        """What is not as it was when the judge was certified."""
        was, now = certificate.judge, self._addresses[0]
        found = []
        if without_base_url(was.model) != without_base_url(now.model):
            found.append(f"the judge (certified was {without_base_url(was.model)})")
        if was.base_url != now.base_url:
            found.append(f"its address (was {was.base_url or 'this computer'})")
        if was.parameters_text != now.parameters_text:
            found.append(f"its parameters (were {was.parameters_text})")
        if was.prompt_digest != now.prompt_digest and not self._was_told(certificate.prompt):
            found.append("its prompt")
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

    def _was_told(self, prompt: str) -> bool:
        """Whether the run's judge was asked in these words, though other prompts of the pack may differ."""
        for unit in self._units[:1]:
            answered = self._ledger.answered_steps([unit.id]).get(unit.id)
            asked = recoverable_questions(self._ledger, self.run, [unit]).get(unit.id)
            if answered is not None and asked is not None:
                return bool(json.loads(answered.transcript) == [["user", [fill(prompt, asked.prompt_fields)]]])
        return False


def _judge_status(
    bench: _RunJudge, certificates: Sequence[JudgeCalibration], valid: Sequence[JudgeCalibration]
) -> JudgeStatus:
    if valid:
        best = max(valid, key=lambda one: (*_nearness(bench.run, one), one.created))
        facts = {name: value for name, value in best.measurements.items() if name != _LABELLED}
        return JudgeStatus(CalibrationState.CERTIFIED, bench.judge, (), best.id, best.created, facts)
    if not certificates:
        return JudgeStatus(CalibrationState.UNCERTIFIED, bench.judge)
    changes = {one.id: bench.changes(one) for one in certificates}
    nearest = min(reversed(certificates), key=lambda one: len(changes[one.id]))
    return JudgeStatus(CalibrationState.VOID, bench.judge, tuple(changes[nearest.id]), nearest.id, nearest.created)


def _nearness(run: RunRecord, certificate: JudgeCalibration) -> tuple[bool, bool]:
    """Labels of this very run tell most of it, then those of the same dataset."""
    runs, datasets = (certificate.measurements.get(name) for name in ("runs", "datasets"))
    assert isinstance(runs, list)
    assert isinstance(datasets, list)
    return run.name in runs, run.dataset.get("name") in datasets


def _labelled_scores(certificates: Sequence[JudgeCalibration]) -> LabelledScores:
    """Labels are people's, whichever certificate they were for; of several for one judgement the latest counts."""
    found: dict[str, tuple[float, float]] = {}
    for one in certificates:
        entries = one.measurements.get(_LABELLED)
        assert isinstance(entries, list)
        found |= {judgement: (human, weight) for judgement, human, weight in entries}
    return found
