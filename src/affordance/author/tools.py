"""What a stage is given to work with, and how it says what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.author.state import Change
from affordance.core.errors import UserError
from affordance.evaluation.ad_hoc import AdHocClient


class NotThere(UserError):
    """A screen lacks what a stage needs. It is told as that screen's failure, and the rest goes on."""


class Unasked(UserError):
    """The provider failed: the screen stays pending and is asked about again with the next command."""


@dataclass(frozen=True, slots=True)
class Tools:
    """`desk` is None where no model was given: then a stage does what it can by itself, or raises `NotThere`. Settings
    are those of the stage, as the command line gives them."""

    desk: AdHocClient | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)  # of the stage, by name
    settings: Mapping[str, str] = field(default_factory=dict)
    again: bool = False  # whether what is done already is done again
    seed: int = 0
    extra: Path | None = None  # a file or folder that the stage was pointed to: OmniParser's output, a model

    @property
    def asking(self) -> AdHocClient:
        assert self.desk is not None, "a stage that asks was given no desk"
        return self.desk


@dataclass(frozen=True, slots=True)
class Result:
    """What a stage writes of a screen, and what a person should know of it, in one line each."""

    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
