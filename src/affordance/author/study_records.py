"""Studies: what people are asked, who takes part, and what was decided about their answers.

A study gives each item to several people. Its slots are what there is to answer: each is one item, as it is shown to
one person. The documents of a study belong to `models.study_documents.study_scope(NAME)`."""

from typing import Annotated, Any, Literal

from pydantic import Field

from affordance.core.validation import StrictModel
from affordance.datasets.items import NonEmptyStr

Form = Literal["task", "survey", "purpose", "preference", "judging", "errors", "boxes"]


class Study(StrictModel):
    """How a study is done; the subject is its name, which never changes.

    `form` says what is asked: the questions of a `task` as models get them, the `survey` of what animations show and
    mean, the `purpose` of animations, which of two designs people prefer, `judging` of a judge's subjects, `errors` of
    a run, or `boxes` of regions. `dataset` says what it is about: name, digest and, for a folder, where that is.
    `items` are the versions of documents of the project that are shown, by subject. `drawn` are the attempts of `run`
    that were drawn, with their weights; `texts` are digests of what was to be read then, where that can change."""

    name: NonEmptyStr
    form: Form
    title: str = ""
    task: str = ""
    settings: dict[str, Any] = {}
    per_item: Annotated[int, Field(ge=1)]
    per_person: Annotated[int, Field(ge=1)] | None = None  # None: all of them
    seed: int = 0
    dataset: dict[str, Any] = {}
    items: dict[str, int] = {}
    run: str = ""
    drawn: dict[str, float] = {}
    texts: dict[str, str] = {}
    checks: Annotated[int, Field(ge=0)] = 0  # attention checks for each person
    wrong_checks: Annotated[int, Field(ge=0)] = 0  # that a person may fail and still count
    consent: str = ""  # what people agree to; empty where they are not asked
    tutorial: bool = True
    about: bool = False  # whether age and gender are asked, which stay optional
    completion: str = ""  # where people go when they are done, as recruiting services give it
    hold_hours: Annotated[float, Field(gt=0)] = 24.0  # without a sign of life, after which slots go to somebody else
    closed: bool = False
    invited: list[str] = []  # keys of those who have an account and are asked to take part; none: all of them
    synthetic: bool = False


class Seat(StrictModel):
    """Somebody who takes part; the subject is STUDY/CODE. `person` is the key of who has signed in, empty for those who
    came by the study's link. `token` is the digest of what is in their own link. `external` is their id at a recruiting
    service, which is kept only after they have agreed. Slots that were `released` went to somebody else, and answers to
    them do not count."""

    code: NonEmptyStr
    person: str = ""
    token: str = ""
    external: str = ""
    slots: list[str] = []
    checks: list[str] = []  # of the slots, those that are attention checks
    wrong: Annotated[int, Field(ge=0)] = 0  # of the checks, those that were answered wrongly
    released: list[str] = []
    consented: str = ""  # when, UTC, ISO 8601; empty: not yet
    taught: bool = False  # whether they have seen the tutorial
    asked: bool = False  # whether they were asked about age and gender, and went on
    age: str = ""
    gender: str = ""
    seen: str = ""  # when there was the last sign of life
    finished: str = ""
    withdrawn: str = ""
    excluded: str = ""  # why nothing of them counts


def why_excluded(seat: Seat, study: Study) -> str:
    """Why nothing of somebody counts, who may still be answering; empty where it does."""
    too_many = seat.wrong > study.wrong_checks
    return seat.excluded or (f"{seat.wrong} of {len(seat.checks)} attention checks wrong" if too_many else "")


class LeftOut(StrictModel):
    """An answer that somebody in charge left out: empty or inappropriate, and nothing else. The subject is that of the
    answer; with an empty `why` it is back."""

    why: str = ""


class Settled(StrictModel):
    """What counts for an item where people differ; the subject is STUDY/ITEM."""

    given: dict[str, Any]
    note: str = ""
    gone: bool = False


class Assigned(StrictModel):
    """Who is to work on a screen, a clip or a pair: keys of people, two where it is done twice. Nobody: anybody may."""

    people: list[str] = []
