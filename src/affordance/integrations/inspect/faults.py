"""What providers of Inspect raise, as replies: each raises the errors of its own library."""

import aiohttp
import httpx
from inspect_ai.model import Model, RetryDecision
from rich.errors import MarkupError
from rich.text import Text
from tenacity import RetryError

from affordance.core.ask import ErrorKind, Response
from affordance.models.completion import error_response, parse_error
from affordance.models.error_table import RATE_LIMITED, RETRYABLE

_CONNECTION = (OSError, aiohttp.ClientError, httpx.TransportError)  # what a provider has not looked at itself


class RequestFailed(Exception):
    """A model of ours has failed inside Inspect. The message is the reply's error."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.error)
        self.reply = response

    def decision(self) -> RetryDecision:
        """Whether Inspect is to ask again."""
        if self.reply.permanent:
            return RetryDecision.no()
        again = RetryDecision.rate_limit if self.reply.throttled else RetryDecision.transient
        return again(self.reply.retry_after)


def response_from_error(error: Exception, model: Model) -> Response:
    """What `Model.generate` raised, as the failure that it is. What the error is about says whether to ask again; where
    its words are not known, the provider does, else the status."""
    cause = _cause(error)
    if isinstance(cause, RequestFailed):
        return cause.reply
    message, status = error_text(cause), _status(cause)
    told = f"{type(cause).__name__}: {message}" if status is None else message
    known = parse_error(status, told, [str(getattr(cause, name, "")) for name in ("code", "type")])
    if not known.failed or known.kind is not ErrorKind.OTHER:
        return known
    decision = model.api.should_retry(cause)
    if not isinstance(decision, RetryDecision):
        decision = RetryDecision.transient() if decision else RetryDecision.no()
    if decision or status in RETRYABLE or isinstance(cause, _CONNECTION):
        throttled = decision.kind == "rate_limit" or status in RATE_LIMITED
        return error_response(known.error, permanent=False, throttled=throttled, retry_after=decision.retry_after)
    return error_response(known.error, permanent=True)


def error_text(error: BaseException) -> str:
    """What an error says, in one line; Inspect writes some of its own for a terminal, with colours."""
    message = getattr(error, "message", None)
    said = message if isinstance(message, str) and message else str(error)
    try:
        plain = Text.from_markup(said).plain if "[/" in said else said
    except MarkupError:
        plain = said
    return " ".join(plain.split()).removeprefix("ERROR: ") or "no message"


def _cause(error: Exception) -> Exception:
    """Without what Inspect has put around it: that it gave up, and the request in full, with its pictures."""
    found: BaseException = (error.last_attempt.exception() or error) if isinstance(error, RetryError) else error
    if hasattr(found, "provider_message") and found.__cause__ is not None:
        found = found.__cause__
    return found if isinstance(found, Exception) else error


def _status(error: Exception) -> int | None:
    """The status of an answer, under the names that libraries have for it."""
    for name in ("status_code", "status", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and 100 <= value < 1000:
            return value
    return None
