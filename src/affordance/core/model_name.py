"""Names of models: `PROVIDER:MODEL[@BASE_URL]`."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from affordance.core.errors import UserError
from affordance.core.http import public_url

STUDY_PREFIX = "study:"  # of models that are participants of a study


LOOKUP_PROVIDERS = (
    "oracle",
    "replay",
    "study",
)  # providers that look up the truth or recorded answers: they cannot judge
BUILTIN_PROVIDERS = ("baseline", *LOOKUP_PROVIDERS)  # providers whose models are part of the package


@dataclass(frozen=True, slots=True)
class ModelName:
    """`PROVIDER:MODEL[@BASE_URL]`: split at the first colon, the URL begins at the last `@http`."""

    provider: str  # before the first colon
    model: str  # the provider's name for it; empty for `oracle`
    base_url: str | None = None  # may hold secrets; `str()` leaves them out

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
                # The rest may hold a password.
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
        """Whether the model looks up the truth or recorded answers, so that it has none for a new question."""
        return self.provider in LOOKUP_PROVIDERS

    def __str__(self) -> str:
        """The public form: as written, without user info and query of the URL."""
        name = f"{self.provider}:{self.model}" if self.model else self.provider
        return name if self.base_url is None else f"{name}@{public_url(self.base_url)}"


def without_base_url(model: str) -> str:
    """The name of a model without its base URL."""
    return model.rpartition("@http")[0] or model


def _find_url_without_scheme(model: str) -> int:
    """The index of an @ before a URL without its scheme; -1 if there is none. Versions (`@20250101`), vendors
    (`@cf/...`) and presets (`@preset/...`) are parts of names."""
    found = re.search(r"(?<=[^/])@(?!preset/)(?=localhost\b|.*[.:/])", model)
    return -1 if found is None else found.start()


def _has_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False
