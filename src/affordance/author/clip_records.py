"""Clips of a project."""

from typing import Annotated, Literal

from pydantic import Field

from affordance.datasets import Clip
from affordance.datasets.items import NonEmptyStr

Flag = Literal["sensitive content", "personal data"]


class Recording(Clip):
    """A clip, with what is known of its file. `rate` is frames a second, as a fraction; `source` says where it is from.
    Clips with a flag, and those that were put `aside`, are in no study and no export; `note` says why. `done`: somebody
    has gone through it to the end."""

    digest: NonEmptyStr  # of the video's content
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    frames: Annotated[int, Field(gt=0)]
    rate: NonEmptyStr
    source: str = ""
    flags: list[Flag] = []
    aside: bool = False
    note: str = ""
    done: bool = False

    @property
    def left_out(self) -> str:
        """Why it is in no study and no export; empty where it is."""
        return "put aside" if self.aside else ", ".join(self.flags)
