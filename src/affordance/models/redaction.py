"""Removing secrets: no key or password reaches a response, an error, the ledger or a report."""

import os
import re
from base64 import b64encode
from collections.abc import Sequence
from urllib.parse import unquote, unquote_plus, urlsplit

from affordance.core.requests import Response
from affordance.core.validation import MIN_SECRET_LENGTH
from affordance.models.providers import Endpoint

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
_OPAQUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=%]{20,}")  # longer than words, names and dates
_MIN_LENGTH = 12  # characters; a shorter value may be a word


def query_secrets(query: str) -> list[str]:
    """The keys and passwords in the query of a URL, recognized by their names or their form, each quoted and unquoted.
    Other values, such as a version or a region, are not secret and may occur in answers."""
    found: dict[str, None] = {}
    for name, _, value in (pair.partition("=") for pair in query.split("&")):
        if value and (_SECRET_QUERY_NAME.search(unquote_plus(name)) or _OPAQUE.fullmatch(value)):
            found |= dict.fromkeys((value, unquote(value)))
    return list(found)


def is_secret_name(parameter: str) -> bool:
    """Whether a parameter is a key by its name. Parameters are recorded in the ledger and in every report."""
    return _SECRET_PARAMETER.search(parameter) is not None


def environment_secrets() -> list[str]:
    """Values of environment variables that are keys by their names, longest first. No error may contain them."""
    found = {value.strip() for name, value in os.environ.items() if _SECRET_VARIABLE.search(name)}
    return sorted((one for one in found if len(one) >= _MIN_LENGTH), key=len, reverse=True)


MAX_ERROR_LENGTH = 400  # characters; cut after secrets are removed, or half of one might remain


def redact_response(response: Response, secrets: Sequence[str], seconds: float) -> Response:
    """A response with its time, and without secrets that an endpoint repeats."""
    return Response(
        redact(secrets, response.text),
        redact(secrets, response.reasoning),
        response.finish,
        redact(secrets, response.error)[:MAX_ERROR_LENGTH],
        response.permanent,
        response.retry_after,
        response.throttled,
        response.usage,
        seconds,
        redact(secrets, response.served_by),
        response.sent,
        response.kind,
        response.parameters,
    )


def redact(secrets: Sequence[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return text


def endpoint_secrets(endpoint: Endpoint) -> list[str]:
    """The key of an endpoint, and keys and passwords in its URL, in the forms in which they are sent."""
    parts = urlsplit(endpoint.base_url)
    userinfo = parts.netloc.rpartition("@")[0]
    secrets = query_secrets(parts.query)
    if userinfo:
        secrets += [basic_credentials(userinfo), unquote(userinfo), unquote(userinfo.partition(":")[2])]
    if endpoint.key:
        secrets.append(endpoint.key)
    return [secret for secret in secrets if len(secret) >= MIN_SECRET_LENGTH]


def basic_credentials(userinfo: str) -> str:
    return b64encode(unquote(userinfo).encode()).decode()
