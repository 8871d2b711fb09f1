"""What people answered as a run of the ledger: a row of the report like any model."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.study_runs import STUDY_PROVIDER
from affordance.models.study_documents import valid_answers
from affordance.studio.security.records import utc_now
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.sources.task import settings_of, study_data
from affordance.studio.studies.standing import standing
from affordance.tasks.registry import TASKS

_LOOK = 5.0  # seconds after which a study is looked at again


def record(study: Study, ledger: str, pictures: Path) -> RunProgress | None:
    """Write what is answered into the run of the study's name, and what was changed since. None where the task needs a
    judge, which costs: `commands.run_command` says how."""
    return None if TASKS[study.task].judge is not None else execute_run(request_of(study, ledger, pictures))[1]


def request_of(study: Study, ledger: str, pictures: Path, beside: Sequence[ModelName] = ()) -> RunRequest:
    """The run of the study's name; models `beside` the people are asked the same."""
    return RunRequest(
        config=settings_of(study),
        data=study_data(study.dataset, TASKS[study.task]),
        models=(*beside, ModelName(STUDY_PROVIDER, study.name)),
        ledger=ledger,
        render_cache=pictures,
        name=study.name,
    )


def has_answers(project: Project, study: str) -> bool:
    return bool(valid_answers(project.ledger, study))


class Watch:
    """Looks at a study while it is served, and calls once everything is answered; again after something was freed and
    answered anew. In a thread of its own."""

    def __init__(self, studies: Studies, name: str, complete: Callable[[Study], None]) -> None:
        self._studies = studies
        self._name = name
        self._complete = complete
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, name="study-watch", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ending.set()
        self._thread.join()

    def _look(self) -> None:
        was = False
        while not self._ending.wait(_LOOK):
            try:
                study = self._studies.study(self._name)
                now = standing(self._studies.project.ledger, self._studies.open(study), utc_now()).complete
                if now and not was:
                    self._complete(study)
            except UserError:  # people are told on their pages, and it is looked at again
                continue
            was = now
