"""Studies of the command line: what they ask, made from a task or a run, and where they are stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import completion
from affordance.cli.options import Data
from affordance.cli.run_options import RunOptionValues
from affordance.console.progress import demo_progress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.author.study_records import Study
    from affordance.ledger import Ledger

ITEMS_PER_PERSON = 20  # of a task
DESIGN_OPTIONS = ("seed", "limit", "cues", "expression", "goal")  # of a run, that a study has too
HINT = "create a study with affordance study create NAME --task T --per-item N"


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Options that describe a study. None: as it is in a study that exists, else the default."""

    task: Annotated[
        str | None,
        typer.Option(
            "--task", metavar="T", help="Ask the questions of this task.", autocompletion=completion.task_names
        ),
    ] = None
    data: Data = None
    judgements: Annotated[
        str | None, typer.Option("--judgements", metavar="RUN", help="Label judgements of a run instead.")
    ] = None
    failures: Annotated[
        str | None, typer.Option("--failures", metavar="RUN", help="Review failed attempts of a run instead.")
    ] = None
    per_item: Annotated[
        int | None,
        typer.Option("--per-item", min=1, max=10_000, metavar="N", help="Participants per item."),
    ] = None
    per_person: Annotated[
        int | None,
        typer.Option(
            "--per-person", min=1, metavar="N", help="Items per participant.", show_default="20; all items of a run"
        ),
    ] = None
    attention_checks: Annotated[
        int | None,
        typer.Option(
            "--attention-checks", min=0, metavar="N", help="Attention checks per participant.", show_default="0"
        ),
    ] = None
    consent: Annotated[
        Path | None,
        typer.Option(
            "--consent",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Text that participants agree to.",
            show_default="a built-in text",
        ),
    ] = None
    no_consent: Annotated[bool, typer.Option("--no-consent", help="Do not ask for consent: for colleagues only.")] = (
        False
    )
    demographics: Annotated[bool, typer.Option("--demographics", help="Ask for age and gender (optional answers).")] = (
        False
    )
    completion_url: Annotated[
        str | None,
        typer.Option("--completion-url", metavar="URL", help="Where participants go at the end."),
    ] = None

    @property
    def about_run(self) -> bool:
        return self.judgements is not None or self.failures is not None


def build_study(name: str, options: StudyOptions, design: RunOptionValues, ledger: str) -> "Study":
    """The study that options describe; without a task or run the one of that name, with what changes."""
    changes = _given_fields(options)
    if options.about_run:
        with read_only_ledger(ledger) as opened:
            return _study_from_run(opened, name, options, design, changes)
    if options.task is not None:
        return _study_from_task(name, options, design, changes)
    with read_only_ledger(ledger) as opened:
        return find_study(opened, name).model_copy(update=changes)


@contextmanager
def read_only_ledger(location: str) -> Iterator["Ledger"]:
    """A ledger that is only read, so that a wrong name or path creates nothing."""
    from affordance.core.errors import LedgerNotFound
    from affordance.ledger import open_ledger

    try:
        with open_ledger(location, read_only=True) as ledger:
            yield ledger
    except LedgerNotFound as error:
        raise LedgerNotFound(error.location, hint=f"{HINT}, or name another with --ledger") from None


def find_study(ledger: "Ledger", name: str) -> "Study":
    """The stored study of a name. Raises `UnknownName`."""
    from affordance.core.errors import UnknownName, UserError

    found = stored_studies(ledger)
    if not found:
        raise UserError(f"{ledger.location} has no studies", hint=HINT)
    if name not in found:
        raise UnknownName(f"study in {ledger.location}", name, found)
    return found[name]


def stored_studies(ledger: "Ledger") -> dict[str, "Study"]:
    from affordance.author.project import read_record
    from affordance.author.records import Kind
    from affordance.author.study_records import Study

    return {one.subject: read_record(one, Study) for one in ledger.documents.latest(kind=Kind.STUDY)}


def absolute_spec(spec: str) -> str:
    """A SPEC that is found from any folder."""
    from affordance.datasets import spec_path

    path = spec_path(spec)
    return f"{spec.removesuffix(str(path))}{path.absolute()}"


def _given_fields(options: StudyOptions) -> dict[str, Any]:
    """Fields of the study that were given; the others stay as they are in a study that exists."""
    from affordance.core.errors import UserError

    if options.consent is not None and options.no_consent:
        raise UserError("give --consent FILE or --no-consent, not both")
    found: dict[str, Any] = {"consent": ""} if options.no_consent else {}
    if options.per_person is not None:
        found["per_person"] = options.per_person
    if options.attention_checks is not None:
        found["checks"] = options.attention_checks
    if options.consent is not None:
        try:
            found["consent"] = options.consent.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise UserError(f"expected a text in UTF-8 in {options.consent}", option="consent") from None
    if options.completion_url is not None:
        found["completion"] = options.completion_url
    return found | ({"about": True} if options.demographics else {})


def _study_from_run(
    ledger: "Ledger", name: str, options: StudyOptions, design: RunOptionValues, changes: dict[str, Any]
) -> "Study":
    from affordance.core.errors import UserError
    from affordance.studio.studies.made_of_runs import study_of_errors, study_of_labels

    if options.judgements is not None and options.failures is not None:
        raise UserError("give --judgements or --failures, not both")
    option = "judgements" if options.judgements is not None else "failures"
    limit = design.values.get("limit")
    if limit is None:
        raise UserError(f"--{option} needs -n N, the number to draw")
    unused: dict[str, object] = {
        "data": options.data,
        "task": options.task if options.failures is not None else None,
        **{name: value for name, value in design.values.items() if name not in ("limit", "seed")},
    }
    for other, value in unused.items():
        if value is not None and other not in design.from_file:
            raise UserError(f"does not apply to --{option}: items are drawn from the run", option=other)
    how = {"per_item": options.per_item or 1, "seed": design.values.get("seed", 0), **changes}
    if options.judgements is not None:
        return study_of_labels(ledger, name, options.judgements, limit, task=options.task, **how)
    assert options.failures is not None, "one of the two is given"
    return study_of_errors(ledger, name, options.failures, limit, **how)


def _study_from_task(name: str, options: StudyOptions, design: RunOptionValues, changes: dict[str, Any]) -> "Study":
    from affordance.core.errors import UnknownName, UserError
    from affordance.datasets import load_collection
    from affordance.datasets.demo import demo_data
    from affordance.evaluation.run_config import RunConfig
    from affordance.studio.studies.sources.task import task_study
    from affordance.tasks.registry import TASKS, tasks_of_suite

    assert options.task is not None, "called for a task"
    if of_suite := tasks_of_suite(options.task) - {options.task}:
        raise UserError(
            f"a study has one task, found the suite {options.task!r}; choose {', '.join(sorted(of_suite))}",
            option="task",
        )
    if options.task not in TASKS:
        raise UnknownName("task", options.task, TASKS)
    if options.per_item is None:
        raise UserError("--task needs --per-item N, the number of participants per item")
    task = TASKS[options.task]
    config = RunConfig.from_options([task], design.values, design.from_file)
    folder = str(cache_dir().absolute())
    if options.data is None:
        with demo_progress() as advance:
            data = demo_data(cache_dir(), task.dataset_kinds, advance)
        where, changes = {"demo": folder}, {"synthetic": False, **changes}
    else:
        spec = absolute_spec(options.data)
        data, where = load_collection(spec, cache_dir()), {"spec": spec, "cache": folder}
    return task_study(name, config, options.per_item, data, where, **changes)


def complete_study(project: "Project", study: "Study") -> tuple["Study", list[str]]:
    """A study with what is stored or else the default for what was not given, and notes on the defaults."""
    from affordance.author.project import read_record
    from affordance.author.records import Kind
    from affordance.author.study_records import Study
    from affordance.studio.studies.making import CONSENT
    from affordance.studio.studies.registry import STAFF_ONLY

    if stored := project.ledger.documents.get_many([(Kind.STUDY, study.name)]):
        kept = read_record(stored[0], Study)
        missing = {"per_person", "checks"} - study.model_fields_set
        return study.model_copy(update={name: getattr(kept, name) for name in missing}), []
    defaults, notes = dict[str, Any](), list[str]()
    if "per_person" not in study.model_fields_set:
        # Else the first participant would get all items of a task.
        defaults = {"per_person": ITEMS_PER_PERSON} if study.form == "task" else {}
        each = f"at most {ITEMS_PER_PERSON} items" if defaults else "all items"
        notes.append(f"each participant gets {each}; set another number with --per-person N")
    if "consent" not in study.model_fields_set and study.form not in STAFF_ONLY:
        defaults["consent"] = CONSENT
        notes.append(
            "participants agree to the built-in consent text; use your own with --consent FILE, or --no-consent"
        )
    return study.model_copy(update=defaults), notes
