"""Making a study on a page: which forms there is something for, what is usual, and what somebody filled in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from affordance.author.project import Project
from affordance.author.records import Kind
from affordance.author.study_records import Form, Study
from affordance.core.errors import UserError
from affordance.studio.holdings import Holdings
from affordance.studio.refused import Refused
from affordance.studio.studies import made_of_clips, made_of_pairs, made_of_regions, made_of_runs
from affordance.studio.studies.beginning import begin_study, check_name

LONGEST_CONSENT = 20_000
LONGEST_TITLE = 200
MOST = 10_000  # people, items, hours
DRAWN = 100  # of a run, unless told otherwise
CONSENT = """You are asked to look at parts of user interfaces and to say what you see, choose or think.

Taking part is voluntary. You may stop at any time, come back later by your own link, and withdraw: \
then everything that you said is erased.

We keep your answers, how long each took, and when you were here. We keep neither your name nor your address. \
If you come from a recruiting service, we keep the id that it gives you, so that you can be paid; it is in no \
publication. Answers may be published without anything that says whose they are.

If you agree, go on. If not, say so below or close the page: then nothing of you is kept, nor the id of a recruiting \
service."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A form that there is something for. `per_item` and `per_person` are what is usual; `drawn`: it is about a part of
    what there is, whose number may be given; `of_run`: that is a run."""

    form: Form
    name: str
    about: str
    per_item: int
    per_person: int | None = None
    drawn: bool = False
    of_run: bool = False


OFFERS: tuple[tuple[Kind | None, Offer], ...] = (
    (
        Kind.CLIP,
        Offer(
            "survey",
            "Survey of clips",
            "People say in their words what an animation shows and means.",
            made_of_clips.PEOPLE,
            made_of_clips.CLIPS,
        ),
    ),
    (
        Kind.CLIP,
        Offer("purpose", "Purpose of clips", "Experts say what each animation is for.", made_of_clips.EXPERTS),
    ),
    (
        Kind.PAIR,
        Offer(
            "preference",
            "Preference between designs",
            "People choose one of two designs, in balanced order. Nobody is told what they choose until it is closed.",
            made_of_pairs.PEOPLE,
        ),
    ),
    (
        Kind.REGION,
        Offer(
            "boxes",
            "Blind second boxes",
            "People draw regions by what the text says of them, without seeing the boxes that are there.",
            made_of_regions.PEOPLE,
            drawn=True,
        ),
    ),
    (
        None,
        Offer(
            "judging",
            "Labels for a judge",
            "People say whether texts agree, blind to the judge's verdict; for judge certify.",
            2,
            drawn=True,
            of_run=True,
        ),
    ),
    (
        None,
        Offer(
            "errors",
            "Review of errors",
            "Reviewers give failed attempts of a run tags of their own, and see the truth: for people with an account.",
            2,
            drawn=True,
            of_run=True,
        ),
    ),
)


def offers(holdings: Holdings, runs: bool) -> list[Offer]:
    """What can be asked about in this project; `runs`: whether its database holds some."""
    return [offer for kind, offer in OFFERS if (runs if kind is None else holdings.has(kind))]


def make_study(project: Project, offered: list[Offer], fields: Mapping[str, str], author: str) -> Study:
    """A new study of what somebody filled in. Raises a `UserError` in one line."""
    name = fields.get("name", "").strip()
    check_name(name)
    if project.ledger.documents.get_many([(Kind.STUDY, name)]):
        raise Refused(f"there is a study {name!r} already; choose another name")
    offer = next((one for one in offered if one.form == fields.get("form")), None)
    if offer is None:
        raise Refused("expected a form that this project has something for; choose one from the list")
    how = _how(fields)
    how["per_item"] = _number(fields, "per_item", "people for each item", 1) or offer.per_item
    how["per_person"] = _number(fields, "per_person", "items for each person", 1)
    number = _number(fields, "number", "how many are drawn", 1) if offer.drawn else None
    try:
        study = _MAKERS[offer.form](project, name, fields, number, how)
        return begin_study(project, study, author)
    except UserError as error:  # options of the command line have other names here
        raise Refused(str(error).replace("with --task", "as the task").removeprefix("--")) from None


def _how(fields: Mapping[str, str]) -> dict[str, Any]:
    title, consent = " ".join(fields.get("title", "").split()), fields.get("consent", "").replace("\r\n", "\n").strip()
    if len(title) > LONGEST_TITLE:
        raise Refused(f"title: expected at most {LONGEST_TITLE} characters, found {len(title)}")
    if len(consent) > LONGEST_CONSENT:
        raise Refused(f"consent: expected at most {LONGEST_CONSENT:,} characters, found {len(consent):,}")
    checks = _number(fields, "checks", "attention checks", 0) or 0
    wrong = _number(fields, "wrong_checks", "checks that may be wrong", 0) or 0
    if checks and wrong >= checks:
        raise Refused(f"checks that may be wrong: expected fewer than the {checks} that there are, found {wrong}")
    how = {
        "consent": consent,
        "tutorial": "tutorial" in fields,
        "about": "about" in fields,
        "checks": checks,
        "wrong_checks": wrong,
        "completion": fields.get("completion", "").strip(),
        "seed": _number(fields, "seed", "seed", 0) or 0,
        "hold_hours": float(_number(fields, "hold_hours", "hours for which questions are held", 1) or 24),
    }
    return {**how, "title": title} if title else how


def _number(fields: Mapping[str, str], field: str, what: str, least: int) -> int | None:
    """None where nothing was filled in."""
    text = fields.get(field, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= MOST):
        raise Refused(f"{what}: expected a whole number from {least} to {MOST:,}, found {text[:40]!r}")
    return int(text)


def _run(fields: Mapping[str, str]) -> str:
    if not (run := fields.get("run", "").strip()):
        raise Refused("run: expected the name of a run, found nothing")
    return run


Maker = Callable[[Project, str, Mapping[str, str], int | None, dict[str, Any]], Study]

_MAKERS: Mapping[Form, Maker] = {
    "survey": lambda project, name, _, __, how: made_of_clips.survey_study(project, name, **_usual(how, "per_person")),
    "purpose": lambda project, name, _, __, how: made_of_clips.purpose_study(project, name, **how),
    "preference": lambda project, name, _, __, how: made_of_pairs.preference_study(project, name, **how),
    "boxes": lambda project, name, _, number, how: made_of_regions.boxes_study(project, name, number=number, **how),
    "judging": lambda project, name, fields, number, how: made_of_runs.study_of_labels(
        project.ledger, name, _run(fields), number or DRAWN, task=fields.get("task", "").strip() or None, **how
    ),
    "errors": lambda project, name, fields, number, how: made_of_runs.study_of_errors(
        project.ledger, name, _run(fields), number or DRAWN, **how
    ),
}


def _usual(how: dict[str, Any], *names: str) -> dict[str, Any]:
    """Without these, where nothing was given: what is usual is taken."""
    return {name: value for name, value in how.items() if value is not None or name not in names}
