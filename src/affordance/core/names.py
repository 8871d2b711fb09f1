"""Names of models, and URLs without their secrets."""

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from affordance.core.errors import UserError


@dataclass(frozen=True, slots=True)
class ModelName:
    """`PROVIDER:MODEL[@BASE_URL]`: split at the first colon, the URL begins at the last `@http`."""

    provider: str
    model: str
    base_url: str | None = None

    @classmethod
    def parse(cls, text: str) -> "ModelName":
        provider, colon, rest = text.partition(":")
        if not provider or (colon and not rest):
            raise UserError(f"a model is PROVIDER:MODEL[@BASE_URL], found {public_url(text)!r}")
        at = rest.rfind("@http")
        if at < 0:
            return cls(provider, rest)
        model, url = rest[:at], rest[at + 1 :]
        if not model or not urlsplit(url).netloc:
            raise UserError(f"a model is PROVIDER:MODEL[@BASE_URL], found {public_url(text)!r}")
        return cls(provider, model, url.rstrip("/"))

    def __str__(self) -> str:
        """The public form: as written, with the URL's user info and query cut."""
        name = f"{self.provider}:{self.model}" if self.model else self.provider
        return name if self.base_url is None else f"{name}@{public_url(self.base_url)}"


def public_url(text: str) -> str:
    """A URL, or a text that contains one, without user info, query and fragment."""
    start = text.find("://")
    if start < 0:
        return text
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    head, url = text[:start], text[start:]
    try:
        parts = urlsplit(url)
    except ValueError:
        return head + "(unreadable URL)"
    return head + urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
