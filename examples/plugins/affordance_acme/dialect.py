"""How the models of a family, acme-ui-*, say where something is: `TAP 412 88`, in thousandths of the picture."""

import re
from collections.abc import Iterator

from affordance.plugins import (
    ABSENT,
    MILLE,
    AnswerCandidate,
    CoordinateFormat,
    CoordinateSystem,
    Dialect,
    NumberGroup,
    Strength,
)

ASKED = """You operate a screen. Here is {reference} one {target} of it.

{label}: {expression}

Answer with one line, TAP x y: where to tap, in thousandths of the width and height.{absent}"""

_TAP = re.compile(r"\bTAP (?:(none)|(\d+) (\d+))")


def find_taps(text: str) -> Iterator[AnswerCandidate]:
    """All taps of a response; the last one counts."""
    for match in _TAP.finditer(text):
        nothing, x, y = match.groups()
        value = ABSENT if nothing else NumberGroup((float(x), float(y)))
        yield AnswerCandidate(value, match.start(), Strength.MARKED)


FORM = CoordinateFormat(
    prompt="acme-tap",
    prompt_text=ASKED,
    finders=(find_taps,),
    answer_template="TAP %s %s",
    absent_answer="TAP none",
    absent_instruction=" If nothing on the screen matches, answer TAP none.",
)

TAP = Dialect("acme-tap", (r"acme-ui-\d+b[\w.-]*",), CoordinateSystem(MILLE), element=FORM, region=FORM)
