"""Keys in the environment, whoever they are for."""

import os
import re

_SECRET = re.compile(r"(^|_)(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$|(^|_)SECRET_", re.IGNORECASE)
_SHORTEST = 12  # characters; what is shorter may be a word


def secrets_around() -> list[str]:
    """What is a key by its variable's name, the longest first: no error may have it, whoever has put it there."""
    found = {value.strip() for name, value in os.environ.items() if _SECRET.search(name)}
    return sorted((one for one in found if len(one) >= _SHORTEST), key=len, reverse=True)
