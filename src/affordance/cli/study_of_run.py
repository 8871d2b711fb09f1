"""`affordance study --label RUN` and `--errors RUN`: studies about what a run holds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affordance.author.study_records import Study
    from affordance.ledger import Ledger


def study_from_run(
    ledger: "Ledger",
    name: str,
    label: str | None,
    errors: str | None,
    number: int | None,
    task: str | None,
    unfit: Mapping[str, object],
    **how: Any,
) -> "Study":
    """`unfit` are values of options that mean nothing here, None where they were not given."""
    from affordance.core.errors import UserError
    from affordance.studio.studies.made_of_runs import study_of_errors, study_of_labels

    if label is not None and errors is not None:
        raise UserError("expected --label or --errors, found both; make two studies")
    option = "--label" if label is not None else "--errors"
    if number is None:
        raise UserError(f"expected -n N, how many to draw for {option}; found none")
    for other, value in {**unfit, "--task": task if errors is not None else None}.items():
        if value is not None:
            raise UserError(f"{other} does not apply to {option}: what is asked is drawn from the run")
    if label is not None:
        return study_of_labels(ledger, name, label, number, task=task, **how)
    assert errors is not None, "called for one of the two"
    return study_of_errors(ledger, name, errors, number, **how)
