"""What people answered in a study, as it is kept in a ledger."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from affordance.core.names import STUDY_PREFIX
from affordance.datasets.parts import NonEmptyStr, StrictModel

UNANSWERED = "not answered yet"  # how the reason begins where nobody has answered something
ANSWER_DOCUMENT = "answer"  # the kind of the documents; the subject is STUDY/SEAT/SLOT, the screen is `place_of(STUDY)`


class StudyAnswer(StrictModel):
    """What one person said to one slot of a study. `given` is by the form of the study:

    - choice: {"option": NAME}, with {"reason": TEXT} where one is asked for; several: {"options": [NAME...]}
    - either: {"side": "first" | "second"}, the side as it was shown
    - place: {"box": {"space": "pixel", "xyxy": [...]}}, {"point": {"space": "pixel", "xy": [...]}} or {"absent": true}
    - words: {FIELD: TEXT...}
    - scale: {"score": NUMBER}; yes or no: {"yes": true | false}
    - tags: {"tags": [TEXT...], "note": TEXT}

    An answer to an attention check has `check`, and never counts as one of the study. One that was redacted has no
    `given` any more."""

    seat: NonEmptyStr
    slot: NonEmptyStr
    item: NonEmptyStr
    question: str = ""  # its id, where the study puts questions of a task
    trial: Annotated[int, Field(ge=0)] = 0
    given: dict[str, Any] = {}
    seconds: Annotated[float, Field(ge=0)] = 0.0
    check: bool = False
    redacted: bool = False


VersionedAnswers = Mapping[
    tuple[str, int], tuple[int, StudyAnswer]
]  # by question and trial, each with the number of its version


def study_scope(study: str) -> str:
    """What the documents of a study belong to, in the column `screen`: the name of those who answer."""
    return f"{STUDY_PREFIX}{study}"
