"""Codes of those who come by a link: another one in each study, so that nobody can tell from what is exported who took
part in two. What a browser is known by is in none of them, and too long to be guessed from them."""

import secrets

from affordance.core.digest import digest
from affordance.studio.security.records import PARTICIPANT

LENGTH = 10  # of a code
_BROWSER = 32  # of what a browser is known by


def new_code() -> str:
    """For somebody who comes to one study only."""
    return secrets.token_hex(LENGTH // 2)


def new_browser() -> str:
    """The name of whoever takes part in this browser, in as many studies as they like."""
    return f"{PARTICIPANT}{secrets.token_hex(_BROWSER // 2)}"


def is_browser(name: str) -> bool:
    return len(name) == len(PARTICIPANT) + _BROWSER


def code_in(study: str, name: str) -> str:
    """The code of a participant in a study, by their name."""
    return digest("seat", study, name)[:LENGTH] if is_browser(name) else name.removeprefix(PARTICIPANT)


def name_in(study: str, name: str) -> str:
    """What a participant is called in a study."""
    return f"{PARTICIPANT}{code_in(study, name)}"
