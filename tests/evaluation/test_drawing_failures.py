"""Which attempts are failures, and which of them are drawn."""

from collections import Counter
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.judging.sampling import PARTLY_RIGHT, WRONG, failure_kind, sample_failures
from affordance.ledger import open_ledger
from affordance.tasks.behavior.choice import CHOICE
from behavior_data import outcome
from errors import raises
from report_ledgers import FAILED, PENDING, REFUSED, RIGHT, SKIPPED, TRUNCATED, UNPARSED, Plan, fill
from report_ledgers import WRONG as ANSWERED_WRONG

VERDICTS = {
    "wrong": (Verdict(AttemptStatus.ANSWERED, "x", 0.0), {}, WRONG),
    "partly right": (Verdict(AttemptStatus.ANSWERED, "x", 0.5), {}, PARTLY_RIGHT),
    "refused": (REFUSED, {}, "refused"),
    "unparsed": (UNPARSED, {}, "unparsed"),
    "truncated": (TRUNCATED, {}, "truncated"),
    "right": (Verdict(AttemptStatus.ANSWERED, "x", 1.0), {}, None),
    "not scored": (Verdict(AttemptStatus.ANSWERED, "x"), {}, None),
    "at the provider": (FAILED, {}, None),
    "could not be asked": (SKIPPED, {}, None),
    "pending": (None, {}, None),
    "a control": (UNPARSED, {"tags": {CHOICE.views.split.tag: CHOICE.views.split.control}}, None),
    "a task that nobody knows": (UNPARSED, {"task": "motion/none"}, None),
    "judged as nothing": (Verdict(AttemptStatus.ANSWERED, "x", 0.0), {"task": "motion/meaning"}, WRONG),
    "judged as something": (Verdict(AttemptStatus.ANSWERED, "x", 0.4), {"task": "motion/meaning"}, None),
}


@pytest.mark.parametrize(("verdict", "changes", "expected"), VERDICTS.values(), ids=VERDICTS)
def test_failures(verdict: Verdict | None, changes: dict[str, object], expected: str | None) -> None:
    assert failure_kind(outcome("pair", verdict, "First", **changes)) == expected


SCRIPTS = {
    "often:wrong": (ANSWERED_WRONG, ANSWERED_WRONG, REFUSED, RIGHT),
    "seldom:wrong": (RIGHT, ANSWERED_WRONG, UNPARSED, FAILED, RIGHT, SKIPPED, PENDING),
}


def test_every_model_and_way_of_failing_is_drawn(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger.db") as ledger:
        run = fill(ledger, Plan(SCRIPTS, items=28))
    with open_ledger(tmp_path / "ledger.db") as ledger:
        outcomes = {one.attempt_id: one for one in ledger.attempt_results(run.id)}
        drawn = sample_failures(ledger, run, 20, seed=1)
        assert drawn == sample_failures(ledger, run, 20, seed=1)
        assert drawn.weights != sample_failures(ledger, run, 20, seed=2).weights
        everything = sample_failures(ledger, run, 1000, seed=1)
    failures = {name: how for name, one in outcomes.items() if (how := failure_kind(one)) is not None}
    assert set(everything.weights) == set(failures)
    assert (drawn.population, drawn.models) == (len(failures), 2)
    assert sum(drawn.weights.values()) == pytest.approx(len(failures))
    strata = Counter((outcomes[name].model, failures[name]) for name in drawn.weights)
    assert strata == dict.fromkeys(
        [("often:wrong", "wrong"), ("often:wrong", "refused"), ("seldom:wrong", "wrong"), ("seldom:wrong", "unparsed")],
        5,
    )


def test_too_few_and_none(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger.db") as ledger:
        run = fill(ledger, Plan(SCRIPTS, items=28))
        perfect = fill(ledger, Plan({"always:right": (RIGHT,)}, name="perfect"))
    with open_ledger(tmp_path / "ledger.db") as ledger:
        with raises(UserError, "-n", 4, 3):
            sample_failures(ledger, run, 3, seed=0)
        with raises(UserError, "'perfect'"):
            sample_failures(ledger, perfect, 3, seed=0)
