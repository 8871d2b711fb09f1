"""Commands that people are told to run."""

import shlex
from pathlib import Path

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.model_name import STUDY_PREFIX
from affordance.core.paths import DEFAULT_LEDGER
from affordance.studio.settings import Settings
from affordance.tasks.registry import TASKS


def command(project: Project, settings: Settings, stage: str, *more: str) -> str:
    """`affordance author STAGE PROJECT ...`. Who comes from elsewhere is not told where things lie on this computer."""
    folder = str(project.folder) if settings.open else project.folder.resolve().name
    return " ".join(("affordance author", stage, shlex.quote(folder), *more))


def study_command(study: Study, project: Project, settings: Settings) -> str:
    """What to do with the answers of a study, as its page tells it; empty where that is done in no run."""
    where = project.ledger.location
    return next_command(study, where if settings.open or "://" in where else Path(where).name)


def next_command(study: Study, ledger: str) -> str:
    if study.form == "task":
        return run_command(study, ledger)
    if study.form == "judging":
        return f"affordance judge certify --judge M --labels {STUDY_PREFIX}{study.name}{_ledger(ledger)}"
    return report_command(study.run, ledger, "--format html -o report.html") if study.form == "errors" else ""


def run_command(study: Study, ledger: str) -> str:
    """How to have the answers to a task as a run: all else is as the study has it."""
    judge = " --judge M" if TASKS[study.task].judge is not None else ""
    return f"affordance run {study.task} --model {STUDY_PREFIX}{study.name}{_ledger(ledger)}{judge}"


def report_command(run: str, ledger: str, *more: str) -> str:
    return " ".join(("affordance report --run", shlex.quote(run), *more)) + _ledger(ledger)


def _ledger(where: str) -> str:
    """How a command finds it; a URL may hold a password, and is not told."""
    if where == DEFAULT_LEDGER:
        return ""
    return f" --ledger {'URL' if '://' in where else shlex.quote(where)}"
