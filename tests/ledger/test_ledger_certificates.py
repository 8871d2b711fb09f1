"""Certificates of judges in the ledger, and what is read to measure judges. On sqlite and on Postgres."""

from dataclasses import replace

from ledger_samples import RIGHT, STEP, a_question, a_reply, a_run, an_ask, an_attempt

from affordance.core.errors import LedgerError
from affordance.core.requests import CallSettings
from affordance.ledger import JudgeCalibration, Ledger, open_ledger
from errors import raises

ADDRESS = CallSettings("openai:judge", "https://host/v1", "", "pack", {"temperature": 0})
CERTIFICATE = JudgeCalibration(
    "rationale", ADDRESS, "Is it there?\n{text_a}\0", {"labels": 3, "kappa": None, "by": {"m": 0.5}}
)


def test_a_certificate_comes_back_as_it_was(ledger: Ledger) -> None:
    ledger.add_judge_calibration(CERTIFICATE).result()
    (found,) = ledger.judge_calibrations()
    assert replace(found, created="") == CERTIFICATE
    assert found.id == CERTIFICATE.id
    assert found.created.endswith("+00:00")


def test_the_same_measurements_are_one_certificate_and_others_are_another(ledger: Ledger) -> None:
    later = replace(CERTIFICATE, measurements={"labels": 4})
    for one in (CERTIFICATE, CERTIFICATE, later):
        ledger.add_judge_calibration(one).result()
    assert [one.id for one in ledger.judge_calibrations()] == [CERTIFICATE.id, later.id]


CHANGES = {
    "task": {"task": "meaning"},
    "judge": {"judge": replace(ADDRESS, model="openai:other")},
    "address": {"judge": replace(ADDRESS, base_url="https://other/v1")},
    "parameters": {"judge": replace(ADDRESS, parameters={"temperature": 1})},
    "prompt": {"prompt": "Is it?"},
    "measurements": {"measurements": {}},
}


def test_any_change_makes_another_certificate() -> None:
    ids = {name: replace(CERTIFICATE, **change).id for name, change in CHANGES.items()}  # type: ignore[arg-type]
    assert len({CERTIFICATE.id, *ids.values()}) == len(CHANGES) + 1, ids


def test_a_reader_cannot_add_one(ledger: Ledger, where: str) -> None:
    with open_ledger(where, read_only=True) as reader, raises(LedgerError, reader.location):
        reader.add_judge_calibration(CERTIFICATE)
    assert ledger.judge_calibrations() == []


def test_judgements_are_told_from_attempts(ledger: Ledger) -> None:
    """The judge may be one of the models that are judged, and asked in another way as that."""
    run = ledger.begin_run(a_run())
    asked, judged = a_question(order=1), a_question(order=1, judged="rationale", rationale=2)
    attempt = an_attempt(run, asked)
    judgement = an_attempt(run, judged, subject=attempt.id)
    ledger.add_attempts([(attempt, "effect", asked), (judgement, "effect", judged)])
    as_model = an_ask("asked")
    as_judge = replace(an_ask("judged"), call=replace(as_model.call, parameters={"temperature": 1}))
    for one, ask in ((attempt, as_model), (judgement, as_judge)):
        ledger.add_response(one.id, STEP, ask, a_reply(), run=run.id)
        ledger.add_verdict(one.id, RIGHT).result()
    assert ledger.judge_call_settings(run.id) == {"effect": [as_judge.call]}
    assert ledger.question_axes(run.id)[judged.id] == {"order": 1, "judged": "rationale", "rationale": 2}
    assert ledger.run_ids_of([judgement.id, "nobody", attempt.id]) == {judgement.id: run.id, attempt.id: run.id}
    assert ledger.run_ids_of([]) == {}
    assert ledger.judge_call_settings("another run") == {}
