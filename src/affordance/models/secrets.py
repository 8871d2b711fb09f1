"""Keys in the environment, whoever they are for."""

import os
import re

_SECRET = re.compile(r"(^|_)(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$|(^|_)SECRET_", re.IGNORECASE)
_PARAMETER = re.compile(
    r"(api|access|auth|bearer|client|private|secret)[-_]?(key|token|secret)|password|passwd|authorization|credential",
    re.IGNORECASE,
)
_SHORTEST = 12  # characters; what is shorter may be a word


def is_key(parameter: str) -> bool:
    """Whether a parameter is a key by its name: what is sent as a parameter is in the ledger and in every report."""
    return _PARAMETER.search(parameter) is not None


def secrets_around() -> list[str]:
    """What is a key by its variable's name, the longest first: no error may have it, whoever has put it there."""
    found = {value.strip() for name, value in os.environ.items() if _SECRET.search(name)}
    return sorted((one for one in found if len(one) >= _SHORTEST), key=len, reverse=True)
