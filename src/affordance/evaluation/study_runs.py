"""Studies as models of a run: the questions that both must have, and the answers of participants."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from affordance.core.attempts import Attempt
from affordance.core.errors import UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX, ModelName
from affordance.core.options import options_of
from affordance.evaluation.plan import Plan, is_run_of
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import Ledger, Redaction, RunRecord, open_ledger
from affordance.models.model import Model, RevisableAnswers
from affordance.models.study_answers import VersionedAnswers
from affordance.models.study_documents import valid_answer_versions, withdrawn_participants
from affordance.tasks.task import Task

STUDY_PROVIDER = STUDY_PREFIX.removesuffix(":")
STUDY_DOCUMENT = "study"  # kind of the document with the settings of a study
TASK_FORM = "task"  # the form of those that put the questions of a task
# Options of tasks in the record of a study, by stored name, with the value of a study that does not set them. Every
# record has all of them, whether they apply to its task or not, as in version 1.
_DEFAULTS: Mapping[str, Json] = {
    "fps": "10",
    "expressions": [],
    "goal": "hidden",
    "cues": [["context"]],
    "input": "frames",
    "most_frames": None,
}
_OPTION_NAMES = {"expressions": "expression", "most_frames": "max-frames"}


def study_design(config: RunConfig, task: Task) -> dict[str, Json]:
    """Everything that decides which questions of a task there are, as it is stored with a study."""
    design, records = config.question_design(task), config.task_option_records()
    return {
        "protocol": config.protocol,
        "seed": design.seed,
        "limit": design.limit,
        "trials": design.trials,
        **{name: records.get(name, default) for name, default in _DEFAULTS.items()},
        **({"rules": config.rules} if config.rules > 1 else {}),  # studies of version 1 have none
    }


def with_study_design(config: RunConfig, design: Mapping[str, Any], except_for: Collection[str] = ()) -> RunConfig:
    """The configuration with the design of a study, except for these options. Defaults of the study count as not
    given, as in a run that does not set them."""
    params = {info.key: name for task in config.tasks for name, info in options_of(task.params).items()}
    options = {
        params[name]: None if design[name] == default else design[name]
        for name, default in _DEFAULTS.items()
        if name in params
    }
    general = {name: design[name] for name in ("protocol", "seed", "limit", "trials")}
    changes = {**general, **options, "rules": design.get("rules", 1)}
    return config.replace(**{name: value for name, value in changes.items() if name not in except_for})


def merge_study_design(config: RunConfig, design: Mapping[str, Any], explicit: Collection[str]) -> RunConfig:
    """With the design of a study but for what was typed; where that is the same, it is as if it had not been."""
    found = with_study_design(config, design, explicit)
    same = study_design(found, config.tasks[0]) == design
    return with_study_design(config, design) if same else found


def find_study(models: Sequence[ModelName], ledger_address: str, tasks: Sequence[Task]) -> Mapping[str, Any] | None:
    """The first study among the models of a run, as stored in the ledger. None if there is none for this task;
    `load_study_answers` reports why it cannot answer."""
    names = [one.model for one in models if one.provider == STUDY_PROVIDER]
    if not names:
        return None
    with open_ledger(ledger_address, read_only=True) as ledger:
        found = [one.document for one in ledger.documents.get_many([(STUDY_DOCUMENT, names[0])])]
    fits = found and found[0].get("form") == TASK_FORM and [task.name for task in tasks] == [found[0].get("task")]
    return found[0] if fits else None


def study_run_name(models: Sequence[ModelName], plan: Plan, known: Mapping[str, RunRecord]) -> str | None:
    """The study's name, if the plan is the run of that study: the same answers must not be two rows. None if it is
    another run, or there is no study, or several."""
    names = [one.model for one in models if one.provider == STUDY_PROVIDER]
    if len(names) != 1:
        return None
    if names[0] in known:
        return names[0] if is_run_of(known[names[0]], plan) else None
    (task,) = plan.config.tasks
    plain = with_study_design(RunConfig(tasks=(task,)), study_design(plan.config, task))
    is_plain = plain.identity(plan.prompts) == plan.config.identity(plan.prompts)
    return names[0] if is_plain or task.judge is not None else None  # nothing else writes a judged run


def load_study_answers(ledger_address: str, plan: Plan, name: str) -> VersionedAnswers:
    """Answers of a study of the ledger that has the same questions as the plan. Raises a `UserError` with the
    difference."""
    with open_ledger(ledger_address, read_only=True) as ledger:
        studies = {one.subject: one.document for one in ledger.documents.latest(kind=STUDY_DOCUMENT)}
        if name not in studies:
            raise UnknownName(f"study in {ledger.location}", name, studies)
        _check_study_matches(name, studies[name], plan)
        counted = valid_answer_versions(ledger, name)
    return {(answer.question, answer.trial): (version, answer) for version, answer in counted}


def changed_answers(ledger: Ledger, model: Model, finished: Sequence[Attempt]) -> set[str]:
    """Attempts that have ended, but whose answer has changed since; only participants change theirs."""
    if not isinstance(model, RevisableAnswers):
        return set()
    answered = ledger.answered_steps([one.id for one in finished])
    return {
        one.id
        for one in finished
        if one.id not in answered
        or answered[one.id].response.served_by != model.answer_revision(one.question_id, one.trial)
    }


def redact_withdrawn(ledger_address: str, models: Sequence[Model]) -> None:
    """Redact what a run has written of participants who withdrew after it had read their answers. Call it after the
    last write of the run."""
    for model in models:
        if isinstance(model, RevisableAnswers) and model.participants:
            with open_ledger(ledger_address) as ledger:
                for code in sorted(
                    model.participants & withdrawn_participants(ledger, model.name.removeprefix(STUDY_PREFIX))
                ):
                    ledger.documents.redact(Redaction({}, "", model.name, f"{code}/"))


def _check_study_matches(name: str, study: Mapping[str, Json], plan: Plan) -> None:
    whole = f"{STUDY_PREFIX}{name}"
    asked = [task.name for task in plan.config.tasks]
    if study.get("form") != TASK_FORM:
        raise UserError(f"{whole} is a study of form {study.get('form')}; expected one that was made with --task")
    if asked != [study.get("task")]:
        raise UserError(f"{whole} has the task {study.get('task')}; found {', '.join(asked)}")
    about, there = study.get("dataset"), plan.dataset
    if not isinstance(about, Mapping) or about.get("digest") != there["digest"]:
        was = about.get("digest") if isinstance(about, Mapping) else None
        raise UserError(
            f"{whole} is about dataset {_dataset_name(about)!r} (digest {was}), the run about "
            f"{there['name']!r} "
            f"(digest {there['digest']}); give --data with the one of the study"
        )
    expected = study.get("settings")
    found = study_design(plan.config, plan.config.tasks[0])
    for key, value in found.items():
        was = expected.get(key) if isinstance(expected, Mapping) else None
        if was != value:
            differs = f"{whole} has {key} {_format_value(was)}, the run has {_format_value(value)}"
            raise UserError(f"{differs}; {_option_hint(key, was)}")


def _dataset_name(about: Json) -> Json:
    return about.get("name") if isinstance(about, Mapping) else None


def _format_value(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join("+".join(map(str, one)) if isinstance(one, list) else str(one) for one in value) or "none"
    return "none" if value is None else str(value)


def _option_hint(key: str, value: Json) -> str:
    option = f"--{_OPTION_NAMES.get(key, key)}"
    return f"leave {option} out" if value in (None, []) else f"give {option} {_format_value(value)}"
