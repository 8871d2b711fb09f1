"""Whether the name that a provider gives to what answered is another name for the model that was asked."""

import re

# What a provider adds to a name for one of its versions, or a user asks for in its place: `-2025-08-07`, `-0613`,
# `@20250929`, `-preview-06-05`, `-latest`, `:free`. Files of weights have their quantisation: `.Q4_K_M.gguf`.
_VERSION = re.compile(
    r"(?:[-@:](?:\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{3,8}|v\d+|latest|preview|exp|beta|free)"
    r"|:\d+|-i?q\d(?:-[a-z0-9]{1,3})*|-b?f(?:16|32)|-gguf)+$"
)
_NEWEST = ("-latest", ":latest")


def is_same_model(requested: str, served: str) -> bool:
    """Whether both are names of one model, as far as names say: the vendor in front does not count, nor does a version
    that only one of them states."""
    if _without_vendor(requested) == _without_vendor(served):
        return True
    (one, version), (other, found) = _split(requested), _split(served)
    return one == other and (not version or not found or version in _NEWEST)


def _without_vendor(name: str) -> str:
    plain = name.strip().rpartition("/")[2].casefold()
    return plain.replace(".", "-").replace("_", "-")


def _split(name: str) -> tuple[str, str]:
    plain = _without_vendor(name)
    match = _VERSION.search(plain)
    return (plain, "") if match is None else (plain[: match.start()], match[0])
