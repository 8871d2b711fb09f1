"""Whether the model name in a response is another name of the requested model."""

import re

# Suffixes of versions: `-2025-08-07`, `-0613`, `@20250929`, `-preview-06-05`, `-latest`, `:free`. Files of weights have
# their quantization: `.Q4_K_M.gguf`.
_VERSION = re.compile(
    r"(?:[-@:](?:\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{3,8}|v\d+|latest|preview|exp|beta|free)"
    r"|:\d+|-i?q\d(?:-[a-z0-9]{1,3})*|-b?f(?:16|32)|-gguf)+$"
)
_NEWEST = ("-latest", ":latest")


def is_same_model(requested: str, served: str) -> bool:
    """Whether two names are of one model. Neither the vendor counts nor a version that only one of them has."""
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
