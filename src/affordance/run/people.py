"""Studies in a run: the design that both must have, and what people answered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from affordance.core.attempt import Attempt
from affordance.core.digest import Json
from affordance.core.errors import UnknownName, UserError
from affordance.core.names import STUDIES, ModelName
from affordance.ledger import Ledger, Redaction, Run, open_ledger
from affordance.models.answers import Answers
from affordance.models.base import Edited, Model
from affordance.models.counting import counted_versions, withdrawn_seats
from affordance.run.job import Job, is_same
from affordance.run.settings import DEFAULT_FPS, Settings
from affordance.suites.motion.cues import USUAL
from affordance.suites.task import Task

PROVIDER = STUDIES.removesuffix(":")
STUDY = "study"  # the kind of the document that says how a study is done
TASK = "task"  # the form of those that put the questions of a task
_OPTIONS = {"expressions": "expression", "most_frames": "most-frames"}


def design_of(settings: Settings, task: Task) -> dict[str, Json]:
    """All that decides which questions of a task there are, as it is kept with a study."""
    design = settings.design(task)
    return {
        "protocol": settings.protocol,
        "seed": design.seed,
        "limit": design.limit,
        "trials": design.trials,
        "fps": str(settings.fps or DEFAULT_FPS),
        "expressions": list(design.expressions),
        "goal": "shown" if design.goal else "hidden",
        "cues": [list(cues) for cues in design.cues],
        "input": "video" if design.video else "frames",
        "most_frames": design.most_frames,
        **({"rules": design.rules} if design.rules > 1 else {}),  # studies of version 1 have none
    }


def with_design(settings: Settings, design: Mapping[str, Any], but: Collection[str] = ()) -> Settings:
    """Settings that ask what a study asks, `but` for these parts of its design. What is usual is not said, as nobody
    says it who begins a run."""
    fixed = {
        "protocol": design["protocol"],
        "seed": design["seed"],
        "limit": design["limit"],
        "trials": design["trials"],
        "fps": Fraction(design["fps"]),
        "expressions": tuple(design["expressions"]),
        "goal": "shown" if design["goal"] == "shown" else None,
        "cues": () if design["cues"] == [list(USUAL)] else tuple(tuple(cues) for cues in design["cues"]),
        "input": "video" if design["input"] == "video" else None,
        "most_frames": design["most_frames"],
        "rules": design.get("rules", 1),
    }
    return replace(settings, **{name: value for name, value in fixed.items() if name not in but})


def as_asked(settings: Settings, design: Mapping[str, Any], typed: Collection[str]) -> Settings:
    """With the design of a study but for what was typed; where that is the same, it is as if it had not been."""
    found = with_design(settings, design, typed)
    same = design_of(found, settings.tasks[0]) == design
    return with_design(settings, design) if same else found


def study_among(models: Sequence[ModelName], where: str, tasks: Sequence[Task]) -> Mapping[str, Any] | None:
    """The first study among the models of a run, as it is kept in the ledger. None where there is none that was asked
    this task: `people_of` says why it cannot answer."""
    names = [one.model for one in models if one.provider == PROVIDER]
    if not names:
        return None
    with open_ledger(where, read_only=True) as ledger:
        found = [one.document for one in ledger.documents_of([(STUDY, names[0])])]
    fits = found and found[0].get("form") == TASK and [task.name for task in tasks] == [found[0].get("task")]
    return found[0] if fits else None


def name_of_run(models: Sequence[ModelName], job: Job, known: Mapping[str, Run]) -> str | None:
    """The run of a study's own name, where the job is that run: the same answers are not to be two rows. None where it
    is another, or there is no study, or several."""
    names = [one.model for one in models if one.provider == PROVIDER]
    if len(names) != 1:
        return None
    if names[0] in known:
        return names[0] if is_same(known[names[0]], job) else None
    (task,) = job.settings.tasks
    plain = with_design(Settings(tasks=(task,)), design_of(job.settings, task))
    is_plain = plain.record(job.packs) == job.settings.record(job.packs)
    return names[0] if is_plain or task.judging is not None else None  # what is judged is written by nobody else


def people_of(where: str, job: Job, name: str) -> Answers:
    """What was answered in a study of the ledger, where it is about the same questions as the job. Raises a `UserError`
    that says what differs."""
    with open_ledger(where, read_only=True) as ledger:
        studies = {one.subject: one.document for one in ledger.documents(kind=STUDY)}
        if name not in studies:
            raise UnknownName(f"study in {ledger.where}", name, studies)
        _check_same(name, studies[name], job)
        counted = counted_versions(ledger, name)
    return {(answer.question, answer.trial): (version, answer) for version, answer in counted}


def changed_since(ledger: Ledger, model: Model, ended: Sequence[Attempt]) -> set[str]:
    """Of attempts that have ended, those whose answer is another one by now; only people change theirs."""
    if not isinstance(model, Edited):
        return set()
    answered = ledger.answered_steps([one.id for one in ended])
    return {
        one.id
        for one in ended
        if one.id not in answered or answered[one.id].reply.served_by != model.edition(one.question, one.trial)
    }


def erase_withdrawn(where: str, models: Sequence[Model]) -> None:
    """Erase what a run has written of people who withdrew after it had read their answers. To be called when nothing
    more of it is to be written."""
    for model in models:
        if isinstance(model, Edited) and model.seats:
            with open_ledger(where) as ledger:
                for code in sorted(model.seats & withdrawn_seats(ledger, model.name.removeprefix(STUDIES))):
                    ledger.redact(Redaction({}, "", model.name, f"{code}/"))


def _check_same(name: str, study: Mapping[str, Json], job: Job) -> None:
    whole = f"{STUDIES}{name}"
    asked = [task.name for task in job.settings.tasks]
    if study.get("form") != TASK:
        raise UserError(f"{whole} is a study of form {study.get('form')}; expected one that was made with --task")
    if asked != [study.get("task")]:
        raise UserError(f"{whole} was asked {study.get('task')}, and nothing else; found {', '.join(asked)}")
    about, there = study.get("dataset"), job.described
    if not isinstance(about, Mapping) or about.get("digest") != there["digest"]:
        was = about.get("digest") if isinstance(about, Mapping) else None
        raise UserError(
            f"{whole} was asked about dataset {_named(about)!r} (digest {was}), the run is about {there['name']!r} "
            f"(digest {there['digest']}); give --data with the one of the study"
        )
    expected = study.get("settings")
    found = design_of(job.settings, job.settings.tasks[0])
    for key, value in found.items():
        was = expected.get(key) if isinstance(expected, Mapping) else None
        if was != value:
            differs = f"{whole} was asked with {key} {_told(was)}, the run with {_told(value)}"
            raise UserError(f"{differs}; {_todo(key, was)}")


def _named(about: Json) -> Json:
    return about.get("name") if isinstance(about, Mapping) else None


def _told(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join("+".join(map(str, one)) if isinstance(one, list) else str(one) for one in value) or "none"
    return "none" if value is None else str(value)


def _todo(key: str, value: Json) -> str:
    option = f"--{_OPTIONS.get(key, key)}"
    return f"leave {option} out" if value in (None, []) else f"give {option} {_told(value)}"
