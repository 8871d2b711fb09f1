"""Questions of two sources in one collection: what somebody has written down, and what is made of captured outcomes."""

from dataclasses import replace
from typing import TypeVar

from affordance.tasks.function.aims import GroundingTarget
from affordance.tasks.function.posers import ChoiceSpec

SOURCE_TAG = "source"  # the tag that tells them apart; where there is one source only, there is no tag
DATASET_SOURCE, CAPTURED_SOURCE = "written", "captured"

TargetOrSpec = TypeVar("TargetOrSpec", GroundingTarget, ChoiceSpec)


def tag_source(one: TargetOrSpec, source: str) -> TargetOrSpec:
    return replace(one, tags={**one.tags, SOURCE_TAG: source})
