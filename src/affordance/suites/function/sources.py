"""Questions of two sources in one collection: what somebody has written down, and what is made of captured outcomes."""

from dataclasses import replace
from typing import TypeVar

from affordance.suites.function.aims import Aim
from affordance.suites.function.posers import Poser

SOURCE = "source"  # the tag that tells them apart; where there is one source only, there is no tag
WRITTEN, CAPTURED = "written", "captured"

Sourced = TypeVar("Sourced", Aim, Poser)


def tagged(one: Sourced, source: str) -> Sourced:
    return replace(one, tags={**one.tags, SOURCE: source})
