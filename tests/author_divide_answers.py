"""What a model says that divides screens as it is asked to: a function of the request alone. Now and then it writes
comments or commas that are not JSON, draws a box the wrong way round, gives a region twice, or finds a region wanting,
so that all that a division goes through happens."""

import json
import random
from itertools import pairwise
from typing import Any

from affordance.core.digest import digest, digest_bytes
from author_prompts import fields_of

KINDS = (
    ("toolbar", "A row of icon buttons of one size on a plain background", "changes how the {thing} is shown"),
    ("card", "A card with a picture above a title and a line of small text", "opens the {thing}"),
    ("side navigation", "A column of labelled entries, one of them highlighted", "switches to the {thing}"),
    ("form", "Labelled input fields above a filled button", "sends the {thing}"),
    ("data table", "Rows of values below a header with arrows to sort by", "lists and sorts the {thing}"),
    ("search region", "A rounded input field with a magnifying glass", "finds entries of the {thing}"),
)
THINGS = ("orders", "invoices", "messages", "photos", "projects", "members", "reports", "drafts", "tracks", "routes")
SHADES = ("grey", "white", "pale blue", "dark", "green", "beige")


def answer(text: str, images: list[bytes]) -> str | None:
    """The reply to a request of `author divide`; None to any other."""
    if fields := fields_of(text, "divide", "propose"):
        return _division(text, bool(fields["is_dividable"]), images)
    if fields_of(text, "divide", "verify"):
        return _check(images)
    return None


def _draw(*parts: str | bytes) -> random.Random:
    return random.Random(digest(*(digest_bytes(one) if isinstance(one, bytes) else one for one in parts)))


def _division(text: str, inner: bool, images: list[bytes]) -> str:
    draw = _draw(text, *images)
    whole = _item(draw, [0, 0, 1000, 1000], dividable=True)
    if inner and draw.random() < 0.1:
        return json.dumps([whole])
    boxes = _split(draw, draw.randint(2, 4) if inner else draw.randint(3, 5))
    children = [_item(draw, box, draw.random() < (0.35 if inner else 0.75)) for box in boxes]
    if draw.random() < 0.1:
        children.append(children[0] | {"description": "The same once more"})
    if draw.random() < 0.1:
        children[-1]["bbox"] = [*children[-1]["bbox"][2:], *children[-1]["bbox"][:2]]
    items = [whole, *children]
    for number, item in enumerate(items):
        item["id"] = f"{number}/{len(items) - 1}"
    return _written(draw, items)


def _split(draw: random.Random, count: int) -> list[list[int]]:
    """Boxes side by side or one below the other, with some space between."""
    step = 1000 / count
    cuts = [0, *(round(step * (place + draw.uniform(-0.3, 0.3))) for place in range(1, count)), 1000]
    along = [(low + 5, high - 5) for low, high in pairwise(cuts)]
    if draw.random() < 0.5:
        return [[low, 5, high, 995] for low, high in along]
    return [[5, low, 995, high] for low, high in along]


def _item(draw: random.Random, box: list[int], dividable: bool) -> dict[str, Any]:
    kind, looks, does = draw.choice(KINDS)
    thing = draw.choice(THINGS)
    return {
        "bbox": box,
        "dividable": dividable,
        "type": kind,
        "description": f"{looks}, in {draw.choice(SHADES)} with {draw.randint(2, 9)} parts about {thing}.",
        "functionality": f"This {kind} {does.format(thing=thing)} of the {draw.choice(THINGS)} group.",
    }


def _written(draw: random.Random, items: list[dict[str, Any]]) -> str:
    written = json.dumps(items, indent=1)
    match draw.randrange(6):
        case 0:
            return written.replace('"dividable": true,', '"dividable": true, // it has parts')
        case 1:
            return "```json\n" + written[:-2] + ",\n]\n```"
        case 2:
            return f"<think>There are {len(items)} [regions].</think>\nHere they are:\n{written}\nThat is all."
        case 3:
            return f"```json\n{written}\n```"
        case _:
            return written


def _check(images: list[bytes]) -> str:
    draw = _draw("check", *images)
    if draw.random() < 0.85:
        return "Nothing is cut at any border.\nCompleteness Score: 3\nBoundedness: Yes"
    side = draw.choice(("left", "right", "upper", "lower"))
    return (
        f"Reason: a label is cut at the {side} border.\n\n"
        f"**Completeness Score:** {draw.randint(0, 2)}\n**Boundedness:** No"
    )
