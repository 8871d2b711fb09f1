"""Names of models: `PROVIDER:MODEL[@BASE_URL]`."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from affordance.core.errors import UserError
from affordance.core.http import public_url

STUDY_PREFIX = "study:"  # how the names of models begin that are people


LOOKUP_PROVIDERS = (
    "oracle",
    "replay",
    "study",
)  # providers that look up the truth or recorded answers: they cannot judge
BUILTIN_PROVIDERS = ("baseline", *LOOKUP_PROVIDERS)  # providers that are no services: their models are here


@dataclass(frozen=True, slots=True)
class ModelName:
    """`PROVIDER:MODEL[@BASE_URL]`: split at the first colon, the URL begins at the last `@http`."""

    provider: str  # in front of the first colon
    model: str  # as the provider calls it; may be empty, as of `oracle`
    base_url: str | None = None  # with its secrets; `str()` leaves them out

    @classmethod
    def parse(cls, text: str) -> "ModelName":
        provider, colon, rest = text.partition(":")
        if not provider or (colon and not rest):
            raise UserError(f"a model is PROVIDER:MODEL[@BASE_URL], found {public_url(text)!r}")
        at = rest.rfind("@http")
        if at < 0:
            if re.search(r"@[a-z]+://", rest):
                raise UserError(f"a base URL begins with http:// or https://, found {public_url(text)!r}")
            if provider not in BUILTIN_PROVIDERS and (cut := _find_url_without_scheme(rest)) >= 0:
                # What follows may hold a password.
                begun = f"{provider}:{rest[:cut]}@..."
                raise UserError(
                    f"a model is PROVIDER:MODEL[@BASE_URL]: expected http:// or https:// after @ in {begun!r}"
                )
            return cls(provider, rest)
        model, url = rest[:at], rest[at + 1 :]
        if not model or not _has_host(url):
            raise UserError(f"a model is PROVIDER:MODEL[@BASE_URL], found {public_url(text)!r}")
        return cls(provider, model, url.rstrip("/"))

    @property
    def looks_up_answers(self) -> bool:
        """Whether the model gives the truth or recorded answers, and so has none to a question that is new."""
        return self.provider in LOOKUP_PROVIDERS

    def __str__(self) -> str:
        """The public form: as written, with the URL's user info and query cut."""
        name = f"{self.provider}:{self.model}" if self.model else self.provider
        return name if self.base_url is None else f"{name}@{public_url(self.base_url)}"


def without_base_url(model: str) -> str:
    """The name of a model without its base URL."""
    return model.rpartition("@http")[0] or model


def _find_url_without_scheme(model: str) -> int:
    """Where in a name an @ is that an address without its scheme follows; -1 where none is. Versions (`@20250101`),
    vendors (`@cf/...`) and presets (`@preset/...`) are parts of names."""
    found = re.search(r"(?<=[^/])@(?!preset/)(?=localhost\b|.*[.:/])", model)
    return -1 if found is None else found.start()


def _has_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False
