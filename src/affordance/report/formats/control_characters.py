"""Removal of characters that no text format takes well."""

import re

# Controls, lone surrogates, and marks that change the direction of what follows.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]")


def strip_control(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """The text on one line, without what cannot be seen."""
    return _UNSEEN.sub(instead, " ".join(re.split(r"[\t\n\r]+", text)))
