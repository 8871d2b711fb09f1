"""What the cells of a table of pairs say. Each reader takes a row by the names of `own_pairs.COLUMNS`."""

import re
from collections.abc import Sequence
from typing import Any

from affordance.datasets.laws import find_ux_law
from affordance.datasets.published.rows import Row, short_repr

WINNERS = {"a": 0, "first": 0, "b": 1, "second": 1}  # no numbers: some count from 0
NO_WINNER = {"", "none", "unknown", "?"}

_VOTES = re.compile(r"\s*(\d{1,9})\s*[:/;,\s-]\s*(\d{1,9})\s*")


def read_text(row: Row, name: str) -> str | None:
    found = row.text_or_none(name)
    return found.strip() or None if found is not None else None


def read_winner(row: Row, images: Sequence[str]) -> int | None:
    """0 or 1; None where it is left open."""
    found = row.values.get("winner")
    if found is None or (isinstance(found, str) and found.strip().lower() in NO_WINNER):
        return None
    if isinstance(found, str):
        said = found.strip()
        if said in images:
            return list(images).index(said)
        if said.lower() in WINNERS:
            return WINNERS[said.lower()]
    raise row.error(f"expected A, B, first, second or one of its two pictures in 'winner', found {short_repr(found)}")


def read_votes(row: Row) -> list[int] | None:
    """For the first and for the second, as in `42:13`."""
    found = row.nested("votes")
    if found is None or found == "":
        return None
    match = _VOTES.fullmatch(found) if isinstance(found, str) else None
    numbers = [int(match[1]), int(match[2])] if match else found
    whole = isinstance(numbers, list) and all(type(number) is int and number >= 0 for number in numbers)
    if not whole or len(numbers) != 2:
        raise row.error(f"expected the votes for first and second as in 42:13, found {short_repr(found)}")
    return list(numbers)


def read_rationales(row: Row) -> list[dict[str, Any]]:
    """Reasons divided by `|` or lines, each of which may begin with its law: `Fitts’s Law: the button is larger`. In
    JSON a list of such texts, or of objects with reason and law."""
    found = row.nested("rationales")
    if found is None:
        return []
    parts = re.split(r"[|\n]", found) if isinstance(found, str) else found
    if not isinstance(parts, list):
        raise row.error(f"expected reasons in 'rationales', found {short_repr(found)}")
    return [_rationale(row, one) for one in parts if one != "" and not (isinstance(one, str) and one.isspace())]


def read_changes(row: Row) -> dict[str, list[str]]:
    """Properties by element: `Button: Color, Size; Text: Presence`. In JSON an object of lists."""
    found = row.nested("changes")
    if found is None or found == "" or isinstance(found, dict):
        return found or {}
    wrong = row.error(f"expected elements with their properties as in 'Button: Color, Size', found {short_repr(found)}")
    if not isinstance(found, str):
        raise wrong
    result: dict[str, list[str]] = {}
    for part in filter(str.strip, found.split(";")):
        element, colon, properties = part.partition(":")
        if not colon or not element.strip():
            raise wrong
        result[element.strip()] = [one.strip() for one in properties.split(",") if one.strip()]
    return result


def _rationale(row: Row, found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        law = find_ux_law(found["law"]) if isinstance(found.get("law"), str) else None
        return found if law is None else {**found, "law": law.name, "dimension": law.dimension}
    if not isinstance(found, str):
        raise row.error(f"expected a reason in 'rationales', found {short_repr(found)}")
    head, colon, rest = found.partition(":")
    law = find_ux_law(head) if colon else None
    if law is None or not rest.strip():
        return {"reason": found.strip()}
    return {"reason": rest.strip(), "law": law.name, "dimension": law.dimension}
