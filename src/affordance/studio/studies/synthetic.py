"""People who are made up: they take part in a study as people do, so that a demo can show what comes of it. What they
answer says nothing about people, and the study says so."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from affordance.author.project import Project
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study
from affordance.core.digest import digest, seeded_random
from affordance.core.errors import UserError
from affordance.studio.edits import Edit
from affordance.studio.security.records import PARTICIPANT, moment
from affordance.studio.strokes import Sent
from affordance.studio.studies.forms import AnswerForm, ChoiceForm, EitherForm
from affordance.studio.studies.given import SIDES
from affordance.studio.studies.opened import Opened, Studies
from affordance.studio.studies.sources.task import Asked
from affordance.studio.studies.taking import Full, enter, finish, go_on, save_answers

_QUOTED = re.compile("“(.+?)”")  # in an attention check, what is to be chosen
_LENGTH = 10  # of a code


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody answers: how often as the dataset has it, whether they read what they are told, and in how many
    seconds."""

    right: float
    reads: bool
    seconds: tuple[float, float]


CAREFUL = Manner(0.9, True, (8.0, 40.0))
HASTY = Manner(0.6, True, (2.0, 6.0))
ABSENT = Manner(0.2, False, (0.5, 2.0))
_MANNERS = (CAREFUL, HASTY, ABSENT)  # of the first; of those who follow, one in three is hasty


def take_part(project: Project, study: Study, studies: Studies, now: datetime) -> None:
    """People take part one after the other until everything is answered; the same ones for the same study. One that was
    interrupted goes on."""
    if not study.synthetic:
        raise UserError(f"study {study.name} is one of people; expected one that says that it is synthetic")
    opened = studies.open(study)
    for number in count():
        code = digest("synthetic", study.name, study.seed, number)[:_LENGTH]
        try:
            seat = enter(project, opened, Seat(code=code), now)
        except Full:
            return
        if not seat.finished:
            manner = _MANNERS[number] if number < len(_MANNERS) else HASTY if number % 3 == 1 else CAREFUL
            _answer_all(project, opened, code, manner, now)


def _answer_all(project: Project, opened: Opened, code: str, manner: Manner, now: datetime) -> None:
    author = f"person:{PARTICIPANT}{code}"
    before = {"consented": moment(now), "asked": True, "taught": True}
    seat = go_on(project, opened, code, author, now, lambda *_: before)
    chance = seeded_random("synthetic", opened.study.seed, code)
    for slot in seat.slots:
        given = _check(opened, slot, code, manner) if slot in seat.checks else _given(opened, slot, manner, chance)
        values = {"given": given, "seconds": round(chance.uniform(*manner.seconds), 1)}
        edit = Edit(kind=Kind.ANSWER, name=f"{code}/{slot}", after=0, set=values)
        sent = Sent(screen=f"study:{opened.study.name}", key=digest("stroke", code, slot)[:32], edits=[edit])
        save_answers(project, opened, code, author, sent, now)
    finish(project, opened, code, author, now)


def _given(opened: Opened, slot: str, manner: Manner, chance: random.Random) -> Mapping[str, str]:
    assert isinstance(opened.source, Asked)
    options = _options(opened.form(slot, ""))
    truth = opened.source.question(slot).truth
    right = next(given for given in options.values() if truth.casefold() in (one.casefold() for one in given.values()))
    return right if chance.random() < manner.right else chance.choice([one for one in options.values() if one != right])


def _check(opened: Opened, slot: str, code: str, manner: Manner) -> Mapping[str, str]:
    """What the sheet asks for, by those who read it."""
    sheet = opened.sheet(slot, code)
    told = _QUOTED.search(sheet.instruction)
    assert told is not None
    options = _options(sheet.form)
    return options[told[1]] if manner.reads else next(given for label, given in options.items() if label != told[1])


def _options(form: AnswerForm) -> dict[str, Mapping[str, str]]:
    """What can be given, by what it is called on the page."""
    match form:
        case ChoiceForm(options, several=False):
            return {one.label: {"option": one.name} for one in options}
        case EitherForm(labels):
            return {label: {"side": side} for label, side in zip(labels, SIDES, strict=True)}
    raise UserError(f"made-up people answer by choosing one option; found a form of kind {form.kind!r}")
