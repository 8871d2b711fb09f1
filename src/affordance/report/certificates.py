"""What the judge of a run is worth, from certificates in the ledger. A certificate holds for the same judge at the same
address with the same parameters and prompt; a change of any of them makes it void."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from affordance.core.ask import Address
from affordance.core.attempt import Outcome
from affordance.core.digest import Json
from affordance.core.names import without_address
from affordance.ledger import Certificate, Ledger, Run
from affordance.report.results import Key
from affordance.run.judged import JUDGED, Unit, known_questions, units
from affordance.stats import Corrected, Withheld, corrected
from affordance.suites.prompts import fill
from affordance.suites.registry import TASKS

Correction = Corrected | Withheld
Labelled = Mapping[str, tuple[float, float]]  # by judgement, what people say and the weight

_LABELLED = "labelled"  # what people said, judgement by judgement: not told again


class State(StrEnum):
    CERTIFIED = "certified"
    UNCERTIFIED = "uncertified"  # nobody has measured a judge of this task
    VOID = "void"  # somebody has, but another one, or asked otherwise


@dataclass(frozen=True, slots=True)
class Standing:
    """How the judge of a run stands on a task."""

    state: State
    judge: str
    changed: tuple[str, ...] = ()  # of one that is void: what is no longer as it was, in words
    id: str | None = None  # of the certificate, which of one that is void is the nearest
    created: str | None = None
    facts: Mapping[str, Json] | None = None  # what was measured; None where nothing holds


@dataclass(frozen=True, slots=True)
class Judged:
    """What a row has to say of its judge, and what its score would be if people had judged."""

    standing: Standing
    corrected: Correction | None  # None where the judge is not certified


def judged_rows(ledger: Ledger, run: Run, groups: Mapping[Key, Sequence[Outcome]]) -> dict[Key, Judged]:
    """By key, for those rows of a run whose task is judged."""
    tasks = [name for name in dict.fromkeys(key[0] for key in groups) if name in JUDGED]
    if not tasks:
        return {}
    certificates, addresses = ledger.certificates(), ledger.judge_addresses(run.id)
    found: dict[Key, Judged] = {}
    for name in tasks:
        bench = _Bench(ledger, run, name, addresses.get(name, []))
        of_task = [one for one in certificates if one.task == name] if bench.has_judged else []
        valid = [one for one in of_task if not bench.changes(one)]
        standing = _standing(bench, of_task, valid)
        labelled = _labelled(valid)
        for key, outcomes in groups.items():
            if key[0] == name:
                found[key] = Judged(standing, bench.correction(outcomes, labelled) if valid else None)
    return found


class _Bench:
    """The judge of one task in one run. What takes reading all judgements is done once, and only where it is needed."""

    def __init__(self, ledger: Ledger, run: Run, task: str, addresses: Sequence[Address]) -> None:
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

    def changes(self, certificate: Certificate) -> list[str]:
        """What is not as it was when the judge was certified."""
        was, now = certificate.address, self._addresses[0]
        found = []
        if without_address(was.model) != without_address(now.model):
            found.append(f"the judge (certified was {without_address(was.model)})")
        if was.base_url != now.base_url:
            found.append(f"its address (was {was.base_url or 'this computer'})")
        if was.parameters_text != now.parameters_text:
            found.append(f"its parameters (were {was.parameters_text})")
        if was.pack != now.pack and not self._was_told(certificate.prompt):
            found.append("its prompt")
        return found

    def correction(self, outcomes: Iterable[Outcome], labelled: Labelled) -> Correction | None:
        """Over all judgements of these attempts that count."""
        attempts = {one.attempt for one in outcomes}
        values = {
            unit.id: unit.value for unit in self._units if unit.subject.attempt in attempts and unit.value is not None
        }
        if not values:
            return None
        known = [(value, *labelled[one]) for one, value in values.items() if one in labelled]
        return corrected(list(values.values()), known)

    @cached_property
    def _units(self) -> list[Unit]:
        return units(self._ledger, self.run, self._task)

    def _was_told(self, prompt: str) -> bool:
        """Whether the run's judge was asked in these words, though other prompts of the pack may differ."""
        for unit in self._units[:1]:
            answered = self._ledger.answered_steps([unit.id]).get(unit.id)
            asked = known_questions(self._ledger, self.run, [unit]).get(unit.id)
            if answered is not None and asked is not None:
                return bool(json.loads(answered.transcript) == [["user", [fill(prompt, asked.fields)]]])
        return False


def _standing(bench: _Bench, certificates: Sequence[Certificate], valid: Sequence[Certificate]) -> Standing:
    if valid:
        best = max(valid, key=lambda one: (*_nearness(bench.run, one), one.created))
        facts = {name: value for name, value in best.document.items() if name != _LABELLED}
        return Standing(State.CERTIFIED, bench.judge, (), best.id, best.created, facts)
    if not certificates:
        return Standing(State.UNCERTIFIED, bench.judge)
    changes = {one.id: bench.changes(one) for one in certificates}
    nearest = min(reversed(certificates), key=lambda one: len(changes[one.id]))
    return Standing(State.VOID, bench.judge, tuple(changes[nearest.id]), nearest.id, nearest.created)


def _nearness(run: Run, certificate: Certificate) -> tuple[bool, bool]:
    """Labels of this very run tell most of it, then those of the same dataset."""
    runs, datasets = (certificate.document.get(name) for name in ("runs", "datasets"))
    assert isinstance(runs, list)
    assert isinstance(datasets, list)
    return run.name in runs, run.dataset.get("name") in datasets


def _labelled(certificates: Sequence[Certificate]) -> Labelled:
    """Labels are people's, whichever certificate they were for; of several for one judgement the latest counts."""
    found: dict[str, tuple[float, float]] = {}
    for one in certificates:
        entries = one.document.get(_LABELLED)
        assert isinstance(entries, list)
        found |= {judgement: (human, weight) for judgement, human, weight in entries}
    return found
