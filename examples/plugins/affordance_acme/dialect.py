"""How the models of a family, acme-ui-*, say where something is: `TAP 412 88`, in thousandths of the picture."""

import re

from affordance.extending import ABSENT, MILLE, Convention, Dialect, Form, Found, Numbers

ASKED = """You operate a screen. Here is {reference} one {target} of it.

{label}: {expression}

Answer with one line, TAP x y: where to tap, in thousandths of the width and height.{absent}"""

_TAP = re.compile(r"\bTAP (?:(none)|(\d+) (\d+))")


def tapped(text: str) -> Found:
    """What the last tap of a reply says; None where there is no tap in it."""
    found = _TAP.findall(text)
    if not found:
        return None
    nothing, x, y = found[-1]
    return ABSENT if nothing else Numbers((float(x), float(y)))


FORM = Form(
    frame="acme-tap",
    words=ASKED,
    readers=(tapped,),
    template="TAP %s %s",
    absent="TAP none",
    told=" If nothing on the screen matches, answer TAP none.",
)

TAP = Dialect("acme-tap", (r"acme-ui-\d+b[\w.-]*",), Convention(MILLE), element=FORM, region=FORM)
