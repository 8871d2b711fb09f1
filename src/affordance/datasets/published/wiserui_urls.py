"""The URLs of WiserUI-Bench: what is asked for, and what stands where a picture should be."""

import re
from urllib.parse import urlsplit

# VWO's server makes pictures smaller on the way where the path says so; without, it sends the one that was uploaded.
_TRANSFORM = re.compile(r"/tr:[^/]*(?=/)")


def original_url(url: str) -> str:
    """The URL of the picture as it was uploaded."""
    return _TRANSFORM.sub("", url)


def is_source_page(url: str, source: str | None) -> bool:
    """Whether it is the page that tells of the test, and no picture."""
    return url == source


def url_host(url: str | None) -> str | None:
    """None where it is no URL."""
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None
