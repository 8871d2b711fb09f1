"""Coming into a study: by its link, which many use, or by one's own, which leads back to one's seat."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from affordance.author.study_records import Seat, Study
from affordance.studio.api.waiting_id import LONGEST, held_id, hold_id
from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.refused import Refused
from affordance.studio.security.access import Access, access_of
from affordance.studio.security.cookies import new_token, same, set_cookie, token_of
from affordance.studio.security.failures import AGAIN
from affordance.studio.security.links import BadLink
from affordance.studio.security.records import PARTICIPANT, digest_of, utc_now
from affordance.studio.security.rights import Role
from affordance.studio.security.visitors import Visitor, find_visitor
from affordance.studio.studies.codes import is_browser, new_browser, new_code
from affordance.studio.studies.opened import Changed, NoStudy
from affordance.studio.studies.registry import STAFF_ONLY
from affordance.studio.studies.seats import all_seats, code_of, find_seat, same_person
from affordance.studio.studies.taking import Full, enter

router = APIRouter()

InStudio = Annotated[Studio, Depends(studio_of)]
InAccess = Annotated[Access, Depends(access_of)]

EXTERNAL = ("external", "participant", "PROLIFIC_PID", "workerId")  # how recruiting services name who they send
_FOREIGN = ("cross-site", "same-site")
_PAUSED = "This study is paused, as something about it has changed. Come back later; nothing is lost."


@router.get("/s/{token}")
def by_link(request: Request, token: str, studio: InStudio, access: InAccess) -> Response:
    """Whoever was here before, in this browser or from the same recruiting service, comes back to their seat. Where
    people are asked to agree, their id there waits in the browser until they do."""
    if request.headers.get("sec-fetch-site") in _FOREIGN:
        return HTMLResponse(AGAIN)  # cookies do not come with what another site links to
    try:
        name = access.links.find(token, study=True).invitation.study
        study = studio.studies.study(name)
        where = f"/study/{name}"
        visitor = find_visitor(request)
        if visitor is not None and visitor.role is not Role.PARTICIPANT and not studio.settings.open:
            return RedirectResponse(where, 303)  # who has signed in takes part as who they are
        if study.form in STAFF_ONLY:
            raise Refused("only people who have an account here take part in this study; sign in first")
        external = _external(request)
        own = _own_seat(request, studio, access, name, external)
        if own is not None:
            again = RedirectResponse(where, 303)
            _hold(request, studio, again, study, own, external)
            return again
        if study.closed:
            raise BadLink("This study is closed. Thank you for your interest.", "closed")
        back = (None if external else token_of(request, studio, "back")) or new_token()
        who = _newcomer(request, studio, access, external)
        new = Seat(code=code_of(name, who), token=_digest(name, back), external=external)
        seat = enter(studio.project, studio.studies.open(study), new, utc_now())
    except BadLink as bad:
        return _sorry(studio, str(bad), 410 if bad.gone else 404, bad.reason)
    except (NoStudy, Full) as gone:
        return _sorry(studio, str(gone), 410, "full" if isinstance(gone, Full) else "unknown")
    except Changed:
        return _sorry(studio, _PAUSED, 503, "paused")
    except Refused as error:
        return _sorry(studio, str(error), 403, "refused")
    answer = _come_in(request, studio, access, study, seat, who if seat.code == new.code else None)
    if seat.code == new.code:
        set_cookie(request, studio, answer, "back", back)
        _hold(request, studio, answer, study, seat, external)
    return answer


@router.get("/back/{token}")
def by_own_link(request: Request, token: str, studio: InStudio, access: InAccess) -> Response:
    """The token is STUDY.CODE.SECRET."""
    if request.headers.get("sec-fetch-site") in _FOREIGN:
        return HTMLResponse(AGAIN)
    name, code, secret = token.rsplit(".", 2) if token.count(".") > 1 else ("", "", "")
    try:
        study = studio.studies.study(name)
        seat = find_seat(studio.project.ledger, name, code)
    except NoStudy:
        seat = None
    if seat is None or not seat.token or not same(_digest(name, secret), seat.token):
        return _sorry(
            studio, "There is no such link. Copy the whole address, or open the link of the study.", 404, "unknown"
        )
    answer = _come_in(request, studio, access, study, seat, _participant(request, studio, access))
    set_cookie(request, studio, answer, "back", secret)
    return answer


def own_link(request: Request, studio: Studio, study: str, seat: Seat) -> str:
    """The path of the person's own link, where this browser knows the secret in it: here it is only a digest."""
    secret = token_of(request, studio, "back")
    known = secret is not None and bool(seat.token) and same(_digest(study, secret), seat.token)
    return f"/back/{study}.{seat.code}.{secret}" if known else ""


def _come_in(
    request: Request, studio: Studio, access: Access, study: Study, seat: Seat, who: Visitor | None
) -> Response:
    """As `who`, if the seat is theirs: they may have some in other studies too."""
    theirs = who is not None and code_of(study.name, who) == seat.code
    name = who.name if who is not None and theirs else f"{PARTICIPANT}{seat.code}"
    answer = RedirectResponse(f"/study/{study.name}", 303)
    set_cookie(request, studio, answer, "session", access.sessions.begin(name, Role.PARTICIPANT))
    return answer


def _hold(request: Request, studio: Studio, answer: Response, study: Study, seat: Seat, external: str) -> None:
    if external and study.consent and not (seat.consented or seat.withdrawn):
        hold_id(request, studio, answer, study.name, seat.code, external)


def _digest(study: str, secret: str) -> str:
    """Of the secret in somebody's own link: another one in each study of a browser."""
    return digest_of(f"{study}/{secret}")


def _participant(request: Request, studio: Studio, access: Access) -> Visitor | None:
    """Who came by a link before, also where nobody has to sign in."""
    token = token_of(request, studio, "session")
    signed = None if token is None else access.sessions.find(token)
    if signed is None or signed.role is not Role.PARTICIPANT:
        return None
    return Visitor(signed.name, signed.role, key=signed.key)


def _own_seat(request: Request, studio: Studio, access: Access, study: str, external: str) -> Seat | None:
    """That of this browser, unless a service sends somebody else: several people may use a computer."""
    ledger, who = studio.project.ledger, _participant(request, studio, access)
    own = None if who is None else find_seat(ledger, study, code_of(study, who))
    if own is None or not external:
        return own
    known = own.external or held_id(request, studio, study, own.code)
    there = same_person(all_seats(ledger, study), external)
    return own if known in ("", external) and (there is None or there.code == own.code) else None


def _newcomer(request: Request, studio: Studio, access: Access, external: str) -> Visitor:
    """Whoever has been in other studies in this browser; somebody new where a service sends them."""
    who = None if external else _participant(request, studio, access)
    if who is not None and is_browser(who.name):
        return who
    name = f"{PARTICIPANT}{new_code()}" if external else new_browser()
    return Visitor(name, Role.PARTICIPANT, key=name)


def _external(request: Request) -> str:
    found = next((value for name in EXTERNAL if (value := request.query_params.get(name, "").strip())), "")
    if len(found) > LONGEST:
        raise Refused(f"expected an id of at most {LONGEST} characters in the address; found a longer one")
    return found


def _sorry(studio: Studio, line: str, status: int, reason: str) -> Response:
    shown = f"{line[:1].upper()}{line[1:]}".removesuffix(".") + "."
    return page("error", studio, None, status, title="You cannot take part by this link", line=shown, reason=reason)
