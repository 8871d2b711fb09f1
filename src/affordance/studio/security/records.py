"""What is kept of people, links and sessions: documents of the project's database, of which every version stays.

Passwords are there as hashes, tokens of links and sessions as digests: nobody who reads the database can come in with
what is in it."""

import unicodedata
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from affordance.core.json_text import Json
from affordance.core.validation import StrictModel
from affordance.datasets.items import NonEmptyStr
from affordance.ledger import DocumentDraft, DocumentRevision
from affordance.studio.refused import Refused
from affordance.studio.security.rights import Role

LONGEST_NAME = 64
PARTICIPANT = "participant-"  # how the names of those begin who came by a link and have no other
STUDIO = "studio"  # the author of what no person did


class Kept(StrEnum):
    PERSON = "person"  # subject: the key of the name
    LINK = "link"  # subject: the digest of the token
    SESSION = "session"  # subject: the digest of the token
    ADMINISTRATORS = "administrators"  # one document, which all write who make or unmake an administrator


RoleField = Annotated[Role, BeforeValidator(lambda value: Role(value) if isinstance(value, str) else value)]
Moment = str  # UTC, ISO 8601, to the second: earlier ones sort first


class Person(StrictModel):
    """`epoch` counts what ends all sessions: another password, role, or state."""

    name: NonEmptyStr
    role: RoleField
    password: str
    disabled: bool = False
    epoch: int = 0


class Invitation(StrictModel):
    """A link, which is used once. `person` is the key of somebody who is to have a new password; empty for new people.
    `used` is the name of who came by it. The link of a `study` is used by all who take part in it."""

    role: RoleField
    person: str = ""
    study: str = ""
    note: str = ""
    expires: Moment
    used: str = ""
    revoked: bool = False


class Session(StrictModel):
    """`person` is a key of a person, or the name of a participant. It ends at `expires`, which moves on with use, and
    in any case at `until`."""

    person: NonEmptyStr
    role: RoleField
    expires: Moment
    until: Moment
    ended: bool = False
    epoch: int = 0


class Administrators(StrictModel):
    keys: list[str]


R = TypeVar("R", bound=StrictModel)


def read(revision: DocumentRevision, record: type[R]) -> R:
    return record.model_validate(dict(revision.document))


def draft(kind: Kept, subject: str, record: StrictModel, author: str, after: int) -> DocumentDraft:
    document: dict[str, Json] = record.model_dump(mode="json")
    return DocumentDraft(kind, subject, document, author, based_on=after)


def changed(record: R, **values: Any) -> R:
    """The record with other values, checked like any other."""
    return type(record).model_validate(record.model_dump() | values)


def moment(when: datetime) -> Moment:
    return when.astimezone(UTC).isoformat(timespec="seconds")


def utc_now() -> datetime:
    return datetime.now(UTC)


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def tidy_name(text: str) -> str:
    """A name as it is shown. Raises `Refused` for what is none."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not name:
        raise Refused("expected a name, found nothing; give the name that others shall see")
    if len(name) > LONGEST_NAME:
        raise Refused(f"expected a name of at most {LONGEST_NAME} characters, found {len(name)}; give a shorter one")
    if any(unicodedata.category(one).startswith("C") for one in name):
        raise Refused("expected a name of letters, digits and signs, found a character that cannot be seen")
    if key_of(name).startswith(PARTICIPANT):
        raise Refused(f"names that begin with {PARTICIPANT!r} are given to participants; choose another")
    return name


def key_of(name: str) -> str:
    """What two names have in common that are the same but for case and form."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", " ".join(name.split())).casefold())
