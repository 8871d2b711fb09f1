"""Beginning a study, or going on with the one of that name; and the link to it."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.ledger import DocumentDraft
from affordance.models.study_documents import study_scope
from affordance.studio.people import People
from affordance.studio.security.links import LONGEST_DAYS, Links
from affordance.studio.security.rights import Role
from affordance.studio.studies.opened import LOOSE
from affordance.studio.studies.registry import source_of
from affordance.tasks.registry import TASKS

LINK_DAYS = LONGEST_DAYS
LONGEST_NAME = 64
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PATHS = frozenset({"spec", "demo", "cache"})  # where a dataset lies on this computer, which may change


def begin_study(project: Project, study: Study, author: str) -> Study:
    """The study as it is kept. One of that name goes on, if it is the same; of what may change with time (the texts,
    for how long slots are held...), what is given is taken over. Raises a `UserError`."""
    check_name(study.name)
    _check_completion(study.completion)
    found = project.ledger.documents.get_many([(Kind.STUDY, study.name)])
    if found:
        study = _same(read_record(found[0], Study), study)
    items = {slot.item for slot in source_of(study, project).slots()}
    if not items:
        raise UserError(f"study {study.name}: there is nothing to ask about; expected at least one item")
    most = min(len(items), study.per_person or len(items))
    if study.checks > most:
        raise UserError(
            f"expected at most {most}, the number of items per participant, found {study.checks}",
            option="attention_checks",
        )
    draft = DocumentDraft(Kind.STUDY, study.name, plain(study), author, study_scope(study.name))
    project.ledger.documents.write([draft])
    return study


def study_link(project: Project, study: str, author: str, days: int = LINK_DAYS) -> str:
    """The path of a new link by which anybody can take part, until it expires. Earlier ones stay good."""
    links = Links(People(project.ledger))
    return f"/s/{links.invite(Role.PARTICIPANT, timedelta(days=days), author, study=study, note=f'study {study}')}"


def check_name(name: str) -> None:
    if len(name) > LONGEST_NAME:
        raise UserError(f"expected a name of at most {LONGEST_NAME} characters, found {len(name)}: {name[:40]!r}...")
    if _NAME.fullmatch(name) is None:
        raise UserError(f"expected a name of letters, digits, dots, dashes and underscores, found {name[:80]!r}")


def _check_completion(address: str) -> None:
    """People are sent there by a link on our page."""
    try:
        fits = not address or (urlsplit(address).scheme in ("http", "https") and bool(urlsplit(address).hostname))
    except ValueError:
        fits = False
    if not fits:
        raise UserError(
            f"expected an address that begins with https://, found {address[:200]!r}", option="completion_url"
        )


def _same(there: Study, now: Study) -> Study:
    before, wanted = _fixed(there), _fixed(now)
    for key in dict.fromkeys([*before, *wanted]):
        if canonical_json(before.get(key)) != canonical_json(wanted.get(key)):
            raise UserError(
                f"there is a study {there.name!r} with {key} {_shown(before.get(key))}, now it is "
                f"{_shown(wanted.get(key))}; give the same, or another name"
            )
    given = {name: value for name, value in plain(now).items() if name in LOOSE or name == "dataset"}
    if now.form == "task" and there.title and now.title == TASKS[now.task].summary:
        del given["title"]  # the default; a study keeps the title that participants have seen
    return Study.model_validate({**plain(there), **given})


def _fixed(study: Study) -> dict[str, Json]:
    """All that makes it this study, each part by itself so that what differs can be told. Texts may be others by now:
    then they are not asked about any more. The rules by which its questions are made are those it was begun with."""
    whole: dict[str, Json] = study.model_dump(mode="json", exclude={*LOOSE, "dataset", "settings", "texts"})
    found = {f"{key} of the dataset": value for key, value in study.dataset.items() if key not in _PATHS}
    return {**whole, **found, **{key: value for key, value in study.settings.items() if key != "rules"}}


def _shown(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= 100 else f"{text[:100]}..."
