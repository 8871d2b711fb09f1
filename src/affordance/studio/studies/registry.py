"""From a study to what it is made of."""

from importlib import import_module

from affordance.author.project import Project
from affordance.author.study_records import Form, Study
from affordance.studio.studies.sheets import Source

_MODULES = "affordance.studio.studies.sources"
STAFF_ONLY: frozenset[Form] = frozenset({"errors"})  # what it shows tells what is right


def source_of(study: Study, project: Project) -> Source:
    """Loaded when the first study of a form is opened: most studios have none. Raises a `UserError` where what the
    study is about is not there any more, or has changed."""
    found: Source = import_module(f"{_MODULES}.{study.form}").source(study, project)
    return found
