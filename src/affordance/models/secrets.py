"""Keys in the environment, whoever they are for."""

import os
import re
from urllib.parse import unquote, unquote_plus

_SECRET_VARIABLE = re.compile(
    r"(^|_)(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$|(^|_)SECRET_", re.IGNORECASE
)
_SECRET_PARAMETER = re.compile(
    r"(api|access|auth|bearer|client|private|secret)[-_]?(key|token|secret)|password|passwd|authorization|credential",
    re.IGNORECASE,
)
_SECRET_QUERY_NAME = re.compile(
    r"(key|key[-_]?id|token|secret|password|passwd|pwd|signature|credentials?|authorization)$"
    r"|(^|[-_.])(auth|code|jwt|pass|sas|sig)$",  # code is that of Azure's functions, sig that of its storage
    re.IGNORECASE,
)
_OPAQUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=%]{20,}")  # no word, name or date is like that
_MIN_LENGTH = 12  # characters; what is shorter may be a word


def query_secrets(query: str) -> list[str]:
    """The keys and passwords in the query of a URL, by their names or because they look like nothing else, each as it
    is written there and as it is meant. A version, a region or the name of a deployment may be in an answer too."""
    found: dict[str, None] = {}
    for name, _, value in (pair.partition("=") for pair in query.split("&")):
        if value and (_SECRET_QUERY_NAME.search(unquote_plus(name)) or _OPAQUE.fullmatch(value)):
            found |= dict.fromkeys((value, unquote(value)))
    return list(found)


def is_secret_name(parameter: str) -> bool:
    """Whether a parameter is a key by its name: what is sent as a parameter is in the ledger and in every report."""
    return _SECRET_PARAMETER.search(parameter) is not None


def environment_secrets() -> list[str]:
    """What is a key by its variable's name, the longest first: no error may have it, whoever has put it there."""
    found = {value.strip() for name, value in os.environ.items() if _SECRET_VARIABLE.search(name)}
    return sorted((one for one in found if len(one) >= _MIN_LENGTH), key=len, reverse=True)
