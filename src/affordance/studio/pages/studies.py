"""Studies for whoever is in charge of them: the list, begin one, and one with its links and who is invited."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from affordance.author.project import PERSON, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import EditConflict, UserError
from affordance.studio.api.studies import THINGS, Organiser
from affordance.studio.api.taking import StudyName
from affordance.studio.commands import command, study_command
from affordance.studio.context import Studio
from affordance.studio.moments import day_and_time
from affordance.studio.pages.people import LinkRow, NewLink, days_of
from affordance.studio.pages.shell import page
from affordance.studio.pages.sign_in import InAccess, InStudio
from affordance.studio.pair_reviews import review_agreement
from affordance.studio.refused import Refused
from affordance.studio.security.access import Access
from affordance.studio.security.failures import without_paths
from affordance.studio.security.forms import Sent, text
from affordance.studio.security.links import LONGEST_DAYS
from affordance.studio.security.rights import Role
from affordance.studio.security.visitors import Visitor
from affordance.studio.studies.adjudicating import is_blind
from affordance.studio.studies.beginning import study_link
from affordance.studio.studies.making import CONSENT, LONGEST_CONSENT, LONGEST_TITLE, MOST, OFFERS, make_study, offers
from affordance.studio.studies.overseeing import change_study
from affordance.studio.studies.registry import STAFF_ONLY

router = APIRouter()

FORMS: Mapping[str, str] = {"task": "Questions of a task", **{offer.form: offer.name for _, offer in OFFERS}}
_MOST_RUNS = 500  # that the page suggests
_EMPTY: Mapping[str, str] = {"consent": CONSENT, "tutorial": "on", "checks": "0", "hold_hours": "24"}


@dataclass(frozen=True, slots=True)
class Staff:
    key: str
    name: str
    role: Role
    invited: bool


@router.get("/studies")
def studies(studio: InStudio, visitor: Organiser) -> Response:
    found = [read_record(one, Study) for one in studio.project.ledger.documents.latest(kind=Kind.STUDY)]
    return page(
        "studies",
        studio,
        visitor,
        here="/studies",
        script="studies/list.js",
        studies=found,
        forms=FORMS,
        rounds=review_agreement(studio.project) if studio.holdings.has(Kind.PAIR) else [],
        may_assign=any(studio.holdings.has(kind) for kind in THINGS.values()),
    )


@router.get("/new-study")
def new_study(studio: InStudio, visitor: Organiser) -> Response:
    return _new(studio, visitor, _EMPTY)


@router.post("/new-study")
def make(visitor: Organiser, form: Sent, studio: InStudio) -> Response:
    try:
        study = make_study(studio.project, offers(studio.holdings, bool(_runs(studio))), form, visitor.author)
    except UserError as error:
        return _new(studio, visitor, form, without_paths(str(error), studio), 422)
    return RedirectResponse(f"/studies/{study.name}", 303)


@router.get("/studies/{name}")
def one(name: StudyName, studio: InStudio, access: InAccess, visitor: Organiser) -> Response:
    return _one(studio, access, visitor, name)


@router.post("/studies/{name}/close")
def close(name: StudyName, visitor: Organiser, form: Sent, studio: InStudio, access: InAccess) -> Response:
    closed = "reopen" not in form
    return _done(studio, access, visitor, name, lambda: _change(studio, name, visitor, closed=closed))


@router.post("/studies/{name}/link")
def link(
    request: Request, name: StudyName, visitor: Organiser, form: Sent, studio: InStudio, access: InAccess
) -> Response:
    """Not a redirect: the link is nowhere but in this answer."""
    study, days = studio.studies.study(name), days_of(form)
    if study.form in STAFF_ONLY:
        raise HTTPException(422, "only people who have an account take part in this study; invite them instead")
    try:
        path = study_link(studio.project, name, visitor.author, days)
    except Refused as refused:
        return _one(studio, access, visitor, name, line=str(refused), status=422)
    address = f"{request.url.scheme}://{request.headers['host']}{path}"
    return _one(studio, access, visitor, name, new=NewLink(address, "everybody who takes part", days))


@router.post("/studies/{name}/unlink")
def unlink(name: StudyName, visitor: Organiser, form: Sent, studio: InStudio, access: InAccess) -> Response:
    wanted = text(form, "link")
    own = [one.id for one in access.links.open() if one.invitation.study == name]
    if wanted not in own:
        raise HTTPException(422, "that link is not open any more; look at the list again")
    return _done(studio, access, visitor, name, lambda: access.links.revoke(wanted, visitor.author))


@router.post("/studies/{name}/invite")
def invite(name: StudyName, visitor: Organiser, form: Sent, studio: InStudio, access: InAccess) -> Response:
    """Ask somebody who has an account, or with the field `take-back` do not any more."""
    key, invited = text(form, "person"), list(studio.studies.study(name).invited)
    if "take-back" in form:
        now = [one for one in invited if one != key]
    else:
        now = sorted({*invited, key})
        if access.people.find(key) is None:
            raise HTTPException(422, f"there is nobody with the name {key[:80]!r}; look at the list of people")
    return _done(studio, access, visitor, name, lambda: _change(studio, name, visitor, invited=now))


def _new(studio: Studio, visitor: Visitor, given: Mapping[str, str], line: str = "", status: int = 200) -> Response:
    runs = _runs(studio)
    return page(
        "study_new",
        studio,
        visitor,
        status,
        here="/studies",
        script="studies/new.js",
        offers=offers(studio.holdings, bool(runs)),
        runs=runs[:_MOST_RUNS],
        given=given,
        line=line,
        most=MOST,
        longest_title=LONGEST_TITLE,
        longest_consent=LONGEST_CONSENT,
    )


def _one(
    studio: Studio,
    access: Access,
    visitor: Visitor,
    name: str,
    new: NewLink | None = None,
    line: str = "",
    status: int = 200,
) -> Response:
    study = studio.studies.study(name)
    return page(
        "study_one",
        studio,
        visitor,
        status,
        here="/studies",
        script="studies/one.js",
        study=study,
        form=FORMS[study.form],
        facts=_facts(study),
        staff=_staff(access, study),
        staff_only=study.form in STAFF_ONLY,
        links=_links(access, name),
        new=new,
        line=line,
        blind=is_blind(study),
        longest_days=LONGEST_DAYS,
        command=command(studio.project, studio.settings, "export", "-o FOLDER"),
        next_command=study_command(study, studio.project, studio.settings),
        exported=study.form in ("survey", "purpose", "preference"),
    )


def _done(studio: Studio, access: Access, visitor: Visitor, name: str, change: Callable[[], None]) -> Response:
    studio.studies.study(name)
    try:
        change()
    except (Refused, EditConflict) as refused:
        return _one(studio, access, visitor, name, line=str(refused), status=422)
    return RedirectResponse(f"/studies/{name}", 303)


def _change(studio: Studio, name: str, visitor: Visitor, **values: object) -> None:
    change_study(studio.studies, name, visitor.author, **values)


def _facts(study: Study) -> list[tuple[str, str]]:
    """How the study is done, in words."""
    per_person = "all of them" if study.per_person is None else f"{study.per_person:,}"
    facts = [("People for each item", f"{study.per_item:,}"), ("Items for each person", per_person)]
    if study.task:
        facts.append(("Task", study.task))
    if study.run:
        facts.append(("Run", study.run))
    if study.dataset.get("name"):
        facts.append(("Dataset", str(study.dataset["name"])))
    if study.checks:
        facts.append(("Attention checks", f"{study.checks}, of which {study.wrong_checks} may be wrong"))
    facts.append(("Consent", "asked for" if study.consent else "not asked for"))
    facts.append(("Age and gender", "asked for, optional" if study.about else "not asked for"))
    facts.append(("Questions are held for", f"{study.hold_hours:g} hours"))
    if study.completion:
        facts.append(("Completion link", study.completion))
    facts.append(("Seed", str(study.seed)))
    return facts


def _staff(access: Access, study: Study) -> list[Staff]:
    return [
        Staff(one.key, one.person.name, one.person.role, one.key in study.invited)
        for one in access.people.all()
        if not one.person.disabled and one.person.role is not Role.PARTICIPANT
    ]


def _links(access: Access, name: str) -> list[LinkRow]:
    return [
        LinkRow(
            one.id,
            "everybody who takes part",
            "",
            one.author.removeprefix(PERSON),
            day_and_time(one.created),
            day_and_time(one.invitation.expires),
        )
        for one in access.links.open()
        if one.invitation.study == name
    ]


def _runs(studio: Studio) -> list[str]:
    return [run.name for run in studio.project.ledger.runs()]
