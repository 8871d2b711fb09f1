"""Studies about what a run holds: labels for its judge, and a review of its errors. What is asked is drawn once, when
the study is made, and kept in it."""

from collections.abc import Mapping
from typing import Any

from affordance.author.study_records import Form, Study
from affordance.judging.judgements import judged_task
from affordance.judging.sampling import sample_failures, sample_judgements
from affordance.ledger import Ledger, RunRecord


def study_of_labels(
    ledger: Ledger, name: str, run: str, number: int, *, task: str | None = None, seed: int = 0, **how: Any
) -> Study:
    """Judgements of a run to be labelled by people. `task` says of which task where several are judged; `how` are other
    fields of the study."""
    found = ledger.find_run(run)
    chosen = judged_task(found, task)
    rows = sample_judgements(ledger, found, chosen, number, seed).rows
    drawn = {row.judgement: row.weight for row in rows}
    texts = {row.judgement: row.texts_digest for row in rows}
    title = f"Do these texts agree? ({chosen.name})"
    return _study(name, "judging", found, drawn, seed, {"task": chosen.name, "texts": texts, "title": title, **how})


def study_of_errors(ledger: Ledger, name: str, run: str, number: int, *, seed: int = 0, **how: Any) -> Study:
    """Failed attempts of a run, to be tagged by people."""
    found = ledger.find_run(run)
    drawn = sample_failures(ledger, found, number, seed).weights
    return _study(name, "errors", found, drawn, seed, {"title": f"What went wrong in {found.name}?", **how})


def _study(
    name: str, form: Form, run: RunRecord, drawn: Mapping[str, float], seed: int, how: Mapping[str, Any]
) -> Study:
    about = {key: run.dataset[key] for key in ("name", "digest") if key in run.dataset}
    return Study(
        name=name, form=form, run=run.name, drawn=dict(drawn), seed=seed, **{"per_item": 1, "dataset": about, **how}
    )
