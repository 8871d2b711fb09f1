"""Roles, and what each may do. Every route says what it needs; a test goes through all of them."""

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    ADMINISTRATOR = "administrator"  # all of it, and who else may come
    REVIEWER = "reviewer"  # what an annotator does, and whether texts are right
    ANNOTATOR = "annotator"  # corrects boxes, texts and questions
    PARTICIPANT = "participant"  # comes by a link and sees nothing but a study


class Right(StrEnum):
    SEE = "see"  # the project
    EDIT = "edit"  # regions, types, texts, questions
    VALIDATE = "validate"  # say whether a text is right
    RETELL = "retell"  # have regions told anew by a model, which costs
    UPLOAD = "upload"  # add screens
    MANAGE = "manage"  # people and links
    TAKE_PART = "take part"  # in a study
    MANAGE_STUDIES = "manage studies"  # begin them, see how they stand, take what was answered


_ANNOTATOR = frozenset({Right.SEE, Right.EDIT, Right.RETELL, Right.TAKE_PART})

RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.ADMINISTRATOR: frozenset(Right),
    Role.REVIEWER: _ANNOTATOR | {Right.VALIDATE},
    Role.ANNOTATOR: _ANNOTATOR,
    Role.PARTICIPANT: frozenset({Right.TAKE_PART}),
}
